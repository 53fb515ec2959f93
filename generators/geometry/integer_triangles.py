"""Triangles with integer sides and a given integer inradius.

With x <= y <= z the distances from the vertices to the points where the inscribed circle touches, xyz = r^2 (x + y + z), and the sides are sums of two of them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import lru_cache
from math import gcd, isqrt

from rlgym.solutions import Derivation, Step

TANGENTS = Step(
    "The tangents x < y < z from the vertices have xyz = {square:int}(x + y + z), so "
    "(xy - {square:int})(xz - {square:int}) = {square:int}({square:int} + x^2)."
)
TRIED = Step("For x = {x:int} the product is {product:int}, and this gives the sides {sides}.")
LEFT = Step("With the property asked for: {sides}.")
Sides = tuple[int, int, int]  # in ascending order
CONDITIONS: Mapping[str, Callable[[Sides], bool]] = {
    "all angles acute": lambda sides: _excess(sides) > 0,
    "an obtuse angle": lambda sides: _excess(sides) < 0,
    "no right angle": lambda sides: _excess(sides) != 0,
    "sides without a common factor above 1": lambda sides: gcd(*sides) == 1,
    "sides with a common factor above 1": lambda sides: gcd(*sides) > 1,
    "an even shortest side": lambda sides: sides[0] % 2 == 0,
    "an odd shortest side": lambda sides: sides[0] % 2 == 1,
    "an odd longest side": lambda sides: sides[2] % 2 == 1,
}


def condition_text(condition: str) -> str:
    """The conditions, without one that follows from the other."""
    names = condition.split(" and ")
    implied = {"no right angle"} if {"all angles acute", "an obtuse angle"} & set(names) else set[str]()
    return " and ".join(name for name in names if name not in implied)


def _excess(sides: Sides) -> int:
    return sides[0] ** 2 + sides[1] ** 2 - sides[2] ** 2


def by_shortest_tangent(r: int) -> Iterator[tuple[int, list[Sides]]]:
    """For each x the scalene triangles, from (xy - r^2)(xz - r^2) = r^2 (r^2 + x^2)."""
    for x in range(1, isqrt(3 * r * r) + 1):
        product, found = r * r * (r * r + x * x), list[Sides]()
        for low in range(-r * r % x or x, isqrt(product) + 1, x):
            if product % low == 0 and (product // low + r * r) % x == 0:
                y, z = (low + r * r) // x, (product // low + r * r) // x
                if x < y < z:
                    found.append((x + y, x + z, y + z))
        yield x, found


@lru_cache(maxsize=64)
def scalene_triangles(r: int) -> tuple[Sides, ...]:
    """All scalene triangles with integer sides and this inradius, by their perimeters."""
    return tuple(sorted((sides for _, found in by_shortest_tangent(r) for sides in found), key=lambda sides: (sum(sides), sides)))


def scalene_triangles_by_trial(r: int) -> list[Sides]:
    """The same triangles by another route: each x and y gives z."""
    found = list[Sides]()
    for x in range(1, isqrt(3 * r * r) + 1):
        y = max(x, r * r // x) + 1
        while (z := r * r * (x + y)) > y * (x * y - r * r):
            if z % (x * y - r * r) == 0:
                z //= x * y - r * r
                found.append((x + y, x + z, y + z))
            y += 1
    return found


def enumeration_steps(r: int, kept: Callable[[Sides], bool]) -> Derivation:
    """Every x and the triangles that it gives, then those that are kept."""
    yield TANGENTS(square=r * r)
    for x, found in by_shortest_tangent(r):
        yield TRIED(x=x, product=r * r * (r * r + x * x), sides=_format_triangles(found))
    yield LEFT(sides=_format_triangles([sides for sides in scalene_triangles(r) if kept(sides)]))


def _format_triangles(triangles: Sequence[Sides]) -> str:
    return "; ".join(", ".join(map(str, sides)) for sides in triangles) or "of none"
