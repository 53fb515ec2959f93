"""Shaping never lets a wrong answer catch up with a right one."""

import pytest

from rlgym.core.errors import KnobError
from rlgym.core.score import Outcome, Score
from rlgym.rewards import length_penalty, noisy, readable_bonus

RIGHT, WRONG, UNREADABLE = Score(1.0, Outcome.RIGHT), Score(0.0, Outcome.WRONG), Score(0.0, Outcome.UNREADABLE)


def test_format_earns_little_and_only_when_readable():
    bonus = readable_bonus(0.1)
    assert (bonus(RIGHT, "x"), bonus(WRONG, "x"), bonus(UNREADABLE, "x")) == (0.0, 0.1, 0.0)
    with pytest.raises(KnobError):
        readable_bonus(0.5)


def test_length_costs_right_answers_only():
    penalty = length_penalty(100, 200, 0.2)
    assert penalty(RIGHT, "x" * 100) == 0
    assert penalty(RIGHT, "x" * 150) == pytest.approx(-0.1)
    assert penalty(RIGHT, "x" * 10_000) == pytest.approx(-0.2)
    assert penalty(WRONG, "x" * 10_000) == 0
    assert RIGHT.value + penalty(RIGHT, "x" * 10_000) > WRONG.value + readable_bonus(0.1)(WRONG, "")


def test_noise_has_the_rates_asked_for_and_is_the_same_again():
    flip = noisy(0.2, 0.4, seed=3)
    wrong = [flip(WRONG, str(i)) for i in range(2000)]
    right = [flip(RIGHT, str(i)) for i in range(2000)]
    assert set(wrong) == {0.0, 1.0}
    assert set(right) == {0.0, -1.0}
    assert sum(wrong) / 2000 == pytest.approx(0.2, abs=0.03)
    assert -sum(right) / 2000 == pytest.approx(0.4, abs=0.03)
    assert wrong == [flip(WRONG, str(i)) for i in range(2000)]
