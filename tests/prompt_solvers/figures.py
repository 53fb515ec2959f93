"""Points, polygons, cubes, rays and blocks, with exact coordinates."""

from __future__ import annotations

import re
from fractions import Fraction
from itertools import combinations, pairwise, product
from math import gcd

from prompt_solvers.parsing import after, between
from prompt_solvers.registry import prompt_solver

Point = tuple[int, ...]


def named_points(text: str) -> dict[str, Point]:
    """The points written as `A = (1, 2)`."""
    return {name: tuple(map(int, place.split(", "))) for name, place in re.findall(r"(\w+) = \((-?\d+(?:, -?\d+)+)\)", text)}


def square(one: Point, other: Point) -> int:
    """The square of a distance."""
    return sum((a - b) ** 2 for a, b in zip(one, other, strict=True))


def turn(one: Point, two: Point, three: Point) -> int:
    """Positive if the way through three points turns left, 0 if they are on a line."""
    return (two[0] - one[0]) * (three[1] - one[1]) - (two[1] - one[1]) * (three[0] - one[0])


@prompt_solver("closest_pair")
def solve_closest_pair(prompt: str) -> str:
    points = named_points(prompt)
    if "Divide the points into three groups" in prompt:
        return closest_within_groups(points, 3)
    assert "One pair of points is closer together than any other pair" in prompt
    least, one, other = min((square(points[one], points[other]), one, other) for one, other in combinations(points, 2))
    return f"{one} {other} {least}"


def closest_within_groups(points: dict[str, Point], groups: int) -> str:
    """Points join groups one by one; of two divisions the one with the wider closest pair is better, and no worse one is followed."""
    names = sorted(points, key=lambda name: sum(square(points[name], other) for other in points.values()))
    best: tuple[int, str, str] = (-1, "", "")

    def place(i: int, divided: list[list[str]], closest: tuple[int, str, str]) -> None:
        nonlocal best
        if i == len(names):
            best = closest
            return
        for k, group in enumerate(divided):
            nearest = min([closest, *[(square(points[names[i]], points[name]), names[i], name) for name in group]])
            if nearest[0] > best[0]:
                place(i + 1, [*divided[:k], [*group, names[i]], *divided[k + 1 :]], nearest)
            if not group:
                break

    place(0, [[] for _ in range(groups)], (10**9, "", ""))
    return f"{best[1]} {best[2]} {best[0]}"


@prompt_solver("convex_hull")
def solve_convex_hull(prompt: str) -> str:
    points = named_points(prompt)
    start = min(points, key=lambda name: points[name])
    corners = [start]
    # Gift wrapping: the next corner has all other points on its left, and is the farthest of those in line.
    while True:
        here = corners[-1]
        best = None
        for name in points:
            if points[name] != points[here]:
                side = turn(points[here], points[best], points[name]) if best else -1
                if side < 0 or (side == 0 and square(points[here], points[name]) > square(points[here], points[best])):
                    best = name
        if best == start:
            return " ".join(corners)
        corners.append(best)


@prompt_solver("voronoi_owner")
def solve_voronoi_owner(prompt: str) -> str:
    rule = prompt.split("\n\n")[1]
    listed = between(prompt, "Sites: ", "\n")
    sites, weights = (
        named_points(listed),
        {name: int(number) for name, number in re.findall(r"(\w) = \([-\d, ]+\),? (?:with )?weight (-?\d+)", listed)},
    )
    assert len(weights) == (len(sites) if "minus the weight of the site" in rule else 0)
    assert "the sum of the squared differences" in rule or "Manhattan" in rule

    def distance(name: str, place: Point) -> int:
        if "Manhattan" in rule:
            return sum(abs(a - b) for a, b in zip(sites[name], place, strict=True))
        return square(sites[name], place) - weights.get(name, 0)

    places = [(int(x), int(y)) for x, y in re.findall(r"\d+: \((-?\d+), (-?\d+)\)", after(prompt, "Places: "))]
    return " ".join(min(sites, key=lambda name: distance(name, place)) for place in places)


@prompt_solver("volume_composite")
def solve_volume(prompt: str) -> str:
    steps = []
    for line in re.findall(r"^\d+\. (.*)\.$", prompt, re.MULTILINE):
        sides = [(int(low), int(high)) for low, high in re.findall(r"[xyz] from (-?\d+) to (-?\d+)", line)]
        kind = re.match(r"(Add|Cut away) the block with ", line)
        assert kind, line
        assert len(sides) == 3
        steps.append((kind[1] == "Add", sides))
    cuts = [sorted({end for _, sides in steps for end in sides[axis]}) for axis in range(3)]
    volume = 0
    for cell in product(*[pairwise(ends) for ends in cuts]):
        filled = False
        for put, sides in steps:
            if all(low <= here and there <= high for (low, high), (here, there) in zip(sides, cell, strict=True)):
                filled = put
        volume += filled * (cell[0][1] - cell[0][0]) * (cell[1][1] - cell[1][0]) * (cell[2][1] - cell[2][0])
    return str(volume)


