"""The episode log: an append-only JSON-lines file with one flushed line per finished episode, from which a run resumes."""

from __future__ import annotations

import asyncio
import json
import os
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import IO, Any

from rlgym import RlgymError
from rlgym.dataset.files import sync_to_disk

EPISODE_LOG, LOCK = "episodes.jsonl", ".lock"


class RunDamaged(RlgymError, ValueError):
    """A file of a run cannot be read, or the folder holds no run."""


def read_log(file: Path) -> Iterator[dict[str, Any]]:
    """The rows of a log. A truncated last line, as a kill leaves it, is skipped; any other damaged line raises RunDamaged."""
    if not file.exists():
        return
    with open(file, "rb") as opened:
        for number, line in enumerate(opened, 1):
            if line.endswith(b"\n"):
                yield _parse_line(file, number, line)
            elif _is_complete(line):
                yield json.loads(line)


def _parse_line(file: Path, number: int, line: bytes) -> dict[str, Any]:
    try:
        row = json.loads(line)
        if isinstance(row, dict) and isinstance(row.get("id"), str) and isinstance(row.get("sample"), int):
            return row
    except (ValueError, RecursionError):
        pass
    raise RunDamaged(f"line {number} of {file} is damaged ({line[:60]!r}): remove it and run again to repeat its episode")


def _is_complete(line: bytes) -> bool:
    """Whether a last line is complete except for its line ending."""
    try:
        row = json.loads(line)
    except (ValueError, RecursionError):
        return False
    return isinstance(row, dict) and "id" in row and "messages" in row


class EpisodeLog:
    """Appends rows to a log. Rows that arrive during a write are written together in the next one."""

    def __init__(self, file: Path) -> None:
        self._file = file
        self._pending: list[bytes] = []
        self._lock = asyncio.Lock()
        self._thread = ThreadPoolExecutor(1)
        self._failure = ""
        _repair_last_line(file)
        self._descriptor = os.open(file, os.O_WRONLY | os.O_APPEND | os.O_CREAT, 0o644)
        os.fsync(self._descriptor)
        sync_to_disk(file.parent)

    async def append(self, row: dict[str, Any]) -> None:
        """Append a row; it is on disk when this returns."""
        self._pending.append(json.dumps(row).encode() + b"\n")
        async with self._lock:
            if self._pending:  # otherwise another call has written this row
                lines, self._pending = self._pending, []
                # Shielded: cancelling this call must not cancel a write that has not begun.
                await asyncio.shield(asyncio.get_running_loop().run_in_executor(self._thread, self._write, b"".join(lines)))

    def close(self) -> None:
        """Write the pending rows and close the file."""
        self._thread.shutdown(wait=True)
        try:
            if self._pending and not self._failure:
                self._write(b"".join(self._pending))
        finally:
            os.close(self._descriptor)

    def _write(self, data: bytes) -> None:
        if self._failure:  # a truncated line may stand only at the end
            raise RlgymError(self._failure)
        try:
            remaining = memoryview(data)
            while remaining:
                remaining = remaining[os.write(self._descriptor, remaining) :]
            os.fsync(self._descriptor)
        except OSError as error:
            self._failure = f"{self._file} cannot be written ({error}): free disk space and run again to resume"
            raise RlgymError(self._failure) from None


def _repair_last_line(file: Path) -> None:
    """Remove a truncated last line, or end a complete one."""
    if not file.exists():
        return
    with open(file, "r+b") as opened:
        last = b""
        for line in opened:
            last = line
        if not last or last.endswith(b"\n"):
            return
        if _is_complete(last):
            opened.write(b"\n")
        else:
            opened.truncate(opened.tell() - len(last))
        opened.flush()
        os.fsync(opened.fileno())


class RunLock:
    """Locks a run's folder for this process. The system releases the lock when the process ends, however it ends."""

    def __init__(self, folder: Path) -> None:
        self._file = folder / LOCK
        self._opened: IO[str] | None = None

    def __enter__(self) -> None:
        import fcntl

        opened = open(self._file, "a+", encoding="utf-8")
        try:
            fcntl.flock(opened, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            opened.seek(0)
            owner = opened.read().strip()
            opened.close()
            raise RlgymError(f"another process{f' ({owner})' if owner else ''} is writing to {self._file.parent}: wait for it") from None
        opened.truncate(0)
        opened.write(f"process {os.getpid()}")
        opened.flush()
        self._opened = opened

    def __exit__(self, *_: object) -> None:
        if self._opened is not None:
            self._opened.close()
