"""Add fractions, mixed numbers and decimals that may repeat, exactly.

In the shift the fractions stand inside each other: a + b/(c + d/(e + ...)).
"""

import re
from collections.abc import Sequence
from fractions import Fraction
from math import lcm

from rlgym import Config, Environment, Rng, Score, Task, TaskData, knob
from rlgym.answers import Rational
from rlgym.generators.numbers.repeating import formula_of, value_of
from rlgym.generators.steps import first_wrong
from rlgym.generators.worked import Facts, Sheet, inside, last, line, shown

FORMS = {
    "fractions": ("fraction",),
    "mixed": ("fraction", "mixed", "decimal"),
    "repeating": ("fraction", "mixed", "decimal", "repeating", "repeating"),
}


class Knobs(Config):
    terms: int = knob(5, easy=2, hard=16, doc="how many numbers")
    largest: int = knob(30, easy=6, hard=120, doc="largest number below a line, and half the largest above one")
    forms: str = knob(
        "mixed", easy="fractions", hard="repeating", order=tuple(FORMS), doc="fractions, mixed numbers and decimals, or repeating decimals"
    )


class Data(TaskData):
    signs: str
    terms: tuple[str, ...]
    nested: bool
    right: tuple[int, int]


def generate(rng: Rng, knobs: Knobs) -> Task[Data]:
    terms = tuple(_term(rng, knobs) for _ in range(knobs.terms))
    signs = "".join(rng.choice("+-") for _ in terms[1:])
    written = terms[0] + "".join(f" {sign} {term}" for sign, term in zip(signs, terms[1:], strict=True))
    notes = (
        " A whole number directly before a fraction is added to it (2 1/3 is seven thirds)." if any(" " in term for term in terms) else ""
    )
    if any("(" in term for term in terms):
        notes += " Digits in brackets at the end of a decimal repeat for ever (0.1(6) is 0.1666...)."
    return Task(f"Compute exactly: {written}.{notes}", _settled(Data(signs=signs, terms=terms, nested=False, right=(0, 1))))


def shift(rng: Rng, knobs: Knobs) -> Task[Data]:
    terms = tuple(str(rng.integer(1, knobs.largest // 2)) for _ in range(2 * knobs.terms + 1))
    signs = "".join("+" if knobs.forms == "fractions" else rng.choice("+-") for _ in range(knobs.terms))
    data = Data(signs=signs, terms=terms, nested=True, right=(0, 1))
    levels = [value for _, value in _levels(data)]
    if len(levels) < knobs.terms:
        return shift(rng, knobs)
    written = terms[-1]
    for k in range(knobs.terms - 1, -1, -1):
        written = (
            f"{terms[2 * k]} {signs[k]} {terms[2 * k + 1]}/({written})"
            if k < knobs.terms - 1
            else f"{terms[2 * k]} {signs[k]} {terms[2 * k + 1]}/{written}"
        )
    return Task(f"Compute exactly: {written}.", _settled(data))


def _settled(data: Data) -> Data:
    value = _levels(data)[-1][1]
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
    values = [value_of(term) for term in data.terms]
    under = lcm(*(value.denominator for value in values))
    total = sum(
        value.numerator * under // value.denominator * (1 if sign == "+" else -1)
        for sign, value in zip("+" + data.signs, values, strict=True)
    )
    return Fraction(total, under)


def verify(task: Task[Data], answer: Fraction) -> Score:
    return Score.exact(answer == Fraction(*task.data.right), "the value is another number")


def mistakes(task: Task[Data], right: Fraction) -> list[Fraction]:
    ends = [value_of(term) for term in task.data.terms]
    crooked = Fraction(sum(end.numerator for end in ends), sum(end.denominator for end in ends))
    return [crooked, sum(ends, Fraction(0)), -right, right - 2 * ends[-1], right + 1, Fraction(right.numerator, right.denominator + 1)]


def cost(task: Task[Data]) -> float:
    digits = sum(len(term) for term in task.data.terms)
    return digits * (2 if task.data.nested else 1) + 4 * sum("(" in term for term in task.data.terms)


def explain(task: Task[Data]) -> list[str]:
    data, steps, done = task.data, [], _levels(task.data)
    if data.nested:
        steps = [line(name, formula) for name, formula, _ in _nested(data)[:-1]]
        return [*steps, last("the value", _nested(data)[-1][1])]
    for i, term in enumerate(data.terms, 1):
        if term != shown(value_of(term)):
            steps.append(line(f"number {i}", formula_of(term)))
        if i > 1:
            before, value = done[i - 2][1], value_of(term)
            formula = f"{inside(before)} {data.signs[i - 2]} {inside(value)}"
            steps.append(line(f"the first {i}", formula) if i < len(data.terms) else last("the value", formula))
    return steps


def replay(task: Task[Data], steps: Sequence[str]) -> int | None:
    facts: Facts = {
        name: (value, "")
        for name, value in (*_steps(task.data), *((f"number {i}", value_of(term)) for i, term in enumerate(task.data.terms, 1)))
    }
    sheet = Sheet(task.prompt, facts, "0 1 2")
    sheet.known |= {number for term in task.data.terms for number in re.findall(r"\d+", formula_of(term))}
    return first_wrong(steps, sheet.follows, sheet.ends(task, environment.answer, verify))


def _steps(data: Data) -> list[tuple[str, Fraction]]:
    done = _levels(data)
    return [*done, ("the value", done[-1][1])]


def _levels(data: Data) -> list[tuple[str, Fraction]]:
    """The values on the way: sums of the first few, or fractions from the inside out."""
    if data.nested:
        return [(name, value) for name, _, value in _nested(data)]
    total, out = Fraction(0), []
    for i, (sign, value) in enumerate(zip("+" + data.signs, map(value_of, data.terms), strict=True), 1):
        total += value if sign == "+" else -value
        out.append((f"the first {i}", total))
    return out


def _nested(data: Data) -> list[tuple[str, str, Fraction]]:
    """(name, formula, value) from the innermost fraction outwards; it stops where a value is 0, by which nothing can be divided."""
    value, out = Fraction(data.terms[-1]), []
    for k in range(len(data.signs) - 1, -1, -1):
        formula = f"{data.terms[2 * k]} {data.signs[k]} {data.terms[2 * k + 1]} / {inside(value)}"
        if value == 0:
            break
        value = int(data.terms[2 * k]) + (1 if data.signs[k] == "+" else -1) * int(data.terms[2 * k + 1]) / value
        out.append((f"from the number {data.terms[2 * k]} at place {2 * k + 1}", formula, value))
    return out


def _term(rng: Rng, knobs: Knobs) -> str:
    form, below = rng.choice(FORMS[knobs.forms]), rng.integer(2, knobs.largest)
    if form == "decimal":
        return f"{rng.integer(0, 9)}.{rng.integer(1, 999)}"
    if form == "repeating":
        fixed = str(rng.integer(0, 99)) if rng.chance(0.6) else ""
        return f"{rng.integer(0, 5)}.{fixed}({rng.integer(1, 98)})"
    proper = f"{rng.integer(1, below - 1)}/{below}"
    return f"{rng.integer(1, 9)} {proper}" if form == "mixed" else proper


environment = Environment(
    Knobs,
    Rational("one exact number as a fraction a/b or an integer"),
    generate,
    solve,
    verify,
    mistakes,
    cost,
    explain,
    replay=replay,
    shift=shift,
    concept="Bring fractions to a common denominator one at a time; a repeating decimal is its digits over as many nines.",
)
