"""Tasks with knobs set by name are made again from result rows with these knobs, wherever recorded responses are used."""

import json

import pytest

import rlgym
from rlgym.audit.cases.recorded import cases_of
from rlgym.audit.reward_program import RewardProgram, accepted_program
from rlgym.core.errors import RowError
from rlgym.dataset import Session, row_without_oracle
from rlgym.dataset.judge_rows import judge_rows
from rlgym.dataset.pass_rates import PassRates
from rlgym.dataset.rows import content_hash, knobs_set_by_name, messages_of, split_of, task_of_row
from rlgym.evaluate.episodes.episode import EpisodeConfig
from rlgym.evaluate.episodes.episode_log import EPISODE_LOG
from rlgym.evaluate.episodes.results import RESULTS, load
from rlgym.evaluate.models.base import Sampling
from rlgym.evaluate.models.builtin import BuiltinModel
from rlgym.evaluate.pass_rates import record_run
from rlgym.evaluate.plan import EvaluationPlan
from rlgym.evaluate.recall_probe import cut, fresh_row, instructions, measure
from rlgym.evaluate.run import evaluate
from rlgym.evaluate.steps.label import records_of_results
from rlgym.evaluate.steps.records import StepRecord
from rlgym.evaluate.steps.sources import exact_labels
from rlgym.evaluate.suites import from_names
from rlgym.train.sft.rollouts import is_usable
from rlgym.train.tasks.spec import TaskSettings

NAME, LEVEL, KNOBS = "chain_sum", 0.2, {"terms": 9}
PROGRAM = "def reward(state, response):\n    return float('<answer>' + str(sum(state['numbers'])) in response)\n"


def row(seed, right=True, **changed):
    """A result row of a task with more terms than its level has."""
    task = rlgym.task(NAME, seed, level=LEVEL, **KNOBS)
    declared = rlgym.environment(NAME)
    steps, total = declared.explain(task)[:-1], declared.solve(task)
    text = "\n".join([*steps, f"<answer>{total + (not right)}</answer>"])
    own = row_without_oracle(NAME, seed, LEVEL, knobs=KNOBS)
    columns = {name: own[name] for name in ("id", "env", "version", "domain", "kind", "level", "seed", "knobs")}
    messages = [{"role": "user", "content": task.prompt}, {"role": "assistant", "content": text}]
    return columns | {"sample": 0, "masked": False, "right": right, "messages": json.dumps(messages)} | changed


def test_the_task_of_a_row_has_its_knobs_and_a_row_of_other_knobs_is_refused():
    task = rlgym.task(NAME, 3, level=LEVEL, **KNOBS)
    assert task_of_row(row(3)) == task
    assert knobs_set_by_name(row(3)) == KNOBS
    of_level = row_without_oracle(NAME, 3, LEVEL)
    assert task_of_row(of_level | {"knobs": None}).prompt == of_level["prompt"]
    for changed in ({"knobs": None}, {"knobs": of_level["knobs"]}, {"seed": 4}, {"id": f"{NAME}-v1-sampled-0123456789abcdef"}):
        with pytest.raises(RowError, match="cannot be made again"):
            task_of_row(row(3) | changed)


@pytest.fixture(scope="module")
def run(tmp_path_factory):
    suite = from_names(NAME, levels=[LEVEL], count=2, knobs={NAME: KNOBS})
    folder = tmp_path_factory.mktemp("run") / "of knobs"
    evaluate(EvaluationPlan(suite, BuiltinModel("oracle", suite.rows), EpisodeConfig(Sampling())), folder)
    return folder


