"""Points with names in the plane or in space: scattered, in rows, around a ring, in clusters, near a lattice."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from rlgym.core.rng import Rng
from rlgym.generators.geometry.planes import NAMES

Point = tuple[int, ...]


def scatter(rng: Rng, count: int, size: int, dimensions: int = 2) -> list[Point]:
    """Different points with coordinates from 0 to `size`, or to the least that has room for them."""
    size = max(size, count)
    return _different(count, lambda: tuple(rng.integer(0, size) for _ in range(dimensions)))


def in_rows(rng: Rng, count: int, size: int) -> list[Point]:
    """Points on few lines, so that many lie on one line."""
    size = max(size, 2 * count)
    levels = [rng.integer(0, size) for _ in range(3)]
    slope = rng.choice((-1, 0, 1))

    def draw() -> Point:
        x = rng.integer(0, size)
        return x, rng.choice(levels) + slope * x

    return _different(count, draw)


def around_ring(rng: Rng, count: int, size: int) -> list[Point]:
    """Points near a circle."""
    radius = max(size, 2 * count)

    def draw() -> Point:
        while True:
            x, y = rng.integer(-radius, radius), rng.integer(-radius, radius)
            if (radius - radius // 8 - 2) ** 2 <= x * x + y * y <= radius * radius:
                return x, y

    return _different(count, draw)


def in_clusters(rng: Rng, count: int, size: int) -> list[Point]:
    """Points close together around three places far apart."""
    reach = max(size // 8, count)
    centres = [(rng.integer(-9, 9) * reach, rng.integer(-9, 9) * reach) for _ in range(3)]

    def draw() -> Point:
        x, y = rng.choice(centres)
        return x + rng.integer(-reach, reach) // 2, y + rng.integer(-reach, reach) // 2

    return _different(count, draw)


def near_lattice(rng: Rng, count: int, gap: int, dimensions: int = 2) -> list[Point]:
    """One point near each of some places of a coarse lattice, so that many distances are almost equal."""
    wide = next(side for side in range(2, count + 2) if side**dimensions >= count)
    places = rng.sample(range(wide**dimensions), count)
    jitter = max(1, gap // 4)
    return [tuple(place // wide**axis % wide * gap + rng.integer(-jitter, jitter) for axis in range(dimensions)) for place in places]


def describe(points: Sequence[Point], names: Sequence[str] = NAMES) -> str:
    return ", ".join(f"{name} = ({', '.join(map(str, point))})" for name, point in zip(names, points))


def _different(count: int, draw: Callable[[], Point]) -> list[Point]:
    points: dict[Point, None] = {}
    while len(points) < count:
        points[draw()] = None
    return list(points)
