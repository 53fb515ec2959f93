"""Find a distant term of a sequence like the Fibonacci numbers, modulo a number."""

from collections.abc import Callable

from rlgym import Config, Environment, Rng, Score, Task, TaskData, knob
from rlgym.answers import Integer
from rlgym.generators.calculations import LAST
from rlgym.generators.numbers.factors import ResidueChecker
from rlgym.solutions import Derivation, Due, Solution, Step, sentence

TERM = Step("u({index}) = {formula} = {value} modulo {modulus}")
CLOSING = Step(LAST + "remainder = {formula} = {answer}")
CONCEPT = "Double the index again and again: two neighbours of the sequence give the two with twice the index, all modulo the number."


class Knobs(Config):
    index_digits: int = knob(3, easy=1, hard=12, doc="digits of the index")
    modulus_digits: int = knob(2, easy=1, hard=5, doc="digits of the modulus")
    factor: int = knob(1, easy=1, hard=9, doc="largest coefficient of the recurrence")


class Data(TaskData):
    first: int
    second: int
    p: int
    q: int
    index: int
    modulus: int
    result: int


def generate(rng: Rng, knobs: Knobs) -> Task[Data]:
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
    _, low, high = _doubling(data)[-1]
    return data.model_copy(update={"result": (low * first % modulus * q + high * second) % modulus})


def solve(task: Task[Data]) -> int:
    """By matrix exponentiation."""
    data, m = task.data, task.data.modulus
    power, step, exponent = (1, 0, 0, 1), (data.p % m, data.q % m, 1, 0), data.index
    while exponent:
        power = _multiply(power, step, m) if exponent & 1 else power
        step, exponent = _multiply(step, step, m), exponent >> 1
    return (power[2] * data.second + power[3] * data.first) % m


def verify(task: Task[Data], answer: int) -> Score:
    if not 0 <= answer < task.data.modulus:
        return Score.wrong(f"a remainder is from 0 to {task.data.modulus - 1}")
    return Score.exact(answer == task.data.result, "the remainder is another number")


def mistakes(task: Task[Data], right: int) -> list[int]:
    data = task.data
    return [
        *(solve(Task("", data.model_copy(update={"index": data.index + by}))) for by in (1, -1)),
        right + data.modulus,
        data.modulus - right,
    ]


def cost(task: Task[Data]) -> float:
    data = task.data
    return data.index.bit_length() * (2 + len(str(data.modulus))) ** 2 * (1.0 if data.p == data.q == 1 else 1.5)


def derive(task: Task[Data]) -> Derivation:
    data, m = task.data, task.data.modulus
    p, q = data.p, data.q
    (n, low, high), *rows = _doubling(data)
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


def checks(task: Task[Data]) -> Callable[[str], bool]:
    data, m = task.data, task.data.modulus
    facts = {"remainder": (data.result, m)}
    for n, low, high in _doubling(data):
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


def _doubling(data: Data) -> list[tuple[int, int, int]]:
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
    chains=True,
    version=4,
)
