"""Bounds on turns that the games promise."""

from itertools import permutations, product

import pytest

from rlgym.envs.games import mastermind


def _depth(codes):
    """Guesses that the oracle's rule, the first code that fits, needs for the worst of these codes."""
    parts = {}
    for code in codes:
        parts.setdefault(mastermind._compare(codes[0], code), []).append(code)
    return max(1 if exact == len(codes[0]) else 1 + _depth(part) for (exact, _), part in parts.items())


@pytest.mark.parametrize("places", [2, 3, 4])
@pytest.mark.parametrize("letters", [4, 5, 6, 8])
@pytest.mark.parametrize("repeats", [False, True])
def test_mastermind_is_always_solved_in_time(places, letters, repeats):
    known = "abcdefgh"[:letters]
    codes = list(product(known, repeat=places) if repeats else permutations(known, places))
    state = mastermind.State(hidden=codes[0], letters=tuple(known), repeats=repeats)
    assert _depth(codes) <= mastermind.turns(state)
