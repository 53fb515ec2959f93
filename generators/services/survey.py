"""A survey by telephone: what people answer, how they put it, and which questions are for whom."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from rlgym.core.rng import Rng
from rlgym.generators.services.people import codes, full_names
from rlgym.generators.services.records import Record
from rlgym.generators.users.desk import line
from rlgym.generators.users.person import Person
from rlgym.generators.users.phrases import PERSONAS

RULES = ("consent", "adults", "route")
TOPICS = ("coffee", "sleep", "age", "household", "books", "work", "hours", "minutes", "car", "km")
AFTER: Mapping[str, str] = {"hours": "work", "minutes": "work", "km": "car"}
"""Questions that are only for those who say yes to another one."""
MEANS: Mapping[str, str] = {
    "coffee": "cups of coffee a day",
    "sleep": "hours of sleep a night",
    "age": "the age in years",
    "household": "people in the household, the person included",
    "books": "books read in a year",
    "work": "whether the person works: 1 for yes, 0 for no",
    "hours": "working hours a week",
    "minutes": "minutes of the way to work",
    "car": "whether there is a car: 1 for yes, 0 for no",
    "km": "kilometres driven a week",
}
NOT_ASKED = -1
_VAGUE: Mapping[str, Sequence[str]] = {
    "coffee": ("Oh, quite a lot.", "More than is good for me."),
    "sleep": ("Too little.", "Not as much as I should."),
    "books": ("Hardly any.", "I love reading, so a good many."),
    "hours": ("Full time, and more.", "Far too much, my wife says."),
    "minutes": ("It takes for ever.", "Not long."),
    "km": ("A fair bit.", "Only short ways."),
}  # fmt: skip
_WORDS = "none one two three four five six seven eight nine ten eleven twelve".split()


class Poll(NamedTuple):
    records: tuple[Record, ...]
    people: tuple[Person, ...]


def applies(topic: str, answers: Mapping[str, int]) -> bool:
    """Whether a question is for somebody with these answers."""
    return topic not in AFTER or answers.get(AFTER[topic]) == 1


def poll(rng: Rng, rules: Sequence[str], people: int, topics: int, vague: int, least_age: int, patience: int) -> Poll:
    """People to be interviewed; every stated rule matters for one of them, and up to `vague` answers of each are vague at first."""
    asked = TOPICS[:topics]
    records, persons = list[Record](), list[Person]()
    ends = rng.shuffled([*(rule for rule in rules if rule != "route"), *([""] * people)][: max(1, people)])
    for place, (code, name, end) in enumerate(zip(codes(rng, people, "R"), full_names(rng, people), ends)):
        answers = _answers(rng, asked, least_age - rng.integer(1, 3) if end == "adults" else rng.integer(least_age, 80))
        if "route" in rules and not end and place == ends.index(""):
            answers["work"] = 0  # so that questions are not for this person
        agrees = end != "consent" or rng.chance(0.4)
        loose = rng.sample([topic for topic in asked if topic in _VAGUE], min(vague, sum(topic in _VAGUE for topic in asked)))
        records += _lines(rng, code, answers, asked, loose, agrees, name)
        persona = rng.choice(PERSONAS)
        persons.append(Person(code, name, persona, "survey", patience))
    return Poll(tuple(rng.shuffled(records)), tuple(persons))


def _answers(rng: Rng, asked: Sequence[str], age: int) -> dict[str, int]:
    drawn = {
        "coffee": rng.integer(0, 9),
        "sleep": rng.integer(5, 10),
        "age": age,
        "household": rng.integer(1, 7),
        "books": rng.integer(0, 60),
        "work": int(rng.chance(0.6)),
        "hours": 5 * rng.integer(2, 10),
        "minutes": 5 * rng.integer(1, 18),
        "car": int(rng.chance(0.6)),
        "km": 10 * rng.integer(1, 40),
    }
    return {topic: drawn[topic] for topic in asked}


def _lines(
    rng: Rng, code: str, answers: Mapping[str, int], asked: Sequence[str], loose: Sequence[str], agrees: bool, name: str
) -> list[Record]:
    """What a person says. A vague answer has a line of its own, which comes before the number."""
    yes = rng.choice(("Yes, go ahead.", "All right, if it is short.", "Why not.")) if agrees else "No, I do not take part in such things."
    lines = [
        line(code, "consent", yes, agrees=agrees),
        line(code, "name", f"{name}."),
        line(code, "wish", "You have called me. What is it about?"),
        line(code, "more 1", "No, that is all."),
    ]
    for topic in asked:
        if not applies(topic, answers):
            lines.append(
                line(code, topic, "But I have no car." if topic == "km" else "I do not work, so that is nothing for me.", value=NOT_ASKED)
            )
            continue
        number = answers[topic]
        lines.append(line(code, f"vague_{topic}" if topic in loose else topic, rng.choice(_VAGUE[topic]) if topic in loose else _said(rng, topic, number), **(
            {} if topic in loose else {"value": number}
        )))  # fmt: skip
        if topic in loose:
            lines.append(line(code, f"exact_{topic}", _said(rng, topic, number), value=number))
    return lines


def _said(rng: Rng, topic: str, number: int) -> str:
    """A number as a person puts it, often in another unit than the survey's."""
    small = _WORDS[number] if number < len(_WORDS) else str(number)
    match topic:
        case "work":
            return (
                rng.choice(("Yes, I have a job.", "Yes, I work."))
                if number
                else rng.choice(("No, I am retired.", "No, not at the moment."))
            )
        case "car":
            return rng.choice(("Yes, a small one.", "Yes, there is one.")) if number else rng.choice(("No, I cycle.", "No, no car."))
        case "household" if rng.chance(0.5):
            return "I live alone." if number == 1 else f"{_WORDS[number - 1].capitalize()} besides me."
        case "books" if number % 12 == 0 and number:
            return "One a month." if number == 12 else f"{_WORDS[number // 12].capitalize()} a month."
        case "hours" if number % 5 == 0 and number // 5 < len(_WORDS) and rng.chance(0.5):
            return f"{_WORDS[number // 5].capitalize()} hours a day, on five days."
        case "minutes" if number in (15, 30, 45, 60, 75, 90):
            return {
                15: "A quarter of an hour.", 30: "Half an hour.", 45: "Three quarters of an hour.", 60: "An hour.", 75: "An hour and a quarter.",
                90: "An hour and a half.",
            }[number]  # fmt: skip
        case "km" if number % 7 == 0:
            return f"{number // 7} km every day, also at weekends."
    unit = {
        "coffee": "cups a day", "sleep": "hours a night", "age": "years old", "household": "people in all", "books": "books a year", "hours": "hours a week",
        "minutes": "minutes", "km": "km a week",
    }[topic]  # fmt: skip
    if number == 1:
        unit = unit.replace("cups", "cup").replace("books", "book").replace("people", "person")
    words = f"{small} {unit}".replace("none", "no")
    return rng.choice(("{}.", "I would say {}.", "That is {}.")).format(words).capitalize().replace(" km", " km")
