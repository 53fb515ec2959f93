"""Solutions of a run with their labels, round by round, from which a small verifier learns after each round."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

from rlgym import Rng


@dataclass
class SolutionPool:
    """Questions to the verifier and whether the solution in each is right, by the number of the round."""

    rounds: list[list[tuple[str, bool]]] = field(default_factory=list)

    def add(self, number: int, labelled: Sequence[tuple[str, bool]], keep: int) -> None:
        """Add solutions of a round, at most `keep` of each."""
        while len(self.rounds) <= number:
            self.rounds.append([])
        self.rounds[number] += labelled[: keep - len(self.rounds[number])]

    def batches(self, count: int, size: int, seed: int) -> Iterator[list[tuple[str, bool]]]:
        """Batches from all rounds alike, half of each right and half wrong where there are both; none from an empty pool."""
        rng = Rng("solutions", seed)
        kinds = [[[each for each in found if each[1] is right] for found in self.rounds] for right in (True, False)]
        kept = [[found for found in kind if found] for kind in kinds if any(kind)]
        for _ in range(count if kept else 0):
            yield [rng.choice(rng.choice(kept[place % len(kept)])) for place in range(size)]

    def state_dict(self) -> list[list[tuple[str, bool]]]:
        """The pool as plain data, for a checkpoint."""
        return self.rounds

    @classmethod
    def from_state_dict(cls, state: Any) -> SolutionPool:
        """The pool of a checkpoint."""
        return cls([[(str(text), bool(right)) for text, right in found] for found in state or []])
