"""`rlgym serve`: start, shutdown and invalid options."""

from __future__ import annotations

import json
import os
import signal
import socket
import subprocess
import sys
from contextlib import closing

import pytest
from serve.processes import PATIENCE, Service, opened, right, until
from typer.testing import CliRunner

import rlgym
from rlgym.cli import app
from rlgym.serve.settings import Settings
from rlgym.serve.workers import supervisor

pytestmark = pytest.mark.slow


def test_shutdown_finishes_requests_in_flight_and_cleans_up():
    service = Service("--workers", "1", "--drain-timeout", "90")
    try:
        folder = os.path.dirname(service.event("peer socket open")["socket"])
        body = json.dumps({"items": [{"task": {"name": "chain_sum", "seed": 4, "level": 0.1}, "response": right(4)}]}).encode()
        address = ("127.0.0.1", int(service.url.rsplit(":", 1)[1]))
        with closing(socket.create_connection(address, PATIENCE)) as half:
            head = ["POST /v1/score HTTP/1.1", "Host: localhost", "Content-Type: application/json", f"Content-Length: {len(body)}"]
            half.sendall("\r\n".join([*head, "Expect: 100-continue", "", ""]).encode())
            assert half.recv(1000).startswith(b"HTTP/1.1 100")  # the application has begun to read
            half.sendall(body[:10])
            service.process.send_signal(signal.SIGTERM)
            until(lambda: not _listens(address))
            half.sendall(body[10:])
            text = b""
            while piece := half.recv(65536):
                text += piece
            assert text.startswith(b"HTTP/1.1 200")
            assert b'"value":1.0' in text
        assert service.process.wait(PATIENCE) == 0
        assert not os.path.exists(folder)
    finally:
        service.end()


def test_a_draining_service_is_not_ready_and_workers_exit_with_their_supervisor():
    service = Service("--workers", "1", "--drain-delay", "600")
    try:
        client = service.client()
        view = opened(client)
        service.process.send_signal(signal.SIGTERM)
        until(lambda: client.get("/readyz").status_code == 503)
        assert client.get("/readyz").json()["error"]["code"] == "draining"
        assert opened(client, status=503)["error"]["code"] == "draining"
        step = client.post(f"/v1/sessions/{view['session']}/step", json={"response": right(0)})
        assert step.json()["reward"] == 1.0
        service.process.kill()
        until(lambda: not _runs(service.event("worker ready", worker_id=0)["pid"]))
    finally:
        service.end()


def test_a_crash_loop_ends_the_service_with_its_reason(monkeypatch):
    monkeypatch.setattr(supervisor, "WORKER_COMMAND", (sys.executable, "-c", "raise SystemExit(7)"))
    monkeypatch.setattr(supervisor, "FIRST_RESTART_PAUSE", 0.01)
    before = signal.getsignal(signal.SIGTERM)
    running = supervisor.Supervisor(supervisor.SupervisorConfig(Settings(num_workers=1), port=0))
    with pytest.raises(supervisor.CrashLoop, match="worker 0 died 5 times right after its start, the last time with exit status 7"):
        running.run()
    assert signal.getsignal(signal.SIGTERM) is before


def _listens(address):
    try:
        socket.create_connection(address, PATIENCE).close()
    except ConnectionRefusedError:
        return False
    return True


def _runs(process):
    try:
        with open(f"/proc/{process}/stat") as file:
            return file.read().rsplit(")", 1)[1].split()[0] != "Z"
    except FileNotFoundError:
        return False


@pytest.mark.parametrize(
    ("words", "text"),
    [
        (["--host", "0.0.0.0"], "give it keys with --keys, or pass --no-auth"),
        (["--log-level", "loud"], "must be one of debug, info, warning, error"),
        (["--reveal-answers"], "requires --no-auth"),
        (["--keys", "no-such-file.toml"], "cannot read the key file"),
        (["--runs", "no-such-folder"], "does not exist"),
        (["--host", "no.such.host.invalid", "--no-auth"], "is not an address to listen on"),
    ],
)
def test_invalid_options_are_one_line(words, text):
    done = CliRunner().invoke(app, ["serve", "--port", "0", *words])
    assert isinstance(done.exception, rlgym.RlgymError)
    assert text in str(done.exception)
    assert "\n" not in str(done.exception)


def test_a_port_in_use_is_one_clear_line():
    with closing(socket.create_server(("127.0.0.1", 0))) as taken:
        code = "from rlgym.cli import main; main()"
        words = [sys.executable, "-c", code, "serve", "--port", str(taken.getsockname()[1])]
        done = subprocess.run(words, capture_output=True, text=True, check=False, timeout=PATIENCE)
    assert done.returncode == 2
    where = f"cannot listen on 127.0.0.1 port {words[-1]}: address already in use"
    assert done.stderr.strip().splitlines() == [f"error: {where}; choose another with --port, or 0 for any free port"]


def test_a_created_key_is_accepted_and_only_its_hash_is_stored(tmp_path):
    from rlgym.serve.access.keys import KeyStore

    done = CliRunner().invoke(app, ["serve", "key", 'An "n"', "--reveal-answers", "--max-sessions", "3", "--requests-per-second", "2.5"])
    assert done.exit_code == 0
    client_ = done.stderr.rsplit(" ", 1)[1].strip()
    assert client_ not in done.stdout
    (tmp_path / "keys.toml").write_text(done.stdout)
    key = KeyStore.load(str(tmp_path / "keys.toml")).find(client_)
    assert (key.name, key.reveal_answers, key.max_sessions, key.requests_per_second, key.steps_per_minute) == ('An "n"', True, 3, 2.5, None)
