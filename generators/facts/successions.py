"""Successions of a post: its holders in the order that scattered remarks on them leave as the only one."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import pairwise

from rlgym.core.rng import Rng
from rlgym.core.task import TaskData


class Remark(TaskData):
    """What is said of holders: `between` two others or `outside`, `apart` (not one after the other), `longer`, `later` or `earlier` than a year."""

    kind: str
    who: str
    other: str = ""
    third: str = ""
    year: int = 0


KINDS = ("between", "between", "outside", "outside", "apart", "longer", "later", "earlier")


def holds(remark: Remark, places: Mapping[str, int], years: Sequence[int]) -> bool:
    """Whether a remark is true for the places of the holders, from 0, where the post changes hands in these years."""
    place = places[remark.who]
    match remark.kind:
        case "later":
            return years[place] > remark.year
        case "earlier":
            return years[place + 1] <= remark.year
        case "between" | "outside":
            low, high = sorted((places[remark.other], places[remark.third]))
            return (low < place < high) == (remark.kind == "between")
        case "apart":
            return abs(place - places[remark.other]) != 1
    other = places[remark.other]
    return years[place + 1] - years[place] > years[other + 1] - years[other]


def sample(rng: Rng, order: Sequence[str], years: Sequence[int]) -> list[Remark]:
    """True remarks that leave no other order, each of them needed."""
    places = {name: place for place, name in enumerate(order)}
    middle = [(before + after) // 2 for before, after in pairwise(years)]
    chosen: list[Remark] = []
    while True:
        for _ in range(len(order)):
            kind, (who, other, third) = rng.choice(KINDS), rng.sample(order, 3)
            if kind in ("later", "earlier"):
                remark = Remark(kind=kind, who=who, year=rng.choice(middle))
            else:
                remark = Remark(kind=kind, who=who, other=other, third=third if kind in ("between", "outside") else "")
            if holds(remark, places, years) and remark not in chosen:
                chosen.append(remark)
        if count_orders(chosen, order, years) == 1:
            break
    # What fixes places is left out first: years and lengths.
    for remark in sorted(chosen, key=lambda one: ("later", "earlier", "longer", "between", "apart", "outside").index(one.kind)):
        others = [other for other in chosen if other != remark]
        if count_orders(others, order, years) == 1:
            chosen = others
    return chosen


def count_orders(remarks: Sequence[Remark], names: Sequence[str], years: Sequence[int]) -> int:
    """How many orders fit the remarks, up to two: holder by holder from the first, without those that break a remark."""
    index = {name: k for k, name in enumerate(names)}
    spans = [after - before for before, after in pairwise(years)]
    # For each holder: pairs of which one must stand before, or none or both; holders that may not come just before; shorter and longer ones; places.
    pairs: list[list[tuple[int, bool]]] = [[] for _ in names]
    apart: list[set[int]] = [{k} for k in range(len(names))]
    compared: list[list[tuple[int, int]]] = [[] for _ in names]
    open_places = [set(range(len(names))) for _ in names]
    for remark in remarks:
        k, other = index[remark.who], index.get(remark.other, -1)
        if remark.kind in ("between", "outside"):
            pairs[k].append((1 << other | 1 << index[remark.third], remark.kind == "between"))
        elif remark.kind == "apart":
            apart[k].add(other)
            apart[other].add(k)
        elif remark.kind == "longer":
            compared[k].append((other, 1))
            compared[other].append((k, -1))
        else:
            open_places[k] &= {place for place in open_places[k] if holds(remark, {remark.who: place}, years)}
    where = [-1] * len(names)

    def count(place: int, placed: int, last: int) -> int:
        if place == len(names):
            return 1
        found = 0
        for k in range(len(names)):
            if placed >> k & 1 or last in apart[k] or place not in open_places[k]:
                continue
            if any(((placed & pair).bit_count() == 1) != between for pair, between in pairs[k]):
                continue
            if any(placed >> other & 1 and (spans[place] - spans[where[other]]) * sign <= 0 for other, sign in compared[k]):
                continue
            where[k] = place
            found += count(place + 1, placed | 1 << k, k)
            if found > 1:
                break
        return found

    return min(count(0, 0, -1), 2)
