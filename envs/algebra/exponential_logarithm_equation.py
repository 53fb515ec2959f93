"""Solve an equation with powers or logarithms that becomes a quadratic equation.

Some roots of the quadratic equation give no solution. The shifted family has equations in the logarithm of the unknown and its square.
"""

from fractions import Fraction

from rlgym import Config, Environment, Rng, Score, Task, TaskData, knob
from rlgym.answers import Solutions, trees
from rlgym.answers.maths import same_members
from rlgym.answers.trees import Tree, build
from rlgym.generators.algebra import polynomials, roots
from rlgym.generators.algebra.polynomials import Polynomial, join_terms
from rlgym.solutions import Checks, Derivation, Solution, Step

Roots = tuple[Tree, ...]
KINDS = ("exponents", "logarithms", "substitution")
ANSWER = Solutions("all real solutions as exact numbers such as ln(3)/2 or e^2 - 1, separated by commas, in any order")
REDUCED = Step("{how}: {polynomial} = 0.")
GIVES = Step("The root {root} gives {result}.")
CLOSING = "The solutions are {answer}"
CONCEPT = "Bring both sides to one base, or one logarithm to each side, or name the power; then reject what no power or logarithm can be."


class Knobs(Config):
    kind: str = knob(
        "logarithms", easy="exponents", hard="substitution", order=KINDS, doc="equal powers, a sum of logarithms, or squares of powers"
    )
    largest: int = knob(10, easy=5, hard=34, doc="largest root of the quadratic equation")
    base: int = knob(5, easy=3, hard=9, doc="largest base")
    leading: int = knob(2, easy=1, hard=9, doc="largest denominator of a root")


class Data(TaskData):
    kind: str
    base: int
    quadratic: Polynomial  # in x, or in the y that stands for what the unknown is hidden in
    factors: tuple[Polynomial, ...]  # what logarithms are taken of


def generate(rng: Rng, knobs: Knobs) -> Task[Data]:
    quadratic = _sample_quadratic(rng, knobs, knobs.kind == "substitution")
    c, b, a = quadratic
    if knobs.kind == "exponents":
        prime = rng.choice([p for p in (2, 3, 5, 7) if p <= knobs.base])
        high, low = rng.integer(2, 3), rng.integer(1, 3)
        line = (rng.integer(-knobs.largest, knobs.largest), rng.integer(-6, 6) or 1)
        # high*(left exponent) - low*(right exponent) is the quadratic, times high
        left = polynomials.plus(quadratic, tuple(low * k for k in line))
        shown = f"{prime**high}^({polynomials.text(left)}) = {prime**low}^({polynomials.text(tuple(high * k for k in line))})"
        return _render_task(shown, Data(kind="exponents", base=prime, quadratic=quadratic, factors=()))
    if knobs.kind == "substitution":
        base = rng.integer(2, knobs.base)
        powers = [f"{_coefficient(a)}{base}^(2*x)", f"{_coefficient(b)}{base}^x", str(c)]
        shown = join_terms([power for power, number in zip(powers, (a, b, c)) if number])
        return _render_task(f"{shown} = 0", Data(kind="substitution", base=base, quadratic=quadratic, factors=()))
    while True:
        left_factor, right_factor = ((rng.integer(-knobs.largest, 2 * knobs.largest), rng.integer(1, 2)) for _ in range(2))
        right = polynomials.plus(polynomials.times(left_factor, right_factor), tuple(-k for k in quadratic))
        data = Data(kind="logarithms", base=1, quadratic=quadratic, factors=(left_factor, right_factor))
        if (
            right != (0,)
            and left_factor != right_factor
            and any(_solution_from_root(data, root) for root in roots.roots_of_factor(quadratic))
        ):
            break
    shown = " + ".join(f"ln({polynomials.text(factor)})" for factor in (left_factor, right_factor))
    return _render_task(f"{shown} = ln({polynomials.text(right)})", data)


def shift(rng: Rng, knobs: Knobs) -> Task[Data]:
    """Squares of logarithms."""
    quadratic = _sample_quadratic(rng, knobs, False)
    c, b, a = quadratic
    power = rng.integer(2, 3)
    # The logarithm of a cube is three times the logarithm, and takes positive numbers only as well.
    inner = (rng.integer(-2 * knobs.largest, 2 * knobs.largest), rng.integer(1, 3))
    line = polynomials.text(inner)
    middle = f"{_coefficient(b // power)}ln(({line})^{power})" if b % power == 0 and power == 3 else f"{_coefficient(b)}ln({line})"
    parts = [(f"{_coefficient(a)}ln({line})^2", a), (middle, b), (str(c), c)]
    data = Data(kind="squares", base=1, quadratic=quadratic, factors=(inner,))
    return _render_task(join_terms([part for part, number in parts if number]) + " = 0", data)


