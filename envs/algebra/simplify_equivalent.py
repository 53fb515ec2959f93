"""Rewrite an expression as an equal one within a length limit.

Any expression that is equal to the given one and within the stated length is accepted; equality is decided exactly.
"""

from collections.abc import Iterator
from fractions import Fraction
from math import isqrt

from rlgym import Config, Environment, Rng, Score, Task, TaskData, knob
from rlgym.answers import Expression, trees
from rlgym.answers.trees import Apply, Name, Tree, build
from rlgym.generators.algebra import polynomials
from rlgym.solutions import Derivation, Solution, Step

FORMS = ("collect", "power", "cancel", "parts")
ANSWER = Expression(("x", "y"), instructions="one expression of numbers, variables, + - * / ^ and brackets", max_characters=3000)
GRAMMAR = ANSWER.grammar
CONCEPT = (
    "Multiply everything out and collect, then look for the structure that says it shortest: a power, a common factor, simple fractions."
)
LIKE_TERMS = Step("Multiplied out, the coefficients of {name} add up to {total:fraction}")
CONSTANT = Step("The numbers without a variable add up to {total:fraction}")
EXPANDED = Step("Multiplied out and collected, {part} is {polynomial}")
COMPLETE = Step(
    "{scale:fraction}*(x + s)^{degree:int} begins with {scale}*x^{degree} + {degree}*{scale}*s*x^{below:int}. Its second coefficient has to be "
    "{second:fraction}, so s = {shift:fraction}; what differs in the end is the number {rest:fraction}"
)
CANCELLED = Step("Euclid's algorithm gives the common factor of both; divided by it, they are {top} over {below}")
POLE = Step(
    "The denominator is 0 at x = {pole:fraction}. The fraction over x - ({pole}) has the numerator there, {value:fraction}, divided by the derivative of the "
    "denominator there, {slope:fraction}: {residue:fraction}"
)
END = "So the short form is {answer}"


class Knobs(Config):
    form: str = knob(
        "power",
        easy="collect",
        hard="parts",
        order=FORMS,
        doc="what must be seen: like terms, the power of a sum, a common factor, or a sum of two fractions",
    )
    tangle: int = knob(2, easy=1, hard=5, doc="products put into each polynomial of the given expression")
    degree: int = knob(2, easy=2, hard=5, doc="degree of the short form, or of the common factor")
    largest: int = knob(6, easy=5, hard=15, doc="largest number drawn")
    slack: int = knob(2, easy=4, hard=0, doc="how much longer than the planned form the answer may be")


class Data(TaskData):
    form: str
    short: str
    most: int


def generate(rng: Rng, knobs: Knobs) -> Task[Data]:
    shown, short = {"collect": _sample_sum, "power": _sample_power, "cancel": _sample_quotient, "parts": _sample_fractions}[knobs.form](
        rng, knobs
    )
    most = trees.size(short) + knobs.slack
    prompt = (
        f"Rewrite this expression as an equal expression of length at most {most}:\n{shown}\n\n"
        "Each number, each variable and each operator + - * / ^ (including an omitted *) has length 1, and so does a minus sign in front of a number or "
        "a term, so that -3 has length 2. Brackets have length 0. Two expressions are equal if they have the same value wherever both are defined."
    )
    return Task(prompt, Data(form=knobs.form, short=trees.write(short), most=most))


def solve(task: Task[Data]) -> Tree:
    shown = _show(task)
    if task.data.form == "collect":
        return _linear(*_slopes(shown))
    top, below = _read_ratio(shown)
    if task.data.form == "power":
        degree = len(top) - 1
        shift = top[-2] / (degree * top[-1])
        return _shifted_power(top[-1], shift, degree, _value(top, -shift))
    top, below = _lowest(top, below)
    if task.data.form == "cancel":
        return build.over(build.of_coefficients(top), build.of_coefficients(below))
    _, b, a = below
    return _fractions([(_value(top, root) / (2 * a * root + b), -root) for root in _roots(below)])


def verify(task: Task[Data], answer: Tree) -> Score:
    size = trees.size(answer)
    if size > task.data.most:
        return Score.wrong(f"its length is {size}")
    return Score.exact(trees.same(trees.read(task.data.short, GRAMMAR), answer), "the expression is not equal to the given one")


