"""The strategies of the library."""

from __future__ import annotations

import asyncio
import json
import math
from collections.abc import Mapping, Sequence
from typing import Any, Literal

from pydantic import Field

from rlgym.evaluate.models.certainty import LOGPROBS
from rlgym.evaluate.strategies.problem import CONTINUE, REVISE, Candidate, Problem
from rlgym.evaluate.strategies.registry import StrategyOptions, strategy


class SingleOptions(StrategyOptions):
    """No options."""


class VoteOptions(StrategyOptions):
    """`early_stop` samples in batches and stops once the leader cannot be overtaken."""

    n: int = Field(8, ge=1, description="samples")
    early_stop: bool = Field(False, description="stop once no other answer can win")
    batch: int = Field(4, ge=1, description="samples requested at once with early_stop")


class ConfidenceOptions(StrategyOptions):
    """Samples whose confidence the model states in further calls."""

    n: int = Field(8, ge=1, description="samples")
    verdicts: int = Field(1, ge=1, description="verdicts on each sample, whose mean is its confidence")


class PessimisticOptions(StrategyOptions):
    """`alpha` weighs the penalty for answers with few votes."""

    n: int = Field(8, ge=1, description="samples")
    verdicts: int = Field(1, ge=1, description="verdicts on each sample, whose mean is its confidence")
    alpha: float = Field(0.1, ge=0, description="weight of the penalty for few votes")


class BestOptions(StrategyOptions):
    """`select`: the environment's verifier (an upper bound), the model's own confidence, or that of a judge, another model."""

    n: int = Field(8, ge=1, description="samples")
    select: Literal["verifier", "confidence", "judge"] = Field("confidence", description="what chooses")
    verdicts: int = Field(1, ge=1, description="verdicts on each sample, whose mean is its confidence")


class ReviseOptions(StrategyOptions):
    """`feedback` shows the verifier's reason and stops once it accepts; otherwise the model only checks itself."""

    rounds: int = Field(3, ge=1, description="revisions after the first attempt")
    feedback: bool = Field(False, description="show the verifier's verdict")


class BudgetOptions(StrategyOptions):
    """The endpoint must continue an assistant message: `extra` is what vLLM needs for that."""

    rounds: int = Field(2, ge=1, description="how often the model is made to go on")
    word: str = Field("Wait", min_length=1, description="the word appended to its text")


@strategy("single")
async def single(problem: Problem, options: SingleOptions) -> Candidate:
    """The first sample."""
    return (await problem.sample(0, 1))[0]


@strategy("majority", paper="Self-Consistency Improves Chain of Thought Reasoning in Language Models")
async def majority(problem: Problem, options: VoteOptions) -> Candidate:
    """The most frequent answer; ties go to the answer that came first."""
    candidates: list[Candidate] = []
    while len(candidates) < options.n:
        stop = min(options.n, len(candidates) + options.batch) if options.early_stop else options.n
        candidates += await problem.sample(len(candidates), stop)
        counts = sorted(_votes(candidates).values(), reverse=True)
        lead = counts[0] - (counts[1] if len(counts) > 1 else 0) if counts else 0
        if lead > options.n - len(candidates):
            break
    return elected(candidates, _votes(candidates))


@strategy("weighted", paper="Self-Consistency with the model's stated confidence as weight")
async def weighted(problem: Problem, options: ConfidenceOptions) -> Candidate:
    """The answer with the largest sum of stated confidences."""
    candidates = await problem.sample(0, options.n)
    return elected(candidates, answer_sums(candidates, await _confidences(problem, candidates, options.verdicts)))


@strategy("pessimistic", paper="Heimdall: test-time scaling on the generative verification")
async def pessimistic(problem: Problem, options: PessimisticOptions) -> Candidate:
    """The answer with the largest mean confidence minus a penalty that falls with its verdicts."""
    candidates = await problem.sample(0, options.n)
    confidences, votes = await _confidences(problem, candidates, options.verdicts), _votes(candidates)
    penalty = options.alpha * math.log(options.n * options.verdicts)
    bounds = {
        answer: total / votes[answer] - penalty / (votes[answer] * options.verdicts + 1)
        for answer, total in answer_sums(candidates, confidences).items()
    }
    return elected(candidates, bounds)