def solve(task: Task[Data]) -> Roots:
    candidates = (_solution_from_root(task.data, root) for root in roots.roots_of_factor(task.data.quadratic))
    return tuple(solution for solution in candidates if solution)


def verify(task: Task[Data], answer: Roots) -> Score:
    return Score.exact(same_members(solve(task), answer), "these are not the solutions")


def mistakes(task: Task[Data], right: Roots) -> list[Roots]:
    every = roots.roots_of_factor(task.data.quadratic)
    more = tuple(build.add(root, trees.number(1)) for root in right)
    return [every, more, right[1:], (*right, trees.number(23)), ()]


def cost(task: Task[Data]) -> float:
    return (2 + (*KINDS, "squares").index(task.data.kind)) * (sum(map(abs, task.data.quadratic)) + 20)


def derive(task: Task[Data]) -> Derivation:
    data, name = task.data, _quadratic_variable(task.data)
    yield REDUCED(how=_substitution(data), polynomial=polynomials.text(data.quadratic, name))
    yield from roots.factoring_steps("left side", data.quadratic, name)
    for root in roots.roots_of_factor(data.quadratic):
        yield GIVES(root=trees.write(root), result=_result(data, root))


def checks(task: Task[Data]) -> Checks:
    data, name = task.data, _quadratic_variable(task.data)
    results = {trees.write(root): _result(data, root) for root in roots.roots_of_factor(data.quadratic)}
    return {
        REDUCED: lambda how, polynomial: (how, polynomial) == (_substitution(data), polynomials.text(data.quadratic, name)),
        GIVES: lambda root, result: results.get(root) == result,
        **roots.checks({"left side": data.quadratic}, name),
    }


def _sample_quadratic(rng: Rng, knobs: Knobs, positive: bool) -> Polynomial:
    """A quadratic with two different rational roots; the first is positive on request."""
    while True:
        below = (rng.integer(1, knobs.leading), rng.integer(1, knobs.leading))
        above = (rng.integer(1, knobs.largest) * (1 if positive else rng.choice((-1, 1))), rng.integer(-knobs.largest, knobs.largest))
        quadratic = polynomials.times((-above[0], below[0]), (-above[1], below[1]))
        quadratic = tuple(a // polynomials.content(quadratic) for a in quadratic)
        if above[0] * below[1] != above[1] * below[0] and above[1]:
            return quadratic


def _render_task(shown: str, data: Data) -> Task[Data]:
    logarithm = " ln is the natural logarithm, defined for positive numbers only." if "ln" in shown else ""
    return Task(f"Find all real numbers x with\n{shown}{chr(10) + logarithm.strip() if logarithm else ''}", data)


def _coefficient(number: int) -> str:
    return {1: "", -1: "-"}.get(number, f"{number}*")


def _quadratic_variable(data: Data) -> str:
    return "x" if data.kind in ("exponents", "logarithms") else "y"


def _substitution(data: Data) -> str:
    return {
        "exponents": f"With {data.base} as base on both sides the exponents are equal",
        "logarithms": "The logarithms are equal, so the product is equal to the right side",
        "substitution": f"Write y for {data.base}^x",
        "squares": f"Write y for the logarithm of {polynomials.text((data.factors or ((0, 1),))[0])}",
    }[data.kind]


def _solution_from_root(data: Data, root: Tree) -> Tree | None:
    """The solution x from a root of the quadratic equation; None if there is none."""
    value = build.constant(root)
    assert value is not None
    if data.kind == "exponents":
        return root
    if data.kind == "logarithms":
        return root if all(polynomials.value(factor, value) > 0 for factor in data.factors) else None
    if data.kind == "squares":
        (rest, slope), power_of_e = data.factors[0], trees.Apply("^", (trees.Name("e"), root)) if value != 1 else trees.Name("e")
        return build.over(build.subtract(power_of_e, trees.number(rest)), trees.number(slope))
    if value <= 0:
        return None
    power = next((k for k in range(-6, 7) if Fraction(data.base) ** k == value), None)
    if power is not None:
        return trees.number(power)
    return build.over(trees.Apply("ln", (root,)), trees.Apply("ln", (trees.number(data.base),)))


def _result(data: Data, root: Tree) -> str:
    solution = _solution_from_root(data, root)
    return f"x = {trees.write(solution)}" if solution else "no solution"


environment = Environment(
    Knobs,
    ANSWER,
    generate,
    solve,
    verify,
    mistakes,
    cost,
    solution=Solution(derive, CLOSING, checks),
    shift=shift,
    shared_helpers="The helper turns a root of the substituted equation into a solution.",
    concept=CONCEPT,
    version=2,
)
