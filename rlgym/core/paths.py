"""Paths on this machine."""

from __future__ import annotations

import re
from pathlib import Path

from rlgym.core.errors import RlgymError

# A Path collapses the two slashes of a URL into one. A single letter before the colon is a drive of Windows.
_URL = re.compile(r"([A-Za-z][A-Za-z0-9+.-]+):/+")


def local_path(path: str | Path) -> Path:
    """The path. RlgymError for a URL, which would otherwise become a folder with a colon in its name."""
    if match := _URL.match(str(path)):
        url = f"{match[1]}://{str(path)[match.end() :]}"
        raise RlgymError(f"{url!r} is a URL, but files are read and written on this machine: use a local path and copy the file yourself")
    return Path(path)
