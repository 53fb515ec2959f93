"""Solve a linear differential equation with constant coefficients and given initial values.

Any form of the solution is accepted: the answer is substituted into the equation and the initial conditions. On the upper levels the equation is
unknown: of its characteristic roots only the range is given, and one derivative at 0 more than it has weights. The shifted family has equations of
the first order whose coefficients depend on x.
"""

from collections.abc import Iterator, Sequence
from fractions import Fraction
from math import comb

from rlgym import Config, Environment, Rng, Score, Task, TaskData, knob
from rlgym.answers import Expression, trees
from rlgym.answers.trees import Apply, Tree, build
from rlgym.generators.algebra import characteristic_roots, linear_odes, symbolic
from rlgym.generators.algebra.symbolic import read
from rlgym.generators.probability import probabilities
from rlgym.generators.stories import phrase

X = symbolic.X
MAX_NODES, MAX_DERIVATIVE_NODES = 200, 1500
FREE = "solution {number} with 0 on the right side"
FORCED = "a solution with the right side as it is"
HIGHEST = "the highest derivative at 0 from the lower ones"
WEIGHT = "weight of solution {number}"
KINDS = {"distinct": ("distinct",), "double": ("double", "waves"), "waves": ("waves",)}
FORCES = {"none": ("none",), "polynomial": ("polynomial", "exponential"), "exponential": ("exponential",)}
ASKS = (
    "Solve {equation} with {starts}.",
    "Find the function y(x) with {equation}, {starts}.",
    "Which function y of x satisfies {equation} and {starts}?",
    "Find the solution of the initial value problem {equation}, {starts}, as a formula in x.",
)
ANSWER = Expression(("x",), ("sin", "cos", "tan", "exp", "ln", "sqrt"), ("e",), instructions="an expression in x for y")


class Knobs(Config):
    largest: int = knob(5, easy=3, hard=8, doc="largest exponent or frequency")
    starts: int = knob(30, easy=9, hard=130, doc="largest coefficient of a homogeneous solution")
    kind: str = knob(
        "double", easy="distinct", hard="waves", order=tuple(KINDS), doc="two exponentials, a double root or oscillations, or oscillations"
    )
    force: str = knob(
        "polynomial",
        easy="none",
        hard="exponential",
        order=tuple(FORCES),
        doc="the right side: 0, a polynomial or exponential, or an exponential",
    )
    asked: str = knob(
        "solution", easy="solution", hard="roots", order=("solution", "roots"), doc="the solution, or that of an unknown equation"
    )
    roots: int = knob(3, easy=1, hard=5, doc="characteristic roots of an unknown equation, 3 or more")


class Data(TaskData):
    equation: str
    left: tuple[str, ...]  # the factors of y, y', y'' as expressions in x
    right: str
    starts: tuple[int, ...]  # y and y' at 0
    free: tuple[str, ...]  # solutions for 0 on the right
    forced: str
    cover: str  # what is added to both sides before they are compared: larger than all that cancels
    weights: tuple[str, ...]
    reach: int = 0  # the roots of the unknown equation are from -reach to reach; 0: the equation is given


def generate(rng: Rng, knobs: Knobs) -> Task[Data]:
    if knobs.asked == "roots":
        reach = max(3, knobs.largest - 3)
        roots, weights, starts = characteristic_roots.sample_roots(rng, max(3, knobs.roots), reach)
        solutions = tuple(trees.write(linear_odes.exponential(root)) for root in roots)
        data = Data(
            equation="",
            left=(),
            right="0",
            starts=starts,
            free=solutions,
            forced="0",
            cover="0",
            weights=tuple(map(str, weights)),
            reach=reach,
        )
        return Task(characteristic_roots.render_search(starts, reach), data)
    kind = rng.choice(KINDS[knobs.kind])
    if kind == "waves":
        rate, waves = rng.integer(-knobs.largest, knobs.largest), rng.integer(1, knobs.largest)
        square, total = rate * rate + waves * waves, 2 * rate
        free = [
            build.times(linear_odes.exponential(rate), build.call(wave, build.times(trees.number(waves), X))) for wave in ("cos", "sin")
        ]
        slopes = [(1, rate), (0, waves)]
    else:
        first_rate, second_rate = rng.sample(range(-knobs.largest, knobs.largest + 1), 2)
        second_rate = first_rate if kind == "double" else second_rate
        square, total = first_rate * second_rate, first_rate + second_rate
        free = [
            linear_odes.exponential(first_rate),
            build.times(X, linear_odes.exponential(second_rate)) if kind == "double" else linear_odes.exponential(second_rate),
        ]
        slopes = [(1, first_rate), (0, 1) if kind == "double" else (1, second_rate)]
    characteristic = [Fraction(square), Fraction(-total), Fraction(1)]
    force = rng.choice(FORCES[knobs.force])
    forced: Tree = build.ZERO
    start = (0, 0)
    if force == "polynomial":
        coefficients = [rng.integer(-4, 4), rng.integer(-4, 4), rng.integer(1, 3)][: rng.integer(2, 3)]
        forced, start = symbolic.polynomial(coefficients), (coefficients[0], coefficients[1])
    elif force == "exponential":
        rate, size = symbolic.sample_coefficient(rng, knobs.largest), symbolic.sample_coefficient(rng, 3)
        forced, start = build.times(trees.number(size), linear_odes.exponential(rate)), (size, size * rate)
    weights = [symbolic.sample_coefficient(rng, knobs.starts) for _ in range(2)]
    starts = tuple(start[k] + sum(weight * slope[k] for weight, slope in zip(weights, slopes, strict=True)) for k in range(2))
    return _render_task(rng, characteristic, forced, free, weights, starts)


