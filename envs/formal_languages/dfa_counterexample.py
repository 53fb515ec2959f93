"""Find a string about which two finite automata disagree.

Every such string within the allowed length is accepted. Where the limit is tight it is the length of the shortest.
"""

import re
from collections.abc import Iterator, Sequence
from itertools import islice

from rlgym import Config, Environment, Rng, Score, Task, TaskData, knob
from rlgym.answers import Text
from rlgym.generators import automata
from rlgym.generators.automata import Automaton
from rlgym.generators.steps import Line, ended, first_wrong

RING = Line("After {size} letters these pairs of states come up for the first time: {pairs}")
APART = Line("Of the pair (p{a}, q{b}) only {yes} is accepting and {no} is not")


class Knobs(Config):
    states: int = knob(6, easy=3, hard=24, doc="states of each automaton")
    letters: int = knob(2, easy=2, hard=3, doc="letters of the alphabet")
    names: str = knob(
        "mixed", easy="kept", hard="mixed", order=("kept", "mixed"), doc="whether the second automaton names its states as the first does"
    )
    limit: str = knob(
        "tight",
        easy="loose",
        hard="tight",
        order=("loose", "tight"),
        doc="how long the string may be: two letters longer than the shortest, or not",
    )


class Data(TaskData):
    alphabet: str
    steps: tuple[tuple[tuple[int, ...], ...], tuple[tuple[int, ...], ...]]
    accepting: tuple[tuple[bool, ...], tuple[bool, ...]]
    most: int


def generate(rng: Rng, knobs: Knobs) -> Task[Data]:
    alphabet = "".join(sorted(rng.sample("abcdefghijklmnorstuvwxyz", knobs.letters)))
    wanted = 2 if knobs.states < 5 else 4 if knobs.states < 10 else 5
    while True:
        one = _drawn(rng, knobs.states, knobs.letters)
        two = _changed(rng, one)
        if knobs.names == "mixed":
            two = _renamed(two, [0, *rng.shuffled(range(1, knobs.states))])
        told = automata.difference(one, two, alphabet)
        if told is not None and len(told) >= wanted:
            break
    most = len(told) + (2 if knobs.limit == "loose" else 0)
    data = Data(alphabet=alphabet, steps=(one.steps, two.steps), accepting=(one.accepting, two.accepting), most=most)
    return Task(_prompt(data), data)


def solve(task: Task[Data]) -> str:
    one, two = _both(task.data)
    told = automata.difference(one, two, task.data.alphabet)
    assert told is not None
    return told


def verify(task: Task[Data], answer: str) -> Score:
    data = task.data
    if len(answer) > data.most or not set(answer) <= set(data.alphabet):
        return Score.wrong(f"expected at most {data.most} letters from {', '.join(data.alphabet)}")
    one, two = _both(data)
    return Score.exact(_accepts(one, data.alphabet, answer) != _accepts(two, data.alphabet, answer), "the automata agree about this string")


def mistakes(task: Task[Data], right: str) -> list[str]:
    data = task.data
    strings = [right[:-1], right[1:], right[::-1], data.alphabet[0] * len(right), data.alphabet[-1] * len(right), right * (data.most + 1)]
    return [string for string in strings if string and verify(task, string).value == 0]


def cost(task: Task[Data]) -> float:
    one, two = _both(task.data)
    seen, rest = {(0, 0)}, [(0, 0, 0)]
    length = len(solve(task))
    for a, b, size in rest:
        if size < length:
            for pair in zip(one.steps[a], two.steps[b], strict=True):
                if pair not in seen:
                    seen.add(pair)
                    rest.append((*pair, size + 1))
    return len(seen) * len(task.data.alphabet) + len(one.steps) + (len(one.steps) if task.data.most == length else 0)


def explain(task: Task[Data]) -> list[str]:
    data, right = task.data, solve(task)
    one, two = _both(data)
    steps, ring, seen = [], [(0, 0, "")], {(0, 0)}
    for size in range(1, len(right) + 1):
        after = []
        for a, b, text in ring:
            for letter, pair in zip(data.alphabet, zip(one.steps[a], two.steps[b], strict=True), strict=True):
                if pair not in seen:
                    seen.add(pair)
                    after.append((*pair, text + letter))
        ring = after
        pairs = ", ".join(f"(p{a}, q{b})" for a, b, _ in ring)
        steps.append(RING.write(size=size, pairs=pairs))
    a, b = 0, 0
    for letter in right:
        place = data.alphabet.index(letter)
        a, b = one.steps[a][place], two.steps[b][place]
    yes, no = (f"p{a}", f"q{b}") if one.accepting[a] else (f"q{b}", f"p{a}")
    steps.append(APART.write(a=a, b=b, yes=yes, no=no))
    return [*steps, f"A string that leads there is {right}"]


