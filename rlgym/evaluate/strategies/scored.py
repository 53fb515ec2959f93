"""Selection among whole samples by their steps: the scores of a trained scorer, or critiques that check every step in words."""

from __future__ import annotations

import asyncio
import math
from collections.abc import Sequence
from statistics import fmean
from typing import Literal

from pydantic import Field

from rlgym.dataset import Session
from rlgym.evaluate.step_texts import critique_prompt, read_critique, step_ends, steps_of
from rlgym.evaluate.strategies.builtin import answer_sums, elected
from rlgym.evaluate.strategies.critiques import ask_critiques
from rlgym.evaluate.strategies.problem import Candidate, Problem, digest
from rlgym.evaluate.strategies.registry import StrategyOptions, strategy

Reduce = Literal["min", "last", "mean", "product"]
UNKNOWN = 0.5
"""The score of a sample of which no critique can be read."""


class ScorerBestOptions(StrategyOptions):
    """`reduce` makes one score of those of the steps; `vote` sums the scores of equal answers."""

    n: int = Field(8, ge=1, description="samples")
    reduce: Reduce = Field("min", description="the score of a sample from those of its steps")
    vote: bool = Field(False, description="choose the answer with the largest sum of scores, in place of the best sample")
    window: int = Field(1, ge=1, le=2, description="2: a step has the higher of its own score and that of itself and the next step as one")
    separator: str = Field("\n", min_length=1, description="what ends a step")

    @property
    def needs_scorer(self) -> bool:
        return True


class CriticBestOptions(StrategyOptions):
    """`judge` asks another model for the critiques."""

    n: int = Field(8, ge=1, description="samples")
    critiques: int = Field(1, ge=1, description="critiques of each sample")
    vote: bool = Field(False, description="choose the answer with the largest sum of scores, in place of the best sample")
    select: Literal["model", "judge"] = Field("model", description="who gives the critiques")
    separator: str = Field("\n", min_length=1, description="what ends a step")


@strategy("scorer_best_of_n", paper="Let's Verify Step by Step")
async def scorer_best_of_n(problem: Problem, options: ScorerBestOptions) -> Candidate:
    """The sample whose steps trained scorers rate highest; the first of equals."""
    candidates = await problem.sample(0, options.n)
    scores = await asyncio.gather(*(_step_scores(problem, candidate.text, options) for candidate in candidates))
    return _chosen(candidates, [reduce_scores(each, options.reduce) for each in scores], options.vote)


@strategy("critic_best_of_n", paper="Process Reward Models That Think")
async def critic_best_of_n(problem: Problem, options: CriticBestOptions) -> Candidate:
    """The sample in which most critiques, which check every step in words, find no wrong step; the first of equals."""
    candidates = await problem.sample(0, options.n)
    scores = await asyncio.gather(*(_critic_score(problem, candidate.text, options) for candidate in candidates))
    return _chosen(candidates, scores, options.vote)


def reduce_scores(scores: Sequence[float], reduce: Reduce) -> float:
    """One score from those of the steps; 0 without a step."""
    if not scores:
        return 0.0
    return {"min": min(scores), "last": scores[-1], "mean": fmean(scores), "product": math.prod(scores)}[reduce]


def with_repairs(own: Sequence[float], joint: Sequence[float]) -> list[float]:
    """The higher of the score of each step and that of itself and the next step as one: a repaired error does not count against a sample.

    From "Towards Hierarchical Multi-Step Reward Models for Enhanced Reasoning in Large Language Models". The last step has its own score.
    """
    return [max(one, two) for one, two in zip(own, joint)] + list(own[len(joint) :])


async def _step_scores(problem: Problem, text: str, options: ScorerBestOptions) -> list[float]:
    own = await problem.scored(text, options.separator)
    if options.window == 1:
        return own
    ends = step_ends(text, options.separator)
    joined = [f"{text[:end]} {text[end:].lstrip()}" for end in ends[:-1]]
    found = await asyncio.gather(*(problem.scored(each, options.separator) for each in joined))
    return with_repairs(own, [scores[place] for place, scores in enumerate(found)])


async def _critic_score(problem: Problem, text: str, options: CriticBestOptions) -> float:
    """The share of the readable critiques without a wrong step."""
    steps = steps_of(text, step_ends(text, options.separator))
    if not steps:
        return 0.0
    judge = problem.judge if options.select == "judge" else None
    keys = [f"critique {options.select} {digest(text)} {number}" for number in range(options.critiques)]
    given = await ask_critiques(problem, critique_prompt(Session(problem.row).observation, steps), keys, judge)
    read = [labels for chain in given if (labels := read_critique(chain, len(steps))) is not None]
    return fmean(0.0 not in labels for labels in read) if read else UNKNOWN


def _chosen(candidates: Sequence[Candidate], scores: Sequence[float], vote: bool) -> Candidate:
    if vote:
        return elected(candidates, answer_sums(candidates, scores))
    return candidates[max(range(len(candidates)), key=scores.__getitem__)]
