"""A running `rlgym serve`, for tests."""

from __future__ import annotations

import json
import re
import signal
import subprocess
import sys
import threading
import time
from contextlib import contextmanager

import httpx

import rlgym

PATIENCE = 120


class Service:
    """A running `rlgym serve`, and what it wrote to standard error."""

    def __init__(self, *options):
        code = "from rlgym.cli import main; main()"
        self.process = subprocess.Popen([sys.executable, "-c", code, "serve", "--port", "0", *options], stderr=subprocess.PIPE, text=True)
        self.events, self.other = [], []
        self._reader = threading.Thread(target=self._read)
        self._reader.start()
        self.clients = []
        self.url = self.event("ready")["url"]

    def _read(self):
        for line in self.process.stderr:
            try:
                self.events.append(json.loads(line))
            except ValueError:
                self.other.append(line)

    def event(self, what, **facts):
        """The newest event of this kind, once there is one."""
        expected = {"event": what, **facts}

        def found():
            return [event for event in self.events if expected.items() <= event.items()]

        until(lambda: found() or self.process.poll() is not None)
        assert found(), f"no {expected}: {self.events[-5:]} {self.other[-20:]}"
        return found()[-1]

    def client(self, key="ann"):
        """A client with a connection of its own."""
        # httpx drops a connection that was idle for five seconds, and the next one may go to the other worker.
        limits = httpx.Limits(keepalive_expiry=None)
        client_ = httpx.Client(base_url=self.url, timeout=PATIENCE, limits=limits, headers={"Authorization": f"Bearer {secret(key)}"})
        self.clients.append(client_)
        return client_

    def of_each_worker(self, key="ann"):
        """A client connected to each worker."""
        found = {}
        for _ in range(200):
            item = self.client(key)
            found.setdefault(int(item.get("/healthz").headers["x-rlgym-worker"]), item)
            if len(found) == 2:
                return found[0], found[1]
        raise AssertionError("200 connections all went to one worker")

    def counted(self, name):
        """What a metric says over all workers."""
        lines = self.client().get("/metrics").text.splitlines()
        return sum(float(line.rsplit(" ", 1)[1]) for line in lines if re.match(rf"{name}(\{{|\s)", line))

    def end(self, number=signal.SIGTERM):
        for client in self.clients:
            client.close()
        if self.process.poll() is None:
            self.process.send_signal(number)
        try:
            return self.process.wait(PATIENCE)
        finally:
            self.process.kill()
            self._reader.join(PATIENCE)
            self.process.stderr.close()


def secret(name):
    return f"the-key-of-{name}"


def until(true):
    """Wait until a condition holds."""
    deadline = time.monotonic() + PATIENCE
    while not (found := true()):
        assert time.monotonic() < deadline, "it did not come true"
        time.sleep(0.05)
    return found


def opened(client, seed=0, status=201):
    answer = client.post("/v1/sessions", json={"name": "chain_sum", "seed": seed, "level": 0.1})
    assert answer.status_code == status, answer.text
    return answer.json()


def right(seed):
    task = rlgym.task("chain_sum", seed, level=0.1)
    return f"<answer>{task.data.total}</answer>"


@contextmanager
def closing_sessions(client, *views):
    try:
        yield
    finally:
        for view in views:
            assert client.delete(f"/v1/sessions/{view['session']}").status_code == 204


def owner(view):
    return int(view["session"][1 : view["session"].index("-")])
