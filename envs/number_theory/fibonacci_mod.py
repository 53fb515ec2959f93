"""Find a distant term of a sequence like the Fibonacci numbers, modulo a number.

On the upper levels the first index is asked for at which the sequence leaves a given remainder modulo a product of primes.
"""

from collections.abc import Callable
from math import prod

from rlgym import Config, Environment, Rng, Score, Task, TaskData, knob
from rlgym.answers import Integer
from rlgym.generators.calculations import LAST, CalculationStep
from rlgym.generators.numbers.factors import ResidueChecker
from rlgym.solutions import Derivation, Due, Solution, SolutionByTask, Step, sentence

TERM = Step("u({index}) = {formula} = {value} modulo {modulus}")
CLOSING = CalculationStep(LAST + "remainder = {formula} = {answer}")
PERIODIC = Step(
    "Modulo {prime:int} the sequence repeats after {period:int} terms, and a(n) leaves {rest:int} where n leaves one of these: {places:ints}."
)
CLOSING_INDEX = "The first index that fits modulo every prime is {answer}"
CONCEPT = "Double the index again and again: two neighbours of the sequence give the two with twice the index, all modulo the number."


class Knobs(Config):
    index_digits: int = knob(3, easy=1, hard=12, doc="digits of the index")
    modulus_digits: int = knob(2, easy=1, hard=5, doc="digits of the modulus")
    factor: int = knob(1, easy=1, hard=9, doc="largest coefficient of the recurrence")

    asked: str = knob(
        "remainder",
        easy="remainder",
        hard="index",
        order=("remainder", "index"),
        doc="the remainder at an index, or the first index with a remainder",
    )


class Data(TaskData):
    first: int
    second: int
    p: int
    q: int
    index: int
    modulus: int
    result: int
    rest: int = -1  # the remainder whose first index is asked for; -1 where the index is given
    primes: tuple[int, ...] = ()


def generate(rng: Rng, knobs: Knobs) -> Task[Data]:
    if knobs.asked == "index":
        return _sample_index(rng, knobs)
    return _sample_task(rng, knobs, rng.integer(0, 9), rng.integer(1, 9), 1)


def shift(rng: Rng, knobs: Knobs) -> Task[Data]:
    """Tilings of a long strip, described without a formula."""
    tile, pair = rng.integer(1, knobs.factor + 1), rng.integer(1, knobs.factor + 3)
    data = _sample_data(rng, knobs, 1, tile, tile, pair)
    while data.result < 2 and not rng.chance(0.1):
        data = _sample_data(rng, knobs, 1, tile, tile, pair)
    many = f"{tile} colour{'s' * (tile > 1)} of single tiles (covering 1 square) and {pair} colour{'s' * (pair > 1)} of double tiles (covering 2 squares)"
    return Task(
        f"A strip of {data.index} squares in a row is covered without gaps or overlaps by tiles. There are plenty of tiles: {many}. "
        f"What remainder does the number of ways to cover the strip leave when divided by {data.modulus}?",
        data,
    )


def _sample_task(rng: Rng, knobs: Knobs, first: int, second: int, sign: int) -> Task[Data]:
    data = _sample_data(rng, knobs, first, second, sign * rng.integer(1, knobs.factor), rng.integer(1, knobs.factor))
    rule = f"{'' if data.p == 1 else f'{data.p}*'}a(n-1) + {'' if data.q == 1 else f'{data.q}*'}a(n-2)"
    return Task(
        f"A sequence starts with a(0) = {first} and a(1) = {second}, and goes on by the rule a(n) = {rule}. What remainder does a({data.index}) "
        f"leave when divided by {data.modulus}?",
        data,
    )


def _sample_data(rng: Rng, knobs: Knobs, first: int, second: int, p: int, q: int) -> Data:
    modulus = rng.integer(max(11, 10 ** (knobs.modulus_digits - 1)), 10**knobs.modulus_digits + 9)
    index = rng.integer(max(6, 10 ** (knobs.index_digits - 1)), 10**knobs.index_digits + 9)
    data = Data(first=first, second=second, p=p, q=q, index=index, modulus=modulus, result=0)
    _, low, high = _fast_doubling_rows(data)[-1]
    return data.model_copy(update={"result": (low * first % modulus * q + high * second) % modulus})


