"""Tasks and scores without gymnasium."""

import json
import subprocess
import sys

import pytest

import rlgym
from rlgym import Config, knob
from rlgym.core.errors import EpisodeError, KnobError, RowError, UnknownName
from rlgym.core.score import Outcome, Score


def test_a_task_goes_to_json_and_back_with_nothing_lost():
    for name in rlgym.names():
        task = rlgym.task(name, 5, level=0.4)
        assert rlgym.load_task(json.dumps(task.to_dict())) == task
        assert rlgym.load_task(task.to_dict()) == task


def test_scores_say_what_became_of_the_answer():
    task = rlgym.task("chain_sum", 1, level=0.2)
    total = task.data.total
    assert rlgym.score(task, f"<answer>{total}</answer>") == Score(1.0, Outcome.RIGHT)
    assert rlgym.score(task, f"<answer>{total + 1}</answer>").outcome is Outcome.WRONG
    assert rlgym.score(task, f"{total}").outcome is Outcome.UNREADABLE
    assert rlgym.score(task, f"\\boxed{{{total}}}", answer_style="boxed").value == 1
    assert rlgym.score(task, f"<think><answer>0</answer></think> so <answer>{total}</answer>").value == 1
    assert "contradict" in rlgym.score(task, f"<answer>{total + 1}</answer><answer>{total}</answer>").reason


def test_a_game_is_scored_by_its_turns():
    task = rlgym.task("higher_lower", 3, level=0.0)
    assert rlgym.score(task, f"<answer>{task.data.hidden}</answer>").value == 1
    assert rlgym.score(task, ["<answer>1</answer>", "what?", f"<answer>{task.data.hidden}</answer>"]).value == 1
    assert rlgym.score(task, ["<answer>1</answer>"]).reason == "the episode was not played to its end"


def test_many_are_scored_alike_by_any_number_of_workers():
    tasks = [rlgym.task("chain_sum", seed, level=0.5) for seed in range(6)]
    responses = [f"<answer>{task.data.total + seed % 2}</answer>" for seed, task in enumerate(tasks)]
    alone = rlgym.score_many(tasks, responses)
    assert [score.value for score in alone] == [1, 0, 1, 0, 1, 0]
    assert rlgym.score_many(tasks, responses, workers=2) == alone
    with pytest.raises(RowError, match="6 rows but 1 responses"):
        rlgym.score_many(tasks, ["x"])


def test_damaged_and_foreign_tasks_are_told_apart():
    saved = rlgym.task("chain_sum", 1).to_dict()
    with pytest.raises(RowError, match="not a saved task"):
        rlgym.load_task("{]")
    with pytest.raises(RowError, match=r"data\..*|the data of this chain_sum task is damaged"):
        rlgym.load_task({**saved, "data": {"numbers": "many"}})
    with pytest.raises(RowError, match="not installed"):
        rlgym.load_task({**saved, "origin": {**saved["origin"], "name": "no_such"}})
    with pytest.raises(RowError, match="version 99, but version 1 is installed"):
        rlgym.load_task({**saved, "origin": {**saved["origin"], "version": 99}})
    with pytest.raises(RowError, match="no column 'env'"):
        rlgym.score({"question": "?"}, "x")
    with pytest.raises(EpisodeError, match="takes one response as a string"):
        rlgym.score(rlgym.task("chain_sum", 1), ["a"])


def test_a_verifier_that_raises_is_told_from_a_wrong_answer(monkeypatch):
    def broken(task, answer):
        raise ZeroDivisionError("oh")

    declared = rlgym.environment("chain_sum")
    monkeypatch.setitem(declared.__dict__, "verify", broken)
    score = rlgym.score(rlgym.task("chain_sum", 1), "<answer>1</answer>")
    assert score.outcome is Outcome.ERROR
    assert score.masked
    assert "ZeroDivisionError: oh" in score.reason
    env = rlgym.make("chain_sum", rewards=lambda score, response: 5.0)
    env.reset(seed=1)
    _, reward, over, _, info = env.step("<answer>1</answer>")
    assert (reward, over, info["masked"]) == (0.0, True, True)


def test_scores_out_of_range_cannot_be_made():
    for value in (float("nan"), -0.1, 1.1, float("inf")):
        with pytest.raises(ValueError, match="from 0 to 1"):
            Score(value, Outcome.WRONG)
    with pytest.raises(ValueError, match="only a right answer scores 1"):
        Score(1.0, Outcome.WRONG)


def test_names_domains_and_specs():
    assert rlgym.names() == sorted(rlgym.names())
    assert sum(len(rlgym.names(domain)) for domain in rlgym.domains()) == len(rlgym.names())
    with pytest.raises(UnknownName, match="Did you mean 'arithmetic'"):
        rlgym.names("arithmetics")
    for name in rlgym.names():
        spec = rlgym.spec(name)
        assert json.loads(json.dumps(spec)) == spec
        assert spec["id"] == f"rlgym/{name}-v{spec['version']}"
        assert spec["knobs"]
        assert {"easy", "hard", "default", "doc"} <= set(next(iter(spec["knobs"].values())))


def test_seeds_and_levels_out_of_range():
    for seed in (-1, 1.5, True, "1"):
        with pytest.raises(KnobError, match="seed must be an integer"):
            rlgym.task("chain_sum", seed)
    for level in (-0.1, 1.1, "high", True, float("nan")):
        with pytest.raises(KnobError, match="level must be from 0"):
            rlgym.task("chain_sum", 1, level=level)
    assert rlgym.task("chain_sum", 10**30).origin.seed == 10**30


def test_importing_is_light():
    heavy = "{'gymnasium', 'numpy', 'sympy', 'z3', 'torch', 'pyarrow', 'networkx', 'yaml', 'typer'}"
    code = f"import sys, rlgym; rlgym.names(); rlgym.task('chain_sum', 1); print(sorted({heavy} & set(sys.modules)))"
    assert subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout.strip() == "[]"


def test_no_environment_needs_a_heavy_package_to_be_imported():
    heavy = "{'gymnasium', 'numpy', 'sympy', 'z3', 'torch', 'pyarrow', 'networkx'}"
    code = f"import sys, rlgym\nfor name in rlgym.names(): rlgym.environment(name)\nprint(sorted({heavy} & set(sys.modules)))"
    assert subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout.strip() == "[]"


def test_a_knob_with_a_fraction_ends_where_it_says():
    class Shares(Config):
        share: float = knob(0.5, easy=0.3, hard=0.9, doc="rounding would carry it past 0.9")

    assert (Shares.at(0).share, Shares.at(1).share) == (0.3, 0.9)
