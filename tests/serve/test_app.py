"""Routes, sizes and bad input over HTTP."""

import json

import pytest
from fastapi.testclient import TestClient
from serve.responses import opened, refused

import rlgym
from rlgym.serve.api.app import create_app
from rlgym.serve.sessions.tasks import take_batch
from rlgym.serve.settings import Settings


@pytest.fixture(scope="module")
def client():
    with TestClient(
        create_app(
            Settings(max_response_chars=50_000, max_body_bytes=500_000, max_batch_items=20, allowed_hosts=("testserver", "localhost"))
        )
    ) as client_:
        yield client_


def test_an_episode_from_open_to_close(client):
    answer = client.post("/v1/sessions", json={"name": "chain_sum", "seed": 3, "level": 0.2})
    assert answer.status_code == 201
    view = answer.json()
    assert view["task"] == {
        "name": "chain_sum",
        "version": 1,
        "seed": 3,
        "level": 0.2,
        "knobs": {"terms": 10, "digits": 3},
        "split": "main",
    }
    path = f"/v1/sessions/{view['session']}"
    right = client.post(f"{path}/oracle").json()["response"]
    refused(client.post(f"{path}/step", json={"response": right, "turn": 1}), "stale_turn")
    result = client.post(f"{path}/step", json={"response": right, "turn": 0}).json()
    assert (result["reward"], result["done"], result["score"]["outcome"]) == (1.0, True, "right")
    refused(client.post(f"{path}/step", json={"response": right}), "episode_over")
    refused(client.post(f"{path}/step", json={"response": right, "turn": 0}), "stale_turn")
    refused(client.post(f"{path}/oracle"), "episode_over")
    repeated = client.post(f"{path}/reset", json={"seed": 3}).json()
    assert (repeated["observation"], repeated["turn"], repeated["done"]) == (view["observation"], 0, False)
    assert client.delete(path).status_code == 204
    refused(client.get(path), "not_found")


def test_reset_without_a_seed_continues_the_stream_like_a_local_env(client):
    env = rlgym.make("chain_sum", level=0.4)
    env.reset(seed=3)
    path = f"/v1/sessions/{opened(client, level=0.4)['session']}"
    for given in ({}, {}, {"level": 0.9}, {"knobs": {"terms": 3}}, {}):
        observation, info = env.reset(options=given or None)
        view = client.post(f"{path}/reset", json=given).json()
        assert (view["observation"], view["task"]["seed"]) == (observation, info["seed"])


def test_a_shift_task_is_regenerated_from_its_origin(client):
    view = opened(client, "fraction_sum", split="shift")
    assert (view["task"]["name"], view["task"]["split"]) == ("fraction_sum", "shift")
    del view["task"]["version"]
    assert client.post("/v1/tasks", json=view["task"]).json()["observation"] == view["observation"]
    assert client.post("/v1/tasks", json={"name": "fraction_sum:shift", "seed": 3}).json()["observation"] == view["observation"]


def test_tasks_with_a_drawing_include_it(client):
    env = rlgym.make("sudoku", render_mode="svg")
    env.reset(seed=3)
    assert client.post("/v1/tasks", json={"name": "sudoku", "seed": 3}).json()["svg"] == env.render()
    assert client.post("/v1/tasks", json={"name": "chain_sum", "seed": 3}).json()["svg"] is None
    path = f"/v1/sessions/{opened(client, 'sudoku')['session']}"
    assert client.get(f"{path}/render").json() == {"svg": env.render()}
    env.render_mode = "ansi"
    assert client.get(f"{path}/render?mode=ansi").json() == {"text": env.render()}


def test_integers_may_be_any_integral_json_number(client):
    body = b'{"name": "chain_sum", "seed": 3.0, "level": 1, "knobs": {"terms": 4}}'
    result = client.post("/v1/tasks", content=body, headers={"content-type": "application/json"}).json()["task"]
    assert result["seed"] == 3
    assert client.post("/v1/tasks", json={"name": "chain_sum", "seed": 2**63 - 1}).json()["task"]["seed"] == 2**63 - 1


def test_hints_match_the_local_env(client):
    env = rlgym.make("chain_sum")
    env.reset(seed=3)
    path = f"/v1/sessions/{opened(client)['session']}"
    for tier in ("concept", "plan", "partial", "solution"):
        assert client.post(f"{path}/hint", json={"tier": tier}).json() == {"hint": env.hint(tier)}


