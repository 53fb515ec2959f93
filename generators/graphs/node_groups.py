"""Groups in a graph: pairs drawn at random, neighbours as bits, heaviest cliques, lightest dominating sets."""

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from rlgym.core.rng import Rng
from rlgym.generators.numbers.bitsets import places

Pair = tuple[int, int]


def sample_pairs(rng: Rng, count: int, percent: int) -> tuple[Pair, ...]:
    """Each pair (low, high) of 0..count-1 with the same probability; at least one pair is left out and one is in."""
    all_pairs = [(a, b) for a in range(count) for b in range(a + 1, count)]
    size = max(1, min(len(all_pairs) - 1, (len(all_pairs) * percent + rng.integer(0, 99)) // 100))
    return tuple(sorted(rng.sample(all_pairs, size)))


def neighbour_masks(count: int, edges: Sequence[Pair]) -> list[int]:
    """For each node the bits of its neighbours, itself left out."""
    adjacency = [0] * count
    for a, b in edges:
        adjacency[a] |= 1 << b
        adjacency[b] |= 1 << a
    return adjacency


class CliqueSearch(NamedTuple):
    best: int
    """The greatest total weight of nodes that are all neighbours of each other."""
    nodes: int
    """How many nodes the search tree has: the steps of a careful solver."""


def max_weight_clique(adjacency: Sequence[int], weights: Sequence[int]) -> int:
    """The greatest total weight of nodes that are all neighbours of each other."""
    return search_clique(adjacency, weights).best


def search_clique(adjacency: Sequence[int], weights: Sequence[int]) -> CliqueSearch:
    """Branch and bound over colourings for the heaviest clique."""
    best = nodes = 0

    def expand(pending: int, total: int) -> None:
        nonlocal best, nodes
        nodes += 1
        best = max(best, total)
        order, bound = [], 0
        while pending:
            alone, heaviest = pending, 0
            while alone:
                node = (alone & -alone).bit_length() - 1
                heaviest = max(heaviest, weights[node])
                order.append((node, bound + heaviest))
                alone &= ~(adjacency[node] | 1 << node)
                pending &= ~(1 << node)
            bound += heaviest
        pending = sum(1 << node for node, _ in order)
        for node, most in reversed(order):
            if total + most <= best:
                return
            expand(pending & adjacency[node], total + weights[node])
            pending &= ~(1 << node)

    expand((1 << len(adjacency)) - 1, 0)
    return CliqueSearch(best, nodes)


def bron_kerbosch(adjacency: Sequence[int], order: Sequence[int]) -> Iterator[int]:
    """Every clique that no node can join, as bits (Bron and Kerbosch with a pivot)."""
    stack = [(0, (1 << len(adjacency)) - 1, 0)]
    while stack:
        chosen, candidates, done = stack.pop()
        if not candidates and not done:
            yield chosen
        if not candidates:
            continue
        pivot = max(places(candidates | done), key=lambda node: (adjacency[node] & candidates).bit_count())
        for node in order:
            if (candidates & ~adjacency[pivot]) >> node & 1:
                stack.append((chosen | 1 << node, candidates & adjacency[node], done & adjacency[node]))
                candidates &= ~(1 << node)
                done |= 1 << node


def clique_bound(neighbours: Sequence[int], weights: Sequence[int], uncovered: int) -> tuple[int, list[tuple[tuple[int, ...], int]]]:
    """A lower bound for a vertex cover of the uncovered nodes: disjoint cliques, each with the share of the weights that it counts."""
    room, more = list(weights), 0
    pieces: list[tuple[tuple[int, ...], int]] = []
    while True:
        able = [i for i in places(uncovered) if neighbours[i] & uncovered]
        if not able:
            return more, pieces
        first = min(able, key=lambda i: ((neighbours[i] & uncovered).bit_count(), i))
        piece, shared = [first], neighbours[first] & uncovered
        while shared:
            piece.append(
                min(places(shared), key=lambda i: (-(neighbours[i] & shared).bit_count(), (neighbours[i] & uncovered).bit_count(), i))
            )
            shared &= neighbours[piece[-1]]
        by = min(room[i] for i in piece)
        pieces.append((tuple(piece), by))
        more += by * (len(piece) - 1)
        for i in piece:
            room[i] -= by
            uncovered &= uncovered if room[i] else ~(1 << i)


class CoverSearch(NamedTuple):
    choice: int
    """The bits of a lightest choice of sets that covers everything."""
    nodes: int
    """How many nodes the search tree has: the steps of a careful solver."""


def min_weight_cover(covers: Sequence[int], weights: Sequence[int], order: Sequence[int]) -> int:
    """The bits of a lightest choice of sets that covers everything."""
    return search_cover(covers, weights, order).choice


def search_cover(covers: Sequence[int], weights: Sequence[int], order: Sequence[int]) -> CoverSearch:
    """Branch and bound for a lightest cover, on what is covered in fewest ways."""
    everything = (1 << len(covers)) - 1
    best, best_choice, nodes = sum(weights) + 1, everything, 0

    def expand(left: int, allowed: int, chosen: int, total: int) -> None:
        nonlocal best, best_choice, nodes
        nodes += 1
        if not left:
            if total < best:
                best, best_choice = total, chosen
            return
        # Each thing left costs at least the least share of a set that covers it.
        shares, fewest_candidates, fewest = 0, -1, 1 << 30
        for element in places(left):
            candidates = covers[element] & allowed
            if not candidates:
                return
            options = places(candidates)
            shares += min(weights[option] * 5040 // (covers[option] & left).bit_count() for option in options)
            if len(options) < fewest:
                fewest_candidates, fewest = candidates, len(options)
        if total + -(-shares // 5040) >= best:
            return
        for option in sorted(places(fewest_candidates), key=lambda i: (-((covers[i] & left).bit_count() * 5040 // weights[i]), order[i])):
            expand(left & ~covers[option], allowed, chosen | 1 << option, total + weights[option])
            allowed &= ~(1 << option)

    expand(everything, everything, 0, 0)
    return CoverSearch(best_choice, nodes)
