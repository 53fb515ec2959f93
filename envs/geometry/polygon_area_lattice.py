"""Find the area of a polygon, and count the lattice points on its boundary and inside.

Some polygons have a hole. Half the points on the boundary and the points inside make up the area, less one: Pick's theorem.
"""

from collections.abc import Callable, Iterator, Sequence
from fractions import Fraction
from math import ceil, floor, gcd

from rlgym import Config, Environment, Rng, Score, Task, TaskData, knob
from rlgym.answers import Assignment
from rlgym.generators.calculations import Facts, calculation_line, operand, solution, sum_formula
from rlgym.generators.drawing import pictures
from rlgym.generators.geometry import planes
from rlgym.generators.geometry.planes import Point, write
from rlgym.solutions import Step

Loop = tuple[Point, ...]
Answer = tuple[tuple[str, Fraction], ...]
ASKED = ("area", "boundary", "inner")
PARTS = ("outer line", "hole")
EDGE = Step("From {a} to {b} x changes by {dx} and y by {dy}, whose greatest common divisor {steps:int} is the number of lattice steps")
END = "For the region: {answer}"


class Knobs(Config):
    corners: int = knob(10, easy=4, hard=30, doc="corners of the outer line")
    size: int = knob(20, easy=6, hard=300, scale="log", doc="largest coordinate")
    shape: str = knob("zigzag", easy="right-angled", hard="star", order=planes.SHAPES, doc="what the outer line looks like")
    hole: str = knob("no", easy="no", hard="yes", order=("no", "yes"), doc="whether a hole is cut out where there is room for one")


class Data(TaskData):
    loops: tuple[Loop, ...]
    values: tuple[int, int, int]  # twice the area, points on the boundary, points inside


def generate(rng: Rng, knobs: Knobs) -> Task[Data]:
    """Corners one after another."""
    loops = _sample_loops(rng, knobs, knobs.shape)
    loop_texts = [f"has the vertices {', '.join(map(write, loop))}, in this order along its boundary" for loop in loops]
    return _build_task(loops, loop_texts)


def shift(rng: Rng, knobs: Knobs) -> Task[Data]:
    """A polygon that is pushed aslant until it is long and thin, loop_texts by moves."""
    steep = rng.choice((-3, -2, 2, 3))
    loops = [tuple((x + steep * y, y + x + steep * y) for x, y in loop) for loop in _sample_loops(rng, knobs, "zigzag")]
    loop_texts = []
    for loop in loops:
        moves = ", ".join(write((b[0] - a[0], b[1] - a[1])) for a, b in planes.edges(loop))
        loop_texts.append(f"has a boundary that starts at {write(loop[0])} and follows the steps {moves}")
    return _build_task(loops, loop_texts)


def _sample_loops(rng: Rng, knobs: Knobs, shape: str) -> list[Loop]:
    outer = planes.polygon(rng, shape, knobs.corners, knobs.size)
    hole = planes.hole(rng, outer, max(knobs.size, 16)) if knobs.hole == "yes" else []
    dx, dy = (rng.integer(0, knobs.size) for _ in range(2))
    return [tuple((x - dx, y - dy) for x, y in loop) for loop in (outer, hole) if loop]


def _build_task(loops: Sequence[Loop], loop_texts: Sequence[str]) -> Task[Data]:
    doubled, border, inner = zip(*map(_measures, loops))
    values = (doubled[0] - sum(doubled[1:]), sum(border), inner[0] - sum(inner[1:]) - sum(border[1:]))
    cut = f" Its hole is the inside of a polygon that {loop_texts[1]}." if loop_texts[1:] else ""
    steps = " A step (a, b) is a straight segment that adds a to x and b to y." if "follows the steps" in loop_texts[0] else ""
    also = ", which includes the boundary of the hole" if loop_texts[1:] else ""
    prompt = (
        f"A region is {'a polygon with a hole. The polygon' if cut else 'the inside of a polygon that'} {loop_texts[0]}.{cut}{steps} Lattice points are "
        f"points whose coordinates are both integers. Give the area of the region, the number of lattice points on its boundary{also}, and the number "
        "of lattice points in its interior."
    )
    return Task(prompt, Data(loops=tuple(loops), values=values))


