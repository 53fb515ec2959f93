"""Tool environments over the Model Context Protocol, with the SDK's own client: in process, over stdio and over HTTP."""

from __future__ import annotations

import json
import runpy
import sys
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("mcp", reason="mcp is not installed")

import anyio
import httpx
from adapters.agreement import WORLDS, Case, RowError, cases, damaged, page, rows
from adapters.http_server import serving
from adapters.planted import broken_verifier
from mcp import Client, StdioServerParameters
from mcp.client.stdio import stdio_client

import rlgym
from rlgym.adapters.mcp import META, SCORE, TASK, Episode, Episodes
from rlgym.answers import ToolCalls
from rlgym.dataset import Session, sample

TOOLS = ("calculator_and_lookup", "file_system_tasks", "refund_desk", *WORLDS)


def calls(row: dict[str, Any], turn: str) -> list[dict[str, Any]]:
    """The single calls of a turn that holds tool calls; none where it holds none."""
    answer = rlgym.environment(row["env"]).answer
    assert isinstance(answer, ToolCalls)
    try:
        read = answer.parse_response(turn, "tag")
    except rlgym.answers.Unreadable:
        return []
    return [json.loads(answer.render((call,))) for call in read]


async def over_mcp(client: Any, case: Case) -> tuple[Any, float]:
    """The score that the client receives, and what `rlgym.score` says of the same turns."""
    tools = bool(Session(case.row).tools)
    text: list[str] = []
    result = None
    turns = [case.response] if case.single else case.response
    for turn in turns:
        for call in calls(case.row, turn) if tools else [{"tool": "respond", "arguments": {"response": turn}}]:
            if result is not None and result.meta and META in result.meta:
                break
            text.append(json.dumps(call) if tools else turn)
            result = await client.call_tool(call["tool"], call["arguments"])
    report = json.loads((await client.read_resource(SCORE)).contents[0].text)
    if result is not None and result.meta and META in result.meta:
        assert result.meta[META] == report
    return report, rlgym.score(case.row, text[0] if case.single else text).value


@pytest.mark.parametrize("many", [False, True])
def test_scores_are_those_of_rlgym(many: bool, record: Any) -> None:
    async def play() -> None:
        for case in cases(many):
            episode = Episode(case.row)
            async with Client(episode.server) as client:
                report, expected = await over_mcp(client, case)
            assert episode.score.value == expected, (case.row["id"], case.kind)
            assert report.get("value", 0) == expected
            if case.kind == "oracle" or case.single or not Session(case.row).tools:
                assert expected == case.score, (case.row["id"], case.kind)

    anyio.run(play)
    record(
        "mcp",
        "mcp",
        scored=len(cases(many)),
        agreement=f"{len(cases(False))} single and {len(cases(True))} many-turn cases; each call a turn",
    )


@pytest.mark.parametrize("mode", ["auto", "legacy"])
@pytest.mark.parametrize("name", TOOLS)
def test_an_oracle_works_with_the_tools(name: str, mode: str, record: Any) -> None:
    row = next(sample(name, 1, levels=[0.3], seed=2))

    async def play() -> None:
        episode, session = Episode(row), Session(row)
        async with Client(episode.server, mode=mode) as client:
            listed = (await client.list_tools()).tools
            assert [tool.name for tool in listed] == [tool["function"]["name"] for tool in session.tools]
            assert all(tool.input_schema["type"] == "object" for tool in listed)
            task = (await client.get_prompt("task")).messages[0].content.text
            assert task == (await client.read_resource(TASK)).contents[0].text
            assert task.startswith(row["prompt"])
            assert json.loads((await client.read_resource(SCORE)).contents[0].text) == {"done": False, "id": row["id"]}
            while not episode.session.done:
                call = calls(row, episode.session.oracle())[0]
                result = await client.call_tool(call["tool"], call["arguments"])
                assert not result.is_error
            assert result.meta[META]["value"] == 1
            assert "1" not in result.content[0].text
            repeated = await client.call_tool(call["tool"], call["arguments"])
            assert repeated.is_error
        assert episode.score.value == 1

    anyio.run(play)
    record("mcp", "mcp", tools=f"{', '.join(TOOLS)}: in process, stdio and streamable HTTP", many="games through the tool respond")


def test_a_wrong_call_is_told_and_uses_up_a_turn() -> None:
    row = next(sample("calculator_and_lookup", 1))

    async def play() -> None:
        episode = Episode(row)
        async with Client(episode.server) as client:
            assert "there is no tool" in (await client.call_tool("no_such_tool", {})).content[0].text
            assert "missing" in (await client.call_tool("search", {})).content[0].text
            with pytest.raises(Exception, match="no resource"):
                await client.read_resource("rlgym://answer")
            for _ in range(episode.session.max_turns - 2):
                await client.call_tool("search", {"words": "lamp"})
        assert episode.session.done
        assert episode.score.value == 0

    anyio.run(play)


@pytest.mark.parametrize("name", ["chain_sum", "higher_lower"])
def test_what_is_not_the_models_fault_has_no_value(name: str) -> None:
    row = next(sample(name, 1))

    async def play() -> None:
        episode = Episode(row)
        async with Client(episode.server) as client:
            result = await client.call_tool("respond", {"response": "<answer>5</answer>"})
            assert result.meta[META]["value"] is None
            assert result.meta[META]["masked"]
        assert episode.score.masked

    with broken_verifier(name):
        anyio.run(play)


