"""A threshold on the spread of a group's rewards that follows its moving average over the steps, for the filter `spread_ema`."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from statistics import fmean, pstdev
from typing import TYPE_CHECKING, Any

from pydantic import Field

from rlgym.train.registry import Options, filter

if TYPE_CHECKING:
    from rlgym.train.rollout.episodes import Episode


class SpreadEmaOptions(Options):
    """Options of `spread_ema`."""

    beta: float = Field(0.5, ge=0, le=10, description="groups whose spread is below this multiple of the moving average are dropped")
    decay: float = Field(0.99, ge=0, lt=1, description="decay of the moving average per step")
    skipped_steps: int = Field(5, ge=0, description="first steps, whose spreads do not count")
    initial_steps: int = Field(5, ge=1, description="steps after them whose mean spread starts the average; nothing is dropped until then")
    threshold: float = Field(0.0, ge=0, description="the threshold itself, which a run sets before each step")


@filter("spread_ema", paper="RLPR: Extrapolating RLVR to General Domains without Verifiers")
def spread_ema(episodes: Sequence[Episode], options: SpreadEmaOptions) -> list[Episode]:
    """Drops the groups whose standard deviation of rewards is below beta times its moving average over the steps so far.

    The average starts as the mean of `initial_steps` steps and moves by decay average + (1 - decay) mean of a step, over all groups sampled in it.
    """
    spread = group_spreads(episodes)
    return [episode for episode in episodes if spread.get(episode.group, 0.0) >= options.threshold]


def group_spreads(episodes: Iterable[Episode]) -> dict[int, float]:
    """The standard deviation of the rewards of each group with a valid score."""
    rewards: dict[int, list[float]] = {}
    for episode in episodes:
        if episode.valid:
            rewards.setdefault(episode.group, []).append(episode.reward)
    return {group: pstdev(values) for group, values in rewards.items()}


@dataclass
class SpreadTracker:
    """The moving average of the spread over the steps of a run; None until its initial steps are over."""

    average: float | None = None
    initial: list[float] = field(default_factory=list)

    def with_threshold(self, options: Options) -> Options:
        """The options of a filter, those of `spread_ema` with the present threshold."""
        if not isinstance(options, SpreadEmaOptions) or self.average is None:
            return options
        return options.model_copy(update={"threshold": options.beta * self.average})

    def update(self, spreads: Sequence[float], step: int, options: SpreadEmaOptions) -> None:
        """Count the spreads of the groups of a step."""
        if step < options.skipped_steps or not spreads:
            return
        mean = fmean(spreads)
        if self.average is not None:
            self.average = options.decay * self.average + (1 - options.decay) * mean
            return
        self.initial.append(mean)
        if len(self.initial) == options.initial_steps:
            self.average = fmean(self.initial)

    def state_dict(self) -> dict[str, Any]:
        """The tracker as plain data, for a checkpoint."""
        return {"average": self.average, "initial": self.initial}

    @classmethod
    def from_state_dict(cls, state: dict[str, Any]) -> SpreadTracker:
        """The tracker from its `state_dict`."""
        return cls(state["average"], list(state["initial"]))
