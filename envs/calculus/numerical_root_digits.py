"""Find the decimal digits of the one zero of a function in a given interval.

The function is a polynomial; the shifted family has equations between an exponential, a logarithm or a wave and a line.
"""

from collections.abc import Sequence
from fractions import Fraction
from functools import lru_cache

from rlgym import Config, Environment, Rng, Score, Task, TaskData, knob
from rlgym.answers import Rational, trees
from rlgym.answers.trees import Tree, build
from rlgym.generators import worked
from rlgym.generators.algebra import symbolic
from rlgym.generators.steps import Line, ended, first_wrong
from rlgym.generators.stories import told

SIGN = Line("f({at}) is {sign}, so the zero lies between {low} and {high}")
LAST = "Answer: "
ASKS = (
    (
        "The function f(x) = {f} has exactly one zero between {low} and {high}. Give it to {digits} digits after the decimal point, "
        "rounded down (further digits cut off)."
    ),
    (
        "Between {low} and {high}, f(x) = {f} is 0 at exactly one place. What is the decimal expansion of that place, cut off after "
        "{digits} digits behind the point?"
    ),
    (
        "Find the only zero of f(x) = {f} in the interval from {low} to {high}; give its first {digits} digits after the decimal "
        "point without rounding up."
    ),
    (
        "There is exactly one x between {low} and {high} with f(x) = 0, where f(x) = {f}. Write x as a decimal number cut off after "
        "{digits} decimal places."
    ),
)


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
        edges = [symbolic.at([Fraction(0), *inner], low + k) for k in range(2)]
        middle = [Fraction(rng.integer(int(min(edges)) + 1, int(max(edges)) - 1))] if abs(edges[1] - edges[0]) > 3 else []
        if middle and (task := _told(rng, symbolic.polynomial([-middle[0], *inner]), low, knobs)):
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
            if edges[0] < free < edges[1] and (task := _told(rng, build.subtract(rising, trees.number(free)), low, knobs)):
                return task


def solve(task: Task[Data]) -> Fraction:
    # By halving until the digits are settled; `generate` finds digit after digit.
    data = task.data
    tree = _read(data.function)
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
    return trees.size(_read(task.data.function)) * task.data.digits


def explain(task: Task[Data]) -> list[str]:
    data = task.data
    steps = []
    tree = _read(data.function)
    rises = _value(tree, Fraction(data.low)) < 0
    low, high = Fraction(data.low), Fraction(data.low + 1)
    for place in range(1, data.digits + 1):
        # The digit is looked for by halves of the ten possible ones.
        step = Fraction(1, 10**place)
        while high - low > step:
            middle = low + step * ((high - low) / step // 2)
            negative = _value(tree, middle) < 0
            low, high = (middle, high) if negative == rises else (low, middle)
            sign = "negative" if negative else "positive"
            steps.append(SIGN.write(at=worked.decimal(middle), sign=sign, low=worked.decimal(low), high=worked.decimal(high)))
    return [*steps, LAST + _ANSWER.render(low)]


def replay(task: Task[Data], steps: Sequence[str]) -> int | None:
    data = task.data
    tree = _read(data.function)
    rises = _value(tree, Fraction(data.low)) < 0
    between = [Fraction(data.low), Fraction(data.low + 1)]
    end = ended(LAST, task, _ANSWER, verify)

    def follows(step: str) -> bool:
        found = SIGN.read(step)
        if not found:
            return False
        at, low, high = Fraction(found["at"]), Fraction(found["low"]), Fraction(found["high"])
        if not between[0] < at < between[1]:
            return False
        negative = _value(tree, at) < 0
        between[:] = [at, between[1]] if negative == rises else [between[0], at]
        return found["sign"] == ("negative" if negative else "positive") and [low, high] == between

    return first_wrong(steps, follows, lambda step: end(step) and between[1] - between[0] <= Fraction(1, 10**data.digits))


def _told(rng: Rng, tree: Tree, low: int, knobs: Knobs) -> Task[Data] | None:
    """The task, but for a zero that the digits reach exactly."""
    text = trees.write(tree)
    rises = _value(tree, Fraction(low)) < 0
    found = Fraction(low)
    for place in range(1, knobs.digits + 1):
        step = Fraction(1, 10**place)
        while (_value(tree, found + step) < 0) == rises and found < low + 1:
            found += step
        if not _value(tree, found) or not _value(tree, found + step):
            return None
    data = Data(function=text, low=low, digits=knobs.digits, value=str(found))
    note = " ln is the natural logarithm." if "ln" in text else " arctan is the inverse of tan, in radians." if "arctan" in text else ""
    return Task(told(rng, ASKS, f=text, low=low, high=low + 1, digits=knobs.digits) + note, data)


def _value(tree: Tree, x: Fraction) -> Fraction:
    """The value, exactly for a polynomial and to 80 digits for others; 0 for what is smaller than any value can be but 0."""
    try:
        return trees.exact(tree, {"x": x})
    except trees.Undefined:
        try:
            return Fraction(trees.value(trees.at(tree, "x", trees.number(x))))
        except ArithmeticError:
            return Fraction(0)


@lru_cache(maxsize=512)
def _read(text: str) -> Tree:
    return symbolic.read(text)


_ANSWER = Rational("the decimal number")

environment = Environment(
    Knobs,
    _ANSWER,
    generate,
    solve,
    verify,
    mistakes,
    cost,
    explain,
    replay=replay,
    shift=shift,
    concept="A change of sign encloses the zero: narrow it down digit by digit.",
)
