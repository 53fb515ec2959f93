"""What all derived environments share: the task they are made from, kept inside their own data."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from functools import cache
from itertools import islice
from typing import Any

from pydantic import create_model

from rlgym.core.answer import Unreadable
from rlgym.core.declare import Environment
from rlgym.core.errors import DeclarationError
from rlgym.core.rng import Rng
from rlgym.core.task import Task, TaskData

CONSIDERED = 60  # answers looked at for proposals


def model(declared: Environment[Any, Any, Any], title: str, **fields: Any) -> Any:
    """A class of data that holds a task of `declared` and these fields."""
    return _model(declared.data, title, tuple(fields.items()))


@cache
def _model(inside: type[TaskData], title: str, fields: tuple[tuple[str, Any], ...]) -> Any:
    # Most derived declarations are only looked at: what checks their data is built when the first task of theirs is made.
    return create_model(
        f"{inside.__name__}{title}",
        __base__=TaskData,
        __cls_kwargs__={"defer_build": True},
        question=(str, ...),
        inner=(inside, ...),
        **dict(fields),
    )


def config(declared: Environment[Any, Any, Any], title: str, **knobs: Any) -> Any:
    """The knobs of `declared` and these; DeclarationError where one would take another's place."""
    if taken := sorted(knobs.keys() & declared.config.model_fields.keys()):
        raise DeclarationError(f"the knob {taken[0]!r} of what is derived has the name of one of the environment's own")
    return create_model(title, __base__=declared.config, __cls_kwargs__={"defer_build": True}, **knobs)


def made(generate: Callable[[Rng, Any], Task[Any]], data: Any) -> Callable[[Rng, Any], Task[Any]]:
    """`generate`, saying what data it makes."""
    generate.__annotations__["return"] = Task[data]
    return generate


def inner(task: Task[Any]) -> Task[Any]:
    """The task that a derived task was made from."""
    return Task(task.data.question, task.data.inner)


def judged(declared: Environment[Any, Any, Any], task: Task[Any], text: str) -> float:
    """What an answer, as text, earns for a task of `declared`; 0 for one that cannot be read."""
    try:
        answer = declared.answer.parse(text)
    except Unreadable:
        return 0.0
    value: float = declared.verify(task, answer).value
    return value


def wrong_texts(declared: Environment[Any, Any, Any], task: Task[Any], right: Any) -> list[str]:
    """Wrong answers as texts, declared mistakes first, then near misses; each is judged and earns nothing."""
    near: Iterable[Any] = declared.answer.nearby(right)
    candidates = [*islice(declared.mistakes(task, right), CONSIDERED), *islice(near, CONSIDERED)]
    return [text for text in texts(declared, candidates) if _readable(declared, text) and judged(declared, task, text) == 0.0]


def _readable(declared: Environment[Any, Any, Any], text: str) -> bool:
    try:
        declared.answer.parse(text)
    except Unreadable:
        return False
    return True


def right_texts(declared: Environment[Any, Any, Any], task: Task[Any], right: Any, most: int) -> list[str]:
    """Right answers as texts: the oracle's, and others where there are several."""
    others = islice(declared.solutions(task), most - 1) if declared.answers == "many" and declared.solutions and most > 1 else ()
    return [text for text in texts(declared, [right, *others]) if judged(declared, task, text) == 1.0]


def texts(declared: Environment[Any, Any, Any], answers: Sequence[Any]) -> list[str]:
    """Answers written out, each once, in their order."""
    return list(dict.fromkeys(declared.answer.render(answer) for answer in answers))


def judges_without_programs(declared: Any) -> bool:
    """Whether answers are judged at once: a single-turn environment that runs no programs and needs no further package."""
    return isinstance(declared, Environment) and declared.sandbox is None and not declared.needs
