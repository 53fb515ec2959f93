"""Git in commands on file trees: its settings, and its index without what that says of the file system."""

from __future__ import annotations

import hashlib
import struct
from collections.abc import Mapping

CONFIG = {"gc.auto": "0", "core.compression": "0", "init.defaultBranch": "main", "advice.defaultBranchName": "false"}
ENVIRONMENT = {
    **{f"GIT_{role}_NAME": "User" for role in ("AUTHOR", "COMMITTER")},
    **{f"GIT_{role}_EMAIL": "user@example.com" for role in ("AUTHOR", "COMMITTER")},
    "GIT_CONFIG_NOSYSTEM": "1",
    "GIT_PAGER": "cat",
    "GIT_EDITOR": "true",
    "GIT_TERMINAL_PROMPT": "0",
    "GIT_CONFIG_COUNT": str(len(CONFIG)),
    **{f"GIT_CONFIG_KEY_{number}": key for number, key in enumerate(CONFIG)},
    **{f"GIT_CONFIG_VALUE_{number}": value for number, value in enumerate(CONFIG.values())},
}
"""Variables with which a git command leads to the same repository each time; the dates are those of the command."""
SIGNATURE = b"DIRC"
HEAD, STAT, FLAGS = 12, 40, 62  # bytes of the header, of what stat said of an entry, and of an entry before its name
MODE = slice(24, 28)  # within what stat said
EXTENDED = 0x4000


def render_index(files: Mapping[str, str]) -> bytes:
    """The index, in version 2, of plain files given by path with the hexadecimal ids of their contents."""
    body = struct.pack("!4sII", SIGNATURE, 2, len(files))
    for path, blob in sorted(files.items()):
        name = path.encode()
        entry = bytes(24) + struct.pack("!I", 0o100644) + bytes(12) + bytes.fromhex(blob) + struct.pack("!H", min(len(name), 0xFFF)) + name
        body += entry + bytes(8 - len(entry) % 8)
    return body + hashlib.sha1(body).digest()


def without_stat(data: bytes) -> bytes:
    """The index as git writes it before it has looked at any file, so that it is the same in every copy of a tree.

    git then compares contents where it would have compared times. What is no index in version 2 or 3 comes back as it is.
    """
    if data[:4] != SIGNATURE or len(data) < HEAD + 20 or data[-20:] != hashlib.sha1(data[:-20]).digest():
        return data
    version, count = struct.unpack("!II", data[4:HEAD])
    if version not in (2, 3):
        return data
    out, at = bytearray(data[:-20]), HEAD
    for _ in range(count):
        if at + FLAGS > len(out):
            return data
        mode = out[at + MODE.start : at + MODE.stop]
        out[at : at + STAT] = bytes(STAT)
        out[at + MODE.start : at + MODE.stop] = mode
        (flags,) = struct.unpack("!H", out[at + FLAGS - 2 : at + FLAGS])
        begin = at + FLAGS + (2 if flags & EXTENDED else 0)
        end = out.find(b"\0", begin)
        if end < 0:
            return data
        at += (end - at) // 8 * 8 + 8
    return bytes(out) + hashlib.sha1(out).digest()
