"""Reward shapings of a run: numbers that are added to the reward of a scored response."""

from __future__ import annotations

from typing import Any, Literal

from pydantic import Field

from rlgym import Outcome, Rng, rewards
from rlgym.train.registry import REWARDS, OptionError, Options, finite_number, reward
from rlgym.train.rewards import hidden_tests as hidden_tests
from rlgym.train.rewards import lexical_similarity as lexical_similarity
from rlgym.train.rewards import proxies as proxies
from rlgym.train.rewards import responses as responses
from rlgym.train.rewards import reward_program as reward_program
from rlgym.train.rewards import sql_overlap as sql_overlap
from rlgym.train.rewards import verifier_noise as verifier_noise
from rlgym.train.rewards.scored import ScoredResponse as ScoredResponse


class FormatBonusOptions(Options):
    """Options of `format_bonus`."""

    amount: float = Field(0.05, ge=0, le=0.1, description="added to a wrong answer that is readable")


class LengthPenaltyOptions(Options):
    """Options of `length_penalty`."""

    free_characters: int = Field(..., ge=0, description="length of a response without a penalty")
    max_characters: int = Field(..., ge=1, description="length at which the penalty is largest")
    amount: float = Field(0.2, ge=0, le=0.5, description="largest penalty of a right answer")


class RewardNoiseOptions(Options):
    """Options of `reward_noise`."""

    false_positive: float = Field(..., ge=0, le=1, description="fraction of wrong answers that are rewarded")
    false_negative: float = Field(..., ge=0, le=1, description="fraction of right answers that are not rewarded")
    seed: int = Field(0, ge=0, description="seed of the noise")


class BrierPenaltyOptions(Options):
    """Options of `brier_penalty`."""

    amount: float = Field(1.0, gt=0, le=1, description="penalty of a stated confidence of 1 in a wrong answer, or of none")


class FlawedPositiveOptions(Options):
    """Options of `flawed_positive`."""

    amount: float = Field(
        0.5, ge=0, le=1, description="penalty of a right answer with a wrong step; 0.5 puts it midway between wrong and right"
    )


class TiersOptions(Options):
    """Options of `tiers`."""

    count: int = Field(3, ge=1, le=100, description="number of equal steps of the progress; progress below the first earns nothing")
    highest: float = Field(0.5, gt=0, lt=1, description="reward of the highest tier below a right answer")
    progress: Literal["value", "parts"] = Field("value", description="progress: the value of the score, or the mean of its parts")


@reward("format_bonus")
def format_bonus(scored: ScoredResponse, options: FormatBonusOptions) -> float:
    """`amount` for a wrong answer that is readable, so that a model learns the format before the task."""
    return rewards.format_bonus(options.amount)(scored.score, scored.response)


@reward("length_penalty")
def length_penalty(scored: ScoredResponse, options: LengthPenaltyOptions) -> float:
    """Up to -`amount` for a right answer in a long response: linear from `free_characters` to `max_characters`."""
    return rewards.length_penalty(options.free_characters, options.max_characters, options.amount)(scored.score, scored.response)


@reward("reward_noise", paper="Reinforcement Learning with Verifiable yet Noisy Rewards under Imperfect Verifiers")
def reward_noise(scored: ScoredResponse, options: RewardNoiseOptions) -> float:
    """Verifier errors at fixed rates, drawn for each rollout by itself: equal responses of two rollouts err independently."""
    right = scored.score.outcome is Outcome.RIGHT
    rng = Rng("reward_noise", options.seed, scored.rng.integer(0, 1 << 62))
    flipped = rng.chance(options.false_negative if right else options.false_positive)
    return (-scored.score.value if right else 1.0 - scored.score.value) if flipped else 0.0


@reward("brier_penalty", paper="Beyond Binary Rewards: Training LMs to Reason About Their Uncertainty")
def brier_penalty(scored: ScoredResponse, options: BrierPenaltyOptions) -> float:
    """-`amount` (confidence - value)^2: stating the true probability of being right maximises the reward."""
    return rewards.brier_penalty(options.amount)(scored.score, scored.response)


@reward("flawed_positive", paper="FAPO: Flawed-Aware Policy Optimization for Efficient and Reliable Reasoning", token_rewards=True)
def flawed_positive(scored: ScoredResponse, options: FlawedPositiveOptions) -> float:
    """-`amount` for a right answer whose working has a wrong step, so that it stays between a wrong answer and a sound one."""
    flawed = scored.score.outcome is Outcome.RIGHT and any(span.kind == "wrong" for span in scored.spans)
    return -options.amount if flawed else 0.0


@reward("tiers", paper="SSL: Sweet Spot Learning for Differentiated Guidance in Agentic Optimization")
def tiers(scored: ScoredResponse, options: TiersOptions) -> float:
    """Replaces a score below 1 by a tier: highest floor((count + 1) progress) / count, progress from 0 to 1; a right answer keeps 1."""
    if scored.score.outcome is Outcome.RIGHT:
        return 0.0
    parts = list(scored.score.parts.values())
    by_parts = sum(parts) / len(parts) if parts else 0.0
    progress = by_parts if options.progress == "parts" else scored.score.value
    # The small term keeps 2/3 of three parts from being rounded below its tier.
    tier = min(options.count, int((options.count + 1) * progress + 1e-9))
    return options.highest * tier / options.count - scored.score.value


def shaped_reward(scored: ScoredResponse, shapings: tuple[tuple[str, tuple[tuple[str, Any], ...]], ...]) -> float:
    """The score's value plus all shapings; a masked score has the reward 0. Raises OptionError for a shaping that is not a number."""
    if scored.score.masked:
        return 0.0
    total = scored.score.value
    for name, options in shapings:
        algorithm = REWARDS[name]
        given = algorithm(scored, algorithm.options.from_dict(dict(options)))
        amount = finite_number(given)
        if amount is None:
            raise OptionError(
                f"algorithm.reward_shaping.{name} returned {given!r:.60} for a response of {scored.task.label}: it must return a finite number"
            )
        total += amount
    return total
