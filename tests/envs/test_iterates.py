"""Numbers of solutions of f(f(x)) = x and f(f(f(x))) = x."""

from __future__ import annotations

from fractions import Fraction

import pytest

from rlgym.answers import trees
from rlgym.generators.algebra import iterates, piecewise

FUNCTIONS = (
    "2*abs(2*x - 9) - abs(3*x - 6) + 2*x",
    "-abs(2*x + 6) + abs(3*x - 3) + 2*x",
    "abs(x - 9) - abs(3*x - 6) + 2*abs(2*x + 1) - 2*x",
)


@pytest.mark.parametrize("h", FUNCTIONS)
@pytest.mark.parametrize("times", [2, 3])
def test_both_routes_count_the_same(h: str, times: int) -> None:
    table = iterates.cycle_table(h, times)
    assert table is not None
    counts = {count for low, high, count in table if low == high}
    for count in counts - {None}:
        assert count is not None
        by_bends = iterates.isolated_values(iterates.count_table(h, times), count)
        assert iterates.isolated_values(table, count) == by_bends


def test_solutions_of_the_tent_map() -> None:
    pieces = piecewise.pieces(trees.read("-2*abs(x)", piecewise.GRAMMAR))
    assert [iterates.solution_count(pieces, Fraction(1), times) for times in (2, 3)] == [4, 8]
    assert iterates.solution_count(pieces, Fraction(-1), 3) == 0


def test_a_bend_returns_in_three_steps() -> None:
    for a in iterates.bend_returns("-2*abs(x)", Fraction(0), 3):
        x = Fraction(0)
        for _ in range(3):
            x = a - 2 * abs(x)
        assert x == 0
