"""What a town offers the guests of a hotel, and the plans that a guest can have of it."""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from functools import lru_cache
from typing import NamedTuple

from rlgym.core.rng import Rng
from rlgym.generators.services.flights import clock, minutes
from rlgym.generators.services.people import codes, full_names, greeting
from rlgym.generators.services.records import Fact, Record
from rlgym.generators.users.desk import line
from rlgym.generators.users.person import Person
from rlgym.generators.users.phrases import PERSONAS

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
    """A guest with what is offered; `wants` is what the guest holds to in the end, and `opening` how the call begins."""

    records: tuple[Record, ...]
    room: str
    kinds: tuple[str, ...]
    opening: str
    wants: Wants
    person: Person


PATIENCE = 8


def stay(rng: Rng, wishes: int, offers: int, limits: int, told: str) -> Stay:
    """A guest with wishes and limits (the first of TOPICS always), for whom exactly one plan is best.

    Told "all", the guest says everything but the budget at once; "asked", when asked; "late", some answers come only when asked again, and the guest may
    correct one of them when asked for more.
    """
    kinds = tuple(rng.sample(KINDS, wishes))
    distant, dear = wishes > 1 and rng.chance(0.7), rng.chance(0.6)
    while True:
        wants = _sample_wants(rng, kinds, limits)
        records = [_offer(rng, kind, code) for code, kind in zip(codes(rng, offers * wishes, "E"), kinds * offers)]
        good = best_plans(records, kinds, wants)
        if not good or (len(good) > 1 and rank(good[0]) == rank(good[1])):
            continue
        # A limit that rules nothing out would ask for no thought: the best of all plans must not be allowed.
        free = wants._replace(persons=0, budget=10**6, food="", stairs=False, earliest=0, latest=24 * 60, dislikes="")
        tempting = [best_plans(records, kinds, free, walk=False)]
        tempting += [best_plans(records, kinds, wants, walk=False)] if distant else []
        tempting += [best_plans(records, kinds, wants._replace(budget=10**6))] if dear else []
        if all(rank(other[0]) != rank(good[0]) for other in tempting):
            break
    persona, room, name = rng.choice(PERSONAS), codes(rng, 1, "G")[0], full_names(rng, 1)[0]
    at_first = wants
    if told == "late" and rng.chance(0.7):
        tries = [_sample_first_words(rng, kinds, wants) for _ in range(6)]
        changing = [one for one in tries if best_plans(records, kinds, one)[:1] != good[:1]]
        at_first = next(iter(changing), wants)
    wish = f"We would like {_join_with_and([f'a {kind}' for kind in kinds])} today."
    opening = f"{greeting(rng, name)} {wish}"
    if told == "all":
        opening += " " + " ".join(_phrase(rng, topic, wants) for topic in TOPICS[1:])
    late = rng.sample(TOPICS, rng.integer(1, 2) if persona == "forgetful" else int(rng.chance(0.3))) if told == "late" else []
    volunteers = ((rng.integer(2, 3), rng.choice(TOPICS)),) if told == "asked" and rng.chance(0.3) else ()
    facts: dict[str, Fact] = {"guest": name, "persons": wants.persons}
    everything = [*records, Record("room", room, facts), line("", "wish", wish), *_lines(rng, at_first, wants)]
    person = Person("", name, persona, "guest", PATIENCE, tuple(late), volunteers)
    return Stay(tuple(rng.shuffled(everything)), room, kinds, opening, wants, person)


def _lines(rng: Rng, at_first: Wants, wants: Wants) -> list[Record]:
    """What a guest says about each topic, and when asked for more: a correction where the first words are not what holds."""
    changed = next((topic for topic in TOPICS if _facts(topic, at_first) != _facts(topic, wants)), "")
    rows = []
    for topic in TOPICS:
        until = {"until": "more 1"} if topic == changed else {}
        rows.append(line("", topic, _phrase(rng, topic, at_first), **_facts(topic, at_first), **until))
    if changed:
        regret = rng.choice(("I must correct myself. ", "We have talked it over again. ", "There is a change. "))
        rows.append(line("", "more 1", _phrase(rng, changed, wants, again=True), lead=regret, more="yes", **_facts(changed, wants)))
    nothing = rng.choice(("No, that is all.", "No, nothing else.", "That was everything, thank you."))
    return [*rows, line("", "more 2" if changed else "more 1", nothing, more="no")]


def _facts(topic: str, wants: Wants) -> dict[str, Fact]:
    """What a guest states about a topic."""
    if topic == "times":
        return {"earliest": wants.earliest, "latest": wants.latest}
    value = getattr(wants, topic)
    return {topic: ("yes" if value else "no") if topic == "stairs" else value}


