"""Find when the powers of a number repeat modulo another number.

The base may have factors in common with the modulus: then the first powers never come again, and the powers after them are periodic.
"""

from math import gcd, lcm

from rlgym import Config, Environment, Rng, Score, Task, TaskData, knob
from rlgym.answers import Integer
from rlgym.generators.numbers.factors import factorize, format_factors, is_prime, multiplicative_order, sample_prime, totient
from rlgym.solutions import Checks, Derivation, Solution, Step

TAIL = Step(
    "Of the modulus, {common:int} consists of primes of {base:int}, and {base:int}^{tail:int} is the first power that {common:int} divides; {rest:int} is left"
)
PART = Step("Modulo {size:int} a power of {base:int} with exponent {group:int} = {factors} is 1")
FACTOR = Step("Modulo {size:int} exponent {exponent:int} gives {value:int}, so divide by {factor:int} {more}")
MORE = {True: "again", False: "no more"}
LOCAL = Step("So modulo {size:int} the powers repeat after {period:int}")
ALL = Step("The least common multiple of {periods:ints} is {period:int}")
LONGEST_PERIOD = 10**11  # the answer adds a few to it, and has at most 12 digits
SHARE_REDRAWN = {1: 0.8, 2: 0.7}  # the period divides the number of units, and mostly the quotient is 1 or 2
CLOSING = Step("The answer is {tail:int} + {period:int} = {answer:int}")
CONCEPT = "Take the modulus apart into prime powers: modulo each, the period divides a known number, and they meet at their least common multiple."


class Knobs(Config):
    digits: int = knob(3, easy=1, hard=5, doc="digits of the largest prime factor of the modulus")
    factors: int = knob(2, easy=1, hard=3, doc="prime powers in the modulus that have no factor in common with the base")
    tail: str = knob("none", easy="none", hard="some", order=("none", "some"), doc="whether some first powers never come again")


class Data(TaskData):
    base: int
    modulus: int
    period: int
    tail: int


def generate(rng: Rng, knobs: Knobs) -> Task[Data]:
    data = _sample_data(rng, knobs, rng.integer(3, 99))
    ask = f"Write down the remainders that {data.base}^0, {data.base}^1, {data.base}^2, ... leave when divided by {data.modulus}."
    if knobs.tail == "none":
        return Task(
            f"What is the smallest k greater than 0 for which {data.base}^k leaves the remainder 1 when divided by {data.modulus}?", data
        )
    return Task(
        f"{ask} What is the smallest k for which the remainder of {data.base}^k has appeared before, with a smaller exponent?", data
    )


def shift(rng: Rng, knobs: Knobs) -> Task[Data]:
    """The same powers in long division: the digits of a fraction in some base."""
    data = _sample_data(rng, knobs, rng.choice((2, 3, 5, 6, 7, 8, 10, 12, 16, 20)))
    top = next(top for top in iter(lambda: rng.integer(1, data.modulus - 1), 0) if gcd(top, data.modulus) == 1)
    ask = f"The fraction {top}/{data.modulus} (written here in base ten) is written out in base {data.base} with digits after the point."
    if knobs.tail == "none":
        return Task(f"{ask} From the first digit on they repeat. How many digits does the shortest repeating block have?", data)
    return Task(
        f"{ask} From some digit on they repeat. Take the shortest possible run of first digits that do not repeat, and the shortest repeating block "
        "after them: how many digits do the two have together?",
        data,
    )


