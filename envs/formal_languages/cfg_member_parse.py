"""Find the one string that a grammar can derive, and give a parse tree of it.

Any parse tree is accepted; that no other string can be derived is proved while the task is made.
"""

import re
from collections.abc import Iterator
from itertools import islice

from rlgym import Config, Environment, Rng, Score, Task, TaskData, knob
from rlgym.answers import Text
from rlgym.generators.languages import grammars
from rlgym.generators.languages.grammars import Chart, Rule, Tree
from rlgym.solutions import Checks, Derivation, Solution, Step

CELL = Step("String {number:int}, letters {start:int} to {end:int}: {variables}")
DONE = Step("Only string {number:int} comes from S as a whole, and its tree is {answer}")
_TOKEN = re.compile(r"[()]|[A-Za-z]")
MOST_NODES = 400


class Knobs(Config):
    length: int = knob(7, easy=3, hard=15, doc="approximate number of letters of each string")
    strings: int = knob(3, easy=2, hard=5, doc="number of strings; exactly one can be derived")
    variables: int = knob(3, easy=2, hard=6, doc="variables of the grammar")
    rules: int = knob(8, easy=4, hard=18, doc="approximate number of grammar rules")
    longest: int = knob(2, easy=2, hard=3, doc="most symbols on the right of a rule")
    decoys: str = knob(
        "mixed", easy="mixed", hard="close", order=("mixed", "close"), doc="how similar the other strings are to the right one"
    )


class Data(TaskData):
    rules: tuple[Rule, ...]
    strings: tuple[str, ...]
    right: int
    """Which string can be derived, from 0."""


def generate(rng: Rng, knobs: Knobs) -> Task[Data]:
    return _sample_task(rng, knobs, nested=False)


def shift(rng: Rng, knobs: Knobs) -> Task[Data]:
    """Grammars whose rules put letters next to or around variables."""
    return _sample_task(rng, knobs, nested=True)


def solve(task: Task[Data]) -> str:
    """A chart of each string, in order, until one comes from S."""
    rules = task.data.rules
    for text in task.data.strings:
        chart = Chart(rules, text)
        if chart.counts("S", 0, len(text)):
            return _render_tree(rules, chart.tree("S", 0, len(text)))
    raise ValueError("no string can be derived")


def verify(task: Task[Data], answer: str) -> Score:
    data = task.data
    leaves = _leaves(data.rules, answer)
    if leaves is None:
        return Score.wrong("that is not a tree in which every node follows a rule")
    if leaves[0] != "S":
        return Score.wrong("the tree does not start with S")
    return Score.exact(leaves[1] in data.strings, "the tree is of a string that is not in the list")


def mistakes(task: Task[Data], right: str) -> list[str]:
    data = task.data
    leaves = [f"(S {' '.join(text)})" for text in data.strings]
    first = data.strings[data.right - 1]
    swapped = right
    for letter, other in zip(data.strings[data.right], first, strict=False):
        if letter != other:
            swapped = swapped.replace(f" {letter})", f" {other})", 1)
            break
    return [answer for answer in (*leaves, swapped, right[::-1], right[:-1]) if verify(task, answer).value == 0]


def cost(task: Task[Data]) -> float:
    data = task.data
    return float(sum(len(text) ** 3 for text in data.strings) * len(data.rules))


def derive(task: Task[Data]) -> Derivation:
    data = task.data
    for number, text in enumerate(data.strings, 1):
        chart = Chart(data.rules, text)
        for size in range(1, len(text) + 1):
            for start in range(len(text) - size + 1):
                names = [name for name in _variables(data.rules) if chart.counts(name, start, start + size)]
                if names:
                    yield CELL(number=number, start=start + 1, end=start + size, variables=" ".join(names))
    yield DONE(number=data.right + 1, answer=solve(task))


def checks(task: Task[Data]) -> Checks:
    data = task.data
    known: dict[tuple[int, int, int], tuple[str, ...]] = {}

    def splits(number: int, symbols: str, start: int, end: int) -> bool:
        if len(symbols) == 1 and symbols.islower():
            return end == start + 1 and data.strings[number - 1][start] == symbols
        if len(symbols) == 1:
            return symbols in known.get((number, start, end), ())
        middles = range(start + 1, end)
        return any(splits(number, symbols[0], start, middle) and splits(number, symbols[1:], middle, end) for middle in middles)

    def is_cell(number: int, start: int, end: int, variables: str) -> bool:
        cell = number, start - 1, end
        if not (0 < number <= len(data.strings) and 0 < start <= end <= len(data.strings[number - 1])) or cell in known:
            return False
        right = {left for left, symbols in data.rules if splits(number, symbols, start - 1, end)}
        known[cell] = tuple(variables.split())
        return right == set(known[cell]) and len(right) == len(known[cell])

    def is_only_one(number: int, answer: str) -> bool:
        derived = [i for i, text in enumerate(data.strings, 1) if "S" in known.get((i, 0, len(text)), ())]
        return derived == [number] and _leaves(data.rules, answer) == ("S", data.strings[number - 1])

    return {CELL: is_cell, DONE: is_only_one}


