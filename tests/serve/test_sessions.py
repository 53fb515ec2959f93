"""How long sessions live, whose they are, and what happens when two want the same one."""

import threading
import time

import pytest
from fastapi.testclient import TestClient

import rlgym
from rlgym.serve.app import application
from rlgym.serve.errors import CODES
from rlgym.serve.settings import Settings


class Clock:
    """A clock that stands still until it is told."""

    def __init__(self):
        self.now = 1000.0

    def __call__(self):
        return self.now


@pytest.fixture
def clock():
    return Clock()


@pytest.fixture
def served(clock):
    app = application(Settings(session_seconds=60, snapshots=3, most_sessions=5, worker=2, incarnation="abc"), clock=clock)
    with TestClient(app) as client:
        yield client


def refused(answer, code):
    assert (answer.status_code, answer.json()["error"]["code"]) == (CODES[code][0], code), answer.text
    return answer


def opened(client, name="chain_sum", **fields):
    answer = client.post("/v1/sessions", json={"name": name, "seed": 3, **fields})
    assert answer.status_code == 201, answer.text
    return f"/v1/sessions/{answer.json()['session']}"


def until(true, seconds=30.0):
    """Wait for something, on a machine that may be slow."""
    ends = time.monotonic() + seconds
    while not true():
        assert time.monotonic() < ends, "it never came true"
        time.sleep(0.01)


def test_a_session_lives_on_from_each_use_and_then_expires(served, clock):
    place = opened(served)
    for _ in range(3):
        clock.now += 59
        assert served.get(place).json()["expires_in"] == 60
    clock.now += 61
    for answer in (served.get(place), served.post(f"{place}/step", json={"response": "x"}), served.delete(place)):
        refused(answer, "session_expired")
    refused(served.get("/v1/sessions/w2-abc-0123456789abcdef"), "unknown")


def test_what_expired_makes_room_without_being_asked_for(served, clock):
    for _ in range(5):
        opened(served)
    assert refused(served.post("/v1/sessions", json={"name": "chain_sum"}), "full").headers["retry-after"] == "5"
    clock.now += 61
    until(lambda: len(served.app.state.desk.store) == 0)
    opened(served)
    assert "rlgym_open_sessions 1.0" in served.get("/metrics").text


def test_closing_makes_room(served):
    places = [opened(served) for _ in range(5)]
    served.delete(places[0])
    refused(served.delete(places[0]), "unknown")
    opened(served)
    refused(served.post("/v1/sessions", json={"name": "chain_sum"}), "full")


def test_a_task_that_cannot_be_made_takes_no_room(served):
    for _ in range(7):
        refused(served.post("/v1/sessions", json={"name": "chain_sm"}), "unknown")
    for _ in range(5):
        opened(served)


def test_sessions_of_other_lives_are_lost(served):
    refused(served.get("/v1/sessions/w2-abd-0123456789abcdef"), "session_lost")
    refused(served.get("/v1/sessions/w1-abc-0123456789abcdef"), "session_lost")
    for number in ("w2-abc", "hello", "w-abc-1", "w2--1", "w99999999999-a-b", "w２-abc-1", "%00"):
        refused(served.get(f"/v1/sessions/{number}"), "unknown")


def test_sessions_of_other_workers_are_asked_for(served):
    asked = []

    async def elsewhere(key, operation, session, fields):
        asked.append((key.name, operation, session, fields))
        return '{"told":"elsewhere"}'

    served.app.state.desk.elsewhere = elsewhere
    there = "w7-xyz-0123456789abcdef"
    assert served.post(f"/v1/sessions/{there}/step", json={"response": "x", "turn": 4}).json() == {"told": "elsewhere"}
    told = served.post("/v1/steps", json={"steps": [{"session": there, "response": "y"}]}).json()
    assert told == {"results": [{"told": "elsewhere"}]}
    assert served.delete(f"/v1/sessions/{there}").status_code == 204
    assert asked == [
        ("everybody", "step", there, {"response": "x", "turn": 4}),
        ("everybody", "step", there, {"response": "y"}),
        ("everybody", "close", there, {}),
    ]


