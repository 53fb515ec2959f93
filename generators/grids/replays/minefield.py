"""Replays of minesweeper boards."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import cached_property, reduce
from operator import or_

from rlgym.generators.grids import mines
from rlgym.generators.grids.clues import Budget
from rlgym.generators.grids.paper import Choice
from rlgym.generators.grids.replays.kernel import SIGNED_CELLS, Kernel, cell_at, parts


class Mines(Kernel):
    """A minesweeper board (mines.py); choices are a bit for a hidden cell and 1 for a mine."""

    def __init__(self, clues: mines.Sums, height: int, total: int | None, most: int) -> None:
        self.told, self.height, self.total, self.most = clues, height, total, most
        self.known = [0, 0]  # safe, mined
        self.numbers = {source: clues.sums[i] for i, source in enumerate(clues.sources)}
        self.bits = {cell: 1 << i for i, cell in enumerate(clues.hidden)}
        self.claim = re.compile(SIGNED_CELLS.format(signs="safe|mined"), re.ASCII)

    def copy(self) -> Mines:
        other = object.__new__(Mines)
        other.__dict__ |= self.__dict__ | {"known": self.known.copy()}
        return other

    def follows_by(self, claims: str, why: str) -> bool:
        [(cells, mark)] = self._read(claims)
        match = re.fullmatch(r"the (\d+) at (r\d+c\d+) (?:needs (\d+) more, and no other cell is left|has all its mines)", why)
        if not match:
            return False
        mask, count = self._number(match[1], match[2])
        need, free = self._mines_and_cells_left(mask, count)
        true = mark == (match[3] is not None) and need == (int(match[3]) if mark else 0) and (not mark or need == free.bit_count())
        return true and not cells & ~free and self._record(cells, mark)

    def follows_directly(self, claims: str) -> bool:
        return all(self._follows(cells, mark) and self._record(cells, mark) for cells, mark in self._read(claims))

    def suppose(self, claim: str) -> Choice:
        [(cells, mark)] = self._read(claim)
        if cells & cells - 1:
            raise ValueError("one cell is supposed at a time")
        self._record(cells, mark)
        return cells, mark

    def is_contradiction(self, what: str) -> bool:
        match = re.fullmatch(r"the (\d+) at (r\d+c\d+) (?:touches (\d+) mines?|can touch at most (\d+) mines?)", what)
        if not match:
            return False
        mask, count = self._number(match[1], match[2])
        need, free = self._mines_and_cells_left(mask, count)
        return count - need == int(match[3]) > count if match[3] else count - need + free.bit_count() == int(match[4]) < count

    def denies(self, claim: str, choice: Choice) -> bool:
        cells, mark = self.suppose(claim)
        return (cells, 1 - mark) == choice

    def is_exhaustive(self, choices: Sequence[Choice]) -> bool:
        return sorted(choices) == [(choices[0][0], 0), (choices[0][0], 1)]

    def follows(self, step: str) -> bool:
        return self._is_right_count(step) or super().follows(step)

    def _is_right_count(self, step: str) -> bool:
        """Whether a step about all arrangements, or about the total, is right."""
        tables, (mined, safe) = self._tables_and_certain_cells
        if match := re.fullmatch(r"The numbers that touch (.+) can be met with these numbers of mines there: (.+)\.", step):
            return (self._set(match[1]), match[2]) in [(part, ", ".join(map(str, table))) for part, table in tables]
        if match := re.fullmatch(r"Beyond these there are (\d+) hidden cells that touch no number\. There are (\d+) mines in all\.", step):
            return (int(match[1]), int(match[2])) == ((self.told.whole & ~self.told.touched).bit_count(), self.total)
        if match := re.fullmatch(r"In all arrangements with that total these cells are (mined|safe): (.+)\.", step):
            cells, mark = self._set(match[2]), match[1] == "mined"
            return not cells & ~(mined if mark else safe) and self._record(cells, mark)
        rest = "For each hidden cell not named so far, some arrangement that fits has a mine there and another has none."
        return step == rest and self.known == [safe, mined]

    @cached_property
    def _tables_and_certain_cells(self) -> tuple[list[mines.Table], tuple[int, int]]:
        tables = mines.tables_of(self.told, Budget(self.most))
        return tables, mines.certain_cells(self.told, tables, self.total)

    def _read(self, claims: str) -> list[tuple[int, int]]:
        found = []
        for part in parts(self.claim, claims, (", ",)):
            cells = self._set(part["cells"])
            if (part["verb"] == "is") != (cells & cells - 1 == 0):
                raise ValueError("one cell is, several are")
            found.append((cells, int(part["sign"] == "mined")))
        return found

    def _set(self, names: str) -> int:
        return reduce(or_, [self.bits[cell_at(name, self.height, self.told.width)] for name in names.split(", ")])

    def _number(self, count: str, place: str) -> tuple[int, int]:
        mask, real = self.numbers[cell_at(place, self.height, self.told.width)]
        if real != int(count):
            raise ValueError("the board shows another number there")
        return mask, real

    def _mines_and_cells_left(self, mask: int, count: int) -> tuple[int, int]:
        """How many mines a number needs still, and its cells that are open."""
        return count - (mask & self.known[1]).bit_count(), mask & ~self.known[0] & ~self.known[1]

    def _follows(self, cells: int, mark: int) -> bool:
        for mask, count in self.told.sums:
            need, free = self._mines_and_cells_left(mask, count)
            if not cells & ~free and need == (free.bit_count() if mark else 0):
                return True
        return False

    def _record(self, cells: int, mark: int) -> bool:
        self.known[mark] |= cells
        return True
