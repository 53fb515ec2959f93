"""Satisfiability by splitting on variables, with a refutation by resolution where there is no model."""

from __future__ import annotations

from collections.abc import Sequence


def model_or_refutation(clauses_given: Sequence[Sequence[int]], order: range) -> tuple[str, ...]:
    """The literals of a model, or the steps of a refutation as i+j, which resolve the clauses of these numbers.

    A search splits on one variable after the other; each split that fails on both sides resolves on its variable.

    order  the variables, which decides between equally good ones
    """
    clauses = [frozenset(clause) for clause in clauses_given]
    steps: list[str] = []
    line_of: dict[frozenset[int], int] = {}
    for i, clause in enumerate(clauses):
        line_of.setdefault(clause, i)

    def failing(true: frozenset[int], places: tuple[int, ...]) -> frozenset[int] | frozenset[str]:
        """A known clause that is false under these literals, or the words of a model."""
        for clause in line_of:
            if all(-literal in true for literal in clause):
                return clause
        if not places:
            return frozenset(f"x{literal}" if literal > 0 else f"-x{-literal}" for literal in true)
        variable = _choose_variable(list(line_of), true, places)
        rest = tuple(place for place in places if place != variable)
        first = failing(true | {variable}, rest)
        if _is_model(first) or -variable not in first:
            return first
        second = failing(true | {-variable}, rest)
        if _is_model(second) or variable not in second:
            return second
        joined: frozenset[int] = frozenset(
            literal for clause in (first, second) for literal in clause if isinstance(literal, int) and abs(literal) != variable
        )
        if joined not in line_of:
            steps.append(f"{line_of[frozenset(_numbers(first))] + 1}+{line_of[frozenset(_numbers(second))] + 1}")
            line_of[joined] = len(clauses) + len(steps) - 1
        return joined

    result = failing(frozenset(), tuple(order))
    if _is_model(result):
        return tuple(sorted((str(word) for word in result), key=lambda word: int(word.lstrip("-x"))))
    return _needed_steps(len(clauses), steps)


def _numbers(clause: frozenset[int] | frozenset[str]) -> list[int]:
    return [literal for literal in clause if isinstance(literal, int)]


def _is_model(result: frozenset[int] | frozenset[str]) -> bool:
    return any(isinstance(word, str) for word in result)


def _choose_variable(clauses: list[frozenset[int]], true: frozenset[int], places: tuple[int, ...]) -> int:
    """A variable of the shortest clause that is still open."""
    shortest: list[int] = []
    for clause in clauses:
        if not clause & true:
            free = [abs(literal) for literal in clause if -literal not in true]
            if not shortest or len(free) < len(shortest):
                shortest = free
    return min(shortest, key=places.index) if shortest else places[0]


def _needed_steps(clauses: int, steps: list[str]) -> tuple[str, ...]:
    """Only the steps that lead to the last one, numbered anew."""
    pairs = [tuple(int(part) for part in step.split("+")) for step in steps]
    used, waiting = set[int](), [clauses + len(steps)]
    while waiting:
        number = waiting.pop()
        if number > clauses and number not in used:
            used.add(number)
            waiting += pairs[number - clauses - 1]
    new = {number: clauses + i for i, number in enumerate(sorted(used), 1)}
    return tuple("+".join(str(new.get(part, part)) for part in pairs[number - clauses - 1]) for number in sorted(used))
