"""Unknown homogeneous linear differential equations."""

from __future__ import annotations

import pytest

from rlgym.core.rng import Rng
from rlgym.generators.algebra import characteristic_roots


@pytest.mark.parametrize(("order", "reach"), [(3, 4), (4, 5), (5, 5)])
def test_the_search_finds_the_sampled_roots(order: int, reach: int) -> None:
    for seed in range(5):
        roots, weights, starts = characteristic_roots.sample_roots(Rng(seed), order, reach)
        assert characteristic_roots.find_roots(starts, reach) == roots
        assert all(weights)
        assert len(starts) == order + 1


def test_characteristic_polynomial() -> None:
    assert characteristic_roots.characteristic_polynomial((1, 2, -3)) == [6, -7, 0, 1]


def test_roots_out_of_reach_are_not_found() -> None:
    with pytest.raises(ValueError, match="no roots"):
        characteristic_roots.find_roots((1, 9, 81, 729), 3)
