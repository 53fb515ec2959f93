"""Grids of digits solved on paper: each deduction with its reason, suppositions where nothing else is left."""

from collections.abc import Sequence

from rlgym.generators.grids import latin
from rlgym.generators.grids.layout import place
from rlgym.generators.grids.latin import Rules


class _Dead(Exception):
    """The supposition has failed; the text says where."""


class _Paper:
    """A grid under work: what each cell can be, and which cells are written in."""

    def __init__(self, rules: Rules, can: list[int], done: list[bool]) -> None:
        self.rules, self.can, self.done = rules, can, done

    def copy(self) -> "_Paper":
        return _Paper(self.rules, self.can.copy(), self.done.copy())

    def name(self, cell: int) -> str:
        return place(cell, self.rules.size)

    def write(self, cell: int, bit: int) -> None:
        self.can[cell], self.done[cell] = bit, True
        for peer in self.rules.peers[cell]:
            if self.can[peer] & bit:
                self.cut(peer, ~bit)

    def cut(self, cell: int, mask: int) -> None:
        self.can[cell] &= mask
        if not self.can[cell]:
            raise _Dead(f"no digit is left for {self.name(cell)}")

    def next(self) -> tuple[str, str] | None:
        """Make one deduction; its short form and its reason, or None where there is none."""
        return self._naked() or self._hidden() or self._bound()

    def _naked(self) -> tuple[str, str] | None:
        for cell, mask in enumerate(self.can):
            if not self.done[cell] and not mask & mask - 1:
                seen = 0
                for peer in self.rules.peers[cell]:
                    seen |= self.can[peer] if self.done[peer] else 0
                others = self.rules.whole & ~seen & ~mask
                why = f"{listed(seen)} already in its {_lines(self.rules)}" if seen else ""
                if others:
                    why += f"{', and ' if why else ''}{listed(others)} ruled out before"
                self.write(cell, mask)
                return f"{self.name(cell)} = {mask.bit_length()}", why
        return None

    def _hidden(self) -> tuple[str, str] | None:
        for unit, name in zip(self.rules.units, self.rules.names):
            once = twice = 0
            for cell in unit:
                twice |= once & self.can[cell]
                once |= self.can[cell]
            if once != self.rules.whole:
                raise _Dead(f"no cell of {name} is left for {listed(self.rules.whole & ~once)}")
            only = once & ~twice
            for cell in unit:
                bit = self.can[cell] & only
                if bit and not self.done[cell]:
                    bit &= -bit
                    self.write(cell, bit)
                    return f"{self.name(cell)} = {bit.bit_length()}", f"no other cell of {name} can be {bit.bit_length()}"
        return None

    def _bound(self) -> tuple[str, str] | None:
        for low, high in self.rules.below:
            top, bottom = self.can[high].bit_length(), (self.can[low] & -self.can[low]).bit_length()
            why = f"{self.name(low)} < {self.name(high)}"
            if self.can[low].bit_length() >= top:
                self.cut(low, (1 << top - 1) - 1)
                return f"{self.name(low)} is at most {top - 1}", f"{why}, and {self.name(high)} is at most {top}"
            if (self.can[high] & -self.can[high]).bit_length() <= bottom:
                self.cut(high, -1 << bottom)
                return f"{self.name(high)} is at least {bottom + 1}", f"{why}, and {self.name(low)} is at least {bottom}"
        return None


def listed(mask: int) -> str:
    """The digits of a mask: 1, 3, 4."""
    return ", ".join(str(d + 1) for d in range(mask.bit_length()) if mask >> d & 1)


def _lines(rules: Rules) -> str:
    return "row, column or box" if len(rules.units) > 2 * rules.size else "row or column"


def explained(rules: Rules, digits: Sequence[int]) -> list[str]:
    """The way from the givens to the only solution, a deduction a step; the last cell is filled by the last step."""
    paper = _Paper(rules, latin.masks(rules, [0] * len(digits)), [False] * len(digits))
    for cell, digit in enumerate(digits):
        if digit:
            paper.write(cell, 1 << digit - 1)
    steps = ["r2c3 stands for the cell in row 2, column 3."]
    while not all(paper.done):
        made = paper.next()
        steps.append(f"{made[0]}: {made[1]}." if made else _supposed(paper))
    return steps


def _supposed(paper: _Paper) -> str:
    """Rule one digit out of one cell by a supposition that fails, the shallowest there is."""
    open_cells = sorted((c for c, done in enumerate(paper.done) if not done), key=lambda c: paper.can[c].bit_count())
    for depth in range(len(open_cells)):
        for cell in open_cells:
            for bit in _bits(paper.can[cell]):
                if depth == 0 and not _fails(paper, cell, bit):
                    continue
                said = _refuted(paper, cell, bit, depth)
                if said:
                    paper.cut(cell, ~bit)
                    return f"{said} So {paper.name(cell)} is not {bit.bit_length()}."
    raise ValueError("the puzzle has several solutions, so nothing more can be deduced")


def _fails(paper: _Paper, cell: int, bit: int) -> bool:
    can = paper.can.copy()
    can[cell] = bit
    return not latin.settle(paper.rules, can, [cell])


def _refuted(paper: _Paper, cell: int, bit: int, depth: int) -> str:
    """Why a cell cannot hold a digit, with up to `depth` suppositions inside the first; empty where they do not tell."""
    trial, forced = paper.copy(), []
    opening = f"Suppose {paper.name(cell)} = {bit.bit_length()}."
    try:
        trial.write(cell, bit)
        while made := trial.next():
            forced.append(made[0])
    except _Dead as dead:
        return f"{opening}{_then(forced)} Then {dead}: contradiction."
    if depth == 0 or all(trial.done):
        return ""
    inner = min((c for c, done in enumerate(trial.done) if not done), key=lambda c: trial.can[c].bit_count())
    cases = []
    for option in _bits(trial.can[inner]):
        said = _refuted(trial, inner, option, depth - 1)
        if not said:
            return ""
        cases.append(f"({said})")
    return f"{opening}{_then(forced)} Now {trial.name(inner)} is {listed(trial.can[inner])}, and each fails: {' '.join(cases)}"


def _then(forced: list[str]) -> str:
    return f" It follows one by one that {', '.join(forced)}." if forced else ""


def _bits(mask: int) -> list[int]:
    return [1 << d for d in range(mask.bit_length()) if mask >> d & 1]
