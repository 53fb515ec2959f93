"""Filters: which episodes of a step an update learns from. Every filter sees whole groups and keeps or drops episodes."""

from __future__ import annotations

import math
from collections.abc import Sequence
from statistics import correlation
from typing import TYPE_CHECKING, Literal, Self

from pydantic import Field, model_validator

from rlgym import Rng
from rlgym.train.data.segment_sums import MIN_STD
from rlgym.train.registry import Options, filter
from rlgym.train.tasks import spread as spread
from rlgym.train.tasks.grouping import rewards_are_equal, success_rates

if TYPE_CHECKING:
    from rlgym.train.rollout.episodes import Episode


class ZeroStdOptions(Options):
    """Options of `zero_std`."""

    min_std: float = Field(MIN_STD, ge=0, le=100, description="rewards with at most this standard deviation count as equal")


class TruncatedOptions(Options):
    """No options."""


class SolveRateOptions(Options):
    """Options of `solve_rate`."""

    min_solve_rate: float = Field(0.2, ge=0, le=1, description="lowest solve rate of a group that is kept")
    max_solve_rate: float = Field(0.8, ge=0, le=1, description="highest solve rate of a group that is kept")

    @model_validator(mode="after")
    def _check_order(self) -> Self:
        if self.min_solve_rate > self.max_solve_rate:
            raise ValueError(
                f"min_solve_rate must not exceed max_solve_rate, got min_solve_rate={self.min_solve_rate} and "
                f"max_solve_rate={self.max_solve_rate}"
            )
        return self


class ProcessConsistencyOptions(Options):
    """Options of `process_consistency`."""

    keep_fraction: float = Field(0.5, gt=0, le=1, description="fraction of a group that is kept at most, half of it right and half wrong")


class RewardRankOptions(Options):
    """Options of `reward_rank`."""

    strategy: Literal["best", "best_random", "best_worst"] = Field(
        "best_worst", description="which rollouts of a group are kept: the best alone, and with it another one at random or the worst"
    )
    seed: int = Field(0, ge=0, description="seed of the random choice")


class RewardPowerOptions(Options):
    """Options of `reward_power`."""

    keep_fraction: float = Field(0.5, gt=0, le=1, description="fraction of a group that is kept, rounded up")
    power: float = Field(2.0, ge=0, le=100, description="a rollout is drawn in proportion to this power of its reward; 0 draws evenly")
    floor: float = Field(0.1, gt=0, le=1, description="weight of the lowest reward of a group before the power; the highest has 1")
    seed: int = Field(0, ge=0, description="seed of the draws")


class CotMustHelpOptions(Options):
    """Options of `cot_must_help`."""

    margin: float = Field(0.0, ge=-1, le=1, description="how much the score must exceed that of answers without reasoning, at least")


class AnswerSpreadOptions(Options):
    """Options of `answer_spread`."""

    drop_fraction: float = Field(0.2, ge=0, lt=1, description="fraction of the groups that is dropped, rounded down")


class AnswerRankOptions(Options):
    """Options of `answer_rank`."""

    max_rank: float = Field(20.0, ge=1, description="highest rank of the reference answer in a group that is kept")
    worst_fraction: float = Field(
        0.1, gt=0, le=1, description="fraction of the tokens of an answer, those of the highest ranks, that count"
    )


class DistinctRightOptions(Options):
    """Options of `distinct_right`."""

    max_per_task: int = Field(8, ge=1, le=100_000, description="most responses of a task that are kept")


@filter("zero_std", paper="DAPO: An Open-Source LLM Reinforcement Learning System at Scale")
def zero_std(episodes: Sequence[Episode], options: ZeroStdOptions) -> list[Episode]:
    """Drops the groups whose rewards are all equal."""
    rewards: dict[int, list[float]] = {}
    for episode in episodes:
        if episode.valid:
            rewards.setdefault(episode.group, []).append(episode.reward)
    equal = {group for group, values in rewards.items() if rewards_are_equal(values, options.min_std)}
    return [episode for episode in episodes if episode.group not in equal]


@filter("truncated", paper="DAPO: An Open-Source LLM Reinforcement Learning System at Scale")
def truncated(episodes: Sequence[Episode], options: TruncatedOptions) -> list[Episode]:
    """Drops the rollouts that reached a token limit, because their true reward is unknown."""
    return [episode for episode in episodes if not episode.truncated]


