"""Replays of houses in a row with clues about them."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from functools import reduce
from operator import or_
from typing import Any

from rlgym.core.task import Task
from rlgym.generators.arrangements import rows_of_houses as houses
from rlgym.generators.grids.paper import Choice
from rlgym.generators.grids.replays.kernel import Kernel, kernel_solution, parts
from rlgym.solutions import Solution


class Houses(Kernel):
    """Where each thing can be (rows_of_houses.py); a choice is a thing and the bit of a house."""

    def __init__(self, row: houses.Row) -> None:
        self.row = row
        self.can = [(1 << row.houses) - 1] * (row.houses * row.traits)
        self.things = {name: thing for thing, name in enumerate(row.names)}
        names = "|".join(re.escape(name) for name in sorted(row.names, key=len, reverse=True))
        self.claim = re.compile(rf"({names}) is (number \d+|not number \d+(?: or \d+)*)", re.ASCII)

    def copy(self) -> Houses:
        other = object.__new__(Houses)
        other.__dict__ |= self.__dict__ | {"can": self.can.copy()}
        return other

    def follows_by(self, claims: str, why: str) -> bool:
        [(thing, sure, mask)] = self._read(claims)
        if why == "no other number is left for it":
            true = sure and self.can[thing] == mask
        elif why == "nothing else of its kind can be there":
            true = sure and self._only(thing, mask)
        else:
            number = int(why.removeprefix("by clue "))
            true = not sure and number > 0 and why.startswith("by clue ") and self._clue_excludes(self.row.clues[number - 1], thing, mask)
        return true and self._record(thing, sure, mask)

    def follows_directly(self, claims: str) -> bool:
        for thing, sure, mask in self._read(claims):
            if sure:
                true = self.can[thing] == mask or self._only(thing, mask)
            else:
                true = any(self._clue_excludes(clue, thing, mask) for clue in self.row.clues)
            if not true:
                return False
            self._record(thing, sure, mask)
        return True

    def suppose(self, claim: str) -> Choice:
        [(thing, sure, mask)] = self._read(claim)
        if not sure:
            raise ValueError("places are supposed")
        self._record(thing, sure, mask)
        return thing, mask

    def is_contradiction(self, what: str) -> bool:
        if match := re.fullmatch(r"nothing like (.+) is left for number (\d+)", what):
            trait = self.row.of_trait(self.things[match[1]])
            return 0 < int(match[2]) <= self.row.houses and not any(self.can[thing] >> int(match[2]) - 1 & 1 for thing in trait)
        return not self.can[self.things[what.removeprefix("no number is left for ")]]

    def denies(self, claim: str, choice: Choice) -> bool:
        [(thing, sure, mask)] = self._read(claim)
        return not sure and (thing, mask) == choice and self._record(thing, sure, mask)

    def is_exhaustive(self, choices: Sequence[Choice]) -> bool:
        masks = reduce(or_, [mask for _, mask in choices])
        return len({thing for thing, _ in choices}) == 1 and not self.can[choices[0][0]] & ~masks

    def _read(self, claims: str) -> list[tuple[int, bool, int]]:
        """Claims as a thing, whether it is there or is not, and the houses."""
        found = []
        for part in parts(self.claim, claims, (", ",)):
            numbers = [int(number) for number in re.findall(r"\d+", part[2])]
            if numbers != sorted(set(numbers)) or not 1 <= numbers[0] <= numbers[-1] <= self.row.houses:
                raise ValueError(f"no numbers of houses: {part[2]!r}")
            found.append((self.things[part[1]], part[2].startswith("number"), sum(1 << number - 1 for number in numbers)))
        return found

    def _record(self, thing: int, sure: bool, mask: int) -> bool:
        if sure:
            self.can[thing] = mask
            for other in self.row.of_trait(thing):
                self.can[other] &= ~mask if other != thing else -1
        else:
            self.can[thing] &= ~mask
        return True

    def _only(self, thing: int, mask: int) -> bool:
        return bool(self.can[thing] & mask) and not any(self.can[other] & mask for other in self.row.of_trait(thing) if other != thing)

    def _clue_excludes(self, clue: houses.Clue, thing: int, mask: int) -> bool:
        """Whether a clue alone keeps a thing out of houses."""
        if thing not in clue.things:
            return False
        narrowed = houses.propagate_clue(clue, self.can)
        return any(other == thing and not after & mask for other, after in zip(clue.things, narrowed, strict=True))


def house_solution(row: Callable[[Task[Any]], houses.Row], closing: str) -> Solution[Any]:
    """The solution of a row of houses with clues."""
    return kernel_solution(lambda task: houses.explain(row(task)), lambda task: Houses(row(task)), closing)
