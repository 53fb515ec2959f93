"""Regular languages described in words, as deterministic automata: built, combined, minimised, compared."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from rlgym.core.rng import Rng
from rlgym.core.task import TaskData

KINDS = {
    "ends": ("starts with", "ends with", "contains"),
    "counts": ("starts with", "ends with", "contains", "avoids", "at least", "at most", "divides"),
    "all": ("ends with", "contains", "avoids", "exactly", "divides", "length divides", "at most"),
}


class Condition(TaskData):
    """One thing said of a string: a kind, and the word or the letter and numbers that it speaks of."""

    kind: str
    word: str = ""
    number: int = 0
    rest: int = 0


@dataclass(frozen=True)
class Automaton:
    """States 0, 1, ... with 0 the first; `steps[state][letter]` by place in the alphabet; a state is accepting or not."""

    steps: tuple[tuple[int, ...], ...]
    accepting: tuple[bool, ...]


def sample_condition(rng: Rng, kinds: str, alphabet: str, longest: int, largest: int) -> Condition:
    """A random condition with words and numbers up to a size."""
    kind = rng.choice(KINDS[kinds])
    if kind in ("starts with", "ends with", "contains", "avoids"):
        return Condition(kind=kind, word="".join(rng.choice(alphabet) for _ in range(rng.integer(1 + (longest > 1), longest))))
    if kind in ("divides", "length divides"):
        modulus = rng.integer(2, max(2, largest))
        return Condition(
            kind=kind, word="" if kind == "length divides" else rng.choice(alphabet), number=modulus, rest=rng.integer(0, modulus - 1)
        )
    return Condition(kind=kind, word=rng.choice(alphabet), number=rng.integer(1, largest))


def render_condition(condition: Condition) -> str:
    """The condition as what a string does: `ends with ab`."""
    word, number, rest = condition.word, condition.number, condition.rest
    match condition.kind:
        case "avoids":
            return f"does not contain {word}"
        case "at least" | "at most" | "exactly":
            return f"has {condition.kind} {number} {'letter' if number == 1 else 'letters'} {word}"
        case "divides":
            return f"has a number of letters {word} that leaves the remainder {rest} when divided by {number}"
        case "length divides":
            return f"has a length that leaves the remainder {rest} when divided by {number}"
        case kind:
            return f"{kind} {word}"


def render_language(conditions: Sequence[Condition], any_of: bool) -> str:
    """The language of several conditions as the end of a sentence about strings: `for which all of these are true: ...`."""
    if len(conditions) == 1:
        return f"for which this is true: it {render_condition(conditions[0])}"
    listing = "; ".join(f"({i}) it {render_condition(condition)}" for i, condition in enumerate(conditions, 1))
    return f"for which {'at least one of these is' if any_of else 'all of these are'} true: {listing}"


def sample_language(
    rng: Rng, alphabet: str, count: int, kinds: str, longest: int, largest: int, most: int
) -> tuple[tuple[Condition, ...], bool, Automaton]:
    """Conditions none of which is idle, whether one of them is enough, and the smallest automaton, of 3 to `most` states."""
    while True:
        conditions = tuple(dict.fromkeys(sample_condition(rng, kinds, alphabet, longest, largest) for _ in range(count)))
        any_of = count > 1 and rng.chance(0.4)
        parts = [condition_automaton(condition, alphabet) for condition in conditions]
        least = minimise(product_automaton(parts, any_of))
        if len(conditions) < count or not 3 <= len(least.steps) <= most:
            continue
        others = [product_automaton(parts[:i] + parts[i + 1 :], any_of) for i in range(count)] if count > 1 else []
        if all(distinguishing_string(other, least, alphabet) is not None for other in others):
            return conditions, any_of, least


def holds(condition: Condition, text: str) -> bool:
    """The same, looked up on a string: what the automata are tested against."""
    word, number = condition.word, condition.number
    match condition.kind:
        case "starts with":
            return text.startswith(word)
        case "ends with":
            return text.endswith(word)
        case "contains" | "avoids":
            return (word in text) == (condition.kind == "contains")
        case "at least":
            return text.count(word) >= number
        case "at most":
            return text.count(word) <= number
        case "exactly":
            return text.count(word) == number
        case "divides":
            return text.count(word) % number == condition.rest
        case _:
            return len(text) % number == condition.rest


def condition_automaton(condition: Condition, alphabet: str) -> Automaton:
    """The automaton of one condition."""
    word, number = condition.word, condition.number
    match condition.kind:
        case "starts with":
            # One state for each letter read, one for success, one for failure.
            size = len(word)
            steps = [[i + 1 if letter == word[i] else size + 1 for letter in alphabet] for i in range(size)]
            steps += [[size] * len(alphabet), [size + 1] * len(alphabet)]
            return _build_automaton(steps, lambda state: state == size)
        case "ends with" | "contains" | "avoids":
            size = len(word)
            steps = [[_longest_border(word, word[:i] + letter) for letter in alphabet] for i in range(size + 1)]
            if condition.kind != "ends with":
                steps[size] = [size] * len(alphabet)
            return _build_automaton(steps, lambda state: (state == size) != (condition.kind == "avoids"))
        case "divides" | "length divides":
            steps = [[(i + (not word or letter == word)) % number for letter in alphabet] for i in range(number)]
            return _build_automaton(steps, lambda state: state == condition.rest)
        case kind:
            steps = [[min(number + 1, i + (letter == word)) for letter in alphabet] for i in range(number + 2)]
            tests = {
                "at least": lambda state: state >= number,
                "at most": lambda state: state <= number,
                "exactly": lambda state: state == number,
            }
            return _build_automaton(steps, tests[kind])


def product_automaton(parts: Sequence[Automaton], any_of: bool) -> Automaton:
    """The strings that all parts accept, or that some part does."""
    first = (0,) * len(parts)
    index, order = {first: 0}, [first]
    steps: list[tuple[int, ...]] = []
    for states in order:
        row = []
        for letter in range(len(parts[0].steps[0])):
            after = tuple(part.steps[state][letter] for part, state in zip(parts, states, strict=True))
            if after not in index:
                index[after] = len(order)
                order.append(after)
            row.append(index[after])
        steps.append(tuple(row))
    joined = any if any_of else all
    return Automaton(
        tuple(steps), tuple(joined(part.accepting[state] for part, state in zip(parts, states, strict=True)) for states in order)
    )


def minimise(automaton: Automaton) -> Automaton:
    """The smallest automaton of the same language, by refining accepting and other states (Moore); all states must be reachable."""
    group = [int(accepts) for accepts in automaton.accepting]
    while True:
        seen: dict[tuple[int, ...], int] = {}
        refined = [seen.setdefault((group[i], *(group[j] for j in row)), len(seen)) for i, row in enumerate(automaton.steps)]
        if len(seen) == len(set(group)):
            break
        group = refined
    return _renumber(
        {group[i]: tuple(group[j] for j in row) for i, row in enumerate(automaton.steps)},
        group[0],
        {group[i] for i, yes in enumerate(automaton.accepting) if yes},
    )


def minimise_by_reversal(automaton: Automaton) -> Automaton:
    """The smallest automaton once more, by reversing and determinising twice (Brzozowski)."""
    return _determinise_reversal(_determinise_reversal(automaton))


def distinguishing_string(first: Automaton, second: Automaton, alphabet: str) -> str | None:
    """A shortest string that exactly one of the two accepts; None if there is none."""
    seen, queue = {(0, 0)}, [(0, 0, "")]
    for a, b, text in queue:
        if first.accepting[a] != second.accepting[b]:
            return text
        for letter, (target, other_target) in zip(alphabet, zip(first.steps[a], second.steps[b], strict=True), strict=True):
            if (target, other_target) not in seen:
                seen.add((target, other_target))
                queue.append((target, other_target, text + letter))
    return None


def _build_automaton(steps: Sequence[Sequence[int]], accepts: Callable[[int], bool]) -> Automaton:
    return Automaton(tuple(map(tuple, steps)), tuple(accepts(state) for state in range(len(steps))))


def _longest_border(word: str, read: str) -> int:
    """The longest beginning of the word with which what was read ends."""
    return next(size for size in range(min(len(word), len(read)), -1, -1) if read.endswith(word[:size]))


def _renumber(steps: dict[int, tuple[int, ...]], first: int, accepting: set[int]) -> Automaton:
    """States in the order in which they are reached."""
    index, order = {first: 0}, [first]
    for state in order:
        for target in steps[state]:
            if target not in index:
                index[target] = len(order)
                order.append(target)
    return Automaton(
        tuple(tuple(index[target] for target in steps[state]) for state in order), tuple(state in accepting for state in order)
    )


def _determinise_reversal(automaton: Automaton) -> Automaton:
    """The deterministic automaton of the reversed language; sets of states as bits."""
    size, letters = len(automaton.steps), len(automaton.steps[0])
    before = [[0] * size for _ in range(letters)]
    for state, row in enumerate(automaton.steps):
        for letter, target in enumerate(row):
            before[letter][target] |= 1 << state
    first = sum(1 << state for state, yes in enumerate(automaton.accepting) if yes)
    index, order = {first: 0}, [first]
    steps: list[tuple[int, ...]] = []
    for states in order:
        after_each: list[int] = []
        for sources in before:
            after = 0
            for state in range(size):
                if states >> state & 1:
                    after |= sources[state]
            if after not in index:
                index[after] = len(order)
                order.append(after)
            after_each.append(index[after])
        steps.append(tuple(after_each))
    return Automaton(tuple(steps), tuple(bool(states & 1) for states in order))
