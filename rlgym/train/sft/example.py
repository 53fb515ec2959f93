"""One supervised example."""

from __future__ import annotations

from dataclasses import dataclass

from rlgym.train.tasks.spec import TaskSpec


@dataclass(frozen=True)
class SftExample:
    """One episode to imitate: the task, its tokens, which of them are the oracle's, and its turns."""

    task: TaskSpec
    tokens: tuple[int, ...]
    loss_mask: tuple[bool, ...]
    turns: int = 1
