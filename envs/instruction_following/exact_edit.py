"""Carry out a list of edit instructions on a text exactly, one after the other.

Lines are moved, merged, sorted and changed; at the hard end some instructions depend on the text or take back what was done, and line numbers may
be those of the text as it was at first.
"""

from collections.abc import Sequence

from rlgym import Config, Environment, Rng, Score, Task, TaskData, knob
from rlgym.answers import Lines
from rlgym.generators.constraints.edits import (
    BRANCHING,
    PLAIN,
    WORDY,
    Edit,
    Rows,
    carry_out,
    describe,
    has_capitals,
    initial_states,
    next_states,
    sample,
)
from rlgym.generators.text.words import WORDS
from rlgym.solutions import Derivation, Solution, Step

KINDS = {"lines": PLAIN, "words": (*PLAIN, *WORDY), "branching": (*WORDY, *BRANCHING, *PLAIN[:4])}
AFTER = Step("After instruction {k} the lines are: {lines}")


class Knobs(Config):
    lines: int = knob(6, easy=3, hard=14, doc="lines of the text")
    edits: int = knob(6, easy=1, hard=24, doc="how many instructions there are")
    kinds: str = knob(
        "words",
        easy="lines",
        hard="branching",
        order=tuple(KINDS),
        doc="whole lines, words in them, or instructions that depend on the text",
    )
    numbers: str = knob(
        "now", easy="now", hard="first", order=("now", "first"), doc="line numbers of the text as it is then, or as it was at first"
    )


class Data(TaskData):
    lines: tuple[str, ...]
    edits: tuple[Edit, ...]
    fixed: bool
    right: tuple[str, ...]


def generate(rng: Rng, knobs: Knobs) -> Task[Data]:
    return _sample_task(rng, knobs, by_word=False)


def shift(rng: Rng, knobs: Knobs) -> Task[Data]:
    """Lines are named by a word that they hold, not by a number."""
    return _sample_task(rng, knobs, by_word=True)


def solve(task: Task[Data]) -> tuple[str, ...]:
    # The lines stay strings here, and only the parts that an instruction names are looked at; `generate` keeps words with their old numbers.
    data = task.data
    lines, numbers = list(data.lines), list(range(1, len(data.lines) + 1))
    before = (lines, numbers)
    for edit in data.edits:
        if edit.kind == "undo":
            lines, numbers = before
            continue
        before = (lines, numbers)
        lines, numbers = _edit(edit, list(lines), list(numbers), data.lines if data.fixed else ())
    return tuple(lines)


def verify(task: Task[Data], answer: tuple[str, ...]) -> Score:
    right = task.data.right
    if len(answer) != len(right):
        return Score.wrong(f"the text does not have {len(answer)} lines then")
    wrong = sum(first != second for first, second in zip(answer, right, strict=True))
    return Score.exact(not wrong, f"{wrong} of the lines are wrong")


def mistakes(task: Task[Data], right: tuple[str, ...]) -> list[tuple[str, ...]]:
    states = carry_out(task.data.edits, task.data.lines, task.data.fixed)
    return [
        *(_render_lines(state) for state in states[-2::-1][:2]),
        task.data.lines,
        right[::-1],
        right[:-1] or ("none",),
        (*right, right[-1]),
    ]


def cost(task: Task[Data]) -> float:
    data = task.data
    return len(data.edits) * (2.0 + data.fixed + 2 * any(edit.kind in BRANCHING for edit in data.edits)) + len(data.lines)


def derive(task: Task[Data]) -> Derivation:
    states = carry_out(task.data.edits, task.data.lines, task.data.fixed)
    for k, state in enumerate(states[1:], 1):
        yield AFTER(k=k, lines=" | ".join(_render_lines(state)))


def _sample_task(rng: Rng, knobs: Knobs, by_word: bool) -> Task[Data]:
    fixed, bank = knobs.numbers == "first", rng.sample(WORDS, 60)
    while True:
        lines = tuple(" ".join(rng.sample(bank, rng.integer(2, 5))) for _ in range(knobs.lines))
        edits, states = list[Edit](), initial_states(lines)
        for _ in range(40 * knobs.edits):
            edit = sample(rng, KINDS[knobs.kinds], states, bank, lines if fixed else (), by_word)
            if edit and not (edit.kind == "undo" and edits[-1].kind == "undo"):
                states.append(next_states(states, edit, lines if fixed else ()))
                edits.append(edit)
            if len(edits) == knobs.edits:
                break
        if len(edits) == knobs.edits and _render_lines(states[-1]) not in (lines, _render_lines(states[-2])):
            break
    data = Data(lines=lines, edits=tuple(edits), fixed=fixed, right=_render_lines(states[-1]))
    return Task(_render_prompt(data), data)


