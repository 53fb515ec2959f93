"""Chains of numbers with operators between them."""

from collections.abc import Iterator, Sequence
from fractions import Fraction

from rlgym.core.task import TaskData
from rlgym.generators.calculations import evaluate, operand


class Chain(TaskData):
    """Numbers, the operators there are, how often each is used if that is given, and the value; `flat` goes strictly from left to right."""

    numbers: tuple[int, ...]
    signs: str
    counts: tuple[int, ...] | None
    target: tuple[int, int]
    flat: bool


def required_steps(data: Chain, chosen: str) -> list[str]:
    """The formulas that have to be evaluated for these operators, in order."""
    if data.flat:
        values = [Fraction(data.numbers[0])]
        for sign, number in zip(chosen, data.numbers[1:], strict=True):
            values.append(apply_operator(values[-1], sign, number))
        return [f"{operand(value)} {sign} {number}" for value, sign, number in zip(values, chosen, data.numbers[1:], strict=False)]
    runs = split_terms(data.numbers, chosen)
    total = "".join(f" {sign} {operand(evaluate(run))}" if i else operand(evaluate(run)) for i, (sign, run) in enumerate(runs))
    return [*(run for _, run in runs if " " in run), total]


def split_terms(numbers: Sequence[int], chosen: str) -> list[tuple[str, str]]:
    """The parts between + and -, each with its sign."""
    runs = [("+", str(numbers[0]))]
    for sign, number in zip(chosen, numbers[1:], strict=True):
        runs = [*runs, (sign, str(number))] if sign in "+-" else [*runs[:-1], (runs[-1][0], f"{runs[-1][1]} {sign} {number}")]
    return runs


def format_chain(numbers: Sequence[int], chosen: str) -> str:
    """The numbers with operators between them."""
    return str(numbers[0]) + "".join(f" {sign} {number}" for sign, number in zip(chosen, numbers[1:], strict=True))


def apply_operator(value: Fraction, sign: str, number: int) -> Fraction:
    """One operation."""
    return value + number if sign == "+" else value - number if sign == "-" else value * number if sign == "*" else value / number


def evaluate_chain(numbers: Sequence[int], chosen: str, flat: bool) -> Fraction:
    """The value of a chain."""
    total, part = Fraction(0), Fraction(numbers[0])
    for sign, number in zip(chosen, numbers[1:], strict=True):
        if flat or sign in "*/":
            part = apply_operator(part, sign, number)
        else:
            total, part = total + part, Fraction(number if sign == "+" else -number)
    return total + part


def search_operators(data: Chain, signs: str) -> Iterator[str]:
    """Operators that make the target: what the first half can make is met by what the second half needs."""
    states: dict[tuple[Fraction, Fraction, tuple[int, ...]], str] = {(Fraction(0), Fraction(data.numbers[0]), (0,) * len(data.signs)): ""}
    target = Fraction(*data.target)
    for number in data.numbers[1:]:
        after: dict[tuple[Fraction, Fraction, tuple[int, ...]], str] = {}
        for (total, part, used), chosen in states.items():
            for sign in signs:
                place = data.signs.index(sign)
                counts = tuple(count + (k == place) for k, count in enumerate(used)) if data.counts else used
                if data.counts and counts[place] > data.counts[place]:
                    continue
                if data.flat or sign in "*/":
                    state = total, apply_operator(part, sign, number), counts
                else:
                    state = total + part, Fraction(number if sign == "+" else -number), counts
                after.setdefault(state, chosen + sign)
        states = after
    yield from (chosen for (total, part, _), chosen in states.items() if total + part == target)
