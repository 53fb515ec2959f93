"""Closed packages that people share whole, so that their shares are in a given ratio and as little as possible is left over."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from rlgym.core.rng import Rng
from rlgym.core.task import TaskData
from rlgym.generators.text.english import join_words
from rlgym.solutions import Derivation, Solution, Step

TEXTS = (
    "{all} find {count} closed packages of {goods}, which hold {sizes} {goods}. They share packages without opening any of them, so that the shares of "
    "{all} are exactly in the ratio {ratio}; the packages that nobody takes are given back. What is the greatest number of {goods} that {a} can get?",
    "{count} sealed boxes contain {sizes} {goods}. {all} may take boxes, each box whole or not at all, so that the numbers of {goods} they get are in the "
    "exact ratio {ratio}, in this order. As few {goods} as possible stay behind. How many {goods} does {a} get?",
    "A shop gives away {count} bags with {sizes} {goods}, and no bag is opened. {all} take some of the bags or all of them, and the {goods} that they have "
    "then are in the ratio {ratio} exactly. How many {goods} can {a} have at most?",
)
RATIOS = ((2, 3, 4), (3, 4, 5), (2, 3, 5), (3, 4, 6), (3, 5, 6), (3, 5, 7), (2, 4, 5), (4, 5, 6))
PART = Step("With {part} for each part of the ratio, {left} stay behind; just that is in {choices} choice(s) of packages: {result}")
SHARED = Step("With {part} for each part of the ratio, {left} may stay behind: {name} takes {sizes}")


class Packages(TaskData):
    """What the packages hold, the people with their parts of the ratio, and whose share is asked for."""

    sizes: tuple[int, ...]
    ratio: tuple[int, ...]
    names: tuple[str, ...]
    asked: int
    part: int
    """The most for each part of the ratio."""


class Found(NamedTuple):
    """The greatest share, who takes which packages (as bits), and how many choices of packages left over were refuted before, by part."""

    part: int
    taken: tuple[int, ...]
    refuted: Mapping[int, int]


def greatest(sizes: Sequence[int], ratio: Sequence[int]) -> Found | None:
    """The shares with the fewest goods left over, by what is left over: each choice of it leaves packages to be divided exactly."""
    by_sum: dict[int, list[int]] = {}
    sums = [0] * (1 << len(sizes))
    for choice in range(len(sums)):
        lowest = choice & -choice
        sums[choice] = sums[choice ^ lowest] + sizes[lowest.bit_length() - 1] if choice else 0
        by_sum.setdefault(sums[choice], []).append(choice)
    refuted: dict[int, int] = {}
    for part in range(sum(sizes) // sum(ratio), 0, -1):
        choices = by_sum.get(sum(sizes) - part * sum(ratio), [])
        for left in choices:
            taken = next(_disjoint_choices(by_sum, [part * each for each in ratio], left), None)
            if taken:
                return Found(part, taken, refuted)
        refuted[part] = len(choices)
    return None


def _disjoint_choices(by_sum: Mapping[int, Sequence[int]], shares: Sequence[int], used: int) -> Iterator[tuple[int, ...]]:
    """Disjoint choices of packages with these sums, without the used packages."""
    if not shares:
        yield ()
        return
    for choice in by_sum.get(shares[0], ()):
        if not choice & used:
            for rest in _disjoint_choices(by_sum, shares[1:], used | choice):
                yield (choice, *rest)


def sample(rng: Rng, count: int, names: Sequence[str]) -> Packages:
    """Packages for which many choices of what is left over have to be refuted, more the more packages there are."""
    fewest = 4 if count < 8 else 10 if count < 9 else 20 if count < 11 else 30
    while True:
        ratio = tuple(rng.shuffled(rng.choice(RATIOS)))
        sizes = tuple(rng.sample(range(10, 100), count))
        found = greatest(sizes, ratio)
        if found and fewest <= sum(found.refuted.values()) <= 3 * fewest:
            return Packages(sizes=sizes, ratio=ratio, names=tuple(names), asked=rng.integer(0, 2), part=found.part)


def render(rng: Rng, data: Packages, goods: str) -> str:
    return rng.choice(TEXTS).format(
        all=join_words(data.names),
        count=len(data.sizes),
        sizes=join_words(list(map(str, data.sizes))),
        ratio=" : ".join(map(str, data.ratio)),
        goods=goods,
        a=data.names[data.asked],
    )


def share(data: Packages) -> int:
    """The share that is asked for: all that half of the packages can give must be completed by the other half."""
    half = len(data.sizes) // 2
    some, others = _reachable_sums(data.sizes[:half], len(data.ratio)), _reachable_sums(data.sizes[half:], len(data.ratio))
    for part in range(sum(data.sizes) // sum(data.ratio), 0, -1):
        if any(tuple(part * n - s for n, s in zip(data.ratio, each)) in others for each in some):
            return part * data.ratio[data.asked]
    return 0


def _reachable_sums(sizes: Sequence[int], people: int) -> set[tuple[int, ...]]:
    """What the people can get from these packages."""
    sums: set[tuple[int, ...]] = {(0,) * people}
    for size in sizes:
        sums |= {(*each[:i], each[i] + size, *each[i + 1 :]) for each in sums for i in range(people)}
    return sums


def wrong_shares(data: Packages) -> list[int]:
    """The share if nothing had to be left over, the next smaller and larger ones, and another person's."""
    each = data.ratio[data.asked]
    parts = (sum(data.sizes) // sum(data.ratio), data.part - 1, data.part + 1)
    others = [data.part * other for other in data.ratio if other != each]
    return [part * each for part in parts if part != data.part] + others


def cost(data: Packages) -> float:
    found = greatest(data.sizes, data.ratio)
    return 2.0 ** len(data.sizes) + 10 * sum(found.refuted.values() if found else ())


def derive(data: Packages) -> Derivation:
    found = greatest(data.sizes, data.ratio)
    assert found is not None
    for part, choices in found.refuted.items():
        result = "none leaves packages that can be divided in this ratio" if choices else "impossible"
        yield PART(part=part, left=sum(data.sizes) - part * sum(data.ratio), choices=choices, result=result)
    left = sum(data.sizes) - found.part * sum(data.ratio)
    for name, taken in zip(data.names, found.taken):
        sizes = " + ".join(str(size) for i, size in enumerate(data.sizes) if taken >> i & 1)
        yield SHARED(part=found.part, left=left, name=name, sizes=sizes)


SOLUTION: Solution[Any] = Solution(lambda task: derive(task.data.packages), "The share asked for is {answer}.")