def solve(task: Task[Data]) -> int:
    """By matrix exponentiation; an index by the periods modulo the primes."""
    if task.data.primes:
        cycles = [_cycle(task.data, prime) for prime in task.data.primes]
        places = [(len(cycle), _places(cycle, task.data.rest % prime)) for cycle, prime in zip(cycles, task.data.primes, strict=True)]
        return next(n for n in range(1, prod(period for period, _ in places) + 1) if all(n % period in fit for period, fit in places))
    data, m = task.data, task.data.modulus
    power, step, exponent = (1, 0, 0, 1), (data.p % m, data.q % m, 1, 0), data.index
    while exponent:
        power = _multiply(power, step, m) if exponent & 1 else power
        step, exponent = _multiply(step, step, m), exponent >> 1
    return (power[2] * data.second + power[3] * data.first) % m


def verify(task: Task[Data], answer: int) -> Score:
    if task.data.primes:
        return Score.exact(answer == task.data.result, "that is not the first such index")
    if not 0 <= answer < task.data.modulus:
        return Score.wrong(f"a remainder is from 0 to {task.data.modulus - 1}")
    return Score.exact(answer == task.data.result, "the remainder is another number")


def mistakes(task: Task[Data], right: int) -> list[int]:
    data = task.data
    if data.primes:
        fewer = [
            solve(Task("", data.model_copy(update={"primes": data.primes[:k] + data.primes[k + 1 :]}))) for k in range(len(data.primes))
        ]
        return [*(index for index in fewer if index != right), right + 1, right - 1, right + data.modulus]
    return [
        *(solve(Task("", data.model_copy(update={"index": data.index + by}))) for by in (1, -1)),
        right + data.modulus,
        data.modulus - right,
    ]


def cost(task: Task[Data]) -> float:
    data = task.data
    if data.primes:
        return 40 * sum(len(_cycle(data, prime)) for prime in data.primes) * len(data.primes)
    return data.index.bit_length() * (2 + len(str(data.modulus))) ** 2 * (1.0 if data.p == data.q == 1 else 1.5)


def derive(task: Task[Data]) -> Derivation:
    data, m = task.data, task.data.modulus
    p, q = data.p, data.q
    (n, low, high), *rows = _fast_doubling_rows(data)
    yield sentence(_reduction(data))
    for k, a, b in rows:
        # (low, high) are u(n-1), u(n); u(2n-1) = q*u(n-1)^2 + u(n)^2 and u(2n) = u(n)*(2*q*u(n-1) + p*u(n))
        if k == 2 * n:
            yield _term(k - 1, f"{q}*{low}^2 + {high}^2", a, m)
            yield _term(k, f"{high}*(2*{q}*{low} + {p}*{high})", b, m)
        else:
            yield _term(k, f"{p}*{high} + {q}*{low}", b, m)
        n, low, high = k, a, b
    yield CLOSING(formula=f"{q}*{data.first}*{low} + {data.second}*{high}", answer=data.result)


def derive_index(task: Task[Data]) -> Derivation:
    for prime in task.data.primes:
        cycle, rest = _cycle(task.data, prime), task.data.rest % prime
        yield PERIODIC(prime=prime, period=len(cycle), rest=rest, places=tuple(_places(cycle, rest)))


def _cycle(data: Data, prime: int) -> list[int]:
    """The remainders from a(0) on until they repeat; the prime does not divide q, so that they repeat from the beginning."""
    terms, pair = list[int](), (data.first % prime, data.second % prime)
    while not terms or pair != (data.first % prime, data.second % prime):
        terms.append(pair[0])
        pair = (pair[1], (data.p * pair[1] + data.q * pair[0]) % prime)
    return terms


def _places(cycle: list[int], rest: int) -> list[int]:
    return [n for n, term in enumerate(cycle) if term == rest]


