"""Deductions that solve a grid of two signs, line by line, in words."""

from collections.abc import Sequence
from functools import reduce
from operator import and_, or_

from rlgym.generators.grids.layout import place
from rlgym.generators.grids.lines import Board, copy_board, fix_cell, propagate, undecided_cells
from rlgym.generators.grids.paper import Choice, Contradiction, Paper, explain_deductions


def explain(
    board: Board,
    titles: tuple[Sequence[str], Sequence[str]],
    signs: tuple[str, str],
    distinct: bool = False,
    known: tuple[list[int], list[int]] | None = None,
) -> list[str]:
    """The way to the only solution. `titles` name rows and columns; `signs` say empty and filled: r2c3 is `filled`.

    `known` holds, per row, the cells given as empty and those given as filled.
    """
    none = [0] * len(board[0])
    return explain_deductions(_Lines(copy_board(board), known or (none, none.copy()), titles, signs, distinct))


class _Lines(Paper):
    """The patterns of each line, and per row the cells written in as empty and as filled; a choice is a cell and 0 or 1."""

    def __init__(
        self,
        board: Board,
        known: tuple[list[int], list[int]],
        titles: tuple[Sequence[str], Sequence[str]],
        signs: tuple[str, str],
        distinct: bool,
    ) -> None:
        self.board, self.known, self.titles, self.signs, self.distinct = board, known, titles, signs, distinct
        self.width = len(board[1])

    def copy(self) -> "_Lines":
        return _Lines(copy_board(self.board), (self.known[0].copy(), self.known[1].copy()), self.titles, self.signs, self.distinct)

    def open(self) -> list[tuple[Choice, ...]]:
        return [((row * self.width + column, 1), (row * self.width + column, 0)) for row, column in undecided_cells(self.board)]

    def assign(self, choice: Choice) -> None:
        row, column = divmod(choice[0], self.width)
        self.known[choice[1]][row] |= 1 << column
        for side, line, cell in ((0, row, column), (1, column, row)):
            self._keep(side, line, [pattern for pattern in self.board[side][line] if pattern >> cell & 1 == choice[1]])

    def eliminate(self, choice: Choice) -> None:
        self.assign((choice[0], 1 - choice[1]))

    def claim(self, choice: Choice) -> str:
        return f"{place(choice[0], self.width)} is {self.signs[choice[1]]}"

    def denial(self, choice: Choice) -> str:
        return self.claim((choice[0], 1 - choice[1]))

    def may_fail(self, choice: Choice) -> bool:
        trial = copy_board(self.board)
        fix_cell(trial, *divmod(choice[0], self.width), choice[1])
        return not propagate(trial, self.distinct)

    def next(self) -> tuple[str, str] | None:
        for side in (0, 1):
            for line in range(len(self.board[side])):
                if deduction := self._deduce_line(side, line):
                    return deduction
        return None

    def _keep(self, side: int, line: int, patterns: list[int]) -> None:
        if not patterns:
            raise Contradiction(f"nothing fits {self.titles[side][line]}")
        self.board[side][line] = patterns

    def _is_filled(self, side: int, line: int) -> bool:
        """Whether each cell of a line is written in."""
        if len(self.board[side][line]) > 1:
            return False
        known = [empty | filled for empty, filled in zip(*self.known)]
        return known[line] == (1 << self.width) - 1 if side == 0 else all(cells >> line & 1 for cells in known)

    def _deduce_line(self, side: int, line: int) -> tuple[str, str] | None:
        """What all patterns left of a line agree on and is not written in yet."""
        if self.distinct and not self._is_filled(side, line):
            same_lines = {patterns[0] for other, patterns in enumerate(self.board[side]) if self._is_filled(side, other)}
            self._keep(side, line, [pattern for pattern in self.board[side][line] if pattern not in same_lines])
        elif self.distinct:
            for other, patterns in enumerate(self.board[side]):
                if other != line and self._is_filled(side, other) and patterns[0] == self.board[side][line][0]:
                    raise Contradiction(f"{self.titles[side][line]} and {self.titles[side][other]} are alike")
        patterns = self.board[side][line]
        cells_by_sign: tuple[list[str], list[str]] = ([], [])
        for filled, cells in ((1, reduce(and_, patterns)), (0, ~reduce(or_, patterns))):
            for i in range(len(self.board[1 - side])):
                row, column = (line, i) if side == 0 else (i, line)
                if cells >> i & 1 and not self.known[filled][row] >> column & 1:
                    self.assign((row * self.width + column, filled))
                    cells_by_sign[filled].append(place(row * self.width + column, self.width))
        if not cells_by_sign[0] and not cells_by_sign[1]:
            return None
        claims = [
            f"{', '.join(cells)} {'is' if len(cells) == 1 else 'are'} {sign}" for cells, sign in zip(cells_by_sign, self.signs) if cells
        ]
        fits = f"fit{'s' if len(patterns) == 1 else ''} what is known so far"
        if self.distinct:
            fits += f" and differ{'s' if len(patterns) == 1 else ''} from every finished {('row', 'column')[side]}"
        if len(patterns) == 1:
            return " and ".join(claims), f"there is one way to fill {self.titles[side][line]} that {fits}"
        return " and ".join(claims), f"the {len(patterns)} ways to fill {self.titles[side][line]} that {fits} agree on this"
