"""Who does what: assignments of least cost or greatest worth, by the Hungarian method."""

from __future__ import annotations

import re

from prompt_solvers.registry import prompt_solver


def least_cost(costs: list[list[int]]) -> list[int]:
    """The column of each row in an assignment of least total cost; there are as many rows as columns."""
    size = len(costs)
    row_price, column_price, owner = [0] * (size + 1), [0] * (size + 1), [0] * (size + 1)
    for row in range(1, size + 1):
        owner[0], column = row, 0
        slack, came, done = [float("inf")] * (size + 1), [0] * (size + 1), [False] * (size + 1)
        while owner[column]:
            done[column] = True
            here = owner[column]
            for other in range(1, size + 1):
                reduced = costs[here - 1][other - 1] - row_price[here] - column_price[other]
                if not done[other] and reduced < slack[other]:
                    slack[other], came[other] = reduced, column
            following = min((other for other in range(1, size + 1) if not done[other]), key=slack.__getitem__)
            step = slack[following]
            for other in range(size + 1):
                if done[other]:
                    row_price[owner[other]] += step
                    column_price[other] -= step
                else:
                    slack[other] -= step
            column = following
        while column:
            owner[column] = owner[came[column]]
            column = came[column]
    return [owner.index(row, 1) - 1 for row in range(1, size + 1)]


@prompt_solver("bipartite_matching")
def solve_bipartite_matching(prompt: str) -> str:
    worth: dict[str, dict[str, int]] = {}
    for person, listed in re.findall(r"^([A-Z][a-z]+): (.*)$", prompt, re.MULTILINE):
        worth[person] = {job: int(number or 1) for job, number in re.findall(r"(J\d+)(?: \((\d+)\))?", listed)}
    people, jobs = list(worth), sorted({job for offers in worth.values() for job in offers})
    size = max(len(people), len(jobs))
    costs = [[0] * size for _ in range(size)]
    for row, person in enumerate(people):
        for job, number in worth[person].items():
            costs[row][jobs.index(job)] = -number
    chosen = [(row, column) for row, column in enumerate(least_cost(costs)) if costs[row][column]]
    return "\n".join(f"{people[row]}: {jobs[column]}" for row, column in chosen)


@prompt_solver("assignment_costs")
def solve_assignment_costs(prompt: str) -> str:
    charges: dict[str, dict[str, int]] = {}
    for worker, listed in re.findall(r"^([A-Z][a-z]+): (.*)$", prompt, re.MULTILINE):
        charges[worker] = {job: int(cost) if cost.isdigit() else 10**6 for job, cost in re.findall(r"(\w+) (\d+|not possible)", listed)}
    jobs = list(next(iter(charges.values())))
    costs = [[charge[job] for job in jobs] for charge in charges.values()]
    limit = 10**6 - 1
    if "the cost of the dearest job is as small as possible" in prompt:
        for limit in sorted({cost for row in costs for cost in row}):
            capped = [[0 if cost <= limit else 1 for cost in row] for row in costs]
            if not sum(row[column] for row, column in zip(capped, least_cost(capped), strict=True)):
                break
    found = least_cost([[cost if cost <= limit else 10**6 for cost in row] for row in costs])
    return "\n".join(f"{worker}: {jobs[column]}" for worker, column in zip(charges, found, strict=True))
