"""Episodes on the service match local ones: the same observations, rewards, feedback and scores."""

import json

import pytest
from fastapi.testclient import TestClient

import rlgym
from rlgym.serve.api.app import create_app
from rlgym.serve.settings import Settings

LEVEL, SEED = 0.2, 11
NAMES = {domain: rlgym.names(domain)[2::15] for domain in rlgym.domains()}


@pytest.fixture(scope="module")
def client():
    with TestClient(create_app(Settings())) as client_:
        yield client_


def test_the_sample_covers_all_kinds():
    kinds = {rlgym.environment(name).kind for names in NAMES.values() for name in names}
    assert kinds == {"environment", "game", "match"}
    assert sum(map(len, NAMES.values())) >= 40


@pytest.mark.parametrize("domain", NAMES)
def test_the_oracle_plays_the_same_over_http(client, domain):
    for name in NAMES[domain]:
        env = rlgym.make(name, level=LEVEL)
        observation, info = env.reset(seed=SEED)
        view = client.post("/v1/sessions", json={"name": name, "level": LEVEL, "seed": SEED}).json()
        assert (view["observation"], view["tools"]) == (observation, info.get("tools", []))
        path = f"/v1/sessions/{view['session']}"
        while not view["done"]:
            right = client.post(f"{path}/oracle").json()["response"]
            assert right == env.oracle()
            view = client.post(f"{path}/step", json={"response": right, "turn": view["turn"]}).json()
            same_as_local(view, env.step(right))
        assert view["reward"] == 1.0
        look = client.get(path).json()
        assert look["messages"] == env.messages
        assert look["events"] == [{"turn": event.turn, "kind": event.kind, "what": event.what} for event in env.events]
        client.delete(path)


@pytest.mark.parametrize("domain", NAMES)
def test_mistakes_play_the_same_over_a_socket(client, domain):
    with client.websocket_connect("/v1/play") as socket:

        def ask(op, **fields):
            socket.send_json({"id": 7, "op": op, **fields})
            return socket.receive_json()

        for name in NAMES[domain]:
            env = rlgym.make(name, level=LEVEL)
            env.reset(seed=SEED)
            view = ask("open", name=name, level=LEVEL, seed=SEED)
            while not view["done"]:
                wrong = ask("mistake", session=view["session"])
                response = wrong["response"] if wrong["ok"] else "I do not know"
                view = ask("step", session=view["session"], response=response, turn=view["turn"])
                same_as_local(view, env.step(response))
            assert view["reward"] < 1.0


@pytest.mark.parametrize("domain", NAMES)
def test_scores_are_the_same_and_hidden_data_stays_hidden(client, domain):
    for name in NAMES[domain]:
        request = {"name": name, "level": LEVEL, "seed": SEED}
        result = client.post("/v1/tasks", json=request)
        task, env = rlgym.task(name, SEED, level=LEVEL), rlgym.make(name, level=LEVEL)
        observation, _ = env.reset(seed=SEED)
        assert result.json()["observation"] == observation
        assert set(result.json()) == {"task", "prompt", "observation", "tools", "svg"}
        # All that tells of the task is its origin, from which it is made again.
        assert rlgym.task(**{key: result.json()["task"][key] for key in ("name", "seed", "level")}) == task
        assert task.data.model_dump_json() not in result.text
        assert json.dumps(task.data.model_dump(mode="json"), separators=(",", ":")) not in result.text
        assert not [text for text in long_texts(task.data.model_dump(mode="json")) if text not in observation and text in result.text]
        right = env.oracle()
        items = [{"task": request, "response": text} for text in (right, "no idea", "")]
        scores = client.post("/v1/score", json={"items": items}).json()["scores"]
        assert scores == [{**rlgym.score(task, item["response"]).to_dict(), "masked": False} for item in items]


def long_texts(value):
    """The longer strings in the data of a task."""
    if isinstance(value, str):
        return [value] if len(value) >= 12 else []
    inside = value.values() if isinstance(value, dict) else value if isinstance(value, list) else []
    return [text for part in inside for text in long_texts(part)]


def same_as_local(view, stepped):
    observation, reward, terminated, truncated, info = stepped
    assert (view["observation"], view["reward"], view["terminated"], view["truncated"]) == (observation, reward, terminated, truncated)
    assert (view["feedback"], view["turn"], view["tools"]) == (info["feedback"], info["turn"], info.get("tools", []))
    score = info.get("score")
    assert view["score"] == (None if score is None else {**score.to_dict(), "masked": score.masked})
