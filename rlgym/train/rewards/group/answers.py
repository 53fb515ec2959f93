"""Group rewards that compare the rollouts of a group: their rewards, their words, their answers."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence
from typing import TYPE_CHECKING, Self

from pydantic import Field, model_validator

import rlgym
from rlgym.train.registry import Options, group_reward

if TYPE_CHECKING:
    from rlgym.train.rewards.group.context import GroupContext
    from rlgym.train.rollout.episodes import Episode


class ParOptions(Options):
    """Options of `par`."""

    temperature: float = Field(1.0, gt=0, le=100, description="differences of rewards are divided by it")


class NgramDiversityOptions(Options):
    """Options of `ngram_diversity`."""

    amount: float = Field(0.2, ge=0, le=0.5, description="bonus of a response that shares no n-gram with the others of its group")
    n: int = Field(3, ge=1, le=20, description="words of an n-gram")


class TrustedStepsOptions(Options):
    """Options of `trusted_steps`."""

    amount: float = Field(
        0.3, ge=0, le=0.5, description="bonus of a response whose spans all have the reward 1, at the first step of the run"
    )
    decay_steps: int = Field(100, ge=1, description="the bonus falls by the factor e in this many steps")


class ContrastiveOptions(Options):
    """Options of `contrastive`."""

    pattern: str = Field(..., min_length=1, max_length=1000, description="text that marks the behaviour in a response, such as a tag")
    amount: float = Field(0.2, ge=0, le=0.4, description="bonus or penalty of a response with the behaviour")
    epsilon: float = Field(0.1, ge=0, le=1, description="difference of the solve rates up to which the behaviour earns nothing")


class MajorityOptions(Options):
    """No options."""


class SemanticEntropyOptions(Options):
    """Options of `semantic_entropy`."""

    min_entropy: float = Field(0.0, ge=0, le=100, description="groups whose answers have at most this entropy, in nats, earn nothing")
    max_entropy: float = Field(100.0, ge=0, le=100, description="groups whose answers have at least this entropy, in nats, earn nothing")

    @model_validator(mode="after")
    def _check_order(self) -> Self:
        if self.min_entropy >= self.max_entropy:
            raise ValueError(f"min_entropy={self.min_entropy} must be below max_entropy={self.max_entropy}")
        return self


@group_reward("par", paper="Reward Shaping to Mitigate Reward Hacking in RLHF")
def par(episodes: Sequence[Episode], context: GroupContext, options: ParOptions) -> list[float]:
    """Replaces the reward by the mean over the others of the group of sigmoid((r - r_other) / temperature); 1/2 for a group of one."""
    rewards = [episode.reward for episode in episodes]
    shaped = []
    for place, reward in enumerate(rewards):
        others = rewards[:place] + rewards[place + 1 :]
        wins = [_sigmoid((reward - other) / options.temperature) for other in others]
        shaped.append(sum(wins) / len(wins) if wins else 0.5)
    return [new - old for new, old in zip(shaped, rewards, strict=True)]


@group_reward("ngram_diversity", paper="Diversity-Enhanced Reasoning for Subjective Questions")
def ngram_diversity(episodes: Sequence[Episode], context: GroupContext, options: NgramDiversityOptions) -> list[float]:
    """amount times the fraction of a response's different n-grams that no other response of the group has."""
    grams = [_ngrams(_response(episode), options.n) for episode in episodes]
    holders = Counter(gram for found in grams for gram in found)
    return [options.amount * sum(holders[gram] == 1 for gram in found) / len(found) if found else 0.0 for found in grams]


@group_reward("trusted_steps", paper="SophiaVL-R1: Reinforcing MLLMs Reasoning with Thinking Reward", token_rewards=True)
def trusted_steps(episodes: Sequence[Episode], context: GroupContext, options: TrustedStepsOptions) -> list[float]:
    """trust amount e^(-step / decay_steps) q, q the mean reward of the response's spans, from 0 to 1.

    trust is 1 where q is on average no lower for the group's right responses than for its wrong ones, and e^(difference) elsewhere.
    """
    quality = [_mean_span_reward(episode) for episode in episodes]
    right = [q for q, episode in zip(quality, episodes, strict=True) if episode.solved]
    wrong = [q for q, episode in zip(quality, episodes, strict=True) if not episode.solved]
    difference = sum(right) / len(right) - sum(wrong) / len(wrong) if right and wrong else 0.0
    weight = options.amount * math.exp(min(0.0, difference) - context.step / options.decay_steps)
    return [weight * q for q in quality]


