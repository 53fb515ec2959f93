"""Tokens of expressions in plain text, Unicode signs and simple LaTeX, and the grammar that says which are allowed."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache

from rlgym.core.answer import Unreadable


@dataclass(frozen=True)
class Grammar:
    """What may be written. `implicit`: `2x` and `(x+1)(x-1)` are products. `sign`: `-x` may stand where an operand may.

    Whatever the grammar, two numbers side by side are never joined, and `1/2x` is read from the left, as `(1/2)*x`.
    """

    names: tuple[str, ...] = ()
    functions: tuple[str, ...] = ()
    constants: tuple[str, ...] = ()
    operators: str = "+-*/^"
    implicit: bool = True
    sign: bool = True
    decimals: bool = True
    max_characters: int = 2000
    max_nodes: int = 400
    max_depth: int = 120
    max_digits: int = 40


ARITHMETIC = Grammar(operators="+-*/", implicit=False, sign=False, decimals=False)
"""Numbers, `+ - * /` and brackets only."""


_SUPERSCRIPTS = str.maketrans("⁰¹²³⁴⁵⁶⁷⁸⁹⁻", "0123456789-")


_SIGNS = {"**": "^", "−": "-", "–": "-", "×": "*", "·": "*", "⋅": "*", "∗": "*", "÷": "/", "∕": "/", "√": "sqrt", "π": "pi"}


COMMANDS = {"cdot": "*", "times": "*", "ast": "*", "div": "/", "lvert": "|", "rvert": "|", "vert": "|"}


ALIASES = {"log": "ln", "atan": "arctan"}


RECIPROCALS = {"sec": "cos", "csc": "sin", "cot": "tan"}


@cache
def lexicon(grammar: Grammar) -> tuple[re.Pattern[str], frozenset[str], frozenset[str]]:
    """The pattern of one token, the names, and the functions that the grammar allows."""
    functions = set(grammar.functions)
    functions |= {alias for alias, name in (ALIASES | RECIPROCALS).items() if name in functions}
    names = {*grammar.names, *grammar.constants}
    words = sorted(functions | names, key=lambda word: (-len(word), word))
    # Where products may go unwritten, a run of letters is cut into the longest words that are known.
    word = "|".join(map(re.escape, words)) if grammar.implicit and words else "[A-Za-z_][A-Za-z_0-9]*"
    pattern = re.compile(
        r"(?P<space>(?:\s|\\[,;:! ]|\\q?quad(?![A-Za-z])|\\(?:left|right)(?![A-Za-z]))+)"
        r"|(?P<number>[0-9]+(?:\.[0-9]+)?|\.[0-9]+)"
        r"|\\[dt]?frac\s{0,9}(?P<top>[0-9])\s{0,9}(?P<below>[0-9])"
        r"|\\(?:mathrm|operatorname|text)\s{0,9}\{(?P<wrapped>[A-Za-z]{1,20})\}"
        r"|\\(?P<command>[A-Za-z]{1,20})"
        rf"|(?P<word>{word})"
        r"|(?P<raised>[⁰¹²³⁴⁵⁶⁷⁸⁹⁻]+)"
        r"|(?P<sign>\*\*|[-+*/^(){}\[\]|−–×·⋅∗÷∕√π])"
    )
    return pattern, frozenset(names), frozenset(functions)


def tokenize(text: str, grammar: Grammar) -> list[str]:
    pattern, _, _ = lexicon(grammar)
    tokens: list[str] = []
    at = 0
    while at < len(text):
        match = pattern.match(text, at)
        if not match:
            raise Unreadable(f"{text[at : at + 20]!r} cannot be part of the expression")
        at = match.end()
        kind = match.lastgroup
        if kind == "space":
            continue
        if kind == "below":
            tokens += ["(", match["top"], "/", match["below"], ")"]
        elif kind == "raised":
            tokens += ["^", "(", *re.findall("-|[0-9]+", match["raised"].translate(_SUPERSCRIPTS)), ")"]
        elif kind == "command":
            tokens.append(COMMANDS.get(match["command"], match["command"]))
        else:
            tokens.append(_SIGNS.get(match[0], match["wrapped"] or match[0]))
    if not tokens:
        raise Unreadable("expected an expression, got an empty answer")
    return tokens
