"""Find a square root modulo a number, or a prime factor of the number that proves that there is none.

Every root is accepted.
"""

from collections.abc import Iterator, Sequence
from itertools import product
from math import isqrt, prod

from rlgym import Config, Environment, Rng, Score, Task, TaskData, knob
from rlgym.answers import Words
from rlgym.generators.numbers.factors import judged, prime_between, whole
from rlgym.generators.steps import Line, ended, first_wrong


class Knobs(Config):
    digits: int = knob(2, easy=1, hard=4, doc="digits of the prime factors of the modulus")
    primes: int = knob(2, easy=2, hard=4, doc="prime factors of the modulus")
    told: str = knob("yes", easy="yes", hard="no", order=("yes", "no"), doc="whether the factors are told")
    certain: str = knob("open", easy="possible", hard="open", order=("possible", "open"), doc="whether it is sure that there is a root")


class Data(TaskData):
    primes: tuple[int, ...]
    linear: int
    target: int
    possible: bool


def generate(rng: Rng, knobs: Knobs) -> Task[Data]:
    data = _made(rng, knobs, 0)
    n = prod(data.primes)
    return _told(
        f"Find an integer x, 0 or greater and less than {n}, whose square leaves the remainder {data.target} when divided by {n}.",
        knobs,
        data,
    )


def shift(rng: Rng, knobs: Knobs) -> Task[Data]:
    """A quadratic equation, of which the square has to be completed first."""
    n = prod((data := _made(rng, knobs, 1 + rng.integer(0, 60))).primes)
    ask = f"Find an integer x, 0 or greater and less than {n}, for which x^2 + {data.linear}*x leaves the remainder {data.target} when divided by {n}."
    return _told(ask, knobs, data)


def _made(rng: Rng, knobs: Knobs, linear: int) -> Data:
    doomed = knobs.certain == "open" and rng.chance(0.25)
    primes: set[int] = set()
    while len(primes) < knobs.primes:
        primes.add(prime_between(rng, max(3, 10 ** (knobs.digits - 1)), 10**knobs.digits + 9))
    n, target = prod(primes), 0
    while target < 2 or doomed == all(_roots(p, linear, target) for p in primes):
        x = rng.integer(1, n - 1)
        target = rng.integer(2, n - 1) if doomed else x * (x + linear) % n
        target = 0 if isqrt(target) ** 2 == target and not linear else target
    return Data(primes=tuple(sorted(primes)), linear=linear, target=target, possible=not doomed)


def _told(ask: str, knobs: Knobs, data: Data) -> Task[Data]:
    n = prod(data.primes)
    factors = f" ({n} = {' * '.join(map(str, data.primes))}.)" if knobs.told == "yes" else ""
    proof = (
        f"\n\nIf there is none, prove it: answer with the word impossible and a prime factor p of {n} such that there is not even an x for which the "
        f"remainders of both sides are the same when divided by p."
    )
    return Task(f"{ask} Any such x will do.{factors}{proof if knobs.certain == 'open' else ''}", data)


def solve(task: Task[Data]) -> tuple[str, ...]:
    """With the factors: a root modulo each prime, put together."""
    return next(_answers(task.data))


def verify(task: Task[Data], answer: tuple[str, ...]) -> Score:
    data, n = task.data, prod(task.data.primes)
    if answer[0] == "impossible":
        p = whole(answer[1], 20) if len(answer) == 2 else None
        return Score.exact(p in data.primes and not _roots(p or 3, data.linear, data.target), "this does not prove that there is none")
    x = whole(answer[0], 30) if len(answer) == 1 else None
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


PRIME = Line("Modulo {p} take x = {x}: {x_}*({x__} + {linear}) leaves {target}")
SO_FAR = Line("Modulo {n} that is x = {x}")
NONE = Line("Modulo {p} the equation means (2*x + {linear})^2 = {square}, but {square_}^{half} leaves {last}, so {square__} is no square")
END = "The answer is "


def explain(task: Task[Data]) -> list[str]:
    data, steps, answer = task.data, [], solve(task)
    if answer[0] == "impossible":
        p = int(answer[1])
        square = (data.linear**2 + 4 * data.target) % p
        told = {"square": square, "square_": square, "square__": square, "half": (p - 1) // 2, "last": p - 1}
        return [NONE.write(p=p, linear=data.linear, **told), END + " ".join(answer)]
    n, x = 1, int(answer[0])
    for p in data.primes:
        steps.append(PRIME.write(p=p, x=x % p, x_=x % p, x__=x % p, linear=data.linear, target=data.target % p))
        n *= p
        steps += [SO_FAR.write(n=n, x=x % n)] if n > p else []
    return [*steps, END + " ".join(answer)]


def replay(task: Task[Data], steps: Sequence[str]) -> int | None:
    data, rests = task.data, list[tuple[int, int]]()

    def prime(p: int, x: int, x_: int, x__: int, linear: int, target: int) -> bool:
        rests.append((p, x))
        same = x == x_ == x__ and linear == data.linear and p in data.primes and target == data.target % p
        return same and 0 <= x < p and (x * (x + linear) - target) % p == 0

    def none(p: int, linear: int, square: int, square_: int, half: int, last: int, square__: int) -> bool:
        same = square == square_ == square__ == (linear**2 + 4 * data.target) % p and linear == data.linear and p in data.primes
        return same and p == 2 * half + 1 == last + 1 and pow(square, half, p) == last

    def so_far(n: int, x: int) -> bool:
        return n == prod(p for p, _ in rests) and 0 <= x < n and all((x - rest) % p == 0 for p, rest in rests)

    return first_wrong(steps, judged((PRIME, prime), (SO_FAR, so_far), (NONE, none)), ended(END, task, environment.answer, verify))


def _roots(p: int, linear: int, target: int) -> bool:
    """Whether x^2 + linear*x = target has a solution modulo an odd prime."""
    return pow(linear * linear + 4 * target, (p - 1) // 2, p) != p - 1


def _answers(data: Data) -> Iterator[tuple[str, ...]]:
    if not data.possible:
        yield from (("impossible", str(p)) for p in data.primes if not _roots(p, data.linear, data.target))
        return
    for rests in product(*([x for x in range(p) if (x * (x + data.linear) - data.target) % p == 0] for p in data.primes)):
        x, n = 0, 1
        for rest, p in zip(rests, data.primes, strict=True):
            x, n = x + n * ((rest - x) * pow(n, -1, p) % p), n * p
        yield (str(x),)


environment = Environment(
    Knobs,
    Words("x, or the word impossible and the prime, separated by a space", most=4, fold=True),
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
    concept="Solve modulo each prime factor and put the roots together; a number is a square modulo p if its power to (p - 1)/2 is not -1.",
)