@group_reward("contrastive", paper="GeometryZero: Advancing Geometry Solving via Group Contrastive Policy Optimization")
def contrastive(episodes: Sequence[Episode], context: GroupContext, options: ContrastiveOptions) -> list[float]:
    """+-amount for a response with the behaviour, where the group's responses with it are right more or less often than those without.

    0 where the solve rates differ by at most epsilon, or where the group has no response of one kind. With `algorithm.contrast` the solve rates are
    those of further rollouts prompted to show the behaviour, and prompted to avoid it.
    """
    shows = [options.pattern in _response(episode) for episode in episodes]
    with_it = [float(episode.solved) for episode, shown in zip(episodes, shows, strict=True) if shown]
    without = [float(episode.solved) for episode, shown in zip(episodes, shows, strict=True) if not shown]
    measured = episodes[0].behaviour_gain if episodes else None
    gain = sum(with_it) / len(with_it) - sum(without) / len(without) if with_it and without else 0.0
    gain = gain if measured is None else measured
    amount = 0.0 if abs(gain) <= options.epsilon else math.copysign(options.amount, gain)
    return [amount * shown for shown in shows]


@group_reward("majority", paper="TTRL: Test-Time Reinforcement Learning")
def majority(episodes: Sequence[Episode], context: GroupContext, options: MajorityOptions) -> list[float]:
    """Replaces the score by 1 for the group's most frequent answer, or one of several, and 0 for others: needs no labels."""
    answers = [canonical_answer(episode, context) for episode in episodes]
    votes = Counter(answer for answer in answers if answer is not None)
    most = max(votes.values(), default=0)
    rewards = [float(answer is not None and votes[answer] == most) for answer in answers]
    return [reward - _value(episode) for reward, episode in zip(rewards, episodes, strict=True)]


@group_reward("semantic_entropy", paper="Right Question is Already Half the Answer: Fully Unsupervised LLM Reasoning Incentivization")
def semantic_entropy(episodes: Sequence[Episode], context: GroupContext, options: SemanticEntropyOptions) -> list[float]:
    """Replaces the score by the fraction of the group with an equal answer; 0 where the entropy of the answers is out of bounds."""
    answers = [canonical_answer(episode, context) for episode in episodes]
    votes = Counter(answer for answer in answers if answer is not None)
    shares = [count / votes.total() for count in votes.values()]
    within = options.min_entropy < -sum(share * math.log(share) for share in shares) < options.max_entropy
    rewards = [votes[answer] / len(answers) if within and answer is not None else 0.0 for answer in answers]
    return [reward - _value(episode) for reward, episode in zip(rewards, episodes, strict=True)]


def canonical_answer(episode: Episode, context: GroupContext) -> str | None:
    """The answer of a single-turn episode in its canonical spelling; None if it is unreadable."""
    answer = rlgym.environment(episode.task.name).answer
    try:
        return answer.render_response(answer.parse_response(_response(episode), context.answer_style), context.answer_style)
    except Exception:
        # Usually the answer is unreadable. A value that cannot be written is of no use as a vote either.
        return None


def _mean_span_reward(episode: Episode) -> float:
    """The mean reward of the spans, kept between 0 and 1; 0 without spans."""
    spans = episode.spans or ()
    return min(1.0, max(0.0, sum(span.reward for span in spans) / len(spans))) if spans else 0.0


def _response(episode: Episode) -> str:
    return next((text for role, text in reversed(episode.messages) if role == "assistant"), "")


def _ngrams(text: str, n: int) -> set[tuple[str, ...]]:
    words = text.lower().split()
    return {tuple(words[place : place + n]) for place in range(len(words) - n + 1)}


def _sigmoid(x: float) -> float:
    return 1 / (1 + math.exp(-x)) if x >= 0 else math.exp(x) / (1 + math.exp(x))


def _value(episode: Episode) -> float:
    assert episode.score is not None
    return episode.score.value
