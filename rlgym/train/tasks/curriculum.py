"""Which tasks come next: the mixture, levels that follow the policy, and more of what is learnable.

A curriculum depends only on its seed and the recorded solve rates, so its state, which is plain data, is all a checkpoint needs.
"""

from __future__ import annotations

import json
from collections import Counter, deque
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any, NamedTuple

from rlgym import Rng
from rlgym.dataset.rows import knobs_at
from rlgym.train.config.sections import EvaluationConfig
from rlgym.train.config.tasks import AdaptiveLevels, TaskConfig
from rlgym.train.registry import CURRICULA, OptionError, finite_number
from rlgym.train.tasks.cells import CurriculumCell, moved_level
from rlgym.train.tasks.spec import TaskSpec
from rlgym.train.tasks.weights import WeakCellsOptions


class EnvironmentLevel(NamedTuple):
    """A level of an environment in one part of the task mixture.

    part  the position of the part in `tasks` of the configuration
    """

    part: int
    name: str
    level: float


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
            cell
            for index, part in enumerate(tasks)
            for name in part.environments()
            for cell in _make_cells(index, part, name, part.weight / len(part.environments()), self._weigh.by_level)
        ]
        self.num_drawn: Counter[str] = Counter()

    def sample(self, step: int, count: int, attempt: int = 0) -> list[tuple[int, TaskSpec]]:
        """The tasks of a step, each with the index of its cell. `attempt` counts earlier samples of the same step.

        A task of a part with `hint_fractions` comes once with each of them, one after the other; of the last one, where fewer are left, it comes with as
        many as there are, drawn at random. From "Beyond Accuracy: Dissecting Mathematical
        Reasoning for LLMs Under Reinforcement Learning" (SPARKLE).
        """
        rng = Rng("curriculum", self.seed, step, *([attempt] if attempt else []))
        weights = [round(1_000_000 * cell.share * self._weight(cell)) + 1 for cell in self.cells]
        drawn: list[tuple[int, TaskSpec]] = []
        while len(drawn) < count:
            index, task = self._draw(rng, rng.weighted(range(len(self.cells)), weights))
            fractions = self.cells[index].hint_fractions or (0.0,)
            if (left := count - len(drawn)) < len(fractions):
                fractions = tuple(fractions[place] for place in sorted(rng.shuffled(range(len(fractions)))[:left]))
            drawn += [(index, replace(task, hint_fraction=fraction)) for fraction in fractions]
        return drawn

    def _weight(self, cell: CurriculumCell) -> float:
        given = self._weigh(cell, self._options)
        weight = finite_number(given)
        if weight is None or weight < 0:
            raise OptionError(
                f"task_sampling={self._weigh.name!r} returned {given!r:.60} as the weight of {cell.name}: it must return a finite number, 0 or more"
            )
        return weight

    def _draw(self, rng: Rng, index: int) -> tuple[int, TaskSpec]:
        cell = self.cells[index]
        if cell.recorded:
            self.num_drawn[cell.data_key] += 1
            return index, cell.recorded[(self.num_drawn[cell.data_key] - 1) % len(cell.recorded)]
        level = cell.level if isinstance(cell.levels, AdaptiveLevels) else rng.choice(cell.levels)
        self.num_drawn[cell.data_key] += 1
        place = self.num_drawn[cell.data_key]
        if knobs := self._recombined_knobs(rng, cell):
            return index, TaskSpec(cell.name, level, place, "train", knobs)
        if cell.num_tasks:
            place = (place - 1) % cell.num_tasks + 1
        return index, TaskSpec(cell.name, level, place, "train", cell.knobs)

    def _recombined_knobs(self, rng: Rng, cell: CurriculumCell) -> dict[str, Any]:
        """For a part of the tasks of a weak level: knobs of which each is that of one of the environment's weak levels. From "SwS"."""
        options = self._options
        if not isinstance(options, WeakCellsOptions) or not options.recombined_fraction or not cell.single or cell.num_tasks:
            return {}
        weak = sorted(
            other.level
            for other in self.cells
            if (other.part, other.name) == (cell.part, cell.name) and other.solve_rate is not None and other.solve_rate < options.threshold
        )
        if len(weak) < 2 or cell.level not in weak or not rng.chance(options.recombined_fraction):
            return {}
        return recombined_knobs(rng, cell.name, weak, cell.knobs)

    def is_recombined(self, index: int, task: TaskSpec) -> bool:
        """Whether a task drawn from a cell has recombined knobs, so that its solve rate is of none of the levels."""
        cell = self.cells[index]
        return not cell.recorded and dict(task.knobs) != dict(cell.knobs)

    def record(self, index: int, level: float, solve_rate: float, group_size: int | None = None) -> None:
        """Record the solve rate of one group of a cell, and the size of the group."""
        cell = self.cells[index]
        cell.record(solve_rate, group_size)
        if not isinstance(cell.levels, AdaptiveLevels) or cell.levels.rule == "step_up" or level != cell.level:
            return
        cell.recent.append(solve_rate)
        if len(cell.recent) == cell.levels.window:
            self._move(cell, cell.levels, sum(cell.recent) / len(cell.recent))

    def record_held_out(self, accuracies: Mapping[EnvironmentLevel, float]) -> None:
        """Move the levels of the rule `step_up` by held-out accuracies."""
        for cell in self.cells:
            if (
                isinstance(cell.levels, AdaptiveLevels)
                and cell.levels.rule == "step_up"
                and (place := EnvironmentLevel(cell.part, cell.name, cell.level)) in accuracies
            ):
                self._move(cell, cell.levels, accuracies[place])

    def _move(self, cell: CurriculumCell, levels: AdaptiveLevels, mean: float) -> None:
        moved = moved_level(levels, cell.level, mean)
        if moved != cell.level or levels.rule == "target":
            cell.level = moved
            cell.recent.clear()

    def validated_levels(self) -> list[EnvironmentLevel]:
        """The cells whose level follows held-out accuracy."""
        return [
            EnvironmentLevel(cell.part, cell.name, cell.level)
            for cell in self.cells
            if isinstance(cell.levels, AdaptiveLevels) and cell.levels.rule == "step_up"
        ]

    def state_dict(self) -> dict[str, Any]:
        """Everything that is not in the configuration, as JSON-able data."""
        return {"cells": {cell.key: cell.state_dict() for cell in self.cells}, "num_drawn": dict(self.num_drawn)}

    def load_state_dict(self, state: dict[str, Any]) -> None:
        """Restore a state."""
        for cell in self.cells:
            cell.load_state_dict(state["cells"][cell.key])
        self.num_drawn = Counter(state["num_drawn"])

    def levels(self) -> dict[str, float]:
        """The present adaptive levels by environment; `NAME#PART` where several parts of the mixture name an environment."""
        adaptive = [cell for cell in self.cells if isinstance(cell.levels, AdaptiveLevels)]
        count = Counter(cell.name for cell in adaptive)
        return {cell.name if count[cell.name] == 1 else f"{cell.name}#{cell.part}": cell.level for cell in adaptive}


