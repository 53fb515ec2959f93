"""Words as a prompt spells them."""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import lru_cache

_WORD = re.compile(r"[^\W\d_]\w*")
LONGEST_CAPITALS = 3
"""Longer words in capitals alone are placeholders or shouted, not names."""


def spelled_as_in(prompt: str, text: str) -> str:
    """The text with each word in the letter case that the prompt gives it, where the prompt spells it in one other way only."""
    spellings = _spellings(prompt)
    return _WORD.sub(lambda match: spellings.get(match[0], match[0]), text)


@lru_cache(maxsize=64)
def _spellings(prompt: str) -> Mapping[str, str]:
    """From words in lower case to the only spelling that the prompt has for them."""
    found: dict[str, set[str]] = {}
    for word in dict.fromkeys(_WORD.findall(prompt)):
        found.setdefault(word.lower(), set()).add(word)
    return {lower: next(iter(words)) for lower, words in found.items() if len(words) == 1 and _is_name(*words)}


def _is_name(word: str) -> bool:
    return word != word.lower() and (not word.isupper() or not word.isalpha() or len(word) <= LONGEST_CAPITALS)
