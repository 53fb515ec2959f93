"""The Tinker adapter, in the cookbook's own rollouts, over tokens."""

from __future__ import annotations

import asyncio
import json
import pickle
import runpy
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("tinker_cookbook", reason="needs tinker-cookbook>=0.6")
pytestmark = pytest.mark.filterwarnings("ignore")  # of the package and of what it stands on

import tinker  # noqa: E402
from adapters.agreement import Case, cases, damaged, page, rows  # noqa: E402
from adapters.tokens import byte_tokenizer  # noqa: E402
from tinker_cookbook.completers import TokenCompleter, TokensWithLogprobs  # noqa: E402
from tinker_cookbook.exceptions import AllTrajectoriesFailedError  # noqa: E402
from tinker_cookbook.renderers import get_renderer  # noqa: E402
from tinker_cookbook.renderers.base import ToolCall  # noqa: E402
from tinker_cookbook.rl.data_processing import assemble_training_data, compute_advantages  # noqa: E402
from tinker_cookbook.rl.rollout_strategy import RetryOnFailure  # noqa: E402
from tinker_cookbook.rl.rollouts import do_group_rollout  # noqa: E402
from tinker_cookbook.tokenizer_utils import register_tokenizer  # noqa: E402

import rlgym  # noqa: E402
from rlgym.adapters.tinker import RlgymDatasetBuilder, RlgymGroupBuilder, spoken  # noqa: E402
from rlgym.core.errors import RowError  # noqa: E402
from rlgym.dataset import Session, oracle_response, sample, to_task_json, wrong_response  # noqa: E402

CODER = byte_tokenizer()
CODER.name_or_path = "bytes"  # by which a renderer that was pickled finds it again
register_tokenizer("bytes", lambda: CODER)
RENDERER = get_renderer("role_colon", CODER)


class ScriptedModel(TokenCompleter):
    """A policy with scripted answers, turn by turn."""

    def __init__(self, *scripts: list[str], stop: str = "\n\nUser:") -> None:
        self.scripts, self.stop, self.begun = scripts, stop, 0

    async def __call__(self, model_input: tinker.ModelInput, stop: Any, *, max_tokens: int | None = None) -> TokensWithLogprobs:
        turn = CODER.decode(model_input.to_ints()).count("\n\nAssistant:") - 1
        script = self.scripts[self.begun % len(self.scripts)]
        self.begun += 1
        tokens = CODER.encode(" " + script[turn] + self.stop, add_special_tokens=False)
        return TokensWithLogprobs(tokens=tokens, maybe_logprobs=[-1.0] * len(tokens))


def script(case: Case) -> list[str]:
    return [case.response] if case.single else list(case.response)


def test_agreement_in_group_rollouts(record: Any) -> None:
    async def run() -> None:
        for case in cases():
            builder = pickle.loads(pickle.dumps(RlgymGroupBuilder(to_task_json(case.row), RENDERER, 1)))  # noqa: S301 (as to a worker)
            group = await do_group_rollout(builder, ScriptedModel(script(case)))
            assert group.get_total_rewards() == [case.score], (case.row["id"], case.kind)
            [trajectory] = group.trajectories_G
            assert trajectory.transitions[-1].metrics["right"] == (case.score == 1)
            assert not trajectory.transitions[-1].metrics["cut_short"]

    asyncio.run(run())
    record(
        "tinker",
        "tinker-cookbook",
        scored=len(cases()),
        agreement=f"{len(cases())} responses through do_group_rollout",
        tools="calls in the text",
    )


def test_groups_become_training_data(record: Any) -> None:
    for row, kind in ((rows(False)[0], "single"), (rows(True)[0], "many")):
        good, bad = oracle_response(row), wrong_response(row)
        scripts = [[good], [bad]] if isinstance(good, str) else [good, bad]
        builder = RlgymGroupBuilder(to_task_json(row), RENDERER, 1)

        async def run(builder: Any = builder, scripts: Any = scripts) -> Any:
            return [await do_group_rollout(builder, ScriptedModel(script)) for script in scripts]

        first, second = asyncio.run(run())
        first.trajectories_G += second.trajectories_G
        first.final_rewards_G += second.final_rewards_G
        first.metrics_G += second.metrics_G
        right, wrong = first.get_total_rewards()
        assert right == 1 > wrong
        data, _ = assemble_training_data([first], compute_advantages([first]))
        assert len(data) >= 2
        record("tinker", "tinker-cookbook", **{kind: "rollouts made into training data"})


