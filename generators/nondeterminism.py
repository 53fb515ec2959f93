"""Nondeterministic automata with arrows that read nothing: run, and made deterministic by following sets of states."""

from __future__ import annotations

from collections.abc import Iterable

from rlgym.core.task import TaskData
from rlgym.generators.automata import Automaton

Arrow = tuple[int, str, int]  # from, letter ("" reads nothing), to


class Nondeterministic(TaskData):
    """States 0 to `states` - 1, of which 0 is the first."""

    states: int
    arrows: tuple[Arrow, ...]
    accepting: tuple[int, ...]


def silent(machine: Nondeterministic, states: Iterable[int]) -> tuple[int, ...]:
    """The states, and those that are reached from them by arrows that read nothing, in order."""
    found = sorted(set(states))
    for state in found:
        found += [there for here, letter, there in machine.arrows if here == state and not letter and there not in found]
    return tuple(sorted(found))


def after(machine: Nondeterministic, states: Iterable[int], letter: str) -> tuple[int, ...]:
    """Where one letter can lead from a set of states that is closed under silent arrows."""
    inside = set(states)
    return silent(machine, [there for here, read, there in machine.arrows if read == letter and here in inside])


def subsets(machine: Nondeterministic, alphabet: str, most: int) -> tuple[Automaton, list[tuple[int, ...]]] | None:
    """The automaton of all sets that can be reached, and those sets; None if there are more than `most`."""
    order = [silent(machine, [0])]
    index = {order[0]: 0}
    rows = []
    for states in order:
        row = []
        for letter in alphabet:
            there = after(machine, states, letter)
            if there not in index:
                if len(order) == most:
                    return None
                index[there] = len(order)
                order.append(there)
            row.append(index[there])
        rows.append(tuple(row))
    final = set(machine.accepting)
    return Automaton(tuple(rows), tuple(bool(final & set(states)) for states in order)), order
