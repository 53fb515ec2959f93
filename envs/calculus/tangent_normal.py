"""Find the tangent or the normal of a curve at a given point.

The curve is the graph of a function; in the shifted family it is given by an equation in x and y.
"""

from fractions import Fraction
from functools import lru_cache

from rlgym import Config, Environment, Rng, Score, Task, TaskData, knob
from rlgym.answers import Equation, trees
from rlgym.answers.equation import Sides
from rlgym.answers.maths import same_curve
from rlgym.answers.trees import Apply, Name, Tree, build
from rlgym.generators.algebra import symbolic
from rlgym.generators.algebra.symbolic import read
from rlgym.generators.stories import phrase

X, Y = Name("x"), Name("y")
KINDS = ("polynomial", "product", "quotient", "root")
PARTIAL = "partial derivative by {name} at the point"
SLOPE = "slope of the {line}"
ASKS = (
    "Find the {line} of the curve {curve} at the point ({x}, {y}).",
    "The point ({x}, {y}) lies on the curve {curve}. What is the equation of the {line} there?",
    "Give an equation of the {line} to the curve {curve} in ({x}, {y}).",
    "Which line is the {line} of {curve} at ({x}, {y})?",
)
ANSWER = Equation(("x", "y"), instructions="an equation of the line in x and y")
CONCEPT = "The partial derivatives of what is 0 on the curve are the coefficients of the tangent; the normal is at right angles to it."


class Knobs(Config):
    degree: int = knob(3, easy=2, hard=5, doc="degree of the polynomials")
    largest: int = knob(5, easy=3, hard=9, doc="largest coefficient")
    kind: str = knob("product", easy="polynomial", hard="root", order=KINDS, doc="kind of function")
    normals: int = knob(30, easy=0, hard=70, doc="percent of tasks that ask for the normal")


class Data(TaskData):
    curve: tuple[str, str]  # the two sides of the curve's equation
    x: str
    y: str
    normal: bool


def generate(rng: Rng, knobs: Knobs) -> Task[Data]:
    while True:
        at = Fraction(rng.integer(-3, 3))
        function, value = _sample_function(rng, knobs, at)
        if value is not None and abs(value) < 400 and _value(trees.derivative(function, "x"), at):
            return _render_task(rng, knobs, (Y, function), at, value)


def shift(rng: Rng, knobs: Knobs) -> Task[Data]:
    while True:
        x, y = (Fraction(symbolic.sample_coefficient(rng, 3)) for _ in range(2))
        terms = []
        for _ in range(knobs.degree):
            power, other = rng.integer(0, knobs.degree), rng.integer(0, knobs.degree)
            terms.append(
                build.times(
                    trees.number(symbolic.sample_coefficient(rng, knobs.largest)), build.times(build.power(X, power), build.power(Y, other))
                )
            )
        if knobs.kind in KINDS[2:]:
            inner = build.add(build.times(trees.number(symbolic.sample_coefficient(rng, 3)), X), Y)
            terms.append(build.over(trees.number(rng.integer(1, knobs.largest)), inner))
        side = build.ordered(terms)
        try:
            value = trees.exact(side, {"x": x, "y": y})
            slopes = _slopes((trees.write(side), "0"), x, y)
        except trees.Undefined:
            continue
        if all(slopes) and all(trees.depends(side, name) for name in "xy"):
            return _render_task(rng, knobs, (side, trees.number(value)), x, value=y)


def solve(task: Task[Data]) -> Sides:
    # Through the partial derivatives of the difference of the sides; `generate` only makes sure that the point lies on the curve.
    data = task.data
    across, along = _slopes(data.curve, Fraction(data.x), Fraction(data.y))
    slope = along / across if data.normal else -across / along
    return Y, symbolic.polynomial([Fraction(data.y) - slope * Fraction(data.x), slope])


def verify(task: Task[Data], answer: Sides) -> Score:
    data = task.data
    across, along = (Fraction(part) for part in _cached_slopes(data.curve, data.x, data.y))
    if data.normal:
        across, along = -along, across
    line = build.add(
        build.times(trees.number(across), build.subtract(X, trees.number(Fraction(data.x)))),
        build.times(trees.number(along), build.subtract(Y, trees.number(Fraction(data.y)))),
    )
    try:
        return Score.exact(same_curve((line, build.ZERO), answer), "that is another line")
    except (trees.Undefined, ArithmeticError):
        return Score.wrong("that has no value")


def mistakes(task: Task[Data], right: Sides) -> list[Sides]:
    data = task.data
    other = solve(Task("", data.model_copy(update={"normal": not data.normal})))
    slope = trees.derivative(right[1], "x")
    return [other, (Y, right[0]), (Y, slope), (Y, build.times(slope, X)), (right[0], build.add(right[1], build.ONE))]


def cost(task: Task[Data]) -> float:
    data = task.data
    size = sum(trees.size(read(side)) for side in data.curve)
    return size + 6 * ("/" in data.curve[1]) + 12 * ("sqrt" in data.curve[1]) + 3 * data.normal


