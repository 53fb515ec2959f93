"""The base task: the task that a derived task is made from, stored inside the derived task's data."""

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
from rlgym.core.score import Score
from rlgym.core.task import Task, TaskData

CONSIDERED = 60  # candidate answers per kind
LIKE_RIGHT = 3  # of texts around a wrong answer, one of so many is a mistake made on the way to the right one


def data_class(declared: Environment[Any, Any, Any], title: str, **fields: Any) -> Any:
    """A TaskData class that holds a task of `declared` and these fields."""
    return _model(declared.data, title, tuple(fields.items()))


@cache
def _model(inside: type[TaskData], title: str, fields: tuple[tuple[str, Any], ...]) -> Any:
    # Most derived declarations are never played, so the validator is built when the first task is made.
    return create_model(
        f"{inside.__name__}{title}",
        __base__=TaskData,
        __cls_kwargs__={"defer_build": True},
        question=(str, ...),
        inner=(inside, ...),
        **dict(fields),
    )


@cache
def task_list_class(part: type[TaskData], title: str) -> Any:
    """A TaskData class that holds several tasks, each a `part`."""
    return create_model(f"{part.__name__}{title}", __base__=TaskData, __cls_kwargs__={"defer_build": True}, parts=(tuple[part, ...], ...))  # type: ignore[valid-type]


def extended_config(declared: Environment[Any, Any, Any], title: str, **knobs: Any) -> Any:
    """The knobs of `declared` plus these. DeclarationError for a knob of the same name."""
    if clashes := sorted(knobs.keys() & declared.config.model_fields.keys()):
        raise DeclarationError(f"the derived environment adds a knob {clashes[0]!r}, which the environment already has")
    return create_model(title, __base__=declared.config, __cls_kwargs__={"defer_build": True}, **knobs)


def with_data_type(generate: Callable[[Rng, Any], Task[Any]], data: Any) -> Callable[[Rng, Any], Task[Any]]:
    """`generate` with the data class in its return annotation."""
    generate.__annotations__["return"] = Task[data]
    return generate


def unwrap(task: Task[Any]) -> Task[Any]:
    """The base task of a derived task."""
    return Task(task.data.question, task.data.inner)


def unwrap_all(task: Task[Any]) -> list[Task[Any]]:
    """The base tasks of a task that holds several."""
    return [Task(part.question, part.inner) for part in task.data.parts]


def unwrap_state(state: Any) -> Task[Any]:
    """The base task of a state."""
    return Task(state.question, state.inner)


def wrong_answers(declared: Environment[Any, Any, Any], task: Task[Any]) -> list[Any]:
    """The declared mistakes, without right answers among them if scoring is cheap."""
    mistakes = declared.mistakes(task, declared.solve(task))
    return [wrong for wrong in mistakes if declared.sandbox is not None or declared.verify(task, wrong).value < 1.0]


def best_score(declared: Environment[Any, Any, Any], task: Task[Any], readings: Sequence[Any], runner: tuple[Any, ...]) -> Score:
    """The score of the best of several readings of one answer."""
    best: Score | None = None
    for reading in readings:
        score: Score = declared.verify(task, reading, *runner)
        best = score if best is None or score.value > best.value else best
        if best.value == 1.0 or best.masked:
            break
    assert best is not None, "an answer has at least one reading"
    return best


def beginning(steps: Sequence[str], most_steps: int, most_characters: int) -> int:
    """The number of steps to show: all of them unless they are very long."""
    total = 0
    for count, step in enumerate(steps[:most_steps]):
        total += len(step)
        if count and total > most_characters:
            return count
    return min(len(steps), most_steps)


def first_wrong(replay: Callable[[Task[Any], Sequence[str]], int | None], base: Task[Any], shown: Any) -> int:
    """The number of the first wrong step of `shown.steps`, 0 for none. `shown` has the steps, whether they are `whole`, and the `wrong` one."""
    at = replay(base, shown.steps)
    # Of a beginning only, the replay may miss the end, which says nothing about the steps that are there.
    if at is None or (not shown.whole and at == len(shown.steps) - 1 and shown.wrong != at + 1):
        return 0
    return at + 1


def score_text(declared: Environment[Any, Any, Any], task: Task[Any], text: str) -> float:
    """The score of an answer text for a task of `declared`; 0 for an unreadable one."""
    try:
        answer = declared.answer.parse(text)
    except Unreadable:
        return 0.0
    value: float = declared.verify(task, answer).value
    return value


def wrong_texts(declared: Environment[Any, Any, Any], task: Task[Any], right: Any) -> list[str]:
    """Wrong answers as texts, declared mistakes first, then near misses. Each was scored, and scores 0."""
    near: Iterable[Any] = declared.answer.near_misses(right)
    candidates = [*islice(declared.mistakes(task, right), CONSIDERED), *islice(near, CONSIDERED)]
    return [text for text in rendered(declared, candidates) if _is_readable(declared, text) and score_text(declared, task, text) == 0.0]


def confusable_texts(declared: Environment[Any, Any, Any], base: Task[Any], rng: Rng, right: Any, count: int) -> list[str]:
    """At most `count` wrong answers as texts, which do not give the right one away as the answer that is most like all others.

    Mistakes and near misses resemble the right answer more than each other. So most pools are built around one of them: it comes with its own near
    misses, and the right answer is one more text like it. In one pool of `count` + 1, the right answer is the one in the middle.
    """
    near = wrong_texts(declared, base, right)
    if len(near) < 2 or rng.chance(1 / (count + 1)):
        return rng.sample(near, min(len(near), count))
    good, around_wrong = declared.answer.render(right), count - count // LIKE_RIGHT
    mistakes = [text for text in rendered(declared, [*islice(declared.mistakes(base, right), CONSIDERED)]) if text in near]
    found = [rng.choice(mistakes or near)]
    for text in found:  # which grows
        around = [other for other in wrong_texts_near(declared, base, declared.answer.parse(text)) if other not in (good, *found)]
        found += rng.sample(around, min(len(around), around_wrong - len(found)))
        if len(found) >= around_wrong:
            break
    for texts in (mistakes, near):
        left = [text for text in texts if text not in found]
        found += rng.sample(left, min(len(left), count - len(found)))
    return found


def wrong_texts_near(declared: Environment[Any, Any, Any], base: Task[Any], answer: Any) -> list[str]:
    """Near misses of any answer, as texts that score 0."""
    candidates = [*islice(declared.answer.near_misses(answer), CONSIDERED)]
    return [text for text in rendered(declared, candidates) if _is_readable(declared, text) and score_text(declared, base, text) == 0.0]


def _is_readable(declared: Environment[Any, Any, Any], text: str) -> bool:
    try:
        declared.answer.parse(text)
    except Unreadable:
        return False
    return True


def right_texts(declared: Environment[Any, Any, Any], task: Task[Any], right: Any, count: int) -> list[str]:
    """At most `count` right answers as texts: the oracle's, and others if the task has several."""
    others = islice(declared.solutions(task), count - 1) if declared.answers == "many" and declared.solutions and count > 1 else ()
    return [text for text in rendered(declared, [right, *others]) if score_text(declared, task, text) == 1.0]


def rendered(declared: Environment[Any, Any, Any], answers: Sequence[Any]) -> list[str]:
    """The texts of answers, in order, without duplicates."""
    return list(dict.fromkeys(declared.answer.render(answer) for answer in answers))


def scores_in_process(declared: Any) -> bool:
    """Whether scoring is cheap and local: a single-turn environment that runs no programs and needs no further package."""
    return isinstance(declared, Environment) and declared.sandbox is None and not declared.needs
