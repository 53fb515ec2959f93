"""Takes the dress off a mathematical text, and cuts it where no bracket is open."""

from __future__ import annotations

import re
from collections.abc import Iterator

_DOLLARS = re.compile(r"\$\$(.*)\$\$|\$(.*)\$|\\\((.*)\\\)|\\\[(.*)\\\]", re.DOTALL)
_NOTHING = re.compile(r"\\(?:left|right|bigl|bigr|big|Big|displaystyle|quad|qquad)(?![A-Za-z])|\\[,;:! ]|~")
_WORDS = re.compile(r"\\(?:text|mathrm|operatorname|textbf|mathbf|mbox|textnormal)\s{0,9}\{([^{}]{0,80})\}")
_LONG_GAP = re.compile(r"\s{9,}")  # patterns that begin with spaces try each of them anew, in quadratic time
_OPEN, _CLOSE = "([{", ")]}"
_PLAIN = {
    "\\{": "{",
    "\\}": "}",
    "\\lbrace": "{",
    "\\rbrace": "}",
    "\\langle": "(",
    "\\rangle": ")",
    "⟨": "(",
    "⟩": ")",
    "−": "-",
    "–": "-",
}


def bare(text: str) -> str:
    """A text without dollar signs around it, spacing commands, `\\text{}` around words, and the full stop at its end."""
    plain = text.strip()
    for _ in range(2):
        if match := _DOLLARS.fullmatch(plain):
            plain = next(inner for inner in match.groups() if inner is not None).strip()
    plain = _WORDS.sub(r" \1 ", _NOTHING.sub(" ", plain))
    for dressed, sign in _PLAIN.items():
        plain = plain.replace(dressed, sign)
    plain = plain.strip()
    return plain[:-1].rstrip() if plain.endswith(".") else plain


def parts(text: str, between: str) -> list[str]:
    """The pieces of a text between matches of a pattern that stand outside of all brackets. Long gaps count as one space or line break."""
    short = _LONG_GAP.sub(lambda gap: "\n" if "\n" in gap[0] else " ", text)
    return list(_parts(short, re.compile(between)))


def _parts(text: str, between: re.Pattern[str]) -> Iterator[str]:
    depth, begun, at = 0, 0, 0
    while at < len(text):
        sign = text[at]
        depth += (sign in _OPEN) - (sign in _CLOSE)
        match = between.match(text, at) if depth <= 0 else None
        if match and match.end() > at:
            yield text[begun:at].strip()
            begun = at = match.end()
        else:
            at += 1
    yield text[begun:].strip()


def inside(text: str, opens: str = "([{") -> str | None:
    """What one pair of brackets around the whole text holds; None where there is no such pair."""
    if not text or text[0] not in opens:
        return None
    depth = 0
    for at, sign in enumerate(text):
        depth += (sign in _OPEN) - (sign in _CLOSE)
        if not depth:
            return text[1:at].strip() if at == len(text) - 1 else None
    return None
