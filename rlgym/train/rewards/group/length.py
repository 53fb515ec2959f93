"""Group rewards by the number of sampled tokens."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from pydantic import Field

from rlgym import Outcome
from rlgym.train.registry import Options, group_reward

if TYPE_CHECKING:
    from rlgym.train.rewards.group.context import GroupContext
    from rlgym.train.rollout.episodes import Episode


class LengthBudgetOptions(Options):
    """Options of `length_budget`. The weights are relative to 1, the reward of a right answer, and sum to less."""

    start_tokens: int = Field(256, ge=1, description="budget of the first steps")
    decay: float = Field(0.8, gt=0, le=1, description="factor on the budget after each interval")
    interval_steps: int = Field(50, ge=1, description="steps between reductions of the budget")
    length_weight: float = Field(0.2, ge=0, le=0.5, description="weight of the length term, which is largest at the budget")
    format_weight: float = Field(0.0, ge=0, le=0.4, description="weight of a readable answer, right or wrong")


class RelativeLengthOptions(Options):
    """Options of `relative_length`."""

    amount: float = Field(0.2, ge=0, le=0.5, description="largest penalty of a right answer")
    min_solve_rate: float = Field(0.75, ge=0, le=1, description="groups below this solve rate have no penalty; 0 for all groups")


class LengthTargetOptions(Options):
    """Options of `length_target`."""

    easy_tokens: int = Field(..., ge=1, description="target of groups with a solve rate of at least 2/3")
    medium_tokens: int = Field(..., ge=1, description="target of groups with a solve rate of at least 1/3")
    hard_tokens: int = Field(..., ge=1, description="target of all other groups")
    measure_steps: int = Field(0, ge=0, description="steps after which the targets are measured again; 0 keeps those that are given")
    amount: float = Field(0.5, ge=0, le=1, description="bonus of a right answer within the target")


class ConciseOptions(Options):
    """Options of `concise`."""

    amount: float = Field(0.2, ge=0, le=1, description="largest bonus of a right answer")


class ExplorationBonusOptions(Options):
    """Options of `exploration_bonus`."""

    amount: float = Field(0.2, ge=0, le=0.5, description="bonus that long responses approach")
    base: float = Field(0.99, gt=0, lt=1, description="the bonus is amount (1 - base^tokens)")


class FormatOnlyOptions(Options):
    """No options."""


class FormatLengthOptions(Options):
    """Options of `format_length`."""

    max_tokens: int = Field(..., ge=2, description="length from which the length term is -1")
    peak: float = Field(0.5, gt=0, lt=1, description="fraction of `max_tokens` at which the length term is 1")


@group_reward("length_budget", paper="Train Long, Think Short: Curriculum Learning for Efficient Reasoning")
def length_budget(episodes: Sequence[Episode], context: GroupContext, options: LengthBudgetOptions) -> list[float]:
    """length_weight tri(tokens / B) + format_weight readable, B = max(1, start_tokens decay^floor(step / interval_steps)).

    tri(x) is x up to 1, 2 - x up to 2, and 0 beyond.
    """
    budget = max(1.0, options.start_tokens * options.decay ** (context.step // options.interval_steps))
    return [
        options.length_weight * max(0.0, 1 - abs(episode.num_sampled / budget - 1)) + options.format_weight * _readable(episode)
        for episode in episodes
    ]


@group_reward("relative_length", paper="Stable Reinforcement Learning for Efficient Reasoning")
def relative_length(episodes: Sequence[Episode], context: GroupContext, options: RelativeLengthOptions) -> list[float]:
    """-amount sigmoid((tokens - mean) / std) for right answers, mean and std over the group's right ones, in groups of a high solve rate."""
    lengths = _right_lengths(episodes)
    if not lengths or len(lengths) < options.min_solve_rate * len(episodes):
        return [0.0] * len(episodes)
    mean = sum(lengths) / len(lengths)
    std = math.sqrt(sum((length - mean) ** 2 for length in lengths) / len(lengths))
    return [
        -options.amount / (1 + math.exp(-(episode.num_sampled - mean) / (std + 1e-6))) if episode.solved else 0.0 for episode in episodes
    ]