@filter("solve_rate", paper="Online Difficulty Filtering for Reasoning Oriented Reinforcement Learning")
def solve_rate(episodes: Sequence[Episode], options: SolveRateOptions) -> list[Episode]:
    """Keeps the groups whose solve rate lies between two bounds."""
    rates = success_rates(episodes)
    kept = {group for group, rate in rates.items() if options.min_solve_rate <= rate <= options.max_solve_rate}
    return [episode for episode in episodes if episode.group in kept]


@filter("process_consistency", paper="Beyond Correctness: Harmonizing Process and Outcome Rewards through RL Training", token_rewards=True)
def process_consistency(episodes: Sequence[Episode], options: ProcessConsistencyOptions) -> list[Episode]:
    """Keeps the right rollouts with the highest mean step reward and as many wrong ones with the lowest (the PROF filter).

    Rollouts without steps come last among the right and the wrong ones. Groups that are all right or all wrong are dropped.
    """
    groups: dict[int, tuple[list[Episode], list[Episode]]] = {}
    for episode in episodes:
        groups.setdefault(episode.group, ([], []))[0 if episode.solved else 1].append(episode)
    kept: set[int] = set()
    for right, wrong in groups.values():
        most = max(1, int(options.keep_fraction * (len(right) + len(wrong)) / 2))
        count = min(most, len(right), len(wrong))
        # Sorting is stable, so that ties keep the order of the rollouts.
        best = sorted(right, key=lambda episode: -_mean_span_reward(episode, float("-inf")))
        worst = sorted(wrong, key=lambda episode: _mean_span_reward(episode, float("inf")))
        kept |= {id(episode) for episode in [*best[:count], *worst[:count]]}
    return [episode for episode in episodes if id(episode) in kept]


def _mean_span_reward(episode: Episode, without: float) -> float:
    """The mean reward of an episode's spans; `without` where it has none."""
    spans = episode.spans or ()
    return sum(span.reward for span in spans) / len(spans) if spans else without


@filter("reward_rank", paper="Policy Filtration for RLHF to Mitigate Noise in Reward Models")
def reward_rank(episodes: Sequence[Episode], options: RewardRankOptions) -> list[Episode]:
    """Keeps the rollout of the highest reward of each group, alone or with another one; the first of equal rewards."""
    groups: dict[int, list[Episode]] = {}
    for episode in episodes:
        groups.setdefault(episode.group, []).append(episode)
    kept: set[int] = set()
    for members in groups.values():
        rewards = [episode.reward for episode in members]
        task = members[0].task
        rng = Rng("reward_rank", options.seed, task.label, task.index, task.retry)
        kept |= {id(members[place]) for place in kept_by_rank(rewards, options.strategy, rng)}
    return [episode for episode in episodes if id(episode) in kept]


@filter("reward_power", paper="Policy Filtration for RLHF to Mitigate Noise in Reward Models")
def reward_power(episodes: Sequence[Episode], options: RewardPowerOptions) -> list[Episode]:
    """Keeps a part of each group, drawn without replacement in proportion to (floor + (1 - floor) scaled reward)^power.

    Rewards are scaled from 0 for the lowest to 1 for the highest of the group.
    """
    groups: dict[int, list[Episode]] = {}
    for episode in episodes:
        groups.setdefault(episode.group, []).append(episode)
    kept: set[int] = set()
    for members in groups.values():
        task = members[0].task
        rng = Rng("reward_power", options.seed, task.label, task.index, task.retry)
        low, spread = min(episode.reward for episode in members), max(episode.reward for episode in members)
        spread -= low
        left = list(members)
        for _ in range(math.ceil(options.keep_fraction * len(members) - 1e-9)):
            scaled = [options.floor + (1 - options.floor) * ((episode.reward - low) / spread if spread else 1.0) for episode in left]
            place = rng.weighted(range(len(left)), [max(1, round(1_000_000 * weight**options.power)) for weight in scaled])
            kept.add(id(left.pop(place)))
    return [episode for episode in episodes if id(episode) in kept]