def _sample_index(rng: Rng, knobs: Knobs) -> Task[Data]:
    """Each prime allows two or more indices in its period, so that the combinations must be tried."""
    size = 3 if knobs.modulus_digits > 4 else 2
    while True:
        primes = tuple(sorted(rng.sample((5, 7, 11, 13) if size == 3 else (7, 11, 13, 17, 19), size)))
        p, q = rng.integer(1, min(4, knobs.factor)), rng.choice((1, 1, 2, 3))
        data = Data(first=rng.integer(0, 9), second=rng.integer(1, 9), p=p, q=q, index=0, modulus=prod(primes), result=0, primes=primes)
        index = rng.integer(100, 4000) if size == 3 else rng.integer(60, 400)
        a, b = data.first, data.second
        terms = list[int]()
        for _ in range(index):
            a, b = b, (data.p * b + data.q * a) % data.modulus
            terms.append(a)
        data = data.model_copy(update={"rest": a % data.modulus, "result": terms.index(a) + 1})
        choices = [len(_places(_cycle(data, prime), data.rest % prime)) for prime in primes]
        if data.result > (100 if size == 3 else 50) and min(choices) > 1 and max(choices) < 6:
            break
    rule = f"{'' if data.p == 1 else f'{data.p}*'}a(n-1) + {'' if data.q == 1 else f'{data.q}*'}a(n-2)"
    return Task(
        f"A sequence starts with a(0) = {data.first} and a(1) = {data.second}, and goes on by the rule a(n) = {rule}. What is the smallest n > 0 for which "
        f"a(n) leaves the remainder {data.rest} when divided by {data.modulus} = {' * '.join(map(str, primes))}?",
        data,
    )


def checks(task: Task[Data]) -> Callable[[str], bool]:
    data, m = task.data, task.data.modulus
    facts = {"remainder": (data.result, m)}
    for n, low, high in _fast_doubling_rows(data):
        facts |= {f"u({n - 1})": (low, m), f"u({n})": (high, m)}
    checker = ResidueChecker(task.prompt, facts, (data.p, data.q, data.first, data.second))

    def follows(step: str) -> bool:
        closing = step.startswith(LAST)
        return step == _reduction(data) or checker.follows(f"{step.removeprefix(LAST)} modulo {m}" if closing else step)

    return follows


def _reduction(data: Data) -> str:
    return f"With u(0) = 0, u(1) = 1 and the same rule, a(n) = {data.q}*{data.first}*u(n-1) + {data.second}*u(n)"


def _term(index: int, formula: str, value: int, modulus: int) -> Due:
    return TERM(index=index, formula=formula, value=value, modulus=modulus)


def _fast_doubling_rows(data: Data) -> list[tuple[int, int, int]]:
    """n, u(n-1) and u(n) modulo the modulus for the n of doubling up to the index, where u(0) = 0 and u(1) = 1."""
    m, low, high = data.modulus, 0, 1 % data.modulus
    rows = [(1, low, high)]
    for digit in f"{data.index:b}"[1:]:
        low, high = (data.q * low * low + high * high) % m, high * (2 * data.q * low + data.p * high) % m
        rows.append((2 * rows[-1][0], low, high))
        if digit == "1":
            low, high = high, (data.p * high + data.q * low) % m
            rows.append((rows[-1][0] + 1, low, high))
    return rows


def _multiply(left: tuple[int, ...], right: tuple[int, ...], m: int) -> tuple[int, int, int, int]:
    (a, b, c, d), (e, f, g, h) = left, right
    return (a * e + b * g) % m, (a * f + b * h) % m, (c * e + d * g) % m, (c * f + d * h) % m


REMAINDER, INDEX = Solution(derive, CLOSING, checks), Solution(derive_index, CLOSING_INDEX)

environment = Environment(
    Knobs,
    Integer(),
    generate,
    solve,
    verify,
    mistakes,
    cost,
    solution=SolutionByTask(lambda task: INDEX if task.data.primes else REMAINDER),
    shift=shift,
    concept=CONCEPT,
    chains=True,
    version=5,
)
