"""Units of measurement, converted exactly."""

from __future__ import annotations

import re
from dataclasses import dataclass
from fractions import Fraction

from rlgym.core.answer import Unreadable

Dimensions = tuple[int, ...]
BASES = ("m", "kg", "s", "A", "K", "mol", "cd", "rad", "dollar", "person")


@dataclass(frozen=True)
class Unit:
    """A unit as a multiple of the base units' powers."""

    factor: Fraction
    powers: Dimensions

    def times(self, other: Unit, sign: int = 1) -> Unit:
        factor = self.factor * other.factor if sign > 0 else self.factor / other.factor
        return Unit(factor, tuple(a + sign * b for a, b in zip(self.powers, other.powers)))

    def raised(self, exponent: int) -> Unit:
        return Unit(self.factor**exponent, tuple(exponent * power for power in self.powers))


def _unit(factor: Fraction | int | str, **powers: int) -> Unit:
    return Unit(Fraction(factor), tuple(powers.get(base, 0) for base in BASES))


ONE = _unit(1)
_PREFIXES: dict[str, Fraction | int] = {
    "T": 10**12, "G": 10**9, "M": 10**6, "k": 1000, "h": 100, "d": Fraction(1, 10), "c": Fraction(1, 100), "m": Fraction(1, 1000),
    "u": Fraction(1, 10**6), "µ": Fraction(1, 10**6), "μ": Fraction(1, 10**6), "n": Fraction(1, 10**9), "p": Fraction(1, 10**12),
}  # fmt: skip
_PREFIXED = {
    "m": _unit(1, m=1), "g": _unit(Fraction(1, 1000), kg=1), "s": _unit(1, s=1), "A": _unit(1, A=1), "K": _unit(1, K=1), "mol": _unit(1, mol=1),
    "N": _unit(1, kg=1, m=1, s=-2), "J": _unit(1, kg=1, m=2, s=-2), "W": _unit(1, kg=1, m=2, s=-3), "Pa": _unit(1, kg=1, m=-1, s=-2),
    "Hz": _unit(1, s=-1), "C": _unit(1, A=1, s=1), "V": _unit(1, kg=1, m=2, s=-3, A=-1), "Ω": _unit(1, kg=1, m=2, s=-3, A=-2),
    "F": _unit(1, kg=-1, m=-2, s=4, A=2), "T": _unit(1, kg=1, s=-2, A=-1), "H": _unit(1, kg=1, m=2, s=-2, A=-2),
    "L": _unit(Fraction(1, 1000), m=3), "l": _unit(Fraction(1, 1000), m=3), "bar": _unit(10**5, kg=1, m=-1, s=-2),
    "eV": _unit("1.602176634e-19", kg=1, m=2, s=-2), "Bq": _unit(1, s=-1),
}  # fmt: skip
_WHOLE = {
    "min": _unit(60, s=1), "h": _unit(3600, s=1), "hr": _unit(3600, s=1), "day": _unit(86400, s=1), "week": _unit(604800, s=1),
    "t": _unit(1000, kg=1), "atm": _unit(101325, kg=1, m=-1, s=-2), "cal": _unit("4.184", kg=1, m=2, s=-2), "kcal": _unit(4184, kg=1, m=2, s=-2),
    "M": _unit(1000, mol=1, m=-3), "u": _unit("1.66053906660e-27", kg=1),
    "in": _unit("0.0254", m=1), "ft": _unit("0.3048", m=1), "yd": _unit("0.9144", m=1), "mi": _unit("1609.344", m=1), "ha": _unit(10**4, m=2),
    "lb": _unit("0.45359237", kg=1), "oz": _unit("0.028349523125", kg=1), "mph": _unit("0.44704", m=1, s=-1), "kph": _unit(Fraction(5, 18), m=1, s=-1),
    "rad": _unit(1, rad=1), "dollar": _unit(1, dollar=1), "$": _unit(1, dollar=1), "cent": _unit(Fraction(1, 100), dollar=1),
}  # fmt: skip
_NAMES = {
    "meter": "m", "metre": "m", "gram": "g", "kilogram": "kg", "second": "s", "sec": "s", "minute": "min", "hour": "h", "newton": "N", "joule": "J",
    "watt": "W", "pascal": "Pa", "hertz": "Hz", "coulomb": "C", "volt": "V", "ohm": "Ω", "ampere": "A", "amp": "A", "kelvin": "K", "mole": "mol",
    "liter": "L", "litre": "L", "kilometer": "km", "kilometre": "km", "centimeter": "cm", "centimetre": "cm", "millimeter": "mm", "millimetre": "mm",
    "milliliter": "mL", "millilitre": "mL", "inch": "in", "foot": "ft", "feet": "ft", "yard": "yd", "mile": "mi", "pound": "lb", "ounce": "oz",
    "tonne": "t", "farad": "F", "henry": "H", "tesla": "T", "hectare": "ha", "calorie": "cal", "millisecond": "ms", "molar": "M",
}  # fmt: skip
_TOKEN = re.compile(
    r"\s*(?:(?P<sign>[*/·⋅×^()]|\\cdot|per\b)|(?P<name>[A-Za-zµμΩ$]+)|(?P<power>[-−]?[0-9]{1,2})|(?P<raised>[⁻⁰¹²³⁴⁵⁶⁷⁸⁹]+))"
)
_RAISED = str.maketrans("⁻⁰¹²³⁴⁵⁶⁷⁸⁹−", "-0123456789-")


