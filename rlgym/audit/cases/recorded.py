"""The responses of a recorded evaluation as cases: what a real policy wrote, with the verdict of the verifier."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

import rlgym
from rlgym import Environment, RlgymError
from rlgym.answers import Answer
from rlgym.audit.case import Case
from rlgym.dataset.rows import messages_of, task_of_row
from rlgym.evaluate.episodes.results import load

CHECK = "recorded_verdicts"


def recorded_cases(run: Path) -> list[Case]:
    """A case for each response of a run to a task of one turn whose answer can be written down; RlgymError if there is none."""
    found = cases_of(load(run).rows)
    if not found:
        raise RlgymError(f"the run {str(run)!r} has no responses to tasks of one turn with one answer, of the versions that are installed")
    return found


def cases_of(rows: Iterable[Mapping[str, Any]]) -> list[Case]:
    """The cases of result rows, in their order. Masked rows, many-turn tasks and tasks of other versions or of knobs not recorded are left out."""
    answers: dict[str, tuple[str, str, str, str] | None] = {}
    found = []
    for row in rows:
        if row["masked"] or row["kind"] != "environment":
            continue
        if row["id"] not in answers:
            answers[row["id"]] = _task(row)
        known = answers[row["id"]]
        response = _response(row)
        if known and response:
            prompt, answer, answer_type, domain = known
            found.append(Case(CHECK, prompt, response, answer, bool(row["right"]), answer_type, domain, str(row["env"]), str(row["id"])))
    return found


def _task(row: Mapping[str, Any]) -> tuple[str, str, str, str] | None:
    """The prompt, the oracle's answer, its type and its domain; None where the task cannot be made again or has no single answer."""
    name = str(row["env"])
    try:
        declared = rlgym.environment(name)
        if (
            not isinstance(declared, Environment)
            or declared.version != row["version"]
            or type(declared.answer).extract is not Answer.extract
        ):
            return None
        task = task_of_row(row)
    except RlgymError:
        return None
    return task.prompt, declared.answer.render(declared.solve(task)), declared.answer.format, str(row["domain"])


def _response(row: Mapping[str, Any]) -> str:
    messages = messages_of(row)
    content = next((message.get("content") for message in reversed(messages) if message.get("role") == "assistant"), "")
    return content if isinstance(content, str) else ""
