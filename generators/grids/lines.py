"""Grids of two signs whose rows and columns each allow some patterns: nonogram, binario.

A pattern is an integer; its bit i tells whether the line's cell i is filled. A Board is, per row and per column, the
patterns still possible.
"""

from collections.abc import Iterator, Sequence
from functools import cache, reduce
from math import sqrt
from operator import and_, or_

from rlgym.core.rng import Rng
from rlgym.generators.grids.clues import Budget, TooMuchWork

Patterns = Sequence[int]
Board = tuple[list[Patterns], list[Patterns]]


@cache
def patterns_with_runs(runs: tuple[int, ...], length: int) -> tuple[int, ...]:
    """The patterns of a line whose filled cells form these runs, in order, with empty cells between them."""
    if not runs:
        return (0,)
    first, rest = runs[0], runs[1:]
    after = sum(rest) + len(rest)
    patterns = []
    for start in range(length - first - after + 1):
        used = start + first + bool(rest)
        patterns += [((1 << first) - 1) << start | more << used for more in patterns_with_runs(rest, length - used)]
    return tuple(patterns)


def runs_of(pattern: int) -> tuple[int, ...]:
    """The lengths of a pattern's runs of filled cells."""
    return tuple(len(run) for run in f"{pattern:b}"[::-1].split("0") if run)


@cache
def balanced_patterns(length: int) -> tuple[int, ...]:
    """The patterns with as many filled as empty cells and never three alike in a row."""
    full_mask = (1 << length) - 1

    def no_three(pattern: int) -> bool:
        return not pattern & pattern >> 1 & pattern >> 2

    half = [pattern for pattern in range(1 << length) if pattern.bit_count() * 2 == length]
    return tuple(pattern for pattern in half if no_three(pattern) and no_three(full_mask & ~pattern))


def transpose(lines: Sequence[int], length: int) -> list[int]:
    """The columns of a grid given by its rows, or the other way round."""
    return [sum((line >> i & 1) << j for j, line in enumerate(lines)) for i in range(length)]


def copy_board(board: Board) -> Board:
    return board[0].copy(), board[1].copy()


def fix_cell(board: Board, row: int, column: int, filled: int) -> None:
    """Keep only the patterns in which this cell is filled (1) or empty (0)."""
    for side, line, cell in ((0, row, column), (1, column, row)):
        board[side][line] = [pattern for pattern in board[side][line] if pattern >> cell & 1 == filled]


def propagate(board: Board, distinct: bool = False) -> bool:
    """Narrow every line to the patterns that fit what the crossing lines agree on; False where a line has none left.

    With `distinct` no two rows, and no two columns, are alike.
    """
    if not all(board[0]) or not all(board[1]):
        return False
    moving = True
    while moving:
        moving = False
        for lines, crossing in (board, board[::-1]):
            must, cannot = agreed_cells(lines, len(crossing))
            for j, patterns in enumerate(crossing):
                filled, empty = must[j], cannot[j]
                if len(patterns) > 1 or (patterns[0] & filled) != filled or patterns[0] & empty:
                    kept = [pattern for pattern in patterns if pattern & filled == filled and not pattern & empty]
                    if not kept:
                        return False
                    if len(kept) < len(patterns):
                        crossing[j], moving = kept, True
            if distinct and (changed := _remove_duplicates(crossing)) is not False:
                if changed is None:
                    return False
                moving = True
    return True


def _remove_duplicates(lines: list[Patterns]) -> bool | None:
    """Take the finished lines' patterns from the others; whether that changed a line, None where it emptied one."""
    done = [patterns[0] for patterns in lines if len(patterns) == 1]
    taken, changed = set(done), False
    if len(taken) < len(done):
        return None
    for j, patterns in enumerate(lines):
        if len(patterns) > 1:
            kept = [pattern for pattern in patterns if pattern not in taken]
            if not kept:
                return None
            if len(kept) < len(patterns):
                lines[j], changed = kept, True
    return changed


