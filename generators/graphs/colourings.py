"""Cheapest colourings of a graph whose colours have prices: branch and bound with propagation, and the cases that prove the least total."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from rlgym.generators.numbers.bitsets import places
from rlgym.solutions import Checks, Derivation, Step

Fixed = Sequence[tuple[int, int]]
"""Nodes and their colours, from 0."""
Options = list[int]
"""For each node the bits of the colours that are left."""
SPLIT = Step("With {case}: {node} may still have the colours {colours:words}; take these in turn")
STUCK = Step("With {case}: some country has no colour left")
BOUND = Step(
    "With {case}: the cheapest colours left cost {cheapest:int}; of neighbours that both want the same colour one must pay more, which adds {more:int}, "
    "so {total:int} at least"
)
LEAST = Step("No case costs less than {least_total:int}")


class PricedMap(NamedTuple):
    neighbours: tuple[int, ...]
    prices: tuple[int, ...]
    """What a node of size 1 costs in each colour."""
    sizes: tuple[int, ...]
    fixed: tuple[tuple[int, int], ...]

    def start(self) -> Options | None:
        """What is left of the colours once the fixed ones are given."""
        options = [(1 << len(self.prices)) - 1] * len(self.neighbours)
        for node, colour in self.fixed:
            options[node] &= 1 << colour
        return propagate(self.neighbours, options, [node for node, _ in self.fixed])

    def colour(self, options: Options, node: int, colour: int) -> Options | None:
        """What is left once a node has a colour; None if some node has no colour left."""
        after = options.copy()
        after[node] = 1 << colour
        return propagate(self.neighbours, after, [node])

    def next_node(self, options: Options) -> int:
        """The open node with the fewest colours left, of these one with the most open neighbours; -1 if none is open."""
        open_nodes = sum(1 << node for node, mask in enumerate(options) if mask & mask - 1)
        return min(
            places(open_nodes), key=lambda i: (options[i].bit_count(), -(self.neighbours[i] & open_nodes).bit_count(), i), default=-1
        )

    def by_price(self, mask: int) -> list[int]:
        return sorted(places(mask), key=lambda colour: (self.prices[colour], colour))

    def bound(self, options: Options) -> tuple[int, int]:
        """The least that the cheapest colours left cost, and what disjoint pairs of neighbours that want the same colour add."""
        able = [self.by_price(mask) for mask in options]
        gaps = [
            size * (self.prices[colours[1]] - self.prices[colours[0]]) if len(colours) > 1 else 1 << 30
            for size, colours in zip(self.sizes, able, strict=True)
        ]
        wanting = [0] * len(self.prices)
        for node, colours in enumerate(able):
            wanting[colours[0]] |= 1 << node
        more, free = 0, (1 << len(options)) - 1
        for node, colours in enumerate(able):
            rivals = places(self.neighbours[node] & free & wanting[colours[0]] & -(1 << node)) if free >> node & 1 else []
            if rivals:
                rival = max(rivals, key=lambda other: (min(gaps[node], gaps[other]), -other))
                more += min(gaps[node], gaps[rival])
                free &= ~(1 << node | 1 << rival)
        return sum(size * self.prices[colours[0]] for size, colours in zip(self.sizes, able, strict=True)), more


class Cheapest(NamedTuple):
    colours: tuple[int, ...]
    total: int
    nodes: int
    """How many nodes the search tree has: the steps of a careful solver."""


def propagate(neighbours: Sequence[int], options: Options, settled: list[int]) -> Options | None:
    """Take away, in place, the colours of settled nodes from their neighbours; None if some node has no colour left."""
    while settled:
        node = settled.pop()
        colour, around = options[node], neighbours[node]
        while around:
            other = (around & -around).bit_length() - 1
            around &= around - 1
            if options[other] & colour:
                left = options[other] = options[other] & ~colour
                if not left:
                    return None
                if not left & left - 1:
                    settled.append(other)
    return options


def search_cheapest(priced: PricedMap, backwards: bool = False) -> Cheapest:
    """A cheapest colouring by branch and bound; of equally cheap ones the first, or the last one found if the search goes `backwards`."""
    best, total, nodes = tuple[int, ...](), 1 << 30, 0

    def expand(options: Options | None) -> None:
        nonlocal best, total, nodes
        nodes += 1
        if options is None or sum(priced.bound(options)) >= total + backwards:
            return
        node = priced.next_node(options)
        if node < 0:
            best, total = tuple(mask.bit_length() - 1 for mask in options), sum(priced.bound(options))
            return
        for colour in priced.by_price(options[node]):
            expand(priced.colour(options, node, colour))

    expand(priced.start())
    return Cheapest(best, total, nodes)


def local_search(priced: PricedMap) -> int:
    """What a careful greedy choice costs: the largest nodes first, each in its cheapest colour; 0 if it gets stuck."""
    options = priced.start()
    for node in sorted(range(len(priced.neighbours)), key=lambda i: (-priced.sizes[i], -priced.neighbours[i].bit_count(), i)):
        if options is None:
            return 0
        options = priced.colour(options, node, priced.by_price(options[node])[0])
    return sum(priced.bound(options)) if options else 0


Case = tuple[Options | None, tuple[str, ...]]
"""What is left of the colours in a case, and the choices that lead to it."""


def derive_least(priced: PricedMap, names: Sequence[str], least: int) -> Derivation:
    """Case by case: a node with few colours left, or a bound that shows that nothing is gained there."""
    waiting: list[Case] = [(priced.start(), ())]
    while waiting:
        options, chosen = waiting.pop()
        if options is None:
            yield STUCK(case=_case_text(chosen))
            continue
        cheapest, more = priced.bound(options)
        if cheapest + more >= least:
            yield BOUND(case=_case_text(chosen), cheapest=cheapest, more=more, total=cheapest + more)
            continue
        node = priced.next_node(options)
        colours = priced.by_price(options[node])
        yield SPLIT(case=_case_text(chosen), node=names[node], colours=[str(colour + 1) for colour in colours])
        waiting += _split(priced, (options, chosen), node, names[node], colours)
    yield LEAST(least_total=least)


def case_checks(priced: PricedMap, names: Sequence[str], least: int) -> Checks:
    """Any open node may be split, in any order of its colours; every case must end with a bound, or stuck."""
    waiting: list[Case] = [(priced.start(), ())]

    def is_split(case: str, node: str, colours: tuple[str, ...]) -> bool:
        options, chosen = waiting.pop()
        place, able = names.index(node), [int(colour) - 1 for colour in colours]
        waiting.extend(_split(priced, (options, chosen), place, node, able))
        return options is not None and case == _case_text(chosen) and sorted(able) == places(options[place]) and len(able) > 1

    def is_stuck(case: str) -> bool:
        options, chosen = waiting.pop()
        return options is None and case == _case_text(chosen)

    def is_bounded(case: str, cheapest: int, more: int, total: int) -> bool:
        options, chosen = waiting.pop()
        right = options is not None and (cheapest, more) == priced.bound(options)
        return right and case == _case_text(chosen) and total == cheapest + more >= least

    return {SPLIT: is_split, STUCK: is_stuck, BOUND: is_bounded, LEAST: lambda least_total: not waiting and least_total == least}


def _case_text(chosen: tuple[str, ...]) -> str:
    return ", ".join(chosen) or "no choice yet"


def _split(priced: PricedMap, case: Case, node: int, name: str, colours: Sequence[int]) -> list[Case]:
    options, chosen = case
    if options is None:
        return []
    return [(priced.colour(options, node, colour), (*chosen, f"{name} {colour + 1}")) for colour in reversed(colours)]