@filter("cot_must_help", paper="Incentivizing Reasoning for Advanced Instruction-Following of Large Language Models", token_rewards=True)
def cot_must_help(episodes: Sequence[Episode], options: CotMustHelpOptions) -> list[Episode]:
    """Keeps the rollouts whose score is at least that of answers without reasoning, by `margin`.

    With the token rewards `prefix_values`, whose sum over a rollout is its score less the mean score of answers that were forced right after the
    prompt. Rollouts without steps are kept.
    """
    return [episode for episode in episodes if not episode.spans or sum(span.reward for span in episode.spans) >= options.margin - 1e-9]


@filter("answer_spread", paper="Direct Reasoning Optimization: LLMs Can Reward And Refine Their Own Reasoning for Open-Ended Tasks")
def answer_spread(episodes: Sequence[Episode], options: AnswerSpreadOptions) -> list[Episode]:
    """Drops the fraction of groups in which no token of the reference answer depends much on the reasoning.

    Groups are ranked by the largest standard deviation, over their rollouts, of a token's log-probability. With the likelihood reward `reflective`.
    """
    spread = {episode.group: episode.answer_spread for episode in episodes}
    ranked = sorted(spread, key=lambda group: spread[group])
    dropped = set(ranked[: int(options.drop_fraction * len(ranked) + 1e-9)])
    return [episode for episode in episodes if episode.group not in dropped]


@filter("answer_rank", paper="Direct Reasoning Optimization: LLMs Can Reward And Refine Their Own Reasoning for Open-Ended Tasks")
def answer_rank(episodes: Sequence[Episode], options: AnswerRankOptions) -> list[Episode]:
    """Drops the groups in which no reasoning makes the reference answer likely: those that are too hard, without a verifier.

    The rank of an answer is the mean rank, in the vocabulary, of the `worst_fraction` of its tokens that are least likely; the lowest of the group
    counts. With `algorithm.likelihood_reward`.
    """
    return [episode for episode in episodes if episode.answer_rank <= options.max_rank]


@filter("distinct_right", paper="Scaling Relationship on Learning Mathematical Reasoning with Large Language Models")
def distinct_right(episodes: Sequence[Episode], options: DistinctRightOptions) -> list[Episode]:
    """Keeps the right rollouts of each group whose responses differ, the first of equal ones: rejection sampling.

    With the advantage `psr` and the loss `reinforce` an update imitates what is kept.
    """
    seen: dict[int, set[tuple[str, ...]]] = {}
    kept = []
    for episode in episodes:
        found = seen.setdefault(episode.group, set())
        responses = tuple(" ".join(text.split()) for role, text in episode.messages if role == "assistant")
        if episode.solved and len(found) < options.max_per_task and responses not in found:
            found.add(responses)
            kept.append(episode)
    return kept


def kept_by_rank(rewards: Sequence[float], strategy: str, rng: Rng) -> list[int]:
    """The places that a strategy of `reward_rank` keeps of a group's rewards."""
    best = max(range(len(rewards)), key=lambda place: rewards[place])
    others = [place for place in range(len(rewards)) if place != best]
    if strategy == "best" or not others:
        return [best]
    if strategy == "best_random":
        return [best, rng.choice(others)]
    return [best, min(others, key=lambda place: rewards[place])]


def rank_strategy_r2(rewards: Sequence[Sequence[float]], scores: Sequence[Sequence[float]], seed: int = 0) -> dict[str, float]:
    """For each strategy of `reward_rank`, R2 (the squared correlation) between rewards and true scores of the rollouts that it keeps.

    Both hold a list for each group of calibration rollouts. The paper takes the strategy of the highest R2: there the noisy reward is
    worth most. 0 where the kept rewards, or the kept scores, are all equal.
    """
    found = {}
    for strategy in ("best", "best_random", "best_worst"):
        pairs = [
            (float(rewards[group][place]), float(scores[group][place]))
            for group in range(len(rewards))
            for place in kept_by_rank(rewards[group], strategy, Rng("rank_strategy_r2", seed, group))
        ]
        xs, ys = [x for x, _ in pairs], [y for _, y in pairs]
        equal = len(set(xs)) < 2 or len(set(ys)) < 2
        found[strategy] = 0.0 if equal else correlation(xs, ys) ** 2
    return found
