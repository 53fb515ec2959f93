"""Count the zeros at the end of a factorial, or of a quotient of factorials, in some base.

On the upper levels the smallest number is to be found whose binomial coefficient ends with so many zeros: each prime factor of the base asks for carries
in an addition in its own base (Kummer's theorem), and both must come together.
"""

from collections.abc import Iterator
from math import prod

from rlgym import Config, Environment, Rng, Score, Task, TaskData, knob
from rlgym.answers import Integer
from rlgym.generators.calculations import LAST, CalculationStep
from rlgym.generators.numbers.factors import Facts, factorize, residue_line, residue_solution

CLOSING = CalculationStep(LAST + "smallest of these = {formula} = {answer}")
TWO_PRIMES = 170  # a longer wait has three
CONCEPT = "Count each prime factor of the base in the factorials by dividing again and again; the scarcest one decides."


class Knobs(Config):
    digits: int = knob(4, easy=2, hard=16, doc="digits of the number whose factorial is taken", scale="linear")
    primes: int = knob(2, easy=1, hard=5, doc="different prime factors of the base, at most")
    powers: int = knob(2, easy=1, hard=5, doc="largest exponent of a prime in the base")
    question: str = knob("zeros", easy="zeros", hard="number", order=("zeros", "number"), doc="whether to find the zeros or the number")
    wait: int = knob(20, easy=10, hard=240, doc="about how many numbers fail before the one that is to be found")


class Data(TaskData):
    above: tuple[int, ...]
    below: tuple[int, ...]
    base: int
    zeros: int
    """The answer: how many zeros, or the number to be found."""
    least: int = 0
    """The zeros that the coefficient of the number to be found must have, if one is."""
    multiple: int = 2
    """The coefficient is `multiple` * n over n."""


