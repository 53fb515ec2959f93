"""Recover a shared secret from points of a polynomial modulo a prime.

At the hard end one of the shares was written down wrong, and the shares at hand leave exactly one secret.
"""

from collections.abc import Sequence
from itertools import combinations
from math import prod

from rlgym import Config, Environment, Rng, Score, Task, TaskData, knob
from rlgym.answers import Integer
from rlgym.generators.steps import Line, ended, first_wrong

PRIMES = tuple(p for p in range(11, 1000) if all(p % d for d in range(2, 32) if d < p))
Share = tuple[int, int]


WRONG = Line("The shares other than ({x}, {y}) all lie on one polynomial, so ({again}, {too}) is the wrong one")
WEIGHED = Line(
    "Share ({x}, {y}): weight {above} / {below} = {top} * {inverse} = {weight}, and {value} * {factor} = {product} modulo {prime}"
)


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
    prime = min(PRIMES, key=lambda p: (abs(p - knobs.prime * rng.integer(8, 12) // 10), p))
    spoiled = knobs.shares == "spoiled"
    count = knobs.needed + (2 if spoiled else knobs.shares == "spare")
    while True:
        parts = [rng.integer(0, prime - 1) for _ in range(knobs.needed)]
        places = rng.sample(range(1, min(prime, 30)), count)
        shares = [(x, _value(parts, x, prime)) for x in places]
        if parts[-1] and parts[0]:
            break
    if spoiled:
        wrong = rng.integer(0, count - 1)
        x, y = shares[wrong]
        shares[wrong] = (x, (y + rng.integer(1, prime - 1)) % prime)
    data = Data(prime=prime, needed=knobs.needed, shares=tuple(shares), spoiled=spoiled, secret=parts[0])
    return Task(_prompt(data), data)


def solve(task: Task[Data]) -> int:
    # Lagrange at zero, with each choice of good shares where one is wrong.
    data = task.data
    return _at(_good(data), 0, data.prime)


def verify(task: Task[Data], answer: int) -> Score:
    return Score.exact(answer == task.data.secret, "that is not the secret")


def mistakes(task: Task[Data], right: int) -> list[int]:
    data = task.data
    first = data.shares[: data.needed]
    return [
        _at(first, 0, data.prime),
        _at(first[1:], 0, data.prime),
        sum(y for _, y in first) % data.prime,
        _at(first, 100, data.prime),
        data.prime - right,
    ]


def cost(task: Task[Data]) -> float:
    data = task.data
    tries = len(data.shares) if data.spoiled else 1
    return data.needed**2 * len(str(data.prime)) ** 2 * (1 + tries) + data.prime / 100


def explain(task: Task[Data]) -> list[str]:
    data, steps = task.data, []
    p, good = data.prime, _good(data)
    if data.spoiled:
        bad = next(share for share in data.shares if share not in good)
        steps.append(WRONG.write(x=bad[0], y=bad[1], again=bad[0], too=bad[1]))
    used = good[: data.needed]
    total = 0
    for x, y in used:
        others = [a for a, _ in used if a != x]
        above, below = _product([-a for a in others], p), _product([x - a for a in others], p)
        weight = above * pow(below, -1, p) % p
        total = (total + y * weight) % p
        told = {"x": x, "y": y, "above": above, "below": below, "top": above, "inverse": pow(below, -1, p), "weight": weight}
        steps.append(WEIGHED.write(**told, value=y, factor=weight, product=y * weight % p, prime=p))
    return [*steps, f"The sum of these products modulo {p} is the secret: {total}"]


def replay(task: Task[Data], steps: Sequence[str]) -> int | None:
    data = task.data
    p, spoiled, total = data.prime, list[Share](), list[int]()

    def follows(step: str) -> bool:
        if read := WRONG.read(step):
            bad = int(read["x"]), int(read["y"])
            spoiled.append(bad)
            good = [share for share in data.shares if share != bad]
            agree = all(_at(tuple(good[: data.needed]), x, p) == y for x, y in good[data.needed :])
            return data.spoiled and bad in data.shares and agree and (int(read["again"]), int(read["too"])) == bad
        read = WEIGHED.read(step)
        if not read:
            return False
        used = [share for share in data.shares if share not in spoiled][: data.needed]
        x, y = used[len(total)]
        others = [a for a, _ in used if a != x]
        above, below, inverse, weight, product = (int(read[key]) for key in ("above", "below", "inverse", "weight", "product"))
        total.append(product)
        told = [int(read[key]) for key in ("x", "y", "top", "value", "factor", "prime")] == [x, y, above, y, weight, p]
        fraction = above == prod(-a for a in others) % p and below == prod(x - a for a in others) % p and below * inverse % p == 1
        in_range = all(0 <= number < p for number in (inverse, weight, product))
        return told and fraction and in_range and (above * inverse - weight) % p == 0 and (y * weight - product) % p == 0

    lead = f"The sum of these products modulo {p} is the secret: "
    return first_wrong(steps, follows, ended(lead, task, environment.answer, verify))


def _prompt(data: Data) -> str:
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


def _good(data: Data) -> tuple[Share, ...]:
    """The shares that lie on one polynomial: all of them, or all but one."""
    if not data.spoiled:
        return data.shares
    for good in combinations(data.shares, len(data.shares) - 1):
        if all(_at(good[: data.needed], x, data.prime) == y for x, y in good[data.needed :]):
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


def _at(shares: tuple[Share, ...], where: int, prime: int) -> int:
    """The value there of the polynomial through the shares."""
    total = 0
    for x, y in shares:
        others = [a for a, _ in shares if a != x]
        total += y * _product([where - a for a in others], prime) * pow(_product([x - a for a in others], prime), -1, prime)
    return total % prime


environment = Environment(
    Knobs,
    Integer(),
    generate,
    solve,
    verify,
    mistakes,
    cost,
    explain,
    replay=replay,
    concept="Through k points goes exactly one polynomial of degree below k; its value at 0 is a weighted sum of the values known.",
)
