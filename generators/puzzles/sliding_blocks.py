"""Pieces that slide on a board: each is a set of cells, written as a number with one bit a cell; a search does not distinguish pieces of one form."""

from collections.abc import Callable, Iterator, Sequence

from rlgym.core.rng import Rng
from rlgym.generators.puzzles.move_puzzles import Plan

Pieces = tuple[int, ...]
Shape = tuple[tuple[int, int], ...]
Slides = Callable[[Pieces], list[tuple[str, Pieces]]]
NAMES = "ABCDEFGHIJKLMNOP"


def mask(shape: Shape, row: int, column: int, columns: int) -> int:
    return sum(1 << (row + r) * columns + column + c for r, c in shape)


def shape_of(piece: int) -> int:
    """The same for pieces of one form on one board, wherever they are."""
    return piece // (piece & -piece)


def slides(rows: int, columns: int) -> Slides:
    """The moves of a position by name: a piece, a direction and a number of cells."""
    full = (1 << rows * columns) - 1
    left_edge = sum(1 << row * columns for row in range(rows))
    ways = (
        ("l", left_edge, -1),
        ("r", left_edge << columns - 1, 1),
        ("u", (1 << columns) - 1, -columns),
        ("d", full ^ full >> columns, columns),
    )

    def options(state: Pieces) -> list[tuple[str, Pieces]]:
        taken, options = sum(state), []
        for k, piece in enumerate(state):
            rest = taken ^ piece
            for direction, edge, by in ways:
                moved, count = piece, 0
                while not moved & edge:
                    moved = moved << by if by > 0 else moved >> -by
                    if moved & rest:
                        break
                    count += 1
                    options.append((f"{NAMES[k].lower()}{direction}{count}", (*state[:k], moved, *state[k + 1 :])))
        return options

    return options


def canonical_state(state: Pieces) -> Callable[[Pieces], Pieces]:
    """The canonical form of a position, in which pieces of one form are interchangeable; the first piece is never exchanged."""
    groups = dict[int, list[int]]()
    for k, piece in enumerate(state):
        groups.setdefault(shape_of(piece) if k else 0, []).append(k)
    kinds = list(groups.values())
    return lambda state: tuple(piece for kind in kinds for piece in sorted([state[k] for k in kind]))


def breadth_first_search(
    start: Pieces, options: Slides, done: Callable[[Pieces], bool], work: int, *, backwards: bool = False
) -> Plan | None:
    """Breadth-first search for the fewest slides to a goal; None where there are none among the first `work` positions."""
    key = canonical_state(start)
    predecessors: dict[Pieces, tuple[Pieces, str] | None] = {start: None}
    seen, ring = {key(start)}, [start]
    while ring and len(seen) <= work:
        after = []
        for state in ring:
            if done(state):
                return _path_to(predecessors, state)
            successors = options(state)
            for name, other in reversed(successors) if backwards else successors:
                kind = key(other)
                if kind not in seen:
                    seen.add(kind)
                    predecessors[other] = (state, name)
                    after.append(other)
        ring = after
    return None


def _path_to(predecessors: dict[Pieces, tuple[Pieces, str] | None], state: Pieces) -> Plan:
    plan = list[str]()
    while (before := predecessors[state]) is not None:
        state, name = before
        plan.append(name)
    return tuple(plan[::-1])


def sample_packing(rng: Rng, rows: int, columns: int, first: Shape, shapes: Sequence[Shape], free: int) -> Pieces:
    """Pieces put down at random, beginning with `first`, until only `free` cells are left; single cells fill the rest."""
    high, wide = 1 + max(r for r, _ in first), 1 + max(c for _, c in first)
    state = [mask(first, rng.integer(0, rows - high), rng.integer(0, columns - wide), columns)]
    taken = state[0]
    for _ in range(40):
        shape = rng.choice(shapes)
        high, wide = 1 + max(r for r, _ in shape), 1 + max(c for _, c in shape)
        if high > rows or wide > columns or taken.bit_count() + len(shape) > rows * columns - free or len(state) == len(NAMES):
            continue
        piece = mask(shape, rng.integer(0, rows - high), rng.integer(0, columns - wide), columns)
        if not piece & taken:
            taken |= piece
            state.append(piece)
    cells = [cell for cell in range(rows * columns) if not taken >> cell & 1]
    singles = rng.sample(cells, max(0, min(len(cells) - free, len(NAMES) - len(state))))
    state.extend([1 << cell for cell in singles])
    return tuple(state)


def render_rows(state: Pieces, rows: int, columns: int) -> list[str]:
    """Rows of letters, one for each cell, with . for free ones."""
    cells = ["."] * (rows * columns)
    for k, piece in enumerate(state):
        for cell in cells_of(piece):
            cells[cell] = NAMES[k]
    return ["".join(cells[i : i + columns]) for i in range(0, len(cells), columns)]


def cells_of(piece: int) -> Iterator[int]:
    """The cells of a piece, in reading order."""
    while piece:
        yield (piece & -piece).bit_length() - 1
        piece &= piece - 1