def _render_prompt(data: Data) -> str:
    shown = "\n".join(f"{i}: {line}" for i, line in enumerate(data.lines, 1))
    names = [name for edit in data.edits for name in (edit.at, edit.to) if name]
    numbers, words = any(name.isdigit() for name in names), any(not name.isdigit() for name in names)
    named = f"{'Numbers and words' if numbers and words else 'Numbers' if numbers else 'Words'} that name a line always"
    had = "had this number or held this word" if numbers and words else "had this number" if numbers else "held this word"
    kept = (
        "a line keeps its name when it is changed or other words are added to it" if words else "a line keeps its number when it is changed"
    )
    counted = "; lines are counted from 1, from the top" if numbers else ""
    rules = (
        f"{named} mean the line that {had} in the text above, wherever it is by now and whatever it says; {kept}."
        if data.fixed
        else f"{named} refer to the text as it is at that moment{counted}."
    )
    task = f"Carry out these instructions, one after the other. {rules}"
    cased = has_capitals(data.edits)
    listed = "\n".join(f"{i}) {describe(edit, cased)}" for i, edit in enumerate(data.edits, 1))
    if len(data.edits) == 1:
        task = "Carry out this instruction."
    return (
        f"This is a text, with the numbers of its lines before the colons:\n\n{shown}\n\n{task}\n\n"
        f"{listed}\n\nGive the resulting text, without line numbers.{' Letter case counts.' if cased else ''}"
    )


def _render_lines(rows: Rows) -> tuple[str, ...]:
    return tuple(" ".join(words) for _, words in rows)


def _edit(edit: Edit, lines: list[str], numbers: list[int], first: Sequence[str]) -> tuple[list[str], list[int]]:
    """Lines and the numbers that they had at first, after one instruction."""
    at = _find_line(edit.at, lines, numbers, first)
    to = _find_line(edit.to, lines, numbers, first) if edit.to else at
    order = list(range(len(lines)))
    match edit.kind:
        case "swap":
            order[at], order[to] = to, at
        case "top" | "end":
            order = [at, *order[:at], *order[at + 1 :]] if edit.kind == "top" else [*order[:at], *order[at + 1 :], at]
        case "delete" | "join":
            order.remove(to)
            lines[at] += f" {lines[to]}" if edit.kind == "join" else ""
        case "longer" if lines[at].count(" ") > lines[to].count(" "):
            order.remove(at)
        case "longer":
            lines[to] = lines[to].upper()
        case "insert" | "copy":
            order.insert(at + 1 if edit.kind == "insert" else len(lines), len(lines))
            lines, numbers = [*lines, edit.word or lines[at]], [*numbers, 0]
        case "replace":
            lines[at] = f" {lines[at].replace(' ', '  ')} ".replace(f" {edit.word} ", f" {edit.other} ").replace("  ", " ").strip()
        case "capitals":
            lines[at] = lines[at].upper()
        case _:
            words = lines[at].split()
            if edit.kind == "drop":
                del words[int(edit.word) - 1]
            else:
                words = sorted(words, key=str.upper) if edit.kind == "sort" else list(reversed(words))
            lines[at] = " ".join(words)
    return [lines[i] for i in order], [numbers[i] for i in order]


def _find_line(name: str, lines: list[str], numbers: list[int], first: Sequence[str]) -> int:
    padded = [f" {line} " for line in first or lines]
    number = int(name) if name.isdigit() else 1 + next(i for i, line in enumerate(padded) if f" {name} " in line)
    return numbers.index(number) if first else number - 1


environment = Environment(
    Knobs, Lines("the lines of the text, one below the other, without numbers", max_items=80), generate, solve, verify, mistakes, cost,
    shift=shift, solution=Solution(derive, "The text is then:\n{answer}", whole=True),
    concept="Write the whole text down after every instruction, and look up what a name means at that moment only there.",
    version=5,
)  # fmt: skip
