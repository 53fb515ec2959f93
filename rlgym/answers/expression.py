"""One expression in given variables."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import ClassVar

from rlgym.answers import trees
from rlgym.answers.trees import Apply, Number, Tree
from rlgym.core.answer import Answer
from rlgym.core.layout import NUMBER
from rlgym.core.layout.layers import Layers

_DOLLARS = re.compile(r"\$\$?(.*?)\$?\$|\\\((.*)\\\)|\\\[(.*)\\\]", re.DOTALL)


@dataclass(frozen=True)
class Expression(Answer[Tree]):
    """One expression of numbers, the given variables, constants and functions, `+ - * / ^` and brackets.

    Implicit products (`2x`), simple LaTeX and Unicode signs are accepted. The answer is the tree as written;
    `trees.same` decides whether two trees are equal.
    """

    variables: tuple[str, ...] = ("x",)
    functions: tuple[str, ...] = ()
    constants: tuple[str, ...] = ()
    instructions: str = "one expression"
    max_characters: int = 2000
    max_nodes: int = 400
    layers: ClassVar[Layers] = NUMBER
    format: ClassVar[str] = "expression"

    @cached_property
    def grammar(self) -> trees.Grammar:
        return trees.Grammar(self.variables, self.functions, self.constants, max_characters=self.max_characters, max_nodes=self.max_nodes)

    def parse(self, text: str) -> Tree:
        plain = text.strip()
        if len(plain) <= self.max_characters and (match := _DOLLARS.fullmatch(plain)):
            plain = next(inner for inner in match.groups() if inner is not None).strip()
        return trees.read(plain.removesuffix("."), self.grammar)

    def render(self, value: Tree) -> str:
        return trees.write(value)

    def variants(self, value: Tree) -> Iterator[str]:
        text = trees.write(value)
        yield from (f"  {text}\n", f"({text})", f"{text}.", text.replace(" ", ""), text.replace("^", "**"))
        yield re.sub(r"\*(?=[A-Za-z(])", " ", text)
        yield text.replace("*", "·").replace("-", "−")
        yield text.replace("*", " \\cdot ").replace("pi", "\\pi")
        yield f"${trees.latex(value)}$"
        if isinstance(value, Apply) and value.head in ("+", "*"):
            yield trees.write(Apply(value.head, value.parts[::-1]))

    def near_misses(self, value: Tree) -> Iterator[Tree]:
        yield Apply("+", (value, trees.number(1)))
        yield Apply("neg", (value,))
        yield Apply("*", (trees.number(2), value))
        if isinstance(value, Apply) and value.head in ("+", "-"):
            yield value.parts[0]
            yield Apply("-" if value.head == "+" else "+", value.parts)
        for i in range(min(3, sum(isinstance(node, Number) for node in trees.walk(value)))):
            yield _perturb(value, [i])


def _perturb(tree: Tree, remaining: list[int]) -> Tree:
    """The tree with one of its numbers raised by 1; `left` counts down to that number."""
    if isinstance(tree, Number):
        remaining[0] -= 1
        return trees.number(tree.value + 1) if remaining[0] == -1 and tree.value.denominator == 1 else tree
    return Apply(tree.head, tuple(_perturb(part, remaining) for part in tree.parts)) if isinstance(tree, Apply) else tree
