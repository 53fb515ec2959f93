"""Functional dependencies over the attributes A, B, C, ...: closures, keys, normal forms. Sets of attributes are bit masks."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import combinations

from rlgym.core.rng import Rng

LETTERS = "ABCDEFGHIJ"
Dependency = tuple[int, int]


def show(mask: int) -> str:
    """A set of attributes as its letters in order."""
    return "".join(letter for i, letter in enumerate(LETTERS) if mask >> i & 1)


def read(text: str, attributes: int) -> int | None:
    """The set that letters spell; None where a letter is none of the attributes or stands twice."""
    letters = text.upper()
    if not letters or len(letters) > attributes or len(set(letters)) < len(letters):
        return None
    places = [LETTERS[:attributes].find(letter) for letter in letters]
    return None if -1 in places else sum(1 << place for place in places)


def describe(dependencies: Iterable[Dependency]) -> str:
    """Dependencies as `AB -> C`, parted by commas."""
    return ", ".join(f"{show(left)} -> {show(right)}" for left, right in dependencies)


def closure(dependencies: Sequence[Dependency], mask: int) -> int:
    """All attributes that a set determines."""
    while True:
        more = mask
        for left, right in dependencies:
            if left & ~more == 0:
                more |= right
        if more == mask:
            return mask
        mask = more


def keys(dependencies: Sequence[Dependency], attributes: int) -> list[int]:
    """All candidate keys, the small ones first."""
    everything, candidate_keys = (1 << attributes) - 1, list[int]()
    for size in range(1, attributes + 1):
        for places in combinations(range(attributes), size):
            mask = sum(1 << place for place in places)
            if not any(key & ~mask == 0 for key in candidate_keys) and closure(dependencies, mask) == everything:
                candidate_keys.append(mask)
    return candidate_keys


def draw(rng: Rng, attributes: int, count: int, widest: int) -> tuple[Dependency, ...]:
    """Different dependencies with up to `widest` attributes on the left and one or two others on the right."""
    drawn: dict[Dependency, None] = {}
    while len(drawn) < count:
        places = rng.shuffled(range(attributes))
        wide = rng.integer(1, widest)
        right = sum(1 << place for place in places[wide : wide + rng.weighted((1, 2), (3, 1))])
        drawn[sum(1 << place for place in places[:wide]), right] = None
    return tuple(drawn)


def subsets(mask: int) -> Iterable[int]:
    """All sets inside a set but the empty one."""
    part = mask
    while part:
        yield part
        part = (part - 1) & mask


def fault_of_form(dependencies: Sequence[Dependency], part: int, *, third: bool) -> int:
    """A set that determines more inside a relation without determining all of it, against the normal form; 0 where there is none.

    With `third` an attribute of a key of the relation may be determined so (3NF), otherwise it may not (BCNF).
    """
    inside = {mask: closure(dependencies, mask) & part for mask in subsets(part)}
    supers = [mask for mask, reach in inside.items() if reach == part]
    prime = 0
    for mask in supers:
        if not any(other != mask and other & ~mask == 0 for other in supers):
            prime |= mask
    for mask, reach in sorted(inside.items()):
        if reach != part and reach & ~mask & ~(prime if third else 0):
            return mask
    return 0


def lossless(dependencies: Sequence[Dependency], attributes: int, parts: Sequence[int]) -> bool:
    """Whether joining the parts gives back every relation that obeys the dependencies (by the chase)."""
    rows = [[0 if part >> i & 1 else k + 1 for i in range(attributes)] for k, part in enumerate(parts)]
    places = [[[i for i in range(attributes) if side >> i & 1] for side in pair] for pair in dependencies]
    changed = True
    while changed:
        changed = False
        for left, right in places:
            for first, second in combinations(rows, 2):
                if all(first[i] == second[i] for i in left):
                    for i in right:
                        if first[i] != second[i]:
                            low, high = sorted((first[i], second[i]))
                            for row in rows:
                                if row[i] == high:
                                    row[i] = low
                            changed = True
    return any(not any(row) for row in rows)


def lost(dependencies: Sequence[Dependency], parts: Sequence[int]) -> Dependency | None:
    """A dependency that does not follow from those inside the parts; None where all are kept."""
    for left, right in dependencies:
        reach, before = left, 0
        while reach != before:
            before = reach
            for part in parts:
                reach |= closure(dependencies, reach & part) & part
        if right & ~reach:
            return left, right
    return None


def minimal_cover(dependencies: Sequence[Dependency], attributes: int) -> list[Dependency]:
    """Dependencies with one attribute on the right and nothing superfluous on the left, none of which follows from the others."""
    cover = [(left, 1 << i) for left, right in dependencies for i in range(attributes) if right >> i & 1 and not left >> i & 1]
    small: list[Dependency] = []
    for left, right in cover:
        for i in range(attributes):
            if left >> i & 1 and closure(cover, left & ~(1 << i)) & right:
                left &= ~(1 << i)
        small.append((left, right))
    kept = list(dict.fromkeys(small))
    for dependency in list(kept):
        rest = [other for other in kept if other != dependency]
        if closure(rest, dependency[0]) & dependency[1]:
            kept = rest
    return kept


def synthesis(dependencies: Sequence[Dependency], attributes: int) -> tuple[int, ...]:
    """Parts in 3NF that are lossless and keep the dependencies: one for each left side of a minimal cover, and a key if none holds one."""
    kept = minimal_cover(dependencies, attributes)
    parts = [left | sum({right for other, right in kept if other == left}) for left in dict.fromkeys(left for left, _ in kept)]
    everything = (1 << attributes) - 1
    if not any(closure(dependencies, part) == everything for part in parts):
        parts.append(keys(dependencies, attributes)[0])
    parts = list(dict.fromkeys(parts))
    return tuple(part for part in parts if not any(part != other and part & ~other == 0 for other in parts))


def split(dependencies: Sequence[Dependency], attributes: int) -> tuple[int, ...]:
    """Parts in BCNF, lossless: a part against the form is split at the set that is."""
    open_parts, done = [(1 << attributes) - 1], list[int]()
    while open_parts:
        part = open_parts.pop()
        fault = fault_of_form(dependencies, part, third=False)
        if fault:
            reach = closure(dependencies, fault) & part
            open_parts += [reach, fault | (part & ~reach)]
        else:
            done.append(part)
    return tuple(part for part in dict.fromkeys(done) if not any(part != other and part & ~other == 0 for other in done))
