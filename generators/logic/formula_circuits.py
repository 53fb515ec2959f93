"""Circuits of logic gates: sampled, written, parsed, and evaluated for one row of inputs or for all rows at once."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from rlgym.core.rng import Rng

WORK: dict[str, Callable[[int, int], int]] = {
    "and": lambda a, b: a & b,
    "or": lambda a, b: a | b,
    "xor": lambda a, b: a ^ b,
    "nand": lambda a, b: ~(a & b),
    "nor": lambda a, b: ~(a | b),
}
_KINDS = "and|or|xor|nand|nor"
_GATE = re.compile(
    rf"g(\d{{1,3}}) ?(?:=|:=|:) ?(?:({_KINDS}) ?\(? ?(\w{{1,4}}) ?[, ] ?(\w{{1,4}}) ?\)?|not ?\(? ?(\w{{1,4}}) ?\)?|(\w{{1,4}}) ({_KINDS}) (\w{{1,4}}))"
)


@dataclass(frozen=True)
class Gate:
    """What a gate does (`not`, or one of two inputs), and the names of its inputs."""

    kind: str
    inputs: tuple[str, ...]


def gate_of(line: str) -> tuple[str, Gate] | None:
    """The name and gate that a line such as `g3 = a nand g1` spells; None of any other line."""
    match = _GATE.fullmatch(line.strip().lower()) if len(line) < 80 else None
    if match is None:
        return None
    number, head, first, second, single, left, middle, right = match.groups()
    if single:
        return f"g{int(number)}", Gate("not", (single,))
    return f"g{int(number)}", Gate(head, (first, second)) if head else Gate(middle, (left, right))


def spell(name: str, gate: Gate) -> str:
    """The line that `gate_of` reads."""
    return f"{name} = not {gate.inputs[0]}" if gate.kind == "not" else f"{name} = {gate.inputs[0]} {gate.kind} {gate.inputs[1]}"


def value(gate: Gate, values: Mapping[str, int], every: int) -> int:
    """What the gate makes of its inputs' bits, row by row."""
    first = values[gate.inputs[0]]
    return every & (~first if gate.kind == "not" else WORK[gate.kind](first, values[gate.inputs[1]]))


class Search:
    """A circuit with the wanted tables, found by trying all circuits of a number of gates.

    Tables that are made are kept in `made` as (kind, place, place) among the inputs and those made before.
    """

    def __init__(self, tables: Sequence[int], every: int, kinds: Sequence[str], target: Sequence[int]) -> None:
        self.tables, self.every, self.kinds, self.wanted = list(tables), every, tuple(kinds), frozenset(target)
        self.made: list[tuple[str, int, int]] = []

    def found(self, gates: int) -> bool:
        """Whether so many more gates can make what is wanted."""
        missing = self.wanted.difference(self.tables)
        if not missing or len(missing) > gates:
            return not missing
        if gates == 1:
            return self._last(min(missing))
        last = len(self.tables) - 1
        for table, how in self._new().items():
            if len(missing) == gates and table not in missing:
                continue
            # Two gates of which the later does not take the earlier are tried in one order only.
            if self.made and last not in how[1:] and how < self.made[-1]:
                continue
            self.tables.append(table)
            self.made.append(how)
            if self.found(gates - 1):
                return True
            self.tables.pop()
            self.made.pop()
        return False

    def _last(self, target: int) -> bool:
        tables, every = self.tables, self.every
        for kind in self.kinds:
            work = WORK.get(kind)
            for j, second in enumerate(tables):
                if kind in ("not", "nand", "nor") and every & ~second == target:
                    self.made.append((kind, j, j))
                    return True
                if work:
                    for i in range(j):
                        if every & work(tables[i], second) == target:
                            self.made.append((kind, i, j))
                            return True
        return False

    def _new(self) -> dict[int, tuple[str, int, int]]:
        """The tables that one more gate can make, each with the first way to make it."""
        tables, every = self.tables, self.every
        out: dict[int, tuple[str, int, int]] = {}
        for kind in self.kinds:
            work = WORK.get(kind)
            for j, second in enumerate(tables):
                if kind in ("not", "nand", "nor"):
                    out.setdefault(every & ~second, (kind, j, j))
                if work:
                    for i in range(j):
                        out.setdefault(every & work(tables[i], second), (kind, i, j))
        for table in (*tables, 0, every):
            out.pop(table, None)
        return out

    def lines(self, names: Sequence[str]) -> list[str]:
        """What was made, written as gates."""
        names = [*names, *(f"g{number}" for number in range(1, len(self.made) + 1))]
        gates = [Gate(kind, (names[i],) if kind == "not" else (names[i], names[j])) for kind, i, j in self.made]
        return [spell(f"g{number}", gate) for number, gate in enumerate(gates, 1)]


def sample(rng: Rng, inputs: Sequence[str], gates: int, kinds: Sequence[str]) -> list[tuple[str, Gate]]:
    """Gates that each take inputs or earlier gates; late ones are taken more often, and all but the last are taken once at least."""
    made: list[tuple[str, Gate]] = []
    names, idle = list(inputs), list(inputs)
    for number in range(1, gates + 1):
        kind = rng.choice(kinds)
        arity = 1 if kind == "not" else 2
        take = rng.sample(idle, min(len(idle), arity)) if rng.chance(0.6) or len(idle) > gates - number + 1 else []
        while len(take) < arity:
            other = rng.choice(names)
            take += [other] if other not in take else []
        idle = [name for name in idle if name not in take] + [f"g{number}"]
        names.append(f"g{number}")
        made.append((f"g{number}", Gate(kind, tuple(take))))
    return made
