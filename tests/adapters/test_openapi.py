"""Tool environments as OpenAPI services: the document, calls by real HTTP clients, sessions apart, and conformance under fuzzing."""

from __future__ import annotations

import json
import runpy
import threading
import time
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("fastapi", reason="fastapi is not installed")

import httpx
import jsonschema
from adapters.agreement import Case, RowError, cases, damaged, page
from adapters.http_server import serving
from adapters.planted import broken_verifier
from fastapi.testclient import TestClient

import rlgym
from rlgym.adapters.openapi import SESSION, Service
from rlgym.answers import ToolCalls, Unreadable
from rlgym.dataset import Session, sample

TOOLS = ("calculator_and_lookup", "file_system_tasks", "refund_desk", "invoice_disputes")


def calls(row: dict[str, Any], turn: str) -> list[dict[str, Any]]:
    """The single calls of a turn; none where it holds none."""
    answer = rlgym.environment(row["env"]).answer
    if not isinstance(answer, ToolCalls):
        return [{"tool": "respond", "arguments": {"response": turn}}]
    try:
        read = answer.parse_response(turn, "tag")
    except Unreadable:
        return []
    return [json.loads(answer.render((call,))) for call in read]


def play(client: Any, row: dict[str, Any], turns: list[str]) -> tuple[dict[str, Any], list[str]]:
    """The report of an episode with these turns, and the calls that were made, as text."""
    started = client.post("/sessions").json()
    headers, made, done = {SESSION: started["session"]}, [], False
    for turn in turns:
        for call in calls(row, turn):
            if done:
                break
            reply = client.post(f"/tools/{call['tool']}", json=call["arguments"], headers=headers)
            if reply.status_code == 404:  # the service has no such tool
                return {}, []
            assert reply.status_code == 200, reply.text
            done = reply.json()["done"]
            made.append(turn if call["tool"] == "respond" else json.dumps(call))
    return client.get("/score", headers=headers).json(), made


@pytest.mark.parametrize("many", [False, True])
def test_scores_are_those_of_rlgym(many: bool, record: Any) -> None:
    played = 0
    for case in cases(many):
        turns = [case.response] if case.single else list(case.response)
        with TestClient(Service([case.row]).app) as client:
            report, made = play(client, case.row, turns)
        if not made:
            continue
        expected = rlgym.score(case.row, made[0] if case.single else made)
        assert (report["value"] or 0.0) == expected.value, (case.row["id"], case.kind)
        assert report["done"] or expected.value == 0
        if case.kind == "oracle":
            assert expected.value == case.score == 1
        played += 1
    assert played > 100
    record("openapi", "fastapi", scored=played, **{"many" if many else "single": f"{played} responses over HTTP, a call a turn"})


@pytest.mark.parametrize("name", TOOLS)
def test_the_document_describes_the_tools(name: str) -> None:
    row = next(sample(name, 1, levels=[0.3], seed=2))
    with TestClient(Service([row]).app) as client:
        document = client.get("/openapi.json").json()
    operations = {path.removeprefix("/tools/"): entry["post"] for path, entry in document["paths"].items() if path.startswith("/tools/")}
    functions = {tool["function"]["name"]: tool["function"] for tool in Session(row).tools}
    assert set(operations) == set(functions)
    for tool, operation in operations.items():
        schema = operation["requestBody"]["content"]["application/json"]["schema"]
        assert operation["operationId"] == tool
        assert operation["description"] == functions[tool]["description"]
        assert schema == functions[tool]["parameters"]
        jsonschema.Draft202012Validator.check_schema(schema)
        [header] = [parameter for parameter in operation["parameters"] if parameter["in"] == "header"]
        assert (header["name"], header["required"]) == (SESSION, True)


def test_the_score_and_the_hidden_data_are_not_for_the_model() -> None:
    row = next(sample("refund_desk", 1, levels=[0.3], seed=2))
    with TestClient(Service([row]).app) as client:
        started = client.post("/sessions").json()
        seen = json.dumps(started) + client.get("/openapi.json").text
        headers = {SESSION: started["session"]}
        assert (
            client.get("/score", headers=headers).json() | {"done": False, "id": row["id"]} == client.get("/score", headers=headers).json()
        )
        for turn in json.loads(row["oracle_response"]):
            for call in calls(row, turn):
                reply = client.post(f"/tools/{call['tool']}", json=call["arguments"], headers=headers)
                seen += reply.text
        assert client.get("/score", headers=headers).json()["value"] == 1
        assert client.post(f"/tools/{call['tool']}", json=call["arguments"], headers=headers).status_code == 409
    assert row["data"] not in seen
    assert "right" not in json.loads(reply.text)["observation"]


def test_wrong_arguments_are_answered_and_use_up_a_turn() -> None:
    row = next(sample("calculator_and_lookup", 1))
    with TestClient(Service([row]).app) as client:
        started = client.post("/sessions", json={"row": 0}).json()
        headers = {SESSION: started["session"]}
        assert "missing" in client.post("/tools/search", json={}, headers=headers).json()["observation"]
        for _ in range(started["max_turns"] - 1):
            last = client.post("/tools/search", json={"words": "lamp"}, headers=headers).json()
        assert last["done"]
        assert client.get("/score", headers=headers).json()["value"] == 0


