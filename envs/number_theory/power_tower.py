"""Find the remainder of a tower of powers.

On the upper levels the numbers x are counted for which a^(x^x) leaves a given remainder.
"""

from collections.abc import Iterator, Sequence
from itertools import pairwise
from math import gcd
from typing import NamedTuple

from rlgym import Config, Environment, Rng, Score, Task, TaskData, knob
from rlgym.answers import Integer
from rlgym.generators.calculations import LAST
from rlgym.generators.numbers import self_powers
from rlgym.generators.numbers.factors import Facts, factorize, format_factors, multiplicative_order, residue_line, residue_solution, totient
from rlgym.solutions import Derivation, Solution, SolutionByTask, Step

CLOSING = LAST + "the remainder is {answer}"
PERIOD = Step(
    "{base} has the order {order:int} modulo {modulus:int}, and it leaves {rest:int} where x^x leaves {exponent:int} when divided by {order}."
)
BLOCK = Step("From {first:int} to {last:int}, this is so for {count:int} numbers x.")
CONCEPT = "Powers modulo a number repeat after its totient, so an exponent is needed only modulo that, and its own exponent modulo the next totient."
ORDER = "Powers of powers are evaluated from the top: a^b^c means a^(b^c)"


class Knobs(Config):
    height: int = knob(2, easy=2, hard=4, doc="numbers in the tower")
    digits: int = knob(2, easy=1, hard=5, doc="digits of the modulus")
    largest: int = knob(15, easy=12, hard=90, doc="largest number in the tower")

    asked: str = knob(
        "remainder",
        easy="remainder",
        hard="count",
        order=("remainder", "count"),
        doc="the remainder of a tower, or for how many x it is a given one",
    )


class Data(TaskData):
    tower: tuple[int, ...]
    modulus: int
    result: int
    rest: int = 0  # the remainder that base^(x^x) is to leave for x from 1 to `most`; then the tower is only the base
    most: int = 0


class Level(NamedTuple):
    """A number of the tower, counted from below, its modulus, and the exponent that does instead of the tower above it."""

    number: int
    base: int
    modulus: int
    exponent: int


def generate(rng: Rng, knobs: Knobs) -> Task[Data]:
    if knobs.asked == "count":
        return _sample_counting_task(rng, knobs)
    data = None
    while data is None or _is_guessable(data):
        tower = [rng.integer(3, knobs.largest) for _ in range(knobs.height)]
        data = _make_data(tower, rng.integer(max(11, 10 ** (knobs.digits - 1)), 10**knobs.digits + 30))
    return Task(
        f"What remainder does {'^'.join(map(str, data.tower))} leave when divided by {data.modulus}?{f' {ORDER}.' if knobs.height > 2 else ''}",
        data,
    )


def shift(rng: Rng, knobs: Knobs) -> Task[Data]:
    """The same number at all levels but the top one; the last digits in another base are asked for as a number."""
    data, base, digits = None, 0, 0
    while data is None or _is_guessable(data):
        base = rng.integer(13, 60)
        digits = next(k for k in range(1, 30) if base ** (k + 1) > 10 ** (knobs.digits + 1))
        data = _make_data([*[rng.integer(3, knobs.largest)] * knobs.height, rng.integer(3, knobs.largest)], base**digits)
    return Task(
        f"The number {'^'.join(map(str, data.tower))} is written in base {base}. What number "
        f"{'does its last digit' if digits == 1 else f'do its last {digits} digits'} stand for? Give it in base ten. {ORDER}.",
        data,
    )


def _is_guessable(data: Data) -> bool:
    """Whether the remainder is its own square, as 0 and 1 are, or a low power of a number of the tower."""
    return pow(data.result, 2, data.modulus) == data.result or any(
        data.result == number**power for number in data.tower for power in (1, 2, 3)
    )


def _make_data(tower: Sequence[int], modulus: int) -> Data:
    data = Data(tower=tuple(tower), modulus=modulus, result=0)
    *_, lowest = _levels(data)
    return data.model_copy(update={"result": _reduced_power(lowest.base, lowest.exponent, modulus) % modulus})


