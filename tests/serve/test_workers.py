"""`rlgym serve` as it is run: a supervisor and two workers, over real sockets; workers are killed, and the service is ended."""

from __future__ import annotations

import hashlib
import json
import os
import re
import signal
import socket
import subprocess
import sys
import threading
import time
from contextlib import closing, contextmanager

import httpx
import pytest
from typer.testing import CliRunner
from websockets.sync.client import connect

import rlgym
from rlgym.cli import app
from rlgym.serve import workers
from rlgym.serve.settings import Settings

pytestmark = pytest.mark.slow

PATIENCE = 120
KEYS = {"ann": {"reveal": True}, "bob": {"reveal": False}, "few": {"sessions": 3}, "slow": {"steps_per_minute": 5}}


class Service:
    """A running `rlgym serve`, and what it wrote to standard error."""

    def __init__(self, *options):
        code = "from rlgym.cli import main; main()"
        self.process = subprocess.Popen([sys.executable, "-c", code, "serve", "--port", "0", *options], stderr=subprocess.PIPE, text=True)
        self.events, self.other = [], []
        self._reader = threading.Thread(target=self._read)
        self._reader.start()
        self.clients = []
        self.url = self.event("ready")["address"]

    def _read(self):
        for line in self.process.stderr:
            try:
                self.events.append(json.loads(line))
            except ValueError:
                self.other.append(line)

    def event(self, what, **facts):
        """The newest event of this kind, once there is one."""
        wanted = {"event": what, **facts}

        def found():
            return [event for event in self.events if wanted.items() <= event.items()]

        until(lambda: found() or self.process.poll() is not None)
        assert found(), f"no {wanted}: {self.events[-5:]} {self.other[-20:]}"
        return found()[-1]

    def client(self, key="ann"):
        """A client with a connection of its own."""
        made = httpx.Client(base_url=self.url, timeout=PATIENCE, headers={"Authorization": f"Bearer {secret(key)}"})
        self.clients.append(made)
        return made

    def of_each_worker(self, key="ann"):
        """A client connected to each worker."""
        found = {}
        for _ in range(200):
            one = self.client(key)
            found.setdefault(int(one.get("/healthz").headers["x-rlgym-worker"]), one)
            if len(found) == 2:
                return found[0], found[1]
        raise AssertionError("200 connections all went to one worker")

    def counted(self, name):
        """What a metric says over all workers."""
        lines = self.client().get("/metrics").text.splitlines()
        return sum(float(line.rsplit(" ", 1)[1]) for line in lines if re.match(rf"{name}(\{{|\s)", line))

    def end(self, number=signal.SIGTERM):
        for one in self.clients:
            one.close()
        if self.process.poll() is None:
            self.process.send_signal(number)
        try:
            return self.process.wait(PATIENCE)
        finally:
            self.process.kill()
            self._reader.join(PATIENCE)
            self.process.stderr.close()


@pytest.fixture(scope="module")
def service(key_file):
    made = Service("--workers", "2", "--keys", str(key_file), "--most-sessions", "50")
    try:
        yield made
    finally:
        assert made.end() == 0


@pytest.fixture(scope="module")
def key_file(tmp_path_factory):
    file = tmp_path_factory.mktemp("keys") / "keys.json"
    entries = [{"name": name, "sha256": hashlib.sha256(secret(name).encode()).hexdigest(), **more} for name, more in KEYS.items()]
    file.write_text(json.dumps({"keys": entries}))
    return file


def secret(name):
    return f"the-key-of-{name}"


def until(true):
    """Wait until something holds."""
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


