"""Documents: single-turn rows in the fields that evaluation harnesses read."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from rlgym.core.errors import RlgymError
from rlgym.dataset.session import Session
from rlgym.dataset.task_json import to_task_json


def documents_by_environment(rows: Iterable[Mapping[str, Any]], harness: str) -> dict[str, list[dict[str, str]]]:
    """Each environment's rows as documents: id, text of the prompt, the oracle's response as target, and task JSON.

    RowError for a damaged row; RlgymError for games and matches, since `harness` sends one request per document, and for no rows.
    """
    documents: dict[str, list[dict[str, str]]] = {}
    for row in rows:
        task_json = to_task_json(row)
        if row["kind"] != "environment":
            raise RlgymError(f"the row {row['id']!r} has many turns, which {harness} cannot play")
        document = {"id": row["id"], "text": Session(row).observation, "target": row["oracle_response"], "task_json": task_json}
        documents.setdefault(row["env"], []).append(document)
    if not documents:
        raise RlgymError("there are no rows to write")
    return documents
