"""The sources of labels: the environment's step checker, success rates of continuations, and critiques of a model."""

from __future__ import annotations

from collections.abc import Sequence
from statistics import fmean

import rlgym
from rlgym.dataset.rows import task_of_row
from rlgym.evaluate.models.base import Message, Model
from rlgym.evaluate.step_texts import Labels, critique_prompt, read_critique
from rlgym.evaluate.steps.records import StepRecord
from rlgym.evaluate.strategies.critiques import ask_critiques, gather_or_cancel
from rlgym.evaluate.strategies.problem import CONTINUE, Problem, digest
from rlgym.solutions import find_steps


def exact_labels(record: StepRecord) -> Labels:
    """The labels of the environment's step checker, whose steps count where they end; all None where it has none.

    A last piece in which no step is found only states the answer, so that the verifier labels it, unless an earlier step is wrong.
    """
    task, declared = task_of_row(record.task_row), rlgym.environment(record.env)
    found = find_steps(declared, task, record.response) if isinstance(declared, rlgym.Environment) else []
    if not found:
        return (None,) * len(record.ends)
    verdicts: list[list[str]] = [[] for _ in record.ends]
    for step in found:
        place = next((k for k, end in enumerate(record.ends) if end >= step.end), len(record.ends) - 1)
        verdicts[place].append(step.verdict)
    labels = [None if not words or "unchecked" in words else float("wrong" not in words) for words in verdicts]
    for k, words in enumerate(verdicts):
        if "wrong" in words:
            labels[k] = 0.0
    if not verdicts[-1] and 0.0 not in labels:
        labels[-1] = float(record.right)
    return tuple(labels)


async def rate_labels(problem: Problem, record: StepRecord, continuations: int) -> Labels:
    """After each step but the last the share of continuations that end in the right answer; the last step has the response's own verdict.

    The model must continue an assistant message.
    """

    async def rate(end: int) -> float:
        # What separates the steps belongs to the prefix, so that the continuation begins with the next step.
        before = record.response[: end + len(record.response[end:]) - len(record.response[end:].lstrip())]
        messages: list[Message] = [*problem.prompt, {"role": "assistant", "content": before}]
        keys = [f"rate {digest(before)} {number}" for number in range(continuations)]
        found = await gather_or_cancel(problem.attempt(key, messages, CONTINUE, before) for key in keys)
        return fmean(candidate.right for candidate in found)

    return (*await gather_or_cancel(rate(end) for end in record.ends[:-1]), float(record.right))


async def critiques(problem: Problem, record: StepRecord, number: int, model: Model | None = None) -> list[str]:
    """Critiques of the steps of a response, by a model or by the one that is evaluated."""
    name = "" if model is None else " judge"
    keys = [f"critique{name} {digest(record.response)} {each}" for each in range(number)]
    return await ask_critiques(problem, critique_prompt(record.prompt, record.steps), keys, model)


def judge_labels(chains: Sequence[str], count: int) -> Labels:
    """For each step the share of the critiques that call it right, among those that reach it; None where none does."""
    read = [labels for chain in chains if (labels := read_critique(chain, count)) is not None]
    given = [[labels[k] for labels in read if labels[k] is not None] for k in range(count)]
    return tuple(fmean(label for label in labels if label is not None) if labels else None for labels in given)
