"""Sums that a text in English names, such as 47 + 38, "subtract 38 from 72" or "forty-seven plus six"."""

from __future__ import annotations

import re
from typing import NamedTuple

_SMALL = {
    word: number
    for number, word in enumerate(
        (
            "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen"
        ).split()
    )
}
_TENS = {word: 10 * number for number, word in enumerate("twenty thirty forty fifty sixty seventy eighty ninety".split(), 2)}
_WORD = rf"(?:(?:{'|'.join(_TENS)})(?:[- ](?:{'|'.join(list(_SMALL)[1:10])}))?|{'|'.join(reversed(_SMALL))})"
_HUNDREDS = rf"(?:(?:{'|'.join(list(_SMALL)[1:10])}|a) hundred(?: (?:and )?{_WORD})?)"
NUMBER = rf"(?<![\d.,])(?:\d{{1,6}}(?![\d])|\b{_HUNDREDS}\b|\b{_WORD}\b)"
_BETWEEN = (
    ("+", r"\s*(?:\+|\bplus\b|\badded to\b)\s*"),
    ("-", r"(?:(?<=\d)\s*[-\u2212\u2013]\s*(?=\d)|\s+[-\u2212\u2013]\s+|\s*(?:\bminus\b|\btake away\b|\bless\b)\s*)"),
    ("x", r"\s*(?:\*|\u00d7|\bx\b|\btimes\b|\bmultiplied by\b)\s*"),
)
_FORMS = (
    *((sign, re.compile(rf"({NUMBER}){middle}({NUMBER})"), False) for sign, middle in _BETWEEN),
    ("-", re.compile(rf"\bsubtract(?:ing)? ({NUMBER}) from ({NUMBER})"), True),
    ("-", re.compile(rf"\btake (?:away )?({NUMBER}) (?:away )?from ({NUMBER})"), True),
    ("-", re.compile(rf"\bdifference (?:between|of) ({NUMBER}) and ({NUMBER})"), False),
    ("+", re.compile(rf"\badd(?:ing)? ({NUMBER}) (?:and|to) ({NUMBER})"), False),
    ("+", re.compile(rf"\bsum of ({NUMBER}) and ({NUMBER})"), False),
    ("+", re.compile(rf"({NUMBER}) and ({NUMBER}) (?:\w+ )?(?:add up|together|make|in total|altogether)\b"), False),
    ("x", re.compile(rf"\bmultiply(?:ing)? ({NUMBER}) (?:by|with|and) ({NUMBER})"), False),
    ("x", re.compile(rf"\bproduct of ({NUMBER}) and ({NUMBER})"), False),
)
ANY_SUM = "|".join(f"(?:{pattern.pattern})" for _, pattern, _ in _FORMS).replace("(" + NUMBER + ")", NUMBER)


class Sum(NamedTuple):
    """Two numbers with +, - or x between them."""

    left: int
    sign: str
    right: int

    def __str__(self) -> str:
        return f"{self.left} {self.sign} {self.right}"

    @property
    def result(self) -> int:
        return {"+": self.left + self.right, "-": self.left - self.right, "x": self.left * self.right}[self.sign]


def sums(text: str) -> tuple[Sum, ...]:
    """The sums that a text names, each once, in their order."""
    low, found = text.lower(), dict[int, Sum]()
    for sign, pattern, swapped in _FORMS:
        for match in pattern.finditer(low):
            left, right = _value(match[1]), _value(match[2])
            found.setdefault(match.start(), Sum(right, sign, left) if swapped else Sum(left, sign, right))
    return tuple(dict.fromkeys(found[place] for place in sorted(found)))


def _value(word: str) -> int:
    if word.isdigit():
        return int(word)
    hundreds, has, rest = word.partition(" hundred")
    if has:
        return 100 * _SMALL.get(hundreds, 1) + (_value(rest.strip().removeprefix("and ").strip()) if rest.strip() else 0)
    tens, _, ones = word.replace("-", " ").partition(" ")
    return _TENS[tens] + _SMALL.get(ones, 0) if tens in _TENS else _SMALL[tens]
