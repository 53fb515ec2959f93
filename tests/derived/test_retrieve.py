"""NAME:retrieve: what a ranking earns, by hand, and that the pool holds a right answer and answers to other tasks."""

from difflib import SequenceMatcher

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


def test_the_pool_has_one_right_answer_in_any_place_among_wrong_ones_and_answers_to_other_tasks():
    """Of short sums many are equal: an answer to another task that is right for this one is left out."""
    base, places = rlgym.environment("chain_sum"), set()
    for seed in range(60):
        task = rlgym.task("chain_sum:retrieve", seed, level=0.0)
        inner = type(task)(task.data.question, task.data.inner)
        values = [base.verify(inner, base.answer.parse(text)).value for text in task.data.documents]
        assert values.count(1) == 1
        places.add(values.index(1))
    assert len(places) == 5
    # 15 of the 20 are the right answer and wrong ones to the task itself.
    assert {len(rlgym.task("chain_sum:retrieve", seed, level=1.0).data.documents) for seed in range(5)} == {20}


@pytest.mark.parametrize("kind", ["retrieve", "choose"])
@pytest.mark.parametrize("name", ["josephus", "topological_order", "symbolic_regression", "chain_sum"])
def test_the_answer_most_like_all_others_is_seldom_right(name, kind):
    """Near misses of the right answer alone would make it the one in the middle: that was right in two of three pools."""
    declared, hits = rlgym.environment(f"{name}:{kind}"), 0
    for seed in range(15):
        task = rlgym.task(f"{name}:{kind}", seed, level=0.5)
        texts = task.data.documents if kind == "retrieve" else task.data.options
        middle = max(
            range(len(texts)), key=lambda i: sum(SequenceMatcher(None, texts[i], other, autojunk=False).ratio() for other in texts)
        )
        hits += declared.verify(task, (middle + 1,) if kind == "retrieve" else "ABCDEFGH"[middle]).value == 1
    assert hits <= 6