def _sample_data(rng: Rng, knobs: Knobs, base: int) -> Data:
    shared = [factor for factor, _ in factorize(base)]
    modulus, tail = 1, 0
    while modulus < 7:
        parts: dict[int, int] = {}
        while len(parts) < knobs.factors:
            digits = rng.integer(1, knobs.digits) if parts else knobs.digits
            p = sample_prime(rng, max(3, 10 ** (digits - 1)), 10**digits + 13)
            if p not in shared:
                parts[p] = rng.integer(1, 3 if p < 12 else 2 if p < 120 else 1)
        modulus = 1
        for p, exponent in parts.items():
            modulus *= p**exponent
    period = multiplicative_order(base, modulus)
    if period > LONGEST_PERIOD or rng.chance(SHARE_REDRAWN.get(totient(modulus) // period, 0)):
        return _sample_data(rng, knobs, base)
    if knobs.tail == "some":
        common = rng.choice(shared) ** rng.integer(1, 9)
        modulus *= common
        while pow(base, tail, common):
            tail += 1
    return Data(base=base, modulus=modulus, period=period, tail=tail)


def solve(task: Task[Data]) -> int:
    """By repeated multiplication modulo each prime power, until a remainder repeats."""
    data, tail, period = task.data, 0, 1
    for p, times in factorize(data.modulus):
        value, seen = 1, dict[int, int]()
        while value not in seen:
            seen[value] = len(seen)
            value = value * data.base % p**times
        tail, period = max(tail, seen[value]), lcm(period, len(seen) - seen[value])
    return tail + period


def verify(task: Task[Data], answer: int) -> Score:
    return Score.exact(answer == task.data.period + task.data.tail, "the powers do not repeat there, or they repeat before")


def mistakes(task: Task[Data], right: int) -> list[int]:
    data = task.data
    return [data.modulus - 1, totient(data.modulus), 2 * right, data.period if data.tail else right + 1, right - 1, data.modulus]


def cost(task: Task[Data]) -> float:
    data = task.data
    return data.tail + sum(len(str(p)) ** 3 * (1 + len(factorize(p - 1))) * exponent for p, exponent in factorize(data.modulus))


def derive(task: Task[Data]) -> Derivation:
    data, periods = task.data, list[int]()
    common = gcd(data.base**40, data.modulus)
    if data.tail:
        yield TAIL(common=common, base=data.base, tail=data.tail, rest=data.modulus // common)
    for p, times in factorize(data.modulus // common):
        size, group = p**times, (p - 1) * p ** (times - 1)
        yield PART(size=size, base=data.base, group=group, factors=format_factors(factorize(group)))
        exponent = group
        for factor, multiplicity in factorize(group):
            for _ in range(multiplicity):
                value = pow(data.base, exponent // factor, size)
                yield FACTOR(size=size, exponent=exponent // factor, value=value, factor=factor, more=MORE[value == 1])
                if value != 1:
                    break
                exponent //= factor
        yield LOCAL(size=size, period=exponent)
        periods.append(exponent)
    if len(periods) > 1:
        yield ALL(periods=periods, period=lcm(*periods))
    yield CLOSING(tail=data.tail, period=lcm(*periods), answer=data.tail + lcm(*periods))


def checks(task: Task[Data]) -> Checks:
    data = task.data
    coprime = data.modulus // gcd(data.base**40, data.modulus)
    parts = [p**times for p, times in factorize(coprime)]
    tail_length = part_size = part_exponent = 0
    local_periods: list[int] = []

    def has_tail(common: int, base: int, tail: int, rest: int) -> bool:
        nonlocal tail_length
        tail_length = tail
        first = pow(data.base, tail, common) == 0 != pow(data.base, tail - 1, common)
        return base == data.base and common * rest == data.modulus and rest == coprime and first

    def part(size: int, base: int, group: int, factors: str) -> bool:
        nonlocal part_size, part_exponent
        part_size, part_exponent = size, group
        known = size == parts[len(local_periods)] and base == data.base
        return known and group == totient(size) and factors == format_factors(factorize(group))

    def factor(size: int, exponent: int, value: int, factor: int, more: str) -> bool:
        nonlocal part_exponent
        power = value == pow(data.base, exponent, size)
        fits = size == part_size and exponent * factor == part_exponent and power and is_prime(factor)
        part_exponent = exponent if value == 1 else part_exponent
        return fits and more == MORE[value == 1]

    def local(size: int, period: int) -> bool:
        local_periods.append(period)
        return size == part_size and period == multiplicative_order(data.base, size)

    def end(tail: int, period: int, answer: int) -> bool:
        return bool(local_periods) and (tail, period, answer) == (tail_length, lcm(*local_periods), data.tail + data.period)

    return {
        TAIL: has_tail,
        PART: part,
        FACTOR: factor,
        LOCAL: local,
        ALL: lambda periods, period: list(periods) == local_periods and period == lcm(*local_periods),
        CLOSING: end,
    }


environment = Environment(
    Knobs,
    Integer(),
    generate,
    solve,
    verify,
    mistakes,
    cost,
    solution=Solution(derive, CLOSING, checks),
    shift=shift,
    concept=CONCEPT,
    version=2,
)