def test_snapshots_are_gone_back_to_and_the_oldest_make_room(served):
    place = opened(served, "hangman")
    begun = served.get(place).json()
    first = served.post(f"{place}/snapshot").json()["snapshot"]
    right = served.post(f"{place}/oracle").json()["response"]
    moved = served.post(f"{place}/step", json={"response": right}).json()
    assert moved["turn"] == 1
    back = served.post(f"{place}/restore", json={"snapshot": first}).json()
    assert {name: back[name] for name in back} == {name: begun[name] for name in back}
    assert served.post(f"{place}/step", json={"response": right}).json()["observation"] == moved["observation"]
    # Snapshots outlive a reset, as those of an Env do.
    served.post(f"{place}/reset", json={"seed": 9})
    assert served.post(f"{place}/restore", json={"snapshot": first}).json()["task"]["seed"] == 3
    for _ in range(3):
        served.post(f"{place}/snapshot")
    refused(served.post(f"{place}/restore", json={"snapshot": first}), "unknown")
    refused(served.post(f"{place}/restore", json={}), "invalid")


def test_long_conversations_and_their_snapshots_are_bounded(clock):
    with TestClient(application(Settings(max_text=3000, max_transcript=9000), clock=clock)) as client:
        place = opened(client, "hangman")
        while (answer := client.post(f"{place}/step", json={"response": "x" * 2500})).status_code == 200:
            client.post(f"{place}/snapshot")
        refused(answer, "too_large")
        assert client.get(place).json()["turn"] == 3
        [session] = client.app.state.desk.store._open.values()
        assert sum(size for _, size in session.snapshots.values()) <= 4 * 9000
        for _ in range(20):
            client.post(f"{place}/snapshot")
        assert len(session.snapshots) < 8
        client.post(f"{place}/reset", json={})
        assert client.post(f"{place}/step", json={"response": "x" * 2500}).status_code == 200


class Slow:
    """An Env whose next step or reset waits until it is let go on."""

    def __init__(self, monkeypatch, operation):
        self.begun, self.go_on = threading.Event(), threading.Event()
        usual = getattr(rlgym.Env, operation)

        def slow(env, *given, **named):
            self.begun.set()
            assert self.go_on.wait(60)
            return usual(env, *given, **named)

        monkeypatch.setattr(rlgym.Env, operation, slow)


def test_one_request_of_a_session_at_a_time(served, monkeypatch):
    place, other = opened(served, "hangman"), opened(served, "hangman")
    slow, told = Slow(monkeypatch, "step"), {}
    first = threading.Thread(target=lambda: told.update(served.post(f"{place}/step", json={"response": "x", "turn": 0}).json()))
    first.start()
    assert slow.begun.wait(30)
    for path, body in (("step", {"response": "y"}), ("reset", {}), ("restore", {"snapshot": "s1"})):
        answer = refused(served.post(f"{place}/{path}", json=body), "busy")
        assert answer.json()["error"]["retryable"]
    assert served.get(place).json()["turn"] == 0
    assert served.get(other).json()["turn"] == 0
    slow.go_on.set()
    first.join(30)
    assert told["turn"] == 1
    refused(served.post(f"{place}/step", json={"response": "x", "turn": 0}), "stale_turn")
    assert served.post(f"{place}/step", json={"response": "x", "turn": 1}).json()["turn"] == 2


def test_a_busy_session_does_not_expire(served, clock, monkeypatch):
    place = opened(served, "hangman")
    slow, told = Slow(monkeypatch, "step"), {}
    first = threading.Thread(target=lambda: told.update(served.post(f"{place}/step", json={"response": "x"}).json()))
    first.start()
    assert slow.begun.wait(30)
    clock.now += 100
    served.portal.call(served.app.state.desk.sweep)
    refused(served.post(f"{place}/step", json={"response": "x"}), "busy")
    slow.go_on.set()
    first.join(30)
    assert told["turn"] == 1
    assert served.get(place).json()["turn"] == 1


