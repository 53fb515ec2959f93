"""The kinds of layers, and which of them each kind of answer may wear."""

from __future__ import annotations

from enum import StrEnum


class Layer(StrEnum):
    """One kind of layout around an answer, or around the items of a list."""

    FENCE = "code fence"
    QUOTATION = "block quotation"  # "> 7"
    BOXED = "boxed"  # \boxed{...}
    TEXT = "text command"  # \text{...}, \mathrm{...}
    MATH = "math delimiters"  # $...$, \(...\)
    BOLD = "bold"
    BACKTICKS = "backticks"
    QUOTES = "quotes"
    LABEL = "label"  # "answer:", "the answer is", "### Answer" on a line of its own
    STOP = "full stop"
    NAME = "name"  # "x = 7", "f'(x) = 2x"
    EQUALS = "equals sign"  # "= 7"
    APPROXIMATION = "approximation"  # "22/49 ≈ 0.449"
    UNIT = "unit"
    ITEMS = "items"  # each item of a list in bold, backticks or math delimiters
    ITEM_NAMES = "item names"  # "x = 7, y = 3"
    AND = "and"  # before the last item
    BULLETS = "bullets"
    SEMICOLONS = "semicolons"  # between what belongs on lines of its own
    LINE_BRACKETS = "line brackets"  # "[2, 3]" on each line
    TABLE = "Markdown table"
    PRODUCT = "product"  # 2^2 * 7 for 2, 2, 7
    TYPOGRAPHY = "typography"


Layers = frozenset[Layer]

WRAPPERS: Layers = frozenset(
    {
        *(
            Layer.FENCE,
            Layer.QUOTATION,
            Layer.BOXED,
            Layer.TEXT,
            Layer.MATH,
            Layer.BOLD,
            Layer.BACKTICKS,
            Layer.QUOTES,
            Layer.LABEL,
            Layer.STOP,
        ),
        Layer.TYPOGRAPHY,
    }
)
"""Around the whole answer; right for every format whose answers are not such texts themselves."""
NUMBER: Layers = WRAPPERS | {Layer.NAME, Layer.UNIT, Layer.EQUALS, Layer.APPROXIMATION}
LIST: Layers = WRAPPERS | {Layer.NAME, Layer.ITEMS, Layer.AND, Layer.BULLETS}
NUMBERS: Layers = LIST | {Layer.ITEM_NAMES, Layer.UNIT, Layer.EQUALS, Layer.APPROXIMATION}
PROGRAM: Layers = WRAPPERS - {Layer.QUOTES, Layer.TYPOGRAPHY}
"""For programs and queries, where quotes and every sign within them count."""
PATTERN: Layers = PROGRAM - {Layer.STOP}
"""For patterns, where a full stop stands for a letter."""
VERBATIM: Layers = frozenset({Layer.FENCE, Layer.BOXED, Layer.LABEL})
"""For texts that are judged as they are written, with their emphasis and punctuation."""
