"""Add numbers that are written in the formats of several countries and trades.

1.234 is another number in Germany than in England. In the shift numbers are in words, in old counts (dozen, gross) and in hexadecimal.
"""

from collections.abc import Sequence
from fractions import Fraction

from rlgym import Config, Environment, Rng, Score, Task, TaskData, knob
from rlgym.answers import Rational
from rlgym.generators.numbers.spelling import FORMATS, from_format, in_format
from rlgym.generators.steps import Line, ended, first_wrong
from rlgym.generators.worked import decimal, shown

STYLES = {
    "two": ("english", "german"),
    "many": ("english", "german", "indian", "swiss"),
    "all": ("german", "indian", "swiss", "scientific", "short"),
}
SHIFTED = {"two": ("words", "english"), "many": ("words", "trade"), "all": ("words", "trade", "hexadecimal", "trade")}
READ = Line("{text} ({style}) is {number}")
ADDED = Line("{left} {sign} {right} = {total}")
LEAD = "The result is "


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
    return _made(rng, knobs, STYLES[knobs.styles])


def shift(rng: Rng, knobs: Knobs) -> Task[Data]:
    return _made(rng, knobs, SHIFTED[knobs.styles])


def _made(rng: Rng, knobs: Knobs, among: Sequence[str]) -> Task[Data]:
    styles = tuple(rng.choice(among) for _ in range(knobs.numbers))
    texts, numbers = list[str](), list[Fraction]()
    for style in styles:
        whole = rng.integer(
            10 ** (min(knobs.digits, 5 if style == "trade" else 9) - 2), 10 ** min(knobs.digits, 5 if style == "trade" else 9) - 1
        )
        cents = 0 if style in ("words", "trade", "hexadecimal") else rng.choice((0, 5 * rng.integer(1, 19), rng.integer(1, 99)))
        numbers.append(whole + Fraction(cents, 100))
        texts.append(in_format(numbers[-1], style))
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
        value = from_format(text.removeprefix("+ ").removeprefix("- "), style)
        total += -value if line.startswith("- ") else value
    return total


def verify(task: Task[Data], answer: Fraction) -> Score:
    return Score.exact(answer == Fraction(*task.data.right), "the result is another number")


def mistakes(task: Task[Data], right: Fraction) -> list[Fraction]:
    values = _values(task.data)
    return [sum(values, Fraction(0)), right - 2 * values[-1], right + values[0] * 9, right / 1000, right + 1, -right]


def cost(task: Task[Data]) -> float:
    weights = {"english": 1, "german": 2, "swiss": 2, "indian": 2, "scientific": 3, "short": 3, "words": 2, "trade": 4, "hexadecimal": 4}
    return sum(weights[style] * len(decimal(value)) for style, value in zip(task.data.styles, _values(task.data), strict=True))


def explain(task: Task[Data]) -> list[str]:
    data, values, totals = task.data, _values(task.data), _totals(task.data)
    steps = [
        READ.write(text=text, style=style, number=decimal(value))
        for text, style, value in zip(data.texts, data.styles, values, strict=True)
    ]
    for before, sign, value, after in zip(totals, data.signs[1:], values[1:], totals[1:], strict=False):
        steps.append(ADDED.write(left=decimal(before), sign=sign, right=decimal(value), total=decimal(after)))
    return [*steps, LEAD + shown(totals[-1])]


def replay(task: Task[Data], steps: Sequence[str]) -> int | None:
    data, met, added = task.data, 0, 0

    def follows(step: str) -> bool:
        nonlocal met, added
        if met < len(data.texts):
            found = READ.read(step)
            met += 1
            named = bool(found) and (found or {})["text"] == data.texts[met - 1] and (found or {})["style"] == data.styles[met - 1]
            return named and Fraction((found or {})["number"]) == from_format(data.texts[met - 1], data.styles[met - 1])
        read, totals, values = ADDED.read(step), _totals(data), _values(data)
        added += 1
        claim = read and (read["left"], read["sign"], read["right"], read["total"])
        return claim == (decimal(totals[added - 1]), data.signs[added], decimal(values[added]), decimal(totals[added]))

    return first_wrong(steps, follows, ended(LEAD, task, environment.answer, verify))


def _values(data: Data) -> list[Fraction]:
    return [from_format(text, style) for text, style in zip(data.texts, data.styles, strict=True)]


def _totals(data: Data) -> list[Fraction]:
    totals, values = [Fraction(0)], _values(data)
    for sign, value in zip(data.signs, values, strict=True):
        totals.append(totals[-1] + (value if sign == "+" else -value))
    return totals[1:]


environment = Environment(
    Knobs,
    Rational("one exact number in plain form, as an integer, a fraction a/b, or a decimal with a point and without groups"),
    generate,
    solve,
    verify,
    mistakes,
    cost,
    explain,
    replay=replay,
    shift=shift,
    concept="Bring every number to one plain form first: see which sign groups digits and which one stands before decimals.",
)