def heard(persons: int, answers: Sequence[Record]) -> Wants:
    """The limits that follow from a guest's words, of which the later ones count."""
    facts: dict[str, Fact] = {name: value for answer in answers for name, value in answer.facts.items()}
    known = {name: facts[name] for name in ("budget", "food", "earliest", "latest", "dislikes")}
    return Wants(persons=persons, stairs=facts["stairs"] == "yes", **known)  # type: ignore[arg-type]


def _sample_first_words(rng: Rng, kinds: Sequence[str], wants: Wants) -> Wants:
    """What a guest may say at first who holds to something else in the end: one topic differs."""
    match rng.choice(TOPICS):
        case "budget":
            return wants._replace(budget=wants.budget + wants.persons * len(kinds) * rng.choice((-12, -8, 8, 12, 20)))
        case "food":
            return wants._replace(food=rng.choice([diet for diet in ("", *DIETS) if diet != wants.food]))
        case "stairs":
            return wants._replace(stairs=not wants.stairs)
        case "dislikes":
            themes = [theme for kind in kinds for theme in THEMES[kind]]
            return wants._replace(dislikes=rng.choice([theme for theme in ("", *themes) if theme != wants.dislikes]))
    if not wants.earliest:
        return wants._replace(earliest=15 * rng.integer(38, 44), latest=15 * rng.integer(84, 90))
    return wants._replace(earliest=wants.earliest + 30 * rng.choice((-2, 2, 4)), latest=wants.latest - 30 * rng.choice((0, 1, 2)))


class _Outing(NamedTuple):
    offer: Offer
    walk: int


def best_plans(records: Sequence[Record], kinds: Sequence[str], wants: Wants, walk: bool = True) -> list[tuple[Offer, ...]]:
    """The best plan that keeps every limit and the next best, by branch and bound; without `walk` the ways take no time."""
    fit = [record for record in records if suits(record, wants)]
    outings = [(record.word("sort"), _Outing(offer(record), record.number("minutes to walk") if walk else 0)) for record in fit]
    rows = [
        sorted(
            (one for sort, one in outings if sort == kind and one.offer.start >= wants.earliest and one.offer.end <= wants.latest),
            key=_rating,
        )
        for kind in kinds
    ]
    if not all(rows):
        return []
    reachable = [sum(row[0].offer.rating for row in rows[place:]) for place in range(len(rows) + 1)]
    found: list[tuple[Offer, ...]] = []

    def extend(chosen: tuple[_Outing, ...], rating: int, price: int) -> None:
        place = len(chosen)
        if place == len(rows):
            found.append(tuple(one.offer for one in chosen))
            found.sort(key=rank)
            del found[2:]
            return
        for one in rows[place]:
            if len(found) == 2 and rating + one.offer.rating + reachable[place + 1] < -rank(found[1])[0]:
                return
            if wants.persons * (price + one.offer.price) <= wants.budget and all(_apart(one, other) for other in chosen):
                extend((*chosen, one), rating + one.offer.rating, price + one.offer.price)

    extend((), 0, 0)
    return found


def _rating(outing: _Outing) -> int:
    return -outing.offer.rating


def _apart(one: _Outing, other: _Outing) -> bool:
    """Whether two outings do not overlap and leave the time to walk back to the hotel and out again."""
    first, second = (one, other) if one.offer.start <= other.offer.start else (other, one)
    return second.offer.start - first.offer.end >= first.walk + second.walk


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


def _phrase(rng: Rng, topic: str, wants: Wants, again: bool = False) -> str:
    """What a guest says about a topic; `again` in words that are clear without a question."""
    match topic:
        case "budget":
            return rng.choice(("We can spend {} coins in all.", "All together it may cost {} coins at most.")).format(wants.budget)
        case "food" if wants.food:
            return f"All food must be {'without nuts' if wants.food == 'no nuts' else wants.food}."
        case "food":
            return "We eat everything after all." if again else "We eat everything."
        case "stairs" if wants.stairs:
            return "We cannot climb stairs."
        case "stairs":
            return "Stairs do not matter."
        case "times" if wants.earliest:
            return f"Nothing may begin before {clock(wants.earliest)} or end after {clock(wants.latest)}."
        case "times":
            return "It may be at any time of the day." if again else "Any time will do."
        case "dislikes" if wants.dislikes:
            return f"Nothing with the theme {wants.dislikes}, please."
    return "We like every theme after all." if again else "We like every theme."


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
