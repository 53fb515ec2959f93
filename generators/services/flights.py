"""Flights of one day over a few airports, bookings that must be moved to other flights, and what that costs."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import NamedTuple

from rlgym.core.rng import Rng
from rlgym.generators.services.people import codes, full_names
from rlgym.generators.services.policy import Book, Clause, Policy, aim, goals
from rlgym.generators.services.records import Fact, Record
from rlgym.generators.worlds.desk import TOWNS

CHARGES: Book = {
    "cancelled": Clause("If the airline cancelled the flight: nothing.", lambda f, r: f["reason"] == "cancelled", "nothing"),
    "gold": Clause("If the passenger is a gold member: the difference in fare.", lambda f, r: f["tier"] == "gold", "difference"),
    "flex": Clause("If the fare is flex: the difference in fare.", lambda f, r: f["fare"] == "flex", "difference"),
    "saver": Clause(
        "If the fare is saver: the difference in fare and {number} coins a person.",
        lambda f, r: f["fare"] == "saver",
        "fee",
        range(20, 61, 5),
    ),
    "group": Clause(
        "If {number} or more persons fly: the difference in fare less 10 coins a person, but never less than nothing.",
        lambda f, r: f["persons"] >= r.number,
        "rebate",
        range(3, 5),
    ),
    "dear": Clause(
        "If more than {number} coins a person were paid: nothing.",
        lambda f, r: f["paid a person"] > r.number,
        "nothing",
        range(90, 131, 10),
    ),
    "default": Clause("the difference in fare and {number} coins for the booking.", lambda f, r: True, "fixed", range(15, 50, 5)),
}


class Leg(NamedTuple):
    code: str
    start: str
    end: str
    departs: int
    arrives: int
    price: int


class Limits(NamedTuple):
    """What a journey must keep to, in minutes of the day."""

    earliest: int
    latest: int
    flights: int


def clock(minutes: int) -> str:
    return f"{minutes // 60:02}:{minutes % 60:02}"


def minutes(clock: str) -> int:
    return int(clock[:2]) * 60 + int(clock[3:])


def leg(record: Record) -> Leg:
    facts = record.facts
    return Leg(
        record.code,
        str(facts["origin"]),
        str(facts["to"]),
        minutes(record.word("departs")),
        minutes(record.word("arrives")),
        record.number("price"),
    )


def journeys(legs: Sequence[Leg], start: str, end: str, limits: Limits, connection: dict[str, int]) -> list[tuple[Leg, ...]]:
    """All ways from start to end within limits that visit no airport twice and leave the time for each connection that its airport needs."""
    complete = list[tuple[Leg, ...]]()
    open_ends: list[tuple[Leg, ...]] = [(leg,) for leg in legs if leg.start == start and leg.departs >= limits.earliest]
    while open_ends:
        route = open_ends.pop()
        last = route[-1]
        if last.arrives > limits.latest:
            continue
        if last.end == end:
            complete.append(route)
        elif len(route) < limits.flights:
            been = {start, *(leg.end for leg in route)}
            ready = last.arrives + connection.get(last.end, 0)
            open_ends += [(*route, leg) for leg in legs if leg.start == last.end and leg.departs >= ready and leg.end not in been]
    return complete


def rank(route: tuple[Leg, ...], soonest: bool) -> tuple[int, int, int]:
    """The smaller the better: by arrival or by price, then by the other, then by the number of flights."""
    price, arrives = sum(leg.price for leg in route), route[-1].arrives
    return (arrives, price, len(route)) if soonest else (price, arrives, len(route))


def charged(policy: Policy, kind: str, number: int, persons: int, difference: int) -> int:
    """What is charged for a booking; `difference` is the new fare less what was paid for all persons, at least 0."""
    match CHARGES[kind].verdict:
        case "nothing":
            return 0
        case "difference":
            return difference
        case "fee":
            return difference + number * persons
        case "rebate":
            return max(0, difference - 10 * persons)
    return difference + number


def timetable(rng: Rng, policy: Policy, bookings: int, hubs: int, flights: int) -> tuple[tuple[Record, ...], tuple[str, ...]]:
    """Records of airports, flights and bookings, and the bookings' codes; journeys may have up to `flights` flights."""
    for _ in range(200):
        records, ids = _sample(rng, policy, bookings, hubs, flights)
        if not _has_ties(records, flights):
            break
    return tuple(rng.shuffled(records)), tuple(ids)


def _has_ties(records: Sequence[Record], flights: int) -> bool:
    """Whether two journeys of a booking are equally good."""
    legs = [leg(record) for record in records if record.kind == "flight"]
    for record in records:
        if record.kind == "booking":
            limits = Limits(minutes(record.word("not before")), minutes(record.word("there by")), flights)
            ways = journeys(legs, record.word("from"), record.word("to"), limits, {})
            ranks = [rank(route, record.facts["reason"] == "cancelled") for route in ways]
            if len(set(ranks)) < len(ranks):
                return True
    return False


def _sample(rng: Rng, policy: Policy, bookings: int, hubs: int, flights: int) -> tuple[list[Record], list[str]]:
    towns = rng.shuffled(TOWNS)
    middle, starts, ends = towns[:hubs], towns[hubs : hubs + 2], towns[hubs + 2 : hubs + 4]
    routes = [(start, end, 2 if flights > 1 else 5) for start in starts for end in ends]
    routes += [(start, hub, 2) for start in starts for hub in middle] + [(hub, end, 2) for hub in middle for end in ends]
    routes += [(first, second, 1) for first in middle for second in middle if first != second and flights > 2]
    count = sum(number for *_, number in routes)
    spare, records = (
        codes(rng, count, "F"),
        [Record("airport", town, {"minutes for a connection": 5 * rng.integer(10, 36)}) for town in middle],
    )
    for start, end, number in routes:
        direct = start in starts and end in ends
        for _ in range(number):
            departs = 5 * (rng.integer(90, 220) if direct else rng.integer(80, 150) if start in starts else rng.integer(125, 210))
            facts: dict[str, Fact] = {
                "origin": start,
                "to": end,
                "departs": clock(departs),
                "arrives": clock(departs + 5 * rng.integer(9, 30)),
                "price": rng.integer(150, 330) if direct else rng.integer(40, 130),
                "seats": rng.choice((0, 1, 2, 3, 4, 6, 9)),
                "airline": rng.weighted(("own", "partner"), (3, 1)),
            }
            records.append(Record("flight", spare.pop(), facts))
    ids = codes(rng, bookings, "B")
    for code, name, goal in zip(ids, full_names(rng, bookings), goals(rng, policy, bookings)):
        facts = {
            "passenger": name,
            "from": rng.choice(starts),
            "to": rng.choice(ends),
            **aim(rng, CHARGES, policy, goal, partial(_passenger, rng)),
            "not before": clock(15 * rng.integer(24, 34)),
            "there by": clock(15 * rng.integer(72, 94)),
        }
        records.append(Record("booking", code, facts))
    return records, ids


def _passenger(rng: Rng) -> dict[str, Fact]:
    # Most journeys cost more than what was paid, so that a difference in fare is not nothing.
    return {
        "persons": rng.weighted((1, 2, 3, 4), (4, 3, 2, 1)),
        "paid a person": rng.integer(30, 160),
        "fare": rng.choice(("saver", "basic", "flex")),
        "tier": rng.choice(("gold", "silver", "none")),
        "reason": rng.choice(("cancelled", "change wanted")),
    }
