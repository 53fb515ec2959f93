"""Walks whose roads take colours in turn: the shortest ones that may visit a town again, and those that may not."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

Exits = Mapping[str, Sequence[tuple[str, str]]]
"""For each town, the roads that leave it: the colour, and the town at the other end."""


def exits_by_town(roads: Sequence[tuple[str, str]], colours: Sequence[str]) -> dict[str, list[tuple[str, str]]]:
    exits: dict[str, list[tuple[str, str]]] = {}
    for (a, b), colour in zip(roads, colours, strict=True):
        exits.setdefault(a, []).append((colour, b))
        exits.setdefault(b, []).append((colour, a))
    return exits


def roads_needed(exits: Exits, pattern: Sequence[str], start: str) -> dict[str, int]:
    """The fewest roads of a walk to each town, with the colours in turn, if towns may be visited again."""
    reached = {(start, 0): 0}
    waiting = [(start, 0)]
    for town, phase in waiting:
        for colour, other in exits[town]:
            state = (other, (phase + 1) % len(pattern))
            if colour == pattern[phase] and state not in reached:
                reached[state] = reached[town, phase] + 1
                waiting.append(state)
    fewest: dict[str, int] = {}
    for (town, _), count in reached.items():
        fewest.setdefault(town, count)
    return fewest


def simple_walks(exits: Exits, pattern: Sequence[str], start: str, most_walks: int) -> Iterator[tuple[str, ...]]:
    """Walks that visit no town twice, the shortest first, at most so many."""
    waiting: list[tuple[str, ...]] = [(start,)]
    for walk in waiting:
        yield walk
        for colour, other in exits[walk[-1]]:
            if colour == pattern[(len(walk) - 1) % len(pattern)] and other not in walk and len(waiting) < most_walks:
                waiting.append((*walk, other))
