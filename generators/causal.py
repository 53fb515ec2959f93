"""Directed graphs without cycles, and which paths of them are open once some nodes are known."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from itertools import pairwise

Edges = Sequence[tuple[str, str]]


def below(edges: Edges, start: str) -> set[str]:
    """A node and all that is reached from it along the arrows."""
    found, waiting = {start}, [start]
    while waiting:
        here = waiting.pop()
        new = [b for a, b in edges if a == here and b not in found]
        found.update(new)
        waiting += new
    return found


def ancestors(edges: Edges, nodes: Collection[str]) -> set[str]:
    """Some nodes and all from which one of them is reached."""
    return {node for node in {*nodes, *(a for a, _ in edges)} if below(edges, node) & set(nodes)}


def collides(edges: Edges, before: str, node: str, after: str) -> bool:
    """Whether both neighbours on a path point at a node."""
    return (before, node) in edges and (after, node) in edges


def is_open(edges: Edges, path: Sequence[str], known: Collection[str]) -> bool:
    """Whether a path lets dependence through: every other node on it is unknown, every collider known or above something known."""
    if len(set(path)) != len(path) or any((a, b) not in edges and (b, a) not in edges for a, b in pairwise(path)):
        return False
    return all(
        bool(below(edges, node) & set(known)) if collides(edges, before, node, after) else node not in known
        for before, node, after in zip(path, path[1:], path[2:], strict=False)
    )


def moral(edges: Edges, nodes: Collection[str]) -> dict[str, set[str]]:
    """Neighbours, without directions, among some nodes once those with a common child among them are joined."""
    inside = [(a, b) for a, b in edges if a in nodes and b in nodes]
    joined: dict[str, set[str]] = {node: set() for node in nodes}
    for a, b in [*inside, *((a, c) for a, b in inside for c, d in inside if b == d and a != c)]:
        joined[a].add(b)
        joined[b].add(a)
    return joined


def reached(joined: Mapping[str, Collection[str]], start: str, known: Collection[str]) -> set[str]:
    """What is reached from a node without entering known ones."""
    found, waiting = {start}, [start]
    while waiting:
        new = [node for node in joined[waiting.pop()] if node not in found and node not in known]
        found.update(new)
        waiting += new
    return found


def separated(edges: Edges, one: str, other: str, known: Collection[str]) -> bool:
    """Whether no open path leads from one node to another."""
    return other not in reached(moral(edges, ancestors(edges, {one, other, *known})), one, known)


def open_paths(edges: Edges, one: str, other: str, known: Collection[str]) -> Iterator[tuple[str, ...]]:
    """All open paths, shorter ones first within each beginning."""
    near: dict[str, list[str]] = {}
    for a, b in edges:
        near.setdefault(a, []).append(b)
        near.setdefault(b, []).append(a)

    def grown(path: tuple[str, ...]) -> Iterator[tuple[str, ...]]:
        if path[-1] == other:
            yield path
            return
        for node in sorted(near.get(path[-1], [])):
            if node not in path and is_open(edges, (*path[-2:], node), known):
                yield from grown((*path, node))

    yield from grown((one,))