def _lines(task: Task[Data]) -> list[str]:
    data = task.data
    across, along = _slopes(data.curve, Fraction(data.x), Fraction(data.y))
    steps = [
        symbolic.equation_line(PARTIAL.format(name="x"), _partial_derivative(data, "x"), across),
        symbolic.equation_line(PARTIAL.format(name="y"), _partial_derivative(data, "y"), along),
    ]
    steps.append(
        symbolic.equation_line(
            SLOPE.format(line="tangent"), build.minus(Apply("/", (trees.number(across), trees.number(along)))), -across / along
        )
    )
    if data.normal:
        over = Apply("/", (trees.number(along), trees.number(across)))
        steps.append(symbolic.equation_line(SLOPE.format(line="normal"), over, along / across))
    return steps


def _quantities(task: Task[Data]) -> symbolic.Quantities:
    data = task.data
    across, along = _slopes(data.curve, Fraction(data.x), Fraction(data.y))

    def slope(line: str) -> Fraction:
        return {"tangent": -across / along, "normal": along / across}[line]

    return {PARTIAL: lambda name: {"x": across, "y": along}[name], SLOPE: slope}


def _render_task(rng: Rng, knobs: Knobs, sides: Sides, x: Fraction, value: Fraction) -> Task[Data]:
    curve = trees.write(sides[0]), trees.write(sides[1])
    normal = rng.integer(1, 100) <= knobs.normals
    prompt = phrase(rng, ASKS, line="normal line" if normal else "tangent line", curve=" = ".join(curve), x=x, y=value)
    return Task(prompt, Data(curve=curve, x=str(x), y=str(value), normal=normal))


def _sample_function(rng: Rng, knobs: Knobs, at: Fraction) -> tuple[Tree, Fraction | None]:
    def polynomial(degree: int) -> Tree:
        return symbolic.polynomial(
            [rng.integer(-knobs.largest, knobs.largest) for _ in range(degree)] + [symbolic.sample_coefficient(rng, knobs.largest)]
        )

    if knobs.kind == "polynomial":
        function = polynomial(knobs.degree)
    elif knobs.kind == "product":
        function = build.times(build.power(polynomial(1), rng.integer(2, knobs.degree)), polynomial(knobs.degree - 1))
    elif knobs.kind == "quotient":
        function = build.over(polynomial(knobs.degree - 1), polynomial(max(1, knobs.degree - 1)))
    else:
        square = polynomial(knobs.degree - 1)
        under = trees.polynomial(square, "x", 9)
        under[0] += rng.integer(1, 9) ** 2 - symbolic.evaluate(under, at)
        function = build.times(polynomial(1), build.power(Apply("sqrt", (symbolic.polynomial(under),)), rng.choice((1, 3))))
        return function, _value(function, at)
    return function, _value(function, at)


def _value(tree: Tree, x: Fraction, y: Fraction | None = None) -> Fraction | None:
    """The exact value of a tree in which only squares stand under roots; None where there is none."""
    if isinstance(tree, Apply) and tree.head == "sqrt":
        under = _value(tree.parts[0], x, y)
        roots = [Fraction(k) for k in range(1, 10) if under == k * k]
        return roots[0] if roots else None
    if isinstance(tree, Apply):
        parts = [_value(part, x, y) for part in tree.parts]
        if None in parts:
            return None
        try:
            return trees.exact(Apply(tree.head, tuple(trees.number(part) for part in parts if part is not None)))
        except trees.Undefined:
            return None
    return trees.exact(tree, {"x": x} | ({} if y is None else {"y": y}))


def _slopes(curve: tuple[str, str], x: Fraction, y: Fraction) -> tuple[Fraction, Fraction]:
    """The partial derivatives of the left side minus the right side, at a point."""
    equation = Apply("-", (read(curve[0]), read(curve[1])))
    slopes = [_value(trees.derivative(equation, name), x, y) for name in "xy"]
    if slopes[0] is None or slopes[1] is None:
        raise trees.Undefined("the curve has no slope there")
    return slopes[0], slopes[1]


@lru_cache(maxsize=512)
def _cached_slopes(curve: tuple[str, str], x: str, y: str) -> tuple[Fraction, Fraction]:
    return _slopes(curve, Fraction(x), Fraction(y))


def _partial_derivative(data: Data, name: str) -> Tree:
    """The partial derivative with the numbers put in."""
    equation = Apply("-", (read(data.curve[0]), read(data.curve[1])))
    tree = trees.derivative(equation, name)
    for letter, value in (("x", data.x), ("y", data.y)):
        tree = trees.at(tree, letter, trees.number(Fraction(value)))
    return tree


environment = Environment(
    Knobs,
    ANSWER,
    generate,
    solve,
    verify,
    mistakes,
    cost,
    solution=symbolic.solution(_lines, _quantities),
    shift=shift,
    shared_helpers="The helper evaluates a curve at a point.",
    concept=CONCEPT,
)
