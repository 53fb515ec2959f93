"""Chains of facts in a description of a far country."""

from __future__ import annotations

import re
from collections.abc import Callable
from itertools import permutations

from prompt_solvers.registry import prompt_solver
from prompt_solvers.templates import group, matched, only, sentences

FACTS = {
    "Everything {a} knew came from a single teacher, {b}": "teacher",
    "As a child {a} was sent to {b} for lessons, and to nobody else": "teacher",
    "{a} learned the trade from {b}": "teacher",
    "{b} taught {a} all there was to know": "teacher",
    "It was in {b} that {a} was born": "birthplace",
    "{a} was born in {b}": "birthplace",
    "The cradle of {a} stood in {b}": "birthplace",
    "{b} is where {a} came into the world": "birthplace",
    "The {b} counts {a} among its members": "guild",
    "Long ago {a} swore the oath of the {b}": "guild",
    "{a} belongs to the {b}": "guild",
    "{a} wears the badge of the {b}": "guild",
    "Without {b}, its founder, there would be no {a}": "founder",
    "The {a} was founded by {b}": "founder",
    "{b} called the {a} into being": "founder",
    "The oldest paper of the {a} names {b} as its founder": "founder",
    "The {a} has its seat in {b}": "seat",
    "The hall of the {a} stands in {b}": "seat",
    "{b} is the seat of the {a}": "seat",
    "Whoever looks for the {a} goes to {b}, where it has its seat": "seat",
    "The {b} flows through {a}": "river",
    "{a} lies on the {b}": "river",
    "Boats reach {a} by the {b}": "river",
    "The mills of {a} are turned by the {b}": "river",
    "{a} is governed by its mayor {b}": "mayor",
    "{b} is mayor of {a}": "mayor",
    "The mayor of {a} is {b}": "mayor",
    "As mayor, {b} signs the laws of {a}": "mayor",
    "{a} was born in the year {b}": "year",
    "The year {b} saw the birth of {a}": "year",
    "{a} has lived since the year {b}": "year",
    "The birthday of {a} falls in the year {b}": "year",
}


class Country:
    """The facts of a description: relation and subject to object and sentence."""

    def __init__(self, prompt: str) -> None:
        self.facts: dict[tuple[str, str], tuple[str, int]] = {}
        for number, sentence in sentences(prompt).items():
            found = matched(sentence, FACTS)
            if found:
                relation, words = found
                assert (relation, words["a"]) not in self.facts
                self.facts[relation, words["a"]] = (words["b"], number)

    def value(self, question: str) -> tuple[str, set[int]]:
        """What an expression stands for, with the sentences it rests on; a LookupError names the first fact that is missing."""
        question = question.removeprefix("the ")
        several = re.match(r"(older of the two people|person|guild|town) whose (\w+) is (.*)", question)
        if several:
            target, used = self.value(several[3])
            found = [(a, number) for (relation, a), (b, number) in self.facts.items() if relation == several[2] and b == target]
            used = used | {number for _, number in found}
            if several[1].startswith("older"):
                assert len(found) == 2
                years = sorted((int(self.facts["year", a][0]), a) for a, _ in found)
                assert years[0][0] < years[1][0]
                return years[0][1], used | {self.facts["year", a][1] for a, _ in found}
            assert len(found) == 1
            return found[0][0], used
        step = re.match(r"(\w+) of (.*)", question)
        if not step:
            return question, set()
        target, used = self.value(step[2])
        if (step[1], target) not in self.facts:
            raise LookupError(f"missing {step[1]} {target}")
        result, number = self.facts[step[1], target]
        return result, used | {number}


@prompt_solver("multi_hop_facts")
def solve_multi_hop_facts(prompt: str) -> str:
    name, used = Country(prompt).value(group(r"\n\n(?:What or who|What|Who) is (.*)\?", prompt))
    return " ".join([name, *map(str, sorted(used))])


AS_FAR = "The distance from the {p} of {a} to that of {b} equals that from the {q} of {c} to that of {d}"
REMARKS: dict[str, Callable[..., bool]] = {
    "The {p} of {a} lies between those of {b} and {c}": lambda a, b, c: (b - a) * (c - a) < 0,
    "The way from the {p} of {b} to that of {c} passes that of {a}": lambda a, b, c: (b - a) * (c - a) < 0,
    "The {p} of {a} does not lie between those of {b} and {c}": lambda a, b, c: (b - a) * (c - a) > 0,
    "The way from the {p} of {b} to that of {c} does not pass that of {a}": lambda a, b, c: (b - a) * (c - a) > 0,
    "The {p}s of {a} and {b} are not neighbours": lambda a, b: a - b not in (-1, 1),
    "At least one {p} lies between those of {a} and {b}": lambda a, b: a - b not in (-1, 1),
    "From the {p} of {b}, that of {a} is less far away than that of {c}": lambda a, b, c: (a - b) ** 2 < (c - b) ** 2,
    "The {p} of {a} is nearer to that of {b} than the {q} of {c} is": lambda a, b, c: (a - b) ** 2 < (c - b) ** 2,
    "The {p}s of {a} and {b} are as far apart as those of {c} and {d}": lambda a, b, c, d: (a - b) ** 2 == (c - d) ** 2,
    AS_FAR: lambda a, b, c, d: (a - b) ** 2 == (c - d) ** 2,
    "Exactly one of {a} and {b} governs a {p} that comes before {t} in this order": lambda a, b, t: [a < t, b < t].count(True) == 1,
    "Of {a} and {b}, one governs a {p} that comes before {t} in this order, and the other does not": lambda a, b, t: (
        [a < t, b < t].count(True) == 1
    ),
}


def rulers(prompt: str) -> str:
    """Who rules each place of a row in all orders of which the remarks are true."""
    places, people = (
        re.split(", | and ", group(pattern, prompt)) for pattern in (r"equal distances: (.*?)\.", r"alphabetical order, are: (.*?)\.")
    )
    rules = list[tuple[Callable[..., bool], dict[str, str]]]()
    for text in sentences(prompt).values():
        found = matched(text, REMARKS)
        assert found, text
        rules.append((found[0], {gap: word for gap, word in found[1].items() if gap not in "pq"}))
    orders = [dict(zip(people, order, strict=True)) for order in permutations(range(len(people)))]
    for rule, words in rules:
        where = dict(zip(places, range(len(places)), strict=True))
        orders = [order for order in orders if rule(**{gap: (where | order)[word] for gap, word in words.items()})]
    names = [{name for order in orders for name in people if order[name] == k} for k in range(len(places))]
    return " ".join(only(found) if len(found) == 1 else "missing" for found in names)


@prompt_solver("abstain_when_unanswerable")
def solve_abstain_when_unanswerable(prompt: str) -> str:
    if "at equal distances" in prompt:
        return rulers(prompt)
    try:
        name, used = Country(prompt).value(group(r"\n\n(?:What or who|What|Who) is (.*)\?", prompt))
    except LookupError as error:
        return str(error.args[0])
    return " ".join([name, *map(str, sorted(used))])