def replay(task: Task[Data], steps: Sequence[str]) -> int | None:
    data = task.data
    rings = [{(0, 0)}]

    def follows(step: str) -> bool:
        if read := RING.read(step):
            after = {pair for a, b in rings[-1] for pair in zip(data.steps[0][a], data.steps[1][b], strict=True)}
            rings.append(after - set().union(*rings))
            told = sorted(re.findall(r"\(p(\d+), q(\d+)\)", read["pairs"]))
            plain = read["pairs"].count("(") == len(told)
            return plain and int(read["size"]) == len(rings) - 1 and told == sorted((str(a), str(b)) for a, b in rings[-1])
        read = APART.read(step)
        if not read:
            return False
        a, b = int(read["a"]), int(read["b"])
        yes, no = (f"p{a}", f"q{b}") if data.accepting[0][a] else (f"q{b}", f"p{a}")
        differ = data.accepting[0][a] != data.accepting[1][b]
        return differ and (a, b) in rings[-1] and (read["yes"], read["no"]) == (yes, no)

    return first_wrong(steps, follows, ended("A string that leads there is ", task, environment.answer, verify))


def _prompt(data: Data) -> str:
    told = []
    for title, letter, steps, accepting in zip(("First", "Second"), "pq", data.steps, data.accepting, strict=True):
        rows = [
            f"{letter}{state}: " + ", ".join(f"{read} to {letter}{there}" for read, there in zip(data.alphabet, row, strict=True))
            for state, row in enumerate(steps)
        ]
        final = ", ".join(f"{letter}{state}" for state, yes in enumerate(accepting) if yes) or "none"
        told.append(f"{title} automaton, starting in {letter}0, accepting states {final}:\n" + "\n".join(rows))
    listing = "\n\n".join(told)
    return (
        f"These are two deterministic finite automata that read the letters {', '.join(data.alphabet)}; each line tells to which state each letter leads.\n\n"
        f"{listing}\n\nAn automaton accepts a string if it is in an accepting state after reading all of it. Find a string of at most {data.most} letters that "
        "one of the two automata accepts and the other does not."
    )


def _both(data: Data) -> tuple[Automaton, Automaton]:
    one, two = (Automaton(steps, accepting) for steps, accepting in zip(data.steps, data.accepting, strict=True))
    return one, two


def _accepts(automaton: Automaton, alphabet: str, text: str) -> bool:
    state = 0
    for letter in text:
        state = automaton.steps[state][alphabet.index(letter)]
    return automaton.accepting[state]


def _drawn(rng: Rng, states: int, letters: int) -> Automaton:
    """A random automaton all of whose states can be reached."""
    steps = [[-1] * letters for _ in range(states)]
    for state in range(1, states):
        # A long way to most states, so that a difference may lie deep.
        free = [(before, letter) for before in range(max(0, state - 3), state) for letter in range(letters) if steps[before][letter] < 0]
        before, letter = rng.choice(free)
        steps[before][letter] = state
    rows = tuple(tuple(there if there >= 0 else rng.integer(0, states - 1) for there in row) for row in steps)
    return Automaton(rows, tuple(rng.chance(0.4) for _ in range(states)))


def _changed(rng: Rng, one: Automaton) -> Automaton:
    """The automaton with one arrow led elsewhere, or one state turned from accepting to not."""
    steps, accepting = [list(row) for row in one.steps], list(one.accepting)
    state = rng.integer(len(steps) // 2, len(steps) - 1)
    if rng.chance(0.3):
        accepting[state] = not accepting[state]
    else:
        steps[state][rng.integer(0, len(steps[0]) - 1)] = rng.integer(0, len(steps) - 1)
    return Automaton(tuple(map(tuple, steps)), tuple(accepting))


def _renamed(automaton: Automaton, names: list[int]) -> Automaton:
    steps: list[tuple[int, ...]] = [()] * len(names)
    accepting = [False] * len(names)
    for state, name in enumerate(names):
        steps[name] = tuple(names[there] for there in automaton.steps[state])
        accepting[name] = automaton.accepting[state]
    return Automaton(tuple(steps), tuple(accepting))


def _strings(task: Task[Data]) -> Iterator[str]:
    """Strings that end in a pair of states of which one accepts, built letter by letter from all pairs that can still get there."""
    data = task.data
    one, two = _both(data)
    every = range(len(one.steps))
    # away[k]: pairs from which some string of exactly k letters tells the automata apart.
    away = [{(a, b) for a in every for b in every if one.accepting[a] != two.accepting[b]}]
    for _ in range(data.most):
        away.append(
            {(a, b) for a in every for b in every if any(pair in away[-1] for pair in zip(one.steps[a], two.steps[b], strict=True))}
        )
    for size, _ in enumerate(away):
        stack = [(0, 0, "")]
        found = 0
        while stack and found < 3:
            a, b, text = stack.pop()
            if (a, b) not in away[size - len(text)]:
                continue
            if len(text) == size:
                found += 1
                yield text
                continue
            stack += [
                (*pair, text + letter) for letter, pair in zip(data.alphabet, zip(one.steps[a], two.steps[b], strict=True), strict=True)
            ]


def _others(task: Task[Data]) -> Iterator[str]:
    yield from islice(_strings(task), 6)


environment = Environment(
    Knobs,
    Text("the string, its letters without anything between them", most=200, fold=True, compact=True),
    generate,
    solve,
    verify,
    mistakes,
    cost,
    explain,
    replay=replay,
    answers="many",
    solutions=_others,
    concept="Run both automata side by side: look for the nearest pair of states of which just one accepts.",
)
