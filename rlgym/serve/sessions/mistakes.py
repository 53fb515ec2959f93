"""Plausible wrong responses, from the mistakes that environments declare."""

from __future__ import annotations

from itertools import islice
from typing import TYPE_CHECKING, Any

import rlgym
from rlgym.serve.protocol.errors import ServiceError

if TYPE_CHECKING:
    from rlgym import Env

MAX_MISTAKES = 64


def select_mistake(env: Env, index: int) -> dict[str, Any]:
    """One of the plausible wrong responses at this point of the episode, and their number."""
    responses = mistake_responses(env)
    if not responses:
        raise ServiceError("not_found", f"{env.name} lists no mistake at this point")
    if index >= len(responses):
        raise ServiceError("not_found", f"there is no mistake {index}: {env.name} lists {len(responses)} here, numbered from 0")
    return {"response": responses[index], "count": len(responses)}


def mistake_responses(env: Env) -> list[str]:
    """The first distinct wrong responses. An environment may list a right answer among its mistakes; those are left out."""
    declared: Any = env.declared
    position = env.snapshot()
    if declared.kind == "environment":
        right = declared.solve(position.task)
        answers = declared.mistakes(position.task, right)
    else:
        answers = declared.mistakes(position.state)
    responses = list(dict.fromkeys(declared.answer.render_response(answer, env.answer_style) for answer in islice(answers, MAX_MISTAKES)))
    if declared.kind != "environment":
        return responses
    return [text for text in responses if rlgym.score(position.task, text, answer_style=env.answer_style).value < 1]
