"""Work out a limit in which numerator and denominator both vanish, or both grow without bound.

Limits at 0 depend on the leading powers; the shifted family has limits at infinity: roots, quotients, and powers that tend to a power of e.
"""

from fractions import Fraction

from rlgym import Config, Environment, Rng, Score, Task, TaskData, knob
from rlgym.answers import Expression, trees
from rlgym.answers.trees import Apply, Tree, build
from rlgym.generators.algebra import symbolic
from rlgym.generators.algebra.power_series import HEADS, functions, taylor_coefficients
from rlgym.generators.algebra.symbolic import read
from rlgym.generators.stories import phrase

X = symbolic.X
EXPANDED = "{part} up to x^{degree}"
LEADING = "leading coefficient of the {which}"
FORMS = ("quotient", "root", "roots", "power", "shifted")
RULES = {
    "quotient": "quotient of the leading coefficients",
    "root": "half the coefficient of x under the root over the root of that of x^2, less the constant",
    "roots": "difference of the coefficients of x under the roots over twice the root of that of x^2",
    "power": "limit of the exponent times the logarithm of the base",
    "shifted": "limit of the exponent times the logarithm of the quotient",
}
KINDS = ("one", "several", "products")
ASKS = (
    "Find the limit of {f} as x tends to 0.",
    "What does {f} tend to as x goes to 0 (x not 0)?",
    "Work out the exact limit for x -> 0 of {f}.",
    "Which number does {f} approach as x approaches 0?",
)
FAR = (
    "Find the limit of {f} as x tends to infinity.",
    "What does {f} tend to as x grows without bound?",
    "Work out the exact limit for x -> +infinity of {f}.",
    "Which number does {f} approach as x becomes larger and larger?",
)
ANSWER = Expression((), ("sqrt", "exp", "ln"), ("e", "pi"), instructions="the limit as an exact number")
CONCEPT = "At 0 expand both sides until the first power that does not cancel; far out compare the leading terms, or take logarithms."


class Knobs(Config):
    order: int = knob(2, easy=1, hard=5, doc="order of the zero of numerator and denominator")
    largest: int = knob(7, easy=4, hard=14, doc="largest number in a function")
    kind: str = knob("several", easy="one", hard="products", order=KINDS, doc="one function, several that cancel, or products of functions")


class Data(TaskData):
    top: str
    below: str
    order: int
    form: tuple[str, ...]  # at infinity: the kind of expression and its numbers
    value: str


def generate(rng: Rng, knobs: Knobs) -> Task[Data]:
    while True:
        top = _sample_numerator(rng, knobs)
        series = taylor_coefficients(top, 6)
        order = next((k for k, a in enumerate(series) if a), 0)
        if not order:
            continue
        below = _sample_divisor(rng, knobs, order)
        value = series[order] / taylor_coefficients(below, order)[order]
        if value.denominator < 3000:
            break
    f = f"({trees.write(top)})/({trees.write(below)})"
    data = Data(top=trees.write(top), below=trees.write(below), order=order, form=(), value=str(value))
    return Task(phrase(rng, ASKS, f=f) + (" ln is the natural logarithm." if "ln" in f else ""), data)


def shift(rng: Rng, knobs: Knobs) -> Task[Data]:
    reach = KINDS.index(knobs.kind)
    form = rng.choice(FORMS[reach : reach + 3])
    while True:
        a, b, c, d = (symbolic.sample_coefficient(rng, 2 * knobs.largest) for _ in range(4))
        k = rng.integer(1, knobs.largest)
        if a != b and a != 2 * k * b and max(abs(a), abs(b)) * k <= 60:
            break
    first, second = (symbolic.polynomial([free, middle, k * k]) for free, middle in ((c, a), (d, b)))
    if form == "quotient":
        sides = [[*(rng.integer(-knobs.largest, knobs.largest) for _ in range(knobs.order)), lead] for lead in (a, k)]
        tree: Tree = build.over(*map(symbolic.polynomial, sides))
    elif form == "root":
        tree = build.subtract(build.call("sqrt", first), symbolic.polynomial([b, k]))
    elif form == "roots":
        tree = build.subtract(build.call("sqrt", first), build.call("sqrt", second))
    elif form == "power":
        tree = Apply("^", (build.add(build.ONE, build.over(trees.number(a), X)), symbolic.polynomial([c, k])))
    else:
        tree = Apply("^", (build.over(symbolic.polynomial([a, 1]), symbolic.polynomial([a + b, 1])), symbolic.polynomial([c, k])))
    numbers = (form, str(a), str(b), str(k))
    data = Data(top=trees.write(tree), below="", order=knobs.order, form=numbers, value=trees.write(_limit_at_infinity(numbers)))
    return Task(phrase(rng, FAR, f=data.top), data)


def solve(task: Task[Data]) -> Tree:
    # At 0 by l'Hospital's rule; `generate` uses power series.
    data = task.data
    if data.form:
        return _limit_at_infinity(data.form)
    above, below = read(data.top), read(data.below)
    for _ in range(data.order):
        above, below = trees.derivative(above, "x"), trees.derivative(below, "x")
    return trees.number(_value_at_zero(above) / _value_at_zero(below))


def verify(task: Task[Data], answer: Tree) -> Score:
    return Score.exact(trees.same(read(task.data.value), answer), "that is another limit")


