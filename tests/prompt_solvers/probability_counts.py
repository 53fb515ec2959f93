"""Probabilities by counting, and tasks about tables of counts."""

from __future__ import annotations

import re
from fractions import Fraction
from itertools import combinations, product
from math import comb

import networkx

from prompt_solvers.parsing import condition_and_event, problem
from prompt_solvers.registry import prompt_solver


@prompt_solver("dice_sum_exact")
def solve_dice_sum_exact(prompt: str) -> str:
    text = problem(prompt)
    given, event = condition_and_event(text)
    sides = [int(size) for count, size in re.findall(r"(\d+) (?:die|dice) with (\d+) sides", text) for _ in range(int(count))]

    def holds(clause: str, roll: tuple[int, ...]) -> bool:
        found = re.search(r"(\d+)", clause)
        assert found is not None
        number, total = int(found[1]), sum(roll)
        for words, value in (
            ("the sum is exactly", total == number),
            ("the sum is at least", total >= number),
            ("the sum is at most", total <= number),
            ("the sum is a multiple of", total % number == 0),
            ("no die shows more than", max(roll) <= number),
            ("no die shows less than", min(roll) >= number),
            ("at least one die shows a", number in roll),
            ("no die shows a", number not in roll),
        ):
            if words in clause:
                return value
        raise ValueError(clause)

    rolls = [roll for roll in product(*(range(1, size + 1) for size in sides)) if given is None or holds(given, roll)]
    return str(Fraction(sum(holds(event, roll) for roll in rolls), len(rolls)))


@prompt_solver("hypothesis_test_exact")
def solve_hypothesis_test_exact(prompt: str) -> str:
    text = problem(prompt)
    p = Fraction(re.search(r"probability (\d+/\d+)", text)[1])  # type: ignore[index]
    trials = re.search(r"(\d+) (?:patients|independent trials|independent spins|parts)|guesses (\d+) times", text)
    seen = re.search(
        r"In fact (\d+) of them|(\d+) of them successful|has found (\d+) to be faulty|independent spins, (\d+) came up red|right guesses was (\d+)",
        text,
    )
    assert trials is not None
    assert seen is not None
    n, k = int(trials[1] or trials[2]), int(next(group for group in seen.groups() if group))
    weights = [comb(n, i) * p**i * (1 - p) ** (n - i) for i in range(n + 1)]
    question = text[seen.end() :]
    if re.search(r"or more|at least", question):
        return str(sum(weights[k:]))
    if re.search(r"or fewer|of at most|at most as large", question):
        return str(sum(weights[: k + 1]))
    assert re.search(r"two-sided|at most as probable|no more likely", question), question
    return str(sum(weight for weight in weights if weight <= weights[k]))


@prompt_solver("urn_draws")
def solve_urn_draws(prompt: str) -> str:
    """Only whether a drawn thing has one of the colours in question matters, so every urn has two kinds of things."""
    text = problem(prompt)
    _, event = condition_and_event(text)
    event = re.sub(r"^both ", "exactly 2 of the ", re.sub(r"^all (\d+) ", r"exactly \1 of the ", event))
    event = re.sub(r"^the (\w+) drawn", r"exactly 1 of the \1s drawn", event)
    found = re.fullmatch(r"(exactly|at least|at most) (\d+) of the (\w+) drawn in the end (?:is|are) (.*)", event)
    assert found is not None
    wanted, colours = int(found[2]), set(re.split(r", | or ", found[4]))
    thing = found[3].removesuffix("s")
    (urn,) = {word.lower() for word in re.findall(r"\b([A-Za-z]+) \d", re.sub(rf"\d+ (?:of the|\w+ {thing}|{thing})", "", text))}
    urns: dict[int, tuple[int, int]] = {}
    moves: list[tuple[int, list[int]]] = []
    for sentence in re.split(r"(?<=\.) ", text):
        places = [int(place) for place in re.findall(rf"\b{urn} (\d+)", sentence, re.IGNORECASE)]
        contents = re.findall(rf"(\d+) (\w+) {thing}s?\b", re.sub(rf"\b{urn} \d+", "", sentence, flags=re.IGNORECASE))
        if contents and len(places) == 1 and not re.search(rf"\d+ {thing}s?", sentence):
            good = sum(int(count) for count, colour in contents if colour in colours)
            urns[places[0]] = (good, sum(int(count) for count, _ in contents) - good)
        elif places:
            count = re.search(rf"(\d+) {thing}s?\b", sentence)
            assert count is not None, sentence
            moves.append((int(count[1]), places))
    assert [len(places) for _, places in moves] == [2] * (len(moves) - 1) + [1]
    extra: dict[int, dict[int, Fraction]] = {}
    result = Fraction(0)
    for count, places in moves:
        good, bad = urns[places[0]]
        drawn: dict[int, Fraction] = {}
        for added, chance in extra.get(places[0], {0: Fraction(1)}).items():
            size = moved if (moved := next((n for n, p in moves if p[1:] == places[:1]), 0)) else 0
            for hits in range(count + 1):
                ways = comb(good + added, hits) * comb(bad + size - added, count - hits)
                drawn[hits] = drawn.get(hits, Fraction(0)) + chance * Fraction(ways, comb(good + bad + size, count))
        if len(places) == 2:
            extra[places[1]] = drawn
        else:
            tests = {"exactly": lambda n: n == wanted, "at least": lambda n: n >= wanted, "at most": lambda n: n <= wanted}
            result = sum((chance for hits, chance in drawn.items() if tests[found[1]](hits)), Fraction(0))
    return str(result)