def _sample_task(rng: Rng, knobs: Knobs, *, nested: bool) -> Task[Data]:
    letters = "".join(sorted(rng.sample("abcdefghijklmnopqrstuvwxyz", 2 + (knobs.variables > 4))))
    while True:
        rules = grammars.sample_grammar(rng, knobs.variables, min(knobs.rules, 3 * knobs.variables), letters, knobs.longest, nested=nested)
        text, used = grammars.sample_derivation(rng, rules, knobs.length)
        if not (
            knobs.length <= len(text) <= knobs.length + 1 and len(set(used)) >= min(len(rules), knobs.length) // 2 and len(set(text)) > 1
        ):
            continue
        decoys = _sample_decoys(rng, knobs, rules, text)
        if len(decoys) == knobs.strings - 1:
            break
    strings = rng.shuffled([text, *decoys])
    listing = "\n".join(f"{i}. {string}" for i, string in enumerate(strings, 1))
    prompt = (
        "The rules of a grammar:\n"
        + "\n".join(f"{left} -> {' '.join(right)}" for left, right in rules)
        + "\nCapital letters are variables, and the start "
        f"variable is S. Exactly one of these strings can be derived from S:\n{listing}\n\nGive a parse tree of that string. Write a node as ( then its "
        "variable, then its children from left to right, then ). A child is a letter or again a node; the children of a node are the right side of a "
        "rule of its variable."
    )
    return Task(prompt, Data(rules=rules, strings=tuple(strings), right=strings.index(text)))


def _sample_decoys(rng: Rng, knobs: Knobs, rules: tuple[Rule, ...], text: str) -> list[str]:
    """Strings that cannot be derived; close ones are one exchange of two letters, or one letter, away."""
    decoys_found: list[str] = []
    for _ in range(12 * knobs.strings):
        letters = list(text)
        i, j = rng.integer(0, len(text) - 1), rng.integer(0, len(text) - 1)
        if knobs.decoys == "close" and rng.chance(0.7):
            letters[i], letters[j] = letters[j], letters[i]
        elif knobs.decoys == "close":
            letters[i] = letters[j]
        else:
            letters = [rng.choice(text) for _ in text]
        other = "".join(letters)
        if other != text and other not in decoys_found and not Chart(rules, other).counts("S", 0, len(other)):
            decoys_found.append(other)
            if len(decoys_found) == knobs.strings - 1:
                break
    return decoys_found


def _variables(rules: tuple[Rule, ...]) -> list[str]:
    return list(dict.fromkeys(symbol for symbol, _ in rules))


def _render_tree(rules: tuple[Rule, ...], tree: Tree) -> str:
    children = iter(tree.children)
    parts = [symbol if symbol.islower() else _render_tree(rules, next(children)) for symbol in rules[tree.rule][1]]
    return f"({rules[tree.rule][0]} {' '.join(parts)})"


def _leaves(rules: tuple[Rule, ...], text: str) -> tuple[str, str] | None:
    """The first variable and the letters of a written tree all of whose nodes follow rules; else None."""
    tokens = _TOKEN.findall(text)
    if len(tokens) > 4 * MOST_NODES or "".join(tokens) != "".join(text.replace(",", " ").split()):
        return None
    allowed, open_nodes = set(rules), [("", "")]
    letters: list[str] = []
    opening = False
    for token in tokens:
        if opening:
            if not token.isupper():
                return None
            open_nodes.append((token, ""))
            opening = False
        elif token == "(":
            opening = True
        elif token == ")":
            if len(open_nodes) < 2 or open_nodes[-1] not in allowed:
                return None
            name = open_nodes.pop()[0]
            open_nodes[-1] = (open_nodes[-1][0], open_nodes[-1][1] + name)
        elif token.islower():
            open_nodes[-1] = (open_nodes[-1][0], open_nodes[-1][1] + token)
            letters.append(token)
        else:
            return None
    if opening or len(open_nodes) != 1 or len(open_nodes[0][1]) != 1:
        return None
    return open_nodes[0][1], "".join(letters)


def _other_answers(task: Task[Data]) -> Iterator[str]:
    """Other trees, last rules and longest first pieces tried first."""
    data = task.data
    for (tree,) in islice(grammars.parse_trees(data.rules, data.strings[data.right]), 6):
        yield _render_tree(data.rules, tree)


environment = Environment(
    Knobs, Text("the tree on one line, such as (X (Y p) q)", max_characters=2000), generate, solve, verify, mistakes, cost,
    solution=Solution(derive, DONE, checks), shift=shift, answers="many", solutions=_other_answers,
    concept="Find the variables of all pieces of each string, short pieces first; a piece comes from a rule if it splits into pieces of the rule's right side.",
)  # fmt: skip
