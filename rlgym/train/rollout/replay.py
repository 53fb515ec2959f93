"""A replay buffer: groups of earlier steps, which later updates learn from once more.

A replayed group keeps the log-probabilities of the weights that sampled it. So `update.old_logprobs: rollout` forms the ratio of the loss
with them, and with the trainer's own log-probabilities `tis_cap` weights each token by the truncated ratio to them. Advantages are
computed anew, as groups are the same as when they were sampled.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

from rlgym import Rng
from rlgym.train.config.replay import ReplayConfig
from rlgym.train.rollout.async_rollout import RolloutBatch
from rlgym.train.rollout.episodes import Episode

if TYPE_CHECKING:
    from rlgym.train.run import Run


@dataclass
class ReplayedGroup:
    """The episodes of one task, the step at which they were sampled, and how often they were replayed."""

    step: int
    episodes: list[Episode]
    replays: int = 0

    @property
    def solve_rate(self) -> float:
        """The fraction of solved episodes."""
        return sum(episode.solved for episode in self.episodes) / len(self.episodes)

    @property
    def reward_std(self) -> float:
        """The standard deviation of the rewards."""
        rewards = [episode.reward for episode in self.episodes]
        mean = sum(rewards) / len(rewards)
        return float((sum((reward - mean) ** 2 for reward in rewards) / len(rewards)) ** 0.5)


WEIGHTS: Mapping[str, Callable[[ReplayedGroup, int], float]] = {
    "uniform": lambda group, step: 1.0,
    "recent": lambda group, step: 1.0 / (step - group.step),
    "reward_std": lambda group, step: group.reward_std,
    "medium": lambda group, step: group.solve_rate * (1 - group.solve_rate),
}
"""The weight of a group in the draw of a step, by the name of the priority."""


WEIGHT_UNITS = 1_000_000
"""A weight of 1 as an integer: groups are drawn by integer weights. A group of less than half a unit is never drawn."""


@dataclass
class ReplayBuffer:
    """The stored groups, oldest first."""

    groups: list[ReplayedGroup] = field(default_factory=list)

    def draw(self, config: ReplayConfig, num_groups: int, step: int, rng: Rng) -> list[ReplayedGroup]:
        """At most `num_groups` different groups for this step, drawn by their weights. What is too old is dropped first."""
        self.groups = [group for group in self.groups if step - group.step <= config.max_age_steps and group.replays < config.max_replays]
        weights = {place: round(WEIGHT_UNITS * WEIGHTS[config.priority](group, step)) for place, group in enumerate(self.groups)}
        drawn = list[ReplayedGroup]()
        weights = {place: weight for place, weight in weights.items() if weight}
        while len(drawn) < num_groups and weights:
            place = rng.weighted(list(weights), list(weights.values()))
            del weights[place]
            drawn.append(self.groups[place])
        for group in drawn:
            group.replays += 1
        return drawn

    def store(self, config: ReplayConfig, episodes: Sequence[Episode], step: int) -> None:
        """Store the groups of this step that only the policy wrote, without hints, and drop the oldest beyond the capacity."""
        groups: dict[int, list[Episode]] = {}
        for episode in episodes:
            groups.setdefault(episode.group, []).append(episode)
        for members in groups.values():
            group = ReplayedGroup(step, members)
            own = not any(episode.hinted or episode.oracle for episode in members)
            if own and config.min_solve_rate <= group.solve_rate <= config.max_solve_rate:
                self.groups.append(group)
        self.groups = self.groups[-config.max_groups :]

    def state_dict(self) -> list[dict[str, Any]]:
        """The buffer as plain data and tensors, for a checkpoint."""
        return [
            {"step": group.step, "replays": group.replays} | RolloutBatch([], group.episodes, 0.0, 0.0).state_dict()
            for group in self.groups
        ]

    def load_state_dict(self, state: Sequence[dict[str, Any]]) -> None:
        """Restore the buffer from its `state_dict`."""
        self.groups = [ReplayedGroup(entry["step"], RolloutBatch.from_state_dict(entry).episodes, entry["replays"]) for entry in state]


def replay_groups(run: Run, episodes: Sequence[Episode]) -> tuple[list[Episode], dict[str, float]]:
    """The episodes of this step with replayed groups after them, and metrics; this step's groups are stored for later ones.

    replayed_groups  number of replayed groups
    replay_age       mean number of steps since they were sampled
    """
    config, step = run.config.algorithm.replay, run.step
    if config is None:
        return list(episodes), {}
    num_groups = round(config.fraction * run.config.rollout.groups_per_step)
    drawn = run.replay_buffer.draw(config, num_groups, step, Rng("replay", run.seed("replay")))
    run.replay_buffer.store(config, episodes, step)
    first = 1 + max((episode.group for episode in episodes), default=-1)
    replayed = [replace(episode, group=first + number) for number, group in enumerate(drawn) for episode in group.episodes]
    ages = [step - group.step for group in drawn]
    return [*episodes, *replayed], {"replayed_groups": float(len(drawn)), "replay_age": sum(ages) / len(ages) if ages else 0.0}
