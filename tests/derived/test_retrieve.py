"""NAME:retrieve: what a ranking earns, by hand, and that the pool holds a right answer and answers to other tasks."""

import pytest

import rlgym
from rlgym.derived.retrieve import ndcg_at


def test_the_gain_of_a_ranking_is_that_of_the_formula():
    """By hand: a relevant answer at rank 2 has the gain 1 / log2(3) = .6309; of two relevant ones the best order has 1 + .6309."""
    assert ndcg_at(10, [True, False], 1) == 1
    assert ndcg_at(10, [False, True], 1) == pytest.approx(0.6309, abs=1e-4)
    assert ndcg_at(10, [False, True, True], 2) == pytest.approx((0.6309 + 0.5) / 1.6309, abs=1e-4)
    assert ndcg_at(10, [False] * 10 + [True], 1) == 0


def test_a_right_answer_must_come_first_and_later_ones_count_as_parts():
    declared = rlgym.environment("chain_sum:retrieve")
    task = rlgym.task("chain_sum:retrieve", 5, level=0.5)
    right = declared.solve(task)
    size = len(task.data.documents)
    assert declared.verify(task, right).value == 1
    assert declared.verify(task, right[:1]).parts == {"recall_at_1": 1.0, "ndcg_at_10": 1.0}
    second = declared.verify(task, (right[1], right[0]))
    assert second.value == 0
    assert second.parts["ndcg_at_10"] == pytest.approx(0.6309, abs=1e-4)
    for bad in ((right[0], right[0]), (size + 1,), ()):
        assert declared.verify(task, bad).value == 0
    base = rlgym.environment("chain_sum")
    inner = type(task)(task.data.question, task.data.inner)
    assert [base.verify(inner, base.answer.parse(text)).value for text in task.data.documents].count(1) == 1
