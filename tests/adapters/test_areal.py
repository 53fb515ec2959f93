"""The AReaL adapter, run by AReaL's own proxy workflow against an endpoint, in its process and in its workers."""

from __future__ import annotations

import asyncio
import json
import runpy
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("areal.experimental.openai.proxy.workflow", reason="needs a checkout of AReaL on the path; it is on no package index")
pytestmark = pytest.mark.filterwarnings("ignore")  # of the package and of what it stands on

from adapters.agreement import cases, damaged, page, rows  # noqa: E402
from adapters.endpoint import serving  # noqa: E402
from areal.experimental.openai.proxy.workflow import OpenAIProxyWorkflow  # noqa: E402

import rlgym  # noqa: E402
from rlgym.adapters.areal import RlgymAgent  # noqa: E402
from rlgym.adapters.areal import rows as areal_rows  # noqa: E402
from rlgym.core.errors import RowError  # noqa: E402
from rlgym.dataset import Session, sample, to_task_json  # noqa: E402


class ScriptedAgent(RlgymAgent):
    """The agent, asking for a given model of the endpoint; AReaL's proxy has only one, the one in training."""

    def __init__(self, model: str) -> None:
        super().__init__(extra_body={"model": model}, max_turns=3)


@pytest.fixture
def serve() -> Iterator[Any]:
    with serving() as start:
        yield start


async def rewarded(endpoint: Any, agent: RlgymAgent, row: dict[str, Any], mode: str = "inline") -> Any:
    workflow = OpenAIProxyWorkflow(mode=mode, agent=agent, proxy_addr=endpoint.url)
    [data] = areal_rows([row])
    return await workflow._run_agent("key", data)


def test_agreement(serve: Any) -> None:
    endpoint = serve([])

    async def run() -> None:
        for case in cases():
            endpoint.says[case.row["messages"][0]["content"]] = case.response
            assert await rewarded(endpoint, ScriptedAgent("scripted"), case.row) == case.score, (case.row["id"], case.kind)

    asyncio.run(run())


def test_workers_of_areal(serve: Any) -> None:
    given = list(sample(["chain_sum", "maze_walk"], 4, levels=[0.1]))
    endpoint = serve(given)
    for model, expected in (("oracle", 1.0), ("wrong", 0.0)):
        found = [asyncio.run(rewarded(endpoint, ScriptedAgent(model), row, "subproc")) for row in given]
        assert found == [expected] * 4
        assert all(isinstance(reward, float) for reward in found)


def test_tools_are_called_natively(serve: Any) -> None:
    given = list(sample("calculator_and_lookup", 2, levels=[0.1]))
    endpoint = serve(given)
    assert [asyncio.run(rewarded(endpoint, ScriptedAgent("native"), row)) for row in given] == [1, 1]
    assert endpoint.asked[0]["tools"] == Session(given[0]).tools


@pytest.mark.parametrize(("row", "identity"), damaged())
def test_damaged_rows_are_refused(row: dict[str, Any], identity: str) -> None:
    with pytest.raises(RowError, match=identity):
        areal_rows([row])
    good = json.loads(to_task_json(rows(False)[0]))
    with pytest.raises(RowError, match=identity):
        asyncio.run(RlgymAgent().run({"task_json": json.dumps(good | {key: row[key] for key in good})}, base_url="http://x", api_key="x"))


def test_what_is_not_the_models_fault_is_no_reward(serve: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    row = rows(False)[0]
    endpoint = serve([row])
    full, broken = Session.score.fget, rlgym.Score.nothing(rlgym.Outcome.ERROR, "no sandbox")  # type: ignore[attr-defined]
    monkeypatch.setattr(Session, "score", property(lambda self: broken if full(self) else None))
    with pytest.raises(RuntimeError, match="no sandbox"):
        asyncio.run(rewarded(endpoint, ScriptedAgent("oracle"), row))


def test_the_page_runs(tmp_path: Path, capsys: Any, serve: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    endpoint = serve([])
    for row in sample(["chain_sum", "maze_walk"], 4, levels=[0.2], split="train"):
        endpoint.says[row["messages"][0]["content"]] = ["I do not know."] * 100 if row["kind"] != "environment" else "I do not know."
    monkeypatch.setenv("ENDPOINT", endpoint.url)
    (tmp_path / "page.py").write_text(page("areal").replace("RlgymAgent(", "RlgymAgent(extra_body={'model': 'scripted'}, "))
    runpy.run_path(str(tmp_path / "page.py"))
    assert capsys.readouterr().out.split() == ["0.0"] * 4
