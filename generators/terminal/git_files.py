"""The files of a git repository that is made without git: its objects, branches, index and work tree."""

from __future__ import annotations

import hashlib
import struct
import zlib
from collections.abc import Mapping, Sequence

from rlgym.sandbox.git import render_index

CONFIG = "[core]\n\trepositoryformatversion = 0\n\tfilemode = true\n\tbare = false\n\tlogallrefupdates = true\n"
KINDS = ("", "commit", "tree", "blob")
AUTHOR = "Ada Lind <ada@example.com>"


class Repository:
    """Objects under their ids, each with its kind."""

    def __init__(self) -> None:
        self.objects: dict[str, tuple[str, bytes]] = {}

    def commit(self, files: Mapping[str, str], parents: Sequence[str], message: str, seconds: int) -> str:
        """The id of a commit of these files, by path."""
        lines = [f"tree {self._tree(files)}", *(f"parent {parent}" for parent in parents)]
        lines += [f"{role} {AUTHOR} {seconds} +0000" for role in ("author", "committer")]
        return self._add("commit", "\n".join([*lines, "", message, ""]).encode())

    def files(self, branches: Mapping[str, str], head: str, checked_out: Mapping[str, str]) -> dict[str, str | bytes]:
        """The files of the folder .git and of the work tree, by path; `head` is the branch whose files are checked out."""
        index = {path: blob_id(text) for path, text in checked_out.items()}
        pack, listing = _pack(self.objects)
        name = f".git/objects/pack/pack-{pack[-20:].hex()}"
        return {
            f"{name}.pack": pack,
            f"{name}.idx": listing,
            **{f".git/refs/heads/{branch}": f"{commit}\n" for branch, commit in branches.items()},
            ".git/HEAD": f"ref: refs/heads/{head}\n",
            ".git/config": CONFIG,
            ".git/index": render_index(index),
            **checked_out,
        }

    def _tree(self, files: Mapping[str, str]) -> str:
        """The id of a folder; names are sorted as git does, folders with a slash at their end."""
        inside: dict[str, dict[str, str]] = {}
        rows = []
        for path, text in files.items():
            name, _, rest = path.partition("/")
            if rest:
                inside.setdefault(name, {})[rest] = text
            else:
                rows.append((name, "100644", name, self._add("blob", text.encode())))
        rows += [(f"{name}/", "40000", name, self._tree(below)) for name, below in inside.items()]
        return self._add("tree", b"".join(f"{mode} {name}\0".encode() + bytes.fromhex(named) for _, mode, name, named in sorted(rows)))

    def _add(self, kind: str, body: bytes) -> str:
        name = _object_id(kind, body)
        self.objects[name] = (kind, body)
        return name


def blob_id(text: str | bytes) -> str:
    """The id that git gives the content of a file."""
    return _object_id("blob", text.encode() if isinstance(text, str) else text)


def _object_id(kind: str, body: bytes) -> str:
    return hashlib.sha1(f"{kind} {len(body)}\0".encode() + body).hexdigest()


def _pack(objects: Mapping[str, tuple[str, bytes]]) -> tuple[bytes, bytes]:
    """The objects in one file, and its index, each in version 2 of its format. Source: gitformat-pack(5)."""
    pack, at, sums = struct.pack("!4sII", b"PACK", 2, len(objects)), dict[str, int](), dict[str, int]()
    for name, (kind, body) in objects.items():
        size, head = len(body) >> 4, [KINDS.index(kind) << 4 | len(body) & 15]
        while size:
            head[-1] |= 0x80
            head.append(size & 0x7F)
            size >>= 7
        packed = bytes(head) + _stored(body)
        at[name], sums[name] = len(pack), zlib.crc32(packed)
        pack += packed
    pack += hashlib.sha1(pack).digest()
    ids = sorted(objects)
    upto = [sum(int(name[:2], 16) <= first for name in ids) for first in range(256)]
    listing = struct.pack("!4sI256I", b"\xfftOc", 2, *upto) + b"".join(map(bytes.fromhex, ids))
    listing += struct.pack(f"!{2 * len(ids)}I", *(sums[name] for name in ids), *(at[name] for name in ids)) + pack[-20:]
    return pack, listing + hashlib.sha1(listing).digest()


def _stored(data: bytes) -> bytes:
    """Data in the format of zlib in one block of at most 65,535 bytes, as it is: what a compressor makes differs between libraries."""
    return b"\x78\x01\x01" + struct.pack("<HH", len(data), len(data) ^ 0xFFFF) + data + struct.pack("!I", zlib.adler32(data))
