"""Statements "m divides every value of a polynomial", each with a proof or a counterexample.

The proof writes the polynomial as a sum of whole multiples of binomial coefficients; m divides all values exactly if it divides these multiples.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise
from math import factorial, gcd

from rlgym.answers import Words
from rlgym.core.config import Config, knob
from rlgym.core.declare import Environment
from rlgym.core.rng import Rng
from rlgym.core.score import Score
from rlgym.core.task import Task, TaskData
from rlgym.generators.algebra import differences, polynomials
from rlgym.generators.proofs.statement_variants import EQUIVALENT, NEGATED, PERTURBED, swap_verdict, variant_knob
from rlgym.solutions import Checks, Derivation, Solution, Step

MODULI = (6, 8, 10, 12, 15, 18, 20, 24, 30, 36, 40, 48, 60, 72, 84, 90, 120, 126, 168, 180, 210, 240, 336, 360)
MAX_DIGITS = 12
Verdict = tuple[str, ...]
ANSWER = Words(
    "the word true and the integers c0 to cd in order, or the word false and one integer, separated by spaces",
    max_items=20,
    ignore_case=True,
)
NEGATION = "Prove or refute: there is an integer n for which"
VALUE = Step("P({n:int}) = {value:int}.")
REST = Step("{value:int} leaves {rest:int} when divided by {m:int}.")
ROW = Step("Row {k:int} of differences is {row:ints}; it begins with {number:int} = {times:int}*{m:int}.")
CLOSING = "So the answer is {answer}"


class Knobs(Config):
    degree: int = knob(5, easy=3, hard=8, doc="degree of the polynomial")
    modulus: int = knob(12, easy=8, hard=24, doc="from how many divisors m is drawn")
    variant: str = variant_knob()


class Data(TaskData):
    polynomial: tuple[int, ...]
    modulus: int


def generate(rng: Rng, knobs: Knobs) -> Task[Data]:
    true = rng.chance(0.5)
    while True:
        modulus = rng.choice(MODULI[: knobs.modulus])
        falling = [0, *(modulus // gcd(modulus, factorial(k)) * rng.integer(0, modulus) for k in range(1, knobs.degree + 1))]
        if not true:
            # One multiple misses m by a prime factor only, so that m divides most values.
            k = rng.integer(2, knobs.degree)
            unit = modulus // gcd(modulus, factorial(k))
            prime = rng.choice([p for p in (2, 3, 5, 7) if modulus % p == 0])
            falling[k] = unit * rng.integer(1, modulus) // prime or 1
        polynomial: tuple[int, ...] = (0,)
        product: tuple[int, ...] = (1,)
        for k, times in enumerate(falling):
            polynomial = polynomials.plus(polynomial, tuple(times * a for a in product))
            product = polynomials.times(product, (-k, 1))
        start = rng.integer(-20, 20)
        moved: tuple[int, ...] = (0,)
        for a in reversed(polynomial):
            moved = polynomials.plus(polynomials.times(moved, (start, 1)), (a,))
        # Only the coefficients modulo m count.
        small = polynomials.plus(tuple((a + modulus // 2) % modulus - modulus // 2 for a in moved), (0,))
        data = Data(polynomial=small, modulus=modulus)
        misses = sum(_value(data, n) % modulus > 0 for n in range(modulus)) if len(small) == knobs.degree + 1 else modulus
        # Of false statements most numbers are no counterexample.
        if misses == 0 if true else 0 < 3 * misses <= modulus:
            break
    data = _variant(rng.child("variant"), data, knobs.variant)
    return Task(_render_prompt(data, is_negated=knobs.variant == NEGATED), data)


def _variant(rng: Rng, data: Data, variant: str) -> Data:
    """The polynomial and the number of another variant: P at n + k; or a number that divides all values where there is one, else P + c."""
    m, polynomial = data.modulus, data.polynomial
    if variant == EQUIVALENT:
        k = rng.choice([number for number in range(-9, 10) if number])
        moved: tuple[int, ...] = (0,)
        for a in reversed(polynomial):
            moved = polynomials.plus(polynomials.times(moved, (k, 1)), (a,))
        return data.model_copy(update={"polynomial": _reduced(moved, m)})
    if variant == PERTURBED:
        common = gcd(m, *differences.forward_differences(polynomial))
        if common in (1, m):
            changed = polynomials.plus(polynomial, (rng.integer(1, m - 1),))
            return data.model_copy(update={"polynomial": _reduced(changed, m)})
        return data.model_copy(update={"modulus": common})
    return data


def _reduced(polynomial: tuple[int, ...], modulus: int) -> tuple[int, ...]:
    """The polynomial with coefficients around 0: only those modulo m count."""
    return polynomials.plus(tuple((a + modulus // 2) % modulus - modulus // 2 for a in polynomial), (0,))


def _render_prompt(data: Data, *, is_negated: bool) -> str:
    m, formula = data.modulus, polynomials.text(data.polynomial, "n")
    sums = (
        "the integers c0, c1, ..., cd (d is the degree of P) for which "
        f"P(n) = c0*binomial(n, 0) + c1*binomial(n, 1) + ... + cd*binomial(n, d); {m} must divide each of them."
    )
    if is_negated:
        return (
            f"{NEGATION} {m} does not divide P(n), where\nP(n) = {formula}\n\n"
            f"To prove it, give the word true and such an integer n. To refute it, give the word false and {sums}"
        )
    return (
        f"Prove or refute: for every integer n, {m} divides P(n), where\nP(n) = {formula}\n\n"
        f"To prove it, give the word true and {sums} "
        f"To refute it, give the word false and an integer n for which {m} does not divide P(n)."
    )


def solve(task: Task[Data]) -> Verdict:
    counterexample = _counterexample(task.data, 0)
    return _as_asked(
        task,
        ("true", *map(str, differences.forward_differences(task.data.polynomial)))
        if counterexample is None
        else ("false", str(counterexample)),
    )


def _as_asked(task: Task[Data], verdict: Verdict) -> Verdict:
    """An answer to the statement as one to what the prompt asks, and the other way round."""
    return swap_verdict(verdict) if task.prompt.startswith(NEGATION) else verdict


def verify(task: Task[Data], answer: Verdict) -> Score:
    data, answer = task.data, _as_asked(task, answer)
    numbers = [_integer(word) for word in answer[1:]]
    if answer[0] not in ("true", "false") or not numbers or None in numbers:
        return Score.wrong(f"give true or false and then integers of at most {MAX_DIGITS} digits")
    if answer[0] == "false":
        return Score.exact(len(numbers) == 1 and _value(data, numbers[0] or 0) % data.modulus != 0, "that is no counterexample")
    right = numbers == differences.forward_differences(data.polynomial)
    return Score.exact(right and all((number or 0) % data.modulus == 0 for number in numbers), "that proves nothing")


def mistakes(task: Task[Data], right: Verdict) -> list[Verdict]:
    steps = tuple(map(str, differences.forward_differences(task.data.polynomial)))
    plain = tuple(map(str, task.data.polynomial))
    kept = next(n for n in range(400) if _value(task.data, n) % task.data.modulus == 0 or n == 399)
    holds = _as_asked(task, right)[0]
    wrong: list[Verdict] = [
        (holds,),
        ("true", *plain, "0"),
        ("false", str(kept)) if holds == "true" else ("true", *steps),
        ("true", *steps[1:]),
        ("true", "0"),
    ]
    return [_as_asked(task, each) for each in wrong]


def cost(task: Task[Data]) -> float:
    return len(task.data.polynomial) ** 2 * len(str(task.data.modulus)) + 3 * len(task.prompt.split("\n")[1])


def derive(task: Task[Data]) -> Derivation:
    data, counterexample = task.data, _counterexample(task.data, 0)
    if counterexample is not None:
        value = _value(data, counterexample)
        yield VALUE(n=counterexample, value=value)
        yield REST(value=value, m=data.modulus, rest=value % data.modulus)
        return
    row = [_value(data, n) for n in range(len(data.polynomial))]
    for n, value in enumerate(row):
        yield VALUE(n=n, value=value)
    for k, number in enumerate(differences.forward_differences(data.polynomial)):
        yield ROW(k=k, row=row, number=number, times=number // data.modulus, m=data.modulus)
        row = [b - a for a, b in pairwise(row)]


def checks(task: Task[Data]) -> Checks:
    data, values = task.data, list[int]()
    rows = [[_value(data, n) for n in range(len(data.polynomial))]]
    while len(rows[-1]) > 1:
        rows.append([b - a for a, b in pairwise(rows[-1])])

    def evaluated(n: int, value: int) -> bool:
        values.append(value)
        return _value(data, n) == value

    def row_holds(k: int, row: tuple[int, ...], number: int, times: int, m: int) -> bool:
        return list(row) == rows[k] and number == row[0] == times * m and m == data.modulus

    def leaves(value: int, m: int, rest: int) -> bool:
        return m == data.modulus and value in values and value % data.modulus == rest != 0

    return {VALUE: evaluated, REST: leaves, ROW: row_holds}


def _value(data: Data, n: int) -> int:
    value = 0
    for a in reversed(data.polynomial):
        value = value * n + a
    return value


def _counterexample(data: Data, first: int) -> int | None:
    """Values repeat modulo m, so that m of them are enough."""
    return next((n for n in range(first, first + data.modulus) if _value(data, n) % data.modulus), None)


def _integer(word: str) -> int | None:
    digits = word.replace("−", "-").removeprefix("-")
    return int(word.replace("−", "-")) if digits.isascii() and digits.isdigit() and len(digits) <= MAX_DIGITS else None


def _other_solutions(task: Task[Data]) -> Iterator[Verdict]:
    if _counterexample(task.data, 0) is None:
        yield solve(task)
        return
    for n in range(-1, -task.data.modulus - 1, -1):
        if _value(task.data, n) % task.data.modulus:
            yield _as_asked(task, ("false", str(n)))


environment = Environment(
    Knobs,
    ANSWER,
    generate,
    solve,
    verify,
    mistakes,
    cost,
    solution=Solution(derive, CLOSING, checks),
    answers="many",
    solutions=_other_solutions,
    guessable="one small number refutes a part of the false statements",
    concept="The differences at 0 are the multiples of the binomial coefficients; m divides all values exactly if it divides these.",
)
