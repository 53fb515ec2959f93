"""Prime factors, orders, residues and continued fractions, and worked solutions with remainders."""

import re
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from functools import cache
from math import gcd, isqrt, prod
from typing import NamedTuple, TypeVar

from rlgym.answers import Integer
from rlgym.core.answer import Unreadable
from rlgym.core.rng import Rng
from rlgym.core.task import Task, TaskData
from rlgym.generators.calculations import LAST, LINE, evaluate
from rlgym.solutions import Derivation, Due, Solution, Step, in_order, sentence

D = TypeVar("D", bound=TaskData)
Facts = Mapping[str, tuple[int, int]]  # the value and the modulus (0 for none) of each named number
LARGEST = 10**6  # the factors that `factored` tries
_WITNESSES = (2, 3, 5, 7, 11, 13, 17, 19, 23, 29, 31, 37, 41)  # enough below 3 * 10**24
_RESIDUE = re.compile(r"(?P<name>.+?) = (?:(?P<formula>[0-9+\-*/^() ]+) = )?(?P<value>-?[0-9]+)(?: modulo (?P<modulus>[0-9]+))?")
_WHOLE = re.compile(r"[+\-−]?[0-9]{1,400}")


@cache
def primes(most: int) -> tuple[int, ...]:
    """All primes up to a number."""
    sieve = bytearray([1]) * (most + 1)
    for number in range(2, isqrt(most) + 1):
        if sieve[number]:
            sieve[number * number :: number] = bytes(len(range(number * number, most + 1, number)))
    return tuple(number for number in range(2, most + 1) if sieve[number])


def is_prime(number: int) -> bool:
    """Whether a number below 3 * 10**24 is prime, by the Miller-Rabin test."""
    if number < 2 or any(number % small == 0 for small in _WITNESSES):
        return number in _WITNESSES
    odd = number - 1
    halvings = (odd & -odd).bit_length() - 1
    odd >>= halvings
    for witness in _WITNESSES:
        power = pow(witness, odd, number)
        if power not in (1, number - 1) and all((power := power * power % number) != number - 1 for _ in range(halvings - 1)):
            return False
    return True


def factorize(number: int) -> tuple[tuple[int, int], ...]:
    """The prime factors of a positive number, smallest first, each with its exponent; all but the largest must be below a million."""
    if number < 1:
        raise ValueError(f"only positive numbers can be factorized, got {number}")
    out, factor = [], 2
    while factor * factor <= number:
        if factor > LARGEST:
            raise ValueError(f"{number} has two prime factors above {LARGEST}")
        exponent = 0
        while number % factor == 0:
            number, exponent = number // factor, exponent + 1
        out += [(factor, exponent)] if exponent else []
        factor += 1 + factor % 2
    return (*out, (number, 1)) if number > 1 else tuple(out)


def divisors(number: int) -> list[int]:
    """All divisors, smallest first."""
    out = [1]
    for factor, exponent in factorize(number):
        out = [divisor * factor**i for divisor in out for i in range(exponent + 1)]
    return sorted(out)


def totient(number: int) -> int:
    """The number of integers from 1 to this number that are coprime to it."""
    return prod((factor - 1) * factor ** (exponent - 1) for factor, exponent in factorize(number))


