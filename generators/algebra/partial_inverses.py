"""Two square matrices with A*B = I of which some entries are unknown, and how the known entries determine them.

The equations A*B = I and B*A = I are products of unknown entries. Those without a product of two unknown ones are linear; what they determine
makes further equations linear. Everything found in this way is proved to be unique.
"""

from collections.abc import Mapping
from typing import NamedTuple

PRIME = 2**61 - 1  # in place of rational numbers: no minor of so small a system is a multiple of it


class Entry(NamedTuple):
    matrix: str  # A or B
    row: int
    column: int


Entries = Mapping[Entry, int]
CONSTANT = Entry("constant", 0, 0)


def all_entries(size: int) -> list[Entry]:
    return [Entry(name, i, j) for name in "AB" for i in range(size) for j in range(size)]


def deduce(known: Entries, size: int) -> list[dict[Entry, int]] | None:
    """The unknown entries, which are integers, in the order in which they are determined, those of one round together; None if some are not."""
    values, rounds = dict(known), list[dict[Entry, int]]()
    while len(values) < 2 * size * size:
        found = _determined_unknowns(_linear_equations(values, size))
        if not found:
            return None
        rounds.append(found)
        values |= found
    return rounds


def _linear_equations(known: Entries, size: int) -> list[dict[Entry, int]]:
    """The equations that are linear now: the coefficients of the unknown entries and the constant, which add up to 0."""
    equations = []
    for names in ("AB", "BA"):
        for i in range(size):
            for j in range(size):
                pairs = [(Entry(names[0], i, k), Entry(names[1], k, j)) for k in range(size)]
                if any(left not in known and right not in known for left, right in pairs):
                    continue
                equation = {CONSTANT: -int(i == j)}
                for left, right in pairs:
                    if left in known and right in known:
                        equation[CONSTANT] += known[left] * known[right]
                    elif left in known:
                        equation[right] = known[left]
                    else:
                        equation[left] = known[right]
                equations.append(equation)
    return equations


def _determined_unknowns(equations: list[dict[Entry, int]]) -> dict[Entry, int]:
    """The unknowns that the equations determine: those that stand alone in a row of the reduced echelon form."""
    rows: list[tuple[Entry, dict[Entry, int]]] = []
    for equation in equations:
        row = {entry: value % PRIME for entry, value in equation.items() if value % PRIME}
        for pivot, other in rows:
            _subtract(row, other, row.get(pivot, 0))
        if row.keys() - {CONSTANT}:
            pivot = min(row.keys() - {CONSTANT})
            inverse = pow(row[pivot], -1, PRIME)
            row = {entry: value * inverse % PRIME for entry, value in row.items()}
            for _, other in rows:
                _subtract(other, row, other.get(pivot, 0))
            rows.append((pivot, row))
    alone = {pivot: -row.get(CONSTANT, 0) % PRIME for pivot, row in sorted(rows) if row.keys() <= {pivot, CONSTANT}}
    return {pivot: value - PRIME if value > PRIME // 2 else value for pivot, value in alone.items()}


def _subtract(row: dict[Entry, int], other: dict[Entry, int], times: int) -> None:
    if times:
        for entry, value in other.items():
            row[entry] = (row.get(entry, 0) - times * value) % PRIME
            if not row[entry]:
                del row[entry]
