"""Values of Python as answers: read by a parser of our own, as Python itself reads them."""

import ast

import pytest

from rlgym import Rng
from rlgym.answers import Literal, Unreadable
from rlgym.answers.literal import value_of, written


def _drawn(rng, depth):
    match rng.integer(0, 8 if depth else 5):
        case 0:
            return rng.integer(-(10 ** rng.integer(0, 20)), 99)
        case 1:
            return rng.choice((True, False, None))
        case 2:
            return rng.integer(-1000, 1000) / 8
        case 3 | 4 | 5:
            return "".join(rng.choice("ab 'q\"\\\n\tz\u00e9") for _ in range(rng.integer(0, 6)))
        case 6:
            return [_drawn(rng, depth - 1) for _ in range(rng.integer(0, 3))]
        case 7:
            return tuple(_drawn(rng, depth - 1) for _ in range(rng.integer(0, 3)))
        case _:
            return {rng.integer(0, 9): _drawn(rng, depth - 1) for _ in range(rng.integer(0, 3))}


def test_it_reads_what_python_writes():
    rng = Rng("literals")
    for _ in range(3000):
        value = _drawn(rng, 3)
        assert repr(value_of(repr(value))) == repr(value)
        assert ast.literal_eval(written(value)) == value
        assert Literal().parse(repr(value)) == written(value)


@pytest.mark.parametrize("text", ["{1, 2}", "{2, 1,}", "{ 1 ,2 }"])
def test_members_of_sets_have_no_order(text):
    assert Literal().parse(text) == "{1, 2}"


@pytest.mark.parametrize(
    ("first", "second"), [("1", "True"), ("1", "1.0"), ("[1]", "(1,)"), ("'1'", "1"), ("{}", "set()"), ("-0.0", "0.0"), ("[True]", "[1]")]
)
def test_types_count(first, second):
    assert Literal().parse(first) != Literal().parse(second)


NO_VALUES = [
    *("", "x", "1 2", "[1", "1]", "[1,,2]", "(,)", "{1: 2, 3}", "{1, 2: 3}", "{[1]}", "'a", "'a\nb'", "__import__('os')", "1+1"),
    *("f'x'", "b'x'", "nan", "1e999", "[" * 40 + "]" * 40, "9" * 500, "x" * 9000, "\u0661", "1_000", "0x10", "'\\q'", "..."),
    *("lambda: 1", "[1 for x in y]", "[1](2)", "1j"),
]


@pytest.mark.parametrize("text", NO_VALUES)
def test_nothing_else_is_read(text):
    with pytest.raises(Unreadable):
        Literal().parse(text)
