"""Solve a separable differential equation with a given initial value.

Any form of the solution is accepted: the answer is substituted into the equation and the initial condition. In the shifted family the
equation is not yet separated: both sides are multiplied out, or y' stands with a factor.
"""

from collections.abc import Iterator
from fractions import Fraction
from functools import lru_cache

from rlgym import Config, Environment, Rng, Score, Task, TaskData, knob
from rlgym.answers import Expression, trees
from rlgym.answers.trees import Name, Tree, build
from rlgym.generators.algebra import symbolic
from rlgym.generators.stories import phrase

X, Y = Name("x"), Name("y")
MAX_NODES, MAX_DERIVATIVE_NODES = 200, 1200
LEFT = "antiderivative of 1/({of}) by y"
RIGHT = "antiderivative of {of} by x"
START = "the first one at the start"
KINDS = ("growth", "squares", "roots")
ASKS = (
    "Solve {equation} with y({at}) = {start}.",
    "Find a function y(x) with y({at}) = {start} and {equation}.",
    "Which function y of x satisfies {equation} and y({at}) = {start}?",
    "Find the solution of the initial value problem {equation}, y({at}) = {start}, as a formula in x.",
)
FAMILIES = ("line", "square", "reciprocal", "power")
ANSWER = Expression(("x",), ("sin", "cos", "tan", "exp", "ln", "sqrt", "arctan"), ("e",), instructions="an expression in x for y")


class Knobs(Config):
    terms: int = knob(2, easy=1, hard=3, doc="how many terms the factor in x has")
    degree: int = knob(2, easy=1, hard=5, doc="largest exponent of x")
    largest: int = knob(7, easy=4, hard=16, doc="largest coefficient")
    kind: str = knob(
        "squares", easy="growth", hard="roots", order=KINDS, doc="factors y - a, also their squares, or also reciprocals and exponentials"
    )


class Data(TaskData):
    across: tuple[str, ...]  # the factor in x, from the constant term up
    family: str
    shift: int
    at: int
    start: int


def generate(rng: Rng, knobs: Knobs) -> Task[Data]:
    data = _sample_data(rng, knobs)
    across, along = trees.write(_factor_in_x(data)), trees.write(_factor_in_y(data))
    equation = rng.choice((f"y' = ({across})*({along})", f"dy/dx = ({across})*({along})"))
    return _render_task(rng, data, equation)


def shift(rng: Rng, knobs: Knobs) -> Task[Data]:
    data = _sample_data(rng, knobs)
    across, along = _factor_in_x(data), _factor_in_y(data)
    factor = symbolic.polynomial([rng.integer(1, 5), rng.integer(1, 3)])
    if rng.chance(0.5):
        return _render_task(rng, data, f"({trees.write(factor)})*y' = {trees.write(build.times(build.times(factor, across), along))}")
    return _render_task(
        rng, data, f"y'/({trees.write(along)}) - {trees.write(trees.number(3))} = {trees.write(build.subtract(across, trees.number(3)))}"
    )


def solve(task: Task[Data]) -> Tree:
    data = task.data
    inner = symbolic.antiderivative(list(map(Fraction, data.across)))
    inner[0] -= symbolic.evaluate(inner, data.at)
    rise, gap = symbolic.polynomial(inner), data.start - data.shift
    if data.family == "line":
        return build.add(trees.number(data.shift), build.times(trees.number(gap), build.call("exp", rise)))
    if data.family == "square":
        return build.add(trees.number(data.shift), build.over(build.ONE, build.subtract(trees.number(Fraction(1, gap)), rise)))
    if data.family == "reciprocal":
        root = build.call("sqrt", build.add(trees.number(gap * gap), build.times(trees.number(2), rise)))
        return build.add(trees.number(data.shift), root if gap > 0 else build.minus(root))
    return build.minus(build.call("ln", build.subtract(build.call("exp", trees.number(-data.start)), rise)))


def verify(task: Task[Data], answer: Tree) -> Score:
    data = task.data
    if trees.size(answer) > MAX_NODES:
        return Score.wrong(f"a solution with at most {MAX_NODES} numbers, names and operators exists")
    try:
        slope = trees.derivative(answer, "x")
        expected = build.times(_factor_in_x(data), trees.at(_factor_in_y(data), "y", answer))
    except trees.Undefined as why:
        return Score.wrong(f"the answer cannot be differentiated: {why}")
    if trees.size(slope) > MAX_DERIVATIVE_NODES or trees.size(expected) > MAX_DERIVATIVE_NODES:
        return Score.wrong("the answer is far longer than necessary")
    if not trees.same(trees.number(data.start), trees.at(answer, "x", trees.number(data.at))):
        return Score.wrong("the initial condition does not hold")
    return Score.exact(trees.same(expected, slope), "the differential equation does not hold")


def mistakes(task: Task[Data], right: Tree) -> list[Tree]:
    data = task.data
    line = build.add(trees.number(data.start), build.times(_factor_in_x(data), build.subtract(X, trees.number(data.at))))
    return [build.add(right, build.ONE), build.minus(right), line, trees.number(data.start), build.times(trees.number(2), right)]


