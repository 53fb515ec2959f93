"""Write a number as the bits of a floating-point format, or read the bits exactly.

The format (how many exponent and fraction bits) is given; numbers that do not fit are rounded to the nearest, ties to even. In the shifted
family numbers are subnormal, or lie halfway between two floats.
"""

from collections.abc import Iterator
from fractions import Fraction

from rlgym import Config, Environment, Rng, Score, Task, TaskData, knob
from rlgym.answers import Rational, Text, Unreadable
from rlgym.generators.calculations import format_fraction
from rlgym.generators.numbers.floats import binary_exponent, decode_float, decode_magnitude, sample_bits
from rlgym.solutions import Derivation, Due, Solution, Step, in_order

TASKS = {"read": ("read",), "write": ("read", "write"), "add": ("write", "add", "add")}
VALUE = Step("{bits}: sign {sign}, exponent field {field}, fraction field {fraction}, value {value}")
EXPONENT = Step("The size lies between 2^{low} and 2^{high}, so the step is 2^{low} / {parts:int} = 2^{step}")
SUBNORMAL = Step("The size is below 2^{low}, so E is 0 and the step is 2^{low} / {parts:int} = 2^{step}")
COUNTED = Step("The size is {count} of these steps")
NORMAL = Step("{count:int} - {parts:int} = {fraction:int} is F, and E is {low} + {bias:int} = {field:int}")
CARRIED = Step("{count:int} is 2 * {parts:int}, so F is 0 and E is {low} + 1 + {bias:int} = {field:int}")
WITHOUT_E = Step("{count:int} is F, and E is 0")
FIELDS = Step("The sign bit is {sign}, E in bits is {exponent_bits}, F in bits is {fraction_bits}")
SUM = Step("The exact number is {value}")
ROUNDED = Step("Rounded to a whole number of steps: {count}")
CLOSING = "The answer: {answer}"
ANSWER = Text("the answer in the form asked for above", ignore_spaces=True, max_characters=200)
CONCEPT = "Count the number in steps of the last fraction bit at its power of two, round to a whole step, and read exponent and fraction off the count."


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
    return _sample_task(rng, knobs, odd=False)


def shift(rng: Rng, knobs: Knobs) -> Task[Data]:
    return _sample_task(rng, knobs, odd=True)


def _sample_task(rng: Rng, knobs: Knobs, odd: bool) -> Task[Data]:
    e, f, bias = knobs.exponent, knobs.fraction, 2 ** (knobs.exponent - 1) - 1
    kind = rng.choice(TASKS[knobs.tasks])
    low = 0 if odd else max(1, bias - 12)
    high = 3 if odd and kind == "read" else min(2 * bias - 1, bias + 12)
    given = tuple(sample_bits(rng, e, f, low, high) for _ in range({"read": 1, "write": 0, "add": 2}[kind]))
    value = sum((decode_float(bits, e, f) for bits in given), Fraction(0))
    if kind == "write":
        value = decode_float(sample_bits(rng, e, f, low, high), e, f)
        step = Fraction(2) ** (binary_exponent(value, e) - f)
        value += step / 2 if odd else step * rng.integer(-3, 3) / 8 if rng.chance(0.7) else 0
    if value == 0 or not -(2**bias) < value < 2**bias or len(format_fraction(value)) > 140:
        return _sample_task(rng, knobs, odd)
    data = Data(kind=kind, exponent=e, fraction=f, number=(value.numerator, value.denominator), given=given)
    rule = (
        f"A floating-point format has {1 + e + f} bits: 1 sign bit s (1 for negative), then {e} exponent bits (as a number: E), then {f} fraction bits "
        f"(as a number: F). For E > 0 the value is (-1)^s * (1 + F/{2**f}) * 2^(E - {bias}); for E = 0 it is (-1)^s * F/{2**f} * 2^{1 - bias}. "
        "No bit pattern is reserved for infinity."
    )
    near = "If no bit pattern has exactly this value, take the nearest one, and of two equally near ones the one with an even F."
    form = f"Give all {1 + e + f} bits, the sign bit first, without spaces."
    asks = {
        "read": f"What is the exact value of {', '.join(given)}? Give an integer or a fraction a/b, which need not be in lowest terms.",
        "write": f"Which bits stand for {format_fraction(value)}? {near} {form}",
        "add": f"Which bits stand for the sum of {' and '.join(given)}? {near} {form}",
    }
    return Task(f"{rule} {asks[kind]}", data)


