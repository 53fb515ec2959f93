"""Types of lambda terms with constants and let: written, read, unified, and inferred with a type for each part of a term.

A type is a name (of a type variable where it has a single small letter or starts with a quote, else of a base type) or a pair of types for a function.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, TypeAlias

Type: TypeAlias = "str | tuple[Type, Type]"
Scheme: TypeAlias = "tuple[tuple[str, ...], Type]"  # the variables in which it is general, and the type
_TOKEN = re.compile(r"->|→|[A-Za-z][A-Za-z0-9]*|'[a-z][0-9]*|[()]|\s+")
MOST_NAMES, MOST_NESTED = 120, 60


def is_variable(name: str) -> bool:
    """Whether a name is one of a type variable: a letter, with a number or not."""
    return name[0] in "'?" or re.fullmatch(r"[A-Za-z][0-9]*", name) is not None


def render(term: Type) -> str:
    """With brackets only where they are needed: a -> b -> c is a -> (b -> c)."""
    if isinstance(term, str):
        return term
    argument = render(term[0]) if isinstance(term[0], str) else f"({render(term[0])})"
    return f"{argument} -> {render(term[1])}"


def parse(text: str) -> Type | None:
    """The type that a text spells, None of other texts."""
    tokens = _TOKEN.findall(text)
    if "".join(tokens) != text or len(tokens) > 12 * MOST_NAMES:
        return None
    words = [token for token in tokens if not token.isspace()]
    nested = deepest = 0
    for word in words:
        nested += (word == "(") - (word == ")")
        deepest = max(deepest, nested)
    if nested or deepest > MOST_NESTED or sum(word[0] in "'" or word[0].isalpha() for word in words) > MOST_NAMES:
        return None
    at = 0

    def read_arrow() -> Any:
        nonlocal at
        if at >= len(words):
            return None
        word = words[at]
        at += 1
        if word == "(":
            left = read_arrow()
            if left is None or at >= len(words) or words[at] != ")":
                return None
            at += 1
        elif word in (")", "->", "→"):
            return None
        else:
            left = word
        if at < len(words) and words[at] in ("->", "→"):
            at += 1
            right = read_arrow()
            return None if right is None else (left, right)
        return left

    parsed: Type | None = read_arrow()
    return parsed if at == len(words) else None


def match_renaming(first: Type, second: Type, forward: dict[str, str], back: dict[str, str]) -> bool:
    """Whether the second type is the first with its variables renamed one to one; the pairs found are kept in `there` and `back`."""
    if isinstance(first, str) or isinstance(second, str):
        if not (isinstance(first, str) and isinstance(second, str)):
            return False
        if not is_variable(first) or not is_variable(second):
            return first.lower() == second.lower()
        return forward.setdefault(first, second) == second and back.setdefault(second, first) == first
    return match_renaming(first[0], second[0], forward, back) and match_renaming(first[1], second[1], forward, back)


@dataclass
class Inference:
    """Unification with a binding for each variable that has one, and what each part of a term turned out to be."""

    bound: dict[str, Type] = field(default_factory=dict)
    made: int = 0
    parts: list[tuple[Any, Type]] = field(default_factory=list)  # inner ones first

    def fresh(self) -> str:
        self.made += 1
        return f"?{self.made}"

    def full(self, term: Type) -> Type:
        """The type with all that is known put in."""
        while isinstance(term, str) and term in self.bound:
            term = self.bound[term]
        return term if isinstance(term, str) else (self.full(term[0]), self.full(term[1]))

    def unify(self, first: Type, second: Type) -> bool:
        first, second = self.full(first), self.full(second)
        if first == second:
            return True
        for a, b in ((first, second), (second, first)):
            if isinstance(a, str) and a[0] == "?":
                if a in open_variables(b):
                    return False
                self.bound[a] = b
                return True
        if isinstance(first, str) or isinstance(second, str):
            return False
        return self.unify(first[0], second[0]) and self.unify(first[1], second[1])

    def infer(self, term: Any, scope: Mapping[str, Scheme]) -> Type | None:
        """The type of a term: a name, (left, right), ("\\\\", name, body) or ("let", name, value, body); None where it has none."""
        result: Type
        if isinstance(term, str):
            return self.instance(scope[term])
        if len(term) == 2:
            left, right = self.infer(term[0], scope), self.infer(term[1], scope)
            result = self.fresh()
            if left is None or right is None or not self.unify(left, (right, result)):
                return None
        elif len(term) == 3:
            own = self.fresh()
            body = self.infer(term[2], {**scope, term[1]: ((), own)})
            if body is None:
                return None
            result = (own, body)
        else:
            value = self.infer(term[2], scope)
            if value is None:
                return None
            inferred = self.infer(term[3], {**scope, term[1]: self.general(value, scope)})
            if inferred is None:
                return None
            result = inferred
        self.parts.append((term, result))
        return result

    def general(self, value: Type, scope: Mapping[str, Scheme]) -> Scheme:
        """What a definition has for a type: general in the variables that stand in no type of a name bound further out."""
        value = self.full(value)
        outside = {name for variables, kind in scope.values() for name in open_variables(self.full(kind)) - set(variables)}
        return tuple(sorted(open_variables(value) - outside)), value

    def instance(self, scheme: Scheme) -> Type:
        """A type made from a general one with new variables."""
        variables, kind = scheme
        return self._substitute(kind, {name: self.fresh() for name in variables})

    def _substitute(self, kind: Type, new: Mapping[str, str]) -> Type:
        kind = self.full(kind)
        return new.get(kind, kind) if isinstance(kind, str) else (self._substitute(kind[0], new), self._substitute(kind[1], new))


def open_variables(term: Type) -> frozenset[str]:
    """The open variables of a type that is being inferred."""
    if isinstance(term, str):
        return frozenset((term,)) if term[0] == "?" else frozenset()
    return open_variables(term[0]) | open_variables(term[1])


def name_variables(term: Type, names: dict[str, str]) -> Type:
    """The type with letters for its open variables, handed out in order."""
    if isinstance(term, str):
        return names.setdefault(term, _letter(len(names))) if term[0] == "?" else term
    return (name_variables(term[0], names), name_variables(term[1], names))


def type_size(term: Type) -> int:
    return 1 if isinstance(term, str) else type_size(term[0]) + type_size(term[1])


def _letter(k: int) -> str:
    return "abcdefghijklmnopqrstuvwxyz"[k % 26] + (str(k // 26) if k >= 26 else "")
