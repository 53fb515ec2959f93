"""Hints: the first part of an explanation, without the answer, for the prompt of another attempt.

From "GHPO: Adaptive Guidance for Stable and Efficient LLM Reinforcement Learning" (the first share of a solution as the hint, more of
it at each stage).
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Self

from pydantic import Field, model_validator

import rlgym
from rlgym import Environment
from rlgym.train.registry import OptionError, Options


class HintOptions(Options):
    """Options of `truncate_explanation`."""

    fractions: tuple[float, ...] = Field((0.25, 0.5, 0.75), min_length=1, description="fraction of the explanation shown at each stage")

    @model_validator(mode="after")
    def _check_fractions(self) -> Self:
        if any(not 0 < fraction <= 1 for fraction in self.fractions):
            raise ValueError(f"fractions must be above 0 and at most 1, got fractions={self.fractions}")
        return self


def truncate_explanation(steps: Sequence[str], stage: int, options: HintOptions) -> str:
    """The first fraction of an explanation; empty if nothing can be shown.

    The last step, which holds the answer, is never shown. `stage` counts from 0; later stages use the last fraction.
    """
    if stage < 0:
        raise OptionError(f"stages count from 0, got stage={stage}")
    fraction = options.fractions[min(stage, len(options.fractions) - 1)]
    shown = min(max(1, round(fraction * len(steps))), len(steps) - 1)
    return "\n".join(steps[: max(0, shown)])


def solution_steps(env: rlgym.Env) -> list[str]:
    """The oracle's solution from the present state, step by step; empty if the environment has no explanation."""
    declared = env.declared
    if declared.explain is None:
        return []
    position = env.snapshot()
    return list(declared.explain(position.task if isinstance(declared, Environment) else position.state))


def hint_text(env: rlgym.Env, fraction: float) -> str:
    """The first fraction of the explanation without lines that contain the answer; if nothing is left, the concept of the task."""
    return without_answer(env, truncate_explanation(solution_steps(env), 0, HintOptions(fractions=(fraction,))))


def feedback_text(env: rlgym.Env, feedback: str) -> str:
    """What the environment said about a failed attempt, without lines that contain the answer; if nothing is left, the concept of the task.

    From "Agent-RLVR: Training Software Engineering Agents via Guidance and Environment Rewards".
    """
    text = without_answer(env, feedback) if feedback.strip() else ""
    return f"An earlier attempt failed. {text}" if text and text != env.hint("concept") else env.hint("concept")


def without_answer(env: rlgym.Env, shown: str) -> str:
    """The lines of a text that do not contain the answer; if none are left, the concept of the task."""
    spellings = answer_spellings(env)
    text = "\n".join(line for line in shown.split("\n") if line.strip() and not contains_answer(line, spellings))
    return text if text and not contains_answer(text, spellings) else env.hint("concept")


def answer_spellings(env: rlgym.Env) -> tuple[str, ...]:
    """The oracle's answer from the present state in the spellings that its format reads, the plainest first.

    Of one character only the plainest spelling counts: an answer `A` in lower case is an article.
    """
    declared, position = env.declared, env.snapshot()
    answer = declared.answer
    value = declared.solve(position.task) if isinstance(declared, Environment) else declared.best(position.state)
    plain = answer.render(value)
    others = (text.strip() for text in (answer.render_for(value, position.task.prompt), *answer.variants(value)))
    return tuple(dict.fromkeys([plain, *(text for text in others if len(text) > 1)]))


def contains_answer(text: str, spellings: Sequence[str]) -> bool:
    """Whether a text contains one of the spellings of an answer as a whole token, in any letter case unless it is a single character."""
    return any(
        re.search(rf"(?<![\w.]){_spaced(spelling)}(?!\w)", text, re.IGNORECASE if len(spelling) > 1 else 0)
        for spelling in spellings
        if spelling.strip()
    )


def _spaced(spelling: str) -> str:
    return r"\s+".join(map(re.escape, spelling.split()))