def test_each_worker_answers_for_the_sessions_of_both(service):
    clients = service.of_each_worker()
    views = [opened(client, seed) for seed, client in enumerate(clients)]
    assert [owner(view) for view in views] == [0, 1]
    before = service.counted("rlgym_passed_on_total")
    for seed, view in enumerate(views):
        place, other = f"/v1/sessions/{view['session']}", clients[1 - seed]
        looked = other.get(place)
        assert looked.headers["x-rlgym-worker"] == str(1 - seed)
        assert looked.json()["observation"] == clients[seed].get(place).json()["observation"] == view["observation"]
        kept = other.post(f"{place}/snapshot").json()["snapshot"]
        # Half a surrogate pair, which httpx would not write.
        text = json.dumps({"response": "\ud800 <answer>no</answer>", "turn": 0})
        wrong = other.post(f"{place}/step", content=text, headers={"Content-Type": "application/json"})
        assert (wrong.json()["done"], wrong.json()["reward"]) == (True, 0.0)
        over = other.post(f"{place}/step", json={"response": "x"})
        assert (over.status_code, over.json()["error"]["code"]) == (409, "episode_over")
        assert clients[seed].post(f"{place}/restore", json={"snapshot": kept}).json()["done"] is False
        said = other.post(f"{place}/oracle").json()["response"]
        assert other.post(f"{place}/step", json={"response": said}).json()["score"]["value"] == 1.0
        assert service.client("bob").get(place).status_code == 404
        assert other.delete(place).status_code == 204
        assert clients[seed].get(place).status_code == 404
    # look, snapshot, two steps, oracle, one more step, delete; bob's look may have been passed on too.
    assert 14 <= service.counted("rlgym_passed_on_total") - before <= 16


def test_what_a_key_may_not_see_it_may_not_see_through_another_worker(service):
    clients = service.of_each_worker("bob")
    view = opened(clients[0])
    with closing_sessions(clients[1], view):
        refused = clients[1].post(f"/v1/sessions/{view['session']}/oracle")
        assert (refused.status_code, refused.json()["error"]["code"]) == (403, "forbidden")
        assert "www-authenticate" in httpx.get(f"{service.url}/v1/sessions/{view['session']}", timeout=PATIENCE).headers


def test_a_batch_over_both_workers_comes_back_in_order(service):
    clients = service.of_each_worker()
    views = [opened(clients[seed % 2], seed) for seed in range(6)]
    assert {owner(view) for view in views} == {0, 1}
    with closing_sessions(clients[0], *views):
        steps = [{"session": view["session"], "response": right(seed) if seed != 3 else "no idea"} for seed, view in enumerate(views)]
        told = clients[1].post("/v1/steps", json={"steps": [*steps, {"session": "w0-nobody-x", "response": "x"}]}).json()["results"]
        assert [one.get("session") for one in told] == [*[view["session"] for view in views], None]
        assert [one.get("reward") for one in told] == [1, 1, 1, 0, 1, 1, None]
        assert told[-1]["error"]["code"] in ("unknown", "session_lost")


def test_a_kept_session_of_a_socket_is_reached_from_everywhere(service):
    address, header = f"{service.url.replace('http', 'ws')}/v1/play", {"Authorization": f"Bearer {secret('ann')}"}

    def asked(connection, **message):
        connection.send(json.dumps(message))
        return json.loads(connection.recv(PATIENCE))

    with connect(address, additional_headers=header) as one:
        kept = asked(one, id=1, op="open", name="chain_sum", seed=5, level=0.1, keep=True)
        mine = asked(one, id=2, op="open", name="chain_sum", seed=5, level=0.1)
    clients = service.of_each_worker()
    until(lambda: clients[0].get(f"/v1/sessions/{mine['session']}").status_code == 404)
    for _ in range(100):
        # Over another socket, one at the other worker.
        with connect(address, additional_headers=header) as other:
            probe = asked(other, id=1, op="open", name="chain_sum", seed=1)
            if owner(probe) != owner(kept):
                done = asked(other, id=7, op="step", session=kept["session"], response=right(5))
                assert (done["id"], done["ok"], done["reward"]) == (7, True, 1.0)
                break
    else:
        raise AssertionError("100 sockets all went to one worker")
    assert [client.get(f"/v1/sessions/{kept['session']}").json()["done"] for client in clients] == [True, True]
    assert clients[0].delete(f"/v1/sessions/{kept['session']}").status_code == 204


