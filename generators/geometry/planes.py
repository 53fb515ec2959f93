"""Exact geometry of the plane: points with integer or rational coordinates, polygons, which side, inside or outside, and polygons to draw from."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from fractions import Fraction
from functools import cmp_to_key
from itertools import pairwise
from math import gcd
from typing import TypeVar

from rlgym.core.rng import Rng

Number = int | Fraction
Point = tuple[int, int]
Spot = tuple[Number, Number]
P = TypeVar("P", bound=Spot)
SHAPES = ("right-angled", "zigzag", "star")
NAMES = tuple("ABCDEFGHIJKLMNOPQRSTUVWXYZ") + tuple(f"{a}{k}" for k in (2, 3) for a in "ABCDEFGHIJKLMNOPQRSTUVWXYZ")
_POINT = re.compile(r"\((-?[0-9]+(?:/[0-9]+)?), (-?[0-9]+(?:/[0-9]+)?)\)")


def write(point: Spot) -> str:
    return f"({point[0]}, {point[1]})"


def points_in(text: str) -> list[tuple[Fraction, Fraction]]:
    """The points that a text holds, in order."""
    return [(Fraction(x), Fraction(y)) for x, y in _POINT.findall(text)]


def lattice_points_in(text: str) -> list[Point]:
    """The same, of points with integer coordinates."""
    return [(int(x), int(y)) for x, y in _POINT.findall(text)]


def cross(a: Spot, b: Spot, c: Spot) -> Number:
    """Twice the area of the triangle a, b, c: positive where c lies to the left of the way from a to b."""
    return (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0])


def edges(corners: Sequence[P]) -> list[tuple[P, P]]:
    return [*pairwise(corners), (corners[-1], corners[0])]


def doubled_area(corners: Sequence[Spot]) -> Number:
    """Twice the area of a polygon, negative where its corners go round clockwise."""
    return sum(a[0] * b[1] - b[0] * a[1] for a, b in edges(corners))


def border_points(corners: Sequence[Point]) -> int:
    """How many points with integer coordinates lie on the border of a simple polygon."""
    return sum(gcd(b[0] - a[0], b[1] - a[1]) for a, b in edges(corners))


def on_segment(p: Spot, a: Spot, b: Spot) -> bool:
    """Whether p lies on the segment from a to b, ends included."""
    return not cross(a, b, p) and min(a[0], b[0]) <= p[0] <= max(a[0], b[0]) and min(a[1], b[1]) <= p[1] <= max(a[1], b[1])


def locate_point(p: Spot, corners: Sequence[Spot]) -> str:
    """inside, outside or edge; of a line that crosses itself, by the number of crossings on the way out."""
    odd = False
    for a, b in edges(corners):
        if on_segment(p, a, b):
            return "edge"
        if (a[1] > p[1]) != (b[1] > p[1]):
            side = cross(a, b, p)
            odd ^= (side > 0) == (b[1] > a[1])
    return "inside" if odd else "outside"


def meet(a: Spot, b: Spot, c: Spot, d: Spot) -> bool:
    """Whether two segments have a point in common, ends included."""
    if (
        max(a[0], b[0]) < min(c[0], d[0])
        or max(c[0], d[0]) < min(a[0], b[0])
        or max(a[1], b[1]) < min(c[1], d[1])
        or max(c[1], d[1]) < min(a[1], b[1])
    ):
        return False
    return cross(a, b, c) * cross(a, b, d) <= 0 and cross(c, d, a) * cross(c, d, b) <= 0


def is_simple(corners: Sequence[Spot]) -> bool:
    """Whether a polygon's border meets itself nowhere, and turns at each corner."""
    sides = edges(corners)
    count = len(sides)
    if any(not cross(corners[i - 2], corners[i - 1], corners[i]) for i in range(count)):
        return False
    return not any(meet(*sides[i], *sides[j]) for i in range(count) for j in range(i + 2, count) if (i, j) != (0, count - 1))


def hull(points: Iterable[P]) -> list[P]:
    """The corners of the convex hull counterclockwise, from the leftmost, of those the lowest; border points that are no corners left out."""
    ordered = sorted(dict.fromkeys(points))

    def half(chain: Sequence[P]) -> list[P]:
        kept: list[P] = []
        for point in chain:
            while len(kept) > 1 and cross(kept[-2], kept[-1], point) <= 0:
                kept.pop()
            kept.append(point)
        return kept[:-1]

    return half(ordered) + half(ordered[::-1]) if len(ordered) > 2 else ordered


