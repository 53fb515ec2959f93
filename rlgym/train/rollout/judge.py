"""Rewards from a judge: a frozen second model that reads the prompt and the response, and decides between two answers.

verdict    P(yes) / (P(yes) + P(no)) after the question, or with criteria the mean of it over them
pairwise   the mean over the others of the group of P(this response is preferred), each pair asked in both orders
exemplar   P(this response is preferred to the reference solution), asked in both orders
bootstrap  1 if this response is preferred to a random one of its group, -1 if not, and 0 for that one
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import combinations
from statistics import fmean
from string import Formatter
from typing import TYPE_CHECKING

from rlgym import Rng
from rlgym.train.registry import OptionError
from rlgym.train.rollout.questions import fitted
from rlgym.train.rollout.scoring import start_of
from rlgym.train.sft.data import explanation

if TYPE_CHECKING:
    from rlgym.train.config.second_models import JudgeRewardConfig
    from rlgym.train.rollout.episodes import Episode
    from rlgym.train.rollout.second_models import SecondModel
    from rlgym.train.rollout.worker import RolloutWorker

VERDICT_QUESTION = """Here is a task, its reference answer, and a response.

Task:
{prompt}

Reference answer:
{answer}

Response:
{response}

Is the response right? Reply with Yes or No.
"""
CRITERION_QUESTION = """Here is a task, a reference solution, and a response.

Task:
{prompt}

Reference solution:
{solution}

Response:
{response}

Criterion: {criterion}

Does the response meet the criterion? Reply with Yes or No.
"""
PAIR_QUESTION = """Here is a task, and two responses.

Task:
{prompt}

Response A:
{first}

Response B:
{second}

