"""Solve a system of equations of degree 2: give all solutions.

Two curves of degree 2, or a line and one. The shifted family has three unknowns and symmetric equations.
"""

from fractions import Fraction
from itertools import permutations

from rlgym import Config, Environment, Rng, Score, Task, TaskData, knob
from rlgym.answers import Matrix
from rlgym.generators.algebra import curves, roots
from rlgym.generators.algebra.curves import Point
from rlgym.generators.algebra.eliminations import Rows
from rlgym.solutions import Checks, Derivation, Solution, Step

ANSWER = Matrix("all solutions, exact, as a list of rows in any order, as in [[1, 2], [3, 4]]", max_items=60)
MIXED = Step("{u:int} times (1) plus {v:int} times (2) is {w:int} times the product of {first} and {second}, so one of these is 0.")
LINE = Step("Where {line} is 0, equation ({which:int}) holds at ({a:int}, {b:int}) and at ({c:int}, {d:int}), and nowhere else.")
PAIRS = Step("Half of {sum:int}^2 - {squares:int} is {pairs:int}: that is x*y + x*z + y*z.")
POLYNOMIAL = "polynomial with x, y and z as roots"
CLOSING = "The solutions are {answer}"


class Knobs(Config):
    curves: str = knob("conics", easy="line", hard="conics", order=("line", "conics"), doc="a line and a curve, or two curves")
    largest: int = knob(5, easy=4, hard=10, doc="largest coordinate of a solution")
    mixed: int = knob(2, easy=1, hard=6, doc="largest multiplier in the combinations of curves")


class Data(TaskData):
    points: tuple[Point, ...]
    equations: tuple[tuple[int, ...], ...]  # curves; of three unknowns: sum, sum of squares, product
    line: tuple[int, ...]  # multipliers of the equations, and of the two lines that they then give
    pair: tuple[tuple[int, int, int], ...]  # a*x + b*y + c of each line


def generate(rng: Rng, knobs: Knobs) -> Task[Data]:
    while True:
        size = knobs.largest
        points = list(dict.fromkeys((rng.integer(-size, size), rng.integer(-size, size)) for _ in range(4)))
        if len(points) < 4 or any(not curves.twice_area(*points[:i], *points[i + 1 :]) for i in range(4)):
            continue
        left, right, third, fourth = (curves.line_through(points[i], points[j]) for i, j in ((0, 1), (2, 3), (0, 2), (1, 3)))
        curve, rest = curves.product(left, right), curves.product(third, fourth)
        u, v, s, t = (rng.integer(1, knobs.mixed) * rng.choice((-1, 1)) for _ in range(4))
        first, cut = curves.primitive_curve([u * a + v * b for a, b in zip(curve, rest)])
        second, cut_too = curves.primitive_curve([s * a + t * b for a, b in zip(curve, rest)])
        if u * t != v * s and max(map(abs, first + second)) < 40 * size * knobs.mixed:
            break
    equations: tuple[tuple[int, ...], ...] = (first, second)
    pair: tuple[tuple[int, int, int], ...] = (left, right)
    if knobs.curves == "line":
        shown = [curves.text((0, 0, 0, *left)), curves.text(first)]
        solutions, line, pair, equations = points[:2], (1, 0, 1), (left,), ((0, 0, 0, *left), first)
    else:
        shown = [curves.text(first), curves.text(second)]
        solutions, line = points, (t * cut, -v * cut_too, u * t - v * s)
    listing = "\n".join(f"({i}) {text} = 0" for i, text in enumerate(shown, 1))
    prompt = f"Find all pairs of real numbers x, y with\n{listing}\n\nGive every solution as a row [x, y]."
    return Task(prompt, Data(points=tuple(sorted(solutions)), equations=equations, line=line, pair=pair))


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
    # Tries all integer points within the bounds of the knobs.
    data, solutions = task.data, []
    if not data.pair:
        values = [root for factor in roots.irreducible_factors(_cubic(data)) for root in (-factor[0] / factor[1],)]
        solutions = [tuple(map(int, order)) for order in set(permutations(values))]
    else:
        for x in range(-10, 11):
            solutions += [(x, y) for y in range(-10, 11) if not any(curves.value(curve, x, y) for curve in data.equations)]
    return tuple(tuple(map(Fraction, point)) for point in sorted(solutions))


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


def derive(task: Task[Data]) -> Derivation:
    data = task.data
    if not data.pair:
        total, squares = data.equations[0][:2]
        yield PAIRS(sum=total, squares=squares, pairs=(total**2 - squares) // 2)
        yield from roots.factoring_steps(POLYNOMIAL, _cubic(data))
        return
    texts = [curves.text((0, 0, 0, *line)) for line in data.pair]
    if len(texts) == 2:
        yield MIXED(**dict(zip("uvw", data.line)), first=texts[0], second=texts[1])
    for line, text in zip(data.pair, texts):
        (a, b), (c, d) = [point for point in data.points if curves.lies_on(line, point)][:2]
        yield LINE(line=text, which=_equation_on_lines(data), a=a, b=b, c=c, d=d)


def checks(task: Task[Data]) -> Checks:
    data = task.data
    lines = {curves.text((0, 0, 0, *line)): line for line in data.pair}

    def pairs(sum: int, squares: int, pairs: int) -> bool:
        return data.equations[0][:2] == (sum, squares) and sum**2 - squares == 2 * pairs

    def mixed(u: int, v: int, w: int, first: str, second: str) -> bool:
        combination = [u * a + v * b for a, b in zip(*data.equations)]
        return combination == [w * a for a in curves.product(lines[first], lines[second])] and any(combination)

    def on_line(line: str, which: int, a: int, b: int, c: int, d: int) -> bool:
        curve, points = data.equations[which - 1], ((a, b), (c, d))
        fits = all(curves.lies_on(lines[line], point) and not curves.value(curve, *point) for point in points)
        return fits and points[0] != points[1] and which == _equation_on_lines(data)

    return {PAIRS: pairs, MIXED: mixed, LINE: on_line, **({} if data.pair else roots.checks({POLYNOMIAL: _cubic(data)}))}


def _equation_on_lines(data: Data) -> int:
    """The number of the equation that is evaluated on a line."""
    return 1 if len(data.pair) == 2 else 2


def _cubic(data: Data) -> tuple[Fraction, ...]:
    total, squares, product = map(Fraction, data.equations[0])
    return -product, (total * total - squares) / 2, -total, Fraction(1)


environment = Environment(
    Knobs, ANSWER, generate, solve, verify, mistakes, cost,
    solution=Solution(derive, CLOSING, checks), shift=shift, answers="many",
    solutions=lambda task: [solve(task)[::-1], (*solve(task)[1:], solve(task)[0])],
    version=2, concept="Add multiples of the equations so that the result falls into two lines, and put each line into an equation.",
)  # fmt: skip
