"""The searches by environment: each reads the data of a task and the oracle's answer, and gives the first node, or None without a search."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import combinations, pairwise
from typing import Any

from rlgym.dataset.traces.assignments import Assignment, Rule
from rlgym.dataset.traces.moves import countdown, water_jugs
from rlgym.dataset.traces.tree import Node

Search = Callable[[Any, Any], Node | None]
Rows = Sequence[Sequence[str]]
MARKS = {"#": "marked", "*": "star", ".": "empty"}
"""Marks of a grid as words."""


def _place(row: int, column: int) -> str:
    return f"r{row + 1}c{column + 1}"


def _cells(rows: Rows, empty: str = ".") -> dict[str, str]:
    """The cells of a grid that are given, by name."""
    return {_place(r, c): cell for r, row in enumerate(rows) for c, cell in enumerate(row) if cell != empty}


def _names(height: int, width: int) -> list[list[str]]:
    return [[_place(r, c) for c in range(width)] for r in range(height)]


def _lines(names: list[list[str]]) -> list[tuple[str, list[str]]]:
    rows = [(f"row {r + 1}", list(row)) for r, row in enumerate(names)]
    return [*rows, *((f"column {c + 1}", list(column)) for c, column in enumerate(zip(*names, strict=True)))]


def _different(units: Sequence[tuple[str, Sequence[str]]]) -> list[Rule]:
    """No two names of a unit have the same value."""
    known: dict[tuple[str, str], Rule] = {}
    for unit, names in units:
        for one, other in combinations(names, 2):
            known.setdefault((one, other), Rule((one, other), lambda values: values[0] != values[1], f"{unit} holds each value once"))
    return list(known.values())


def _grid(rows: Rows, digits: Sequence[str], rules: Sequence[Rule], right: Rows) -> Node:
    return Assignment(
        {name: digits for row in _names(len(rows), len(rows[0])) for name in row}, _cells(rows), rules, _cells(right, "")
    ).start


def graph_colouring(data: Any, right: Any) -> Node:
    """A colour for each country."""
    solution = {name.upper(): colour for name, colour in right}
    names = sorted(solution, key=lambda name: (int(name[1:] or 0), name[0]))  # A to Z, A1 to Z1 ...
    colours = [str(colour + 1) for colour in range(data.colours)]
    rules = [
        Rule((names[a], names[b]), lambda values: values[0] != values[1], f"{names[a]} and {names[b]} share a border")
        for a, b in data.borders
    ]
    given = {names[place]: str(colour) for place, colour in data.fixed}
    return Assignment(dict.fromkeys(names, colours), given, rules, solution).start


def sudoku(data: Any, right: Any) -> Node:
    """A digit for each empty cell."""
    size = data.height * data.width
    names = _names(size, size)
    boxes = [
        (f"the box from {names[r][c]} on", [names[r + i][c + j] for i in range(data.height) for j in range(data.width)])
        for r in range(0, size, data.height)
        for c in range(0, size, data.width)
    ]
    return _grid(data.given, "123456789"[:size], _different([*_lines(names), *boxes]), right)


def jigsaw_sudoku(data: Any, right: Any) -> Node:
    """A digit for each empty cell."""
    size = len(data.given)
    names = _names(size, size)
    flat = [name for row in names for name in row]
    rooms = [(f"the room of {flat[room[0]]}", [flat[cell] for cell in room]) for room in data.rooms]
    return _grid(data.given, "123456789"[:size], _different([*_lines(names), *rooms]), right)


def futoshiki(data: Any, right: Any) -> Node:
    """A digit for each empty cell."""
    size = len(data.given)
    names = _names(size, size)
    flat = [name for row in names for name in row]
    signs = [
        Rule((flat[low], flat[high]), lambda values: int(values[0]) < int(values[1]), f"{flat[low]} is smaller than {flat[high]}")
        for low, high in data.below
    ]
    return _grid(data.given, "123456789"[:size], [*signs, *_different(_lines(names))], right)


def kakurasu(data: Any, right: Any) -> Node:
    """A mark or none for each cell."""
    names = _names(len(data.known), len(data.known))
    weights = [data.across] * len(names) + [data.down] * len(names)
    rules = [
        Rule(tuple(line), _weighted_sum_check(weight, total), f"the sum of {name} is {total}")
        for (name, line), weight, total in zip(_lines(names), weights, data.told, strict=True)
        if total != -1
    ]
    known = [[MARKS.get(cell, ".") for cell in row] for row in data.known]
    return _grid(known, ("marked", "empty"), rules, [[MARKS[cell] for cell in row] for row in right])


def _weighted_sum_check(weights: Sequence[int], total: int) -> Callable[[Sequence[str]], bool]:
    return lambda values: sum(weight for weight, value in zip(weights, values, strict=True) if value == "marked") == total


def binario(data: Any, right: Any) -> Node:
    """A zero or a one for each empty cell."""
    size = len(data.given)
    lines, rules = _lines(_names(size, size)), list[Rule]()
    for name, line in lines:
        rules += [
            Rule(
                tuple(line[place : place + 3]),
                lambda values: len(set(values)) > 1,
                f"no three equal digits are next to one another in {name}",
            )
            for place in range(size - 2)
        ]
        rules.append(Rule(tuple(line), lambda values: values.count("0") * 2 == size, f"{name} has as many zeros as ones"))
    for half in (lines[:size], lines[size:]):
        rules += [
            Rule((*one, *other), lambda values: values[:size] != values[size:], f"{name} and {second} differ")
            for (name, one), (second, other) in combinations(half, 2)
        ]
    return _grid(data.given, "01", rules, right)


def survo(data: Any, right: Any) -> Node:
    """A number for each empty cell."""
    names = _names(len(data.given), len(data.given[0]))
    cells = [name for r, row in enumerate(names) for c, name in enumerate(row) if data.given[r][c] != "#"]
    rules = _different([("the table", cells)])
    for (name, line), total in zip(_lines(names), (*data.rows, *data.columns), strict=True):
        inside = tuple(cell for cell in line if cell in cells)
        rules.append(Rule(inside, _adds_to(total), f"the sum of {name} is {total}"))
    values = [str(number + 1) for number in range(len(cells))]
    given = {name: value for name, value in _cells(data.given).items() if name in cells}
    return Assignment(dict.fromkeys(cells, values), given, rules, _cells(right, "#")).start


def _adds_to(total: int) -> Callable[[Sequence[str]], bool]:
    return lambda values: sum(map(int, values)) == total


def star_battle(data: Any, right: Any) -> Node:
    """A star or none for each cell."""
    size = data.size
    names = _names(size, size)
    flat = [name for row in names for name in row]
    units = [*_lines(names), *((f"the region of {flat[region[0]]}", [flat[cell] for cell in region]) for region in data.regions)]
    rules = [
        Rule((names[r][c], names[r + i][c + j]), lambda values: "empty" in values, f"{names[r][c]} and {names[r + i][c + j]} touch")
        for r in range(size)
        for c in range(size)
        for i, j in ((0, 1), (1, -1), (1, 0), (1, 1))
        if r + i < size and 0 <= c + j < size
    ]
    for name, unit in units:
        holds = f"{name} holds {data.stars} {'star' if data.stars == 1 else 'stars'}"
        # Already too many stars are against the rule, however the rest of the unit is filled.
        rules += [Rule(chosen, lambda values: "empty" in values, holds) for chosen in combinations(unit, data.stars + 1) if data.stars < 2]
        rules.append(Rule(tuple(unit), lambda values: values.count("star") == data.stars, holds))
    return _grid(["." * size] * size, ("star", "empty"), rules, [[MARKS[cell] for cell in row] for row in right])


def sat_assignment(data: Any, right: Any) -> Node:
    """A truth value for each variable."""
    solution = dict(right)
    rules = [
        Rule(tuple(f"x{abs(literal)}" for literal in each.literals), _clause_check(each.kind, each.literals), f"constraint {number}")
        for number, each in enumerate(data.constraints, 1)
    ]
    return Assignment(dict.fromkeys(solution, ("true", "false")), {}, rules, solution).start


def _clause_check(kind: str, literals: Sequence[int]) -> Callable[[Sequence[str]], bool]:
    def holds(values: Sequence[str]) -> bool:
        true = sum((value == "true") == (literal > 0) for value, literal in zip(values, literals, strict=True))
        return {"or": true > 0, "one": true == 1, "odd": true % 2 == 1, "three": true == 3}[kind]

    return holds


def hamiltonian_path(data: Any, right: Any) -> Node:
    """The towns of a walk in order."""
    stops = [f"stop {number}" for number in range(1, len(data.towns) + 1)]
    roads = {*data.roads, *(() if data.one_way else (road[::-1] for road in data.roads))}
    rules = _different([("the walk", stops)])
    rules += [Rule(pair, lambda values: tuple(values) in roads, "there is no such road") for pair in pairwise(stops)]
    return Assignment(dict.fromkeys(stops, data.towns), {}, rules, dict(zip(stops, right, strict=True)), ordered=True).start


SEARCHES: dict[str, Search] = {
    search.__name__: search
    for search in (
        binario, countdown, futoshiki, graph_colouring, hamiltonian_path, jigsaw_sudoku, kakurasu, sat_assignment, star_battle, sudoku, survo, water_jugs
    )
}  # fmt: skip
"""The searches by the name of the environment."""
