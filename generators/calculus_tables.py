"""Sums, products and quotients of compositions of functions that are known by tables of values and slopes, and their derivatives."""

from collections.abc import Sequence
from fractions import Fraction
from typing import NamedTuple

from rlgym.core.task import TaskData
from rlgym.generators import calculations

INVERSE = "^(-1)"
Table = Sequence[tuple[int, int]]
Pair = tuple[int | Fraction, int | Fraction]


class Part(NamedTuple):
    """A part of the formula: its value and slope, and the formulas by which they are computed."""

    value: Fraction
    slope: Fraction
    value_formula: str
    slope_formula: str


class Chain(TaskData):
    functions: tuple[str, ...]  # from the inside out
    factor: int
    shift: int


class Combination(TaskData):
    names: tuple[str, ...]
    tables: tuple[tuple[tuple[int, int], ...], ...]  # of each function: value and slope at 1, 2, ...
    chains: tuple[Chain, ...]
    signs: tuple[str, ...]
    at: int


class Clue(TaskData):
    name: str
    chains: tuple[Chain, ...]
    signs: tuple[str, ...]
    at: int
    value: str  # of the derivative


def parts_of(data: Combination) -> dict[str, Part]:
    """Each part of the formula by its text, from the inside out."""
    parts: dict[str, Part] = {}
    current_part = ""
    for k, chain in enumerate(data.chains):
        text = linear(chain.factor, chain.shift)
        value, slope = Fraction(chain.factor * data.at + chain.shift), Fraction(chain.factor)
        parts[text] = Part(
            value,
            slope,
            f"{calculations.operand(chain.factor)}*{data.at} + {calculations.operand(chain.shift)}",
            calculations.operand(chain.factor),
        )
        for name in chain.functions:
            table = data.tables[data.names.index(name.removesuffix(INVERSE))]
            inverse = name.endswith(INVERSE)
            place = [y for y, _ in table].index(int(value)) + 1 if inverse else int(value)
            value, own = Fraction(place if inverse else table[place - 1][0]), Fraction(table[place - 1][1])
            formula = f"{calculations.operand(slope)}{'/' if inverse else '*'}{calculations.operand(own)}"
            slope = slope / own if inverse else slope * own
            text = f"{name}({text})"
            parts[text] = Part(value, slope, calculations.operand(value), formula)
        if k:
            sign, before = data.signs[k - 1], parts[current_part]
            both = combine(sign, (before.value, before.slope), (value, slope))
            a, b, c, d = map(calculations.operand, (before.value, before.slope, value, slope))
            rule = {"*": f"{b}*{c} + {a}*{d}", "/": f"({b}*{c} - {a}*{d})/{c}^2"}.get(sign, f"{b} {sign} {d}")
            text = f"({current_part}) {sign} {text}" if k > 1 else f"{current_part} {sign} {text}"
            parts[text] = Part(Fraction(both[0]), Fraction(both[1]), f"{a} {sign} {c}", rule)
        current_part = text
    return parts


def derivative(data: Combination, tables: Sequence[Table]) -> Fraction:
    total: Pair = (0, 0)
    for k, chain in enumerate(data.chains):
        value: int | Fraction = chain.factor * data.at + chain.shift
        slope: int | Fraction = chain.factor
        for name in chain.functions:
            table = tables[data.names.index(name.removesuffix(INVERSE))]
            if name.endswith(INVERSE):
                place = next(x for x, (image, _) in enumerate(table, 1) if image == value)
                value, slope = place, Fraction(slope) / table[place - 1][1]
            else:
                image, own = table[int(value) - 1]
                value, slope = image, slope * own
        total = combine(data.signs[k - 1], total, (value, slope)) if k else (value, slope)
    return Fraction(total[1])


def with_combination(data: Combination, clue: Clue) -> Combination:
    """The same table with the combination of a clue."""
    return Combination(names=data.names, tables=data.tables, chains=clue.chains, signs=clue.signs, at=clue.at)


def fill_tables(
    tables: Sequence[Table], places: Sequence[tuple[int, int]], values: Sequence[int]
) -> tuple[tuple[tuple[int, int], ...], ...]:
    """The tables with these values at the places, each a table and its row."""
    out = [list(table) for table in tables]
    for (which, row), value in zip(places, values, strict=True):
        out[which][row] = (value, out[which][row][1])
    return tuple(map(tuple, out))


def fitting_pairs(data: Combination, places: Sequence[tuple[int, int]], clues: Sequence[Clue]) -> list[tuple[int, int]]:
    """The pairs of values at two places with which the derivatives of all clues are right."""
    numbers = range(1, len(data.tables[0]) + 1)
    fitting = [(first, second) for first in numbers for second in numbers]
    for clue in clues:
        combination, wanted = with_combination(data, clue), Fraction(clue.value)
        fitting = [pair for pair in fitting if derivative(combination, fill_tables(data.tables, places, pair)) == wanted]
    return fitting


def combine(sign: str, left: Pair, right: Pair) -> Pair:
    (a, b), (c, d) = left, right
    if sign == "*":
        return a * c, b * c + a * d
    if sign == "/":
        return Fraction(a) / c, Fraction(b * c - a * d) / c**2
    return (a + c, b + d) if sign == "+" else (a - c, b - d)


def linear(factor: int, shift: int) -> str:
    front = {1: "x", -1: "-x"}.get(factor, f"{factor}*x")
    return front + (f" + {shift}" if shift > 0 else f" - {-shift}" if shift else "")
