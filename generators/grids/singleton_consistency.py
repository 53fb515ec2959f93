"""Singleton consistency: values ruled out because propagating them alone fails, and givens chosen by it."""

from __future__ import annotations

from collections.abc import Sequence

from rlgym.core.rng import Rng
from rlgym.generators.draws import sample_hard as sample_hard
from rlgym.generators.grids.clues import Budget
from rlgym.generators.grids.domains import Masks, Puzzle, backtrack, bits_of, has_one_solution, propagate, propagate_givens


def singleton_consistency(puzzle: Puzzle, can: Masks, right: Sequence[int] = ()) -> int:
    """Singleton consistency: rule out, in place, each value that propagation refutes; how many were refuted.

    right  a solution, if one is known: its values are not supposed, as propagation cannot refute them
    """
    failed, start, size = 0, 0, len(can)
    while any(mask & mask - 1 for mask in can):
        for k in range(size):
            at = (start + k) % size
            if can[at] & can[at] - 1 and _fails(puzzle, can, at, right):
                failed, start = failed + 1, at
                break
        else:
            return failed
    return failed


def _fails(puzzle: Puzzle, can: Masks, at: int, right: Sequence[int]) -> bool:
    for value in bits_of(can[at] & ~(1 << right[at]) if right else can[at]):
        then = can.copy()
        then[at] = 1 << value
        if not propagate(puzzle, then, [at]):
            can[at] ^= 1 << value
            if not propagate(puzzle, can, [at]):
                raise ValueError("the puzzle contradicts itself")
            return True
    return False


def deducible(puzzle: Puzzle, given: dict[int, int], reasoning: str, right: Sequence[int] = ()) -> bool:
    """Whether this kind of reasoning finds the solution, which proves it unique as well."""
    can = propagate_givens(puzzle, given)
    if can is None:
        return False
    if reasoning == "trying":
        singleton_consistency(puzzle, can, right)
    return not any(mask & mask - 1 for mask in can)


def add_givens(rng: Rng, puzzle: Puzzle, right: Sequence[int], given: dict[int, int], reasoning: str, least: int = 0) -> dict[int, int]:
    """The given values, and more where the reasoning would be stuck otherwise; the first `least` of them are chosen by propagation alone."""
    givens, can = dict(given), propagate_givens(puzzle, given)
    assert can is not None
    while True:
        if reasoning == "trying" and len(givens) >= least:
            singleton_consistency(puzzle, can, right)
        left = [at for at, mask in enumerate(can) if mask & mask - 1]
        if not left:
            return givens
        most = max(can[at].bit_count() for at in left)
        at = rng.choice([at for at in left if can[at].bit_count() == most])
        givens[at] = right[at]
        can[at] = 1 << right[at]
        propagate(puzzle, can, [at])


def choose_givens(
    rng: Rng, puzzle: Puzzle, right: Sequence[int], least: int, reasoning: str, steps: int = 12, suppositions: int = 0
) -> dict[int, int]:
    """At least `least` given values that leave one solution which the reasoning finds; few are superfluous.

    By `search` it may take three times as many suppositions as are wanted.
    """
    if reasoning == "search":
        return minimize_givens_for_search(rng, puzzle, right, least, suppositions)
    given = add_givens(rng, puzzle, right, {}, "direct")
    if reasoning == "trying":
        for at in rng.shuffled(sorted(given)):
            if len(given) > least:
                fewer = {other: value for other, value in given.items() if other != at}
                given = fewer if has_one_solution(puzzle, fewer, steps) else given
        given = add_givens(rng, puzzle, right, given, "trying")
    more = rng.shuffled([at for at in range(len(right)) if at not in given])[: max(0, least - len(given))]
    return given | {at: right[at] for at in more}


def minimize_givens(rng: Rng, puzzle: Puzzle, right: Sequence[int], least: int) -> dict[int, int]:
    """At least `least` given values none of which can go, as long as suppositions that fail find the solution."""
    given = add_givens(rng, puzzle, right, {}, "trying", least)
    for at in rng.shuffled(sorted(given)):
        fewer = {other: value for other, value in given.items() if other != at}
        if len(given) > least and deducible(puzzle, fewer, "trying", right):
            given = fewer
    return given


def minimize_givens_for_search(rng: Rng, puzzle: Puzzle, right: Sequence[int], least: int, suppositions: int) -> dict[int, int]:
    """At least `least` given values none of which can go, as long as three times the wanted suppositions prove the solution the only one."""
    given = add_givens(rng, puzzle, right, {}, "direct")
    for at in rng.shuffled(sorted(given)):
        fewer = {other: value for other, value in given.items() if other != at}
        if len(given) > least and has_one_solution(puzzle, fewer, 3 * suppositions):
            given = fewer
    return given


def count_refuted(puzzle: Puzzle, given: dict[int, int]) -> int:
    """How many suppositions fail on the way to the solution."""
    can = propagate_givens(puzzle, given)
    assert can is not None
    return singleton_consistency(puzzle, can)


def effort(puzzle: Puzzle, given: dict[int, int]) -> float:
    """Work of a good solver: values to rule out, and all unknowns to look at for each supposition that fails or leads to further ones."""
    can = propagate_givens(puzzle, given)
    assert can is not None
    failed, budget = singleton_consistency(puzzle, can), Budget(10**9)
    for _ in backtrack(puzzle, can, budget):
        continue
    return sum(mask.bit_count() for mask in puzzle.whole) - len(given) + 2.0 * len(can) * (failed + 10**9 - budget.left)
