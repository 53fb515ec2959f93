"""Nondeterministic automata with arrows that read nothing: run, and made deterministic by following sets of states."""

from __future__ import annotations

from collections.abc import Iterable

from rlgym.core.task import TaskData
from rlgym.generators.languages.automata import Automaton

Arrow = tuple[int, str, int]  # from, letter ("" reads nothing), to


class Nondeterministic(TaskData):
    """States 0 to `states` - 1, of which 0 is the first."""

    states: int
    arrows: tuple[Arrow, ...]
    accepting: tuple[int, ...]


def epsilon_closure(machine: Nondeterministic, states: Iterable[int]) -> tuple[int, ...]:
    """The states, and those that are reached from them by arrows that read nothing, in order."""
    closure = sorted(set(states))
    for state in closure:
        closure += [target for source, letter, target in machine.arrows if source == state and not letter and target not in closure]
    return tuple(sorted(closure))


def move(machine: Nondeterministic, states: Iterable[int], letter: str) -> tuple[int, ...]:
    """Where one letter can lead from a set of states that is closed under silent arrows."""
    current = set(states)
    return epsilon_closure(machine, [target for source, read, target in machine.arrows if read == letter and source in current])


def subset_construction(machine: Nondeterministic, alphabet: str, max_sets: int) -> tuple[Automaton, list[tuple[int, ...]]] | None:
    """The automaton of all sets that can be reached, and those sets; None if there are more than `most`."""
    order = [epsilon_closure(machine, [0])]
    index = {order[0]: 0}
    rows = []
    for states in order:
        row = []
        for letter in alphabet:
            target = move(machine, states, letter)
            if target not in index:
                if len(order) == max_sets:
                    return None
                index[target] = len(order)
                order.append(target)
            row.append(index[target])
        rows.append(tuple(row))
    final = set(machine.accepting)
    return Automaton(tuple(rows), tuple(bool(final & set(states)) for states in order)), order
