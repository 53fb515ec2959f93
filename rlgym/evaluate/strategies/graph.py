"""A graph of whole attempts: operators generate, score, prune, aggregate and refine them, and an attempt may follow from several others."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations, islice
from typing import Literal

from pydantic import Field

from rlgym.evaluate.models.base import Message
from rlgym.evaluate.strategies.combining import IMPROVE, combined
from rlgym.evaluate.strategies.problem import REVISE, Candidate, Problem, digest
from rlgym.evaluate.strategies.registry import StrategyOptions, strategy
from rlgym.evaluate.strategies.scored import Reduce, reduce_scores


class GraphOptions(StrategyOptions):
    """`n` attempts begin; in each round the best `keep` are combined in groups and refined one by one."""

    n: int = Field(6, ge=1, description="attempts at first")
    rounds: int = Field(2, ge=0, description="rounds of combining and refining")
    keep: int = Field(3, ge=1, description="attempts that a round works on: the best of all so far")
    group: int = Field(2, ge=2, description="attempts that are combined into one")
    combine: int = Field(2, ge=0, description="combined attempts in a round at most")
    refine: int = Field(1, ge=0, description="refined attempts in a round at most")
    value: Literal["model", "scorer"] = Field("model", description="who scores attempts: the model, or trained scorers")
    reduce: Reduce = Field("min", description="scorer: the score of an attempt from those of its steps")
    separator: str = Field("\n", min_length=1, description="what ends a step")


@dataclass
class Thought:
    """A node of the graph: an attempt and its value; equal texts are one node. `Problem.parents` has the edges."""

    candidate: Candidate
    value: float = 0.0


@strategy("graph", paper="Reasoning Language Models: A Blueprint")
async def graph(problem: Problem, options: GraphOptions) -> Candidate:
    """The attempt of the highest value in a graph of attempts; the first of equals."""
    thoughts = await grow_graph(problem, options)
    return max(thoughts, key=lambda thought: thought.value).candidate


async def grow_graph(problem: Problem, options: GraphOptions) -> list[Thought]:
    """All nodes of the graph, in order."""
    known: dict[str, Thought] = {}
    await _add(problem, options, known, [(candidate, ()) for candidate in await problem.sample(0, options.n)])
    for number in range(options.rounds):
        best = sorted(known.values(), key=lambda thought: -thought.value)[: options.keep]
        groups = list(islice(combinations(best, options.group), options.combine))
        made = await asyncio.gather(
            *(combined(problem, [thought.candidate for thought in group]) for group in groups),
            *(_refined(problem, thought.candidate, number) for thought in best[: options.refine]),
        )
        parents = [*groups, *((thought,) for thought in best[: options.refine])]
        await _add(problem, options, known, list(zip(made, parents, strict=True)))
    return list(known.values())


async def _add(
    problem: Problem, options: GraphOptions, known: dict[str, Thought], found: Sequence[tuple[Candidate, Sequence[Thought]]]
) -> None:
    """Add attempts with their parents; new texts are scored."""
    new = {candidate.text: Thought(candidate) for candidate, _ in found if candidate.text not in known}
    values = await asyncio.gather(*(_valued(problem, thought.candidate, options) for thought in new.values()))
    for thought, value in zip(new.values(), values, strict=True):
        thought.value = value
    known.update(new)
    for candidate, parents in found:
        edges = problem.parents.setdefault(candidate.text, set())
        edges |= {parent.candidate.text for parent in parents} - {candidate.text}


async def _valued(problem: Problem, candidate: Candidate, options: GraphOptions) -> float:
    if options.value == "scorer":
        return reduce_scores(await problem.scored(candidate.text, options.separator), options.reduce)
    return await problem.confidence(candidate)


async def _refined(problem: Problem, candidate: Candidate, number: int) -> Candidate:
    messages: list[Message] = [*candidate.messages, {"role": "user", "content": f"{IMPROVE} {REVISE}"}]
    return await problem.attempt(f"refine {digest(candidate.text)} graph {number}", messages)
