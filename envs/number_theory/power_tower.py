"""Find the remainder of a tower of powers."""

from collections.abc import Sequence
from itertools import pairwise

from rlgym import Config, Environment, Rng, Score, Task, TaskData, knob
from rlgym.answers import Integer
from rlgym.generators.numbers.factors import Residues, factored, reduced, totient, written
from rlgym.generators.steps import first_wrong
from rlgym.generators.worked import LAST


class Knobs(Config):
    height: int = knob(2, easy=2, hard=4, doc="numbers in the tower")
    digits: int = knob(2, easy=1, hard=5, doc="digits of the modulus")
    largest: int = knob(15, easy=7, hard=90, doc="largest number in the tower")


class Data(TaskData):
    tower: tuple[int, ...]
    modulus: int
    result: int


def generate(rng: Rng, knobs: Knobs) -> Task[Data]:
    data = None
    while data is None or data.result < 2:
        tower = [rng.integer(3, knobs.largest) for _ in range(knobs.height)]
        data = _made(tower, rng.integer(max(11, 10 ** (knobs.digits - 1)), 10**knobs.digits + 30))
    return Task(
        f"What remainder does {_written(data.tower)} leave when divided by {data.modulus}? (Powers of powers are worked out from the top: a^b^c is a^(b^c).)",
        data,
    )


def shift(rng: Rng, knobs: Knobs) -> Task[Data]:
    """The same number on all floors but the top one, and its last digits in another base are asked for as a number."""
    data, base, digits = None, 0, 0
    while data is None or data.result < 2:
        base = rng.integer(5, 60)
        digits = next(k for k in range(1, 30) if base ** (k + 1) > 10 ** (knobs.digits + 1))
        data = _made([*[rng.integer(3, knobs.largest)] * knobs.height, rng.integer(3, knobs.largest)], base**digits)
    return Task(
        f"The number {_written(data.tower)} (powers of powers are worked out from the top: a^b^c is a^(b^c)) is written in base {base}. What number "
        f"{'does its last digit' if digits == 1 else f'do its last {digits} digits'} stand for? Give it in base ten.",
        data,
    )


def _made(tower: Sequence[int], modulus: int) -> Data:
    exponent = 1
    for base, m in reversed(list(zip(tower, _moduli(modulus, len(tower)), strict=True))):
        exponent = _lifted(base, exponent, m)
    return Data(tower=tuple(tower), modulus=modulus, result=exponent % modulus)


def solve(task: Task[Data]) -> int:
    """By where the powers of each base run into a circle, and how long it is, found by multiplying on."""
    data = task.data

    def rest(at: int, tail: int, circle: int) -> int:
        """The tower from a place up: exactly if it is below the tail, else some number from the tail on with the same remainder."""
        if at == len(data.tower):
            return 1
        seen, value = dict[int, int](), 1 % circle
        while value not in seen:
            seen[value] = len(seen)
            value = value * data.tower[at] % circle
        start, length = seen[value], len(seen) - seen[value]
        exponent = rest(at + 1, max(start, 64), length)
        value = pow(data.tower[at], exponent, circle)
        small = data.tower[at] ** exponent if exponent < 64 else tail
        return small if small < tail else value + -(-max(0, tail - value) // circle) * circle

    return rest(0, 0, data.modulus) % data.modulus


def verify(task: Task[Data], answer: int) -> Score:
    if not 0 <= answer < task.data.modulus:
        return Score.wrong("a remainder is not negative and less than what is divided by")
    return Score.exact(answer == task.data.result, "the remainder is another number")


def mistakes(task: Task[Data], right: int) -> list[int]:
    data, value = task.data, 1
    for base in reversed(data.tower):
        value = pow(base, value, data.modulus)
    left = data.tower[0] % data.modulus
    for base in data.tower[1:]:
        left = pow(left, base, data.modulus)
    return [value, left, right + data.modulus, data.modulus - right, (right + 1) % data.modulus]


def cost(task: Task[Data]) -> float:
    return sum(m.bit_length() ** 2 for m in _moduli(task.data.modulus, len(task.data.tower)))


def explain(task: Task[Data]) -> list[str]:
    data, steps, exponent = task.data, [], 1
    moduli = _moduli(data.modulus, len(data.tower))
    for m, under in pairwise(moduli):
        steps.append(_told(m, under))
    for at, (base, m) in reversed(list(enumerate(zip(data.tower, moduli, strict=True), 1))):
        power, value = 1, base % m
        steps.append(f"Number {at} from below may be raised to {exponent} instead of to what stands above it")
        for digit in f"{exponent:b}"[1:]:
            steps.append(reduced(f"{base}^{2 * power} of number {at}", f"{value}^2", m))
            power, value = 2 * power, value * value % m
            if digit == "1":
                steps.append(reduced(f"{base}^{power + 1} of number {at}", f"{value}*{base}", m))
                power, value = power + 1, value * base % m
        exponent = _lifted(base, exponent, m)
    return [*steps, LAST + f"the remainder is {data.result}"]


def replay(task: Task[Data], steps: Sequence[str]) -> int | None:
    data, moduli, facts, exponent = task.data, _moduli(task.data.modulus, len(task.data.tower)), dict[str, tuple[int, int]](), 1
    told = {_told(m, under) for m, under in pairwise(moduli)}
    for at, (base, m) in reversed(list(enumerate(zip(data.tower, moduli, strict=True), 1))):
        told.add(f"Number {at} from below may be raised to {exponent} instead of to what stands above it")
        for shift in range(exponent.bit_length()):
            for power in (exponent >> shift, exponent >> shift & ~1):
                facts[f"{base}^{power} of number {at}"] = (pow(base, power, m), m)
        exponent = _lifted(base, exponent, m)
    sheet = Residues(task.prompt, facts, [base % m for base, m in zip(data.tower, moduli, strict=True)])
    return first_wrong(
        steps, lambda step: step in told or sheet.follows(step), lambda step: step == f"{LAST}the remainder is {data.result}"
    )


def _told(m: int, under: int) -> str:
    return f"As {m} = {written(factored(m))}, powers modulo {m} with exponents of {m.bit_length()} or more repeat after {under}"


def _moduli(modulus: int, height: int) -> list[int]:
    moduli = [modulus]
    while len(moduli) < height:
        moduli.append(totient(moduli[-1]))
    return moduli


def _lifted(base: int, exponent: int, modulus: int) -> int:
    """The power itself while it is small; else a number from the modulus on with its remainder, which does as an exponent one floor below."""
    bound = 2 * modulus + 40
    small = base**exponent if exponent <= bound.bit_length() else bound
    if small < bound:
        return small
    value = pow(base, exponent, modulus)
    return value + -(-(bound - modulus - value) // modulus) * modulus


def _written(tower: Sequence[int]) -> str:
    return "^".join(map(str, tower))


environment = Environment(
    Knobs,
    Integer(),
    generate,
    solve,
    verify,
    mistakes,
    cost,
    explain,
    replay,
    shift,
    concept="Powers modulo a number repeat after its totient, so an exponent is needed only modulo that, and its own exponent modulo the next totient.",
)
