"""Recover a shared secret from points of a polynomial modulo a prime.

At the hard end one of the shares was written down wrong, and the shares at hand leave exactly one secret.
"""

from itertools import combinations

from rlgym import Config, Environment, Rng, Score, Task, TaskData, knob
from rlgym.answers import Integer
from rlgym.solutions import Derivation, Solution, Step

PRIMES = tuple(p for p in range(11, 1000) if all(p % d for d in range(2, 32) if d < p))
Share = tuple[int, int]


WRONG = Step("The shares other than ({x}, {y}) all lie on one polynomial, so ({x}, {y}) is the wrong one")
WEIGHED = Step("Share ({x}, {y}): weight {above} / {below} = {above} * {inverse} = {weight}, and {y} * {weight} = {product} modulo {prime}")


class Knobs(Config):
    needed: int = knob(3, easy=2, hard=5, doc="shares that are needed")
    prime: int = knob(97, easy=31, hard=997, doc="about how large the prime is", scale="log")
    shares: str = knob(
        "exact",
        easy="exact",
        hard="spoiled",
        order=("exact", "spare", "spoiled"),
        doc="shares at hand: as many as needed, one to spare, or some with a wrong one among them",
    )


class Data(TaskData):
    prime: int
    needed: int
    shares: tuple[Share, ...]
    spoiled: bool
    secret: int


def generate(rng: Rng, knobs: Knobs) -> Task[Data]:
    return _sample_task(rng, knobs, consecutive=False)


def _sample_task(rng: Rng, knobs: Knobs, consecutive: bool) -> Task[Data]:
    prime = min(PRIMES, key=lambda p: (abs(p - knobs.prime * rng.integer(8, 12) // 10), p))
    spoiled = knobs.shares == "spoiled"
    count = knobs.needed + (2 if spoiled else knobs.shares == "spare")
    while True:
        parts = [rng.integer(0, prime - 1) for _ in range(knobs.needed)]
        places = list(range(1, count + 1)) if consecutive else rng.sample(range(1, min(prime, 30)), count)
        shares = [(x, _value(parts, x, prime)) for x in places]
        if parts[-1] and parts[0]:
            break
    if spoiled:
        wrong = rng.integer(0, count - 1)
        x, y = shares[wrong]
        shares[wrong] = (x, (y + rng.integer(1, prime - 1)) % prime)
    data = Data(prime=prime, needed=knobs.needed, shares=tuple(shares), spoiled=spoiled, secret=parts[0])
    return Task(_render_prompt(data), data)


def shift(rng: Rng, knobs: Knobs) -> Task[Data]:
    """Shares at the places 1, 2, 3 and so on, for which the weights are binomial coefficients."""
    return _sample_task(rng, knobs, consecutive=True)


def solve(task: Task[Data]) -> int:
    # Lagrange at zero, with each choice of good shares where one is wrong.
    data = task.data
    return _interpolate(_consistent_shares(data), 0, data.prime)


def verify(task: Task[Data], answer: int) -> Score:
    return Score.exact(answer == task.data.secret, "that is not the secret")


def mistakes(task: Task[Data], right: int) -> list[int]:
    data = task.data
    first = data.shares[: data.needed]
    return [
        _interpolate(first, 0, data.prime),
        _interpolate(first[1:], 0, data.prime),
        sum(y for _, y in first) % data.prime,
        _interpolate(first, 100, data.prime),
        data.prime - right,
    ]


def cost(task: Task[Data]) -> float:
    data = task.data
    tries = len(data.shares) if data.spoiled else 1
    return data.needed**2 * len(str(data.prime)) ** 2 * (1 + tries) + data.prime / 100


def derive(task: Task[Data]) -> Derivation:
    data, p, good = task.data, task.data.prime, _consistent_shares(task.data)
    if data.spoiled:
        x, y = next(share for share in data.shares if share not in good)
        yield WRONG(x=x, y=y)
    used = good[: data.needed]
    for x, y in used:
        others = [a for a, _ in used if a != x]
        above, below = _product([-a for a in others], p), _product([x - a for a in others], p)
        inverse = pow(below, -1, p)
        weight = above * inverse % p
        yield WEIGHED(x=x, y=y, above=above, below=below, inverse=inverse, weight=weight, product=y * weight % p, prime=p)


def _render_prompt(data: Data) -> str:
    listing = ", ".join(f"f({x}) = {y}" for x, y in data.shares)
    degree = data.needed - 1
    kind = (
        "f(x) = s + a x"
        if degree == 1
        else "f(x) = s + " + " + ".join(["a x", *(f"{letter} x^{i}" for i, letter in zip(range(2, degree + 1), "bcde", strict=False))])
    )
    spoiled = " Exactly one of these values was written down wrong; all others are right." if data.spoiled else ""
    return (
        f"A secret s was shared with a polynomial modulo the prime {data.prime}: {kind}, where s and the other coefficients are "
        f"integers from 0 to {data.prime - 1} "
        f"and values are taken modulo {data.prime}. These values are known: {listing}.{spoiled}\n\nWhat is the secret s, as an "
        f"integer from 0 to {data.prime - 1}?"
    )


def _consistent_shares(data: Data) -> tuple[Share, ...]:
    """The shares that lie on one polynomial: all of them, or all but one."""
    if not data.spoiled:
        return data.shares
    for good in combinations(data.shares, len(data.shares) - 1):
        if all(_interpolate(good[: data.needed], x, data.prime) == y for x, y in good[data.needed :]):
            return good
    raise AssertionError("one share is wrong, so the others agree")


def _value(parts: list[int], x: int, prime: int) -> int:
    total = 0
    for part in reversed(parts):
        total = (total * x + part) % prime
    return total


def _product(numbers: list[int], prime: int) -> int:
    out = 1
    for number in numbers:
        out = out * number % prime
    return out


def _interpolate(shares: tuple[Share, ...], where: int, prime: int) -> int:
    """The value there of the polynomial through the shares."""
    total = 0
    for x, y in shares:
        others = [a for a, _ in shares if a != x]
        total += y * _product([where - a for a in others], prime) * pow(_product([x - a for a in others], prime), -1, prime)
    return total % prime


environment = Environment(
    Knobs, Integer(), generate, solve, verify, mistakes, cost,
    solution=Solution(derive, "The sum of these products modulo {prime} is the secret: {answer}"), shift=shift,
    concept="Through k points goes exactly one polynomial of degree below k; its value at 0 is a weighted sum of the values known.",
)  # fmt: skip