def shift(rng: Rng, knobs: Knobs) -> Task[Data]:
    # y' + p y = q with p a polynomial: e^(-P) solves it with 0 on the right, P' = p.
    p = [
        Fraction(rng.integer(-knobs.largest, knobs.largest)),
        Fraction(symbolic.sample_coefficient(rng, knobs.largest) if knobs.kind != "distinct" else 0),
    ]
    if not p[1]:
        p[0] = Fraction(symbolic.sample_coefficient(rng, 3 * knobs.largest))
    free = build.call("exp", symbolic.polynomial([-a for a in symbolic.antiderivative(p)]))
    forced: Tree = build.ZERO
    start = 0
    if knobs.force != "none":
        coefficients = [rng.integer(-knobs.largest, knobs.largest), symbolic.sample_coefficient(rng, 1 + knobs.starts // 12)]
        forced, start = symbolic.polynomial(coefficients), coefficients[0]
        if knobs.force == "exponential":
            forced = build.times(forced, linear_odes.exponential(symbolic.sample_coefficient(rng, max(2, knobs.largest // 2))))
    weight = symbolic.sample_coefficient(rng, knobs.starts)
    return _render_task(rng, [symbolic.polynomial(p), Fraction(1)], forced, [free], [weight], (start + weight,))


def solve(task: Task[Data]) -> Tree:
    # From the equation: free solutions, then coefficients of a forced one from the highest power down, then the weights. `generate`
    # began with all of these.
    data = task.data
    free = (
        [*map(linear_odes.exponential, characteristic_roots.find_roots(data.starts, data.reach))]
        if data.reach
        else linear_odes.homogeneous_solutions(data.left, len(data.starts))
    )
    forced = build.ZERO if data.reach else linear_odes.particular_solution(data.left, len(data.starts), data.right)
    rows, right = [], []
    for order, start in enumerate(data.starts[: len(free)]):
        rows.append([linear_odes.value_at_zero(solution, order) for solution in free])
        right.append(start - linear_odes.value_at_zero(forced, order))
    weights = probabilities.solve_linear_system(rows, right)
    return build.total([*(build.times(trees.number(weight), solution) for weight, solution in zip(weights, free, strict=True)), forced])


def verify(task: Task[Data], answer: Tree) -> Score:
    data = task.data
    if trees.size(answer) > MAX_NODES:
        return Score.wrong(f"a solution with at most {MAX_NODES} numbers, names and operators exists")
    if data.reach:
        return Score.exact(trees.same(answer, _weighted_sum(data)), "the derivatives at 0 or the roots are others")
    try:
        slopes = [answer]
        for _ in data.starts:
            slopes.append(trees.derivative(slopes[-1], "x"))
            if trees.size(slopes[-1]) > MAX_DERIVATIVE_NODES:
                return Score.wrong("the answer is far longer than necessary")
    except trees.Undefined as why:
        return Score.wrong(f"the answer cannot be differentiated: {why}")
    for order, start in enumerate(data.starts):
        if not trees.same(trees.number(start), trees.at(slopes[order], "x", build.ZERO)):
            return Score.wrong("an initial condition does not hold")
    left_side = build.total([build.times(read(factor), slope) for factor, slope in zip(data.left, slopes, strict=True)])
    cover = read(data.cover)
    return Score.exact(
        trees.same(build.add(read(data.right), cover), build.add(left_side, cover)), "the differential equation does not hold"
    )


def mistakes(task: Task[Data], right: Tree) -> list[Tree]:
    data = task.data
    return [read(data.forced), read(data.free[0]), build.minus(right), build.add(right, X), build.times(trees.number(2), right)]


def cost(task: Task[Data]) -> float:
    data = task.data
    if data.reach:
        return 4 * comb(2 * data.reach + 1, len(data.free)) * len(data.free)
    return sum(trees.size(read(part)) for part in (*data.free, data.forced)) * 2 + len(data.equation) / 4 + sum(map(abs, data.starts)) / 10


def _lines(task: Task[Data]) -> list[str]:
    data = task.data
    steps = [symbolic.equation_line(FREE.format(number=k), read(free)) for k, free in enumerate(data.free, 1)]
    if data.reach:
        roots = characteristic_roots.find_roots(data.starts, data.reach)
        lower = zip(characteristic_roots.characteristic_polynomial(roots), data.starts[:-1], strict=False)
        terms = [build.times(trees.number(-a), trees.number(start)) for a, start in lower]
        steps.append(symbolic.equation_line(HIGHEST, build.total(terms), data.starts[-1]))
    else:
        steps.append(symbolic.equation_line(FORCED, read(data.forced)))
    steps += [symbolic.equation_line(WEIGHT.format(number=k), Fraction(weight)) for k, weight in enumerate(data.weights, 1)]
    return steps


def _quantities(task: Task[Data]) -> symbolic.Quantities:
    data = task.data
    return {
        FREE: lambda number: read(data.free[_index(number)]),
        HIGHEST: lambda: Fraction(data.starts[-1]),
        FORCED: lambda: read(data.forced),
        WEIGHT: lambda number: Fraction(data.weights[_index(number)]),
    }


def _weighted_sum(data: Data) -> Tree:
    return build.total(
        [build.times(trees.number(Fraction(weight)), read(free)) for weight, free in zip(data.weights, data.free, strict=True)]
    )


def _index(number: str) -> int:
    if int(number) < 1:
        raise ValueError("solutions are numbered from 1 on")
    return int(number) - 1


def _render_task(
    rng: Rng, left: Sequence[Tree | Fraction], forced: Tree, free: list[Tree], weights: list[int], starts: tuple[int, ...]
) -> Task[Data]:
    factors = [trees.number(factor) if isinstance(factor, Fraction) else factor for factor in left]
    slopes = [forced]
    for _ in starts:
        slopes.append(trees.derivative(slopes[-1], "x"))
    right = build.total([build.times(factor, slope) for factor, slope in zip(factors, slopes, strict=True)])
    # All terms have the same power of e, if any: the rest is a polynomial.
    powers = [node for node in trees.walk(right) if isinstance(node, Apply) and node.head == "exp"]
    right = build.times(
        symbolic.polynomial(trees.polynomial(symbolic.without_exponentials(right), "x", 8)), powers[0] if powers else build.ONE
    )
    names = ("y", "y'", "y''")
    written = "".join(_term(factor, names[k]) for k, factor in reversed(list(enumerate(factors[:-1]))))
    equation = f"{names[len(starts)]}{written} = {trees.write(right)}"
    conditions = " and ".join(f"{names[k]}(0) = {start}" for k, start in enumerate(starts))
    data = Data(
        equation=equation,
        left=tuple(map(trees.write, factors)),
        right=trees.write(right),
        starts=starts,
        free=tuple(map(trees.write, free)),
        forced=trees.write(forced),
        cover=trees.write(build.call("exp", build.add(build.times(trees.number(9), X), build.times(trees.number(2), build.power(X, 2))))),
        weights=tuple(map(str, weights)),
    )
    return Task(f"{phrase(rng, ASKS, equation=equation, starts=conditions)} Any formula for the solution will do.", data)


def _term(factor: Tree, name: str) -> str:
    """A further term of the left side, with its sign."""
    value = build.constant(factor)
    if value is None:
        return f" + ({trees.write(factor)})*{name}"
    size = "" if abs(value) == 1 else f"{abs(value)}*"
    return f" {'-' if value < 0 else '+'} {size}{name}" if value else ""


def _other_solutions(task: Task[Data]) -> Iterator[Tree]:
    """The solution with its parts in another order, or with something added and taken away."""
    data = task.data
    parts = [build.times(read(free), trees.number(Fraction(weight))) for weight, free in zip(data.weights, data.free, strict=True)]
    yield build.total([read(data.forced), *reversed(parts), X, build.minus(X)])
    yield build.subtract(build.add(build.total(parts[::-1]), build.add(build.ONE, read(data.forced))), build.ONE)


environment = Environment(
    Knobs, ANSWER, generate, solve, verify, mistakes, cost,
    solution=symbolic.solution(_lines, _quantities), shift=shift, answers="many", solutions=_other_solutions,
    concept="The zeros of the characteristic polynomial give the free solutions; add one that matches the right side and fit the weights.",
    version=3,
)  # fmt: skip
