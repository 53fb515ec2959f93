"""Many sessions over one connection."""

import json
import threading
import time

import pytest
from fastapi.testclient import TestClient
from starlette.testclient import WebSocketDenialResponse
from starlette.websockets import WebSocketDisconnect

import rlgym
from rlgym.serve.api.app import create_app
from rlgym.serve.settings import Settings
from rlgym.serve.telemetry.request_log import RequestLog


@pytest.fixture(scope="module")
def client():
    with TestClient(create_app(Settings(max_in_flight=4))) as client_:
        yield client_


class Talk:
    """Sends one operation at a time over a WebSocket."""

    def __init__(self, socket):
        self.socket, self.number = socket, 0

    def __call__(self, op, **fields):
        self.number += 1
        self.socket.send_json({"id": self.number, "op": op, **fields})
        report = self.socket.receive_json()
        assert report.pop("id") == self.number
        return report

    def code(self, op, **fields):
        report = self(op, **fields)
        assert not report["ok"]
        return report["error"]["code"]


@pytest.fixture
def ask(client):
    with client.websocket_connect("/v1/play") as socket:
        yield Talk(socket)


def until(true, seconds=30.0):
    ends = time.monotonic() + seconds
    while not true():
        assert time.monotonic() < ends, "it never came true"
        time.sleep(0.01)


def test_every_operation(ask):
    env = rlgym.make("hangman", level=0.5)
    observation, _ = env.reset(seed=3)
    view = ask("open", name="hangman", seed=3, level=0.5)
    local = {"session": view["session"]}
    assert view["observation"] == observation
    assert ask("ping") == {"ok": True}
    assert ask("auth", key="no matter which") == {"ok": True}
    snapshot = ask("snapshot", **local)["snapshot"]
    right = ask("oracle", **local)["response"]
    assert right == env.oracle()
    assert ask("step", response=right, turn=0, **local)["observation"] == env.step(right)[0]
    assert ask.code("step", response=right, turn=0, **local) == "stale_turn"
    assert len(ask("get", **local)["messages"]) == 3
    assert ask("restore", snapshot=snapshot, **local)["observation"] == observation
    assert ask("render", mode="ansi", **local)["text"].startswith("[user]")
    assert ask("render", **local)["svg"].startswith("<svg")
    assert ask("hint", tier="concept", **local)["hint"]
    wrong = ask("mistake", index=0, **local)
    assert (wrong["ok"], wrong["count"] >= 1) == (True, True)
    assert ask("reset", seed=4, level=0.1, **local)["task"]["level"] == 0.1
    assert ask("close", **local) == {"ok": True}
    assert ask.code("get", **local) == "not_found"


@pytest.mark.parametrize(
    "text",
    [
        "",
        "{",
        "[]",
        "3",
        "null",
        '"open"',
        '{"op": 3}',
        '{"op": ["open"]}',
        '{"op": "fly"}',
        '{"op": "asked"}',
        "[" * 50_000,
        "1" * 5000,
        '{"op": "step"}',
        '{"op": "step", "session": 3}',
        "{}",
    ],
    ids=lambda text: text[:20],
)
def test_invalid_messages_are_rejected_and_the_connection_stays_open(ask, text):
    ask.socket.send_text(text)
    result = ask.socket.receive_json()
    assert (result["id"], result["ok"], result["error"]["code"]) == (None, False, "invalid_request")
    assert ask("ping") == {"ok": True}


def test_invalid_fields_are_named(ask):
    session = ask("open", name="chain_sum", seed=3)["session"]
    for op, fields, text in (
        ("step", {}, "response"),
        ("step", {"response": 3}, "response"),
        ("step", {"response": "x", "turn": "0"}, "turn"),
        ("step", {"response": "x", "more": 1}, "more"),
        ("hint", {"tier": "all"}, "tier"),
        ("render", {"mode": "png"}, "mode"),
        ("mistake", {"index": -1}, "index"),
        ("reset", {"seed": 1.5}, "seed"),
        ("restore", {"snapshot": None}, "snapshot"),
        ("close", {"now": True}, "now"),
    ):
        result = ask(op, session=session, **fields)
        assert result["error"]["code"] == "invalid_request"
        assert result["error"]["message"].startswith(f"{text}:"), result
    assert ask("get", session=session)["turn"] == 0


@pytest.mark.parametrize("number", [0, -7, 2**70, 1.5, "a text", "", None])
def test_answers_repeat_the_id(client, number):
    with client.websocket_connect("/v1/play") as socket:
        for message in ({"id": number, "op": "ping"}, {"id": number, "op": "no"}, {"id": number, "op": "open", "name": "chain_sum"}):
            socket.send_json(message)
            assert socket.receive_json()["id"] == number
        socket.send_json({"id": ["x"], "op": "ping"})
        assert socket.receive_json()["id"] is None


