"""Pinned versions of packages that need each other: an index, pins that do not fit, and the fewest changes that repair them."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import combinations, product
from typing import NamedTuple

from rlgym.core.rng import Rng
from rlgym.generators.terminal import names


class Release(NamedTuple):
    """A version of a package. Each need is another package with the lowest and the highest version that fit."""

    needs: tuple[tuple[str, int, int], ...]
    withdrawn: bool = False


Index = dict[str, dict[int, Release]]


def problem(rng: Rng, packages: int, versions: int, changes: int, withdrawn: int) -> tuple[Index, dict[str, int], int]:
    """An index, pins that do not fit, and the fewest pins that must change: `changes` where that is found soon, and at least 1."""
    best: tuple[Index, dict[str, int], int] | None = None
    for _ in range(40):
        index, solution = _index(rng, packages, versions, withdrawn)
        pinned = {**solution}
        for name in rng.sample(list(solution), changes):
            pinned[name] = rng.choice([version for version in index[name] if version != solution[name]])
        pinned = {name: pinned[name] for name in rng.shuffled(list(pinned))}
        least = fewest(index, pinned, changes)
        if least and (best is None or least > best[2]):
            best = index, pinned, least
            if least == changes:
                break
    if best is None:
        return problem(rng, packages, versions, changes, withdrawn)
    return best


def _index(rng: Rng, packages: int, versions: int, withdrawn: int) -> tuple[Index, dict[str, int]]:
    chosen = sorted(rng.sample(names.TOPICS, packages))
    numbers = {name: range(start, start + versions) for name in chosen for start in (rng.integer(1, 5),)}
    solution = {name: rng.choice(numbers[name]) for name in chosen}
    index: Index = {name: {} for name in chosen}
    for name in chosen:
        others = [other for other in chosen if other != name]
        for version in numbers[name]:
            needs = []
            for other in sorted(rng.sample(others, min(len(others), rng.integer(1, 2)))):
                low = rng.choice(numbers[other])
                high = min(numbers[other][-1], low + rng.integer(0, 1))
                if version == solution[name]:
                    low, high = min(low, solution[other]), max(low, solution[other])
                    if high - low > 1:
                        low, high = max(numbers[other][0], solution[other] - 1), solution[other]
                needs.append((other, low, high))
            index[name][version] = Release(tuple(needs))
    spare = [(name, version) for name in chosen for version in numbers[name] if version != solution[name]]
    for name, version in rng.sample(spare, min(withdrawn, len(spare))):
        index[name][version] = index[name][version]._replace(withdrawn=True)
    return index, solution


def is_broken(index: Index, pinned: Mapping[str, int]) -> bool:
    """Whether a pin is no usable version, or a need is not met."""
    for name, version in pinned.items():
        release = index.get(name, {}).get(version)
        if release is None or release.withdrawn:
            return True
        if any(not low <= pinned.get(other, -1) <= high for other, low, high in release.needs):
            return True
    return False


def fewest(index: Index, pinned: Mapping[str, int], most: int) -> int:
    """The fewest pins whose change repairs all, 0 where nothing is broken; `most` are known to be enough."""
    if not is_broken(index, pinned):
        return 0
    for size in range(1, most):
        for chosen in combinations(pinned, size):
            for versions in product(*([version for version in index[name] if version != pinned[name]] for name in chosen)):
                if not is_broken(index, {**pinned, **dict(zip(chosen, versions, strict=True))}):
                    return size
    return most
