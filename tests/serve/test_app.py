"""Routes, sizes and bad input over HTTP."""

import json

import pytest
from fastapi.testclient import TestClient

import rlgym
from rlgym.serve.app import application
from rlgym.serve.errors import CODES
from rlgym.serve.logs import Log
from rlgym.serve.settings import Settings


@pytest.fixture(scope="module")
def client():
    with TestClient(application(Settings(max_text=50_000, max_body=500_000, most_items=20, hosts=("testserver", "localhost")))) as made:
        yield made


def refused(answer, code):
    error = answer.json()["error"]
    assert set(error) == {"code", "message", "retryable", "retry_after"}
    assert (answer.status_code, error["code"], error["retryable"]) == (CODES[code][0], code, CODES[code][1]), answer.text
    return error["message"]


def opened(client, name="chain_sum", **fields):
    return client.post("/v1/sessions", json={"name": name, "seed": 3, **fields}).json()


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
    place = f"/v1/sessions/{view['session']}"
    right = client.post(f"{place}/oracle").json()["response"]
    refused(client.post(f"{place}/step", json={"response": right, "turn": 1}), "stale_turn")
    told = client.post(f"{place}/step", json={"response": right, "turn": 0}).json()
    assert (told["reward"], told["done"], told["score"]["outcome"]) == (1.0, True, "right")
    refused(client.post(f"{place}/step", json={"response": right}), "episode_over")
    refused(client.post(f"{place}/step", json={"response": right, "turn": 0}), "stale_turn")
    refused(client.post(f"{place}/oracle"), "episode_over")
    again = client.post(f"{place}/reset", json={"seed": 3}).json()
    assert (again["observation"], again["turn"], again["done"]) == (view["observation"], 0, False)
    assert client.delete(place).status_code == 204
    refused(client.get(place), "unknown")


def test_reset_without_a_seed_goes_on_as_a_local_env_does(client):
    env = rlgym.make("chain_sum", level=0.4)
    env.reset(seed=3)
    place = f"/v1/sessions/{opened(client, level=0.4)['session']}"
    for given in ({}, {}, {"level": 0.9}, {"knobs": {"terms": 3}}, {}):
        observation, info = env.reset(options=given or None)
        view = client.post(f"{place}/reset", json=given).json()
        assert (view["observation"], view["task"]["seed"]) == (observation, info["seed"])


def test_the_shifted_family_is_made_again_from_its_origin(client):
    view = opened(client, "fraction_sum", split="shift")
    assert (view["task"]["name"], view["task"]["split"]) == ("fraction_sum", "shift")
    del view["task"]["version"]
    assert client.post("/v1/tasks", json=view["task"]).json()["observation"] == view["observation"]
    assert client.post("/v1/tasks", json={"name": "fraction_sum:shift", "seed": 3}).json()["observation"] == view["observation"]


def test_a_picture_comes_with_tasks_that_have_one(client):
    env = rlgym.make("sudoku", render_mode="svg")
    env.reset(seed=3)
    assert client.post("/v1/tasks", json={"name": "sudoku", "seed": 3}).json()["svg"] == env.render()
    assert client.post("/v1/tasks", json={"name": "chain_sum", "seed": 3}).json()["svg"] is None
    place = f"/v1/sessions/{opened(client, 'sudoku')['session']}"
    assert client.get(f"{place}/render").json() == {"svg": env.render()}
    env.render_mode = "ansi"
    assert client.get(f"{place}/render?mode=ansi").json() == {"text": env.render()}


def test_whole_numbers_may_be_written_as_any_json_number(client):
    body = b'{"name": "chain_sum", "seed": 3.0, "level": 1, "knobs": {"terms": 4}}'
    told = client.post("/v1/tasks", content=body, headers={"content-type": "application/json"}).json()["task"]
    assert told["seed"] == 3
    assert client.post("/v1/tasks", json={"name": "chain_sum", "seed": 2**63 - 1}).json()["task"]["seed"] == 2**63 - 1


