"""Moves of a lattice onto itself: turns by right angles and mirrors, written as one signed coordinate and a shift for each new coordinate."""

from __future__ import annotations

from collections.abc import Sequence

from rlgym.core.rng import Rng

Point = tuple[int, ...]
Move = tuple[tuple[int, int, int], ...]  # for each new coordinate: sign, which old one, what is added
AXES = "xyz"


def apply_symmetry(move: Move, point: Point) -> Point:
    return tuple(sign * point[axis] + added for sign, axis, added in move)


def invert(move: Move) -> Move:
    back = [(0, 0, 0)] * len(move)
    for new, (sign, old, added) in enumerate(move):
        back[old] = (sign, new, -sign * added)
    return tuple(back)


def join(first: Move, second: Move) -> Move:
    """The first move and then the second as one."""
    return tuple((sign * first[axis][0], first[axis][1], sign * first[axis][2] + added) for sign, axis, added in second)


def power(move: Move, times: int) -> Move:
    result: Move = tuple((1, axis, 0) for axis in range(len(move)))
    while times:
        if times & 1:
            result = join(result, move)
        move, times = join(move, move), times >> 1
    return result


def order(move: Move) -> int:
    """After how often at least every direction is as at first."""
    return next(k for k in range(1, 13) if all((sign, old) == (1, new) for new, (sign, old, _) in enumerate(power(move, k))))


def turn(rng: Rng, dimensions: int, reach: int) -> tuple[Move, str]:
    """A turn by one to three right angles about a point of the plane, or a line in space, and what it is called."""
    centre = tuple(rng.integer(-reach, reach) for _ in range(dimensions))
    quarters, axis = rng.integer(1, 3), rng.integer(0, 2) if dimensions == 3 else 2
    axis_a, two = (axis + 1) % 3, (axis + 2) % 3
    first: list[tuple[int, int, int]] = [(1, k, 0) for k in range(dimensions)]
    # A quarter turn takes (one, two) to (-two, one), seen from the centre.
    first[axis_a], first[two] = (-1, two, centre[axis_a] + centre[two]), (1, axis_a, centre[two] - centre[axis_a])
    written = f"({', '.join(map(str, centre))})"
    if dimensions == 2:
        description = {1: "a quarter turn counterclockwise", 2: "a half turn", 3: "a quarter turn clockwise"}[quarters]
        return power(tuple(first), quarters), f"{description} about {written}"
    description = {
        1: "a quarter turn{line} that takes the direction +{0} to +{1}",
        2: "a half turn{line}",
        3: "a quarter turn{line} that takes the direction +{1} to +{0}",
    }[quarters]
    line = f" about the line through {written} parallel to the {AXES[axis]} axis"
    return power(tuple(first), quarters), description.format(AXES[axis_a], AXES[two], line=line)


def mirror(rng: Rng, dimensions: int, reach: int) -> tuple[Move, str]:
    """A mirror straight across an axis or halfway between two, and what it is called."""
    shown = "line" if dimensions == 2 else "plane"
    if rng.chance(0.5):
        axis, place = rng.integer(0, dimensions - 1), rng.integer(-reach, reach)
        return tuple(
            (-1, k, 2 * place) if k == axis else (1, k, 0) for k in range(dimensions)
        ), f"reflection in the {shown} {AXES[axis]} = {place}"
    axis_a, two = sorted(rng.sample(range(dimensions), 2))
    sign, place = rng.choice((-1, 1)), rng.integer(-reach, reach)
    # In the mirror two = sign * one + place.
    swapped = {axis_a: (sign, two, -sign * place), two: (sign, axis_a, place)}
    beyond = f" {'+' if place > 0 else '-'} {abs(place)}" if place else ""
    equation = f"{AXES[two]} = {'-' if sign < 0 else ''}{AXES[axis_a]}{beyond}"
    return tuple(swapped.get(k, (1, k, 0)) for k in range(dimensions)), f"reflection in the {shown} {equation}"


def together(moves: Sequence[Move]) -> Move:
    composition = moves[0]
    for move in moves[1:]:
        composition = join(composition, move)
    return composition
