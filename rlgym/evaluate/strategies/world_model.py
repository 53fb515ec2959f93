"""Planning with the model itself as the model of the world: it imagines what the environment would reply, and plays the most promising response.

The environment is not tried out: every response that is played counts. `tree_search` has the environment itself as the model of the world.
"""

from __future__ import annotations

import asyncio
from typing import ClassVar

from pydantic import Field

from rlgym.dataset.session import message_text
from rlgym.evaluate.models.base import Message
from rlgym.evaluate.strategies.problem import Candidate, Problem, digest
from rlgym.evaluate.strategies.registry import StrategyOptions, strategy
from rlgym.evaluate.strategies.tree_search import Node, next_node, played_on, promise_of_episode, root_node

IMAGINE = (
    "Do not make a move. You are the environment now: write its reply to the last response above, exactly as it would be, and nothing else."
)


class ImagineOptions(StrategyOptions):
    """`children` responses are compared in each turn by `imaginations` futures of `depth` turns each."""

    many_turns: ClassVar[bool] = True
    children: int = Field(3, ge=1, description="responses sampled in each turn")
    imaginations: int = Field(1, ge=1, description="imagined futures of each response")
    depth: int = Field(1, ge=1, le=50, description="imagined replies of the environment in a future")


@strategy("imagine", paper="Reasoning with Language Model is Planning with World Model")
async def imagine(problem: Problem, options: ImagineOptions) -> Candidate:
    """In each turn the response whose imagined futures the model finds most promising, the first of equals."""
    node = root_node(problem)
    while not node.session.done:
        node = await _chosen(problem, node, options)
    return await played_on(problem, node, 0)


async def _chosen(problem: Problem, node: Node, options: ImagineOptions) -> Node:
    key = digest(str(node.messages))
    given = await asyncio.gather(*(problem.ask(f"turn {key} {number}", node.messages) for number in range(options.children)))
    texts = list(dict.fromkeys(message_text(completion.message) for completion in given))
    numbers = {text: next(n for n, completion in enumerate(given) if message_text(completion.message) == text) for text in texts}
    if len(texts) == 1:
        return await next_node(problem, node, 0)
    futures = [(text, number) for text in texts for number in range(options.imaginations)]
    values = await asyncio.gather(*(_imagined_value(problem, node.messages, text, number, options.depth) for text, number in futures))
    means = {text: sum(value for (other, _), value in zip(futures, values, strict=True) if other == text) for text in texts}
    return await next_node(problem, node, numbers[max(texts, key=means.__getitem__)])


async def _imagined_value(problem: Problem, messages: tuple[Message, ...], text: str, number: int, depth: int) -> float:
    """The stated promise of the episode after imagined turns; further responses in them are the model's own."""
    imagined: tuple[Message, ...] = (*messages, {"role": "assistant", "content": text})
    for turn in range(depth):
        reply = await problem.ask(f"imagine {digest(str(imagined))} {number}", [*imagined, {"role": "user", "content": IMAGINE}])
        imagined = (*imagined, {"role": "user", "content": message_text(reply.message)})
        if turn + 1 < depth:
            own = await problem.ask(f"turn {digest(str(imagined))} {number}", imagined)
            imagined = (*imagined, {"role": "assistant", "content": message_text(own.message)})
    return await promise_of_episode(problem, imagined)