def recombined_knobs(rng: Rng, name: str, levels: Sequence[float], fixed: Mapping[str, Any]) -> dict[str, Any]:
    """The knobs in which the levels of an environment differ, each with the value of one of the levels, drawn at random; and the fixed ones."""
    of_levels = [knobs_at(name, level) for level in levels]
    differ = sorted(knob for knob in of_levels[0] if len({json.dumps(knobs[knob]) for knobs in of_levels}) > 1)
    return {knob: rng.choice(of_levels)[knob] for knob in differ} | dict(fixed)


def _make_cells(index: int, part: TaskConfig, name: str, share: float, by_level: bool) -> list[CurriculumCell]:
    """The cell of an environment, or with `by_level` one for each of its levels."""
    if isinstance(part.levels, AdaptiveLevels):
        level, recent = part.levels.start_level, deque[float](maxlen=part.levels.window)
        return [
            CurriculumCell(
                index, name, share, part.levels, part.knobs, level, recent, num_tasks=part.num_tasks, hint_fractions=part.hint_fractions
            )
        ]
    single = by_level and part.recorded is None and len(part.levels) > 1
    of_cells = [(level,) for level in dict.fromkeys(part.levels)] if single else [tuple(part.levels)]
    share = share / len(of_cells)
    return [
        CurriculumCell(
            index, name, share, levels, part.knobs, levels[0], deque(maxlen=1), part.num_tasks, single, hint_fractions=part.hint_fractions
        )
        for levels in of_cells
    ]


def eval_tasks(
    tasks: Sequence[TaskConfig], count: int, levels: Iterable[float] = (), more: Iterable[EnvironmentLevel] = ()
) -> list[TaskSpec]:
    """The held-out tasks of an evaluation: `count` of every environment at each of its levels, or at the given levels.

    `more` adds levels of single environments.
    """
    chosen, added = list(levels), list(more)
    specs: dict[tuple[Any, ...], TaskSpec] = {}
    for number, part in enumerate(tasks):
        for name in part.environments():
            own = [place.level for place in added if (place.part, place.name) == (number, name)]
            for level in [*(chosen or part.all_levels()), *own]:
                for index in range(count):
                    key = (name, level, index, tuple(sorted(part.knobs.items())))
                    specs.setdefault(key, TaskSpec(name, level, index, "test", part.knobs))
    return list(specs.values())


def with_transfer(tasks: Sequence[TaskConfig], evaluation: EvaluationConfig) -> list[TaskConfig]:
    """The parts of a mixture, and the environments of `evaluation.transfer` as one more part."""
    return [*tasks, *([environments_at(evaluation.transfer, evaluation)] if evaluation.transfer else [])]


def environments_at(names: Sequence[str], evaluation: EvaluationConfig) -> TaskConfig:
    """Environments that are not trained on as a part of a mixture, at the levels of the evaluation or else at level 0."""
    return TaskConfig(names=list(names), levels=list(evaluation.levels or [0.0]))


def transferred_names(evaluation: EvaluationConfig) -> frozenset[str]:
    """The environments of `evaluation.transfer`."""
    return frozenset(environments_at(evaluation.transfer, evaluation).environments() if evaluation.transfer else ())
