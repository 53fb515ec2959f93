"""The group reward `objectives`: several terms in standard deviations under the initial policy, whose weights are measured again during the run."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import combinations
from statistics import fmean, pstdev
from typing import TYPE_CHECKING, Any, Self

from pydantic import Field, model_validator

from rlgym.core.errors import RlgymError
from rlgym.rewards.combined import CombinedReward, Description, combined_reward
from rlgym.train.registry import Options, group_reward
from rlgym.train.rewards.group.combined import group_of

if TYPE_CHECKING:
    from rlgym.train.rewards.group.context import GroupContext
    from rlgym.train.rollout.episodes import Episode


class ObjectiveOptions(Options):
    """Options of `objectives`."""

    terms: list[str | dict[str, Any]] = Field(
        ..., min_length=2, max_length=16, description="the objectives: terms or combiners of combined rewards"
    )
    risks: list[float] = Field([], description="factor on the weight of each objective, from 0 to 1; 1 for all by default")
    refresh_steps: int = Field(10, ge=1, description="steps after which the weights are measured again")
    clip: float = Field(3.0, gt=0, le=100, description="bound of an objective in standard deviations")
    min_std: float = Field(0.05, gt=0, le=10, description="least standard deviation, for objectives that the initial policy always misses")
    wrong_may_outrank: bool = Field(False, description="allow objectives by which a wrong answer may outrank a right one")

    @model_validator(mode="after")
    def _check_terms(self) -> Self:
        try:
            self.rewards()
        except RlgymError as error:
            raise ValueError(str(error)) from None
        if self.risks and (len(self.risks) != len(self.terms) or not all(0 <= risk <= 1 for risk in self.risks)):
            raise ValueError(f"risks must hold {len(self.terms)} numbers from 0 to 1, one for each term, got {self.risks!r}")
        return self

    def rewards(self) -> list[CombinedReward]:
        """The objectives as rewards."""
        return [combined_reward(term, self.wrong_may_outrank) for term in self.terms]

    def names(self) -> list[str]:
        """The names of the objectives in metrics; a repeated one is numbered."""
        names = [name_of(term) for term in self.terms]
        return [f"{name}{names[: place + 1].count(name)}" if names.count(name) > 1 else name for place, name in enumerate(names)]


def name_of(term: Description) -> str:
    """The name of a term or combiner, with that of a part."""
    if isinstance(term, str):
        return term
    [(name, options)] = term.items()
    return str(options["name"]) if name == "part" else name


@dataclass(frozen=True)
class ObjectiveWeights:
    """Means and standard deviations under the initial policy, and the present weights, which sum to 1."""

    means: tuple[float, ...]
    stds: tuple[float, ...]
    weights: tuple[float, ...]


@group_reward("objectives", paper="Quark Medical Alignment: A Holistic Multi-Dimensional Alignment and Collaborative Optimization Paradigm")
def objectives(episodes: Sequence[Episode], context: GroupContext, options: ObjectiveOptions) -> list[float]:
    """Replaces the score by sum w_k clip((r_k - mean_k) / std_k), mean and std under the initial policy.

    w_k is proportional to weakness_k risk_k (1 - redundancy_k): 1 less the mean of the objective on the scale of its bounds, the given risk, and the
    mean absolute correlation with the other objectives; the first and the last are measured again every `refresh_steps` steps. Unmeasured, all
    weights are equal and nothing is standardised.
    """
    rewards, group = options.rewards(), group_of(episodes, context.step)
    count = len(rewards)
    measured = context.objectives or ObjectiveWeights((0.0,) * count, (1.0,) * count, (1 / count,) * count)
    out = []
    for place, response in enumerate(group.responses):
        scaled = [
            max(-options.clip, min(options.clip, (reward(group, place) - mean) / std))
            for reward, mean, std in zip(rewards, measured.means, measured.stds, strict=True)
        ]
        out.append(math.fsum(weight * value for weight, value in zip(measured.weights, scaled, strict=True)) - response.score.value)
    return out


@dataclass
class ObjectiveMonitor:
    """The values of the objectives since their weights were measured, one row for each response, and what was measured."""

    measured: ObjectiveWeights | None = None
    values: list[list[float]] = field(default_factory=list)

    def start(self, episodes: Iterable[Episode], options: ObjectiveOptions) -> None:
        """Measure means, standard deviations and first weights on responses of the initial policy, once."""
        if self.measured is None and (values := objective_values(episodes, 0, options)):
            columns = list(zip(*values, strict=True))
            means, stds = tuple(map(fmean, columns)), tuple(max(options.min_std, pstdev(column)) for column in columns)
            self.measured = ObjectiveWeights(means, stds, objective_weights(values, options))

    def update(self, episodes: Iterable[Episode], step: int, options: ObjectiveOptions) -> None:
        """Count the responses of a step, and measure the weights if it is their time."""
        self.values += objective_values(episodes, step, options)
        if self.measured is not None and self.values and (step + 1) % options.refresh_steps == 0:
            weights = objective_weights(self.values, options)
            self.measured, self.values = ObjectiveWeights(self.measured.means, self.measured.stds, weights), []

    def state_dict(self) -> dict[str, Any]:
        """The monitor as plain data, for a checkpoint."""
        found = self.measured
        return {"measured": None if found is None else [list(found.means), list(found.stds), list(found.weights)], "values": self.values}

    @classmethod
    def from_state_dict(cls, state: Mapping[str, Any]) -> ObjectiveMonitor:
        """The monitor from its `state_dict`."""
        found = state["measured"]
        return cls(None if found is None else ObjectiveWeights(*(tuple(part) for part in found)), [list(row) for row in state["values"]])


def objective_values(episodes: Iterable[Episode], step: int, options: ObjectiveOptions) -> list[list[float]]:
    """The values of all objectives for each valid response."""
    groups: dict[int, list[Episode]] = {}
    for episode in episodes:
        if episode.valid:
            groups.setdefault(episode.group, []).append(episode)
    rewards = options.rewards()
    found = [group_of(members, step) for members in groups.values()]
    return [[reward(group, place) for reward in rewards] for group in found for place in range(len(group.responses))]


def objective_weights(values: Sequence[Sequence[float]], options: ObjectiveOptions) -> tuple[float, ...]:
    """weakness risk (1 - redundancy) of each objective on these values, with the sum 1; equal weights where all are 0."""
    columns, rewards = list(zip(*values, strict=True)), options.rewards()
    pairs = {frozenset(pair): abs(_correlation(columns[pair[0]], columns[pair[1]])) for pair in combinations(range(len(columns)), 2)}
    raw = []
    for place, (column, reward) in enumerate(zip(columns, rewards, strict=True)):
        low, high = reward.bounds
        weakness = 1 - (fmean(column) - low) / (high - low) if high > low else 0.0
        redundancy = fmean(value for pair, value in pairs.items() if place in pair)
        raw.append(max(0.0, weakness) * (options.risks[place] if options.risks else 1.0) * (1 - redundancy))
    total = math.fsum(raw)
    return tuple(each / total for each in raw) if total > 0 else (1 / len(raw),) * len(raw)


def _correlation(first: Sequence[float], second: Sequence[float]) -> float:
    """Pearson's correlation; 0 where one of them is constant."""
    spread = pstdev(first) * pstdev(second)
    if spread < 1e-12:
        return 0.0
    means = fmean(first), fmean(second)
    return max(-1.0, min(1.0, fmean((x - means[0]) * (y - means[1]) for x, y in zip(first, second, strict=True)) / spread))
