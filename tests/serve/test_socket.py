"""Many sessions over one connection."""

import json
import threading
import time

import pytest
from fastapi.testclient import TestClient
from starlette.testclient import WebSocketDenialResponse
from starlette.websockets import WebSocketDisconnect

import rlgym
from rlgym.serve.app import application
from rlgym.serve.logs import Log
from rlgym.serve.settings import Settings


@pytest.fixture(scope="module")
def client():
    with TestClient(application(Settings(most_under_way=4))) as made:
        yield made


class Talk:
    """Asks over a socket, one answer after each question."""

    def __init__(self, socket):
        self.socket, self.number = socket, 0

    def __call__(self, op, **fields):
        self.number += 1
        self.socket.send_json({"id": self.number, "op": op, **fields})
        told = self.socket.receive_json()
        assert told.pop("id") == self.number
        return told

    def code(self, op, **fields):
        told = self(op, **fields)
        assert not told["ok"]
        return told["error"]["code"]


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
    here = {"session": view["session"]}
    assert view["observation"] == observation
    assert ask("ping") == {"ok": True}
    assert ask("hello", key="no matter which") == {"ok": True}
    snapshot = ask("snapshot", **here)["snapshot"]
    right = ask("oracle", **here)["response"]
    assert right == env.oracle()
    assert ask("step", response=right, turn=0, **here)["observation"] == env.step(right)[0]
    assert ask.code("step", response=right, turn=0, **here) == "stale_turn"
    assert len(ask("look", **here)["messages"]) == 3
    assert ask("restore", snapshot=snapshot, **here)["observation"] == observation
    assert ask("render", mode="ansi", **here)["text"].startswith("[user]")
    assert ask("render", **here)["svg"].startswith("<svg")
    assert ask("hint", tier="concept", **here)["hint"]
    wrong = ask("mistake", which=0, **here)
    assert (wrong["ok"], wrong["of"] >= 1) == (True, True)
    assert ask("reset", seed=4, level=0.1, **here)["task"]["level"] == 0.1
    assert ask("close", **here) == {"ok": True}
    assert ask.code("look", **here) == "unknown"


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
def test_what_is_no_message_is_refused_and_the_connection_goes_on(ask, text):
    ask.socket.send_text(text)
    told = ask.socket.receive_json()
    assert (told["id"], told["ok"], told["error"]["code"]) == (None, False, "invalid")
    assert ask("ping") == {"ok": True}


def test_bad_fields_are_refused_by_name(ask):
    session = ask("open", name="chain_sum", seed=3)["session"]
    for op, fields, said in (
        ("step", {}, "response"),
        ("step", {"response": 3}, "response"),
        ("step", {"response": "x", "turn": "0"}, "turn"),
        ("step", {"response": "x", "more": 1}, "more"),
        ("hint", {"tier": "all"}, "tier"),
        ("render", {"mode": "png"}, "mode"),
        ("mistake", {"which": -1}, "which"),
        ("reset", {"seed": 1.5}, "seed"),
        ("restore", {"snapshot": None}, "snapshot"),
        ("close", {"now": True}, "now"),
    ):
        told = ask(op, session=session, **fields)
        assert told["error"]["code"] == "invalid"
        assert told["error"]["message"].startswith(f"{said}:"), told
    assert ask("look", session=session)["turn"] == 0


@pytest.mark.parametrize("number", [0, -7, 2**70, 1.5, "a text", "", None])
def test_an_id_comes_back_as_it_was(client, number):
    with client.websocket_connect("/v1/play") as socket:
        for message in ({"id": number, "op": "ping"}, {"id": number, "op": "no"}, {"id": number, "op": "open", "name": "chain_sum"}):
            socket.send_json(message)
            assert socket.receive_json()["id"] == number
        socket.send_json({"id": ["x"], "op": "ping"})
        assert socket.receive_json()["id"] is None


def test_messages_may_be_bytes_and_any_text_is_a_response(client):
    task = rlgym.task("chain_sum", 3)
    with client.websocket_connect("/v1/play") as socket:
        ask = Talk(socket)
        session = ask("open", name="chain_sum", seed=3)["session"]
        for text in ("\x00", "\ud800", "\U0001f600", "<answer>٣</answer>"):
            socket.send_bytes(json.dumps({"id": 1, "op": "step", "session": session, "response": text}).encode())
            told = socket.receive_json()
            assert told["score"] == {**rlgym.score(task, text).to_dict(), "masked": False}
            ask("reset", session=session, seed=3)


