"""The responses of recorded evaluations with their verdicts: what verifiers are trained on."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

from rlgym.core.errors import RowError
from rlgym.dataset.files import write_atomically
from rlgym.dataset.rows import messages_of

Solution = dict[str, Any]
"""A response with its prompt, label (1 if right, else 0), model, environment, version, level and task."""


def labelled_solutions(results: Iterable[tuple[str, Mapping[str, Any]]]) -> list[Solution]:
    """The solutions of result rows, each with the name of its model; equal responses to a task count once.

    Masked responses and those of many turns are left out. From "Improving LLM Reasoning through Scaling Inference Computation with Collaborative
    Verification" (Math-Rev and Code-Rev): right and wrong solutions of several models.
    """
    found: dict[tuple[str, str], Solution] = {}
    for model, row in results:
        if row["masked"] or row["kind"] != "environment":
            continue
        prompt, response = task_and_response(row)
        about = {"model": model, "env": row["env"], "version": row["version"], "level": row["level"], "id": row["id"]}
        found.setdefault((row["id"], response), {"prompt": prompt, "response": response, "label": float(bool(row["right"])), **about})
    return list(found.values())


def write_solutions(solutions: Sequence[Solution], file: Path) -> None:
    """Write solutions atomically, as JSON lines or Parquet. RowError for another ending."""
    if file.suffix == ".jsonl":
        write_atomically(file, "".join(json.dumps(solution) + "\n" for solution in solutions).encode())
    elif file.suffix == ".parquet":
        import pyarrow as pa
        import pyarrow.parquet as pq

        out = pa.BufferOutputStream()
        pq.write_table(pa.Table.from_pylist(list(solutions)), out, compression="zstd")
        write_atomically(file, out.getvalue().to_pybytes())
    else:
        raise RowError(f"solutions are written to a .jsonl or .parquet file, got {file.name!r}")


def task_and_response(row: Mapping[str, Any]) -> tuple[str, str]:
    """What a result row asked first, and its last response."""
    messages = messages_of(row)
    asked = next((str(message.get("content") or "") for message in messages if message.get("role") == "user"), "")
    given = next((str(message.get("content") or "") for message in reversed(messages) if message.get("role") == "assistant"), "")
    return asked, given
