"""Corrupted steps: a worked solution in which one number or word of one step is replaced."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import islice

from rlgym.core.rng import Rng

TRIES = 8  # attempts for each step to find one with something to replace
_PIECES = re.compile(r"\w+|\W+")


def corrupted(rng: Rng, steps: Sequence[str]) -> Iterator[tuple[int, list[str]]]:
    """Yields (position of the changed step, all steps with that one changed). The change need not make the step wrong.

    A number becomes a neighbouring number or one from elsewhere in the steps; a word becomes the word at the same place of
    another step of the same form.
    """
    pieces = [_PIECES.findall(step) for step in steps]
    numbers = sorted({piece for step in pieces for piece in step if _number(piece)})
    for _ in range(TRIES * len(steps)):
        k = rng.integer(0, len(steps) - 1)
        exchanges = list(islice(_exchanges(rng, pieces, k, numbers), 1))
        for place, other in exchanges:
            changed = pieces[k].copy()
            changed[place] = other
            yield k, [*steps[:k], "".join(changed), *steps[k + 1 :]]


def _exchanges(rng: Rng, pieces: list[list[str]], k: int, numbers: list[str]) -> Iterator[tuple[int, str]]:
    current_pieces = pieces[k]
    ways = rng.shuffled([("number", place) for place, piece in enumerate(current_pieces) if _number(piece)] + [("word", 0)] * 2)
    for kind, place in ways:
        if kind == "number":
            value = int(current_pieces[place])
            near = [str(value + 1), str(value - 1)] if value else ["1"]
            other = rng.choice(near) if rng.chance(0.5) else rng.choice(numbers)
            if other != current_pieces[place]:
                yield place, other
        else:
            like = pieces[rng.integer(0, len(pieces) - 1)]
            if len(like) == len(current_pieces) and [p for p in like if not _word(p)] == [p for p in current_pieces if not _word(p)]:
                differing = [i for i, (one, two) in enumerate(zip(current_pieces, like, strict=True)) if one != two]
                if differing:
                    place = rng.choice(differing)
                    yield place, like[place]


def _number(piece: str) -> bool:
    return piece.isascii() and piece.isdigit() and len(piece) < 16


def _word(piece: str) -> bool:
    return piece[0] == "_" or piece[0].isalnum()