def generate(rng: Rng, knobs: Knobs) -> Task[Data]:
    if knobs.question == "number":
        return _sample_search(rng, knobs, 2)
    number = rng.integer(max(12, 10 ** (knobs.digits - 1)), 10**knobs.digits - 1)
    for _ in range(20):
        base = _sample_base(rng, knobs)
        counts = [_legendre_exponent(number, prime) // times for prime, times in factorize(base)]
        if knobs.powers == 1 or min(counts) < counts[-1]:
            # The largest prime factor does not decide.
            break
    data = Data(above=(number,), below=(), base=base, zeros=_count_zeros((number,), (), base))
    where = f"base {base} (so that each digit stands for a number from 0 to {base - 1})"
    return Task(f"With how many zeros does {number}! end when it is written in {where}? (n! = 1 * 2 * ... * n.)", data)


def shift(rng: Rng, knobs: Knobs) -> Task[Data]:
    """A product of factorials divided by others; the base is the number by which the quotient is divided repeatedly."""
    if knobs.question == "number":
        return _sample_search(rng, knobs, 3)
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


def _sample_search(rng: Rng, knobs: Knobs, multiple: int) -> Task[Data]:
    """The smallest number above a given one whose coefficient has enough zeros, after about as many that fail as the knob says."""
    while True:
        start, least = rng.integer(300, 500 + 50 * knobs.wait), rng.integer(1, 6)
        base = prod(rng.sample((2, 3, 5, 7, 11), 2 if knobs.wait < TWO_PRIMES else 3))
        data = Data(above=(start,), below=(), base=base, zeros=0, least=least, multiple=multiple)
        found = next((n for n in range(start + 1, start + knobs.wait + 1) if _coefficient_zeros(data, n) >= least), 0)
        if 2 * (found - start) > knobs.wait:
            break
    coefficient = "C(2n, n) = (2n)! / (n! * n!)" if multiple == 2 else "C(3n, n) = (3n)! / (n! * (2n)!)"
    prompt = (
        f"n! stands for 1 * 2 * ... * n, and {coefficient} is a whole number for every n. What is the smallest n greater than {start} for which "
        f"{coefficient.partition(' =')[0]} ends with at least {least} zero{'s' if least > 1 else ''} when it is written in base {base} (so that each "
        f"digit stands for a number from 0 to {base - 1})?"
    )
    return Task(prompt, data.model_copy(update={"zeros": found}))


def _coefficient_zeros(data: Data, number: int) -> int:
    return min(_coefficient_exponent(data, number, prime) // times for prime, times in factorize(data.base))


def _coefficient_exponent(data: Data, number: int, prime: int) -> int:
    """The exponent of a prime in the binomial coefficient `multiple` * number over number."""
    whole, rest = data.multiple * number, (data.multiple - 1) * number
    return _legendre_exponent(whole, prime) - _legendre_exponent(number, prime) - _legendre_exponent(rest, prime)


def _digit_sum(number: int, base: int) -> int:
    total = 0
    while number:
        number, digit = divmod(number, base)
        total += digit
    return total


def _sample_base(rng: Rng, knobs: Knobs) -> int:
    base = 1
    for prime in rng.sample((2, 3, 5, 7, 11, 13), rng.integer(max(1, knobs.primes - 1), knobs.primes)):
        base *= prime ** rng.integer(1, knobs.powers if prime < 6 else 1)
    return base if base > 2 else 10


def solve(task: Task[Data]) -> int:
    """By digit sums: the exponent of p in n! is n less its digit sum in base p, divided by p - 1."""
    data = task.data

    def exponent(number: int, prime: int) -> int:
        return (number - _digit_sum(number, prime)) // (prime - 1)

    if data.least:
        factors, number = factorize(data.base), data.above[0] + 1
        while any(
            exponent(data.multiple * number, p) - exponent(number, p) - exponent((data.multiple - 1) * number, p) < data.least * times
            for p, times in factors
        ):
            number += 1
        return number
    return min(
        (sum(exponent(n, prime) for n in data.above) - sum(exponent(n, prime) for n in data.below)) // times
        for prime, times in factorize(data.base)
    )


def verify(task: Task[Data], answer: int) -> Score:
    return Score.exact(answer == task.data.zeros, "another number is right")


def mistakes(task: Task[Data], right: int) -> list[int]:
    data = task.data
    prime, times = factorize(data.base)[-1]
    if data.least:
        enough = next(n for n in range(data.above[0] + 1, right + 1) if _coefficient_exponent(data, n, prime) >= data.least * times)
        return [enough, data.above[0] + 1, right + 1, right - 1, right - data.above[0], data.multiple * right]
    most = sum(_legendre_exponent(n, prime) for n in data.above)
    return [most, data.above[0] // data.base, right + 1, right - 1, most // times + 1]


def cost(task: Task[Data]) -> float:
    data = task.data
    if data.least:
        return 30.0 * (data.zeros - data.above[0]) * len(factorize(data.base))
    return sum(len(str(n)) ** 2 * len(factorize(data.base)) for n in (*data.above, *data.below)) * (
        1 + 0.2 * max(t for _, t in factorize(data.base))
    )


def _lines(task: Task[Data]) -> Iterator[str]:
    if task.data.least:
        yield from _search_lines(task.data)
        return
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


def _search_lines(data: Data) -> Iterator[str]:
    """For each number that fails one prime factor that occurs too seldom, by digit sums; for the last one all."""
    for number in range(data.above[0] + 1, data.zeros + 1):
        rare = [prime for prime, times in factorize(data.base) if _coefficient_exponent(data, number, prime) < data.least * times]
        for prime in rare[:1] or [prime for prime, _ in factorize(data.base)]:
            small, rest, whole = (_digit_sum(times * number, prime) for times in (1, data.multiple - 1, data.multiple))
            yield residue_line(_exponent_name(data, number, prime), f"({small} + {rest} - {whole})/{prime - 1}")
    yield LAST + residue_line("smallest of these", str(data.zeros))


def _exponent_name(data: Data, number: int, prime: int) -> str:
    return f"factors {prime} in C({data.multiple * number}, {number})"


def _facts(task: Task[Data]) -> Facts:
    data, facts = task.data, {"smallest of these": (task.data.zeros, 0)}
    if data.least:
        names = [(number, prime) for number in range(data.above[0] + 1, data.zeros + 1) for prime, _ in factorize(data.base)]
        return facts | {_exponent_name(data, number, prime): (_coefficient_exponent(data, number, prime), 0) for number, prime in names}
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


def _formula_constants(task: Task[Data]) -> Iterator[int]:
    """Small numbers; in a search the digit sums and the numbers that are tried."""
    data = task.data
    yield from range(100 if data.least else 14)
    yield from range(data.above[0], data.zeros + 1) if data.least else ()


solution = residue_solution(_lines, _facts, CLOSING, known=_formula_constants)

environment = Environment(
    Knobs, Integer(), generate, solve, verify, mistakes, cost, solution=solution, shift=shift, chains=True, concept=CONCEPT, version=2
)
