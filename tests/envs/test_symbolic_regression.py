"""Formulas for a table of values: what is right, what is too long, and the parts for dense rewards."""

from fractions import Fraction

import pytest

import rlgym
from rlgym.answers import trees
from rlgym.core.task import Task
from rlgym.envs.induction import symbolic_regression as formulas

POINTS = ((-1,), (0,), (2,), (3,))
TASK = Task("", formulas.Data(names=("x",), points=POINTS, values=((2, 1), (1, 1), (5, 1), (10, 1)), formula="x*x + 1", leaves=3))


def score(text):
    return formulas.verify(TASK, trees.read(text, formulas.ANSWER.grammar))


@pytest.mark.parametrize("text", ["x*x + 1", "1 + x^2", "1 - x*(-x)", "x^2 - (-1)"])
def test_every_formula_within_the_limit_that_fits_is_right(text):
    assert score(text).value == 1


def test_a_formula_that_is_too_long_or_has_another_variable_is_wrong():
    assert "too many" in score("x*x + 2 - 1").reason
    assert "y is no variable" in score("y*y + 1").reason


def test_absolute_values_are_for_the_shifted_family():
    assert "no absolute values" in score("abs(x*x + 1)").reason
    shifted = rlgym.task("symbolic_regression:shift", 1, level=0)
    assert rlgym.score(shifted, f"<answer>f(x) = {shifted.data.formula}</answer>").value == 1


def test_a_wrong_formula_has_parts_for_dense_rewards():
    """By hand: the values 2, 1, 5, 10 have the mean 4.5 and squared deviations 49; x*x errs by 1 four times, so 1 / (1 + sqrt(4 / 49))."""
    near, far, undefined = score("x*x"), score("x"), score("1/x")
    assert near.parts["fit"] == pytest.approx(1 / (1 + 2 / 7))
    assert near.parts["share_of_values"] == 0
    assert near.parts["fit"] > far.parts["fit"] > 0
    assert undefined.parts["fit"] == 0
    assert score("x + x + 1").parts["share_of_values"] == 1 / 2


def test_formulas_cannot_be_said_shorter_by_joining_numbers_or_cancelling():
    def reduced(text):
        return formulas._is_reduced(trees.read(text, formulas.ANSWER.grammar))

    assert reduced("x*x + 3")
    assert reduced("(x + 2)/(y - 1)")
    assert not any(map(reduced, ("x + 2 - 3", "y - (y + 5)", "2*(3*x)", "x/(y*x)", "x + y - x")))


def test_values_of_the_shifted_family_are_exact():
    tree = trees.read("abs(x - 3)/2", formulas.ANSWER.grammar)
    assert formulas._value(tree, ("x",), (-2,)) == Fraction(5, 2)
    assert rlgym.spec("symbolic_regression")["derived"]
