"""The catalogue, health checks, request log and OpenAPI schema of a service."""

import json

import pytest
from fastapi.testclient import TestClient
from serve.responses import opened, refused

import rlgym
from rlgym.serve.api.app import create_app
from rlgym.serve.settings import Settings
from rlgym.serve.telemetry.request_log import RequestLog


@pytest.fixture(scope="module")
def client():
    with TestClient(
        create_app(
            Settings(max_response_chars=50_000, max_body_bytes=500_000, max_batch_items=20, allowed_hosts=("testserver", "localhost"))
        )
    ) as client_:
        yield client_


def test_environments_are_found(client):
    result = client.get("/v1/environments/chain_sum").json()
    spec = rlgym.spec("chain_sum")
    assert {field: result[field] for field in spec} == spec
    assert result["certificate"]["passed"]
    assert result["certificate"]["laws"]["oracle_accuracy"]["measured"]["oracle_accuracy"] == 1.0
    assert client.get("/v1/environments/fraction_sum:shift").json()["name"] == "fraction_sum:shift"
    assert "Did you mean 'chain_sum'?" in refused(client.get("/v1/environments/chain_sm"), "not_found")
    refused(client.get(f"/v1/environments/{'n' * 201}"), "invalid_request")


def test_certificates_match_the_installed_version(tmp_path):
    file = tmp_path / "certificates.json"
    law = {"oracle_accuracy": {"passed": False, "measured": {"episodes": 3}, "failures": ["a long story"]}}
    version = rlgym.environment("hangman").version
    other = rlgym.environment("nim").version + 1
    result = [
        {"name": "hangman", "version": version, "passed": False, "laws": law},
        {"name": "nim", "version": other, "passed": True, "laws": {}},
    ]
    file.write_text(json.dumps({"certificates": result}))
    with TestClient(create_app(Settings(certificates_file=str(file)))) as client:
        shown = {name: client.get(f"/v1/environments/{name}").json()["certificate"] for name in ("hangman", "nim", "chain_sum")}
    laws = {"oracle_accuracy": {"passed": False, "measured": {"episodes": 3}}}
    assert shown == {"hangman": {"version": version, "passed": False, "laws": laws}, "nim": None, "chain_sum": None}
    file.write_text("{}")
    with TestClient(create_app(Settings(certificates_file=str(file)))) as client:
        assert "certificates.json" in refused(client.get("/v1/environments/hangman"), "invalid_request")


def test_the_catalogue_lists_environments_and_is_cached(tmp_path, monkeypatch):
    names = sorted([*rlgym.names("matches")[:3], *rlgym.names("strings")[:2], "sudoku", "killer_sudoku", "hangman"])
    monkeypatch.setattr(rlgym, "names", lambda domain=None: names)
    file = tmp_path / "catalogue.json"
    with TestClient(create_app(Settings(catalogue_cache=str(file), preload=True))) as client:
        check_the_catalogue(client, names)
        listed = client.get("/v1/environments").text
    assert sorted(path.name for path in tmp_path.iterdir()) == ["catalogue.json", "catalogue.json.lock"]

    def fails(name):
        raise AssertionError("the list that was kept is of these sources")

    with monkeypatch.context() as patched:
        patched.setattr("rlgym.serve.sessions.catalogue.catalogue_entry", fails)
        with TestClient(create_app(Settings(catalogue_cache=str(file)))) as client:
            assert client.get("/v1/environments").text == listed
    # Another set of environments, or a damaged file, and it is made anew.
    monkeypatch.setattr(rlgym, "names", lambda domain=None: ["hangman"])
    for text in (None, "{", "[]"):
        if text is not None:
            file.write_text(text)
        with TestClient(create_app(Settings(catalogue_cache=str(file)))) as client:
            assert [item["name"] for item in client.get("/v1/environments").json()["environments"]] == ["hangman"]


def check_the_catalogue(client, names):
    listed = client.get("/v1/environments").json()["environments"]
    assert [item["name"] for item in listed] == names
    assert all(item["title"] and item["id"] and item["answer_format"] for item in listed)
    for item in listed:
        assert item["has_shift"] == (f"{item['name']}:shift" in item["derived"])
    matches = client.get("/v1/environments?kind=match").json()["environments"]
    assert matches == [item for item in listed if item["kind"] == "match"]
    found = client.get("/v1/environments", params={"domain": "puzzles", "search": "SUDOKU"}).json()["environments"]
    assert "sudoku" in [item["name"] for item in found]
    assert {item["domain"] for item in found} == {"puzzles"}
    assert client.get("/v1/environments?search=zzzz").json() == {"environments": []}
    refused(client.get("/v1/environments?kind=other"), "invalid_request")