def test_texts_are_bounded(ask):
    session = ask("open", name="chain_sum", seed=3)["session"]
    assert ask.code("step", session=session, response="x" * 1_000_001) == "too_large"
    assert ask("step", session=session, response="x" * 1_000_000)["done"]


def test_sessions_end_with_their_connection_unless_kept(client):
    with client.websocket_connect("/v1/play") as socket:
        ask = Talk(socket)
        gone, kept = ask("open", name="hangman", seed=3)["session"], ask("open", name="hangman", seed=3, keep=True)["session"]
        ask("step", session=kept, response="x")
        assert client.get(f"/v1/sessions/{gone}").json()["turn"] == 0
    until(lambda: client.get(f"/v1/sessions/{gone}").status_code == 404)
    assert client.get(f"/v1/sessions/{kept}").json()["turn"] == 1
    with client.websocket_connect("/v1/play") as socket:
        assert Talk(socket)("step", session=kept, response="x", turn=1)["turn"] == 2
    assert client.delete(f"/v1/sessions/{kept}").status_code == 204


def test_what_takes_long_does_not_keep_others_waiting(client, monkeypatch):
    begun, go_on, usual = threading.Event(), threading.Event(), rlgym.Env.reset

    def slow(env, *, seed=None, options=None):
        if seed == 99:
            begun.set()
            assert go_on.wait(60)
        return usual(env, seed=seed, options=options)

    monkeypatch.setattr(rlgym.Env, "reset", slow)
    with client.websocket_connect("/v1/play") as socket:
        socket.send_json({"id": "slow", "op": "open", "name": "chain_sum", "seed": 99})
        assert begun.wait(30)
        ask = Talk(socket)
        session = ask("open", name="hangman", seed=3)["session"]
        for turn in range(3):
            assert ask("step", session=session, response="x")["turn"] == turn + 1
        go_on.set()
        told = socket.receive_json()
        assert (told["id"], told["ok"], told["task"]["seed"]) == ("slow", True, 99)


def test_messages_sent_ahead_are_all_answered_in_any_order(client):
    with client.websocket_connect("/v1/play") as socket:
        for number in range(40):
            socket.send_json({"id": number, "op": "open", "name": "chain_sum", "seed": number})
        told = {one["id"]: one for one in (socket.receive_json() for _ in range(40))}
        assert sorted(told) == list(range(40))
        for number, one in told.items():
            assert one["task"]["seed"] == number
            socket.send_json({"id": number, "op": "step", "session": one["session"], "response": "x"})
        assert sorted(socket.receive_json()["id"] for _ in range(40)) == list(range(40))


def test_a_client_that_goes_in_the_middle_leaves_nothing_behind(client, monkeypatch):
    begun, go_on, usual = threading.Event(), threading.Event(), rlgym.Env.reset

    def slow(env, **named):
        begun.set()
        assert go_on.wait(60)
        return usual(env, **named)

    before = len(client.app.state.desk.store)
    monkeypatch.setattr(rlgym.Env, "reset", slow)
    with client.websocket_connect("/v1/play") as socket:
        socket.send_json({"id": 1, "op": "open", "name": "chain_sum", "seed": 5})
        assert begun.wait(30)
    go_on.set()
    until(lambda: not client.app.state.sockets.open and client.app.state.desk.threads.stuck == 0)
    assert len(client.app.state.desk.store) == before


def test_pages_of_other_places_may_not_connect(client):
    for headers in ({"origin": "https://evil.example"}, {"origin": "null"}, {"host": "evil.example", "origin": "http://evil.example"}):
        with pytest.raises(WebSocketDenialResponse) as denied, client.websocket_connect("/v1/play", headers=headers):
            pass
        assert denied.value.status_code == 403
        assert denied.value.json()["error"]["code"] == "forbidden"
    with client.websocket_connect("/v1/play", headers={"origin": "http://testserver"}) as socket:
        assert Talk(socket)("ping") == {"ok": True}


def test_draining_tells_clients_and_closes():
    lines = []
    app = application(Settings(), log=Log(lines.append, 0))
    with TestClient(app) as client, client.websocket_connect("/v1/play") as socket:
        Talk(socket)("open", name="chain_sum", seed=3)
        client.portal.call(app.state.drain)
        told = socket.receive_json()
        assert (told["id"], told["error"]["code"], told["error"]["retryable"]) == (None, "draining", True)
        with pytest.raises(WebSocketDisconnect) as closed:
            socket.receive_json()
        assert closed.value.code == 1012
    [line] = [line for line in map(json.loads, lines) if line["method"] == "WS"]
    assert (line["route"], line["messages"], line["key"]) == ("/v1/play", 1, "everybody")
