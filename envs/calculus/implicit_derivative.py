"""Find the first or second derivative of a curve at a point without solving for y.

The curve is given by an equation in x and y; in the shifted family x and y are given in terms of a parameter.
"""

from fractions import Fraction
from functools import lru_cache

from rlgym import Config, Environment, Rng, Score, Task, TaskData, knob
from rlgym.answers import Rational, trees
from rlgym.answers.trees import Apply, Name, Tree, build
from rlgym.generators.algebra import symbolic
from rlgym.generators.algebra.symbolic import read
from rlgym.generators.draws import has_short_numbers
from rlgym.generators.stories import phrase

X, Y, T = Name("x"), Name("y"), Name("t")
PARTIAL = "partial derivative by {names} at the point"
MOVES = "derivative {order} of {name} by t at the point"
ORDERS = ("", "first", "second", "third")
SLOPE = "{order} derivative of y by x"
ASKS = (
    "Near the point ({x}, {y}), the equation {curve} defines y as a function of x. What is the {order} derivative of y by x there?",
    "Find the {order} derivative of y with respect to x at the point ({x}, {y}) of the curve {curve}.",
    (
        "The curve {curve} passes through ({x}, {y}) and is the graph of a function y(x) near it. Compute the exact {order} derivative of y(x) at that point."
    ),
    "On the curve {curve}, y depends on x near ({x}, {y}). Determine the {order} derivative there by implicit differentiation.",
)
PARAMETERS = (
    "A curve is given by x = {x} and y = {y}. What is the {order} derivative of y by x at t = {t}?",
    "Find the {order} derivative of y with respect to x where t = {t} on the curve x = {x}, y = {y}.",
    "With x = {x} and y = {y}, y is a function of x near the point with t = {t}. Work out its exact {order} derivative there.",
    "The point (x, y) = ({x}, {y}) moves with t. Determine the {order} derivative of y as a function of x at t = {t}.",
)
ANSWER = Rational("one exact number, as an integer or a fraction a/b")
CONCEPT = "Differentiate the equation by x, with y a function of x: each order is a linear equation for the next derivative."


class Knobs(Config):
    degree: int = knob(3, easy=2, hard=5, doc="largest exponent")
    terms: int = knob(3, easy=2, hard=6, doc="how many terms there are")
    largest: int = knob(4, easy=3, hard=7, doc="largest coefficient")
    order: int = knob(2, easy=1, hard=3, doc="which derivative is requested")


class Data(TaskData):
    curve: tuple[str, str]  # an expression that is constant on the curve, and the constant; or x and y in terms of t
    point: tuple[str, ...]  # x and y, or t
    order: int
    value: str


def generate(rng: Rng, knobs: Knobs) -> Task[Data]:
    while True:
        x, y = (Fraction(symbolic.sample_coefficient(rng, 3)) for _ in range(2))
        powers = rng.sample(
            [(a, b) for a in range(knobs.degree + 1) for b in range(knobs.degree + 1) if 0 < a + b <= knobs.degree + 1], knobs.terms
        )
        parts = [(a, b, symbolic.sample_coefficient(rng, knobs.largest)) for a, b in powers]
        side = build.ordered([build.times(trees.number(c), build.times(build.power(X, a), build.power(Y, b))) for a, b, c in parts])
        curve = trees.write(side), trees.write(trees.number(sum(c * x**a * y**b for a, b, c in parts)))
        if not sum(b * c * x**a * y ** (b - 1) for a, b, c in parts if b) or not any(a for a, _, _ in parts):
            continue
        value = _series(Data(curve=curve, point=(str(x), str(y)), order=knobs.order, value=""))
        if value.numerator and has_short_numbers(value):
            prompt = phrase(rng, ASKS, x=x, y=y, curve=" = ".join(curve), order=ORDERS[knobs.order])
            return Task(prompt, Data(curve=curve, point=(str(x), str(y)), order=knobs.order, value=str(value)))


