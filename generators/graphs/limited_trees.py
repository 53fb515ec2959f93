"""Cheapest spanning trees in which no node has more than a few edges, by case splits on the edges of crowded nodes."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import NamedTuple

Edge = tuple[str, str, int]
"""Two nodes and a price; edges that are there already cost 0."""


class Case(NamedTuple):
    included: tuple[int, ...]
    """Edges that must be in the tree, by number, and below those that must not."""
    excluded: tuple[int, ...]


class Tree(NamedTuple):
    total: int
    edges: tuple[int, ...]


def cheapest_tree(edges: Sequence[Edge], case: Case) -> Tree | None:
    """Kruskal's algorithm with the included edges first; None if there is no tree or the included edges close a cycle."""
    parents: dict[str, str] = {}

    def root(node: str) -> str:
        while parents.setdefault(node, node) != node:
            node = parents[node]
        return node

    order = sorted(range(len(edges)), key=lambda i: (edges[i][2] and i not in case.included, edges[i][2], i))
    chosen, nodes = list[int](), {node for a, b, _ in edges for node in (a, b)}
    for i in order:
        a, b = root(edges[i][0]), root(edges[i][1])
        if i in case.excluded:
            continue
        if a != b:
            parents[a] = b
            chosen.append(i)
        elif i in case.included:
            return None
    return Tree(sum(edges[i][2] for i in chosen), tuple(chosen)) if len(chosen) == len(nodes) - 1 else None


def most_crowded_node(edges: Sequence[Edge], chosen: Sequence[int], most: int) -> str:
    """The node with the most edges too many, the first one of these; empty if there is none."""
    degree = Counter(node for i in chosen for node in edges[i][:2])
    node = min(degree, key=lambda node: (-degree[node], node))
    return node if degree[node] > most else ""


def split(edges: Sequence[Edge], case: Case, tree: Tree, node: str) -> list[Case]:
    """Cases that together cover every tree in which the node has few enough edges: the first edge is out, or in with the second out, and so on."""
    free = [i for i in tree.edges if node in edges[i][:2] and i not in case.included and edges[i][2]]
    return [Case((*case.included, *free[:k]), (*case.excluded, out)) for k, out in enumerate(free)]


def limited_tree(edges: Sequence[Edge], most: int, most_cases: int = 100_000) -> tuple[Tree | None, int]:
    """A cheapest tree and how many cases that took; no tree if there is none or there are too many cases."""
    best: Tree | None = None
    waiting, cases = [Case((), ())], 0
    while waiting:
        case = waiting.pop()
        cases += 1
        if cases > most_cases:
            return None, cases
        tree = cheapest_tree(edges, case)
        if tree is None or (best is not None and tree.total >= best.total):
            continue
        node = most_crowded_node(edges, tree.edges, most)
        if not node:
            best = tree
        # An included edge stays included, so that a node with too many of these has no case left.
        waiting += split(edges, case, tree, node) if node else []
    return best, cases
