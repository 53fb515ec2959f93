"""Directed graphs without cycles, and which paths of them are open once some nodes are known."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from itertools import pairwise

Edges = Sequence[tuple[str, str]]


def descendants(edges: Edges, start: str) -> set[str]:
    """A node and all that is reached from it along the arrows."""
    reached_nodes, stack = {start}, [start]
    while stack:
        node = stack.pop()
        new = [b for a, b in edges if a == node and b not in reached_nodes]
        reached_nodes.update(new)
        stack += new
    return reached_nodes


def ancestors(edges: Edges, nodes: Collection[str]) -> set[str]:
    """Some nodes and all from which one of them is reached."""
    return {node for node in {*nodes, *(a for a, _ in edges)} if descendants(edges, node) & set(nodes)}


def is_collider(edges: Edges, before: str, node: str, after: str) -> bool:
    """Whether both neighbours on a path point at a node."""
    return (before, node) in edges and (after, node) in edges


def is_open(edges: Edges, path: Sequence[str], known: Collection[str]) -> bool:
    """Whether a path lets dependence through: every other node on it is unknown, every collider known or above something known."""
    if len(set(path)) != len(path) or any((a, b) not in edges and (b, a) not in edges for a, b in pairwise(path)):
        return False
    return all(
        bool(descendants(edges, node) & set(known)) if is_collider(edges, before, node, after) else node not in known
        for before, node, after in zip(path, path[1:], path[2:], strict=False)
    )


def moral_graph(edges: Edges, nodes: Collection[str]) -> dict[str, set[str]]:
    """Neighbours, without directions, among some nodes once those with a common child among them are joined."""
    kept = [(a, b) for a, b in edges if a in nodes and b in nodes]
    joined: dict[str, set[str]] = {node: set() for node in nodes}
    for a, b in [*kept, *((a, c) for a, b in kept for c, d in kept if b == d and a != c)]:
        joined[a].add(b)
        joined[b].add(a)
    return joined


def reachable(joined: Mapping[str, Collection[str]], start: str, known: Collection[str]) -> set[str]:
    """What is reached from a node without entering known ones."""
    reached_nodes, stack = {start}, [start]
    while stack:
        new = [node for node in joined[stack.pop()] if node not in reached_nodes and node not in known]
        reached_nodes.update(new)
        stack += new
    return reached_nodes


def d_separated(edges: Edges, one: str, other: str, known: Collection[str]) -> bool:
    """Whether no open path leads from one node to another."""
    return other not in reachable(moral_graph(edges, ancestors(edges, {one, other, *known})), one, known)


def iterate_open_paths(edges: Edges, one: str, other: str, known: Collection[str]) -> Iterator[tuple[str, ...]]:
    """All open paths, shorter ones first within each beginning."""
    neighbours: dict[str, list[str]] = {}
    for a, b in edges:
        neighbours.setdefault(a, []).append(b)
        neighbours.setdefault(b, []).append(a)

    def extend(path: tuple[str, ...]) -> Iterator[tuple[str, ...]]:
        if path[-1] == other:
            yield path
            return
        for node in sorted(neighbours.get(path[-1], [])):
            if node not in path and is_open(edges, (*path[-2:], node), known):
                yield from extend((*path, node))

    yield from extend((one,))
