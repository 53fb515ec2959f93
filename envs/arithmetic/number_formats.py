"""Add numbers that are written in the formats of several countries and trades.

1.234 means different numbers in Germany and in England. In the shifted family numbers are in words, in old counts (dozen, gross) and in hexadecimal.
"""

from collections.abc import Callable, Sequence
from fractions import Fraction

from rlgym import Config, Environment, Rng, Score, Task, TaskData, knob
from rlgym.answers import Rational
from rlgym.generators.calculations import format_decimal
from rlgym.generators.numbers.spelling import FORMATS, read_number, write_number
from rlgym.solutions import Derivation, Solution, Step

STYLES = {
    "two": ("english", "german"),
    "many": ("english", "german", "indian", "swiss"),
    "all": ("german", "indian", "swiss", "scientific", "short"),
}
SHIFTED = {"two": ("words", "english"), "many": ("words", "trade"), "all": ("words", "trade", "hexadecimal", "trade")}
READ = Step("{text} ({style}) is {number}")
ADDED = Step("{left} {sign} {right} = {total}")
CLOSING = "The result is {answer}"
ANSWER = Rational(
    "one exact number in plain form, as an integer, a fraction a/b, or a decimal with a point and without groups", as_decimal=True
)
CONCEPT = "Bring every number to one plain form first: see which sign groups digits and which one stands before decimals."


class Knobs(Config):
    numbers: int = knob(5, easy=2, hard=18, doc="how many numbers")
    digits: int = knob(5, easy=4, hard=9, doc="digits before the decimals")
    styles: str = knob("many", easy="two", hard="all", order=tuple(STYLES), doc="which formats there are")


class Data(TaskData):
    texts: tuple[str, ...]
    styles: tuple[str, ...]
    signs: str
    right: tuple[int, int]


def generate(rng: Rng, knobs: Knobs) -> Task[Data]:
    return _sample_task(rng, knobs, STYLES[knobs.styles])


def shift(rng: Rng, knobs: Knobs) -> Task[Data]:
    return _sample_task(rng, knobs, SHIFTED[knobs.styles])


def _sample_task(rng: Rng, knobs: Knobs, allowed_styles: Sequence[str]) -> Task[Data]:
    styles = tuple(rng.choice(allowed_styles) for _ in range(knobs.numbers))
    texts, numbers = list[str](), list[Fraction]()
    for style in styles:
        dollars = rng.integer(
            10 ** (min(knobs.digits, 5 if style == "trade" else 9) - 2), 10 ** min(knobs.digits, 5 if style == "trade" else 9) - 1
        )
        cents = 0 if style in ("words", "trade", "hexadecimal") else rng.choice((0, 5 * rng.integer(1, 19), rng.integer(1, 99)))
        numbers.append(dollars + Fraction(cents, 100))
        texts.append(write_number(numbers[-1], style))
    signs = "+" + "".join(rng.choice("+-") for _ in texts[1:])
    used = "\n".join(f"{name}: {rule}" for name, rule in FORMATS.items() if name in styles)
    listing = "\n".join(f"{sign} {text} ({style})" for sign, text, style in zip(signs, texts, styles, strict=True)).removeprefix("+ ")
    prompt = f"Compute the result of\n{listing}\n\nThe formats are these:\n{used}"
    total = sum((value if sign == "+" else -value for sign, value in zip(signs, numbers, strict=True)), Fraction(0))
    return Task(prompt, Data(texts=tuple(texts), styles=styles, signs=signs, right=(total.numerator, total.denominator)))


def solve(task: Task[Data]) -> Fraction:
    lines = task.prompt.split("\n\n")[0].split("\n")[1:]
    total = Fraction(0)
    for line in lines:
        text, _, style = line.removesuffix(")").rpartition(" (")
        value = read_number(text.removeprefix("+ ").removeprefix("- "), style)
        total += -value if line.startswith("- ") else value
    return total


def verify(task: Task[Data], answer: Fraction) -> Score:
    return Score.exact(answer == Fraction(*task.data.right), "the result is another number")


def mistakes(task: Task[Data], right: Fraction) -> list[Fraction]:
    values = _values(task.data)
    return [sum(values, Fraction(0)), right - 2 * values[-1], right + values[0] * 9, right / 1000, right + 1, -right]


def cost(task: Task[Data]) -> float:
    weights = {"english": 1, "german": 2, "swiss": 2, "indian": 2, "scientific": 3, "short": 3, "words": 2, "trade": 4, "hexadecimal": 4}
    return sum(weights[style] * len(format_decimal(value)) for style, value in zip(task.data.styles, _values(task.data), strict=True))


def derive(task: Task[Data]) -> Derivation:
    data, values, totals = task.data, _values(task.data), _totals(task.data)
    for text, style, value in zip(data.texts, data.styles, values, strict=True):
        number = format_decimal(value)
        yield READ(text=text, style=style, number=number).accepting(_reads(text, style))
    for before, sign, value, after in zip(totals, data.signs[1:], values[1:], totals[1:], strict=False):
        yield ADDED(left=format_decimal(before), sign=sign, right=format_decimal(value), total=format_decimal(after))


def _reads(text: str, style: str) -> Callable[..., bool]:
    """Accepts the number that a text stands for, in any notation."""
    return lambda **gaps: (gaps["text"], gaps["style"]) == (text, style) and Fraction(gaps["number"]) == read_number(text, style)


def _values(data: Data) -> list[Fraction]:
    return [read_number(text, style) for text, style in zip(data.texts, data.styles, strict=True)]


def _totals(data: Data) -> list[Fraction]:
    totals, values = [Fraction(0)], _values(data)
    for sign, value in zip(data.signs, values, strict=True):
        totals.append(totals[-1] + (value if sign == "+" else -value))
    return totals[1:]


environment = Environment(
    Knobs, ANSWER, generate, solve, verify, mistakes, cost, solution=Solution(derive, CLOSING), shift=shift, concept=CONCEPT, version=3
)
