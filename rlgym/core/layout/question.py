"""What a prompt asks for, as far as the layout of its answer depends on it: the names and units that an answer may repeat."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cached_property, lru_cache

_WORD = re.compile(r"[^\W_]+(?:_[^\W_]+)*")
_UNIT_WORD = r"([A-Za-zµμΩ°%$][A-Za-zµμΩ°/^*0-9²³]{0,20}(?: (?:per|of|a|an) [A-Za-z]{1,20})?)"
_ASKED_UNIT = re.compile(
    rf"\b(?:in|how many|how much|number of|amount of|counted in|measured in|given in|unit is|units are|as)\s+(?:whole |full |complete )?{_UNIT_WORD}",
    re.IGNORECASE,
)
_MASS_OF = re.compile(r"\bthe ([A-Za-z]{2,20}) of\b", re.IGNORECASE)  # "the grams of ice"
_STANDARD_NAMES = frozenset({"p", "pr", "e", "var", "det", "gcd", "lcm", "dim", "max", "min", "total", "sum"})
SYMBOLS = {
    "n": "newtons", "m": "metres", "cm": "centimetres", "mm": "millimetres", "km": "kilometres", "s": "seconds", "sec": "seconds", "min": "minutes",
    "mins": "minutes", "h": "hours", "hr": "hours", "hrs": "hours", "yr": "years", "yrs": "years", "g": "grams", "kg": "kilograms", "l": "litres",
    "ml": "millilitres", "°": "degrees", "deg": "degrees", "°c": "degrees", "°f": "degrees", "^\\circ": "degrees", "^{\\circ}": "degrees",
    "%": "percent", "$": "dollars", "usd": "dollars", "j": "joules", "pa": "pascals",
}  # fmt: skip
"""Symbols of units, in lower case, with the word that a prompt may use instead."""


@dataclass(frozen=True)
class Question:
    """The text of a prompt and of its closing line; an empty one names nothing."""

    prompt: str = ""
    instructions: str = ""

    @cached_property
    def _words(self) -> frozenset[str]:
        return frozenset(word.casefold() for text in (self.prompt, self.instructions) for word in _WORD.findall(text))

    @cached_property
    def order(self) -> dict[str, int]:
        """Where each word of the instructions stands first, in lower case."""
        order: dict[str, int] = {}
        for place, word in enumerate(_WORD.findall(self.instructions)):
            order.setdefault(word.casefold(), place)
        return order

    def names(self, name: str) -> bool:
        """Whether the prompt uses a name: every word of it, without primes, arguments and indices, occurs there."""
        base = name.partition("(")[0].partition("[")[0].replace("'", "").replace("′", "").replace("\\", "")
        return all(_is_differential(word.casefold(), self._words) for word in base.replace("_", " ").replace("/", " ").split())

    @cached_property
    def units(self) -> frozenset[str]:
        """The words of the prompt that may be requested units, in lower case: those after "in", "how many" and the like."""
        texts = (self.prompt, self.instructions)
        return frozenset(match[1].casefold() for text in texts for pattern in (_ASKED_UNIT, _MASS_OF) for match in pattern.finditer(text))

    def asks_unit(self, unit: str) -> bool:
        """Whether an answer may carry this unit: the prompt asks for it, by this word, its singular or plural, or its symbol."""
        plain = unit.strip().rstrip(".").casefold()
        if any(word in self.units for word in _spellings(plain)):
            return True
        first, *rest = plain.split() or [""]
        return bool(rest) and all(word in self._words for word in rest) and any(word in self.units for word in _spellings(first))


@lru_cache(maxsize=16)
def question_of(prompt: str, instructions: str) -> Question:
    """The question of a prompt, whose words are read once for the many responses that are scored in turn."""
    return Question(prompt, instructions)


def _is_differential(word: str, words: frozenset[str]) -> bool:
    if word in words or word in _STANDARD_NAMES:
        return True
    stem = word.rstrip("0123456789")
    if stem != word and stem in words:
        return True
    # dy and dx of a derivative dy/dx
    return len(word) == 2 and word[0] == "d" and word[1] in words


def _spellings(unit: str) -> list[str]:
    """The word, its singular and plural, the word for it as a symbol, and the symbols for it as a word; also in the other English."""
    plain = SYMBOLS.get(unit, unit)
    symbols = [symbol for symbol, word in SYMBOLS.items() if plain in (word, word.removesuffix("s"))]
    spelled = [unit, plain, plain.removesuffix("s"), f"{plain}s", *symbols]
    return [
        *spelled,
        *(word.replace("metre", "meter").replace("litre", "liter") for word in spelled),
        *(word.replace("meter", "metre") for word in spelled),
    ]
