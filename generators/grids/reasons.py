"""Grids of digits solved on paper: cells with one digit left, digits with one cell left, and what signs bound."""

from collections.abc import Sequence

from rlgym.generators.grids import latin
from rlgym.generators.grids.latin import Rules
from rlgym.generators.grids.layout import list_numbers, place
from rlgym.generators.grids.paper import Choice, Contradiction, Paper, deducing, explain_deductions


def explain(rules: Rules, digits: Sequence[int]) -> list[str]:
    """The way from the givens (0 is unknown) to the only solution."""
    paper = Digits(rules, latin.digit_masks(rules, [0] * len(digits)), [False] * len(digits))
    for cell, digit in enumerate(digits):
        if digit:
            paper.assign((cell, 1 << digit - 1))
    return explain_deductions(paper)


class Digits(Paper):
    """What each cell can be, as a mask of digits, and which cells are written in; a choice is a cell and one bit."""

    def __init__(self, rules: Rules, can: list[int], done: list[bool]) -> None:
        self.rules, self.can, self.done = rules, can, done

    def copy(self) -> "Digits":
        return Digits(self.rules, self.can.copy(), self.done.copy())

    def open(self) -> list[tuple[Choice, ...]]:
        cells = sorted((c for c, done in enumerate(self.done) if not done), key=lambda c: self.can[c].bit_count())
        return [tuple((c, 1 << d) for d in range(self.rules.size) if self.can[c] >> d & 1) for c in cells]

    def assign(self, choice: Choice) -> None:
        cell, bit = choice
        self.can[cell], self.done[cell] = bit, True
        for peer in self.rules.peers[cell]:
            if self.can[peer] & bit:
                self._cut(peer, ~bit)

    def eliminate(self, choice: Choice) -> None:
        self._cut(choice[0], ~choice[1])

    def claim(self, choice: Choice) -> str:
        return f"{self._name(choice[0])} = {choice[1].bit_length()}"

    def denial(self, choice: Choice) -> str:
        return f"{self._name(choice[0])} is not {choice[1].bit_length()}"

    def may_fail(self, choice: Choice) -> bool:
        can = self.can.copy()
        can[choice[0]] = choice[1]
        return not latin.propagate(self.rules, can, [choice[0]])

    def next(self) -> tuple[str, str] | None:
        return self._only_digit() or self._only_cell() or self._deduce_from_bound()

    def _name(self, cell: int) -> str:
        return place(cell, self.rules.size)

    def _cut(self, cell: int, mask: int) -> None:
        self.can[cell] &= mask
        if not self.can[cell]:
            raise Contradiction(f"no digit is left for {self._name(cell)}")

    def _only_digit(self) -> tuple[str, str] | None:
        for cell, mask in enumerate(self.can):
            if not self.done[cell] and not mask & mask - 1:
                seen = 0
                for peer in self.rules.peers[cell]:
                    seen |= self.can[peer] if self.done[peer] else 0
                others = self.rules.whole & ~seen & ~mask
                lines = "row, column or box" if len(self.rules.units) > 2 * self.rules.size else "row or column"
                why = [f"{list_numbers(seen)} already in its {lines}"] if seen else []
                why += [f"{list_numbers(others)} ruled out before"] if others else []
                with deducing(claim := self.claim((cell, mask))):
                    self.assign((cell, mask))
                return claim, ", and ".join(why)
        return None

    def _only_cell(self) -> tuple[str, str] | None:
        for unit, name in zip(self.rules.units, self.rules.names):
            at_least_once = twice = 0
            for cell in unit:
                twice |= at_least_once & self.can[cell]
                at_least_once |= self.can[cell]
            if at_least_once != self.rules.whole:
                raise Contradiction(f"no cell of {name} is left for {list_numbers(self.rules.whole & ~at_least_once)}")
            only = at_least_once & ~twice
            for cell in unit:
                bit = self.can[cell] & only
                if bit and not self.done[cell]:
                    bit &= -bit
                    with deducing(claim := self.claim((cell, bit))):
                        self.assign((cell, bit))
                    return claim, f"no other cell of {name} can be {bit.bit_length()}"
        return None

    def _deduce_from_bound(self) -> tuple[str, str] | None:
        for low, high in self.rules.below:
            top, bottom = self.can[high].bit_length(), (self.can[low] & -self.can[low]).bit_length()
            why = f"{self._name(low)} < {self._name(high)}"
            if self.can[low].bit_length() >= top:
                self._cut(low, (1 << top - 1) - 1)
                return f"{self._name(low)} is at most {top - 1}", f"{why}, and {self._name(high)} is at most {top}"
            if (self.can[high] & -self.can[high]).bit_length() <= bottom:
                self._cut(high, -1 << bottom)
                return f"{self._name(high)} is at least {bottom + 1}", f"{why}, and {self._name(low)} is at least {bottom}"
        return None
