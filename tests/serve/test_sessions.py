"""Sessions: expiry, ownership, limits and concurrency."""

import threading
import time

import pytest
from fastapi.testclient import TestClient

import rlgym
from rlgym.serve.api.app import create_app
from rlgym.serve.protocol.errors import CODES
from rlgym.serve.settings import Settings


class Clock:
    """A clock that tests advance by hand."""

    def __init__(self):
        self.now = 1000.0

    def __call__(self):
        return self.now


@pytest.fixture
def clock():
    return Clock()


@pytest.fixture
def served(clock):
    app = create_app(Settings(session_timeout_seconds=60, max_snapshots=3, max_sessions=5, worker_id=2, incarnation="abc"), clock=clock)
    with TestClient(app) as client:
        yield client


def refused(answer, code):
    assert (answer.status_code, answer.json()["error"]["code"]) == (CODES[code].status, code), answer.text
    return answer


def opened(client, name="chain_sum", **fields):
    answer = client.post("/v1/sessions", json={"name": name, "seed": 3, **fields})
    assert answer.status_code == 201, answer.text
    return f"/v1/sessions/{answer.json()['session']}"


def until(true, seconds=30.0):
    """Wait until a condition holds."""
    ends = time.monotonic() + seconds
    while not true():
        assert time.monotonic() < ends, "it never came true"
        time.sleep(0.01)


def test_each_use_extends_a_session_until_it_expires(served, clock):
    path = opened(served)
    for _ in range(3):
        clock.now += 59
        assert served.get(path).json()["expires_in"] == 60
    clock.now += 61
    for answer in (served.get(path), served.post(f"{path}/step", json={"response": "x"}), served.delete(path)):
        refused(answer, "session_expired")
    refused(served.get("/v1/sessions/w2-abc-0123456789abcdef"), "not_found")


def test_expired_sessions_free_their_slots(served, clock):
    for _ in range(5):
        opened(served)
    assert refused(served.post("/v1/sessions", json={"name": "chain_sum"}), "overloaded").headers["retry-after"] == "5"
    clock.now += 61
    until(lambda: len(served.app.state.service.store) == 0)
    opened(served)
    assert "rlgym_open_sessions 1.0" in served.get("/metrics").text


def test_closing_frees_a_slot(served):
    paths = [opened(served) for _ in range(5)]
    served.delete(paths[0])
    refused(served.delete(paths[0]), "not_found")
    opened(served)
    refused(served.post("/v1/sessions", json={"name": "chain_sum"}), "overloaded")


def test_a_failed_open_takes_no_slot(served):
    for _ in range(7):
        refused(served.post("/v1/sessions", json={"name": "chain_sm"}), "not_found")
    for _ in range(5):
        opened(served)


def test_sessions_of_other_incarnations_are_lost(served):
    refused(served.get("/v1/sessions/w2-abd-0123456789abcdef"), "session_lost")
    refused(served.get("/v1/sessions/w1-abc-0123456789abcdef"), "session_lost")
    for number in ("w2-abc", "hello", "w-abc-1", "w2--1", "w99999999999-a-b", "w２-abc-1", "%00"):
        refused(served.get(f"/v1/sessions/{number}"), "not_found")


def test_requests_for_sessions_of_other_workers_are_forwarded(served):
    request = []

    async def elsewhere(key, operation, session, fields):
        request.append((key.name, operation, session, fields))
        return '{"told":"elsewhere"}'

    served.app.state.service.forward_to_owner = elsewhere
    there = "w7-xyz-0123456789abcdef"
    assert served.post(f"/v1/sessions/{there}/step", json={"response": "x", "turn": 4}).json() == {"told": "elsewhere"}
    result = served.post("/v1/steps", json={"steps": [{"session": there, "response": "y"}]}).json()
    assert result == {"results": [{"told": "elsewhere"}]}
    assert served.delete(f"/v1/sessions/{there}").status_code == 204
    assert request == [
        ("anonymous", "step", there, {"response": "x", "turn": 4}),
        ("anonymous", "step", there, {"response": "y"}),
        ("anonymous", "close", there, {}),
    ]


