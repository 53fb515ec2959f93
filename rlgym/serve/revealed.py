"""What only those may ask for who may see answers."""

from __future__ import annotations

from itertools import islice
from typing import TYPE_CHECKING, Any

import rlgym
from rlgym.serve.errors import ServiceError

if TYPE_CHECKING:
    from rlgym import Env

MOST = 64


def mistake(env: Env, which: int) -> dict[str, Any]:
    """One of the wrong answers that a tempted model would give now, and how many there are."""
    said = mistakes(env)
    if not said:
        raise ServiceError("unknown", f"{env.name} lists no mistake here")
    if which >= len(said):
        raise ServiceError("unknown", f"there are {len(said)} mistakes here, numbered from 0; there is none of number {which}")
    return {"response": said[which], "of": len(said)}


def mistakes(env: Env) -> list[str]:
    """The first wrong answers as responses, each once; what an environment's file lists may hold right ones, which are left out."""
    declared: Any = env.declared
    position = env.snapshot()
    if declared.kind == "environment":
        right = declared.solve(position.task)
        answers = declared.mistakes(position.task, right)
    else:
        answers = declared.mistakes(position.state)
    said = list(dict.fromkeys(declared.answer.write(answer, env.answer_style) for answer in islice(answers, MOST)))
    if declared.kind != "environment":
        return said
    return [text for text in said if rlgym.score(position.task, text, answer_style=env.answer_style).value < 1]
