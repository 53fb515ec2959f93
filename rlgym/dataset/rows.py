"""Rows: a task with everything that training, evaluation and later scoring need."""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Mapping
from functools import cache
from typing import Any

from rlgym.core.answer import Style
from rlgym.core.declare import Declaration, Environment
from rlgym.core.errors import PackageMissing, RlgymError, RowError, SandboxMissing
from rlgym.core.score import Outcome
from rlgym.core.task import Origin, Task
from rlgym.dataset.recipe import Recipe, Slot
from rlgym.dataset.traces.options import TraceOptions
from rlgym.dataset.traces.writer import final_response, trace_of_oracle
from rlgym.episode.play import advance, check_requirements, oracle_response, start_episode
from rlgym.episode.sampling import configure, sample_task
from rlgym.registry import environment, locate

Row = dict[str, Any]


def make_row(recipe: Recipe, slot: Slot, attempt: int, *, solved: bool = True) -> Row:
    """The row of a slot, without its split. The oracle's response was scored and is right; `solved=False` leaves the oracle's columns out."""
    declared = _scorable_environment(slot.name) if solved else environment(slot.name)
    config, seed = _config(slot.name, slot.level, json.dumps(recipe.knobs.get(slot.name, {}))), slot.seed(recipe.seed, attempt)
    try:
        task = sample_task(slot.name, declared, seed, config, slot.level)
        return row_of(declared, task, recipe.answer_style, recipe.traces) if solved else task_columns(declared, task, recipe.answer_style)
    except RlgymError:
        raise
    except Exception as error:
        raise RlgymError(
            f"{slot.name} raised {type(error).__name__}: {error} at seed {seed} with knobs {dict(config)}; "
            f"this is a bug of the environment: run `rlgym check {slot.name}`"
        ) from error


def identity(recipe: Recipe, row: Row) -> str:
    """The key that is unique in a dataset: the content hash, or the hash of the masked prompt where near-duplicates are removed."""
    return masked_hash(row) if recipe.near_duplicates == "remove" else content_hash(row)


def prompt_of(recipe: Recipe, slot: Slot, attempt: int) -> Row:
    """The columns of a slot's row that decide its identity. They cost neither the oracle nor the verifier."""
    config = _config(slot.name, slot.level, json.dumps(recipe.knobs.get(slot.name, {})))
    task = sample_task(slot.name, environment(slot.name), slot.seed(recipe.seed, attempt), config, slot.level)
    return {"env": slot.name, "prompt": task.prompt}


def row_without_oracle(name: str, seed: int, level: float, *, knobs: Mapping[str, Any] | None = None, answer_style: Style = "tag") -> Row:
    """The row of one task with the columns that playing and scoring need; `knobs` are set by name.

    It is faster to make: the oracle is not run.
    """
    declared = environment(name)
    config = _config(name, level, json.dumps(dict(knobs or {})))
    return task_columns(declared, sample_task(name, declared, seed, config, level), answer_style)


def knobs_of_row(row: Mapping[str, Any]) -> dict[str, Any]:
    """All knobs of the task of a row, of a dataset or of an evaluation's results; without a column `knobs` those of its level.

    RowError where the row's id has the hash of other knobs: the task of its seed and level would be another one.
    """
    name, seed = str(row["env"]), int(row["seed"])
    config = _config(name, row["level"], row.get("knobs") or "{}")
    if "id" in row and row["id"] != (own := task_id(Origin(name, environment(name).version, seed, dict(config.__dict__)))):
        why = "its knobs are not recorded" if not row.get("knobs") else "it is not a task of a seed, or of another version"
        raise RowError(f"the task {row['id']} cannot be made again: {why} ({name}, seed {seed} and level {row['level']} give {own})")
    return dict(config.__dict__)


def knobs_set_by_name(row: Mapping[str, Any]) -> dict[str, Any]:
    """The knobs of the task of a row that are not those of its level; RowError as for `knobs_of_row`."""
    knobs, of_level = knobs_of_row(row), knobs_at(str(row["env"]), row["level"])
    return {name: value for name, value in knobs.items() if value != of_level[name]}


def task_of_row(row: Mapping[str, Any]) -> Task[Any]:
    """The task of a row, sampled again with the knobs that the row has; RowError as for `knobs_of_row`."""
    name, level = str(row["env"]), row["level"]
    config = _config(name, level, json.dumps(knobs_of_row(row)))
    return sample_task(name, environment(name), int(row["seed"]), config, level)


def messages_of(row: Mapping[str, Any]) -> list[dict[str, Any]]:
    """The messages of a row: of results they are JSON, or nothing where an episode has none; of datasets a list."""
    messages = row["messages"]
    return json.loads(messages or "[]") if isinstance(messages, str | None) else list(messages)


def missing_requirement(name: str) -> str:
    """The package or sandbox that scoring this environment's answers lacks here, in words; empty where nothing is missing."""
    try:
        _scorable_environment(name)
    except (PackageMissing, SandboxMissing) as why:
        return str(why)
    return ""


@cache
def _scorable_environment(name: str) -> Declaration:
    """The environment; PackageMissing or SandboxMissing if the oracle's response cannot be scored here."""
    declared = environment(name)
    check_requirements(name, declared)
    return declared


def knobs_at(name: str, level: float, knobs: str = "{}") -> dict[str, Any]:
    """The knobs of an environment at a level; `knobs` is JSON of those that are set by name."""
    return dict(_config(name, level, knobs).model_dump())


