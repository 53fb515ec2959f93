"""Several exact constants: a set of solutions in any order, or a point in a fixed one."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import ClassVar

from rlgym.answers import trees
from rlgym.answers.maths import bare, parts, read_constant, same_members
from rlgym.answers.maths.layout import inside
from rlgym.answers.trees import Tree
from rlgym.core.answer import Answer, Unreadable
from rlgym.core.layout import NUMBERS
from rlgym.core.layout.layers import Layers

MOST_CHARACTERS = 4000
_BETWEEN = r"\s*(?:[,;\n]|\band\b|\bor\b|\\lor(?![A-Za-z]))\s*"
_NAMED = re.compile(r"[A-Za-z](?:_?\{?[0-9]{1,2}\}?)?\s*=\s*")
_EITHER = re.compile(r"±|\\pm(?![A-Za-z])|\+/-|\+-")


@dataclass(frozen=True)
class Solutions(Answer[tuple[Tree, ...]]):
    """Constants in any order: `2, -1/3, 1 + sqrt(5)`, in brackets or not, each with `x =` before it or not; `1 ± sqrt(5)` is two of them.

    With `allow_empty` the word none, or empty brackets, means no number. Compare with `maths.same_members`.
    """

    instructions: str = "all solutions as exact numbers, separated by commas, in any order"
    max_items: int = 30
    allow_empty: bool = True
    layers: ClassVar[Layers] = NUMBERS
    format: ClassVar[str] = "solutions"

    def parse(self, text: str) -> tuple[Tree, ...]:
        if len(text) > MOST_CHARACTERS:
            raise Unreadable(f"expected numbers, got {len(text)} characters")
        plain = bare(text)
        if self.allow_empty and plain.casefold() in (
            "none",
            "{}",
            "[]",
            "∅",
            "\\emptyset",
            "\\varnothing",
            "no solution",
            "no real solution",
        ):
            return ()
        inner = inside(plain, "{[")
        pieces = parts(plain if inner is None else inner, _BETWEEN)
        constants = [read_constant(spelling) for piece in pieces if piece for spelling in _sign_variants(_NAMED.sub("", piece, count=1))]
        if not constants or len(constants) > self.max_items:
            raise Unreadable(f"expected 1 to {self.max_items} numbers, got {text[:40]!r}")
        return tuple(constants)

    def render(self, value: tuple[Tree, ...]) -> str:
        return ", ".join(map(trees.write, value)) if value else "none"

    def variants(self, value: tuple[Tree, ...]) -> Iterator[str]:
        if not value:
            yield from (" None\n", "{}")
            return
        plain = self.render(value)
        yield from (f" {plain}\n", f"{{{plain}}}", f"[{plain}]", self.render(value[::-1]), plain.replace(" ", ""))
        yield " or ".join(f"x = {trees.write(root)}" for root in value)
        yield "$\\{" + ", ".join(map(trees.latex, value)) + "\\}$"

    def near_misses(self, value: tuple[Tree, ...]) -> Iterator[tuple[Tree, ...]]:
        unit = trees.number(1)
        if value:
            yield value[1:]
            yield (*value, value[0])
            yield (trees.Apply("+", (value[0], unit)), *value[1:])
            mirrored = tuple(trees.Apply("neg", (each,)) for each in value)
            yield mirrored if not same_members(value, mirrored) else ()
        else:
            yield (unit,)


@dataclass(frozen=True)
class Point(Answer[tuple[Tree, ...]]):
    """Exactly `size` constants in order: `(3, -1/2, pi/4)`, in any brackets or none."""

    size: int = 2
    instructions: str = "the coordinates as exact numbers in order, as in (1, 2)"
    layers: ClassVar[Layers] = NUMBERS
    format: ClassVar[str] = "point"

    def parse(self, text: str) -> tuple[Tree, ...]:
        if len(text) > MOST_CHARACTERS:
            raise Unreadable(f"expected numbers, got {len(text)} characters")
        plain = bare(text)
        inner = inside(plain)
        pieces = parts(plain if inner is None else inner, r"\s*[,;]\s*")
        if len(pieces) != self.size:
            raise Unreadable(f"expected {self.size} numbers in order, got {text[:40]!r}")
        return tuple(read_constant(_NAMED.sub("", piece, count=1)) for piece in pieces)

    def render(self, value: tuple[Tree, ...]) -> str:
        return f"({', '.join(map(trees.write, value))})"

    def variants(self, value: tuple[Tree, ...]) -> Iterator[str]:
        plain = self.render(value)
        yield from (f" {plain}\n", plain[1:-1], f"[{plain[1:-1]}]", f"{plain}.", plain.replace(" ", ""))
        yield "$\\left(" + ", ".join(map(trees.latex, value)) + "\\right)$"

    def near_misses(self, value: tuple[Tree, ...]) -> Iterator[tuple[Tree, ...]]:
        for k, coordinate in enumerate(value):
            yield (*value[:k], trees.Apply("+", (coordinate, trees.number(1))), *value[k + 1 :])
        if len(value) > 1 and value[0] != value[1]:
            yield (value[1], value[0], *value[2:])


def _sign_variants(text: str) -> list[str]:
    """A text, or the two that its one plus-or-minus sign stands for."""
    if len(_EITHER.findall(text)) != 1:
        return [text]
    return [_EITHER.sub("+", text), _EITHER.sub("-", text)]
