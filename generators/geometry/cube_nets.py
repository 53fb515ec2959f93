"""Nets of cubes: all eleven, what folding does to them, and cubes that are tipped and spun."""

from __future__ import annotations

from functools import lru_cache

from rlgym.generators.geometry import polyominoes

Cell = tuple[int, int]
Arrow = tuple[int, int, int]
SIDES = ("front", "top", "right", "left", "bottom", "back")
ARROWS: dict[str, Arrow] = {
    "front": (0, 0, 1),
    "back": (0, 0, -1),
    "top": (0, 1, 0),
    "bottom": (0, -1, 0),
    "right": (1, 0, 0),
    "left": (-1, 0, 0),
}
NAMED = {arrow: side for side, arrow in ARROWS.items()}
STEPS = {"right": (0, 1), "left": (0, -1), "below": (1, 0), "above": (-1, 0)}
TURNS = {
    "tip it to the right, so that the top face comes to the right": ("top", "right", "bottom", "left"),
    "tip it to the left, so that the top face comes to the left": ("top", "left", "bottom", "right"),
    "tip it away from you, so that the front face comes to the top": ("front", "top", "back", "bottom"),
    "tip it towards you, so that the top face comes to the front": ("top", "front", "bottom", "back"),
    "spin it on the table, so that the front face comes to the right": ("front", "right", "back", "left"),
    "spin it on the table, so that the front face comes to the left": ("front", "left", "back", "right"),
}


def _minus(arrow: Arrow) -> Arrow:
    return -arrow[0], -arrow[1], -arrow[2]


def fold(cells: tuple[Cell, ...]) -> dict[Cell, str]:
    """On which side of the cube each cell comes, the first one in front and upright, seen from outside."""
    return dict(_sides(cells))


@lru_cache(256)
def _sides(cells: tuple[Cell, ...]) -> dict[Cell, str]:
    frames: dict[Cell, tuple[Arrow, Arrow, Arrow]] = {cells[0]: ((0, 0, 1), (1, 0, 0), (0, -1, 0))}
    waiting = [cells[0]]
    for cell in waiting:
        out, right, down = frames[cell]
        beyond = {
            "right": (right, _minus(out), down),
            "left": (_minus(right), out, down),
            "below": (down, right, _minus(out)),
            "above": (_minus(down), right, out),
        }
        for direction, (dr, dc) in STEPS.items():
            other = (cell[0] + dr, cell[1] + dc)
            if other in cells and other not in frames:
                frames[other] = beyond[direction]
                waiting.append(other)
    return {cell: NAMED[frame[0]] for cell, frame in frames.items()}


@lru_cache
def nets(row_of_four: bool) -> tuple[tuple[Cell, ...], ...]:
    """The nets, in every way to turn and mirror them, with a row or column of four cells or without one."""
    found = []
    for piece in polyominoes.every(6):
        for orientation in polyominoes.ways(piece, "flip"):
            cells = tuple(sorted(orientation))
            lines = [sum(cell[axis] == place for cell in cells) for axis in (0, 1) for place in range(6)]
            if len(set(fold(cells).values())) == 6 and (max(lines) >= 4) == row_of_four:
                found.append(cells)
    return tuple(sorted(set(found)))


def turn_cube(cube: dict[str, str], turn: str) -> dict[str, str]:
    """The faces by their sides after one turn."""
    ring = TURNS[turn]
    return cube | {new: cube[old] for old, new in zip(ring, (*ring[1:], ring[0]))}


def reorient(cube: dict[str, str], front: str, top: str) -> dict[str, str]:
    """The same cube, held with one face in front and another one on top."""
    arrows = {face: ARROWS[side] for side, face in cube.items()}
    (a, b, c), (d, e, f) = arrows[top], arrows[front]
    right = (b * f - c * e, c * d - a * f, a * e - b * d)
    faces = {arrow: face for face, arrow in arrows.items()}
    ahead, above = arrows[front], arrows[top]
    spots = (ahead, above, right, _minus(right), _minus(above), _minus(ahead))
    return {side: faces[spot] for side, spot in zip(SIDES, spots)}
