"""Find exactly where two circles, or a circle and a line, meet."""

from collections.abc import Callable, Iterator
from fractions import Fraction

from rlgym import Config, Environment, Rng, Score, Task, TaskData, knob
from rlgym.answers import Point, trees
from rlgym.answers.trees import Tree
from rlgym.generators.algebra import surds
from rlgym.generators.calculations import calculation_line, evaluate, operand, solution
from rlgym.generators.drawing import pictures
from rlgym.solutions import Step

Circle = tuple[int, int, int]  # centre and square of the radius
Answer = tuple[Tree, ...]
ROOT = Step("The points lie sqrt({square}) = {root} times ({dx}, {dy}) on either side of the foot")
END = "The point asked for: {answer}"


class Knobs(Config):
    size: int = knob(6, easy=3, hard=30, scale="log", doc="largest coordinate of a centre")
    roots: str = knob("surds", easy="whole", hard="surds", order=("whole", "surds"), doc="whether the points have integer coordinates")
    form: str = knob("expanded", easy="centre", hard="expanded", order=("centre", "expanded"), doc="how the circles are given")


class Data(TaskData):
    circle: Circle
    other: Circle | None
    line: tuple[int, int, int]  # u, v, w of u*x + v*y = w, through both points
    expanded: bool


def generate(rng: Rng, knobs: Knobs) -> Task[Data]:
    """Two circles."""
    while True:
        circle, other = _sample_circles(rng, knobs)
        if circle[:2] != other[:2]:
            u, v = (2 * (other[axis] - circle[axis]) for axis in (0, 1))
            w = circle[2] - other[2] + other[0] ** 2 + other[1] ** 2 - circle[0] ** 2 - circle[1] ** 2
            data = Data(circle=circle, other=other, line=(u, v, w), expanded=knobs.form == "expanded")
            if _split(data)[2] > 0:
                return Task(_description(data), data)


def shift(rng: Rng, knobs: Knobs) -> Task[Data]:
    """A circle and a line."""
    while True:
        circle, other = _sample_circles(rng, knobs)
        u, v = (other[axis] - circle[axis] for axis in (0, 1))
        w = u * circle[0] + v * circle[1] + rng.integer(-4, 4)
        if knobs.roots == "whole":
            w = (circle[2] - other[2] + other[0] ** 2 + other[1] ** 2 - circle[0] ** 2 - circle[1] ** 2) // 2
        data = Data(circle=circle, other=None, line=(u, v, w), expanded=knobs.form == "expanded")
        if (u or v) and _split(data)[2] > 0:
            return Task(_description(data), data)


def _sample_circles(rng: Rng, knobs: Knobs) -> tuple[Circle, Circle]:
    """With "whole", two circles through the same two lattice points."""
    size = knobs.size
    if knobs.roots == "surds":
        drawn = [(rng.integer(-size, size), rng.integer(-size, size), rng.integer(2, 2 * size * size)) for _ in range(2)]
        return drawn[0], drawn[1]
    x, y, e, f = (rng.integer(-size, size) for _ in range(4))
    e = e or 1
    pair = [(x + e - k * f, y + f + k * e, (e * e + f * f) * (1 + k * k)) for k in rng.sample(range(-3, 4), 2)]
    return pair[0], pair[1]


def _description(data: Data) -> str:
    first = f"The circle {_equation(data.circle, data.expanded)}"
    u, v, w = data.line
    second = f"the circle {_equation(data.other, data.expanded)}" if data.other else f"the line {_sum((u, 'x'), (v, 'y'))} = {w}"
    return (
        f"{first} and {second} meet in two points. Give the exact coordinates of the point with the greater x or, if both have the same x, of the one "
        "with the greater y. Square roots may stay as they are."
    )