@group_reward("length_target", paper="Learn to Reason Efficiently with Adaptive Length-based Reward Shaping")
def length_target(episodes: Sequence[Episode], context: GroupContext, options: LengthTargetOptions) -> list[float]:
    """amount for a right answer of at most the target, which depends on the group's solve rate.

    With `measure_steps` the target becomes the least length that 1 in k responses of such groups had since it was last measured: k is the number of
    right responses that a group must have to belong there, and 1 for the hard ones.
    """
    given = (options.easy_tokens, options.medium_tokens, options.hard_tokens)
    target = (context.length_targets or given)[difficulty(episodes)]
    return [options.amount * (episode.solved and episode.num_sampled <= target) for episode in episodes]


def difficulty(episodes: Sequence[Episode]) -> int:
    """0 for a group with a solve rate of at least 2/3, 1 for at least 1/3, else 2."""
    right, total = 3 * len(_right_lengths(episodes)), len(episodes)
    return 0 if right >= 2 * total else 1 if right >= total else 2


@dataclass
class LengthMonitor:
    """The lengths of the responses since the targets of `length_target` were measured, by difficulty, and the targets."""

    targets: tuple[int, int, int] | None = None
    lengths: list[list[int]] = field(default_factory=lambda: [[], [], []])

    def update(self, groups: Iterable[Sequence[Episode]], step: int, group_size: int, options: LengthTargetOptions) -> None:
        """Count the responses of a step, and measure the targets if it is their time."""
        for episodes in groups:
            self.lengths[difficulty(episodes)] += [episode.num_sampled for episode in episodes]
        if not options.measure_steps or (step + 1) % options.measure_steps:
            return
        needed = (max(1, 2 * group_size // 3), max(1, group_size // 3), 1)
        before = self.targets or (options.easy_tokens, options.medium_tokens, options.hard_tokens)
        easy, medium, hard = (
            sorted(lengths)[math.ceil(len(lengths) / k) - 1] if lengths else old
            for lengths, k, old in zip(self.lengths, needed, before, strict=True)
        )
        self.targets, self.lengths = (easy, medium, hard), [[], [], []]

    def state_dict(self) -> dict[str, Any]:
        """The monitor as plain data, for a checkpoint."""
        return {"targets": self.targets, "lengths": self.lengths}

    @classmethod
    def from_state_dict(cls, state: dict[str, Any]) -> LengthMonitor:
        """The monitor from its `state_dict`."""
        targets = state["targets"]
        return cls(None if targets is None else (targets[0], targets[1], targets[2]), state["lengths"])


@group_reward("concise")
def concise(episodes: Sequence[Episode], context: GroupContext, options: ConciseOptions) -> list[float]:
    """amount (longest - tokens) / (longest - shortest + 1) for right answers, longest and shortest of the group's right ones."""
    lengths = _right_lengths(episodes)
    if not lengths:
        return [0.0] * len(episodes)
    longest, spread = max(lengths), max(lengths) - min(lengths) + 1
    return [options.amount * (longest - episode.num_sampled) / spread if episode.solved else 0.0 for episode in episodes]


@group_reward("exploration_bonus", paper="On the Emergence of Thinking in LLMs I: Searching for the Right Intuition")
def exploration_bonus(episodes: Sequence[Episode], context: GroupContext, options: ExplorationBonusOptions) -> list[float]:
    """amount (1 - base^tokens): a bounded bonus for longer responses, right or wrong."""
    return [options.amount * (1 - options.base**episode.num_sampled) for episode in episodes]


@group_reward("format_only")
def format_only(episodes: Sequence[Episode], context: GroupContext, options: FormatOnlyOptions) -> list[float]:
    """Replaces the score by 1 for a readable answer and 0 for another one, right or wrong: a control."""
    return [_readable(episode) - _value(episode) for episode in episodes]


@group_reward("format_length")
def format_length(episodes: Sequence[Episode], context: GroupContext, options: FormatLengthOptions) -> list[float]:
    """Replaces the score by `format_only` plus a length term, 1 at `peak` of `max_tokens` and -1 at `max_tokens`: a control."""
    top = options.peak * options.max_tokens

    def length_term(tokens: int) -> float:
        return tokens / top if tokens <= top else max(-1.0, 1 - 2 * (tokens - top) / (options.max_tokens - top))

    return [_readable(episode) + length_term(episode.num_sampled) - _value(episode) for episode in episodes]


def _right_lengths(episodes: Sequence[Episode]) -> list[int]:
    return [episode.num_sampled for episode in episodes if episode.solved]


def _readable(episode: Episode) -> float:
    assert episode.score is not None
    return float(episode.score.outcome in (Outcome.RIGHT, Outcome.PARTIAL, Outcome.WRONG))


def _value(episode: Episode) -> float:
    assert episode.score is not None
    return episode.score.value
