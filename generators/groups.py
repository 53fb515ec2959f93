"""Groups in a graph: pairs drawn at random, neighbours as bits, heaviest cliques, lightest dominating sets."""

from collections.abc import Iterator, Sequence

from rlgym.core.rng import Rng
from rlgym.generators.bits import places

Pair = tuple[int, int]


def pairs(rng: Rng, count: int, percent: int) -> tuple[Pair, ...]:
    """Each pair (low, high) of 0..count-1 with the same probability; at least one pair is left out and one is in."""
    every = [(a, b) for a in range(count) for b in range(a + 1, count)]
    wanted = max(1, min(len(every) - 1, (len(every) * percent + rng.integer(0, 99)) // 100))
    return tuple(sorted(rng.sample(every, wanted)))


def neighbours(count: int, edges: Sequence[Pair]) -> list[int]:
    """For each node the bits of its neighbours, itself left out."""
    near = [0] * count
    for a, b in edges:
        near[a] |= 1 << b
        near[b] |= 1 << a
    return near


def heaviest_clique(near: Sequence[int], weights: Sequence[int]) -> int:
    """The greatest total weight of nodes that are all neighbours of each other, by branch and bound over colourings."""
    best = 0

    def expand(left: int, total: int) -> None:
        nonlocal best
        best = max(best, total)
        order, bound = [], 0
        while left:
            alone, heaviest = left, 0
            while alone:
                node = (alone & -alone).bit_length() - 1
                heaviest = max(heaviest, weights[node])
                order.append((node, bound + heaviest))
                alone &= ~(near[node] | 1 << node)
                left &= ~(1 << node)
            bound += heaviest
        left = sum(1 << node for node, _ in order)
        for node, most in reversed(order):
            if total + most <= best:
                return
            expand(left & near[node], total + weights[node])
            left &= ~(1 << node)

    expand((1 << len(near)) - 1, 0)
    return best


def maximal_cliques(near: Sequence[int], order: Sequence[int]) -> Iterator[int]:
    """Every clique that no node can join, as bits (Bron and Kerbosch with a pivot)."""
    stack = [(0, (1 << len(near)) - 1, 0)]
    while stack:
        chosen, left, done = stack.pop()
        if not left and not done:
            yield chosen
        if not left:
            continue
        pivot = max(places(left | done), key=lambda node: (near[node] & left).bit_count())
        for node in order:
            if (left & ~near[pivot]) >> node & 1:
                stack.append((chosen | 1 << node, left & near[node], done & near[node]))
                left &= ~(1 << node)
                done |= 1 << node


def lightest_cover(covers: Sequence[int], weights: Sequence[int], order: Sequence[int]) -> int:
    """The bits of a lightest choice of sets that covers everything, by search on what is covered in fewest ways."""
    everything = (1 << len(covers)) - 1
    best, found = sum(weights) + 1, everything

    def expand(left: int, allowed: int, chosen: int, total: int) -> None:
        nonlocal best, found
        if not left:
            if total < best:
                best, found = total, chosen
            return
        # Each thing left costs at least the least share of a set that covers it.
        shares, narrow, ways_of_narrow = 0, -1, 1 << 30
        for thing in places(left):
            ways = covers[thing] & allowed
            if not ways:
                return
            options = places(ways)
            shares += min(weights[option] * 5040 // (covers[option] & left).bit_count() for option in options)
            if len(options) < ways_of_narrow:
                narrow, ways_of_narrow = ways, len(options)
        if total + -(-shares // 5040) >= best:
            return
        for option in sorted(places(narrow), key=lambda i: (-((covers[i] & left).bit_count() * 5040 // weights[i]), order[i])):
            expand(left & ~covers[option], allowed, chosen | 1 << option, total + weights[option])
            allowed &= ~(1 << option)

    expand(everything, everything, 0, 0)
    return found
