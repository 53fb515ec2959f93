"""Task JSON: the columns of a row that scoring needs, as one JSON text that any trainer's columns can carry."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from rlgym.core.errors import RowError
from rlgym.dataset.rows import Row
from rlgym.episode.scoring import task_from_row

COLUMNS = ("id", "env", "version", "seed", "level", "knobs", "prompt", "data", "answer_format")


def to_task_json(row: Mapping[str, Any]) -> str:
    """The row's task as JSON; `from_task_json` turns it back into a row that `rlgym.score` takes. RowError for a damaged row."""
    task_from_row(row)
    return json.dumps({column: row.get(column) for column in COLUMNS}, ensure_ascii=False)


def from_task_json(text: str) -> Row:
    """The row that a task JSON holds, validated. RowError names the fault and the row."""
    try:
        row = json.loads(text)
    except (ValueError, TypeError, RecursionError):
        raise RowError(f"expected the task JSON of a row, got {text!r:.80}: pass the column on unchanged") from None
    task_from_row(row)
    return dict(row)
