"""Tables of orders in which the customers of some lines are lost, and all ways to fill them in."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import combinations, islice
from typing import NamedTuple

from rlgym.core.rng import Rng

Line = tuple[str, str, int, int, int]  # order, customer, pieces, price, total
LOST = "?"


class Tables(NamedTuple):
    """Lines, the pieces and the total of each customer, and the lost customers in the order of the lines."""

    lines: tuple[Line, ...]
    sums: tuple[tuple[str, int, int], ...]
    owners: tuple[str, ...]


def lost_lines(lines: Sequence[Line]) -> list[Line]:
    return [line for line in lines if line[1] == LOST]


def missing_amounts(lines: Sequence[Line], sums: Sequence[tuple[str, int, int]]) -> list[tuple[str, int, int]]:
    """What the lines with a known customer leave of each customer's pieces and total."""
    return [
        (who, pieces - sum(line[2] for line in lines if line[1] == who), total - sum(line[4] for line in lines if line[1] == who))
        for who, pieces, total in sums
    ]


def fillings(lines: Sequence[Line], sums: Sequence[tuple[str, int, int]]) -> Iterator[tuple[str, ...]]:
    """All ways to fill in the lost customers: one customer after another takes a set of the lines that are left."""
    lost = lost_lines(lines)

    def fill(left: tuple[int, ...], wanted: list[tuple[str, int, int]], owners: dict[int, str]) -> Iterator[tuple[str, ...]]:
        if not wanted:
            if not left:
                yield tuple(owners[i] for i in range(len(lost)))
            return
        who, pieces, total = wanted[0]
        for size in range(len(left) + 1):
            for chosen in combinations(left, size):
                if (sum(lost[i][2] for i in chosen), sum(lost[i][4] for i in chosen)) == (pieces, total):
                    yield from fill(tuple(i for i in left if i not in chosen), wanted[1:], owners | dict.fromkeys(chosen, who))

    yield from fill(tuple(range(len(lost))), missing_amounts(lines, sums), {})


def sample(rng: Rng, customers: list[str], lost: int, even: bool) -> Tables | None:
    """Tables in which several sets of lost lines agree with both sums of every customer, and only one choice leaves lines for the others."""
    goods = [(rng.integer(2, 6), rng.integer(3, 8)) if even else (rng.integer(2, 9), rng.integer(11, 16)) for _ in range(lost)]
    sets = {(0, 0): 1}
    for pieces, price in goods:
        for (old, money), count in list(sets.items()):
            more = old + pieces, money + pieces * price
            sets[more] = sets.get(more, 0) + count
    for _ in range(40):
        owners = rng.shuffled([*customers, *(rng.choice(customers) for _ in range(lost - len(customers)))])
        mine = {who: [pair for pair, owner in zip(goods, owners) if owner == who] for who in customers}
        short = {who: (sum(pieces for pieces, _ in pairs), sum(pieces * price for pieces, price in pairs)) for who, pairs in mine.items()}
        if min(sets[short[who]] for who in customers) > 1:
            known = [(who, rng.integer(2, 9), rng.integer(11, 16)) for who in customers]
            drawn = rng.shuffled([*known, *((LOST, *pair) for pair in goods)])
            rows = tuple((f"L{i}", who, pieces, price, pieces * price) for i, (who, pieces, price) in enumerate(drawn, 1))
            sums = tuple((who, short[who][0] + pieces, short[who][1] + pieces * price) for who, pieces, price in known)
            if len(ways := list(islice(fillings(rows, sums), 2))) == 1:
                return Tables(rows, sums, ways[0])
    return None
