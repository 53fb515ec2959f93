"""The task mixture of a training configuration: environments, levels, and tasks whose solve rates are on record."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field

from rlgym.dataset.recipe import Recipe
from rlgym.train.config.section import Section


class PassRatesConfig(Section):
    """A pass-rate store that the run records its groups in and reads solve rates from."""

    file: str = Field(min_length=1, description="the pass-rate store, a SQLite file; created if it does not exist")
    model: str = Field("", description="name under which the run's groups are recorded; by default the name of output_dir")
    record: bool = Field(True, description="record every group of the run")
    prior: str = Field("", description="model whose recorded solve rates the curriculum starts from; empty for none")


class RecordedTasksConfig(Section):
    """Tasks of the pass-rate store that a model solves at certain rates."""

    model: str = Field(min_length=1, description="model whose recorded solve rates choose the tasks")
    low: float = Field(0.2, ge=0, le=1, description="lowest recorded solve rate")
    high: float = Field(0.8, ge=0, le=1, description="highest recorded solve rate")
    min_samples: int = Field(1, ge=1, description="fewest recorded samples of a task")
    rank: Literal["none", "variance"] = Field(
        "none", description="variance: tasks whose solve rate varied most between recordings come first"
    )
    count: int = Field(0, ge=0, description="most tasks per environment; 0 for all")
    with_knobs: dict[str, int | float | str] = Field({}, description="only tasks that were recorded with these knobs; empty for all")
    play_with: dict[str, int | float | str] = Field(
        {},
        description="knobs with which the chosen tasks are played, in place of those that they were recorded with: {access: search} gives tools to tasks "
        "that were recorded without them",
    )
    repeats: tuple[tuple[float, int], ...] = Field(
        (),
        max_length=16,
        description="how often a task appears in the data by its recorded solve rate: pairs of a rate and a number for tasks below it, in rising order; "
        "other tasks appear once",
    )


class AdaptiveLevels(Section):
    """Levels that follow the policy.

    band     up while the solve rate is above the band, down while it is below
    target   by step_size tanh(sensitivity (rate - target)) after every window, either way
    step_up  up by one step when the held-out accuracy at the level reaches the threshold, never down; evaluations decide
    """

    rule: Literal["band", "target", "step_up"] = Field("band", description="what moves the level: solve_rate_band, target or threshold")
    start_level: float = Field(0.0, ge=0, le=1, description="first level")
    min_level: float = Field(0.0, ge=0, le=1, description="lowest level")
    max_level: float = Field(1.0, ge=0, le=1, description="highest level")
    step_size: float = Field(0.05, gt=0, le=1, description="change of the level at each move")
    solve_rate_band: tuple[float, float] = Field((0.3, 0.8), description="solve rates between which the level stays")
    window: int = Field(16, ge=1, description="number of recent group solve rates averaged before the level may move")
    target: float = Field(0.5, gt=0, lt=1, description="rule target: the solve rate at which the level stays")
    sensitivity: float = Field(2.0, gt=0, le=100, description="rule target: how fast the move grows with the distance from the target")
    threshold: float = Field(0.75, gt=0, le=1, description="rule step_up: held-out accuracy at which the level rises")


class TaskConfig(Section):
    """One part of the task mixture."""

    names: list[str] = Field(min_length=1, description='environments, domains, patterns, or "all"')
    levels: list[float] | AdaptiveLevels = Field([0.0], description="levels sampled uniformly, or levels that follow the policy")
    weight: float = Field(1.0, gt=0, description="share of this part in the mixture, relative to the other parts")
    knobs: dict[str, int | float | str] = Field({}, description="knobs that override those of the level")
    num_tasks: int = Field(
        0, ge=0, description="number of different tasks per environment and level, sampled in turn, at random in SFT; 0 for no limit"
    )
    hint_fractions: tuple[Annotated[float, Field(ge=0, le=1)], ...] = Field(
        (),
        max_length=16,
        description="each task is sampled once with each of these fractions of its explanation in the prompt, such as [0, 0.25, 0.5, 0.75]; empty for "
        "prompts without hints",
    )
    recorded: RecordedTasksConfig | None = Field(None, description="train on tasks of the pass-rate store, in turn, and on no others")

    def environments(self) -> list[str]:
        """The environments that this part names, sorted."""
        return Recipe(names=list(self.names)).environments()

    def all_levels(self) -> list[float]:
        """Every level that may be sampled; for adaptive levels the two ends and the start."""
        if isinstance(self.levels, AdaptiveLevels):
            return sorted({self.levels.min_level, self.levels.start_level, self.levels.max_level})
        return list(self.levels)
