"""Count the zeros at the end of a factorial, or of a quotient of factorials, in some base."""

from collections.abc import Sequence

from rlgym import Config, Environment, Rng, Score, Task, TaskData, knob
from rlgym.answers import Integer
from rlgym.generators.numbers.factors import Residues, factored, reduced
from rlgym.generators.steps import first_wrong
from rlgym.generators.worked import LAST


class Knobs(Config):
    digits: int = knob(4, easy=2, hard=12, doc="digits of the number whose factorial is taken", scale="linear")
    primes: int = knob(2, easy=1, hard=3, doc="different prime factors of the base, at most")
    powers: int = knob(2, easy=1, hard=4, doc="largest exponent of a prime in the base")


class Data(TaskData):
    above: tuple[int, ...]
    below: tuple[int, ...]
    base: int
    zeros: int


def generate(rng: Rng, knobs: Knobs) -> Task[Data]:
    number = rng.integer(max(12, 10 ** (knobs.digits - 1)), 10**knobs.digits - 1)
    base = _base(rng, knobs)
    data = Data(above=(number,), below=(), base=base, zeros=_zeros((number,), (), base))
    where = f"base {base} (so that each digit stands for a number from 0 to {base - 1})"
    return Task(f"With how many zeros does {number}! end when it is written in {where}? (n! = 1 * 2 * ... * n.)", data)


def shift(rng: Rng, knobs: Knobs) -> Task[Data]:
    """A product of factorials divided by others; the base is told as what the number is to be divided by again and again."""
    low, high = max(20, 10 ** (knobs.digits - 1)), 10**knobs.digits - 1
    while True:
        top, half = rng.integer(low, high), rng.integer(low // 3, high // 2)
        if half < top - 4:
            break
    # choosing some of `top`, and choosing again: these quotients are whole numbers
    above, below = rng.choice((((top, top), (half, top - half)), ((2 * top,), (top, half)), ((top, half), (top - half,))))
    base = _base(rng, knobs)
    data = Data(above=above, below=below, base=base, zeros=_zeros(above, below, base))
    quotient = f"({' * '.join(f'{n}!' for n in above)}) / ({' * '.join(f'{n}!' for n in below)})"
    return Task(
        f"n! stands for 1 * 2 * ... * n. The whole number\n{quotient}\nis divided by {base} as often as this goes without a remainder. How often is that?",
        data,
    )


def _base(rng: Rng, knobs: Knobs) -> int:
    base = 1
    for prime in rng.sample((2, 3, 5, 7, 11, 13), rng.integer(1, knobs.primes)):
        base *= prime ** rng.integer(1, knobs.powers if prime < 6 else 1)
    return base if base > 2 else 10


def solve(task: Task[Data]) -> int:
    """By digit sums: the exponent of p in n! is n less its digit sum in base p, divided by p - 1."""
    data = task.data

    def exponent(number: int, prime: int) -> int:
        digits, left = 0, number
        while left:
            left, digit = divmod(left, prime)
            digits += digit
        return (number - digits) // (prime - 1)

    return min(
        (sum(exponent(n, prime) for n in data.above) - sum(exponent(n, prime) for n in data.below)) // times
        for prime, times in factored(data.base)
    )


def verify(task: Task[Data], answer: int) -> Score:
    return Score.exact(answer == task.data.zeros, "another number of zeros is right")


def mistakes(task: Task[Data], right: int) -> list[int]:
    data = task.data
    prime, times = factored(data.base)[-1]
    most = sum(_exponent(n, prime) for n in data.above)
    return [most, data.above[0] // data.base, right + 1, right - 1, most // times + 1]


def cost(task: Task[Data]) -> float:
    data = task.data
    return sum(len(str(n)) ** 2 * len(factored(data.base)) for n in (*data.above, *data.below)) * (
        1 + 0.2 * max(t for _, t in factored(data.base))
    )


def explain(task: Task[Data]) -> list[str]:
    data, steps, counts = task.data, [], []
    for prime, times in factored(data.base):
        for number in dict.fromkeys((*data.above, *data.below)):
            left, parts = number, []
            while left >= prime:
                rest = left % prime
                steps.append(reduced(f"whole part of {left}/{prime}", f"({left} - {rest})/{prime}"))
                left //= prime
                parts.append(str(left))
            steps.append(reduced(f"factors {prime} in {number}!", " + ".join(parts) or "0"))
        minus = "".join(f" - {_exponent(n, prime)}" for n in data.below)
        total = sum(_exponent(n, prime) for n in data.above) - sum(_exponent(n, prime) for n in data.below)
        steps.append(reduced(f"factors {prime}", " + ".join(str(_exponent(n, prime)) for n in data.above) + minus))
        counts.append(total // times)
        steps.append(reduced(f"factors {prime**times}", f"({total} - {total % times})/{times}"))
    return [*steps, LAST + reduced("smallest of these", str(min(counts)))]


def replay(task: Task[Data], steps: Sequence[str]) -> int | None:
    data, facts = task.data, {}
    for prime, times in factored(data.base):
        for number in (*data.above, *data.below):
            left = number
            while left >= prime:
                facts[f"whole part of {left}/{prime}"] = (left // prime, 0)
                left //= prime
            facts[f"factors {prime} in {number}!"] = (_exponent(number, prime), 0)
        total = sum(_exponent(n, prime) for n in data.above) - sum(_exponent(n, prime) for n in data.below)
        facts[f"factors {prime}"] = (total, 0)
        facts[f"factors {prime**times}"] = (total // times, 0)
    facts["smallest of these"] = (data.zeros, 0)
    sheet = Residues(task.prompt, facts, range(14))
    return first_wrong(steps, sheet.follows, lambda step: step.startswith(LAST + "small") and sheet.follows(step.removeprefix(LAST)))


def _exponent(number: int, prime: int) -> int:
    total = 0
    while number:
        number //= prime
        total += number
    return total


def _zeros(above: tuple[int, ...], below: tuple[int, ...], base: int) -> int:
    return min((sum(_exponent(n, p) for n in above) - sum(_exponent(n, p) for n in below)) // times for p, times in factored(base))


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
    concept="Count each prime factor of the base in the factorials by dividing again and again; the scarcest one decides.",
)