def shift(rng: Rng, knobs: Knobs) -> Task[Data]:
    while True:
        at = Fraction(rng.integer(-2, 3))
        sides = []
        for _ in range(2):
            powers = rng.sample(range(knobs.degree + 1), min(knobs.terms, knobs.degree + 1))
            coefficients = [0] * (knobs.degree + 1)
            for power in powers:
                coefficients[power] = symbolic.sample_coefficient(rng, knobs.largest)
            sides.append(symbolic.polynomial(coefficients, "t"))
        curve = trees.write(sides[0]), trees.write(sides[1])
        data = Data(curve=curve, point=(str(at),), order=knobs.order, value="")
        if trees.exact(trees.derivative(sides[0], "t"), {"t": at}) and (value := _series(data)) and has_short_numbers(value):
            prompt = phrase(rng, PARAMETERS, x=curve[0], y=curve[1], t=at, order=ORDERS[knobs.order])
            return Task(prompt, data.model_copy(update={"value": str(value)}))


def solve(task: Task[Data]) -> Fraction:
    # By the formulas of implicit differentiation, from partial derivatives; `generate` solves for a power series.
    return _derivatives(task.data)[task.data.order]


def verify(task: Task[Data], answer: Fraction) -> Score:
    return Score.exact(answer == Fraction(task.data.value), "that is another derivative")


def mistakes(task: Task[Data], right: Fraction) -> list[Fraction]:
    data = task.data
    lower = _derivatives(data.model_copy(update={"order": data.order - 1}))[data.order - 1] if data.order > 1 else -right
    return [-right, 1 / right, lower, right + 1, right / 2]


def cost(task: Task[Data]) -> float:
    data = task.data
    return sum(trees.size(read(side)) for side in data.curve) * data.order**2


def _lines(task: Task[Data]) -> list[str]:
    data = task.data
    steps = []
    if len(data.point) == 1:
        for order in range(1, data.order + 1):
            for name, side in zip("xy", data.curve, strict=True):
                tree = _derivative(side, "t" * order)
                steps.append(
                    symbolic.equation_line(MOVES.format(order=order, name=name), _substitute(data, tree), _value_at_point(data, tree))
                )
    else:
        for names in _names(data.order):
            tree = _derivative(data.curve[0], names)
            steps.append(symbolic.equation_line(PARTIAL.format(names=names), _substitute(data, tree), _value_at_point(data, tree)))
    values = _derivatives(data)
    orders = range(1, data.order + 1)
    steps += [symbolic.equation_line(SLOPE.format(order=ORDERS[order]), _formula(data, order, values), values[order]) for order in orders]
    return steps


def _quantities(task: Task[Data]) -> symbolic.Quantities:
    data = task.data
    values = _derivatives(data)

    def moves(order: str, name: str) -> Fraction:
        return _value_at_point(data, _derivative(data.curve["xy".index(name)], "t" * int(order)))

    def partial(names: str) -> Fraction:
        if names not in _names(data.order):
            raise ValueError("no such derivative is needed")
        return _value_at_point(data, _derivative(data.curve[0], names))

    return {SLOPE: lambda order: values[ORDERS.index(order)], **({MOVES: moves} if len(data.point) == 1 else {PARTIAL: partial})}


def _names(order: int) -> list[str]:
    return ["x" * (total - k) + "y" * k for total in range(1, order + 1) for k in range(total + 1)]


def _formula(data: Data, order: int, lower: list[Fraction]) -> Tree:
    """The derivative of an order as a formula of the lower ones and the derivatives of the curve."""
    if len(data.point) == 1:
        x = [_value_at_point(data, _derivative(data.curve[0], "t" * k)) for k in range(1, order + 1)]
        y = [_value_at_point(data, _derivative(data.curve[1], "t" * k)) for k in range(1, order + 1)]
        if order == 1:
            return _fill_in("a/b", a=y[0], b=x[0])
        if order == 2:
            return _fill_in("(a*b - c*d)/b^3", a=y[1], b=x[0], c=y[0], d=x[1])
        return _fill_in("(a - 3*b*c*d - g*f)/c^3", a=y[2], b=lower[2], c=x[0], d=x[1], g=lower[1], f=x[2])
    at = {names: _value_at_point(data, _derivative(data.curve[0], names)) for names in _names(order)}
    first = lower[1] if order > 1 else Fraction(0)
    if order == 1:
        return _fill_in("-a/b", a=at["x"], b=at["y"])
    if order == 2:
        return _fill_in("-(a + 2*b*c + d*c^2)/f", a=at["xx"], b=at["xy"], c=first, d=at["yy"], f=at["y"])
    return _fill_in(
        "-(a + 3*b*c + 3*d*c^2 + f*c^3 + 3*g*(h + k*c))/m",
        a=at["xxx"], b=at["xxy"], c=first, d=at["xyy"], f=at["yyy"], g=lower[2], h=at["xy"], k=at["yy"], m=at["y"],
    )  # fmt: skip


