"""File trees as plain data: files, folders and links with their modes and times, written to a folder and read back from it."""

from __future__ import annotations

import base64
import os
import stat
from typing import Any

Entry = list[Any]  # kind, mode, time in seconds, content
LINES = 512  # bytes from which on a file of one repeated line is stored as that line and its number


def encoded(data: bytes) -> tuple[str, str]:
    """The kind and the content that stand for the bytes of a file. Each file has one such form."""
    if len(data) >= LINES:
        line = data[: data.find(b"\n") + 1]
        count = len(data) // len(line) if line else 0
        if count > 1 and line * count == data and _is_text(line):
            return "lines", f"{count}\n{line.decode()}"
    return ("text", data.decode()) if _is_text(data) else ("base64", base64.b64encode(data).decode())


def decoded(kind: str, content: str) -> bytes:
    """The bytes of a file."""
    if kind == "lines":
        count, _, line = content.partition("\n")
        return line.encode() * int(count)
    return content.encode() if kind == "text" else base64.b64decode(content)


def _is_text(data: bytes) -> bool:
    try:
        data.decode()
    except UnicodeDecodeError:
        return False
    return True


def write(place: str, tree: dict[str, Entry], user: int) -> None:
    """Write a tree to an empty folder, in the order of its paths. A hard link's content is the path of a file."""
    names = sorted(tree)
    for name in names:
        kind, _, _, content = tree[name]
        path = os.path.join(place, name)
        os.makedirs(path if kind == "folder" else os.path.dirname(path), exist_ok=True)
        if kind == "symlink":
            os.symlink(content, path)
        elif kind not in ("folder", "hardlink"):
            with open(path, "wb") as file:
                file.write(decoded(kind, content))
    for name in names:
        if tree[name][0] == "hardlink":
            os.link(os.path.join(place, tree[name][3]), os.path.join(place, name))
    for folder, _, inside in os.walk(place):
        for path in (folder, *(os.path.join(folder, name) for name in inside)):
            os.chown(path, user, user, follow_symlinks=False)
    # Folders last and from the deepest up: writing into one would change its time.
    for name in sorted(names, key=lambda name: (tree[name][0] == "folder", -name.count("/"))):
        kind, mode, seconds, _ = tree[name]
        path = os.path.join(place, name)
        if kind not in ("symlink", "hardlink"):
            os.chmod(path, mode)
        os.utime(path, (seconds, seconds), follow_symlinks=False)


def read(place: str, most_files: int, most_bytes: int, longest: int, since: float, now: int) -> tuple[dict[str, Entry], int]:
    """The tree below a folder, and how many entries were left out: for want of room, for their names, or as neither file, folder nor link.

    since  changes from this time on get the time `now`; earlier ones keep theirs
    """
    tree: dict[str, Entry] = {}
    first: dict[int, str] = {}
    room, lost = most_bytes, 0
    for folder, folders, names in os.walk(place):
        folders.sort()
        for name in sorted([*folders, *names]):
            path = os.path.join(folder, name)
            relative = os.path.relpath(path, place)
            facts = os.lstat(path)
            kind, content = _content(path, facts, room, relative, first)
            if not kind or len(tree) >= most_files or len(relative) > longest or not _is_name(relative):
                lost += 1
                folders[:] = [other for other in folders if other != name]
                continue
            room -= facts.st_size if kind not in ("folder", "symlink", "hardlink") else len(content)
            seconds = now if facts.st_mtime >= since else int(facts.st_mtime)
            tree[relative] = [kind, stat.S_IMODE(facts.st_mode), seconds, content]
    return _sorted(tree), lost


def _sorted(tree: dict[str, Entry]) -> dict[str, Entry]:
    """The tree in the order of its paths. Of the paths of one file the first one has the content, and the others are its hard links."""
    groups: dict[str, list[str]] = {}
    for name, (kind, _, _, content) in tree.items():
        if kind == "hardlink":
            groups.setdefault(content, [content]).append(name)
    for content_of, names in groups.items():
        entry, first = tree[content_of], min(names)
        tree.update({name: [*entry] if name == first else ["hardlink", *entry[1:3], first] for name in names})
    return {name: tree[name] for name in sorted(tree)}


def _content(path: str, facts: os.stat_result, room: int, relative: str, first: dict[int, str]) -> tuple[str, str]:
    """The kind and the content of an entry; no kind where it cannot be kept."""
    if stat.S_ISDIR(facts.st_mode):
        return "folder", ""
    if stat.S_ISLNK(facts.st_mode):
        target = os.readlink(path)
        return ("symlink", target) if _is_name(target) else ("", "")
    if not stat.S_ISREG(facts.st_mode) or facts.st_size > room:
        return "", ""
    if facts.st_nlink > 1:
        if facts.st_ino in first:
            return "hardlink", first[facts.st_ino]
        first[facts.st_ino] = relative
    with open(os.open(path, os.O_RDONLY | os.O_NOFOLLOW), "rb") as file:
        return encoded(file.read(room))


def _is_name(path: str) -> bool:
    try:
        path.encode()
    except UnicodeEncodeError:
        return False
    return True
