"""Finds run directories below one root, and reads their files without ever reaching outside of it.

Names come from a directory walk and never from a request, symbolic links are not followed, and only regular files are opened.
"""

from __future__ import annotations

import hashlib
import json
import os
import re
import stat
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, BinaryIO, Literal

from rlgym import RlgymError

RunKind = Literal["eval", "train"]

MAX_DEPTH, MAX_DIRECTORIES = 4, 5000
MAX_FILE_BYTES = 1 << 30
TAIL_BYTES = 1 << 16
MAX_READABLE_ID = 200
MARKER_FILES: dict[str, RunKind] = {
    "run.json": "eval",
    "episodes.jsonl": "eval",
    "results.parquet": "eval",
    "metrics.jsonl": "train",
    "evaluations.jsonl": "train",
}
"""Files that identify a directory as a run."""


class CorruptRun(RlgymError):
    """A file of a run is missing or malformed."""


@dataclass(frozen=True, slots=True)
class RunDirectory:
    """A directory that holds a run: its path below `root`, and the kind of run."""

    root: Path
    parts: tuple[str, ...]
    kind: RunKind

    @property
    def id(self) -> str:
        """The id of the run in URLs."""
        if not self.parts:
            return "run"  # the root itself is a run, so there is no other
        readable = "~".join(self.parts)
        if len(readable) <= MAX_READABLE_ID and all(re.fullmatch(r"[A-Za-z0-9_][A-Za-z0-9._-]*", part) for part in self.parts):
            return readable
        return "run-" + hashlib.sha256("/".join(self.parts).encode("utf-8", "surrogatepass")).hexdigest()[:20]

    @property
    def path(self) -> str:
        """The path below the root, for display."""
        return "/".join(self.parts).encode("utf-8", "replace").decode() or self.root.name

    def open(self, name: str) -> BinaryIO:
        """Open a file of the run for reading. CorruptRun if it is a link, not a regular file, or too large."""
        directory = self._open_directory()
        try:
            descriptor = os.open(name, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC, dir_fd=directory)
        except FileNotFoundError:
            raise CorruptRun(f"{name} is missing") from None
        except OSError as error:
            raise CorruptRun(f"cannot open {name}: {error.strerror}") from None
        finally:
            os.close(directory)
        status = os.fstat(descriptor)
        if not stat.S_ISREG(status.st_mode) or status.st_size > MAX_FILE_BYTES:
            os.close(descriptor)
            problem = "not a regular file" if not stat.S_ISREG(status.st_mode) else f"too large to show ({status.st_size >> 20} MB)"
            raise CorruptRun(f"{name} is {problem}")
        return os.fdopen(descriptor, "rb")

    def _open_directory(self) -> int:
        """Open the directory one path component at a time, so that no component can be a link."""
        try:
            current = os.open(self.root, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
        except OSError as error:
            raise CorruptRun(f"cannot open the runs directory: {error.strerror}") from None
        for part in self.parts:
            try:
                child = os.open(part, os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC, dir_fd=current)
            except OSError as error:
                raise CorruptRun(f"cannot open the directory {self.path}: {error.strerror}") from None
            finally:
                os.close(current)
            current = child
        return current

    def has_file(self, name: str) -> bool:
        """Whether a file exists and can be read."""
        try:
            self.open(name).close()
        except CorruptRun:
            return False
        return True

    def modified_at(self) -> float:
        """When a file of the run was last written, as a Unix time."""
        times = [0.0]
        for name in (*MARKER_FILES, "config.json", "transcripts.jsonl"):
            try:
                with self.open(name) as file:
                    times.append(os.fstat(file.fileno()).st_mtime)
            except CorruptRun:
                continue
        return max(times)

    def read_json(self, name: str) -> dict[str, Any]:
        """Read a file that holds one JSON object."""
        with self.open(name) as file:
            try:
                data = json.loads(file.read())
            except (ValueError, RecursionError):
                raise CorruptRun(f"{name} is not JSON") from None
        if not isinstance(data, dict):
            raise CorruptRun(f"{name} must hold a JSON object, got {type(data).__name__}")
        return data

    def read_jsonl(self, name: str) -> Iterator[dict[str, Any]]:
        """Read a file of one JSON object per line. An incomplete last line is skipped: it may still be being written."""
        with self.open(name) as file:
            for number, line in enumerate(file, start=1):
                try:
                    data = json.loads(line)
                except (ValueError, RecursionError):
                    if line.endswith(b"\n"):
                        raise CorruptRun(f"line {number} of {name} is not JSON") from None
                    return
                if not isinstance(data, dict):
                    raise CorruptRun(f"line {number} of {name} is not a JSON object")
                yield data

    def read_last_line(self, name: str) -> dict[str, Any] | None:
        """Read the last complete line of a JSONL file, which may be long, without reading the rest."""
        with self.open(name) as file:
            size = os.fstat(file.fileno()).st_size
            file.seek(max(0, size - TAIL_BYTES))
            complete = file.read().split(b"\n")[:-1]
        for line in reversed(complete):
            try:
                data = json.loads(line)
            except (ValueError, RecursionError):
                raise CorruptRun(f"the last line of {name} is not JSON") from None
            return data if isinstance(data, dict) else None
        return None


def find_runs(root: Path) -> dict[str, RunDirectory]:
    """Every run below a directory by its id, in path order. The subdirectories of a run are not searched."""
    runs: dict[str, RunDirectory] = {}
    queue: list[tuple[str, ...]] = [()]
    num_visited = 0
    while queue and num_visited < MAX_DIRECTORIES:
        parts, num_visited = queue.pop(), num_visited + 1
        try:
            entries = sorted(os.scandir(root.joinpath(*parts)), key=lambda entry: entry.name)
        except OSError:
            continue
        kinds = {MARKER_FILES[entry.name] for entry in entries if entry.name in MARKER_FILES}
        if kinds:
            run = RunDirectory(root, parts, "eval" if "eval" in kinds else "train")
            runs[run.id] = run
        elif len(parts) < MAX_DEPTH:
            children = [entry.name for entry in entries if not entry.name.startswith(".") and entry.is_dir(follow_symlinks=False)]
            queue += [(*parts, name) for name in reversed(children)]
    return runs
