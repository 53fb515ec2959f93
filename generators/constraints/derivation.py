"""The worked solution of a text that must meet rules: the rules one by one, then the lines of a text that meets them."""

from __future__ import annotations

import re
from collections.abc import Sequence

from rlgym.generators.constraints.kinds import Constraint, describe
from rlgym.solutions import Derivation, Due, Step, any_order

RULE = Step("One rule to meet: {rule}")
LINE = Step("Line {number:int} has {count:int} piece(s) between blanks, with {kept} for the rules: {text}")


def derive_text(rules: Sequence[Constraint], text: str) -> Derivation:
    """The rules in any order, then each line of the text with the words that a rule names. Other lines are right if counted rightly."""
    yield from any_order([RULE(rule=describe(rule)) for rule in rules])
    named = {word.lower() for rule in rules if rule.kind != "language" for words in rule.words for word in words.split()}
    for number, line in enumerate((line for line in text.split("\n") if line.strip()), 1):
        yield _line(number, line, named)


def _line(number: int, line: str, named: set[str]) -> Due:
    def counted(number: int, count: int, kept: str, text: str, expected: int = number) -> bool:
        return number == expected and count == len(text.split()) and kept == _named_words(text, named)

    return LINE(number=number, count=len(line.split()), kept=_named_words(line, named), text=line).accepting(counted)


def _named_words(line: str, named: set[str]) -> str:
    words = dict.fromkeys(word.lower() for word in re.findall(r"\w+", line))
    return ", ".join(word for word in words if word in named) or "no word"