def _fill_in(formula: str, **values: Fraction) -> Tree:
    tree = trees.read(formula, trees.Grammar(tuple(values)))
    for name, value in values.items():
        tree = trees.at(tree, name, trees.number(value))
    return tree


def _derivatives(data: Data) -> list[Fraction]:
    """The derivatives of y by x up to the order that is asked for; entry 0 is a placeholder."""
    values = [Fraction(0)]
    for order in range(1, data.order + 1):
        values.append(trees.exact(_formula(data, order, values)))
    return values


@lru_cache(maxsize=1024)
def _derivative(side: str, names: str) -> Tree:
    tree = read(side)
    for name in names:
        tree = trees.derivative(tree, name)
    return tree


def _substitute(data: Data, tree: Tree) -> Tree:
    for name, value in zip("t" if len(data.point) == 1 else "xy", data.point, strict=True):
        tree = trees.at(tree, name, trees.number(Fraction(value)))
    return tree


def _value_at_point(data: Data, tree: Tree) -> Fraction:
    return trees.exact(tree, dict(zip("t" if len(data.point) == 1 else "xy", map(Fraction, data.point), strict=True)))


def _series(data: Data) -> Fraction:
    """The derivative from the power series of y in x about the point, coefficient by coefficient."""
    factorial = (1, 1, 2, 6)[data.order]
    if len(data.point) == 1:
        at = [Fraction(data.point[0]), Fraction(1)]
        x, y = (_expand(read(side), {"t": at}, data.order) for side in data.curve)
        x[0] = Fraction(0)
        coefficients = [y[0]]
        for k in range(1, data.order + 1):
            rest = list(y)
            for j, coefficient in enumerate(coefficients):
                rest = [a - coefficient * b for a, b in zip(rest, _power(x, j, data.order), strict=True)]
            coefficients.append(rest[k] / x[1] ** k)
        return coefficients[data.order] * factorial
    x0, y0 = map(Fraction, data.point)
    y = [y0] + [Fraction(0)] * data.order
    across = _value_at_point(data, _derivative(data.curve[0], "y"))
    for k in range(1, data.order + 1):
        y[k] = -_expand(read(data.curve[0]), {"x": [x0, Fraction(1)], "y": y}, data.order)[k] / across
    return y[data.order] * factorial


def _expand(tree: Tree, series: dict[str, list[Fraction]], order: int) -> list[Fraction]:
    """A polynomial expression of power series, truncated after an order."""
    if isinstance(tree, Name):
        return [*series[tree.text], *[Fraction(0)] * order][: order + 1]
    if not isinstance(tree, Apply):
        return [tree.value, *[Fraction(0)] * order]
    left = _expand(tree.parts[0], series, order)
    if tree.head == "neg":
        return [-a for a in left]
    if tree.head == "^":
        return _power(left, int(trees.exact(tree.parts[1])), order)
    right = _expand(tree.parts[1], series, order)
    if tree.head == "*":
        return symbolic.multiply(left, right)[: order + 1]
    return [a + b if tree.head == "+" else a - b for a, b in zip(left, right, strict=True)]


def _power(series: list[Fraction], exponent: int, order: int) -> list[Fraction]:
    out = [Fraction(1)] + [Fraction(0)] * order
    for _ in range(exponent):
        out = symbolic.multiply(out, series)[: order + 1]
    return out


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
    concept=CONCEPT,
    version=3,
)
