"""Who governs which of several places in a row: true remarks that leave few arrangements, in which some people have one place and others have several."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from itertools import permutations

from rlgym.core.rng import Rng
from rlgym.core.task import TaskData
from rlgym.generators.facts.sentence_banks import Bank

BANK = Bank("""
between: The {place} of {a} lies between those of {b} and {c}. | The way from the {place} of {b} to that of {c} passes that of {a}.
outside: The {place} of {a} does not lie between those of {b} and {c}.
outside: The way from the {place} of {b} to that of {c} does not pass that of {a}.
apart: The {place}s of {a} and {b} are not neighbours. | At least one {place} lies between those of {a} and {b}.
nearer: From the {place} of {b}, that of {a} is less far away than that of {c}.
nearer: The {place} of {a} is nearer to that of {b} than the {place} of {c} is.
even: The {place}s of {a} and {b} are as far apart as those of {c} and {d}.
even: The distance from the {place} of {a} to that of {b} equals that from the {place} of {c} to that of {d}.
split: Exactly one of {a} and {b} governs a {place} that comes before {town} in this order.
split: Of {a} and {b}, one governs a {place} that comes before {town} in this order, and the other does not.
""")
SIZES = {"between": 3, "outside": 3, "apart": 2, "nearer": 3, "even": 4, "split": 2}
# What says most is drawn least, and is left out first.
KINDS = ("between", "even", "split", "split", "nearer", "nearer", "apart", "outside", "outside", "outside")


class Remark(TaskData):
    kind: str
    people: tuple[str, ...]
    before: int = 0


def holds(kind: str, at: Sequence[int], before: int) -> bool:
    """Whether a remark is true of people who govern these places, from 0."""
    match kind:
        case "between":
            return at[1] < at[0] < at[2] or at[2] < at[0] < at[1]
        case "outside":
            return not (at[1] < at[0] < at[2] or at[2] < at[0] < at[1])
        case "apart":
            return abs(at[0] - at[1]) > 1
        case "nearer":
            return abs(at[0] - at[1]) < abs(at[2] - at[1])
        case "even":
            return abs(at[0] - at[1]) == abs(at[2] - at[3])
    return (at[0] < before) != (at[1] < before)


@cache
def _place_masks(size: int) -> tuple[tuple[int, ...], ...]:
    """For each person and place the integer whose bit k tells whether the k-th permutation has that person there."""
    columns = [bytes(column) for column in zip(*permutations(range(size)), strict=True)]
    digits = [bytes(48 + (value == place) for value in range(256)) for place in range(size)]
    return tuple(tuple(int(column.translate(digits[place]), 2) for place in range(size)) for column in columns)


def _mask(remark: Remark, masks: Mapping[str, Sequence[int]], size: int) -> int:
    """The permutations of which a remark is true."""
    if remark.kind == "even":
        far = [[0] * size, [0] * size]
        for pair, (first, second) in enumerate((remark.people[:2], remark.people[2:])):
            for one, other in permutations(range(size), 2):
                far[pair][abs(one - other)] |= masks[first][one] & masks[second][other]
        return sum(one & other for one, other in zip(*far, strict=True))
    found = 0
    for at in permutations(range(size), len(remark.people)):
        if holds(remark.kind, at, remark.before):
            both = masks[remark.people[0]][at[0]]
            for person, place in zip(remark.people[1:], at[1:], strict=True):
                both &= masks[person][place]
            found |= both
    return found


def sample(rng: Rng, people: Sequence[str], most: int) -> tuple[list[Remark], dict[int, str]]:
    """True remarks on five people or more, each of them needed, that leave from two to `most` arrangements, and who has one place only, by place.

    At least two of the people have one place only, so that no mirror image fits, and at least two have not.
    """
    size = len(people)
    masks = dict(zip(people, _place_masks(size), strict=True))
    places = dict(zip(people, rng.shuffled(range(size)), strict=True))
    every = sum(masks[people[0]])
    while True:
        chosen, allowed = dict[Remark, int](), every
        for _ in range(8 * size):
            kind = rng.choice(KINDS)
            who = tuple(rng.sample(people, SIZES[kind]))
            remark = Remark(kind=kind, people=who, before=rng.integer(2, size - 2) if kind == "split" else 0)
            if not holds(kind, [places[name] for name in who], remark.before):
                continue
            mask = _mask(remark, masks, size)
            left = (allowed & mask).bit_count()
            # A remark that adds nothing is left out, and one that leaves a single arrangement is as well.
            if 2 <= left < allowed.bit_count():
                chosen[remark], allowed = mask, allowed & mask
                placed = {place: name for name, own in masks.items() for place, there in enumerate(own) if not allowed & ~there}
                if left <= most and len(placed) > 1:
                    return _needed(chosen, every, allowed), placed


def _needed(chosen: Mapping[Remark, int], every: int, allowed: int) -> list[Remark]:
    kept = dict(sorted(chosen.items(), key=lambda item: KINDS.index(item[0].kind)))
    for remark in list(kept):
        left = every
        for other, mask in kept.items():
            if other != remark:
                left &= mask
        if left == allowed:
            del kept[remark]
    return list(kept)


def search(remarks: Sequence[Remark], people: Sequence[str]) -> Iterator[tuple[dict[str, int], int]]:
    """The leaves of a depth-first search: people with their places, and the number of the remark that they break, or 0 where all are placed.

    The person with the fewest places to try is placed next; a remark is broken where no free place of its last person fits it.
    """
    size = len(people)

    def broken(at: Mapping[str, int]) -> int:
        free = [place for place in range(size) if place not in at.values()]
        for number, remark in enumerate(remarks, 1):
            unset = [name for name in remark.people if name not in at]
            if len(unset) > 1:
                continue
            tries = [{**at, **dict.fromkeys(unset, place)} for place in free] if unset else [at]
            if not any(holds(remark.kind, [there[name] for name in remark.people], remark.before) for there in tries):
                return number
        return 0

    def descend(at: dict[str, int]) -> Iterator[tuple[dict[str, int], int]]:
        if len(at) == size:
            yield at, 0
            return
        free = [place for place in range(size) if place not in at.values()]
        options = [[({**at, name: place}, broken({**at, name: place})) for place in free] for name in people if name not in at]
        tried = min(options, key=lambda tried: sum(not number for _, number in tried))
        yield from ((there, number) for there, number in tried if number)
        for there, number in tried:
            if not number:
                yield from descend(there)

    yield from descend({})
