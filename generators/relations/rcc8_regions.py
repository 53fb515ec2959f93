"""The eight relations between regions of space (RCC-8), as bits of a set: composition, networks of them, and regions drawn."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cache
from itertools import combinations, permutations

from rlgym.core.rng import Rng

NAMES = ("DC", "EC", "PO", "EQ", "TPP", "NTPP", "TPPI", "NTPPI")
BACK = (0, 1, 2, 3, 6, 7, 4, 5)
EVERY = 255
MEANING = """A DC B: A and B have no point in common
A EC B: A and B touch each other at their borders, and have nothing else in common
A PO B: A and B have a part in common, and each has a part that is outside the other
A EQ B: A and B are the same region
A TPP B: A is inside B, is not all of it, and touches the border of B
A NTPP B: A is inside B and does not touch the border of B
A TPPI B: B TPP A
A NTPPI B: B NTPP A"""
# How A may lie to C (bits) where A is in the row's relation to B and B in the column's to C.
_TABLE = [
    [int(word, 16) for word in row.split()]
    for row in (
        "ff 37 37 01 37 37 01 01",
        "c7 5f 37 02 36 34 03 01",
        "c7 c7 ff 04 34 34 c7 c7",
        "01 02 04 08 10 20 40 80",
        "01 03 37 10 30 20 5f c7",
        "01 01 37 20 20 20 37 ff",
        "c7 c6 c4 40 5c 34 c0 80",
        "c7 c4 c4 80 c4 fc 80 80",
    )
]
Network = list[list[int]]


def members(relations: int) -> list[int]:
    return [k for k in range(8) if relations >> k & 1]


_CONVERSE = [sum(1 << BACK[k] for k in members(relations)) for relations in range(256)]


@cache
def compose(relations_a: int, two: int) -> int:
    """How A may lie to C where A is in one of the first relations to B and B in one of the second to C."""
    out = 0
    for a in members(relations_a):
        for b in members(two):
            out |= _TABLE[a][b]
    return out


def converse(relations: int) -> int:
    """The set seen from the other region."""
    return _CONVERSE[relations]


def put(network: Network, i: int, j: int, relations: int) -> Network:
    """The network with other relations for one pair."""
    out = [list(row) for row in network]
    out[i][j], out[j][i] = relations, converse(relations)
    return out


def narrow(network: Network, changed: Callable[[int, int, int], None] | None = None) -> bool:
    """Strike out what three regions together exclude, round after round; False when a pair is left without a relation.

    `changed(x, y, z)` is called each time that the relations of x to y are narrowed through z.
    """
    again = True
    while again:
        again = False
        for x, z, y in permutations(range(len(network)), 3):
            if x > y or network[x][z] == EVERY or network[z][y] == EVERY:
                continue
            remaining = network[x][y] & compose(network[x][z], network[z][y])
            if remaining != network[x][y]:
                network[x][y], network[y][x], again = remaining, converse(remaining), True
                if changed:
                    changed(x, y, z)
                if not remaining:
                    return False
    return True


def scene(network: Network, budget: list[int], order: int = 1) -> Network | None:
    """A consistent network with one relation for each pair, or None. Each look takes one off the budget; below 0 there is no telling."""
    budget[0] -= 1
    now = [list(row) for row in network]
    if budget[0] < 0 or not narrow(now):
        return None
    pairs = [(now[i][j].bit_count(), i, j) for i, j in combinations(range(len(now)), 2) if now[i][j].bit_count() > 1]
    if not pairs:
        return now
    _, i, j = min(pairs)
    scenes = (scene(put(now, i, j, 1 << k), budget, order) for k in members(now[i][j])[::order])
    return next((candidate for candidate in scenes if candidate), None)


def first_scene(network: Network) -> Network:
    """The scene in which each pair in turn has the first relation that leaves a scene; ValueError where there is none."""
    now = network
    for i, j in combinations(range(len(network)), 2):
        fits = (put(now, i, j, 1 << k) for k in members(now[i][j]))
        regions = next((fit for fit in fits if scene(fit, [10_000])), None)
        if regions is None:
            raise ValueError("no scene agrees with this network")
        now = regions
    return now


def network_of(count: int, given: Sequence[tuple[int, int, int]]) -> Network:
    """A network in which anything may hold but for what is given, as (region, region, relations)."""
    out = [[1 << 3 if i == j else EVERY for j in range(count)] for i in range(count)]
    for i, j, relations in given:
        out = put(out, i, j, out[i][j] & relations)
    return out


def relation(mask_a: int, two: int) -> int:
    """The relation of two regions that are sets of cells in a row, as bits."""
    near, around_b = mask_a | mask_a << 1 | mask_a >> 1, two | two << 1 | two >> 1
    if not mask_a & two:
        return int(bool(near & two))
    if mask_a == two:
        return 3
    if not mask_a & ~two:
        return 4 if near & ~two else 5
    if not two & ~mask_a:
        return 6 if around_b & ~mask_a else 7
    return 2


def sample(rng: Rng, count: int, nested: bool) -> list[int]:
    """Regions on a row of cells: anyhow, or most of them inside of others."""
    cells = 4 * count + 6
    out = [((1 << cells - 4) - 1) << 2 if nested else _span(rng, 1, cells)]
    while len(out) < count:
        parent = rng.choice(out)
        inside = [k for k in range(cells) if parent >> k & 1]
        if len(inside) > 2 and rng.chance(0.8 if nested else 0.3):
            start, end = sorted(rng.sample(range(len(inside)), 2))
            region = sum(1 << k for k in inside[start : end + 1])
        else:
            region = _span(rng, 1, cells)
        if rng.chance(0.25):
            region |= _span(rng, 1, cells) if not nested else 0
        if region not in out:
            out.append(region)
    return rng.shuffled(out)


def _span(rng: Rng, low: int, high: int) -> int:
    start, end = sorted(rng.sample(range(low, high), 2))
    return (1 << end) - (1 << start)


def relation_names(relations: int) -> str:
    return " or ".join(NAMES[k] for k in members(relations)) or "nothing"


def read(text: str) -> int:
    return 0 if text == "nothing" else sum(1 << NAMES.index(name) for name in text.split(" or "))
