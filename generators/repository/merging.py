"""Textual merges of file trees, as version control makes them: three-way, line by line, with markers where both sides changed the same place."""

from __future__ import annotations

import difflib
from collections.abc import Mapping, Sequence

OURS, MIDDLE, THEIRS = "<<<<<<< ours", "=======", ">>>>>>> theirs"


def merged_files(base: Mapping[str, str], ours: Mapping[str, str], theirs: Mapping[str, str]) -> dict[str, str]:
    """The merge of two trees; a file that one side removed, or that only one side has, is as that side has it."""
    found: dict[str, str] = {}
    for path in sorted({*base, *ours, *theirs}):
        old, one, other = base.get(path), ours.get(path), theirs.get(path)
        text = other if one == old else one if other in (old, one) else merged_text(old or "", one or "", other or "")
        if text is not None:
            found[path] = text
    return found


def merged_text(base: str, ours: str, theirs: str) -> str:
    """The merge of two changed texts, by the algorithm diff3."""
    old, one, other = (text.splitlines(keepends=True) for text in (base, ours, theirs))
    to_one, to_other = _matches(old, one), _matches(old, other)
    stable = [at for at in range(len(old)) if at in to_one and at in to_other]
    merged: list[str] = []
    last = (-1, -1, -1)
    for place in [*((at, to_one[at], to_other[at]) for at in stable), (len(old), len(one), len(other))]:
        part, mine, yours = (
            lines[start + 1 : end] for lines, start, end in zip((old, one, other), last, place, strict=True)
        )  # fmt: skip
        if mine in (part, yours):
            merged += yours
        elif yours == part:
            merged += mine
        else:
            merged += [f"{OURS}\n", *mine, f"{MIDDLE}\n", *yours, f"{THEIRS}\n"]
        if place[0] < len(old):
            merged.append(old[place[0]])
        last = place
    return "".join(merged)


def _matches(old: Sequence[str], new: Sequence[str]) -> dict[int, int]:
    """For each line that is kept, its place in the new text."""
    blocks = difflib.SequenceMatcher(None, old, new, autojunk=False).get_matching_blocks()
    return {block.a + k: block.b + k for block in blocks for k in range(block.size)}


def has_markers(files: Mapping[str, str]) -> bool:
    """Whether a line of some file begins with a marker of a conflict."""
    return any(line.startswith((OURS[:7], THEIRS[:7])) for text in files.values() for line in text.splitlines())