def test_every_listed_mistake_scores_zero(client):
    view = opened(client)
    path, first = f"/v1/sessions/{view['session']}", None
    first = client.post(f"{path}/mistake", json={}).json()
    task = rlgym.task("chain_sum", 3)
    response = [client.post(f"{path}/mistake", json={"index": which}).json()["response"] for which in range(first["count"])]
    assert len(set(response)) == len(response) > 1
    assert all(rlgym.score(task, text).value == 0 for text in response)
    refused(client.post(f"{path}/mistake", json={"index": first["count"]}), "not_found")


def test_samples_match_the_dataset(client):
    from rlgym.dataset import sample

    result = client.post("/v1/tasks/sample", json={"names": ["chain_sum", "ciphers"], "count": 18, "levels": [0.1, 0.6], "seed": 4}).json()
    rows = list(sample(["chain_sum", "ciphers"], 18, levels=[0.1, 0.6], seed=4))
    assert [(task["task"]["name"], task["task"]["seed"]) for task in result["tasks"]] == [(row["env"], row["seed"]) for row in rows]
    assert [task["observation"] for task in result["tasks"]] == [row["messages"][0]["content"] for row in rows]
    refused(client.post("/v1/tasks/sample", json={"names": "chain_sum", "count": 21}), "too_large")
    refused(client.post("/v1/tasks/sample", json={"names": "nothing_at_all", "count": 2}), "not_found")


def test_take_batch_stops_at_its_limits():
    tasks = iter("abcde")
    assert take_batch(tasks, 2, 60) == ["a", "b"]
    assert take_batch(tasks, 9, -1) == ["c"]  # the time is up, yet there is one
    assert take_batch(tasks, 9, 60) == ["d", "e"]
    assert take_batch(tasks, 9, 60) == []


def test_batched_steps_of_many_sessions(client):
    paths = [opened(client, seed=seed)["session"] for seed in range(5)]
    steps = [{"session": path, "response": client.post(f"/v1/sessions/{path}/oracle").json()["response"]} for path in paths]
    steps += [steps[0], {"session": "w0-none-none", "response": ""}, {"response": ""}, {"session": paths[0]}, {"session": paths[1], "x": 1}]
    result = client.post("/v1/steps", json={"steps": steps}).json()["results"]
    assert [item.get("reward") for item in result[:5]] == [1.0] * 5
    assert [item["error"]["code"] for item in result[5:]] == [
        "episode_over",
        "session_lost",
        "invalid_request",
        "invalid_request",
        "invalid_request",
    ]
    refused(client.post("/v1/steps", json={"steps": steps * 3}), "too_large")


def test_scores_of_rows_and_invalid_items(client):
    from rlgym.dataset import sample

    rows = list(sample(["chain_sum", "nim", "hangman"], 3, seed=1))
    items = [{"row": row, "response": row["oracle_response"]} for row in rows if row["kind"] == "environment"]
    items += [{"row": row, "response": json.loads(row["oracle_response"])} for row in rows if row["kind"] != "environment"]
    good = len(items)
    task = {"name": "chain_sum", "seed": 1}
    bad = [
        ({"row": rows[0]}, "invalid_request"),
        ({"row": {**rows[0], "data": "{"}, "response": "x"}, "invalid_request"),
        ({"row": {**rows[0], "version": 99}, "response": "x"}, "invalid_request"),
        ({"row": rows[0], "task": task, "response": "x"}, "invalid_request"),
        ({"response": "x"}, "invalid_request"),
        ({"task": task, "response": ["x"]}, "invalid_request"),
        ({"task": {**task, "version": 99}, "response": "x"}, "invalid_request"),
        ({"task": {**task, "name": "chain_sm"}, "response": "x"}, "not_found"),
        ({"task": {**task, "knobs": {"seed": 4}}, "response": "x"}, "invalid_request"),
        ({"task": {**task, "knobs": {"rewards": "x"}}, "response": "x"}, "invalid_request"),
        ({"task": task, "response": "x" * 50_001}, "too_large"),
    ]
    result = client.post("/v1/score", json={"items": items + [item for item, _ in bad]}).json()["scores"]
    assert [item["value"] for item in result[:good]] == [1.0] * good
    assert [item["error"]["code"] for item in result[good:]] == [code for _, code in bad]
    assert "Did you mean 'chain_sum'?" in result[good + 7]["error"]["message"]


