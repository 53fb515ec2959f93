"""Search over the steps of a text: beam, lookahead, REBASE and Monte-Carlo tree search.

A state is the text so far, and equal texts are one state. The model itself, or trained scorers, estimate how promising a state is. The endpoint must continue
an assistant message, as for `budget_forcing`, and honour `stop`.
"""

from __future__ import annotations

import asyncio
import math
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Literal

from pydantic import Field

from rlgym.evaluate.strategies.builtin import answer_sums, elected
from rlgym.evaluate.strategies.problem import Candidate, Problem
from rlgym.evaluate.strategies.registry import StrategyOptions, strategy


class SearchOptions(StrategyOptions):
    """What all searches share."""

    max_steps: int = Field(16, ge=1, le=1000, description="steps after which a text ends")
    separator: str = Field("\n\n", min_length=1, description="what ends a step")
    value: Literal["model", "scorer"] = Field("model", description="who estimates how promising a text is: the model, or trained scorers")


class BeamOptions(SearchOptions):
    """`n` texts are compared after each step."""

    n: int = Field(8, ge=1, description="texts after each step")
    beams: int = Field(4, ge=1, description="texts that are kept, each continued in n / beams ways")


class LookaheadOptions(BeamOptions):
    """Beam search that judges a text by where it leads."""

    lookahead: int = Field(1, ge=1, description="steps by which a text is continued before it is judged")


class RebaseOptions(SearchOptions):
    """`n` texts end; the more promising a state, the more of them continue it."""

    n: int = Field(8, ge=1, description="texts in all")
    balance: float = Field(0.1, gt=0, description="temperature of the softmax over the estimates")


class MctsOptions(SearchOptions):
    """`exploration` weighs rarely visited states."""

    simulations: int = Field(16, ge=1, description="descents from the root")
    children: int = Field(3, ge=1, description="steps tried from a state")
    exploration: float = Field(1.0, ge=0, description="weight of rarely visited states")


@dataclass
class State:
    """A text so far; `candidate` once it has ended, `value` the estimate of its promise."""

    text: str = ""
    depth: int = 0
    candidate: Candidate | None = None
    value: float = 0.5
    children: dict[str, State] = field(default_factory=dict)
    visits: int = 0
    total: float = 0.0


@strategy("beam", paper="Scaling LLM Test-Time Compute Optimally can be More Effective than Scaling Model Parameters")
async def beam(problem: Problem, options: BeamOptions) -> Candidate:
    """After each step keep the most promising texts; the text of the highest estimate in the end."""
    return await _beam(problem, options, 0)


@strategy("lookahead", paper="Scaling LLM Test-Time Compute Optimally can be More Effective than Scaling Model Parameters")
async def lookahead(problem: Problem, options: LookaheadOptions) -> Candidate:
    """Beam search in which the estimate is that of the text after some further steps."""
    return await _beam(problem, options, options.lookahead)


@strategy(
    "rebase", paper="Inference Scaling Laws: An Empirical Analysis of Compute-Optimal Inference for Problem-Solving with Language Models"
)
async def rebase(problem: Problem, options: RebaseOptions) -> Candidate:
    """Divide the remaining texts among the states by a softmax of their estimates; a vote weighted by the estimates in the end."""
    ended: list[State] = []
    states, counts = [State()], [options.n]
    while states:
        found = await asyncio.gather(*(_children(problem, state, count, options) for state, count in zip(states, counts, strict=True)))
        reached = [child for children in found for child in children]
        ended += [state for state in reached if state.candidate is not None]
        # Texts that several samples reached are one state; the budget counts what has not ended.
        states = [state for state in reached if state.candidate is None]
        counts = shares([state.value for state in states], options.n - len(ended), options.balance)
        states, counts = [s for s, n in zip(states, counts, strict=True) if n], [n for n in counts if n]
    return _vote(ended)


