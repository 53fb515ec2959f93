"""What scoring needs of a row, as one text that goes through any trainer's columns unharmed."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from rlgym.core.errors import RowError
from rlgym.dataset.rows import Row
from rlgym.episode.scoring import from_row

COLUMNS = ("id", "env", "version", "seed", "level", "knobs", "prompt", "data", "answer_format")


def ticket(row: Mapping[str, Any]) -> str:
    """The row's ticket: a JSON text that `read_ticket` turns back into what `rlgym.score` takes. RowError for a damaged row."""
    from_row(row)
    return json.dumps({column: row.get(column) for column in COLUMNS}, ensure_ascii=False)


def read_ticket(text: str) -> Row:
    """The row of a ticket, checked; RowError says what is wrong with it, and of which row it is."""
    try:
        row = json.loads(text)
    except (ValueError, TypeError, RecursionError):
        raise RowError(f"this is not a ticket of a row, but {text!r:.80}: keep the column as the dataset had it") from None
    from_row(row)
    return dict(row)
