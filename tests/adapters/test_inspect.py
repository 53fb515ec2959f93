"""Tasks for Inspect, run by its own eval with a scripted model."""

from __future__ import annotations

import gc
import json
import math
import runpy
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("inspect_ai", reason="inspect-ai is not installed")

from adapters.agreement import WORLDS, Case, RowError, cases, damaged, page, rows
from adapters.planted import broken_verifier
from inspect_ai import eval as evaluate
from inspect_ai import score as score_again
from inspect_ai.model import ModelOutput, ModelUsage, get_model
from inspect_ai.solver import generate

import rlgym
from rlgym.adapters.inspect import from_rows, gym, play, verdict
from rlgym.dataset import Session, sample

pytestmark = [
    pytest.mark.filterwarnings("ignore::DeprecationWarning"),
    pytest.mark.filterwarnings("ignore::ResourceWarning"),
    pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning"),
]

Say = Callable[[list[Any], list[Any]], ModelOutput]


@pytest.fixture(autouse=True, scope="module")
def swept() -> Iterator[None]:
    """Streams that Inspect leaves open are collected within this module, where the warnings of that are filtered."""
    yield
    gc.collect()


def run(task: Any, say: Say, folder: Path, status: str = "success", **more: Any) -> Any:
    def answer(messages: list[Any], tools: list[Any], choice: Any, config: Any) -> ModelOutput:
        output = say(messages, tools)
        output.usage = ModelUsage()  # else the tokens are counted, for which a vocabulary would be downloaded
        return output

    model = get_model("mockllm/model", custom_outputs=answer, memoize=False)
    [log] = evaluate(task, model=model, log_dir=str(folder), display="none", log_level="error", log_realtime=False, **more)
    assert log.status == status, log.error
    return log


def scores(log: Any) -> dict[str, float]:
    return {found.id: found.scores["verdict"].value for found in log.samples}


def says(given: list[Case]) -> Say:
    """A model that answers each case's prompt with its response, turn by turn; where the kind is named below the prompt, with that one."""
    by_prompt = {case.row["messages"][0]["content"] + below: case for case in given for below in ("", named(case))}

    def say(messages: list[Any], tools: list[Any]) -> ModelOutput:
        case = by_prompt[messages[0].text]
        turn = sum(message.role == "assistant" for message in messages)
        return ModelOutput.from_content("mockllm", case.response if case.single else case.response[turn])

    return say


def named(case: Case) -> str:
    return f"\n({case.kind})"


def test_scores_are_those_of_rlgym(tmp_path: Path, record: Any) -> None:
    """All cases in one eval; their ids and prompts differ by the kind of response."""
    task = from_rows([case.row for case in cases()], native_tools=False)
    for sample_, case in zip(task.dataset, cases(), strict=True):
        sample_.id, sample_.input = sample_.id + named(case), sample_.input + named(case)
    log = run(task, says(list(cases())), tmp_path, log_buffer=len(cases()), score_display=False)
    assert scores(log) == {case.row["id"] + named(case): case.score for case in cases()}
    assert log.results.scores[0].metrics["mean"].value == pytest.approx(sum(case.score for case in cases()) / len(cases()))
    seen = f"{len(cases(False))} single and {len(cases(True))} many-turn cases"
    record("inspect", "inspect-ai", scored=len(cases()), agreement=seen, single="eval", many="eval")


@pytest.mark.parametrize("name", ["calculator_and_lookup", "file_system_tasks", *WORLDS])
def test_tools_are_the_models_own(name: str, tmp_path: Path, record: Any) -> None:
    row = next(sample(name, 1, levels=[0.2], seed=4))
    turns = json.loads(row["oracle_response"])
    answer: Any = rlgym.environment(name).answer

    def say(messages: list[Any], tools: list[Any]) -> ModelOutput:
        assert [tool.name for tool in tools] == [tool["function"]["name"] for tool in answer.schemas()]
        turn = sum(message.role == "assistant" for message in messages)
        response = [json.loads(answer.render((call,))) for call in answer.parse_response(turns[turn], "tag")]
        output = ModelOutput.for_tool_call("mockllm", response[0]["tool"], response[0]["arguments"])
        for call in response[1:]:
            more = ModelOutput.for_tool_call("mockllm", call["tool"], call["arguments"])
            output.choices[0].message.tool_calls += more.choices[0].message.tool_calls
        return output

    log = run(from_rows([row]), say, tmp_path)
    assert scores(log) == {row["id"]: 1}
    messages = log.samples[0].messages
    assert {message.role for message in messages} == {"user", "assistant", "tool"}
    assert "<answer>" not in messages[0].text
    [repeated] = score_again(log, verdict(), display="none").samples
    assert repeated.scores["verdict"].value == 1
    record("inspect", "inspect-ai", tools="native tool calls, several a message; or calls as text")


