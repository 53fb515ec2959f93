"""The shapes of reward functions, recognised by their parameters."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

SHAPES = (
    "(prompt, response, answer), (response, answer), (data_source, solution_str, ground_truth, extra_info), (prompts, completions, answer, **kwargs), \
(data_sources, solution_strs, ground_truths, extra_infos)"
)
PROMPT = ("prompt", "question", "problem", "input", "instruction")
RESPONSE = (
    "response",
    "solution_str",
    "completion",
    "output",
    "prediction",
    "predict_str",
    "pred",
    "given",
    "text",
    "candidate",
    "model_output",
    "generated",
    "solution",
)
ANSWER = ("answer", "ground_truth", "gold", "target", "reference", "expected", "label", "reference_answer", "gold_answer", "gt", "solution")
COLUMNS = ("answer", "answers", "ground_truth", "solution", "solutions", "target", "targets", "label", "labels", "gold", "reference")
"""Columns of a data set that hold the reference answer of a batch."""

Row = Mapping[str, Any]
"""prompt, response, answer, and context."""


class UnknownShape(TypeError):
    """The parameters of a function fit no known shape."""


@dataclass(frozen=True)
class Shape:
    """How a function is called: the keyword arguments of one row, or of a batch of rows."""

    name: str
    arguments: Callable[[Sequence[Row]], dict[str, Any]]
    batched: bool = False


def recognise(function: Callable[..., Any], data_source: str = "openai/gsm8k", chat: bool = False) -> Shape:
    """The shape of a function; UnknownShape with the known shapes if there is none. `chat` passes TRL completions as lists of messages."""
    parameters = inspect.signature(function).parameters.values()
    names = [parameter.name for parameter in parameters if parameter.kind not in (parameter.VAR_KEYWORD, parameter.VAR_POSITIONAL)]
    required = [parameter.name for parameter in parameters if parameter.default is parameter.empty and parameter.name in names]
    anything = any(parameter.kind is parameter.VAR_KEYWORD for parameter in parameters)
    if "completions" in names:
        return _batch(names, required, anything, chat)
    if {"solution_strs", "ground_truths"} <= set(names):
        return _verl_batch(names, required, data_source)
    return _single(names, required, data_source)


def _batch(names: Sequence[str], required: Sequence[str], anything: bool, chat: bool) -> Shape:
    columns = [name for name in COLUMNS if name in names] or (list(COLUMNS[:4]) if anything else [])
    unknown = set(required) - {"prompts", "completions", "completion_ids", "trainer_state", *columns}
    if not columns or unknown:
        raise UnknownShape(_message(names))

    def arguments(rows: Sequence[Row]) -> dict[str, Any]:
        completions = [[{"role": "assistant", "content": row["response"]}] if chat else row["response"] for row in rows]
        prompts = [[{"role": "user", "content": row["prompt"]}] if chat else row["prompt"] for row in rows]
        given: dict[str, Any] = {"completions": completions, **{column: [row["answer"] for row in rows] for column in columns}}
        if "prompts" in names or anything:
            given["prompts"] = prompts
        if "completion_ids" in names:
            given["completion_ids"] = [[0] * max(1, len(row["response"]) // 4) for row in rows]
        return given if "trainer_state" not in required else {**given, "trainer_state": None}

    return Shape("trl", arguments, batched=True)


def _verl_batch(names: Sequence[str], required: Sequence[str], data_source: str) -> Shape:
    columns: dict[str, Callable[[Row], Any]] = {
        "data_sources": lambda row: data_source,
        "solution_strs": lambda row: row["response"],
        "ground_truths": lambda row: row["answer"],
        "extra_infos": lambda row: {"index": 0, "split": "audit", "question": row["prompt"]},
    }
    if set(required) - set(columns):
        raise UnknownShape(_message(names))

    def arguments(rows: Sequence[Row]) -> dict[str, Any]:
        return {name: [read(row) for row in rows] for name, read in columns.items() if name in names}

    return Shape("verl, batch", arguments, batched=True)


def _single(names: Sequence[str], required: Sequence[str], data_source: str) -> Shape:
    verl = "solution_str" in names
    roles: dict[str, str] = {}
    for name in names:
        role = _role(name, "response" in roles.values(), "answer" in roles.values())
        if role and role not in roles.values():
            roles[name] = role
    if "answer" not in roles.values() or "response" not in roles.values() or set(required) - set(roles):
        raise UnknownShape(_message(names))

    def arguments(rows: Sequence[Row]) -> dict[str, Any]:
        row = {**rows[0], "data_source": data_source, "extra_info": {"index": 0, "split": "audit", "question": rows[0]["prompt"]}}
        return {name: row[role] for name, role in roles.items()}

    return Shape("verl" if verl else "prompt, response, answer" if "prompt" in roles.values() else "response, answer", arguments)


def _role(name: str, has_response: bool, has_answer: bool) -> str:
    if name in ("data_source", "extra_info"):
        return name
    if name in PROMPT:
        return "prompt"
    # `solution` is the response of (problem, solution, answer) and the answer of (response, solution).
    if name in RESPONSE and not has_response:
        return "response"
    return "answer" if name in ANSWER and not has_answer else ""


def _message(names: Sequence[str]) -> str:
    return f"a function with the parameters ({', '.join(names)}) has no known shape; the shapes are {SHAPES}"