@pytest.mark.parametrize(
    "fields",
    [
        {},
        {"name": ""},
        {"name": 3},
        {"name": "n" * 201},
        {"name": "chain_sum", "seed": -1},
        {"name": "chain_sum", "seed": 2**63},
        {"name": "chain_sum", "seed": True},
        {"name": "chain_sum", "seed": "3"},
        {"name": "chain_sum", "seed": 1.5},
        {"name": "chain_sum", "level": 1.01},
        {"name": "chain_sum", "level": "0.5"},
        {"name": "chain_sum", "level": True},
        {"name": "chain_sum", "knobs": []},
        {"name": "chain_sum", "knobs": {"terms": None}},
        {"name": "chain_sum", "knobs": {"terms": 10**9}},
        {"name": "chain_sum", "knobs": {"terms": 10**300}},
        {"name": "chain_sum", "knobs": {"terms": 3.5}},
        {"name": "chain_sum", "knobs": {"terms": "3"}},
        {"name": "chain_sum", "knobs": {"terms": True}},
        {"name": "chain_sum", "knobs": {"render_mode": "svg"}},
        {"name": "chain_sum", "knobs": {"split": "shift"}},
        {"name": "chain_sum", "knobs": {str(number): 1 for number in range(200)}},
        {"name": "chain_sum", "split": "test"},
        {"name": "chain_sum", "answer_style": "none"},
        {"name": "chain_sum", "persistent": True},
        {"name": "chain_sum", "secret": 1},
    ],
    ids=lambda fields: json.dumps(fields)[:50],
)
def test_invalid_tasks_are_rejected(client, fields):
    for route in ("/v1/sessions", "/v1/tasks"):
        refused(client.post(route, json=fields), "invalid_request")


@pytest.mark.parametrize(
    "name", ["chain_sm", "chain_sum:nothing", "chain_sum:shift:shift", "../../etc", "\x00", "\ud800", "n" * 200, "nim:shift"]
)
def test_unknown_names_are_not_found(client, name):
    body = json.dumps({"name": name})  # httpx would refuse half a surrogate pair
    message = refused(
        client.post("/v1/tasks", content=body, headers={"content-type": "application/json"}),
        "invalid_request" if name == "\ud800" else "not_found",
    )
    assert len(message) < 700


@pytest.mark.parametrize(
    "body",
    [b"", b"{", b"null", b"[]", b'"x"', b"\xff\xfe", b"[" * 100_000, b'{"name": NaN}', b"1" * 5000, b'{"name":"chain_sum","level":NaN}'],
)
def test_invalid_json_bodies_are_rejected(client, body):
    refused(client.post("/v1/tasks", content=body, headers={"content-type": "application/json"}), "invalid_request")
    assert "Content-Type" in refused(client.post("/v1/tasks", content=b'{"name": "chain_sum"}'), "invalid_request")


def test_errors_do_not_repeat_the_request(client):
    answer = client.post("/v1/sessions", json={"name": ["a-secret"], "level": "another-secret", "x": {"third": "secret"}})
    refused(answer, "invalid_request")
    assert "secret" not in answer.text


@pytest.mark.parametrize("text", ["\x00", "\ud800 half", "\U0001f600" * 100, "﷽" * 1000, "<answer>" * 2000, "\r\n\t\x1b[2J", "٣", ""])
def test_any_text_is_a_valid_response(client, text):
    task = rlgym.task("chain_sum", 3)
    headers = {"content-type": "application/json"}
    path = f"/v1/sessions/{opened(client)['session']}"
    for said in (text, f"<answer>{text}</answer>"):
        result = client.post(f"{path}/step", content=json.dumps({"response": said}), headers=headers).json()
        assert result["score"] == {**rlgym.score(task, said).to_dict(), "masked": False}
        assert client.get(path).json()["messages"][1]["content"] == said
        client.post(f"{path}/reset", json={"seed": 3})


@pytest.mark.parametrize("response", [None, 3, ["x"], {"text": "x"}, True])
def test_a_response_must_be_a_string(client, response):
    path = f"/v1/sessions/{opened(client)['session']}"
    refused(client.post(f"{path}/step", json={"response": response}), "invalid_request")
    for turn in (-1, "0", True, 0.5):
        refused(client.post(f"{path}/step", json={"response": "x", "turn": turn}), "invalid_request")


def test_sizes_are_limited(client):
    path = f"/v1/sessions/{opened(client)['session']}"
    refused(client.post(f"{path}/step", json={"response": "x" * 50_001}), "too_large")
    refused(client.post(f"{path}/step", json={"response": "x" * 500_000}), "too_large")
    pieces = (b'{"response": "', *[b"x" * 10_000] * 60, b'"}')
    answer = client.post(f"{path}/step", content=iter(pieces), headers={"content-type": "application/json"})
    assert "content-length" not in answer.request.headers
    refused(answer, "too_large")
    assert client.post(f"{path}/step", json={"response": "x" * 50_000}).json()["done"]
