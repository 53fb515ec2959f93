"""Add fractions, mixed numbers and decimals that may repeat, exactly.

In the shifted family the fractions are nested: a + b/(c + d/(e + ...)).
"""

import re
from collections.abc import Iterator
from fractions import Fraction
from math import lcm

from rlgym import Config, Environment, Rng, Score, Task, TaskData, knob
from rlgym.answers import Rational
from rlgym.generators import calculations
from rlgym.generators.calculations import Facts, answer_line, calculation_line, format_fraction, operand
from rlgym.generators.draws import draw_short
from rlgym.generators.numbers.repeating import number_formula, parse_number

FORMS = {
    "fractions": ("fraction",),
    "mixed": ("fraction", "mixed", "decimal"),
    "repeating": ("fraction", "mixed", "decimal", "repeating", "repeating"),
}
ANSWER = Rational("one exact number as a fraction a/b or an integer")
CONCEPT = "Bring fractions to a common denominator one at a time; a repeating decimal is its digits over as many nines."


class Knobs(Config):
    terms: int = knob(5, easy=2, hard=16, doc="how many numbers")
    largest: int = knob(30, easy=6, hard=120, doc="largest denominator; numerators of nested fractions go up to half of it")
    forms: str = knob(
        "mixed", easy="fractions", hard="repeating", order=tuple(FORMS), doc="fractions, mixed numbers and decimals, or repeating decimals"
    )


class Data(TaskData):
    signs: str
    terms: tuple[str, ...]
    nested: bool
    right: tuple[int, int]


def generate(rng: Rng, knobs: Knobs) -> Task[Data]:
    return draw_short(lambda: _sample_sum(rng, knobs), lambda task: task.data.right)


def _sample_sum(rng: Rng, knobs: Knobs) -> Task[Data]:
    terms = tuple(_sample_term(rng, knobs) for _ in range(knobs.terms))
    signs = "".join(rng.choice("+-") for _ in terms[1:])
    written = terms[0] + "".join(f" {sign} {term}" for sign, term in zip(signs, terms[1:], strict=True))
    notes = (
        " A whole number directly before a fraction is added to it (2 1/3 is seven thirds)." if any(" " in term for term in terms) else ""
    )
    if any("(" in term for term in terms):
        notes += " Digits in brackets at the end of a decimal repeat forever (0.1(6) is 0.1666...)."
    return Task(f"Compute exactly: {written}.{notes}", _with_answer(Data(signs=signs, terms=terms, nested=False, right=(0, 1))))


def shift(rng: Rng, knobs: Knobs) -> Task[Data]:
    return draw_short(lambda: _sample_nested(rng, knobs), lambda task: task.data.right)


