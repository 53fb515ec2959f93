"""Constraints on literals, and a search for their models with unit propagation (Davis, Putnam, Logemann, Loveland)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from rlgym.core.task import TaskData

SIX = 6
"""Parts of a constraint that asks for exactly three."""


class Constraint(TaskData):
    kind: str  # "or": at least one literal is true; "one": exactly one; "odd": an odd number; "three": exactly three
    literals: tuple[int, ...]  # i or -i, from 1


def search(constraints: Sequence[Constraint], variables: int, first: bool) -> Iterator[tuple[list[int], int]]:
    """Every model, as 1 or -1 for each variable (0 where either will do; place 0 is unused), with the number of guesses that failed before it.

    Forced values come first, then a guess on the variable in most short constraints (Davis, Putnam, Logemann, Loveland).
    """
    within: list[list[Constraint]] = [[] for _ in range(variables + 1)]
    for constraint in constraints:
        for literal in constraint.literals:
            within[abs(literal)].append(constraint)
    stack: list[tuple[list[int], int, bool]] = [([0] * (variables + 1), 0, True)]
    dead_ends = 0
    while stack:
        values, variable, value = stack.pop()
        queue = [(variable, value)] if variable else []
        broken = False
        while queue and not broken:
            variable, value = queue.pop()
            sign = 1 if value else -1
            if values[variable]:
                broken = values[variable] != sign
                continue
            values[variable] = sign
            for constraint in within[variable]:
                forced = forced_literals(constraint, values)
                if forced is None:
                    broken = True
                    break
                queue += [(abs(literal), literal > 0) for literal in forced]
        if broken:
            dead_ends += 1
            continue
        chosen = next_literal(constraints, values)
        if not chosen:
            yield values, dead_ends
            continue
        guess = chosen > 0 if first else chosen < 0
        stack.append((values.copy(), abs(chosen), not guess))
        stack.append((values, abs(chosen), guess))


def forced_literals(constraint: Constraint, values: list[int]) -> list[int] | None:
    """Literals that must be true now; None when the constraint cannot hold any more."""
    free, holding = [], 0
    for literal in constraint.literals:
        value = values[abs(literal)]
        if not value:
            free.append(literal)
        elif (value > 0) == (literal > 0):
            holding += 1
    if constraint.kind == "or":
        return [] if holding or len(free) > 1 else free or None
    if constraint.kind == "one":
        if holding > 1 or not (holding or free):
            return None
        return [-literal for literal in free] if holding else free if len(free) == 1 else []
    if constraint.kind == "three":
        wanted = SIX // 2 - holding
        if not 0 <= wanted <= len(free):
            return None
        return [-literal for literal in free] if not wanted else free if wanted == len(free) else []
    if free:
        return [] if len(free) > 1 else [free[0] if holding % 2 == 0 else -free[0]]
    return [] if holding % 2 else None


def next_literal(constraints: Sequence[Constraint], values: list[int]) -> int:
    """The open literal that occurs most in constraints with few open places; 0 when every variable in them is settled."""
    weights: dict[int, int] = {}
    for constraint in constraints:
        free = [literal for literal in constraint.literals if not values[abs(literal)]]
        if not free or (
            constraint.kind == "or" and any(values[abs(literal)] == (1 if literal > 0 else -1) for literal in constraint.literals)
        ):
            continue
        for literal in free:
            weights[literal] = weights.get(literal, 0) + (5 if len(free) == 2 else 1)
    return (
        max(weights, key=lambda literal: (weights[literal] + weights.get(-literal, 0), weights[literal], -abs(literal))) if weights else 0
    )