def test_a_service_without_keys_checks_the_host_header(client):
    assert client.get("/healthz", headers={"host": "localhost:8123"}).status_code == 200
    refused(client.get("/healthz", headers={"host": "evil.example"}), "forbidden")
    refused(client.post("/v1/tasks", json={"name": "chain_sum"}, headers={"host": "evil.example:80"}), "forbidden")


def test_unknown_paths_and_methods(client):
    for path in ("/v2", "/v1/nothing", "/v1/sessions/", "/docs", "/redoc", "/page/../settings.py", "/page/%2e%2e/settings.py"):
        refused(client.get(path), "not_found")
    answer = client.put("/v1/tasks")
    refused(answer, "method_not_allowed")
    assert answer.headers["allow"] == "POST"
    assert client.patch("/v1/sessions/x").headers["allow"] == "DELETE, GET"


def test_health_and_metrics(client):
    assert client.get("/healthz").json() == {"alive": True}
    assert client.get("/readyz").json() == {"ready": True}
    path = f"/v1/sessions/{opened(client)['session']}"
    before = steps_of(client)
    client.post(f"{path}/step", json={"response": "x"})
    assert steps_of(client) == before + 1
    text = client.get("/metrics").text
    assert 'rlgym_requests_total{route="/v1/sessions/{session}/step",status="200"}' in text
    assert path.rpartition("/")[2] not in text


def steps_of(client):
    [line] = [line for line in client.get("/metrics").text.splitlines() if line.startswith("rlgym_steps_total ")]
    return float(line.split()[1])


def test_every_request_is_logged():
    lines = []
    with TestClient(create_app(Settings(), log=RequestLog(lines.append, worker_id=0))) as client:
        answer = client.post("/v1/sessions", json={"name": "chain_sum", "seed": 3}, headers={"x-request-id": "mine-1"})
        session = answer.json()["session"]
        client.post(f"/v1/sessions/{session}/step", json={"response": "a text that no log may hold"}, headers={"x-request-id": "not\tfit"})
    first, second = (json.loads(line) for line in lines)
    assert answer.headers["x-request-id"] == first["request"] == "mine-1"
    assert (second["method"], second["route"], second["status"]) == ("POST", "/v1/sessions/{session}/step", 200)
    assert (second["session"], second["key"], second["worker"]) == (session, "anonymous", 0)
    assert second["request"] not in ("mine-1", "not\tfit")
    assert second["ms"] > 0
    assert "no log may hold" not in "".join(lines)


def test_internal_errors_are_reported_and_logged_without_secrets(monkeypatch):
    def fails(*_):
        raise RuntimeError("a secret of the inside")

    lines = []
    app = create_app(Settings(), log=RequestLog(lines.append, worker_id=0))
    monkeypatch.setattr(app.state.service.store, "add", fails)
    with TestClient(app) as client:
        answer = client.post("/v1/sessions", json={"name": "chain_sum"})
        refused(answer, "internal_error")
        assert "secret" not in answer.text + "".join(lines)
        assert answer.headers["x-request-id"]
    [broken] = [line for line in map(json.loads, lines) if line.get("event") == "internal error"]
    assert broken["error"] == "RuntimeError"
    assert any("test_operations.py" in where for where in broken["frames"])


def test_draining_rejects_new_sessions_and_serves_open_ones():
    app = create_app(Settings())
    with TestClient(app) as client:
        path = f"/v1/sessions/{opened(client)['session']}"
        client.portal.call(app.state.drain)
        refused(client.get("/readyz"), "draining")
        refused(client.post("/v1/sessions", json={"name": "chain_sum"}), "draining")
        assert client.get("/healthz").status_code == 200
        assert client.post(f"{path}/step", json={"response": "x"}).json()["done"]


def test_the_openapi_schema_describes_errors_and_bounds(client):
    result = client.get("/openapi.json").json()
    for path, methods in result["paths"].items():
        for method, facts in methods.items():
            assert {"401", "413", "422", "429", "503"} <= set(facts["responses"]), (path, method)
            assert "security" not in facts, (path, method)
            schema = facts["responses"]["422"]["content"]["application/json"]["schema"]
            assert schema == {"$ref": "#/components/schemas/ErrorResponse"}
    shapes = result["components"]["schemas"]
    seed, count = shapes["TaskRequest"]["properties"]["seed"]["anyOf"][0], shapes["SampleRequest"]["properties"]["count"]
    assert '"exclusiveMaximum":9223372036854775808' in client.get("/openapi.json").text
    assert (seed["minimum"], seed["exclusiveMaximum"], count["minimum"]) == (0, 2**63, 1)
    assert not shapes["TaskRequest"]["additionalProperties"]
