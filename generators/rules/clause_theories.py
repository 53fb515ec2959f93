"""Sets of rules as clauses: what follows from all of them together, by propagation or only by cases, and who may break what does not follow."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from itertools import combinations

from rlgym.core.rng import Rng

Literal = tuple[str, bool]  # a name, and whether it holds
Clause = tuple[Literal, ...]  # at least one of them holds
Theory = Sequence[Clause]


def negate(literal: Literal) -> Literal:
    return literal[0], not literal[1]


def propagate(clauses: Theory, assumed: Iterable[Literal]) -> tuple[dict[str, bool], bool]:
    """What clauses with one open literal force, and whether a clause is broken by it."""
    held = dict(assumed)
    changed = True
    while changed:
        changed = False
        for clause in clauses:
            if any(held.get(name) == value for name, value in clause):
                continue
            unset = [literal for literal in clause if literal[0] not in held]
            if not unset:
                return held, True
            if len(unset) == 1:
                held[unset[0][0]] = unset[0][1]
                changed = True
    return held, False


def model(clauses: Theory, assumed: Iterable[Literal]) -> dict[str, bool] | None:
    """One way for all clauses to hold; names that nothing forces are false where they may be."""
    held, broken = propagate(clauses, assumed)
    if broken:
        return None
    free = next((name for clause in clauses for name, _ in clause if name not in held), None)
    if free is None:
        return held
    tries = (model(clauses, [*held.items(), (free, value)]) for value in (False, True))
    return next((found for found in tries if found is not None), None)


def core(clauses: Theory, claim: Clause) -> list[int]:
    """The places of clauses that imply the claim, none of which can be left out."""
    kept = list(range(len(clauses)))
    for at in range(len(clauses)):
        fewer = [k for k in kept if k != at]
        if model([clauses[k] for k in fewer], map(negate, claim)) is None:
            kept = fewer
    return kept


def truth_tables(names: Sequence[str]) -> tuple[dict[str, int], int]:
    """For each name the integer whose bit k tells whether it holds in the k-th of all cases, and the integer of all cases."""
    every = (1 << (1 << len(names))) - 1
    return {name: every // ((1 << (1 << k)) + 1) << (1 << k) for k, name in enumerate(names)}, every


def cases(clause: Clause, tables: Mapping[str, int], every: int) -> int:
    """The cases in which a clause holds."""
    held = 0
    for name, value in clause:
        held |= tables[name] if value else every ^ tables[name]
    return held


def sample(rng: Rng, names: Sequence[str], widths: Sequence[int]) -> tuple[list[Clause], int]:
    """Clauses with these numbers of literals, no two about the same names, and the cases in which all hold; nothing is forced by them alone."""
    tables, every = truth_tables(names)
    while True:
        drawn: dict[tuple[str, ...], Clause] = {}
        allowed = every
        for width in widths:
            about = tuple(sorted(rng.sample(names, width)))
            clause = tuple((name, rng.chance(0.5)) for name in about)
            holds = cases(clause, tables, every)
            # Each clause forbids something that the others allow.
            if about not in drawn and allowed & ~holds:
                drawn[about] = clause
                allowed &= holds
        if len(drawn) == len(widths) and all(allowed & table and allowed & ~table for table in tables.values()):
            return list(drawn.values()), allowed


def sample_claims(
    rng: Rng, names: Sequence[str], widths: Sequence[int], count: int, by_cases: int
) -> tuple[list[Clause], list[tuple[Clause, bool]]]:
    """Clauses, and two-literal claims with whether they follow: at least so many of those that follow need cases, and no other uses a single clause.

    A claim that does not follow is about names of which another claim follows, so that being linked decides nothing.
    """
    tables, every = truth_tables(names)
    while True:
        clauses, allowed = sample(rng, names, widths)
        hard, plain, wrong = list[Clause](), list[Clause](), list[Clause]()
        for one, other in rng.shuffled(list(combinations(names, 2))):
            ways = [((one, first), (other, second)) for first in (True, False) for second in (True, False)]
            follow = [k for k, claim in enumerate(ways) if not allowed & ~cases(claim, tables, every)]
            if len(follow) != 1:
                continue
            claim = ways[follow[0]]
            if not propagate(clauses, map(negate, claim))[1]:
                hard.append(claim)
            elif rng.chance(0.5):
                wrong.append(ways[follow[0] ^ rng.choice((1, 2))])
            else:
                plain.append(claim)
        hard = hard[: count // 2]
        wanted = rng.integer(count // 2 - 1, count // 2 + 1)
        if len(hard) < by_cases or len(wrong) < wanted:
            continue
        plain = [claim for claim in plain if len(core(clauses, claim)) > 2]
        follow_claims = [*hard, *plain][: count - wanted]
        if len(follow_claims) == count - wanted:
            return clauses, rng.shuffled([*((claim, True) for claim in follow_claims), *((claim, False) for claim in wrong[:wanted])])


def smallest_hitting_sets(groups: Iterable[int], count: int) -> list[int]:
    """All smallest sets of numbers below `count` with one of each group; sets and groups are the bits of integers."""
    required = list(groups)
    forced = sum({group for group in required if group.bit_count() == 1})
    required = [group for group in required if not group & forced]
    free = [1 << number for number in range(count) if not forced >> number & 1]
    for size in range(len(free) + 1):
        sets = (forced + sum(chosen) for chosen in combinations(free, size))
        if found := [chosen for chosen in sets if all(chosen & group for group in required)]:
            return found
    return []


def broken_groups(worlds: int, claims: Sequence[int]) -> list[int]:
    """The smallest groups of claims that one of these cases breaks without breaking others; claims are given as the cases in which they hold."""
    parts = {0: worlds}
    for number, claim in enumerate(claims):
        obeying = {group: left for group, held in parts.items() if (left := held & claim)}
        parts = obeying | {group | 1 << number: left for group, held in parts.items() if (left := held & ~claim)}
    smallest: list[int] = []
    for group in sorted(parts.keys() - {0}, key=int.bit_count):
        if not any(group & other == other for other in smallest):
            smallest.append(group)
    return smallest


def sample_losses(rng: Rng, names: Sequence[str], widths: Sequence[int], count: int) -> tuple[list[Clause], list[Clause], tuple[int, ...]]:
    """Clauses, claims, and the only smallest choice of claims, numbered from 1, that implies the others with the clauses.

    Two of this choice or more are not forced one by one: some other choice of claims does without each of them.
    """
    tables, every = truth_tables(names)
    while True:
        clauses, allowed = sample(rng, names, widths)
        if allowed.bit_count() > 1 << (len(names) // 2 + 2):
            continue
        taken = {tuple(sorted(name for name, _ in clause)) for clause in clauses}
        free = [about for width in (2, 3) for about in combinations(sorted(names), width) if about not in taken]
        drawn = [tuple((name, rng.chance(0.5)) for name in about) for about in rng.sample(free, min(3 * count, len(free)))]
        pool = [(claim, cases(claim, tables, every)) for claim in drawn]
        for _ in range(30):
            chosen = rng.sample(pool, count)
            groups = broken_groups(allowed, [held for _, held in chosen])
            forced = sum(group.bit_count() == 1 for group in groups)
            # A claim that stands in no group is implied by the others whatever is chosen; there are few of these.
            if forced > count - 4 or sum(any(group >> k & 1 for group in groups) for k in range(count)) < count - 3:
                continue
            smallest = smallest_hitting_sets(groups, count)
            size = smallest[0].bit_count()
            if len(smallest) == 1 and max(3, forced + 2) <= size <= count - 3:
                return clauses, [claim for claim, _ in chosen], tuple(k + 1 for k in range(count) if smallest[0] >> k & 1)
