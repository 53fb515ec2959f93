"""Two floors with hidden traps: each of two players walks one of them, and sees only the traps of the other's floor.

Cells are numbered row by row from the bottom left. The exit of both floors is the last cell, the top right one.
"""

from __future__ import annotations

from functools import lru_cache
from typing import NamedTuple

WAYS = ("north", "east", "south", "west")
WAIT, TELL = "wait", "tell"
Cells = frozenset[int]
FAR = 10**6
LOOKED_AT = 3


class Size(NamedTuple):
    width: int
    height: int

    @property
    def exit(self) -> int:
        return self.width * self.height - 1


@lru_cache(maxsize=64)
def neighbours(size: Size) -> tuple[tuple[tuple[str, int], ...], ...]:
    """Per cell the directions that stay on the floor, in the order of WAYS, and where they lead."""
    width, height = size
    out = []
    for cell in range(width * height):
        column, row = cell % width, cell // width
        ahead = (row + 1 < height, column + 1 < width, row > 0, column > 0)
        out.append(tuple((way, cell + step) for way, free, step in zip(WAYS, ahead, (width, 1, -width, -1), strict=True) if free))
    return tuple(out)


@lru_cache(maxsize=4096)
def distances(size: Size, avoided: Cells) -> tuple[int, ...]:
    """Per cell the steps to the exit around the cells that are avoided; FAR where there is no way."""
    out, frontier, near = [FAR] * (size.exit + 1), [size.exit], neighbours(size)
    out[size.exit] = 0
    for cell in frontier:
        for _, other in near[cell]:
            if out[other] == FAR and other not in avoided:
                out[other] = out[cell] + 1
                frontier.append(other)
    return tuple(out)


def step(size: Size, at: int, avoided: Cells) -> tuple[str, int]:
    """The first step of a shortest way to the exit, the first of WAYS if there are several; to wait where there is none."""
    left = distances(size, avoided)
    best = min((left[other] for _, other in neighbours(size)[at]), default=FAR)
    if at == size.exit or best == FAR:
        return WAIT, at
    return next((way, other) for way, other in neighbours(size)[at] if left[other] == best)


def route(size: Size, at: int, avoided: Cells) -> list[int]:
    """The cells that a walker steps on who learns of no more traps."""
    out = list[int]()
    while at != size.exit:
        at = step(size, at, avoided)[1]
        if at in out[-1:] or not distances(size, avoided)[at] < FAR:
            break
        out.append(at)
    return out


def warning(size: Size, at: int, traps: Cells, named: Cells) -> int | None:
    """The first trap next to a cell that has not been named."""
    return next((other for _, other in neighbours(size)[at] if other in traps and other not in named), None)


@lru_cache(maxsize=20_000)
def plan(size: Size, at: int, traps: Cells, named: Cells, most: int) -> tuple[int, int]:
    """The fewest messages, one before a step, that bring a walker to the exit, and the trap to name now, or -1; more than `most` are not tried.

    Only the first traps on the way that the walker takes now are considered.
    """
    best = (FAR, -1)
    ahead = route(size, at, named)
    if not any(cell in traps for cell in ahead):
        return (0, -1) if ahead or at == size.exit else best
    if ahead[0] not in traps:
        best = plan(size, ahead[0], traps, named, most)
    for trap in [cell for cell in ahead if cell in traps][:LOOKED_AT] if most else []:
        told = named | {trap}
        after = step(size, at, told)[1]
        if after in traps or after == at:
            continue
        count = 1 + plan(size, after, traps, told, min(most, best[0]) - 1)[0]
        if count < best[0]:
            best = (count, trap)
    return best
