"""A file of a judge's replies by the hash of their request, so that no reply is lost or paid twice."""

from __future__ import annotations

import json
import threading
from pathlib import Path


class ReplyFile:
    """Replies in memory and, with a path, in a file of JSON lines.

    A line that a kill cut off is skipped, and the next reply starts on a line of its own. Safe in threads.
    """

    def __init__(self, path: Path | None = None) -> None:
        self._path, self._lock = path, threading.Lock()
        self._replies: dict[str, str] = {}
        self._cut_off = False
        if path is None or not path.exists():
            return
        self._cut_off = _is_cut_off(path)
        for line in path.read_bytes().splitlines():
            try:
                kept = json.loads(line)
                self._replies[str(kept["key"])] = str(kept["reply"])
            except (ValueError, KeyError, TypeError):
                continue

    def __contains__(self, key: str) -> bool:
        return key in self._replies

    def __getitem__(self, key: str) -> str:
        return self._replies[key]

    def __len__(self) -> int:
        return len(self._replies)

    def keep(self, key: str, reply: str) -> None:
        """Keep a reply."""
        with self._lock:
            self._replies[key] = reply
            if self._path is not None:
                self._append([(key, reply)])

    def save(self, path: Path) -> None:
        """Add all replies to a file, which keeps what it has, and keep later ones there too."""
        with self._lock:
            self._path, self._cut_off = path, _is_cut_off(path)
            self._append(list(self._replies.items()))

    def _append(self, replies: list[tuple[str, str]]) -> None:
        assert self._path is not None
        lines = "".join(json.dumps({"key": key, "reply": reply}) + "\n" for key, reply in replies)
        self._path.parent.mkdir(parents=True, exist_ok=True)
        with self._path.open("a", encoding="utf-8") as file:
            file.write(("\n" if self._cut_off else "") + lines)
        self._cut_off = False


def _is_cut_off(path: Path) -> bool:
    """Whether a file ends within a line."""
    return path.exists() and path.read_bytes()[-1:] not in (b"", b"\n")
