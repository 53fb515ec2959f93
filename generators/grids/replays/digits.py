"""Replays of squares of digits, with signs between cells or with tables."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from functools import reduce
from operator import and_, or_
from typing import Any

from rlgym.core.task import Task
from rlgym.generators.grids import latin, reasons, tables
from rlgym.generators.grids.paper import Choice
from rlgym.generators.grids.replays.kernel import DIGIT_CLAIM, Kernel, as_mask, cell_at, kernel_solution, parts
from rlgym.solutions import Solution

_ONE_CELL = re.compile(r"no other cell of (.+) can be (\d+)")
_SIGN = re.compile(r"(r\d+c\d+) < (r\d+c\d+), and (r\d+c\d+) is at (most|least) (\d+)")
_TABLE = re.compile(r"no filling left for (.+) allows it", re.DOTALL)
_ONE_DIGIT = re.compile(
    r"(?:(?P<seen>\d+(?:, \d+)*) already in its (?P<lines>row or column|row, column or box))?(?:, and )?(?:(?P<gone>\d+(?:, \d+)*) ruled out before)?"
)


class Digits(Kernel):
    """Digits under the rules of lines, with signs between cells (reasons.py) and with tables (tables.py); 0 is an unknown digit."""

    def __init__(self, rules: latin.Rules, digits: Sequence[int], known: Sequence[tables.Table] = ()) -> None:
        self.rules, self.tables = rules, {table.name: table for table in known}
        self.units = dict(zip(rules.names, rules.units, strict=True))
        self.can, self.done = latin.digit_masks(rules, [0] * len(digits)), [False] * len(digits)
        for cell, digit in enumerate(digits):
            if digit:
                self._take(cell, 1 << digit - 1)

    def copy(self) -> Digits:
        other = object.__new__(Digits)
        other.__dict__ |= self.__dict__ | {"can": self.can.copy(), "done": self.done.copy()}
        return other

    def follows_by(self, claims: str, why: str) -> bool:
        read = self._read(claims)
        if match := _TABLE.fullmatch(why):
            table = self.tables[match[1]]
            options = self._remaining_digits(table)
            return all(word == "is not" and not options[cell] & mask and self._record(cell, word, mask) for cell, word, mask in read)
        [(cell, word, mask)] = read
        if match := _ONE_CELL.fullmatch(why):
            unit = self.units[match[1]]
            true = (
                word == "=" and mask == 1 << int(match[2]) - 1 and cell in unit and not any(self.can[c] & mask for c in unit if c != cell)
            )
        elif match := _SIGN.fullmatch(why):
            true = self._is_sign_deduction(cell, word, mask, match)
        elif match := _ONE_DIGIT.fullmatch(why):
            seen, removed = as_mask(match["seen"], self.rules.size), as_mask(match["gone"], self.rules.size)
            near = reduce(or_, [self.can[peer] for peer in self.rules.peers[cell] if self.done[peer]], 0)
            lines_named = "row, column or box" if len(self.rules.units) > 2 * self.rules.size else "row or column"
            true = word == "=" and not seen & ~near and not removed & self.can[cell] and seen ^ removed ^ mask == self.rules.whole
            true = true and match["lines"] in (None, lines_named) and why != ""
        else:
            return False
        return true and self._record(cell, word, mask)

    def follows_directly(self, claims: str) -> bool:
        return all(self._follows(cell, word, mask) and self._record(cell, word, mask) for cell, word, mask in self._read(claims))

    def suppose(self, claim: str) -> Choice:
        [(cell, word, mask)] = self._read(claim)
        if word != "=":
            raise ValueError("only digits are supposed")
        self._take(cell, mask)
        return cell, mask

    def is_contradiction(self, what: str) -> bool:
        if match := re.fullmatch(r"no digit is left for (r\d+c\d+)", what):
            return self._has_no_candidate(cell_at(match[1], self.rules.size, self.rules.size))
        if match := re.fullmatch(r"no cell of (.+) is left for (\d+(?:, \d+)*)", what):
            return not any(self.can[cell] & as_mask(match[2], self.rules.size) for cell in self.units[match[1]])
        table = self.tables[what.removesuffix(" cannot be filled any more")]
        return what.endswith(" cannot be filled any more") and not self._remaining_digits(table)[table.cells[0]]

    def denies(self, claim: str, choice: Choice) -> bool:
        [(cell, word, mask)] = self._read(claim)
        return word == "is not" and (cell, mask) == choice and self._record(cell, word, mask)

    def is_exhaustive(self, choices: Sequence[Choice]) -> bool:
        masks = reduce(or_, [mask for _, mask in choices])
        return len({cell for cell, _ in choices}) == 1 and not self.can[choices[0][0]] & ~masks

    def _read(self, claims: str) -> list[tuple[int, str, int]]:
        """Claims as a cell, its relation, and digits: those that it is or is not, or that a bound leaves."""
        found, size = [], self.rules.size
        for part in parts(DIGIT_CLAIM, claims, (", ", "; ")):
            mask = as_mask(part[3], size)
            if part[2] != "is not" and mask & mask - 1:
                raise ValueError("one digit is expected")
            if part[2] == "is at most":
                mask |= mask - 1
            elif part[2] == "is at least":
                mask = self.rules.whole & ~(mask - 1)
            found.append((cell_at(part[1], size, size), part[2], mask))
        return found

    def _record(self, cell: int, word: str, mask: int) -> bool:
        if word == "=":
            self._take(cell, mask)
        else:
            self.can[cell] &= ~mask if word == "is not" else mask
        return True

    def _take(self, cell: int, mask: int) -> None:
        self.can[cell], self.done[cell] = mask, True
        for peer in self.rules.peers[cell]:
            self.can[peer] &= ~mask

    def _remaining_digits(self, table: tables.Table) -> dict[int, int]:
        """What each cell of a table can be, by the fillings left of it."""
        masks = [self.can[cell] for cell in table.cells]
        kept = [row for row in table.fillings if all(map(and_, row, masks))]
        return {cell: reduce(or_, [row[i] for row in kept], 0) for i, cell in enumerate(table.cells)}

    def _is_sign_deduction(self, cell: int, word: str, mask: int, match: re.Match[str]) -> bool:
        low, high, other = (cell_at(match[i], self.rules.size, self.rules.size) for i in (1, 2, 3))
        limit = int(match[5])
        if (low, high) not in self.rules.below or word != f"is at {match[4]}" or {cell, other} != {low, high}:
            return False
        if match[4] == "most":
            return cell == low and self.can[high].bit_length() <= limit and mask == (1 << limit - 1) - 1
        return cell == high and _least_digit(self.can[low]) >= limit and mask == self.rules.whole & -1 << limit

    def _follows(self, cell: int, word: str, mask: int) -> bool:
        if word == "=":
            return self.can[cell] == mask or self._is_only_place(cell, mask)
        if word == "is not":
            near = (table for table in self.tables.values() if cell in table.cells)
            return any(not self._remaining_digits(table)[cell] & mask for table in near)
        if word == "is at most":
            return any(low == cell and not (1 << self.can[high].bit_length() - 1) - 1 & ~mask for low, high in self.rules.below)
        return any(high == cell and not self.rules.whole & -1 << _least_digit(self.can[low]) & ~mask for low, high in self.rules.below)

    def _is_only_place(self, cell: int, mask: int) -> bool:
        """Whether no other cell of some unit can hold a digit."""
        units = (unit for unit in self.rules.units if cell in unit)
        return any(not any(self.can[other] & mask for other in unit if other != cell) for unit in units)

    def _has_no_candidate(self, cell: int) -> bool:
        """Whether no digit is left for a cell, now or by a sign."""
        options = self.can[cell]
        tops = [(1 << self.can[high].bit_length() - 1) - 1 for low, high in self.rules.below if low == cell and self.can[high]]
        floors = [-1 << _least_digit(self.can[low]) for low, high in self.rules.below if high == cell and self.can[low]]
        return not options or any(not options & bound for bound in tops + floors)


def _least_digit(mask: int) -> int:
    return (mask & -mask).bit_length()


def latin_solution(givens: Callable[[Task[Any]], tuple[latin.Rules, list[int]]], closing: str) -> Solution[Any]:
    """The solution of squares of digits, from their rules and the given digits, 0 for unknown ones."""
    return kernel_solution(lambda task: reasons.explain(*givens(task)), lambda task: Digits(*givens(task)), closing)


def table_solution(givens: Callable[[Task[Any]], tuple[tables.Puzzle, list[int]]], closing: str) -> Solution[Any]:
    """The solution of squares of digits with tables, from the puzzle and the given digits, 0 for unknown ones."""

    def kernel(task: Task[Any]) -> Digits:
        puzzle, digits = givens(task)
        return Digits(puzzle.rules, digits, puzzle.tables)

    return kernel_solution(lambda task: tables.explain(*givens(task)), kernel, closing)