@cache
def _config(name: str, level: float, knobs: str) -> Any:
    return configure(environment(name), level, json.loads(knobs))


def row_of(declared: Declaration, task: Task[Any], style: Style, traces: TraceOptions | None = None) -> Row:
    """The row of a task. `traces` are the behaviours of the worked solution where the environment has a search."""
    turns, transcript = _oracle_plays(declared, task, style)
    single = isinstance(declared, Environment)
    explanation = _explanation(declared, task)
    messages = [{"role": role, "content": content} for role, content in transcript]
    answer = turns[0]
    if traces is not None and isinstance(declared, Environment):
        explanation = trace_of_oracle(declared, task, traces) or explanation
        answer = final_response(declared, task, style, traces) or answer
    if single and explanation:
        messages[-1]["content"] = "\n".join(explanation) + "\n\n" + answer
    return task_columns(declared, task, style) | {
        "messages": messages[:1],
        "oracle_response": turns[0] if single else json.dumps(turns, ensure_ascii=False),
        "oracle_messages": messages,
        "explanation": "\n".join(explanation),
        "turns": len(turns),
    }


def _explanation(declared: Declaration, task: Task[Any]) -> list[str]:
    """The worked solution, which ends with the answer as the oracle's response spells it."""
    if declared.explain is None:
        return []
    if not isinstance(declared, Environment):
        return declared.explain(task.data)
    *steps, closing = declared.explain(task)
    right = declared.solve(task)
    return [*steps, closing.replace(declared.answer.render(right), declared.answer.render_for(right, task.prompt))]


def task_columns(declared: Declaration, task: Task[Any], style: Style) -> Row:
    """The columns of a task's row that need no oracle: everything that playing and scoring need."""
    origin = task.origin
    assert origin is not None
    return {
        "id": task_id(origin),
        "env": origin.name,
        "version": origin.version,
        "domain": locate(origin.name).domain,
        "kind": declared.kind,
        "seed": origin.seed,
        "level": origin.level,
        "knobs": knobs_text(origin.knobs),
        "prompt": task.prompt,
        "data": task.data.model_dump_json(),
        "answer_format": json.dumps({"format": declared.answer.format, "instructions": declared.answer.instructions, "style": style}),
        "cost": float(declared.cost(task if isinstance(declared, Environment) else task.data)),
    }


def knobs_text(knobs: Mapping[str, Any]) -> str:
    """Knobs as rows have them."""
    return json.dumps(dict(knobs), sort_keys=True)


def task_id(origin: Origin) -> str:
    """The identity of a task: environment, version, seed and a hash of the knobs."""
    return f"{origin.name}-v{origin.version}-{origin.seed}-{hashlib.sha256(knobs_text(origin.knobs).encode()).hexdigest()[:8]}"


def _oracle_plays(declared: Declaration, task: Task[Any], style: Style) -> tuple[list[str], tuple[tuple[str, str], ...]]:
    """The oracle's turns and the whole transcript. A wrong oracle is a bug, which stops the build."""
    position, turns = start_episode(declared, task, style), []
    while position.score is None:
        turns.append(oracle_response(declared, position, style))
        position = advance(declared, position, turns[-1], style)
    if position.score.outcome is not Outcome.RIGHT:
        origin = task.origin
        assert origin is not None
        raise RlgymError(
            f"the oracle of {origin.name} fails seed {origin.seed} with knobs {dict(origin.knobs)} ({position.score.reason}); "
            f"this is a bug of the environment: run `rlgym check {origin.name}`"
        )
    return turns, position.transcript


def content_hash(row: Row) -> str:
    """The identity of a task: a hash of its environment and prompt. Rows with equal hashes are duplicates."""
    return hashlib.sha256(f"{row['env']}\n{row['prompt']}".encode("utf-8", "surrogatepass")).hexdigest()


def masked(prompt: str) -> str:
    """A prompt with its numbers and capitalised words masked: what near-duplicates have in common."""
    return " ".join(_NAME.sub("@", _NUMBER.sub("#", prompt)).split())


def masked_hash(row: Row) -> str:
    """A hash of an environment and a masked prompt. Rows with equal hashes are near-duplicates."""
    return hashlib.sha256(f"{row['env']}\n{masked(row['prompt'])}".encode("utf-8", "surrogatepass")).hexdigest()


_NUMBER = re.compile(r"\d+(?:[.,]\d+)*")
_NAME = re.compile(r"\b[A-Z][a-z]+\b")


def split_of(content_hash: str, splits: dict[str, float]) -> str:
    """The split of a task, decided by its content hash alone: train from the bottom of the range of hashes, test from its top.

    A task can be in the train split of one dataset and in the test split of another only if the two shares add up to more than 1.
    """
    position, reached = int(content_hash[:13], 16) / 16**13, 0.0
    for name, share in splits.items():
        reached += share
        if position < reached:
            return name
    return next(name for name in reversed(splits) if splits[name] > 0)


def schema() -> Any:
    """The Arrow schema of a row."""
    import pyarrow as pa

    message = pa.list_(pa.struct([("role", pa.string()), ("content", pa.string())]))
    kinds = {"version": pa.int32(), "seed": pa.int64(), "level": pa.float64(), "cost": pa.float64(), "turns": pa.int32()}
    kinds |= {"messages": message, "oracle_messages": message}
    return pa.schema([(column, kinds.get(column, pa.string())) for column in COLUMNS])


COLUMNS = (
    "id env version domain kind seed level knobs messages prompt data answer_format oracle_response oracle_messages explanation cost turns split"
).split()
