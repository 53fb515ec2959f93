"""Folders of runs below one folder, and the files in them, read in such a way that nothing outside can be reached.

Names come from a walk and never from a request, links are not followed, and only plain files are opened.
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

Kind = Literal["eval", "train"]

DEPTH, MOST_FOLDERS = 4, 5000
MOST_BYTES = 1 << 30
TAIL = 1 << 16
MARKS: dict[str, Kind] = {
    "run.json": "eval",
    "answers.jsonl": "eval",
    "results.parquet": "eval",
    "metrics.jsonl": "train",
    "evaluations.jsonl": "train",
}
"""The files by which a folder is known to hold a run."""


class RunDamaged(RlgymError):
    """A file of a run is missing, or is not what it should be."""


@dataclass(frozen=True, slots=True)
class RunFolder:
    """A folder that holds a run: where it is below `root`, and what kind of run."""

    root: Path
    parts: tuple[str, ...]
    kind: Kind

    @property
    def id(self) -> str:
        """What the run is called in addresses."""
        if not self.parts:
            return "run"  # the folder searched is a run itself, so that there is no other
        if len("~".join(self.parts)) <= 200 and all(re.fullmatch(r"[A-Za-z0-9_][A-Za-z0-9._-]*", part) for part in self.parts):
            return "~".join(self.parts)
        return "run-" + hashlib.sha256("/".join(self.parts).encode("utf-8", "surrogatepass")).hexdigest()[:20]

    @property
    def title(self) -> str:
        """The folder's place, to be read."""
        return "/".join(self.parts).encode("utf-8", "replace").decode() or self.root.name

    def open(self, name: str) -> BinaryIO:
        """Open a file of the run for reading. RunDamaged where it is a link, no plain file, or too large to be read here."""
        inside = self._enter()
        try:
            opened = os.open(name, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC, dir_fd=inside)
        except FileNotFoundError:
            raise RunDamaged(f"{name} is missing") from None
        except OSError as error:
            raise RunDamaged(f"{name} cannot be opened: {error.strerror}") from None
        finally:
            os.close(inside)
        found = os.fstat(opened)
        if not stat.S_ISREG(found.st_mode) or found.st_size > MOST_BYTES:
            os.close(opened)
            what = "no plain file" if not stat.S_ISREG(found.st_mode) else f"too large to be shown ({found.st_size >> 20} MB)"
            raise RunDamaged(f"{name} is {what}")
        return os.fdopen(opened, "rb")

    def _enter(self) -> int:
        """The folder itself, opened a step at a time, so that no part of the way can be a link."""
        try:
            at = os.open(self.root, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
        except OSError as error:
            raise RunDamaged(f"the folder of runs cannot be opened: {error.strerror}") from None
        for part in self.parts:
            try:
                below = os.open(part, os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC, dir_fd=at)
            except OSError as error:
                raise RunDamaged(f"the folder {self.title} cannot be opened: {error.strerror}") from None
            finally:
                os.close(at)
            at = below
        return at

    def has(self, name: str) -> bool:
        """Whether there is such a file, and it may be read."""
        try:
            self.open(name).close()
        except RunDamaged:
            return False
        return True

    def changed(self) -> float:
        """When a file of the run was last written, in seconds of the epoch."""
        times = [0.0]
        for name in (*MARKS, "config.json", "transcripts.jsonl"):
            try:
                with self.open(name) as file:
                    times.append(os.fstat(file.fileno()).st_mtime)
            except RunDamaged:
                continue
        return max(times)

    def read_json(self, name: str) -> dict[str, Any]:
        """A file that holds one JSON object."""
        with self.open(name) as file:
            try:
                found = json.loads(file.read())
            except (ValueError, RecursionError):
                raise RunDamaged(f"{name} is not JSON") from None
        if not isinstance(found, dict):
            raise RunDamaged(f"{name} holds {type(found).__name__} where an object should be")
        return found

    def lines(self, name: str) -> Iterator[dict[str, Any]]:
        """The objects of a file with one in each line. A torn last line is left out: it may be under way."""
        with self.open(name) as file:
            for number, line in enumerate(file, start=1):
                try:
                    found = json.loads(line)
                except (ValueError, RecursionError):
                    if line.endswith(b"\n"):
                        raise RunDamaged(f"line {number} of {name} is not JSON") from None
                    return
                if not isinstance(found, dict):
                    raise RunDamaged(f"line {number} of {name} is no object")
                yield found

    def last_line(self, name: str) -> dict[str, Any] | None:
        """The last whole line of a file that may be long."""
        with self.open(name) as file:
            size = os.fstat(file.fileno()).st_size
            file.seek(max(0, size - TAIL))
            whole = file.read().split(b"\n")[:-1]
        for line in reversed(whole):
            try:
                found = json.loads(line)
            except (ValueError, RecursionError):
                raise RunDamaged(f"the last line of {name} is not JSON") from None
            return found if isinstance(found, dict) else None
        return None


def find(root: Path) -> dict[str, RunFolder]:
    """Every run below a folder by its id, in the order of their names. A run's own folders are not searched."""
    out: dict[str, RunFolder] = {}
    waiting: list[tuple[str, ...]] = [()]
    seen = 0
    while waiting and seen < MOST_FOLDERS:
        parts, seen = waiting.pop(), seen + 1
        try:
            inside = sorted(os.scandir(root.joinpath(*parts)), key=lambda entry: entry.name)
        except OSError:
            continue
        marks = {MARKS[entry.name] for entry in inside if entry.name in MARKS}
        if marks:
            found = RunFolder(root, parts, "eval" if "eval" in marks else "train")
            out[found.id] = found
        elif len(parts) < DEPTH:
            below = [entry.name for entry in inside if not entry.name.startswith(".") and entry.is_dir(follow_symlinks=False)]
            waiting += [(*parts, name) for name in reversed(below)]
    return out