Which response is better? Reply with A or B.
"""
VERDICT_FIELDS = frozenset({"prompt", "response", "answer", "solution", "criterion"})
PAIR_FIELDS = frozenset({"prompt", "first", "second"})
"""What a question may show."""


def question_of(options: JudgeRewardConfig) -> str:
    """The configured question, or the default of its kind."""
    if options.question:
        return options.question
    if options.kind != "verdict":
        return PAIR_QUESTION
    return CRITERION_QUESTION if options.criteria else VERDICT_QUESTION


def answers_of(options: JudgeRewardConfig) -> tuple[str, str]:
    """The two answers of the judge, or the default of its kind."""
    return options.answers or (("Yes", "No") if options.kind == "verdict" else ("A", "B"))


def question_fields(question: str) -> set[str]:
    """The names in braces of a question. Raises ValueError for a brace that is not closed."""
    return {name for _, name, _, _ in Formatter().parse(question) if name is not None}


def add_judge_rewards(
    judge: SecondModel, worker: RolloutWorker, episodes: Sequence[Episode], options: JudgeRewardConfig, seed: int
) -> tuple[list[Episode], dict[str, float]]:
    """The episodes with verifier_weight times their reward plus weight times the judge's, and metrics; episodes without a score stay.

    From "Crossing the Reward Bridge: Expanding RL with Verifiable Rewards Across Diverse Domains" (a soft verdict on the reference answer),
    "Curing Miracle Steps in LLM Mathematical Reasoning with Rubric Rewards" (a rubric of the whole derivation), "ExTrans: Multilingual Deep Reasoning
    Translation via Exemplar-Enhanced Reinforcement Learning" (a comparison with an exemplar) and "Writing-Zero: Bridge the Gap Between Non-verifiable
    Tasks and Verifiable Rewards" (pairs). Responses that leave the judge no room are cut at their end.
    Raises OptionError for a reward that is not finite.
    """
    valid = [place for place, episode in enumerate(episodes) if episode.valid]
    of_pairs = options.kind != "verdict"
    measures = {"verdict": _verdicts, "exemplar": _against_exemplars}
    found = measures.get(options.kind, _preferences)(judge, worker, [episodes[place] for place in valid], options, seed)
    out = list(episodes)
    for place, value in zip(valid, found, strict=True):
        if not math.isfinite(value):
            label = episodes[place].task.label
            raise OptionError(f"algorithm.judge_reward returned {value!r} for a response of {label}: check second_models.{judge.name}")
        out[place] = replace(out[place], reward=options.verifier_weight * out[place].reward + options.weight * value)
    metrics = {"judge_reward": fmean(found) if found else 0.0}
    if not of_pairs and found:
        agrees = [(value >= 0.5) == episodes[place].solved for place, value in zip(valid, found, strict=True)]
        metrics["judge_agreement"] = fmean(agrees)
    return out, metrics


def _verdicts(judge: SecondModel, worker: RolloutWorker, episodes: Sequence[Episode], options: JudgeRewardConfig, seed: int) -> list[float]:
    chosen = judge.choose(verdict_questions(judge, worker, episodes, options), answers_of(options))
    size = len(options.criteria) or 1
    means = [fmean(chosen[place : place + size]) for place in range(0, len(chosen), size)]
    return means if options.threshold is None else [float(mean >= options.threshold) for mean in means]


def verdict_questions(judge: SecondModel, worker: RolloutWorker, episodes: Sequence[Episode], options: JudgeRewardConfig) -> list[str]:
    """The questions of the kind `verdict`: one for each episode and each criterion."""
    question, criteria = question_of(options), options.criteria or ("",)
    references = _references(worker, episodes) if {"answer", "solution"} & question_fields(question) else {}
    asked = []
    for episode in episodes:
        reference = references.get(episode.group, _Reference("", ""))
        for criterion in criteria:
            shown = {"prompt": episode.messages[0][1], "answer": reference.answer, "solution": reference.solution, "criterion": criterion}
            asked.append(_fitted(judge, question, shown, {"response": episode.transcript}))
    return asked


def _against_exemplars(
    judge: SecondModel, worker: RolloutWorker, episodes: Sequence[Episode], options: JudgeRewardConfig, seed: int
) -> list[float]:
    references, question, asked = _references(worker, episodes), question_of(options), list[str]()
    for episode in episodes:
        shown = {"prompt": episode.messages[0][1]}
        own, exemplar = episode.transcript, references[episode.group].solution
        for first, second in ((own, exemplar), (exemplar, own)):
            asked.append(_fitted(judge, question, shown, {"first": first, "second": second}))
    chosen = judge.choose(asked, answers_of(options))
    return [(forwards + 1 - backwards) / 2 for forwards, backwards in zip(chosen[::2], chosen[1::2], strict=True)]


def _preferences(
    judge: SecondModel, worker: RolloutWorker, episodes: Sequence[Episode], options: JudgeRewardConfig, seed: int
) -> list[float]:
    """The rewards of responses by comparison with others of their groups; 0 for a response without another."""
    groups: dict[int, list[int]] = {}
    for place, episode in enumerate(episodes):
        groups.setdefault(episode.group, []).append(place)
    references = {group: Rng("judge", seed, group).choice(places) for group, places in groups.items()}
    if options.kind == "pairwise":
        pairs = [pair for places in groups.values() for pair in combinations(places, 2)]
    else:
        pairs = [(place, references[group]) for group, places in groups.items() for place in places if place != references[group]]
    asked = [_pair_question(judge, options, episodes[first], episodes[second]) for pair in pairs for first, second in (pair, pair[::-1])]
    chosen = judge.choose(asked, answers_of(options))
    preferred: list[list[float]] = [[] for _ in episodes]
    for (first, second), forwards, backwards in zip(pairs, chosen[::2], chosen[1::2], strict=True):
        probability = (forwards + 1 - backwards) / 2
        preferred[first].append(probability)
        preferred[second].append(1 - probability)
    if options.kind == "pairwise":
        return [fmean(found) if found else 0.0 for found in preferred]
    chosen_places = set(references.values())
    return [0.0 if place in chosen_places else 1.0 if found[0] > 0.5 else -1.0 for place, found in enumerate(preferred)]


def _pair_question(judge: SecondModel, options: JudgeRewardConfig, first: Episode, second: Episode) -> str:
    shown = {"prompt": first.messages[0][1]}
    return _fitted(judge, question_of(options), shown, {"first": first.transcript, "second": second.transcript})


def _fitted(judge: SecondModel, question: str, shown: dict[str, str], responses: dict[str, str]) -> str:
    """The question with its responses, which share the room that the judge has; without room for any, the other fields are cut as well."""
    return fitted(judge, question, shown | responses, list(responses), list(shown))


@dataclass(frozen=True)
class _Reference:
    answer: str
    solution: str


def _references(worker: RolloutWorker, episodes: Sequence[Episode]) -> dict[int, _Reference]:
    """The oracle's answer and its solution of the task of each group."""
    out = {}
    for group, episode in {episode.group: episode for episode in reversed(episodes)}.items():
        env = start_of(replace(episode.task, seed=episode.seed), worker.settings)
        answer = env.oracle()
        out[group] = _Reference(answer, f"{explanation(env)}{answer}")
    return out