def mistakes(task: Task[Data], right: Tree) -> list[Tree]:
    wrong = [other for other in ANSWER.near_misses(right) if trees.size(other) <= task.data.most]
    return [_show(task), build.add(right, build.ONE), build.minus(right), build.times(trees.number(2), right), *wrong]


def cost(task: Task[Data]) -> float:
    return trees.size(_show(task)) * (1 + 2 * FORMS.index(task.data.form))


def derive(task: Task[Data]) -> Derivation:
    shown = _show(task)
    if task.data.form == "collect":
        x, y, rest = _slopes(shown)
        yield LIKE_TERMS(name="x", total=x)
        yield LIKE_TERMS(name="y", total=y)
        yield CONSTANT(total=rest)
        return
    top, below = _read_ratio(shown)
    yield EXPANDED(part="the numerator" if len(below) > 1 else "it", polynomial=trees.write(build.of_coefficients(top)))
    if task.data.form == "power":
        degree = len(top) - 1
        shift = top[-2] / (degree * top[-1])
        rest = _value(top, -shift)
        yield COMPLETE(scale=top[-1], degree=degree, below=degree - 1, second=top[-2], shift=shift, rest=rest)
        return
    yield EXPANDED(part="the denominator", polynomial=trees.write(build.of_coefficients(below)))
    top, below = _lowest(top, below)
    yield CANCELLED(top=trees.write(build.of_coefficients(top)), below=trees.write(build.of_coefficients(below)))
    for pole in _roots(below) if task.data.form == "parts" else ():
        slope, value = 2 * below[2] * pole + below[1], _value(top, pole)
        yield POLE(pole=pole, value=value, slope=slope, residue=value / slope)


def solutions(task: Task[Data]) -> Iterator[Tree]:
    """The planned form, and the same with the sides of sums and products exchanged."""
    short = trees.read(task.data.short, GRAMMAR)
    yield short
    yield _mirror(short)
    if isinstance(short, Apply) and short.head in "+*":
        yield Apply(short.head, short.parts[::-1])


def _sample_sum(rng: Rng, knobs: Knobs) -> tuple[str, Tree]:
    while True:
        groups = [[rng.integer(-knobs.largest, knobs.largest) for _ in range(3)] for _ in range(knobs.tangle + 1)]
        scales = [rng.integer(2, knobs.largest) for _ in groups]
        loose = [rng.integer(-knobs.largest, knobs.largest) for _ in range(2)]
        x, y, rest = (sum(scale * group[i] for scale, group in zip(scales, groups)) for i in range(3))
        if x + loose[0] and y + loose[1] and all(group[0] and group[1] for group in groups) and all(loose):
            break
    texts = [f"{scale}*({trees.write(_linear(*map(Fraction, group)))})" for scale, group in zip(scales, groups)]
    texts += [trees.write(build.times(trees.number(a), Name(name))) for a, name in zip(loose, "xy")]
    return polynomials.join_terms(rng.shuffled(texts)), _linear(Fraction(x + loose[0]), Fraction(y + loose[1]), Fraction(rest))


def _sample_power(rng: Rng, knobs: Knobs) -> tuple[str, Tree]:
    scale, shift = rng.integer(1, 4), rng.integer(1, knobs.largest) * rng.choice((-1, 1))
    rest = rng.integer(1, 9 * knobs.largest) * rng.choice((-1, 1))
    expanded = polynomials.plus(polynomials.times((scale,), polynomials.product([(shift, 1)] * knobs.degree)), (rest,))
    return polynomials.sample_unexpanded(rng, expanded, knobs.tangle), _shifted_power(
        Fraction(scale), Fraction(shift), knobs.degree, Fraction(rest)
    )


def _sample_quotient(rng: Rng, knobs: Knobs) -> tuple[str, Tree]:
    top, below = (polynomials.sample_irreducible(rng, degree, knobs.largest, 3) for degree in (1, 2))
    if rng.chance(0.5):
        top, below = below, top
    common = polynomials.product([polynomials.sample_irreducible(rng, 1, knobs.largest, 2) for _ in range(knobs.degree - 1)])
    shown = [polynomials.sample_unexpanded(rng, polynomials.times(part, common), knobs.tangle) for part in (top, below)]
    short = build.over(*(build.of_coefficients(part) for part in (top, below)))
    return f"({shown[0]})/({shown[1]})", short


