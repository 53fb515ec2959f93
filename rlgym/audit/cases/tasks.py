"""The tasks of an audit: prompts that show a right answer among wrong ones, so that their truth is known by construction."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from rlgym import Rng
from rlgym.audit.spellings import DOMAINS, TYPES

STUDENTS = ("Ada", "Ben", "Cleo", "Dan")
SHOWN = len(STUDENTS)
"""Most candidate answers in a prompt."""


@dataclass(frozen=True, slots=True)
class AuditTask:
    """A prompt, its reference answer, and texts that are and are not equal to the answer.

    reordered  the same prompt with its candidate answers in another order
    paraphrased  the same prompt in other words; empty where there are none
    context    what only some scorers receive
    """

    key: str
    prompt: str
    reordered: str
    answer: str
    answer_type: str
    domain: str
    equal: tuple[str, ...]
    unequal: tuple[str, ...]
    paraphrased: str = ""
    context: Mapping[str, Any] = field(default_factory=dict)


def sample_tasks(kinds: Sequence[str], count: int, seed: int) -> list[AuditTask]:
    """`count` tasks of each type of answer."""
    return [_task(kind, number, seed) for kind in kinds for number in range(count)]


def _task(kind: str, number: int, seed: int) -> AuditTask:
    answer, marked = TYPES[kind](Rng("audit", kind, seed, number))
    # A box around a spelling is a mark of a response, not a spelling.
    equal = tuple(dict.fromkeys(text for text, same in marked if same and "\\boxed" not in text))
    unequal = tuple(dict.fromkeys(text for text, same in marked if not same and text != answer))
    order = Rng("audit order", kind, seed, number).shuffled([answer, *unequal[: SHOWN - 1]])
    said = [f"{student} answers: {text}" for student, text in zip(STUDENTS, order)]
    last = f"{STUDENTS[order.index(answer)]} is right, the others are wrong. Give the right answer."
    prompt, reordered = ("\n".join(["Students answer the same question.", *lines, last]) for lines in (said, said[::-1]))
    words = [f"{student}'s answer is: {text}" for student, text in zip(STUDENTS, order)]
    end = f"Only {STUDENTS[order.index(answer)]} has it right. What is the right answer?"
    paraphrased = "\n".join(["These are answers of several students to one question.", *words, end])
    return AuditTask(f"{kind} {number}", prompt, reordered, answer, kind, DOMAINS[kind], equal, unequal, paraphrased)
