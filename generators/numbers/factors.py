"""Whole numbers taken apart: prime factors, orders and residues; and worked steps about numbers, read back and checked."""

import re
from collections.abc import Callable, Iterable, Mapping
from functools import cache
from math import gcd, isqrt, prod

from rlgym.core.rng import Rng
from rlgym.generators.steps import Line
from rlgym.generators.worked import evaluate

LARGEST = 10**6  # the factors that `factored` tries
_WITNESSES = (2, 3, 5, 7, 11, 13, 17, 19, 23, 29, 31, 37, 41)  # enough below 3 * 10**24
_REDUCED = re.compile(r"(.+?) = ([0-9+\-*/^() ]+) = (-?[0-9]+)(?: modulo ([0-9]+))?")
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
    """Whether a number below 3 * 10**24 is prime."""
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


def factored(number: int) -> tuple[tuple[int, int], ...]:
    """The prime factors of a positive number, smallest first, each with its exponent; all but the largest must be below a million."""
    if number < 1:
        raise ValueError(f"only positive numbers are taken apart, got {number}")
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
    for factor, exponent in factored(number):
        out = [one * factor**i for one in out for i in range(exponent + 1)]
    return sorted(out)


def totient(number: int) -> int:
    """How many of 1, ..., number have no factor in common with it."""
    return prod((factor - 1) * factor ** (exponent - 1) for factor, exponent in factored(number))


def order(base: int, modulus: int) -> int:
    """The smallest exponent above 0 whose power of the base is 1; the base has no factor in common with the modulus."""
    if gcd(base, modulus) != 1:
        raise ValueError(f"{base} has no order modulo {modulus}")
    exponent = totient(modulus)
    for factor, times in factored(exponent):
        for _ in range(times):
            if pow(base, exponent // factor, modulus) == 1 % modulus:
                exponent //= factor
    return exponent


def prime_between(rng: Rng, low: int, high: int) -> int:
    """A prime drawn from low to high, or the next one above if none is found on the way up to high."""
    number = rng.integer(low, high)
    while not is_prime(number):
        number += 1
    return number


def written(factors: tuple[tuple[int, int], ...]) -> str:
    """Prime factors as a product: 2^3 * 5; 1 for none."""
    return " * ".join(f"{factor}^{exponent}" if exponent > 1 else str(factor) for factor, exponent in factors) or "1"


def whole(word: str, digits: int = 40) -> int | None:
    """The integer that a word spells with at most so many digits, else None."""
    return int(word.replace("−", "-")) if _WHOLE.fullmatch(word) and len(word.lstrip("+-−")) <= digits else None


def reduced(name: str, formula: str, modulus: int = 0) -> str:
    """A step that works out a named number: its remainder, or without a modulus the number itself."""
    value = evaluate(formula)
    return f"{name} = {formula} = {value % modulus if modulus else value}{f' modulo {modulus}' if modulus else ''}"


class Residues:
    """Steps written by `reduced`, read back: each must name one of the facts (a number and its modulus, 0 for none), give it rightly, and work
    it out from numbers of the prompt, the steps before or the known ones."""

    def __init__(self, prompt: str, facts: Mapping[str, tuple[int, int]], known: Iterable[int] = ()) -> None:
        self.facts = facts
        self.known = {*re.findall("[0-9]+", prompt), *map(str, known), "0", "1", "2"}

    def follows(self, step: str) -> bool:
        found = _REDUCED.fullmatch(step)
        if not found or found[1] not in self.facts or not set(re.findall("[0-9]+", found[2])) <= self.known:
            return False
        fact, modulus = self.facts[found[1]]
        self.known |= set(re.findall("[0-9]+", found[3]))
        difference = evaluate(found[2]) - fact
        same = difference % modulus == 0 if modulus else difference == 0
        return same and int(found[3]) == fact and int(found[4] or 0) == modulus


def surd(radicand: int, top: int = 0, bottom: int = 1) -> list[tuple[int, int, int]]:
    """The continued fraction of (top + sqrt(radicand)) / bottom up to where it repeats: rows of top, bottom and whole part.

    The radicand is no square, and bottom divides radicand - top^2. The last row is the first one that was there before.
    """
    rows: list[tuple[int, int, int]] = []
    seen: set[tuple[int, int]] = set()
    while (top, bottom) not in seen:
        seen.add((top, bottom))
        part = (top + isqrt(radicand) + (bottom < 0)) // bottom
        rows.append((top, bottom, part))
        top = part * bottom - top
        bottom = (radicand - top * top) // bottom
    return [*rows, (top, bottom, (top + isqrt(radicand) + (bottom < 0)) // bottom)]


def judged(*rules: tuple[Line, Callable[..., bool]]) -> Callable[[str], bool]:
    """Whether a step has the form of one of the lines and passes its check, which gets the numbers in the line's gaps by name.

    A gap whose name ends in `_all` holds numbers parted by commas, one that ends in `text` any text.
    """

    def follows(step: str) -> bool:
        for line, check in rules:
            if (said := line.read(step)) is not None:
                return check(**{gap: _read(gap, text) for gap, text in said.items()})
        return False

    return follows


def _read(gap: str, text: str) -> int | str | tuple[int, ...]:
    if gap.endswith("text"):
        return text
    found = [whole(word, 400) for word in text.split(", ")] if gap.endswith("_all") else [whole(text, 400)]
    numbers = tuple(number for number in found if number is not None)
    if len(numbers) < len(found):
        raise ValueError(f"{text[:40]!r} is no number")
    return numbers if gap.endswith("_all") else numbers[0]


def congruent(step: str, modulus: int) -> bool:
    """Whether a step is a chain of equalities `formula = formula = ...` of integers that all hold modulo a number."""
    values = [evaluate(side) for side in step.split(" = ")]
    return len(values) > 1 and all((value - values[0]) % modulus == 0 for value in values)