def solve(task: Task[Data]) -> Answer:
    """Row by row: the area between two rows is the width halfway, as all corners lie on rows."""
    sides = [side for loop in task.data.loops for side in planes.edges(loop)]
    low, high = (pick(y for side in sides for _, y in side) for pick in (min, max))
    area, inner = Fraction(0), 0
    border = {
        (a[0] + (b[0] - a[0]) // n * k, a[1] + (b[1] - a[1]) // n * k) for a, b in sides for n in (_lattice_steps(a, b),) for k in range(n)
    }
    for y in range(low, high + 1):
        between = _crossings(sides, Fraction(2 * y + 1, 2))
        area += sum(between[1::2]) - sum(between[::2])
        ends = _crossings(sides, Fraction(y))
        rows = [x for x, row in border if row == y]
        for left, right in zip(ends[::2], ends[1::2]):
            inner += max(0, ceil(right) - floor(left) - 1) - sum(left < x < right for x in rows)
    return tuple(zip(ASKED, (area, Fraction(len(border)), Fraction(inner))))


def verify(task: Task[Data], answer: Answer) -> Score:
    doubled, border, inner = task.data.values
    right = {"area": Fraction(doubled, 2), "boundary": Fraction(border), "inner": Fraction(inner)}
    wrong = [name for name in ASKED if dict(answer).get(name) != right[name]]
    return Score.exact(not wrong, f"{' and '.join(wrong)}: another number")


def mistakes(task: Task[Data], right: Answer) -> list[Answer]:
    area, border, inner = (value for _, value in right)
    corners = Fraction(sum(map(len, task.data.loops)))
    tried = [
        (2 * area, border, inner),
        (area, corners, inner),
        (area, border, inner - 1),
        (area, border, inner + border),
        (area + 1, border, inner),
    ]
    return [tuple(zip(ASKED, values)) for values in tried]


def cost(task: Task[Data]) -> float:
    return float(sum(len(f"{x}{y}") for loop in task.data.loops for x, y in loop) * len(task.data.loops))


def _lines(task: Task[Data]) -> Iterator[str]:
    for part, loop in zip(PARTS, task.data.loops):
        sides = planes.edges(loop)
        for a, b in sides:
            yield EDGE.write(a=write(a), b=write(b), dx=b[0] - a[0], dy=b[1] - a[1], steps=_lattice_steps(a, b))
            yield calculation_line(_cross(a, b), f"{operand(a[0])}*{operand(b[1])} - {operand(b[0])}*{operand(a[1])}")
        doubled, border, _ = _measures(loop)
        crosses = [a[0] * b[1] - b[0] * a[1] for a, b in sides]
        yield calculation_line(f"Twice the area within the {part}", ("-" if sum(crosses) < 0 else "") + f"({sum_formula(crosses)})")
        yield calculation_line(f"Lattice points on the {part}", sum_formula(_lattice_steps(a, b) for a, b in sides))
        yield calculation_line(f"Lattice points within the {part}", f"({doubled} - {border})/2 + 1")


def _facts(task: Task[Data]) -> Facts:
    facts: dict[str, tuple[Fraction, str]] = {}
    for part, loop in zip(PARTS, task.data.loops):
        names = (f"Twice the area within the {part}", f"Lattice points on the {part}", f"Lattice points within the {part}")
        facts |= {name: (Fraction(value), "") for name, value in zip(names, _measures(loop))}
        facts |= {_cross(a, b): (Fraction(a[0] * b[1] - b[0] * a[1]), "") for a, b in planes.edges(loop)}
    return facts


def _coordinates(task: Task[Data]) -> set[int]:
    return {abs(number) for loop in task.data.loops for point in loop for number in point}


def _statements(task: Task[Data]) -> dict[Step, Callable[..., bool]]:
    sides = {
        (write(a), write(b)): (b[0] - a[0], b[1] - a[1], _lattice_steps(a, b)) for loop in task.data.loops for a, b in planes.edges(loop)
    }
    return {EDGE: lambda a, b, dx, dy, steps: sides[a, b] == (int(dx), int(dy), steps)}


def picture(task: Task[Data]) -> str:
    return pictures.plane({write(p): p for loop in task.data.loops for p in loop}, polygons=task.data.loops)


def _measures(loop: Loop) -> tuple[int, int, int]:
    doubled, border = abs(int(planes.doubled_area(loop))), planes.border_points(loop)
    return doubled, border, (doubled - border) // 2 + 1


def _cross(a: Point, b: Point) -> str:
    return f"Cross product of {write(a)} and {write(b)}"


def _lattice_steps(a: Point, b: Point) -> int:
    return gcd(b[0] - a[0], b[1] - a[1])


def _crossings(sides: Sequence[tuple[Point, Point]], y: Fraction) -> list[Fraction]:
    return sorted(a[0] + (y - a[1]) * Fraction(b[0] - a[0], b[1] - a[1]) for a, b in sides if (a[1] > y) != (b[1] > y))


environment = Environment(
    Knobs, Assignment(ASKED, "the three exact numbers, as in area = 3/2, boundary = 4, inner = 5"), generate, solve, verify, mistakes, cost,
    solution=solution(_lines, _facts, known=_coordinates, closing=END, statements=_statements),
    shift=shift, picture=picture,
    version=3, concept="Cross products of neighbouring corners give the area, common divisors the boundary points, and Pick's theorem the inner ones.",
)  # fmt: skip
