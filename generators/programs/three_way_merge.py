"""Merges the three versions of a conflict, read from their text alone: a second route to the merged file."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

NUMBER = re.compile(r"(?<!\w)-?\d+")
CONFLICT = re.compile(r"<<<<<<< ours\n(.*?)\|\|\|\|\|\|\| base\n(.*?)=======\n(.*?)>>>>>>> theirs\n?", re.DOTALL)


@dataclass(frozen=True)
class Version:
    """One version of the file. In its statements # stands for the name of the parameter."""

    parameter: str
    statements: tuple[str, ...]
    helper: str
    extracted: int
    """The statement whose expression the helper holds; -1 where there is no helper."""


@dataclass(frozen=True)
class Alignment:
    """Which base statement each statement of a side comes from (None where the side added it), and how many numbers changed."""

    sources: tuple[int | None, ...]
    changes: int


def three_way_merge(marked: str) -> str:
    """The file with the changes of both sides, ours first where both add a statement at one place."""
    ours, base, theirs = (_parse(CONFLICT.sub(rf"\{side}", marked)) for side in (1, 2, 3))
    alignments = [min(_alignments(base, side), key=lambda alignment: alignment.changes) for side in (ours, theirs)]
    order = list(range(len(base.statements)))
    for alignment in alignments:
        kept = [source for source in alignment.sources if source is not None]
        order = kept if kept != sorted(kept) else order
    merged = list(base.statements)
    added: dict[int, list[str]] = {}
    for side, alignment in zip((ours, theirs), alignments, strict=True):
        before = -1
        for statement, source in zip(side.statements, alignment.sources, strict=True):
            if source is None:
                added.setdefault(before, []).append(statement)
            else:
                before = source
                merged[source] = _with_changes(merged[source], base.statements[source], statement)
    renamed = next((side.parameter for side in (ours, theirs) if side.parameter != base.parameter), base.parameter)
    lines: list[str] = added.get(-1, [])
    head = ""
    for side, alignment in zip((ours, theirs), alignments, strict=True):
        extracted = alignment.sources[side.extracted]
        if side.helper and extracted is not None:
            expression = merged[extracted].removeprefix("# = ").removeprefix("return ")
            head = f"def {side.helper}(#):\n    return {expression}\n\n\n"
            merged[extracted] = merged[extracted].replace(expression, f"{side.helper}(#)")
    for source in order:
        lines += [merged[source], *added.get(source, [])]
    body = "\n".join(f"    {line}" for line in lines)
    return f"{head}def solve(#):\n{body}".replace("#", renamed)


def _parse(text: str) -> Version:
    functions = {match[1]: (match[2], match[3]) for match in re.finditer(r"def (\w+)\((\w+)\):\n((?:    .*(?:\n|$))+)", text)}
    parameter, body = functions.pop("solve")
    statements = [re.sub(rf"\b{parameter}\b", "#", line.strip()) for line in body.strip("\n").split("\n")]
    for helper, (name, inside) in functions.items():
        extracted = next(i for i, statement in enumerate(statements) if f"{helper}(#)" in statement)
        expression = re.sub(rf"\b{name}\b", "#", inside.strip().removeprefix("return "))
        statements[extracted] = statements[extracted].replace(f"{helper}(#)", expression)
        return Version(parameter, tuple(statements), helper, extracted)
    return Version(parameter, tuple(statements), "", -1)


def _alignments(base: Version, side: Version) -> Iterator[Alignment]:
    """The ways in which a side may have come from the base: at most one statement added and at most two neighbours swapped."""
    count = len(base.statements)
    for swap in (None, *range(count - 2)):
        order: list[int | None] = list(range(count))
        if swap is not None:
            order[swap : swap + 2] = reversed(order[swap : swap + 2])
        for place in range(1, count) if len(side.statements) > count else (None,):
            sources = order if place is None else [*order[:place], None, *order[place:]]
            pairs = [(base.statements[i], line) for i, line in zip(sources, side.statements, strict=True) if i is not None]
            if all(NUMBER.sub("0", before) == NUMBER.sub("0", after) for before, after in pairs):
                yield Alignment(tuple(sources), sum(map(_changed_numbers, pairs)) + (swap is not None))


def _changed_numbers(pair: tuple[str, str]) -> int:
    before, after = map(NUMBER.findall, pair)
    return sum(map(str.__ne__, before, after))


def _with_changes(merged: str, base: str, changed: str) -> str:
    """The merged statement with those numbers replaced that the changed one has instead of the base's."""
    numbers = iter(
        after if after != before else kept for kept, before, after in zip(*map(NUMBER.findall, (merged, base, changed)), strict=True)
    )
    return NUMBER.sub(lambda _: next(numbers), merged)