def by_angle(centre: Point, points: Iterable[Point]) -> list[Point]:
    """Points in counterclockwise order around a centre, from the direction of growing x on; of those in one direction, the first one only."""

    def lower(p: Point) -> bool:
        return (p[1], p[0]) < (centre[1], centre[0])

    def compare(p: Point, q: Point) -> int:
        if lower(p) != lower(q):
            return 1 if lower(p) else -1
        turn = cross(centre, p, q)
        return (turn < 0) - (turn > 0)

    ordered = sorted((p for p in points if p != centre), key=cmp_to_key(compare))
    return [p for i, p in enumerate(ordered) if i == 0 or compare(ordered[i - 1], p)]


def polygon(rng: Rng, shape: str, count: int, size: int) -> list[Point]:
    """A simple polygon with about `count` corners (never fewer than 3) and coordinates from 0 to `size`, in random direction."""
    corners: list[Point] = []
    while len(corners) < 3 or not is_simple(corners):
        corners = _DRAWN[shape](rng, count, max(size, count + 2))
    start = rng.integer(0, len(corners) - 1)
    turned = corners[start:] + corners[:start]
    return turned[::-1] if rng.chance(0.5) else turned


def hole(rng: Rng, outer: Sequence[Point], size: int) -> list[Point]:
    """A triangle or a quadrilateral inside a polygon, clear of its border; nothing where none was found."""
    for _ in range(60):
        reach = rng.integer(2, max(3, size // 4))
        x, y = rng.integer(0, size), rng.integer(0, size)
        cut = [(x + rng.integer(0, reach), y + rng.integer(0, reach)) for _ in range(rng.integer(3, 4))]
        if len(set(cut)) < len(cut) or not is_simple(cut) or locate_point(cut[0], outer) != "inside":
            continue
        if not any(meet(*side, *other) for side in edges(cut) for other in edges(outer)):
            return cut
    return []


def straighten(corners: Sequence[P]) -> list[P]:
    """The corners at which a polygon turns."""
    return [b for a, b, c in zip([corners[-1], *corners], corners, [*corners[1:], corners[0]]) if cross(a, b, c)]


def _star(rng: Rng, count: int, size: int) -> list[Point]:
    centre = (size // 2, size // 2)
    return straighten(by_angle(centre, [(rng.integer(0, size), rng.integer(0, size)) for _ in range(count)]))


def _columns(rng: Rng, columns: int, size: int) -> tuple[list[int], list[int], list[int]]:
    """Walls from left to right, and a floor and a ceiling in each column, those of neighbours overlapping."""
    walls = [0, *sorted(rng.sample(range(1, size), columns - 1)), size]
    floors, ceilings = [rng.integer(0, size // 2 - 1)], [rng.integer(size // 2 + 1, size)]
    for _ in range(columns - 1):
        low, high = floors[-1], ceilings[-1]
        floors.append(rng.integer(0, high - 1))
        ceilings.append(rng.integer(max(low, floors[-1]) + 1, size))
    return walls, floors, ceilings


def _sample_rectilinear_points(rng: Rng, count: int, size: int) -> list[Point]:
    walls, floors, ceilings = _columns(rng, max(2, count // 4), size)
    under = [(x, floors[k]) for k in range(len(floors)) for x in walls[k : k + 2]]
    over = [(x, ceilings[k]) for k in range(len(floors)) for x in walls[k : k + 2]]
    turned = straighten(under + over[::-1])
    return [(y, x) for x, y in turned] if rng.chance(0.5) else turned


def _zigzag(rng: Rng, count: int, size: int) -> list[Point]:
    walls, floors, ceilings = _columns(rng, max(2, count // 2), size)
    turned = straighten([*zip(walls, floors), *list(zip(walls, ceilings))[::-1]])
    return [(y, x) for x, y in turned] if rng.chance(0.5) else turned


_DRAWN = {"right-angled": _sample_rectilinear_points, "zigzag": _zigzag, "star": _star}
