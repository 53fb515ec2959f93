"""Add numbers that are written in different bases.

In the shifted family each place of a number has its own base, as in hours, minutes and seconds.
"""

from collections.abc import Sequence

from rlgym import Config, Environment, Rng, Score, Task, TaskData, knob
from rlgym.answers import Text
from rlgym.solutions import Derivation, Solution, Step

VALUE = Step("{written} in {base} is {value}")
ADDED = Step("{left} {sign} {right} = {total}")
SPLIT = Step("{number} = {high} * {base} + {rest}, so the next digit from the right is {rest}")
CLOSING = "The result: {answer}"
ANSWER = Text("the digits of the result as decimal numbers separated by colons, such as 1:12:0", ignore_spaces=True, max_characters=400)
CONCEPT = "Turn each number into a value place by place, add, and divide by the bases of the result from the right."


class Knobs(Config):
    numbers: int = knob(4, easy=2, hard=12, doc="how many numbers")
    digits: int = knob(3, easy=2, hard=9, doc="digits of each number")
    largest: int = knob(16, easy=6, hard=90, doc="largest base")
    signs: str = knob("both", easy="sum", hard="both", order=("sum", "both"), doc="whether numbers are also subtracted")


class Data(TaskData):
    """`bases` holds the bases of the places from the right for each number, then for the result; the last base applies to all further places."""

    numbers: tuple[int, ...]
    signs: str
    bases: tuple[tuple[int, ...], ...]
    right: str


def generate(rng: Rng, knobs: Knobs) -> Task[Data]:
    bases = [(rng.integer(2, knobs.largest),) for _ in range(knobs.numbers + 1)]
    return _sample_task(rng, knobs, bases)


def shift(rng: Rng, knobs: Knobs) -> Task[Data]:
    bases = [tuple(rng.integer(2, knobs.largest) for _ in range(rng.integer(2, max(2, knobs.digits)))) for _ in range(knobs.numbers + 1)]
    return _sample_task(rng, knobs, bases)


def _sample_task(rng: Rng, knobs: Knobs, bases: Sequence[tuple[int, ...]]) -> Task[Data]:
    numbers, total, signs = [], 0, ""
    for i in range(knobs.numbers):
        top = [bases[i][min(place, len(bases[i]) - 1)] for place in range(knobs.digits)]
        number = rng.integer(1, top[-1] - 1)
        for base in reversed(top[:-1]):
            number = number * base + rng.integer(0, base - 1)
        sign = "-" if i and knobs.signs == "both" and number < total and rng.chance(0.5) else "+"
        numbers.append(number)
        signs += sign
        total += number if sign == "+" else -number
    lines = [f"{sign} {_format(number, base)} in {_base(base)}" for sign, number, base in zip(signs, numbers, bases, strict=False)]
    mixed = any(len(base) > 1 for base in bases)
    note = (
        " Where several bases are listed, they apply to the digits from right to left, and the last one applies to all further digits: in the bases 60, 24 "
        "the number 1:2:3 means 3 + 2 * 60 + 1 * 60 * 24."
        if mixed
        else ""
    )
    listing = "\n".join(lines).removeprefix("+ ")
    prompt = (
        f"Compute\n{listing}\nand write the result in {_base(bases[-1])}. "
        f"Each digit is written as a decimal number; colons separate the digits, the most significant digit first.{note}"
    )
    return Task(prompt, Data(numbers=tuple(numbers), signs=signs, bases=tuple(bases), right=_format(total, bases[-1])))


def solve(task: Task[Data]) -> str:
    # From the written digits, place by place in the base of the result; `generate` keeps integers.
    lines, total = task.prompt.split("\n")[1:-1], 0
    for line, base in zip(lines, task.data.bases, strict=False):
        sign, _, rest = line.rpartition(" in ")[0].rpartition(" ")
        digits, weight, value = rest.split(":"), 1, 0
        for place, digit in enumerate(reversed(digits)):
            value += int(digit) * weight
            weight *= base[min(place, len(base) - 1)]
        total += -value if sign == "-" else value
    return _format(total, task.data.bases[-1])


def verify(task: Task[Data], answer: str) -> Score:
    return Score.exact(answer == task.data.right, "these are not the digits of the result")


def mistakes(task: Task[Data], right: str) -> list[str]:
    digits = right.split(":")
    total = _totals(task.data)[-1]
    bases = task.data.bases[-1]
    return [
        ":".join(reversed(digits)),
        str(total) if len(digits) > 1 else f"{total}:0",
        f"{right}:0",
        _format(total + 1, bases),
        _format(total + bases[0], bases),
    ]


def cost(task: Task[Data]) -> float:
    data = task.data
    lengths = [
        len(_format(number, base).split(":")) * sum(len(str(part)) for part in base)
        for number, base in zip(data.numbers, data.bases, strict=False)
    ]
    return sum(lengths) + len(data.right) + data.signs.count("-")


def derive(task: Task[Data]) -> Derivation:
    data, totals = task.data, _totals(task.data)
    for number, base in zip(data.numbers, data.bases, strict=False):
        yield VALUE(written=_format(number, base), base=_base(base), value=number)
    for sign, number, before, after in zip(data.signs[1:], data.numbers[1:], totals, totals[1:], strict=False):
        yield ADDED(left=before, sign=sign, right=number, total=after)
    rest, place = totals[-1], 0
    while rest:
        size = data.bases[-1][min(place, len(data.bases[-1]) - 1)]
        yield SPLIT(number=rest, high=rest // size, base=size, rest=rest % size)
        rest, place = rest // size, place + 1


def _totals(data: Data) -> list[int]:
    totals = [data.numbers[0]]
    for sign, number in zip(data.signs[1:], data.numbers[1:], strict=True):
        totals.append(totals[-1] + (number if sign == "+" else -number))
    return totals


def _format(number: int, bases: Sequence[int]) -> str:
    digits: list[str] = []
    place = 0
    while number or not digits:
        base = bases[min(place, len(bases) - 1)]
        digits.append(str(number % base))
        number, place = number // base, place + 1
    return ":".join(reversed(digits))


def _base(bases: Sequence[int]) -> str:
    return f"base {bases[0]}" if len(bases) == 1 else f"the bases {', '.join(map(str, bases))}"


environment = Environment(
    Knobs, ANSWER, generate, solve, verify, mistakes, cost, solution=Solution(derive, CLOSING), shift=shift, concept=CONCEPT, version=3
)
