"""Probabilities by adding up a table of all cases."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from fractions import Fraction
from itertools import combinations, product
from math import comb

from prompt_solvers.parsing import condition_and_event, problem
from prompt_solvers.registry import prompt_solver

Weighted = Iterable[tuple[dict[str, str], Fraction]]


def conditional(cases: Weighted, given: Callable[[dict[str, str]], bool], event: Callable[[dict[str, str]], bool]) -> str:
    """The probability of an event under a condition, from the weights of all cases."""
    kept = [(case, weight) for case, weight in cases if given(case)]
    return str(sum((weight for case, weight in kept if event(case)), Fraction(0)) / sum((weight for _, weight in kept), Fraction(0)))


@prompt_solver("bayes_update")
def solve_bayes_update(prompt: str) -> str:
    text = problem(prompt)
    given, event = condition_and_event(text)
    source = event.split()[-1]
    share: dict[str, Fraction] = {}
    shows: dict[tuple[str, str], Fraction] = {}
    for sentence in re.split(r"(?<=\.) ", text):
        sign_of = (
            r"A \w+ from \w+ (?P<s>\w+) has an? (?P<sign>.+) with probability (?P<p>[\d/]+)\.",
            r"With \w+ (?P<s>\w+), the probability of an? (?P<sign>.+) is (?P<p>[\d/]+)\.",
            r"An? (?P<sign>.+) is found on (?P<p>[\d/]+) of the \w+ from \w+ (?P<s>\w+)\.",
            r"Of the \w+ from \w+ (?P<s>\w+), (?P<p>[\d/]+) show an? (?P<sign>.+)\.",
        )
        share_of = (
            r"(?P<p>[\d/]+) of the \w+ come from \w+ (?P<s>\w+)\.",
            r"The share of \w+ (?P<s>\w+) is (?P<p>[\d/]+)\.",
            r"Of all \w+, (?P<p>[\d/]+) come from \w+ (?P<s>\w+)\.",
            r"\w+ (?P<s>\w+) accounts for (?P<p>[\d/]+) of all \w+\.",
        )
        for pattern in sign_of:
            if found := re.fullmatch(pattern, sentence):
                shows[found["s"], found["sign"]] = Fraction(found["p"])
        for pattern in share_of:
            if found := re.fullmatch(pattern, sentence):
                share[found["s"]] = Fraction(found["p"])
    assert given is not None
    assert sum(share.values()) == 1
    weight = dict(share)
    for clause in re.split(r", | and ", given):
        found = re.fullmatch(r"the \w+ (has|does not have) an? (.+)", clause)
        assert found is not None, clause
        for name in weight:
            likelihood = shows[name, found[2]]
            weight[name] *= likelihood if found[1] == "has" else 1 - likelihood
    return str(weight[source] / sum(weight.values()))


@prompt_solver("bayesian_network_query")
def solve_bayesian_network_query(prompt: str) -> str:
    given, event = condition_and_event(problem(prompt))
    rows = re.findall(r"- (\w) is on with probability ([\d/]+)(?: where (.*))?\.", prompt)
    states = lambda text: dict(re.findall(r"(\w) is (on|off)", text))  # noqa: E731
    names = list(dict.fromkeys(name for name, _, _ in rows))
    cases = []
    for values in product(("on", "off"), repeat=len(names)):
        case = dict(zip(names, values, strict=True))
        weight = Fraction(1)
        for name, chance, parents in rows:
            if states(parents).items() <= case.items():
                weight *= Fraction(chance) if case[name] == "on" else 1 - Fraction(chance)
        cases.append((case, weight))
    assert sum(weight for _, weight in cases) == 1
    return conditional(cases, lambda case: states(given or "").items() <= case.items(), lambda case: states(event).items() <= case.items())


def read_predicate(text: str, columns: list[str], cells: set[str]) -> Callable[[dict[str, str]], bool]:
    """A property such as `not red and not metal and dear`, or `cheap or huge (or both)`, of a thing with the given properties."""
    text = re.sub(r" \(or .*?\)", "", re.sub(r"^it is (?:both )?", "", text))
    assert not ("and" in text.split() and "or" in text.split()), text
    parts = [(not part.startswith("not "), part.removeprefix("not ")) for part in re.split(r",? and |,? or |, ", text)]
    assert all(word in cells for _, word in parts), parts
    combine = any if "or" in text.split() else all
    return lambda case: combine((word in case.values()) == positive for positive, word in parts)


@prompt_solver("joint_table_query")
def solve_joint_table_query(prompt: str) -> str:
    text = problem(prompt)
    given, event = condition_and_event(text)
    table = [[cell.strip() for cell in line.strip("|").split("|")] for line in text.splitlines() if line.startswith("|")]
    header, rows = table[0], [row for row in table[1:] if set(row[0]) != {"-"}]
    labels = sum(not cell.isdigit() for cell in rows[0])
    cases = [
        ({**dict(zip(header, row[:labels], strict=False)), "column": header[column]}, Fraction(row[column]))
        for row in rows
        for column in range(labels, len(header))
    ]
    cells = {value for case, _ in cases for value in case.values()}
    read = lambda part: read_predicate(part, header, cells)  # noqa: E731
    return conditional(cases, read(given) if given else lambda _: True, read(event))


@prompt_solver("conditional_cards")
def solve_conditional_cards(prompt: str) -> str:
    text = problem(prompt)
    given, event = condition_and_event(text)
    ranks = "two three four five six seven eight nine ten jack queen king ace".split()
    intro = re.split(r"(?<=\.) ", text)
    deck_ranks = [rank for rank in ranks if re.search(rf"\b{rank}\b", intro[0])]
    suits = [suit for suit in ("hearts", "clubs", "spades", "diamonds") if suit in intro[0]]
    found = re.search(r"(\d+) cards", intro[1])
    assert found is not None
    hand = int(found[1])

    def read(clause: str) -> tuple[Callable[[int], bool], str]:
        part = re.search(r"holds (exactly|at least|at most) (\d+) (?:cards? of )?(\w+)$", clause)
        assert part is not None, clause
        count = int(part[2])
        test = {"exactly": lambda n: n == count, "at least": lambda n: n >= count, "at most": lambda n: n <= count}[part[1]]
        kind = part[3] if part[3] in suits else next(rank for rank in ranks if part[3] in (rank, rank + "s", rank + "es"))
        return test, kind

    event_test, event_kind = read(event)
    given_test, given_kind = read(given) if given else ((lambda _: True), event_kind)
    cells = [0, 0, 0, 0]
    for rank, suit in product(deck_ranks, suits):
        cells[2 * (event_kind in (rank, suit)) + (given_kind in (rank, suit))] += 1
    total, good = 0, 0
    for neither, only_given, only_event in product(range(hand + 1), repeat=3):
        both = hand - neither - only_given - only_event
        if both < 0 or not given_test(only_given + both):
            continue
        ways = comb(cells[0], neither) * comb(cells[1], only_given) * comb(cells[2], only_event) * comb(cells[3], both)
        total += ways
        good += ways * event_test(only_event + both)
    return str(Fraction(good, total))


@prompt_solver("order_statistics", highest_level=0.75)
def solve_order_statistics(prompt: str) -> str:
    text = problem(prompt)
    given, event = condition_and_event(text)
    opening = text.split(". ")[0]
    size = int(re.search(r"(?:1 to|1, 2, \.\.\.,) (\d+)", opening)[1])  # type: ignore[index]
    drawn = int(re.search(r"(?:draws |^|, |lottery, )(\d+) (?:of|balls|different)", opening)[1])  # type: ignore[index]

    def read(part: str | None) -> list[tuple[int, str, int]]:
        found = re.findall(r"the (\d+)\w\w (?:of them )?is (exactly|at most|at least) (\d+)", part or "")
        return [(int(place) - 1, word, int(value)) for place, word, value in found]

    fits = {"exactly": int.__eq__, "at most": int.__le__, "at least": int.__ge__}
    tests, conditions = read(event), read(given)
    total = good = 0
    for hand in combinations(range(1, size + 1), drawn):
        if all(fits[word](hand[place], value) for place, word, value in conditions):
            total += 1
            good += all(fits[word](hand[place], value) for place, word, value in tests)
    return str(Fraction(good, total))
