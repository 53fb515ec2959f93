"""Reads questions with answers from JSONL, Parquet and CSV files."""

from __future__ import annotations

import csv
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from rlgym.answers.maths.found import final_answer
from rlgym.core.errors import RowError
from rlgym.core.paths import local_path
from rlgym.dataset.contamination import prompt_text
from rlgym.dataset.score import read_responses

COLUMNS: dict[str, tuple[str, ...]] = {
    "prompt": ("prompt", "question", "problem", "instruction", "input", "text", "messages"),
    "answer": ("answer", "final_answer", "expected_answer", "ground_truth", "gold", "label", "target", "solution"),
    "type": ("type", "answer_type"),
    "difficulty": ("difficulty", "difficulty_score"),
    "id": ("id", "unique_id", "uuid"),
    "topic": ("topic", "subject", "category"),
}
"""The names under which public files hold each column; the first that a row has counts."""
SOLUTIONS = ("solutions", "generations", "r1_solution_")
"""Columns of worked solutions: a list, or the beginning of the names of numbered columns."""
_BOX = re.compile(r"^\\(?:boxed|fbox)\s*\{(.*)\}$", re.DOTALL)
_GSM8K = re.compile(r"####\s*(.+?)\s*$", re.DOTALL)


@dataclass(frozen=True)
class Question:
    """One row of a file: `row` counts from 1; `type` is what the file states, or empty; `difficulty` is None where the file has no number.

    solutions  worked solutions of the question that the file holds, in order
    """

    row: int
    prompt: str
    answer: str
    type: str = ""
    difficulty: float | None = None
    id: str = field(default="")
    topic: str = ""
    solutions: tuple[str, ...] = ()


def read_questions(file: str | Path, columns: Mapping[str, str] | None = None) -> Iterator[Question]:
    """The questions of a file; `columns` names the file's own columns, as in {"answer": "gold_answer"}. RowError if it cannot be read."""
    chosen = dict(columns or {})
    if unknown := chosen.keys() - {*COLUMNS, "solutions"}:
        raise RowError(f"there is no column {sorted(unknown)[0]!r} to name; there are {', '.join(COLUMNS)}, solutions")
    path = local_path(file)
    for number, line in enumerate(_lines(path), 1):
        if number == 1:
            _check_columns(line, chosen, path)
        values = {column: _value(line, (chosen[column],) if column in chosen else names) for column, names in COLUMNS.items()}
        yield Question(
            number,
            prompt_text(values["prompt"]).strip() if values["prompt"] is not None else "",
            _label(values["answer"]),
            str(values["type"] or "").strip().casefold(),
            _number(values["difficulty"]),
            str(values["id"] or number),
            str(values["topic"] or "").strip(),
            _solutions(line, (chosen["solutions"],) if "solutions" in chosen else SOLUTIONS),
        )


def _lines(path: Path) -> Iterator[Mapping[str, Any]]:
    if path.suffix != ".csv":
        yield from read_responses(path)
        return
    try:
        with open(path, encoding="utf-8", newline="") as opened:
            yield from csv.DictReader(opened, strict=True)
    except (OSError, ValueError, csv.Error) as error:
        raise RowError(f"the questions {str(path)!r} cannot be read: {error}") from None


def _check_columns(line: Mapping[str, Any], chosen: Mapping[str, str], path: Path) -> None:
    for column in ("prompt", "answer"):
        names = (chosen[column],) if column in chosen else COLUMNS[column]
        if not any(name in line for name in names):
            have = ", ".join(map(str, line))
            raise RowError(
                f"{str(path)!r} has no column for the {column}: expected one of {', '.join(names)}, got {have}; name it in `columns`"
            )


def _value(line: Mapping[str, Any], names: tuple[str, ...]) -> Any:
    return next((line[name] for name in names if line.get(name) not in (None, "", [])), None)


def _solutions(line: Mapping[str, Any], names: tuple[str, ...]) -> tuple[str, ...]:
    """The texts of the first list of solutions that a row has, or of its numbered columns in the order of their numbers."""
    for name in names:
        if isinstance(listed := line.get(name), list):
            return tuple(str(text) for text in listed if text)
        numbered = {int(column[len(name) :]): line[column] for column in line if column.startswith(name) and column[len(name) :].isdigit()}
        if numbered:
            return tuple(str(numbered[number] or "") for number in sorted(numbered))
    return ()


def _label(value: Any) -> str:
    """The answer of a label: the number after `####`, the last box of a solution, or the text itself."""
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, list) and len(value) == 1:
        value = value[0]
    text = "" if value is None else str(value).strip()
    if match := _GSM8K.search(text):
        return match[1]
    return _BOX.sub(r"\1", final_answer(text)) if "\\boxed" in text else text


def _number(value: Any) -> float | None:
    try:
        return float(value)
    except (TypeError, ValueError):
        return None
