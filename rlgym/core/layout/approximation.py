"""An exact number followed by its decimal approximation: the approximation comes off where it agrees with the number."""

from __future__ import annotations

import re
from fractions import Fraction

from rlgym.core.layout.question import Question

MOST_CHARACTERS = 20_000

_WHOLE = r"[0-9]{1,400}"
_APPROXIMATED = re.compile(
    r"(?:\A|(?<=[=:,;\n\[({$|])|(?<=\band ))\s{0,9}"
    rf"(?P<sign>[+\-−]?)\s{{0,3}}(?:\\[dt]?frac\s{{0,3}}\{{\s{{0,3}}(?P<a>{_WHOLE})\s{{0,3}}\}}\s{{0,3}}\{{\s{{0,3}}(?P<b>{_WHOLE})\s{{0,3}}\}}"
    rf"|(?P<top>{_WHOLE})(?:\s{{0,3}}/\s{{0,3}}(?P<below>{_WHOLE}))?)"
    r"(?P<unit>\s{0,3}(?:%|[A-Za-z][A-Za-z/^0-9]{0,20})|)"
    r"(?P<tail>\s{0,9}(?P<opens>\(?)\s{0,3}(?:≈|≃|\\approx\b|approximately|approx\.|about)\s{0,9}"
    r"(?P<near>[+\-−]?\s{0,3}(?:[0-9]{1,400}(?:\.[0-9]{1,400})?|\.[0-9]{1,400}))(?P<other>\s{0,3}(?:%|[A-Za-z][A-Za-z/^0-9]{0,20})|)(?:\s{0,3}(?P<closes>\)))?)"
    r"(?=\s{0,9}(?:[,;\n$]|\Z|and\b))"
)


def without_approximations(text: str, question: Question) -> str | None:
    """Without the approximation after each exact number: `22/49 ≈ 0.449`, `p = 4/7 (approximately 0.571)`."""
    if len(text) > MOST_CHARACTERS or not any(sign in text for sign in ("≈", "≃", "\\approx", "about", "approx")):
        return None
    plain = _APPROXIMATED.sub(lambda match: _exact(match) if _agrees(match) else match[0], text)
    return plain if plain != text else None


def _exact(match: re.Match[str]) -> str:
    """The exact number, with the unit of either number."""
    return match[0].removesuffix(match["tail"]) + ("" if match["unit"].strip() else match["other"])


def _agrees(match: re.Match[str]) -> bool:
    """Whether the approximation is the exact number, rounded or cut off at its last digit, in the same unit or without one."""
    below = int(match["b"] or match["below"] or 1)
    units = {match["unit"].strip(), match["other"].strip()} - {""}
    if not below or bool(match["opens"]) != bool(match["closes"]) or len(units) > 1:
        return False
    exact = Fraction(int(match["a"] or match["top"]), below) * (-1 if match["sign"] in ("-", "−") else 1)
    return approximates("".join(match["near"].split()).replace("−", "-"), exact)


def approximates(near: str, exact: Fraction) -> bool:
    """Whether a decimal is a number rounded at its last digit, or cut off there. Closing zeros of a whole number may only hold places."""
    value, zeros = Fraction(near), len(near) - len(near.rstrip("0"))
    unit = Fraction(1, 10 ** len(near.partition(".")[2])) if "." in near else Fraction(10) ** (zeros if value else 0)
    return abs(value - exact) <= unit / 2 or (value * exact >= 0 and 0 <= abs(exact) - abs(value) < unit)
