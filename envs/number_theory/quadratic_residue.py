"""Find a square root modulo a number, or a prime factor of the number that proves that none exists.

Every root is accepted.
"""

from collections.abc import Iterator
from itertools import product
from math import isqrt, prod

from rlgym import Config, Environment, Rng, Score, Task, TaskData, knob
from rlgym.answers import Words
from rlgym.generators.numbers.factors import grouped_integer, parse_integer, sample_prime
from rlgym.solutions import Checks, Derivation, Solution, Step

PRIME = Step("Modulo {p:int} take x = {x:int}: {x:int}*({x:int} + {linear:int}) leaves {target:int}")
SO_FAR = Step("Modulo {n:int} that is x = {x:int}")
NONE = Step(
    "Modulo {p:int} the equation means (2*x + {linear:int})^2 = {square:int}, but {square:int}^{half:int} leaves {last:int}, so {square:int} is no square"
)
CLOSING = "The answer is {answer}"
ANSWER = Words("the integer x, unless the task says otherwise", max_items=4, ignore_case=True)


class Knobs(Config):
    digits: int = knob(2, easy=1, hard=3, doc="digits of the prime factors of the modulus")
    primes: int = knob(2, easy=2, hard=4, doc="prime factors of the modulus")
    factors_given: str = knob("yes", easy="yes", hard="no", order=("yes", "no"), doc="whether the factors are given")
    certain: str = knob("open", easy="possible", hard="open", order=("possible", "open"), doc="whether a root is guaranteed to exist")


class Data(TaskData):
    primes: tuple[int, ...]
    linear: int
    target: int
    possible: bool


def generate(rng: Rng, knobs: Knobs) -> Task[Data]:
    data = _sample_data(rng, knobs, 0)
    n = prod(data.primes)
    return _render_task(
        f"Find an integer x, 0 or greater and less than {n}, whose square leaves the remainder {data.target} when divided by {n}.",
        knobs,
        data,
    )


def shift(rng: Rng, knobs: Knobs) -> Task[Data]:
    """A quadratic equation that requires completing the square."""
    n = prod((data := _sample_data(rng, knobs, 1 + rng.integer(0, 60))).primes)
    ask = f"Find an integer x, 0 or greater and less than {n}, for which x^2 + {data.linear}*x leaves the remainder {data.target} when divided by {n}."
    return _render_task(ask, knobs, data)


def _sample_data(rng: Rng, knobs: Knobs, linear: int) -> Data:
    impossible = knobs.certain == "open" and rng.chance(0.25)
    primes: set[int] = set()
    while len(primes) < knobs.primes:
        primes.add(sample_prime(rng, max(3, 10 ** (knobs.digits - 1)), 10**knobs.digits + 9))
    n, target = prod(primes), 0
    while target < 2 or impossible == all(_has_root(p, linear, target) for p in primes):
        x = rng.integer(1, n - 1)
        target = rng.integer(2, n - 1) if impossible else x * (x + linear) % n
        target = 0 if isqrt(target) ** 2 == target and not linear else target
    return Data(primes=tuple(sorted(primes)), linear=linear, target=target, possible=not impossible)


def _render_task(ask: str, knobs: Knobs, data: Data) -> Task[Data]:
    n, expression = prod(data.primes), f"x^2 + {data.linear}*x" if data.linear else "x^2"
    factors = f" ({n} = {' * '.join(map(str, data.primes))}.)" if knobs.factors_given == "yes" else ""
    proof = (
        f"\n\nIf there is none, prove it: in place of x, answer with the word impossible, a space, and a prime factor p of {n} such that, for "
        f"every integer x, {expression} and {data.target} leave different remainders when divided by p."
    )
    return Task(f"{ask} Any such x will do.{factors}{proof if knobs.certain == 'open' else ''}", data)


def solve(task: Task[Data]) -> tuple[str, ...]:
    """A root modulo each prime factor, combined by the Chinese remainder theorem."""
    return next(_search_answers(task.data))


def verify(task: Task[Data], answer: tuple[str, ...]) -> Score:
    data, n = task.data, prod(task.data.primes)
    if answer[0] == "impossible":
        p = parse_integer(answer[1], 20) if len(answer) == 2 else None
        return Score.exact(p in data.primes and not _has_root(p or 3, data.linear, data.target), "this does not prove that no root exists")
    x = grouped_integer(answer, 30)
    if x is None or not 0 <= x < n:
        return Score.wrong("give one integer in the range, or the word impossible and a prime")
    return Score.exact(x * (x + data.linear) % n == data.target, "this x leaves another remainder")


def mistakes(task: Task[Data], right: tuple[str, ...]) -> list[tuple[str, ...]]:
    data = task.data
    wrong = [("impossible", str(p)) for p in data.primes] if right[0] != "impossible" else [("impossible", str(prod(data.primes)))]
    return [(str(isqrt(data.target)),), *wrong, ("impossible",), ("0",)]


def cost(task: Task[Data]) -> float:
    data = task.data
    return sum(len(str(p)) ** 2 * p for p in data.primes) * (1 if " = " in task.prompt else 3)


def derive(task: Task[Data]) -> Derivation:
    data, answer = task.data, solve(task)
    if answer[0] == "impossible":
        p = int(answer[1])
        yield NONE(p=p, linear=data.linear, square=(data.linear**2 + 4 * data.target) % p, half=(p - 1) // 2, last=p - 1)
        return
    n, x = 1, int(answer[0])
    for p in data.primes:
        yield PRIME(p=p, x=x % p, linear=data.linear, target=data.target % p)
        n *= p
        if n > p:
            yield SO_FAR(n=n, x=x % n)


def checks(task: Task[Data]) -> Checks:
    data, rests = task.data, list[tuple[int, int]]()

    def prime(p: int, x: int, linear: int, target: int) -> bool:
        rests.append((p, x))
        given = linear == data.linear and p in data.primes and target == data.target % p
        return given and 0 <= x < p and (x * (x + linear) - target) % p == 0

    def none(p: int, linear: int, square: int, half: int, last: int) -> bool:
        given = square == (linear**2 + 4 * data.target) % p and linear == data.linear and p in data.primes
        return given and p == 2 * half + 1 == last + 1 and pow(square, half, p) == last

    def so_far(n: int, x: int) -> bool:
        return n == prod(p for p, _ in rests) and 0 <= x < n and all((x - rest) % p == 0 for p, rest in rests)

    return {PRIME: prime, SO_FAR: so_far, NONE: none}


def _has_root(p: int, linear: int, target: int) -> bool:
    """Whether x^2 + linear*x = target has a solution modulo an odd prime, by Euler's criterion."""
    return pow(linear * linear + 4 * target, (p - 1) // 2, p) != p - 1


def _search_answers(data: Data) -> Iterator[tuple[str, ...]]:
    if not data.possible:
        yield from (("impossible", str(p)) for p in data.primes if not _has_root(p, data.linear, data.target))
        return
    for rests in product(*([x for x in range(p) if (x * (x + data.linear) - data.target) % p == 0] for p in data.primes)):
        x, n = 0, 1
        for rest, p in zip(rests, data.primes, strict=True):
            x, n = x + n * ((rest - x) * pow(n, -1, p) % p), n * p
        yield (str(x),)


environment = Environment(
    Knobs, ANSWER, generate, solve, verify, mistakes, cost,
    solution=Solution(derive, CLOSING, checks), shift=shift, answers="many", solutions=lambda task: list(_search_answers(task.data))[::-1],
    concept="Solve modulo each prime factor and put the roots together; a number is a square modulo p if its power to (p - 1)/2 is not -1.",
    version=6,
)  # fmt: skip
