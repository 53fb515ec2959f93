"""Puzzles of unknowns that are each one of several values: rules, propagation and search.

What an unknown can be is a mask, bit v for its value v.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

from rlgym.core.rng import Rng
from rlgym.generators.grids.clues import Budget, TooMuchWork

Masks = list[int]

Narrow = Callable[[Masks], bool]
"""Cut the masks at what a rule leaves, in place; False where nothing is left. It must not look at what it has itself just cut."""

REASONING = ("direct", "trying")
"""What suffices: what the rules leave at once; suppositions about one unknown that fail by such deductions as well."""

SEARCHING = (*REASONING, "search")
"""Also suppositions inside suppositions."""


@dataclass(frozen=True)
class Rule:
    """A rule by name over some unknowns.

    A rule of `ones`, pairs of an unknown and a mask, says that exactly one of these unknowns lies in its mask; any other has `narrow`.
    """

    name: str
    scope: tuple[int, ...]
    ones: tuple[tuple[int, int], ...] = ()
    narrow: Narrow | None = None

    def cut(self, can: Masks) -> bool:
        if self.narrow:
            return self.narrow(can)
        left = -1
        for at, mask in self.ones:
            if can[at] & mask:
                if left >= 0:
                    return True
                left, allowed = at, mask
        if left < 0:
            return False
        can[left] &= allowed
        return True


def exactly_one(name: str, ones: Sequence[tuple[int, int]]) -> Rule:
    return Rule(name, tuple(at for at, _ in ones), tuple(ones))


@dataclass(frozen=True)
class Puzzle:
    """Unknowns by name with their first masks, and the words for values.

    clash   for each unknown and value, what that value rules out: pairs of another unknown and a mask
    silent  a rule that is applied without being named, after each value that is written
    """

    names: tuple[str, ...]
    values: tuple[str, ...]
    whole: tuple[int, ...]
    clash: tuple[tuple[tuple[tuple[int, int], ...], ...], ...]
    rules: tuple[Rule, ...] = ()
    silent: Narrow | None = None

    def with_rules(self, rules: Sequence[Rule]) -> Puzzle:
        """The puzzle with further rules after its own. What depends on the clashes alone is not computed again."""
        puzzle = replace(self, rules=(*self.rules, *rules))
        puzzle.__dict__["single_clashes"] = self.single_clashes
        return puzzle

    @cached_property
    def single_clashes(self) -> bool:
        """Whether each value that clashes rules out one value of another unknown."""
        return all(not mask & mask - 1 for pairs in self.clash for by_value in pairs for _, mask in by_value)

    @cached_property
    def within(self) -> tuple[tuple[int, ...], ...]:
        """The rules that each unknown is in."""
        by_variable: list[list[int]] = [[] for _ in self.names]
        for i, rule in enumerate(self.rules):
            for at in dict.fromkeys(rule.scope):
                by_variable[at].append(i)
        return tuple(map(tuple, by_variable))

    @cached_property
    def touched(self) -> tuple[tuple[tuple[int, ...], ...], ...]:
        """The rules that may tell more when an unknown loses values, by the highest of these."""
        ones: list[dict[int, set[int]]] = []
        for rule in self.rules:
            masks_of: dict[int, set[int]] = {}
            for at, mask in rule.ones if self.single_clashes else ():
                masks_of.setdefault(at, set()).add(mask)
            ones.append(masks_of)
        choices = []
        for at, rules in enumerate(self.within):
            masks = [(i, sum(ones[i][at]) if ones[i] else -1) for i in rules]
            choices.append(tuple(tuple(i for i, mask in masks if mask >> v & 1) for v in range(self.whole[at].bit_length())))
        return tuple(choices)

    @cached_property
    def at(self) -> dict[str, int]:
        return {name: i for i, name in enumerate(self.names)}

    @cached_property
    def value(self) -> dict[str, int]:
        return {name: i for i, name in enumerate(self.values)}

    @cached_property
    def rule(self) -> dict[str, Rule]:
        return {rule.name: rule for rule in self.rules}

    def claim(self, at: int, mask: int) -> str:
        return f"{self.names[at]} is {' or '.join(self.values[v] for v in bits_of(mask))}"

    def read(self, claim: str) -> tuple[int, int]:
        name, _, listed = claim.rpartition(" is ")
        mask = 0
        for word in listed.split(" or "):
            bit = 1 << self.value[word]
            if mask >= bit:
                raise ValueError(f"{claim!r} does not list values in order")
            mask |= bit
        return self.at[name], mask


def bits_of(mask: int) -> Iterator[int]:
    while mask:
        low = mask & -mask
        yield low.bit_length() - 1
        mask ^= low


def different(near: Sequence[Sequence[int]], values: int) -> tuple[tuple[tuple[tuple[int, int], ...], ...], ...]:
    """The clashes of unknowns that must differ from those near them."""
    return tuple(tuple(tuple((other, 1 << v) for other in others) for v in range(values)) for others in near)


def propagate(puzzle: Puzzle, can: Masks, fresh: Sequence[int]) -> bool:
    """Constraint propagation: narrow the masks by all that follows when those of `fresh` have changed; False for a contradiction."""
    clash, within, touched, rules = puzzle.clash, puzzle.within, puzzle.touched, puzzle.rules
    known = [at for at in fresh if not can[at] & can[at] - 1]
    due = dict.fromkeys(i for at in fresh for i in within[at])
    if not all(can[at] for at in fresh) or (puzzle.silent and not _apply_silent_rule(puzzle, can, known, due)):
        return False
    while True:
        while known:
            at = known.pop()
            moved = False
            for other, mask in clash[at][can[at].bit_length() - 1]:
                old = can[other]
                if old & mask:
                    new = old & ~mask
                    if not new:
                        return False
                    can[other] = new
                    moved = True
                    if not new & new - 1:
                        known.append(other)
                    for i in touched[other][(old & mask).bit_length() - 1]:
                        due[i] = None
            if moved and puzzle.silent and not _apply_silent_rule(puzzle, can, known, due):
                return False
        if not due:
            return True
        i = next(iter(due))
        del due[i]
        rule = rules[i]
        if rule.ones:
            left = -1
            for at, mask in rule.ones:
                if can[at] & mask:
                    if left >= 0:
                        break
                    left, allowed = at, mask
            else:
                if left < 0:
                    return False
                new = can[left] & allowed
                if new == can[left]:
                    continue
                can[left] = new
                if not new & new - 1:
                    known.append(left)
                for k in within[left]:
                    due[k] = None
                if puzzle.silent and not _apply_silent_rule(puzzle, can, known, due):
                    return False
            continue
        before = [can[at] for at in rule.scope]
        if not rule.cut(can):
            return False
        changed = False
        for at, old in zip(rule.scope, before):
            new = can[at]
            if new != old:
                changed = True
                if not new:
                    return False
                if not new & new - 1:
                    known.append(at)
                for k in within[at]:
                    due[k] = None
        if changed and puzzle.silent and not _apply_silent_rule(puzzle, can, known, due):
            return False


def _apply_silent_rule(puzzle: Puzzle, can: Masks, known: list[int], due: dict[int, None]) -> bool:
    before = can.copy()
    assert puzzle.silent is not None
    if not puzzle.silent(can):
        return False
    for at, (old, new) in enumerate(zip(before, can)):
        if old != new:
            if not new:
                return False
            if not new & new - 1:
                known.append(at)
            due.update(dict.fromkeys(puzzle.within[at]))
    return True


def propagate_givens(puzzle: Puzzle, given: dict[int, int]) -> Masks | None:
    """The masks after all deductions from given values; None for a contradiction."""
    can = list(puzzle.whole)
    for at, value in given.items():
        can[at] &= 1 << value
    return can if propagate(puzzle, can, range(len(can))) else None


def backtrack(puzzle: Puzzle, can: Masks, budget: Budget, rng: Rng | None = None) -> Iterator[list[int]]:
    """Every solution within propagated masks, by backtracking, as values; an Rng shuffles the order of branches."""
    open_ones = [(mask.bit_count(), at) for at, mask in enumerate(can) if mask & mask - 1]
    if not open_ones:
        yield [mask.bit_length() - 1 for mask in can]
        return
    at = min(open_ones)[1]
    values = list(bits_of(can[at]))
    for value in rng.shuffled(values) if rng else values:
        budget.spend()
        then = can.copy()
        then[at] = 1 << value
        if propagate(puzzle, then, [at]):
            yield from backtrack(puzzle, then, budget, rng)


def solve(puzzle: Puzzle, given: dict[int, int]) -> list[int]:
    can = propagate_givens(puzzle, given)
    if can is None:
        raise ValueError("the puzzle contradicts itself")
    return next(backtrack(puzzle, can, Budget(10**9)))


def count_suppositions(puzzle: Puzzle, given: dict[int, int]) -> int:
    """How many suppositions it takes to find the solutions and to know that there are no others."""
    can, budget = propagate_givens(puzzle, given), Budget(10**9)
    assert can is not None
    for _ in backtrack(puzzle, can, budget):
        continue
    return 10**9 - budget.left


def has_one_solution(puzzle: Puzzle, given: dict[int, int], steps: int) -> bool:
    """Whether there is one solution; False also when that takes more than `steps` suppositions to prove."""
    can = propagate_givens(puzzle, given)
    if can is None:
        return False
    try:
        solutions = backtrack(puzzle, can, Budget(steps))
        return next(solutions, None) is not None and next(solutions, None) is None
    except TooMuchWork:
        return False