def test_snapshots_are_restored_and_the_oldest_are_dropped(served):
    path = opened(served, "hangman")
    started = served.get(path).json()
    first = served.post(f"{path}/snapshot").json()["snapshot"]
    right = served.post(f"{path}/oracle").json()["response"]
    moved = served.post(f"{path}/step", json={"response": right}).json()
    assert moved["turn"] == 1
    back = served.post(f"{path}/restore", json={"snapshot": first}).json()
    assert {name: back[name] for name in back} == {name: started[name] for name in back}
    assert served.post(f"{path}/step", json={"response": right}).json()["observation"] == moved["observation"]
    # Snapshots outlive a reset, as those of an Env do.
    served.post(f"{path}/reset", json={"seed": 9})
    assert served.post(f"{path}/restore", json={"snapshot": first}).json()["task"]["seed"] == 3
    for _ in range(3):
        served.post(f"{path}/snapshot")
    refused(served.post(f"{path}/restore", json={"snapshot": first}), "not_found")
    refused(served.post(f"{path}/restore", json={}), "invalid_request")


def test_transcripts_and_their_snapshots_are_limited(clock):
    with TestClient(create_app(Settings(max_response_chars=3000, max_transcript_chars=9000), clock=clock)) as client:
        path = opened(client, "hangman")
        while (answer := client.post(f"{path}/step", json={"response": "x" * 2500})).status_code == 200:
            client.post(f"{path}/snapshot")
        refused(answer, "too_large")
        assert client.get(path).json()["turn"] == 3
        [session] = client.app.state.service.store._sessions.values()
        assert sum(size for _, size in session.snapshots.values()) <= 4 * 9000
        for _ in range(20):
            client.post(f"{path}/snapshot")
        assert len(session.snapshots) < 8
        client.post(f"{path}/reset", json={})
        assert client.post(f"{path}/step", json={"response": "x" * 2500}).status_code == 200


class Slow:
    """Makes an operation of Env wait until the test resumes it."""

    def __init__(self, monkeypatch, operation):
        self.begun, self.go_on = threading.Event(), threading.Event()
        usual = getattr(rlgym.Env, operation)

        def slow(env, *given, **named):
            self.begun.set()
            assert self.go_on.wait(60)
            return usual(env, *given, **named)

        monkeypatch.setattr(rlgym.Env, operation, slow)


def test_concurrent_changes_of_a_session_are_rejected(served, monkeypatch):
    place, other = opened(served, "hangman"), opened(served, "hangman")
    slow, result = Slow(monkeypatch, "step"), {}
    first = threading.Thread(target=lambda: result.update(served.post(f"{place}/step", json={"response": "x", "turn": 0}).json()))
    first.start()
    assert slow.begun.wait(30)
    for path, body in (("step", {"response": "y"}), ("reset", {}), ("restore", {"snapshot": "s1"})):
        answer = refused(served.post(f"{place}/{path}", json=body), "session_busy")
        assert answer.json()["error"]["retryable"]
    assert served.get(place).json()["turn"] == 0
    assert served.get(other).json()["turn"] == 0
    slow.go_on.set()
    first.join(30)
    assert result["turn"] == 1
    refused(served.post(f"{place}/step", json={"response": "x", "turn": 0}), "stale_turn")
    assert served.post(f"{place}/step", json={"response": "x", "turn": 1}).json()["turn"] == 2


def test_a_busy_session_does_not_expire(served, clock, monkeypatch):
    path = opened(served, "hangman")
    slow, result = Slow(monkeypatch, "step"), {}
    first = threading.Thread(target=lambda: result.update(served.post(f"{path}/step", json={"response": "x"}).json()))
    first.start()
    assert slow.begun.wait(30)
    clock.now += 100
    served.portal.call(served.app.state.service.reap_idle_sessions)
    refused(served.post(f"{path}/step", json={"response": "x"}), "session_busy")
    slow.go_on.set()
    first.join(30)
    assert result["turn"] == 1
    assert served.get(path).json()["turn"] == 1


