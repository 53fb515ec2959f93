"""Context-free grammars by chart parsing, and regular expressions by their positions."""

from __future__ import annotations

import re
from collections import deque
from functools import lru_cache
from itertools import product

from prompt_solvers.registry import prompt_solver
from prompt_solvers.templates import group

Tree = tuple[int, tuple["Tree | str", ...]]


class Chart:
    """Parse trees of a grammar without empty right sides, one for each number of uses of a counted rule."""

    def __init__(self, rules: list[tuple[str, list[str]]], word: str, counted: int | None = None) -> None:
        self.rules, self.word, self.counted = rules, word, counted
        self.trees = lru_cache(None)(self._trees)
        self.rows = lru_cache(None)(self._rows)
        shortest = {left: 1 for left, _ in rules}
        self.shortest = lambda symbol: shortest.get(symbol, 1)

    def _trees(self, symbol: str, start: int, end: int) -> dict[int, Tree | str]:
        if not symbol.isupper():
            return {0: symbol} if self.word[start:end] == symbol else {}
        found: dict[int, Tree | str] = {}
        for number, (left, right) in enumerate(self.rules):
            if left == symbol and len(right) <= end - start:
                for uses, children in self.rows(tuple(right), start, end).items():
                    found.setdefault(uses + (number == self.counted), (number, children))
        return found

    def _rows(self, symbols: tuple[str, ...], start: int, end: int) -> dict[int, tuple[Tree | str, ...]]:
        if len(symbols) == 1:
            return {uses: (tree,) for uses, tree in self.trees(symbols[0], start, end).items()}
        found: dict[int, tuple[Tree | str, ...]] = {}
        for split in range(start + 1, end - len(symbols) + 2):
            firsts = self.trees(symbols[0], start, split)
            if firsts:
                rests = self.rows(symbols[1:], split, end)
                for (a, tree), (b, row) in product(firsts.items(), rests.items()):
                    found.setdefault(a + b, (tree, *row))
        return found


@prompt_solver("cfg_derive")
def solve_cfg_derive(prompt: str) -> str:
    rules = [(left, right.split()) for left, right in re.findall(r"^\d+\. (\w) -> (.+)$", prompt, re.M)]
    word = group(r"Derive the string (\w+)", prompt)
    bound = re.search(r"Rule (\d+) must be used exactly (\d+) times?", prompt)
    trees = Chart(rules, word, int(bound[1]) - 1 if bound else None).trees("S", 0, len(word))
    form: list[Tree | str] = [trees[int(bound[2]) if bound else 0]]
    used: list[int] = []
    while any(isinstance(part, tuple) for part in form):
        variables = [i for i, part in enumerate(form) if isinstance(part, tuple)]
        alternating = "in steps 1, 3, 5 and so on the leftmost" in prompt
        leftmost = len(used) % 2 == 0 if alternating else "in every step the leftmost" in prompt
        place = variables[0 if leftmost else -1]
        number, children = form[place]  # type: ignore[misc]
        used.append(int(number) + 1)
        form[place : place + 1] = children
    return ", ".join(map(str, used))


@prompt_solver("cfg_member_parse")
def solve_cfg_member_parse(prompt: str) -> str:
    rules = [(left, right.split()) for left, right in re.findall(r"^(\w) -> (.+)$", prompt, re.M)]

    def shown(tree: Tree | str) -> str:
        return tree if isinstance(tree, str) else f"({' '.join([rules[tree[0]][0], *map(shown, tree[1])])})"

    found = []
    for word in re.findall(r"^\d+\. (\w+)$", prompt, re.M):
        found += list(Chart(rules, word).trees("S", 0, len(word)).values())
    assert len(found) == 1
    return shown(found[0])


class Positions:
    """The position (Glushkov) automaton of a regular expression of letters, brackets, |, *, + and ?."""

    def __init__(self, text: str) -> None:
        self.text, self.at = text, 0
        self.letters: list[str] = [""]
        self.follow: dict[int, set[int]] = {}
        self.empty, self.first, self.last = self.choice()
        self.follow[0] = self.first

    def choice(self) -> tuple[bool, set[int], set[int]]:
        empty, first, last = self.row()
        while self.text[self.at : self.at + 1] == "|":
            self.at += 1
            other = self.row()
            empty, first, last = empty or other[0], first | other[1], last | other[2]
        return empty, first, last

    def row(self) -> tuple[bool, set[int], set[int]]:
        empty, first, last = True, set[int](), set[int]()
        while self.at < len(self.text) and self.text[self.at] not in "|)":
            part = self.repeated()
            for place in last:
                self.follow[place] |= part[1]
            first |= part[1] if empty else set()
            last = part[2] | (last if part[0] else set())
            empty = empty and part[0]
        return empty, first, last

    def repeated(self) -> tuple[bool, set[int], set[int]]:
        if self.text[self.at] == "(":
            self.at += 1
            empty, first, last = self.choice()
        else:
            self.letters.append(self.text[self.at])
            place = len(self.letters) - 1
            self.follow[place] = set()
            empty, first, last = False, {place}, {place}
        self.at += 1
        while self.text[self.at : self.at + 1] in ("*", "+", "?"):
            sign = self.text[self.at]
            self.at += 1
            empty = empty or sign != "+"
            for place in last if sign != "?" else ():
                self.follow[place] |= first
        return empty, first, last

    def ends(self, place: int) -> bool:
        """Whether the expression can end after this position; position 0 stands for no letter."""
        return place in self.last or (place == 0 and self.empty)


@prompt_solver("regex_intersection_witness")
def solve_regex_intersection_witness(prompt: str) -> str:
    machines = [Positions(text) for text in re.findall(r"^\d+\. (\S+)$", prompt, re.M)]
    start = (0,) * len(machines)
    queue, seen = deque([(start, "")]), {start}
    while queue:
        state, word = queue.popleft()
        if all(machine.ends(place) for machine, place in zip(machines, state, strict=True)):
            return word
        for target in product(*(machine.follow[place] for machine, place in zip(machines, state, strict=True))):
            read = {machine.letters[place] for machine, place in zip(machines, target, strict=True)}
            if len(read) == 1 and target not in seen:
                seen.add(target)
                queue.append((target, word + read.pop()))
    return " ".join(["none", *("-".join(map(str, state)) for state in sorted(seen - {start}))])
