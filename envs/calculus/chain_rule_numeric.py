"""Differentiate a combination of functions that are known only by a table of values and slopes.

In the shifted family inverse functions are part of the combination.
"""

from fractions import Fraction
from typing import NamedTuple

from rlgym import Config, Environment, Rng, Score, Task, TaskData, knob
from rlgym.answers import Rational
from rlgym.generators import calculations
from rlgym.generators.probability import probabilities
from rlgym.generators.stories import phrase

VALUE = "the value of {part}"
SLOPE = "the slope of {part}"
SIGNS = ("+", "-", "*", "/")
INVERSE = "^(-1)"
ASKS = (
    "Let h(x) = {h}. What is h'({at})?",
    "Find the derivative of h(x) = {h} at x = {at}.",
    "The function h is defined by h(x) = {h}. Work out h'({at}) exactly.",
    "What is the slope of the graph of h(x) = {h} at x = {at}?",
)
ANSWER = Rational("one exact number, as an integer or a fraction a/b")
CONCEPT = "From the inside out: each function is looked up where the inner one leads, and its slope multiplies the inner slope."


class Knobs(Config):
    chains: int = knob(2, easy=1, hard=4, doc="how many compositions are combined by signs")
    depth: int = knob(2, easy=1, hard=5, doc="how many functions are composed at most")
    points: int = knob(5, easy=3, hard=8, doc="number of x for which the table has values")
    signs: int = knob(3, easy=2, hard=4, doc="operators: sums and differences, also products, or also quotients")


class Part(NamedTuple):
    """A part of the formula: its value and slope, and the formulas by which they are computed."""

    value: Fraction
    slope: Fraction
    value_formula: str
    slope_formula: str


class Chain(TaskData):
    functions: tuple[str, ...]  # from the inside out
    factor: int
    shift: int


class Data(TaskData):
    names: tuple[str, ...]
    tables: tuple[tuple[tuple[int, int], ...], ...]  # of each function: value and slope at 1, 2, ...
    chains: tuple[Chain, ...]
    signs: tuple[str, ...]
    at: int
    value: str


def generate(rng: Rng, knobs: Knobs) -> Task[Data]:
    return _sample_task(rng, knobs, False)


def shift(rng: Rng, knobs: Knobs) -> Task[Data]:
    return _sample_task(rng, knobs, True)


def solve(task: Task[Data]) -> Fraction:
    # With the derivative carried along as a second number, from the inside out; `generate` multiplies slopes chain by chain.
    data = task.data

    def through(name: str, pair: tuple[Fraction, Fraction]) -> tuple[Fraction, Fraction]:
        table = data.tables[data.names.index(name.removesuffix(INVERSE))]
        if not name.endswith(INVERSE):
            value, slope = table[int(pair[0]) - 1]
            return Fraction(value), slope * pair[1]
        place = next(x for x, (value, _) in enumerate(table, 1) if value == pair[0])
        return Fraction(place), pair[1] / table[place - 1][1]

    total = Fraction(0), Fraction(0)
    for k, chain in enumerate(data.chains):
        pair = Fraction(chain.factor * data.at + chain.shift), Fraction(chain.factor)
        for name in chain.functions:
            pair = through(name, pair)
        total = _combine(data.signs[k - 1], total, pair) if k else pair
    return total[1]


def verify(task: Task[Data], answer: Fraction) -> Score:
    return Score.exact(answer == Fraction(task.data.value), "that is another slope")


def mistakes(task: Task[Data], right: Fraction) -> list[Fraction]:
    parts = _parts(task.data)
    slopes = [part.slope for part in parts.values()]
    return [list(parts.values())[-1].value, *slopes, -right, right + 1]


def cost(task: Task[Data]) -> float:
    data = task.data
    inverse = sum(name.endswith(INVERSE) for chain in data.chains for name in chain.functions)
    return 4 * len(_parts(data)) + 6 * len(data.chains) ** 2 + 2 * inverse


def _lines(task: Task[Data]) -> list[str]:
    working = probabilities.Working()
    parts = list(_parts(task.data).items())
    for text, part in parts[:-1]:
        working.let(VALUE.format(part=text), part.value_formula)
        working.let(SLOPE.format(part=text), part.slope_formula)
    return working.last(SLOPE.format(part=parts[-1][0]), parts[-1][1].slope_formula)


def _quantities(task: Task[Data]) -> probabilities.QuantityTemplates:
    parts = _parts(task.data)
    return {VALUE: lambda part: parts[part].value, SLOPE: lambda part: parts[part].slope}


