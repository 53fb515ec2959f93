"""Texts cut into steps, and critiques of every step in words: what searches, scorers and labels of steps share."""

from __future__ import annotations

import re
from collections.abc import Sequence

SEPARATOR = "\n"
"""What ends a step by default."""
Labels = tuple[float | None, ...]
"""One label for each step."""

CRITIQUE = (
    "Here are a task and a solution of it by somebody else, in numbered steps.\n\n--- Task ---\n{task}\n\n--- Solution ---\n{steps}\n--- End ---\n\n"
    "Check the steps in order. For each step, say in a few words what it claims and whether that is true and follows from the task and the steps "
    "before it. Then write the line 'Step k: right' or the line 'Step k: wrong', with the number of the step for k. Stop after the first wrong step."
)
_VERDICT = re.compile(r"^\W*step (\d{1,6})\W+(right|wrong)\b", re.IGNORECASE | re.MULTILINE)


def step_ends(text: str, separator: str = SEPARATOR) -> tuple[int, ...]:
    """The number of characters up to the end of each step of a text, without the white space after it."""
    ends, at = list[int](), 0
    for piece in text.split(separator):
        if piece.strip():
            ends.append(at + len(piece.rstrip()))
        at += len(piece) + len(separator)
    return tuple(ends)


def steps_of(text: str, ends: Sequence[int]) -> list[str]:
    """The steps of a text by their ends, without white space around them."""
    return [text[start:end].strip() for start, end in zip((0, *ends[:-1]), ends, strict=True)] if ends else []


def critique_prompt(task: str, steps: Sequence[str]) -> str:
    """The question for a critique of every step, in words."""
    return CRITIQUE.format(task=task, steps="\n".join(f"Step {number}: {step}" for number, step in enumerate(steps, 1)))


def read_critique(chain: str, count: int) -> Labels | None:
    """The labels of a critique of `count` steps: 1 up to the first wrong step, 0 there, None after it.

    None for a critique that leaves a step out, or goes on after a wrong one.
    """
    verdicts = [(int(number), word.lower()) for number, word in _VERDICT.findall(chain)]
    words = [word for _, word in verdicts]
    if [number for number, _ in verdicts] != list(range(1, len(verdicts) + 1)) or "wrong" in words[:-1]:
        return None
    if not words or len(words) > count or (words[-1] == "right" and len(words) < count):
        return None
    return (*(float(word == "right") for word in words), *[None] * (count - len(words)))