def _equation(circle: Circle, expanded: bool) -> str:
    a, b, square = circle
    if expanded:
        return f"{_sum((1, 'x^2'), (1, 'y^2'), (-2 * a, 'x'), (-2 * b, 'y'), (a * a + b * b - square, ''))} = 0"
    parts = [f"({name} {'-' if place > 0 else '+'} {abs(place)})^2" if place else f"{name}^2" for name, place in (("x", a), ("y", b))]
    return f"{parts[0]} + {parts[1]} = {square}"


def _sum(*terms: tuple[int, str]) -> str:
    out = ""
    for factor, name in terms:
        if factor:
            number = str(abs(factor)) if abs(factor) != 1 or not name else ""
            out += f" {'-' if factor < 0 else '+'} {number}{'*' if number and name else ''}{name}"
    return out.removeprefix(" + ").replace(" - ", "-", 1) if out.startswith(" - ") else out.removeprefix(" + ")


def _split(data: Data) -> tuple[Fraction, Fraction, Fraction]:
    """The foot of the centre on the line, and the square of how often (-v, u) leads from there to a point."""
    (a, b, square), (u, v, w) = data.circle, data.line
    scale = u * u + v * v
    share = Fraction(w - u * a - v * b, scale)
    return a + u * share, b + v * share, Fraction(square, scale) - share * share


def _point(data: Data, sign: int = 1) -> Answer:
    x, y, part = _split(data)
    u, v, _ = data.line
    dx, dy = (-v, u) if v < 0 or (not v and u > 0) else (v, -u)
    d = part.numerator * part.denominator
    root = Fraction(sign, part.denominator)
    return surds.write_surd(x, dx * root, d), surds.write_surd(y, dy * root, d)


def solve(task: Task[Data]) -> Answer:
    """One coordinate put into the circle: a quadratic equation."""
    (a, b, square), (u, v, w) = task.data.circle, task.data.line
    if not v:
        x = Fraction(w, u)
        rest = square - (x - a) ** 2
        return trees.number(x), surds.write_surd(Fraction(b), Fraction(1, rest.denominator), rest.numerator * rest.denominator)
    # y = (w - u*x)/v, so (u^2 + v^2)*x^2 - 2*half*x + last = 0
    norm, half = u * u + v * v, a * v * v + u * (w - b * v)
    last = a * a * v * v + (w - b * v) ** 2 - square * v * v
    inner = half * half - norm * last
    x_root = Fraction(1, norm)
    return surds.write_surd(Fraction(half, norm), x_root, inner), surds.write_surd(
        Fraction(w, v) - Fraction(u * half, v * norm), -u * x_root / v, inner
    )


def verify(task: Task[Data], answer: Answer) -> Score:
    return Score.exact(all(map(trees.same, _point(task.data), answer)), "another point")


def mistakes(task: Task[Data], right: Answer) -> list[Answer]:
    x, y, _ = _split(task.data)
    a, b, _ = task.data.circle
    return [
        _point(task.data, -1),
        right[::-1],
        (trees.number(x), trees.number(y)),
        (trees.number(a), trees.number(b)),
        (right[0], _point(task.data, -1)[1]),
    ]


def cost(task: Task[Data]) -> float:
    x, y, part = _split(task.data)
    digits = sum(len(str(value.numerator) + str(value.denominator)) for value in (x, y, part))
    return float(
        digits
        + 4 * task.data.expanded * (1 + (task.data.other is not None))
        + 3 * (surds.square_free_part(part.numerator * part.denominator)[1] > 1)
    )


