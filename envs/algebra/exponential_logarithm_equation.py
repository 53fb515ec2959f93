"""Solve an equation with powers or logarithms that becomes a quadratic equation.

Roots of the quadratic equation may give no solution. In the shifted family the unknown is hidden in squares of its logarithm.
"""

from collections.abc import Sequence
from fractions import Fraction

from rlgym import Config, Environment, Rng, Score, Task, TaskData, knob
from rlgym.answers import Solutions, trees
from rlgym.answers.maths import same_members
from rlgym.answers.trees import Tree, build
from rlgym.generators.algebra import polynomials, roots
from rlgym.generators.algebra.polynomials import Polynomial, joined
from rlgym.generators.claims import Claim, refuted
from rlgym.generators.steps import Line, ended

Found = tuple[Tree, ...]
KINDS = ("exponents", "logarithms", "substitution")


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
    quadratic = _quadratic(rng, knobs, knobs.kind == "substitution")
    c, b, a = quadratic
    if knobs.kind == "exponents":
        prime = rng.choice([p for p in (2, 3, 5, 7) if p <= knobs.base])
        high, low = rng.integer(2, 3), rng.integer(1, 3)
        line = (rng.integer(-knobs.largest, knobs.largest), rng.integer(-6, 6) or 1)
        # high*(left exponent) - low*(right exponent) is the quadratic, times high
        left = polynomials.plus(quadratic, tuple(low * k for k in line))
        shown = f"{prime**high}^({polynomials.text(left)}) = {prime**low}^({polynomials.text(tuple(high * k for k in line))})"
        return _task(shown, Data(kind="exponents", base=prime, quadratic=quadratic, factors=()))
    if knobs.kind == "substitution":
        base = rng.integer(2, knobs.base)
        powers = [f"{_times(a)}{base}^(2*x)", f"{_times(b)}{base}^x", str(c)]
        shown = joined([power for power, number in zip(powers, (a, b, c)) if number])
        return _task(f"{shown} = 0", Data(kind="substitution", base=base, quadratic=quadratic, factors=()))
    while True:
        one, other = ((rng.integer(-knobs.largest, 2 * knobs.largest), rng.integer(1, 2)) for _ in range(2))
        right = polynomials.plus(polynomials.times(one, other), tuple(-k for k in quadratic))
        data = Data(kind="logarithms", base=1, quadratic=quadratic, factors=(one, other))
        if right != (0,) and one != other and any(_solution(data, root) for root in roots.of_factor(quadratic)):
            break
    shown = " + ".join(f"ln({polynomials.text(factor)})" for factor in (one, other))
    return _task(f"{shown} = ln({polynomials.text(right)})", data)


def shift(rng: Rng, knobs: Knobs) -> Task[Data]:
    """Squares of logarithms."""
    quadratic = _quadratic(rng, knobs, False)
    c, b, a = quadratic
    power = rng.integer(2, 3)
    # The logarithm of a cube is three times the logarithm, and takes positive numbers only as well.
    inner = (rng.integer(-2 * knobs.largest, 2 * knobs.largest), rng.integer(1, 3))
    line = polynomials.text(inner)
    middle = f"{_times(b // power)}ln(({line})^{power})" if b % power == 0 and power == 3 else f"{_times(b)}ln({line})"
    parts = [(f"{_times(a)}ln({line})^2", a), (middle, b), (str(c), c)]
    data = Data(kind="squares", base=1, quadratic=quadratic, factors=(inner,))
    return _task(joined([part for part, number in parts if number]) + " = 0", data)


def solve(task: Task[Data]) -> Found:
    found = (_solution(task.data, root) for root in roots.of_factor(task.data.quadratic))
    return tuple(solution for solution in found if solution)


def verify(task: Task[Data], answer: Found) -> Score:
    return Score.exact(same_members(solve(task), answer), "these are not the solutions")


def mistakes(task: Task[Data], right: Found) -> list[Found]:
    every = roots.of_factor(task.data.quadratic)
    more = tuple(build.add(root, trees.number(1)) for root in right)
    return [every, more, right[1:], (*right, trees.number(23)), ()]


def cost(task: Task[Data]) -> float:
    return (2 + (*KINDS, "squares").index(task.data.kind)) * (sum(map(abs, task.data.quadratic)) + 20)


def explain(task: Task[Data]) -> list[str]:
    data, name = task.data, _name(task.data)
    steps = [
        _REDUCED.write(how=_how(data), polynomial=polynomials.text(data.quadratic, name)),
        *roots.told("left side", data.quadratic, name),
    ]
    steps += [_GIVES.write(root=trees.write(root), result=_result(data, root)) for root in roots.of_factor(data.quadratic)]
    return [*steps, _LAST + _ANSWER.render(solve(task))]


def replay(task: Task[Data], steps: Sequence[str]) -> int | None:
    data, name = task.data, _name(task.data)
    reduced: Claim = (_REDUCED, lambda how, polynomial: (how, polynomial) == (_how(data), polynomials.text(data.quadratic, name)))
    results = {trees.write(root): _result(data, root) for root in roots.of_factor(data.quadratic)}
    gives: Claim = (_GIVES, lambda root, result: results.get(root) == result)
    return refuted(steps, [reduced, gives, *roots.claims({"left side": data.quadratic}, name)], ended(_LAST, task, _ANSWER, verify))


def _quadratic(rng: Rng, knobs: Knobs, positive: bool) -> Polynomial:
    """Two different rational roots, of which the first is positive where that is wanted."""
    while True:
        below = (rng.integer(1, knobs.leading), rng.integer(1, knobs.leading))
        above = (rng.integer(1, knobs.largest) * (1 if positive else rng.choice((-1, 1))), rng.integer(-knobs.largest, knobs.largest))
        whole = polynomials.times((-above[0], below[0]), (-above[1], below[1]))
        whole = tuple(a // polynomials.content(whole) for a in whole)
        if above[0] * below[1] != above[1] * below[0] and above[1]:
            return whole


def _task(shown: str, data: Data) -> Task[Data]:
    logarithm = " ln is the natural logarithm, and takes positive numbers only." if "ln" in shown else ""
    return Task(f"Find all real numbers x with\n{shown}{chr(10) + logarithm.strip() if logarithm else ''}", data)


def _times(number: int) -> str:
    return {1: "", -1: "-"}.get(number, f"{number}*")


def _name(data: Data) -> str:
    return "x" if data.kind in ("exponents", "logarithms") else "y"


def _how(data: Data) -> str:
    return {
        "exponents": f"With {data.base} as base on both sides the exponents are equal",
        "logarithms": "The logarithms are equal, so the product is equal to the right side",
        "substitution": f"Write y for {data.base}^x",
        "squares": f"Write y for the logarithm of {polynomials.text((data.factors or ((0, 1),))[0])}",
    }[data.kind]


def _solution(data: Data, root: Tree) -> Tree | None:
    """The x that a root of the quadratic equation gives."""
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
    solution = _solution(data, root)
    return f"x = {trees.write(solution)}" if solution else "no solution"


_ANSWER = Solutions("all real solutions as exact numbers (with ln and e where needed), separated by commas, in any order")
_REDUCED = Line("{how}: {polynomial} = 0.")
_GIVES = Line("The root {root} gives {result}.")
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
    concept="Bring both sides to one base, or one logarithm to each side, or name the power; then reject what no power or logarithm can be.",
)