def solve(task: Task[Data]) -> int:
    """By the tail and the period of the powers of each base, found by repeated multiplication."""
    data = task.data
    if data.most:
        return sum(self_powers.tower_remainder(data.tower[0], data.modulus, x) == data.rest for x in range(1, data.most + 1))

    def rest(at: int, tail: int, period: int) -> int:
        """The tower from a level up: exact below the tail, else some number beyond the tail with the same remainder."""
        if at == len(data.tower):
            return 1
        seen, value = dict[int, int](), 1 % period
        while value not in seen:
            seen[value] = len(seen)
            value = value * data.tower[at] % period
        start, length = seen[value], len(seen) - seen[value]
        exponent = rest(at + 1, max(start, 64), length)
        value = pow(data.tower[at], exponent, period)
        small = data.tower[at] ** exponent if exponent < 64 else tail
        return small if small < tail else value + -(-max(0, tail - value) // period) * period

    return rest(0, 0, data.modulus) % data.modulus


def verify(task: Task[Data], answer: int) -> Score:
    if task.data.most:
        return Score.exact(answer == task.data.result, "the number of such x is another one")
    if not 0 <= answer < task.data.modulus:
        return Score.wrong("a remainder is at least 0 and less than the modulus")
    return Score.exact(answer == task.data.result, "the remainder is another number")


def mistakes(task: Task[Data], right: int) -> list[int]:
    data, value = task.data, 1
    if data.most:
        order = multiplicative_order(data.tower[0], data.modulus)
        direct = sum(pow(data.tower[0], x * x, data.modulus) == data.rest for x in range(1, data.most + 1))
        return [answer for answer in (data.most // order, direct, right + 1, right - 1) if answer != right]
    for base in reversed(data.tower):
        value = pow(base, value, data.modulus)
    left = data.tower[0] % data.modulus
    for base in data.tower[1:]:
        left = pow(left, base, data.modulus)
    return [value, left, right + data.modulus, data.modulus - right, (right + 1) % data.modulus]


def cost(task: Task[Data]) -> float:
    if task.data.most:
        order = multiplicative_order(task.data.tower[0], task.data.modulus)
        return 300 + 10 * self_powers.period(order)
    return sum(m.bit_length() ** 2 for m in _moduli(task.data.modulus, len(task.data.tower)))


def derive_count(task: Task[Data]) -> Derivation:
    data = task.data
    base, order = data.tower[0], multiplicative_order(data.tower[0], data.modulus)
    exponent = next(e for e in range(order) if pow(base, e, data.modulus) == data.rest)
    yield PERIOD(base=base, order=order, modulus=data.modulus, rest=data.rest, exponent=exponent)
    period = self_powers.period(order)
    for first in range(1, data.most + 1, period):
        last = min(first + period - 1, data.most)
        yield BLOCK(first=first, last=last, count=sum(pow(x, x, order) == exponent for x in range(first, last + 1)))


def _sample_counting_task(rng: Rng, knobs: Knobs) -> Task[Data]:
    """The exponent that is needed does not occur as often as the others on average."""
    orders = (22, 28, 33, 35, 44) if knobs.digits > 4 else (10, 12, 14, 18, 20)
    while True:
        modulus, base = rng.integer(20, 400), rng.integer(2, 30)
        order = multiplicative_order(base, modulus) if gcd(base, modulus) == 1 else 0
        if order not in orders:
            continue
        exponent, period = rng.integer(2, order - 1), self_powers.period(order)
        most = rng.integer(5 * period, 1000 + 10 * period)
        inside = sum(pow(x, x, order) == exponent for x in range(period + 1, 2 * period + 1))
        result = sum(pow(x, x, order) == exponent for x in range(1, most + 1))
        if result > 20 and inside * order != period:
            break
    rest = pow(base, exponent, modulus)
    prompt = f"For how many integers x from 1 to {most} does {base}^(x^x) leave the remainder {rest} when divided by {modulus}?"
    return Task(prompt, Data(tower=(base,), modulus=modulus, result=result, rest=rest, most=most))


def _lines(task: Task[Data]) -> Iterator[str]:
    data = task.data
    moduli = _moduli(data.modulus, len(data.tower))
    yield from (_period(m, under) for m, under in pairwise(moduli))
    for number, base, m, exponent in _levels(data):
        yield _reduced_exponent(number, exponent)
        power, value = 1, base % m
        for digit in f"{exponent:b}"[1:]:
            yield residue_line(f"{base}^{2 * power} of number {number}", f"{value}^2", m)
            power, value = 2 * power, value * value % m
            if digit == "1":
                yield residue_line(f"{base}^{power + 1} of number {number}", f"{value}*{base}", m)
                power, value = power + 1, value * base % m


def _levels(data: Data) -> Iterator[Level]:
    """The levels from the top down."""
    exponent = 1
    for number, (base, m) in reversed(list(enumerate(zip(data.tower, _moduli(data.modulus, len(data.tower)), strict=True), 1))):
        yield Level(number, base, m, exponent)
        exponent = _reduced_power(base, exponent, m)


def _facts(task: Task[Data]) -> Facts:
    facts = dict[str, tuple[int, int]]()
    for number, base, m, exponent in _levels(task.data):
        for shift in range(exponent.bit_length()):
            for power in (exponent >> shift, exponent >> shift & ~1):
                facts[f"{base}^{power} of number {number}"] = (pow(base, power, m), m)
    return facts


def _sentences(task: Task[Data]) -> set[str]:
    moduli = _moduli(task.data.modulus, len(task.data.tower))
    exponents = {_reduced_exponent(level.number, level.exponent) for level in _levels(task.data)}
    return exponents | {_period(m, under) for m, under in pairwise(moduli)}


def _reduced_exponent(number: int, exponent: int) -> str:
    return f"Number {number} from below may be raised to {exponent} instead of to what stands above it"


def _period(m: int, under: int) -> str:
    return f"As {m} = {format_factors(factorize(m))}, powers modulo {m} with exponents of {m.bit_length()} or more repeat after {under}"


def _moduli(modulus: int, height: int) -> list[int]:
    moduli = [modulus]
    while len(moduli) < height:
        moduli.append(totient(moduli[-1]))
    return moduli


def _reduced_power(base: int, exponent: int, modulus: int) -> int:
    """The power itself while it is small; else a number above the modulus with its remainder, which serves as exponent one level below."""
    bound = 2 * modulus + 40
    small = base**exponent if exponent <= bound.bit_length() else bound
    if small < bound:
        return small
    value = pow(base, exponent, modulus)
    return value + -(-(bound - modulus - value) // modulus) * modulus


COUNTING = Solution(derive_count, "So the number of such x is {answer}")
REMAINDER = residue_solution(_lines, _facts, CLOSING, lambda task: [base % m for _, base, m, _ in _levels(task.data)], _sentences)

environment = Environment(
    Knobs, Integer(), generate, solve, verify, mistakes, cost,
    solution=SolutionByTask(lambda task: COUNTING if task.data.most else REMAINDER), shift=shift, concept=CONCEPT, chains=True, version=7,
)  # fmt: skip
