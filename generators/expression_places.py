"""Several regular expressions that read one word at once: the places, a letter of each, that they can be at together."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator, Sequence
from itertools import product
from typing import Protocol

Place = tuple[int, ...]


class Pattern(Protocol):
    """An expression as its automaton of positions, as the answer format for expressions has it."""

    @property
    def letters(self) -> tuple[str, ...]: ...
    @property
    def first(self) -> int: ...
    @property
    def follow(self) -> tuple[int, ...]: ...
    @property
    def last(self) -> int: ...
    def after(self, positions: int, letter: str) -> int: ...
    def accepts(self, positions: int) -> bool: ...


def bits(mask: int) -> list[int]:
    return [k for k in range(mask.bit_length()) if mask >> k & 1]


def nexts(patterns: Sequence[Pattern], place: Place) -> Iterator[Place]:
    """The places that one more letter can lead to."""
    ways = [bits(pattern.first if at < 0 else pattern.follow[at]) for pattern, at in zip(patterns, place, strict=True)]
    for first in ways[0]:
        same = [[at for at in row if pattern.letters[at] == patterns[0].letters[first]] for pattern, row in zip(patterns[1:], ways[1:])]
        for rest in product(*same):
            yield (first, *rest)


def letter(patterns: Sequence[Pattern], place: Place) -> str:
    return patterns[0].letters[place[0]]


def over(patterns: Sequence[Pattern], place: Place) -> bool:
    return all(pattern.last >> at & 1 for pattern, at in zip(patterns, place, strict=True))


def shown(place: Place) -> str:
    return "-".join(str(at + 1) for at in place)


def search(patterns: Sequence[Pattern], most: int = 2000) -> tuple[list[list[Place]], str]:
    """Places by the number of letters that first lead there, and a common word if there is one; no places if they are too many."""
    start = (-1,) * len(patterns)
    words, rings = {start: ""}, [[start]]
    while rings[-1]:
        if len(words) > most:
            return [], ""
        ring: list[Place] = []
        for place in rings[-1]:
            for there in nexts(patterns, place):
                if there not in words:
                    words[there] = words[place] + letter(patterns, there)
                    ring.append(there)
        rings.append(ring)
        for place in ring:
            if over(patterns, place):
                return rings[1:], words[place]
    return rings[1:-1], ""


def least(patterns: Sequence[Pattern], alphabet: str, most: int) -> str | None:
    """The first shortest common word, "" for none, by sets of letters; None if that takes too many looks."""
    start = (-1,) * len(patterns)
    seen, waiting = {start}, deque([(start, "")])
    while waiting:
        states, word = waiting.popleft()
        if word and all(pattern.accepts(at) for pattern, at in zip(patterns, states, strict=True)):
            return word
        for letter in alphabet:
            there = tuple(pattern.after(at, letter) for pattern, at in zip(patterns, states, strict=True))
            if all(there) and there not in seen:
                seen.add(there)
                waiting.append((there, word + letter))
        if len(seen) > most:
            return None
    return ""