def _sample_nested(rng: Rng, knobs: Knobs) -> Task[Data]:
    largest = max(4, min(knobs.largest // 2, int(10 ** (15 / knobs.terms))))
    terms = tuple(str(rng.integer(1, largest)) for _ in range(2 * knobs.terms + 1))
    signs = "".join("+" if knobs.forms == "fractions" else rng.choice("+-") for _ in range(knobs.terms))
    data = Data(signs=signs, terms=terms, nested=True, right=(0, 1))
    levels = [value for _, value in _partial_values(data)]
    if len(levels) < knobs.terms:
        return _sample_nested(rng, knobs)
    written = terms[-1]
    for k in range(knobs.terms - 1, -1, -1):
        written = (
            f"{terms[2 * k]} {signs[k]} {terms[2 * k + 1]}/({written})"
            if k < knobs.terms - 1
            else f"{terms[2 * k]} {signs[k]} {terms[2 * k + 1]}/{written}"
        )
    return Task(f"Compute exactly: {written}.", _with_answer(data))


def _with_answer(data: Data) -> Data:
    value = _partial_values(data)[-1][1]
    return data.model_copy(update={"right": (value.numerator, value.denominator)})


def solve(task: Task[Data]) -> Fraction:
    data = task.data
    if data.nested:
        # From the outside in, by the recurrence of continued fractions; `verify` works from the inside out.
        above, below = (int(data.terms[0]), 1), (1, 0)
        for k, sign in enumerate(data.signs):
            top, bottom = int(data.terms[2 * k + 1]) * (1 if sign == "+" else -1), int(data.terms[2 * k + 2])
            above, below = (bottom * above[0] + top * below[0], bottom * above[1] + top * below[1]), above
        return Fraction(*above)
    values = [parse_number(term) for term in data.terms]
    under = lcm(*(value.denominator for value in values))
    total = sum(
        value.numerator * under // value.denominator * (1 if sign == "+" else -1)
        for sign, value in zip("+" + data.signs, values, strict=True)
    )
    return Fraction(total, under)


def verify(task: Task[Data], answer: Fraction) -> Score:
    return Score.exact(answer == Fraction(*task.data.right), "the value is another number")


def mistakes(task: Task[Data], right: Fraction) -> list[Fraction]:
    ends = [parse_number(term) for term in task.data.terms]
    crooked = Fraction(sum(end.numerator for end in ends), sum(end.denominator for end in ends))
    return [crooked, sum(ends, Fraction(0)), -right, right - 2 * ends[-1], right + 1, Fraction(right.numerator, right.denominator + 1)]


def cost(task: Task[Data]) -> float:
    digits = sum(len(term) for term in task.data.terms)
    if task.data.nested:
        return digits + 6 * len(task.data.terms)
    return digits + 4 * sum("(" in term for term in task.data.terms)


def _lines(task: Task[Data]) -> Iterator[str]:
    data, partial = task.data, _partial_values(task.data)
    if data.nested:
        *inner, (_, outermost, _) = _nested_values(data)
        yield from (calculation_line(name, formula) for name, formula, _ in inner)
        yield answer_line("the value", outermost)
        return
    for i, term in enumerate(data.terms, 1):
        if term != format_fraction(parse_number(term)):
            yield calculation_line(f"number {i}", number_formula(term))
        if i > 1:
            formula = f"{operand(partial[i - 2][1])} {data.signs[i - 2]} {operand(parse_number(term))}"
            yield calculation_line(f"the first {i}", formula) if i < len(data.terms) else answer_line("the value", formula)


def _facts(task: Task[Data]) -> Facts:
    partial = _partial_values(task.data)
    terms = ((f"number {i}", parse_number(term)) for i, term in enumerate(task.data.terms, 1))
    return {name: (value, "") for name, value in (*partial, ("the value", partial[-1][1]), *terms)}


def _formula_constants(task: Task[Data]) -> Iterator[str]:
    for term in task.data.terms:
        yield from re.findall(r"\d+", number_formula(term))


def _partial_values(data: Data) -> list[tuple[str, Fraction]]:
    """The intermediate values: partial sums, or fractions from the inside out."""
    if data.nested:
        return [(name, value) for name, _, value in _nested_values(data)]
    total, out = Fraction(0), []
    for i, (sign, value) in enumerate(zip("+" + data.signs, map(parse_number, data.terms), strict=True), 1):
        total += value if sign == "+" else -value
        out.append((f"the first {i}", total))
    return out


def _nested_values(data: Data) -> list[tuple[str, str, Fraction]]:
    """(name, formula, value) from the innermost fraction outwards; it stops where a value is 0, by which nothing can be divided."""
    value, out = Fraction(data.terms[-1]), []
    for k in range(len(data.signs) - 1, -1, -1):
        formula = f"{data.terms[2 * k]} {data.signs[k]} {data.terms[2 * k + 1]} / {operand(value)}"
        if value == 0:
            break
        value = int(data.terms[2 * k]) + (1 if data.signs[k] == "+" else -1) * int(data.terms[2 * k + 1]) / value
        out.append((f"from the number {data.terms[2 * k]} at place {2 * k + 1}", formula, value))
    return out


def _sample_term(rng: Rng, knobs: Knobs) -> str:
    form, below = rng.choice(FORMS[knobs.forms]), rng.integer(2, knobs.largest)
    if form == "decimal":
        return f"{rng.integer(0, 9)}.{rng.integer(1, 999)}"
    if form == "repeating":
        fixed = str(rng.integer(0, 99)) if rng.chance(0.6) else ""
        return f"{rng.integer(0, 5)}.{fixed}({rng.integer(1, 98)})"
    proper = f"{rng.integer(1, below - 1)}/{below}"
    return f"{rng.integer(1, 9)} {proper}" if form == "mixed" else proper


solution = calculations.solution(_lines, _facts, "0 1 2", _formula_constants)

environment = Environment(
    Knobs, ANSWER, generate, solve, verify, mistakes, cost, solution=solution, shift=shift, concept=CONCEPT, version=3
)
