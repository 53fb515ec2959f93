"""Replays of grids whose lines each allow some patterns."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

from rlgym.core.task import Task
from rlgym.generators.grids import bits, line_deductions, lines
from rlgym.generators.grids.paper import Choice
from rlgym.generators.grids.replays.kernel import SIGNED_CELLS, Kernel, cell_at, kernel_solution, parts
from rlgym.solutions import Solution


class Patterns(Kernel):
    """Lines that allow some patterns (lines.py). Give what `lines.explained` was given; patterns are those at the beginning."""

    def __init__(
        self,
        board: lines.Board,
        titles: tuple[Sequence[str], Sequence[str]],
        signs: tuple[str, str],
        distinct: bool = False,
        known: tuple[list[int], list[int]] | None = None,
    ) -> None:
        self.signs, self.distinct = signs, distinct
        self.height, self.width = len(board[0]), len(board[1])
        self.patterns = (*board[0], *board[1])
        self.titles = {title: i for i, title in enumerate([*titles[0], *titles[1]])}
        self.claim = re.compile(SIGNED_CELLS.format(signs="|".join(map(re.escape, signs))), re.ASCII)
        # For each line, rows before columns, the cells known as empty and as filled.
        self.known = [[0] * len(self.patterns) for _ in signs]
        for mark, rows in enumerate(known or ()):
            for row, cells in enumerate(rows):
                for column in bits.members(cells):
                    self._record(row * self.width + column, mark)

    def copy(self) -> Patterns:
        other = object.__new__(Patterns)
        other.__dict__ |= self.__dict__ | {"known": [side.copy() for side in self.known]}
        return other

    def follows_by(self, claims: str, why: str) -> bool:
        match = re.fullmatch(r"(?:there is (one) way|the (\d+) ways) to fill (.+) that (fits?) what is known so far(.*)", why)
        if not match:
            return False
        line = self.titles[match[3]]
        ways = self._fitting_patterns(line)
        is_fit = match[1] is not None
        distinct_text = (
            f" and differ{'s' * is_fit} from every finished {'row' if line < self.height else 'column'}" if self.distinct else ""
        )
        agree = " agree on this" * (not is_fit)
        if (match[4] == "fits") != is_fit or match[5] != distinct_text + agree or len(ways) != int(match[2] or 1):
            return False
        return all(
            self._patterns_agree(line, ways, cell, mark) and self._record(cell, mark)
            for cells, mark in self._read(claims)
            for cell in cells
        )

    def follows_directly(self, claims: str) -> bool:
        for cells, mark in self._read(claims):
            first = cells[0]
            for line in (first // self.width, self.height + first % self.width):
                ways = self._fitting_patterns(line)
                if ways and all(self._patterns_agree(line, ways, cell, mark) for cell in cells):
                    break
            else:
                return False
            for cell in cells:
                self._record(cell, mark)
        return True

    def suppose(self, claim: str) -> Choice:
        [(cells, mark)] = self._read(claim)
        [cell] = cells
        self._record(cell, mark)
        return cell, mark

    def is_contradiction(self, what: str) -> bool:
        if match := re.fullmatch(r"nothing fits (.+)", what):
            line = self.titles[match[1]]
            return not self._fitting_patterns(line) or not self._fitting_patterns(line, self._cells_from_crossing_lines(line))
        line_a, _, two = what.removesuffix(" are alike").partition(" and ")
        pair = [self.titles[line_a], self.titles[two]]
        finished = [self._is_finished(line) for line in pair]
        same_side = (pair[0] < self.height) == (pair[1] < self.height) and pair[0] != pair[1]
        return (
            self.distinct
            and what.endswith(" are alike")
            and same_side
            and all(finished)
            and len({self.known[1][line] for line in pair}) == 1
        )

    def denies(self, claim: str, choice: Choice) -> bool:
        cell, mark = self.suppose(claim)
        return (cell, 1 - mark) == choice

    def is_exhaustive(self, choices: Sequence[Choice]) -> bool:
        return sorted(choices) == [(choices[0][0], 0), (choices[0][0], 1)]

    def _read(self, claims: str) -> list[tuple[list[int], int]]:
        found = []
        for part in parts(self.claim, claims, (", ", " and ")):
            cells = [cell_at(name, self.height, self.width) for name in part["cells"].split(", ")]
            if (part["verb"] == "is") != (len(cells) == 1):
                raise ValueError("one cell is, several are")
            found.append((cells, self.signs.index(part["sign"])))
        return found

    def _record(self, cell: int, mark: int) -> bool:
        row, column = divmod(cell, self.width)
        self.known[mark][row] |= 1 << column
        self.known[mark][self.height + column] |= 1 << row
        return True

    def _is_finished(self, line: int) -> bool:
        return self.known[0][line] | self.known[1][line] == (1 << (self.width if line < self.height else self.height)) - 1

    def _fitting_patterns(self, line: int, more: tuple[int, int] = (0, 0)) -> list[int]:
        """The patterns that fit a line, with `more` cells of it empty and filled."""
        empty, filled = self.known[0][line] | more[0], self.known[1][line] | more[1]
        ways = [pattern for pattern in self.patterns[line] if pattern & filled == filled and not pattern & empty]
        if self.distinct:
            side = range(self.height) if line < self.height else range(self.height, self.height + self.width)
            same_lines = {self.known[1][other] for other in side if other != line and self._is_finished(other)}
            ways = [pattern for pattern in ways if pattern not in same_lines]
        return ways

    def _patterns_agree(self, line: int, ways: list[int], cell: int, mark: int) -> bool:
        row, column = divmod(cell, self.width)
        at = column if line == row else row if line == self.height + column else None
        return at is not None and all(pattern >> at & 1 == mark for pattern in ways)

    def _cells_from_crossing_lines(self, line: int) -> tuple[int, int]:
        """The cells of a line that crossing lines each leave empty, and those that they fill."""
        empty = filled = 0
        row = line < self.height
        at = line if row else line - self.height
        for i, other in enumerate(range(self.height, self.height + self.width) if row else range(self.height)):
            ways = self._fitting_patterns(other)
            filled |= all(pattern >> at & 1 for pattern in ways) << i
            empty |= (not any(pattern >> at & 1 for pattern in ways)) << i
        return empty, filled


class LinePuzzle(NamedTuple):
    """A grid of two signs: the patterns of its lines, their titles, the signs, whether lines differ, and the known cells of each row."""

    board: lines.Board
    titles: tuple[Sequence[str], Sequence[str]]
    signs: tuple[str, str]
    distinct: bool = False
    known: tuple[list[int], list[int]] | None = None


def pattern_solution(puzzle: Callable[[Task[Any]], LinePuzzle], closing: str) -> Solution[Any]:
    """The solution of grids whose lines each allow some patterns."""
    return kernel_solution(lambda task: line_deductions.explain(*puzzle(task)), lambda task: Patterns(*puzzle(task)), closing)
