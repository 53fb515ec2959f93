"""Selection by self-certainty, which needs the log-probabilities of the samples' tokens."""

from __future__ import annotations

from typing import ClassVar

from pydantic import Field

from rlgym.evaluate.models.base import RequestFailed
from rlgym.evaluate.strategies.builtin import answer_sums, elected
from rlgym.evaluate.strategies.problem import Candidate, Problem
from rlgym.evaluate.strategies.registry import StrategyOptions, strategy


class SelfCertaintyOptions(StrategyOptions):
    """`power` is the exponent of the Borda votes; without it the most certain sample is chosen."""

    logprobs: ClassVar[bool] = True
    n: int = Field(8, ge=1, description="samples")
    power: float | None = Field(0.3, ge=0, description="exponent of the votes by rank; null chooses the most certain sample")


@strategy("self_certainty", paper="Scalable Best-of-N Selection for Large Language Models via Self-Certainty")
async def self_certainty(problem: Problem, options: SelfCertaintyOptions) -> Candidate:
    """Borda votes: of n samples, the one with rank r by self-certainty gives its answer (n - r + 1) ** power votes.

    RequestFailed where the model returns no log-probabilities.
    """
    candidates = await problem.sample(0, options.n)
    certain = [candidate for candidate in candidates if candidate.certainty is not None]
    if not certain:
        raise RequestFailed("the model returns no log-probabilities, which self-certainty needs", systemic=True)
    ranked = sorted(certain, key=lambda candidate: -(candidate.certainty or 0.0))
    if options.power is None:
        return ranked[0]
    votes = [float(len(ranked) - place) ** options.power for place in range(len(ranked))]
    return elected(ranked, answer_sums(ranked, votes))
