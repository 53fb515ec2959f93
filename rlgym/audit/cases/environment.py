"""The tasks of one of our environments as tasks of an audit."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import rlgym
from rlgym import Environment, RlgymError
from rlgym.answers import Answer, Arithmetic
from rlgym.audit.cases.tasks import AuditTask
from rlgym.core.answer import wrap

LEVELS = (0.0, 0.25, 0.5, 0.75, 1.0)


def environment_tasks(name: str, count: int, seed: int) -> list[AuditTask]:
    """`count` tasks over all levels: the oracle's answer, its spellings, and the declared mistakes. A task without a mistake is left out."""
    declared = rlgym.environment(name)
    if not isinstance(declared, Environment) or type(declared.answer).extract is not Answer.extract:
        raise RlgymError(f"{name} has no single answer between marks; `rlgym check {name}` measures it")
    tasks = [_task(name, declared, seed * 10_000 + number, LEVELS[number % len(LEVELS)]) for number in range(count)]
    return [task for task in tasks if task.unequal]


def _task(name: str, declared: Environment[Any, Any, Any], seed: int, level: float) -> AuditTask:
    task, form = rlgym.task(name, seed=seed, level=level), declared.answer
    right = declared.solve(task)
    answer = form.render(right)
    unequal = dict.fromkeys(text for text in map(form.render, declared.mistakes(task, right)) if text != answer)
    if isinstance(form, Arithmetic):
        unequal |= dict.fromkeys(_other_operators(answer))
    if declared.answers == "many":
        # Among many right answers, some declared mistakes are right; only the verifier knows.
        unequal = {text: None for text in unequal if rlgym.score(task, wrap(text, "tag")).value < 1}
    return AuditTask(
        f"{name} {seed}", task.prompt, task.prompt, answer, form.format, _domain(name), _texts(form.variants(right)), tuple(unequal), "",
        {"seed": seed, "level": level},
    )  # fmt: skip


def _other_operators(answer: str) -> list[str]:
    """An expression in other operators than those that tasks allow, with the same numbers and the same value for whoever evaluates it."""
    changed = [answer.replace("/", "//"), answer.replace("+", "- -", 1), f"int({answer})"]
    return [text for text in changed if text != answer]


def _domain(name: str) -> str:
    return str(rlgym.spec(name)["domain"])


def _texts(texts: Any) -> tuple[str, ...]:
    kept: Sequence[str] = list(dict.fromkeys(texts))
    return tuple(kept)
