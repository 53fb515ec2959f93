"""Metrics of judges against numbers calculated by hand, and their place in the report."""

import json

import pytest

import rlgym
from rlgym.evaluate.metrics.judging import judging
from rlgym.evaluate.report.sections import judging_section


def row(env, parts, right=False, masked=False):
    return {"env": env, "parts": json.dumps(parts), "right": right, "masked": masked}


def test_f1_of_each_verdict():
    first = {"right_as_right": 0.5, "right_as_wrong": 0.25, "wrong_as_wrong": 0.25}
    second = {"right_as_right": 0.25, "wrong_as_right": 0.5, "invalid_as_wrong": 0.25}
    [found] = judging([row("x:grade_solution", first), row("y:grade_solution", second)])
    # right: TP .375, occurs .5, said .625; wrong: TP .125, occurs .375, said .375; invalid: TP 0, occurs .125, said 0
    assert found["f1"] == {"right": pytest.approx(0.75 / 1.125), "wrong": pytest.approx(0.25 / 0.75), "invalid": 0}
    assert found["accuracy"] == pytest.approx(0.5)
    assert found["samples"] == 2
    [only] = judging([row("x:grade_solution", {"right_as_right": 1.0})])
    assert only["f1"] == {"right": 1, "wrong": None, "invalid": None}


def test_f1_by_the_type_of_the_judged_answers():
    """Integers and walks of towns apart; names that are no environment here have no type."""
    right, wrong = {"right_as_right": 1.0}, {"right_as_wrong": 0.5, "wrong_as_wrong": 0.5}
    rows = [row("chain_sum:grade_solution", right), row("hamiltonian_path:grade_solution", wrong), row("x:grade_solution", wrong)]
    [found] = judging(rows)
    integer, words = (rlgym.environment(name).answer.format for name in ("chain_sum", "hamiltonian_path"))
    assert set(found["by_type"]) == {integer, words}
    assert found["by_type"][integer] == {"samples": 1, "accuracy": 1.0, "f1": {"right": 1, "wrong": None, "invalid": None}}
    # Wrong: TP .5, occurs .5, said 1.
    assert found["by_type"][words]["f1"]["wrong"] == pytest.approx(2 * 0.5 / 1.5)
    assert found["samples"] == 3
    assert f"{words}: accuracy" in judging_section([found])


def test_biases_of_pairs_and_candidates():
    pair = {"A_as_A": 0.5, "B_as_A": 0.25, "B_as_B": 0.25, "longer_said": 0.75, "longer_right": 0.5}
    other = {"A_as_B": 0.25, "B_as_A": 0.25, "B_as_B": 0.5, "longer_said": 0.25, "longer_right": 0.25}
    best = {"first_said": 1.0, "first_right": 0.0, "longest_said": 0.0, "longest_right": 1.0}
    found = judging([row("x:pairwise", pair), row("x:pairwise", other), row("x:best_of", best), row("x:best_of", best, right=True)])
    assert [each["kind"] for each in found] == ["pairwise", "best_of"]
    assert (found[0]["accuracy"], found[0]["position_bias"], found[0]["length_bias"]) == (0.625, 0.125, 0.125)
    assert (found[1]["accuracy"], found[1]["position_bias"], found[1]["length_bias"]) == (0.5, 1, -1)


def test_other_tasks_masked_and_unreadable_samples_do_not_count():
    parts = {"right_as_right": 1.0}
    assert (
        judging([row("x", parts), row("x:choose", parts), row("x:grade_solution", {}), row("x:grade_solution", parts, masked=True)]) == []
    )
    assert judging_section([]) == ""


def said(language, seed, answer, right, kind="pairwise", sample=0):
    env = f"chain_sum:{kind}:{language}" if language else f"chain_sum:{kind}"
    parts = {"A_as_A": 1.0} if kind == "pairwise" else {"right_as_right": 1.0}
    return row(env, parts, right) | {"level": 0.5, "seed": seed, "sample": sample, "answer": answer}


def test_languages_are_compared_on_the_same_instance():
    rows = [
        said("", 1, "<answer>A B</answer>", True),
        said("de", 1, "<answer>A B</answer>", True),
        said("zh", 1, "\\boxed{A A}", False),
        said("", 2, "<answer>B B</answer>", False),
        said("de", 3, "<answer>B B</answer>", False),
        said("zh", 2, None, False),
    ]
    [found] = judging(rows)
    assert found["by_language"] == {
        "de": {"samples": 2, "accuracy": 0.5},
        "en": {"samples": 2, "accuracy": 0.5},
        "zh": {"samples": 2, "accuracy": 0.0},
    }
    # Task 1: en and de agree, each of them half with zh; task 2: an unreadable answer agrees with none.
    assert found["agreement"] == {"share": pytest.approx((1 + 0.5 + 0.5 + 0) / 4), "pairs": 4}
    assert "pairwise, zh: accuracy" in judging_section([found])
    assert "Languages agree" in judging_section([found])


def test_words_of_two_languages_are_the_same_verdicts():
    rows = [
        said("", 1, "<answer>right wrong</answer>", True, "grade_solution"),
        said("ja", 1, "<answer>正解 不正解</answer>", True, "grade_solution"),
    ]
    [found] = judging(rows)
    assert found["agreement"] == {"share": 1, "pairs": 1}
    short = said("de", 1, "<answer>richtig</answer>", False, "grade_solution")
    masked = said("fr", 1, "<answer>correcte correcte</answer>", False, "grade_solution") | {"masked": True}
    # A verdict that is missing agrees with none.
    [uneven] = judging([rows[0], short, masked])
    assert (uneven["agreement"], uneven["by_language"].keys()) == ({"share": 0.5, "pairs": 1}, {"de", "en"})
    assert judging(rows[:1])[0]["agreement"] is None
    assert judging(rows[:1])[0]["by_language"] == {}


def test_a_judge_that_always_says_a_word_is_described():
    """Real tasks: the share of the word among the true verdicts is what a constant judge gets."""
    rows, occurs = [], 0
    for seed in range(20):
        task = rlgym.task("chain_sum:pairwise", seed, level=0.2)
        right = rlgym.environment("chain_sum:pairwise").solve(task)
        occurs += right.count("A") / len(right) / 20
        score = rlgym.score(task, f"<answer>{' '.join('A' * len(right))}</answer>")
        rows.append(row("chain_sum:pairwise", dict(score.parts), score.value == 1))
    [found] = judging(rows)
    assert found["accuracy"] == pytest.approx(occurs)
    assert found["position_bias"] == pytest.approx(1 - occurs)
    section = judging_section([found])
    assert "pairwise" in section
    assert f"{100 * found['position_bias']:+.1f}" in section
