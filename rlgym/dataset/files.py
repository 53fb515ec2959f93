"""Atomic writes, shards and hashes."""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from rlgym.core.errors import RowError
from rlgym.dataset.rows import COLUMNS, Row, schema

UNFINISHED = ".unfinished"
"""The end of the name of a file that is being written; a kill may leave one."""


def write_atomically(file: Path, data: bytes) -> None:
    """Write a file atomically: afterwards it has all its bytes, or does not exist."""
    # A worker of a killed build may live for another half second and write the same file as its successor.
    unfinished = file.with_name(f"{file.name}.{os.getpid()}{UNFINISHED}")
    with open(unfinished, "wb") as out:
        out.write(data)
        out.flush()
        os.fsync(out.fileno())
    os.replace(unfinished, file)


def sync_to_disk(path: Path) -> None:
    """Flush a file to disk; of a folder, the names of its files."""
    descriptor = os.open(path, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


def shard_bytes(rows: list[Row], kind: str) -> bytes:
    """Rows as the bytes of a shard; the same rows give the same bytes."""
    if kind == "jsonl":
        return "".join(json.dumps({column: row[column] for column in COLUMNS}, ensure_ascii=True) + "\n" for row in rows).encode()
    import pyarrow as pa
    import pyarrow.parquet as pq

    out = pa.BufferOutputStream()
    pq.write_table(pa.Table.from_pylist(rows, schema=schema()), out, compression="zstd", compression_level=6, row_group_size=1000)
    data: bytes = out.getvalue().to_pybytes()
    return data


def read_shard(file: Path) -> Iterator[Row]:
    """The rows of a shard, one after another."""
    if file.suffix == ".jsonl":
        yield from _read_lines(file)
        return
    import pyarrow as pa
    import pyarrow.parquet as pq

    try:
        with pq.ParquetFile(file) as opened:
            if missing := set(COLUMNS) - set(opened.schema_arrow.names):
                raise RowError(f"{file} is not a shard of a dataset: it has no column {sorted(missing)[0]!r}")
            for batch in opened.iter_batches(batch_size=500):
                yield from batch.to_pylist()
    except (pa.ArrowException, OSError) as error:
        raise RowError(f"the shard {file} is damaged or not Parquet: {str(error).splitlines()[0]}") from None


def _read_lines(file: Path) -> Iterator[Row]:
    try:
        with open(file, encoding="utf-8") as lines:
            for number, line in enumerate(lines, 1):
                row: Any = json.loads(line)
                if not isinstance(row, dict) or not set(COLUMNS) <= set(row):
                    raise RowError(f"line {number} of {file} is not a row of a dataset")
                yield row
    except (ValueError, OSError) as error:
        raise RowError(f"the shard {file} is damaged: {error}") from None


def sha256_of(file: Path) -> str:
    """The SHA-256 of a file."""
    with open(file, "rb") as opened:
        return hashlib.file_digest(opened, "sha256").hexdigest()
