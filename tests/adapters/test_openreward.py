"""Environments behind OpenReward's own server, played with its own client."""

from __future__ import annotations

import asyncio
import json
import runpy
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("openreward", reason="openreward is not installed")

from adapters.agreement import Case, RowError, cases, damaged, page
from adapters.http_server import serving
from adapters.planted import broken_verifier
from openreward.api.environments.client import AsyncEnvironmentsAPI
from openreward.environments import Server
from sse_starlette.sse import AppStatus

import rlgym
from rlgym.adapters.openreward import environment_class, environment_classes
from rlgym.answers import ToolCalls, Unreadable
from rlgym.dataset import Session, sample

pytestmark = pytest.mark.filterwarnings("ignore")  # OpenReward calls functions that its dependencies have deprecated


@contextmanager
def serving_classes(classes: list[Any]) -> Iterator[str]:
    AppStatus.should_exit, AppStatus.should_exit_event = False, None  # they belong to the loop of an earlier server
    with serving(Server(classes).app) as base:
        yield base


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


async def play(api: Any, row: dict[str, Any], index: int, turns: list[str]) -> tuple[list[float], bool, list[str], str]:
    """The rewards, whether the episode ended, the calls that were made as text, and what a model would have read."""
    env = api.get("rlgym", variant=row["env"])
    rewards, finished, made = [], False, []
    async with env.session(split="train", index=index) as session:
        seen = "".join(block.text for block in await session.get_prompt())
        for turn in turns:
            for call in calls(row, turn):
                if finished:
                    break
                out = await session.call_tool(call["tool"], call["arguments"])
                rewards.append(out.reward)
                finished = out.finished
                made.append(turn if call["tool"] == "respond" else json.dumps(call))
                seen += "".join(block.text for block in out.blocks)
    return rewards, finished, made, seen


@pytest.mark.parametrize("many", [False, True])
def test_rewards_are_the_scores_of_rlgym(many: bool, record: Any) -> None:
    given = [case for case in cases(many) if case.kind in ("oracle", "mistake")][:: 1 if many else 4]
    rows: dict[str, list[dict[str, Any]]] = {}
    for case in given:
        if case.row not in rows.setdefault(case.row["env"], []):
            rows[case.row["env"]].append(case.row)

    async def run(base: str) -> int:
        api, played = AsyncEnvironmentsAPI(base, ""), 0
        for case in given:
            turns = [case.response] if case.single else list(case.response)
            answer = rlgym.environment(case.row["env"]).answer
            known = {tool["function"]["name"] for tool in answer.schemas()} if isinstance(answer, ToolCalls) else {"respond"}
            if not {call["tool"] for turn in turns for call in calls(case.row, turn)} <= known:
                continue
            rewards, finished, made, seen = await play(api, case.row, rows[case.row["env"]].index(case.row), turns)
            if not made:
                continue
            expected = rlgym.score(case.row, made[0] if case.single else made).value
            assert sum(rewards) == pytest.approx(expected) or not finished, (case.row["id"], case.kind)
            assert case.row["data"] not in seen
            if case.kind == "oracle":
                assert finished
                assert expected == 1
            played += 1
        await api.aclose()
        return played

    with serving_classes([environment_class(name, {"train": these}) for name, these in rows.items()]) as base:
        played = asyncio.run(run(base))
    assert played > 40
    record("openreward", "openreward", **{"many" if many else "single": f"{played} episodes, its server and its client"})


def test_the_tools_have_their_own_schemas(record: Any) -> None:
    row = next(sample("calculator_and_lookup", 1))

    async def run(base: str) -> list[Any]:
        api = AsyncEnvironmentsAPI(base, "")
        env = api.get("calculator_and_lookup")
        assert await env.list_splits() == ["train"]
        [task] = await env.list_tasks("train")
        assert task.task_spec["id"] == row["id"]
        tools = await env.list_tools()
        async with env.session(task=task) as session:
            with pytest.raises(Exception, match="validation"):
                await session.call_tool("search", {})
        await api.aclose()
        return tools

    with serving_classes([environment_class("calculator_and_lookup", {"train": [row]})]) as base:
        tools = asyncio.run(run(base))
    functions = {tool["function"]["name"]: tool["function"] for tool in Session(row).tools}
    assert {tool.name: tool.description for tool in tools} == {name: function["description"] for name, function in functions.items()}
    for tool in tools:
        assert set(tool.input_schema["properties"]) == set(functions[tool.name]["parameters"]["properties"])
    record("openreward", "openreward", tools="calculator_and_lookup, file_system_tasks, each call a turn")


def test_what_is_not_the_models_fault_is_no_reward() -> None:
    row = next(sample("chain_sum", 1))

    async def run(base: str) -> None:
        api = AsyncEnvironmentsAPI(base, "")
        async with api.get("chain_sum").session(split="train", index=0) as session:
            with pytest.raises(Exception, match=r"could not be scored|500"):
                await session.call_tool("respond", {"response": "<answer>5</answer>"})
        await api.aclose()

    with broken_verifier("chain_sum"), serving_classes([environment_class("chain_sum", {"train": [row]})]) as base:
        asyncio.run(run(base))


@pytest.mark.parametrize(("row", "identity"), damaged())
def test_damaged_rows_are_refused(row: dict[str, Any], identity: str) -> None:
    with pytest.raises((RowError, rlgym.RlgymError)):
        environment_class("chain_sum", {"train": [row]})


def test_rows_of_another_environment_are_refused() -> None:
    with pytest.raises(rlgym.RlgymError, match="got rows of nim"):
        environment_class("chain_sum", {"train": [next(sample("nim", 1))]})
    with pytest.raises(rlgym.RlgymError, match="got rows of nothing"):
        environment_class("chain_sum", {"train": []})
    assert [served.name() for served in environment_classes(["chain_sum", "nim"], 4)] == ["chain_sum", "nim"]


def test_the_page_runs(tmp_path: Path, capsys: pytest.CaptureFixture[str], record: Any) -> None:
    (tmp_path / "page.py").write_text(page("openreward"))
    runpy.run_path(str(tmp_path / "page.py"))
    assert capsys.readouterr().out.splitlines()[-1].endswith("1.0 True")
    record("openreward", "openreward", example="the page's example")
    assert isinstance(cases(True)[0], Case)
