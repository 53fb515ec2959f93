"""Find a string about which two finite automata disagree.

Every such string within the allowed length is accepted. Where the limit is tight it is the length of the shortest.
"""

import re
from collections import Counter
from collections.abc import Iterator
from itertools import islice

from rlgym import Config, Environment, Rng, Score, Task, TaskData, knob
from rlgym.answers import Text
from rlgym.generators.languages import automata
from rlgym.generators.languages.automata import Automaton
from rlgym.solutions import Checks, Derivation, Solution, Step

MOST_WORDS = 16  # at most one string in so many may distinguish the automata, at every length that is allowed
RING = Step("After {size:int} letter(s) these pairs of states come up for the first time: {pairs}")
APART = Step("Of the pair (p{a:int}, q{b:int}) only {yes} is accepting and {no} is not")


class Knobs(Config):
    states: int = knob(6, easy=4, hard=24, doc="states of each automaton")
    letters: int = knob(2, easy=2, hard=3, doc="letters of the alphabet")
    names: str = knob(
        "mixed", easy="kept", hard="mixed", order=("kept", "mixed"), doc="whether the second automaton names its states as the first does"
    )
    limit: str = knob(
        "tight",
        easy="loose",
        hard="tight",
        order=("loose", "tight"),
        doc="how long the string may be: a letter longer than the shortest, or not",
    )


class Data(TaskData):
    alphabet: str
    steps: tuple[tuple[tuple[int, ...], ...], tuple[tuple[int, ...], ...]]
    accepting: tuple[tuple[bool, ...], tuple[bool, ...]]
    most: int


def generate(rng: Rng, knobs: Knobs) -> Task[Data]:
    alphabet = "".join(sorted(rng.sample("abcdefghijklmnorstuvwxyz", knobs.letters)))
    min_length = 4 if knobs.states < 6 else 5 if knobs.states < 10 else 6
    while True:
        first = _sample_automaton(rng, knobs.states, knobs.letters)
        second = _mutate(rng, first)
        if knobs.names == "mixed":
            second = _rename(second, [0, *rng.shuffled(range(1, knobs.states))])
        counterexample = automata.distinguishing_string(first, second, alphabet)
        if counterexample is None or len(counterexample) < min_length:
            continue
        most = len(counterexample) + (1 if knobs.limit == "loose" else 0)
        if _share(first, second, most) * MOST_WORDS <= 1:
            break
    data = Data(alphabet=alphabet, steps=(first.steps, second.steps), accepting=(first.accepting, second.accepting), most=most)
    return Task(_render_prompt(data), data)


def solve(task: Task[Data]) -> str:
    first, second = _both_automata(task.data)
    counterexample = automata.distinguishing_string(first, second, task.data.alphabet)
    assert counterexample is not None
    return counterexample


def verify(task: Task[Data], answer: str) -> Score:
    data = task.data
    if len(answer) > data.most or not set(answer) <= set(data.alphabet):
        return Score.wrong(f"expected at most {data.most} letters from {', '.join(data.alphabet)}")
    first, second = _both_automata(data)
    return Score.exact(
        _accepts(first, data.alphabet, answer) != _accepts(second, data.alphabet, answer), "the automata agree about this string"
    )


def mistakes(task: Task[Data], right: str) -> list[str]:
    data = task.data
    strings = [right[:-1], right[1:], right[::-1], data.alphabet[0] * len(right), data.alphabet[-1] * len(right), right * (data.most + 1)]
    return [string for string in strings if string and verify(task, string).value == 0]


def cost(task: Task[Data]) -> float:
    first, second = _both_automata(task.data)
    seen, rest = {(0, 0)}, [(0, 0, 0)]
    length = len(solve(task))
    for a, b, size in rest:
        if size < length:
            for pair in zip(first.steps[a], second.steps[b], strict=True):
                if pair not in seen:
                    seen.add(pair)
                    rest.append((*pair, size + 1))
    return len(seen) * len(task.data.alphabet) + len(first.steps) + (len(first.steps) if task.data.most == length else 0)


def derive(task: Task[Data]) -> Derivation:
    data, right = task.data, solve(task)
    first, two = _both_automata(data)
    ring, seen = [(0, 0)], {(0, 0)}
    for size in range(1, len(right) + 1):
        after = [pair for a, b in ring for pair in zip(first.steps[a], two.steps[b], strict=True)]
        ring = list(dict.fromkeys(pair for pair in after if pair not in seen))
        seen |= {*ring}
        yield RING(size=size, pairs=[f"(p{a}, q{b})" for a, b in ring])
    a, b = 0, 0
    for letter in right:
        place = data.alphabet.index(letter)
        a, b = first.steps[a][place], two.steps[b][place]
    yes, no = _distinguish(data, a, b)
    yield APART(a=a, b=b, yes=yes, no=no)


def checks(task: Task[Data]) -> Checks:
    data = task.data
    rings = [{(0, 0)}]

    def is_ring(size: int, pairs: str) -> bool:
        after = {pair for a, b in rings[-1] for pair in zip(data.steps[0][a], data.steps[1][b], strict=True)}
        rings.append(after - set().union(*rings))
        named = sorted(re.findall(r"\(p(\d+), q(\d+)\)", pairs))
        right = sorted((str(a), str(b)) for a, b in rings[-1])
        return pairs.count("(") == len(named) and size == len(rings) - 1 and named == right

    def differs(a: int, b: int, yes: str, no: str) -> bool:
        return data.accepting[0][a] != data.accepting[1][b] and (a, b) in rings[-1] and (yes, no) == _distinguish(data, a, b)

    return {RING: is_ring, APART: differs}