def test_quotas_hold_exactly_over_both_workers(service):
    few = service.of_each_worker("few")
    views = [opened(few[seed % 2], seed) for seed in range(3)]
    assert {owner(view) for view in views} == {0, 1}
    for client in few:
        assert opened(client, status=429)["error"]["code"] == "quota"
    assert few[0].delete(f"/v1/sessions/{views[1]['session']}").status_code == 204
    again = opened(few[0])
    assert opened(few[1], status=429)["error"]["retryable"]
    for view in (views[0], views[2], again):
        assert few[1].delete(f"/v1/sessions/{view['session']}").status_code == 204
    slow = service.of_each_worker("slow")
    views = [opened(slow[turn % 2], turn) for turn in range(8)]
    with closing_sessions(slow[0], *views):
        codes = [slow[turn % 2].post(f"/v1/sessions/{view['session']}/step", json={"response": "x"}) for turn, view in enumerate(views)]
        # Five a minute, and what came back to the bucket on a very slow machine.
        assert [code.status_code for code in codes][:5] == [200] * 5
        assert codes[5].status_code == 429
        assert float(codes[5].headers["retry-after"]) >= 1


def test_metrics_of_both_workers_are_added_up(service):
    clients = service.of_each_worker()
    before = service.counted("rlgym_steps_total")
    open_before = service.counted("rlgym_open_sessions")
    views = [opened(clients[seed % 2], seed) for seed in range(4)]
    with closing_sessions(clients[0], *views):
        for seed, view in enumerate(views):
            clients[seed % 2].post(f"/v1/sessions/{view['session']}/step", json={"response": "x"}).raise_for_status()
        assert service.counted("rlgym_steps_total") == before + 4
        assert service.counted("rlgym_open_sessions") == open_before + 4


def test_the_sockets_between_workers_are_closed_to_others(service):
    orders = [event for event in service.events if event.get("event") == "listening between workers"]
    assert len({event["socket"] for event in orders}) >= 2
    for event in orders[-2:]:
        assert os.stat(event["socket"]).st_mode & 0o777 == 0o600
        assert os.stat(os.path.dirname(event["socket"])).st_mode & 0o777 == 0o700


def test_a_killed_worker_loses_its_own_sessions_only_and_comes_back(service):
    clients = service.of_each_worker()
    views = [opened(clients[seed % 2], seed) for seed in range(4)]
    few = service.of_each_worker("few")
    held = [opened(few[turn], turn) for turn in (0, 0, 1)]
    steps = service.counted("rlgym_steps_total")
    process = service.event("worker ready", of=0)["process"]
    os.kill(process, signal.SIGKILL)
    began = time.monotonic()
    for seed, view in enumerate(views):
        answer = clients[1].post(f"/v1/sessions/{view['session']}/step", json={"response": right(seed)})
        if owner(view) == 1:
            assert answer.json()["reward"] == 1.0
        else:
            assert answer.status_code in (410, 503), answer.text
            assert answer.json()["error"]["code"] in ("session_lost", "worker_lost")
            assert answer.json()["error"]["retryable"]
    assert time.monotonic() - began < PATIENCE / 2
    died = service.event("a worker died", of=0)
    assert (died["how"], died["process"]) == ("SIGKILL", process)
    # Its counts are given back: two of the three of this key were there.
    assert service.counted("rlgym_open_sessions") == 3
    again = [opened(few[1], turn) for turn in range(2)]
    assert opened(few[1], status=429)["error"]["code"] == "quota"
    until(lambda: service.event("worker ready", of=0)["process"] != process)
    assert service.counted("rlgym_steps_total") == steps + 2
    both = service.of_each_worker()
    for client in both:
        lost = client.get(f"/v1/sessions/{views[0]['session']}")
        assert (lost.status_code, lost.json()["error"]["code"]) == (410, "session_lost")
        assert client.get(f"/v1/sessions/{views[1]['session']}").status_code == 200
    fresh = opened(both[0])
    assert both[1].get(f"/v1/sessions/{fresh['session']}").status_code == 200
    with closing_sessions(both[1], fresh, views[1], views[3]), closing_sessions(few[1], held[2], *again):
        assert both[0].get("/readyz").status_code == 200


