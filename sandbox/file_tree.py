"""File trees that are values: files, folders and links with their modes and times, by path."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple, Protocol

from rlgym.sandbox.process.inside import tree as tree_format


class Entry(NamedTuple):
    """A file, folder or link of a tree.

    kind     "text", "lines" (one line repeated) or "base64" for files; "folder", "symlink", "hardlink"
    mode     permissions
    seconds  time of the last change, in seconds since 1970
    content  of a file; the target of a symbolic link, the path of the linked file for a hard link
    """

    kind: str
    mode: int
    seconds: int
    content: str


Tree = Mapping[str, Entry]


class Ended(NamedTuple):
    """What a command did.

    undone  why the tree is as it was before the command; empty where it is as the command left it
    """

    tree: dict[str, Entry]
    stdout: str
    stderr: str
    exit_code: int
    undone: str


class CommandRunner(Protocol):
    """What runs one command at a time. `lost` says that it is of no more use."""

    lost: bool

    @property
    def pid(self) -> int: ...
    def run(self, tree: Tree, command: str, now: int) -> Ended: ...
    def close(self) -> None: ...


def file_entry(data: str | bytes, seconds: int, mode: int = 0o644) -> Entry:
    """The entry of a file with this content."""
    kind, content = tree_format.encoded(data.encode() if isinstance(data, str) else data)
    return Entry(kind, mode, seconds, content)


def file_bytes(tree: Tree, path: str) -> bytes | None:
    """The content of the file at a path, hard links included; None where there is no file."""
    entry = tree.get(path)
    if entry is not None and entry.kind == "hardlink":
        entry = tree.get(entry.content)
    if entry is None or entry.kind in ("folder", "symlink", "hardlink"):
        return None
    return tree_format.decoded(entry.kind, entry.content)


def file_size(entry: Entry) -> int:
    """The bytes of a file's content; 0 for other entries."""
    if entry.kind == "lines":
        count, _, line = entry.content.partition("\n")
        return int(count) * len(line.encode())
    return len(tree_format.decoded(entry.kind, entry.content)) if entry.kind in ("text", "base64") else 0
