"""Write a number as the bits of a floating-point format, or read the bits exactly.

The format (how many exponent and fraction bits) is told; numbers that do not fit are rounded to the nearest, ties to even. In the shift numbers
are subnormal, or sit halfway between two floats.
"""

from collections.abc import Sequence
from fractions import Fraction

from rlgym import Config, Environment, Rng, Score, Task, TaskData, knob
from rlgym.answers import Rational, Text, Unreadable
from rlgym.generators.numbers.floats import magnitude_of, scale_of, some_bits, value_of
from rlgym.generators.steps import Line, ended, first_wrong
from rlgym.generators.worked import shown

TASKS = {"read": ("read",), "write": ("read", "write"), "add": ("write", "add", "add")}
VALUE = Line("{bits}: sign {sign}, exponent field {field}, fraction field {fraction}, value {value}")
SUM = Line("The exact number is {value}")
SCALED = Line("Between 2^{low} and 2^{high} floats are 1/{parts} apart; the number is {count} of these steps")
ROUNDED = Line("Rounded to a whole number of steps: {count}")
LEAD = "The answer: "


class Knobs(Config):
    exponent: int = knob(5, easy=4, hard=8, doc="bits of the exponent")
    fraction: int = knob(9, easy=6, hard=23, doc="bits of the fraction")
    tasks: str = knob("write", easy="read", hard="add", order=tuple(TASKS), doc="reading bits, writing a number, or adding two floats")


class Data(TaskData):
    kind: str
    exponent: int
    fraction: int
    number: tuple[int, int]
    given: tuple[str, ...]


def generate(rng: Rng, knobs: Knobs) -> Task[Data]:
    return _made(rng, knobs, odd=False)


def shift(rng: Rng, knobs: Knobs) -> Task[Data]:
    return _made(rng, knobs, odd=True)


def _made(rng: Rng, knobs: Knobs, odd: bool) -> Task[Data]:
    e, f, bias = knobs.exponent, knobs.fraction, 2 ** (knobs.exponent - 1) - 1
    kind = rng.choice(TASKS[knobs.tasks])
    low = 0 if odd else max(1, bias - 12)
    high = 3 if odd and kind == "read" else min(2 * bias - 1, bias + 12)
    given = tuple(some_bits(rng, e, f, low, high) for _ in range({"read": 1, "write": 0, "add": 2}[kind]))
    value = sum((value_of(bits, e, f) for bits in given), Fraction(0))
    if kind == "write":
        value = value_of(some_bits(rng, e, f, low, high), e, f)
        step = Fraction(2) ** (scale_of(value, e) - f)
        value += step / 2 if odd else step * rng.integer(-3, 3) / 8 if rng.chance(0.7) else 0
    if value == 0 or not -(2**bias) < value < 2**bias or len(shown(value)) > 140:
        return _made(rng, knobs, odd)
    data = Data(kind=kind, exponent=e, fraction=f, number=(value.numerator, value.denominator), given=given)
    rule = (
        f"A floating-point format has {1 + e + f} bits: 1 sign bit s (1 for negative), then {e} exponent bits (as a number: E), then {f} fraction bits "
        f"(as a number: F). For E > 0 the value is (-1)^s * (1 + F/{2**f}) * 2^(E - {bias}); for E = 0 it is (-1)^s * F/{2**f} * 2^{1 - bias}. "
        "No bit pattern is set aside for infinity."
    )
    near = "If it is no float, take the nearest one, and of two equally near ones that with an even F."
    asks = {
        "read": f"What is the exact value of {', '.join(given)} (as an integer or a fraction)?",
        "write": f"Which bits stand for {shown(value)}? {near}",
        "add": f"Which bits stand for the sum of {' and '.join(given)}? {near}",
    }
    return Task(f"{rule} {asks[kind]}", data)


def solve(task: Task[Data]) -> str:
    # By bisection over all floats, which are in the order of their bits; `verify` scales and rounds.
    data = task.data
    value = Fraction(*data.number)
    if data.kind == "read":
        return shown(value)
    sign, size, low, high = "1" if value < 0 else "0", abs(value), 0, 2 ** (data.exponent + data.fraction) - 1
    while low < high:
        middle = (low + high + 1) // 2
        low, high = (middle, high) if magnitude_of(middle, data.exponent, data.fraction) <= size else (low, middle - 1)
    below, above = (magnitude_of(low + k, data.exponent, data.fraction) for k in (0, 1))
    up = above - size < size - below or (above - size == size - below and low % 2 == 1)
    return sign + f"{low + up:0{data.exponent + data.fraction}b}"


