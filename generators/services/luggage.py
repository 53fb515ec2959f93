"""Bags that did not arrive: what travellers remember of them, the bags that were found, and the rules by which they are handed out."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from rlgym.core.rng import Rng
from rlgym.generators.services.clinic import HOURS
from rlgym.generators.services.people import codes, full_names
from rlgym.generators.services.records import Record
from rlgym.generators.users import clinic_phrases, luggage_phrases
from rlgym.generators.users.desk import line
from rlgym.generators.users.luggage_phrases import LOOKS
from rlgym.generators.users.person import Person
from rlgym.generators.users.phrases import PERSONAS
from rlgym.generators.users.slots import WEEKDAYS
from rlgym.generators.worlds.desk import TOWNS

RULES = ("doubt", "passport", "customs", "storage", "medicine")
FOOD = ("a cheese", "a smoked sausage", "a bonsai", "a bag of seeds")
MEDICINE = ("an insulin kit", "an inhaler", "heart tablets")
_ITEMS = (
    "a violin bow", "two paperbacks", "a red scarf", "hiking boots", "a camera", "a chess set", "a wedding dress", "a blue umbrella", "swimming goggles",
    "a hair dryer", "a teddy bear", "a silver frame", "running shoes", "a drawing pad", "a wool hat", "a lunch box", "a mouth organ", "a fishing reel",
    "a magnifying glass", "a folded kite", "a pair of binoculars", "a knitting needle set", "a straw hat", "a box of crayons",
)  # fmt: skip
NAMED = 3
"""Things in a bag that its owner names."""


class Policy(NamedTuple):
    """The rules that a task states beyond the general ones, and their numbers."""

    rules: tuple[str, ...]
    worth: int
    days: int
    fee: int


class Case(NamedTuple):
    """What is true of a traveller and a bag.

    looks     how the bag that fits best looks
    stated    how the traveller describes it
    wrong     the look that the traveller states wrongly, or nothing
    insists   whether the traveller sticks to that
    found     whether the bag is in the store
    """

    looks: Mapping[str, str]
    stated: Mapping[str, str]
    wrong: str
    insists: bool
    found: bool
    inside: tuple[str, ...]
    named: tuple[str, ...]
    worth: int
    days: int
    honest: bool
    pays: bool


class Airport(NamedTuple):
    records: tuple[Record, ...]
    people: tuple[Person, ...]


def fee_of(policy: Policy, days: int) -> int:
    """What the storage of a bag costs that has been in the store for some days."""
    return policy.fee * (days - policy.days) if "storage" in policy.rules and days > policy.days else 0


def airport(rng: Rng, policy: Policy, callers: int, bags: int, memory: str, patience: int) -> Airport:
    """Calls about lost bags; each stated rule decides something in one of them. `bags` is the number of bags of a flight."""
    records, people = list[Record](), list[Person]()
    ids, names = codes(rng, callers, "C"), full_names(rng, callers)
    bag_codes = iter(codes(rng, bags * callers + 2, "B"))
    towns = rng.sample(TOWNS, callers)
    subjects = _subjects(rng, policy.rules, callers)
    for code, name, town, about in zip(ids, names, towns, subjects):
        case = _case(rng, policy, about, memory == "told")
        flight, day = f"{rng.choice('KLQVZ')}{rng.choice('ABDR')} {rng.integer(100, 999)}", rng.choice(WEEKDAYS)
        other = rng.choice([weekday for weekday in WEEKDAYS if weekday != day])
        records += [
            Record("flight", flight, {"town": town, "day": day}),
            Record("flight", f"{flight[:2]} {(int(flight[3:]) + 7) % 900 + 100}", {"town": town, "day": other}),
        ]
        passport = _passport(rng)
        records.append(Record("passenger", name, {"flight": flight, "passport": passport}))
        found = _bags(rng, policy, case, bags)
        records += [Record("bag", next(bag_codes), {"flight": flight, **facts}) for facts in found]
        records += _lines(rng, policy, code, name, case, (flight, town, day), passport, memory)
        if "medicine" in about:
            records += _deliveries(rng, code)
        persona = rng.choice(PERSONAS)
        forgets = (f"{code} {rng.choice(('brand', 'mark', 'contents'))}".lower(),) if persona == "forgetful" else ()
        people.append(Person(code, name, persona, "luggage", patience, forgets))
    return Airport(tuple(rng.shuffled(records)), tuple(people))


def _subjects(rng: Rng, rules: Sequence[str], callers: int) -> list[tuple[str, ...]]:
    """Which rules each call is about. A rule that may end a call stands alone or before those that matter only if it does not."""
    drawn: list[list[str]] = [[] for _ in range(callers)]
    for place, rule in enumerate(rng.shuffled(rules)):
        drawn[place % callers].append(rule)
    return [tuple(sorted(about, key=RULES.index)) for about in drawn]


def _case(rng: Rng, policy: Policy, about: Sequence[str], described: bool) -> Case:
    looks = {name: rng.choice(values) for name, values in LOOKS.items()}
    last = about[-1] if about else ""  # an earlier rule ends no call in which a later one is to matter
    wrong = "" if described else rng.choice(tuple(LOOKS)) if "doubt" in about or rng.chance(0.5) else ""
    stated = looks | ({wrong: rng.choice([value for value in LOOKS[wrong] if value != looks[wrong]])} if wrong else {})
    inside = list(rng.sample(_ITEMS, 5))
    inside += [rng.choice(FOOD)] if "customs" in about else []
    inside += [rng.choice(MEDICINE)] if "medicine" in about else []
    return Case(
        looks=looks,
        stated=stated,
        wrong=wrong,
        insists=bool(wrong) and last == "doubt" and rng.chance(0.6),
        found=bool(about) or rng.chance(0.7),
        inside=tuple(rng.shuffled(inside)),
        named=tuple(rng.sample(inside, NAMED)),
        worth=10 * (rng.integer(policy.worth // 10 + 1, 200) if "passport" in about else rng.integer(3, policy.worth // 10)),
        days=policy.days + rng.integer(1, 9) if "storage" in about else rng.integer(1, policy.days),
        honest=not ("passport" in about and last == "passport" and rng.chance(0.6)),
        pays=not ("storage" in about and last == "storage" and rng.chance(0.4)),
    )


def _bags(rng: Rng, policy: Policy, case: Case, count: int) -> list[Mapping[str, int | str | tuple[str, ...]]]:
    """The bags of a flight: the one that fits, one that looks as the traveller says, one with the same things inside, and others."""

    def bag(looks: Mapping[str, str], inside: Sequence[str], worth: int, days: int) -> Mapping[str, int | str | tuple[str, ...]]:
        return {**looks, "inside": tuple(inside), "worth": worth, "days": days}

    def number() -> tuple[int, int]:
        return 10 * rng.integer(3, 200), rng.integer(1, policy.days + 9)

    others = [item for item in _ITEMS if item not in case.inside]
    kept = [item for item in case.inside if item != case.named[0]]
    two = rng.sample(tuple(LOOKS), 2)
    differs = {name: rng.choice([value for value in LOOKS[name] if value not in (case.stated[name], case.looks[name])]) for name in two}
    found = [bag(case.stated, rng.shuffled([*kept, rng.choice(others)]), *number())]
    found += [bag({**case.stated, **differs}, rng.shuffled(case.inside), *number())] if count > 4 else []
    found += [bag(case.looks, case.inside, case.worth, case.days)] if case.found else []
    while len(found) < count:
        found.append(bag({name: rng.choice(values) for name, values in LOOKS.items()}, rng.sample(others, 5), *number()))
    return rng.shuffled(found)


def _lines(
    rng: Rng, policy: Policy, code: str, name: str, case: Case, journey: tuple[str, str, str], passport: str, memory: str
) -> list[Record]:
    """What a traveller says."""
    flight, town, day = journey
    looks = {look: case.stated[look] for look in LOOKS}
    all_told = memory == "told"
    told = f"{luggage_phrases.described(looks, flight)} {luggage_phrases.contents(rng, case.named)}" if all_told else ""
    came = {"town": town, "day": day} if memory == "vague" else {"flight": flight}
    from_where = luggage_phrases.journey(rng, town, day) if memory == "vague" else f"I came with {flight}, from {town}."
    lines = [
        line(code, "wish", luggage_phrases.opening(rng, name, told), **({**came, **looks, "named": case.named} if all_told else {})),
        line(code, "name", f"{name}."),
        line(code, "flight", from_where, **came),
        line(code, "contents", luggage_phrases.contents(rng, case.named), named=case.named),
        line(code, "more 1", "No, I only want my bag."),
    ]
    for look, value in looks.items():
        lines.append(line(code, look, luggage_phrases.look(rng, look, value), value=value))
        yields = look == case.wrong and not case.insists
        words = luggage_phrases.corrected(rng, case.looks[look]) if yields else luggage_phrases.sure(rng, look)
        lines.append(line(code, f"sure_{look}", words, value=case.looks[look] if yields else value))
    given = passport if case.honest else _passport(rng)
    lines.append(line(code, "passport", luggage_phrases.look(rng, "passport", given), passport=given))
    if fee := fee_of(policy, case.days):
        lines.append(
            line(code, f"charge {fee}", clinic_phrases.agreement(rng, "yes") if case.pays else "No, I will not pay that.", pays=case.pays)
        )
    return lines


def _deliveries(rng: Rng, code: str) -> list[Record]:
    """Free times of the courier, and which of them suit; the first one or two that would are turned down in some cases."""
    places = sorted(rng.sample(range(5 * len(HOURS)), 6))
    times = [(WEEKDAYS[place // len(HOURS)], HOURS[place % len(HOURS)]) for place in places]
    first = rng.integer(1, 4)
    records = [
        Record("delivery", f"{code}-{number}", {"call": code, "day": day, "time": time}) for number, (day, time) in enumerate(times, 1)
    ]
    for number, (day, time) in enumerate(times):
        suits = number >= first and (number == first or rng.chance(0.5))
        words = clinic_phrases.accepts(rng) if suits else clinic_phrases.cannot_come(rng)
        records.append(line(code, f"offer {day} at {time}", words, accepts=suits))
    records.append(line(code, "times", "Tell me when you can come, and I will see."))
    return records


def _passport(rng: Rng) -> str:
    return f"{rng.choice('CEHKPT')}{rng.integer(1_000_000, 9_999_999)}"


def rules_in_words(policy: Policy) -> list[str]:
    texts = {
        "doubt": "If one look of the bag differs from the description, ask the caller whether they are sure of it. If they are, the bag is not theirs: open a "
        "search.",
        "passport": f"If the bag is worth more than {policy.worth} coins, ask for the passport number. If it is not the passenger's, call the police.",
        "customs": f"If {', '.join(FOOD[:-1])} or {FOOD[-1]} is inside, hold the bag for customs.",
        "storage": f"A bag that has been in the office for more than {policy.days} days costs {policy.fee} coins for each day beyond them. Name the "
        "sum and ask "
        "whether the caller agrees to pay it. If not, keep the bag.",
        "medicine": f"If {', '.join(MEDICINE[:-1])} or {MEDICINE[-1]} is inside, deliver the bag: offer the caller the courier's free times one after the "
        "other, and take the first that suits.",
    }
    return [text for rule, text in texts.items() if rule in policy.rules]
