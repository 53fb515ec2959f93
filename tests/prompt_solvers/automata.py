"""Finite automata as values, minimised by Brzozowski's double reversal, and conditions on strings as automata."""

from __future__ import annotations

import re
from collections.abc import Callable, Hashable, Iterable
from dataclasses import dataclass
from itertools import product


@dataclass(frozen=True)
class Dfa:
    """A complete deterministic automaton whose states are 0 to n - 1, starting in 0."""

    letters: str
    moves: tuple[dict[str, int], ...]
    accepting: frozenset[int]

    def accepts(self, word: str) -> bool:
        """Whether the automaton accepts the word."""
        state = 0
        for letter in word:
            state = self.moves[state][letter]
        return state in self.accepting

    def lines(self) -> str:
        """The automaton in the lines that the prompts ask for."""
        rows = ["start: q0", "accept: " + " ".join(f"q{state}" for state in sorted(self.accepting))]
        rows += [f"q{state} {letter} q{target}" for state, row in enumerate(self.moves) for letter, target in row.items()]
        return "\n".join(rows)


def explored(letters: str, start: Hashable, step: Callable[[Hashable, str], Hashable], accepts: Callable[[Hashable], bool]) -> Dfa:
    """The automaton of the states that can be reached from the start by the steps."""
    states, moves = {start: 0}, []
    order = [start]
    for state in order:
        row = {}
        for letter in letters:
            target = step(state, letter)
            if target not in states:
                states[target] = len(states)
                order.append(target)
            row[letter] = states[target]
        moves.append(row)
    return Dfa(letters, tuple(moves), frozenset(states[state] for state in order if accepts(state)))


def reversed_subsets(dfa: Dfa) -> Dfa:
    """A deterministic automaton of the reversed words."""

    def step(targets: Iterable[int], letter: str) -> frozenset[int]:
        return frozenset(state for state, row in enumerate(dfa.moves) if row[letter] in targets)

    return explored(dfa.letters, dfa.accepting, step, lambda states: 0 in states)


def minimal(dfa: Dfa) -> Dfa:
    """The smallest automaton of the same words."""
    return reversed_subsets(reversed_subsets(dfa))


def has_suffix(word: str, letters: str) -> Dfa:
    """Words that end with `word`: the state is the last letters read."""
    return explored(letters, "", lambda seen, letter: (seen + letter)[-len(word) :], lambda seen: seen == word)


def condition(text: str, letters: str) -> Dfa:
    """The automaton of one condition, written as in the prompts."""
    text = text.strip(" .;").removeprefix("it ")
    word, size = text.split()[-1], len(text.split()[-1])
    if text.startswith("ends with "):
        return has_suffix(word, letters)
    if text.startswith("starts with "):
        return explored(letters, "", lambda seen, c: (seen + c)[:size], lambda seen: seen == word)
    if text.startswith(("contains ", "does not contain ")):
        inside = text.startswith("contains")
        return explored(letters, "", lambda seen, c: seen if seen == word else (seen + c)[-size:], lambda seen: (seen == word) == inside)
    remainder = re.fullmatch(r"has a (?:number of letters (\w)|length) that leaves the remainder (\d+) when divided by (\d+)", text)
    if remainder:
        counted, rest, modulus = remainder[1] or letters, int(remainder[2]), int(remainder[3])
        return explored(letters, 0, lambda n, c: (n + (c in counted)) % modulus, lambda n: n == rest)
    number = re.fullmatch(r"has (exactly|at most|at least) (\d+) letters? (\w)", text)
    if number:
        kind, bound, counted = number[1], int(number[2]), number[3]
        allowed = {"exactly": {bound}, "at most": set(range(bound + 1)), "at least": {bound, bound + 1}}[kind]
        return explored(letters, 0, lambda n, c: min(n + (c == counted), bound + 1), lambda n: n in allowed)
    raise ValueError(f"an unknown condition: {text!r}")


def conditions(prompt: str) -> Dfa:
    """The smallest automaton of the conditions of a prompt."""
    found = re.search(r"over the alphabet ([\w, ]+) that .* for which (.*?)\. The empty", prompt)
    if found is None:
        raise ValueError("the prompt has no conditions")
    letters, text = found[1].replace(", ", ""), found[2].split(": ", 1)
    parts = [condition(re.sub(r"^\(\d+\) ", "", part), letters) for part in text[1].split("; ")]
    joined = {"this is true": all, "at least one of these is true": any, "all of these are true": all}[text[0]]
    return minimal(
        explored(
            letters,
            (0,) * len(parts),
            lambda states, c: tuple(part.moves[state][c] for part, state in zip(parts, states, strict=True)),
            lambda states: joined(state in part.accepting for part, state in zip(parts, states, strict=True)),
        )
    )


def words_up_to(letters: str, length: int) -> Iterable[str]:
    """All words of at most so many letters, the shortest first."""
    for size in range(length + 1):
        yield from map("".join, product(letters, repeat=size))
