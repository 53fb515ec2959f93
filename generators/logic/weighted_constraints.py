"""Constraints with points that cannot all hold: how much must be lost, and groups that show it."""

from __future__ import annotations

from collections.abc import Sequence

from rlgym.core.task import TaskData
from rlgym.generators.logic import truth_tables


class Constraint(TaskData):
    kind: str  # "or", "one": exactly one, "odd": an odd number, "same": all or none of the literals are true
    literals: tuple[int, ...]  # i or -i, from 1
    points: int


def write(constraint: Constraint) -> str:
    parts = [f"x{literal}" if literal > 0 else f"not x{-literal}" for literal in constraint.literals]
    several = " " + ", ".join(parts)
    kinds = {
        "one": "exactly one of these is true:",
        "odd": "an odd number of these is true:",
        "same": "either all or none of these are true:",
    }
    return kinds[constraint.kind] + several if constraint.kind != "or" else " or ".join(parts)


def holds(constraint: Constraint, values: dict[int, bool]) -> bool:
    true = sum(values[abs(literal)] == (literal > 0) for literal in constraint.literals)
    return {"or": true > 0, "one": true == 1, "odd": true % 2 == 1, "same": true in (0, len(constraint.literals))}[constraint.kind]


def tables(constraints: Sequence[Constraint], variables: int) -> list[int]:
    """The truth table of each constraint."""
    every, columns, out = truth_tables.every(variables), truth_tables.columns(variables), list[int]()
    for constraint in constraints:
        parts = [columns[literal - 1] if literal > 0 else every ^ columns[-literal - 1] for literal in constraint.literals]
        some, odd, twice, all_equal = 0, 0, 0, every
        for part in parts:
            twice |= some & part
            some, odd, all_equal = some | part, odd ^ part, all_equal & part
        out.append({"or": some, "one": some & ~twice, "odd": odd, "same": all_equal | (every ^ some)}[constraint.kind])
    return out


def satisfied_assignments(tables: Sequence[int], chosen: Sequence[int], variables: int) -> int:
    rows = truth_tables.every(variables)
    for k in chosen:
        rows &= tables[k]
    return rows


def optimum(constraints: Sequence[Constraint], variables: int) -> tuple[int, int]:
    """The least that must be lost, and the rows in which no more is, by sorting all rows by what they lose."""
    by_loss = [truth_tables.every(variables)]
    for constraint, table in zip(constraints, tables(constraints, variables), strict=True):
        by_loss += [0] * constraint.points
        by_loss = [
            (rows & table) | (by_loss[k - constraint.points] & ~table if k >= constraint.points else 0) for k, rows in enumerate(by_loss)
        ]
        by_loss = by_loss[:40]
    return next(((lost, rows) for lost, rows in enumerate(by_loss) if rows), (0, 0))


def cores(constraints: Sequence[Constraint], variables: int) -> list[list[int]]:
    """Groups of constraints that cannot all hold, found one after the other among those that have points left."""
    columns, weights_left, out = tables(constraints, variables), [constraint.points for constraint in constraints], list[list[int]]()
    while True:
        core = sorted((k for k, points in enumerate(weights_left) if points), key=lambda k: (len(constraints[k].literals), k))
        if satisfied_assignments(columns, core, variables):
            return out
        for k in core[::-1]:
            rest = [other for other in core if other != k]
            core = core if satisfied_assignments(columns, rest, variables) else rest
        least = min(weights_left[k] for k in core)
        for k in core:
            weights_left[k] -= least
        out.append(sorted(core))


def pack(constraints: Sequence[Constraint], variables: int) -> int:
    weights_left, total = [constraint.points for constraint in constraints], 0
    for core in cores(constraints, variables):
        least = min(weights_left[k] for k in core)
        total += least
        for k in core:
            weights_left[k] -= least
    return total