def test_hints_are_those_of_the_env(client):
    env = rlgym.make("chain_sum")
    env.reset(seed=3)
    place = f"/v1/sessions/{opened(client)['session']}"
    for tier in ("concept", "plan", "partial", "solution"):
        assert client.post(f"{place}/hint", json={"tier": tier}).json() == {"hint": env.hint(tier)}


def test_every_mistake_of_the_list_is_wrong(client):
    view = opened(client)
    place, first = f"/v1/sessions/{view['session']}", None
    first = client.post(f"{place}/mistake", json={}).json()
    task = rlgym.task("chain_sum", 3)
    said = [client.post(f"{place}/mistake", json={"which": which}).json()["response"] for which in range(first["of"])]
    assert len(set(said)) == len(said) > 1
    assert all(rlgym.score(task, text).value == 0 for text in said)
    refused(client.post(f"{place}/mistake", json={"which": first["of"]}), "unknown")


def test_samples_are_those_of_the_dataset(client):
    from rlgym.dataset import sample

    told = client.post("/v1/tasks/sample", json={"names": ["chain_sum", "ciphers"], "count": 18, "levels": [0.1, 0.6], "seed": 4}).json()
    rows = list(sample(["chain_sum", "ciphers"], 18, levels=[0.1, 0.6], seed=4))
    assert [(task["task"]["name"], task["task"]["seed"]) for task in told["tasks"]] == [(row["env"], row["seed"]) for row in rows]
    assert [task["observation"] for task in told["tasks"]] == [row["messages"][0]["content"] for row in rows]
    refused(client.post("/v1/tasks/sample", json={"names": "chain_sum", "count": 21}), "too_large")
    refused(client.post("/v1/tasks/sample", json={"names": "nothing_at_all", "count": 2}), "unknown")


def test_steps_of_many_sessions_at_once(client):
    places = [opened(client, seed=seed)["session"] for seed in range(5)]
    steps = [{"session": place, "response": client.post(f"/v1/sessions/{place}/oracle").json()["response"]} for place in places]
    steps += [
        steps[0],
        {"session": "w0-none-none", "response": ""},
        {"response": ""},
        {"session": places[0]},
        {"session": places[1], "x": 1},
    ]
    told = client.post("/v1/steps", json={"steps": steps}).json()["results"]
    assert [one.get("reward") for one in told[:5]] == [1.0] * 5
    assert [one["error"]["code"] for one in told[5:]] == ["episode_over", "session_lost", "invalid", "invalid", "invalid"]
    refused(client.post("/v1/steps", json={"steps": steps * 3}), "too_large")


def test_scores_of_rows_and_of_what_is_no_item(client):
    from rlgym.dataset import sample

    rows = list(sample(["chain_sum", "nim", "hangman"], 3, seed=1))
    items = [{"row": row, "response": row["oracle_response"]} for row in rows if row["kind"] == "environment"]
    items += [{"row": row, "response": json.loads(row["oracle_response"])} for row in rows if row["kind"] != "environment"]
    good = len(items)
    task = {"name": "chain_sum", "seed": 1}
    bad = [
        ({"row": rows[0]}, "invalid"),
        ({"row": {**rows[0], "data": "{"}, "response": "x"}, "invalid"),
        ({"row": {**rows[0], "version": 99}, "response": "x"}, "invalid"),
        ({"row": rows[0], "task": task, "response": "x"}, "invalid"),
        ({"response": "x"}, "invalid"),
        ({"task": task, "response": ["x"]}, "invalid"),
        ({"task": {**task, "version": 99}, "response": "x"}, "invalid"),
        ({"task": {**task, "name": "chain_sm"}, "response": "x"}, "unknown"),
        ({"task": {**task, "knobs": {"seed": 4}}, "response": "x"}, "invalid"),
        ({"task": {**task, "knobs": {"rewards": "x"}}, "response": "x"}, "invalid"),
        ({"task": task, "response": "x" * 50_001}, "too_large"),
    ]
    told = client.post("/v1/score", json={"items": items + [item for item, _ in bad]}).json()["scores"]
    assert [one["value"] for one in told[:good]] == [1.0] * good
    assert [one["error"]["code"] for one in told[good:]] == [code for _, code in bad]
    assert "Did you mean 'chain_sum'?" in told[good + 7]["error"]["message"]


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
        {"name": "chain_sum", "keep": True},
        {"name": "chain_sum", "secret": 1},
    ],
    ids=lambda fields: json.dumps(fields)[:50],
)
def test_what_is_no_task_is_refused(client, fields):
    for route in ("/v1/sessions", "/v1/tasks"):
        refused(client.post(route, json=fields), "invalid")


