"""Rewards from likelihoods: the rollout engine scores the reference answer after a response's own reasoning.

y* are the tokens of the reference answer, z those of the response up to its answer, x the prompt. A response without an answer is scored as if
its answer began at its end. Probabilities are those at temperature 1.

    prob, logprob            the product of pi(y*_t | x, z, y*_<t), and its logarithm
    mean_prob, mean_logprob  the mean over t of pi(y*_t | x, z, y*_<t), and of its logarithm
    gain                     mean_prob minus the same without z, clipped to [0, 1]
    reflective               sum over t of w_t (log pi(y*_t | x, z, y*_<t) - log pi(y*_t | x, y*_<t)) - length_penalty |len y* - len y| / len y*, the
                             weights w_t proportional to the standard deviation of the first logarithm over the group, with the sum 1
    diverse                  r(y*) + diversity_weight d, where r is mean_prob and d = max(r(y*) - r(y), 0) for the response's own answer y, if
                             d is at most r(y*) / diversity_ratio, else 0
    self_aligned             max(1 - L(z y | x) / L(z y), -1), where L is the mean of -log pi over the response, with and without the prompt
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from statistics import pstdev
from typing import TYPE_CHECKING

from rlgym.train.config.rewards import LikelihoodRewardConfig
from rlgym.train.registry import OptionError
from rlgym.train.rollout.engines.base import Continuation
from rlgym.train.rollout.engines.failures import SCORING, engine_failures
from rlgym.train.rollout.episodes import ScoredAnswer
from rlgym.train.sft.data import build_example

if TYPE_CHECKING:
    from rlgym.train.rollout.chat import Chat
    from rlgym.train.rollout.episodes import Episode
    from rlgym.train.rollout.second_models import SecondModel
    from rlgym.train.rollout.worker import RolloutWorker

OPEN, CLOSE = "<answer>", "</answer>"
Logprobs = Sequence[float]


@dataclass(frozen=True)
class ScoredTokens:
    """Log-probabilities of the tokens that a reward compares: each is empty where its kind does not need it.

    reference   of the reference answer after the reasoning
    plain       of the reference answer right after the prompt
    own         of the response's own answer after the reasoning
    response    of the response after the prompt; `alone` without it
    spread      the standard deviation of each of `reference` over the group
    """

    reference: Logprobs = ()
    plain: Logprobs = ()
    own: Logprobs = ()
    response: Logprobs = ()
    alone: Logprobs = ()
    spread: Logprobs = ()


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
    if options.kind == "reflective":
        total = sum(scored.spread)
        gains = [after - before for after, before in zip(scored.reference, scored.plain, strict=True)]
        weighted = sum(spread * gain for spread, gain in zip(scored.spread, gains, strict=True)) / total if total else 0.0
        return weighted - options.length_penalty * abs(len(scored.reference) - len(scored.own)) / len(scored.reference)
    found = _mean_prob(scored.reference)
    if options.kind == "gain":
        return min(1.0, max(0.0, found - _mean_prob(scored.plain)))
    if options.kind == "diverse":
        gap = max(found - _mean_prob(scored.own), 0.0)
        return found + (options.diversity_weight * gap if gap <= found / options.diversity_ratio else 0.0)
    return found


def answer_weights(reference: Logprobs, options: LikelihoodRewardConfig) -> tuple[float, ...]:
    """The derivative of the weighted reward with respect to the log-probability of each token of the reference answer.

    With it the gradient of the expected reward is exact: E[R grad log pi(z | x) + sum over t of weight_t grad log pi(y*_t | x, z, y*_<t)].
    """
    count, kind = len(reference), options.kind
    slopes = {
        "prob": [math.exp(sum(reference))] * count,
        "logprob": [1.0] * count,
        "mean_prob": [math.exp(logprob) / count for logprob in reference],
        "mean_logprob": [1.0 / count] * count,
    }
    return tuple(options.weight * slope for slope in slopes.get(kind, [0.0] * count))


def add_likelihood_rewards(worker: RolloutWorker, episodes: Sequence[Episode], options: LikelihoodRewardConfig) -> list[Episode]:
    """The episodes with verifier_weight times their reward plus weight times the likelihood reward; episodes without a score stay.

    From "RLPR: Extrapolating RLVR to General Domains without Verifiers" (`gain`), "DARL" (`diverse`), "Direct Reasoning Optimization: LLMs Can
    Reward And Refine Their Own Reasoning for Open-Ended Tasks" (`reflective`) and "Self-Aligned Reward" (`self_aligned`).
    Raises OptionError for a reward that is not finite.
    """
    references = {episode.group: episode for episode in episodes if episode.valid}
    answers = {group: _reference_answer(worker, episode) for group, episode in references.items()}
    requests = [_requests(worker, episode, answers[episode.group], options.kind) if episode.valid else {} for episode in episodes]
    flat = [(place, name) for place, named in enumerate(requests) for name in named]
    with engine_failures(worker.engine, SCORING):
        scores = worker.engine.score([requests[place][name] for place, name in flat])
    found: list[dict[str, Logprobs]] = [{} for _ in episodes]
    for (place, name), logprobs in zip(flat, scores, strict=True):
        found[place][name] = logprobs
    spreads = _spreads(episodes, found) if options.kind == "reflective" else {}
    out = []
    for episode, named, asked in zip(episodes, found, requests, strict=True):
        if episode.valid:
            scored = ScoredTokens(**named, spread=spreads.get(episode.group, ()))
            episode = _with_reward(_with_reference(worker, episode, asked, scored, options), scored, options)
        out.append(episode)
    return out


def add_listener_rewards(
    listener: SecondModel, worker: RolloutWorker, episodes: Sequence[Episode], options: LikelihoodRewardConfig
) -> tuple[list[Episode], dict[str, float]]:
    """The same with the probabilities of a frozen second model that reads the prompt and the reasoning, and the share of its contradictions.

    It contradicts a response if the verifier accepts it and the reference answer is not the likely one after its reasoning, or the other way
    round: likely is a mean probability of the answer's tokens of at least 1/2. From "Listener-Rewarded Thinking in VLMs for Image Preferences".
    """
    heard = [listener.in_own_tokens(episode) if episode.valid else episode for episode in episodes]
    scored = add_likelihood_rewards(listener.as_worker(worker), heard, options)
    likely = {place: _mean_prob(found.reference.logprobs) >= 0.5 for place, found in enumerate(scored) if found.reference is not None}
    contradicted = [likely[place] != episodes[place].solved for place in likely]
    metrics = {"listener_contradiction": _mean(contradicted)} if contradicted else {}
    return [replace(episode, reward=found.reward) for episode, found in zip(episodes, scored, strict=True)], metrics


def _spreads(episodes: Sequence[Episode], found: Sequence[dict[str, Logprobs]]) -> dict[int, Logprobs]:
    """For each group, the standard deviation over its responses of the log-probability of each token of the reference answer."""
    columns: dict[int, list[Logprobs]] = {}
    for episode, named in zip(episodes, found, strict=True):
        if episode.valid:
            columns.setdefault(episode.group, []).append(named["reference"])
    return {group: [pstdev(tokens) for tokens in zip(*rows, strict=True)] for group, rows in columns.items()}


def _with_reference(
    worker: RolloutWorker, episode: Episode, asked: dict[str, Continuation], scored: ScoredTokens, options: LikelihoodRewardConfig
) -> Episode:
    """The episode with its reference answer and the weights of its tokens, where the loss needs them."""
    if "reference" not in asked:
        return episode
    reference = asked["reference"]
    weights = tuple(options.answer_gradient * weight for weight in answer_weights(scored.reference, options))
    found = ScoredAnswer(reference.prefix, reference.tokens, tuple(scored.reference), weights, _reasoning_end(worker.chat, episode))
    return replace(episode, reference=found, answer_spread=max(scored.spread, default=0.0))


def _reasoning_end(chat: Chat, episode: Episode) -> int:
    """How many tokens of an episode belong to its prompt and its reasoning, the opening tag of its answer included."""
    response = episode.open_response
    text = chat.decode(response)
    if OPEN not in text:
        return len(episode.tokens)
    end = text.rindex(OPEN) + len(OPEN)
    ends = chat.character_ends(response)
    inside = next((index + 1 for index, reached in enumerate(ends) if reached >= end), len(ends))
    return len(episode.tokens) - len(response) + inside


def _with_reward(episode: Episode, scored: ScoredTokens, options: LikelihoodRewardConfig) -> Episode:
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
    compared = kind in ("diverse", "reflective")
    longest = max(len(answer), len(own) if compared else 0)
    after = (*[*prompt, *reasoning][: room - len(opening) - longest], *opening)
    requests = {"reference": Continuation(after, tuple(answer))}
    if kind in ("gain", "reflective"):
        requests["plain"] = Continuation((*prompt, *opening), tuple(answer))
    if compared:
        requests["own"] = Continuation(after, tuple(own))
    return requests


def _mean(values: Logprobs) -> float:
    return sum(values) / len(values) if values else 0.0


def _mean_prob(logprobs: Logprobs) -> float:
    return _mean([math.exp(logprob) for logprob in logprobs])
