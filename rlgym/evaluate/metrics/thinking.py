"""How long a model thinks: more than it needs where it is right, less than it needs where it is wrong."""

from __future__ import annotations

import re
from typing import Any

import numpy as np

from rlgym.dataset.rows import messages_of
from rlgym.evaluate.metrics.bootstrap import Resampling, columns, ratio
from rlgym.evaluate.metrics.task_table import Row, Tasks

SENTENCE_END = re.compile(r"\n|(?<=[.!?;])\s")
CONCLUDING = re.compile(
    r"[=:]|\b(is|are|be|was|equals?|answer|result|total|sum|gives?|get|yields?|makes?|leaves?|have|so|thus|hence|therefore|then)\b"
)
"""What a sentence that states a result has before it."""
REFLECTION = re.compile(r"\b(wait|alternatively|hmm|let me (?:re)?check|on second thought|let me verify)\b", re.IGNORECASE)
"""Words with which a response turns back or to another approach."""


def thinking(tasks: Tasks, resampling: Resampling) -> dict[str, Any] | None:
    """Measures of overthinking and underthinking with intervals; None where there is nothing to measure.

    overthinking       1 - shortest / mean tokens of a task's right samples, over tasks with two right ones or more: what the model spends
                       beyond a length that was enough once
    redundancy         of the words that right samples write before their final answer, the share after they first conclude with that answer
    underthinking      of tasks with right and wrong samples, the share of the wrong ones that are shorter than every right one
    reflections        words such as "wait" in 1,000 words of the response, of right and of wrong samples

    After "Do NOT Think That Much for 2+3=?" and "Thoughts Are All Over the Place", which cut single responses into solutions and thoughts.
    """
    over, redundant, under = (np.full(len(tasks), np.nan) for _ in range(3))
    for place, rows in enumerate(tasks.samples):
        right = [row["completion_tokens"] for row in rows if row["right"] and row["completion_tokens"] is not None]
        wrong = [row["completion_tokens"] for row in rows if not row["right"] and row["completion_tokens"] is not None]
        if len(right) > 1 and sum(right):
            over[place] = 1 - min(right) / (sum(right) / len(right))
        shares = [share for row in rows if row["right"] and (share := redundancy(row)) is not None]
        if shares:
            redundant[place] = sum(shares) / len(shares)
        if right and wrong:
            under[place] = sum(tokens < min(right) for tokens in wrong) / len(wrong)
    if not any(np.isfinite(found).any() for found in (over, redundant, under)):
        return None
    estimated = columns(tasks, {"overthinking": over, "redundancy": redundant, "underthinking": under}, resampling)
    counted = {(id(row)): _reflections(row) for rows in tasks.samples for row in rows}

    def per_thousand(kind: bool) -> dict[str, Any]:
        marks, _ = tasks.sums(lambda row: float(counted[id(row)][0]), lambda row: bool(row["right"]) == kind)
        words, _ = tasks.sums(lambda row: float(counted[id(row)][1]), lambda row: bool(row["right"]) == kind)
        return ratio(1000 * marks, words, resampling).to_dict()

    reflections = {"right": per_thousand(True), "wrong": per_thousand(False)}
    return {**{name: estimate.to_dict() for name, estimate in estimated.items()}, "reflections": reflections}


def redundancy(row: Row) -> float | None:
    """The share of the words before the final answer that follow the first sentence or line which concludes with that answer.

    A sentence concludes with an answer if it ends in it and has an equals sign or a word such as "so", "is" or "get", or is the answer alone; "First
    take 4." does not conclude that the answer is 4.

    None for episodes of several turns, without a final answer, or where no sentence before it concludes with the answer. The answer that a right
    response submits is right, so no reference is needed. One minus it is the outcome efficiency of "Do NOT Think That Much for 2+3=?".
    """
    answer, text = " ".join((row["answer"] or "").split()).lower(), _assistant_text(row)
    working = text[: text.rfind("<answer>")] if "<answer>" in text else text[: text.rfind("\\boxed")] if "\\boxed" in text else text
    if row["turns"] != 1 or not answer:
        return None
    ends = re.compile(rf"(?<![\w.]){re.escape(answer)}\W*$")
    sentences = [" ".join(sentence.split()).lower() for sentence in SENTENCE_END.split(working)]
    words = [len(sentence.split()) for sentence in sentences]
    concludes = (bool((found := ends.search(sentence)) and _is_conclusion(sentence[: found.start()])) for sentence in sentences)
    first = next((place for place, concluding in enumerate(concludes) if concluding), None)
    return None if first is None else sum(words[first + 1 :]) / sum(words)


def _is_conclusion(before: str) -> bool:
    """Whether the words of a sentence before the answer at its end state a result."""
    return not re.search(r"\w", before) or CONCLUDING.search(before) is not None


def _assistant_text(row: Row) -> str:
    return "\n".join(str(message.get("content") or "") for message in messages_of(row) if message.get("role") == "assistant")


def _reflections(row: Row) -> tuple[int, int]:
    """The number of words of reflection in the model's messages, and of all words."""
    text = _assistant_text(row)
    return len(REFLECTION.findall(text)), len(text.split())
