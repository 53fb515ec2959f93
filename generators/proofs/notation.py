"""Propositional formulas as a model may write them: read with the usual precedence, in words or in signs, within limits."""

from __future__ import annotations

import re

from rlgym.generators.logic.formulas import Formula

FALSE = Formula("false")
MOST_CHARACTERS, MOST_DEPTH = 400, 60

_TOKEN = re.compile(r"\s*(<->|<=>|->|=>|/\\|\\/|&&?|[()\[\]~¬!∧∨→⇒↔⇔⊥]|[A-Za-z]+)")
_PLAIN = {
    **dict.fromkeys(("<->", "<=>", "↔", "⇔", "iff"), "iff"),
    **dict.fromkeys(("->", "=>", "→", "⇒", "implies"), "implies"),
    **dict.fromkeys(("/\\", "&", "&&", "∧", "and"), "and"),
    **dict.fromkeys(("\\/", "∨", "or"), "or"),
    **dict.fromkeys(("~", "¬", "!", "not"), "not"),
    **dict.fromkeys(("⊥", "false", "bot"), "false"),
    "[": "(",
    "]": ")",
}
_LEVELS = ("iff", "implies", "or", "and")
_KEPT = frozenset((*_LEVELS, "not", "false", "(", ")"))


def parse(text: str) -> Formula | None:
    """The formula that a text spells, or None. `not` binds closest, then and, or, ->, <->; -> and <-> group to the right."""
    if len(text) > MOST_CHARACTERS:
        return None
    tokens, at = [], 0
    text = text.rstrip()
    while at < len(text):
        match = _TOKEN.match(text, at)
        if match is None:
            return None
        word = match[1].lower()
        token = _PLAIN.get(word, word)
        if token not in _KEPT and not (len(token) == 1 and token.isascii()):
            return None
        tokens.append(token)
        at = match.end()
    reader = _Reader(tokens)
    formula = reader.joined(0, 0)
    return formula if formula is not None and not reader.left else None


class _Reader:
    def __init__(self, tokens: list[str]) -> None:
        self.left = tokens[::-1]

    def joined(self, level: int, depth: int) -> Formula | None:
        if level == len(_LEVELS):
            return self._single(depth)
        if depth > MOST_DEPTH:
            return None
        formula = self.joined(level + 1, depth)
        while formula is not None and self.left and self.left[-1] == _LEVELS[level]:
            head = self.left.pop()
            rightwards = head in ("iff", "implies")
            other = self.joined(level if rightwards else level + 1, depth + 1)
            formula = None if other is None else Formula(head, (formula, other))
        return formula

    def _single(self, depth: int) -> Formula | None:
        if not self.left or depth > MOST_DEPTH:
            return None
        token = self.left.pop()
        if token == "not":
            inner = self._single(depth + 1)
            return None if inner is None else Formula("not", (inner,))
        if token == "(":
            inner = self.joined(0, depth + 1)
            return inner if inner is not None and self.left and self.left.pop() == ")" else None
        return None if token in _KEPT - {"false"} else Formula(token)
