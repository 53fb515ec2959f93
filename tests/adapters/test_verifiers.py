"""The verifiers adapter, driven by verifiers' own evaluation against a scripted endpoint."""

from __future__ import annotations

import asyncio
import importlib
import json
import os
import runpy
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("verifiers.v1", reason="needs verifiers>=0.4")
pytestmark = pytest.mark.filterwarnings("ignore")  # of the package and of what it stands on

import verifiers.v1 as vf  # noqa: E402
from adapters.agreement import WORLDS, cases, damaged, page  # noqa: E402
from adapters.endpoint import Endpoint, native, serving  # noqa: E402

import rlgym  # noqa: E402
from rlgym.adapters.verifiers import RlgymConfig, RlgymTask, RlgymTaskset, write_package  # noqa: E402
from rlgym.core.errors import RowError  # noqa: E402
from rlgym.dataset import Session, sample  # noqa: E402


@pytest.fixture
def serve() -> Iterator[Any]:
    with serving() as start:
        yield start


def traced(task: RlgymTask, turns: list[str]) -> Any:
    """A trace in which the model took these turns."""
    trace = vf.Trace(
        task=vf.TraceTask(type="RlgymTask", data=task.data), agent=vf.AgentInfo(config=vf.AgentConfig(harness={"id": "null"}, model="m"))
    )
    for number, turn in enumerate(turns):
        message = {"role": "assistant", "content": turn}
        trace.nodes.append(vf.MessageNode(parent=number - 1 if number else None, message=message, sampled=True))
    return trace


async def rewarded(case: Any) -> float:
    task = RlgymTask.of(case.row)
    trace = traced(task, [case.response] if case.single else case.response)
    await task.score(trace)
    assert trace.rewards["right"] is not None
    return float(trace.reward)


def test_agreement(record: Any) -> None:
    async def run() -> list[float]:
        return await asyncio.gather(*map(rewarded, cases()))

    for case, reward in zip(cases(), asyncio.run(run()), strict=True):
        assert reward == case.score, (case.row["id"], case.kind)
    record("verifiers", "verifiers", scored=len(cases()), agreement=f"{len(cases())} responses through Task.score")


@pytest.mark.parametrize(("row", "identity"), damaged())
def test_damaged_rows_are_refused(row: dict[str, Any], identity: str) -> None:
    with pytest.raises(RowError, match=identity):
        RlgymTask.of(row)


def test_what_is_not_the_models_fault_fails_the_trace(monkeypatch: pytest.MonkeyPatch) -> None:
    case = cases(False)[0]
    task = RlgymTask.of(case.row)
    trace = traced(task, [case.response])
    monkeypatch.setattr(rlgym, "score", lambda *_: rlgym.Score.nothing(rlgym.Outcome.ERROR, "no sandbox"), raising=False)
    with pytest.raises(vf.TaskError, match="no sandbox"):
        asyncio.run(task.score(trace))
    assert trace.rewards == {"right": None}


def evaluated(folder: Path, endpoint: Endpoint, model: str, *more: str) -> list[dict[str, Any]]:
    """The traces that vf-eval writes, in the order of their tasks."""
    name = write_package(folder / "rlgym-tasks")
    command = [str(Path(sys.executable).parent / "vf-eval"), name, "-m", model, "--client.base-url", endpoint.url, *more]
    command += ["--client.api-key-var", "NO_KEY", "--no-push", "--no-rich", "--run.dir", model, "-o", str(folder / "outputs")]
    known = {**os.environ, "PYTHONPATH": str(folder / name)}
    done = subprocess.run(command, cwd=folder, env=known, capture_output=True, text=True, timeout=120)
    assert done.returncode == 0, done.stdout[-2000:] + done.stderr[-2000:]
    lines = (folder / "outputs" / model / "traces.jsonl").read_text().splitlines()
    episodes = [json.loads(line) for line in lines]
    return sorted((trace for episode in episodes for trace in episode["traces"]), key=lambda trace: trace["task"]["data"]["idx"])


NAMES = ["chain_sum", "maze_walk", "calculator_and_lookup"]
CHOSEN = ["--env.taskset.names", json.dumps(NAMES), "--env.taskset.count", "8", "--env.taskset.levels", "[0.1]"]


def test_vf_eval_gives_the_scores_of_what_was_said(tmp_path: Path, serve: Any, record: Any) -> None:
    rows = list(sample(NAMES, 8, levels=[0.1]))
    traces = evaluated(tmp_path, serve(rows), "mixed", *CHOSEN)
    assert [trace["task"]["data"]["id"] for trace in traces] == [row["id"] for row in rows]
    for number, (row, trace) in enumerate(zip(rows, traces, strict=True)):
        assert trace["ok"], trace["errors"]
        response = [node["message"]["content"] for node in trace["nodes"] if node.get("sampled")]
        expected = rlgym.score(row, response[0] if row["kind"] == "environment" else response).value
        assert trace["rewards"]["right"]["score"] == expected
        assert expected < 1 if number % 2 else expected == 1
    record("verifiers", "verifiers", single="vf-eval, right and wrong answers", many="vf-eval, whole episodes")


def played(folder: Path, endpoint: Endpoint, model: str, **recipe: Any) -> list[Any]:
    """The traces of an environment's tasks, played in this process."""
    name = write_package(folder / "rlgym-tasks")
    importlib.invalidate_caches()  # the folder may have been looked for before it was there
    env = vf.load_environment(vf.resolve_env_config({"taskset": {"id": name, **recipe}}))
    client = vf.EvalClientConfig(base_url=endpoint.url, api_key_var="NO_KEY")
    context = vf.ModelContext(model=model, client=client, sampling=vf.SamplingConfig())

    async def play() -> list[Any]:
        async with env.serving():
            episodes = [await env.run_slot(slot, context) for task in env.taskset for slot in env.slots(task)]
        return [episode.traces[0] for episode in episodes]

    return asyncio.run(play())


