"""Disks that may lie on somewhat smaller ones."""

from __future__ import annotations

from itertools import pairwise

from rlgym.core.rng import Rng
from rlgym.generators.puzzles import disk_piles

WAYS = ((0, 1), (0, 2), (1, 2))


def test_moves_keep_to_overlap_room_and_ways() -> None:
    piles = ((6, 5), (3, 4), (9,))
    assert [name for name, _ in disk_piles.pile_moves(piles, WAYS, 1, 3)] == ["ab", "ac", "bc"]
    assert [name for name, _ in disk_piles.pile_moves(piles, WAYS, 0, 3)] == ["ac", "bc"]
    assert [name for name, _ in disk_piles.pile_moves(piles, WAYS, 1, 2)] == ["ac", "bc"]
    assert dict(disk_piles.pile_moves(piles, WAYS, 1, 3))["ab"] == ((6,), (3, 4, 5), (9,))


def test_mismatched_disks_are_those_above_the_lowest_difference() -> None:
    assert disk_piles.mismatched(((6, 5), (3,), ()), ((6, 3), (5,), ())) == 2
    assert disk_piles.mismatched(((6, 5), (3,), ()), ((6, 5), (3,), ())) == 0
    assert disk_piles.mismatched(((5, 6), (3,), ()), ((6, 5), (3,), ())) == 2


def test_sampled_piles_are_legal() -> None:
    for seed in range(20):
        piles = disk_piles.sample_piles(Rng(seed), (1, 4, 5, 8, 9), 3, 2, 3)
        assert sorted(disk for pile in piles for disk in pile) == [1, 4, 5, 8, 9]
        assert all(len(pile) <= 3 and all(upper <= lower + 2 for lower, upper in pairwise(pile)) for pile in piles)
