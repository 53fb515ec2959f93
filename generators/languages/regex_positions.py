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


def set_bits(mask: int) -> list[int]:
    return [k for k in range(mask.bit_length()) if mask >> k & 1]


def successors(patterns: Sequence[Pattern], place: Place) -> Iterator[Place]:
    """The places that one more letter can lead to."""
    options = [
        set_bits(pattern.first if position < 0 else pattern.follow[position]) for pattern, position in zip(patterns, place, strict=True)
    ]
    for first in options[0]:
        same = [
            [position for position in row if pattern.letters[position] == patterns[0].letters[first]]
            for pattern, row in zip(patterns[1:], options[1:])
        ]
        for rest in product(*same):
            yield (first, *rest)


def letter_at(patterns: Sequence[Pattern], place: Place) -> str:
    return patterns[0].letters[place[0]]


def is_accepting(patterns: Sequence[Pattern], place: Place) -> bool:
    return all(pattern.last >> position & 1 for pattern, position in zip(patterns, place, strict=True))


def render_place(place: Place) -> str:
    return "-".join(str(position + 1) for position in place)


def breadth_first_search(patterns: Sequence[Pattern], max_places: int = 2000) -> tuple[list[list[Place]], str]:
    """Places by the number of letters that first lead there, and a common word if there is one; no places if they are too many."""
    start = (-1,) * len(patterns)
    words, rings = {start: ""}, [[start]]
    while rings[-1]:
        if len(words) > max_places:
            return [], ""
        ring: list[Place] = []
        for place in rings[-1]:
            for following in successors(patterns, place):
                if following not in words:
                    words[following] = words[place] + letter_at(patterns, following)
                    ring.append(following)
        rings.append(ring)
        for place in ring:
            if is_accepting(patterns, place):
                return rings[1:], words[place]
    return rings[1:-1], ""


def shortest_common_word(patterns: Sequence[Pattern], alphabet: str, max_places: int) -> str | None:
    """The first shortest common word, "" for none, by sets of letters; None if that takes too many looks."""
    start = (-1,) * len(patterns)
    seen, waiting = {start}, deque([(start, "")])
    while waiting:
        states, word = waiting.popleft()
        if word and all(pattern.accepts(position) for pattern, position in zip(patterns, states, strict=True)):
            return word
        for letter in alphabet:
            following = tuple(pattern.after(position, letter) for pattern, position in zip(patterns, states, strict=True))
            if all(following) and following not in seen:
                seen.add(following)
                waiting.append((following, word + letter))
        if len(seen) > max_places:
            return None
    return ""