def read_unit(text: str) -> Unit:
    """The unit that a text spells: names, symbols and prefixes, products, quotients and powers (`kg*m/s^2`, `kg m s⁻²`, `metres per second`).

    After a stroke everything up to the next stroke or bracket divides once: `J/mol K` is refused, `J/(mol K)` is read.
    """
    if len(text) > 80:
        raise Unreadable("expected a unit")
    tokens: list[tuple[str, str]] = []
    at = 0
    while at < len(text.rstrip()):
        match = _TOKEN.match(text, at)
        if not match or match.end() == at:
            raise Unreadable(f"{text[:40]!r} is not a known unit")
        at, kind = match.end(), match.lastgroup or ""
        word = match[kind].translate(_RAISED)
        tokens.append((kind, {"·": "*", "⋅": "*", "×": "*", "\\cdot": "*", "per": "/"}.get(word, word)))
    unit, rest = _product(tokens, text)
    if rest:
        raise Unreadable(f"{text[:40]!r} is not a known unit")
    return unit


def _product(tokens: list[tuple[str, str]], text: str) -> tuple[Unit, list[tuple[str, str]]]:
    unit, rest, divided = ONE, tokens, False
    first = True
    while rest and rest[0][1] != ")":
        sign = 1
        if rest[0][1] in ("*", "/") and not first:
            sign = 1 if rest[0][1] == "*" else -1
            rest = rest[1:]
        if divided and sign > 0:
            raise Unreadable(f"brackets are needed after the stroke in {text[:40]!r}")
        divided |= sign < 0
        factor, rest = _factor(rest, text)
        unit, first = unit.times(factor, sign), False
    if first:
        raise Unreadable(f"expected a unit, got {text[:40]!r}")
    return unit, rest


def _factor(tokens: list[tuple[str, str]], text: str) -> tuple[Unit, list[tuple[str, str]]]:
    if not tokens:
        raise Unreadable(f"the unit {text[:40]!r} ends too early")
    (kind, word), rest = tokens[0], tokens[1:]
    if word == "(":
        unit, rest = _product(rest, text)
        if not rest or rest[0][1] != ")":
            raise Unreadable(f"a bracket is not closed in {text[:40]!r}")
        rest = rest[1:]
    elif kind == "name":
        unit = _unit_named(word)
    elif word == "1" and rest and rest[0][1] == "/":
        return ONE, rest
    else:
        raise Unreadable(f"{text[:40]!r} is not a known unit")
    if rest and rest[0][1] == "^":
        rest = rest[1:]
        bracket = bool(rest) and rest[0][1] == "("
        rest = rest[bracket:]
        if not rest or rest[0][0] != "power":
            raise Unreadable(f"expected a power in {text[:40]!r}")
        unit, rest = unit.raised(int(rest[0][1])), rest[1 + bracket :]
    elif rest and rest[0][0] in ("power", "raised"):
        unit, rest = unit.raised(int(rest[0][1])), rest[1:]
    return unit, rest


def _unit_named(word: str) -> Unit:
    lower = word.lower()
    for plain in (lower, lower.removesuffix("s"), lower.removesuffix("es")):
        if plain in _NAMES and len(word) > 1:
            word = _NAMES[plain]
            break
    if word in _WHOLE:
        return _WHOLE[word]
    if word in _PREFIXED:
        return _PREFIXED[word]
    if word[0] in _PREFIXES and word[1:] in _PREFIXED:
        unit = _PREFIXED[word[1:]]
        return Unit(unit.factor * _PREFIXES[word[0]], unit.powers)
    for plain in (lower, lower.removesuffix("s")):
        if plain in _WHOLE and len(plain) > 2:
            return _WHOLE[plain]
    raise Unreadable(f"{word[:40]!r} is not a known unit")
