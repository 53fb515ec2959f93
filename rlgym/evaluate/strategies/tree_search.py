"""Strategies for tasks of many turns: whole episodes, and tree search with the environment itself as an exact model of the world.

A node is a state of the episode, from which any number of continuations can be played. States that are equal after the same number of turns
are one node, whatever messages led to them.
"""

from __future__ import annotations

import asyncio
import math
from dataclasses import dataclass, field
from typing import ClassVar, Literal

from pydantic import Field

from rlgym.dataset import Session
from rlgym.dataset.session import message_text
from rlgym.evaluate.models.base import Message
from rlgym.evaluate.strategies.problem import Candidate, Problem, digest
from rlgym.evaluate.strategies.registry import StrategyOptions, strategy

PROMISE_OF_EPISODE = (
    "How likely is it that the episode above ends in success? Reply with one integer from 0 to 100 and nothing else; do not make a move."
)


class EpisodeOptions(StrategyOptions):
    """No options."""

    many_turns: ClassVar[bool] = True


class BestEpisodeOptions(StrategyOptions):
    """`select`: the final score (an upper bound), or the model's own confidence."""

    many_turns: ClassVar[bool] = True
    n: int = Field(4, ge=1, description="episodes")
    select: Literal["verifier", "confidence"] = Field("confidence", description="what chooses")


class TreeSearchOptions(StrategyOptions):
    """`value`: the score where an episode ends and the progress elsewhere (an upper bound), or the model's own estimate."""

    many_turns: ClassVar[bool] = True
    simulations: int = Field(16, ge=1, description="descents from the first state")
    children: int = Field(3, ge=1, description="responses sampled in a state")
    exploration: float = Field(1.0, ge=0, description="weight of rarely visited states, and of responses that the model often gives")
    value: Literal["score", "confidence"] = Field("confidence", description="what a state is worth")
    rollout: bool = Field(True, description="whether a new state is valued at the end of an episode that is played on from it")


@dataclass
class Node:
    """A state: the conversation that led to it first, its value, and the states that follow, each with its share of the sampled responses."""

    session: Session
    messages: tuple[Message, ...]
    value: float = 0.5
    visits: int = 0
    total: float = 0.0
    children: dict[str, tuple[Node, float]] = field(default_factory=dict)


@strategy("episode")
async def episode(problem: Problem, options: EpisodeOptions) -> Candidate:
    """One episode: the first sample in each turn."""
    return await played_on(problem, root_node(problem), 0)


@strategy("best_episode", paper="Training Verifiers to Solve Math Word Problems")
async def best_episode(problem: Problem, options: BestEpisodeOptions) -> Candidate:
    """The episode of the highest score or of the highest stated confidence; the first of equals."""
    ends = await asyncio.gather(*(played_on(problem, root_node(problem), number) for number in range(options.n)))
    if options.select == "verifier":
        return max(ends, key=lambda candidate: candidate.score.value)
    values = await asyncio.gather(*(promise_of_episode(problem, candidate.messages) for candidate in ends))
    return ends[max(range(len(ends)), key=values.__getitem__)]


@strategy("tree_search", paper="Reasoning with Language Model is Planning with World Model")
async def tree_search(problem: Problem, options: TreeSearchOptions) -> Candidate:
    """Monte-Carlo tree search with the shares of the sampled responses as priors (PUCT); the ended episode of the highest value.

    The environment itself gives the state after each response. Its score enters the values only with `value="score"`.
    """
    root = root_node(problem)
    known: dict[str, Node] = {root.session.state_key: root}
    ended: list[tuple[float, Candidate]] = []
    for _ in range(options.simulations):
        path = [root]
        while path[-1].children:
            path.append(_most_promising(path[-1], options.exploration))
        leaf = path[-1]
        if not leaf.session.done and (leaf.visits or leaf is root):
            leaf.children = await _expanded(problem, leaf, options, known)
            path.append(_most_promising(leaf, options.exploration))
            leaf = path[-1]
        if not leaf.visits:
            leaf.value = await _valued(problem, leaf, options, ended)
        for node in path:
            node.visits += 1
            node.total += leaf.value
    if not ended:
        best = max(known.values(), key=lambda node: (node.value, node.visits))
        return await played_on(problem, best, 0)
    return max(ended, key=lambda value_and_candidate: value_and_candidate[0])[1]


def root_node(problem: Problem) -> Node:
    return Node(Session(problem.row), problem.prompt)


async def next_node(problem: Problem, node: Node, number: int) -> Node:
    """The state after one response; `number` tells the responses in a state apart."""
    completion = await problem.ask(f"turn {digest(str(node.messages))} {number}", node.messages)
    session = node.session.fork()
    await asyncio.to_thread(session.step, message_text(completion.message))
    seen: tuple[Message, ...] = () if session.done else ({"role": "user", "content": session.observation},)
    return Node(session, (*node.messages, {"role": "assistant", "content": message_text(completion.message)}, *seen))


async def played_on(problem: Problem, node: Node, number: int) -> Candidate:
    """The episode played on to its end."""
    while not node.session.done:
        node = await next_node(problem, node, number)
    return _candidate(problem, node)


def _candidate(problem: Problem, node: Node) -> Candidate:
    assert node.session.score is not None
    candidate = Candidate(node.messages, str(node.messages[-1]["content"]), None, node.session.score)
    if all(other.messages != candidate.messages for other in problem.candidates):
        problem.candidates.append(candidate)
    return candidate


async def _expanded(problem: Problem, node: Node, options: TreeSearchOptions, known: dict[str, Node]) -> dict[str, tuple[Node, float]]:
    """The different states after `children` sampled responses, each with its share of the samples."""
    found: dict[str, tuple[Node, float]] = {}
    for after in await asyncio.gather(*(next_node(problem, node, number) for number in range(options.children))):
        key = after.session.state_key
        share = found[key][1] if key in found else 0.0
        found[key] = (known.setdefault(key, after), share + 1 / options.children)
    return found


async def _valued(problem: Problem, node: Node, options: TreeSearchOptions, ended: list[tuple[float, Candidate]]) -> float:
    """The value of a state, or of the end of an episode that is played on from it."""
    if not node.session.done and not options.rollout:
        return sum(node.session.turn_rewards) if options.value == "score" else await promise_of_episode(problem, node.messages)
    candidate = await played_on(problem, node, 0)
    value = candidate.score.value if options.value == "score" else await promise_of_episode(problem, candidate.messages)
    ended.append((value, candidate))
    return value


async def promise_of_episode(problem: Problem, messages: tuple[Message, ...]) -> float:
    """The model's own probability, from 0 to 1, that an episode succeeds."""
    question: Message = {"role": "user", "content": PROMISE_OF_EPISODE}
    if messages[-1]["role"] == "user":
        question = {"role": "user", "content": f"{messages[-1]['content']}\n\n{PROMISE_OF_EPISODE}"}
        messages = messages[:-1]
    return await problem.probability(f"promise {digest(str(messages))}", [*messages, question])


def _most_promising(node: Node, exploration: float) -> Node:
    def worth(child: Node, share: float) -> float:
        mean = child.total / child.visits if child.visits else node.value
        return mean + exploration * share * math.sqrt(node.visits + 1) / (child.visits + 1)

    return max(node.children.values(), key=lambda entry: worth(*entry))[0]
