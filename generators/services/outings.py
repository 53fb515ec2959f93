"""What a town offers the guests of a hotel, and the plans that a guest can have of it."""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from functools import lru_cache
from typing import NamedTuple

from rlgym.core.rng import Rng
from rlgym.generators.services.flights import clock, minutes
from rlgym.generators.services.people import PERSONAS, codes, full_names, greeting, later, spoken
from rlgym.generators.services.records import Fact, Record

KINDS = ("dinner", "tour", "massage", "concert", "museum")
TOPICS = ("budget", "food", "stairs", "times", "dislikes")
DIETS = ("vegan", "vegetarian", "no nuts", "halal")
THEMES = {
    "dinner": ("fish", "noodles", "grill", "pizza"),
    "tour": ("boat", "bus", "bicycle", "walking"),
    "massage": ("oil", "hot stone", "foot", "sports"),
    "concert": ("jazz", "opera", "folk", "organ"),
    "museum": ("art", "toy", "railway", "war"),
}
_HOURS = {"dinner": (68, 82, 4, 8), "tour": (36, 66, 6, 12), "massage": (36, 78, 2, 5), "concert": (60, 84, 5, 8), "museum": (36, 66, 4, 9)}


class Offer(NamedTuple):
    code: str
    start: int
    end: int
    price: int
    rating: int


class Wants(NamedTuple):
    """What a guest holds to; "" and large numbers for no requirement."""

    persons: int
    budget: int
    food: str
    stairs: bool
    earliest: int
    latest: int
    dislikes: str


@lru_cache(maxsize=256)
def plans(rows: tuple[tuple[Offer, ...], ...], persons: int, budget: int, earliest: int, latest: int) -> tuple[tuple[Offer, ...], ...]:
    """One offer of each row, none at the same time as another, within budget and times; the best rated first, then the cheapest."""
    partial_plans: list[tuple[Offer, ...]] = [()]
    for row in rows:
        fits = [offer for offer in row if offer.start >= earliest and offer.end <= latest]
        partial_plans = [
            (*plan, offer)
            for plan in partial_plans
            for offer in fits
            if all(offer.end <= other.start or other.end <= offer.start for other in plan)
            and persons * (offer.price + sum(other.price for other in plan)) <= budget
        ]
    return tuple(sorted(partial_plans, key=rank))


def rank(plan: Sequence[Offer]) -> tuple[int, int]:
    return -sum(offer.rating for offer in plan), sum(offer.price for offer in plan)


def offer(record: Record) -> Offer:
    return Offer(record.code, minutes(record.word("begins")), minutes(record.word("ends")), record.number("price"), record.number("rating"))


def suits(record: Record, wants: Wants) -> bool:
    """Whether an offer by itself is one for these guests."""
    fed = not wants.food or record.facts["sort"] != "dinner" or wants.food in record.names("food for")
    climbed = not wants.stairs or record.facts["stairs"] == "no"
    return fed and climbed and record.facts["theme"] != wants.dislikes and record.number("places") >= wants.persons


def walkable(records: Sequence[Record]) -> bool:
    """Whether between any two of the offers there is time to walk back to the hotel and out again."""
    rows = sorted(records, key=lambda record: record.word("begins"))
    return all(
        minutes(after.word("begins")) - minutes(current.word("ends")) >= current.number("minutes to walk") + after.number("minutes to walk")
        for current, after in itertools.pairwise(rows)
    )


class Stay(NamedTuple):
    records: tuple[Record, ...]
    room: str
    kinds: tuple[str, ...]
    said: str
    stalls: tuple[tuple[str, str], ...]


