"""Grids whose cells are filled (#) or empty (.), with numbers at the lines and perhaps some cells known at first."""

from collections.abc import Callable, Iterator, Sequence
from functools import cache
from typing import Any

from rlgym.core.rng import Rng
from rlgym.core.task import Task
from rlgym.generators.drawing import pictures
from rlgym.generators.grids import bits, count_deductions, layout, replays
from rlgym.generators.grids.bits import Count
from rlgym.generators.grids.clues import Budget, drop_clues
from rlgym.generators.grids.layout import Cells
from rlgym.solutions import Solution

Known = tuple[str, ...]
"""Rows of # for filled, . for empty, ? for unknown cells."""


@cache
def lines(height: int, width: int) -> tuple[int, ...]:
    """The rows, then the columns, as sets of cells."""
    rows = [bits.as_set(range(r * width, (r + 1) * width)) for r in range(height)]
    return (*rows, *(bits.as_set(range(c, height * width, width)) for c in range(width)))


def line_names(height: int, width: int) -> list[str]:
    return [f"row {r + 1}" for r in range(height)] + [f"column {c + 1}" for c in range(width)]


def line_counts(counts: Sequence[int], height: int, width: int) -> list[Count]:
    """The rule for each line whose number of filled cells is given; -1 stands for one that is not."""
    named = zip(lines(height, width), counts, line_names(height, width), strict=True)
    return [Count(line, count, count, f"{name} has {count} filled") for line, count, name in named if count >= 0]


def render_line_counts(counts: Sequence[int], height: int, width: int) -> str:
    return "\n".join(f"{name}: {count}" for name, count in zip(line_names(height, width), counts) if count >= 0)


def find_miscount(answer: Cells, counts: Sequence[int]) -> str:
    """Which line has another number of filled cells than given; empty where none has."""
    filled = [line.count("#") for line in (*answer, *zip(*answer))]
    wrong = (i for i, (filled_count, count) in enumerate(zip(filled, counts, strict=True)) if count not in (-1, filled_count))
    at = next(wrong, None)
    return "" if at is None else f"{line_names(len(answer), len(answer[0]))[at]} has another number of filled cells than told"


def choose_clues(
    rng: Rng,
    make: Callable[[tuple[int, ...]], bits.Puzzle],
    numbers: Sequence[int],
    right: int,
    reasoning: str,
    percent: int,
    width: int,
    steps: int = bits.STEPS,
) -> tuple[tuple[int, ...], Known]:
    """The numbers to tell, `percent` of them or more, and the cells to tell, so that `right` is the one solution."""
    yes, no = bits.add_givens(rng, make(tuple(numbers)), right, reasoning, steps=steps)

    def only(kept: list[int]) -> tuple[int, ...]:
        kept_cells = set(kept)
        return tuple(number if i in kept_cells else -1 for i, number in enumerate(numbers))

    def fine(kept: list[int]) -> bool:
        return not bits.undetermined_cells(make(only(kept)), right, reasoning, yes, no, steps)

    puzzle = make(tuple(numbers))
    kept = drop_clues(rng.shuffled(range(len(numbers))), len(numbers) * percent // 100, fine)
    signs = ["#" if yes >> cell & 1 else "." if no >> cell & 1 else "?" for cell in range(puzzle.cells)]
    return only(kept), tuple("".join(row) for row in layout.rows_of(signs, width))


def count_suppositions(puzzle: bits.Puzzle, known: Known) -> int:
    """How many suppositions it takes to find the solution and to know that there is no other."""
    return bits.count_suppositions(puzzle, *known_sets(known))


def known_sets(known: Known) -> tuple[int, int]:
    """The cells known to be filled, and those known to be empty."""
    signs = "".join(known)
    filled, empty = (bits.as_set([cell for cell, sign in enumerate(signs) if sign == mark]) for mark in "#.")
    return filled, empty


def describe_known(known: Known) -> str:
    """What is known, as sentences for a prompt; empty where nothing is."""
    text = ""
    for cells, what in zip(known_sets(known), ("filled", "empty")):
        if cells:
            places = ", ".join(layout.place(cell, len(known[0])) for cell in bits.members(cells))
            text += f"\nKnown to be {what} (r2c3 is the cell in row 2, column 3): {places}."
    return text


def render_cells(filled: int, height: int, width: int) -> Cells:
    return layout.rows_of(["#" if filled >> cell & 1 else "." for cell in range(height * width)], width)


def solve(puzzle: bits.Puzzle, known: Known) -> Cells:
    return render_cells(next(bits.backtrack(puzzle, Budget(10**9), *known_sets(known))), len(known), len(known[0]))


def solve_with_z3(puzzle: bits.Puzzle, known: Known) -> Iterator[Cells]:
    for filled in bits.solve_with_z3(puzzle, *known_sets(known)):
        yield render_cells(filled, len(known), len(known[0]))


def near_misses(right: Cells, known: Known) -> list[Cells]:
    """Wrong fillings: cells exchanged, the grid turned, everything swapped, all filled as far as it is unknown."""
    swap = {"#": ".", ".": "#"}
    swapped = tuple(tuple(swap[cell] for cell in row) for row in right)
    full = tuple(tuple("#" if cell == "?" else cell for cell in row) for row in known)
    empty = tuple(tuple("." if cell == "?" else cell for cell in row) for row in known)
    return [*layout.exchange_neighbours(right, known, "?"), swapped, full, empty, right[::-1], tuple(zip(*right))]


def solution(puzzle: Callable[[Any], bits.Puzzle]) -> Solution[Any]:
    """The solution of tasks whose data `puzzle` reads, and whose field `known` holds the cells known at first."""

    def state(task: Task[Any]) -> replays.MarkPuzzle:
        known = task.data.known
        return replays.MarkPuzzle(puzzle(task.data), _words(known), *known_sets(known))

    return replays.mark_solution(state, "The grid is complete:\n{answer}")


def picture(
    known: Known,
    counts: Sequence[int],
    cells: Cells | None = None,
    regions: Sequence[int] | None = None,
    weights: tuple[Sequence[int], Sequence[int]] | None = None,
) -> str:
    """The grid with its lines' numbers; these stand right and below where `weights` stand left and above."""
    numbers = ["" if number < 0 else str(number) for number in counts]
    rows, columns = numbers[: len(known)], numbers[len(known) :]
    down, across = ([str(weight) for weight in side] for side in weights or ((), ()))
    filled, empty = (bits.members(side) for side in known_sets(known))
    return pictures.board(
        cells or [" " * len(known[0])] * len(known),
        regions=regions,
        shaded=filled,
        corners=dict.fromkeys(empty, "x"),
        left=down or rows,
        top=across or columns,
        right=rows if weights else (),
        bottom=columns if weights else (),
    )


def _words(known: Known) -> count_deductions.Words:
    places = [layout.place(cell, len(known[0])) for cell in range(len(known) * len(known[0]))]
    return count_deductions.Words([f"{place} is filled" for place in places], [f"{place} is empty" for place in places])
