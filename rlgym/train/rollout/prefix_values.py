"""Rewards of steps from the success rates of their prefixes: a step earns what it adds to the chance of a right answer.

A response is cut after each separator, or at budgets of tokens, up to its answer. From every prefix the present policy samples continuations, which
the verifier scores; the value of a prefix is their mean score. The last value is the response's own score.

    v_0       value of the prompt alone, one estimate for the whole group; 0 with the measures `value` and `potential`
    v_k       value after the k-th step; `best_of` K turns it into 1 - (1 - v_k)^K, the chance that one of K continuations is right
    reward_k  v_k - v_(k-1)
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from math import exp
from statistics import fmean
from typing import TYPE_CHECKING, Any

from rlgym.train.config.rewards import TokenRewardConfig
from rlgym.train.rewards.token_rewards import RewardSpan
from rlgym.train.rollout.engines.base import SamplingParams
from rlgym.train.rollout.engines.scores import sample_prefixes
from rlgym.train.rollout.likelihood import CLOSE, OPEN
from rlgym.train.rollout.scoring import ScoringJob, StepResult
from rlgym.train.rollout.worker import hash_seed

if TYPE_CHECKING:
    from rlgym.train.rollout.chat import Chat
    from rlgym.train.rollout.episodes import Episode
    from rlgym.train.rollout.worker import RolloutWorker

Place = tuple[int, int]
"""The key of an episode, and the number of its first tokens, prompt included."""


@dataclass(frozen=True)
class Prefix:
    """The first `length` tokens of an episode, prompt included, and one continuation of it as the text that is scored.

    confidence  the geometric mean of the probabilities of the tokens of the continuation
    """

    episode: Episode
    length: int
    response: str
    confidence: float = 0.0


@dataclass
class Estimates:
    """The scores and confidences of the continuations of each place, and what they cost."""

    samples: dict[Place, list[tuple[float, float]]] = field(default_factory=dict)
    continuations: int = 0
    tokens: int = 0

    def success(self, place: Place) -> float | None:
        """The mean score of the continuations; None where there is none."""
        found = self.samples.get(place)
        return fmean(score for score, _ in found) if found else None

    def value(self, place: Place, options: TokenRewardConfig) -> float | None:
        """The value of a prefix, by the configured measure."""
        success = self.success(place)
        if success is None:
            return None
        if options.measure == "potential":
            return potential(success, fmean(confidence for _, confidence in self.samples[place]))
        return float(1 - (1 - success) ** options.best_of)

    def metrics(self) -> dict[str, float]:
        """The number of continuations, their tokens and their mean score."""
        scores = [score for found in self.samples.values() for score, _ in found]
        return {
            "prefix_continuations": float(self.continuations),
            "prefix_tokens": float(self.tokens),
            "prefix_value": fmean(scores) if scores else 0.0,
        }


def potential(success: float, confidence: float) -> float:
    """1.5 success confidence + 0.5 success - confidence, from -1 for sure and wrong to 1 for sure and right.

    From "Step Potential Advantage Estimation", with the success rate in place of the probability of the reference answer.
    """
    return 1.5 * success * confidence + 0.5 * success - confidence


def add_prefix_values(
    worker: RolloutWorker, episodes: Sequence[Episode], options: TokenRewardConfig, seed: int
) -> tuple[list[Episode], dict[str, float], list[dict[str, Any]]]:
    """The episodes with the rewards of their steps as spans, metrics, and a record of every prefix with its success rate.

    From "Promoting Efficient Reasoning with Verifiable Stepwise Reward" (answers that are forced after each step) and "Rewarding Progress:
    Scaling Automated Process Verifiers for LLM Reasoning" (whole continuations, best of K). Episodes without a score have no spans.
    """
    valid = [episode for episode in episodes if episode.valid]
    leaders = {episode.group: episode for episode in reversed(valid)}  # the first of each group
    cuts = {episode.key: prefix_ends(worker.chat, episode.open_response, options) for episode in valid}
    starts = {episode.key: len(episode.tokens) - len(episode.open_response) for episode in valid}
    estimates, from_prompt = Estimates(), options.measure == "progress"
    if options.search == "binary":
        spans = _first_errors(worker, valid, cuts, starts, options, seed, estimates)
    else:
        wanted = [(leader, starts[leader.key]) for leader in leaders.values()] if from_prompt else []
        wanted += [(episode, starts[episode.key] + cut) for episode in valid for cut in cuts[episode.key]]
        estimate(worker, wanted, options, seed, estimates)
        spans = {}
        for episode in valid:
            leader, start = leaders[episode.group], starts[episode.key]
            known = {start: estimates.value((leader.key, starts[leader.key]), options) if from_prompt else 0.0}
            known |= {start + cut: estimates.value((episode.key, start + cut), options) for cut in cuts[episode.key]}
            outcome = episode.score.value if episode.score else 0.0
            # The response's own answer is given, so its confidence counts as 1.
            last = potential(outcome, 1.0) if options.measure == "potential" else outcome
            spans[episode.key] = progress_spans(known, len(episode.tokens), last)
    out = [replace(episode, spans=spans.get(episode.key, [])) for episode in episodes]
    return out, estimates.metrics() | _budget_metrics(valid, cuts, starts, options, estimates), _records(worker, valid, starts, estimates)


def _first_errors(
    worker: RolloutWorker,
    valid: Sequence[Episode],
    cuts: Mapping[int, list[int]],
    starts: Mapping[int, int],
    options: TokenRewardConfig,
    seed: int,
    estimates: Estimates,
) -> dict[int, list[RewardSpan]]:
    """The steps of right responses as right ones, and of wrong ones up to the first from which no continuation succeeds, by binary search.

    From "Improve Mathematical Reasoning in Language Models by Automated Process Supervision". All responses are searched side by side, and equal
    prefixes share one estimate. Where no continuation of the prompt alone succeeds, all steps stay unchecked.
    """
    ends = {episode.key: [starts[episode.key], *(starts[episode.key] + cut for cut in cuts[episode.key])] for episode in valid}
    pool: dict[tuple[int, tuple[int, ...]], Place] = {}

    def succeeds(pairs: Sequence[tuple[Episode, int]]) -> dict[int, bool]:
        """Whether a continuation of each episode's prefix succeeds; new prefixes are continued."""
        places = {episode.key: (episode.group, tuple(episode.tokens[:length])) for episode, length in pairs}
        new = {places[episode.key]: (episode, length) for episode, length in reversed(pairs) if places[episode.key] not in pool}
        pool.update({prefix: (episode.key, length) for prefix, (episode, length) in new.items()})
        estimate(worker, list(new.values()), options, seed, estimates)
        return {key: bool(estimates.success(pool[prefix])) for key, prefix in places.items()}

    wrong = [episode for episode in valid if not episode.solved]
    possible = succeeds([(episode, starts[episode.key]) for episode in wrong])
    # The first `low` steps can be continued, and the first `high` cannot.
    bounds = {episode.key: (0, len(ends[episode.key])) for episode in wrong if possible[episode.key]}
    while open_keys := {key for key, (low, high) in bounds.items() if high - low > 1}:
        middle = {key: sum(bounds[key]) // 2 for key in open_keys}
        found = succeeds([(episode, ends[episode.key][middle[episode.key]]) for episode in wrong if episode.key in open_keys])
        for key, succeeded in found.items():
            low, high = bounds[key]
            bounds[key] = (middle[key], high) if succeeded else (low, middle[key])
    spans = {}
    for episode in valid:
        first = len(ends[episode.key]) + 1 if episode.solved else bounds.get(episode.key, (0, 0))[1]
        stops = [*ends[episode.key][1:], len(episode.tokens)]
        kinds = ["right" if step < first else "wrong" if step == first else "unchecked" for step in range(1, len(stops) + 1)]
        rewards = {"right": options.right, "wrong": options.wrong, "unchecked": options.unchecked}
        steps = zip(ends[episode.key], stops, kinds, strict=True)
        spans[episode.key] = [RewardSpan(start, stop, rewards[kind], kind) for start, stop, kind in steps if stop > start]
    return spans


def prefix_ends(chat: Chat, response: Sequence[int], options: TokenRewardConfig) -> list[int]:
    """After how many tokens a response is cut: after its steps, or at the budgets that its reasoning exceeds."""
    if not options.budgets:
        return step_ends(chat, response, options)
    text, ends = chat.decode(response), chat.character_ends(response)
    reasoning = text.rfind(OPEN) if OPEN in text else len(text)
    return [budget for budget in sorted(options.budgets) if budget < len(response) and ends[budget - 1] <= reasoning]


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


def estimate(
    worker: RolloutWorker, wanted: Sequence[tuple[Episode, int]], options: TokenRewardConfig, seed: int, estimates: Estimates
) -> None:
    """Sample and score continuations of prefixes, and add them to the estimates."""
    prefixes, tokens = _sample_continuations(worker, wanted, options, seed)
    for prefix, score in zip(prefixes, _scores(worker, prefixes), strict=True):
        if score is not None:
            estimates.samples.setdefault((prefix.episode.key, prefix.length), []).append((score, prefix.confidence))
    estimates.continuations += len(prefixes)
    estimates.tokens += tokens


def _budget_metrics(
    valid: Sequence[Episode], cuts: Mapping[int, list[int]], starts: Mapping[int, int], options: TokenRewardConfig, estimates: Estimates
) -> dict[str, float]:
    """The mean success at each budget; a response that ended before it counts with its score."""
    out = {}
    for budget in sorted(options.budgets):
        found = []
        for episode in valid:
            ended = episode.score.value if episode.score else 0.0
            success = estimates.success((episode.key, starts[episode.key] + budget)) if budget in cuts[episode.key] else ended
            found.append(ended if success is None else success)
        out[f"budget_value/{budget}"] = fmean(found) if found else 0.0
    return out


def _records(worker: RolloutWorker, valid: Sequence[Episode], starts: Mapping[int, int], estimates: Estimates) -> list[dict[str, Any]]:
    by_key = {episode.key: episode for episode in valid}
    return [
        {
            "task": by_key[key].task.label,
            "seed": by_key[key].seed,
            "prefix": worker.chat.decode(by_key[key].tokens[starts[key] : length]),
            "value": fmean(score for score, _ in found),
            "continuations": len(found),
            "solved": by_key[key].solved,
        }
        for (key, length), found in sorted(estimates.samples.items())
    ]


def _sample_continuations(
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
        confidence = exp(min(0.0, fmean(completion.logprobs))) if completion.logprobs else 0.0
        prefixes.append(Prefix(episode, length, text, confidence))
    return prefixes, sum(len(completion.tokens) for completion in completions)


def _scores(worker: RolloutWorker, prefixes: Sequence[Prefix]) -> list[float | None]:
    """The verifier's score of each continuation; None where it is masked."""
    settings = replace(worker.settings, reward_shaping=())
    specs = {prefix.episode.group: prefix.episode.task for prefix in prefixes}
    tasks = _results(worker, [ScoringJob(group, task, settings) for group, task in specs.items()])
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
