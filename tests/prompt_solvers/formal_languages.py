"""Automata: design, minimisation, determinisation, counterexamples, pushdown runs and transducers."""

from __future__ import annotations

import re
from collections import deque

from prompt_solvers.automata import Dfa, conditions, explored, minimal
from prompt_solvers.registry import prompt_solver
from prompt_solvers.templates import group


@prompt_solver("dfa_design")
def solve_dfa_design(prompt: str) -> str:
    dfa = conditions(prompt)
    assert len(dfa.moves) <= int(group(r"Use at most (\d+) states", prompt))
    return dfa.lines()


@prompt_solver("dfa_minimise")
def solve_dfa_minimise(prompt: str) -> str:
    letters = group(r"over the alphabet ([\w, ]+)\.", prompt).replace(", ", "")
    start = group(r"starts in the state (\d+)", prompt)
    accepting = re.findall(r"\d+", group(r"its (?:accepting states are|only accepting state is) ([\d, and]+)\.", prompt))
    moves = {(state, letter): target for state, letter, target in re.findall(r"^(\d+) (\w) (\d+)$", prompt, re.M)}
    return minimal(explored(letters, start, lambda state, letter: moves[str(state), letter], lambda state: state in accepting)).lines()


@prompt_solver("nfa_to_dfa")
def solve_nfa_to_dfa(prompt: str) -> str:
    letters = group(r"over the alphabet ([\w, ]+)\.", prompt).replace(", ", "")
    start = group(r"its start state is (\d+)", prompt)
    accepting = set(re.findall(r"\d+", group(r"its accepting states? (?:are|is) ([^.]+)\.", prompt)))
    moves: dict[tuple[str, str], list[str]] = {}
    for state, letter, targets in re.findall(r"^(\d+) ([a-z-]) ([\d ]+)$", prompt, re.M):
        moves[state, letter] = targets.split()

    def closed(states: set[str]) -> frozenset[str]:
        stack, seen = list(states), set(states)
        while stack:
            new = set(moves.get((stack.pop(), "-"), [])) - seen
            seen |= new
            stack += new
        return frozenset(seen)

    def step(states: frozenset[str], letter: str) -> frozenset[str]:
        return closed({target for state in states for target in moves.get((state, letter), [])})

    return minimal(explored(letters, closed({start}), step, lambda states: bool(states & accepting))).lines()


@prompt_solver("dfa_counterexample")
def solve_dfa_counterexample(prompt: str) -> str:
    letters = group(r"read the letters ([\w, ]+)[;.]", prompt).replace(", ", "")
    machines = []
    for name in "pq":
        accepting = re.findall(rf"{name}\d+", group(rf"starting in {name}0, accepting states? ([\w, ]+):", prompt))
        rows = {state: dict(re.findall(r"(\w) to (\w+)", row)) for state, row in re.findall(rf"^({name}\d+): (.*)$", prompt, re.M)}
        machines.append((rows, accepting))
    queue, seen = deque([("p0", "q0", "")]), {("p0", "q0")}
    while queue:
        p, q, word = queue.popleft()
        if (p in machines[0][1]) != (q in machines[1][1]):
            assert len(word) <= int(group(r"of at most (\d+) letters", prompt))
            return word
        for letter in letters:
            pair = (machines[0][0][p][letter], machines[1][0][q][letter])
            if pair not in seen:
                seen.add(pair)
                queue.append((*pair, word + letter))
    raise ValueError("the automata are equal")


def word_that_is_read(prompt: str) -> str:
    """Forward through both machines, with one word for each pair of their states."""
    tables = [
        {state: re.findall(r"(\w) to (\w+) writing (\w)", row) for state, row in re.findall(rf"^({name}\d+): (.*)$", prompt, re.M)}
        for name in "st"
    ]
    reached = {("s0", "t0"): ""}
    for wanted in group(r"the second machine writes (\w+),", prompt):
        following = {}
        for (one, two), word in reached.items():
            for letter, target, between in tables[0][one]:
                for read, after, wrote in tables[1][two]:
                    if read == between and wrote == wanted:
                        following[target, after] = word + letter
        reached = following
    one, two = re.search(r"is in the state (s\d+) and the second in the state (t\d+)", prompt).groups()  # type: ignore[union-attr]
    return reached[one, two]


