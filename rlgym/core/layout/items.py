"""Layout within a list: marks, names, units and bullets of the items, and the word before the last one."""

from __future__ import annotations

import re

from rlgym.core.layout.question import Question

MOST_FACTORS = 400  # a product of more is not written out

_MARKED = re.compile(r"(?<![^\s,;:|\[({])(\*\*|__|`|\$|\*)(?=\S)([^*_`$\n]{1,200}?)(?<=\S)\1(?![^\s,;:|\])}.])")
_NAMED = re.compile(r"\s{0,9}([A-Za-z]\w{0,20}(?:_\{\w{1,6}\})?)\s{0,3}(?:\([^()=]{0,20}\))?\s{0,3}=(?!=)\s{0,9}(.*)", re.DOTALL)
_BETWEEN = re.compile(r"\s{0,9}(?:[,;\n]\s{0,9}(?:and\b\s{0,9})?|\s(?:and|or)\s)\s{0,9}")
_UNIT = re.compile(
    r"(?<=[0-9}])\s{0,9}(\\?[A-Za-z°%$µμΩ][\w°%µμΩ/^·*²³⁻¹]{0,20}(?: [A-Za-z]{1,20}){0,2}|\^\{?\\circ\}?)\.?(?=\s{0,9}(?:[,;\n]|$|\band\b))"
)
_SIGN_BEFORE = re.compile(r"(?<![\w$}])([-+−]?)\$(?=[0-9.])")
_AND = re.compile(r"\s{0,9},?\s{1,9}(?:and|&)\s{1,9}")
_DOUBLED = re.compile(r"\band\s{1,9}and\b", re.IGNORECASE)
_BULLET = re.compile(r"[ \t]{0,9}(?:[-*•–]|\(?[0-9]{1,3}[.)])[ \t]{1,9}(?=\S)")
_INTEGERS = re.compile(r"\s{0,9}\[\s{0,9}(-?[0-9]{1,40}(?:[\s,]{1,9}-?[0-9]{1,40}){0,200})\s{0,9}\],?\s{0,9}")
_BETWEEN_INTEGERS = re.compile(r"[\s,]{1,20}")
_NEXT_LIST = re.compile(r"\]\s{0,9},?\s{0,9}\[")
_TIMES = re.compile(r"\s{0,9}(?:\*(?!\*)|×|·|⋅|\\times\b|\\cdot\b|\bx\b)\s{0,9}")
_FACTOR = re.compile(r"([0-9]{1,400})(?:\s{0,3}(?:\^|\*\*)\s{0,3}\{?([0-9]{1,3})\}?|([⁰¹²³⁴⁵⁶⁷⁸⁹]{1,3}))?")
_RAISED = str.maketrans("⁰¹²³⁴⁵⁶⁷⁸⁹", "0123456789")


def without_marks(text: str, question: Question) -> str | None:
    """Without the bold, backticks or dollar signs around each item."""
    if not any(mark in text for mark in "*_`$"):
        return None
    plain = _MARKED.sub(r"\2", text)
    return plain if plain != text else None


def without_names(text: str, question: Question) -> str | None:
    """Without the names of the items: `x = 7, x = 17/3`, or `y = 47, x = 2850` in the order that the prompt asks for."""
    if text.count("=") < 2:
        return None
    named = [_NAMED.fullmatch(piece) for piece in _BETWEEN.split(text) if piece]
    names = [match[1].casefold() for match in named if match]
    if len(names) < 2 or len(names) < len(named) or not all(map(question.names, names)):
        return None
    values = [match[2] for match in named if match]
    if len(set(names)) == 1:
        return ", ".join(values)
    places = [_place(name, question) for name in names]
    if None in places or len(set(places)) < len(places):
        return None
    return ", ".join(value for _, value in sorted(zip(places, values)))


def _place(name: str, question: Question) -> tuple[int, int] | None:
    """Where a name stands in the instructions; names such as x_1 and x_2 stand in the order of their numbers."""
    if name in question.order:
        return question.order[name], 0
    stem = name.rstrip("0123456789{}")
    index = name[len(stem) :].strip("{}")
    return (-1, int(index)) if index and len(index) < 4 else None


def without_units(text: str, question: Question) -> str | None:
    """Without the unit after each number, where the prompt asks for this unit."""
    plain = text
    if "$" in text and ("$" in question.units or "dollars" in question.units):
        plain = _SIGN_BEFORE.sub(r"\1", plain)
    plain = _UNIT.sub(lambda match: "" if question.asks_unit(match[1]) else match[0], plain)
    return plain if plain != text else None


def without_and(text: str, question: Question) -> str | None:
    """With a comma instead of `and` before the last item. Where it is doubled, one of the two is an item, so that both may be."""
    if "and" not in text and "&" not in text:
        return None
    matches = [] if _DOUBLED.search(text) else list(_AND.finditer(text))
    if not matches or (len(matches) > 1 and "," in text) or not 0 < matches[0].start() <= matches[-1].end() < len(text):
        return None
    return _AND.sub("; " if ";" in text else ", ", text)


def without_bullets(text: str, question: Question) -> str | None:
    """Without the bullets or numbers before the lines, where each of several lines has one; on a single line a dash may be an item."""
    lines = [line for line in text.split("\n") if line.strip()]
    if len(lines) < 2 or not all(matches := [_BULLET.match(line) for line in lines]):
        return None
    numbers = [bullet[0].strip(" \t().") for bullet in matches if bullet]
    if numbers[0].isdigit() and numbers != [str(k + 1) for k in range(len(numbers))]:
        return None
    return "\n".join(line[bullet.end() :] for line, bullet in zip(lines, matches) if bullet)


def without_line_brackets(text: str, question: Question) -> str | None:
    """Lines of integers without the brackets around each, separated as the instructions say; one list may hold all of these lists."""
    nested = re.fullmatch(r"\[\s{0,9}(\[.*\])\s{0,9},?\s{0,9}\]", text, re.DOTALL)
    plain = _NEXT_LIST.sub("]\n[", nested[1]) if nested else text
    lists = [_INTEGERS.fullmatch(line) for line in plain.split("\n") if line.strip()]
    if not lists or not all(lists):
        return None
    comma = ", " if "comma" in question.instructions else " "
    return "\n".join(comma.join(_BETWEEN_INTEGERS.split(match[1].strip())) for match in lists if match)


def on_lines(text: str, question: Question) -> str | None:
    """One line of pieces separated by semicolons, with each piece on a line of its own."""
    return None if "\n" in text or ";" not in text.rstrip(";") else "\n".join(piece.strip() for piece in text.split(";"))


def factors(text: str, question: Question) -> str | None:
    """The factors of a product, separated by commas, powers written out; the number itself may stand before it."""
    number, _, product = text.rpartition("=")
    if number.strip() and not (number.strip().isdigit() and question.names(number.strip())):
        return None
    pieces = _TIMES.split(product.strip())
    matches = [_FACTOR.fullmatch(piece) for piece in pieces]
    if not all(matches) or (len(pieces) == 1 and not (matches[0] and (matches[0][2] or matches[0][3]))):
        return None
    powers = [(factor[1], int((factor[2] or factor[3] or "1").translate(_RAISED))) for factor in matches if factor]
    if sum(power for _, power in powers) > MOST_FACTORS or not all(power for _, power in powers):
        return None
    return ", ".join(prime for prime, power in powers for _ in range(power))
