"""Instructions that edit a text line by line: stated in words, and carried out."""

from collections.abc import Sequence

from rlgym.core.rng import Rng
from rlgym.core.task import TaskData

PLAIN = ("delete", "swap", "top", "end", "insert", "replace")
WORDY = ("capitals", "reverse", "drop", "sort", "join", "copy")
BRANCHING = ("longer", "undo")

Rows = list[tuple[str, list[str]]]
"""The lines of a text: the number that each had at first, empty for a new one, and its words."""

TOLD = {
    "delete": "Delete {at}.",
    "swap": "Exchange {at} and {to}.",
    "top": "Move {at} to the top.",
    "end": "Move {at} to the end.",
    "insert": 'Insert a new line, "{word}", right after {at}.',
    "replace": 'In {at}, replace each word "{word}" with "{other}".',
    "capitals": "Write all of {at} in capital letters.",
    "reverse": "Reverse the order of the words of {at}.",
    "drop": "Delete word number {word} of {at}.",
    "sort": "Put the words of {at} in alphabetical order, regardless of letter case; equal words keep their order.",
    "join": "Add the words of {to} at the end of {at}, and delete {to}.",
    "copy": "Add a copy of {at} at the end of the text.",
    "longer": "If {at} has more words than {to}, delete {at}; otherwise write all of {to} in capital letters.",
    "undo": "Undo the instruction just before this one.",
}


class Edit(TaskData):
    """One instruction. A line is named by its number or by a word that only it holds."""

    kind: str
    at: str = ""
    to: str = ""
    word: str = ""
    other: str = ""


def has_capitals(edits: Sequence[Edit]) -> bool:
    """Whether an instruction may put capital letters into the text."""
    return any(edit.kind in ("capitals", "longer") for edit in edits)


def describe(edit: Edit, cased: bool) -> str:
    """The instruction as a sentence; `cased` says whether the text can hold capital letters."""
    at, to = (f"line {name}" if name.isdigit() else f'the line with "{name}"' for name in (edit.at, edit.to))
    told = TOLD[edit.kind] if cased or edit.kind != "sort" else "Put the words of {at} in alphabetical order."
    return told.format(at=at, to=to, word=edit.word, other=edit.other)


def place(rows: Rows, name: str, first: Sequence[str]) -> int:
    """The position of the line that is named; names are those of the text `first`, where one is given. -1 or ValueError where there is none."""
    if first:
        number = name if name.isdigit() else next((str(i) for i, line in enumerate(first, 1) if name in line.split()), "")
        return [number for number, _ in rows].index(number)
    return int(name) - 1 if name.isdigit() else next((i for i, (_, words) in enumerate(rows) if name in words), -1)


def initial_states(lines: Sequence[str]) -> list[Rows]:
    """The states of a text that nothing has been done to."""
    return [[(str(i), line.split()) for i, line in enumerate(lines, 1)]]


def carry_out(edits: Sequence[Edit], lines: Sequence[str], fixed: bool) -> list[Rows]:
    """The text at first and after each instruction; with `fixed` lines are named as at first."""
    states = initial_states(lines)
    for edit in edits:
        states.append(next_states(states, edit, lines if fixed else ()))
    return states


def next_states(states: list[Rows], edit: Edit, first: Sequence[str]) -> Rows:
    """The state after one more instruction."""
    return states[-2] if edit.kind == "undo" else _apply_edit(edit, states[-1], first)


def _apply_edit(edit: Edit, rows: Rows, first: Sequence[str]) -> Rows:
    rows, at = list(rows), place(rows, edit.at, first)
    to = place(rows, edit.to, first) if edit.to else at
    number, words = rows[at]
    match edit.kind:
        case "delete":
            del rows[at]
        case "swap":
            rows[at], rows[to] = rows[to], rows[at]
        case "top":
            rows.insert(0, rows.pop(at))
        case "end":
            rows.append(rows.pop(at))
        case "insert":
            rows.insert(at + 1, ("", edit.word.split()))
        case "copy":
            rows.append(("", words))
        case "join":
            rows[at] = (number, words + rows[to][1])
            del rows[to]
        case "longer" if len(words) > len(rows[to][1]):
            del rows[at]
        case "longer":
            rows[to] = (rows[to][0], [word.upper() for word in rows[to][1]])
        case _:
            rows[at] = (number, _change(edit, words))
    return rows


def _change(edit: Edit, words: list[str]) -> list[str]:
    """The words of a line after an instruction that touches no other line."""
    match edit.kind:
        case "replace":
            return [edit.other if word == edit.word else word for word in words]
        case "capitals":
            return [word.upper() for word in words]
        case "reverse":
            return words[::-1]
        case "sort":
            return sorted(words, key=str.lower)
        case "drop":
            return [word for i, word in enumerate(words, 1) if str(i) != edit.word]
    raise ValueError(f"there is no edit {edit.kind!r}")


def sample(rng: Rng, kinds: Sequence[str], states: list[Rows], bank: Sequence[str], first: Sequence[str], by_word: bool) -> Edit | None:
    """An instruction that can be carried out on the last state; None where this draw cannot."""
    kind, rows = rng.choice(kinds), states[-1]
    if kind == "undo":
        return Edit(kind=kind) if len(states) > 1 and states[-1] != states[-2] else None
    named = [name for i in range(len(rows)) if (name := _name(rng, rows, i, first, by_word))]
    if len(named) < 2 or (kind in ("delete", "join", "longer") and len(rows) < 3):
        return None
    at, to = rng.sample(named, 2)
    words = rows[place(rows, at, first)][1]
    if (kind == "drop" and len(words) < 3) or (kind in ("sort", "reverse") and len(words) < 2) or (kind == "join" and len(words) > 8):
        return None
    word = {
        "insert": " ".join(rng.sample(bank, rng.integer(2, 4))),
        "replace": rng.choice(words),
        "drop": str(rng.integer(1, len(words))),
    }.get(kind, "")
    two = kind in ("swap", "join", "longer")
    return Edit(kind=kind, at=at, to=to if two else "", word=word, other=rng.choice(bank) if kind == "replace" else "")


def _name(rng: Rng, rows: Rows, i: int, first: Sequence[str], by_word: bool) -> str:
    """What a line can be called; empty where nothing singles it out."""
    if not by_word:
        return rows[i][0] if first else str(i + 1)
    if first and not rows[i][0]:
        return ""
    texts, at = ([line.split() for line in first], int(rows[i][0]) - 1) if first else ([words for _, words in rows], i)
    others = {word.lower() for j, words in enumerate(texts) if j != at for word in words}
    names = [word for word in texts[at] if word not in others and word.islower()]
    return rng.choice(names) if names else ""
