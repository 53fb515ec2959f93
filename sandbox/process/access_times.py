"""Keeps access times of library files from telling one run what another has read.

Where programs see the host's own files (tier B), reading one may set its access time, which every later run can look up. The
kernel sets it only where it is older than the last change or than a day, so files that were read just now are left alone.
"""

from __future__ import annotations

import contextlib
import os
import time
from collections.abc import Iterator, Sequence

DAY = 86400.0
_renewed: dict[str, float] = {}


def renew_access_times(folders: Sequence[str]) -> None:
    """Read a byte of every file whose access time a program could set; once in half a day for each folder."""
    now = time.time()
    for folder in folders:
        if now - _renewed.get(folder, 0.0) < DAY / 2:
            continue
        _renewed[folder] = now
        if os.statvfs(folder).f_flag & (os.ST_RDONLY | os.ST_NOATIME):
            continue
        for path in _stale(folder, now):
            with contextlib.suppress(OSError), open(path, "rb", buffering=0) as file:
                file.read(1)


def _stale(folder: str, now: float) -> Iterator[str]:
    """The regular files below a folder whose access time the next reading would set. Listing a folder sets that of the folder."""
    with contextlib.suppress(OSError), os.scandir(folder) as entries:
        for entry in entries:
            if entry.is_dir(follow_symlinks=False):
                yield from _stale(entry.path, now)
            elif entry.is_file(follow_symlinks=False):
                facts = entry.stat(follow_symlinks=False)
                if facts.st_atime <= max(facts.st_mtime, facts.st_ctime) or now - facts.st_atime > DAY / 2:
                    yield entry.path
