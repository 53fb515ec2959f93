"""Rounded decimals: right to the required digits, wrong in the last of them, exact everywhere else."""

import copy
import pickle
from fractions import Fraction

import pytest

from rlgym.answers import Assignment, Quantity, Rational
from rlgym.answers.rounded import decimal

RIGHT = Fraction(68240, 3340)  # 20.4311...


@pytest.mark.parametrize("text", ["20.43", "20.431", "20.4311", "68240/3340", "+20.43"])
def test_a_correctly_rounded_decimal_is_right(text):
    assert Rational(digits=4).parse(text) == RIGHT


@pytest.mark.parametrize("text", ["20.4", "20.44", "20.42", "20.432", "20", "-20.43", "2043"])
def test_another_decimal_is_not(text):
    assert Rational(digits=4).parse(text) != RIGHT


def test_exact_formats_refuse_rounded_decimals():
    assert Rational().parse("20.4311") != RIGHT
    assert Quantity("N").parse("20.43 N") != RIGHT


def test_closing_zeros_of_a_whole_number_may_only_hold_places():
    assert Rational(digits=4).parse("118400") == Fraction(118431)
    assert Rational(digits=4).parse("118500") != Fraction(118431)
    assert Rational(digits=4).parse("118432") != Fraction(118431)


def test_rounding_follows_the_unit():
    newtons = Quantity("N", digits=4)
    assert newtons.parse("0.02043 kN") == RIGHT == newtons.parse("2.043e1 N")
    assert newtons.parse("0.02044 kN") != RIGHT


def test_every_value_of_an_assignment_may_be_rounded():
    answer = Assignment(("a", "b"), digits=4)
    assert answer.parse("a = 20.43, b = 3") == (("a", RIGHT), ("b", Fraction(3)))
    assert answer.parse("a = 20.43, b = 3.001") != (("a", RIGHT), ("b", Fraction(3)))


def test_arithmetic_takes_the_decimal_as_it_is():
    rounded = Rational(digits=4).parse("20.43")
    assert rounded + 0 == Fraction(2043, 100) != RIGHT
    for other in (copy.copy(rounded), copy.deepcopy(rounded), pickle.loads(pickle.dumps(rounded))):  # noqa: S301  bytes of our own
        assert other == RIGHT


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (RIGHT, "20.43"),
        (Fraction(-1, 3), "-0.3333"),
        (Fraction(1, 3000), "0.0003333"),
        (Fraction(118431), "118400"),
        (Fraction(9999999, 1000), "10000"),
    ],
)
def test_decimals_have_the_asked_digits(value, text):
    assert decimal(value, 4) == text
    assert Rational(digits=4).parse(text) == value


def test_the_oracle_writes_a_decimal_where_one_is_asked_for():
    assert Rational(as_decimal=True).render(Fraction(2379, 500)) == "4.758"
    assert Rational(as_decimal=True).render(Fraction(1, 3)) == "1/3"
    assert Rational(digits=4, as_decimal=True).render(Fraction(-32, 5)) == "-6.4"
    assert Rational(digits=4, as_decimal=True).render(Fraction(1, 2**60)).count("/") == 0
    assert Assignment(("a", "b"), as_decimal=True).render((("a", Fraction(1, 4)), ("b", Fraction(1, 3)))) == "a = 0.25, b = 1/3"
