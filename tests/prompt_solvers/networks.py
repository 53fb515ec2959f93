"""Reads the roads of a prompt, and the searches on them that several solvers use."""

from __future__ import annotations

import re
from collections.abc import Iterable
from fractions import Fraction
from itertools import pairwise

ROAD = re.compile(r"^(\w+) ?(->|-|>) ?(\w+)(?:(?::| costs) (-?[\d/]+))?$", re.MULTILINE)
Neighbours = dict[str, list[str]]
Flow = dict[tuple[str, str], int]


def roads(text: str) -> list[tuple[str, str, Fraction]]:
    """All roads that stand on lines of their own, with their numbers (1 without one)."""
    return [(one, other, Fraction(number or 1)) for one, _, other, number in ROAD.findall(text)]


def pairs(text: str) -> list[tuple[str, str]]:
    """The ends of all roads."""
    return [(one, other) for one, other, _ in roads(text)]


def neighbours(links: Iterable[tuple[str, str]], *, both: bool = True, places: Iterable[str] = ()) -> Neighbours:
    """Where one can go from each place."""
    found: Neighbours = {place: [] for place in places}
    for one, other in links:
        found.setdefault(one, []).append(other)
        found.setdefault(other, [])
        if both:
            found[other].append(one)
    return found


def reached(near: Neighbours, start: str, closed: Iterable[str] = ()) -> set[str]:
    """All places that can be reached without the closed ones."""
    seen, open_places = {start, *closed}, [start]
    while open_places:
        for other in near[open_places.pop()]:
            if other not in seen:
                seen.add(other)
                open_places.append(other)
    return seen - set(closed)


def groups_of(near: Neighbours, closed: Iterable[str] = ()) -> list[set[str]]:
    """The connected parts of a network of two-way roads."""
    left, parts = set(near) - set(closed), []
    while left:
        part = reached(near, min(left), closed)
        parts.append(part)
        left -= part
    return parts


def shortest_walk(near: Neighbours, start: str, end: str) -> list[str] | None:
    """A walk over as few roads as possible; None if there is none."""
    came: dict[str, str | None] = {start: None}
    front = [start]
    while front and end not in came:
        following = []
        for place in front:
            for other in near[place]:
                if other not in came:
                    came[other] = place
                    following.append(other)
        front = following
    if end not in came:
        return None
    walk = [end]
    while (place := came[walk[-1]]) is not None:
        walk.append(place)
    return walk[::-1]


def euler_walk(links: list[tuple[str, str]], start: str, *, both: bool) -> list[str]:
    """A walk over every road once, by Hierholzer's method."""
    at: dict[str, list[int]] = {}
    for number, (one, other) in enumerate(links):
        at.setdefault(one, []).append(number)
        if both:
            at.setdefault(other, []).append(number)
    used, stack, walk = set(), [start], []
    while stack:
        here = stack[-1]
        while at.get(here) and at[here][-1] in used:
            at[here].pop()
        if at.get(here):
            number = at[here].pop()
            used.add(number)
            one, other = links[number]
            stack.append(other if here == one else one)
        else:
            walk.append(stack.pop())
    assert len(walk) == len(links) + 1
    return walk[::-1]


def spare(capacity: Flow, flow: Flow, pair: tuple[str, str]) -> int:
    """How much more can be sent from one place to the next, by taking back what comes the other way too."""
    return capacity.get(pair, 0) - flow.get(pair, 0) + flow.get(pair[::-1], 0)


def augment(flow: Flow, capacity: Flow, source: str, sink: str) -> int:
    """Sends as much more as possible from source to sink, and says how much; `flow` is changed."""
    near = neighbours(capacity)
    sent = 0
    while True:
        residual = {one: [other for other in others if spare(capacity, flow, (one, other))] for one, others in near.items()}
        walk = shortest_walk(residual, source, sink)
        if walk is None:
            return sent
        steps = list(pairwise(walk))
        amount = min(spare(capacity, flow, step) for step in steps)
        for one, other in steps:
            back = min(amount, flow.get((other, one), 0))
            flow[other, one] = flow.get((other, one), 0) - back
            flow[one, other] = flow.get((one, other), 0) + amount - back
        sent += amount