def test_results_keep_knobs_and_answer_style_and_older_runs_are_read(run, tmp_path):
    for found in load(run).rows:
        assert json.loads(found["knobs"])["terms"] == 9
        assert found["answer_style"] == "tag"
        assert task_of_row(found).prompt in json.loads(found["messages"])[-2]["content"]
    with PassRates(tmp_path / "rates.sqlite") as rates:
        assert record_run(run, rates.file) == (2, 0)
    old = tmp_path / "old"
    old.mkdir()
    (old / "run.json").write_bytes((run / "run.json").read_bytes())
    lines = [json.loads(line) for line in (run / EPISODE_LOG).read_text().splitlines()]
    later = {"knobs", "answer_style"}
    (old / EPISODE_LOG).write_text("".join(json.dumps({k: v for k, v in line.items() if k not in later}) + "\n" for line in lines))
    assert not (old / RESULTS).exists()
    assert [found["knobs"] for found in load(old).rows] == [None, None]
    with PassRates(tmp_path / "old.sqlite") as rates:
        assert record_run(old, rates.file) == (0, 2)


def test_steps_are_labelled_on_the_task_of_the_row():
    task = rlgym.task(NAME, 5, level=LEVEL, **KNOBS)
    [record] = records_of_results([row(5)]).records
    assert record.prompt.startswith(task.prompt)
    assert exact_labels(StepRecord.from_dict(record.to_dict())) == (1.0,) * len(record.ends)
    assert records_of_results([row(5, knobs=None)]).skipped == {"of tasks whose knobs are not recorded": 1}
    older = {name: value for name, value in record.to_dict().items() if name not in ("knobs", "answer_style", "generator")}
    assert StepRecord.from_dict(older).knobs == ""


def test_cases_programs_and_judge_tasks_are_of_the_task_of_the_row():
    task = rlgym.task(NAME, 5, level=LEVEL, **KNOBS)
    [case] = cases_of([row(5)])
    assert (case.prompt, case.answer) == (task.prompt, str(rlgym.environment(NAME).solve(task)))
    assert not cases_of([row(5, knobs=None)])
    assert accepted_program(RewardProgram(PROGRAM, "reward", NAME), [row(5), row(5, right=False)]).accepted.tasks == 1
    with pytest.raises(RowError, match="knobs are not recorded"):
        accepted_program(RewardProgram(PROGRAM, "reward", NAME), [row(5, knobs=None), row(5, right=False, knobs=None)])
    [judged] = judge_rows([row(5), row(5, right=False)], "best_of").rows
    assert task.prompt in judged["prompt"]
    assert judge_rows([row(5, knobs=None)], "best_of").skipped["of tasks whose knobs are not recorded"] == 1


def test_held_out_tasks_are_those_of_the_rows_own_prompt():
    settings = TaskSettings(0, 0.5)
    usable = [is_usable(row(seed), settings) for seed in range(12)]
    prompts = [rlgym.task(NAME, seed, level=LEVEL, **KNOBS).prompt for seed in range(12)]
    assert usable == [split_of(content_hash({"env": NAME, "prompt": text}), {"train": 0.5, "test": 0.5}) == "train" for text in prompts]
    assert len(set(usable)) == 2
    assert not any(is_usable(row(seed, knobs=None), settings) for seed in range(12))


def test_the_control_of_a_task_has_its_knobs_and_answer_style():
    own = row_without_oracle(NAME, 3, LEVEL, knobs=KNOBS, answer_style="boxed")
    control = fresh_row(own, 7, 0)
    assert control["seed"] != own["seed"]
    assert (control["knobs"], control["answer_format"]) == (own["knobs"], own["answer_format"])
    assert "\\boxed{" in instructions("boxed")
    # The final answer is no part of the words that continue the prompt.
    hidden = cut(own["prompt"], 0.6)[1].split()
    assert measure(own, 0.6, " ".join([*hidden[:-1], Session(own).oracle()]))[0] == 0
    assert measure(own, 0.6, " ".join([*hidden, Session(own).oracle()])) == (1.0, 1.0, 1.0)


def test_messages_of_a_row_are_read_in_any_form():
    messages = [{"role": "user", "content": "?"}]
    assert messages_of({"messages": json.dumps(messages)}) == messages_of({"messages": messages}) == messages
    assert messages_of({"messages": None}) == messages_of({"messages": ""}) == []
