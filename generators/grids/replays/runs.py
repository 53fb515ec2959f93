"""Replays of runs of different digits with a sum."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from functools import reduce
from operator import or_
from typing import Any

from rlgym.core.task import Task
from rlgym.generators.grids import sums
from rlgym.generators.grids.paper import Choice
from rlgym.generators.grids.replays.kernel import DIGIT_CLAIM, Kernel, as_mask, kernel_solution, parts
from rlgym.solutions import Solution


class Runs(Kernel):
    """Runs of different digits with a sum (sums.py)."""

    def __init__(self, rules: sums.Sums, can: Sequence[int]) -> None:
        self.rules, self.can = rules, list(can)
        self.cells = {place: cell for cell, place in enumerate(rules.places)}
        self.runs = {name: run for run, name in enumerate(rules.names)}
        for cell, mask in enumerate(can):
            if not mask & mask - 1:
                self.can[cell] = mask

    def copy(self) -> Runs:
        other = object.__new__(Runs)
        other.__dict__ |= self.__dict__ | {"can": self.can.copy()}
        return other

    def follows_by(self, claims: str, why: str) -> bool:
        [(cell, word, mask)] = self._read(claims)
        if why == "no other digit is left for it":
            true = word == "=" and self.can[cell] == mask
        elif match := re.fullmatch(r"the ways left to make (\d+) in (.+) use only (\d+(?:, \d+)*)", why):
            run, only = self.runs[match[2]], as_mask(match[3], 9)
            true = word == "is not" and self.rules.totals[run] == int(match[1]) and sums.allowed_digits(self.rules, run, self.can) == only
            true = true and cell in self.rules.runs[run] and not mask & only
        else:
            return False
        return true and self._record(cell, word, mask)

    def follows_directly(self, claims: str) -> bool:
        return all(self._follows(cell, word, mask) and self._record(cell, word, mask) for cell, word, mask in self._read(claims))

    def suppose(self, claim: str) -> Choice:
        [(cell, word, mask)] = self._read(claim)
        if word != "=":
            raise ValueError("only digits are supposed")
        self._record(cell, word, mask)
        return cell, mask

    def is_contradiction(self, what: str) -> bool:
        if match := re.fullmatch(r"(.+) cannot have the sum (\d+) any more", what):
            run = self.runs[match[1]]
            return self.rules.totals[run] == int(match[2]) and not sums.allowed_digits(self.rules, run, self.can)
        return not self.can[self.cells[what.removeprefix("no digit is left for ")]]

    def denies(self, claim: str, choice: Choice) -> bool:
        [(cell, word, mask)] = self._read(claim)
        return word == "is not" and (cell, mask) == choice and self._record(cell, word, mask)

    def is_exhaustive(self, choices: Sequence[Choice]) -> bool:
        masks = reduce(or_, [mask for _, mask in choices])
        return len({cell for cell, _ in choices}) == 1 and not self.can[choices[0][0]] & ~masks

    def _read(self, claims: str) -> list[tuple[int, str, int]]:
        read = [(self.cells[part[1]], part[2], as_mask(part[3], 9)) for part in parts(DIGIT_CLAIM, claims, (", ",))]
        if any(word not in ("=", "is not") or (word == "=" and mask & mask - 1) for _, word, mask in read):
            raise ValueError("not what is said of digits in runs")
        return read

    def _follows(self, cell: int, word: str, mask: int) -> bool:
        if word == "=":
            return self.can[cell] == mask
        return any(not sums.allowed_digits(self.rules, run, self.can) & mask for run in self.rules.within[cell])

    def _record(self, cell: int, word: str, mask: int) -> bool:
        self.can[cell] &= mask if word == "=" else ~mask
        if word == "=":
            for run in self.rules.within[cell]:
                for other in self.rules.runs[run]:
                    if other != cell:
                        self.can[other] &= ~mask
        return True


def run_solution(puzzle: Callable[[Task[Any]], tuple[sums.Sums, list[int]]], closing: str) -> Solution[Any]:
    """The solution of runs with sums, from the rules and what each cell can be."""
    return kernel_solution(lambda task: sums.explain(*puzzle(task)), lambda task: Runs(*puzzle(task)), closing)
