"""What cells have written: JSON and CSV files, compared value by value with what they must hold."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Mapping, Sequence
from typing import Any

from rlgym.core.score import Score
from rlgym.generators.notebooks.world import Notebook
from rlgym.sandbox.terminal import file_bytes

ANSWER = "answer.json"
LARGEST = 200_000  # bytes of a file that is read
EXACT = 1e-9


def written_text(state: Notebook, path: str) -> str | None:
    """The text of a file that the cells wrote; None where there is none, or none that is short and UTF-8."""
    data = file_bytes(state.written, path)
    if data is None or len(data) > LARGEST:
        return None
    try:
        return data.decode("utf-8-sig").replace("\r\n", "\n")
    except UnicodeDecodeError:
        return None


def written_json(state: Notebook, path: str = ANSWER) -> Any:
    """The value of a JSON file that the cells wrote; None where there is none that can be read."""
    text = written_text(state, path)
    try:
        return None if text is None else json.loads(text)
    except (ValueError, RecursionError):
        return None


def written_rows(state: Notebook, path: str) -> list[list[str]] | None:
    """The rows of a CSV file that the cells wrote, its header first; None where there is none that can be read."""
    text = written_text(state, path)
    try:
        return None if text is None else [row for row in csv.reader(io.StringIO(text, newline="")) if row]
    except csv.Error:
        return None


def agrees(given: Any, wanted: Any, tolerance: float = EXACT) -> bool:
    """Whether a JSON value is the wanted one. Floats may differ by the tolerance; lists count in any order unless they hold objects or lists."""
    if isinstance(wanted, bool) or wanted is None or isinstance(wanted, str):
        return type(given) is type(wanted) and bool(given == wanted)
    if isinstance(wanted, int | float):
        if isinstance(given, bool) or not isinstance(given, int | float) or abs(given) > 1e15:
            return False
        return abs(given - wanted) <= (tolerance if isinstance(wanted, float) else EXACT)
    if isinstance(wanted, Mapping):
        return (
            isinstance(given, dict) and given.keys() == wanted.keys() and all(agrees(given[key], wanted[key], tolerance) for key in wanted)
        )
    if not isinstance(given, list) or len(given) != len(wanted):
        return False
    if all(isinstance(item, str) for item in wanted):
        return all(isinstance(item, str) for item in given) and sorted(given) == sorted(wanted)
    if all(isinstance(item, int) for item in wanted):
        return all(type(item) is int for item in given) and sorted(given) == sorted(wanted)
    return all(agrees(one, other, tolerance) for one, other in zip(given, wanted))


def judged_answer(state: Notebook, wanted: Mapping[str, Any], tolerance: float = EXACT) -> Score | None:
    """The score once the work is submitted: right where `answer.json` holds exactly these keys with these values."""
    if not state.finished:
        return None
    given = written_json(state)
    if not isinstance(given, dict):
        return Score.wrong(f"there is no {ANSWER} that holds a JSON object", readable=0.0, values=0.0)
    right = {key: key in given and agrees(given[key], value, tolerance) for key, value in wanted.items()}
    wrong = [key for key, holds in right.items() if not holds] + [str(key)[:40] for key in given if key not in wanted]
    share = sum(right.values()) / len(wanted)
    return Score.exact(not wrong, f"not as required: {', '.join(wrong)}", readable=1.0, values=share)


def judged_table(state: Notebook, path: str, wanted: Sequence[Sequence[str]]) -> Score | None:
    """The score once the work is submitted: right where a CSV file has this header and these rows, cell by cell, in this order."""
    if not state.finished:
        return None
    rows = written_rows(state, path)
    if not rows or rows[0] != list(wanted[0]):
        return Score.wrong(f"there is no {path} with the header that the task names", readable=0.0, cells=0.0)
    given = {row[0]: row for row in rows[1:]}
    same = sum(list(row) == given.get(row[0]) for row in wanted[1:])
    right = rows == [list(row) for row in wanted]
    return Score.exact(right, f"{path} has other rows than required", readable=1.0, cells=same / len(wanted[1:]))
