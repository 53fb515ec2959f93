"""One equation in given variables."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import ClassVar

from rlgym.answers import trees
from rlgym.answers.maths import bare, parts
from rlgym.answers.trees import Apply, Tree
from rlgym.core.answer import Answer, Unreadable

Sides = tuple[Tree, Tree]


@dataclass(frozen=True)
class Equation(Answer[Sides]):
    """Two expressions with an equals sign between them: `y = 2x + 1`. Compare with `maths.same_curve`."""

    variables: tuple[str, ...] = ("x", "y")
    functions: tuple[str, ...] = ()
    instructions: str = "one equation"
    max_characters: int = 1000
    format: ClassVar[str] = "equation"

    @cached_property
    def grammar(self) -> trees.Grammar:
        return trees.Grammar(self.variables, self.functions, max_characters=self.max_characters, max_nodes=200)

    def parse(self, text: str) -> Sides:
        sides = parts(bare(text), "=") if len(text) <= self.max_characters else []
        if len(sides) != 2:
            raise Unreadable(f"expected one equation, got {text[:40]!r}")
        return trees.read(sides[0], self.grammar), trees.read(sides[1], self.grammar)

    def render(self, value: Sides) -> str:
        return f"{trees.write(value[0])} = {trees.write(value[1])}"

    def variants(self, value: Sides) -> Iterator[str]:
        yield from (f" {self.render(value)}\n", self.render(value[::-1]), self.render(value).replace(" ", ""))
        yield f"${trees.latex(value[0])} = {trees.latex(value[1])}$"
        yield f"{trees.write(Apply('-', value))} = 0"
        double = Apply("*", (trees.number(2), value[0])), Apply("*", (trees.number(2), value[1]))
        yield self.render(double)

    def near_misses(self, value: Sides) -> Iterator[Sides]:
        yield (value[0], Apply("+", (value[1], trees.number(1))))
        yield (value[0], Apply("neg", (value[1],)))
