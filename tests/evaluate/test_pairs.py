"""Forecasts of pairs: proper scores of drawn runs, and what a model does not know, read from how much the first result moves its second forecast."""

import json
from dataclasses import replace
from fractions import Fraction

import pytest

import rlgym
from rlgym.evaluate.episodes.episode import EpisodeConfig
from rlgym.evaluate.metrics.pairs import epistemic_confidence, pairs
from rlgym.evaluate.models.base import Sampling
from rlgym.evaluate.models.builtin import BuiltinModel
from rlgym.evaluate.plan import EvaluationPlan
from rlgym.evaluate.report.certainty import pairs_section
from rlgym.evaluate.run import evaluate
from rlgym.evaluate.suites import from_names
from rlgym.rewards import combined_shaping

NAME = "paired_forecast"
DECLARED = rlgym.environment(NAME)


def tasks(count, level=0.0):
    return [rlgym.task(NAME, seed, level=level) for seed in range(count)]


def row(task, answer):
    return {"env": NAME, "parts": json.dumps(DECLARED.verify(task, answer).parts), "masked": False}


def even(task, again):
    """Every result as likely as any other, and the same again with a probability of `again`."""
    names = [name for name, _ in task.data.answer]
    return tuple((name, Fraction(1, task.data.results) if name[0] == "p" else Fraction(again)) for name in names)


def afresh(count):
    return [task for task in tasks(count) if all(bag.mode == "returned" for bag in task.data.bags)]


@pytest.mark.parametrize(("seed", "level"), [(1, 0.0), (4, 0.4)])
def test_the_parts_are_proper_scores_of_pairs(seed, level):
    """Over all pairs of runs, weighted by the process, no forecast scores better than the process itself."""
    task = rlgym.task(NAME, seed, level=level)
    right = dict(DECLARED.solve(task))
    results = range(task.data.results)

    def expected(answer):
        """The mean scores over first results, each with the same one again or with another, as the parts only ask for that."""
        total = 0.0
        for first in results:
            for second, chance in ((first, right[f"q{first}"]), ((first + 1) % task.data.results, 1 - right[f"q{first}"])):
                drawn = replace(task, data=task.data.model_copy(update={"drawn": (first, second)}))
                parts = DECLARED.verify(drawn, answer).parts
                total += float(right[f"p{first}"] * chance) * (parts["first_score"] + parts["second_score"])
        return total

    best = expected(tuple(right.items()))
    for name in right:
        for step in (Fraction(-1, 20), Fraction(1, 20)):
            if 0 <= right[name] + step <= 1:
                assert expected(tuple((right | {name: right[name] + step}).items())) < best - 1e-6


@pytest.mark.parametrize("family", [NAME, f"{NAME}:shift"])
@pytest.mark.parametrize("level", [0.25, 0.5, 1.0])
def test_no_cheap_forecast_is_paid_where_several_draws_make_up_a_run(family, level):
    """Neither equal probabilities, nor a second run that is certain, nor one that ignores the first, even to 4 digits."""
    for seed in range(40):
        task = rlgym.task(family, seed, level=level)
        right, results = dict(DECLARED.solve(task)), task.data.results
        following = {f"q{k}": f"p{(k + task.data.crossed) % results}" for k in range(results)}
        for cheap in (
            dict.fromkeys(right, Fraction(1, results)),
            {name: right[following[name]] if name in following else right[name] for name in right},
            {name: Fraction(not task.data.crossed) if name in following else right[name] for name in right},
        ):
            text = ", ".join(f"{name} = {float(value):.5f}" for name, value in cheap.items())
            for answer in (tuple(cheap.items()), DECLARED.answer.parse(text)):
                assert DECLARED.verify(task, answer).value == 0


def test_whoever_knows_the_process_does_not_cheat():
    rows = [row(task, DECLARED.solve(task)) for task in tasks(80)]
    [found] = pairs([*rows, {**rows[0], "masked": True}, {**rows[0], "parts": "{}"}])
    assert (found["samples"], found["unreadable"]) == (81, pytest.approx(1 / 81))
    assert found["gain"] == pytest.approx(found["process_gain"])
    assert 10 < found["known"]["samples"] < 60
    assert found["known"]["confidence"] == pytest.approx(1)
    assert (found["known"]["variance"], found["known"]["squared_error"]) == (pytest.approx(0, abs=1e-12), pytest.approx(0, abs=1e-12))
    assert found["known"]["unconfident_error"] is None


def test_a_calibrated_cheater_states_its_own_error():
    """One who cannot work a process out says 1/2 for each result; how far processes are from that is how far the first result should move it."""
    rows = afresh(300)
    firsts = [float(Fraction(value)) for task in rows for name, value in task.data.answer if name[0] == "p"]
    again = sum(p * p for p in firsts) / sum(firsts)
    [calibrated] = pairs([row(task, even(task, again)) for task in rows])
    assert calibrated["known"]["variance"] == pytest.approx(calibrated["known"]["squared_error"])
    assert calibrated["known"]["squared_error"] > 0.005
    assert calibrated["known"]["confidence"] == pytest.approx(0.5 / again)
    assert calibrated["gain"] > calibrated["process_gain"] == pytest.approx(0)
    [sure] = pairs([row(task, even(task, Fraction(1, 2))) for task in rows])
    assert (sure["known"]["confidence"], sure["known"]["variance"], sure["gain"]) == (1, 0, 0)
    assert sure["likelihood"]["pair"] < calibrated["likelihood"]["pair"]
    assert sure["known"]["confident_error"] > 0.05


def test_confidence_is_a_share():
    assert epistemic_confidence(0.2, 0.4) == 0.5
    assert epistemic_confidence(0.4, 0.2) == epistemic_confidence(0.0, 0.0) == 1
    assert epistemic_confidence(0.0, 1.0) == 0


def test_training_is_paid_by_the_drawn_pairs():
    weights = {"parts": {"weights": {"first_score": 1, "second_score": 1}}}
    shaping = combined_shaping(weights, wrong_may_outrank=True)
    for seed in range(6):
        env = rlgym.make(NAME, level=0.0, rewards=shaping)
        env.reset(seed=seed)
        _, reward, _, _, info = env.step("<answer>p0 = 1/2, q0 = 2/3, p1 = 1/2, q1 = 2/3</answer>")
        parts = info["score"].parts
        assert parts["second_score"] == pytest.approx(1 - (1 / 3 if parts["came_again"] else 2 / 3) ** 2)
        assert reward == pytest.approx((parts["first_score"] + parts["second_score"]) / 2)


def test_a_run_reports_pairs(tmp_path):
    suite = from_names([NAME], levels=[0.0], count=24)
    evaluate(EvaluationPlan(suite, BuiltinModel("oracle", suite.rows), EpisodeConfig(Sampling())), tmp_path)
    [found] = json.loads((tmp_path / "summary.json").read_text())["pairs"]
    assert found["known"]["confidence"] == pytest.approx(1)
    assert found["gain"] == pytest.approx(found["process_gain"])
    assert "Forecasts of pairs" in (tmp_path / "report.html").read_text()
    assert pairs_section([]) == ""
