"""Workers are killed while clients play: every client gets the right result or a retryable error."""

import os
import signal
import sys
import threading
import time
from pathlib import Path

import pytest

import rlgym
from rlgym.cli.bench_serve import start_service
from rlgym.serve.client import Client, RetryPolicy, ServiceError

pytestmark = [pytest.mark.slow, pytest.mark.skipif(sys.platform != "linux", reason="finds the workers in /proc")]

NAMES = ("higher_lower", "nim", "chain_sum", "hangman")
PLAYERS, KILLS, DEADLINE = 6, 4, 240.0


def workers(process):
    """The service's worker processes."""
    found = []
    for task in Path(f"/proc/{process}/task").iterdir():
        found += [int(child) for child in (task / "children").read_text().split()]
    return sorted(item for item in found if b"rlgym.serve.workers.worker" in Path(f"/proc/{item}/cmdline").read_bytes())


class Load:
    """Clients that play episodes until stopped, and compare each with the local one."""

    def __init__(self, url, recover):
        self.url, self.recover = url, recover
        self.stop, self.ended, self.gave_up, self.wrong, self.odd = threading.Event(), 0, 0, [], []
        self.threads = [threading.Thread(target=self._player, args=(number,), daemon=True) for number in range(PLAYERS)]

    def _player(self, number):
        transport = ("rest", "ws")[number % 2]
        with Client(self.url, transport=transport, timeout=60, retries=RetryPolicy(max_retries=12, max_seconds=5)) as client:
            seed = number
            while not self.stop.is_set():
                self._episode(client, NAMES[seed % len(NAMES)], seed)
                seed += PLAYERS

    def _episode(self, client, name, seed):
        local, over = rlgym.make(name, level=0.3), False
        try:
            env = client.make(name, level=0.3, recover=self.recover)
            same = env.reset(seed=seed)[0] == local.reset(seed=seed)[0]
            while same and not over:
                response = local.oracle() if seed % 3 else "<answer>1</answer>"
                mine, theirs = local.step(response), env.step(response)
                same, over = mine[:4] == theirs[:4], mine[2]
            if not same or local.messages != env.messages:
                self.wrong.append((name, seed))
            self.ended += 1
            env.close()
        except ServiceError as error:
            self.gave_up += 1
            if not error.retryable and error.code != "session_expired":
                self.odd.append(repr(error))
        except Exception as error:
            self.odd.append(repr(error))


@pytest.mark.parametrize("recover", [True, False])
def test_no_score_is_wrong_while_workers_are_killed(recover):
    rng, until = rlgym.Rng("chaos", int(recover)), time.monotonic() + DEADLINE
    with start_service(2) as (url, process):
        load = Load(url, recover)
        for thread in load.threads:
            thread.start()
        for _ in range(KILLS):
            goal = load.ended + load.gave_up + rng.integer(5, 20)
            while load.ended + load.gave_up < goal:
                assert time.monotonic() < until, f"nothing goes on: {load.ended} ended, {load.gave_up} gave up, {load.odd[:3]}"
                time.sleep(0.01)
            there = workers(process)
            if there:
                os.kill(rng.choice(there), signal.SIGKILL)
        before = load.ended
        while load.ended < before + 2 * PLAYERS or len(workers(process)) < 2:
            assert time.monotonic() < until, "the service did not come back"
            time.sleep(0.05)
        load.stop.set()
        for thread in load.threads:
            thread.join(max(0.0, until - time.monotonic()))
        assert not any(thread.is_alive() for thread in load.threads), "a player hangs"
        with Client(url) as client:
            while not client.ready():
                assert time.monotonic() < until, "the service is not ready again"
                time.sleep(0.1)
            env = client.make("chain_sum")
            env.reset(seed=1)
            assert env.step(env.oracle())[1] == 1.0
    assert load.wrong == []
    assert load.odd == []
    if recover:
        assert load.gave_up == 0
