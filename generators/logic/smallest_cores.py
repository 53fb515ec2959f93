"""The fewest constraints that cannot all hold: rows of a truth table that constraints rule out, and a search with bounds for the least cover."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from rlgym.generators.numbers.bitsets import places
from rlgym.solutions import Derivation, Step

Case = tuple[tuple[int, bool], ...]
"""Constraints that are decided, and whether they are taken."""
ROW = Step("With {case}: {row} is ruled out by {options:words}; take these in turn, each without those before it")
BOUND = Step(
    "With {case}: {left:int} rows of the truth table are left; the best constraints that may still be taken rule out {sizes:words} of them, so in all "
    "there are {needed:int} at least"
)
NO_FEWER = Step("No case needs fewer than {fewest:int} constraints")


class CoreSearch(NamedTuple):
    core: tuple[int, ...]
    """The fewest constraints, by place, that together rule out every row."""
    nodes: int
    """How many nodes the search tree has: the steps of a careful solver."""


class Branch(NamedTuple):
    row: int
    options: tuple[int, ...]


def search_core(ruled_out: Sequence[int], every: int, order: Sequence[int]) -> CoreSearch:
    """Branch and bound: the next row is one that the fewest constraints rule out; ties among constraints go by `order`."""
    best, nodes = _greedy(ruled_out, every, order), 0

    def expand(left: int, allowed: int, chosen: tuple[int, ...]) -> None:
        nonlocal best, nodes
        nodes += 1
        if not left:
            best = min(best, chosen, key=len)
        elif len(chosen) + bound(ruled_out, left, allowed) < len(best):
            for option in branch(ruled_out, left, allowed, order).options:
                expand(left & ~ruled_out[option], allowed, (*chosen, option))
                allowed &= ~(1 << option)

    expand(every, (1 << len(ruled_out)) - 1, ())
    return CoreSearch(tuple(sorted(best)), nodes)


def bound(ruled_out: Sequence[int], left: int, allowed: int) -> int:
    """So many constraints are needed at least: those that rule out most of the rows left rule out no more rows together."""
    needed, count = left.bit_count(), 0
    for size in sorted(((ruled_out[i] & left).bit_count() for i in places(allowed)), reverse=True):
        if needed <= 0:
            break
        needed, count = needed - size, count + 1
    return count if needed <= 0 else len(ruled_out) + 1


def branch(ruled_out: Sequence[int], left: int, allowed: int, order: Sequence[int]) -> Branch:
    """A row that the fewest constraints rule out, and these, those that rule out most first."""
    candidates = places(allowed)
    # Rows that at least 1, 2, ... constraints rule out, counted in unary over whole tables.
    at_least = [left]
    for i in candidates:
        at_least.append(0)
        for k in range(len(at_least) - 1, 0, -1):
            at_least[k] |= at_least[k - 1] & ruled_out[i]
    fewest = next(k for k in range(len(at_least)) if left & ~(at_least[k + 1] if k + 1 < len(at_least) else 0))
    rows = left & ~(at_least[fewest + 1] if fewest + 1 < len(at_least) else 0)
    row = (rows & -rows).bit_length() - 1
    options = [i for i in candidates if ruled_out[i] >> row & 1]
    return Branch(row, tuple(sorted(options, key=lambda i: (-(ruled_out[i] & left).bit_count(), order[i]))))


def _greedy(ruled_out: Sequence[int], every: int, order: Sequence[int]) -> tuple[int, ...]:
    chosen, left = list[int](), every
    while left:
        chosen.append(max(range(len(ruled_out)), key=lambda i: ((ruled_out[i] & left).bit_count(), order[i])))
        left &= ~ruled_out[chosen[-1]]
    return tuple(chosen)


def derive_fewest(ruled_out: Sequence[int], variables: int, fewest: int) -> Derivation:
    """Case by case: a row of the truth table that few constraints rule out, or a bound that shows that no fewer constraints are enough."""
    cases = list[Case]([()])
    while cases:
        case = cases.pop()
        left, allowed, taken = (1 << (1 << variables)) - 1, (1 << len(ruled_out)) - 1, 0
        for i, is_taken in case:
            allowed &= ~(1 << i)
            if is_taken:
                left, taken = left & ~ruled_out[i], taken + 1
        text = ", ".join(f"{i + 1}" if is_taken else f"not {i + 1}" for i, is_taken in case) or "nothing taken"
        needed = taken + bound(ruled_out, left, allowed)
        if needed >= fewest:
            sizes = sorted(((ruled_out[i] & left).bit_count() for i in places(allowed)), reverse=True)
            shown = [str(size) for size in sizes[: max(0, min(needed, fewest) - taken)]]
            yield BOUND(case=text, left=left.bit_count(), sizes=shown or "none", needed=min(needed, fewest))
        else:
            row, options = branch(ruled_out, left, allowed, range(len(ruled_out)))
            values = ", ".join(f"x{k + 1} {'true' if row >> k & 1 else 'false'}" for k in range(variables))
            yield ROW(case=text, row=values, options=[str(i + 1) for i in options])
            cases += [(*case, *((other, False) for other in options[:k]), (option, True)) for k, option in enumerate(options)][::-1]
    yield NO_FEWER(fewest=fewest)
