"""Crosswords: words laid across one another, the places for words on a board, and what a crossing leaves of two of them."""

from collections.abc import Sequence
from functools import lru_cache

from rlgym.core.rng import Rng
from rlgym.generators.grids.domains import Masks, Narrow, bits_of

Place = tuple[int, ...]  # cells


def sample_crossword(rng: Rng, bank: Sequence[str], count: int) -> tuple[str, ...] | None:
    """A crossword grown from one word, each further one across an earlier one; None where too few fit."""
    board: dict[tuple[int, int], str] = {(0, i): letter for i, letter in enumerate(rng.choice(bank))}
    laid = 1
    for _ in range(60 * count):
        if laid == count:
            break
        row, column = rng.choice(sorted(board))
        down = (row, column - 1) in board or (row, column + 1) in board
        word = rng.choice(bank)
        at = word.find(board[row, column])
        if at < 0 or (down and ((row - 1, column) in board or (row + 1, column) in board)):
            continue
        dr, dc = (1, 0) if down else (0, 1)
        cells = [(row + (i - at) * dr, column + (i - at) * dc) for i in range(len(word))]
        if _fits(board, cells, word, dr, dc):
            board.update(zip(cells, word, strict=True))
            laid += 1
    if laid < count:
        return None
    rows, columns = sorted({r for r, _ in board}), sorted({c for _, c in board})
    if len(rows) > 24 or len(columns) > 24:
        return None
    return tuple("".join(board.get((r, c), "#") for c in range(columns[0], columns[-1] + 1)) for r in range(rows[0], rows[-1] + 1))


def _fits(board: dict[tuple[int, int], str], cells: Sequence[tuple[int, int]], word: str, dr: int, dc: int) -> bool:
    """Whether a word can lie so that it makes no other words by touching any."""
    (r, c), (s, d) = cells[0], cells[-1]
    if (r - dr, c - dc) in board or (s + dr, d + dc) in board:
        return False
    for (row, column), letter in zip(cells, word, strict=True):
        there = board.get((row, column))
        has_neighbour = (row + dc, column + dr) in board or (row - dc, column - dr) in board
        if there != letter and (there or has_neighbour):
            return False
    return True


@lru_cache(maxsize=64)
def find_slots(given: tuple[str, ...]) -> list[Place]:
    """The places for words: those across row by row, then those down column by column."""
    height, width = len(given), len(given[0])
    across = [[r * width + c for c in range(width)] for r in range(height)]
    down = [[r * width + c for r in range(height)] for c in range(width)]
    slots, flat = [], "".join(given)
    for line in across + down:
        run: list[int] = []
        for cell in [*line, -1]:
            if cell >= 0 and flat[cell] != "#":
                run.append(cell)
                continue
            if len(run) > 1:
                slots.append(tuple(run))
            run = []
    return slots


def crossing_constraint(words: Sequence[str], domain_masks: Sequence[int], a: int, b: int, i: int, j: int) -> Narrow:
    """Restricts two slots, whose letters i and j share a cell, to the words that agree there."""
    with_letter: dict[str, list[int]] = {}
    for at, where, k in ((a, i, 0), (b, j, 1)):
        for v in bits_of(domain_masks[at]):
            with_letter.setdefault(words[v][where], [0, 0])[k] |= 1 << v

    def narrow(can: Masks) -> bool:
        mask_a, two = can[a], can[b]
        fine = [masks for masks in with_letter.values() if masks[0] & mask_a and masks[1] & two]
        can[a] = mask_a & sum(masks[0] for masks in fine)
        can[b] = two & sum(masks[1] for masks in fine)
        return bool(fine)

    return narrow