def mistakes(task: Task[Data], right: Tree) -> list[Tree]:
    return [
        build.minus(right),
        build.ZERO,
        build.ONE,
        build.add(right, build.ONE),
        build.over(build.ONE, right),
        build.times(trees.number(2), right),
    ]


def cost(task: Task[Data]) -> float:
    data = task.data
    if data.form:
        return 20 * FORMS.index(data.form[0]) + sum(map(len, data.form[1:])) + len(data.top) * data.order / 2
    return (trees.size(read(data.top)) + trees.size(read(data.below))) * (1 + data.order)


def _lines(task: Task[Data]) -> list[str]:
    data = task.data
    if data.form:
        rule = _deciding_number(data.form)
        return [symbolic.equation_line(RULES[data.form[0]], rule, trees.exact(rule))]
    steps = []
    for which, text in (("numerator", data.top), ("denominator", data.below)):
        tree = read(text)
        parts = [*dict.fromkeys(functions(tree)), tree]
        steps += [
            symbolic.equation_line(_series_name(part, data.order), symbolic.polynomial(taylor_coefficients(part, data.order)))
            for part in parts
        ]
        steps.append(symbolic.equation_line(LEADING.format(which=which), taylor_coefficients(tree, data.order)[data.order]))
    return steps


def _quantities(task: Task[Data]) -> symbolic.Quantities:
    data = task.data
    if data.form:
        return {RULES[data.form[0]]: lambda: _deciding_number(data.form)}
    sides = {"numerator": read(data.top), "denominator": read(data.below)}

    def series(part: str, degree: str) -> Tree:
        tree = read(part)
        if int(degree) != data.order or tree not in [known for side in sides.values() for known in (side, *functions(side))]:
            raise ValueError("no part of the expression")
        return symbolic.polynomial(taylor_coefficients(tree, data.order))

    return {EXPANDED: series, LEADING: lambda which: taylor_coefficients(sides[which], data.order)[data.order]}


def _series_name(part: Tree, degree: int) -> str:
    return EXPANDED.format(part=trees.write(part), degree=degree)


def _sample_function(rng: Rng, knobs: Knobs) -> Tree:
    inner = build.times(trees.number(symbolic.sample_coefficient(rng, knobs.largest)), X)
    head = rng.choice(HEADS)
    return build.call(head, build.add(build.ONE, inner) if head == "ln" else inner)


def _sample_numerator(rng: Rng, knobs: Knobs) -> Tree:
    """A sum or a product of functions minus all its terms below a power of x."""
    if knobs.kind == "products":
        tree = build.times(_sample_function(rng, knobs), _sample_function(rng, knobs))
    else:
        parts = [_sample_function(rng, knobs) for _ in range(1 if knobs.kind == "one" else 2)]
        tree = build.ordered(
            [build.times(trees.number(symbolic.sample_coefficient(rng, 3 if len(parts) > 1 else 1)), part) for part in parts]
        )
    return build.subtract(tree, symbolic.polynomial(taylor_coefficients(tree, knobs.order - 1)))


def _sample_divisor(rng: Rng, knobs: Knobs, order: int) -> Tree:
    """An expression whose series starts with that power of x."""
    inner = build.times(trees.number(rng.integer(1, knobs.largest)), X)
    if knobs.kind == "one":
        return build.times(trees.number(rng.integer(1, knobs.largest)), build.power(X, order))
    if knobs.kind == "products" and order > 1 and rng.chance(0.6):
        return build.times(build.power(X, order - 2), build.subtract(build.ONE, build.call("cos", inner)))
    return build.times(
        build.power(X, order - 1), build.call("sin", inner) if rng.chance(0.6) else build.call("ln", build.add(build.ONE, inner))
    )


def _deciding_number(form: tuple[str, ...]) -> Tree:
    """The number that decides a limit at infinity, as a formula."""
    name = form[0]
    a, b, k = (Apply("neg", (trees.number(-int(part)),)) if int(part) < 0 else trees.number(int(part)) for part in form[1:])
    two = Apply("*", (trees.number(2), k))
    return {
        "quotient": Apply("/", (a, k)),
        "root": Apply("-", (Apply("/", (a, two)), b)),
        "roots": Apply("/", (Apply("-", (a, b)), two)),
        "power": Apply("*", (a, k)),
        "shifted": Apply("neg", (Apply("*", (b, k)),)),
    }[name]


def _limit_at_infinity(form: tuple[str, ...]) -> Tree:
    value = trees.number(trees.exact(_deciding_number(form)))
    return build.call("exp", value) if form[0] in ("power", "shifted") else value


def _value_at_zero(tree: Tree) -> Fraction:
    """The value at 0, where exp is 1, sin and arctan are 0, cos is 1, and ln is taken of 1."""
    if not isinstance(tree, Apply):
        return trees.exact(tree, {"x": Fraction(0)})
    parts = [_value_at_zero(part) for part in tree.parts]
    if tree.head in HEADS:
        if parts[0] != (tree.head == "ln"):
            raise trees.Undefined("not a rational value")
        return Fraction(tree.head in ("exp", "cos"))
    return trees.exact(Apply(tree.head, tuple(map(trees.number, parts))))


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
    version=2,
)