def test_slow_work_times_out_and_counts_as_stuck(monkeypatch, clock):
    rlgym.make("hangman").reset(seed=3)  # imported before the clock runs
    with TestClient(
        create_app(Settings(generate_timeout_seconds=1, score_timeout_seconds=1, num_threads=2, max_stuck_threads=3), clock=clock)
    ) as client:
        path = opened(client, "hangman")
        slow_step, slow_reset = Slow(monkeypatch, "step"), Slow(monkeypatch, "reset")
        refused(client.post(f"{path}/step", json={"response": "x"}), "timed_out")
        assert client.get(path).json()["turn"] == 0
        assert "limit of 1 s" in refused(client.post(f"{path}/reset", json={}), "timed_out").json()["error"]["message"]
        refused(client.post("/v1/tasks", json={"name": "chain_sum"}), "timed_out")
        # Three threads are stuck now: no more is begun, but what needs no thread is still answered.
        assert "retry-after" in refused(client.post("/v1/tasks", json={"name": "chain_sum"}), "overloaded").headers
        assert client.get(path).status_code == 200
        slow_step.go_on.set()
        slow_reset.go_on.set()
        until(lambda: client.app.state.service.thread_pool.stuck == 0)
        assert client.post("/v1/tasks", json={"name": "chain_sum"}).status_code == 200
        # What the thread did in the end after it was given up has moved nothing.
        assert client.get(path).json()["turn"] == 0


def test_a_hanging_score_affects_only_its_item(monkeypatch, clock):
    original, resume = rlgym.score, threading.Event()

    def score(task, response, **named):
        if response == "hang":
            resume.wait(60)
        return original(task, response, **named)

    monkeypatch.setattr(rlgym, "score", score)
    rlgym.make("hangman").reset(seed=3)  # imported before the clock runs
    with TestClient(create_app(Settings(generate_timeout_seconds=1, score_timeout_seconds=1), clock=clock)) as client:
        task = {"name": "chain_sum", "seed": 3}
        client.post("/v1/tasks", json=task)
        items = [{"task": task, "response": text} for text in ("a", "b", "c", "d", "hang", "f", "g", "h", "i")]
        result = client.post("/v1/score", json={"items": items}).json()["scores"]
        resume.set()
    assert [item["error"]["code"] if "error" in item else item["outcome"] for item in result] == ["unreadable"] * 4 + ["timed_out"] + [
        "unreadable"
    ] * 4


def test_a_verifier_that_raises_is_masked_and_its_message_is_redacted(tmp_path, monkeypatch):
    declared = rlgym.environment("chain_sum")

    def broken(task, answer):
        raise ValueError(f"the answer is {task.data}")

    monkeypatch.setitem(declared.__dict__, "verify", broken)
    file = tmp_path / "keys.toml"
    file.write_text('[[keys]]\nname = "few"\nkey = "first-key"\nreveal_answers = true\n[[keys]]\nname = "many"\nkey = "second-key"\n')
    with TestClient(create_app(Settings(key_file=str(file)))) as client:
        for key, text in (("first-key", "the answer is"), ("second-key", "could not be scored")):
            client.headers["authorization"] = f"Bearer {key}"
            result = client.post(f"{opened(client)}/step", json={"response": "<answer>1</answer>"}).json()
            assert (result["masked"], result["score"]["masked"], result["score"]["outcome"], result["reward"]) == (True, True, "error", 0.0)
            assert text in result["score"]["reason"]
            task = {"name": "chain_sum", "seed": 3}
            [score] = client.post("/v1/score", json={"items": [{"task": task, "response": "<answer>1</answer>"}]}).json()["scores"]
            assert score["masked"]
            assert text in score["reason"]
