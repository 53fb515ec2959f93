"""Terms of names, applications and (for the lambda calculus) functions: read, written, compared up to renaming, and reduced.

A name is a string, an application a pair, and a function the triple of a backslash, its variable and its body.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from typing import Any, TypeAlias

Term: TypeAlias = "str | tuple[Term, Term] | tuple[str, str, Term]"
MOST_NAMES = 250
_TOKEN = re.compile(r"\\lambda(?![A-Za-z])|[A-Za-z][0-9']*|[\\λ().]|\s+")


class Malformed(ValueError):
    """The text is no term."""


def parse(text: str) -> Term | None:
    """The term that a text spells, None of other texts. Names are one letter with digits or strokes after it, so `xy` is x applied to y."""
    tokens = _TOKEN.findall(text)
    if "".join(tokens) != text or len(tokens) > 12 * MOST_NAMES:
        return None
    words = [token for token in tokens if not token.isspace()]
    if sum(word[0].isalpha() and word != "λ" for word in words) > MOST_NAMES or len(words) > 4 * MOST_NAMES:
        return None
    nested = deepest = 0
    for word in words:
        nested += (word == "(") - (word == ")")
        deepest = max(deepest, nested)
    if deepest > MOST_NAMES // 2:
        return None
    at = 0

    def expression() -> Any:
        nonlocal at
        term: Any = None
        while at < len(words) and words[at] != ")":
            word = words[at]
            at += 1
            part: Any = word
            if word in ("\\", "λ", "\\lambda"):
                names = []
                while at < len(words) and words[at][0].isalpha() and words[at] != "λ":
                    names.append(words[at])
                    at += 1
                if not names or at >= len(words) or words[at] != ".":
                    raise Malformed
                at += 1
                part = expression()
                for name in reversed(names):
                    part = ("\\", name, part)
            elif word == "(":
                part = expression()
                if at >= len(words):
                    raise Malformed
                at += 1
            elif word == ".":
                raise Malformed
            term = part if term is None else (term, part)
        if term is None:
            raise Malformed
        return term

    try:
        term = expression()
    except Malformed:
        return None
    return term if at == len(words) else None


def render(term: Any) -> str:
    """The plainest spelling, with no brackets that are not needed."""
    if isinstance(term, str):
        return term
    if len(term) == 3:
        return f"\\{term[1]}. {render(term[2])}"
    left, right = term
    first = f"({render(left)})" if isinstance(left, tuple) and len(left) == 3 else render(left)
    return f"{first} {right if isinstance(right, str) else f'({render(right)})'}"


def de_bruijn(term: Any, bound: Sequence[str] = ()) -> Any:
    """The term with bound names replaced by how many functions lie between: alike for terms that differ by renaming only."""
    if isinstance(term, str):
        return next((i for i, name in enumerate(reversed(bound)) if name == term), term)
    if len(term) == 3:
        return ("\\", de_bruijn(term[2], (*bound, term[1])))
    return (de_bruijn(term[0], bound), de_bruijn(term[1], bound))


@lru_cache(maxsize=512)
def de_bruijn_of_text(text: str) -> Any:
    """What `indexed` makes of a text that spells a term, None of other texts."""
    term = parse(text)
    return None if term is None else de_bruijn(term)


def term_size(term: Any) -> int:
    """How many names and functions it has."""
    return 1 if isinstance(term, str) else 1 + term_size(term[2]) if len(term) == 3 else term_size(term[0]) + term_size(term[1])


@lru_cache(maxsize=20_000)
def free_variables(term: Any) -> frozenset[str]:
    """The names that are not bound."""
    if isinstance(term, str):
        return frozenset((term,))
    return free_variables(term[2]) - {term[1]} if len(term) == 3 else free_variables(term[0]) | free_variables(term[1])


def substitute(term: Any, name: str, value: Any) -> Any:
    """The term with a value in place of a free name; functions that would catch a name of the value are renamed first."""
    if isinstance(term, str):
        return value if term == name else term
    if name not in free_variables(term):
        return term
    if len(term) == 2:
        return (substitute(term[0], name, value), substitute(term[1], name, value))
    _, variable, body = term
    if variable in free_variables(value):
        fresh = next(
            new for i in range(1, 999) if (new := f"{variable[0]}{i}") not in free_variables(value) | free_variables(body) | {name}
        )
        variable, body = fresh, substitute(body, variable, fresh)
    return ("\\", variable, substitute(body, name, value))


def beta_reductions(term: Any) -> Iterator[tuple[str, Any, Any]]:
    """All (variable, argument, result) of one step of reduction, the leftmost outermost one first."""
    if isinstance(term, str):
        return
    if len(term) == 3:
        for variable, argument, body in beta_reductions(term[2]):
            yield variable, argument, ("\\", term[1], body)
        return
    left, right = term
    if isinstance(left, tuple) and len(left) == 3:
        yield left[1], right, substitute(left[2], left[1], right)
    for variable, argument, part in beta_reductions(left):
        yield variable, argument, (part, right)
    for variable, argument, part in beta_reductions(right):
        yield variable, argument, (left, part)


def reduce_to_normal_form(term: Any, most: int, largest: int) -> list[tuple[str, Any, Any]] | None:
    """The steps to the normal form, None where they are more than `most` or a term on the way is too large."""
    out = []
    while step := next(beta_reductions(term), None):
        term = step[2]
        out.append(step)
        if len(out) > most or term_size(term) > largest:
            return None
    return out


Rules = Mapping[str, tuple[tuple[str, ...], Any]]


def combinator_reductions(term: Any, rules: Rules) -> Iterator[tuple[str, tuple[Any, ...], Any]]:
    """All (combinator, arguments, result) of one step with rules such as K x y = x, the leftmost outermost one first."""
    if isinstance(term, str):
        return
    head, arguments = spine(term)
    if head in rules and len(arguments) >= len(rules[head][0]):
        names, body = rules[head]
        given = dict(zip(names, arguments, strict=False))
        result = instantiate(body, given)
        for argument in arguments[len(names) :]:
            result = (result, argument)
        yield head, tuple(arguments[: len(names)]), result
    for k, argument in enumerate(arguments):
        for name, taken, part in combinator_reductions(argument, rules):
            whole: Any = head
            for other in (*arguments[:k], part, *arguments[k + 1 :]):
                whole = (whole, other)
            yield name, taken, whole


def spine(term: Any) -> tuple[str, list[Any]]:
    """The name at the head of a term without functions, and its arguments."""
    arguments = []
    while not isinstance(term, str):
        term, argument = term
        arguments.append(argument)
    return term, arguments[::-1]


def instantiate(body: Any, given: Mapping[str, Any]) -> Any:
    """The body of a rule with its names replaced."""
    return given[body] if isinstance(body, str) else (instantiate(body[0], given), instantiate(body[1], given))
