"""Several expressions, each with its name."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import ClassVar

from rlgym.answers import trees
from rlgym.answers.maths import bare, parts
from rlgym.answers.trees import Apply, Tree
from rlgym.core.answer import Answer, Unreadable
from rlgym.core.layout import LIST, Layer
from rlgym.core.layout.layers import Layers

Named = tuple[tuple[str, Tree], ...]
_HEAD = re.compile(r"([A-Za-z]\w{0,9})\s*(?:\(\s*[A-Za-z]\s*\))?\s*[=:]\s*")


@dataclass(frozen=True)
class Expressions(Answer[Named]):
    """`q = x + 1, r = 3`: an expression for some of the given names, each at most once, in any order; they come out in the names' order.

    `q(x) = ...` is read as `q = ...`, and commas, semicolons, line breaks or the word and may stand between them.
    """

    names: tuple[str, ...]
    variables: tuple[str, ...] = ("x",)
    functions: tuple[str, ...] = ()
    instructions: str = "an expression for each name, as in name = expression, separated by commas"
    max_characters: int = 4000
    layers: ClassVar[Layers] = LIST - {Layer.NAME}
    format: ClassVar[str] = "expressions"

    @cached_property
    def grammar(self) -> trees.Grammar:
        return trees.Grammar(self.variables, self.functions, max_characters=self.max_characters, max_nodes=600)

    def parse(self, text: str) -> Named:
        if len(text) > self.max_characters:
            raise Unreadable(f"expected expressions, got {len(text)} characters")
        formulas: dict[str, Tree] = {}
        for piece in parts(bare(text), r"\s*(?:[,;\n]|\band\b|\\\\)\s*"):
            head = _HEAD.match(piece)
            if not piece:
                continue
            if not head or head[1] not in self.names:
                raise Unreadable(f"expected {' or '.join(self.names)} = an expression, got {piece[:40]!r}")
            if head[1] in formulas:
                raise Unreadable(f"{head[1]} is given twice")
            formulas[head[1]] = trees.read(piece[head.end() :], self.grammar)
        if not formulas:
            raise Unreadable("expected an expression for each name")
        return tuple((name, formulas[name]) for name in self.names if name in formulas)

    def render(self, value: Named) -> str:
        return ", ".join(f"{name} = {trees.write(tree)}" for name, tree in value)

    def variants(self, value: Named) -> Iterator[str]:
        plain = self.render(value)
        yield from (f" {plain}\n", plain.replace(", ", "; "), plain.replace(", ", "\n"), plain.replace(" = ", "="), f"{plain}.")
        yield self.render(value[::-1])
        yield ", ".join(f"{name}({self.variables[0]}) = {trees.write(tree)}" for name, tree in value)
        yield "$" + ", ".join(f"{name} = {trees.latex(tree)}" for name, tree in value) + "$"

    def near_misses(self, value: Named) -> Iterator[Named]:
        (name, tree), *rest = value
        yield ((name, Apply("+", (tree, trees.number(1)))), *rest)
        yield ((name, Apply("neg", (tree,))), *rest)
        if rest:
            yield tuple(rest)
            yield ((name, tree),)
            yield ((name, rest[0][1]), (rest[0][0], tree), *rest[1:])
