"""Several exact rational numbers: a list in any order, or one for each of some names."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from typing import ClassVar

from rlgym.answers.rational import Rational
from rlgym.answers.rounded import decimal
from rlgym.core.answer import Answer, Unreadable
from rlgym.core.layout import NUMBERS, Layer
from rlgym.core.layout.layers import Layers

_ONE = Rational()
_BETWEEN = re.compile(r"[,;\n]")
_BRACKETS = {"[": "]", "(": ")", "{": "}"}


def _pieces(text: str, most: int, longest: int) -> list[str]:
    plain = text.strip().removeprefix("$").removesuffix("$").strip()
    if len(plain) > longest * most:
        raise Unreadable(f"expected at most {most} numbers, got {len(plain)} characters")
    if plain and _BRACKETS.get(plain[0]) == plain[-1]:
        plain = plain[1:-1]
    pieces = [piece.strip() for piece in _BETWEEN.split(plain)]
    pieces = [piece for piece in pieces if piece]
    if not pieces or len(pieces) > most:
        raise Unreadable(f"expected 1 to {most} numbers, got {text[:40]!r}")
    return pieces


@dataclass(frozen=True)
class Rationals(Answer[tuple[Fraction, ...]]):
    """Rational numbers in any order, each as often as it counts; they come out sorted."""

    instructions: str = "the numbers, separated by commas"
    max_items: int = 60
    layers: ClassVar[Layers] = NUMBERS
    format: ClassVar[str] = "rationals"

    def parse(self, text: str) -> tuple[Fraction, ...]:
        return tuple(sorted(map(_ONE.parse, _pieces(text, self.max_items, 200))))

    def render(self, value: tuple[Fraction, ...]) -> str:
        return ", ".join(map(_ONE.render, value))

    def variants(self, value: tuple[Fraction, ...]) -> Iterator[str]:
        plain = self.render(value)
        yield from (f" {plain}\n", f"[{plain}]", f"{{{plain}}}", plain.replace(" ", ""), plain.replace("-", "−"))
        yield self.render(value[::-1])
        yield ", ".join(f"{3 * fraction.numerator}/{3 * fraction.denominator}" for fraction in value)
        yield "\n".join(map(_ONE.render, value))

    def near_misses(self, value: tuple[Fraction, ...]) -> Iterator[tuple[Fraction, ...]]:
        yield tuple(sorted((*value, value[0])))
        yield tuple(sorted(-fraction for fraction in value))
        if len(value) > 1:
            yield value[1:]
            yield value[:-1]
        yield tuple(sorted((value[0] + 1, *value[1:])))


@dataclass(frozen=True)
class Assignment(Answer[tuple[tuple[str, Fraction], ...]]):
    """`name = number` for some of the given names, each at most once, in any order; they come out in the names' order.

    With `digits`, decimals of at least so many significant digits equal every number that rounds to them; the instructions must say so.
    With `as_decimal` the oracle writes decimals where it can, as `Rational` does.
    """

    names: tuple[str, ...]
    instructions: str = "a value for each name, as in name = number, separated by commas"
    digits: int | None = None
    as_decimal: bool = False
    layers: ClassVar[Layers] = NUMBERS - {Layer.NAME, Layer.ITEM_NAMES}
    format: ClassVar[str] = "assignment"

    def parse(self, text: str) -> tuple[tuple[str, Fraction], ...]:
        values: dict[str, Fraction] = {}
        rational = Rational(digits=self.digits)
        for piece in _pieces(text, len(self.names), 400):
            name, equals, number = piece.replace(":", "=").partition("=")
            name = name.strip().strip("`*").lower()
            if not equals or name not in self.names:
                raise Unreadable(f"expected `name = number`, got {piece[:40]!r}")
            if name in values:
                raise Unreadable(f"{name!r} is given twice")
            values[name] = rational.parse(number)
        return tuple((name, values[name]) for name in self.names if name in values)

    def render(self, value: tuple[tuple[str, Fraction], ...]) -> str:
        rational = Rational(digits=self.digits, as_decimal=self.as_decimal)
        return ", ".join(f"{name} = {rational.render(number)}" for name, number in value)

    def variants(self, value: tuple[tuple[str, Fraction], ...]) -> Iterator[str]:
        plain = self.render(value)
        yield from (f" {plain}\n", plain.replace(" ", ""), plain.replace(", ", "\n"), plain.replace("=", ":"), plain.upper())
        yield self.render(value[::-1])
        yield "; ".join(f"{name} = {2 * number.numerator}/{2 * number.denominator}" for name, number in value)
        yield plain.replace("-", "−")
        if digits := self.digits:
            yield ", ".join(f"{name} = {decimal(number, digits) if number else 0}" for name, number in value)

    def near_misses(self, value: tuple[tuple[str, Fraction], ...]) -> Iterator[tuple[tuple[str, Fraction], ...]]:
        (name, number), *rest = value
        yield ((name, number + 1), *rest)
        yield ((name, -number), *rest)
        if rest:
            yield tuple(rest)
            yield ((name, rest[0][1]), (rest[0][0], number), *rest[1:])
