"""Supervised examples of proposals: a prompt that shows one generated task, and the statement of another as the response."""

from __future__ import annotations

from dataclasses import replace

import rlgym
from rlgym.core.task import Task
from rlgym.dataset.proposed import proposals_of, proposer_prompt
from rlgym.train.rollout.chat import Chat
from rlgym.train.rollout.scoring import start_of
from rlgym.train.sft.example import SftExample
from rlgym.train.tasks.spec import TaskSettings, TaskSpec

OTHERS = 1 << 50
"""Indices of the stated tasks start far above those that are shown or trained on."""


def build_proposal(chat: Chat, task: TaskSpec, settings: TaskSettings) -> SftExample:
    """A proposal for a task of an environment that declares how its tasks are proposed; both tasks are of the same level."""
    proposals = proposals_of(task.name)
    assert proposals is not None
    shown, stated = _task(task, settings), _task(replace(task, index=OTHERS + task.index), settings)
    prompt = chat.prompt_tokens(proposer_prompt(proposals, shown, (), settings.answer_style))
    response = chat.response_tokens(proposals.answer.render_response(proposals.of(stated), settings.answer_style))
    return SftExample(task, (*prompt, *response), (*[False] * len(prompt), *[True] * len(response)))


def _task(task: TaskSpec, settings: TaskSettings) -> Task[rlgym.TaskData]:
    return start_of(task, settings).task
