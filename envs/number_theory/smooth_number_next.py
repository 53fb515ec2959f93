"""Find the smallest number above a bound that has only certain prime factors."""

from collections.abc import Iterator

from rlgym import Config, Environment, Rng, Score, Task, TaskData, knob
from rlgym.answers import Integer
from rlgym.generators.calculations import LAST, CalculationStep
from rlgym.generators.draws import draw_rare
from rlgym.generators.numbers.factors import Facts, factorize, format_factors, residue_line, residue_solution

CLOSING = CalculationStep(LAST + "smallest of these = {formula} = {answer}")
CONCEPT = (
    "For each product of the larger primes multiply by the smallest prime until the bound is passed, and take the least of the results."
)


class Knobs(Config):
    digits: int = knob(5, easy=2, hard=10, doc="digits of the bound")
    primes: int = knob(2, easy=2, hard=4, doc="prime factors that are allowed")
    extra: str = knob("no", easy="no", hard="yes", order=("no", "yes"), doc="whether the number must also be a multiple of something")


class Data(TaskData):
    primes: tuple[int, ...]
    bound: int
    multiple: int
    result: int


def generate(rng: Rng, knobs: Knobs) -> Task[Data]:
    return draw_rare(lambda: _sample_smooth(rng, knobs), lambda task: task.data.result, 16 if knobs.digits < 5 else 1)


def _sample_smooth(rng: Rng, knobs: Knobs) -> Task[Data]:
    primes = tuple(sorted(rng.sample((2, 3, 5, 7, 11, 13), knobs.primes)))
    data = _sample_data(rng, knobs, primes)
    also = f" and that is a multiple of {data.multiple}" if data.multiple > 1 else ""
    names = ", ".join(map(str, primes[:-1])) + f" and {primes[-1]}"
    return Task(
        f"What is the smallest integer greater than {data.bound} that has no prime factors other than {names} (not all of them need to occur){also}?",
        data,
    )


def shift(rng: Rng, knobs: Knobs) -> Task[Data]:
    """Lengths that a machine makes by repeated enlargement, with larger factors."""
    primes = tuple(sorted(rng.sample((3, 5, 7, 11, 13, 17, 19), knobs.primes)))
    data = _sample_data(rng, knobs, primes, rng.integer(2, 25))
    presses = " or ".join(f"{p} times" for p in primes)
    start = data.multiple
    return Task(
        f"A strip is {start} mm long. Each press of a button makes it {presses} as long as it is, whichever is wanted. What is the shortest length of "
        f"more than {data.bound} mm that can be reached by some presses? Give it in mm, without the unit.",
        data,
    )


def _sample_data(rng: Rng, knobs: Knobs, primes: tuple[int, ...], start: int = 1) -> Data:
    multiple = start * (rng.choice(primes) * rng.choice(primes) if knobs.extra == "yes" else 1)
    bound = rng.integer(10 ** (knobs.digits - 1) + 10 + multiple, 10**knobs.digits + multiple)
    return Data(primes=primes, bound=bound, multiple=multiple, result=min(value for _, value in _candidates(primes, bound, multiple)))


def solve(task: Task[Data]) -> int:
    """All such numbers in ascending order, each from a smaller one."""
    data, numbers = task.data, [task.data.multiple]
    at = [0] * len(data.primes)
    while numbers[-1] <= data.bound:
        following = [numbers[i] * p for i, p in zip(at, data.primes, strict=True)]
        numbers.append(min(following))
        at = [i + (value == numbers[-1]) for i, value in zip(at, following, strict=True)]
    return numbers[-1]


def verify(task: Task[Data], answer: int) -> Score:
    return Score.exact(answer == task.data.result, "another number is the smallest")


def mistakes(task: Task[Data], right: int) -> list[int]:
    data = task.data
    power = data.multiple
    while power <= data.bound:
        power *= data.primes[0]
    return [power, right * data.primes[0], data.bound + 1, right + data.multiple]


def cost(task: Task[Data]) -> float:
    return len(list(_candidates(task.data.primes, task.data.bound, task.data.multiple))) * len(str(task.data.bound))


def _lines(task: Task[Data]) -> Iterator[str]:
    data, p = task.data, task.data.primes[0]
    candidates = list(_candidates(data.primes, data.bound, data.multiple))
    for base, value in candidates:
        exponent = next(k for k in range(200) if base * p**k == value)
        yield residue_line(f"least with {format_factors(factorize(base))}", f"{base}*{p}^{exponent}")
    yield LAST + residue_line("smallest of these", str(min(value for _, value in candidates)))


def _facts(task: Task[Data]) -> Facts:
    candidates = _candidates(task.data.primes, task.data.bound, task.data.multiple)
    least = {f"least with {format_factors(factorize(base))}": (value, 0) for base, value in candidates}
    return {**least, "smallest of these": (task.data.result, 0)}


def _formula_constants(task: Task[Data]) -> list[int]:
    return [*range(60), *(base for base, _ in _candidates(task.data.primes, task.data.bound, task.data.multiple))]


def _candidates(primes: tuple[int, ...], bound: int, start: int) -> Iterator[tuple[int, int]]:
    """Each product of the larger primes with the start up to the bound and one beyond, and its least multiple by powers of the first above the bound."""
    if len(primes) == 1:
        value = start
        while value <= bound:
            value *= primes[0]
        yield start, value
        return
    base = start
    while True:
        yield from _candidates(primes[:-1], bound, base)
        if base > bound:
            return
        base *= primes[-1]


solution = residue_solution(_lines, _facts, CLOSING, _formula_constants)

environment = Environment(
    Knobs, Integer(), generate, solve, verify, mistakes, cost, solution=solution, shift=shift, concept=CONCEPT, version=4
)
