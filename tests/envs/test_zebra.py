"""Every way to be nearly right in a zebra riddle is wrong, and the deductions of each kind of clue are exact."""

from itertools import permutations, product

import pytest

import rlgym
from rlgym.generators.arrangements.rows_of_houses import Clue, holds, propagate_clue


def test_no_other_order_of_the_houses_is_paid():
    zebra = rlgym.environment("zebra")
    for seed in range(5):
        task = rlgym.task("zebra", seed, level=0.4)
        right = zebra.solve(task)
        for order in permutations(right):
            assert zebra.verify(task, order).value == (order == right)


def test_copied_and_extra_rows_and_columns_are_wrong():
    zebra = rlgym.environment("zebra")
    task = rlgym.task("zebra", 1, level=0.5)
    right = zebra.solve(task)
    assert zebra.verify(task, (right[0],) * len(right)).value == 0
    assert zebra.verify(task, (*right, right[-1])).value == 0
    assert zebra.verify(task, tuple((*row, row[0]) for row in right)).value == 0
    assert zebra.verify(task, tuple(row[1:] for row in right)).value == 0


@pytest.mark.parametrize("kind", ["same", "apart", "left", "before", "next", "between", "at", "end"])
def test_a_clue_takes_exactly_the_houses_that_it_forbids(kind):
    houses = range(4)
    things = tuple(range({"between": 3, "at": 1, "end": 1}.get(kind, 2)))
    for masks in product(range(1, 16), repeat=len(things)):
        clue = Clue(kind=kind, things=things, house=3 if kind == "end" else 2)
        allowed = [places for places in product(houses, repeat=len(things)) if all(masks[t] >> places[t] & 1 for t in things)]
        true = [places for places in allowed if holds(clue, places)]
        expected = tuple(sum(1 << k for k in {places[t] for places in true}) for t in things)
        if true:
            assert propagate_clue(clue, masks) == expected
        else:
            assert not all(propagate_clue(clue, masks))