@prompt_solver("coordinate_transform")
def solve_coordinate_transform(prompt: str) -> str:
    frames = {}
    pattern = r"In (K\d), the frame (K\d) has its origin at (\(.*?\)), its first basis vector is (\(.*?\)) and its second basis vector (\(.*?\))\."
    for outer, inner, *vectors in re.findall(pattern, prompt):
        frames[inner] = (outer, [tuple(int(number) for number in re.findall(r"-?\d+", vector)) for vector in vectors])
    given = re.findall(r"A point has the coordinates \((-?\d+), (-?\d+)\) in (K\d)", prompt)[0]
    x, y, frame, target = Fraction(given[0]), Fraction(given[1]), given[2], re.findall(r"its coordinates x and y in (K\d)", prompt)[0]
    inward = [target]
    while inward[-1] in frames:
        inward.append(frames[inward[-1]][0])
    while frame not in inward:
        frame, (origin, first, second) = frames[frame]
        x, y = (origin[axis] + x * first[axis] + y * second[axis] for axis in (0, 1))
    for inner in inward[: inward.index(frame)][::-1]:
        _, (origin, first, second) = frames[inner]
        right, up, area = x - origin[0], y - origin[1], first[0] * second[1] - first[1] * second[0]
        x, y = (right * second[1] - up * second[0]) / area, (first[0] * up - first[1] * right) / area
    return f"x = {x}, y = {y}"


@prompt_solver("polygon_area_lattice")
def solve_polygon_area(prompt: str) -> str:
    counted = []
    for listed in re.findall(r"has the vertices (.*?), in this order", prompt):
        corners = [(int(x), int(y)) for x, y in re.findall(r"\((-?\d+), (-?\d+)\)", listed)]
        sides = list(zip(corners, corners[1:] + corners[:1], strict=True))
        area = abs(Fraction(sum(a[0] * b[1] - a[1] * b[0] for a, b in sides), 2))
        boundary = sum(gcd(b[0] - a[0], b[1] - a[1]) for a, b in sides)
        # Pick's theorem
        counted.append((area, boundary, area - Fraction(boundary, 2) + 1))
    (area, boundary, inner), *holes = counted
    area, inner = area - sum(hole[0] for hole in holes), inner - sum(hole[1] + hole[2] for hole in holes)
    assert len(holes) == ("a polygon with a hole" in prompt)
    return f"area = {area}, boundary = {boundary + sum(hole[1] for hole in holes)}, inner = {inner}"


@prompt_solver("segment_intersection_count")
def solve_segments(prompt: str) -> str:
    ends = re.findall(r"^S\d+: from \((-?\d+), (-?\d+)\) to \((-?\d+), (-?\d+)\)$", prompt, re.MULTILINE)
    segments = [((int(a), int(b)), (int(c), int(d))) for a, b, c, d in ends]

    def sign(number: int) -> int:
        return (number > 0) - (number < 0)

    def on(point: Point, segment: tuple[Point, Point]) -> bool:
        box = all(min(a, b) <= here <= max(a, b) for here, a, b in zip(point, *segment, strict=True))
        return box and turn(*segment, point) == 0

    def meet(one: tuple[Point, Point], other: tuple[Point, Point]) -> bool:
        if any(on(point, other) for point in one) or any(on(point, one) for point in other):
            return True
        sides = [sign(turn(*one, point)) for point in other] + [sign(turn(*other, point)) for point in one]
        return sides[0] * sides[1] < 0 and sides[2] * sides[3] < 0

    counts = [sum(meet(one, other) for place, other in enumerate(segments) if place != at) for at, one in enumerate(segments)]
    return ", ".join(map(str, counts))


@prompt_solver("reflection_path")
def solve_reflection_path(prompt: str) -> str:
    board = [line.split() for line in prompt.splitlines() if re.fullmatch(r"[./\\O]( [./\\O])+", line)]
    rows, columns = len(board), len(board[0])
    answers = []
    for side, place in re.findall(r"^Ray \d+ enters at the (\w+) in (?:row|column) (\d+)\.$", prompt, re.MULTILINE):
        at = int(place) - 1
        row, column, down, right = {
            "left": (at, 0, 0, 1),
            "right": (at, columns - 1, 0, -1),
            "top": (0, at, 1, 0),
            "bottom": (rows - 1, at, -1, 0),
        }[side]
        met = 0
        while 0 <= row < rows and 0 <= column < columns:
            sign = board[row][column]
            met += sign != "."
            if sign == "/":
                down, right = -right, -down
            elif sign == "\\":
                down, right = right, down
            elif sign == "O":
                down, right = -down, -right
            row, column = row + down, column + right
        leaves = {(0, 1): ("right", row), (0, -1): ("left", row), (1, 0): ("bottom", column), (-1, 0): ("top", column)}[down, right]
        answers.append(f"{leaves[0]} {leaves[1] + 1} {met}")
    return " ".join(answers)
