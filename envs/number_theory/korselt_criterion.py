"""Decide whether a number divides a^m - a for every integer a, with its prime factors or one of them as the proof."""

from collections.abc import Iterator
from math import gcd, lcm, prod

from rlgym import Config, Environment, Rng, Score, Task, TaskData, knob
from rlgym.answers import Words
from rlgym.generators.numbers.factors import factorize, format_factors, is_prime, parse_integer, primes
from rlgym.solutions import Checks, Derivation, Solution, Step

FACTORS = Step("{number:int} = {factors}")
DIVIDES = Step("{exponent:int} - 1 = {less:int} * {quotient:int}, and {less:int} is {prime:int} - 1")
SPOILS = Step("{less:int} is {prime:int} - 1, and {exponent:int} - 1 leaves {rest:int} when divided by it")
SQUARE = Step("{square:int} is {prime:int}^2 and divides the number {times:int} times")
TRUE_STATEMENTS = 0.25  # fewer than the false ones, since a proof of a true one is only the list of all prime factors
SQUARES_DRAWN = 0.15
CLOSING = "The answer is {answer}"
ANSWER = Words(
    "the word yes and the prime factors in ascending order, or the word no and one of them, separated by spaces",
    max_items=8,
    ignore_case=True,
)


class Knobs(Config):
    largest: int = knob(200, easy=12, hard=4000, doc="largest prime factor, about", scale="log")
    factors: int = knob(4, easy=3, hard=5, doc="prime factors of the number")
    factors_given: str = knob("yes", easy="yes", hard="no", order=("yes", "no"), doc="whether the prime factors are given")


class Data(TaskData):
    number: int
    exponent: int
    primes: tuple[int, ...]
    spoiling: tuple[int, ...]


def generate(rng: Rng, knobs: Knobs) -> Task[Data]:
    hidden = _sample_place(rng, knobs)
    while True:
        chosen, period = _sample_exponent(rng, knobs, hidden)
        square = chosen[hidden] if hidden is not None and rng.chance(SQUARES_DRAWN) else 1
        data = _make_data(prod(chosen) * square, 1 + period * rng.integer(1, 9))
        if data.spoiling == (() if hidden is None else (chosen[hidden],)):
            break
    return _render_task(f"Does {data.number} divide a^{data.exponent} - a for every integer a?", knobs, data)


def shift(rng: Rng, knobs: Knobs) -> Task[Data]:
    """The same question about encoding and decoding messages with two exponents."""
    hidden = _sample_place(rng, knobs)
    while True:
        chosen, period = _sample_exponent(rng, knobs, hidden)
        n, e = prod(chosen), rng.integer(3, 9 + 2 * knobs.largest)
        if gcd(e, period) > 1:
            continue
        d = pow(e, -1, period) + period * rng.integer(0, 2)
        data = _make_data(n, e * d)
        if d > 1 and data.spoiling == (() if hidden is None else (chosen[hidden],)):
            break
    ask = (
        f"Messages are the integers from 0 to {n - 1}. A message is sent as the remainder that its power with exponent {e} leaves when divided by {n}; of "
        f"what is received the power with exponent {d} is taken, and again its remainder. Is every message decrypted correctly? (With m = {e} * {d} "
        f"= {e * d}:)"
    )
    return _render_task(ask, knobs, data)


def _sample_place(rng: Rng, knobs: Knobs) -> int | None:
    """The place of the only prime that spoils the statement, None where the statement is true; each place is as likely as any other."""
    return None if rng.chance(TRUE_STATEMENTS) else rng.integer(0, knobs.factors - 1)