@pytest.mark.parametrize(
    "name", ["chain_sm", "chain_sum:nothing", "chain_sum:shift:shift", "../../etc", "\x00", "\ud800", "n" * 200, "nim:shift"]
)
def test_unknown_names_are_unknown(client, name):
    body = json.dumps({"name": name})  # httpx would refuse half a surrogate pair
    message = refused(
        client.post("/v1/tasks", content=body, headers={"content-type": "application/json"}), "invalid" if name == "\ud800" else "unknown"
    )
    assert len(message) < 700


@pytest.mark.parametrize(
    "body",
    [b"", b"{", b"null", b"[]", b'"x"', b"\xff\xfe", b"[" * 100_000, b'{"name": NaN}', b"1" * 5000, b'{"name":"chain_sum","level":NaN}'],
)
def test_what_is_no_json_object_is_refused(client, body):
    refused(client.post("/v1/tasks", content=body, headers={"content-type": "application/json"}), "invalid")
    assert "Content-Type" in refused(client.post("/v1/tasks", content=b'{"name": "chain_sum"}'), "invalid")


def test_a_refusal_does_not_repeat_what_was_sent(client):
    answer = client.post("/v1/sessions", json={"name": ["a-secret"], "level": "another-secret", "x": {"third": "secret"}})
    refused(answer, "invalid")
    assert "secret" not in answer.text


@pytest.mark.parametrize("text", ["\x00", "\ud800 half", "\U0001f600" * 100, "﷽" * 1000, "<answer>" * 2000, "\r\n\t\x1b[2J", "٣", ""])
def test_any_text_is_a_response(client, text):
    task = rlgym.task("chain_sum", 3)
    headers = {"content-type": "application/json"}
    place = f"/v1/sessions/{opened(client)['session']}"
    for said in (text, f"<answer>{text}</answer>"):
        told = client.post(f"{place}/step", content=json.dumps({"response": said}), headers=headers).json()
        assert told["score"] == {**rlgym.score(task, said).to_dict(), "masked": False}
        assert client.get(place).json()["messages"][1]["content"] == said
        client.post(f"{place}/reset", json={"seed": 3})


@pytest.mark.parametrize("response", [None, 3, ["x"], {"text": "x"}, True])
def test_what_is_no_text_is_no_response(client, response):
    place = f"/v1/sessions/{opened(client)['session']}"
    refused(client.post(f"{place}/step", json={"response": response}), "invalid")
    for turn in (-1, "0", True, 0.5):
        refused(client.post(f"{place}/step", json={"response": "x", "turn": turn}), "invalid")


def test_sizes_are_bounded(client):
    place = f"/v1/sessions/{opened(client)['session']}"
    refused(client.post(f"{place}/step", json={"response": "x" * 50_001}), "too_large")
    refused(client.post(f"{place}/step", json={"response": "x" * 500_000}), "too_large")
    pieces = (b'{"response": "', *[b"x" * 10_000] * 60, b'"}')
    answer = client.post(f"{place}/step", content=iter(pieces), headers={"content-type": "application/json"})
    assert "content-length" not in answer.request.headers
    refused(answer, "too_large")
    assert client.post(f"{place}/step", json={"response": "x" * 50_000}).json()["done"]


def test_environments_are_found(client):
    told = client.get("/v1/environments/chain_sum").json()
    spec = rlgym.spec("chain_sum")
    assert {field: told[field] for field in spec} == spec
    assert told["certificate"]["passed"]
    assert told["certificate"]["laws"]["solvable"]["measured"]["oracle_accuracy"] == 1.0
    assert client.get("/v1/environments/fraction_sum:shift").json()["name"] == "fraction_sum:shift"
    assert "Did you mean 'chain_sum'?" in refused(client.get("/v1/environments/chain_sm"), "unknown")
    refused(client.get(f"/v1/environments/{'n' * 201}"), "invalid")


