"""The random stream is fixed for ever: these very numbers, on every Python."""

import pytest

from rlgym import Rng

EXPECTED = [11, -337441311701786828242427778013, "a", [1, 3, 2, 0, 4, 5], ["e", "c", "d"], True]


def test_the_stream_is_this_one():
    rng = Rng("test", 1, 2)
    drawn = [
        rng.integer(1, 100),
        rng.integer(-(10**30), 10**30),
        rng.choice("abcdef"),
        rng.shuffled(range(6)),
        rng.sample("abcdef", 3),
        rng.chance(0.5),
    ]
    assert drawn == EXPECTED


def test_draws_cover_their_range_evenly():
    rng = Rng("range")
    counts = [0] * 6
    for _ in range(6000):
        counts[rng.integer(0, 5)] += 1
    assert all(850 < count < 1150 for count in counts)
    big = [rng.integer(0, 2**100 - 1) for _ in range(500)]
    assert max(big) > 2**99
    assert min(big) < 2**96
    assert len({number % 64 for number in big}) == 64
    assert {rng.weighted("ab", (1, 3)) for _ in range(50)} == {"a", "b"}


def test_a_child_leaves_its_parent_where_it_is():
    first, second = Rng("parent"), Rng("parent")
    first.child("x").integer(0, 9)
    assert first.real() == second.real()
    assert Rng("parent").child("x").real() != Rng("parent").child("y").real()


def test_impossible_draws_are_refused():
    with pytest.raises(ValueError, match="no integer lies in"):
        Rng("x").integer(3, 2)
    with pytest.raises(ValueError, match="cannot take 4 of 3"):
        Rng("x").sample("abc", 4)