def test_a_turn_that_is_cut_off_is_scored_as_it_stands() -> None:
    row = rows(True)[0]
    group = asyncio.run(
        do_group_rollout(RlgymGroupBuilder(to_task_json(row), RENDERER, 1), ScriptedModel(list(oracle_response(row)), stop=""))
    )
    [trajectory] = group.trajectories_G
    assert len(trajectory.transitions) == 1
    assert trajectory.transitions[0].metrics["cut_short"] == 1
    assert group.get_total_rewards() == [rlgym.score(row, oracle_response(row)[:1]).value]
    single = rows(False)[0]
    group = asyncio.run(
        do_group_rollout(RlgymGroupBuilder(to_task_json(single), RENDERER, 1), ScriptedModel([oracle_response(single)], stop=""))
    )
    assert group.get_total_rewards() == [1]


def test_calls_that_a_renderer_reads_count() -> None:
    row = next(row for row in rows(True) if row["env"] == "calculator_and_lookup")
    call = ToolCall(function=ToolCall.FunctionBody(name="calculate", arguments='{"expression": "1 + 1"}'), id="1")
    message = {"role": "assistant", "content": "Let me see.", "tool_calls": [call]}
    report = Session(row).step(json.dumps({"tool": "calculate", "arguments": {"expression": "1 + 1"}}))
    assert Session(row).step(spoken(message)) == report
    assert spoken({"role": "assistant", "content": "Hello"}) == "Hello"


@pytest.mark.parametrize(("row", "identity"), damaged())
def test_damaged_rows_are_refused(row: dict[str, Any], identity: str) -> None:
    good = json.loads(to_task_json(rows(False)[0]))
    builder = RlgymGroupBuilder(json.dumps(good | {key: row[key] for key in good}), RENDERER, 1)
    with pytest.raises(RowError, match=identity):
        asyncio.run(do_group_rollout(builder, ScriptedModel(["1"])))


def test_what_is_not_the_models_fault_is_left_out(monkeypatch: pytest.MonkeyPatch) -> None:
    row = rows(False)[0]
    builder = RlgymGroupBuilder(to_task_json(row), RENDERER, 1)
    full = Session.score.fget  # type: ignore[attr-defined]
    broken = rlgym.Score.nothing(rlgym.Outcome.ERROR, "no sandbox")
    monkeypatch.setattr(Session, "score", property(lambda self: broken if "broken" in str(self.messages) else full(self)))
    with pytest.raises(RuntimeError, match="no sandbox"):
        asyncio.run(do_group_rollout(builder, ScriptedModel(["broken"])))
    group = asyncio.run(
        do_group_rollout(builder, ScriptedModel(["broken"], [oracle_response(row)]), strategy=RetryOnFailure(max_retries=1))
    )
    assert group.get_total_rewards() == [1]
    with pytest.raises((AllTrajectoriesFailedError, RuntimeError)):
        asyncio.run(do_group_rollout(builder, ScriptedModel(["broken"]), strategy=RetryOnFailure(max_retries=1)))


def test_datasets_repeat_and_share_no_task() -> None:
    builder = RlgymDatasetBuilder(
        model_name_for_tokenizer="bytes", renderer_name="role_colon", names=["chain_sum"], batch_size=8, batches=3, test_count=10
    )
    train, test = asyncio.run(builder())
    repeated, _ = asyncio.run(builder())
    assert test is not None
    last = [item.task_json for item in repeated.get_batch(2)]
    assert [item.task_json for item in train.get_batch(2)] == last
    drawn = [json.loads(item.task_json)["prompt"] for index in range(3) for item in train.get_batch(index)]
    assert len(set(drawn)) == 24 == len(train) * 8
    assert not set(drawn) & {json.loads(item.task_json)["prompt"] for item in test.get_batch(0)}
    with pytest.raises(IndexError):
        train.get_batch(3)


def test_the_page_runs(tmp_path: Path, record: Any, capsys: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MODEL", "bytes")
    (tmp_path / "page.py").write_text(page("tinker"))
    runpy.run_path(str(tmp_path / "page.py"))
    assert len(capsys.readouterr().out.splitlines()) == 4
    record("tinker", "tinker-cookbook", example="run by the test")


def test_turn_rewards_sum_to_the_score() -> None:
    row = next(sample("taxi_text", 1, levels=[0.5]))
    turns = oracle_response(row)

    async def run(script: list[str]) -> Any:
        builder = RlgymGroupBuilder(to_task_json(row), RENDERER, 1, turn_rewards=True)
        return await do_group_rollout(builder, ScriptedModel(script))

    for script, total in ((turns, 1), (["I give up."] * 100, 0), ([turns[0], *["I give up."] * 100], 0)):
        group = asyncio.run(run(script))
        assert group.get_total_rewards() == pytest.approx([total])
        [trajectory] = group.trajectories_G
        assert any(transition.reward > 0 for transition in trajectory.transitions[:-1]) == (script[0] == turns[0])