def verify(task: Task[Data], answer: str) -> Score:
    data = task.data
    if data.kind != "read":
        return Score.exact(answer == _right(data), "these are not the bits")
    try:
        return Score.exact(Rational().parse(answer) == Fraction(*data.number), "that is another number")
    except Unreadable:
        return Score.wrong("that is no exact number")


def mistakes(task: Task[Data], right: str) -> list[str]:
    data = task.data
    if data.kind == "read":
        value = Fraction(*data.number)
        return [shown(-value), shown(2 * value), shown(value / 2), shown(value + 1)]
    flipped = "10"[int(right[0])] + right[1:]
    last = right[:-1] + "10"[int(right[-1])]
    shifted = right[0] + f"{(int(right[1:], 2) + 2**data.fraction) % 2 ** (len(right) - 1):0{len(right) - 1}b}"
    return [flipped, last, shifted, right[1:] + right[0]]


def cost(task: Task[Data]) -> float:
    data = task.data
    return (1 + data.exponent + data.fraction) * {"read": 1, "write": 2, "add": 4}[data.kind]


def explain(task: Task[Data]) -> list[str]:
    data, value = task.data, Fraction(*task.data.number)
    e, f = data.exponent, data.fraction
    steps = [_told(bits, e, f) for bits in data.given]
    if data.kind == "read":
        return [*steps, LEAD + shown(value)]
    scale = scale_of(value, e)
    count = abs(value) / Fraction(2) ** (scale - f)
    steps.append(SUM.write(value=shown(value)))
    steps.append(SCALED.write(low=scale, high=scale + 1, parts=shown(Fraction(2) ** (f - scale)), count=shown(count)))
    steps.append(ROUNDED.write(count=round(count)))
    return [*steps, LEAD + solve(task)]


def replay(task: Task[Data], steps: Sequence[str]) -> int | None:
    data, value = task.data, Fraction(*task.data.number)
    e, f, scale = data.exponent, data.fraction, scale_of(Fraction(*task.data.number), task.data.exponent)
    given = list(data.given)

    def follows(step: str) -> bool:
        if found := VALUE.read(step):
            return bool(given) and found["bits"] == given[0] and step == _told(given.pop(0), e, f)
        if found := SUM.read(step):
            return Fraction(found["value"]) == value
        if found := SCALED.read(step):
            steps_of = Fraction(2) ** (scale - f)
            named = (int(found["low"]), int(found["high"]), Fraction(found["parts"])) == (scale, scale + 1, 1 / steps_of)
            return named and Fraction(found["count"]) == abs(value) / steps_of
        read = ROUNDED.read(step)
        return bool(read) and int((read or {})["count"]) == round(abs(value) / Fraction(2) ** (scale - f))

    return first_wrong(steps, follows, ended(LEAD, task, environment.answer, verify))


def _right(data: Data) -> str:
    value = Fraction(*data.number)
    if data.kind == "read":
        return shown(value)
    scale = scale_of(value, data.exponent)
    # `round` takes ties to even; a carry out of the fraction goes on into the exponent by itself.
    count = round(abs(value) / Fraction(2) ** (scale - data.fraction))
    field = scale + 2 ** (data.exponent - 1) - 1
    code = count if field == 1 and count < 2**data.fraction else count + (field - 1) * 2**data.fraction
    return ("1" if value < 0 else "0") + f"{code:0{data.exponent + data.fraction}b}"


def _told(bits: str, e: int, f: int) -> str:
    return VALUE.write(
        bits=bits, sign=bits[0], field=int(bits[1 : 1 + e], 2), fraction=int(bits[1 + e :], 2), value=shown(value_of(bits, e, f))
    )


environment = Environment(
    Knobs,
    Text("the bits without spaces, or the exact value as an integer or a fraction a/b, as asked", compact=True, most=200),
    generate,
    solve,
    verify,
    mistakes,
    cost,
    explain,
    replay=replay,
    shift=shift,
    concept="Count the number in steps of the last fraction bit at its power of two, round to a whole step, and read exponent and fraction off the count.",
)
