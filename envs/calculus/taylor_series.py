"""Find the Taylor polynomial of a function at 0, up to a given degree.

The function is a sum of products of elementary ones; in the shifted family it is given by a differential equation and its value at 0.
"""

from fractions import Fraction
from math import factorial

from rlgym import Config, Environment, Rng, Score, Task, TaskData, knob
from rlgym.answers import Expression, trees
from rlgym.answers.trees import Apply, Name, Tree, build
from rlgym.generators.algebra import symbolic
from rlgym.generators.algebra.power_series import HEADS, Series, inverse, taylor_coefficients
from rlgym.generators.algebra.symbolic import read
from rlgym.generators.stories import phrase

PART = "series of {part} up to degree {degree}"
RATE = "coefficient of x^{degree} of y'"
COEFFICIENT = "coefficient of x^{degree} of y"
ASKS = (
    "Find the Taylor polynomial of degree {degree} of f(x) = {f} at x = 0 (all terms up to x^{degree}).",
    "Expand f(x) = {f} in powers of x, up to and including x^{degree}, leaving out higher powers.",
    "What are the terms up to x^{degree} of the Maclaurin series of f(x) = {f}?",
    (
        "Work out the polynomial in x of degree at most {degree} that agrees with f(x) = {f} at 0 in value and in the first {degree} "
        "derivatives."
    ),
)
EQUATIONS = (
    "The function y(x) satisfies y' = {right} and y(0) = {start}. Find its Taylor polynomial at 0 with all terms up to x^{degree}.",
    "Let y' = {right} with y(0) = {start}. Expand y in powers of x, up to and including x^{degree}.",
    "What are the terms up to x^{degree} of the power series at 0 of the solution of y' = {right}, y(0) = {start}?",
    (
        "A function y of x has the value {start} at x = 0 and the derivative y' = {right}. Work out its Taylor polynomial with the "
        "powers of x up to x^{degree}."
    ),
)
KINDS = ("product", "quotient", "nested")
ANSWER = Expression(("x",), (), (), instructions="the polynomial in x, with exact coefficients")
CONCEPT = "Known series are multiplied, divided and put into one another, and powers above the degree are dropped at once."


class Knobs(Config):
    degree: int = knob(3, easy=2, hard=6, doc="degree of the Taylor polynomial")
    factors: int = knob(2, easy=1, hard=3, doc="how many functions are multiplied")
    largest: int = knob(3, easy=3, hard=5, doc="largest number within a function")
    kind: str = knob(
        "quotient", easy="product", hard="nested", order=KINDS, doc="products, also quotients, or also functions of polynomials"
    )


class Data(TaskData):
    function: str  # or the right side of y' = ...
    start: str  # y(0), or empty
    degree: int
    series: tuple[str, ...]


def generate(rng: Rng, knobs: Knobs) -> Task[Data]:
    while True:
        parts = [_sample_part(rng, knobs) for _ in range(knobs.factors)]
        tree = build.product(parts)
        if knobs.kind != "product":
            tree = build.over(tree, symbolic.polynomial([1, symbolic.sample_coefficient(rng, knobs.largest)]))
        tree = build.add(tree, symbolic.polynomial([rng.integer(0, 9), rng.integer(-9, 9)]))
        series = taylor_coefficients(tree, knobs.degree)
        if series[-1] and sum(map(bool, series)) > 1:
            text = trees.write(tree)
            data = Data(function=text, start="", degree=knobs.degree, series=tuple(map(str, series)))
            return Task(phrase(rng, ASKS, degree=knobs.degree, f=text), data)


def shift(rng: Rng, knobs: Knobs) -> Task[Data]:
    while True:
        start = Fraction(rng.integer(-3, 3))
        square = rng.integer(-2, 2) if knobs.kind != "product" else 0
        mixed = symbolic.sample_coefficient(rng, knobs.largest) if knobs.factors > 1 else 0
        terms = [
            (square, 2, 0),
            (mixed, 1, 1),
            (rng.integer(-knobs.largest, knobs.largest), 1, 0),
            (symbolic.sample_coefficient(rng, 5), 0, rng.integer(0, 2)),
            (rng.integer(-9, 9), 0, 0),
        ]
        if knobs.kind == "nested":
            terms.append((symbolic.sample_coefficient(rng, 2), 2, 1))
        tree = build.ordered(
            [build.times(trees.number(a), build.times(build.power(Name("y"), p), build.power(symbolic.X, q))) for a, p, q in terms]
        )
        series = _solve_by_coefficients(tree, start, knobs.degree)
        if series[-1] and trees.depends(tree, "y") and max(len(str(c)) for c in series) < 14:
            text = trees.write(tree)
            data = Data(function=text, start=str(start), degree=knobs.degree, series=tuple(map(str, series)))
            return Task(phrase(rng, EQUATIONS, degree=knobs.degree, right=text, start=start), data)


def solve(task: Task[Data]) -> Tree:
    # Coefficient by coefficient from what the derivatives of the parts satisfy, or by integrating again and again; `generate` puts series
    # into one another, or finds one coefficient of y after the other.
    data = task.data
    if not data.start:
        return symbolic.polynomial(_series_from_derivatives(read(data.function), data.degree))
    y = [Fraction(data.start), *[Fraction(0)] * data.degree]
    for _ in range(data.degree):
        y = [Fraction(data.start), *symbolic.antiderivative(taylor_coefficients(read(data.function), data.degree, y))[1 : data.degree + 1]]
    return symbolic.polynomial(y)


