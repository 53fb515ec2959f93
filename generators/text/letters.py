"""Words in grids of letters: made-up words that can be spoken, places of words, and words that cross."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from rlgym.core.rng import Rng

VOWELS, CONSONANTS = "AEIOU", "BDFGKLMNPRSTVZ"
DIRECTIONS = {"E": (0, 1), "S": (1, 0), "SE": (1, 1), "NE": (-1, 1), "W": (0, -1), "N": (-1, 0), "NW": (-1, -1), "SW": (1, -1)}
"""Compass directions, plain ones first."""


def spoken(rng: Rng, length: int) -> str:
    """A made-up word of consonants and vowels in turn."""
    first = rng.integer(0, 1)
    return "".join(rng.choice(VOWELS if (i + first) % 2 else CONSONANTS) for i in range(length))


def exchange_letter(rng: Rng, word: str) -> str:
    """The word with one letter exchanged for another of its kind."""
    at = rng.integer(0, len(word) - 1)
    like = VOWELS if word[at] in VOWELS else CONSONANTS
    return word[:at] + rng.choice(like.replace(word[at], "")) + word[at + 1 :]


def along(start: int, direction: str, length: int, height: int, width: int, wrap: bool) -> list[int] | None:
    """The cells of a word from its first letter on; None where it would leave the grid, or meet itself."""
    down, right = DIRECTIONS[direction]
    r, c = divmod(start, width)
    end_r, end_c = r + down * (length - 1), c + right * (length - 1)
    if not wrap and not (0 <= end_r < height and 0 <= end_c < width):
        return None
    cells = [(r + down * k) % height * width + (c + right * k) % width for k in range(length)]
    return cells if len(set(cells)) == length else None


def find(word: str, grid: Sequence[str], directions: Sequence[str], wrap: bool) -> Iterator[tuple[int, str]]:
    """Where a word stands: its first cell and its direction."""
    height, width = len(grid), len(grid[0])
    signs = "".join(grid)
    for start, sign in enumerate(signs):
        if sign == word[0]:
            for direction in directions:
                cells = along(start, direction, len(word), height, width, wrap)
                if cells and all(signs[cell] == letter for cell, letter in zip(cells, word)):
                    yield start, direction


def squares(words: Sequence[str]) -> Iterator[tuple[str, ...]]:
    """Every square of these words, all of one length, that reads the same across and down and holds no word twice."""
    size = len(words[0])
    begins: dict[str, list[str]] = {}
    for word in words:
        for k in range(size + 1):
            begins.setdefault(word[:k], []).append(word)

    def going(rows: tuple[str, ...]) -> Iterator[tuple[str, ...]]:
        if len(rows) == size:
            yield rows
            return
        for word in begins.get("".join(row[len(rows)] for row in rows), ()):
            if word not in rows:
                more = (*rows, word)
                if all("".join(row[k] for row in more) in begins for k in range(len(more), size)):
                    yield from going(more)

    yield from going(())
