"""Verifier errors that depend on more than one response: on the step of the run, on the policy's confidence, or on the rest of the group."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import TYPE_CHECKING, Literal

from pydantic import Field

from rlgym import Rng
from rlgym.train.registry import Options, group_reward

if TYPE_CHECKING:
    from rlgym.train.rewards.group.context import GroupContext
    from rlgym.train.rollout.episodes import Episode


class GroupNoiseOptions(Options):
    """Options of `group_noise`. With one of the rates at 0 the noise is one-sided; the final rates have an effect with a drift only."""

    false_positive: float = Field(..., ge=0, le=1, description="fraction of wrong answers that are rewarded; the largest of confidence")
    false_negative: float = Field(..., ge=0, le=1, description="fraction of right answers that are not; the largest of confidence")
    depends_on: Literal["rollout", "confidence", "adversary"] = Field(
        "rollout",
        description="what an error depends on: chance in each rollout; the mean probability of the sampled tokens, confident wrong and hesitant right "
        "responses being misjudged; or an adversary, who places as many errors as chance would on the rollouts of the largest advantage",
    )
    drift: Literal["none", "linear", "jump", "cycle"] = Field(
        "none",
        description="how the rates change: not at all; evenly up to `drift_steps`; at once at `drift_steps`; or to and fro with that period",
    )
    final_false_positive: float = Field(0.0, ge=0, le=1, description="the false positive rate to which the drift leads")
    final_false_negative: float = Field(0.0, ge=0, le=1, description="the false negative rate to which the drift leads")
    drift_steps: int = Field(100, ge=1, description="steps of the run until the final rates; of a cycle, from one maximum to the next")
    appeals: int = Field(0, ge=0, description="rollouts of each group that an exact verifier judges again: its budget")
    appeal_order: Literal["chance", "refused", "surprising"] = Field(
        "chance",
        description="which are appealed first: any; refused ones; or the verdicts that surprise most, confident refused and hesitant rewarded ones",
    )
    seed: int = Field(0, ge=0, description="seed of the noise")


@group_reward("group_noise", paper="Reinforcement Learning with Verifiable yet Noisy Rewards under Imperfect Verifiers")
def group_noise(episodes: Sequence[Episode], context: GroupContext, options: GroupNoiseOptions) -> list[float]:
    """Verifier errors with rates that drift over the run, by chance, by the policy's confidence, or placed by an adversary in each group.

    An exact verifier judges `appeals` rollouts of each group again, and its verdict stands. An error depends on the seed, the step and the rollout
    alone, so that a resumed run repeats it.
    """
    rates = drifted_rates(context.step, options)
    if options.depends_on == "adversary":
        flipped = adversarial_errors(episodes, rates, _rng("budget", context.step, min(episodes, key=lambda episode: episode.key), options))
    else:
        flipped = {
            place
            for place, episode in enumerate(episodes)
            if _rng("error", context.step, episode, options).chance(_rate(episode, rates, options))
        }
    flipped = flipped - set(appealed(episodes, flipped, context.step, options))
    return [_flip(episode) if place in flipped else 0.0 for place, episode in enumerate(episodes)]


def appealed(episodes: Sequence[Episode], flipped: set[int], step: int, options: GroupNoiseOptions) -> list[int]:
    """The places of the rollouts that the exact verifier judges again: at most `appeals`, by what is known without it."""
    drawn = [_rng("appeal", step, episode, options).real() for episode in episodes]
    paid = [episode.solved != (place in flipped) for place, episode in enumerate(episodes)]

    def order(place: int) -> tuple[float, float]:
        if options.appeal_order == "refused":
            return float(paid[place]), drawn[place]
        if options.appeal_order == "surprising":
            confidence = mean_probability(episodes[place])
            return (confidence if paid[place] else 1 - confidence), drawn[place]
        return 0.0, drawn[place]

    return sorted(range(len(episodes)), key=order)[: options.appeals]


def drifted_rates(step: int, options: GroupNoiseOptions) -> tuple[float, float]:
    """The false positive and the false negative rate at a step, counted from 0."""
    progress = step / options.drift_steps
    share = {"none": 0.0, "linear": min(1.0, progress), "jump": float(progress >= 1), "cycle": (1 - math.cos(2 * math.pi * progress)) / 2}[
        options.drift
    ]
    return (
        options.false_positive + share * (options.final_false_positive - options.false_positive),
        options.false_negative + share * (options.final_false_negative - options.false_negative),
    )


def adversarial_errors(episodes: Sequence[Episode], rates: tuple[float, float], rng: Rng) -> set[int]:
    """The places of the errors of an adversary with the budget that chance would use on average, rounded at random.

    The true advantage of a rollout, its score minus the mean of the group, says how much its error turns the update. The adversary spends the
    budget on the largest, and among equal ones on the longest responses. A group whose rollouts are all right or all wrong has no advantage to
    turn and is left alone. An error whose rate is 0 is never made.
    """
    solved = [episode.solved for episode in episodes]
    if all(solved) or not any(solved):
        return set()
    expected = sum(rates[right] for right in solved)
    budget = math.floor(expected) + rng.chance(expected % 1)
    mean = sum(solved) / len(solved)
    open_to_errors = [place for place, right in enumerate(solved) if rates[right] > 0]
    ranked = sorted(open_to_errors, key=lambda place: (-abs(solved[place] - mean), -episodes[place].num_sampled, episodes[place].key))
    return set(ranked[:budget])


def mean_probability(episode: Episode) -> float:
    """The geometric mean of the probabilities of the sampled tokens, the policy's confidence in its response; 0 without tokens."""
    logprobs = [logprob for logprob, sampled in zip(episode.logprobs, episode.loss_mask, strict=True) if sampled]
    return math.exp(min(0.0, sum(logprobs) / len(logprobs))) if logprobs else 0.0


def _rate(episode: Episode, rates: tuple[float, float], options: GroupNoiseOptions) -> float:
    rate = rates[episode.solved]
    if options.depends_on == "rollout":
        return rate
    confidence = mean_probability(episode)
    return rate * (1 - confidence if episode.solved else confidence)


def _rng(purpose: str, step: int, episode: Episode, options: GroupNoiseOptions) -> Rng:
    return Rng("group_noise", purpose, options.seed, step, episode.group, episode.key)


def _flip(episode: Episode) -> float:
    """What turns the reward of the score into that of the opposite verdict."""
    assert episode.score is not None
    return -episode.score.value if episode.solved else 1.0 - episode.score.value
