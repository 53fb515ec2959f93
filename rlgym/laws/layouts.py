"""Layouts that people and models put around an answer, and the ones that a prompt invites: its names, its units, a list in words."""

from __future__ import annotations

import re
from collections.abc import Iterator
from fractions import Fraction

from rlgym.core.answer import Answer
from rlgym.core.decimals import decimal
from rlgym.core.layout import Layer, Question
from rlgym.core.layout.question import SYMBOLS

WRAPPED: dict[str, tuple[Layer, ...]] = {
    "```\n{}\n```": (Layer.FENCE,),
    "```text\n{}\n```": (Layer.FENCE,),
    "### Answer\n{}": (Layer.LABEL,),
    "> {}": (Layer.QUOTATION,),
    "**{}**": (Layer.BOLD,),
    "`{}`": (Layer.BACKTICKS,),
    "${}$": (Layer.MATH,),
    "\\({}\\)": (Layer.MATH,),
    "\\boxed{{{}}}": (Layer.BOXED,),
    "$\\boxed{{{}}}$": (Layer.BOXED, Layer.MATH),
    "\\text{{{}}}": (Layer.TEXT,),
    "{}.": (Layer.STOP,),
    "**{}**.": (Layer.BOLD, Layer.STOP),
    "Answer: {}": (Layer.LABEL,),
    "**Final answer:** {}": (Layer.LABEL,),
    "The answer is {}.": (Layer.LABEL, Layer.STOP),
}
"""Each layout with the layers that it consists of."""
UNKNOWN = ("<b>{}</b>", "Result => {}", "<<< {} >>>")
"""Layouts that no format takes off."""
UNIT_WORDS = frozenset({*SYMBOLS.values(), "days", "weeks", "months", "cents", "people", "points", "pages", "litres", "degrees"})
NAMED = frozenset({"integer", "rational", "expression", "solutions", "rationals", "quantity", "percent"})
"""Formats of one value, which may stand after the name that the prompt gives it."""
ONE_LINE = frozenset({*NAMED, "arithmetic", "numbers"})
"""Formats whose answer may stand after an equals sign."""
LISTS = frozenset({"words", "numbers", "rationals", "solutions", "letters"})
MOST_NAMES = 2

_LAST = re.compile(r"[^.?!]{0,300}[.?!]?\s{0,9}\Z")
_FRACTION = re.compile(r"(?<![\w/.^])-?[0-9]{1,30}/[0-9]{1,30}(?![\w/.])")
_INTEGERS = re.compile(r"-?[0-9]+(?:,? -?[0-9]+)+")
_SYMBOL = re.compile(r"(?<![\w\\'^*/+-])([A-Za-z]'{0,2}\([a-z]\)|[b-hj-z])(?![\w'(])")


def invited(answer: Answer[object], text: str, question: Question, with_dashes: bool = True) -> Iterator[str]:
    """The answer's text as the prompt invites it: after a name, with a unit, with the last item after `and`, with bullets before the lines.

    A dash before a line may also be a sign of the answer, so that it changes a wrong answer.
    """
    if answer.format in NAMED and not set(text) & set("\n,"):
        stated = question.instructions + (_LAST.search(question.prompt) or [""])[0]
        for name in dict.fromkeys(_SYMBOL.findall(stated)[:MOST_NAMES]):
            yield f"{name} = {text}"
    if answer.format in ("integer", "rational") and text[-1:].isdigit() and "=" not in text and "," not in text:
        for unit in sorted(question.units & UNIT_WORDS)[:1]:
            yield f"{text} {unit}"
    yield from _with_signs(answer, text)
    yield from _bracketed_layouts(answer, text)
    if answer.format in LISTS and "\n" not in text and not set(text) & set("[({;"):
        items = text.split(", ") if ", " in text else text.split(" ") if answer.format == "words" else []
        if len(items) > 1 and "and" not in items:
            yield f"{', '.join(items[:-1])} and {items[-1]}"
            yield f"{', '.join(items[:-1])}, and {items[-1]}"
    if Layer.PRODUCT in answer.layers and ", " in text:
        yield " * ".join(text.split(", "))
    if Layer.BULLETS in answer.layers and "\n" in text and "\n\n" not in text:
        lines = text.split("\n")
        if with_dashes:
            yield "\n".join(f"- {line}" for line in lines)
        yield "\n".join(f"{number}. {line}" for number, line in enumerate(lines, 1))
    if answer.format == "lines" and "\n" in text and ";" not in text:
        yield "; ".join(text.split("\n"))


def _with_signs(answer: Answer[object], text: str) -> Iterator[str]:
    """After an equals sign, and with each fraction followed by its approximation."""
    if Layer.EQUALS in answer.layers and answer.format in ONE_LINE and not set(text) & set("=\n"):
        yield f"= {text}"
        yield f"= {text}."
    pieces = text.split(", ")
    exact = [piece.rpartition("= ")[2] for piece in pieces]
    if Layer.APPROXIMATION in answer.layers and any(map(_FRACTION.fullmatch, exact)):
        yield ", ".join(f"{piece} ≈ {_decimal(each)}" if _FRACTION.fullmatch(each) else piece for piece, each in zip(pieces, exact))


def _decimal(fraction: str) -> str:
    top, _, below = fraction.partition("/")
    return decimal(Fraction(int(top), int(below)), 4)


def _bracketed_layouts(answer: Answer[object], text: str) -> Iterator[str]:
    """Lines of integers as lists, and rows of a grid as a Markdown table."""
    lines = text.split("\n")
    if Layer.LINE_BRACKETS in answer.layers and all(map(_INTEGERS.fullmatch, lines)):
        lists = [f"[{', '.join(line.replace(',', ' ').split())}]" for line in lines]
        yield from ("\n".join(lists), f"[{', '.join(lists)}]")
    if Layer.TABLE in answer.layers and len(lines) > 1 and not set(text) & set("|,"):
        rows = [line.split(" ") for line in lines]
        dashes = "|---" * len(rows[0]) + "|"
        table = [f"| {' | '.join(row)} |" for row in rows]
        yield "\n".join((table[0], dashes, *table[1:]))
        yield "\n".join((f"|{'   |' * len(rows[0])}", dashes, *table))