def cost(task: Task[Data]) -> float:
    data = task.data
    return (
        sum(len(part) for part in data.across if part != "0") * 3
        + len(data.across) * 5
        + 10 * FAMILIES.index(data.family)
        + abs(data.shift)
    )


def _lines(task: Task[Data]) -> list[str]:
    data = task.data
    across, along = _factor_in_x(data), _factor_in_y(data)
    first = _left_antiderivative(data)
    inner = symbolic.polynomial(symbolic.antiderivative(list(map(Fraction, data.across))))
    steps = [
        symbolic.equation_line(LEFT.format(of=trees.write(along)), first),
        symbolic.equation_line(RIGHT.format(of=trees.write(across)), inner),
    ]
    steps.append(symbolic.equation_line(START, trees.at(first, "y", trees.number(data.start))))
    return steps


def _quantities(task: Task[Data]) -> symbolic.Quantities:
    data = task.data
    inner = symbolic.polynomial(symbolic.antiderivative(list(map(Fraction, data.across))))

    def left(of: str) -> Tree:
        if of != trees.write(_factor_in_y(data)):
            raise ValueError("another factor")
        return _left_antiderivative(data)

    def right(of: str) -> Tree:
        if of != trees.write(_factor_in_x(data)):
            raise ValueError("another factor")
        return inner

    return {LEFT: left, RIGHT: right, START: lambda: trees.at(_left_antiderivative(data), "y", trees.number(data.start))}


def _sample_data(rng: Rng, knobs: Knobs) -> Data:
    across = [0] * (knobs.degree + 1)
    for power in rng.sample(range(knobs.degree + 1), min(knobs.terms, knobs.degree + 1)):
        across[power] = symbolic.sample_coefficient(rng, knobs.largest)
    family = FAMILIES[rng.integer(max(0, KINDS.index(knobs.kind) - 1), (0, 1, 3)[KINDS.index(knobs.kind)])]
    shift = rng.integer(-5, 5) if family != "power" else 0
    start = shift + symbolic.sample_coefficient(rng, 6) if family != "power" else rng.integer(-3, 2)
    at = rng.integer(0, 1)
    if family in ("reciprocal", "power"):
        # Roots and logarithms need something positive inside for all x from the start on.
        across = [abs(a) if family == "reciprocal" else -abs(a) for a in across]
        at = 0
    return Data(across=tuple(map(str, across)), family=family, shift=shift, at=at, start=start)


def _render_task(rng: Rng, data: Data, equation: str) -> Task[Data]:
    text = phrase(rng, ASKS, equation=equation, at=data.at, start=data.start)
    return Task(f"{text} Any formula for the solution will do.", data)


def _factor_in_x(data: Data) -> Tree:
    return symbolic.polynomial(list(map(Fraction, data.across)))


def _factor_in_y(data: Data) -> Tree:
    """The factor in y."""
    gap = build.subtract(Y, trees.number(data.shift))
    if data.family == "power":
        return build.call("exp", Y)
    return {"line": gap, "square": build.power(gap, 2), "reciprocal": build.over(build.ONE, gap)}[data.family]


@lru_cache(maxsize=256)
def _left_antiderivative(data: Data) -> Tree:
    """An antiderivative of one over the factor in y."""
    gap = build.subtract(Y, trees.number(data.shift))
    if data.family == "line":
        return build.call("ln", build.call("abs", gap))
    if data.family == "square":
        return build.minus(build.over(build.ONE, gap))
    if data.family == "reciprocal":
        return build.over(build.power(gap, 2), trees.number(2))
    return build.minus(build.call("exp", build.minus(Y)))


def _other_solutions(task: Task[Data]) -> Iterator[Tree]:
    """Other formulas for the solution: powers taken apart, exponentials as powers of e, or a quotient for a sum."""
    data = task.data
    right = solve(task)
    inner = symbolic.antiderivative(list(map(Fraction, data.across)))
    free, gap = trees.number(symbolic.evaluate(inner, data.at)), data.start - data.shift
    rise = symbolic.polynomial(inner)
    if data.family == "line":
        general = build.over(build.call("exp", rise), build.call("exp", free))
        yield build.add(build.times(trees.number(gap), general), trees.number(data.shift))
    elif data.family == "square":
        below = build.subtract(build.ONE, build.times(trees.number(gap), build.subtract(rise, free)))
        yield build.add(build.over(trees.number(gap), below), trees.number(data.shift))
    elif data.family == "reciprocal":
        yield build.add(right, build.ZERO)
        yield build.subtract(build.add(right, X), X)
    else:
        grown = build.subtract(build.ONE, build.times(build.call("exp", trees.number(data.start)), build.subtract(rise, free)))
        yield build.subtract(trees.number(data.start), build.call("ln", grown))
    yield build.subtract(build.add(build.ONE, right), build.ONE)


environment = Environment(
    Knobs, ANSWER, generate, solve, verify, mistakes, cost,
    solution=symbolic.solution(_lines, _quantities), shift=shift, answers="many", solutions=_other_solutions,
    shared_helpers="The helper only samples tasks.",
    concept="Bring all y to one side and all x to the other, integrate both, and fix the constant by the starting value.",
)  # fmt: skip
