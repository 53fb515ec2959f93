"""Linear equations in the letters a, b, c ..., solved line by line: each line states an equation and the letter that it determines."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction

from rlgym.generators.calculations import format_fraction
from rlgym.solutions import Due, Step

Row = list[Fraction]  # the letters' coefficients, then a constant: their sum is 0
BY = Step("By {name}, {equation}, so {letter} = {form}")
PUT = Step("With what is known by now, {letter} = {form}")
LETTERS = "abcdefghijklmnop"
_TERM = re.compile(r"\s*([+-]?)\s*([0-9]+(?:/[0-9]+)?)?([a-z]?)")


def lines(rows: Mapping[str, Row], given: Mapping[int, Fraction]) -> list[Due]:
    """The lines that determine the letters one by one; some letters may be given."""
    width = len(next(iter(rows.values()))) - 1
    out, waiting = list[Due](), dict(rows)
    forms: dict[int, Row] = {j: [Fraction(0)] * width + [value] for j, value in given.items()}
    while waiting:
        name = min(waiting, key=lambda candidate: sum(1 for j, a in enumerate(waiting[candidate][:-1]) if a and j not in forms))
        row = waiting.pop(name)
        unknown = [j for j, a in enumerate(row[:-1]) if a and j not in forms]
        for j in unknown[1:]:
            forms[j] = [Fraction(int(i == j)) for i in range(width)] + [Fraction(0)]
        total = [Fraction(0)] * width + [row[-1]]
        for j, a in enumerate(row[:-1]):
            if a and j in forms:
                total = [x + a * y for x, y in zip(total, forms[j])]
        target = unknown[0] if unknown else next((j for j in range(width) if total[j]), None)
        if target is None:
            continue
        scale = -row[target] if unknown else -total[target]
        total[target] = Fraction(0)
        forms[target] = [x / scale for x in total]
        out.append(BY(name=name, equation=equation(row), letter=LETTERS[target], form=_form(forms[target])))
        for j, form in forms.items():
            if j != target and (amount := form[target]):
                form[target] = Fraction(0)
                forms[j] = [x + amount * y for x, y in zip(form, forms[target])]
                if any(forms[j][:-1]) or LETTERS[j] not in "".join(_form(other) for k, other in forms.items() if k != j):
                    out.append(PUT(letter=LETTERS[j], form=_form(forms[j])))
    return out


def line_check(rows: Mapping[str, Row], known: list[Row]) -> Callable[[str], bool]:
    """A check of lines one after another: the equation must be the one of that name, and the letter must follow from it and from what is known;
    the letter is then added to `known`."""
    width = len(next(iter(rows.values())))

    def follows(step: str) -> bool:
        read = BY.read(step) or PUT.read(step)
        if read is None or len(read["letter"]) != 1:
            return False
        claim = _read(read["form"], width - 1)
        at = LETTERS.index(read["letter"])
        if claim[at]:
            return False
        claim[at] = Fraction(-1)
        grounds = list(known)
        if "name" in read:
            if read["equation"] != equation(rows[read["name"]]):
                return False
            grounds.append(rows[read["name"]])
        known.append(claim)
        return _spans(grounds, claim)

    return follows


def equation(row: Row) -> str:
    """2a + b = c + 3."""
    sides = []
    for sign in (1, -1):
        terms = [(sign * a, LETTERS[j]) for j, a in enumerate(row[:-1]) if sign * a > 0] + [(sign * row[-1], "")] * (sign * row[-1] > 0)
        sides.append(" + ".join(f"{format_fraction(a) if a != 1 or not letter else ''}{letter}" for a, letter in terms) or "0")
    return " = ".join(sides)


def _form(form: Row) -> str:
    terms = [(form[-1], "")] * bool(form[-1]) + [(a, LETTERS[j]) for j, a in enumerate(form[:-1]) if a]
    text = "".join(
        f" {'-' if a < 0 else '+'} {format_fraction(abs(a)) if abs(a) != 1 or not letter else ''}{letter}" for a, letter in terms
    )
    return (text[3:] if text.startswith(" +") else text.strip().replace("- ", "-", 1)) or "0"


def _read(text: str, width: int) -> Row:
    row, at = [Fraction(0)] * (width + 1), 0
    while at < len(text):
        match = _TERM.match(text, at)
        if not match or not (match[2] or match[3]) or match.end() == at:
            raise ValueError(f"{text!r} is no sum of letters")
        row[LETTERS.index(match[3]) if match[3] else width] += Fraction(match[2] or 1) * (-1 if match[1] == "-" else 1)
        at = match.end()
    return row


def _spans(grounds: Sequence[Row], claim: Row) -> bool:
    """Whether a linear equation follows from others."""
    pending, rest = [list(row) for row in grounds], list(claim)
    while pending:
        row = pending.pop()
        pivot = next((j for j, a in enumerate(row) if a), None)
        if pivot is None:
            continue
        pending = [[x - other[pivot] / row[pivot] * y for x, y in zip(other, row)] for other in pending]
        rest = [x - rest[pivot] / row[pivot] * y for x, y in zip(rest, row)]
    return not any(rest)
