"""Hints of rising strength, made from what an environment can explain."""

from __future__ import annotations

import re
import sys
from collections.abc import Sequence
from typing import Literal, get_args

from rlgym.core.declare import Declaration, Environment
from rlgym.core.errors import UnknownName, suggestion
from rlgym.episode.play import EpisodeState, oracle_answer

Tier = Literal["concept", "plan", "partial", "solution"]


def hint(declared: Declaration, position: EpisodeState, tier: Tier) -> str:
    """A hint for the task as it stands.

    concept   the idea needed
    plan      the steps of a solution with their numbers left out
    partial   the first half of the steps
    solution  all of them, and the answer
    No line of a tier below the last holds the final answer.
    """
    if tier not in get_args(Tier):
        raise UnknownName(f"there is no hint tier {tier!r}.{suggestion(str(tier), get_args(Tier))} Use one of {', '.join(get_args(Tier))}")
    if tier == "concept":
        return concept_of(declared)
    answer = declared.answer.render(oracle_answer(declared, position))
    steps: list[str] = []
    if declared.explain:
        steps = declared.explain(position.task if isinstance(declared, Environment) else position.state)
    return hint_from(steps, answer, concept_of(declared), tier)


def concept_of(declared: Declaration) -> str:
    """The idea that a task needs: the declared one, or the first line of the environment's docstring."""
    return declared.concept or (sys.modules[declared.config.__module__].__doc__ or "").strip().split("\n")[0]


def hint_from(steps: Sequence[str], answer: str, concept: str, tier: Tier) -> str:
    """`hint`, from an explanation and the rendered answer."""
    if tier == "concept":
        return concept
    if tier == "solution":
        return "\n".join([*steps, f"The answer is: {answer}"])
    shown_steps = [step for step in steps[:-1] if not holds(step, answer)]
    if tier == "partial":
        shown_steps = shown_steps[: (len(steps) + 1) // 2]
    else:
        shown_steps = list(dict.fromkeys(re.sub(r"-?\d+(?:\.\d+)?", "_", step) for step in shown_steps))[:12]
    return "\n".join(shown_steps) or concept


def holds(text: str, answer: str) -> bool:
    """Whether a text holds an answer as a whole token."""
    return re.search(rf"(?<![\w.]){re.escape(answer)}(?![\w])", text) is not None
