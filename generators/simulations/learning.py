"""Learning a finite automaton from answers about words: hidden machines, the shortest word that tells two apart, and what to ask next."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import product
from typing import NamedTuple

from rlgym.core.rng import Rng


class Machine(NamedTuple):
    """State 0 is the start; a row of `moves` has a state for each letter."""

    letters: str
    moves: tuple[tuple[int, ...], ...]
    accepting: tuple[bool, ...]


def accepts(machine: Machine, word: str) -> bool:
    state = 0
    for letter in word:
        state = machine.moves[state][machine.letters.index(letter)]
    return machine.accepting[state]


def distinguishing_word(first: Machine, second: Machine) -> str | None:
    """The shortest word, first in the alphabet, that only one of them accepts; None where they accept the same words."""
    words = {(0, 0): ""}
    queue = [(0, 0)]
    for a, b in queue:
        if first.accepting[a] != second.accepting[b]:
            return words[a, b]
        for place, letter in enumerate(first.letters):
            after = first.moves[a][place], second.moves[b][place]
            if after not in words:
                words[after] = words[a, b] + letter
                queue.append(after)
    return None


def machine(rng: Rng, letters: str, states: int) -> Machine:
    """A machine that none of fewer states can replace."""
    while True:
        moves = tuple(tuple(rng.integer(0, states - 1) for _ in letters) for _ in range(states))
        accepting = tuple(rng.chance(0.5) for _ in range(states))
        candidate = Machine(letters, moves, accepting)
        if len(_classes(candidate)) == states:
            return candidate


def reversible(rng: Rng, letters: str, states: int) -> Machine:
    """A machine each of whose letters moves every state to a different one, so that every letter can be undone."""
    while True:
        columns = [rng.shuffled(range(states)) for _ in letters]
        candidate = Machine(letters, tuple(zip(*columns, strict=True)), tuple(rng.chance(0.5) for _ in range(states)))
        if len(_classes(candidate)) == states:
            return candidate


def next_step(letters: str, known: Mapping[str, bool], counterexamples: Sequence[str]) -> list[str] | Machine:
    """Words to ask for next, or a machine that fits all that is known: Angluin's table, with every suffix of the counterexamples."""
    heads, tails = [""], list(dict.fromkeys(["", *(word[k:] for word in counterexamples for k in range(len(word)))]))
    while True:
        rows = [*heads, *(head + letter for head in heads for letter in letters)]
        missing = dict.fromkeys(row + tail for row in rows for tail in tails if row + tail not in known)
        if missing:
            return list(missing)
        table = {row: tuple(known[row + tail] for tail in tails) for row in rows}
        states = {table[head]: place for place, head in reversed(list(enumerate(heads)))}
        fresh = next((row for row in rows if table[row] not in states), None)
        if fresh is None:
            moves = tuple(tuple(states[table[head + letter]] for letter in letters) for head in heads)
            return Machine(letters, moves, tuple(known[head] for head in heads))
        heads.append(fresh)


def effort(hidden: Machine, given: Mapping[str, bool]) -> tuple[int, int]:
    """How many words `next_step` asks for, and how many machines it proposes."""
    known, counterexamples, queries, proposed = dict(given), list[str](), 0, 0
    while True:
        step = next_step(hidden.letters, known, counterexamples)
        if isinstance(step, list):
            queries += len(step)
            known |= {word: accepts(hidden, word) for word in step}
            continue
        proposed += 1
        counterexample = distinguishing_word(hidden, step)
        if counterexample is None:
            return queries, proposed
        known[counterexample] = accepts(hidden, counterexample)
        counterexamples.append(counterexample)


def examples(rng: Rng, hidden: Machine, count: int, longest: int) -> dict[str, bool]:
    words = ["".join(word) for length in range(1, longest + 1) for word in product(hidden.letters, repeat=length)]
    return {word: accepts(hidden, word) for word in sorted(rng.sample(words, count), key=lambda word: (len(word), word))}


def _classes(automaton: Machine) -> set[tuple[int, ...]]:
    """The reachable states, as classes of states that no word tells apart."""
    queue = [0]
    for state in queue:
        queue += [after for after in dict.fromkeys(automaton.moves[state]) if after not in queue]
    kind = [int(flag) for flag in automaton.accepting]
    while True:
        signs = [(kind[state], *(kind[after] for after in automaton.moves[state])) for state in range(len(kind))]
        order = {sign: place for place, sign in enumerate(dict.fromkeys(signs))}
        finer = [order[sign] for sign in signs]
        if len(set(finer)) == len(set(kind)):
            return {(finer[state],) for state in queue}
        kind = finer
