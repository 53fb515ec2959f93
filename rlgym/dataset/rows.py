"""One row: a task with all that training, evaluation and later scoring need."""

from __future__ import annotations

import hashlib
import json
from functools import cache
from typing import Any

from rlgym.core.answer import Style
from rlgym.core.declare import Declaration, Environment
from rlgym.core.errors import PackageMissing, RlgymError, SandboxMissing
from rlgym.core.score import Outcome
from rlgym.core.task import Task
from rlgym.dataset.recipe import Recipe, Slot
from rlgym.episode.draw import configure, draw
from rlgym.episode.play import advance, can_judge, opening, oracle_answer
from rlgym.registry import environment, place

Row = dict[str, Any]


def make_row(recipe: Recipe, slot: Slot, attempt: int, *, solved: bool = True) -> Row:
    """The row of a slot, all but its split; the oracle's response has been scored, and is right. Without `solved` see `bare_row`."""
    declared = _judgeable(slot.name) if solved else environment(slot.name)
    config, seed = _config(slot.name, slot.level, json.dumps(recipe.knobs.get(slot.name, {}))), slot.seed(recipe.seed, attempt)
    try:
        task = draw(slot.name, declared, seed, config, slot.level)
        return row_of(declared, task, recipe.answer_style) if solved else unsolved(declared, task, recipe.answer_style)
    except RlgymError:
        raise
    except Exception as error:
        raise RlgymError(
            f"{slot.name} raised {type(error).__name__}: {error} at seed {seed} with knobs {dict(config)}; "
            f"this is a bug of the environment: run `rlgym check {slot.name}`"
        ) from error


def bare_row(name: str, seed: int, level: float, *, answer_style: Style = "tag") -> Row:
    """The row of one task with what playing and scoring it needs, but without what the oracle says, which takes longer."""
    declared = environment(name)
    return unsolved(declared, draw(name, declared, seed, _config(name, level, "{}"), level), answer_style)


def missing(name: str) -> str:
    """What is missing here for judging an environment's answers, a package or a sandbox, in words; empty where nothing is."""
    try:
        _judgeable(name)
    except (PackageMissing, SandboxMissing) as why:
        return str(why)
    return ""


@cache
def _judgeable(name: str) -> Declaration:
    """The environment; PackageMissing or SandboxMissing where the oracle's response could not be scored here."""
    declared = environment(name)
    can_judge(name, declared)
    return declared


@cache
def _config(name: str, level: float, knobs: str) -> Any:
    return configure(environment(name), level, json.loads(knobs))


def row_of(declared: Declaration, task: Task[Any], style: Style) -> Row:
    """The row of a task."""
    turns, transcript = _oracle_plays(declared, task, style)
    single = isinstance(declared, Environment)
    explanation = declared.explain(task if single else task.data) if declared.explain else []
    messages = [{"role": role, "content": content} for role, content in transcript]
    if single and explanation:
        messages[-1]["content"] = "\n".join(explanation) + "\n\n" + turns[0]
    return unsolved(declared, task, style) | {
        "messages": messages[:1],
        "oracle_response": turns[0] if single else json.dumps(turns, ensure_ascii=False),
        "oracle_messages": messages,
        "explanation": "\n".join(explanation),
        "turns": len(turns),
    }


def unsolved(declared: Declaration, task: Task[Any], style: Style) -> Row:
    """The columns of a task's row that need no oracle: all that playing and scoring it takes."""
    origin = task.origin
    assert origin is not None
    knobs = json.dumps(dict(origin.knobs), sort_keys=True)
    return {
        "id": f"{origin.name}-v{origin.version}-{origin.seed}-{hashlib.sha256(knobs.encode()).hexdigest()[:8]}",
        "env": origin.name,
        "version": origin.version,
        "domain": place(origin.name).domain,
        "kind": declared.kind,
        "seed": origin.seed,
        "level": origin.level,
        "knobs": knobs,
        "prompt": task.prompt,
        "data": task.data.model_dump_json(),
        "answer_format": json.dumps({"format": declared.answer.format, "asks": declared.answer.asks, "style": style}),
        "cost": float(declared.cost(task if isinstance(declared, Environment) else task.data)),
    }


def _oracle_plays(declared: Declaration, task: Task[Any], style: Style) -> tuple[list[str], tuple[tuple[str, str], ...]]:
    """The oracle's turns and the whole transcript; an oracle that is not right is a bug that stops the build."""
    position, turns = opening(declared, task, style), []
    while position.score is None:
        turns.append(declared.answer.write(oracle_answer(declared, position), style))
        position = advance(declared, position, turns[-1], style)
    if position.score.outcome is not Outcome.RIGHT:
        origin = task.origin
        assert origin is not None
        raise RlgymError(
            f"the oracle of {origin.name} fails seed {origin.seed} with knobs {dict(origin.knobs)} ({position.score.reason}); "
            f"this is a bug of the environment: run `rlgym check {origin.name}`"
        )
    return turns, position.transcript


def content(row: Row) -> str:
    """What makes a task that task: a hash of its environment and prompt. Equal contents are duplicates."""
    return hashlib.sha256(f"{row['env']}\n{row['prompt']}".encode("utf-8", "surrogatepass")).hexdigest()


def split_of(content_hash: str, splits: dict[str, float]) -> str:
    """The split of a task, decided by its content alone: train from the bottom of the range of hashes, test from its top.

    So a task is in the train split of one dataset and the test split of another only where the share of the one and the
    share of the other add up to more than 1.
    """
    place_in_line, reached = int(content_hash[:13], 16) / 16**13, 0.0
    for name, share in splits.items():
        reached += share
        if place_in_line < reached:
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
