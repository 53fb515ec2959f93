"""Strategies that vary how the model is asked, or that let it work on from its earlier attempts."""

from __future__ import annotations

import asyncio
from typing import Literal

from pydantic import Field

from rlgym import Rng
from rlgym.evaluate.strategies.builtin import answer_sums, elected
from rlgym.evaluate.strategies.problem import REVISE, Candidate, Problem, digest
from rlgym.evaluate.strategies.registry import StrategyOptions, strategy

INSTRUCTIONS = {
    "plain": "",
    "steps": "Think step by step.",
    "plan": "First write a plan in a few lines. Then carry it out.",
    "check": "Solve it, then check each step of your solution, and correct what is wrong before you give the answer.",
}
"""Instructions after the prompt, by name."""
AGGREGATE = (
    "Here are several attempts at this task. Some or all of them may be wrong. Compare them, find where they differ and which of them is right "
    "there, and give the final answer in the required format."
)
IMPROVE = "This is the best attempt so far. Find what can be wrong in it and give a better one, with the final answer in the same format."
UNSEEN = 0.5
"""The value of an attempt whose verdict is not given."""


class BagOfTricksOptions(StrategyOptions):
    """Samples go through all pairs of a temperature and an instruction in turn."""

    n: int = Field(12, ge=1, description="samples in all")
    temperatures: tuple[float, ...] = Field((0.3, 0.7, 1.0), min_length=1, description="temperatures")
    instructions: tuple[Literal["plain", "steps", "plan", "check"], ...] = Field(
        ("plain", "steps", "plan", "check"), min_length=1, description="instructions after the prompt"
    )


class AggregateOptions(StrategyOptions):
    """`n` attempts are combined in groups, and the results again, until one is left."""

    n: int = Field(8, ge=1, description="samples")
    group: int = Field(4, ge=2, description="attempts that are combined into one")


class RefineOptions(StrategyOptions):
    """`select` rates the proposals: the verifier (an upper bound), whose verdicts may be wrong or missing, or the model's own confidence."""

    rounds: int = Field(3, ge=1, description="rounds after the first")
    n: int = Field(4, ge=1, description="proposals in a round")
    select: Literal["verifier", "confidence"] = Field("confidence", description="what rates proposals")
    noise: float = Field(0.0, ge=0, le=1, description="chance that a verdict of the verifier is the opposite")
    observed: float = Field(1.0, ge=0, le=1, description="chance that a verdict of the verifier is given at all")


@strategy("bag_of_tricks", paper="Bag of Tricks for Inference-Time Computation of LLM Reasoning")
async def bag_of_tricks(problem: Problem, options: BagOfTricksOptions) -> Candidate:
    """The most frequent answer of samples under different temperatures and instructions; the report has the accuracy of each setting."""
    settings = [(name, temperature) for temperature in options.temperatures for name in options.instructions]

    async def sampled(number: int) -> Candidate:
        name, temperature = settings[number % len(settings)]
        *before, task = problem.prompt
        text = f"{task['content']}\n\n{INSTRUCTIONS[name]}" if INSTRUCTIONS[name] else task["content"]
        key = f"trick {name} {temperature:g} {number // len(settings)}"
        messages = [*before, {"role": "user", "content": text}]
        return await problem.attempt(key, messages, temperature=temperature, setting=f"{name}, temperature {temperature:g}")

    candidates = await asyncio.gather(*(sampled(number) for number in range(options.n)))
    return elected(candidates, answer_sums(candidates, [1.0] * len(candidates)))


@strategy("aggregate", paper="Reasoning Language Models: A Blueprint")
async def aggregate(problem: Problem, options: AggregateOptions) -> Candidate:
    """The model combines groups of its attempts into one, and the results again, until one is left."""
    candidates = await problem.sample(0, options.n)
    while len(candidates) > 1:
        groups = [candidates[start : start + options.group] for start in range(0, len(candidates), options.group)]
        candidates = list(await asyncio.gather(*(combined(problem, group) for group in groups)))
    return candidates[0]


@strategy(
    "refine_best", paper="Review, Refine, Repeat: Understanding Iterative Decoding of AI Agents with Dynamic Evaluation and Selection"
)
async def refine_best(problem: Problem, options: RefineOptions) -> Candidate:
    """In each round, proposals start from the best attempt so far, which the best of them replaces if it is rated higher."""
    proposals = await problem.sample(0, options.n)
    best, value = proposals[0], -1.0
    for turn in range(options.rounds + 1):
        values = await asyncio.gather(*(_rating(problem, each, options) for each in proposals))
        for proposal, rating in zip(proposals, values, strict=True):
            if rating > value:
                best, value = proposal, rating
        if turn == options.rounds or (options.select == "verifier" and value == 1.0):
            break
        messages = [*best.messages, {"role": "user", "content": f"{IMPROVE} {REVISE}"}]
        keys = [f"refine {digest(best.text)} {turn} {number}" for number in range(options.n)]
        proposals = list(await asyncio.gather(*(problem.attempt(key, messages) for key in keys)))
    return best


async def combined(problem: Problem, group: list[Candidate]) -> Candidate:
    """One attempt that the model makes of several; the attempt itself of one."""
    if len(group) == 1:
        return group[0]
    listed = "\n\n".join(f"Attempt {number}:\n{each.text}" for number, each in enumerate(group, 1))
    *before, task = problem.prompt
    messages = [*before, {"role": "user", "content": f"{task['content']}\n\n{AGGREGATE}\n\n{listed}"}]
    return await problem.attempt(f"aggregate {digest(listed)}", messages)


async def _rating(problem: Problem, candidate: Candidate, options: RefineOptions) -> float:
    """A verdict from 0 to 1. Whether the verifier's is given, and whether it is the opposite, depends on the run's seed and the text alone."""
    if options.select == "confidence":
        return await problem.confidence(candidate)
    rng = Rng("verdict", problem.sampling.seed, problem.row["id"], candidate.text)
    if not rng.chance(options.observed):
        return UNSEEN
    return 1.0 - candidate.score.value if rng.chance(options.noise) else candidate.score.value
