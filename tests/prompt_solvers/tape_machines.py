"""Machines that work on a tape of cells."""

from __future__ import annotations

import itertools
import re

from prompt_solvers.parsing import problem
from prompt_solvers.registry import prompt_solver


def numbers_at_start(text: str) -> str:
    """All numbers are tried; the program is translated to Python, the pointer being known at each sign."""
    size = int(re.search(r"cells 3 to (\d+) hold 0", text)[1]) + 1  # type: ignore[index]
    modulus = int(re.search(r"subtracts 1; (\d+) plus 1 is 0", text)[1]) + 1  # type: ignore[index]
    program = next(line for line in text.splitlines() if re.fullmatch(r"[-+<>.\[\]]{3,}", line))
    printed = [int(number) for number in re.findall(r"\d+", re.search(r"prints the numbers ([\d, ]+)\.", text)[1])]  # type: ignore[index]
    # A loop is a list; every other piece is a sign, how often it stands there, and the cell of the pointer.
    pieces: list = []
    opened, at = [pieces], 0
    for piece in re.findall(r"\++|-+|>+|<+|.", program):
        if piece == "[":
            opened[-1].append((at, []))
            opened.append(opened[-1][-1][1])
        elif piece == "]":
            opened.pop()
        elif piece[0] in "<>":
            at += piece.count(">") - piece.count("<")
        else:
            opened[-1].append((at, piece.count("+") - piece.count("-")))

    def run(pieces: list, cells: list[int], out: list[int]) -> None:
        for at, what in pieces:
            if isinstance(what, list):
                while cells[at]:
                    run(what, cells, out)
            elif what:
                cells[at] = (cells[at] + what) % modulus
            else:
                out.append(cells[at])

    for numbers in itertools.product(range(modulus), repeat=3):
        out: list[int] = []
        run(pieces, [*numbers, *[0] * (size - 3)], out)
        if out == printed:
            return ", ".join(map(str, numbers))
    raise ValueError("no numbers lead to this output")


@prompt_solver("brainfuck_output")
def solve_brainfuck_output(prompt: str) -> str:
    text = problem(prompt)
    if "hold three unknown numbers" in text:
        return numbers_at_start(text)
    size = int(re.search(r"Cells 0 to (\d+) hold 0", text)[1]) + 1  # type: ignore[index]
    modulus = int(re.search(r"subtracts 1; (\d+) plus 1 is 0", text)[1]) + 1  # type: ignore[index]
    program = next(line for line in text.splitlines() if re.fullmatch(r"[-+<>.\[\]]{3,}", line))
    partner, opened = {}, []
    for i, letter in enumerate(program):
        if letter == "[":
            opened.append(i)
        elif letter == "]":
            partner[i] = opened.pop()
            partner[partner[i]] = i
    cells, at, i, printed = [0] * size, 0, 0, []
    while i < len(program):
        match program[i]:
            case ">":
                at += 1
            case "<":
                at -= 1
            case "+":
                cells[at] = (cells[at] + 1) % modulus
            case "-":
                cells[at] = (cells[at] - 1) % modulus
            case ".":
                printed.append(cells[at])
            case "[" if cells[at] == 0:
                i = partner[i]
            case "]" if cells[at]:
                i = partner[i]
        i += 1
    return ", ".join(map(str, printed))


def start_of_machine(text: str, rules: dict[tuple[str, ...], tuple[list[str], str]]) -> str:
    """Backwards through all steps, a tape being a string with many blanks on both sides."""
    steps, state, head = re.search(r"After (\d+) steps it is in state (\w), its head is on cell (-?\d+)", text).groups()  # type: ignore[union-attr]
    first, symbols = re.search(r"cells? (-?\d+) (?:to -?\d+ hold|holds) ([^,]*),", text).groups()  # type: ignore[union-attr]
    margin = int(steps) + 3 + abs(int(first))
    tape = "_" * (margin + int(first)) + symbols.replace(" ", "") + "_" * margin
    reached = {(state, margin + int(head), tape)}
    for _ in range(int(steps)):
        reached = {
            (before, place, tape[:place] + read + tape[place + 1 :])
            for state, head, tape in reached
            for (before, read), ([action], after) in rules.items()
            for place in [head - 1 if action[1] == "R" else head + 1]
            if after == state and tape[place] == action[0]
        }
    for state, head, tape in reached:
        if state == "A" and head == margin and not tape[:margin].strip("_"):
            word = tape[margin:].rstrip("_")
            if word and "_" not in word:
                return word
    raise ValueError("there is no start")


@prompt_solver("turing_machine_run")
def solve_turing_machine_run(prompt: str) -> str:
    text = problem(prompt)
    tapes: list[dict[int, str]] = []
    for first, symbols in re.findall(r"[Cc]ells (-?\d+) to -?\d+ hold ([^.]*)\.", text):
        tapes.append(dict(enumerate(symbols.split(), int(first))))
    rules = {
        (state, *under.split()): (actions.split(), following)
        for state, under, actions, following in re.findall(r"^(\w)((?: \S)+) -> ((?:\S[RLS] )+)(\w)$", text, re.MULTILINE)
    }
    if "Which symbols were on the tape at the start?" in text:
        return start_of_machine(text, rules)
    state = re.search(r"starts in state (\w) with", text)[1]  # type: ignore[index]
    steps = int(re.search(r"Run the machine for (\d+) steps?", text)[1])  # type: ignore[index]
    heads = [0] * len(tapes)
    for _ in range(steps):
        actions, state = rules[state, *(tape.get(head, "_") for tape, head in zip(tapes, heads, strict=True))]
        for i, (symbol, move) in enumerate(actions):
            tapes[i][heads[i]] = symbol
            heads[i] += {"R": 1, "L": -1, "S": 0}[move]
    parts = [state]
    for tape, head in zip(tapes, heads, strict=True):
        filled = [place for place, symbol in tape.items() if symbol != "_"]
        written = "".join(tape.get(place, "_") for place in range(min(filled), max(filled) + 1)) if filled else "empty"
        parts += [str(head), written]
    return " ".join(parts)
