"""Questions that the text leaves open: metrics against numbers calculated by hand, from real verdicts, and in the report."""

import json

import pytest

import rlgym
from rlgym.evaluate.episodes.episode import EpisodeConfig
from rlgym.evaluate.episodes.results import load
from rlgym.evaluate.metrics.answerability import answerability, fitted_threshold
from rlgym.evaluate.models.base import Sampling
from rlgym.evaluate.models.builtin import BuiltinModel
from rlgym.evaluate.plan import EvaluationPlan
from rlgym.evaluate.report.certainty import answerability_section
from rlgym.evaluate.run import evaluate
from rlgym.evaluate.suites import from_names
from rlgym.generators.facts.abstaining import abstention_parts, word_f1


def row(parts, env="x", masked=False, confidence=None, task="t"):
    return {"env": env, "parts": json.dumps(parts), "masked": masked, "confidence": confidence, "id": task}


def test_parts_of_an_answer_with_five_claims():
    items = [
        ("supported 1 4", "supported 1 4"),
        ("refuted 2 3", "refuted 2"),
        ("supported 5", "open"),
        ("open", "open"),
        ("open", "refuted 9"),
    ]
    parts = abstention_parts(items, "open")
    # F1 of the words: 1, 2 * 2 / (3 + 2) and 0, of five claims
    assert parts.pop("closed_f1") == pytest.approx((1 + 0.8 + 0) / 5)
    assert parts == {"closed_right": 0.2, "closed_wrong": 0.2, "closed_abstained": 0.2, "open_abstained": 0.2, "open_answered": 0.2}
    assert abstention_parts([], "open") == {}
    assert word_f1("a a b", "a c") == pytest.approx(2 / 5)


def test_errors_and_refusals_are_counted_apart():
    cautious = abstention_parts([("a", "open"), ("b", "open"), ("open", "open"), ("c", "c")], "open")
    rash = abstention_parts([("a", "a"), ("b", "c"), ("open", "x"), ("open", "y")], "open")
    unreadable = row({})
    other = row({"correct": 1.0}, env="y")
    [found] = answerability([row(cautious), row(rash), unreadable, row(rash, masked=True), other])
    assert (found["environment"], found["samples"], found["unreadable"]) == ("x", 3, pytest.approx(1 / 3))
    assert found["error_rate"] == pytest.approx(3 / 8)
    assert found["refusal_rate"] == pytest.approx(2 / 8)
    assert (found["exact_match"], found["f1"]) == (pytest.approx(2 / 5), pytest.approx(2 / 5))
    assert found["open_accuracy"] == pytest.approx(1 / 3)
    # Three abstentions, of which one is right, and three open claims.
    assert found["abstention"] == {name: pytest.approx(1 / 3) for name in ("precision", "recall", "f1")}
    assert found["threshold"] is None


def test_shares_of_nothing_are_none():
    [found] = answerability([row(abstention_parts([("a", "a")], "open"))])
    assert (found["open_accuracy"], found["exact_match"]) == (None, 1)
    assert found["abstention"] == {"precision": None, "recall": None, "f1": None}


def test_the_threshold_is_fitted_on_one_half_and_measured_on_the_other():
    """Wrong answers below 0.5 are all to open questions, so that abstaining there makes the held-out half right."""
    right, wrong = abstention_parts([("a", "a")], "open"), abstention_parts([("open", "a")], "open")
    samples = [
        (row(parts, confidence=confidence, task=f"{name}{number}"), parts)
        for number in range(20)
        for name, parts, confidence in (("r", right, 0.9), ("w", wrong, 0.3))
    ]
    found = fitted_threshold(samples)
    assert found["threshold"] == 0.9
    assert found["fitted_on"] + found["samples"] == 40
    assert (found["fitted_accuracy"], found["accuracy"]) == (1, 1)
    assert 0.2 < found["unfitted"] < 0.8
    lost = abstention_parts([("a", "b")], "open")
    assert fitted_threshold([(row(lost, confidence=0.4, task=str(k)), lost) for k in range(20)])["threshold"] == 0.0
    assert fitted_threshold([(row(lost, task=str(k)), lost) for k in range(20)]) is None


@pytest.mark.parametrize("name", ["abstain_when_unanswerable", "fact_check_claims"])
def test_verdicts_have_the_parts(name):
    counts = dict.fromkeys(("closed_right", "closed_wrong", "closed_abstained", "open_abstained", "open_answered"), 0.0)
    for seed in range(12):
        for level in (0.0, 0.8):
            task = rlgym.task(name, seed, level=level)
            declared = rlgym.environment(name)
            right = declared.solve(task)
            parts = declared.verify(task, right).parts
            assert parts["closed_right"] + parts["open_abstained"] == pytest.approx(1)
            assert parts["closed_f1"] == pytest.approx(parts["closed_right"])
            for answer in (right, *declared.mistakes(task, right)):
                parts = declared.verify(task, answer).parts
                assert not parts or sum(parts[part] for part in counts) == pytest.approx(1)
                counts = {part: counts[part] + parts.get(part, 0.0) for part in counts}
    assert all(counts.values()), counts


def test_a_run_reports_them_with_and_without_confidence(tmp_path):
    names = ["fact_check_claims", "abstain_when_unanswerable:with_confidence"]
    suite = from_names(names, levels=[0.0], count=24)
    for kind in ("oracle", "mistake"):
        evaluate(EvaluationPlan(suite, BuiltinModel(kind, suite.rows), EpisodeConfig(Sampling())), tmp_path / kind)
    right, wrong = (json.loads((tmp_path / kind / "summary.json").read_text())["answerability"] for kind in ("oracle", "mistake"))
    assert [found["environment"] for found in right] == sorted(names)
    for found in right:
        assert (found["error_rate"], found["refusal_rate"], found["exact_match"], found["f1"], found["open_accuracy"]) == (0, 0, 1, 1, 1)
    sure = right[0]["threshold"]
    assert (sure["threshold"], sure["accuracy"]) == (0.0, 1)
    assert all(found["error_rate"] + found["refusal_rate"] > 0 for found in wrong)
    assert load(tmp_path / "oracle").finished
    assert "Questions left open" in (tmp_path / "oracle" / "report.html").read_text()
    assert answerability_section([]) == ""


def test_some_claims_are_about_people_of_whom_nothing_is_told():
    strangers = [task for seed in range(40) if (task := rlgym.task("fact_check_claims", seed, level=0.5)) and _stranger(task)]
    assert 6 <= len(strangers) <= 30
    for task in strangers:
        lines = dict(task.data.lines)
        assert lines[str(1 + task.data.claims.index(_stranger(task)))] == "open"


def _stranger(task):
    told = task.prompt.partition("The claims:")[0]
    return next((claim for claim in task.data.claims if claim.start not in told), None)
