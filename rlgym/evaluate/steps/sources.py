"""The sources of labels: the environment's step checker, success rates of continuations, and critiques of a model."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Coroutine, Iterable, Sequence
from statistics import fmean
from typing import Any, TypeVar

import rlgym
from rlgym.dataset.rows import task_of_row
from rlgym.dataset.session import message_text
from rlgym.evaluate.models.base import Message, Model
from rlgym.evaluate.steps.records import Labels, StepRecord
from rlgym.evaluate.strategies.problem import CONTINUE, Problem, digest
from rlgym.solutions import find_steps

T = TypeVar("T")
CRITIQUE = (
    "Here are a task and a solution of it by somebody else, in numbered steps.\n\n--- Task ---\n{task}\n\n--- Solution ---\n{steps}\n--- End ---\n\n"
    "Check the steps in order. For each step, say in a few words what it claims and whether that is true and follows from the task and the steps "
    "before it. Then write the line 'Step k: right' or the line 'Step k: wrong', with the number of the step for k. Stop after the first wrong step."
)
_VERDICT = re.compile(r"^\W*step (\d{1,6})\W+(right|wrong)\b", re.IGNORECASE | re.MULTILINE)


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


async def gather_or_cancel(calls: Iterable[Coroutine[Any, Any, T]]) -> list[T]:
    """The results of all calls. Where one fails the others are cancelled, and have ended before its exception is raised."""
    tasks = [asyncio.ensure_future(call) for call in calls]
    try:
        return await asyncio.gather(*tasks)
    except BaseException:
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        raise


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


async def critiques(problem: Problem, record: StepRecord, number: int, model: Model | None = None) -> list[str]:
    """Critiques of the steps of a response, by a model or by the one that is evaluated."""
    name = "" if model is None else " judge"
    keys = [f"critique{name} {digest(record.response)} {each}" for each in range(number)]
    return await ask_critiques(problem, critique_prompt(record.prompt, record.steps), keys, model)


async def ask_critiques(problem: Problem, question: str, keys: Sequence[str], model: Model | None = None) -> list[str]:
    """The replies to a question for a critique, one under each key, of a model or of the one that is evaluated."""
    messages: list[Message] = [{"role": "user", "content": question}]
    given = await gather_or_cancel(problem.ask(key, messages, model=model) for key in keys)
    return [message_text(completion.message) for completion in given]


def judge_labels(chains: Sequence[str], count: int) -> Labels:
    """For each step the share of the critiques that call it right, among those that reach it; None where none does."""
    read = [labels for chain in chains if (labels := read_critique(chain, count)) is not None]
    given = [[labels[k] for labels in read if labels[k] is not None] for k in range(count)]
    return tuple(fmean(label for label in labels if label is not None) if labels else None for labels in given)