def verify(task: Task[Data], answer: Tree) -> Score:
    right = symbolic.polynomial(list(map(Fraction, task.data.series)))
    return Score.exact(trees.same(right, answer), "that is another polynomial")


def mistakes(task: Task[Data], right: Tree) -> list[Tree]:
    data = task.data
    series = list(map(Fraction, data.series))
    slopes = symbolic.polynomial([factorial(k) * a for k, a in enumerate(series)])
    flipped = symbolic.polynomial([a * (-1) ** k for k, a in enumerate(series)])
    return [slopes, symbolic.polynomial(series[:-1]), flipped, build.minus(right), build.add(right, build.ONE)]


def cost(task: Task[Data]) -> float:
    return trees.size(read(task.data.function)) * task.data.degree**2


def _lines(task: Task[Data]) -> list[str]:
    data = task.data
    steps = []
    if data.start:
        series = list(map(Fraction, data.series))
        right = taylor_coefficients(read(data.function), data.degree, series)
        for k in range(data.degree):
            steps.append(symbolic.equation_line(RATE.format(degree=k), right[k]))
            steps.append(
                symbolic.equation_line(
                    COEFFICIENT.format(degree=k + 1), Apply("/", (trees.number(right[k]), trees.number(k + 1))), series[k + 1]
                )
            )
    else:
        parts = _factors(read(data.function))
        steps = [
            symbolic.equation_line(_series_name(part, data.degree), symbolic.polynomial(taylor_coefficients(part, data.degree)))
            for part in parts
        ]
    return steps


def _quantities(task: Task[Data]) -> symbolic.Quantities:
    data = task.data

    def part(part: str, degree: str) -> Tree:
        if int(degree) != data.degree or read(part) not in _factors(read(data.function)):
            raise ValueError("no part of the function")
        return symbolic.polynomial(taylor_coefficients(read(part), data.degree))

    rates: Series = []
    if data.start:
        tree = read(data.function)
        rates = taylor_coefficients(tree, data.degree, _solve_by_coefficients(tree, Fraction(data.start), data.degree))

    def rate(degree: str) -> Fraction:
        return rates[int(degree)]

    def coefficient(degree: str) -> Fraction:
        return rate(str(int(degree) - 1)) / int(degree)

    return {PART: part, RATE: rate, COEFFICIENT: coefficient}


def _sample_part(rng: Rng, knobs: Knobs) -> Tree:
    inner = build.times(trees.number(symbolic.sample_coefficient(rng, knobs.largest)), symbolic.X)
    if knobs.kind == "nested":
        inner = build.ordered(
            [inner, build.times(trees.number(symbolic.sample_coefficient(rng, 2)), build.power(symbolic.X, rng.integer(2, 3)))]
        )
    head = rng.choice(("exp", "sin", "cos", "ln", "arctan"))
    return build.call(head, build.add(build.ONE, inner) if head == "ln" else inner)


def _series_name(part: Tree, degree: int) -> str:
    return PART.format(part=trees.write(part), degree=degree)


def _factors(tree: Tree) -> list[Tree]:
    """The functions of which the tree is put together, and the polynomial below a stroke."""
    if isinstance(tree, Apply):
        if tree.head in HEADS:
            return [tree]
        below = [build.over(build.ONE, tree.parts[1])] if tree.head == "/" and trees.depends(tree.parts[1], "x") else []
        return [*(factor for part in tree.parts for factor in _factors(part)), *below]
    return []


def _solve_by_coefficients(right: Tree, start: Fraction, degree: int) -> Series:
    y = [start]
    for k in range(degree):
        y.append(taylor_coefficients(right, k, y)[k] / (k + 1))
    return y


def _series_from_derivatives(tree: Tree, degree: int) -> Series:
    """The power series at 0, functions by the equations that their derivatives satisfy."""
    if not isinstance(tree, Apply) or tree.head == "^":
        return taylor_coefficients(tree, degree)
    parts = [_series_from_derivatives(part, degree) for part in tree.parts]
    if tree.head == "*":
        return symbolic.multiply(*parts)[: degree + 1]
    if tree.head == "/":
        return symbolic.multiply(parts[0], inverse(parts[1]))[: degree + 1]
    if tree.head in ("+", "-"):
        return [a + b if tree.head == "+" else a - b for a, b in zip(*parts, strict=True)]
    inner = parts[0]
    if tree.head == "neg":
        return [-a for a in inner]
    if tree.head in ("ln", "arctan"):
        return taylor_coefficients(tree, degree)
    # (e^u)' = u' e^u, and sin and cos of u likewise, both at once.
    waves = {"exp": [[Fraction(1)]], "sin": [[Fraction(0)], [Fraction(1)]], "cos": [[Fraction(1)], [Fraction(0)]]}[tree.head]
    sign = 1 if tree.head == "sin" else -1
    for n in range(1, degree + 1):
        rises = [sum((k * inner[k] * wave[n - k] for k in range(1, n + 1)), Fraction(0)) / n for wave in waves]
        if len(waves) == 1:
            waves[0].append(rises[0])
        else:
            waves[0].append(sign * rises[1])
            waves[1].append(-sign * rises[0])
    return waves[0]


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
    inverts=True,
)
