"""How long a model thinks: more than it needs where it is right, less than it needs where it is wrong."""

from __future__ import annotations

import json
import re
from typing import Any

import numpy as np

from rlgym.evaluate.metrics.bootstrap import Resampling, columns, ratio
from rlgym.evaluate.metrics.task_table import Row, Tasks

REFLECTION = re.compile(r"\b(wait|alternatively|hmm|let me (?:re)?check|on second thought|let me verify)\b", re.IGNORECASE)
"""Words with which a response turns back or to another approach."""


def thinking(tasks: Tasks, resampling: Resampling) -> dict[str, Any] | None:
    """Measures of overthinking and underthinking with intervals; None where no completion tokens are known.

    overthinking       1 - shortest / mean tokens of a task's right samples, over tasks with two right ones or more: what the model spends
                       beyond a length that was enough once
    underthinking      of tasks with right and wrong samples, the share of the wrong ones that are shorter than every right one
    reflections        words such as "wait" in 1,000 words of the response, of right and of wrong samples

    After "Do NOT Think That Much for 2+3=?" and "Thoughts Are All Over the Place", which cut single responses into solutions and thoughts.
    """
    over, under = np.full(len(tasks), np.nan), np.full(len(tasks), np.nan)
    for place, rows in enumerate(tasks.samples):
        right = [row["completion_tokens"] for row in rows if row["right"] and row["completion_tokens"] is not None]
        wrong = [row["completion_tokens"] for row in rows if not row["right"] and row["completion_tokens"] is not None]
        if len(right) > 1 and sum(right):
            over[place] = 1 - min(right) / (sum(right) / len(right))
        if right and wrong:
            under[place] = sum(tokens < min(right) for tokens in wrong) / len(wrong)
    if not (np.isfinite(over).any() or np.isfinite(under).any()):
        return None
    estimated = columns(tasks, {"overthinking": over, "underthinking": under}, resampling)
    counted = {(id(row)): _reflections(row) for rows in tasks.samples for row in rows}

    def per_thousand(kind: bool) -> dict[str, Any]:
        marks, _ = tasks.sums(lambda row: float(counted[id(row)][0]), lambda row: bool(row["right"]) == kind)
        words, _ = tasks.sums(lambda row: float(counted[id(row)][1]), lambda row: bool(row["right"]) == kind)
        return ratio(1000 * marks, words, resampling).to_dict()

    reflections = {"right": per_thousand(True), "wrong": per_thousand(False)}
    return {**{name: estimate.to_dict() for name, estimate in estimated.items()}, "reflections": reflections}


def _reflections(row: Row) -> tuple[int, int]:
    """The number of words of reflection in the model's messages, and of all words."""
    messages = json.loads(row["messages"] or "[]")
    text = "\n".join(str(message.get("content") or "") for message in messages if message.get("role") == "assistant")
    return len(REFLECTION.findall(text)), len(text.split())
