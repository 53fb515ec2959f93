"""Find when the powers of a number repeat modulo another.

The base may have factors in common with the modulus: then the powers run into a circle only after some first ones that never come again.
"""

from collections.abc import Sequence
from math import gcd, lcm

from rlgym import Config, Environment, Rng, Score, Task, TaskData, knob
from rlgym.answers import Integer
from rlgym.generators.numbers.factors import factored, is_prime, judged, order, prime_between, totient, written
from rlgym.generators.steps import Line, first_wrong


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
    data = _made(rng, knobs, rng.integer(3, 99))
    ask = f"Write down the remainders that {data.base}^0, {data.base}^1, {data.base}^2, ... leave when divided by {data.modulus}."
    if knobs.tail == "none":
        return Task(
            f"What is the smallest k greater than 0 for which {data.base}^k leaves the remainder 1 when divided by {data.modulus}?", data
        )
    return Task(
        f"{ask} What is the smallest k for which the remainder of {data.base}^k has appeared before, with a smaller exponent?", data
    )


def shift(rng: Rng, knobs: Knobs) -> Task[Data]:
    """The same powers, met in long division: the digits of a fraction in some base."""
    data = _made(rng, knobs, rng.choice((2, 3, 5, 6, 7, 8, 10, 12, 16, 20)))
    top = next(top for top in iter(lambda: rng.integer(1, data.modulus - 1), 0) if gcd(top, data.modulus) == 1)
    ask = f"The fraction {top}/{data.modulus} (written here in base ten) is written out in base {data.base} with digits after the point."
    if knobs.tail == "none":
        return Task(f"{ask} From the first digit on they repeat. How many digits does the shortest repeating block have?", data)
    return Task(
        f"{ask} From some digit on they repeat. Take the shortest possible run of first digits that do not repeat, and the shortest repeating block "
        "after them: how many digits do the two have together?",
        data,
    )


def _made(rng: Rng, knobs: Knobs, base: int) -> Data:
    shared = [factor for factor, _ in factored(base)]
    modulus, tail = 1, 0
    while modulus < 7:
        parts: dict[int, int] = {}
        while len(parts) < knobs.factors:
            digits = rng.integer(1, knobs.digits) if parts else knobs.digits
            p = prime_between(rng, max(3, 10 ** (digits - 1)), 10**digits + 13)
            if p not in shared:
                parts[p] = rng.integer(1, 3 if p < 12 else 2 if p < 120 else 1)
        modulus = 1
        for p, exponent in parts.items():
            modulus *= p**exponent
    period = order(base, modulus)
    if knobs.tail == "some":
        common = rng.choice(shared) ** rng.integer(1, 9)
        modulus *= common
        while pow(base, tail, common):
            tail += 1
    return Data(base=base, modulus=modulus, period=period, tail=tail)


def solve(task: Task[Data]) -> int:
    """By multiplying on, modulo each prime power, until a remainder comes again."""
    data, tail, period = task.data, 0, 1
    for p, times in factored(data.modulus):
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
    return data.tail + sum(len(str(p)) ** 3 * (1 + len(factored(p - 1))) * exponent for p, exponent in factored(data.modulus))


TAIL = Line(
    "Of the modulus, {common} consists of primes of {base}, and {base_}^{tail} is the first power that {common_} divides; {rest} is left"
)
PART = Line("Modulo {size} a power of {base} with exponent {group} = {text} is 1")
FACTOR = Line("Modulo {size} exponent {exponent} gives {value}, so divide by {factor} {text}")
LOCAL = Line("So modulo {size} the powers repeat after {period}")
ALL = Line("The least common multiple of {period_all} is {period}")
END = Line("The answer is {tail} + {period} = {sum}")


def explain(task: Task[Data]) -> list[str]:
    data, steps = task.data, []
    common = gcd(data.base**40, data.modulus)
    if data.tail:
        told = {"common": common, "common_": common, "base": data.base, "base_": data.base}
        steps.append(TAIL.write(tail=data.tail, rest=data.modulus // common, **told))
    periods = []
    for p, times in factored(data.modulus // common):
        size, group = p**times, (p - 1) * p ** (times - 1)
        steps.append(PART.write(size=size, base=data.base, group=group, text=written(factored(group))))
        exponent = group
        for factor, most in factored(group):
            for _ in range(most):
                value = pow(data.base, exponent // factor, size)
                steps.append(
                    FACTOR.write(
                        size=size, exponent=exponent // factor, value=value, factor=factor, text="again" if value == 1 else "no more"
                    )
                )
                if value != 1:
                    break
                exponent //= factor
        steps.append(LOCAL.write(size=size, period=exponent))
        periods.append(exponent)
    steps += [ALL.write(period_all=", ".join(map(str, periods)), period=lcm(*periods))] if len(periods) > 1 else []
    return [*steps, END.write(tail=data.tail, period=lcm(*periods), sum=data.tail + lcm(*periods))]


def replay(task: Task[Data], steps: Sequence[str]) -> int | None:
    data = task.data
    coprime = data.modulus // gcd(data.base**40, data.modulus)
    left = [p**times for p, times in factored(coprime)]
    now = {"tail": 0, "size": 0, "exponent": 0}
    periods: list[int] = []

    def tail(common: int, base: int, base_: int, tail: int, common_: int, rest: int) -> bool:
        now["tail"] = tail
        first = pow(data.base, tail, common) == 0 != pow(data.base, tail - 1, common)
        return base == base_ == data.base and common == common_ and common * rest == data.modulus and rest == coprime and first

    def part(size: int, base: int, group: int, text: str) -> bool:
        now.update(size=size, exponent=group)
        return size == left[len(periods)] and base == data.base and group == totient(size) and text == written(factored(group))

    def factor(size: int, exponent: int, value: int, factor: int, text: str) -> bool:
        fits = size == now["size"] and exponent * factor == now["exponent"] and value == pow(data.base, exponent, size) and is_prime(factor)
        now["exponent"] = exponent if value == 1 else now["exponent"]
        return fits and text == ("again" if value == 1 else "no more")

    def local(size: int, period: int) -> bool:
        periods.append(period)
        return size == now["size"] and period == order(data.base, size)

    follows = judged(
        (TAIL, tail),
        (PART, part),
        (FACTOR, factor),
        (LOCAL, local),
        (ALL, lambda period_all, period: list(period_all) == periods and period == lcm(*periods)),
    )
    whole_sum = (
        END,
        lambda tail, period, sum: (tail, period, sum) == (now["tail"], lcm(*periods), data.tail + data.period) and bool(periods),
    )
    return first_wrong(steps, follows, judged(whole_sum))


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
    concept="Take the modulus apart into prime powers: modulo each, the period divides a known number, and they meet at their least common multiple.",
)