def _sample_fractions(rng: Rng, knobs: Knobs) -> tuple[str, Tree]:
    low, high = sorted(rng.sample([i for i in range(-knobs.largest, knobs.largest + 1) if i], 2))
    left, right = (rng.integer(1, knobs.largest) * rng.choice((-1, 1)) for _ in range(2))
    top = polynomials.plus(polynomials.times((left,), (low, 1)), polynomials.times((right,), (high, 1)))
    common = polynomials.product([polynomials.sample_irreducible(rng, 1, knobs.largest, 2) for _ in range(knobs.degree - 2)])
    below = polynomials.product([(low, 1), (high, 1), common])
    shown = [polynomials.sample_unexpanded(rng, part, knobs.tangle) for part in (polynomials.times(top, common), below)]
    return f"({shown[0]})/({shown[1]})", _fractions([(Fraction(left), Fraction(high)), (Fraction(right), Fraction(low))])


def _show(task: Task[Data]) -> Tree:
    return trees.read(task.prompt.split("\n")[1], GRAMMAR)


def _slopes(shown: Tree) -> tuple[Fraction, Fraction, Fraction]:
    """The coefficients of x and y and the constant of a linear expression, from its values at three points."""
    rest, x, y = (trees.exact(shown, {"x": Fraction(at[0]), "y": Fraction(at[1])}) for at in ((0, 0), (1, 0), (0, 1)))
    return x - rest, y - rest, rest


def _read_ratio(shown: Tree) -> tuple[list[Fraction], list[Fraction]]:
    if isinstance(shown, Apply) and shown.head == "/":
        return trees.polynomial(shown.parts[0], "x", 40), trees.polynomial(shown.parts[1], "x", 40)
    return trees.polynomial(shown, "x", 40), [Fraction(1)]


def _lowest(top: list[Fraction], below: list[Fraction]) -> tuple[list[Fraction], list[Fraction]]:
    """Numerator and denominator with integer coefficients and no common factor, by sympy's exact division."""
    import sympy

    x = sympy.Symbol("x")
    shown = [sympy.Poly([sympy.Rational(a.numerator, a.denominator) for a in reversed(part)], x) for part in (top, below)]
    scale, left, right = shown[0].cancel(shown[1])
    scale = sympy.Rational(scale)
    parts = [int(scale.p) * left, int(scale.q) * right]
    if parts[1].LC() < 0:
        parts = [-part for part in parts]
    return tuple([Fraction(int(a)) for a in reversed(part.all_coeffs())] for part in parts)  # type: ignore[return-value]


def _value(coefficients: list[Fraction], x: Fraction) -> Fraction:
    return sum((a * x**i for i, a in enumerate(coefficients)), Fraction(0))


def _roots(quadratic: list[Fraction]) -> list[Fraction]:
    """The two rational roots, in ascending order."""
    c, b, a = quadratic
    square = b * b - 4 * a * c
    width = Fraction(isqrt(square.numerator), isqrt(square.denominator))
    return sorted(((-b - width) / (2 * a), (-b + width) / (2 * a)))


def _linear(x: Fraction, y: Fraction, rest: Fraction) -> Tree:
    return build.ordered([build.times(trees.number(a), Name(name)) for a, name in ((x, "x"), (y, "y"))] + [trees.number(rest)])


def _shifted_power(scale: Fraction, shift: Fraction, degree: int, rest: Fraction) -> Tree:
    power = build.power(build.add(Name("x"), trees.number(shift)), degree)
    return build.add(build.times(trees.number(scale), power), trees.number(rest))


def _fractions(parts: list[tuple[Fraction, Fraction]]) -> Tree:
    return build.ordered([build.over(trees.number(top), build.add(Name("x"), trees.number(shift))) for top, shift in parts])


def _mirror(tree: Tree) -> Tree:
    if not isinstance(tree, Apply):
        return tree
    parts = tuple(map(_mirror, tree.parts))
    return Apply(tree.head, parts[::-1] if tree.head in "+*" else parts)


environment = Environment(
    Knobs,
    ANSWER,
    generate,
    solve,
    verify,
    mistakes,
    cost,
    solution=Solution(derive, END),
    answers="many",
    solutions=solutions,
    concept=CONCEPT,
    version=3,
)
