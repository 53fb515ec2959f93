"""People who were in rooms when something was stolen, what they say of one another, who lies, and what follows from what was said."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import lru_cache
from itertools import product
from typing import Literal, NamedTuple

from rlgym.core.rng import Rng

LYING = Literal["room", "alone", "count"]
TOLD = {
    "room": "Those who were in {rooms} lie in every answer; all others always tell the truth.",
    "alone": "Those who were alone in a room lie in every answer; those who were there with somebody always tell the truth.",
    "count": "The number of liars among them is {count}: every answer of a liar is a lie. All others always tell the truth.",
}
Statement = tuple[int, int, int]  # who says of whom that he was in which room; a speaker of -1 is a trace: so many people in a room


class Case(NamedTuple):
    """`at` is the room of each person; exactly one was in room 0, from which something was stolen. `says` holds every answer."""

    people: tuple[str, ...]
    rooms: tuple[str, ...]
    lying: LYING
    liars: tuple[int, ...]  # for "room" the rooms, for "count" their number
    at: tuple[int, ...]
    says: tuple[tuple[int, ...], ...]


def case(rng: Rng, people: Sequence[str], rooms: Sequence[str], lying: LYING) -> Case:
    while True:
        thief = rng.integer(0, len(people) - 1)
        at = tuple(0 if k == thief else rng.integer(1, len(rooms) - 1) for k in range(len(people)))
        chosen = tuple(sorted(rng.sample(range(1, len(rooms)), (len(rooms) - 1) // 2)))
        numbers = ((len(people) - 1) // 2,) if lying == "count" else chosen if lying == "room" else ()
        liars = _liars(lying, numbers, at)
        lies = set(rng.sample(range(len(people)), numbers[0])) if lying == "count" else {k for k, liar in enumerate(liars) if liar}
        if not 0 < len(lies) < len(people) - 1:
            continue
        says = tuple(
            tuple(rng.choice([room for room in range(len(rooms)) if room != at[k]]) if who in lies else at[k] for k in range(len(people)))
            for who in range(len(people))
        )
        candidate = Case(tuple(people), tuple(rooms), lying, numbers, at, says)
        if solve(candidate, all_statements(candidate)) is not None:
            return candidate


def all_statements(case: Case) -> list[Statement]:
    people = range(len(case.people))
    traces = [(-1, room, case.at.count(room)) for room in range(1, len(case.rooms))]
    return [*traces, *((who, of, case.says[who][of]) for who in people for of in people)]


def solve(case: Case, statements: Iterable[Statement]) -> int | None:
    """The one person who can have been in room 0 by these statements and the rule about lying; None where there are several."""
    return thief_of(case._replace(at=(), says=()), tuple(sorted(statements)))


@lru_cache(4096)
def thief_of(shown: Case, statements: tuple[Statement, ...]) -> int | None:
    """`shown` is a case without where people were and what they say."""
    thieves: set[int] = set()
    for bits, thief in _worlds(shown, statements):
        if bits:
            thieves.add(thief)
            if len(thieves) > 1:
                return None
    return thieves.pop() if len(thieves) == 1 else None


def _worlds(shown: Case, statements: tuple[Statement, ...]) -> list[tuple[int, int]]:
    """For each thief the ways in which people can have been in rooms, as bits, that fit the statements."""
    every, speakers = _layouts(shown), sorted({who for who, _, _ in statements if who >= 0})
    fits = every.all
    for who, room, count in statements:
        if who < 0:
            fits &= every.counts[room, count]
    if shown.lying == "count":
        return [(_count(shown, statements, fits & every.thieves[thief]), thief) for thief in range(len(shown.people))]
    for who in speakers:
        true = lie = every.all
        for speaker, of, room in statements:
            if speaker == who:
                true &= every.where[of, room]
                lie &= every.all & ~every.where[of, room]
        fits &= (every.lies[who] & lie) | (every.all & ~every.lies[who] & true)
    return [(fits & every.thieves[thief], thief) for thief in range(len(shown.people))]


def _count(shown: Case, statements: tuple[Statement, ...], fits: int) -> int:
    """The layouts in which so many people as must can lie: those who are not heard may be liars or not."""
    every, liar_count = _layouts(shown), shown.liars[0]
    exact: dict[int, int] = {0: fits}
    for who in range(len(shown.people)):
        mine = [(of, room) for speaker, of, room in statements if speaker == who]
        true = lie = every.all
        for of, room in mine:
            true &= every.where[of, room]
            lie &= every.all & ~every.where[of, room]
        after: dict[int, int] = {}
        for count, bits in exact.items():
            after[count] = after.get(count, 0) | bits & true
            if count < liar_count:
                after[count + 1] = after.get(count + 1, 0) | bits & lie
        exact = after
    return exact.get(liar_count, 0)


class _Layouts(NamedTuple):
    all: int
    where: dict[tuple[int, int], int]
    counts: dict[tuple[int, int], int]
    thieves: dict[int, int]
    lies: dict[int, int]


@lru_cache(64)
def _layouts(shown: Case) -> _Layouts:
    people, rooms = len(shown.people), len(shown.rooms)
    return _tables(people, rooms, shown.lying, shown.liars)


@lru_cache(64)
def _tables(people: int, rooms: int, lying: LYING, liars: tuple[int, ...]) -> _Layouts:
    """All layouts with one person in room 0, as bits of integers."""
    layouts = [at for at in product(range(rooms), repeat=people) if at.count(0) == 1]
    where = dict.fromkeys(product(range(people), range(rooms)), 0)
    counts = dict.fromkeys(product(range(rooms), range(people + 1)), 0)
    lies = dict.fromkeys(range(people), 0)
    for place, at in enumerate(layouts):
        bit = 1 << place
        for who, room in enumerate(at):
            where[who, room] |= bit
        for room in range(rooms):
            counts[room, at.count(room)] |= bit
        if lying != "count":
            for who, liar in enumerate(_liars(lying, liars, at)):
                lies[who] |= bit * liar
    return _Layouts((1 << len(layouts)) - 1, where, counts, {who: where[who, 0] for who in range(people)}, lies)


def _liars(lying: LYING, numbers: tuple[int, ...], at: Sequence[int]) -> list[bool]:
    if lying == "room":
        return [room in numbers for room in at]
    return [lying == "alone" and at.count(room) == 1 for room in at]