def agreed_cells(lines: Sequence[Patterns], length: int) -> tuple[list[int], list[int]]:
    """Per crossing line, the cells that these lines' patterns all fill, and those that none fills."""
    must, may = [reduce(and_, patterns) for patterns in lines], [reduce(or_, patterns) for patterns in lines]
    filled, empty = [0] * length, [0] * length
    for i, (sure, possible) in enumerate(zip(must, may)):
        bit, cannot = 1 << i, ~possible & (1 << length) - 1
        while sure:
            low = sure & -sure
            filled[low.bit_length() - 1] |= bit
            sure ^= low
        while cannot:
            low = cannot & -cannot
            empty[low.bit_length() - 1] |= bit
            cannot ^= low
    return filled, empty


def is_finished(board: Board) -> bool:
    return all(len(patterns) == 1 for patterns in board[0])


def undecided_cells(board: Board) -> list[tuple[int, int]]:
    """The cells on which some row's patterns differ, rows with few patterns first."""
    undecided = []
    for row in sorted(range(len(board[0])), key=lambda row: len(board[0][row])):
        patterns = board[0][row]
        if len(patterns) > 1:
            differ = reduce(or_, patterns) & ~reduce(and_, patterns)
            undecided += [(row, column) for column in range(len(board[1])) if differ >> column & 1]
    return undecided


def backtrack(board: Board, budget: Budget, distinct: bool = False, rng: Rng | None = None) -> Iterator[list[int]]:
    """Every solution of a propagated board, by backtracking, as its rows; an Rng shuffles the order of branches."""
    if is_finished(board):
        yield [patterns[0] for patterns in board[0]]
        return
    row, column = undecided_cells(board)[0]
    for filled in rng.shuffled((0, 1)) if rng else (1, 0):
        budget.spend()
        then = copy_board(board)
        fix_cell(then, row, column, filled)
        if propagate(then, distinct):
            yield from backtrack(then, budget, distinct, rng)


def first_two(board: Board, steps: int, distinct: bool = False) -> list[list[int]] | None:
    """Up to two solutions of a board, or None where finding or excluding the second takes more than `steps` suppositions."""
    trial = copy_board(board)
    if not propagate(trial, distinct):
        return []
    try:
        fillings = backtrack(trial, Budget(steps), distinct)
        return [rows for rows, _ in zip(fillings, range(2))]
    except TooMuchWork:
        return None


def plain_backtrack(board: Board, distinct: bool = False) -> Iterator[list[int]]:
    """Every solution by plain backtracking; the row or column with the fewest patterns left comes next."""
    height, width = len(board[0]), len(board[1])

    def tried(patterns_left: list[Patterns], done: dict[int, int]) -> Iterator[list[int]]:
        if len(done) == height + width:
            yield [done[row] for row in range(height)]
            return
        # One look at what the lines agree on keeps the tree small enough to walk through.
        for first, last, crossing in ((0, height, range(height, height + width)), (height, height + width, range(height))):
            filled, empty = agreed_cells(patterns_left[first:last], len(crossing))
            for i, line in enumerate(crossing):
                patterns_left[line] = [
                    pattern for pattern in patterns_left[line] if pattern & filled[i] == filled[i] and not pattern & empty[i]
                ]
                if not patterns_left[line]:
                    return
        line = min((i for i in range(height + width) if i not in done), key=lambda i: len(patterns_left[i]))
        same_lines = {done[i] for i in done if (i < height) == (line < height)} if distinct else set()
        for pattern in patterns_left[line]:
            if pattern not in same_lines:
                then = patterns_left.copy()
                then[line] = [pattern]
                yield from tried(then, {**done, line: pattern})

    if all(board[0]) and all(board[1]):
        yield from tried([*board[0], *board[1]], {})


def count_suppositions(board: Board, distinct: bool = False) -> int:
    """How many suppositions it takes to find the solution and to know that there is no other."""
    trial, budget = copy_board(board), Budget(10**9)
    propagate(trial, distinct)
    for _ in backtrack(trial, budget, distinct):
        continue
    return 10**9 - budget.left


def effort(board: Board, distinct: bool = False) -> float:
    """Work of a good solver: cells, patterns to look through, and a board's worth per supposition."""
    cells = len(board[0]) * len(board[1])
    looked = sum(sqrt(len(patterns)) for side in board for patterns in side)
    return cells + looked + count_suppositions(board, distinct) * cells
