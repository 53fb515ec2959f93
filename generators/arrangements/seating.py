"""Seats round a table or in two rows that face each other, and clues about who sits where."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache

from rlgym.core.rng import Rng
from rlgym.core.task import TaskData
from rlgym.generators.grids import domains, singleton_consistency
from rlgym.generators.grids.clues import drop_clues

KINDS = ("opposite", "beside", "after", "apart", "second", "with one", "between", "nearer", "end or")
"""From plain to involved; those from `with one` on are about three people."""
SAID = {
    "seat": "{0} sits in seat {1}.",
    "opposite": "{0} sits directly opposite {1}.",
    "beside": "{0} sits next to {1}.",
    "apart": "{0} does not sit next to {1}.",
    "with one": "{0} sits next to exactly one of {1} and {2}.",
    "between": "{0} sits next to {1} and next to {2}.",
    "nearer": "{0} sits fewer seats away from {1} than from {2}, counted the shorter way around the table.",
    "end or": "{0} sits directly opposite {1} or next to {2}, or both.",
}
ROUND = SAID | {
    "after": "{0} sits in the next seat clockwise from {1}.",
    "second": "{0} sits two seats away from {1}: exactly one seat is between them, counted the shorter way around the table.",
}
ROWS = SAID | {
    "after": "{0} sits in the same row as {1}, in the seat with the next higher number.",
    "second": "{0} sits in the same row as {1}, with exactly one seat between them.",
    "nearer": "{0} sits in the same row as {1}, but not in the same row as {2}.",
}


class Clue(TaskData):
    """A kind of SAID about people by position; `seat` counts from 0, for the kind `seat`."""

    kind: str
    people: tuple[int, ...]
    seat: int = 0


class Table(TaskData):
    names: tuple[str, ...]
    rows: bool
    clues: tuple[Clue, ...]


@cache
def related_seats(kind: str, seats: int, rows: bool) -> tuple[int, ...]:
    """For each seat, the mask of the seats that stand in this relation to it."""
    half = seats // 2

    def stands(a: int, b: int) -> bool:
        same, ahead = (a // half == b // half, abs(a - b)) if rows else (True, min((a - b) % seats, (b - a) % seats))
        if kind == "opposite":
            return abs(a - b) == half
        if kind in ("beside", "second"):
            return same and ahead == (1 if kind == "beside" else 2)
        if kind == "after":
            return same and b - a == 1 if rows else (b - a) % seats == 1
        return not (same and ahead == 1) and a != b

    return tuple(sum(1 << b for b in range(seats) if stands(a, b)) for a in range(seats))


def holds(clue: Clue, places: Sequence[int], rows: bool) -> bool:
    """Whether a clue is true when person i sits in places[i], counted from 0."""
    seats = len(places)
    a, b, c = (*(places[person] for person in clue.people), 0, 0)[:3]
    neighbour, opposite = related_seats("beside", seats, rows), related_seats("opposite", seats, rows)
    match clue.kind:
        case "seat":
            return a == clue.seat
        case "with one":
            return (neighbour[b] >> a & 1) + (neighbour[c] >> a & 1) == 1
        case "between":
            return bool(neighbour[b] >> a & neighbour[c] >> a & 1)
        case "nearer" if rows:
            return a // (seats // 2) == b // (seats // 2) != c // (seats // 2)
        case "nearer":
            return min((a - b) % seats, (b - a) % seats) < min((a - c) % seats, (c - a) % seats)
        case "end or":
            return bool(opposite[b] >> a & 1 or neighbour[c] >> a & 1)
        case _:
            return bool(related_seats(clue.kind, seats, rows)[b] >> a & 1)


def describe_clue(clue: Clue, table: Table) -> str:
    words = [table.names[person] for person in clue.people]
    return (ROWS if table.rows else ROUND)[clue.kind].format(*words, *([clue.seat + 1] if clue.kind == "seat" else []))


@cache
def _thirds(kind: str, seats: int, rows: bool) -> tuple[tuple[tuple[int, int], ...], ...]:
    """For each seat of the first person, the seats of the second one as masks, each with the mask of all seats of the third one that go with both."""
    plain = Clue(kind=kind, people=(0, 1, 2))
    thirds = []
    for a in range(seats):
        pairs = []
        for b in range(seats):
            mask = 0
            for c in range(seats):
                if len({a, b, c}) == 3 and holds(plain, (a, b, c, *range(3, seats)), rows):
                    mask |= 1 << c
            if mask:
                pairs.append((1 << b, mask))
        thirds.append(tuple(pairs))
    return tuple(thirds)


def _narrow(clue: Clue, seats: int, rows: bool) -> domains.Narrow:
    if clue.kind == "seat":

        def narrow_clue(can: list[int]) -> bool:
            can[clue.people[0]] &= 1 << clue.seat
            return can[clue.people[0]] > 0

        return narrow_clue
    if len(clue.people) == 3:
        x, y, z = clue.people
        thirds = _thirds(clue.kind, seats, rows)

        def three(can: list[int]) -> bool:
            p, q, r, a, b, c = can[x], can[y], can[z], 0, 0, 0
            for v in domains.bits_of(p):
                for j, ks in thirds[v]:
                    if j & q and ks & r:
                        a, b, c = a | 1 << v, b | j, c | ks & r
            can[x], can[y], can[z] = a, b, c
            return a > 0

        return three
    x, y = clue.people
    relation = related_seats(clue.kind, seats, rows)
    back = tuple(sum(1 << b for b in range(seats) if relation[b] >> a & 1) for a in range(seats))

    def two(can: list[int]) -> bool:
        p, q, a, b = can[x], can[y], 0, 0
        for v in domains.bits_of(q):
            a |= relation[v]
        for v in domains.bits_of(p):
            b |= back[v]
        can[x], can[y] = p & a, q & b
        return can[x] > 0 and can[y] > 0

    return two


def puzzle(table: Table) -> domains.Puzzle:
    return _without_clues(table.names).with_rules(_clue_rules(table.clues, len(table.names), table.rows))


def _clue_rules(clues: Sequence[Clue], seats: int, rows: bool) -> list[domains.Rule]:
    return [domains.Rule(f"clue {number}", clue.people, narrow=_narrow(clue, seats, rows)) for number, clue in enumerate(clues, 1)]


def _without_clues(names: Sequence[str]) -> domains.Puzzle:
    seats = len(names)
    rules = [domains.exactly_one(f"seat {v + 1}", [(i, 1 << v) for i in range(seats)]) for v in range(seats)]
    return domains.Puzzle(
        tuple(f"{name}'s seat" for name in names),
        tuple(str(v + 1) for v in range(seats)),
        ((1 << seats) - 1,) * seats,
        domains.different([[other for other in range(seats) if other != i] for i in range(seats)], seats),
        tuple(rules),
    )


def sample_table(rng: Rng, names: Sequence[str], rows: bool, kinds: int, reasoning: str, suppositions: int = 0) -> Table:
    """A table whose clues, of the first `kinds` kinds, leave one way to sit; few of them are superfluous.

    By `search` it may take three times as many suppositions as are wanted to prove that there is one way.
    """
    seats = len(names)
    places = rng.shuffled(range(seats))
    clues = [Clue(kind="seat", people=(i,), seat=places[i]) for i in rng.sample(range(seats), 1 if kinds > 3 else 2)]
    seen = set(clues)
    for kind in KINDS[:kinds]:
        for _ in range(5 * seats):
            clue = Clue(kind=kind, people=tuple(rng.sample(range(seats), 3 if KINDS.index(kind) > 4 else 2)))
            if clue not in seen and holds(clue, places, rows):
                seen.add(clue)
                clues.append(clue)
    order = [i for i in rng.shuffled(range(len(clues))) if clues[i].kind != "seat"]

    if reasoning == "search":
        # Clues that leave few seats are dropped first, so that many weak ones are left.
        order.sort(key=lambda i: KINDS.index(clues[i].kind))

    def table(kept: Sequence[int]) -> Table:
        chosen = [clue for clue in clues if clue.kind == "seat"] + [clues[i] for i in sorted(kept)]
        return Table(names=tuple(names), rows=rows, clues=tuple(chosen))

    bare, clue_rules, fixed = (
        _without_clues(names),
        _clue_rules(clues, seats, rows),
        [i for i, clue in enumerate(clues) if clue.kind == "seat"],
    )

    def work(kept: Sequence[int]) -> domains.Puzzle:
        return bare.with_rules([clue_rules[i] for i in (*fixed, *sorted(kept))])

    def fine(kept: list[int]) -> bool:
        if reasoning == "direct":
            return singleton_consistency.deducible(work(kept), {}, "direct")
        return domains.has_one_solution(work(kept), {}, 3 * suppositions if reasoning == "search" else 10)

    if not fine(order):
        return sample_table(rng, names, rows, kinds, reasoning, suppositions)
    kept = drop_clues(order, 0, fine)
    spare = [i for i in order if i not in kept]
    while reasoning != "search" and not singleton_consistency.deducible(work(kept), {}, reasoning):
        kept.append(spare.pop())
    full = table(kept)
    return full.model_copy(update={"clues": tuple(rng.shuffled(full.clues))})
