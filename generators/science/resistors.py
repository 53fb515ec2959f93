"""Networks of resistors between the terminals A and B."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from itertools import combinations

from rlgym.generators.algebra.linear import solve_linear
from rlgym.generators.science.quantities import Working

Part = tuple[str, str, str]  # two points and the ohms between them, 0 for a wire


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
