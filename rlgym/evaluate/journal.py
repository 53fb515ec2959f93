"""The journal of a run: a line for each finished episode, on the disk before the next word is said about it."""

from __future__ import annotations

import asyncio
import json
import os
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import IO, Any

from rlgym import RlgymError

JOURNAL, LOCK = "answers.jsonl", ".lock"


class RunDamaged(RlgymError, ValueError):
    """A file of a run cannot be read, or the folder holds no run."""


def read_journal(file: Path) -> Iterator[dict[str, Any]]:
    """The lines of a journal. A torn last one, as a kill leaves it, is left out; RunDamaged for any other."""
    if not file.exists():
        return
    with open(file, "rb") as opened:
        for number, line in enumerate(opened, 1):
            if line.endswith(b"\n"):
                yield _line(file, number, line)
            elif _whole(line):
                yield json.loads(line)


def _line(file: Path, number: int, line: bytes) -> dict[str, Any]:
    try:
        read = json.loads(line)
        if isinstance(read, dict) and isinstance(read.get("id"), str) and isinstance(read.get("sample"), int):
            return read
    except (ValueError, RecursionError):
        pass
    raise RunDamaged(f"line {number} of {file} is damaged ({line[:60]!r}): remove it, and run again to have its task asked again")


def _whole(line: bytes) -> bool:
    """Whether a last line without its end is all there but for that."""
    try:
        read = json.loads(line)
    except (ValueError, RecursionError):
        return False
    return isinstance(read, dict) and "id" in read and "messages" in read


class Journal:
    """Appends to a journal. Lines that come while others are being written go to the disk together."""

    def __init__(self, file: Path) -> None:
        self._file = file
        self._waiting: list[bytes] = []
        self._line = asyncio.Lock()
        self._thread = ThreadPoolExecutor(1)
        self._broken = ""
        _mend(file)
        self._descriptor = os.open(file, os.O_WRONLY | os.O_APPEND | os.O_CREAT, 0o644)
        os.fsync(self._descriptor)
        _sync_folder(file.parent)

    async def add(self, row: dict[str, Any]) -> None:
        """Write a row; it is on the disk when this returns."""
        self._waiting.append(json.dumps(row).encode() + b"\n")
        async with self._line:
            if self._waiting:  # else another's writing took it along
                lines, self._waiting = self._waiting, []
                await asyncio.get_running_loop().run_in_executor(self._thread, self._write, b"".join(lines))

    def close(self) -> None:
        """Write what still waits, and close the file."""
        self._thread.shutdown(wait=True)
        try:
            if self._waiting and not self._broken:
                self._write(b"".join(self._waiting))
        finally:
            os.close(self._descriptor)

    def _write(self, data: bytes) -> None:
        if self._broken:  # a torn line may stand at the end only
            raise RlgymError(self._broken)
        try:
            left = memoryview(data)
            while left:
                left = left[os.write(self._descriptor, left) :]
            os.fsync(self._descriptor)
        except OSError as error:
            self._broken = f"{self._file} cannot be written ({error}): make room, and run again to go on"
            raise RlgymError(self._broken) from None


def _mend(file: Path) -> None:
    """Take a torn last line away, and end a whole one."""
    if not file.exists():
        return
    with open(file, "r+b") as opened:
        last = b""
        for line in opened:
            last = line
        if not last or last.endswith(b"\n"):
            return
        if _whole(last):
            opened.write(b"\n")
        else:
            opened.truncate(opened.tell() - len(last))
        opened.flush()
        os.fsync(opened.fileno())


def _sync_folder(folder: Path) -> None:
    """See to it that the file's name is on the disk too."""
    descriptor = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


class Locked:
    """Holds a run's folder for this process alone. The system lets go of it when the process ends, however it ends."""

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
            who = opened.read().strip()
            opened.close()
            raise RlgymError(f"another process{f' ({who})' if who else ''} is writing into {self._file.parent}: wait for it") from None
        opened.truncate(0)
        opened.write(f"process {os.getpid()}")
        opened.flush()
        self._opened = opened

    def __exit__(self, *_: object) -> None:
        if self._opened is not None:
            self._opened.close()
