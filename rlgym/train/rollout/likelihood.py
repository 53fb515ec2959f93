"""Rewards from likelihoods: the rollout engine scores the reference answer after a response's own reasoning.

y* are the tokens of the reference answer, z those of the response up to its answer, x the prompt. A response without an answer is scored as if
its answer began at its end. Probabilities are those at temperature 1.

    prob, logprob            the product of pi(y*_t | x, z, y*_<t), and its logarithm
    mean_prob, mean_logprob  the mean over t of pi(y*_t | x, z, y*_<t), and of its logarithm
    gain                     mean_prob minus the same without z, clipped to [0, 1]
    diverse                  r(y*) + diversity_weight d, where r is mean_prob and d = max(r(y*) - r(y), 0) for the response's own answer y, if
                             d is at most r(y*) / diversity_ratio, else 0
    self_aligned             max(1 - L(z y | x) / L(z y), -1), where L is the mean of -log pi over the response, with and without the prompt
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from rlgym.train.config.rewards import LikelihoodRewardConfig
from rlgym.train.registry import OptionError
from rlgym.train.rollout.engines.base import Continuation
from rlgym.train.sft.data import build_example

if TYPE_CHECKING:
    from rlgym.train.rollout.episodes import Episode, RolloutWorker

OPEN, CLOSE = "<answer>", "</answer>"
Logprobs = Sequence[float]


@dataclass(frozen=True)
class ScoredTokens:
    """Log-probabilities of the tokens that a reward compares: each is empty where its kind does not need it.

    reference   of the reference answer after the reasoning
    plain       of the reference answer right after the prompt
    own         of the response's own answer after the reasoning
    response    of the response after the prompt; `alone` without it
    """

    reference: Logprobs = ()
    plain: Logprobs = ()
    own: Logprobs = ()
    response: Logprobs = ()
    alone: Logprobs = ()


def likelihood_value(scored: ScoredTokens, options: LikelihoodRewardConfig) -> float:
    """The reward of one response by the formulas above."""
    if options.kind == "self_aligned":
        alone = -_mean(scored.alone)
        return max(1 - -_mean(scored.response) / alone, -1.0) if alone > 0 else 0.0
    if options.kind in ("prob", "logprob"):
        total = sum(scored.reference)
        return math.exp(total) if options.kind == "prob" else total
    if options.kind == "mean_logprob":
        return _mean(scored.reference)
    found = _mean_prob(scored.reference)
    if options.kind == "gain":
        return min(1.0, max(0.0, found - _mean_prob(scored.plain)))
    if options.kind == "diverse":
        gap = max(found - _mean_prob(scored.own), 0.0)
        return found + (options.diversity_weight * gap if gap <= found / options.diversity_ratio else 0.0)
    return found


def add_likelihood_rewards(worker: RolloutWorker, episodes: Sequence[Episode], options: LikelihoodRewardConfig) -> list[Episode]:
    """The episodes with verifier_weight times their reward plus weight times the likelihood reward; episodes without a score stay.

    From "RLPR: Extrapolating RLVR to General Domains without Verifiers" (`gain`), "DARL" (`diverse`) and "Self-Aligned Reward" (`self_aligned`).
    Raises OptionError for a reward that is not finite.
    """
    references = {episode.group: episode for episode in episodes if episode.valid}
    answers = {group: _reference_answer(worker, episode) for group, episode in references.items()}
    requests = [_requests(worker, episode, answers[episode.group], options.kind) if episode.valid else {} for episode in episodes]
    flat = [(place, name) for place, named in enumerate(requests) for name in named]
    scores = worker.engine.score([requests[place][name] for place, name in flat])
    found: list[dict[str, Logprobs]] = [{} for _ in episodes]
    for (place, name), logprobs in zip(flat, scores, strict=True):
        found[place][name] = logprobs
    return [_with_reward(episode, ScoredTokens(**named), options) for episode, named in zip(episodes, found, strict=True)]


def _with_reward(episode: Episode, scored: ScoredTokens, options: LikelihoodRewardConfig) -> Episode:
    if not episode.valid:
        return episode
    value = likelihood_value(scored, options)
    if not math.isfinite(value):
        raise OptionError(
            f"algorithm.likelihood_reward returned {value!r} for a response of {episode.task.label}: check the model's weights"
        )
    return replace(episode, reward=options.verifier_weight * episode.reward + options.weight * value)


def _reference_answer(worker: RolloutWorker, episode: Episode) -> list[int]:
    """The tokens of the oracle's answer, between its tags."""
    example = build_example(worker.chat, episode.task, worker.settings, explain=False)
    text = worker.chat.decode([token for token, own in zip(example.tokens, example.loss_mask, strict=True) if own])
    answer = worker.chat.encode(text.partition(OPEN)[2].rpartition(CLOSE)[0])
    if not answer:
        raise OptionError(f"algorithm.likelihood_reward needs a reference answer, and that of {episode.task.label} is empty: leave it out")
    return answer


def _requests(worker: RolloutWorker, episode: Episode, answer: list[int], kind: str) -> dict[str, Continuation]:
    """What the engine must score for a response, by the fields of `ScoredTokens`.

    Reasoning that leaves no room for the answer is cut at its end.
    """
    chat, room = worker.chat, worker.max_seq_len - 1
    response = episode.open_response
    prompt = episode.tokens[: len(episode.tokens) - len(response)]
    if response and response[-1] in chat.stop:
        response = response[:-1]
    if kind == "self_aligned":
        # Without a prompt the response follows the token that ends a text.
        start = (chat.stop[0],)
        response = response[: room - len(prompt)]
        return {"response": Continuation(tuple(prompt), tuple(response)), "alone": Continuation(start, tuple(response))}
    opening = chat.encode(OPEN)
    text = chat.decode(response)
    reasoning, own = response, list[int]()
    if OPEN in text:
        start_of_answer = text.rindex(OPEN)
        reasoning = [token for token, end in zip(response, chat.character_ends(response), strict=True) if end <= start_of_answer]
        own = chat.encode(text[start_of_answer + len(OPEN) :].partition(CLOSE)[0])
    longest = max(len(answer), len(own) if kind == "diverse" else 0)
    after = (*[*prompt, *reasoning][: room - len(opening) - longest], *opening)
    requests = {"reference": Continuation(after, tuple(answer))}
    if kind == "gain":
        requests["plain"] = Continuation((*prompt, *opening), tuple(answer))
    if kind == "diverse":
        requests["own"] = Continuation(after, tuple(own))
    return requests


def _mean(values: Logprobs) -> float:
    return sum(values) / len(values) if values else 0.0


def _mean_prob(logprobs: Logprobs) -> float:
    return _mean([math.exp(logprob) for logprob in logprobs])
