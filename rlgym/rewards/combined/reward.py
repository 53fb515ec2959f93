"""What a combined reward sees, and the bounds by which it is known that a wrong answer never outranks a right one."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import NamedTuple

from rlgym.core.score import Outcome, Score


@dataclass(frozen=True, slots=True)
class Response:
    """A scored response: its text, its length in tokens, and the number of turns of its episode."""

    score: Score
    text: str = ""
    tokens: int = 0
    turns: int = 1

    @property
    def right(self) -> bool:
        """Whether it has the full score."""
        return self.score.outcome is Outcome.RIGHT

    @property
    def readable(self) -> bool:
        """Whether an answer was read and judged."""
        return self.score.outcome in (Outcome.RIGHT, Outcome.PARTIAL, Outcome.WRONG)


@dataclass(frozen=True, slots=True)
class Group:
    """The responses to one task, and the step of the run, counted from 0."""

    responses: tuple[Response, ...]
    step: int = 0

    @property
    def solve_rate(self) -> float:
        """The fraction of right responses."""
        return sum(response.right for response in self.responses) / len(self.responses)


class Bounds(NamedTuple):
    """The lowest and the highest value that a reward can have."""

    low: float
    high: float


UNIT = Bounds(0.0, 1.0)


@dataclass(frozen=True, slots=True)
class CombinedReward:
    """A reward of the response at a place in its group, with its bounds for right answers and for all others.

    ordered  within a group no wrong answer has a higher reward than a right one
    """

    compute: Callable[[Group, int], float]
    right: Bounds = UNIT
    wrong: Bounds = UNIT
    ordered: bool = False

    @property
    def bounds(self) -> Bounds:
        """The bounds for any answer."""
        return Bounds(min(self.right.low, self.wrong.low), max(self.right.high, self.wrong.high))

    @property
    def never_outranked(self) -> bool:
        """Whether no wrong answer can have a higher reward than a right one of its group."""
        return self.ordered or self.wrong.high <= self.right.low

    def __call__(self, group: Group, place: int) -> float:
        return self.compute(group, place)

    def of(self, score: Score, text: str = "", tokens: int = 0, step: int = 0) -> float:
        """The reward of a single response, which is a group by itself."""
        return self.compute(Group((Response(score, text, tokens),), step), 0)
