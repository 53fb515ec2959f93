"""Shaping never lets a wrong answer catch up with a right one."""

import pytest

from rlgym.core.errors import KnobError
from rlgym.core.score import Outcome, Score
from rlgym.rewards import brier_penalty, format_bonus, length_penalty, reward_noise, stated_confidence

RIGHT, WRONG, UNREADABLE = Score(1.0, Outcome.RIGHT), Score(0.0, Outcome.WRONG), Score(0.0, Outcome.UNREADABLE)


def test_format_earns_little_and_only_when_readable():
    bonus = format_bonus(0.1)
    assert (bonus(RIGHT, "x"), bonus(WRONG, "x"), bonus(UNREADABLE, "x")) == (0.0, 0.1, 0.0)
    with pytest.raises(KnobError):
        format_bonus(0.5)


def test_length_costs_right_answers_only():
    penalty = length_penalty(100, 200, 0.2)
    assert penalty(RIGHT, "x" * 100) == 0
    assert penalty(RIGHT, "x" * 150) == pytest.approx(-0.1)
    assert penalty(RIGHT, "x" * 10_000) == pytest.approx(-0.2)
    assert penalty(WRONG, "x" * 10_000) == 0
    assert RIGHT.value + penalty(RIGHT, "x" * 10_000) > WRONG.value + format_bonus(0.1)(WRONG, "")


def test_noise_has_the_rates_asked_for_and_is_the_same_again():
    flip = reward_noise(0.2, 0.4, seed=3)
    wrong = [flip(WRONG, str(i)) for i in range(2000)]
    right = [flip(RIGHT, str(i)) for i in range(2000)]
    assert set(wrong) == {0.0, 1.0}
    assert set(right) == {0.0, -1.0}
    assert sum(wrong) / 2000 == pytest.approx(0.2, abs=0.03)
    assert -sum(right) / 2000 == pytest.approx(0.4, abs=0.03)
    repeated = reward_noise(0.2, 0.4, seed=3)
    assert wrong == [repeated(WRONG, str(i)) for i in range(2000)]


def sure(p):
    return f"It may be 3. <confidence>{p}</confidence> <answer>3</answer>"


def test_stating_the_true_chance_pays_best():
    shape = brier_penalty()
    assert RIGHT.value + shape(RIGHT, sure(0.75)) == pytest.approx(1 - 0.0625)
    assert WRONG.value + shape(WRONG, sure(0.75)) == pytest.approx(-0.5625)
    assert brier_penalty(0.4)(WRONG, sure(1)) == pytest.approx(-0.4)
    for chance in (0.0, 0.2, 0.5, 0.9, 1.0):
        steps = [number / 100 for number in range(101)]
        pay = [chance * (1 + shape(RIGHT, sure(stated))) + (1 - chance) * shape(WRONG, sure(stated)) for stated in steps]
        assert steps[pay.index(max(pay))] == chance
    assert min(1 + shape(RIGHT, sure(p / 10)) for p in range(11)) >= max(shape(WRONG, sure(p / 10)) for p in range(11))


@pytest.mark.parametrize(("text", "stated"), [("0", 0), ("1.0", 1), (" .5\n", 0.5), ("0.25", 0.25)])
def test_confidences_are_read(text, stated):
    assert stated_confidence(sure(text)) == stated
    assert stated_confidence(sure(0.9) + sure(text)) == stated


@pytest.mark.parametrize("text", ["", "1.5", "-0.1", "80%", "nan", "high", "0.5 or 0.6", "1e-1", "٠.٥", "0.9</confidence"])
def test_a_confidence_that_cannot_be_read_pays_least(text):
    shape = brier_penalty()
    assert stated_confidence(sure(text)) is None
    assert shape(RIGHT, sure(text)) == shape(WRONG, sure(text)) == shape(WRONG, "<answer>3</answer>") == -1
    with pytest.raises(KnobError):
        brier_penalty(1.5)