def test_certificates_are_those_of_the_version_that_is_here(tmp_path):
    file = tmp_path / "certificates.json"
    law = {"solvable": {"passed": False, "measured": {"episodes": 3}, "failures": ["a long story"]}}
    told = [{"name": "hangman", "version": 1, "passed": False, "laws": law}, {"name": "nim", "version": 99, "passed": True, "laws": {}}]
    file.write_text(json.dumps({"certificates": told}))
    with TestClient(application(Settings(certificates=str(file)))) as client:
        shown = {name: client.get(f"/v1/environments/{name}").json()["certificate"] for name in ("hangman", "nim", "chain_sum")}
    laws = {"solvable": {"passed": False, "measured": {"episodes": 3}}}
    assert shown == {"hangman": {"version": 1, "passed": False, "laws": laws}, "nim": None, "chain_sum": None}
    file.write_text("{}")
    with TestClient(application(Settings(certificates=str(file)))) as client:
        assert "certificates.json" in refused(client.get("/v1/environments/hangman"), "invalid")


def test_the_catalogue_lists_environments_and_is_kept(tmp_path, monkeypatch):
    names = sorted([*rlgym.names("matches")[:3], *rlgym.names("strings")[:2], "sudoku", "killer_sudoku", "hangman"])
    monkeypatch.setattr(rlgym, "names", lambda domain=None: names)
    file = tmp_path / "catalogue.json"
    with TestClient(application(Settings(catalogue=str(file), warm=True))) as client:
        check_the_catalogue(client, names)
        listed = client.get("/v1/environments").text
    assert sorted(path.name for path in tmp_path.iterdir()) == ["catalogue.json", "catalogue.json.lock"]

    def fails(name):
        raise AssertionError("the list that was kept is of these sources")

    with monkeypatch.context() as patched:
        patched.setattr("rlgym.serve.catalogue._entry", fails)
        with TestClient(application(Settings(catalogue=str(file)))) as client:
            assert client.get("/v1/environments").text == listed
    # Another set of environments, or a damaged file, and it is made anew.
    monkeypatch.setattr(rlgym, "names", lambda domain=None: ["hangman"])
    for text in (None, "{", "[]"):
        if text is not None:
            file.write_text(text)
        with TestClient(application(Settings(catalogue=str(file)))) as client:
            assert [one["name"] for one in client.get("/v1/environments").json()["environments"]] == ["hangman"]


def check_the_catalogue(client, names):
    listed = client.get("/v1/environments").json()["environments"]
    assert [one["name"] for one in listed] == names
    assert all(one["title"] and one["id"] and one["format"] for one in listed)
    for one in listed:
        assert one["shift"] == (f"{one['name']}:shift" in one["derived"])
    matches = client.get("/v1/environments?kind=match").json()["environments"]
    assert matches == [one for one in listed if one["kind"] == "match"]
    found = client.get("/v1/environments", params={"domain": "puzzles", "search": "SUDOKU"}).json()["environments"]
    assert "sudoku" in [one["name"] for one in found]
    assert {one["domain"] for one in found} == {"puzzles"}
    assert client.get("/v1/environments?search=zzzz").json() == {"environments": []}
    refused(client.get("/v1/environments?kind=other"), "invalid")


def test_a_service_without_keys_answers_to_this_machine_only(client):
    assert client.get("/healthz", headers={"host": "localhost:8123"}).status_code == 200
    refused(client.get("/healthz", headers={"host": "evil.example"}), "forbidden")
    refused(client.post("/v1/tasks", json={"name": "chain_sum"}, headers={"host": "evil.example:80"}), "forbidden")


