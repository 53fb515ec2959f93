"""Rewards of steps from the success rates of their prefixes: a step earns what it adds to the chance of a right answer.

A response is cut after each separator, up to its answer. From every prefix the present policy samples continuations, which the verifier scores;
the value of a prefix is their mean score. The last value is the response's own score, so the rewards of a response add up to its score minus the
value of its prompt.

    v_0       value of the prompt alone, one estimate for the whole group
    v_k       value after the k-th step; `best_of` K turns it into 1 - (1 - v_k)^K, the chance that one of K continuations is right
    reward_k  v_k - v_(k-1)
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from statistics import fmean
from typing import TYPE_CHECKING

from rlgym.train.config.rewards import TokenRewardConfig
from rlgym.train.rewards.token_rewards import RewardSpan
from rlgym.train.rollout.engines.base import SamplingParams
from rlgym.train.rollout.engines.scores import sample_prefixes
from rlgym.train.rollout.episodes import hash_seed
from rlgym.train.rollout.likelihood import CLOSE, OPEN
from rlgym.train.rollout.scoring import ScoringJob, StepResult

if TYPE_CHECKING:
    from rlgym.train.rollout.chat import Chat
    from rlgym.train.rollout.episodes import Episode, RolloutWorker


@dataclass(frozen=True)
class Prefix:
    """The first `length` tokens of an episode, prompt included, and one continuation of it as the text that is scored."""

    episode: Episode
    length: int
    response: str


def add_prefix_values(
    worker: RolloutWorker, episodes: Sequence[Episode], options: TokenRewardConfig, seed: int
) -> tuple[list[Episode], dict[str, float]]:
    """The episodes with the rewards of their steps as spans, and metrics: continuations, their tokens and their mean score.

    From "Promoting Efficient Reasoning with Verifiable Stepwise Reward" (answers that are forced after each step) and "Rewarding Progress:
    Scaling Automated Process Verifiers for LLM Reasoning" (whole continuations, best of K). Episodes without a score have no spans.
    """
    valid = [episode for episode in episodes if episode.valid]
    leaders = {episode.group: episode for episode in reversed(valid)}  # the first of each group
    cuts = {episode.key: step_ends(worker.chat, episode.open_response, options) for episode in valid}
    starts = {episode.key: len(episode.tokens) - len(episode.open_response) for episode in valid}
    wanted = [(leader, starts[leader.key]) for leader in leaders.values()]
    wanted += [(episode, starts[episode.key] + cut) for episode in valid for cut in cuts[episode.key]]
    prefixes, tokens = _continued(worker, wanted, options, seed)
    found = _scores(worker, prefixes, leaders)
    values: dict[tuple[int, int], list[float]] = {}
    for prefix, score in zip(prefixes, found, strict=True):
        if score is not None:
            values.setdefault((prefix.episode.key, prefix.length), []).append(score)
    means = {place: 1 - (1 - fmean(scores)) ** options.best_of for place, scores in values.items()}
    out = []
    for episode in episodes:
        spans = list[RewardSpan]()
        if episode.valid:
            leader, start = leaders[episode.group], starts[episode.key]
            known = {start: means.get((leader.key, starts[leader.key]))}
            known |= {start + cut: means.get((episode.key, start + cut)) for cut in cuts[episode.key]}
            spans = progress_spans(known, len(episode.tokens), episode.score.value if episode.score else 0.0)
        out.append(replace(episode, spans=spans))
    scores = [score for score in found if score is not None]
    metrics = {
        "prefix_continuations": float(len(prefixes)),
        "prefix_tokens": float(tokens),
        "prefix_value": fmean(scores) if scores else 0.0,
    }
    return out, metrics


def step_ends(chat: Chat, response: Sequence[int], options: TokenRewardConfig) -> list[int]:
    """After how many tokens of a response its steps end, at most `max_prefixes` evenly chosen ones; the answer is in none of them."""
    text, ends = chat.decode(response), chat.character_ends(response)
    reasoning = text.rfind(OPEN) if OPEN in text else len(text)
    places, at = list[int](), text.find(options.separator)
    while 0 <= at < reasoning:
        end = at + len(options.separator)
        token = next((index + 1 for index, reached in enumerate(ends) if reached >= end), len(ends))
        if text[:end].strip() and ends[token - 1] <= reasoning and token < len(response) and token not in places:
            places.append(token)
        at = text.find(options.separator, end)
    most = options.max_prefixes
    return places if len(places) <= most else [places[(index + 1) * len(places) // most - 1] for index in range(most)]


def progress_spans(values: Mapping[int, float | None], end: int, outcome: float) -> list[RewardSpan]:
    """The steps between known values, by position of tokens, and the last one up to `end`, whose value is the outcome.

    A prefix without a value belongs to the step that follows. A first value that is missing leaves the steps before the first known one out.
    """
    known = [(place, value) for place, value in sorted(values.items()) if value is not None]
    spans = []
    for (start, before), (stop, after) in zip(known, [*known[1:], (end, outcome)], strict=True):
        gained = after - before
        spans.append(RewardSpan(start, stop, gained, "right" if gained > 0 else "wrong" if gained < 0 else "unchecked"))
    return [span for span in spans if span.end > span.start]


def _continued(
    worker: RolloutWorker, wanted: Sequence[tuple[Episode, int]], options: TokenRewardConfig, seed: int
) -> tuple[list[Prefix], int]:
    """Continuations of each prefix that leaves room for one, as the responses that they complete, and the number of sampled tokens."""
    chat, opening = worker.chat, worker.chat.encode(OPEN) if options.force_answer else []
    contexts, samplings, kept = list[list[int]](), list[SamplingParams](), list["tuple[Episode, int]"]()
    for episode, length in wanted:
        own = length - (len(episode.tokens) - len(episode.open_response))
        context = [*episode.tokens[:length], *opening]
        room = min(worker.max_seq_len - len(context), options.continuation_tokens if options.force_answer else worker.max_new_tokens - own)
        for number in range(options.continuations if room > 0 else 0):
            contexts.append(context)
            kept.append((episode, length))
            sampled = hash_seed(f"{seed} {episode.key} {length} {number}")
            samplings.append(SamplingParams(room, worker.temperature, worker.top_p, worker.top_k, chat.stop, sampled))
    completions = sample_prefixes(worker.engine, contexts, samplings)
    prefixes = []
    for (episode, length), context, completion in zip(kept, contexts, completions, strict=True):
        start = len(episode.tokens) - len(episode.open_response)
        text = chat.decode([*context[start:], *completion.tokens])
        if options.force_answer:
            before, _, answer = text.rpartition(OPEN)
            text = f"{before}{OPEN}{answer.partition(CLOSE)[0]}{CLOSE}"
        prefixes.append(Prefix(episode, length, text))
    return prefixes, sum(len(completion.tokens) for completion in completions)


def _scores(worker: RolloutWorker, prefixes: Sequence[Prefix], leaders: Mapping[int, Episode]) -> list[float | None]:
    """The verifier's score of each continuation; None where it is masked."""
    settings = replace(worker.settings, reward_shaping=())
    tasks = _results(worker, [ScoringJob(group, leader.task, settings) for group, leader in leaders.items()])
    jobs = [
        ScoringJob(key, prefix.episode.task, settings, tasks[prefix.episode.group].snapshot, prefix.response)
        for key, prefix in enumerate(prefixes)
    ]
    results = _results(worker, jobs)
    scores = [results[key].score for key in range(len(prefixes))]
    return [None if score is None or score.masked else score.value for score in scores]


def _results(worker: RolloutWorker, jobs: Sequence[ScoringJob]) -> dict[int, StepResult]:
    worker.pool.submit(jobs)
    results: dict[int, StepResult] = {}
    while len(results) < len(jobs):
        results.update(worker.pool.done(wait=True))
    return results
