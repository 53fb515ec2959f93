"""Decide whether a number divides a^m - a for every integer a, with its prime factors or one of them as the proof."""

from collections.abc import Iterator, Sequence
from math import gcd, lcm, prod

from rlgym import Config, Environment, Rng, Score, Task, TaskData, knob
from rlgym.answers import Words
from rlgym.generators.numbers.factors import factored, is_prime, judged, primes, whole, written
from rlgym.generators.steps import Line, ended, first_wrong


class Knobs(Config):
    largest: int = knob(200, easy=12, hard=4000, doc="largest prime factor, about", scale="log")
    factors: int = knob(3, easy=2, hard=5, doc="prime factors of the number")
    told: str = knob("yes", easy="yes", hard="no", order=("yes", "no"), doc="whether the prime factors are told")


class Data(TaskData):
    number: int
    exponent: int
    primes: tuple[int, ...]
    spoiling: tuple[int, ...]


def generate(rng: Rng, knobs: Knobs) -> Task[Data]:
    chosen, period, doomed = _made(rng, knobs)
    data = _data(prod(chosen), 1 + period * rng.integer(1, 9))
    while doomed and not data.spoiling:
        data = _data(data.number * rng.choice((1, 1, 1, chosen[0])), data.exponent + 1 + rng.integer(1, data.exponent))
    return _told(f"Does {data.number} divide a^{data.exponent} - a for every integer a?", knobs, data)


def shift(rng: Rng, knobs: Knobs) -> Task[Data]:
    """Asked about sending messages in a cipher and decoding them, by two exponents."""
    chosen, period, doomed = _made(rng, knobs)
    n, e = prod(chosen), 1
    while e == 1 or gcd(e, period) > 1:
        e = rng.integer(3, 9 + 2 * knobs.largest)
    d = pow(e, -1, period) + period * rng.integer(0, 2)
    data = _data(n, e * d)
    for tries in range(1, 99):
        if not doomed or data.spoiling:
            break
        d += period if tries < 9 else tries
        data = _data(n, e * d)
    ask = (
        f"Messages are the integers from 0 to {n - 1}. A message is sent as the remainder that its power with exponent {e} leaves when divided by {n}; of what "
        f"is received the power with exponent {d} is taken, and again its remainder. Does every message come out as it was? (With m = {e} * {d} = {e * d}:)"
    )
    return _told(ask, knobs, data)


def _made(rng: Rng, knobs: Knobs) -> tuple[list[int], int, bool]:
    """Primes, an exponent that gives 1 for all of them (or, where it is not to hold, for all but the last), and whether it is not to hold."""
    few = [p for p in primes(knobs.largest + 3 * knobs.factors) if p > knobs.largest // 9]
    chosen = rng.sample(few, knobs.factors)
    doomed = rng.chance(0.5)
    good = lcm(*(p - 1 for p in chosen))
    return chosen, lcm(*(p - 1 for p in chosen[:-1])) if doomed and rng.chance(0.7) else good, doomed


def _told(ask: str, knobs: Knobs, data: Data) -> Task[Data]:
    factors = f" ({data.number} = {written(factored(data.number))}.)" if knobs.told == "yes" else ""
    return Task(
        f"{ask}{factors}\n\nIf so, answer with the word yes and all different prime factors of {data.number} in rising order. If not, answer with the word no "
        f"and one prime factor p of {data.number} such that p^2 divides {data.number} too, or p - 1 does not divide {data.exponent} - 1.",
        data,
    )


def solve(task: Task[Data]) -> tuple[str, ...]:
    return next(_answers(task.data))


def verify(task: Task[Data], answer: tuple[str, ...]) -> Score:
    data, numbers = task.data, [whole(word, 20) for word in answer[1:]]
    if answer[0] == "yes":
        return Score.exact(
            not data.spoiling and numbers == list(data.primes), "it does not hold, or these are not its prime factors in rising order"
        )
    if answer[0] != "no" or len(numbers) != 1:
        return Score.wrong("the answer starts with yes and all prime factors, or with no and one of them")
    return Score.exact(numbers[0] in data.spoiling, "this is no prime factor of the kind asked for")


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


FACTORS = Line("{number} = {text}")
DIVIDES = Line("{exponent} - 1 = {less} * {quotient}, and {less_} is {prime} - 1")
SPOILS = Line("{less} is {prime} - 1, and {exponent} - 1 leaves {rest} when divided by it")
SQUARE = Line("{square} is {prime}^2 and divides the number {times} times")
END = "The answer is "


def explain(task: Task[Data]) -> list[str]:
    data, steps = task.data, [FACTORS.write(number=task.data.number, text=written(factored(task.data.number)))]
    m = data.exponent
    for p in data.spoiling[:1]:
        if data.number % (p * p) == 0:
            steps.append(SQUARE.write(square=p * p, prime=p, times=data.number // p**2))
        else:
            steps.append(SPOILS.write(less=p - 1, prime=p, exponent=m, rest=(m - 1) % (p - 1)))
    good = () if data.spoiling else data.primes
    steps += [DIVIDES.write(exponent=m, less=p - 1, quotient=(m - 1) // (p - 1), less_=p - 1, prime=p) for p in good]
    return [*steps, END + " ".join(solve(task))]


def replay(task: Task[Data], steps: Sequence[str]) -> int | None:
    data = task.data
    n, m = data.number, data.exponent

    def divides(exponent: int, less: int, quotient: int, less_: int, prime: int) -> bool:
        return exponent - 1 == less * quotient == m - 1 and less == less_ == prime - 1 and prime in data.primes

    follows = judged(
        (DIVIDES, divides),
        (FACTORS, lambda number, text: number == n and text == written(factored(n))),
        (
            SPOILS,
            lambda less, prime, exponent, rest: less == prime - 1 and exponent == m and prime in data.primes and 0 < rest == (m - 1) % less,
        ),
        (SQUARE, lambda square, prime, times: square == prime**2 and square * times == n and is_prime(prime)),
    )
    return first_wrong(steps, follows, ended(END, task, environment.answer, verify))


def _data(number: int, exponent: int) -> Data:
    parts = factored(number)
    spoiling = tuple(p for p, times in parts if times > 1 or (exponent - 1) % (p - 1))
    return Data(number=number, exponent=exponent, primes=tuple(p for p, _ in parts), spoiling=spoiling)


def _answers(data: Data) -> Iterator[tuple[str, ...]]:
    yield from (("no", str(p)) for p in data.spoiling)
    if not data.spoiling:
        yield ("yes", *map(str, data.primes))


environment = Environment(
    Knobs,
    Words("the word yes and the prime factors in rising order, or the word no and one of them, separated by spaces", most=8, fold=True),
    generate,
    solve,
    verify,
    mistakes,
    cost,
    explain,
    replay,
    shift,
    answers="many",
    solutions=lambda task: list(_answers(task.data))[::-1],
    concept="n divides a^m - a for all a exactly if no square of a prime divides n and p - 1 divides m - 1 for each prime factor p of n.",
)
