"""One arithmetic expression of given numbers."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import ClassVar

from rlgym.answers import trees
from rlgym.answers.trees import Apply, Number, Tree
from rlgym.core.answer import Answer
from rlgym.core.layout import NUMBER
from rlgym.core.layout.layers import Layers

_CLAIM = re.compile(r"\s*=\s*[0-9]{1,40}\s*$")


@dataclass(frozen=True)
class Arithmetic(Answer[Tree]):
    """One expression of whole numbers, `+ - * /` and brackets; a closing `= value` is ignored.

    The answer is the tree as written; its value is for the verifier to work out.
    """

    instructions: str = "one expression of numbers, + - * / and brackets"
    max_characters: int = 600
    layers: ClassVar[Layers] = NUMBER
    format: ClassVar[str] = "arithmetic"

    def parse(self, text: str) -> Tree:
        plain = text.strip()
        if len(plain) <= self.max_characters:
            plain = _CLAIM.sub("", plain.strip("$").removesuffix("."))
        return trees.read(plain, trees.ARITHMETIC)

    def render(self, value: Tree) -> str:
        return trees.write(value)

    def variants(self, value: Tree) -> Iterator[str]:
        text = trees.write(value)
        yield from (f"  {text}\n", f"({text})", text.replace(" ", ""), f"${text}$", f"{text}.", f"{text} = 7")
        yield text.replace("*", "×").replace("/", "÷").replace("-", "−")
        yield text.replace("*", "\\times").replace("/", "\\div")

    def near_misses(self, value: Tree) -> Iterator[Tree]:
        yield Apply("+", (value, trees.number(1)))
        yield Apply("*", (value, trees.number(2)))
        if isinstance(value, Apply):
            yield value.parts[0]
        if isinstance(value, Number):
            yield trees.number(value.value + 1)
