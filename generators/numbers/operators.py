"""Chains of numbers with operators between them."""

from collections.abc import Iterator, Sequence
from fractions import Fraction

from rlgym.core.task import TaskData
from rlgym.generators.worked import evaluate, shown


class Chain(TaskData):
    """Numbers, the operators there are, how often each is used where that is told, and the value; `flat` goes strictly from left to right."""

    numbers: tuple[int, ...]
    signs: str
    counts: tuple[int, ...] | None
    target: tuple[int, int]
    flat: bool


def claims(data: Chain, chosen: str) -> list[str]:
    """What has to be worked out for these operators, in order."""
    if data.flat:
        values = [Fraction(data.numbers[0])]
        for sign, number in zip(chosen, data.numbers[1:], strict=True):
            values.append(applied(values[-1], sign, number))
        return [f"{bracketed(value)} {sign} {number}" for value, sign, number in zip(values, chosen, data.numbers[1:], strict=False)]
    runs = runs_of(data.numbers, chosen)
    total = "".join(f" {sign} {bracketed(evaluate(run))}" if i else bracketed(evaluate(run)) for i, (sign, run) in enumerate(runs))
    return [*(run for _, run in runs if " " in run), total]


def runs_of(numbers: Sequence[int], chosen: str) -> list[tuple[str, str]]:
    """The parts between + and -, each with its sign."""
    runs = [("+", str(numbers[0]))]
    for sign, number in zip(chosen, numbers[1:], strict=True):
        runs = [*runs, (sign, str(number))] if sign in "+-" else [*runs[:-1], (runs[-1][0], f"{runs[-1][1]} {sign} {number}")]
    return runs


def written_chain(numbers: Sequence[int], chosen: str) -> str:
    """The numbers with operators between them."""
    return str(numbers[0]) + "".join(f" {sign} {number}" for sign, number in zip(chosen, numbers[1:], strict=True))


def bracketed(value: Fraction) -> str:
    """A number as it stands in a formula."""
    return f"({shown(value)})" if value < 0 or value.denominator > 1 else shown(value)


def applied(value: Fraction, sign: str, number: int) -> Fraction:
    """One operation."""
    return value + number if sign == "+" else value - number if sign == "-" else value * number if sign == "*" else value / number


def value_of(numbers: Sequence[int], chosen: str, flat: bool) -> Fraction:
    """The value of a chain."""
    total, part = Fraction(0), Fraction(numbers[0])
    for sign, number in zip(chosen, numbers[1:], strict=True):
        if flat or sign in "*/":
            part = applied(part, sign, number)
        else:
            total, part = total + part, Fraction(number if sign == "+" else -number)
    return total + part


def found_chains(data: Chain, signs: str) -> Iterator[str]:
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
                    state = total, applied(part, sign, number), counts
                else:
                    state = total + part, Fraction(number if sign == "+" else -number), counts
                after.setdefault(state, chosen + sign)
        states = after
    yield from (chosen for (total, part, _), chosen in states.items() if total + part == target)
