"""Running a Turing machine with one tape backwards: what it can have been before its last steps."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

Rule = tuple[str, str, str, str, str]
"""State, symbol read, symbol written, move (L or R), next state."""


class Configuration(NamedTuple):
    state: str
    head: int
    cells: tuple[tuple[int, str], ...]
    """The cells that are not blank, from left to right."""

    @property
    def word(self) -> str:
        """What the cells from 0 on hold if they, and no others, are not blank; empty if it is otherwise."""
        filled = [cell for cell, _ in self.cells]
        return "".join(symbol for _, symbol in self.cells) if filled == list(range(len(filled))) else ""


def configuration(state: str, head: int, tape: dict[int, str]) -> Configuration:
    return Configuration(state, head, tuple(sorted((cell, symbol) for cell, symbol in tape.items() if symbol != "_")))


def step_back(rules: Sequence[Rule], after: Configuration) -> list[Configuration]:
    """All configurations from which one step leads here."""
    before, tape = [], dict(after.cells)
    for state, read, write, move, following in rules:
        cell = after.head - (1 if move == "R" else -1)
        if following == after.state and tape.get(cell, "_") == write:
            before.append(configuration(state, cell, {**tape, cell: read}))
    return before


def layers_back(rules: Sequence[Rule], final: Configuration, steps: int, limit: int) -> list[list[Configuration]]:
    """What the machine can have been one step before, two steps before and so on; fewer layers once there are more than `limit` in all."""
    layers, count = [[final]], 0
    while len(layers) <= steps and count <= limit:
        layers.append(list(dict.fromkeys(before for after in layers[-1] for before in step_back(rules, after))))
        count += len(layers[-1])
    return layers[1:]
