"""Permutations of 0 to n - 1 as tuples of images, written as cycles of 1 to n."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from math import gcd

from rlgym.core.rng import Rng

Permutation = tuple[int, ...]
Pair = tuple[Permutation, Permutation]


def product(outer: Permutation, inner: Permutation) -> Permutation:
    """First the inner one, then the outer one."""
    return tuple(outer[i] for i in inner)


def inverse(permutation: Permutation) -> Permutation:
    out = [0] * len(permutation)
    for i, image in enumerate(permutation):
        out[image] = i
    return tuple(out)


def power(permutation: Permutation, exponent: int) -> Permutation:
    base, out = permutation if exponent >= 0 else inverse(permutation), tuple(range(len(permutation)))
    for _ in range(abs(exponent)):
        out = product(base, out)
    return out


def cycles(permutation: Permutation) -> list[tuple[int, ...]]:
    """Each cycle from its smallest member on, those of one member too."""
    seen: set[int] = set()
    out = []
    for start in range(len(permutation)):
        cycle, at = [], start
        while at not in seen:
            seen.add(at)
            cycle.append(at)
            at = permutation[at]
        out += [tuple(cycle)] if cycle else []
    return out


def text(permutation: Permutation) -> str:
    return "".join(cycle_text(cycle) for cycle in cycles(permutation) if len(cycle) > 1) or "()"


def cycle_text(cycle: Sequence[int]) -> str:
    return f"({' '.join(str(i + 1) for i in cycle)})"


def sample_permutation(rng: Rng, size: int) -> Permutation:
    """Any but the identity."""
    while True:
        permutation = tuple(rng.shuffled(range(size)))
        if permutation != tuple(range(size)):
            return permutation


def propagate_image(pairs: Sequence[Pair], start: int, image: int) -> dict[int, int] | None:
    """Where x takes all that can be reached from `start` when x*a = b*x for every pair; None where that contradicts itself."""
    images, waiting = {start: image}, [start]
    while waiting:
        i = waiting.pop()
        for a, b in pairs:
            if a[i] not in images:
                images[a[i]] = b[images[i]]
                waiting.append(a[i])
            elif images[a[i]] != b[images[i]]:
                return None
    return images if len(set(images.values())) == len(images) else None


def conjugators(pairs: Sequence[Pair], order: Sequence[int]) -> Iterator[Permutation]:
    """Every x with x*a = b*x for every pair; images are tried in the given order."""
    size = len(pairs[0][0])

    def extend(known: dict[int, int]) -> Iterator[Permutation]:
        start = next((i for i in range(size) if i not in known), None)
        if start is None:
            yield tuple(known[i] for i in range(size))
            return
        used = set(known.values())
        for image in order:
            more = propagate_image(pairs, start, image) if image not in used else None
            if more is not None and not used & set(more.values()):
                yield from extend({**known, **more})

    return extend({})


def roots(permutation: Permutation, exponent: int, largest_first: bool) -> Iterator[Permutation]:
    """Some x whose power is the given permutation: cycles of one length, joined so many at a time."""
    by_length: dict[int, list[tuple[int, ...]]] = {}
    for cycle in cycles(permutation):
        by_length.setdefault(len(cycle), []).append(cycle)

    def joined(cycles_left: list[tuple[int, ...]], length: int) -> Iterator[list[list[int]]]:
        if not cycles_left:
            yield []
        sizes = [m for m in range(1, len(cycles_left) + 1) if exponent % m == 0 and gcd(length * m, exponent) == m]
        for m in sizes[::-1] if largest_first else sizes:
            ring = [0] * (length * m)
            for r, cycle in enumerate(cycles_left[:m]):
                for t, member in enumerate(cycle):
                    ring[(r + t * exponent) % (length * m)] = member
            for rest in joined(cycles_left[m:], length):
                yield [ring, *rest]

    def extend(lengths: list[int], images: dict[int, int]) -> Iterator[Permutation]:
        if not lengths:
            yield tuple(images[i] for i in range(len(permutation)))
            return
        for rings in joined(by_length[lengths[0]], lengths[0]):
            more = {ring[i - 1]: ring[i] for ring in rings for i in range(len(ring))}
            yield from extend(lengths[1:], images | more)

    return extend(sorted(by_length), {})
