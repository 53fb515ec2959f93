"""Power plants and towns on a tree of lines, hour by hour: what flows where, and outputs that carry every hour."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from itertools import pairwise, product
from typing import NamedTuple

from rlgym.core.rng import Rng

UNIT = 10  # MW; all numbers are multiples of it


class Plant(NamedTuple):
    """`ramp` is by how much its output may change from one hour to the next."""

    name: str
    at: int
    most: int
    ramp: int
    first: int  # output before the first hour


class Line(NamedTuple):
    """From a node to the one above it in the tree."""

    node: int
    above: int
    limit: int


class Grid(NamedTuple):
    """Towns as names and nodes; `demands` has a row for each hour."""

    nodes: int
    plants: tuple[Plant, ...]
    lines: tuple[Line, ...]
    towns: tuple[tuple[str, int], ...]
    demands: tuple[tuple[int, ...], ...]


Outputs = tuple[int, ...]


def flows(grid: Grid, hour: int, outputs: Sequence[int]) -> list[int]:
    """What each line carries towards the node above, where supply and demand are equal."""
    surplus = [0] * grid.nodes
    for plant, output in zip(grid.plants, outputs, strict=True):
        surplus[plant.at] += output
    for (_, node), demand in zip(grid.towns, grid.demands[hour], strict=True):
        surplus[node] -= demand
    out = []
    for line in reversed(grid.lines):  # a node's line comes after that of the node above
        out.append(surplus[line.node])
        surplus[line.above] += surplus[line.node]
    return out[::-1]


def trouble(grid: Grid, hour: int, outputs: Sequence[int]) -> str:
    """Why an hour goes wrong with these outputs; nothing where it goes well."""
    short = sum(grid.demands[hour]) - sum(outputs)
    if short:
        return f"{abs(short)} MW too {'little' if short > 0 else 'much'}"
    over = [line for line, flow in zip(grid.lines, flows(grid, hour, outputs), strict=True) if abs(flow) > line.limit]
    return f"the line n{over[0].node + 1}-n{over[0].above + 1} is overloaded" if over else ""


@lru_cache(256)
def schedule(grid: Grid, hour: int, before: Outputs) -> tuple[Outputs, ...] | None:
    """Outputs for this hour and all after it, by looking at every hour's possible outputs in turn; None where there are none."""
    steps: list[dict[Outputs, Outputs]] = []
    reached = [before]
    for later in range(hour, len(grid.demands)):
        step: dict[Outputs, Outputs] = {}
        for outputs in _feasible_outputs(grid, later):
            for last in reached:
                if all(abs(new - old) <= plant.ramp for new, old, plant in zip(outputs, last, grid.plants, strict=True)):
                    step[outputs] = last
                    break
        steps.append(step)
        reached = list(step)
    if not reached:
        return None
    plan = [reached[0]]
    for step in reversed(steps[1:]):
        plan.append(step[plan[-1]])
    return tuple(reversed(plan)) if steps else ()


@lru_cache(1024)
def _feasible_outputs(grid: Grid, hour: int) -> tuple[Outputs, ...]:
    total, last = sum(grid.demands[hour]), grid.plants[-1].most
    out = []
    for outputs in product(*(range(0, plant.most + UNIT, UNIT) for plant in grid.plants[:-1])):
        rest = total - sum(outputs)
        if 0 <= rest <= last and not trouble(grid, hour, (*outputs, rest)):
            out.append((*outputs, rest))
    return tuple(out)


def grid(rng: Rng, names: Sequence[str], plants: int, nodes: int, hours: int, slack: int, star: bool = False) -> Grid:
    """A grid of which some schedule carries every hour, with lines at most `slack` units wider than that schedule needs."""
    while True:
        stations = []
        outputs: list[list[int]] = []
        for k in range(plants):
            most, ramp = UNIT * rng.integer(3, 6), UNIT * rng.integer(1, 3)
            first = UNIT * rng.integer(0, most // UNIT)
            stations.append(Plant(f"p{k + 1}", rng.integer(0, nodes - 1), most, ramp, first))
            row = [first]
            for _ in range(hours):
                row.append(min(most, max(0, row[-1] + UNIT * rng.integer(-ramp // UNIT, ramp // UNIT))))
            outputs.append(row[1:])
        towns = tuple(zip(names, sorted(rng.sample(range(nodes), len(names))), strict=True))
        demands = tuple(_split(rng, sum(row[hour] for row in outputs), len(names)) for hour in range(hours))
        tree = [(node, 0 if star else rng.integer(max(0, node - 2), node - 1)) for node in range(1, nodes)]
        bare = Grid(nodes, tuple(stations), tuple(Line(node, above, 0) for node, above in tree), towns, demands)
        carried = [flows(bare, hour, [row[hour] for row in outputs]) for hour in range(hours)]
        limits = [max(UNIT, *(abs(row[k]) for row in carried)) + UNIT * rng.integer(0, slack) for k in range(len(tree))]
        made = bare._replace(lines=tuple(line._replace(limit=limit) for line, limit in zip(bare.lines, limits, strict=True)))
        # To leave all as it is must not do, or there is nothing to think about.
        still = tuple(plant.first for plant in stations)
        totals = [sum(still), *map(sum, demands)]
        if (
            min(totals[1:]) > 0
            and all(before != after for before, after in pairwise(totals))
            and all(trouble(made, hour, still) for hour in range(hours))
        ):
            return made


def _split(rng: Rng, total: int, parts: int) -> tuple[int, ...]:
    cuts = sorted(rng.integer(0, total // UNIT) for _ in range(parts - 1))
    return tuple(UNIT * (after - before) for before, after in zip([0, *cuts], [*cuts, total // UNIT], strict=True))
