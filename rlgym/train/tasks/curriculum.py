"""Which tasks come next: the mixture, levels that follow the policy, and more of what is learnable.

A curriculum depends only on its seed and the recorded solve rates, so its state, which is plain data, is all a checkpoint needs.
"""

from __future__ import annotations

import json
from collections import Counter, deque
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from rlgym import Rng
from rlgym.train.config.sections import AdaptiveLevels, TaskConfig
from rlgym.train.registry import CURRICULA
from rlgym.train.tasks.spec import Knobs, TaskSpec

RATE_SMOOTHING = 0.9
"""Weight of the old estimate of a solve rate when a group is added to it."""


@dataclass
class CurriculumCell:
    """One environment of the mixture.

    level       the present level, if levels are adaptive
    solve_rate  exponential moving average of the solve rates of groups, None before the first
    recent      the last solve rates at the present level, which decide whether it moves
    part        index of the part of the mixture that names it
    num_tasks   number of different tasks at each level, 0 for no limit
    """

    part: int

    name: str
    share: float
    levels: tuple[float, ...] | AdaptiveLevels
    knobs: Knobs
    level: float
    recent: deque[float]
    solve_rate: float | None = None
    num_tasks: int = 0

    @property
    def key(self) -> str:
        """A string that identifies the cell in the mixture."""
        return f"{self.part} {self.name}"

    @property
    def data_key(self) -> str:
        """A string that identifies the endless data that its tasks come from, which other cells may draw from as well."""
        return f"{self.name} {json.dumps(dict(self.knobs), sort_keys=True)}"


class Curriculum:
    """Samples the tasks of each step: environments by their share times the weight that the registered curriculum gives them.

    num_drawn  how many tasks of each endless data set have been drawn. Cells with the same environment and knobs share a count, so
               that none of them repeats a task of another.
    """

    def __init__(
        self, tasks: Sequence[TaskConfig], seed: int, task_sampling: str = "uniform", options: Mapping[str, Any] | None = None
    ) -> None:
        self.seed, self._weigh = seed, CURRICULA[task_sampling]
        self._options = self._weigh.options.from_dict(options or {})
        self.cells = [
            _make_cell(index, part, name, part.weight / len(part.environments()))
            for index, part in enumerate(tasks)
            for name in part.environments()
        ]
        self.num_drawn: Counter[str] = Counter()

    def sample(self, step: int, count: int, attempt: int = 0) -> list[tuple[int, TaskSpec]]:
        """The tasks of a step, each with the index of its cell. `attempt` counts earlier samples of the same step."""
        rng = Rng("curriculum", self.seed, step, *([attempt] if attempt else []))
        weights = [round(1_000_000 * cell.share * self._weigh(cell, self._options)) + 1 for cell in self.cells]
        return [self._draw(rng, rng.weighted(range(len(self.cells)), weights)) for _ in range(count)]

    def _draw(self, rng: Rng, index: int) -> tuple[int, TaskSpec]:
        cell = self.cells[index]
        level = cell.level if isinstance(cell.levels, AdaptiveLevels) else rng.choice(cell.levels)
        self.num_drawn[cell.data_key] += 1
        place = self.num_drawn[cell.data_key]
        if cell.num_tasks:
            place = (place - 1) % cell.num_tasks + 1
        return index, TaskSpec(cell.name, level, place, "train", cell.knobs)

    def record(self, index: int, level: float, solve_rate: float) -> None:
        """Record the solve rate of one group of a cell."""
        cell = self.cells[index]
        cell.solve_rate = solve_rate if cell.solve_rate is None else RATE_SMOOTHING * cell.solve_rate + (1 - RATE_SMOOTHING) * solve_rate
        if not isinstance(cell.levels, AdaptiveLevels) or level != cell.level:
            return
        cell.recent.append(solve_rate)
        if len(cell.recent) < cell.levels.window:
            return
        low, high = cell.levels.solve_rate_band
        mean = sum(cell.recent) / len(cell.recent)
        move = cell.levels.step_size * ((mean > high) - (mean < low))
        moved = round(min(cell.levels.max_level, max(cell.levels.min_level, cell.level + move)), 6)
        if moved != cell.level:
            cell.level = moved
            cell.recent.clear()

    def state_dict(self) -> dict[str, Any]:
        """Everything that is not in the configuration, as JSON-able data."""
        cells = {cell.key: {"level": cell.level, "recent": list(cell.recent), "solve_rate": cell.solve_rate} for cell in self.cells}
        return {"cells": cells, "num_drawn": dict(self.num_drawn)}

    def load_state_dict(self, state: dict[str, Any]) -> None:
        """Restore a state."""
        for cell in self.cells:
            saved = state["cells"][cell.key]
            cell.level, cell.solve_rate = saved["level"], saved["solve_rate"]
            cell.recent = deque(saved["recent"], maxlen=cell.recent.maxlen)
        self.num_drawn = Counter(state["num_drawn"])

    def levels(self) -> dict[str, float]:
        """The present adaptive levels by environment; `NAME#PART` where several parts of the mixture name an environment."""
        adaptive = [cell for cell in self.cells if isinstance(cell.levels, AdaptiveLevels)]
        count = Counter(cell.name for cell in adaptive)
        return {cell.name if count[cell.name] == 1 else f"{cell.name}#{cell.part}": cell.level for cell in adaptive}


def _make_cell(index: int, part: TaskConfig, name: str, share: float) -> CurriculumCell:
    if isinstance(part.levels, AdaptiveLevels):
        level, recent = part.levels.start_level, deque[float](maxlen=part.levels.window)
        return CurriculumCell(index, name, share, part.levels, part.knobs, level, recent, num_tasks=part.num_tasks)
    return CurriculumCell(index, name, share, tuple(part.levels), part.knobs, part.levels[0], deque(maxlen=1), num_tasks=part.num_tasks)


def eval_tasks(tasks: Sequence[TaskConfig], count: int, levels: Iterable[float] = ()) -> list[TaskSpec]:
    """The held-out tasks of an evaluation: `count` of every environment at each of its levels, or at the given levels."""
    chosen = list(levels)
    specs: dict[tuple[Any, ...], TaskSpec] = {}
    for part in tasks:
        for name in part.environments():
            for level in chosen or part.all_levels():
                for index in range(count):
                    key = (name, level, index, tuple(sorted(part.knobs.items())))
                    specs.setdefault(key, TaskSpec(name, level, index, "test", part.knobs))
    return list(specs.values())
