"""Solve a system of equations of degree 2: give all solutions.

Two curves of degree 2, or a line and one. The shifted family has three unknowns and equations that do not tell them apart.
"""

from collections.abc import Sequence
from fractions import Fraction
from itertools import permutations

from rlgym import Config, Environment, Rng, Score, Task, TaskData, knob
from rlgym.answers import Matrix
from rlgym.generators.algebra import curves, roots
from rlgym.generators.algebra.curves import Point
from rlgym.generators.algebra.eliminations import Rows
from rlgym.generators.claims import Claim, refuted
from rlgym.generators.steps import Line, ended


class Knobs(Config):
    curves: str = knob("conics", easy="line", hard="conics", order=("line", "conics"), doc="a line and a curve, or two curves")
    largest: int = knob(5, easy=4, hard=10, doc="largest coordinate of a solution")
    mixed: int = knob(2, easy=1, hard=6, doc="largest multiplier of the curves that an equation is mixed from")


class Data(TaskData):
    points: tuple[Point, ...]
    equations: tuple[tuple[int, ...], ...]  # curves; of three unknowns: sum, sum of squares, product
    line: tuple[int, ...]  # multipliers of the equations, and of the two lines that they then give
    pair: tuple[tuple[int, int, int], ...]  # a*x + b*y + c of each line


def generate(rng: Rng, knobs: Knobs) -> Task[Data]:
    while True:
        size = knobs.largest
        points = list(dict.fromkeys((rng.integer(-size, size), rng.integer(-size, size)) for _ in range(4)))
        if len(points) < 4 or any(not curves.area(*points[:i], *points[i + 1 :]) for i in range(4)):
            continue
        one, other, third, fourth = (curves.through(points[i], points[j]) for i, j in ((0, 1), (2, 3), (0, 2), (1, 3)))
        curve, rest = curves.product(one, other), curves.product(third, fourth)
        u, v, s, t = (rng.integer(1, knobs.mixed) * rng.choice((-1, 1)) for _ in range(4))
        first, cut = curves.cut([u * a + v * b for a, b in zip(curve, rest)])
        second, cut_too = curves.cut([s * a + t * b for a, b in zip(curve, rest)])
        if u * t != v * s and max(map(abs, first + second)) < 40 * size * knobs.mixed:
            break
    equations: tuple[tuple[int, ...], ...] = (first, second)
    pair: tuple[tuple[int, int, int], ...] = (one, other)
    if knobs.curves == "line":
        shown = [curves.text((0, 0, 0, *one)), curves.text(first)]
        found, line, pair, equations = points[:2], (1, 0, 1), (one,), ((0, 0, 0, *one), first)
    else:
        shown = [curves.text(first), curves.text(second)]
        found, line = points, (t * cut, -v * cut_too, u * t - v * s)
    listing = "\n".join(f"({i}) {text} = 0" for i, text in enumerate(shown, 1))
    prompt = f"Find all pairs of real numbers x, y with\n{listing}\n\nGive every solution as a row [x, y]."
    return Task(prompt, Data(points=tuple(sorted(found)), equations=equations, line=line, pair=pair))


def shift(rng: Rng, knobs: Knobs) -> Task[Data]:
    """Sum, sum of squares and product of three unknowns."""
    size = 6 * knobs.largest + (knobs.curves == "conics") * knobs.mixed
    while True:
        a, b, c = (rng.integer(-size, size) for _ in range(3))
        if a * b * c and len({a, b, c}) > 1:
            break
    totals = (a + b + c, a * a + b * b + c * c, a * b * c)
    prompt = (
        f"Find all triples of real numbers x, y, z with\n(1) x + y + z = {totals[0]}\n(2) x^2 + y^2 + z^2 = {totals[1]}\n(3) x*y*z = {totals[2]}\n\n"
        "Give every solution as a row [x, y, z]."
    )
    return Task(prompt, Data(points=tuple(sorted(set(permutations((a, b, c))))), equations=(totals,), line=(), pair=()))


def solve(task: Task[Data]) -> Rows:
    # Every y that fits the first equation is tried in the others, x by x within the bounds of the knobs.
    data, found = task.data, []
    if not data.pair:
        values = [root for factor in roots.irreducible(_cubic(data)) for root in (-factor[0] / factor[1],)]
        found = [tuple(map(int, order)) for order in set(permutations(values))]
    else:
        for x in range(-10, 11):
            found += [(x, y) for y in range(-10, 11) if not any(curves.value(curve, x, y) for curve in data.equations)]
    return tuple(tuple(map(Fraction, point)) for point in sorted(found))


