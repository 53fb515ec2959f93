"""Items packed up to a weight: all packings, dynamic programming, and a greedy rule."""

from __future__ import annotations

from rlgym.generators.programs.totals.summaries import added, summarize_counts, summarize_totals


def pack_plain(
    items: list[tuple[int, int]],
    room: int,
    *,
    copies: int,
    full: bool,
    limit: int,
    apart: bool,
    worth: str,
    price: int,
    ask: str,
    target: int,
) -> object:
    from itertools import pairwise, product

    totals = []
    for taken in product(range(copies + 1), repeat=len(items)):
        weight = sum(times * item[0] for times, item in zip(taken, items))
        if weight > room or (full and weight != room):
            continue
        if limit > 0 and sum(taken) > limit:
            continue
        if apart and any(one and other for one, other in pairwise(taken)):
            continue
        total = 0
        for times, item in zip(taken, items):
            for copy in range(times):
                total += item[1] if worth != "less" or copy == 0 else item[1] // 2
        if worth == "empty":
            total -= price * (room - weight)
        elif worth == "kinds":
            total -= price * sum(times > 0 for times in taken)
        elif worth == "missed":
            total -= price * taken.count(0)
        totals.append(total)
    return summarize_totals(totals, ask=ask, target=target)


def pack_swift(
    items: list[tuple[int, int]],
    room: int,
    *,
    copies: int,
    full: bool,
    limit: int,
    apart: bool,
    worth: str,
    price: int,
    ask: str,
    target: int,
) -> object:
    # By the room left, how many are taken (where that matters) and whether the item before was taken (where that matters).
    states: dict[tuple[int, int, bool], dict[int, int]] = {(room, 0, False): {0: 1}}
    for weight, gain in items:
        after: dict[tuple[int, int, bool], dict[int, int]] = {}
        for (left, number, before), counts in states.items():
            by = 0
            for times in range(copies + 1):
                if times > 0:
                    left -= weight
                    number += 1 if limit > 0 else 0
                    by += gain if worth != "less" or times == 1 else gain // 2
                    if left < 0 or (limit > 0 and number > limit) or (apart and before):
                        break
                less = price if (worth == "kinds" and times > 0) or (worth == "missed" and times == 0) else 0
                added(after.setdefault((left, number, apart and times > 0), {}), counts, by - less)
        states = after
    counts = {}
    for (left, _, _), some in states.items():
        if not full or left == 0:
            added(counts, some, -price * left if worth == "empty" else 0)
    return summarize_counts(counts, ask=ask, target=target)


def pack_hasty(items: list[tuple[int, int]], room: int, *, copies: int, limit: int, **others: object) -> int:
    total = taken = 0
    for weight, gain in sorted(items, key=lambda item: -item[1] / item[0]):
        for _ in range(copies):
            if weight <= room and gain > 0 and (limit == 0 or taken < limit):
                room, total, taken = room - weight, total + gain, taken + 1
    return total
