"""A file and two changes of it that get in each other's way, and what comes of both."""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from itertools import takewhile
from typing import Any

from rlgym.core import syntax
from rlgym.core.rng import Rng

FIRST_ADDED = 100  # the statements that a side adds are numbered from here on
OLD_NAME, NEW_NAMES, HELPERS = "values", ("items", "numbers", "readings", "amounts"), ("adjusted", "prepared", "tidied")
Numbers = Sequence[int]


@dataclass(frozen=True)
class Kind:
    """A statement with numbers in it: its text, from where to where the numbers go, and what it does."""

    text: str
    ranges: tuple[tuple[int, int], ...]
    meaning: Callable[[list[int], Numbers], Any]


KINDS = (
    Kind(
        "[{0} * v + {1} for v in NAME if v % {2} != {3}]",
        ((2, 5), (1, 9), (3, 7), (0, 2)),
        lambda values, s: [s[1] + v * s[0] for v in values if (v - s[3]) % s[2]],
    ),
    Kind(
        "[max({0}, min({1}, v - {2})) for v in NAME]",
        ((-30, -5), (5, 40), (1, 9)),
        lambda values, s: [s[0] if v - s[2] < s[0] else s[1] if v - s[2] > s[1] else v - s[2] for v in values],
    ),
    Kind(
        "sorted(NAME, key=lambda v: (v % {0}, abs(v - {1})))[{2}:]",
        ((2, 7), (1, 20), (1, 3)),
        lambda values, s: sorted(sorted(values, key=lambda v: abs(v - s[1])), key=lambda v: v % s[0])[s[2] :],
    ),
    Kind(
        "[v + {0} * w for v, w in zip(NAME, NAME[{1}:] + [{2}] * {1})]",
        ((2, 4), (2, 4), (1, 9)),
        lambda values, s: [v + s[0] * (values[i + s[1]] if i + s[1] < len(values) else s[2]) for i, v in enumerate(values)],
    ),
    Kind(
        "[v // {0} if v > {1} else v * {2} for v in NAME]",
        ((2, 4), (-5, 15), (2, 5)),
        lambda values, s: [(v - v % s[0]) // s[0] if v > s[1] else s[2] * v for v in values],
    ),
)
ENDS = (
    Kind(
        "sum({0} * v for v in NAME if v > {1}) % {2}",
        ((2, 5), (-20, 5), (90, 999)),
        lambda values, s: s[0] * sum(v for v in values if v > s[1]) % s[2],
    ),
    Kind(
        "max(NAME, default={0}) - {1} * len(NAME) + {2}",
        ((1, 9), (2, 5), (1, 9)),
        lambda values, s: max([*values] or [s[0]]) - len(values) * s[1] + s[2],
    ),
    Kind("[v % {0} + {1} for v in NAME][:{2}]", ((11, 40), (1, 9), (4, 9)), lambda values, s: [s[1] + v % s[0] for v in values[: s[2]]]),
)


@dataclass(frozen=True)
class Line:
    """A statement of the file; `number` tells it from the others."""

    number: int
    kind: Kind
    slots: tuple[int, ...]


@dataclass(frozen=True)
class File:
    """A function solve; the statement `apart` stands in a function of its own."""

    lines: tuple[Line, ...]
    name: str = OLD_NAME
    apart: int = -1
    helper: str = ""


@dataclass(frozen=True)
class Edit:
    """A change: a number in a line, a line put after another, two lines swapped, the name changed, or a line set apart."""

    what: str
    line: int = 0
    slot: int = 0
    value: int = 0
    added: Line | None = None
    name: str = ""


def sample(rng: Rng, statements: int, edits: int, kinds: int) -> tuple[File, list[Edit], list[Edit]]:
    """A file, and the edits of both sides. Of the first `kinds` further kinds of edits there is one each."""
    lines = [_line(rng, i, rng.choice(KINDS)) for i in range(statements)]
    lines.append(_line(rng, statements, rng.choice(ENDS)))
    sides: tuple[list[Edit], list[Edit]] = ([], [])
    both = rng.sample(range(statements + 1), min(edits, statements + 1))
    for i in both:
        for side, slot in zip(sides, rng.sample(range(len(lines[i].slots)), 2), strict=True):
            side.append(Edit("number", i, slot, _sample_other_value(rng, lines[i], slot)))
    sides = (sides[0], sides[1]) if rng.chance(0.5) else (sides[1], sides[0])
    for what in ("add", "rename", "apart", "swap")[:kinds]:
        chosen = sides[rng.integer(0, 1)]
        at = rng.choice([i for i in both if i < statements] or [0])
        if what == "add":
            place = rng.integer(0, statements - 2)
            # An added statement of the kind of its neighbours could be taken for a changed one.
            fitting = [kind for kind in KINDS if kind not in (lines[place].kind, lines[place + 1].kind)]
            for number, side in enumerate(sides):
                side.append(Edit("add", place, added=_line(rng, FIRST_ADDED + number, rng.choice(fitting))))
        elif what == "rename":
            chosen.append(Edit("rename", name=rng.choice(NEW_NAMES)))
        elif what == "apart":
            chosen.append(Edit("apart", at, name=rng.choice(HELPERS)))
        else:
            added = [edit.line for edit in sides[0] if edit.what == "add"]
            kinds_added = [edit.added.kind for side in sides for edit in side if edit.added]
            # Where something is added next to it, it would not be clear where that goes.
            able = [i for i in range(statements - 1) if not {i - 1, i, i + 1} & set(added)]
            # Two statements of one kind that change places could be taken for changed ones, and one of an added kind for an added one.
            able = [i for i in able if lines[i].kind is not lines[i + 1].kind and not {lines[i].kind, lines[i + 1].kind} & set(kinds_added)]
            chosen += [Edit("swap", min(able, key=lambda i: abs(i - at)))] if able else []
    return File(tuple(lines)), sides[0], sides[1]


def _line(rng: Rng, number: int, kind: Kind) -> Line:
    return Line(number, kind, tuple(rng.integer(low, high) for low, high in kind.ranges))


def _sample_other_value(rng: Rng, line: Line, slot: int) -> int:
    low, high = line.kind.ranges[slot]
    return rng.choice([number for number in range(low, high + 1) if number != line.slots[slot]])


def apply_edits(file: File, edits: Iterable[Edit]) -> File:
    """The file after these edits. What is added at one place stands in the order of the edits."""
    order = {"swap": 0, "number": 1, "add": 2, "rename": 3, "apart": 4}
    for edit in sorted(edits, key=lambda edit: -order[edit.what], reverse=True):
        file = _apply_edit(file, edit)
    return file


def _apply_edit(file: File, edit: Edit) -> File:
    lines = list(file.lines)
    at = next(i for i, line in enumerate(lines) if line.number == edit.line)
    match edit.what:
        case "number":
            slots = lines[at].slots
            lines[at] = replace(lines[at], slots=(*slots[: edit.slot], edit.value, *slots[edit.slot + 1 :]))
        case "add":
            assert edit.added
            place = at + 1 + len(list(takewhile(lambda line: line.number >= FIRST_ADDED, lines[at + 1 :])))
            lines.insert(place, edit.added)
        case "swap":
            lines[at : at + 2] = lines[at + 1], lines[at]
        case "rename":
            return replace(file, name=edit.name)
        case _:
            return replace(file, apart=edit.line, helper=edit.name)
    return replace(file, lines=tuple(lines))


def text(file: File) -> str:
    """The file's text."""
    name, before, inside = file.name, list[str](), list[str]()
    for line in file.lines:
        expression = line.kind.text.format(*line.slots).replace("NAME", name)
        if line.number == file.apart:
            before = [f"def {file.helper}({name}):", f"    return {expression}", "", ""]
            expression = f"{file.helper}({name})"
        inside.append(f"    return {expression}" if line.kind in ENDS else f"    {name} = {expression}")
    return "\n".join([*before, f"def solve({name}):", *inside])


def meaning(file: File) -> Callable[[list[int]], Any]:
    """What its function does."""

    def done(values: list[int]) -> Any:
        so_far: Any = list(values)
        for line in file.lines:
            so_far = line.kind.meaning(so_far, line.slots)
        return so_far

    return done


def conflict(base: str, ours: str, theirs: str) -> str:
    """The text as git leaves it, with all from the first to the last line that is not the same in the three."""
    sides = [version.split("\n") for version in (ours, base, theirs)]
    same = len(list(takewhile(lambda lines: len(set(lines)) == 1, zip(*sides, strict=False))))
    rest = [side[same:] for side in sides]
    end = len(list(takewhile(lambda lines: len(set(lines)) == 1, zip(*(reversed(side) for side in rest), strict=False))))
    parts = [side[: len(side) - end] for side in rest]
    marked = ["<<<<<<< ours", *parts[0], "||||||| base", *parts[1], "=======", *parts[2], ">>>>>>> theirs"]
    return "\n".join([*sides[0][:same], *marked, *rest[0][len(rest[0]) - end :]])


def near_miss_files(base: File, ours: Sequence[Edit], theirs: Sequence[Edit]) -> list[File]:
    """Files in which an edit was lost, or what both add stands in the wrong order; some of them may do the same."""
    every = [*ours, *theirs]
    lost = [apply_edits(base, [edit for edit in every if edit is not dropped]) for dropped in every]
    return [apply_edits(base, ours), apply_edits(base, theirs), apply_edits(base, [*theirs, *ours]), *lost]


def phrase(base: File, edits: Sequence[Edit]) -> str:
    """The edits of a side in words."""
    words = []
    for edit in edits:
        match edit.what:
            case "number":
                words.append(f"statement {edit.line + 1}: {base.lines[edit.line].slots[edit.slot]} becomes {edit.value}")
            case "add":
                words.append(f"a statement is added after statement {edit.line + 1}")
            case "swap":
                words.append(f"statements {edit.line + 1} and {edit.line + 2} change places")
            case "rename":
                words.append(f"{base.name} is renamed to {edit.name}")
            case _:
                words.append(f"the expression of statement {edit.line + 1} is extracted into a function {edit.name}")
    return "; ".join(words)


def unkept(program: str, merged: File) -> str:
    """Which change of the names or functions is not in the program; nothing if all are."""
    functions = {node.name: node for node in syntax.program(program).body if isinstance(node, ast.FunctionDef)}
    if "solve" not in functions:
        return "there is no function solve"
    names = {node.id for node in ast.walk(functions["solve"]) if isinstance(node, ast.Name)}
    takes = [argument.arg for argument in functions["solve"].args.args]
    if takes != [merged.name] or (merged.name != OLD_NAME and OLD_NAME in names):
        return "the new name was not kept everywhere in solve"
    if merged.helper and (merged.helper not in functions or merged.helper not in names):
        return "the function that was set apart is not there, or is not used by solve"
    return ""