def solve(task: Task[Data]) -> str:
    # By bisection over all floats, which are in the order of their bits; `verify` scales and rounds.
    data = task.data
    value = Fraction(*data.number)
    if data.kind == "read":
        return format_fraction(value)
    sign, size, low, high = "1" if value < 0 else "0", abs(value), 0, 2 ** (data.exponent + data.fraction) - 1
    while low < high:
        middle = (low + high + 1) // 2
        low, high = (middle, high) if decode_magnitude(middle, data.exponent, data.fraction) <= size else (low, middle - 1)
    below, above = (decode_magnitude(low + k, data.exponent, data.fraction) for k in (0, 1))
    up = above - size < size - below or (above - size == size - below and low % 2 == 1)
    return sign + f"{low + up:0{data.exponent + data.fraction}b}"


def verify(task: Task[Data], answer: str) -> Score:
    data = task.data
    if data.kind != "read":
        return Score.exact(answer == _encode(data), "these are not the bits")
    try:
        return Score.exact(Rational().parse(answer) == Fraction(*data.number), "that is another number")
    except Unreadable:
        return Score.wrong("that is not an exact number")


def mistakes(task: Task[Data], right: str) -> list[str]:
    data = task.data
    if data.kind == "read":
        value = Fraction(*data.number)
        return [format_fraction(-value), format_fraction(2 * value), format_fraction(value / 2), format_fraction(value + 1)]
    flipped = "10"[int(right[0])] + right[1:]
    last = right[:-1] + "10"[int(right[-1])]
    shifted = right[0] + f"{(int(right[1:], 2) + 2**data.fraction) % 2 ** (len(right) - 1):0{len(right) - 1}b}"
    return [flipped, last, shifted, right[1:] + right[0]]


def cost(task: Task[Data]) -> float:
    data = task.data
    return (1 + data.exponent + data.fraction) * {"read": 1, "write": 2, "add": 4}[data.kind]


def derive(task: Task[Data]) -> Derivation:
    data, value = task.data, Fraction(*task.data.number)
    e, f = data.exponent, data.fraction
    for bits in data.given:
        fields = {"sign": bits[0], "field": int(bits[1 : 1 + e], 2), "fraction": int(bits[1 + e :], 2)}
        yield VALUE(bits=bits, **fields, value=format_fraction(decode_float(bits, e, f)))
    if data.kind == "read":
        return
    yield SUM(value=format_fraction(value))
    yield from in_order(_encoding_steps(value, e, f))


def _encoding_steps(value: Fraction, e: int, f: int) -> Iterator[Due]:
    """How the bits are found: the power of two, the size in steps, the whole number of steps, its fields."""
    low, bias, parts = binary_exponent(value, e), 2 ** (e - 1) - 1, 2**f
    power = Fraction(2) ** low
    count, subnormal = abs(value) * parts / power, abs(value) < power
    shown = {"low": low, "parts": parts, "step": low - f}
    yield SUBNORMAL(**shown) if subnormal else EXPONENT(**shown, high=low + 1)
    yield COUNTED(count=format_fraction(count))
    whole, field = round(count), low + bias
    yield ROUNDED(count=whole)
    if whole < parts:
        field, fraction = 0, whole
        yield WITHOUT_E(count=whole)
    elif whole == 2 * parts:
        field, fraction = field + 1, 0
        yield CARRIED(count=whole, parts=parts, low=low, bias=bias, field=field)
    else:
        fraction = whole - parts
        yield NORMAL(count=whole, parts=parts, fraction=fraction, low=low, bias=bias, field=field)
    yield FIELDS(sign="1" if value < 0 else "0", exponent_bits=f"{field:0{e}b}", fraction_bits=f"{fraction:0{f}b}")


def _encode(data: Data) -> str:
    """The right answer: the nearest float by scaling and rounding, or the value that was read."""
    value = Fraction(*data.number)
    if data.kind == "read":
        return format_fraction(value)
    scale = binary_exponent(value, data.exponent)
    # `round` takes ties to even; a carry out of the fraction increments the exponent by itself.
    count = round(abs(value) / Fraction(2) ** (scale - data.fraction))
    field = scale + 2 ** (data.exponent - 1) - 1
    code = count if field == 1 and count < 2**data.fraction else count + (field - 1) * 2**data.fraction
    return ("1" if value < 0 else "0") + f"{code:0{data.exponent + data.fraction}b}"


environment = Environment(
    Knobs, ANSWER, generate, solve, verify, mistakes, cost, solution=Solution(derive, CLOSING), shift=shift, concept=CONCEPT, version=3
)
