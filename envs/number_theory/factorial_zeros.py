"""Count the zeros at the end of a factorial, or of a quotient of factorials, in some base."""

from collections.abc import Iterator

from rlgym import Config, Environment, Rng, Score, Task, TaskData, knob
from rlgym.answers import Integer
from rlgym.generators.calculations import LAST
from rlgym.generators.numbers.factors import Facts, factorize, residue_line, residue_solution
from rlgym.solutions import Step

CLOSING = Step(LAST + "smallest of these = {formula} = {answer}")
CONCEPT = "Count each prime factor of the base in the factorials by dividing again and again; the scarcest one decides."


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
    base = _sample_base(rng, knobs)
    data = Data(above=(number,), below=(), base=base, zeros=_count_zeros((number,), (), base))
    where = f"base {base} (so that each digit stands for a number from 0 to {base - 1})"
    return Task(f"With how many zeros does {number}! end when it is written in {where}? (n! = 1 * 2 * ... * n.)", data)


def shift(rng: Rng, knobs: Knobs) -> Task[Data]:
    """A product of factorials divided by others; the base is the number by which the quotient is divided repeatedly."""
    low, high = max(20, 10 ** (knobs.digits - 1)), 10**knobs.digits - 1
    while True:
        top, half = rng.integer(low, high), rng.integer(low // 3, high // 2)
        if half < top - 4:
            break
    # choosing some of `top`, and choosing again: these quotients are whole numbers
    above, below = rng.choice((((top, top), (half, top - half)), ((2 * top,), (top, half)), ((top, half), (top - half,))))
    base = _sample_base(rng, knobs)
    data = Data(above=above, below=below, base=base, zeros=_count_zeros(above, below, base))
    quotient = f"({' * '.join(f'{n}!' for n in above)}) / ({' * '.join(f'{n}!' for n in below)})"
    return Task(
        f"n! stands for 1 * 2 * ... * n. The whole number\n{quotient}\nis divided by {base} as often as this goes without a remainder. How often is that?",
        data,
    )


def _sample_base(rng: Rng, knobs: Knobs) -> int:
    base = 1
    for prime in rng.sample((2, 3, 5, 7, 11, 13), rng.integer(1, knobs.primes)):
        base *= prime ** rng.integer(1, knobs.powers if prime < 6 else 1)
    return base if base > 2 else 10


def solve(task: Task[Data]) -> int:
    """By digit sums: the exponent of p in n! is n less its digit sum in base p, divided by p - 1."""
    data = task.data

    def exponent(number: int, prime: int) -> int:
        digits, quotient = 0, number
        while quotient:
            quotient, digit = divmod(quotient, prime)
            digits += digit
        return (number - digits) // (prime - 1)

    return min(
        (sum(exponent(n, prime) for n in data.above) - sum(exponent(n, prime) for n in data.below)) // times
        for prime, times in factorize(data.base)
    )


def verify(task: Task[Data], answer: int) -> Score:
    return Score.exact(answer == task.data.zeros, "another number of zeros is right")


def mistakes(task: Task[Data], right: int) -> list[int]:
    data = task.data
    prime, times = factorize(data.base)[-1]
    most = sum(_legendre_exponent(n, prime) for n in data.above)
    return [most, data.above[0] // data.base, right + 1, right - 1, most // times + 1]


def cost(task: Task[Data]) -> float:
    data = task.data
    return sum(len(str(n)) ** 2 * len(factorize(data.base)) for n in (*data.above, *data.below)) * (
        1 + 0.2 * max(t for _, t in factorize(data.base))
    )


def _lines(task: Task[Data]) -> Iterator[str]:
    data, counts = task.data, []
    for prime, times in factorize(data.base):
        for number in dict.fromkeys((*data.above, *data.below)):
            quotient, parts = number, []
            while quotient >= prime:
                rest = quotient % prime
                yield residue_line(f"whole part of {quotient}/{prime}", f"({quotient} - {rest})/{prime}")
                quotient //= prime
                parts.append(str(quotient))
            yield residue_line(f"factors {prime} in {number}!", " + ".join(parts) or "0")
        minus = "".join(f" - {_legendre_exponent(n, prime)}" for n in data.below)
        yield residue_line(f"factors {prime}", " + ".join(str(_legendre_exponent(n, prime)) for n in data.above) + minus)
        total = _total_exponent(data, prime)
        counts.append(total // times)
        yield residue_line(f"factors {prime**times}", f"({total} - {total % times})/{times}")
    yield LAST + residue_line("smallest of these", str(min(counts)))


def _facts(task: Task[Data]) -> Facts:
    data, facts = task.data, {"smallest of these": (task.data.zeros, 0)}
    for prime, times in factorize(data.base):
        for number in (*data.above, *data.below):
            quotient = number
            while quotient >= prime:
                facts[f"whole part of {quotient}/{prime}"] = (quotient // prime, 0)
                quotient //= prime
            facts[f"factors {prime} in {number}!"] = (_legendre_exponent(number, prime), 0)
        facts[f"factors {prime}"] = (_total_exponent(data, prime), 0)
        facts[f"factors {prime**times}"] = (_total_exponent(data, prime) // times, 0)
    return facts


def _total_exponent(data: Data, prime: int) -> int:
    return sum(_legendre_exponent(n, prime) for n in data.above) - sum(_legendre_exponent(n, prime) for n in data.below)


def _legendre_exponent(number: int, prime: int) -> int:
    """The exponent of a prime in a factorial, by Legendre's formula."""
    total = 0
    while number:
        number //= prime
        total += number
    return total


def _count_zeros(above: tuple[int, ...], below: tuple[int, ...], base: int) -> int:
    return min(
        (sum(_legendre_exponent(n, p) for n in above) - sum(_legendre_exponent(n, p) for n in below)) // times
        for p, times in factorize(base)
    )


solution = residue_solution(_lines, _facts, CLOSING, known=lambda task: range(14))

environment = Environment(
    Knobs, Integer(), generate, solve, verify, mistakes, cost, solution=solution, shift=shift, chains=True, concept=CONCEPT
)
