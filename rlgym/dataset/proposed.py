"""Tasks that a model states: the prompt that asks for one, and the first state of an attempt at it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from rlgym.core.answer import Style
from rlgym.core.declare import Environment
from rlgym.core.proposals import Proposals
from rlgym.core.task import Task
from rlgym.episode.play import EpisodeState, start_episode
from rlgym.registry import environment

PROMPT = """Here is a task.

--- Task ---
{task}
--- It is stated as ---
{stated}
--- End ---
{examples}
State another task of this kind, new and different, and hard but not impossible to solve. {rules}

{closing}"""
EXAMPLE = """--- Another task is stated as ---
{stated}
--- End ---
"""


def proposals_of(name: str) -> Proposals | None:
    """How tasks of an environment are proposed; None where it does not say so."""
    declared = environment(name)
    return declared.proposals if ":" not in name and isinstance(declared, Environment) else None


def proposer_prompt(proposals: Proposals, example: Task[Any], others: Sequence[str], style: Style) -> str:
    """The prompt that asks for a new task, below one task and the statements of others."""
    return PROMPT.format(
        task=example.prompt,
        stated=proposals.answer.render(proposals.of(example)),
        examples="".join(EXAMPLE.format(stated=other) for other in others),
        rules=proposals.rules,
        closing=proposals.answer.closing_line(style),
    )


def proposed_start(task: Task[Any], style: Style) -> EpisodeState:
    """The first state of an attempt at a task that was stated."""
    assert task.origin is not None
    return start_episode(environment(task.origin.name), task, style)
