"""Trips for two people whose wishes differ: what each of them wants, gives up and remembers late, and the trips on offer."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from rlgym.core.rng import Rng
from rlgym.generators.services.people import codes
from rlgym.generators.services.records import Fact, Record
from rlgym.generators.text.names import PEOPLE
from rlgym.generators.users import travel_phrases
from rlgym.generators.users.desk import line
from rlgym.generators.users.matters import Matter
from rlgym.generators.users.person import Person
from rlgym.generators.users.phrases import PERSONAS
from rlgym.generators.users.travel_phrases import FEATURES, LANDSCAPES, TOWNS, WAYS

RULES = ("more", "yield", "propose", "deposit")
TOPICS = ("landscape", "budget", "travel", "hotel", "weeks")
WEEKS = (1, 2, 3, 4)
SHARE = 5
"""The deposit is one coin in this many of the price."""


class Trip(NamedTuple):
    town: str
    landscape: str
    way: str
    week: int
    features: tuple[str, ...]
    price: int


class Wishes(NamedTuple):
    """What somebody wants of a trip, in the order of TOPICS."""

    landscape: tuple[str, ...] = LANDSCAPES
    budget: int = 10**6
    travel: tuple[str, ...] = ()
    hotel: tuple[str, ...] = ()
    weeks: tuple[int, ...] = WEEKS

    def without(self, topic: str) -> Wishes:
        return self._replace(**{topic: Wishes._field_defaults[topic]})


def wishes_of(said: Mapping[str, Fact]) -> Wishes:
    """Wishes as they are stated in lines."""
    stated: dict[str, Any] = dict(said)
    if "weeks" in stated:
        stated["weeks"] = tuple(map(int, stated["weeks"]))
    return Wishes(**stated)


class Traveller(NamedTuple):
    """Somebody with wishes: the topic that they give up, a way of travelling that they refuse late, and a town that they do not want to see again."""

    wishes: Wishes
    yields: str
    late: str = ""
    been: str = ""


class Agency(NamedTuple):
    records: tuple[Record, ...]
    people: tuple[Person, ...]


def suits(trip: Trip, wishes: Wishes) -> bool:
    return (
        trip.landscape in wishes.landscape
        and trip.price <= wishes.budget
        and trip.way not in wishes.travel
        and set(wishes.hotel) <= set(trip.features)
        and trip.week in wishes.weeks
    )


def final_wishes(traveller: Traveller, rules: Sequence[str]) -> Wishes:
    """What counts in the end: with second thoughts, and without what is given up."""
    wishes = traveller.wishes._replace(
        travel=(*traveller.wishes.travel, *((traveller.late,) if "more" in rules and traveller.late else ()))
    )
    return wishes.without(traveller.yields) if "yield" in rules else wishes


def fitting(trips: Sequence[Trip], wanted: Sequence[Wishes]) -> list[Trip]:
    """The trips that suit everybody, the cheapest first."""
    return sorted((trip for trip in trips if all(suits(trip, wishes) for wishes in wanted)), key=lambda trip: trip.price)


def agency(rng: Rng, rules: Sequence[str], trips: int, topics: int, told: bool, patience: int) -> Agency:
    """Two people and trips such that every stated rule decides which trip is right."""
    asked = TOPICS[:topics]
    while True:
        offered = _trips(rng, trips)
        pair = _pair(rng, offered, asked, rules)
        if pair and _matters(offered, pair, rules):
            break
    agrees = rng.chance(0.5)
    people, records = list[Person](), list[Record]()
    trip_codes = codes(rng, trips, "T")
    for code, trip in zip(trip_codes, offered):
        facts: dict[str, Fact] = {**trip._asdict()}
        records.append(Record("trip", code, facts))
    names = rng.sample(PEOPLE, 2)
    for code, name, traveller in zip(codes(rng, 2, "P"), names, pair):
        records += _lines(rng, code, traveller, offered, rules, told, asked)
        if not people:
            records += [
                line(code, f"charge {trip.price // SHARE}", "Yes, take it." if agrees else "No, I pay nothing in advance.", agrees=agrees)
                for trip in offered
            ]
        persona = rng.choice(PERSONAS)
        forgets = (f"{code} {rng.choice(asked)}".lower(),) if persona == "forgetful" and not told else ()
        matters = tuple(Matter(trip.town.lower(), (trip.town.lower(),)) for trip in offered)
        people.append(Person(code, name, persona, "travel", patience, forgets, matters=matters))
    return Agency(tuple(rng.shuffled(records)), tuple(people))


def _trips(rng: Rng, count: int) -> list[Trip]:
    prices = rng.sample(range(40, 160), count)
    return [
        Trip(
            town, rng.choice(LANDSCAPES), rng.choice(WAYS), rng.choice(WEEKS), tuple(rng.sample(FEATURES, rng.integer(2, 4))), SHARE * price
        )
        for town, price in zip(rng.sample(TOWNS, count), prices)
    ]


def _pair(rng: Rng, trips: Sequence[Trip], topics: Sequence[str], rules: Sequence[str]) -> tuple[Traveller, Traveller] | None:
    """Two people whom one of the trips suits, once one of them has given something up where that is a rule."""
    goal = rng.choice(trips)
    first, second = (_wishes(rng, goal, topics) for _ in range(2))
    possible = [topic for topic in topics if topic != "weeks"]
    gives, also = rng.choice(possible), rng.choice(possible)
    if "yield" in rules:
        first = _against(rng, first, goal, gives)
    late = rng.choice([way for way in WAYS if way not in (goal.way, *first.travel)] or [""]) if "more" in rules else ""
    pair = Traveller(first, gives), Traveller(second, also, late)
    if "propose" in rules:
        best = fitting(trips, [final_wishes(one, rules) for one in pair])
        if len(best) < 2:
            return None
        pair = (pair[0], pair[1]._replace(been=best[0].town)) if rng.chance(0.7) else pair
    return pair if rng.chance(0.5) else (pair[1], pair[0])


def _wishes(rng: Rng, goal: Trip, topics: Sequence[str]) -> Wishes:
    """Wishes that a trip meets."""
    other = rng.choice([place for place in LANDSCAPES if place != goal.landscape])
    drawn = Wishes(
        landscape=tuple(rng.shuffled([goal.landscape, other])),
        budget=goal.price + 10 * rng.integer(1, 25),
        travel=tuple(rng.sample([way for way in WAYS if way != goal.way], rng.integer(0, 1))),
        hotel=tuple(rng.sample(goal.features, rng.integer(0, 1))),
        weeks=tuple(sorted({goal.week, *rng.sample(WEEKS, 2)})),
    )
    for topic in set(TOPICS) - set(topics):
        drawn = drawn.without(topic)
    return drawn


def _against(rng: Rng, wishes: Wishes, goal: Trip, topic: str) -> Wishes:
    """The wishes with one that the trip does not meet."""
    changed: Mapping[str, Any] = {
        "landscape": tuple(place for place in wishes.landscape if place != goal.landscape),
        "budget": goal.price - 10 * rng.integer(1, 10),
        "travel": (goal.way,),
        "hotel": (rng.choice([feature for feature in FEATURES if feature not in goal.features]),),
    }
    return wishes._replace(**{topic: changed[topic]})


def _matters(trips: Sequence[Trip], pair: Sequence[Traveller], rules: Sequence[str]) -> bool:
    """Whether there is a right trip, not the only one, and another one without any of the rules on second thoughts and concessions."""

    def chosen(stated: Sequence[str]) -> list[Trip]:
        return [
            trip
            for trip in fitting(trips, [final_wishes(one, stated) for one in pair])
            if "propose" not in stated or trip.town not in (pair[0].been, pair[1].been)
        ]

    right = chosen(rules)
    if not right or len(right) == len(trips):
        return False
    if "yield" in rules and fitting(trips, [final_wishes(one, [rule for rule in rules if rule != "yield"]) for one in pair]):
        return False
    return "more" not in rules or chosen([rule for rule in rules if rule != "more"])[:1] != right[:1]


def _lines(
    rng: Rng, code: str, traveller: Traveller, trips: Sequence[Trip], rules: Sequence[str], told: bool, topics: Sequence[str]
) -> list[Record]:
    """What one of the two says."""
    wishes = traveller.wishes
    words = {
        "landscape": travel_phrases.landscape(rng, wishes.landscape) if len(wishes.landscape) < len(LANDSCAPES) else "Any place will do.",
        "budget": travel_phrases.budget(rng, wishes.budget) if "budget" in topics else "The price does not matter.",
        "travel": travel_phrases.travel(rng, wishes.travel),
        "hotel": travel_phrases.hotel(rng, wishes.hotel),
        "weeks": travel_phrases.weeks(rng, wishes.weeks) if len(wishes.weeks) < len(WEEKS) else "Any week will do.",
    }
    values: dict[str, Fact] = {
        "landscape": wishes.landscape,
        "budget": wishes.budget,
        "travel": wishes.travel,
        "hotel": wishes.hotel,
        "weeks": tuple(map(str, wishes.weeks)),
    }
    all_told = " ".join(["", *(words[topic] for topic in topics)]) if told else ""
    late = traveller.late if "more" in rules else ""
    more = travel_phrases.second_thoughts(rng, late) if late else "No, that is all."
    lines = [
        line(code, "wish", travel_phrases.opening(rng, all_told), **(values if told else {})),
        *(line(code, topic, words[topic], value=values[topic]) for topic in TOPICS),
        line(code, "more 1", more, late=late),
        line(code, "yield", travel_phrases.concession(rng, traveller.yields), gives=traveller.yields),
    ]
    final = final_wishes(traveller, rules)
    for trip in trips:
        accepts = suits(trip, final) and trip.town != traveller.been
        said = travel_phrases.accepts(rng) if accepts else travel_phrases.declines(rng, trip.town == traveller.been)
        lines.append(line(code, f"propose {trip.town.lower()}", said, accepts=accepts))
    return lines


def rules_in_words(rules: Sequence[str], payer: str) -> list[str]:
    texts = {
        "more": "Before you choose, ask both whether there is anything else.",
        "yield": "If no trip suits both, ask both what they could do without. What they name no longer counts for them.",
        "propose": "Propose the trip to both by the name of the town. If one of them does not want it, propose the next cheapest that suits both.",
        "deposit": f"A deposit of 1/{SHARE} of the price per person is due, once for both. Name the amount to {payer} and ask whether {payer} "
        "agrees. If not, reserve the trip instead of booking it.",
    }
    return [text for rule, text in texts.items() if rule in rules]