def test_unknown_addresses_and_methods(client):
    for path in ("/v2", "/v1/nothing", "/v1/sessions/", "/docs", "/redoc", "/page/../app.py", "/page/%2e%2e/app.py"):
        refused(client.get(path), "unknown")
    answer = client.put("/v1/tasks")
    refused(answer, "method")
    assert answer.headers["allow"] == "POST"
    assert client.patch("/v1/sessions/x").headers["allow"] == "DELETE, GET"


def test_health_and_metrics(client):
    assert client.get("/healthz").json() == {"alive": True}
    assert client.get("/readyz").json() == {"ready": True}
    place = f"/v1/sessions/{opened(client)['session']}"
    before = steps_of(client)
    client.post(f"{place}/step", json={"response": "x"})
    assert steps_of(client) == before + 1
    text = client.get("/metrics").text
    assert 'rlgym_requests_total{route="/v1/sessions/{session}/step",status="200"}' in text
    assert place.rpartition("/")[2] not in text


def steps_of(client):
    [line] = [line for line in client.get("/metrics").text.splitlines() if line.startswith("rlgym_steps_total ")]
    return float(line.split()[1])


def test_every_request_is_a_line_in_the_log():
    lines = []
    with TestClient(application(Settings(), log=Log(lines.append, worker=0))) as client:
        answer = client.post("/v1/sessions", json={"name": "chain_sum", "seed": 3}, headers={"x-request-id": "mine-1"})
        session = answer.json()["session"]
        client.post(f"/v1/sessions/{session}/step", json={"response": "a text that no log may hold"}, headers={"x-request-id": "not\tfit"})
    first, second = (json.loads(line) for line in lines)
    assert answer.headers["x-request-id"] == first["request"] == "mine-1"
    assert (second["method"], second["route"], second["status"]) == ("POST", "/v1/sessions/{session}/step", 200)
    assert (second["session"], second["key"], second["worker"]) == (session, "everybody", 0)
    assert second["request"] not in ("mine-1", "not\tfit")
    assert second["ms"] > 0
    assert "no log may hold" not in "".join(lines)


def test_a_failure_of_the_service_is_an_error_like_others(monkeypatch):
    def fails(*_):
        raise RuntimeError("a secret of the inside")

    lines = []
    app = application(Settings(), log=Log(lines.append, worker=0))
    monkeypatch.setattr(app.state.desk.store, "add", fails)
    with TestClient(app) as client:
        answer = client.post("/v1/sessions", json={"name": "chain_sum"})
        refused(answer, "broken")
        assert "secret" not in answer.text + "".join(lines)
        assert answer.headers["x-request-id"]
    [broken] = [line for line in map(json.loads, lines) if line.get("event") == "broken"]
    assert broken["error"] == "RuntimeError"
    assert any("test_app.py" in where for where in broken["where"])


def test_draining_refuses_new_sessions_and_lets_old_ones_go_on():
    app = application(Settings())
    with TestClient(app) as client:
        place = f"/v1/sessions/{opened(client)['session']}"
        client.portal.call(app.state.drain)
        refused(client.get("/readyz"), "draining")
        refused(client.post("/v1/sessions", json={"name": "chain_sum"}), "draining")
        assert client.get("/healthz").status_code == 200
        assert client.post(f"{place}/step", json={"response": "x"}).json()["done"]


def test_the_description_says_what_is_answered(client):
    told = client.get("/openapi.json").json()
    for path, methods in told["paths"].items():
        for method, facts in methods.items():
            assert {"401", "413", "422", "429", "503"} <= set(facts["responses"]), (path, method)
            assert "security" not in facts, (path, method)
            schema = facts["responses"]["422"]["content"]["application/json"]["schema"]
            assert schema == {"$ref": "#/components/schemas/Refusal"}
    shapes = told["components"]["schemas"]
    seed, count = shapes["AskTask"]["properties"]["seed"]["anyOf"][0], shapes["AskSample"]["properties"]["count"]
    assert '"exclusiveMaximum":9223372036854775808' in client.get("/openapi.json").text
    assert (seed["minimum"], seed["exclusiveMaximum"], count["minimum"]) == (0, 2**63, 1)
    assert not shapes["AskTask"]["additionalProperties"]