def _render_prompt(data: Data) -> str:
    counterexample = []
    for title, letter, steps, accepting in zip(("First", "Second"), "pq", data.steps, data.accepting, strict=True):
        rows = [
            f"{letter}{state}: " + ", ".join(f"{read} to {letter}{target}" for read, target in zip(data.alphabet, row, strict=True))
            for state, row in enumerate(steps)
        ]
        final = ", ".join(f"{letter}{state}" for state, yes in enumerate(accepting) if yes) or "none"
        counterexample.append(f"{title} automaton, starting in {letter}0, accepting states {final}:\n" + "\n".join(rows))
    listing = "\n\n".join(counterexample)
    return (
        f"These are two deterministic finite automata that read the letters {', '.join(data.alphabet)}; each line says which state each letter leads to.\n\n"
        f"{listing}\n\nAn automaton accepts a string if it is in an accepting state after reading all of it. "
        f"Find a string of at most {data.most} letters that "
        "one of the two automata accepts and the other does not."
    )


def _both_automata(data: Data) -> tuple[Automaton, Automaton]:
    first, second = (Automaton(steps, accepting) for steps, accepting in zip(data.steps, data.accepting, strict=True))
    return first, second


def _distinguish(data: Data, a: int, b: int) -> tuple[str, str]:
    """The accepting state of a pair, then the other."""
    return (f"p{a}", f"q{b}") if data.accepting[0][a] else (f"q{b}", f"p{a}")


def _accepts(automaton: Automaton, alphabet: str, text: str) -> bool:
    state = 0
    for letter in text:
        state = automaton.steps[state][alphabet.index(letter)]
    return automaton.accepting[state]


def _sample_automaton(rng: Rng, states: int, letters: int) -> Automaton:
    """A random automaton all of whose states can be reached."""
    steps = [[-1] * letters for _ in range(states)]
    for state in range(1, states):
        # A long way to most states, so that a difference may lie deep.
        free = [(before, letter) for before in range(max(0, state - 3), state) for letter in range(letters) if steps[before][letter] < 0]
        before, letter = rng.choice(free)
        steps[before][letter] = state
    rows = tuple(tuple(target if target >= 0 else rng.integer(0, states - 1) for target in row) for row in steps)
    return Automaton(rows, tuple(rng.chance(0.4) for _ in range(states)))


def _mutate(rng: Rng, first: Automaton) -> Automaton:
    """The automaton with one arrow led elsewhere, or one state turned from accepting to not."""
    steps, accepting = [list(row) for row in first.steps], list(first.accepting)
    state = rng.integer(len(steps) // 2, len(steps) - 1)
    if rng.chance(0.3):
        accepting[state] = not accepting[state]
    else:
        steps[state][rng.integer(0, len(steps[0]) - 1)] = rng.integer(0, len(steps) - 1)
    return Automaton(tuple(map(tuple, steps)), tuple(accepting))


def _share(first: Automaton, second: Automaton, longest: int) -> float:
    """The largest share, over the lengths up to the longest, of strings of one length that distinguish the automata."""
    share, pairs = 0.0, Counter({(0, 0): 1})
    for _ in range(longest):
        after: Counter[tuple[int, int]] = Counter()
        for (a, b), count in pairs.items():
            for pair in zip(first.steps[a], second.steps[b], strict=True):
                after[pair] += count
        pairs = after
        differ = sum(count for (a, b), count in pairs.items() if first.accepting[a] != second.accepting[b])
        share = max(share, differ / pairs.total())
    return share


def _rename(automaton: Automaton, names: list[int]) -> Automaton:
    steps: list[tuple[int, ...]] = [()] * len(names)
    accepting = [False] * len(names)
    for state, name in enumerate(names):
        steps[name] = tuple(names[target] for target in automaton.steps[state])
        accepting[name] = automaton.accepting[state]
    return Automaton(tuple(steps), tuple(accepting))


def _strings(task: Task[Data]) -> Iterator[str]:
    """Distinguishing strings, built letter by letter from the pairs of states that are still distinguishable."""
    data = task.data
    first, second = _both_automata(data)
    all_states = range(len(first.steps))
    # away[k]: pairs from which some string of exactly k letters tells the automata apart.
    distinguishable = [{(a, b) for a in all_states for b in all_states if first.accepting[a] != second.accepting[b]}]
    for _ in range(data.most):
        distinguishable.append(
            {
                (a, b)
                for a in all_states
                for b in all_states
                if any(pair in distinguishable[-1] for pair in zip(first.steps[a], second.steps[b], strict=True))
            }
        )
    for size, _ in enumerate(distinguishable):
        stack = [(0, 0, "")]
        yielded = 0
        while stack and yielded < 3:
            a, b, text = stack.pop()
            if (a, b) not in distinguishable[size - len(text)]:
                continue
            if len(text) == size:
                yielded += 1
                yield text
                continue
            stack += [
                (*pair, text + letter)
                for letter, pair in zip(data.alphabet, zip(first.steps[a], second.steps[b], strict=True), strict=True)
            ]


def _other_answers(task: Task[Data]) -> Iterator[str]:
    yield from islice(_strings(task), 6)


environment = Environment(
    Knobs, Text("the string, its letters without anything between them", max_characters=200, ignore_case=True, ignore_spaces=True),
    generate, solve, verify, mistakes, cost,
    solution=Solution(derive, "A string that leads there is {answer}", checks),
    answers="many", solutions=_other_answers,
    concept="Run both automata side by side: look for the nearest pair of states of which just one accepts.",
    version=3,
)  # fmt: skip
