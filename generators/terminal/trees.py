"""Small file trees for terminal worlds, archives whose bytes never change, and the comparison of a tree with what it must be."""

from __future__ import annotations

import base64
import gzip
import io
import struct
import tarfile
import zlib
from collections.abc import Iterable, Mapping

from rlgym.core.score import Score
from rlgym.generators.terminal.world import CLOCK, Terminal
from rlgym.generators.text.english import count_noun
from rlgym.sandbox.terminal import Entry, Tree, file_bytes, file_entry

DAY = 86_400
MOST_UNPACKED = 1 << 20


def tree(files: Mapping[str, str | bytes | Entry], seconds: int = CLOCK - DAY) -> dict[str, Entry]:
    """A tree of these files, with the folders that they lie in."""
    entries = {path: data if isinstance(data, Entry) else file_entry(data, seconds) for path, data in files.items()}
    folders = {path[:at] for path in entries for at in range(len(path)) if path[at] == "/"}
    return {path: entries.get(path) or Entry("folder", 0o755, seconds, "") for path in sorted({*entries, *folders})}


def entry(data: str | bytes, mode: int = 0o644, seconds: int = CLOCK - DAY) -> Entry:
    """A file."""
    return file_entry(data, seconds, mode)


def gzip_data(data: bytes) -> bytes:
    """A gzip file that stores the data as it is: what a compressor makes differs between libraries."""
    pieces = [data[at : at + 0xFFFF] for at in range(0, len(data), 0xFFFF)] or [b""]
    stored = b"".join(
        struct.pack("<BHH", number == len(pieces) - 1, len(piece), len(piece) ^ 0xFFFF) + piece for number, piece in enumerate(pieces)
    )
    return b"\x1f\x8b\x08\0\0\0\0\0\0\xff" + stored + struct.pack("<II", zlib.crc32(data), len(data))


def tar_files(files: Mapping[str, bytes], seconds: int = CLOCK - DAY) -> bytes:
    """A tar archive of these files."""
    buffer = io.BytesIO()
    with tarfile.open(fileobj=buffer, mode="w", format=tarfile.USTAR_FORMAT) as archive:
        for path, data in files.items():
            facts = tarfile.TarInfo(path)
            facts.size, facts.mtime, facts.mode = len(data), seconds, 0o644
            archive.addfile(facts, io.BytesIO(data))
    return buffer.getvalue()


def base64_lines(data: bytes, width: int = 64) -> bytes:
    """Base64 in lines of this many characters."""
    text = base64.b64encode(data)
    return b"".join(text[at : at + width] + b"\n" for at in range(0, len(text), width))


def gunzip(data: bytes) -> bytes | None:
    """The content of a gzip file; None where it is damaged or too large."""
    try:
        with gzip.GzipFile(fileobj=io.BytesIO(data)) as file:
            content = file.read(MOST_UNPACKED + 1)
    except (OSError, EOFError, zlib.error):
        return None
    return content if len(content) <= MOST_UNPACKED else None


def text(tree: Tree, path: str) -> str:
    """The text of a file; empty where there is none."""
    data = file_bytes(tree, path)
    return "" if data is None else data.decode("utf-8", "replace")


def _is_right(got: Tree, wanted: Tree, path: str, asked: bool) -> bool:
    """Whether the end has at a path what it must have. A final newline may be missing from a text that was asked for."""
    mine, right = got.get(path), wanted.get(path)
    if mine is None or right is None:
        return mine is right
    if "symlink" in (mine.kind, right.kind):
        return mine.kind == right.kind and mine.content == right.content
    one, other = file_bytes(got, path), file_bytes(wanted, path)
    if one is None or other is None:
        return False
    if path.endswith(".gz") and asked:
        return gunzip(one) == gunzip(other)
    modes = (mine.mode & 0o100) == (right.mode & 0o100) if asked else mine.mode == right.mode
    return modes and (one == other or (asked and one.rstrip(b"\n") == other.rstrip(b"\n")))


def check_paths(state: Terminal, free: Iterable[str] = ()) -> dict[str, bool]:
    """For every path, whether the end has there what it must have. Folders and files below `scratch` are not compared.

    free  paths that the caller checks itself
    """
    wanted = {path: entry for path, entry in {**state.before, **state.expected}.items() if entry is not None}
    paths = {*wanted, *state.files} - {*free}
    files = [
        path
        for path in paths
        if not path.startswith("scratch/") and any(side[path].kind != "folder" for side in (wanted, state.files) if path in side)
    ]
    return {path: _is_right(state.files, wanted, path, path in state.expected) for path in sorted(files)}


def score_of_state(state: Terminal, **checks: bool) -> Score | None:
    """The score once the work is finished: right where every file is as it must be and the further checks hold."""
    if not state.finished:
        return None
    by_path = check_paths(state)
    asked = [right for path, right in by_path.items() if path in state.expected]
    kept = all(right for path, right in by_path.items() if path not in state.expected)
    parts = {
        "asked": sum(asked) / len(asked) if asked else 1.0,
        "unchanged": float(kept),
        **{name: float(holds) for name, holds in checks.items()},
    }
    wrong = sum(not right for right in by_path.values())
    failed = ", ".join(name for name, holds in checks.items() if not holds)
    reason = "; ".join(
        part
        for part in (
            f"{count_noun(wrong, 'file')} missing, left over or not as required" if wrong else "",
            f"not met: {failed}" if failed else "",
        )
        if part
    )
    return Score.exact(not reason, reason, **parts)
