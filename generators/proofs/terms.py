"""Terms of first-order logic: read within limits, written, put in for variables, matched and unified.

A term is a tuple of its head and its parts; a variable is a plain string, u to z with or without digits behind it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache

Term = str | tuple["str | Term", ...]
Bindings = dict[str, Term]
MOST_TOKENS, MOST_DEPTH, MOST_WORK = 1200, 100, 20_000
VARIABLES = "xyzuvw"

_TOKEN = re.compile(r"[A-Za-z][A-Za-z0-9']{0,9}|[(),]", re.ASCII)
_VARIABLE = re.compile(r"[u-z][0-9]{0,4}", re.ASCII)


class TooMuch(Exception):
    """Terms so large that working with them is refused."""


def parse(text: str) -> Term | None:
    """The term that a text spells, or None."""
    tokens: list[str] = _TOKEN.findall(text)
    if len(tokens) > MOST_TOKENS or "".join(tokens) != "".join(text.split()):
        return None
    outer: list[list[Term]] = []  # the heads and parts of the terms that are open
    parts: list[Term] = []
    name, closed = "", False  # a name that stands last, or that a term has just been closed
    for token in tokens:
        if token == "(":
            if not name or isinstance(_leaf(name), str) or len(outer) == MOST_DEPTH:
                return None
            outer.append(parts)
            parts, name = [name], ""
        elif token in ",)":
            if not outer or not (name or closed):
                return None
            if name:
                parts.append(_leaf(name))
            name, closed = "", token == ")"
            if closed:
                outer[-1].append(tuple(parts))
                parts = outer.pop()
        elif name or closed:
            return None
        else:
            name = token
    if name:
        parts.append(_leaf(name))
    return parts[0] if len(parts) == 1 and not outer else None


@lru_cache(maxsize=4096)
def read_term(text: str) -> Term:
    """The term that a text spells; a ValueError for other texts."""
    term = parse(text)
    if term is None:
        raise ValueError(f"no term: {text!r}")
    return term


def _leaf(name: str) -> Term:
    return name if _VARIABLE.fullmatch(name) else (name,)


def write(term: Term) -> str:
    """A term as f(x, a)."""
    if isinstance(term, str):
        return term
    parts = ", ".join(map(write, term[1:]))
    return f"{term[0]}({parts})" if parts else str(term[0])


def variables(term: Term) -> Iterator[str]:
    """The variables from left to right, each as often as it occurs."""
    if isinstance(term, str):
        yield term
    else:
        for part in term[1:]:
            yield from variables(part)


def size(term: Term) -> int:
    """How many symbols a term has."""
    return 1 if isinstance(term, str) else 1 + sum(map(size, term[1:]))


def put(term: Term, bindings: Bindings) -> Term:
    """The term with bound variables replaced, all the way down."""
    budget = [MOST_WORK]

    def replaced(term: Term) -> Term:
        budget[0] -= 1
        if budget[0] < 0:
            raise TooMuch
        if isinstance(term, str):
            return replaced(bindings[term]) if term in bindings else term
        return (term[0], *map(replaced, term[1:]))

    return replaced(term)


def unify(pairs: list[tuple[Term, Term]], bindings: Bindings | None = None) -> Bindings | None:
    """The most general bindings that make the terms of each pair the same, or None. Bindings may lead on to other bindings."""
    substitution = dict(bindings or {})
    waiting, budget = list(pairs), MOST_WORK
    while waiting:
        budget -= 1
        if budget < 0:
            raise TooMuch
        a, b = (_root(term, substitution) for term in waiting.pop())
        if a == b:
            continue
        if isinstance(b, str) and not isinstance(a, str):
            a, b = b, a
        if isinstance(a, str):
            if _occurs(a, b, substitution):
                return None
            substitution[a] = b
        elif a[0] != b[0] or len(a) != len(b):
            return None
        else:
            waiting += zip(a[1:], b[1:], strict=True)
    return substitution


def _root(term: Term, bindings: Bindings) -> Term:
    while isinstance(term, str) and term in bindings:
        term = bindings[term]
    return term


def _occurs(variable: str, term: Term, bindings: Bindings) -> bool:
    waiting, budget = [term], MOST_WORK
    while waiting:
        budget -= 1
        if budget < 0:
            raise TooMuch
        here = _root(waiting.pop(), bindings)
        if here == variable:
            return True
        if not isinstance(here, str):
            waiting += here[1:]
    return False


def rename(term: Term, mark: str) -> Term:
    """The term with a mark behind each variable, so that it shares none with others."""
    return f"{term}{mark}" if isinstance(term, str) else (term[0], *(rename(part, mark) for part in term[1:]))


def frozen(term: Term) -> Term:
    """The term with its variables made constants, so that nothing can be put in for them."""
    return (f"{term}!",) if isinstance(term, str) else (term[0], *map(frozen, term[1:]))
