"""A taxi in a town of streets: passengers who wait and want to go somewhere, one-way streets, and who must not meet or be late."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import NamedTuple

from rlgym.core.rng import Rng
from rlgym.generators.simulations.boards import neighbours_by_direction
from rlgym.generators.simulations.search import plan

WAYS = ("north", "east", "south", "west")
BACK = {"north": "south", "south": "north", "east": "west", "west": "east"}
WAITING, RIDING, THERE = 0, 1, 2


class Passenger(NamedTuple):
    name: str
    at: int
    to: int


class Town(NamedTuple):
    """Streets that cannot be driven, as crossing and direction; pairs of passengers who must not ride together, and who goes first."""

    size: int
    closed: tuple[tuple[int, str], ...]
    passengers: tuple[Passenger, ...]
    seats: int
    enemies: tuple[tuple[int, int], ...]
    orders: tuple[tuple[int, int], ...]


class Taxi(NamedTuple):
    at: int
    riders: tuple[int, ...]  # where each passenger is: WAITING, RIDING or THERE


def options(town: Town, taxi: Taxi) -> dict[str, Taxi]:
    """What can be done, by name."""
    near = neighbours_by_direction(taxi.at, town.size, town.size)
    out = {
        direction: Taxi(near[direction], taxi.riders) for direction in WAYS if direction in near and (taxi.at, direction) not in town.closed
    }
    for who, passenger in enumerate(town.passengers):
        if taxi.riders[who] == WAITING and passenger.at == taxi.at and _may_enter(town, taxi.riders, who):
            out["pickup"] = Taxi(taxi.at, _move(taxi.riders, who, RIDING))
        if taxi.riders[who] == RIDING and passenger.to == taxi.at:
            out["dropoff"] = Taxi(taxi.at, _move(taxi.riders, who, THERE))
    return out


@lru_cache(512)
def shift_plan(town: Town, taxi: Taxi) -> tuple[str, ...] | None:
    """The fewest actions after which every passenger is there."""
    return plan(taxi, lambda state: options(town, state), lambda state: all(rider == THERE for rider in state.riders))


def town(rng: Rng, names: Sequence[str], size: int, closed: int, one_way: int, rules: int, tree: bool = False) -> tuple[Town, Taxi]:
    """A town where every passenger can be driven; `closed` and `one_way` are percents of the streets, `rules` of two kinds."""
    while True:
        shut: set[tuple[int, str]] = set()
        kept = _sample_spanning_tree(rng, size) if tree else frozenset()
        for cell in range(size * size):
            for direction in ("east", "south"):
                there = neighbours_by_direction(cell, size, size).get(direction)
                drawn = rng.integer(1, 100)
                drawn = drawn if not tree else 100 if (cell, there) in kept else 0
                if there is not None and drawn <= closed + one_way:
                    ends = [(cell, direction), (there, BACK[direction])]
                    shut.update(ends if drawn <= closed else [rng.choice(ends)])
        places = rng.sample(range(size * size), 2 * len(names) + 1)
        passengers = tuple(Passenger(*facts) for facts in zip(names, places[1::2], places[2::2], strict=True))
        pairs = rng.shuffled([(a, b) for a in range(len(names)) for b in range(a)])
        enemies = tuple(pairs[: rules // 2])
        orders = tuple((max(pair), min(pair)) for pair in pairs[rules // 2 : rules])
        made = Town(size, tuple(sorted(shut)), passengers, 2, enemies, orders)
        taxi = Taxi(places[0], (WAITING,) * len(names))
        if shift_plan(made, taxi):
            return made, taxi


def _sample_spanning_tree(rng: Rng, size: int) -> frozenset[tuple[int, int]]:
    """Streets that join all crossings without a round trip, as pairs of cells, the lower one first."""
    first = rng.integer(0, size * size - 1)
    joined, kept = {first}, set[tuple[int, int]]()
    edge = [(first, there) for there in neighbours_by_direction(first, size, size).values()]
    while edge:
        cell, there = edge.pop(rng.integer(0, len(edge) - 1))
        if there not in joined:
            joined.add(there)
            kept.add((min(cell, there), max(cell, there)))
            edge += [(there, other) for other in neighbours_by_direction(there, size, size).values()]
    return frozenset(kept)


def _may_enter(town: Town, riders: tuple[int, ...], who: int) -> bool:
    if riders.count(RIDING) >= town.seats or any(
        first != THERE for first, second in ((riders[a], b) for a, b in town.orders) if second == who
    ):
        return False
    return not any(who in pair and riders[sum(pair) - who] == RIDING for pair in town.enemies)


def _move(riders: tuple[int, ...], who: int, where: int) -> tuple[int, ...]:
    return (*riders[:who], where, *riders[who + 1 :])