def multiplicative_order(base: int, modulus: int) -> int:
    """The smallest exponent above 0 whose power of the base is 1; the base has no factor in common with the modulus."""
    if gcd(base, modulus) != 1:
        raise ValueError(f"{base} has no order modulo {modulus}")
    exponent = totient(modulus)
    for factor, times in factorize(exponent):
        for _ in range(times):
            if pow(base, exponent // factor, modulus) == 1 % modulus:
                exponent //= factor
    return exponent


def sample_prime(rng: Rng, low: int, high: int) -> int:
    """A random prime from low to high, or the next prime above if there is none between the number drawn and high."""
    number = rng.integer(low, high)
    while not is_prime(number):
        number += 1
    return number


def format_factors(factors: tuple[tuple[int, int], ...]) -> str:
    """Prime factors as a product: 2^3 * 5; 1 for none."""
    return " * ".join(f"{factor}^{exponent}" if exponent > 1 else str(factor) for factor, exponent in factors) or "1"


def parse_integer(word: str, digits: int = 40) -> int | None:
    """The integer that a word spells with at most this many digits, else None."""
    return int(word.replace("−", "-")) if _WHOLE.fullmatch(word) and len(word.lstrip("+-−")) <= digits else None


def grouped_integer(words: Sequence[str], digits: int = 40) -> int | None:
    """The integer that an answer in words spells, as `Integer` reads it, else None: 6,377 comes as two words."""
    try:
        value = Integer().parse(",".join(words))
    except Unreadable:
        return None
    return value if len(str(abs(value))) <= digits else None


def residue_line(name: str, formula: str, modulus: int = 0) -> str:
    """A step that works out a named number: its remainder, or without a modulus the number itself."""
    value = evaluate(formula)
    return f"{name} = {formula} = {value % modulus if modulus else value}{f' modulo {modulus}' if modulus else ''}"


class ResidueChecker:
    """Checks steps written by `residue_line`: each must name one of the facts (a number and its modulus, 0 for none), give it correctly, and
    work it out from numbers of the prompt, the steps before or the known ones."""

    def __init__(self, prompt: str, facts: Facts, known: Iterable[int] = ()) -> None:
        self.facts = facts
        self.known = {*re.findall("[0-9]+", prompt), *map(str, known), "0", "1", "2"}

    def follows(self, step: str) -> bool:
        match = _RESIDUE.fullmatch(step)
        formula = (match["formula"] or match["value"]) if match else ""
        if not match or match["name"] not in self.facts or not set(re.findall("[0-9]+", formula)) <= self.known:
            return False
        fact, modulus = self.facts[match["name"]]
        self.known |= set(re.findall("[0-9]+", match["value"]))
        difference = evaluate(formula) - fact
        same = difference % modulus == 0 if modulus else difference == 0
        return same and int(match["value"]) == fact and int(match["modulus"] or 0) == modulus


def residue_solution(
    lines: Callable[[Task[D]], Iterable[str]],
    facts: Callable[[Task[D]], Facts],
    closing: str | Step,
    known: Callable[[Task[D]], Iterable[int]] = lambda task: (),
    sentences: Callable[[Task[D]], Collection[str]] = lambda task: (),
) -> Solution[D]:
    """The worked solution of tasks that are solved by calculation with remainders.

    lines     (task) -> the lines in order, written by `residue_line`, or one of the sentences
    facts     (task) -> the numbers that a line may work out, each with its modulus (0 for none)
    closing   the last line; `lines` ends with it where it is a template
    known     (task) -> numbers that formulas may use although the prompt does not show them
    sentences (task) -> sentences that are right as they stand
    """

    def derive(task: Task[D]) -> Derivation:
        yield from in_order(_due_step(text, closing) for text in lines(task))

    def checks(task: Task[D]) -> Callable[[str], bool]:
        checker, fixed = ResidueChecker(task.prompt, facts(task), known(task)), sentences(task)
        return lambda step: step in fixed or checker.follows(step.removeprefix(LAST))

    return Solution(derive, closing, checks)


def _due_step(text: str, closing: str | Step) -> Due:
    if isinstance(closing, Step) and (gaps := closing.read(text)) is not None:
        return closing(**gaps)
    gaps = LINE.read(text) if _RESIDUE.fullmatch(text) else None
    return LINE(**gaps) if gaps is not None else sentence(text)


class PartialQuotient(NamedTuple):
    """A step of a continued fraction: the complete quotient (top + sqrt(radicand)) / bottom and its whole part."""

    top: int
    bottom: int
    part: int


def continued_fraction(radicand: int, top: int = 0, bottom: int = 1) -> list[PartialQuotient]:
    """The continued fraction of (top + sqrt(radicand)) / bottom up to where it repeats.

    The radicand is no square, and bottom divides radicand - top^2. The last row is the first one that repeats.
    """
    rows: list[PartialQuotient] = []
    seen: set[tuple[int, int]] = set()
    while (top, bottom) not in seen:
        seen.add((top, bottom))
        part = (top + isqrt(radicand) + (bottom < 0)) // bottom
        rows.append(PartialQuotient(top, bottom, part))
        top = part * bottom - top
        bottom = (radicand - top * top) // bottom
    return [*rows, PartialQuotient(top, bottom, (top + isqrt(radicand) + (bottom < 0)) // bottom)]


def congruent(step: str, modulus: int) -> bool:
    """Whether a step is a chain of equalities `formula = formula = ...` of integers that all hold modulo a number."""
    values = [evaluate(side) for side in step.split(" = ")]
    return len(values) > 1 and all((value - values[0]) % modulus == 0 for value in values)