@prompt_solver("simpson_table")
def solve_simpson_table(prompt: str) -> str:
    """For each group, B's best number under each number of A; then the group-wise choices that push the totals apart the most."""
    text = problem(prompt)
    groups = [(int(a), int(b)) for a, b in re.findall(r"Group \d+ has (\d+) [\w ]+ with \w+ A and (\d+) with \w+ B", text)]
    margin = re.search(r"by at least (\d+/\d+)", text)
    gap = Fraction(margin[1]) if margin else None
    total_a, total_b = sum(a for a, _ in groups), sum(b for _, b in groups)
    answer = []
    for a, b in groups:
        pairs = []
        for cured_a, cured_b in product(range(1, a), range(1, b)):
            difference = Fraction(cured_a, a) - Fraction(cured_b, b)
            if difference > 0 and (gap is None or difference >= gap):
                pairs.append((Fraction(cured_b, total_b) - Fraction(cured_a, total_a), cured_a, cured_b))
        answer.append(max(pairs))
    assert sum(pair[0] for pair in answer) > 0
    return ", ".join(f"{cured_a}, {cured_b}" for _, cured_a, cured_b in answer)


@prompt_solver("d_separation")
def solve_d_separation(prompt: str) -> str:
    text = problem(prompt)
    graph = networkx.DiGraph(re.findall(r"(\w) -> (\w)", text))
    question = text[text.rindex("->") + 4 :]
    names = re.findall(r"\b[A-Z]\b", question)
    limit = re.search(r"at most (\d+)", question)
    if limit is None:
        known = re.search(r"((?:\w, )*\w(?: and \w)?) (?:is|are) known", question)
        fixed = set(re.findall(r"\b[A-Z]\b", known[1])) if known else set()
        one, two = [name for name in names if name not in fixed]
        for path in networkx.all_simple_paths(graph.to_undirected(), one, two):
            if all(is_open(graph, path[i - 1 : i + 2], fixed) for i in range(1, len(path) - 1)):
                return " ".join(path)
        raise ValueError("every path is blocked")
    banned = re.search(r"(?:none of them|None may be|without|Not allowed in it:) ((?:\w, )*\w(?: (?:or|and) \w)?)", question)
    assert banned is not None
    outside = set(re.findall(r"\b[A-Z]\b", banned[1]))
    one, two = dict.fromkeys(name for name in re.findall(r"\b[A-Z]\b", question.replace(banned[0], "")))
    assert {one, two} <= outside
    for size in range(int(limit[1]) + 1):
        for chosen in combinations(sorted(set(graph) - outside), size):
            if networkx.is_d_separator(graph, {one}, {two}, set(chosen)):
                return " ".join(chosen)
    raise ValueError("no set separates them")


def is_open(graph: networkx.DiGraph, triple: list[str], known: set[str]) -> bool:
    """Whether the middle of three neighbours on a path lets influence through."""
    before, middle, behind = triple
    if graph.has_edge(before, middle) and graph.has_edge(behind, middle):
        return bool(({middle} | networkx.descendants(graph, middle)) & known)
    return middle not in known