def stay(rng: Rng, wishes: int, offers: int, limits: int, told: str) -> Stay:
    """A guest with wishes and limits (the first of TOPICS always), for whom exactly one plan is best."""
    kinds = tuple(rng.sample(KINDS, wishes))
    distant, dear = wishes > 1 and rng.chance(0.7), rng.chance(0.6)
    while True:
        wants = _sample_wants(rng, kinds, limits)
        records = [_offer(rng, kind, code) for code, kind in zip(codes(rng, offers * wishes, "E"), kinds * offers)]
        good = _feasible_plans(records, kinds, wants)
        # A limit that rules nothing out would ask for no thought: the best of all plans must not be allowed.
        free = plans(_rows(records, kinds), wants.persons, 10**6, 0, 10**6)
        if not good or not free or free[0] == good[0] or (len(good) > 1 and rank(good[0]) == rank(good[1])):
            continue
        if (not distant or _feasible_plans(records, kinds, wants, walk=False)[0] != good[0]) and (
            not dear or _feasible_plans(records, kinds, wants._replace(budget=10**6))[0] != good[0]
        ):
            break
    persona, room, name = rng.choice(PERSONAS), codes(rng, 1, "G")[0], full_names(rng, 1)[0]
    phrases = _phrase(rng, kinds, wants)
    answers = [Record("answer", topic, {"says": spoken(rng, persona, phrases[topic])}) for topic in TOPICS]
    facts: dict[str, Fact] = {"guest": name, "persons": wants.persons}
    opening = f"{greeting(rng, name)} We would like {_join_with_and([f'a {kind}' for kind in kinds])} today."
    if told == "all":
        opening += " " + " ".join(phrases[topic][0].upper() + phrases[topic][1:] for topic in TOPICS)
    late = [topic for topic in TOPICS if persona == "forgetful" or rng.chance(0.1)] if told == "late" else []
    stalls = tuple((f'{{"tool": "ask_guest", "arguments": {{"about": "{topic}"', later(rng)) for topic in late)
    known = {"wants": tuple(map(str, wants))}
    everything = [*records, Record("room", room, facts), *(answer._replace(facts={**answer.facts, **known}) for answer in answers)]
    return Stay(tuple(rng.shuffled(everything)), room, kinds, opening, stalls)


def read_wants(answers: Sequence[Record]) -> Wants:
    """The limits that follow from the guest's answers."""
    persons, budget, food, stairs, earliest, latest, dislikes = answers[0].names("wants")
    return Wants(int(persons), int(budget), food, stairs == "True", int(earliest), int(latest), dislikes)


def _rows(records: Sequence[Record], kinds: Sequence[str]) -> tuple[tuple[Offer, ...], ...]:
    return tuple(tuple(offer(record) for record in records if record.facts["sort"] == kind) for kind in kinds)


def _feasible_plans(records: Sequence[Record], kinds: Sequence[str], wants: Wants, walk: bool = True) -> list[tuple[Offer, ...]]:
    """All plans that keep every limit, the best first."""
    known = {record.code: record for record in records}
    fit = [record for record in records if suits(record, wants)]
    matching = plans(_rows(fit, kinds), wants.persons, wants.budget, wants.earliest, wants.latest)
    return [plan for plan in matching if not walk or walkable([known[offer.code] for offer in plan])]


def _sample_wants(rng: Rng, kinds: Sequence[str], limits: int) -> Wants:
    limited_topics = ("budget", *rng.sample(TOPICS[1:], limits - 1))
    persons = rng.integer(1, 4)
    return Wants(
        persons,
        persons * len(kinds) * rng.integer(28, 45),
        rng.choice(DIETS) if "food" in limited_topics else "",
        "stairs" in limited_topics,
        15 * rng.integer(38, 44) if "times" in limited_topics else 0,
        15 * rng.integer(84, 90) if "times" in limited_topics else 24 * 60,
        rng.choice(THEMES[rng.choice(kinds)]) if "dislikes" in limited_topics else "",
    )


def _phrase(rng: Rng, kinds: Sequence[str], wants: Wants) -> dict[str, str]:
    return {
        "budget": rng.choice(("we can spend {} coins in all.", "all together it may cost {} coins at most.")).format(wants.budget),
        "food": f"all food must be {'without nuts' if wants.food == 'no nuts' else wants.food}." if wants.food else "we eat everything.",
        "stairs": "we cannot climb stairs." if wants.stairs else "stairs do not matter.",
        "times": f"nothing may begin before {clock(wants.earliest)} or end after {clock(wants.latest)}."
        if wants.earliest
        else "any time will do.",
        "dislikes": f"nothing with the theme {wants.dislikes}, please." if wants.dislikes else "we like every theme.",
    }


def _offer(rng: Rng, kind: str, code: str) -> Record:
    low, high, short, long = _HOURS[kind]
    start = 15 * rng.integer(low, high)
    facts: dict[str, Fact] = {
        "sort": kind,
        "theme": rng.choice(THEMES[kind]),
        "begins": clock(start),
        "ends": clock(min(start + 15 * rng.integer(short, long), 1435)),
        "price": rng.integer(12, 70),
        "rating": rng.integer(40, 99),
        "minutes to walk": 5 * rng.integer(1, 8),
        "stairs": rng.choice(("yes", "no", "no")),
        "places": rng.choice((1, 2, 3, 4, 4, 6, 8, 12)),
    }
    return Record("offer", code, facts | ({"food for": tuple(diet for diet in DIETS if rng.chance(0.55))} if kind == "dinner" else {}))


def _join_with_and(words: Sequence[str]) -> str:
    return words[0] if len(words) == 1 else f"{', '.join(words[:-1])} and {words[-1]}"
