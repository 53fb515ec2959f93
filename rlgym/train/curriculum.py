"""Which tasks come next: the mixture, levels that follow the policy, and more of what it is weak at.

A curriculum is a function of its seed and of the solve rates that it was told, so that its state, which is plain data, is all
that a checkpoint needs.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from rlgym import Rng
from rlgym.train.config import Adaptive, Tasks
from rlgym.train.scoring import Knobs, Pick

FLOOR = 0.1
"""What an environment that is always solved, or never, still gets of its share when weak ones are drawn more often."""
SLOW = 0.9
"""How much of the old estimate of a solve rate is kept when a group is added to it."""


@dataclass
class Arm:
    """One environment of the mixture.

    level     where adaptive levels stand
    rate      a running mean of the solve rates of groups, None before the first
    recent    the last solve rates at the present level, which decide whether it moves
    drawn     how many of its tasks have been drawn: the position in its endless data
    """

    name: str
    share: float
    levels: tuple[float, ...] | Adaptive
    knobs: Knobs
    level: float
    recent: deque[float]
    rate: float | None = None
    drawn: int = 0

    @property
    def key(self) -> str:
        """What tells it from the other arms."""
        return f"{self.name} {sorted(self.knobs.items())} {self.levels!r}"


class Curriculum:
    """Chooses the tasks of each step. `weakness` draws environments by how near to half their solve rate is."""

    def __init__(self, tasks: Sequence[Tasks], seed: int, sampling: str = "even") -> None:
        self.seed, self.weakness = seed, sampling == "weakness"
        self.arms = [_arm(part, name, part.weight / len(part.environments())) for part in tasks for name in part.environments()]

    def choose(self, step: int, count: int, again: int = 0) -> list[tuple[int, Pick]]:
        """The picks of a step, each with the arm that it belongs to; `again` counts the draws of the same step before this one."""
        rng = Rng("curriculum", self.seed, step, *([again] if again else []))
        weights = [round(1_000_000 * arm.share * self._want(arm)) + 1 for arm in self.arms]
        return [self._pick(rng, rng.weighted(range(len(self.arms)), weights)) for _ in range(count)]

    def _pick(self, rng: Rng, place: int) -> tuple[int, Pick]:
        arm = self.arms[place]
        level = arm.level if isinstance(arm.levels, Adaptive) else rng.choice(arm.levels)
        arm.drawn += 1
        return place, Pick(arm.name, level, arm.drawn, "train", arm.knobs)

    def _want(self, arm: Arm) -> float:
        if not self.weakness or arm.rate is None:
            return 1.0
        # A group teaches through the spread of its rewards, which is largest where half of the answers are right.
        return FLOOR + (1 - FLOOR) * 4 * arm.rate * (1 - arm.rate)

    def learn(self, place: int, level: float, rate: float) -> None:
        """Take note of the solve rate of one group of an arm."""
        arm = self.arms[place]
        arm.rate = rate if arm.rate is None else SLOW * arm.rate + (1 - SLOW) * rate
        if not isinstance(arm.levels, Adaptive) or level != arm.level:
            return
        arm.recent.append(rate)
        if len(arm.recent) < arm.levels.sight:
            return
        low, high = arm.levels.band
        mean = sum(arm.recent) / len(arm.recent)
        stride = arm.levels.stride * ((mean > high) - (mean < low))
        moved = round(min(arm.levels.most, max(arm.levels.least, arm.level + stride)), 6)
        if moved != arm.level:
            arm.level = moved
            arm.recent.clear()

    def state(self) -> dict[str, Any]:
        """All that is not in the configuration, as JSON-able data."""
        return {arm.key: {"level": arm.level, "recent": list(arm.recent), "rate": arm.rate, "drawn": arm.drawn} for arm in self.arms}

    def restore(self, state: dict[str, Any]) -> None:
        """Go on from where `state` was taken."""
        for arm in self.arms:
            found = state[arm.key]
            arm.level, arm.rate, arm.drawn = found["level"], found["rate"], found["drawn"]
            arm.recent = deque(found["recent"], maxlen=arm.recent.maxlen)

    def levels(self) -> dict[str, float]:
        """Where the adaptive levels stand."""
        return {arm.name: arm.level for arm in self.arms if isinstance(arm.levels, Adaptive)}


def _arm(part: Tasks, name: str, share: float) -> Arm:
    if isinstance(part.levels, Adaptive):
        return Arm(name, share, part.levels, part.knobs, part.levels.start, deque(maxlen=part.levels.sight))
    return Arm(name, share, tuple(part.levels), part.knobs, part.levels[0], deque(maxlen=1))


def exam(tasks: Sequence[Tasks], count: int, levels: Iterable[float] = ()) -> list[Pick]:
    """The held-out tasks of an evaluation: `count` of every environment at each of its levels, or at those given."""
    chosen = list(levels)
    picks: dict[tuple[Any, ...], Pick] = {}
    for part in tasks:
        for name in part.environments():
            for level in chosen or part.all_levels():
                for index in range(count):
                    key = (name, level, index, tuple(sorted(part.knobs.items())))
                    picks.setdefault(key, Pick(name, level, index, "test", part.knobs))
    return list(picks.values())