@pytest.mark.parametrize("name", ["calculator_and_lookup", *WORLDS])
def test_tools_are_called_natively(name: str, tmp_path: Path, serve: Any, record: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(str(tmp_path / "rlgym-tasks"))
    recipe: dict[str, Any] = {"count": 4, "levels": [0.1]}
    endpoint = serve(list(sample(name, **recipe)))
    traces = played(tmp_path, endpoint, "native", names=[name], **recipe)
    assert [trace.reward for trace in traces] == [1, 1, 1, 1]
    assert all(request["tools"] for request in endpoint.asked)
    assert any(contents["role"] == "tool" for request in endpoint.asked for contents in request["messages"])
    record("verifiers", "verifiers", tools="native calls and calls in the text")


def test_an_endpoint_that_fails_is_no_reward(tmp_path: Path, serve: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(str(tmp_path / "rlgym-tasks"))
    [trace] = played(tmp_path, serve([]), "oracle", names=["chain_sum"], count=1)
    assert not trace.ok
    assert not trace.rewards.get("right")


def test_an_episode_that_broke_is_no_reward(tmp_path: Path, serve: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(str(tmp_path / "rlgym-tasks"))
    full, broken = Session.score.fget, rlgym.Score.nothing(rlgym.Outcome.ERROR, "no sandbox")  # type: ignore[attr-defined]
    endpoint = serve(list(sample("chain_sum", 1)))
    monkeypatch.setattr(Session, "score", property(lambda self: broken if full(self) else None))
    [trace] = played(tmp_path, endpoint, "oracle", names=["chain_sum"], count=1)
    assert not trace.ok
    assert "no sandbox" in trace.errors[-1].message
    assert not trace.rewards.get("right")


def test_native_calls_in_a_trace_are_scored_as_the_same_calls_in_text() -> None:
    row = next(sample("calculator_and_lookup", 1, levels=[0.1]))
    task, turns = RlgymTask.of(row), json.loads(row["oracle_response"])
    trace = traced(task, turns)
    for node in trace.nodes:
        created = [call["function"] for call in native(node.message.content)["tool_calls"]]
        calls = [vf.ToolCall(id=str(number), **function) for number, function in enumerate(created)]
        node.message = vf.AssistantMessage(tool_calls=calls)
    asyncio.run(task.score(trace))
    assert trace.reward == 1


def test_an_infinite_taskset_is_lazy_and_has_stable_keys() -> None:
    endless = RlgymTaskset(RlgymConfig(names=["chain_sum", "maze_walk"], count=None, levels=[0.1]))
    assert not endless.bounded
    assert type(endless).INFINITE  # what prime-rl's orchestrator asks
    assert not type(RlgymTaskset(RlgymConfig(names=["chain_sum"], count=4))).INFINITE
    assert RlgymTaskset(RlgymConfig(names=["chain_sum"], count=4)).bounded
    tasks = list(endless.take(6))
    assert len({task.key for task in tasks}) == 6
    assert [task.key for task in endless.skip(2).take(3)] == [task.key for task in tasks[2:5]]
    [again] = endless.include(idx=["3"])
    assert (again.key, again.hash) == (tasks[3].key, tasks[3].hash)
    assert again.with_data(idx=99).key == tasks[3].key
    with pytest.raises(ValueError, match="is infinite"):
        endless.shuffle()


def test_pictures_reach_the_model(tmp_path: Path, serve: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("resvg_py", reason="needs resvg-py")
    monkeypatch.syspath_prepend(str(tmp_path / "rlgym-tasks"))
    recipe: dict[str, Any] = {"count": 2, "levels": [0.2]}
    endpoint = serve(list(sample("sudoku", **recipe)))
    traces = played(tmp_path, endpoint, "oracle", names=["sudoku"], image_size=64, **recipe)
    assert [trace.reward for trace in traces] == [1, 1]
    contents = [asked["messages"][-1]["content"] for asked in endpoint.asked]
    assert all(content[0]["image_url"]["url"].startswith("data:image/png;base64,") for content in contents)
    assert contents[0][0] != contents[1][0]
    [task, _] = RlgymTaskset(RlgymConfig(names=["sudoku"], image_size=64, **recipe))
    assert [part.type for part in task.data.prompt[0].content] == ["image_url", "text"]


def test_turn_rewards_are_in_the_trace() -> None:
    row = next(sample("taxi_text", 1, levels=[0.5]))
    task, turns = RlgymTask.of(row), json.loads(row["oracle_response"])
    trace = traced(task, turns)
    asyncio.run(task.score(trace))
    rewards = trace.info["rlgym"]["turn_rewards"]
    assert len(rewards) == len(turns)
    assert sum(reward > 0 for reward in rewards) > 1
    assert sum(rewards) == pytest.approx(trace.reward)
    broken = traced(task, turns[:1])
    asyncio.run(task.score(broken))
    assert broken.reward == 0


def test_the_page_runs(tmp_path: Path, serve: Any, record: Any, capsys: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    rows = list(sample(["chain_sum", "maze_walk"], 4, levels=[0.2]))
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("ENDPOINT", serve(rows).url)
    monkeypatch.setattr(sys, "path", [*sys.path])
    Path("page.py").write_text(page("verifiers"))
    runpy.run_path("page.py")
    shown = [line for line in capsys.readouterr().out.splitlines() if " 1.0" in line]
    assert len(shown) == 4
    monkeypatch.undo()
    record("verifiers", "verifiers", example="run by the test")