@strategy("best_of_n", paper="Training Verifiers to Solve Math Word Problems")
async def best_of_n(problem: Problem, options: BestOptions) -> Candidate:
    """The sample with the highest score or the highest confidence, the model's own or a judge's; the first of equals."""
    candidates = await problem.sample(0, options.n)
    if options.select == "verifier":
        return max(candidates, key=lambda candidate: candidate.score.value)
    confidences = await _confidences(problem, candidates, options.verdicts, options.select == "judge")
    return candidates[max(range(len(candidates)), key=confidences.__getitem__)]


@strategy("revise", paper="Scaling LLM Test-Time Compute Optimally can be More Effective than Scaling Model Parameters")
async def revise(problem: Problem, options: ReviseOptions) -> Candidate:
    """Revise one attempt in sequence; the last one counts."""
    candidate = (await problem.sample(0, 1))[0]
    for number in range(options.rounds):
        if options.feedback and candidate.right:
            break
        verdict = f"Your answer was not accepted: {candidate.score.reason}. " if options.feedback else ""
        messages = [*candidate.messages, {"role": "user", "content": verdict + REVISE}]
        candidate = await problem.attempt(f"revise {options.feedback} {number}", messages)
    return candidate


@strategy("budget_forcing", paper="s1: Simple test-time scaling")
async def budget_forcing(problem: Problem, options: BudgetOptions) -> Candidate:
    """Append a word to the finished text, without its answer, and let the model go on. It needs an endpoint that continues an assistant message.

    What is continued ends before the end of the thinking, or before the marked answer, since two answers that differ count as none.
    The report has the accuracy and the tokens after each number of continuations, which for tasks of judges is the curve of "J1: Exploring Simple
    Test-Time Scaling for LLM-as-a-Judge".
    """
    candidate = await problem.attempt("sample 0", problem.prompt, LOGPROBS if problem.logprobs else None, setting="0 continuations")
    for number in range(options.rounds):
        before, setting = f"{_thought(problem.row, candidate.text)}\n\n{options.word}", f"{number + 1} continuation{'s' if number else ''}"
        messages = [*problem.prompt, {"role": "assistant", "content": before}]
        key = f"budget {options.word} {number}"
        candidate = await problem.attempt(key, messages, CONTINUE, before, setting=setting, tokens_before=candidate.tokens)
    return candidate


def _thought(row: Mapping[str, Any], text: str) -> str:
    """A response up to the end of its thinking, and without the answer that is marked at its end."""
    thinking, ended, _ = text.partition("</think>")
    if ended:
        return thinking.rstrip()
    mark = {"tag": "<answer>", "boxed": "\\boxed{", "fence": "```answer"}[json.loads(row["answer_format"])["style"]]
    before, marked, _ = text.rpartition(mark)
    return (before if marked else text).rstrip()


async def _confidences(problem: Problem, candidates: Sequence[Candidate], verdicts: int, by_judge: bool = False) -> list[float]:
    """The mean of several verdicts on each candidate."""
    ask = problem.judged if by_judge else problem.confidence
    found = await asyncio.gather(*(ask(candidate, number) for candidate in candidates for number in range(verdicts)))
    return [sum(found[place : place + verdicts]) / verdicts for place in range(0, len(found), verdicts)]


def _votes(candidates: Sequence[Candidate]) -> dict[str, float]:
    return answer_sums(candidates, [1.0] * len(candidates))


def answer_sums(candidates: Sequence[Candidate], weights: Sequence[float]) -> dict[str, float]:
    """The sum of the weights of each answer, in order of appearance; unreadable candidates have no vote."""
    sums: dict[str, float] = {}
    for candidate, weight in zip(candidates, weights, strict=True):
        if candidate.answer is not None:
            sums[candidate.answer] = sums.get(candidate.answer, 0.0) + weight
    return sums


def elected(candidates: Sequence[Candidate], scores: Mapping[str, float]) -> Candidate:
    """The first candidate with the answer of the highest score; the first of all if none has an answer."""
    if not scores:
        return candidates[0]
    best = max(scores, key=scores.__getitem__)
    return next(candidate for candidate in candidates if candidate.answer == best)
