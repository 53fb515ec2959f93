"""Molecules in a pot and reactions that use up some and make others: what can be reached in how many steps."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import combinations_with_replacement

from rlgym.core.rng import Rng

OPENINGS = (
    "A flask holds these molecules: {start}.",
    "In a pot there are {start}, molecule by molecule.",
    "A cell begins with the molecules {start}.",
    "You start with these individual molecules: {start}.",
)
RULES = (
    "A reaction can be run if all molecules on its left side are present; they are then replaced by those on its right side. These reactions can be run, "
    "one at a time and each as often as you like:"
)
ASKED = (
    "Find a sequence of at most {steps} after which there are at least {amount} {kind}.",
    "Run at most {steps} so that {amount} or more {kind} are present at the end.",
    "With no more than {steps}, get {amount} or more {kind} at the end.",
    "Which sequence of at most {steps} leaves at least {amount} {kind} at the end?",
)

Pot = tuple[int, ...]  # how many molecules of each kind
Reaction = tuple[Pot, Pot]  # what it needs, and what it leaves; a catalyst stands on both sides
KINDS = "ABCDEFGHIJ"
MOST = 4000  # states looked at while drawing a task


def fits(pot: Pot, reaction: Reaction) -> bool:
    """Whether everything that a reaction needs is there."""
    return all(there >= need for there, need in zip(pot, reaction[0]))


def pot_after(pot: Pot, reaction: Reaction) -> Pot:
    """What is there after a reaction."""
    return tuple(there - need + made for there, need, made in zip(pot, *reaction))


def reachable(start: Pot, reactions: Sequence[Reaction]) -> dict[Pot, int]:
    """The fewest reactions to each pot, nearest first, for as many pots as are looked at."""
    steps = {start: 0}
    for pot in (queue := [start]):
        if len(steps) > MOST:
            break
        for reaction in reactions:
            if fits(pot, reaction) and (new := pot_after(pot, reaction)) not in steps:
                steps[new] = steps[pot] + 1
                queue.append(new)
    return steps


def plans(start: Pot, reactions: Sequence[Reaction], kind: int, amount: int, steps: int) -> Iterator[tuple[int, ...]]:
    """The sequences of so many reactions, numbered from 1, that end with so much of a kind: deeper and deeper, without what has failed before."""
    failed: set[tuple[Pot, int]] = set()

    def search(pot: Pot, depth_left: int) -> Iterator[tuple[int, ...]]:
        if depth_left == 0:
            if pot[kind] >= amount:
                yield ()
            return
        extended = False
        if (pot, depth_left) not in failed:
            for number, reaction in enumerate(reactions, 1):
                if fits(pot, reaction):
                    for rest in search(pot_after(pot, reaction), depth_left - 1):
                        extended = True
                        yield (number, *rest)
        if not extended:
            failed.add((pot, depth_left))

    yield from search(start, steps)


def sample_reactions(rng: Rng, kinds: int, count: int, catalysts: bool) -> list[Reaction]:
    """Reactions that keep the mass, so that no pot grows without end; with catalysts, and back and forth."""
    masses = [1, *(rng.integer(1, 4) for _ in range(kinds - 1))]
    sides: dict[int, list[Pot]] = {}
    for size in (1, 2, 3):
        for chosen in combinations_with_replacement(range(kinds), size):
            sides.setdefault(sum(masses[k] for k in chosen), []).append(tuple(chosen.count(k) for k in range(kinds)))
    pairs = [mass for mass, all_sides in sides.items() if len(all_sides) > 1]
    out: list[Reaction] = []
    for _ in range(60):
        if len(out) >= count:
            break
        left, right = rng.sample(sides[rng.choice(pairs)], 2)
        if any(a and two for a, two in zip(left, right)) or (left, right) in out:
            continue
        if catalysts and rng.chance(0.4):
            idle = [k for k in range(kinds) if not left[k] and not right[k]]
            if idle:
                helper = rng.choice(idle)
                left, right = (tuple(n + (k == helper) for k, n in enumerate(side)) for side in (left, right))
        out.append((left, right))
        if catalysts and rng.chance(0.5) and len(out) < count:
            out.append((right, left))
    return out


def write_pot(pot: Pot) -> str:
    """2 A + C."""
    return " + ".join(f"{n} {KINDS[k]}" if n > 1 else KINDS[k] for k, n in enumerate(pot) if n) or "nothing"