def test_messages_may_be_bytes_and_any_text_is_a_valid_response(client):
    task = rlgym.task("chain_sum", 3)
    with client.websocket_connect("/v1/play") as socket:
        ask = Talk(socket)
        session = ask("open", name="chain_sum", seed=3)["session"]
        for text in ("\x00", "\ud800", "\U0001f600", "<answer>٣</answer>"):
            socket.send_bytes(json.dumps({"id": 1, "op": "step", "session": session, "response": text}).encode())
            result = socket.receive_json()
            assert result["score"] == {**rlgym.score(task, text).to_dict(), "masked": False}
            ask("reset", session=session, seed=3)


def test_responses_are_limited(ask):
    session = ask("open", name="chain_sum", seed=3)["session"]
    assert ask.code("step", session=session, response="x" * 1_000_001) == "too_large"
    assert ask("step", session=session, response="x" * 1_000_000)["done"]


def test_sessions_end_with_their_connection_unless_persistent(client):
    with client.websocket_connect("/v1/play") as socket:
        ask = Talk(socket)
        removed, kept = ask("open", name="hangman", seed=3)["session"], ask("open", name="hangman", seed=3, persistent=True)["session"]
        ask("step", session=kept, response="x")
        assert client.get(f"/v1/sessions/{removed}").json()["turn"] == 0
    until(lambda: client.get(f"/v1/sessions/{removed}").status_code == 404)
    assert client.get(f"/v1/sessions/{kept}").json()["turn"] == 1
    with client.websocket_connect("/v1/play") as socket:
        assert Talk(socket)("step", session=kept, response="x", turn=1)["turn"] == 2
    assert client.delete(f"/v1/sessions/{kept}").status_code == 204


def test_slow_operations_do_not_block_others(client, monkeypatch):
    started, resume, original = threading.Event(), threading.Event(), rlgym.Env.reset

    def slow(env, *, seed=None, options=None):
        if seed == 99:
            started.set()
            assert resume.wait(60)
        return original(env, seed=seed, options=options)

    monkeypatch.setattr(rlgym.Env, "reset", slow)
    with client.websocket_connect("/v1/play") as socket:
        socket.send_json({"id": "slow", "op": "open", "name": "chain_sum", "seed": 99})
        assert started.wait(30)
        ask = Talk(socket)
        session = ask("open", name="hangman", seed=3)["session"]
        for turn in range(3):
            assert ask("step", session=session, response="x")["turn"] == turn + 1
        resume.set()
        result = socket.receive_json()
        assert (result["id"], result["ok"], result["task"]["seed"]) == ("slow", True, 99)


def test_pipelined_messages_are_all_answered(client):
    with client.websocket_connect("/v1/play") as socket:
        for number in range(40):
            socket.send_json({"id": number, "op": "open", "name": "chain_sum", "seed": number})
        result = {item["id"]: item for item in (socket.receive_json() for _ in range(40))}
        assert sorted(result) == list(range(40))
        for number, item in result.items():
            assert item["task"]["seed"] == number
            socket.send_json({"id": number, "op": "step", "session": item["session"], "response": "x"})
        assert sorted(socket.receive_json()["id"] for _ in range(40)) == list(range(40))


def test_a_client_that_disconnects_leaves_no_session(client, monkeypatch):
    started, resume, original = threading.Event(), threading.Event(), rlgym.Env.reset

    def slow(env, **named):
        started.set()
        assert resume.wait(60)
        return original(env, **named)

    before = len(client.app.state.service.store)
    monkeypatch.setattr(rlgym.Env, "reset", slow)
    with client.websocket_connect("/v1/play") as socket:
        socket.send_json({"id": 1, "op": "open", "name": "chain_sum", "seed": 5})
        assert started.wait(30)
    resume.set()
    until(lambda: not client.app.state.websockets.connections and client.app.state.service.thread_pool.stuck == 0)
    assert len(client.app.state.service.store) == before


def test_pages_of_other_origins_are_rejected(client):
    for headers in ({"origin": "https://evil.example"}, {"origin": "null"}, {"host": "evil.example", "origin": "http://evil.example"}):
        with pytest.raises(WebSocketDenialResponse) as denied, client.websocket_connect("/v1/play", headers=headers):
            pass
        assert denied.value.status_code == 403
        assert denied.value.json()["error"]["code"] == "forbidden"
    with client.websocket_connect("/v1/play", headers={"origin": "http://testserver"}) as socket:
        assert Talk(socket)("ping") == {"ok": True}


def test_draining_notifies_clients_and_closes():
    lines = []
    app = create_app(Settings(), log=RequestLog(lines.append, 0))
    with TestClient(app) as client, client.websocket_connect("/v1/play") as socket:
        Talk(socket)("open", name="chain_sum", seed=3)
        client.portal.call(app.state.drain)
        result = socket.receive_json()
        assert (result["id"], result["error"]["code"], result["error"]["retryable"]) == (None, "draining", True)
        with pytest.raises(WebSocketDisconnect) as closed:
            socket.receive_json()
        assert closed.value.code == 1012
    [line] = [line for line in map(json.loads, lines) if line["method"] == "WS"]
    assert (line["route"], line["messages"], line["key"]) == ("/v1/play", 1, "anonymous")
