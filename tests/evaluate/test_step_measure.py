"""Measures of a scorer of steps by hand, with and without parts of the steps, and the comparison of ways to choose among samples."""

import json

import pytest
from evaluate.step_cases import Fixed
from evaluate.test_scored import Critic, run
from evaluate.test_strategies import SUITE
from typer.testing import CliRunner

from rlgym.cli import app
from rlgym.evaluate.episodes.episode import EpisodeConfig
from rlgym.evaluate.metrics.step_errors import step_error_metrics
from rlgym.evaluate.models.base import Sampling
from rlgym.evaluate.plan import EvaluationPlan
from rlgym.evaluate.step_texts import step_ends
from rlgym.evaluate.steps import StepRecord, write_records
from rlgym.evaluate.steps.ablation import stripped, without
from rlgym.evaluate.steps.measure import measure_scorer, measures
from rlgym.evaluate.steps.records import StepsError
from rlgym.evaluate.strategies.run import run_strategies


def made(task, right, steps, labels):
    text = "\n".join(steps)
    return StepRecord(task, 0, "chain_sum", 1, 0.1, 1, "?", text, right, step_ends(text), labels={"exact": labels})


GIVEN = [
    made("t1", True, ["We add: 2 + 3 = 5.", "So <answer>5</answer>"], (1, 1)),
    made("t1", False, ["We add: 2 + 3 = 5.", "So <answer>6</answer>"], (1, 0)),
    made("t2", True, ["Surely 4 + 3 = 7.", "So <answer>7</answer>"], (1, 1)),
    made("t2", False, ["Perhaps 4 + 3 = 8.", "So <answer>8</answer>"], (0, None)),
]


def test_the_measures_by_hand():
    found = measures(GIVEN, [[0.9, 0.8], [0.9, 0.1], [0.4, 0.9], [0.7, 0.2]], "exact")
    # Of seven labelled steps, the first of the third and of the fourth response are judged wrongly.
    assert found["step_accuracy"] == pytest.approx(5 / 7)
    # Wrong solutions: the second is found, and the fourth's error is put at its second step. Sound ones: the third is refused.
    assert (found["error_accuracy"], found["sound_accuracy"], found["f1"]) == (0.5, 0.5, 0.5)
    assert found["right_wrong_process"] == 0.5
    assert found["min_last"] == 0.75
    # The least scores are 0.8 and 0.1, and 0.4 and 0.2: the right one of each pair wins.
    assert (found["solve_rate"], found["best_of"], found["pass_at"]) == (0.5, {2: 1.0}, {2: 1.0})
    # By the last score too; by that of other steps the second response would tie with the first.
    assert measures(GIVEN, [[0.9, 0.8], [0.9, 0.9], [0.4, 0.9], [0.7, 0.2]], "exact", reduce="last")["best_of"] == {2: 0.5}


def test_the_harmonic_mean_of_two_accuracies():
    assert step_error_metrics([(2, 2), (1, 0), (0, 0), (-1, -1)]) == {
        "solutions": 4,
        "error_accuracy": pytest.approx(2 / 3),
        "sound_accuracy": 1,
        "f1": pytest.approx(0.8),
    }
    assert step_error_metrics([(2, -1), (-1, 2)])["f1"] == 0
    assert step_error_metrics([(2, 2)])["f1"] is None


@pytest.mark.parametrize(
    ("step", "formulas", "prose"),
    [
        ("So 12 - 5 = 7 apples are left.", "12 - 5 = 7", "So apples are left."),
        ("The sum is -6.", "-6.", "The sum is"),
        ("Let $x + 1$ be a prime.", "$x + 1$", "Let be a prime."),
        (r"We have \(a^2\) and b.", r"\(a^2\) b.", "We have and"),
        ("So <answer>x is 6</answer>", "<answer>x is 6</answer>", "So <answer>x is 6</answer>"),
        ("Hence it holds.", "...", "Hence it holds."),
        ("2 + 2 = 4", "2 + 2 = 4", "..."),
    ],
)
def test_steps_without_prose_and_without_formulas(step, formulas, prose):
    assert stripped(step, "prose") == formulas
    assert stripped(step, "formulas") == prose


def test_a_scorer_that_reads_formulas_fails_without_them():
    # It knows wrong sums, and nothing of the words around them.
    scorer = Fixed(lambda step: 0.1 if "4 + 3 = 8" in step or "6" in step else 0.9)
    whole, plain, bare = measure_scorer(GIVEN, scorer, "exact", left_out=["prose", "formulas"])
    assert (whole["f1"], whole["best_of"]) == (1, {2: 1})
    assert {name: value for name, value in plain.items() if name != "steps"} == {
        name: value for name, value in whole.items() if name != "steps"
    }
    assert (plain["steps"], bare["steps"]) == ("without prose", "without formulas")
    # The answers stay, so that the wrong one of them is still found.
    assert bare["error_accuracy"] == 0.5
    assert bare["f1"] < whole["f1"]
    cut = without(GIVEN[3], "formulas")
    assert (cut.steps, cut.labels) == (["Perhaps", "So <answer>8</answer>"], GIVEN[3].labels)
    with pytest.raises(StepsError, match="no part 'words'"):
        without(GIVEN[0], "words")


def test_votes_own_verdicts_and_scorers_are_compared_by_difficulty(tmp_path):
    model = Critic(0.9)
    scorer = Fixed(lambda step: 0.9 if step in model.answers.values() else 0.2)
    plan = EvaluationPlan(SUITE, model, EpisodeConfig(Sampling()), scorer=scorer)
    names = ["majority", "best_of_n", "critic_best_of_n", "scorer_best_of_n"]
    summary = run_strategies(plan, names, {"n": 6}, tmp_path)
    assert summary["strategies"]["scorer_best_of_n"]["accuracy"] == summary["strategies"]["scorer_best_of_n"]["ceiling"]
    assert summary["strategies"]["critic_best_of_n"]["accuracy"] > summary["strategies"]["majority"]["accuracy"] - 0.1
    assert len(summary["quintiles"]) > 1
    for part in summary["quintiles"]:
        assert set(part["accuracy"]) == set(names)
    assert run(tmp_path / "plain", model, "majority")["strategies"]["majority"]["accuracy"] > 0


def test_the_command_measures_a_scorer(tmp_path):
    pytest.importorskip("torch")
    from train.small_models import small_model

    from rlgym.train.config.sections import ModelConfig
    from rlgym.train.model.backend import load_policy_model
    from rlgym.train.model.state import save_policy_model

    folder = tmp_path / "scorer" / "model"
    small_model(folder, num_layers=1, hidden_size=32)
    save_policy_model(load_policy_model(ModelConfig(path=str(folder)), value_head=True), folder, "", True)
    write_records(tmp_path / "steps.jsonl", GIVEN)
    words = ["steps", "eval", tmp_path, "--scorer", tmp_path / "scorer", "--without", "prose,formulas"]

    def said(*more, code=0):
        done = CliRunner().invoke(app, [str(word) for word in (*words, *more)])
        assert done.exit_code == code, (done.output, done.exception)
        return done

    found = json.loads(said("--json").stdout)
    assert [facts["steps"] for facts in found] == ["whole", "without prose", "without formulas"]
    # A new head says 0 everywhere: all steps are wrong.
    assert (found[0]["sound_accuracy"], found[0]["right_wrong_process"], found[0]["best_of"]) == (0, 1, {"2": 0.5})
    assert "without formulas" in said().stdout
    assert "--reduce must be one of min, last" in str(said("--reduce", "max", code=1).exception)
    assert "no labels of the source 'rates'" in str(said("--labels", "rates", code=1).exception)