def _sample_exponent(rng: Rng, knobs: Knobs, hidden: int | None) -> tuple[list[int], int]:
    """Primes in ascending order, and an exponent that gives 1 for all of them but the hidden one."""
    few = [p for p in primes(knobs.largest + 6 * knobs.factors) if p > max(2, knobs.largest // 9)]
    chosen = sorted(rng.sample(few, knobs.factors))
    return chosen, lcm(*(p - 1 for place, p in enumerate(chosen) if place != hidden))


def _render_task(ask: str, knobs: Knobs, data: Data) -> Task[Data]:
    factors = f" ({data.number} = {format_factors(factorize(data.number))}.)" if knobs.factors_given == "yes" else ""
    return Task(
        f"{ask}{factors}\n\nIf so, answer with the word yes and all different prime factors of {data.number} in ascending order. If not, answer with the "
        f"word no and one prime factor p of {data.number} such that p^2 divides {data.number} too, or p - 1 does not divide {data.exponent} - 1.",
        data,
    )


def solve(task: Task[Data]) -> tuple[str, ...]:
    return next(_search_answers(task.data))


def verify(task: Task[Data], answer: tuple[str, ...]) -> Score:
    data, numbers = task.data, [parse_integer(word, 20) for word in answer[1:]]
    if answer[0] == "yes":
        return Score.exact(
            not data.spoiling and numbers == list(data.primes), "it does not hold, or these are not its prime factors in ascending order"
        )
    if answer[0] != "no" or len(numbers) != 1:
        return Score.wrong("the answer starts with yes and all prime factors, or with no and one of them")
    return Score.exact(numbers[0] in data.spoiling, "this is not a prime factor of the kind asked for")


def mistakes(task: Task[Data], right: tuple[str, ...]) -> list[tuple[str, ...]]:
    data = task.data
    every = tuple(map(str, data.primes))
    return [
        ("yes", *every) if data.spoiling else ("no", every[-1]),
        ("no", "2"),
        (right[0],),
        ("yes", *every[::-1]),
        ("no", str(data.number)),
    ]


def cost(task: Task[Data]) -> float:
    data = task.data
    return len(str(data.number)) ** 2 * len(data.primes) * (3 if " = " in task.prompt else 1 + data.primes[0])


def derive(task: Task[Data]) -> Derivation:
    data, m = task.data, task.data.exponent
    yield FACTORS(number=data.number, factors=format_factors(factorize(data.number)))
    if data.spoiling:
        p = data.spoiling[0]
        if data.number % (p * p) == 0:
            yield SQUARE(square=p * p, prime=p, times=data.number // p**2)
        else:
            yield SPOILS(less=p - 1, prime=p, exponent=m, rest=(m - 1) % (p - 1))
        return
    for p in data.primes:
        yield DIVIDES(exponent=m, less=p - 1, quotient=(m - 1) // (p - 1), prime=p)


def checks(task: Task[Data]) -> Checks:
    data = task.data
    n, m = data.number, data.exponent

    def divides(exponent: int, less: int, quotient: int, prime: int) -> bool:
        return exponent - 1 == less * quotient == m - 1 and less == prime - 1 and prime in data.primes

    def spoils(less: int, prime: int, exponent: int, rest: int) -> bool:
        return less == prime - 1 and exponent == m and prime in data.primes and 0 < rest == (m - 1) % less

    return {
        DIVIDES: divides,
        FACTORS: lambda number, factors: number == n and factors == format_factors(factorize(n)),
        SPOILS: spoils,
        SQUARE: lambda square, prime, times: square == prime**2 and square * times == n and is_prime(prime),
    }


def _make_data(number: int, exponent: int) -> Data:
    parts = factorize(number)
    spoiling = tuple(p for p, times in parts if times > 1 or (exponent - 1) % (p - 1))
    return Data(number=number, exponent=exponent, primes=tuple(p for p, _ in parts), spoiling=spoiling)


def _search_answers(data: Data) -> Iterator[tuple[str, ...]]:
    yield from (("no", str(p)) for p in data.spoiling)
    if not data.spoiling:
        yield ("yes", *map(str, data.primes))


environment = Environment(
    Knobs, ANSWER, generate, solve, verify, mistakes, cost,
    solution=Solution(derive, CLOSING, checks), shift=shift,
    concept="n divides a^m - a for all a exactly if no square of a prime divides n and p - 1 divides m - 1 for each prime factor p of n.",
    guessable="a quarter of the statements are true, and one of few prime factors is right for the others",
    version=3,
)  # fmt: skip
