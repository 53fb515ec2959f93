"""Turns of an episode that promise little are criticised and written again."""

from __future__ import annotations

from typing import ClassVar

from pydantic import Field

from rlgym.dataset.session import message_text
from rlgym.evaluate.models.base import Message
from rlgym.evaluate.strategies.problem import Candidate, Problem, digest
from rlgym.evaluate.strategies.registry import StrategyOptions, strategy
from rlgym.evaluate.strategies.tree_search import Node, next_node, played_on, promise_of_episode, root_node

CRITICISE = "What is wrong with the last move above, and what would be a better one? Reply in a few sentences; do not make a move."
AGAIN = "Here is a move that somebody considered, and a critique of it.\n\nMove: {move}\n\nCritique: {critique}\n\nMake your own move now."


class RefineTurnsOptions(StrategyOptions):
    """A turn whose promise is below `threshold` is criticised and written again, up to `rounds` times; the most promising version counts."""

    many_turns: ClassVar[bool] = True
    threshold: float = Field(0.5, ge=0, le=1, description="promise from which on a turn is kept as it is")
    rounds: int = Field(2, ge=1, description="new versions of a turn at most")


@strategy("refine_turns", paper="ReARTeR: Retrieval-Augmented Reasoning with Trustworthy Process Rewarding")
async def refine_turns(problem: Problem, options: RefineTurnsOptions) -> Candidate:
    """One episode, in which the model criticises turns of little promise and writes them again. The model itself states the promise."""
    node = root_node(problem)
    while not node.session.done:
        best = await next_node(problem, node, 0)
        promise = await promise_of_episode(problem, best.messages)
        for number in range(options.rounds):
            if promise >= options.threshold:
                break
            other = await _again(problem, node, best, number)
            stated = await promise_of_episode(problem, other.messages)
            if stated > promise:
                best, promise = other, stated
        node = best
    return await played_on(problem, node, 0)


async def _again(problem: Problem, node: Node, tried: Node, number: int) -> Node:
    """The state after a new version of a turn, which the model writes beside a critique of the tried one."""
    move = tried.messages[len(node.messages)]
    asked: list[Message] = [*node.messages, move, {"role": "user", "content": CRITICISE}]
    key = f"{digest(str(tried.messages))} {number}"
    critique = message_text((await problem.ask(f"criticise {key}", asked)).message)
    *before, last = node.messages
    shown = AGAIN.format(move=move["content"], critique=critique)
    completion = await problem.ask(f"again {key}", [*before, {"role": "user", "content": f"{last['content']}\n\n{shown}"}])
    session = node.session.fork()
    session.step(message_text(completion.message))
    seen: tuple[Message, ...] = () if session.done else ({"role": "user", "content": session.observation},)
    return Node(session, (*node.messages, {"role": "assistant", "content": message_text(completion.message)}, *seen))
