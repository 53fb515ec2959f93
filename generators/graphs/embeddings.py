"""Embeddings of a small graph in a larger one: how far a search with forward checking has to go."""

from __future__ import annotations

from collections.abc import Sequence

from rlgym.generators.numbers.bitsets import places


def count_placements(pattern: Sequence[int], target: Sequence[int], exact: bool, most: int) -> int:
    """How many nodes are placed before the first embedding, in the better of two orders of trying; at most `most`.

    Graphs are given by the bits of the neighbours of each node. With `exact`, nodes that are not neighbours must not become neighbours. A placement takes
    away, for each node still to be placed, what does not fit; the search goes back as soon as nothing is left for some node.
    """
    return min(_search(pattern, target, exact, most, backwards) for backwards in (False, True))


def _search(pattern: Sequence[int], target: Sequence[int], exact: bool, most: int, backwards: bool) -> int:
    order: list[int] = []
    while len(order) < len(pattern):
        chosen = sum(1 << node for node in order)
        rest = [node for node in range(len(pattern)) if node not in order]
        order.append(max(rest, key=lambda node: ((pattern[node] & chosen).bit_count(), pattern[node].bit_count(), -node)))
    degree = [mask.bit_count() for mask in target]
    start = [sum(1 << place for place, roads in enumerate(degree) if roads >= mask.bit_count()) for mask in pattern]
    stack, placed = [(0, start)], 0
    while stack and placed < most:
        step, able = stack.pop()
        placed += step > 0
        if step == len(order):
            return placed
        node = order[step]
        for place in places(able[node])[:: -1 if backwards else 1]:
            after = able.copy()
            for other in order[step + 1 :]:
                fits = target[place] if pattern[node] >> other & 1 else ~target[place] if exact else -1
                after[other] &= fits & ~(1 << place)
                if not after[other]:
                    placed += 1
                    break
            else:
                stack.append((step + 1, after))
    return placed