@strategy("mcts", paper="Reasoning with Language Model is Planning with World Model")
async def mcts(problem: Problem, options: MctsOptions) -> Candidate:
    """UCT: descend by mean value plus exploration, add the steps of a new state, and average the estimates upwards.

    The answer is that of the ended text with the highest estimate; if none has ended, the most promising text is ended.
    """
    root = State()
    for _ in range(options.simulations):
        path = [root]
        while path[-1].children:
            path.append(max(path[-1].children.values(), key=lambda child: _uct(child, path[-1].visits, options.exploration)))
        leaf = path[-1]
        if leaf.candidate is None and (leaf.visits or leaf is root):
            leaf.children = {child.text: child for child in await _children(problem, leaf, options.children, options)}
            leaf = max(leaf.children.values(), key=lambda child: child.value)
            path.append(leaf)
        for state in path:
            state.visits += 1
            state.total += leaf.value
    states = list(_descendants(root))
    ended = [state for state in states if state.candidate is not None]
    best = max(ended or states, key=lambda state: state.value)
    return best.candidate or await _complete(problem, best, options)


def shares(values: Sequence[float], budget: int, temperature: float) -> list[int]:
    """The budget divided by a softmax of the values, whole numbers; the largest remainders get what is left, the first of equals first."""
    if not values or budget <= 0:
        return [0] * len(values)
    top = max(values)
    weights = [math.exp((value - top) / temperature) for value in values]
    exact = [budget * weight / sum(weights) for weight in weights]
    counts = [int(share) for share in exact]
    order = sorted(range(len(values)), key=lambda place: counts[place] - exact[place])
    for place in order[: budget - sum(counts)]:
        counts[place] += 1
    return counts


async def _beam(problem: Problem, options: BeamOptions, ahead: int) -> Candidate:
    width = max(1, options.n // options.beams)
    ended: list[State] = []
    states = await _children(problem, State(), options.n, options, ahead)
    while states:
        ended += [state for state in states if state.candidate is not None]
        best = sorted(states, key=lambda state: -state.value)[: options.beams]
        going = [state for state in best if state.candidate is None]
        found = await asyncio.gather(*(_children(problem, state, width, options, ahead) for state in going))
        states = list({child.text: child for children in found for child in children}.values())
    chosen = max(ended, key=lambda state: state.value).candidate
    assert chosen is not None
    return chosen


async def _children(problem: Problem, state: State, count: int, options: SearchOptions, ahead: int = 0) -> list[State]:
    """The different states after one step, with their estimates; a text at the limit of steps is ended."""
    found = await asyncio.gather(*(problem.step(state.text, number, options.separator) for number in range(count)))
    merged = {text: State(text, state.depth + 1, candidate) for text, candidate in found}
    for child in merged.values():
        if child.candidate is None and child.depth >= options.max_steps:
            child.candidate = await problem.finish(child.text)
    await asyncio.gather(*(_estimate(problem, child, options, ahead) for child in merged.values()))
    return list(merged.values())


async def _estimate(problem: Problem, state: State, options: SearchOptions, ahead: int) -> None:
    """The estimate of a state: the confidence in its answer, or its promise, after `ahead` further steps."""
    text, candidate = state.text, state.candidate
    for _ in range(min(ahead, options.max_steps - state.depth)):
        if candidate is None:
            text, candidate = await problem.step(text, 0, options.separator)
    if options.value == "scorer":
        # The estimate of a text is that at the end of its last step.
        state.value = ([0.0] + await problem.scored(text, options.separator))[-1]
    else:
        state.value = await (problem.promise(text) if candidate is None else problem.confidence(candidate))


async def _complete(problem: Problem, state: State, options: SearchOptions) -> Candidate:
    """The text continued to its end, step by step."""
    text, depth = state.text, state.depth
    while depth < options.max_steps:
        text, candidate = await problem.step(text, 0, options.separator)
        if candidate is not None:
            return candidate
        depth += 1
    return await problem.finish(text)


def _vote(ended: Sequence[State]) -> Candidate:
    candidates = [state.candidate for state in ended if state.candidate is not None]
    return elected(candidates, answer_sums(candidates, [state.value for state in ended]))


def _uct(child: State, visits: int, exploration: float) -> float:
    if not child.visits:
        return exploration * math.sqrt(math.log(visits + 1)) + child.value
    return child.total / child.visits + exploration * math.sqrt(math.log(visits + 1) / (child.visits + 1))


def _descendants(state: State) -> list[State]:
    return [one for child in state.children.values() for one in (child, *_descendants(child))]