def verify(task: Task[Data], answer: Rows) -> Score:
    if len(answer[0]) != len(task.data.points[0]):
        return Score.wrong("each row must have one number for each unknown")
    return Score.exact(tuple(sorted(answer)) == task.data.points, "these are not the solutions, each once")


def mistakes(task: Task[Data], right: Rows) -> list[Rows]:
    swapped = tuple(row[::-1] for row in right)
    more = tuple((row[0] + 1, *row[1:]) for row in right)
    negated = tuple(tuple(-a for a in row) for row in right)
    others = [side for side in (swapped, negated) if sorted(side) != sorted(right)]
    return [*others, more, right[1:], right[:1], (*right, tuple(Fraction(99) for _ in right[0]))]


def cost(task: Task[Data]) -> float:
    return sum(abs(a) for equation in task.data.equations for a in equation) + 50 * len(task.data.points)


def explain(task: Task[Data]) -> list[str]:
    data = task.data
    if not data.pair:
        e = (data.equations[0][0] ** 2 - data.equations[0][1]) // 2
        steps = [_PAIRS.write(sum=data.equations[0][0], squares=data.equations[0][1], pairs=e)]
        return [*steps, *roots.told("polynomial with x, y and z as roots", _cubic(data)), _LAST + _ANSWER.render(solve(task))]
    shown = [curves.text((0, 0, 0, *line)) for line in data.pair]
    u, v, w = data.line
    steps = [_MIXED.write(u=u, v=v, w=w, one=shown[0], other=shown[1])] if len(shown) == 2 else []
    for line, text in zip(data.pair, shown):
        on = [point for point in data.points if curves.on(line, point)]
        steps.append(_LINE.write(line=text, which=_which(data), a=on[0][0], b=on[0][1], c=on[1][0], d=on[1][1]))
    return [*steps, _LAST + _ANSWER.render(solve(task))]


def replay(task: Task[Data], steps: Sequence[str]) -> int | None:
    data = task.data
    lines = {curves.text((0, 0, 0, *line)): line for line in data.pair}

    def pairs(sum: str, squares: str, pairs: str) -> bool:
        return data.equations[0][:2] == (int(sum), int(squares)) and int(sum) ** 2 - int(squares) == 2 * int(pairs)

    def mixed(u: str, v: str, w: str, one: str, other: str) -> bool:
        left = [int(u) * a + int(v) * b for a, b in zip(*data.equations)]
        return left == [int(w) * a for a in curves.product(lines[one], lines[other])] and any(left)

    def line(line: str, which: str, a: str, b: str, c: str, d: str) -> bool:
        one, other = (int(a), int(b)), (int(c), int(d))
        fits = all(curves.on(lines[line], point) and not curves.value(data.equations[int(which) - 1], *point) for point in (one, other))
        return fits and one != other and int(which) == _which(data)

    claims: list[Claim] = [(_PAIRS, pairs), (_MIXED, mixed), (_LINE, line)]
    if not data.pair:
        claims += roots.claims({"polynomial with x, y and z as roots": _cubic(data)})
    return refuted(steps, claims, ended(_LAST, task, _ANSWER, verify))


def _which(data: Data) -> int:
    """The equation that is looked at on a line."""
    return 1 if len(data.pair) == 2 else 2


def _cubic(data: Data) -> tuple[Fraction, ...]:
    total, squares, product = map(Fraction, data.equations[0])
    return -product, (total * total - squares) / 2, -total, Fraction(1)


_ANSWER = Matrix("all solutions as a list of rows in any order, as in [[1, 2], [3, 4]]", most=60)
_MIXED = Line("{u} times (1) plus {v} times (2) is {w} times the product of {one} and {other}, so one of these is 0.")
_LINE = Line("Where {line} is 0, equation ({which}) holds at ({a}, {b}) and at ({c}, {d}), and nowhere else.")
_PAIRS = Line("Half of {sum}^2 - {squares} is {pairs}: that is x*y + x*z + y*z.")
_LAST = "The solutions are "

environment = Environment(
    Knobs,
    _ANSWER,
    generate,
    solve,
    verify,
    mistakes,
    cost,
    explain,
    replay,
    shift,
    answers="many",
    solutions=lambda task: [solve(task)[::-1], (*solve(task)[1:], solve(task)[0])],
    concept="Add multiples of the equations so that the result falls into two lines, and put each line into an equation.",
)
