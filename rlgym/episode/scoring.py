"""Scores responses to tasks and to dataset rows."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from functools import partial
from typing import Any, get_args

from rlgym.core.answer import Style
from rlgym.core.declare import Environment
from rlgym.core.errors import EpisodeError, KnobError, RowError
from rlgym.core.score import Outcome, Score
from rlgym.core.task import Origin, Task
from rlgym.episode.play import advance, score_response, start_episode
from rlgym.episode.sampling import read_data
from rlgym.registry import environment

Response = str | Sequence[str]
Row = Mapping[str, Any]


def score(task_or_row: Task[Any] | Row, response: Response, *, answer_style: Style | None = None) -> Score:
    """The score of a response to a task or to a dataset row.

    A response to a many-turn task is the list of the model's turns, in order. A row keeps the answer style that it was
    made with; for a task the style is "tag" unless `answer_style` is given. A verifier that raises gives Outcome.ERROR, never a silent 0.
    """
    task, style = (task_or_row, "tag") if isinstance(task_or_row, Task) else task_from_row(task_or_row)
    if task.origin is None:
        raise RowError("this task does not say which environment made it; sample it with rlgym.task(...)")
    return score_task(task, response, check_answer_style(answer_style or style))


def score_task(task: Task[Any], response: Response, style: Style) -> Score:
    """`score` for a task with an origin, in a valid answer style."""
    assert task.origin is not None
    declared = environment(task.origin.name)
    if isinstance(declared, Environment):
        if not isinstance(response, str):
            raise EpisodeError(f"{task.origin.name} takes one response as a string, got {type(response).__name__}")
        try:
            return score_response(declared, task, response, style)
        except Exception as error:
            return Score.nothing(Outcome.ERROR, f"the verifier raised {type(error).__name__}: {error}")
    position = start_episode(declared, task, style)
    for turn in [response] if isinstance(response, str) else response:
        if not isinstance(turn, str):
            raise EpisodeError(f"every turn must be a string, got {type(turn).__name__}")
        position = advance(declared, position, turn, style)
        if position.score:
            return position.score
    return Score.wrong("the episode was not played to its end")


def score_many(rows: Sequence[Task[Any] | Row], responses: Sequence[Response], *, workers: int = 1) -> list[Score]:
    """The scores of many responses, in order. The scores do not depend on `workers`, the number of processes."""
    if len(rows) != len(responses):
        raise RowError(f"there are {len(rows)} rows but {len(responses)} responses")
    if workers < 1:
        raise KnobError(f"workers must be 1 or more, got workers={workers!r}")
    if workers == 1 or len(rows) < 2:
        return [score(row, response) for row, response in zip(rows, responses, strict=True)]
    from concurrent.futures import ProcessPoolExecutor
    from multiprocessing import get_context

    with ProcessPoolExecutor(workers, mp_context=get_context("spawn")) as pool:
        return list(pool.map(partial(score), rows, responses, chunksize=max(1, len(rows) // (workers * 8))))


def task_from_row(row: Row) -> tuple[Task[Any], Style]:
    """The task and answer style of a dataset row. RowError names the fault and the row."""
    if not isinstance(row, Mapping):
        raise RowError(f"a row must be a mapping of column names to values, got {type(row).__name__}")
    try:
        return _from_row(row)
    except (RowError, KnobError) as error:
        raise RowError(f"the row {row['id']!r:.100}: {error}" if "id" in row else str(error)) from None


def _from_row(row: Row) -> tuple[Task[Any], Style]:
    for column, kind in _NEEDED.items():
        if column not in row:
            raise RowError(f"this row has no column {column!r}; was it made by `rlgym dataset build`?")
        if not isinstance(row[column], kind) or isinstance(row[column], bool):
            raise RowError(f"the column {column!r} of this row must be {kind.__name__}, got {row[column]!r:.60}")
    try:
        knobs, style = json.loads(row["knobs"]), json.loads(row["answer_format"])["style"]
    except (ValueError, KeyError, TypeError):
        raise RowError("the columns 'knobs' and 'answer_format' of this row must hold JSON as it was written") from None
    data = read_data(row["env"], row["version"], row["data"])
    origin = Origin(row["env"], row["version"], row["seed"], knobs, row.get("level"))
    return Task(row["prompt"], data, origin), check_answer_style(style)


_NEEDED = {"env": str, "version": int, "seed": int, "knobs": str, "prompt": str, "data": str, "answer_format": str}


def check_answer_style(style: Any) -> Style:
    """The answer style; KnobError for an unknown one."""
    if style not in get_args(Style):
        raise KnobError(f"answer_style must be one of {', '.join(get_args(Style))}, got {style!r}")
    known_style: Style = style
    return known_style
