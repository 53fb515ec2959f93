"""Find the greatest common divisor and the least common multiple of some integers."""

from functools import reduce
from math import gcd, lcm

from rlgym import Config, Environment, Rng, Score, Task, TaskData, knob
from rlgym.answers import Numbers
from rlgym.generators.draws import draw_against, draw_short
from rlgym.solutions import Derivation, Solution, Step

PRIMES = (2, 3, 5, 7, 11, 13, 17, 19, 23, 29, 31, 37, 41, 43, 47)
ANSWER = Numbers("the greatest common divisor and then the least common multiple, separated by a comma", max_items=4)
CONCEPT = "Divide with remainder again and again for the divisor; two numbers' multiple is their product divided by it."
DIVISOR = Step(
    "The greatest common divisor of {a:int} and {b:int}, by division with remainder: {divisions}; the last remainder before 0 is {divisor:int}"
)
MULTIPLE = Step("The least common multiple of {a:int} and {b:int} is {a} / {divisor:int} * {b} = {multiple:int}")
END = "All numbers are taken in, so the two numbers are {answer}"


class Knobs(Config):
    count: int = knob(3, easy=2, hard=5, doc="how many integers are given")
    common: int = knob(3, easy=1, hard=4, doc="prime factors common to all, counted with multiplicity")
    own: int = knob(2, easy=1, hard=3, doc="further prime factors of each")
    largest: int = knob(6, easy=4, hard=8, doc="how many of the smallest primes occur")


class Data(TaskData):
    numbers: tuple[int, ...]
    divisor: int
    multiple: int


def generate(rng: Rng, knobs: Knobs) -> Task[Data]:
    def divides(task: Task[Data]) -> bool:
        return task.data.multiple in task.data.numbers

    return draw_against(lambda: draw_short(lambda: _sample_task(rng, knobs), lambda task: task.data.multiple), divides)


def _sample_task(rng: Rng, knobs: Knobs) -> Task[Data]:
    primes = PRIMES[: knobs.largest]
    shared = _sample_product(rng, primes, knobs.common)
    numbers: dict[int, None] = {}
    while len(numbers) < knobs.count:
        numbers[shared * _sample_product(rng, primes, knobs.own + rng.integer(0, 1))] = None
    divisor, multiple = gcd(*numbers), lcm(*numbers)
    listing = ", ".join(map(str, numbers))
    prompt = f"Find the greatest common divisor and the least common multiple of {listing}."
    return Task(prompt, Data(numbers=tuple(numbers), divisor=divisor, multiple=multiple))


def shift(rng: Rng, knobs: Knobs) -> Task[Data]:
    """The numbers as products of prime powers, the factors in any order."""
    data = generate(rng, knobs).data
    listing = ", ".join(_render_factorization(rng, number) for number in data.numbers)
    return Task(
        f"Find the greatest common divisor and the least common multiple of these numbers, and give both multiplied out: {listing}.", data
    )


def solve(task: Task[Data]) -> tuple[int, ...]:
    # From the prime factors: the least and the greatest exponent of each; `generate` asks Python, which divides.
    numbers = task.data.numbers
    divisor = multiple = 1
    for prime in PRIMES:
        exponents = [_exponent(number, prime) for number in numbers]
        divisor, multiple = divisor * prime ** min(exponents), multiple * prime ** max(exponents)
    return divisor, multiple


def verify(task: Task[Data], answer: tuple[int, ...]) -> Score:
    data = task.data
    if len(answer) != 2:
        return Score.wrong("give two numbers, the divisor and the multiple")
    if answer[0] != data.divisor:
        return Score.wrong("the greatest common divisor is another number")
    return Score.exact(answer[1] == data.multiple, "the least common multiple is another number")


def mistakes(task: Task[Data], right: tuple[int, ...]) -> list[tuple[int, ...]]:
    data = task.data
    product = reduce(lambda a, b: a * b, data.numbers)
    return [
        (right[1], right[0]),
        (1, right[1]),
        (right[0], product),
        (gcd(*data.numbers[:2]), lcm(*data.numbers[:2])),
        (right[0], product // right[0]),
    ]


def cost(task: Task[Data]) -> float:
    return sum(len(str(number)) ** 2 for number in task.data.numbers) + len(str(task.data.multiple)) ** 2


def derive(task: Task[Data]) -> Derivation:
    divisor, *rest = task.data.numbers
    multiple = divisor
    for i, number in enumerate(rest):
        if i:
            # Of two numbers, one run of Euclid's algorithm serves both results.
            yield DIVISOR(
                a=divisor, b=number, divisions=_euclid_text(max(divisor, number), min(divisor, number)), divisor=gcd(divisor, number)
            )
        common = gcd(multiple, number)
        yield DIVISOR(a=multiple, b=number, divisions=_euclid_text(max(multiple, number), min(multiple, number)), divisor=common)
        divisor, before = gcd(divisor, number), multiple
        multiple = before // common * number
        yield MULTIPLE(a=before, b=number, divisor=common, multiple=multiple)


def _euclid_text(high: int, low: int) -> str:
    steps = []
    while low:
        steps.append(f"{high} = {high // low} * {low} + {high % low}")
        high, low = low, high % low
    return ", ".join(steps)


def _sample_product(rng: Rng, primes: tuple[int, ...], count: int) -> int:
    return reduce(lambda a, b: a * b, (rng.choice(primes) for _ in range(count)), 1)


def _render_factorization(rng: Rng, number: int) -> str:
    powers = [(prime, exponent) for prime in PRIMES if (exponent := _exponent(number, prime))]
    return " * ".join(f"{prime}^{exponent}" if exponent > 1 else str(prime) for prime, exponent in rng.shuffled(powers)) or "1"


def _exponent(number: int, prime: int) -> int:
    exponent = 0
    while number % prime == 0:
        number, exponent = number // prime, exponent + 1
    return exponent


environment = Environment(
    Knobs,
    ANSWER,
    generate,
    solve,
    verify,
    mistakes,
    cost,
    solution=Solution(derive, END),
    shift=shift,
    concept=CONCEPT,
    chains=True,
    version=2,
)
