"""The commits of a repository: the files after some of them, and their patches."""

from __future__ import annotations

import difflib
from collections.abc import Mapping, Sequence

from rlgym.core.task import TaskData


class Commit(TaskData):
    """A commit: the new texts of the files that it changed, None where it removed one."""

    id: str
    message: str
    files: dict[str, str | None]


def files_at(commits: Sequence[Commit], count: int) -> dict[str, str]:
    """The files after the first commits."""
    files: dict[str, str] = {}
    for commit in commits[:count]:
        for path, text in commit.files.items():
            if text is None:
                files.pop(path, None)
            else:
                files[path] = text
    return files


def patch_of(commits: Sequence[Commit], name: str) -> str:
    """The patch of a commit. ValueError where there is none of this name."""
    found = [place for place, commit in enumerate(commits) if commit.id == name]
    if not found:
        raise ValueError(f"there is no commit {name!r:.40}")
    return unified(files_at(commits, found[0]), commits[found[0]].files)


def unified(before: Mapping[str, str], after: Mapping[str, str | None]) -> str:
    """The changes as a unified diff, which git apply takes."""
    pieces = []
    for path in sorted(after):
        old, new = before.get(path), after[path]
        if old == new:
            continue
        lines = difflib.unified_diff(
            (old or "").splitlines(keepends=True), (new or "").splitlines(keepends=True),
            "/dev/null" if old is None else f"a/{path}", "/dev/null" if new is None else f"b/{path}",
        )  # fmt: skip
        head = f"diff --git a/{path} b/{path}\n" + (
            "new file mode 100644\n" if old is None else "deleted file mode 100644\n" if new is None else ""
        )
        pieces.append(head + "".join(line if line.endswith("\n") else f"{line}\n\\ No newline at end of file\n" for line in lines))
    return "".join(pieces)
