"""Tests that hold rarely at a place of a program, made from what its variables hold there in runs on many inputs."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from rlgym.core.rng import Rng
from rlgym.generators.programs import drawing, interpreter
from rlgym.generators.programs.bounded_operators import Stopped
from rlgym.generators.programs.drawing import Arguments

CONTINUED = ("else:", "elif ", "except", "finally:")
MOST_PASSED, SOME = 60, 30
Names = dict[str, Any]


@dataclass(frozen=True)
class Test:
    """A test as text, and what it means for the variables."""

    text: str
    holds: Callable[[Names], bool]


@dataclass(frozen=True)
class Place:
    """A place in a program, before line `line` (from 1), and what the variables hold there: for each input, each time it is passed."""

    source: str
    line: int
    inputs: tuple[Arguments, ...]
    states: tuple[tuple[Names, ...], ...]

    def with_lines(self, added: Sequence[str]) -> str:
        """The program with lines put in there."""
        lines = self.source.split("\n")
        before = lines[self.line - 1]
        indent = before[: len(before) - len(before.lstrip())]
        return "\n".join([*lines[: self.line - 1], *(indent + line for line in added), *lines[self.line - 1 :]])


def place(rng: Rng, source: str, inputs: Sequence[Arguments], last: bool = False, fuel: int = drawing.FUEL) -> Place | None:
    """A place in `solve` that is passed; with `last` the one before its last line. None if a run on an input does not end."""
    lines = source.split("\n")
    start = next(i for i, line in enumerate(lines) if line.startswith("def solve")) + 1
    able = [i + 1 for i in range(start + 2, len(lines)) if not lines[i].lstrip().startswith(CONTINUED)]
    line = able[-1] if last else rng.choice(able[len(able) // 3 :])
    marked = interpreter.program(Place(source, line, (), ()).with_lines(["pass"]))
    states = []
    for arguments in inputs:
        seen: list[Names] = []

        def watch(at: int, names: Names, seen: list[Names] = seen) -> None:
            if at == line:
                kept = {name: value for name, value in names.items() if isinstance(value, int)}
                seen.append(kept | {name: value[:] for name, value in names.items() if isinstance(value, list)})

        try:
            ended = drawing.run(marked, arguments, fuel, watch)
        except Stopped:
            return None
        if ended.raised or len(seen) > MOST_PASSED:
            return None
        states.append(tuple(seen))
    return Place(source, line, tuple(inputs), tuple(states)) if any(states) else None


def rare(rng: Rng, at: Place, parts: int, most: float, tries: int = 20) -> tuple[list[Test], list[Arguments]] | None:
    """Tests that hold together at this place for some of the inputs, but for no greater part of them than `most`; and those inputs.

    None of the tests holds always.
    """
    passed = [state for states in at.states for state in states]
    common = [name for name in passed[0] if all(name in state for state in passed)]
    numbers = [name for name in common if all(isinstance(state[name], int) for state in passed)]
    lists = [name for name in common if all(isinstance(state[name], list) for state in passed)]
    for _ in range(tries):
        state = rng.choice(passed)
        tests = [_test(rng, state, numbers, lists) for _ in range(parts)]
        if any(all(test.holds(other) for other in passed[:SOME]) for test in tests):
            continue
        reached = [
            arguments
            for arguments, states in zip(at.inputs, at.states)
            if any(all(test.holds(names) for test in tests) for names in states)
        ]
        if 0 < len(reached) <= most * len(at.inputs):
            return tests, reached
    return None


def _test(rng: Rng, state: Names, numbers: Sequence[str], lists: Sequence[str]) -> Test:
    """A test that holds in this state."""
    modulus, factor = rng.integer(3, 9), rng.integer(2, 5)
    first, second = rng.choice(numbers), rng.choice(numbers)
    forms: list[tuple[str, Callable[[Names], int]]] = [
        (f"{first} % {modulus}", lambda names: int(names[first] % modulus)),
        (f"({first} + {second}) % {modulus}", lambda names: int((names[first] + names[second]) % modulus)),
        (f"({factor} * {first} - {second}) % {modulus}", lambda names: int((factor * names[first] - names[second]) % modulus)),
        (f"abs({first} - {second}) // {factor}", lambda names: abs(names[first] - names[second]) // factor),
    ]
    forms = forms if first != second else forms[:1]
    if lists and rng.chance(0.4):
        list_name = rng.choice(lists)
        forms = [
            (f"len({list_name})", lambda names: len(names[list_name])),
            (f"sum({list_name}) % {modulus}", lambda names: int(sum(names[list_name]) % modulus)),
            (f"{list_name}.count({first} % {modulus})", lambda names: int(names[list_name].count(names[first] % modulus))),
        ]
    elif first != second and rng.chance(0.3):
        sign = "<" if state[first] < state[second] else ">="
        return Test(f"{first} {sign} {second}", lambda names: (names[first] < names[second]) == (sign == "<"))
    text, value = rng.choice(forms)
    expected = value(state)
    return Test(f"{text} == {expected}", lambda names: value(names) == expected)
