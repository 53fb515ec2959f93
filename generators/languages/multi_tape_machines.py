"""Turing machines with one or more tapes, run step by step."""

from __future__ import annotations

from rlgym.generators.languages.predecessors import Rule


class TuringMachine:
    """Runs step by step, with each tape as a dictionary of its cells."""

    def __init__(self, rules: tuple[Rule, ...], starts: tuple[str, ...]) -> None:
        self.table = {(state, read): (write, move, after) for state, read, write, move, after in rules}
        self.tapes = [dict(enumerate(start)) for start in starts]
        self.heads, self.state, self.used = [0] * len(starts), "A", set[tuple[str, str]]()

    def step(self) -> str:
        """Carries out one rule; returns its moves."""
        read = "".join([tape.get(head, "_") for tape, head in zip(self.tapes, self.heads, strict=True)])
        self.used.add((self.state, read))
        write, move, self.state = self.table[self.state, read]
        for i, tape in enumerate(self.tapes):
            tape[self.heads[i]] = write[i]
            self.heads[i] += 1 if move[i] == "R" else -1
        return move

    def written(self, i: int) -> str:
        """The symbols of a tape, from the leftmost to the rightmost cell that is not blank."""
        tape = self.tapes[i]
        return "".join(tape.get(cell, "_") for cell in range(min(tape), max(tape) + 1)).strip("_") or "empty"