def test_errors_say_what_is_wrong() -> None:
    service = Service(list(sample("calculator_and_lookup", 2)), most=2)
    with TestClient(service.app) as client:
        assert client.post("/sessions", json={"row": 9}).status_code == 404
        assert client.post("/sessions", json={"seed": 1}).status_code == 422
        assert client.post("/tools/search", json={"words": "x"}).status_code == 422
        assert client.post("/tools/search", json={"words": "x"}, headers={SESSION: "nobody"}).status_code == 404
        first, second = (client.post("/sessions").json() for _ in range(2))
        assert (first["row"], second["row"]) == (0, 1)
        full = client.post("/sessions")
        assert full.status_code == 503
        assert "close one" in full.json()["detail"]
        headers = {SESSION: first["session"]}
        for body in (b"", b"[1]", b"{", b'{"words": ' + b"[" * 100_000, b'"' + b"x" * (1 << 20) + b'"'):
            assert client.post("/tools/search", content=body, headers=headers).status_code == 400
        assert client.delete("/sessions", headers=headers).status_code == 204
        assert client.get("/score", headers=headers).status_code == 404
        assert client.post("/sessions").status_code == 201
    with pytest.raises(rlgym.RlgymError, match="tools of one environment, got rows of 2: chain_sum, nim"):
        Service([next(sample("chain_sum", 1)), next(sample("nim", 1))])
    with pytest.raises(rlgym.RlgymError, match="got rows of 0: none"):
        Service([])


def test_idle_sessions_are_closed() -> None:
    service = Service(list(sample("calculator_and_lookup", 1)), most=1, idle=0.0)
    with TestClient(service.app) as client:
        first = client.post("/sessions").json()["session"]
        time.sleep(0.01)
        second = client.post("/sessions").json()["session"]
    assert first not in service.episodes
    assert service.score(second).value == 0


@pytest.mark.parametrize("name", ["chain_sum", "higher_lower"])
def test_what_is_not_the_models_fault_has_no_value(name: str) -> None:
    row = next(sample(name, 1))
    with broken_verifier(name), TestClient(Service([row]).app) as client:
        report, _ = play(client, row, ["<answer>5</answer>"])
    assert report["value"] is None
    assert report["masked"]


@pytest.mark.parametrize(("row", "identity"), damaged())
def test_damaged_rows_are_refused(row: dict[str, Any], identity: str) -> None:
    with pytest.raises(RowError, match=identity):
        Service([row])


def test_sessions_over_a_socket_are_apart(record: Any) -> None:
    row = next(sample("calculator_and_lookup", 1, levels=[0.2], seed=3))
    reports: dict[int, float] = {}

    def item(base: str, number: int) -> None:
        with httpx.Client(base_url=base, timeout=60) as client:
            turns = (
                json.loads(row["oracle_response"]) if number % 2 else ['<answer>{"tool": "submit", "arguments": {"answer": 1}}</answer>']
            )
            reports[number] = play(client, row, turns)[0]["value"]

    with serving(Service([row]).app) as base:
        threads = [threading.Thread(target=item, args=(base, number)) for number in range(6)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join(60)
    assert reports == {number: float(number % 2) for number in range(6)}
    record("openapi", "fastapi", tools=f"{', '.join(TOOLS)}: httpx over a socket, six sessions at once; schemathesis on every operation")


def test_every_operation_follows_the_document() -> None:
    schemathesis = pytest.importorskip("schemathesis")
    from hypothesis import HealthCheck, Phase, given, settings

    service = Service(list(sample("calculator_and_lookup", 2, levels=[0.0])), most=100_000)
    config = {"seed": 1, "checks": {"positive_data_acceptance": {"expected-statuses": ["2xx", "400", "404", "409", "422"]}}}
    api = schemathesis.openapi.from_dict(service.app.openapi(), config=schemathesis.Config.from_dict(config))
    api.app = service.app
    with TestClient(service.app) as client:
        session = client.post("/sessions").json()["session"]
    bounds = settings(
        max_examples=10, derandomize=True, deadline=None, database=None, phases=[Phase.generate], suppress_health_check=list(HealthCheck)
    )
    found = [operation.ok() for operation in api.get_all_operations()]
    for operation in found:

        @bounds
        @given(case=operation.as_strategy())
        def keeps_to_it(case: Any) -> None:
            case.headers = {**(case.headers or {}), SESSION: session} if case.method == "POST" else case.headers
            response = case.call()
            case.validate_response(response, excluded_checks=[schemathesis.checks.CHECKS.get_one("unsupported_method")])

        keeps_to_it()
    assert len(found) == 3 + len(Session(service.rows[0]).tools)


def test_the_page_runs(tmp_path: Path, capsys: pytest.CaptureFixture[str], record: Any) -> None:
    (tmp_path / "page.py").write_text(page("openapi"))
    runpy.run_path(str(tmp_path / "page.py"))
    assert capsys.readouterr().out.splitlines()[-1].endswith("1.0")
    record(
        "openapi",
        "fastapi",
        example="the page's example",
        agreement="660 single and 120 many-turn cases; calls of tools that do not exist have no operation",
    )
    assert isinstance(cases(True)[0], Case)
