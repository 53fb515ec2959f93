"""Sets of rules with two literals each: what follows from all of them together, and who may break what does not follow."""

from __future__ import annotations

from collections.abc import Sequence

from rlgym.core.rng import Rng

Literal = tuple[str, bool]  # a name, and whether it holds
Clause = tuple[Literal, Literal]  # at least one of the two holds


def negated(literal: Literal) -> Literal:
    return literal[0], not literal[1]


def chains(clauses: Sequence[Clause], start: Literal) -> dict[Literal, tuple[int, ...]]:
    """Every literal that follows from one, with the places of the clauses on a shortest way to it."""
    found: dict[Literal, tuple[int, ...]] = {start: ()}
    queue = [start]
    for literal in queue:
        for at, clause in enumerate(clauses):
            for one, other in (clause, clause[::-1]):
                if one == negated(literal) and other not in found:
                    found[other] = (*found[literal], at)
                    queue.append(other)
    return found


def derivation(clauses: Sequence[Clause], claim: Clause) -> tuple[int, ...] | None:
    """The places of clauses from which the claim follows by one chain, or None if it does not follow."""
    one, other = claim
    ways = []
    for start, goal in ((negated(one), other), (negated(one), one), (negated(other), other)):
        if (way := chains(clauses, start).get(goal)) is not None:
            ways.append(way)
    return min(ways, key=lambda way: (len(way), way), default=None)


def witness(clauses: Sequence[Clause], claim: Clause) -> dict[str, bool] | None:
    """What holds for somebody who obeys the clauses and breaks the claim."""
    held: dict[str, bool] = {}
    names = dict.fromkeys(name for clause in (claim, *clauses) for name, _ in clause)
    for start in [negated(claim[0]), negated(claim[1]), *((name, False) for name in names)]:
        if start[0] in held and start in (negated(claim[0]), negated(claim[1])) and held[start[0]] != start[1]:
            return None
        if start[0] in held:
            continue
        for literal in (start, negated(start)):
            follows = dict(chains(clauses, literal))
            # Nothing that follows may clash with itself or with what holds already.
            if all(negated(other) not in follows and held.get(other[0], other[1]) == other[1] for other in follows):
                held |= dict(follows)
                break
            if literal in (negated(claim[0]), negated(claim[1])):
                return None
        else:
            return None
    return held


def sample(rng: Rng, names: Sequence[str], count: int) -> list[Clause]:
    """That many clauses, about a pair of names each, that somebody can obey, and of which no name is forced to one value."""
    while True:
        drawn: dict[tuple[str, ...], Clause] = {}
        while len(drawn) < count:
            one, other = sorted(rng.sample(names, 2))
            drawn.setdefault((one, other), ((one, rng.chance(0.5)), (other, rng.chance(0.5))))
        clauses = list(drawn.values())
        forced = [name for name in names for value in (True, False) if (name, not value) in chains(clauses, (name, value))]
        if len(forced) < 2 and {name for clause in clauses for name, _ in clause} == set(names):
            return clauses
