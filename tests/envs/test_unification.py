"""Unifiers are right up to the names of what stays free, and wrong if they say too much."""

import pytest

from rlgym import Task
from rlgym.envs.logic.unification import Data, verify

TASK = Task("", Data(pairs=(("f(x, y)", "f(y, z)"),), unifier=(("x", "z"), ("y", "z"), ("z", "z"))))


@pytest.mark.parametrize("kept", "xyz")
def test_any_variable_may_be_the_one_that_stays(kept):
    assert verify(TASK, tuple(f"{name} = {kept}" for name in "zxy")).value == 1


@pytest.mark.parametrize(
    "lines",
    [
        ("x = a", "y = a", "z = a"),
        ("x = f(x, x)", "y = f(x, x)", "z = f(x, x)"),
        ("x = u", "y = u", "z = u"),
        ("x = y", "y = z", "z = z"),
        ("x = x", "y = x"),
        ("x = x", "x = x", "y = x", "z = x"),
        ("x = x", "y = y", "z = z"),
    ],
)
def test_what_says_too_much_or_too_little_is_refused(lines):
    assert verify(TASK, lines).value == 0