def test_what_takes_too_long_is_given_up_and_counted(monkeypatch, clock):
    rlgym.make("hangman").reset(seed=3)  # imported before the clock runs
    with TestClient(application(Settings(draw_seconds=1, judge_seconds=1, threads=2, most_stuck=3), clock=clock)) as client:
        place = opened(client, "hangman")
        slow_step, slow_reset = Slow(monkeypatch, "step"), Slow(monkeypatch, "reset")
        refused(client.post(f"{place}/step", json={"response": "x"}), "too_slow")
        assert client.get(place).json()["turn"] == 0
        assert "1 seconds" in refused(client.post(f"{place}/reset", json={}), "too_slow").json()["error"]["message"]
        refused(client.post("/v1/tasks", json={"name": "chain_sum"}), "too_slow")
        # Three threads are stuck now: no more is begun, but what needs no thread is still answered.
        assert "retry-after" in refused(client.post("/v1/tasks", json={"name": "chain_sum"}), "full").headers
        assert client.get(place).status_code == 200
        slow_step.go_on.set()
        slow_reset.go_on.set()
        until(lambda: client.app.state.desk.threads.stuck == 0)
        assert client.post("/v1/tasks", json={"name": "chain_sum"}).status_code == 200
        # What the thread did in the end after it was given up has moved nothing.
        assert client.get(place).json()["turn"] == 0


def test_a_verdict_that_hangs_spoils_its_own_item_only(monkeypatch, clock):
    usual, go_on = rlgym.score, threading.Event()

    def score(task, response, **named):
        if response == "hang":
            go_on.wait(60)
        return usual(task, response, **named)

    monkeypatch.setattr(rlgym, "score", score)
    rlgym.make("hangman").reset(seed=3)  # imported before the clock runs
    with TestClient(application(Settings(draw_seconds=1, judge_seconds=1), clock=clock)) as client:
        task = {"name": "chain_sum", "seed": 3}
        client.post("/v1/tasks", json=task)
        items = [{"task": task, "response": text} for text in ("a", "b", "c", "d", "hang", "f", "g", "h", "i")]
        told = client.post("/v1/score", json={"items": items}).json()["scores"]
        go_on.set()
    assert [one["error"]["code"] if "error" in one else one["outcome"] for one in told] == ["unreadable"] * 4 + ["too_slow"] + [
        "unreadable"
    ] * 4


def test_a_verifier_that_raises_is_masked_and_tells_its_words_to_few(tmp_path, monkeypatch):
    declared = rlgym.environment("chain_sum")

    def broken(task, answer):
        raise ValueError(f"the answer is {task.data}")

    monkeypatch.setitem(declared.__dict__, "verify", broken)
    file = tmp_path / "keys.toml"
    file.write_text('[[keys]]\nname = "few"\nkey = "first-key"\nreveal = true\n[[keys]]\nname = "many"\nkey = "second-key"\n')
    with TestClient(application(Settings(keys=str(file)))) as client:
        for key, said in (("first-key", "the answer is"), ("second-key", "could not be judged")):
            client.headers["authorization"] = f"Bearer {key}"
            told = client.post(f"{opened(client)}/step", json={"response": "<answer>1</answer>"}).json()
            assert (told["masked"], told["score"]["masked"], told["score"]["outcome"], told["reward"]) == (True, True, "error", 0.0)
            assert said in told["score"]["reason"]
            task = {"name": "chain_sum", "seed": 3}
            [score] = client.post("/v1/score", json={"items": [{"task": task, "response": "<answer>1</answer>"}]}).json()["scores"]
            assert score["masked"]
            assert said in score["reason"]
