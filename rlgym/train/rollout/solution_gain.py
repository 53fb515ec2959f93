"""Rewards of steps from the likelihood of the reference solution: a step earns what the reasoning up to it does for the rest of that solution.

Only for groups without a right response, unless `unsolved_only` is false. With suffixes t of the oracle's worked solution, from one of its steps to
the answer, and the mean log-probability of their tokens under the present policy,

    gain_k    max over t of log pi(suffix_t | prompt, first k steps) - log pi(suffix_t | prompt)
    reward_k  w_k gain_k less the mean of these over the steps of the group, w_k = sigmoid(k - (n + 1) / 2) for the k-th of n steps

The last step is judged by the answer alone, after all of the reasoning; a response whose answer cannot be read has -1 there.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from math import exp
from statistics import fmean
from typing import TYPE_CHECKING

from rlgym import Outcome
from rlgym.train.config.rewards import TokenRewardConfig
from rlgym.train.registry import OptionError
from rlgym.train.rewards.token_rewards import RewardSpan
from rlgym.train.rollout.engines.base import Continuation
from rlgym.train.rollout.engines.failures import SCORING, engine_failures
from rlgym.train.rollout.likelihood import OPEN
from rlgym.train.rollout.prefix_values import step_ends
from rlgym.train.sft.data import build_example

if TYPE_CHECKING:
    from rlgym.train.rollout.episodes import Episode
    from rlgym.train.rollout.worker import RolloutWorker

Place = tuple[int, int, int]
"""The key of an episode (-1 for the prompt of its group), the number of its first tokens, and the number of a suffix."""


def add_solution_gains(
    worker: RolloutWorker, episodes: Sequence[Episode], options: TokenRewardConfig
) -> tuple[list[Episode], dict[str, float]]:
    """The episodes with the rewards of their steps as spans, and metrics; other groups, and episodes without a score, have no spans.

    From "P2S: Probabilistic Process Supervision for General-Domain Reasoning Question Answering".
    """
    solved = {episode.group for episode in episodes if episode.valid and episode.solved}
    chosen = [episode for episode in episodes if episode.valid and not (options.unsolved_only and episode.group in solved)]
    leaders = {episode.group: episode for episode in reversed(chosen)}
    suffixes = {group: solution_suffixes(worker, episode, options.max_suffixes) for group, episode in leaders.items()}
    cuts = {episode.key: _cuts(worker, episode, options) for episode in chosen}
    requests: dict[Place, Continuation] = {}
    for group, episode in leaders.items():
        start = len(episode.tokens) - len(episode.open_response)
        requests |= {
            (-1 - group, start, number): Continuation(tuple(episode.tokens[:start]), suffix)
            for number, suffix in enumerate(suffixes[group])
        }
    for episode in chosen:
        for length in cuts[episode.key]:
            # The last cut is the end of the reasoning, after which the answer comes, the last suffix.
            asked = range(len(suffixes[episode.group]) - 1) if length != cuts[episode.key][-1] else [len(suffixes[episode.group]) - 1]
            for number in asked:
                requests[episode.key, length, number] = Continuation(tuple(episode.tokens[:length]), suffixes[episode.group][number])
    room = worker.max_seq_len - 1
    fitting = {place: request for place, request in requests.items() if len(request.prefix) + len(request.tokens) <= room}
    with engine_failures(worker.engine, SCORING):
        found = worker.engine.score(list(fitting.values()))
    scores = dict(zip(fitting, map(fmean, found), strict=True))
    rewards = {episode.key: _gains(episode, cuts[episode.key], scores, len(suffixes[episode.group])) for episode in chosen}
    means = {group: fmean([gain for episode in chosen if episode.group == group for gain in rewards[episode.key]]) for group in leaders}
    out = [
        replace(episode, spans=_spans(episode, cuts[episode.key], [gain - means[episode.group] for gain in rewards[episode.key]]))
        if episode.key in rewards
        else replace(episode, spans=[])
        for episode in episodes
    ]
    gains = [gain for found in rewards.values() for gain in found]
    return out, {"solution_gain": fmean(gains) if gains else 0.0, "solution_gain_groups": float(len(leaders))}


def solution_suffixes(worker: RolloutWorker, episode: Episode, most: int) -> list[tuple[int, ...]]:
    """The reference solution from some of its steps on, evenly chosen, at most `most`, and last its answer alone, in its tags."""
    example = build_example(worker.chat, episode.task, worker.settings, explain=True)
    text = worker.chat.decode([token for token, own in zip(example.tokens, example.loss_mask, strict=True) if own])
    explanation, _, answer = text.rpartition(OPEN)
    lines = explanation.splitlines(keepends=True)
    if not lines:
        raise OptionError(
            f"algorithm.token_rewards.source='solution_gain': the solution of {episode.task.label} has no steps: leave it out"
        )
    starts = range(len(lines)) if len(lines) <= most else [place * len(lines) // most for place in range(most)]
    texts = ["".join(lines[start:]) + OPEN + answer for start in starts]
    return [tuple(worker.chat.encode(part)) for part in [*texts, OPEN + answer]]


def _cuts(worker: RolloutWorker, episode: Episode, options: TokenRewardConfig) -> list[int]:
    """After how many tokens of the episode its steps end; the last is the end of its reasoning."""
    start = len(episode.tokens) - len(episode.open_response)
    text, ends = worker.chat.decode(episode.open_response), worker.chat.character_ends(episode.open_response)
    reasoning = text.rfind(OPEN) if OPEN in text else len(text)
    last = sum(end <= reasoning for end in ends)
    if episode.open_response and last == len(episode.open_response) and episode.open_response[-1] in worker.chat.stop:
        last -= 1
    return [*(start + end for end in step_ends(worker.chat, episode.open_response, options) if end < last), start + last]


def _gains(episode: Episode, cuts: Sequence[int], scores: dict[Place, float], count: int) -> list[float]:
    """The weighted gain of each step, the last one by the answer; 0 where nothing fits into the context."""
    start = len(episode.tokens) - len(episode.open_response)
    out = []
    for place, length in enumerate(cuts, 1):
        numbers = [count - 1] if place == len(cuts) else range(count - 1)
        known = [
            scores[episode.key, length, number] - scores[-1 - episode.group, start, number]
            for number in numbers
            if (episode.key, length, number) in scores and (-1 - episode.group, start, number) in scores
        ]
        gain = max(known, default=0.0)
        if place == len(cuts) and episode.score is not None and episode.score.outcome is Outcome.UNREADABLE:
            gain = -1.0
        out.append(gain / (1 + exp((len(cuts) + 1) / 2 - place)))
    return out


def _spans(episode: Episode, cuts: Sequence[int], rewards: Sequence[float]) -> list[RewardSpan]:
    """The steps as spans; the answer belongs to the last one."""
    start = len(episode.tokens) - len(episode.open_response)
    ends = [*cuts[:-1], len(episode.tokens)]
    kinds = ["right" if reward > 0 else "wrong" if reward < 0 else "unchecked" for reward in rewards]
    steps = zip([start, *ends[:-1]], ends, rewards, kinds, strict=True)
    return [RewardSpan(begin, end, reward, kind) for begin, end, reward, kind in steps if end > begin]
