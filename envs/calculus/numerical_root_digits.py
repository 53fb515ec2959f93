"""Find the decimal digits of the one zero of a function in a given interval.

The function is a polynomial; the shifted family has equations between an exponential, a logarithm or an arctangent and a polynomial.
"""

from fractions import Fraction

from rlgym import Config, Environment, Rng, Score, Task, TaskData, knob
from rlgym.answers import Rational, trees
from rlgym.answers.trees import Tree, build
from rlgym.generators import calculations
from rlgym.generators.algebra import symbolic
from rlgym.generators.algebra.symbolic import read
from rlgym.generators.stories import phrase
from rlgym.generators.text.english import count_noun
from rlgym.solutions import Checks, Derivation, Solution, Step

SIGN = Step("f({at}) is {sign}, so the zero lies between {low} and {high}")
SIGNS = {True: "negative", False: "positive"}
CLOSING = Step("Answer: {answer}")
ASKS = (
    (
        "The function f(x) = {f} has exactly one zero between {low} and {high}. Give it to {digits} after the decimal point, "
        "rounded down (further digits cut off)."
    ),
    (
        "Between {low} and {high}, f(x) = {f} is 0 for exactly one x. Give this x as a decimal, cut off (not rounded) to "
        "{digits} after the decimal point."
    ),
    (
        "Find the only zero of f(x) = {f} in the interval from {low} to {high}; give it to {digits} after the decimal point, without rounding up."
    ),
    (
        "There is exactly one x between {low} and {high} with f(x) = 0, where f(x) = {f}. Write x as a decimal, cut off to {digits} after the point."
    ),
)
ANSWER = Rational("the decimal number", as_decimal=True)
CONCEPT = "A change of sign encloses the zero: narrow it down digit by digit."


class Knobs(Config):
    digits: int = knob(3, easy=1, hard=7, doc="how many digits after the decimal point")
    degree: int = knob(3, easy=2, hard=6, doc="degree of the polynomial")
    largest: int = knob(9, easy=6, hard=20, doc="largest coefficient")


class Data(TaskData):
    function: str
    low: int
    digits: int
    value: str


def generate(rng: Rng, knobs: Knobs) -> Task[Data]:
    while True:
        # All coefficients but the constant one are of one sign, so that the function rises or falls for positive x.
        sign, low = rng.choice((1, -1)), rng.integer(0, 4)
        inner = [Fraction(sign * rng.integer(0, knobs.largest)) for _ in range(knobs.degree - 1)] + [
            Fraction(sign * rng.integer(1, knobs.largest))
        ]
        edges = [symbolic.evaluate([Fraction(0), *inner], low + k) for k in range(2)]
        middle = [Fraction(rng.integer(int(min(edges)) + 1, int(max(edges)) - 1))] if abs(edges[1] - edges[0]) > 3 else []
        if middle and (task := _make_task(rng, symbolic.polynomial([-middle[0], *inner]), low, knobs)):
            return task


def shift(rng: Rng, knobs: Knobs) -> Task[Data]:
    while True:
        low = rng.integer(0, 3)
        rate, size, slope = rng.integer(1, 2), rng.integer(1, knobs.largest), rng.integer(1, knobs.largest)
        head = rng.choice(("exp", "ln", "arctan") if knobs.degree > 2 else ("exp", "ln"))
        inner = build.times(trees.number(rate), symbolic.X)
        part = build.call(head, build.add(inner, build.ONE) if head == "ln" else inner)
        rising = build.add(
            build.times(trees.number(size), part),
            build.times(trees.number(slope), build.power(symbolic.X, rng.integer(1, max(1, knobs.degree - 2)))),
        )
        edges = [_value(rising, Fraction(low + k)) for k in range(2)]
        if edges[1] - edges[0] > 2:
            free = rng.integer(int(edges[0]) + 1, int(edges[1]))
            if edges[0] < free < edges[1] and (task := _make_task(rng, build.subtract(rising, trees.number(free)), low, knobs)):
                return task


