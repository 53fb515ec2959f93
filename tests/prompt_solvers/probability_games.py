"""Games, walks and waiting times with chance."""

from __future__ import annotations

import re
from fractions import Fraction
from functools import cache

import sympy

from prompt_solvers.parsing import NUMBER_WORDS, between, problem
from prompt_solvers.registry import prompt_solver


@prompt_solver("expected_value_game")
def solve_expected_value_game(prompt: str) -> str:
    cards = re.findall(r"(\d+) cards? worth (minus )?(\d+) points?", problem(prompt))
    values = [-int(value) if minus else int(value) for _, minus, value in cards]

    @cache
    def best(left: tuple[int, ...]) -> Fraction:
        """What continuing at best adds to the sum so far."""
        if not any(left):
            return Fraction(0)
        go_on = sum(
            Fraction(count, sum(left)) * (values[i] + best((*left[:i], count - 1, *left[i + 1 :]))) for i, count in enumerate(left) if count
        )
        return max(Fraction(0), go_on)

    return str(best(tuple(int(count) for count, _, _ in cards)))


@prompt_solver("optimal_stopping_small")
def solve_optimal_stopping_small(prompt: str) -> str:
    text = problem(prompt)
    offers = [
        [(int(amount), Fraction(chance)) for amount, chance in re.findall(r"\$(\d+) with probability ([\d/]+)", sentence)]
        for sentence in re.split(r"(?<=\.) ", text)
        if re.match(r"(?:Offer \d+|Each offer) is \$", sentence)
    ]
    assert all(sum(chance for _, chance in offer) == 1 for offer in offers)
    if "Each offer is $" in text:
        count = re.search(r"\b(" + "|".join(NUMBER_WORDS) + r") (?:people|offers|buyers)", text, re.IGNORECASE)
        assert count is not None
        offers *= NUMBER_WORDS.index(count[1].lower())
    fee = re.search(r"(?:costs|fee of|another offer,) \$(\d+)", text)
    value: Fraction | None = None
    for offer in reversed(offers):
        later = value - int(fee[1]) if value is not None and fee else value
        value = sum((chance * (amount if later is None else max(amount, later)) for amount, chance in offer), Fraction(0))
    return str(value)


def solve_chain(rows: dict[str, dict[str, Fraction]], start: str, constant: int, ends: dict[str, Fraction]) -> str:
    """The value of a state: the constant plus the mean of its successors' values, by a linear system."""
    names = list(rows)
    matrix = sympy.eye(len(names))
    right = sympy.zeros(len(names), 1)
    for i, name in enumerate(names):
        right[i] = constant
        for target, chance in rows[name].items():
            exact = sympy.Rational(chance.numerator, chance.denominator)
            if target in rows:
                matrix[i, names.index(target)] -= exact
            else:
                right[i] += exact * sympy.Rational(ends[target].numerator, ends[target].denominator)
    return str(matrix.LUsolve(right)[names.index(start)])


@prompt_solver("markov_absorption")
def solve_markov_absorption(prompt: str) -> str:
    text = problem(prompt)
    rows: dict[str, dict[str, Fraction]] = {}
    for name, moves in re.findall(r"\b([A-Z])(?: leads | it goes |,? (?:the next move )?is )(to .*?)\.", text):
        rows[name] = {target: Fraction(chance) for target, chance in re.findall(r"to (\w) with probability ([\d/]+)", moves)}
        assert sum(rows[name].values()) == 1
    start = re.search(r"(?:begins|starts) in (\w)", text)
    target = re.search(r"(?:ends in|reaches|absorbed in|stops in) (\w)[.?]", text)
    assert start is not None
    ends = {name for row in rows.values() for name in row} - set(rows)
    if "expected number of moves" in text or target is None:
        assert "number of moves" in text, text
        return solve_chain(rows, start[1], 1, dict.fromkeys(ends, Fraction(0)))
    return solve_chain(rows, start[1], 0, {name: Fraction(name == target[1]) for name in ends})


@prompt_solver("random_walk_hitting")
def solve_random_walk_hitting(prompt: str) -> str:
    text = problem(prompt)
    goal, other = re.findall(r"it comes to (\d+) before it comes to (\d+)", text)[0]
    rows: dict[str, dict[str, Fraction]] = {}
    same = re.search(
        r"From every place between the ends it goes one place up with probability ([\d/]+) "
        r"and one place down with probability ([\d/]+)(?:,? and stays with probability ([\d/]+))?",
        text,
    )
    low, high = sorted((int(goal), int(other)))
    for place in range(low + 1, high):
        if same:
            rows[str(place)] = {str(place + 1): Fraction(same[1]), str(place - 1): Fraction(same[2]), str(place): Fraction(same[3] or 0)}
        else:
            row = between(text, f"From {place} it goes", ".")
            rows[str(place)] = {target: Fraction(chance) for target, chance in re.findall(r"to (\d+) with probability ([\d/]+)", row)}
            for chance in re.findall(r"stays with probability ([\d/]+)", row):
                rows[str(place)][str(place)] = Fraction(chance)
        assert sum(rows[str(place)].values()) == 1
    begin = re.search(
        r"(?:at the beginning it is at|it starts at|first place is|\.) (?:place )?(\d+)(?:\.| is where it begins)", text, re.IGNORECASE
    )
    assert begin is not None
    return solve_chain(rows, begin[1], 0, {goal: Fraction(1), other: Fraction(0)})


@prompt_solver("geometric_waiting")
def solve_geometric_waiting(prompt: str) -> str:
    """Conway's formula: the sum over all borders of the pattern of one over the border's probability."""
    text = problem(prompt)
    chance = {letter: Fraction(p) for letter, p in re.findall(r"\b([A-Z]) with probability ([\d/]+)", text)}
    assert sum(chance.values()) == 1
    (pattern,) = [word for word in re.findall(r"\b[A-Z]{2,}\b", text) if set(word) <= set(chance)]
    total = Fraction(0)
    for length in range(1, len(pattern) + 1):
        if pattern[:length] == pattern[-length:]:
            weight = Fraction(1)
            for letter in pattern[:length]:
                weight /= chance[letter]
            total += weight
    return str(total)