@pytest.mark.parametrize(("row", "identity"), damaged())
def test_damaged_rows_are_refused(row: dict[str, Any], identity: str) -> None:
    with pytest.raises(RowError, match=identity):
        Episode(row)
    with pytest.raises(RowError, match=identity):
        Episodes([rows(False)[0], row])


def test_stdio() -> None:
    command = [sys.executable, "-m", "rlgym.adapters.mcp", "calculator_and_lookup", "--level", "0", "--seed", "3"]
    row = next(sample("calculator_and_lookup", 1, levels=[0.0], seed=3))

    async def play() -> None:
        async with Client(stdio_client(StdioServerParameters(command=command[0], args=command[1:]))) as client:
            assert (await client.get_prompt("task")).messages[0].content.text.startswith(row["prompt"])
            report, expected = await over_mcp(client, Case(row, "oracle", json.loads(row["oracle_response"]), 1.0))
            assert report["value"] == expected == 1

    anyio.run(play)


@pytest.mark.parametrize("mode", ["auto", "legacy"])
def test_worlds_over_http_are_apart(mode: str) -> None:
    dealt = list(sample("calculator_and_lookup", 2, levels=[0.0], seed=3))
    episodes = Episodes(dealt, most=4)

    async def item(base: str, number: int, name: str, right: bool) -> None:
        row = dealt[number]
        async with Client(f"{base}/{number}/{name}/mcp", mode=mode) as client:
            turns = json.loads(row["oracle_response"]) if right else ['<answer>{"tool": "submit", "arguments": {"answer": 1}}</answer>']
            report, _ = await over_mcp(client, Case(row, "", turns, 1.0 if right else 0.0))
            assert report["done"]
            assert report["value"] == right

    async def play(base: str) -> None:
        async with anyio.create_task_group() as group:
            for number in range(2):
                for name in ("a", "b"):
                    group.start_soon(item, base, number, name, name == "a")
        assert {key: episode.score.value for key, episode in episodes.open.items()} == {(0, "a"): 1, (0, "b"): 0, (1, "a"): 1, (1, "b"): 0}
        await item(base, 0, "c", True)  # makes room
        assert len(episodes.open) == 4
        with pytest.raises(Exception):  # noqa: B017, PT011  the SDK wraps an answer of 404 in groups that differ by era
            async with Client(f"{base}/2/a/mcp", mode=mode) as client:
                await client.list_tools()

    with serving(episodes.app) as base:
        anyio.run(play, base)


REVISIONS = ("2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25", "2026-07-28")


@pytest.mark.parametrize("revision", REVISIONS)
def test_every_dated_revision_is_spoken_over_plain_http(revision: str) -> None:
    """Without the SDK's client: the messages as the specification of that date has them."""
    row = next(sample("chain_sum", 1, levels=[0.0], seed=3))
    stateless = revision == "2026-07-28"

    def post(http: httpx.Client, method: str, params: dict[str, Any], number: int | None = None) -> Any:
        if stateless:
            about = {"protocolVersion": revision, "clientCapabilities": {}, "clientInfo": {"name": "test", "version": "1"}}
            params = params | {"_meta": {f"io.modelcontextprotocol/{key}": value for key, value in about.items()}}
        body = {"jsonrpc": "2.0", "method": method, "params": params} | ({} if number is None else {"id": number})
        headers = {"mcp-method": method, "mcp-name": str(params.get("name", ""))} if stateless else {}
        response = http.post("", json=body, headers=headers)
        assert response.is_success, response.text
        if session := response.headers.get("mcp-session-id"):
            http.headers["mcp-session-id"] = session
        lines = [line.removeprefix("data: ") for line in response.text.splitlines() if line.startswith("data: {")]
        return json.loads(lines[-1] if lines else response.text)["result"] if number is not None else None

    with serving(Episodes([row]).app) as base:
        headers = {"accept": "application/json, text/event-stream", "mcp-protocol-version": revision}
        with httpx.Client(base_url=f"{base}/0/a/mcp", headers=headers, follow_redirects=True) as http:
            if not stateless:
                about = {"protocolVersion": revision, "capabilities": {}, "clientInfo": {"name": "test", "version": "1"}}
                assert post(http, "initialize", about, 1)["protocolVersion"] == revision
                post(http, "notifications/initialized", {})
            assert [tool["name"] for tool in post(http, "tools/list", {}, 2)["tools"]] == ["respond"]
            called = post(http, "tools/call", {"name": "respond", "arguments": {"response": row["oracle_response"]}}, 3)
    assert called["_meta"][META]["value"] == 1


def test_the_page_runs(tmp_path: Path, capsys: pytest.CaptureFixture[str], record: Any) -> None:
    (tmp_path / "page.py").write_text(page("mcp"))
    runpy.run_path(str(tmp_path / "page.py"))
    assert capsys.readouterr().out.startswith("True 4 ")
    record("mcp", "mcp", example="the page's example", single="every environment, through the tool respond")
