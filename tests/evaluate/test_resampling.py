"""Sampling until acceptance against enumeration, simulation and the published example."""

import pytest

from rlgym import RlgymError, Rng
from rlgym.evaluate.metrics.judge_gain import Judged
from rlgym.evaluate.metrics.resampling import TaskRates, best_tries, ceiling, rates, resampled


def test_rates_of_a_task_by_hand():
    pool = [Judged(True, 0.9), Judged(True, 0.5), Judged(False, 0.8), Judged(False, 0.1)]
    assert rates(pool) == TaskRates(0.25, 0.25)


def test_a_mixture_of_solvable_and_unsolvable_tasks_has_a_best_number_of_tries():
    # Half of the tasks are solved half of the time, the others never; 5 % of wrong responses pass, and cost as much as a right one earns.
    mixed = [TaskRates(0.5, 0.5 * 0.05), TaskRates(0.0, 0.05)]
    curve = resampled(mixed, tries=range(1, 101))
    assert best_tries(curve).tries == 4
    assert curve[-1].utility < 0
    assert curve[-1].right > curve[3].right
    # Tasks of one kind have no such number: more tries are never worse.
    alike = [point.utility for point in resampled([TaskRates(0.5, 0.025)] * 2, tries=range(1, 30))]
    assert alike == sorted(alike)
    assert best_tries(resampled(mixed, tries=range(1, 101), false_positive_cost=0.0)).tries > 10


def test_the_curve_is_that_of_a_simulation():
    task, rng, count = TaskRates(0.2, 0.1), Rng("resampling"), 4000
    [point] = resampled([task], tries=[3], false_positive_cost=2.0, sample_cost=0.05)
    right = wrong = draws = 0
    for _ in range(count):
        for _ in range(3):
            draws, drawn = draws + 1, rng.real()
            if drawn < 0.3:
                right, wrong = right + (drawn < 0.2), wrong + (drawn >= 0.2)
                break
    assert point.right == pytest.approx(right / count, abs=0.04)
    assert point.accepted == pytest.approx((right + wrong) / count, abs=0.04)
    assert point.utility == pytest.approx((right - 2 * wrong - 0.05 * draws) / count, abs=0.09)


def test_the_utility_by_hand_and_the_smallest_of_equal_numbers_of_tries():
    # Half of the samples are accepted: 1.5 samples of at most two, of which .75 end in an acceptance.
    [point] = resampled([TaskRates(0.25, 0.25)], tries=[2], false_positive_cost=2.0, sample_cost=0.1)
    assert point.utility == pytest.approx(0.375 - 2 * 0.375 - 0.1 * 1.5)
    assert best_tries(resampled([TaskRates(1.0, 0.0)])).tries == 1


def test_the_ceiling_does_not_rise_with_tries():
    assert ceiling([TaskRates(0.3, 0.1), TaskRates(0.0, 0.0), TaskRates(0.0, 0.2)]) == pytest.approx((0.75 + 0) / 2)
    assert ceiling([TaskRates(0.0, 0.0)]) is None
    point = resampled([TaskRates(0.3, 0.1)], tries=[10_000])[0]
    assert point.right / point.accepted == pytest.approx(0.75)
    with pytest.raises(RlgymError, match="there are none"):
        resampled([])
