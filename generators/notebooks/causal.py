"""Causal graphs: d-separation, the back-door criterion, and random graphs with confounders, mediators and colliders."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import combinations
from typing import NamedTuple

from rlgym.core.rng import Rng


class Graph(NamedTuple):
    """A directed graph without cycles.

    names   its variables, causes before what they affect
    arrows  pairs of a cause and what it affects directly
    """

    names: tuple[str, ...]
    arrows: tuple[tuple[str, str], ...]

    def order(self) -> tuple[str, ...]:
        """The variables, causes first."""
        return self.names

    def causes(self, name: str) -> list[str]:
        """The direct causes of a variable."""
        return [one for one, other in self.arrows if other == name]

    def ancestors(self, names: Iterable[str]) -> set[str]:
        """These variables, and all that lead to one of them."""
        found = set(names)
        for name in reversed(self.names):
            if name in found:
                found.update(self.causes(name))
        return found

    def descendants(self, name: str) -> set[str]:
        """What the variable leads to, without itself."""
        found = {name}
        for other in self.names:
            if found.intersection(self.causes(other)):
                found.add(other)
        return found - {name}


def is_separated(graph: Graph, one: str, other: str, given: Sequence[str]) -> bool:
    """Whether a set d-separates two variables: it cuts them in the moral graph of their ancestors (Lauritzen and others, 1990)."""
    kept = graph.ancestors([one, other, *given])
    links: dict[str, set[str]] = {name: set() for name in kept}
    for name in kept:
        family = [*graph.causes(name), name]
        for a, b in combinations(family, 2):
            links[a].add(b)
            links[b].add(a)
    reached, waiting = {one}, [one]
    while waiting:
        for name in links[waiting.pop()] - reached - set(given):
            reached.add(name)
            waiting.append(name)
    return other not in reached


def backdoor_sets(graph: Graph, treatment: str, outcome: str, columns: Sequence[str]) -> list[tuple[str, ...]]:
    """The sets of columns that satisfy the back-door criterion, smallest first."""
    without = graph._replace(arrows=tuple(arrow for arrow in graph.arrows if arrow[0] != treatment))
    allowed = [name for name in columns if name not in graph.descendants(treatment)]
    return [
        chosen
        for size in range(len(allowed) + 1)
        for chosen in combinations(allowed, size)
        if is_separated(without, treatment, outcome, chosen)
    ]


def sample_graph(rng: Rng, treatment: str, outcome: str, names: Sequence[str], hidden: int) -> tuple[Graph, tuple[str, ...]]:
    """A graph with a treatment that affects an outcome, and the variables of it that no data show.

    Some variables come before the treatment, some lie between the two, some follow the outcome.
    """
    before = max(1, (2 * len(names) + 2) // 3)
    early, rest = list(names[:before]), list(names[before:])
    between, late = rest[::2], rest[1::2]
    arrows = {(treatment, outcome)}
    for name in early:
        kind = rng.integer(0, 3) if len(early) > 1 else 0
        arrows |= {(name, treatment)} if kind in (0, 1) else set()
        arrows |= {(name, outcome)} if kind in (0, 2) else set()
    for place, name in enumerate(early):
        for cause in early[:place]:
            if rng.chance(1.6 / len(early)):
                arrows.add((cause, name))
    for name in between:
        arrows |= {(treatment, name), (name, outcome)}
    for name in late:
        arrows |= {(outcome, name), (rng.choice([treatment, *early]), name)}
    order = (*early, treatment, *between, outcome, *late)
    return Graph(order, tuple(sorted(arrows))), tuple(sorted(rng.sample(early[: max(1, before - 1)], hidden))) if hidden else ()