@prompt_solver("moore_mealy_output")
def solve_moore_mealy_output(prompt: str) -> str:
    if "Which word does the first machine read?" in prompt:
        return word_that_is_read(prompt)
    word = group(r"reads (\w+)\.", prompt)
    for name in "st":
        rows = re.findall(rf"^({name}\d+)(?: \(writes (\w)\))?: (.*)$", prompt, re.M)
        if not rows:
            break
        written = {state: letter for state, letter, _ in rows}
        moves = {state: {a: (b, c) for a, b, c in re.findall(r"(\w) to (\w+)(?: writing (\w))?", row)} for state, _, row in rows}
        state, output = f"{name}0", ""
        for letter in word:
            state, letter_out = moves[state][letter]
            output += letter_out or written[state]
        word = output
    return word


@prompt_solver("pda_run")
def solve_pda_run(prompt: str) -> str:
    rules = re.findall(r"^(\d+)\. (\d+) (\S) (\w) -> (\d+) (\S+)$", prompt, re.M)
    word = group(r"reads the whole string (\w+)", prompt)
    start = ("0", 0, "Z")
    came: dict[tuple[str, int, str], tuple[tuple[str, int, str], str] | None] = {start: None}
    queue = deque([start])
    while queue:
        here = queue.popleft()
        state, at, stack = here
        if at == len(word) and not stack:
            run = []
            while came[here] is not None:
                here, number = came[here]  # type: ignore[misc]
                run.append(number)
            return ", ".join(reversed(run))
        for number, source, letter, top, target, pushed in rules:
            if source != state or stack[:1] != top or (letter != "-" and word[at : at + 1] != letter):
                continue
            new = (target, at + (letter != "-"), pushed.strip("-") + stack[1:])
            if new not in came and len(new[2]) <= len(word) + 2:
                came[new] = (here, number)
                queue.append(new)
    raise ValueError("no run empties the stack")


def eliminated(dfa: Dfa) -> str:
    """A regular expression of the words of an automaton, by removing its states one by one."""
    start, end = -1, -2
    arrows: dict[tuple[int, int], str] = {(start, 0): ""}
    arrows |= {(state, end): "" for state in dfa.accepting}
    for state, row in enumerate(dfa.moves):
        for letter, target in row.items():
            old = arrows.get((state, target))
            arrows[state, target] = letter if old is None else f"{old}|{letter}"

    def wrapped(part: str) -> str:
        return f"({part})" if "|" in part else part

    def weight(state: int) -> int:
        return sum(len(text) + 3 for arrow, text in arrows.items() if state in arrow)

    left = set(range(len(dfa.moves)))
    while left:
        state = min(left, key=weight)
        left.remove(state)
        loop = arrows.pop((state, state), "")
        middle = "" if not loop else f"{loop}*" if len(loop) == 1 else f"({loop})*"
        into = {a: text for (a, b), text in arrows.items() if b == state}
        out = {b: text for (a, b), text in arrows.items() if a == state}
        arrows = {arrow: text for arrow, text in arrows.items() if state not in arrow}
        for a, first in into.items():
            for b, last in out.items():
                path = wrapped(first) + middle + wrapped(last)
                old = arrows.get((a, b))
                arrows[a, b] = path if old is None else path if old == path else f"{old or '()'}|{path or '()'}"
    return arrows[start, end] or "()"


@prompt_solver("regex_write")
def solve_regex_write(prompt: str) -> str:
    return eliminated(conditions(prompt))
