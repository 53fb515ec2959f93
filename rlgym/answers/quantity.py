"""An exact amount with its unit, and an exact percentage."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from typing import ClassVar

from rlgym.answers.maths import Unit, bare, read_unit
from rlgym.answers.rational import Rational
from rlgym.answers.rounded import decimal, scaled
from rlgym.core.answer import Answer, Unreadable
from rlgym.core.layout import NUMBER
from rlgym.core.layout.layers import Layers

_ONE = Rational()
_AMOUNT = re.compile(
    r"([+\-]?\s{0,3}(?:\\[dt]?frac\s{0,3}\{[0-9]{1,60}\}\s{0,3}\{[0-9]{1,60}\}|[0-9]{1,60}\s{0,3}/\s{0,3}[0-9]{1,60}|[0-9]{0,60}\.?[0-9]{1,60}))"
    r"(?:\s{0,3}(?:\*|×|\\times|\\cdot)\s{0,3}10\s{0,3}\^\s{0,3}(?:\{\s{0,3}([+\-]?[0-9]{1,2})\s{0,3}\}|([+\-]?[0-9]{1,2}))|[eE]([+\-]?[0-9]{1,2}))?"
    r"\s{0,9}(.*)",
    re.DOTALL,
)
_PERCENT = re.compile(r"(.*?)\s*(?:\\?%|percent|per cent|pct)", re.DOTALL | re.IGNORECASE)


@dataclass(frozen=True)
class Quantity(Answer[Fraction]):
    """An exact amount with a unit of the requested kind: `5 m/s`, `18 km/h`, `\\frac{1}{2} \\text{ m}`. The value is in `unit`.

    With `digits`, decimals rounded to at least so many significant digits are accepted too.
    A missing unit and one of another kind are unreadable; another unit of the same kind is converted exactly.
    """

    unit: str
    digits: int | None = None
    layers: ClassVar[Layers] = NUMBER
    format: ClassVar[str] = "quantity"

    @property
    def instructions(self) -> str:
        if self.digits:
            return f"a number with its unit, {self.unit}, exact as in 3/4 {self.unit} or rounded to {self.digits} significant digits"
        return f"an exact number with its unit, {self.unit}, as in 3/4 {self.unit}"

    @cached_property
    def _number(self) -> Rational:
        return Rational(digits=self.digits)

    @cached_property
    def _unit(self) -> Unit:
        return read_unit(self.unit)

    def parse(self, text: str) -> Fraction:
        match = _AMOUNT.fullmatch(bare(text).replace("\\$", "$")) if len(text) < 400 else None
        if not match and len(text) < 400 and bare(text).startswith("$"):
            match = _AMOUNT.fullmatch(f"{bare(text)[1:]} $")
        if not match:
            raise Unreadable(f"expected {self.instructions}, got {text[:40]!r}")
        if not match[5].strip():
            raise Unreadable(f"the unit is missing: expected {self.instructions}")
        amount = scaled(self._number.parse(match[1]), Fraction(10) ** int(match[2] or match[3] or match[4] or 0))
        unit = read_unit(match[5].strip())
        if unit.powers != self._unit.powers:
            raise Unreadable(f"{match[5].strip()[:40]!r} does not measure the same as {self.unit}")
        return scaled(amount, unit.factor / self._unit.factor)

    def render(self, value: Fraction) -> str:
        return f"{self._number.render(value)} {self.unit}"

    def variants(self, value: Fraction) -> Iterator[str]:
        plain = _ONE.render(value)
        yield from (
            f" {plain} {self.unit}\n",
            f"{plain} \\text{{ {self.unit}}}",
            f"${plain} \\mathrm{{{self.unit}}}$",
            f"{plain} {self.unit}.",
        )
        yield f"{2 * value.numerator}/{2 * value.denominator} {self.unit}"
        if self.digits and value:
            yield f"{decimal(value, self.digits)} {self.unit}"
        if re.fullmatch(r"[A-Za-z]+", self.unit):
            yield f"{plain}{self.unit}"

    def near_misses(self, value: Fraction) -> Iterator[Fraction]:
        yield from (value + 1, value * 10, value / 1000, value * 1000, -value if value else value + 2)


@dataclass(frozen=True)
class Percent(Answer[Fraction]):
    """An exact percentage: `28%`, `28 percent` or `27 1/2` as `55/2 %`. The value is in percent; a number without the sign is read as percent
    too, unless `require_sign` asks for it."""

    require_sign: bool = True
    layers: ClassVar[Layers] = NUMBER
    format: ClassVar[str] = "percent"

    @property
    def instructions(self) -> str:
        return "an exact percentage, as in 12.5%" if self.require_sign else "an exact number of percent"

    def parse(self, text: str) -> Fraction:
        plain = bare(text) if len(text) < 400 else ""
        match = _PERCENT.fullmatch(plain)
        if not match and self.require_sign:
            raise Unreadable(f"expected {self.instructions}, got {text[:40]!r}")
        return _ONE.parse((match[1] if match else plain).strip().removeprefix("$").removesuffix("$"))

    def render(self, value: Fraction) -> str:
        return f"{_ONE.render(value)}%"

    def variants(self, value: Fraction) -> Iterator[str]:
        plain = _ONE.render(value)
        yield from (f" {plain} %\n", f"{plain} percent", f"${plain}\\%$", f"{2 * value.numerator}/{2 * value.denominator}%")

    def near_misses(self, value: Fraction) -> Iterator[Fraction]:
        yield from (value + 1, value / 100, value * 100, 100 - value) if value not in (0, 50) else (value + 1, value + 10)
