"""The cells of a curriculum: what it knows of each environment, or level of an environment, of the mixture."""

from __future__ import annotations

import json
import math
from collections import deque
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from rlgym.train.config.tasks import AdaptiveLevels
from rlgym.train.tasks.spec import Knobs, TaskSpec

RATE_SMOOTHING = 0.9
"""Weight of the old estimate of a solve rate when a group is added to it."""
WINDOW = 32
"""How many solve rates of groups a cell keeps."""


@dataclass
class CurriculumCell:
    """One environment of the mixture, or one level of it.

    part        index of the part of the mixture that names it
    level       the present level, if levels are adaptive
    recent      the last solve rates at the present level, which decide whether it moves
    num_tasks   number of different tasks at each level, 0 for no limit
    single      the cell stands for one of several levels of its part
    recorded    tasks of a pass-rate store, which are sampled in turn
    hint_fractions  each task is sampled once with each of them
    solve_rate  exponential moving average of the solve rates of groups, before the first that of the pass-rate store, or None
    window      the last solve rates of groups at any level
    variance    exponential moving average of the normalised variance of the scores of a group, None before the first
    """

    part: int
    name: str
    share: float
    levels: tuple[float, ...] | AdaptiveLevels
    knobs: Knobs
    level: float
    recent: deque[float]
    num_tasks: int = 0
    single: bool = False
    recorded: tuple[TaskSpec, ...] = ()
    hint_fractions: tuple[float, ...] = ()
    solve_rate: float | None = None
    window: deque[float] = field(default_factory=lambda: deque[float](maxlen=WINDOW))
    variance: float | None = None

    @property
    def key(self) -> str:
        """A string that identifies the cell in the mixture."""
        return f"{self.part} {self.name}" + (f" {self.level:g}" if self.single else "")

    @property
    def data_key(self) -> str:
        """A string that identifies the endless data that its tasks come from, which other cells may draw from as well."""
        if self.recorded:
            return f"{self.key} recorded"
        return f"{self.name} {json.dumps(dict(self.knobs), sort_keys=True)}"

    def record(self, solve_rate: float, group_size: int | None = None) -> None:
        """Add the solve rate of a group; with its size, also the variance of its scores."""
        self.solve_rate = _moving_average(self.solve_rate, solve_rate)
        self.window.append(solve_rate)
        if group_size is not None and group_size > 1:
            self.variance = _moving_average(self.variance, normalised_variance(solve_rate, group_size))

    def state_dict(self) -> dict[str, Any]:
        """Everything that is not in the configuration, as JSON-able data."""
        return {
            "level": self.level,
            "recent": list(self.recent),
            "solve_rate": self.solve_rate,
            "window": list(self.window),
            "variance": self.variance,
            "recorded": [[task.level, dict(task.knobs), task.seed] for task in self.recorded],
        }

    def load_state_dict(self, saved: Mapping[str, Any]) -> None:
        """Restore a state; that of an older checkpoint may lack the window, the variance and recorded tasks."""
        self.level, self.solve_rate = saved["level"], saved["solve_rate"]
        self.recent = deque(saved["recent"], maxlen=self.recent.maxlen)
        self.window = deque(saved.get("window", []), maxlen=WINDOW)
        self.variance = saved.get("variance")
        self.recorded = tuple(recorded_task(self.name, *task) for task in saved.get("recorded", []))


def recorded_task(name: str, level: float, knobs: Knobs, seed: int) -> TaskSpec:
    """The specification of a task on record."""
    return TaskSpec(name, level, 0, "train", knobs, seed=seed)


def normalised_variance(solve_rate: float, group_size: int) -> float:
    """The variance of the scores of a group, k (G - k) / (G (G - 1)) with k right ones of G, divided by the largest possible one.

    From "VCRL: Variance-based Curriculum Reinforcement Learning for Large Language Models".
    """
    half = group_size // 2
    return solve_rate * group_size * (group_size - solve_rate * group_size) / (half * (group_size - half))


def moved_level(levels: AdaptiveLevels, level: float, mean: float) -> float:
    """The level after a window with this mean solve rate, within the limits; `step_up` takes the mean as held-out accuracy.

    The rule `target` is from "Efficient Reinforcement Finetuning via Adaptive Curriculum Learning" (AdaRFT), `step_up` from "SATURN".
    """
    if levels.rule == "target":
        move = levels.step_size * math.tanh(levels.sensitivity * (mean - levels.target))
    elif levels.rule == "step_up":
        move = levels.step_size * (mean >= levels.threshold)
    else:
        low, high = levels.solve_rate_band
        move = levels.step_size * ((mean > high) - (mean < low))
    return round(min(levels.max_level, max(levels.min_level, level + move)), 6)


def _moving_average(old: float | None, new: float) -> float:
    return new if old is None else RATE_SMOOTHING * old + (1 - RATE_SMOOTHING) * new
