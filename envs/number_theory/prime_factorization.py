"""Write an integer as a product of primes."""

from math import isqrt, prod

from rlgym import Config, Environment, Rng, Score, Task, TaskData, knob
from rlgym.answers import Numbers
from rlgym.solutions import Derivation, Solution, Step

SMALL = tuple(n for n in range(2, 1000) if all(n % d for d in range(2, int(n**0.5) + 1)))
CONCEPT = "Divide by 2, 3, 5, 7 and so on as often as each goes, until the square of the next prime exceeds what is left."
DIVIDED = Step("The smallest prime that divides {left:int} is {factor:int}: {left} = {factor} * {rest:int}")
PRIME = Step("{left:int} is prime, since no prime up to its square root, about {root:int}, divides it")
END = "The primes found are {answer}"


class Knobs(Config):
    factors: int = knob(5, easy=3, hard=7, doc="primes in the product, counted with multiplicity")
    largest: int = knob(700, easy=23, hard=30_000, scale="log", doc="the largest prime that may occur")


class Data(TaskData):
    number: int


def generate(rng: Rng, knobs: Knobs) -> Task[Data]:
    # Most factors are small, the last two may be as large as allowed, so that trial division has to go far.
    small = [prime for prime in SMALL[:15] if prime <= knobs.largest]
    chosen = [rng.choice(small) for _ in range(knobs.factors - 2)] + [_sample_prime(rng, knobs.largest) for _ in range(2)]
    number = prod(chosen)
    return Task(_render_prompt(number), Data(number=number))


def shift(rng: Rng, knobs: Knobs) -> Task[Data]:
    """Odd numbers that are given as differences of two squares."""
    odd = [prime for prime in SMALL[1:15] if prime <= knobs.largest]
    while True:
        chosen = [rng.choice(odd) for _ in range(knobs.factors - 2)] + [_sample_prime(rng, knobs.largest) for _ in range(2)]
        one, other = sorted((prod(chosen[::2]), prod(chosen[1::2])))
        if one < other and chosen[-1] > 2 < chosen[-2]:
            break
    squares = f"It is equal to {(one + other) // 2}^2 - {(other - one) // 2}^2."
    return Task(_render_prompt(one * other, squares), Data(number=one * other))


def solve(task: Task[Data]) -> tuple[int, ...]:
    return tuple(_trial_division(int(task.prompt.split()[1])))


def verify(task: Task[Data], answer: tuple[int, ...]) -> Score:
    if any(factor < 2 or factor > task.data.number for factor in answer) or len(answer) > 60:
        return Score.wrong("every factor must be a prime of the product")
    if prod(answer) != task.data.number:
        return Score.wrong(f"the product of these is not {task.data.number}")
    if any(len(_trial_division(factor)) > 1 for factor in answer):
        return Score.wrong("one of the factors is not prime")
    return Score.exact(list(answer) == sorted(answer), "the primes are not in ascending order")


def mistakes(task: Task[Data], right: tuple[int, ...]) -> list[tuple[int, ...]]:
    merged = (*right[2:], right[0] * right[1])
    return [(task.data.number,), tuple(sorted(merged)), (1, *right), tuple(dict.fromkeys(right)), right[::-1]]


def cost(task: Task[Data]) -> float:
    # Divisions by odd numbers up to where trial division may stop.
    factors = _trial_division(task.data.number)
    reach = max(factors[-2] if len(factors) > 1 else 2, int(factors[-1] ** 0.5))
    return reach * len(str(task.data.number)) / 2 + len(factors)


def derive(task: Task[Data]) -> Derivation:
    left = task.data.number
    for factor in _trial_division(left)[:-1]:
        yield DIVIDED(left=left, factor=factor, rest=left // factor)
        left //= factor
    yield PRIME(left=left, root=isqrt(left))


def _render_prompt(number: int, more: str = "") -> str:
    known = f" {more}" if more else ""
    return f"Write {number} as a product of primes.{known} Give every prime as often as it occurs in the product, in ascending order."


def _trial_division(number: int) -> list[int]:
    factors, divisor = [], 2
    while divisor * divisor <= number:
        while number % divisor == 0:
            factors.append(divisor)
            number //= divisor
        divisor += 1 if divisor == 2 else 2
    return [*factors, number] if number > 1 else factors


def _sample_prime(rng: Rng, largest: int) -> int:
    while True:
        number = rng.integer(max(2, largest // 4), largest)
        if len(_trial_division(number)) == 1:
            return number


def solve_prompt(prompt: str) -> tuple[int, ...]:
    from sympy import factorint

    number = next(int(word) for word in prompt.split() if word.isdigit())
    return tuple(prime for prime, times in sorted(factorint(number).items()) for _ in range(times))


environment = Environment(
    Knobs,
    Numbers("the primes, separated by commas", product=True),
    generate,
    solve,
    verify,
    mistakes,
    cost,
    solution=Solution(derive, END),
    shift=shift,
    prompt_solver=solve_prompt,
    concept=CONCEPT,
    chains=True,
    version=2,
)