def solve(task: Task[Data]) -> Fraction:
    # By bisection until the digits are determined; `generate` finds one digit after another.
    data = task.data
    tree = read(data.function)
    rises = _value(tree, Fraction(data.low)) < 0
    low, high = Fraction(data.low), Fraction(data.low + 1)
    scale = 10**data.digits
    while low * scale // 1 != high * scale // 1 and high - low > Fraction(1, 10**30):
        middle = (low + high) / 2
        low, high = (middle, high) if (_value(tree, middle) < 0) == rises else (low, middle)
    return Fraction(high * scale // 1, scale)


def verify(task: Task[Data], answer: Fraction) -> Score:
    return Score.exact(answer == Fraction(task.data.value), "those are not the digits of the zero")


def mistakes(task: Task[Data], right: Fraction) -> list[Fraction]:
    step = Fraction(1, 10**task.data.digits)
    return [right + step, right - step, Fraction(task.data.low), right + Fraction(1, 10), Fraction(task.data.low) + Fraction(1, 2)]


def cost(task: Task[Data]) -> float:
    return trees.size(read(task.data.function)) * task.data.digits


def derive(task: Task[Data]) -> Derivation:
    data, tree = task.data, read(task.data.function)
    rises = _value(tree, Fraction(data.low)) < 0
    low, high = Fraction(data.low), Fraction(data.low + 1)
    for place in range(1, data.digits + 1):
        # Each digit is found by bisection of the ten possible ones.
        step = Fraction(1, 10**place)
        while high - low > step:
            middle = low + step * ((high - low) / step // 2)
            negative = _value(tree, middle) < 0
            low, high = (middle, high) if negative == rises else (low, middle)
            at, left, right = map(calculations.format_decimal, (middle, low, high))
            yield SIGN(at=at, sign=SIGNS[negative], low=left, high=right)
    yield CLOSING(answer=ANSWER.render(low))


def checks(task: Task[Data]) -> Checks:
    data, tree = task.data, read(task.data.function)
    rises = _value(tree, Fraction(data.low)) < 0
    interval = Fraction(data.low), Fraction(data.low + 1)

    def sign_change(at: str, sign: str, low: str, high: str) -> bool:
        nonlocal interval
        place = Fraction(at)
        if not interval[0] < place < interval[1]:
            return False
        negative = _value(tree, place) < 0
        interval = (place, interval[1]) if negative == rises else (interval[0], place)
        return sign == SIGNS[negative] and (Fraction(low), Fraction(high)) == interval

    return {CLOSING: lambda answer: interval[1] - interval[0] <= Fraction(1, 10**data.digits), SIGN: sign_change}


def _make_task(rng: Rng, tree: Tree, low: int, knobs: Knobs) -> Task[Data] | None:
    """The task; None if the digits represent the zero exactly."""
    text = trees.write(tree)
    rises = _value(tree, Fraction(low)) < 0
    zero = Fraction(low)
    for place in range(1, knobs.digits + 1):
        step = Fraction(1, 10**place)
        while (_value(tree, zero + step) < 0) == rises and zero < low + 1:
            zero += step
        if not _value(tree, zero) or not _value(tree, zero + step):
            return None
    data = Data(function=text, low=low, digits=knobs.digits, value=str(zero))
    note = " ln is the natural logarithm." if "ln" in text else " arctan is the inverse of tan, in radians." if "arctan" in text else ""
    return Task(phrase(rng, ASKS, f=text, low=low, high=low + 1, digits=count_noun(knobs.digits, "digit")) + note, data)


def _value(tree: Tree, x: Fraction) -> Fraction:
    """The value: exact for a polynomial, to 80 digits otherwise; 0 where it is too small to be distinguished from 0."""
    try:
        return trees.exact(tree, {"x": x})
    except trees.Undefined:
        try:
            return Fraction(trees.value(trees.at(tree, "x", trees.number(x))))
        except ArithmeticError:
            return Fraction(0)


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
    concept=CONCEPT,
    version=3,
)
