"""Deterministic automata as lines of text: written, and read back from an answer."""

from __future__ import annotations

from collections.abc import Sequence

from rlgym.generators.languages.automata import Automaton

FORMAT = (
    "Write one line `start: P` with the start state, one line `accept: P Q ...` with all accepting states, and for every state and every letter "
    "one line `P letter Q`, which says that reading the letter in state P leads to state Q. State names consist of letters and digits."
)


def render_automaton(automaton: Automaton, alphabet: str, name: str) -> tuple[str, ...]:
    """The lines of an automaton whose states are called `name` and a number."""
    accepting = " ".join(f"{name}{i}" for i, accepts in enumerate(automaton.accepting) if accepts)
    lines = [
        f"{name}{i} {letter} {name}{target}" for i, row in enumerate(automaton.steps) for letter, target in zip(alphabet, row, strict=True)
    ]
    return (f"start: {name}0", f"accept: {accepting}".rstrip(), *lines)


def parse_automaton(lines: Sequence[str], alphabet: str, max_states: int) -> Automaton | str:
    """The automaton that the lines spell, or what is wrong with them."""
    start, accepting = "", set[str]()
    steps: dict[str, dict[str, str]] = {}
    seen = {"start": 0, "accept": 0}
    for line in lines:
        head, colon, rest = line.replace(",", " ").replace("->", " ").partition(":")
        if colon and head.strip().lower() in seen:
            seen[head.strip().lower()] += 1
            start, accepting = (rest.strip(), accepting) if head.strip().lower() == "start" else (start, set(rest.split()))
            continue
        words = line.replace(",", " ").replace("->", " ").split()
        if colon or len(words) != 3 or words[1] not in alphabet or len(words[1]) != 1:
            return f"the line {line[:40]!r} does not say a state, a letter and a state"
        if words[1] in steps.setdefault(words[0], {}):
            return f"there are two lines for the state {words[0][:20]} and the letter {words[1]}"
        steps[words[0]][words[1]] = words[2]
    if seen != {"start": 1, "accept": 1}:
        return "there must be one line start: and one line accept:"
    if len(steps) > max_states:
        return f"at most {max_states} states are allowed"
    missing = {start, *accepting, *(target for row in steps.values() for target in row.values())} - set(steps)
    if missing or any(len(row) < len(alphabet) for row in steps.values()):
        return "some state has no line for some letter"
    order = [start, *(state for state in steps if state != start)]
    index = {state: i for i, state in enumerate(order)}
    return Automaton(
        tuple(tuple(index[steps[state][letter]] for letter in alphabet) for state in order), tuple(state in accepting for state in order)
    )
