"""Systems of linear equations with integer coefficients: their rank, and how they are written and read.

A row holds the coefficients of the unknowns, in order, and then the right side.
"""

from __future__ import annotations

from math import gcd

from rlgym.core.rng import Rng

UNKNOWNS = ("x", "y", "z", "u", "v", "w", "r", "s", "t", "p", "q")
Row = tuple[int, ...]


def sample_system(
    rng: Rng, count: int, coefficient: int, solution: int, denominator: int, solvable: bool, band: int = 99
) -> tuple[Row, ...]:
    """As many equations as unknowns, with exactly one solution or none.

    `solution` and `denominator` bound the numerators and the common denominator of the solution. Whether solvable or not, one
    equation leans on two or more of the others, so that its look tells nothing. In the others, unknowns have a coefficient only within
    `band` places of the diagonal.
    """
    while True:
        below = rng.integer(1, denominator)
        values = [rng.integer(-solution, solution) for _ in range(count)]
        coefficients = [
            [rng.integer(-coefficient, coefficient) if abs(i - j) <= band else 0 for j in range(count)] for i in range(count - 1)
        ]
        weights = [rng.choice((-2, -1, 1, 2)) if i < 3 else rng.integer(-1, 1) for i in range(count - 1)]
        last = [sum(w * row[j] for w, row in zip(weights, coefficients)) for j in range(count)]
        if solvable:
            last[rng.integer(0, count - 1)] += rng.choice((-2, -1, 1, 2))
        coefficients.append(last)
        if not all(map(any, coefficients)) or rank(coefficients) != count - (not solvable):
            continue
        sides = [sum(a * value for a, value in zip(row, values)) for row in coefficients]
        scales = [below // gcd(below, side) for side in sides]
        rows = [[*(scale * a for a in row), scale * side // below] for scale, row, side in zip(scales, coefficients, sides)]
        if not solvable:
            rows[-1][-1] += rng.choice((-3, -2, -1, 1, 2, 3))
        return tuple(map(tuple, rng.shuffled(rows)))


def rank(matrix: list[list[int]]) -> int:
    """The rank, by elimination without fractions."""
    rows, pivots = [row[:] for row in matrix], 0
    for column in range(len(matrix)):
        pivot = next((i for i in range(pivots, len(rows)) if rows[i][column]), None)
        if pivot is None:
            continue
        rows[pivots], rows[pivot] = rows[pivot], rows[pivots]
        top = rows[pivots]
        for i in range(pivots + 1, len(rows)):
            if factor := rows[i][column]:
                rows[i] = [top[column] * a - factor * b for a, b in zip(rows[i], top)]
        pivots += 1
    return pivots


def format_tidy(row: Row) -> str:
    return f"{_side([(a, name) for a, name in zip(row[:-1], UNKNOWNS) if a])} = {row[-1]}"


def format_scattered(rng: Rng, row: Row) -> str:
    """The equation with its terms in random order on both sides."""
    terms = rng.shuffled([(a, name) for a, name in zip(row[:-1], UNKNOWNS) if a] + [(-row[-1], "")] * bool(row[-1]))
    cut = rng.integer(1, len(terms) - 1) if len(terms) > 1 else 1
    return f"{_side(terms[:cut])} = {_side([(-a, name) for a, name in terms[cut:]])}"


def _side(terms: list[tuple[int, str]]) -> str:
    out = ""
    for a, name in terms:
        size = name if abs(a) == 1 and name else f"{abs(a)}{name}"
        out += f" {'-' if a < 0 else '+'} {size}" if out else f"{'-' if a < 0 else ''}{size}"
    return out or "0"


def read_system(prompt: str) -> list[Row]:
    """The equations as the prompt shows them."""
    lines = [line.partition(") ")[2] for line in prompt.split("\n") if line.startswith("(")]
    rows = []
    for line in lines:
        row = [0] * (len(lines) + 1)
        for side, sign in zip(line.split(" = "), (1, -1)):
            for term in side.replace("- ", "-").replace("+ ", "").split():
                name = term[-1] if term[-1].isalpha() else ""
                digits = term.removesuffix(name) if name else term
                size = sign * int(digits + "1" if digits in ("", "-") else digits)
                if name:
                    row[UNKNOWNS.index(name)] += size
                else:
                    row[-1] -= size
        rows.append(tuple(row))
    return rows