def test_a_request_under_way_is_finished_and_nothing_is_left():
    service = Service("--workers", "1", "--grace", "90")
    try:
        folder = os.path.dirname(service.event("listening between workers")["socket"])
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
            said = b""
            while piece := half.recv(65536):
                said += piece
            assert said.startswith(b"HTTP/1.1 200")
            assert b'"value":1.0' in said
        assert service.process.wait(PATIENCE) == 0
        assert not os.path.exists(folder)
    finally:
        service.end()


def test_a_lingering_service_says_so_and_workers_end_with_their_supervisor():
    service = Service("--workers", "1", "--linger", "600")
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
        until(lambda: not _runs(service.event("worker ready", of=0)["process"]))
    finally:
        service.end()


def test_a_worker_told_to_end_is_replaced(service):
    before = service.event("worker ready", of=1)["process"]
    os.kill(before, signal.SIGTERM)
    until(lambda: service.event("worker ready", of=1)["process"] != before)
    assert service.event("a worker died", of=1)["how"] == "exit status 0"
    assert {owner(opened(client)) for client in service.of_each_worker()} == {0, 1}


def test_a_worker_that_keeps_dying_ends_the_service_with_its_reason(monkeypatch):
    monkeypatch.setattr(workers, "COMMAND", (sys.executable, "-c", "raise SystemExit(7)"))
    monkeypatch.setattr(workers, "FIRST_PAUSE", 0.01)
    before = signal.getsignal(signal.SIGTERM)
    fleet = workers.Fleet(workers.Plan(Settings(workers=1), port=0))
    with pytest.raises(workers.WorkersKeepDying, match="worker 0 ended 5 times soon after its start, the last time with exit status 7"):
        fleet.run()
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
    ("words", "said"),
    [
        (["--host", "0.0.0.0"], "give it keys with --keys, or say --open"),
        (["--log-level", "loud"], "one of debug, info, warning, error"),
        (["--allow-reveal"], "goes with --open"),
        (["--keys", "no-such-file.toml"], "cannot be read"),
        (["--runs", "no-such-folder"], "is not there"),
        (["--host", "no.such.host.invalid", "--open"], "no address to listen on"),
    ],
)
def test_what_cannot_be_is_refused_in_one_line(words, said):
    done = CliRunner().invoke(app, ["serve", "--port", "0", *words])
    assert isinstance(done.exception, rlgym.RlgymError)
    assert said in str(done.exception)
    assert "\n" not in str(done.exception)


def test_a_port_in_use_is_one_clear_line():
    with closing(socket.create_server(("127.0.0.1", 0))) as taken:
        code = "from rlgym.cli import main; main()"
        words = [sys.executable, "-c", code, "serve", "--port", str(taken.getsockname()[1])]
        done = subprocess.run(words, capture_output=True, text=True, check=False, timeout=PATIENCE)
    assert done.returncode == 2
    where = f"cannot listen on 127.0.0.1 port {words[-1]}: address already in use"
    assert done.stderr.strip().splitlines() == [f"error: {where}; choose another with --port, or 0 for any that is free"]


def test_a_second_service_does_not_share_the_port_of_the_first(service):
    from rlgym.serve.listening import CannotListen, held

    with pytest.raises(CannotListen, match="address already in use"):
        held("127.0.0.1", int(service.url.rsplit(":", 1)[1]))


def test_a_made_key_opens_the_service_and_only_its_hash_is_kept(tmp_path):
    from rlgym.serve.keys import Keys

    done = CliRunner().invoke(app, ["serve", "key", 'An "n"', "--reveal", "--sessions", "3", "--requests-per-second", "2.5"])
    assert done.exit_code == 0
    made = done.stderr.rsplit(" ", 1)[1].strip()
    assert made not in done.stdout
    (tmp_path / "keys.toml").write_text(done.stdout)
    key = Keys.read(str(tmp_path / "keys.toml")).find(made)
    assert (key.name, key.reveal, key.sessions, key.requests_per_second, key.steps_per_minute) == ('An "n"', True, 3, 2.5, None)
