"""Writes the failing cases of an audit as a data set."""

from __future__ import annotations

import io
import json
from collections.abc import Sequence
from pathlib import Path

from rlgym import RlgymError
from rlgym.audit.report import Failure
from rlgym.dataset.files import write_atomically


def write_failures(path: Path, failures: Sequence[Failure]) -> None:
    """Write one row for each failure, as JSON lines (`.jsonl`) or Parquet (`.parquet`), by the suffix of the file."""
    rows = [failure.model_dump() for failure in failures]
    if path.suffix == ".jsonl":
        data = "".join(json.dumps(row, ensure_ascii=False, allow_nan=False) + "\n" for row in rows).encode("utf-8", "replace")
    elif path.suffix == ".parquet":
        data = _parquet(rows)
    else:
        raise RlgymError(f"--failures writes .jsonl or .parquet, got {str(path)!r}")
    path.parent.mkdir(parents=True, exist_ok=True)
    write_atomically(path, data)


def _parquet(rows: Sequence[dict[str, object]]) -> bytes:
    import pyarrow as pa
    import pyarrow.parquet as pq

    types = {"right": pa.bool_(), "reward": pa.float64()}
    schema = pa.schema([(name, types.get(name, pa.string())) for name in Failure.model_fields])
    sink = io.BytesIO()
    pq.write_table(pa.Table.from_pylist(list(rows), schema=schema), sink)
    return sink.getvalue()
