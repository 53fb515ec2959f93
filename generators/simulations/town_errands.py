"""A town of places with opening hours, and things to fetch and bring: the soonest way through all of it."""

from __future__ import annotations

import heapq
from collections.abc import Mapping
from functools import lru_cache
from typing import NamedTuple

from rlgym.core.rng import Rng

PLACES = tuple("bakery library bank school museum pharmacy market station chapel harbour cinema garage".split())
THINGS = tuple("cake parcel book lamp letter chair coat clock guitar map".split())
WAITING, CARRIED, THERE = 0, 1, 2


class Errand(NamedTuple):
    thing: str
    source: int
    target: int
    until: int  # when it must be there at the latest; 0 where that does not matter


class Town(NamedTuple):
    """Streets as pairs of places and minutes; place 0 is home, which is always open. Hours are minutes of the day, the closing time not included."""

    places: tuple[str, ...]
    streets: tuple[tuple[int, int, int], ...]
    hours: tuple[tuple[int, int], ...]
    errands: tuple[Errand, ...]
    hands: int
    begin: int


class Here(NamedTuple):
    at: int
    things: tuple[int, ...]


Step = tuple[str, int]  # walk to a place, wait for some minutes, take or bring the thing of an errand


@lru_cache(64)
def adjacency(town: Town) -> Mapping[int, tuple[tuple[int, int], ...]]:
    out: dict[int, list[tuple[int, int]]] = {place: [] for place in range(len(town.places))}
    for a, b, minutes in town.streets:
        out[a].append((b, minutes))
        out[b].append((a, minutes))
    return {place: tuple(sorted(near)) for place, near in out.items()}


def is_open(town: Town, place: int, minute: int) -> bool:
    first, last = town.hours[place]
    return first <= minute < last


@lru_cache(256)
def soonest(town: Town, position: Here, now: int) -> tuple[int, tuple[Step, ...]] | None:
    """When one can be home at the soonest with everything brought, and how. To come sooner is never worse, since one can wait."""
    queue: list[tuple[int, int, Here]] = [(now, 0, position)]
    predecessors: dict[Here, tuple[Here, tuple[Step, ...]] | None] = {position: None}
    times, settled, count = {position: now}, set[Here](), 0
    while queue:
        minute, _, state = heapq.heappop(queue)
        if state in settled:
            continue
        settled.add(state)
        if state.at == 0 and all(thing == THERE for thing in state.things):
            return minute, _walk(predecessors, state)
        for after, then, steps in _options(town, state, minute):
            if then < times.get(after, 10**6):
                count += 1
                times[after], predecessors[after] = then, (state, steps)
                heapq.heappush(queue, (then, count, after))
    return None


def _options(town: Town, position: Here, now: int) -> list[tuple[Here, int, tuple[Step, ...]]]:
    out: list[tuple[Here, int, tuple[Step, ...]]] = [
        (position._replace(at=near), now + minutes, (("walk", near),)) for near, minutes in adjacency(town)[position.at]
    ]
    opens, closes = town.hours[position.at]
    then = max(now, opens)
    wait: tuple[Step, ...] = (("wait", opens - now),) if opens > now else ()
    if then >= closes:
        return out
    for k, errand in enumerate(town.errands):
        if position.things[k] == WAITING and errand.source == position.at and position.things.count(CARRIED) < town.hands:
            out.append((_with(position, k, CARRIED), then, (*wait, ("take", k))))
        if position.things[k] == CARRIED and errand.target == position.at and not (errand.until and then > errand.until):
            out.append((_with(position, k, THERE), then, (*wait, ("bring", k))))
    return out


def _with(position: Here, errand: int, where: int) -> Here:
    return position._replace(things=(*position.things[:errand], where, *position.things[errand + 1 :]))


def _walk(predecessors: Mapping[Here, tuple[Here, tuple[Step, ...]] | None], state: Here) -> tuple[Step, ...]:
    parts: list[tuple[Step, ...]] = []
    while (before := predecessors[state]) is not None:
        state, steps = before
        parts.append(steps)
    return tuple(step for steps in reversed(parts) for step in steps)


def town(rng: Rng, places: int, errands: int, hands: int, hours: int, urgent: int) -> tuple[Town, int]:
    """A town in which all errands can be run, and when one is home at the soonest; `hours` is how long places are open at least."""
    while True:
        names = ("home", *rng.sample(PLACES, places - 1))
        tree = [(rng.integer(max(0, node - 3), node - 1), node) for node in range(1, places)]
        others = rng.shuffled([(a, b) for b in range(places) for a in range(b) if (a, b) not in tree])[: places // 2]
        streets = tuple(sorted((a, b, 5 * rng.integer(1, 5)) for a, b in [*tree, *others]))
        opening = [(0, 24 * 60)]
        for _ in names[1:]:
            opens = 8 * 60 + 15 * rng.integer(0, 16)
            opening.append((opens, opens + hours + 15 * rng.integer(0, 8)))
        wanted = []
        for thing in rng.sample(THINGS, errands):
            source, target = rng.sample(range(1, places), 2)
            wanted.append(Errand(thing, source, 0 if rng.chance(0.3) else target, 0))
        drawn = Town(names, streets, tuple(opening), tuple(wanted), hands, 9 * 60)
        first = Here(0, (WAITING,) * errands)
        plan = soonest(drawn, first, drawn.begin)
        if plan is None:
            continue
        timed, home = _with_deadlines(rng, drawn, plan, urgent)
        if not urgent or len(wanted) < 2 or home > plan[0] or rng.chance(0.1):
            return timed, home


def _with_deadlines(rng: Rng, town: Town, soonest_way: tuple[int, tuple[Step, ...]], urgent: int) -> tuple[Town, int]:
    """The town with a time for `urgent` of its errands, and when one is home at the soonest then.

    Where another way keeps a time that the soonest way does not, it is asked for; other times are those that the way found keeps.
    """
    home, steps = soonest_way
    chosen = rng.sample(range(len(town.errands)), min(urgent, len(town.errands)))
    came = _arrivals(town, steps)
    for k in chosen:
        # Five minutes before the soonest way brings the thing at the latest; a search says when it can be there.
        early = _with_time(town, k, came[k] - 5)
        if found := soonest(early, Here(0, (WAITING,) * len(town.errands)), town.begin):
            town, (home, steps) = early, found
            break
    came = _arrivals(town, steps)
    for k in chosen:
        if not town.errands[k].until:
            town = _with_time(town, k, came[k] + 5 * rng.integer(0, 2))
    return town, home


def _with_time(town: Town, k: int, until: int) -> Town:
    return town._replace(errands=tuple(errand._replace(until=until) if i == k else errand for i, errand in enumerate(town.errands)))


def _arrivals(town: Town, steps: tuple[Step, ...]) -> dict[int, int]:
    """When each errand's thing is brought."""
    now, at, out = town.begin, 0, dict[int, int]()
    for what, value in steps:
        if what == "walk":
            now += dict(adjacency(town)[at])[value]
            at = value
        elif what == "wait":
            now += value
        elif what == "bring":
            out[value] = now
    return out


def clock(minute: int) -> str:
    return f"{minute // 60 % 24:02}:{minute % 60:02}"
