"""Context-free grammars without empty and renaming rules: drawn, derived from at random, and parsed with a chart."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from rlgym.core.rng import Rng

Rule = tuple[str, str]  # a variable, and one letter or at least two symbols; variables are capital letters
VARIABLES = "SABCDEFGH"


class Tree(NamedTuple):
    """A parse tree: the rule at its root, and the trees of the rule's variables from left to right."""

    rule: int
    children: tuple[Tree, ...]


def sample_grammar(rng: Rng, variables: int, rules: int, letters: str, longest: int, *, nested: bool) -> tuple[Rule, ...]:
    """Random rules, with one for each variable that ends it; nested ones put letters around what they hold."""
    names = VARIABLES[:variables]
    rules_drawn = [(name, rng.choice(letters)) for name in names]
    rules_drawn += [(name, _sample_right_side(rng, names, letters, longest, nested=nested)) for name in names]
    while len(rules_drawn) < rules:
        name = rng.choice(names)
        rules_drawn.append(
            (name, rng.choice(letters) if rng.chance(0.2) else _sample_right_side(rng, names, letters, longest, nested=nested))
        )
    return tuple(sorted(dict.fromkeys(rules_drawn), key=lambda rule: names.index(rule[0])))


def _sample_right_side(rng: Rng, names: str, letters: str, longest: int, *, nested: bool) -> str:
    if nested:
        inside = "".join(rng.choice(names) for _ in range(rng.integer(1, max(1, longest - 2))))
        return (
            rng.choice(letters) + inside + rng.choice(letters)
            if longest > 2
            else rng.choice((rng.choice(letters) + inside, inside + inside))
        )
    return "".join(rng.choice(names if rng.chance(0.8) else letters) for _ in range(rng.integer(2, longest)))


def sample_derivation(rng: Rng, rules: tuple[Rule, ...], length: int) -> tuple[str, list[int]]:
    """A string of about a length, and the rules of a leftmost derivation of it."""
    form, used, done = ["S"], list[int](), list[str]()
    while form:
        symbol = form.pop(0)
        if symbol.islower():
            done.append(symbol)
            continue
        growing = len(done) + len(form) < length - 1
        choices = [i for i, (left, right) in enumerate(rules) if left == symbol and (len(right) > 1) == growing]
        chosen = rng.choice(choices)
        used.append(chosen)
        form = [*rules[chosen][1], *form]
    return "".join(done), used


class Chart:
    """How each piece of a text comes from symbols, with each number of uses of one marked rule up to `most`."""

    def __init__(self, rules: tuple[Rule, ...], text: str, marked: int = -1, most: int = 0) -> None:
        self.rules, self.text, self.marked, self.most = rules, text, marked, most
        self._of: dict[str, list[int]] = {}
        for i, (left, _) in enumerate(rules):
            self._of.setdefault(left, []).append(i)
        self._found: dict[tuple[str, int, int], dict[int, tuple[int, int]]] = {}

    def counts(self, symbols: str, start: int, end: int) -> dict[int, tuple[int, int]]:
        """Of each number of uses of the marked rule, one way: the rule, or the end of the first symbol's piece and its number."""
        key = symbols, start, end
        if key in self._found:
            return self._found[key]
        counts: dict[int, tuple[int, int]] = {}
        if len(symbols) > 1:
            for middle in range(start + 1, end - len(symbols) + 2):
                if first := self.counts(symbols[0], start, middle):
                    for rest in self.counts(symbols[1:], middle, end):
                        for count in first:
                            if count + rest <= self.most:
                                counts.setdefault(count + rest, (middle, count))
        elif symbols.islower():
            if end == start + 1 and self.text[start] == symbols:
                counts[0] = (-1, 0)
        else:
            for i in self._of.get(symbols, ()):
                if len(self.rules[i][1]) <= end - start:
                    for count in self.counts(self.rules[i][1], start, end):
                        if count + (i == self.marked) <= self.most:
                            counts.setdefault(count + (i == self.marked), (i, count))
        self._found[key] = counts
        return counts

    def tree(self, symbol: str, start: int, end: int, count: int = 0) -> Tree:
        """One tree of a piece with that number of uses of the marked rule."""
        rule, inside = self.counts(symbol, start, end)[count]
        children, right = list[Tree](), self.rules[rule][1]
        while right:
            middle, first = self.counts(right, start, end)[inside] if len(right) > 1 else (end, inside)
            if right[0].isupper():
                children.append(self.tree(right[0], start, middle, first))
            right, start, inside = right[1:], middle, inside - first
        return Tree(rule, tuple(children))


def parse_trees(rules: tuple[Rule, ...], text: str, symbols: str = "S", chart: Chart | None = None) -> Iterator[tuple[Tree, ...]]:
    """All rows of trees of a text from a row of symbols, longest first pieces first; the chart only prunes."""
    chart = chart or Chart(rules, text)
    yield from _parse_rows(rules, chart, symbols, 0, len(text))


def _parse_rows(rules: tuple[Rule, ...], chart: Chart, symbols: str, start: int, end: int) -> Iterator[tuple[Tree, ...]]:
    if not symbols:
        if start == end:
            yield ()
        return
    for middle in range(end - len(symbols) + 1, start, -1):
        rest = symbols[1:]
        if not chart.counts(symbols[0], start, middle) or (rest and not chart.counts(rest, middle, end)) or (not rest and middle < end):
            continue
        for first in _parse_symbol(rules, chart, symbols[0], start, middle):
            for others in _parse_rows(rules, chart, rest, middle, end):
                yield (*first, *others)


def _parse_symbol(rules: tuple[Rule, ...], chart: Chart, symbol: str, start: int, end: int) -> Iterator[tuple[Tree, ...]]:
    if symbol.islower():
        yield ()
        return
    for i in range(len(rules) - 1, -1, -1):
        left, right = rules[i]
        if left == symbol and len(right) <= end - start and chart.counts(right, start, end):
            for children in _parse_rows(rules, chart, right, start, end):
                yield (Tree(i, children),)


def tree_spans(rules: tuple[Rule, ...], tree: Tree, start: int = 0) -> list[tuple[str, int, int, int]]:
    """Variable, start, end and rule of every node of a tree, inner ones first."""
    position, spans, children = start, list[tuple[str, int, int, int]](), iter(tree.children)
    for symbol in rules[tree.rule][1]:
        if symbol.islower():
            position += 1
        else:
            spans += tree_spans(rules, next(children), position)
            position = spans[-1][2]
    return [*spans, (rules[tree.rule][0], start, position, tree.rule)]


def render_rules(rules: tuple[Rule, ...]) -> str:
    """The rules, numbered from 1, one a line."""
    return "\n".join(f"{i}. {left} -> {' '.join(right)}" for i, (left, right) in enumerate(rules, 1))