def _sample_task(rng: Rng, knobs: Knobs, inverse: bool) -> Task[Data]:
    names = ("f", "g", "k")
    tables = tuple(
        tuple((value, rng.integer(1, 6) * rng.choice((1, -1))) for value in rng.shuffled(range(1, knobs.points + 1))) for _ in names
    )
    at = rng.integer(1, knobs.points)
    chains = []
    for _ in range(knobs.chains):
        functions = [rng.choice(names) for _ in range(rng.integer(max(1, knobs.depth - 1), knobs.depth))]
        if inverse:
            k = rng.integer(0, len(functions) - 1)
            functions[k] += INVERSE
        factor = rng.choice((1, 1, 2, 3, -1, -2))
        chains.append(Chain(functions=tuple(functions), factor=factor, shift=rng.integer(1, knobs.points) - factor * at))
    signs = tuple(rng.choice(SIGNS[: knobs.signs]) for _ in chains[1:])
    data = Data(names=names, tables=tables, chains=tuple(chains), signs=signs, at=at, value="")
    parts = _parts(data)
    rows = [
        f"| {x} | " + " | ".join(f"{value} | {slope}" for value, slope in row) + " |" for x, row in enumerate(zip(*tables, strict=True), 1)
    ]
    head = "| x | " + " | ".join(f"{name}(x) | {name}'(x)" for name in names) + " |"
    notes = (
        f" Here {', '.join(f'{name}{INVERSE}' for name in names)} stand for the inverse functions of {', '.join(names)}, which are one-to-one."
        if inverse
        else ""
    )
    table = "\n".join([head, "|" + " --- |" * 7, *rows])
    prompt = f"For the differentiable functions {', '.join(names)} some values and derivatives are known:\n\n{table}\n\n"
    prompt += phrase(rng, ASKS, h=list(parts)[-1], at=at) + notes
    return Task(prompt, data.model_copy(update={"value": str(list(parts.values())[-1].slope)}))


def _parts(data: Data) -> dict[str, Part]:
    """Each part of the formula by its text, from the inside out."""
    parts: dict[str, Part] = {}
    current_part = ""
    for k, chain in enumerate(data.chains):
        text = _linear(chain.factor, chain.shift)
        value, slope = Fraction(chain.factor * data.at + chain.shift), Fraction(chain.factor)
        parts[text] = Part(
            value,
            slope,
            f"{calculations.operand(chain.factor)}*{data.at} + {calculations.operand(chain.shift)}",
            calculations.operand(chain.factor),
        )
        for name in chain.functions:
            table = data.tables[data.names.index(name.removesuffix(INVERSE))]
            inverse = name.endswith(INVERSE)
            place = [y for y, _ in table].index(int(value)) + 1 if inverse else int(value)
            value, own = Fraction(place if inverse else table[place - 1][0]), Fraction(table[place - 1][1])
            formula = f"{calculations.operand(slope)}{'/' if inverse else '*'}{calculations.operand(own)}"
            slope = slope / own if inverse else slope * own
            text = f"{name}({text})"
            parts[text] = Part(value, slope, calculations.operand(value), formula)
        if k:
            sign, before = data.signs[k - 1], parts[current_part]
            both = _combine(sign, (before.value, before.slope), (value, slope))
            a, b, c, d = map(calculations.operand, (before.value, before.slope, value, slope))
            rule = {"*": f"{b}*{c} + {a}*{d}", "/": f"({b}*{c} - {a}*{d})/{c}^2"}.get(sign, f"{b} {sign} {d}")
            text = f"({current_part}) {sign} {text}" if k > 1 else f"{current_part} {sign} {text}"
            parts[text] = Part(*both, f"{a} {sign} {c}", rule)
        current_part = text
    return parts


def _combine(sign: str, left: tuple[Fraction, Fraction], right: tuple[Fraction, Fraction]) -> tuple[Fraction, Fraction]:
    (a, b), (c, d) = left, right
    if sign == "*":
        return a * c, b * c + a * d
    if sign == "/":
        return a / c, (b * c - a * d) / c**2
    return (a + c, b + d) if sign == "+" else (a - c, b - d)


def _linear(factor: int, shift: int) -> str:
    front = {1: "x", -1: "-x"}.get(factor, f"{factor}*x")
    return front + (f" + {shift}" if shift > 0 else f" - {-shift}" if shift else "")


solution = probabilities.solution(_lines, _quantities)
environment = Environment(
    Knobs, ANSWER, generate, solve, verify, mistakes, cost, solution=solution, shift=shift, concept=CONCEPT, version=2
)
