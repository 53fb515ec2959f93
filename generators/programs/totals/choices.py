"""Positions of a list with a distance between them: all subsets, dynamic programming, and a greedy rule."""

from __future__ import annotations

from rlgym.generators.programs.totals.summaries import added, summarize_counts, summarize_totals


def choose_plain(
    values: list[int], *, gap: int, limit: int, exact: bool, rise: str, worth: str, price: int, ask: str, target: int
) -> object:
    from itertools import combinations, pairwise

    totals = []
    for count in range(len(values) + 1):
        if (exact and count != limit) or (limit > 0 and count > limit):
            continue
        for places in combinations(range(len(values)), count):
            taken = [values[i] for i in places]
            if any(other - one < gap for one, other in pairwise(places)):
                continue
            if rise == "weak" and any(one > other for one, other in pairwise(taken)):
                continue
            if rise == "strict" and any(one >= other for one, other in pairwise(taken)):
                continue
            if rise == "unlike" and any(one % 2 == other % 2 for one, other in pairwise(taken)):
                continue
            total = sum(taken)
            if worth == "alternate":
                total = sum(taken[::2]) - sum(taken[1::2])
            elif worth == "first":
                total += sum(taken[:1])
            elif worth == "left":
                total -= price * (len(values) - count)
            elif worth == "jumps":
                total -= sum(abs(other - one) for one, other in pairwise(taken))
            elif worth == "places":
                total -= price * sum(other - one - 1 for one, other in pairwise(places))
            totals.append(total)
    return summarize_totals(totals, ask=ask, target=target)


def choose_swift(
    values: list[int], *, gap: int, limit: int, exact: bool, rise: str, worth: str, price: int, ask: str, target: int
) -> object:
    size = len(values)
    # Reached by the last position chosen, and how many are; without a limit, whether that is odd (1) or even (2).
    reached: dict[tuple[int, int], dict[int, int]] = {}
    counts: dict[int, int] = {}
    start = -price * size if worth == "left" else 0
    if not exact:
        counts[start] = 1
    for last in range(size):
        here = values[last]
        for count in range(1, (limit if limit > 0 else 2) + 1):
            by = -here if worth == "alternate" and count % 2 == 0 else here
            if worth == "left":
                by += price
            found: dict[int, int] = {}
            if count == 1:
                found[start + by + (here if worth == "first" else 0)] = 1
            for before in range(last - gap + 1):
                there = values[before]
                if rise == "weak" and there > here:
                    continue
                if rise == "strict" and there >= here:
                    continue
                if rise == "unlike" and (there + here) % 2 == 0:
                    continue
                less = abs(here - there) if worth == "jumps" else price * (last - before - 1) if worth == "places" else 0
                added(found, reached.get((before, count - 1 if limit > 0 else 3 - count), {}), by - less)
            reached[last, count] = found
            if not exact or count == limit:
                added(counts, found, 0)
    return summarize_counts(counts, ask=ask, target=target)


def choose_hasty(values: list[int], *, gap: int, limit: int, **others: object) -> int:
    total, taken = 0, list[int]()
    for i in sorted(range(len(values)), key=lambda i: -values[i]):
        if values[i] > 0 and all(abs(i - other) >= gap for other in taken) and (limit == 0 or len(taken) < limit):
            total += values[i]
            taken.append(i)
    return total