def _lines(task: Task[Data]) -> Iterator[str]:
    data = task.data
    circles = [("first", data.circle), *([("second", data.other)] if data.other else [])]
    for name, (a, b, square) in circles if data.expanded else []:
        yield calculation_line(f"x of the {name} centre", f"-({-2 * a})/2")
        yield calculation_line(f"y of the {name} centre", f"-({-2 * b})/2")
        yield calculation_line(f"square of the {name} radius", f"{operand(a)}^2 + {operand(b)}^2 - {operand(a * a + b * b - square)}")
    (a, b, square), (u, v, w) = data.circle, data.line
    if data.other:
        c, d, other = data.other
        yield calculation_line("u of the line through both points", f"2*({operand(c)} - {operand(a)})")
        yield calculation_line("v of the line through both points", f"2*({operand(d)} - {operand(b)})")
        rest = f"{operand(c)}^2 + {operand(d)}^2 - {operand(a)}^2 - {operand(b)}^2"
        yield calculation_line("w of the line through both points", f"{square} - {other} + {rest}")
    part = _split(data)[2]
    share = Fraction(w - u * a - v * b, u * u + v * v)
    yield calculation_line("u^2 + v^2", f"{operand(u)}^2 + {operand(v)}^2")
    yield calculation_line("share", f"({operand(w)} - {operand(u)}*{operand(a)} - {operand(v)}*{operand(b)})/{u * u + v * v}")
    yield calculation_line("x of the foot", f"{operand(a)} + {operand(u)}*{operand(share)}")
    yield calculation_line("y of the foot", f"{operand(b)} + {operand(v)}*{operand(share)}")
    yield calculation_line("square of the factor", f"{square}/{u * u + v * v} - {operand(share)}^2")
    yield ROOT.write(square=part, root=trees.write(_root(part)), dx=-v, dy=u)


def _statements(task: Task[Data]) -> dict[Step, Callable[..., bool]]:
    part, (u, v, _) = _split(task.data)[2], task.data.line

    def root_follows(square: str, root: str, dx: str, dy: str) -> bool:
        same = trees.same(_root(part), environment.answer.parse(f"({root}, 0)")[0])
        return evaluate(square) == part and (dx, dy) == (str(-v), str(u)) and same

    return {ROOT: root_follows}


def _root(value: Fraction) -> Tree:
    """The square root, without a root in its denominator."""
    return surds.write_surd(Fraction(0), Fraction(1, value.denominator), value.numerator * value.denominator)


def _facts(data: Data) -> dict[str, tuple[Fraction, str]]:
    (a, b, _), (u, v, w) = data.circle, data.line
    x, y, part = _split(data)
    facts: dict[str, Fraction | int] = {"x of the foot": x, "y of the foot": y, "square of the factor": part, "u^2 + v^2": u * u + v * v}
    facts["share"] = Fraction(w - u * a - v * b, u * u + v * v)
    for name, circle in (("first", data.circle), ("second", data.other)):
        if circle:
            names = (f"x of the {name} centre", f"y of the {name} centre", f"square of the {name} radius")
            facts |= dict(zip(names, circle))
    facts |= {f"{name} of the line through both points": value for name, value in zip("uvw", data.line)}
    return {name: (Fraction(value), "") for name, value in facts.items()}


def picture(task: Task[Data]) -> str:
    circles = [circle for circle in (task.data.circle, task.data.other) if circle]
    u, v, _ = task.data.line
    reach = 2 * max(abs(task.data.circle[0]), abs(task.data.circle[1]), task.data.circle[2])
    foot = _split(task.data)[:2]
    ends = [(foot[0] - v * k * reach / (abs(u) + abs(v)), foot[1] + u * k * reach / (abs(u) + abs(v))) for k in (-1, 1)]
    segments = [] if task.data.other else [(ends[0], ends[1])]
    return pictures.plane({"A": circles[0][:2]}, circles=[((a, b), square**0.5) for a, b, square in circles], segments=segments)


environment = Environment(
    Knobs, Point(2, "the two coordinates as exact numbers in order, as in (1/2, 3)"), generate, solve, verify, mistakes, cost,
    solution=solution(_lines, lambda task: _facts(task.data), "0 1 2", closing=END, statements=_statements),
    shift=shift, picture=picture,
    concept="The difference of two circles' equations is the line through both points; from the centre's foot on it go the same way to either side.",
    version=2,
)  # fmt: skip
