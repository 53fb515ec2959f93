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


def blocks(graph: Graph, treatment: str, outcome: str, columns: Sequence[str]) -> bool:
    """Whether columns that do not descend from the treatment block every path that begins with an arrow into it."""
    without = graph._replace(arrows=tuple(arrow for arrow in graph.arrows if arrow[0] != treatment))
    return is_separated(without, treatment, outcome, columns)


def backdoor_sets(graph: Graph, treatment: str, outcome: str, columns: Sequence[str], largest: int) -> list[tuple[str, ...]]:
    """The sets of at most so many columns that satisfy the back-door criterion, smallest first."""
    below = graph.descendants(treatment)
    allowed = [name for name in columns if name not in below]
    sizes = range(min(len(allowed), largest) + 1)
    return [chosen for size in sizes for chosen in combinations(allowed, size) if blocks(graph, treatment, outcome, chosen)]


def sample_graph(rng: Rng, treatment: str, outcome: str, names: Sequence[str], hidden: int) -> tuple[Graph, tuple[str, ...]]:
    """A graph with a treatment that affects an outcome, and the variables of it that no data show.

    Some variables come before the treatment, some lie between the two, some follow the outcome. One hidden variable is a confounder that a column on its
    path replaces; two are the causes of a collider.
    """
    before = max(1, (3 * len(names) + 2) // 4)
    early, rest = list(names[:before]), list(names[before:])
    between, late = rest[::2], rest[1::2]
    arrows = {(treatment, outcome)}
    if hidden == 1:
        arrows |= {(early[0], treatment), (early[0], early[1]), (early[1], outcome)}
    elif hidden == 2:
        arrows |= {(early[0], treatment), (early[0], early[2]), (early[1], early[2]), (early[1], outcome)}
    others = early[hidden + 1 if hidden else 0 :]
    for place, name in enumerate(others):
        kind = rng.integer(0, 3) if len(names) > 1 else 0
        arrows |= {(name, treatment)} if kind in (0, 1) else set()
        arrows |= {(name, outcome)} if kind in (0, 2) else set()
        arrows |= {(cause, name) for cause in others[:place] if rng.chance(1.2 / len(others))}
        arrows |= {(name, late[0])} if kind == 3 and late else set()
    for name in between:
        arrows |= {(treatment, name), (name, outcome)}
    for name in late:
        arrows |= {(outcome, name), (rng.choice([treatment, *others]), name)}
    return Graph((*early, treatment, *between, outcome, *late), tuple(sorted(arrows))), tuple(sorted(early[:hidden]))
