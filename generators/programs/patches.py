"""Unified diffs of one text: a strict reader that says what is wrong, and a writer."""

from __future__ import annotations

import difflib
import re
from collections.abc import Sequence
from dataclasses import dataclass

_HUNK = re.compile(r"@@ -(\d{1,6})(?:,(\d{1,6}))? \+(\d{1,6})(?:,(\d{1,6}))? @@(?: .{0,200})?")
MOST_HUNKS = 200


class Refused(ValueError):
    """The text is no diff that can be applied; the message says why."""


@dataclass(frozen=True)
class Hunk:
    """Lines from `start` on, counted from 0, that are to be replaced. Each line has its mark: a space, - or +."""

    start: int
    lines: tuple[str, ...]

    @property
    def before(self) -> list[str]:
        return [line[1:] for line in self.lines if line[0] != "+"]

    @property
    def after(self) -> list[str]:
        return [line[1:] for line in self.lines if line[0] != "-"]


def write(path: str, before: str, after: str, context: int = 3) -> str:
    """The unified diff of a file, without white space at its end."""
    lines = difflib.unified_diff(before.split("\n"), after.split("\n"), f"a/{path}", f"b/{path}", n=context, lineterm="")
    return "\n".join(lines).rstrip()


def changes(diff: str) -> int:
    """How many lines a diff removes and adds."""
    return sum(line[:1] in ("-", "+") for line in diff.split("\n")[2:])


def read(diff: str, path: str) -> list[Hunk]:
    """The hunks of a unified diff of the file. An empty line in a hunk stands for an empty line that stays."""
    lines = diff.split("\n")
    for line, mark, side in zip([*lines[:2], "", ""], ("---", "+++"), "ab", strict=False):
        if line.rstrip() != f"{mark} {side}/{path}":
            raise Refused(f"the diff must begin with the lines '--- a/{path}' and '+++ b/{path}', but there is {line[:60]!r}")
    hunks, at, shift = list[Hunk](), 2, 0
    while at < len(lines):
        head = _HUNK.fullmatch(lines[at])
        if not head:
            raise Refused(f"line {at + 1} of the diff should be the head of a hunk, but is {lines[at][:60]!r}")
        old, new = int(head[2] or 1), int(head[4] or 1)
        # A range without lines is named by the line before it.
        start, target = int(head[1]) - (old > 0), int(head[3]) - (new > 0)
        if start < 0:
            raise Refused(f"the head in line {at + 1} of the diff begins at line 0 of the file")
        if hunks and start < hunks[-1].start + len(hunks[-1].before):
            raise Refused(f"the hunk in line {at + 1} of the diff begins before the one before it has ended")
        if target != start + shift:
            raise Refused(f"the head in line {at + 1} of the diff does not fit: its new lines should begin at {start + shift + (new > 0)}")
        body, at = _body(lines, at + 1, old, new)
        hunks.append(Hunk(start, tuple(body)))
        shift += new - old
        if len(hunks) > MOST_HUNKS:
            raise Refused(f"there are more than {MOST_HUNKS} hunks")
    if not hunks:
        raise Refused("the diff has no hunk")
    return hunks


def _body(lines: Sequence[str], at: int, old: int, new: int) -> tuple[list[str], int]:
    """The lines of a hunk that begins at a line, and where it ends."""
    head, body = at, list[str]()
    while old or new:
        # Empty lines at the end may have been lost with the space in front of them.
        line = (lines[at] if at < len(lines) else "") or " "
        if line[0] not in " -+":
            raise Refused(
                f"line {at + 1} of the diff must begin with a space, - or +, or the counts of the head in line {head} are too large"
            )
        if at >= len(lines) + 8 or old < (line[0] != "+") or new < (line[0] != "-"):
            raise Refused(f"the counts in line {head} of the diff do not fit its hunk")
        old, new, at = old - (line[0] != "+"), new - (line[0] != "-"), at + 1
        body.append(line)
    return body, at


def apply(text: str, hunks: Sequence[Hunk]) -> str:
    """The text after the change; every line that is removed or stays must be there as the diff has it."""
    lines, out, at = text.split("\n"), list[str](), 0
    for hunk in hunks:
        there = lines[hunk.start : hunk.start + len(hunk.before)]
        for number, (expected, given) in enumerate(zip(hunk.before, [*there, *[None] * len(hunk.before)], strict=False)):
            if expected != given:
                raise Refused(f"line {hunk.start + number + 1} of the file is not {expected[:60]!r}")
        if hunk.start > len(lines):
            raise Refused(f"the file has no line {hunk.start}")
        out += [*lines[at : hunk.start], *hunk.after]
        at = hunk.start + len(hunk.before)
    return "\n".join([*out, *lines[at:]])
