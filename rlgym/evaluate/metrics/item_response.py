"""Item-response fits: the difficulty of each task and the ability of each model on one scale, with intervals.

The Rasch model: a model of ability t solves a task of difficulty b with probability 1 / (1 + exp(b - t)). Both are estimated together by Newton steps with
weak normal priors, so that tasks which all or no models solve have finite difficulties. Difficulties have the mean 0.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from rlgym.core.intervals import Z_95

Counts = Mapping[tuple[str, str], tuple[int, int]]
"""(model, task) -> (samples, right ones)."""

ROUNDS, TOLERANCE = 500, 1e-8
DIFFICULTY_SPREAD, ABILITY_SPREAD = 3.0, 6.0
"""Standard deviations of the priors."""


@dataclass(frozen=True, slots=True)
class Measure:
    """An estimate on the logit scale and its interval of 95 percent, given the other side's estimates."""

    mean: float
    low: float
    high: float


@dataclass(frozen=True, slots=True)
class ItemFit:
    """Abilities of models and difficulties of tasks."""

    abilities: dict[str, Measure]
    difficulties: dict[str, Measure]


def fit_items(counts: Counts) -> ItemFit:
    """Fit the Rasch model. ValueError without a sample, or for impossible counts."""
    if not counts or any(samples < 1 or not 0 <= right <= samples for samples, right in counts.values()):
        raise ValueError("an item-response fit needs samples, and between none and all of them right")
    models, tasks = (sorted({key[side] for key in counts}) for side in (0, 1))
    place = [{name: number for number, name in enumerate(names)} for names in (models, tasks)]
    samples, right = np.zeros((len(models), len(tasks))), np.zeros((len(models), len(tasks)))
    for (model, task), (count, solved) in counts.items():
        samples[place[0][model], place[1][task]] = count
        right[place[0][model], place[1][task]] = solved
    ability, difficulty = np.zeros(len(models)), np.zeros(len(tasks))
    weight = samples
    for _ in range(ROUNDS):
        before = np.concatenate([ability, difficulty])
        rate = _sigmoid(ability[:, None] - difficulty[None, :])
        weight = samples * rate * (1 - rate)
        ability = ability + _step((right - samples * rate).sum(1) - ability / ABILITY_SPREAD**2, weight.sum(1) + 1 / ABILITY_SPREAD**2)
        rate = _sigmoid(ability[:, None] - difficulty[None, :])
        weight = samples * rate * (1 - rate)
        gradient = (samples * rate - right).sum(0) - difficulty / DIFFICULTY_SPREAD**2
        difficulty = difficulty + _step(gradient, weight.sum(0) + 1 / DIFFICULTY_SPREAD**2)
        shift = difficulty.mean()
        ability, difficulty = ability - shift, difficulty - shift
        if np.abs(np.concatenate([ability, difficulty]) - before).max() < TOLERANCE:
            break
    errors = (1 / np.sqrt(weight.sum(1) + 1 / ABILITY_SPREAD**2), 1 / np.sqrt(weight.sum(0) + 1 / DIFFICULTY_SPREAD**2))
    return ItemFit(_measures(models, ability, errors[0]), _measures(tasks, difficulty, errors[1]))


def _step(gradient: Any, curvature: Any) -> Any:
    """A Newton step, bounded so that the first ones do not overshoot."""
    return np.clip(gradient / curvature, -1, 1)


def _measures(names: list[str], means: Any, errors: Any) -> dict[str, Measure]:
    return {
        name: Measure(float(mean), float(mean - Z_95 * error), float(mean + Z_95 * error))
        for name, mean, error in zip(names, means, errors, strict=True)
    }


def _sigmoid(x: Any) -> Any:
    return 1 / (1 + np.exp(-np.clip(x, -40, 40)))


class AdaptiveTest:
    """Measures one model on tasks of known difficulty: the next tasks are those that tell most about its ability.

    The result is the expected accuracy over all tasks. `equal_to` is the number of tasks whose plain run has an interval as narrow as is aimed at,
    `max_tasks` the most tasks that are played.
    """

    def __init__(self, difficulties: Mapping[str, float], max_tasks: int = 300, equal_to: int = 1000) -> None:
        if not difficulties:
            raise ValueError("an adaptive test needs tasks of known difficulty")
        self._names = sorted(difficulties)
        self._difficulties = np.array([difficulties[name] for name in self._names])
        self._place = {name: number for number, name in enumerate(self._names)}
        self._outcomes: dict[int, bool | None] = {}
        self.max_tasks, self.equal_to = min(max_tasks, len(difficulties)), equal_to

    @property
    def difficulties(self) -> dict[str, float]:
        """The difficulty of every task."""
        return dict(zip(self._names, map(float, self._difficulties), strict=True))

    @property
    def played(self) -> int:
        """How many tasks have been played, masked ones included."""
        return len(self._outcomes)

    def record(self, task: str, right: bool | None) -> None:
        """Record the outcome of a task; None for a masked one, which says nothing about the model."""
        self._outcomes[self._place[task]] = right

    def next_tasks(self, count: int) -> list[str]:
        """The tasks nearest in difficulty to the present ability; spread over all difficulties at first. Empty when the test is done."""
        if self.done:
            return []
        count = min(count, self.max_tasks - self.played)
        remaining = [number for number in range(len(self._names)) if number not in self._outcomes]
        if not self._outcomes:
            ordered = sorted(remaining, key=lambda number: (self._difficulties[number], number))
            chosen = [ordered[(2 * place + 1) * len(ordered) // (2 * count)] for place in range(count)]
        else:
            ability, _ = self.ability()
            chosen = sorted(remaining, key=lambda number: (abs(self._difficulties[number] - ability), number))[:count]
        return [self._names[number] for number in chosen]

    def ability(self) -> tuple[float, float]:
        """The ability and its standard error."""
        scored = {number: right for number, right in self._outcomes.items() if right is not None}
        difficulty = self._difficulties[list(scored)]
        right, ability = np.array(list(scored.values()), dtype=float), 0.0
        information = 1 / ABILITY_SPREAD**2
        for _ in range(ROUNDS):
            rate = _sigmoid(ability - difficulty)
            information = float((rate * (1 - rate)).sum()) + 1 / ABILITY_SPREAD**2
            step = (float((right - rate).sum()) - ability / ABILITY_SPREAD**2) / information
            ability += max(-1.0, min(1.0, step))
            if abs(step) < TOLERANCE:
                break
        return ability, information**-0.5

    def accuracy(self) -> Measure:
        """The expected accuracy over all tasks, with its interval of 95 percent from that of the ability."""
        ability, error = self.ability()
        values = [float(_sigmoid(value - self._difficulties).mean()) for value in (ability, ability - Z_95 * error, ability + Z_95 * error)]
        return Measure(*values)

    @property
    def aimed(self) -> float:
        """The half-width of the interval of a plain run of `equal_to` tasks at the present accuracy."""
        share = self.accuracy().mean
        return float(Z_95 * (share * (1 - share) / self.equal_to) ** 0.5)

    @property
    def reached(self) -> bool:
        """Whether the interval is at most as wide as that of the plain run."""
        measure = self.accuracy()
        return self.played >= 20 and (measure.high - measure.low) / 2 <= self.aimed

    @property
    def done(self) -> bool:
        """Whether the interval is narrow enough, or no more tasks may be played."""
        return bool(self._outcomes) and (self.reached or self.played >= self.max_tasks)
