"""The rLLM adapter: its flow and its evaluator, called as rLLM's engine calls them."""

from __future__ import annotations

import asyncio
import json
import runpy
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("rllm.eval.rollout_decorator", reason="needs a checkout of rLLM on the path; it is on no package index")
pytestmark = pytest.mark.filterwarnings("ignore")  # of the package and of what it stands on

from adapters.agreement import cases, damaged, page, rows  # noqa: E402
from adapters.endpoint import serving  # noqa: E402
from rllm.types import AgentConfig, AgentFlow, Episode, Evaluator, Task, run_agent_flow  # noqa: E402

import rlgym  # noqa: E402
from rlgym.adapters.rllm import play, score  # noqa: E402
from rlgym.adapters.rllm import rows as rllm_rows  # noqa: E402
from rlgym.core.errors import RowError  # noqa: E402
from rlgym.dataset import Session, sample, to_task_json  # noqa: E402


@pytest.fixture
def serve() -> Iterator[Any]:
    with serving() as start:
        yield start


def task(row: dict[str, Any]) -> Task:
    [given] = rllm_rows([row])
    return Task(id=given["id"], instruction=given["question"], metadata=given)


async def played(endpoint: Any, model: str, row: dict[str, Any]) -> Any:
    request = task(row)
    episode = await run_agent_flow(play, request, AgentConfig(base_url=endpoint.url, model=model, session_uid="1"))
    return score.evaluate(request, episode)


def test_agreement_of_the_evaluator() -> None:
    for case in cases():
        turns = [case.response] if case.single else case.response
        for request in (task(case.row), task(case.row).metadata):
            found = score.evaluate(request, Episode(artifacts={"turns": turns}))
            assert found.reward == case.score, (case.row["id"], case.kind)
            assert found.is_correct == (case.score == 1)


def test_agreement_of_played_episodes(serve: Any) -> None:
    endpoint = serve([])

    async def run() -> None:
        for case in [*cases(False)[::11], *cases(True)[::3]]:
            endpoint.says[case.row["messages"][0]["content"]] = case.response
            assert (await played(endpoint, "scripted", case.row)).reward == case.score, (case.row["id"], case.kind)

    asyncio.run(run())


def test_they_are_what_rllm_asks_for(serve: Any) -> None:
    assert isinstance(play, AgentFlow)
    assert isinstance(score, Evaluator)
    row = next(iter(sample("maze_walk", 1, levels=[0.1])))
    episode = play.run(task(row), AgentConfig(base_url=serve([row]).url, model="oracle", session_uid="1"))
    assert [trajectory.name for trajectory in episode.trajectories] == ["rlgym"]
    assert score(task(row), episode).reward == 1


def test_tools_are_called_natively(serve: Any) -> None:
    given = list(sample("calculator_and_lookup", 2, levels=[0.1]))
    endpoint = serve(given)
    assert [asyncio.run(played(endpoint, "native", row)).reward for row in given] == [1, 1]
    assert endpoint.asked[0]["tools"] == Session(given[0]).tools


@pytest.mark.parametrize(("row", "identity"), damaged())
def test_damaged_rows_are_refused(row: dict[str, Any], identity: str) -> None:
    with pytest.raises(RowError, match=identity):
        rllm_rows([row])
    good = json.loads(to_task_json(rows(False)[0]))
    with pytest.raises(RowError, match=identity):
        score.evaluate({"task_json": json.dumps(good | {key: row[key] for key in good})}, Episode(artifacts={"turns": ["1"]}))


def test_an_episode_that_broke_is_no_reward(serve: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    row = rows(False)[0]
    full, broken = Session.score.fget, rlgym.Score.nothing(rlgym.Outcome.ERROR, "no sandbox")  # type: ignore[attr-defined]
    endpoint = serve([row])
    monkeypatch.setattr(Session, "score", property(lambda self: broken if full(self) else None))
    with pytest.raises(RuntimeError, match="no sandbox"):
        asyncio.run(played(endpoint, "oracle", row))


def test_what_is_not_the_models_fault_is_no_reward(monkeypatch: pytest.MonkeyPatch) -> None:
    broken = rlgym.Score.nothing(rlgym.Outcome.ERROR, "no sandbox")
    monkeypatch.setattr(rlgym, "score", lambda *_: broken, raising=False)
    with pytest.raises(RuntimeError, match="no sandbox"):
        score.evaluate(task(rows(False)[0]), Episode(artifacts={"turns": ["1"]}))
    with pytest.raises(ValueError, match="'task_json'"):
        score.evaluate({}, Episode())


def test_the_page_runs(tmp_path: Path, capsys: Any, serve: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    given = list(sample(["chain_sum", "maze_walk"], 4, levels=[0.2], split="train"))
    monkeypatch.setenv("ENDPOINT", serve(given).url)
    (tmp_path / "page.py").write_text(page("rllm"))
    runpy.run_path(str(tmp_path / "page.py"))
    assert [line.split()[-1] for line in capsys.readouterr().out.splitlines()] == ["1.0"] * 4
