"""Networks of resistors between the terminals A and B."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from itertools import combinations, permutations

from rlgym.core.rng import Rng
from rlgym.generators.algebra.linear import solve_linear
from rlgym.generators.science.quantities import Working

Part = tuple[str, str, str]  # two points and the ohms between them, 0 for a wire
Tree = int | tuple[str, "Tree", "Tree"]
"""The number of a place, or two networks in series or in parallel."""


def by_potentials(parts: Sequence[Part]) -> Fraction:
    """The resistance between A and B, from the potentials of all points when A is at 1 V and B at 0 V."""
    points, joined = _conductances(parts)
    at = {point: i for i, point in enumerate(point for point in points if point not in "AB")}
    rows = [[Fraction(0)] * (len(at) + 1) for _ in at]
    for (a, b), amount in joined.items():
        for first, second in ((a, b), (b, a)):
            if first in at:
                rows[at[first]][at[first]] += amount
                if second in at:
                    rows[at[first]][at[second]] -= amount
                elif second == "A":
                    rows[at[first]][-1] += amount
    volts = dict(zip(at, solve_linear(rows) if rows else [])) | {"A": Fraction(1), "B": Fraction(0)}
    return 1 / sum((amount * (1 - volts[b if a == "A" else a]) for (a, b), amount in joined.items() if "A" in (a, b)), Fraction(0))


def _conductances(parts: Sequence[Part]) -> tuple[list[str], dict[tuple[str, str], Fraction]]:
    """The points, those that wires join being one, and the conductance between any two."""
    between = _between(parts)
    sums = {pair: sum((1 / Fraction(ohm) for ohm in ohms), Fraction(0)) for pair, ohms in between.items()}
    return sorted({point for pair in between for point in pair}), sums


def _between(parts: Sequence[Part]) -> dict[tuple[str, str], list[str]]:
    """The resistors between any two points, those that wires join being one."""
    name = {point: point for part in parts for point in part[:2]}
    for a, b, ohms in parts:
        if ohms == "0":
            kept, merged = sorted((name[a], name[b]))
            name = {point: kept if root == merged else root for point, root in name.items()}
    between: dict[tuple[str, str], list[str]] = {}
    for a, b, ohms in parts:
        if name[a] != name[b]:
            between.setdefault((min(name[a], name[b]), max(name[a], name[b])), []).append(ohms)
    return between


def working(parts: Sequence[Part]) -> Working:
    """The resistance between A and B: points are taken out one by one, those with the fewest neighbours first; a star of conductances becomes a mesh."""
    work, joined = Working(), dict[tuple[str, str], Fraction]()
    for (a, b), all_ohms in _between(parts).items():
        terms = [("1 / (1000 * {})", Fraction(ohms) / 1000) if int(ohms) > 60 else ("1 / {}", Fraction(ohms)) for ohms in all_ohms]
        joined[a, b] = work.add(f"conductance {a}-{b}", "S", " + ".join(term for term, _ in terms), *(argument for _, argument in terms))
    suffix = ""
    while inner_points := sorted({point for pair in joined for point in pair} - {"A", "B"}):
        neighbours = {
            point: {a if b == point else b: pair for pair in joined for a, b in [pair] if point in pair} for point in inner_points
        }
        point = min(inner_points, key=lambda inner_point: len(neighbours[inner_point]))
        star = {other: joined.pop(pair) for other, pair in neighbours[point].items()}
        if len(star) == 1:
            continue
        suffix = f"{suffix}, {point}" if suffix else f" without {point}"
        total_conductance = work.total(f"sum of the conductances at {point}", "S", list(star.values()))
        for a, b in combinations(sorted(star), 2):
            old = joined.get((a, b))
            lead, before = ("", []) if old is None else ("{} + ", [old])
            joined[a, b] = work.add(
                f"conductance {a}-{b}{suffix}", "S", lead + "{} * {} / {}", *before, star[a], star[b], total_conductance
            )
    work.add("resistance from A to B", "ohm", "1 / {}", joined["A", "B"])
    return work


def sample_places(rng: Rng, count: int, points: str) -> tuple[list[tuple[str, str]], Tree]:
    """Places for resistors between A and B, and how they lie in series and in parallel."""
    places: list[tuple[str, str]] = []
    free = list(points)

    def network(size: int, a: str, b: str, over: str) -> Tree:
        if size == 1:
            places.append((a, b))
            return len(places) - 1
        left = rng.integer(1, size - 1)
        # Two in series within two in series would be the same network again, and so with two in parallel.
        if over == "parallel" or (over == "" and rng.chance(0.5)):
            point = free.pop(0)
            return "series", network(left, a, point, "series"), network(size - left, point, b, "series")
        return "parallel", network(left, a, b, "parallel"), network(size - left, a, b, "parallel")

    tree = network(count, "A", "B", "")
    return places, tree


def leaves(tree: Tree) -> list[int]:
    return [tree] if isinstance(tree, int) else [*leaves(tree[1]), *leaves(tree[2])]


def resistance(tree: Tree, ohms: Sequence[Fraction]) -> Fraction:
    if isinstance(tree, int):
        return ohms[tree]
    one, other = resistance(tree[1], ohms), resistance(tree[2], ohms)
    return one + other if tree[0] == "series" else one * other / (one + other)


def best_assignment(tree: Tree, values: Sequence[int], least: bool) -> tuple[Fraction, dict[int, int]]:
    """The least or greatest resistance when each place gets one of the values, and which.

    The resistance of a network grows with that of each part, so the best for a set of values is made of the best for two parts of the set.
    """
    if isinstance(tree, int):
        return Fraction(values[0]), {tree: values[0]}
    sign = 1 if least else -1
    found = []
    size = len(leaves(tree[1]))
    for chosen in combinations(range(len(values)), size):
        one, places = best_assignment(tree[1], [values[k] for k in chosen], least)
        other, more = best_assignment(tree[2], [value for k, value in enumerate(values) if k not in chosen], least)
        found.append((one + other if tree[0] == "series" else one * other / (one + other), places | more))
    return min(found, key=lambda pair: (sign * pair[0], sorted(pair[1].items())))


def improved_by_exchanges(tree: Tree, values: Sequence[int], least: bool) -> Fraction:
    """What is reached from a plausible start by exchanging two resistors as long as that helps.

    The start has the smallest resistors (for the greatest resistance, the largest) where a change matters most.
    """
    sign, count = (1 if least else -1), len(values)
    even = [Fraction(sum(values), count)] * count

    def effect(place: int) -> Fraction:
        return resistance(tree, [ohm * 2 if k == place else ohm for k, ohm in enumerate(even)])

    ohms = even.copy()
    for place, value in zip(sorted(range(count), key=effect, reverse=True), sorted(values, reverse=not least)):
        ohms[place] = Fraction(value)
    now, better = resistance(tree, ohms), True
    while better:
        better = False
        for i, k in combinations(range(count), 2):
            ohms[i], ohms[k] = ohms[k], ohms[i]
            then = resistance(tree, ohms)
            if sign * then < sign * now:
                now, better = then, True
            else:
                ohms[i], ohms[k] = ohms[k], ohms[i]
    return now


def searched_resistance(places: Sequence[tuple[str, str]], values: Sequence[int], least: bool) -> Fraction:
    """The same as by `best_assignment`, from the places alone and by trying all orders of the values."""
    tree = read_tree(places)
    close = [(_approximate(tree, order), order) for order in permutations(values)]
    best = (min if least else max)(value for value, _ in close)
    exact = [resistance(tree, [Fraction(value) for value in order]) for value, order in close if abs(value - best) < 1e-9]
    return min(exact) if least else max(exact)


def _approximate(tree: Tree, ohms: Sequence[int]) -> float:
    if isinstance(tree, int):
        return float(ohms[tree])
    one, other = _approximate(tree[1], ohms), _approximate(tree[2], ohms)
    return one + other if tree[0] == "series" else one * other / (one + other)


def read_tree(places: Sequence[tuple[str, str]]) -> Tree:
    """Networks between the same points, and those that meet at a point where nothing else does, become one, again and again."""
    edges: list[tuple[frozenset[str], Tree]] = [(frozenset(place), k) for k, place in enumerate(places)]
    while len(edges) > 1:
        pair = next(
            (one, other, "parallel" if one[0] == other[0] else "series")
            for one, other in combinations(edges, 2)
            if one[0] == other[0] or any(sum(point in ends for ends, _ in edges) == 2 for point in (one[0] & other[0]) - {"A", "B"})
        )
        one, other, kind = pair
        edges = [edge for edge in edges if edge not in (one, other)]
        edges.append((one[0] if kind == "parallel" else one[0] ^ other[0], (kind, one[1], other[1])))
    return edges[0][1]