def test_a_tool_call_that_is_no_json_uses_up_a_turn(tmp_path: Path) -> None:
    row = next(sample("calculator_and_lookup", 1))

    def say(messages: list[Any], tools: list[Any]) -> ModelOutput:
        output = ModelOutput.for_tool_call("mockllm", "submit", {})
        output.choices[0].message.tool_calls[0].parse_error = 'bad <answer>{"tool": "submit"}</answer>'
        return output

    log = run(from_rows([row]), say, tmp_path)
    assert scores(log) == {row["id"]: 0}
    report = [message for message in log.samples[0].messages if message.role == "tool"]
    assert len(report) == Session(row).max_turns - 1
    assert all("could not be read" in message.text and message.function == "submit" for message in report)


def test_what_is_not_the_models_fault_is_unscored(tmp_path: Path) -> None:
    task = gym(["chain_sum", "gcd_lcm"], 4)
    with broken_verifier("chain_sum"):
        log = run(task, lambda messages, tools: ModelOutput.from_content("mockllm", "<answer>-99999</answer>"), tmp_path)
    found = {sample_.metadata["env"]: sample_.scores["verdict"] for sample_ in log.samples}
    assert math.isnan(found["chain_sum"].value)
    assert found["chain_sum"].reason == "scoring_failed"
    assert found["gcd_lcm"].value == 0
    assert log.results.scores[0].scored_samples == 2
    assert log.results.scores[0].unscored_samples == 2


def test_other_solvers_work_for_one_turn_and_are_refused_for_many(tmp_path: Path) -> None:
    given = [case for case in cases(False) if case.kind == "oracle"][:3]
    task = from_rows([case.row for case in given])
    task.solver = generate()
    assert set(scores(run(task, says(given), tmp_path)).values()) == {1}
    task = from_rows(rows(True)[:1])
    task.solver = generate()
    log = run(task, lambda messages, tools: ModelOutput.from_content("mockllm", "hm"), tmp_path, status="error")
    assert "needs the solver" in log.error.message


def test_a_limit_ends_an_episode_as_not_played_to_its_end(tmp_path: Path) -> None:
    row = next(sample("higher_lower", 1, levels=[0.5]))
    log = run(from_rows([row]), lambda messages, tools: ModelOutput.from_content("mockllm", "hm"), tmp_path, message_limit=3)
    assert scores(log) == {row["id"]: 0}
    assert "to its end" in log.samples[0].scores["verdict"].explanation


@pytest.mark.parametrize(("row", "identity"), damaged())
def test_damaged_rows_are_refused(row: dict[str, Any], identity: str) -> None:
    with pytest.raises(RowError, match=identity):
        from_rows([rows(False)[0], row])


def test_the_page_runs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], record: Any) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "page.py").write_text(page("inspect"))
    runpy.run_path(str(tmp_path / "page.py"))
    assert capsys.readouterr().out.split() == ["success", "0.0"]
    assert play is not None
    record("inspect", "inspect-ai", example="the page's example")


def test_pictures_reach_the_model(tmp_path: Path) -> None:
    """The picture and the text of each turn, in one turn and in many."""
    pytest.importorskip("resvg_py", reason="needs resvg-py")
    chosen = [*sample("sudoku", 2, levels=[0.2]), *sample("snake_text", 1, levels=[0.2])]
    by_prompt = {row["messages"][0]["content"]: row for row in chosen}
    seen: list[str] = []

    def say(messages: list[Any], tools: list[Any]) -> ModelOutput:
        [picture, _] = messages[-1].content
        seen.append(picture.image)
        session = Session(by_prompt[messages[0].text])
        for message in messages:
            if message.role == "assistant":
                session.step(message.text)
        return ModelOutput.from_content("mockllm", session.oracle())

    log = run(from_rows(chosen, image_size=64), say, tmp_path)
    assert set(scores(log).values()) == {1}
    assert len(seen) > 3
    assert len(set(seen)) == len(seen)
    assert all(url.startswith("data:image/png;base64,") for url in seen)
