"""Requests for critiques of steps."""

from __future__ import annotations

import asyncio
from collections.abc import Coroutine, Iterable, Sequence
from typing import Any, TypeVar

from rlgym.dataset.session import message_text
from rlgym.evaluate.models.base import Message, Model
from rlgym.evaluate.strategies.problem import Problem

T = TypeVar("T")


async def ask_critiques(problem: Problem, question: str, keys: Sequence[str], model: Model | None = None) -> list[str]:
    """The replies to a question for a critique, one under each key, of a model or of the one that is evaluated."""
    messages: list[Message] = [{"role": "user", "content": question}]
    given = await gather_or_cancel(problem.ask(key, messages, model=model) for key in keys)
    return [message_text(completion.message) for completion in given]


async def gather_or_cancel(calls: Iterable[Coroutine[Any, Any, T]]) -> list[T]:
    """The results of all calls. Where one fails the others are cancelled, and have ended before its exception is raised."""
    tasks = [asyncio.ensure_future(call) for call in calls]
    try:
        return await asyncio.gather(*tasks)
    except BaseException:
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        raise
