"""A list cut into parts: all cuts, dynamic programming, and a greedy rule."""

from __future__ import annotations

from rlgym.generators.programs.totals.summaries import added, summarize_counts, summarize_totals


def cut_plain(
    values: list[int], *, least: int, most: int, limit: int, exact: bool, worth: str, price: int, unlike: str, ask: str, target: int
) -> object:
    from itertools import combinations, pairwise

    totals = []
    for count in range(1, len(values) + 1):
        if (exact and count != limit) or (limit > 0 and count > limit):
            continue
        for cuts in combinations(range(1, len(values)), count - 1):
            pieces = [values[start:end] for start, end in pairwise([0, *cuts, len(values)])]
            if any(len(piece) < least or len(piece) > most for piece in pieces):
                continue
            if unlike == "length" and any(len(one) == len(other) for one, other in pairwise(pieces)):
                continue
            if unlike == "ends" and any(one[-1] >= other[0] for one, other in pairwise(pieces)):
                continue
            if unlike == "even" and any(sum(piece) % 2 for piece in pieces):
                continue
            total = -price * count
            for piece in pieces:
                if worth == "sum":
                    total += sum(piece) * len(piece)
                elif worth == "largest":
                    total += max(piece)
                elif worth == "smallest":
                    total += min(piece)
                elif worth == "spread":
                    total += max(piece) - min(piece)
                else:
                    total += piece[0] * piece[-1]
            totals.append(total)
    return summarize_totals(totals, ask=ask, target=target)


def cut_swift(
    values: list[int], *, least: int, most: int, limit: int, exact: bool, worth: str, price: int, unlike: str, ask: str, target: int
) -> object:
    size = len(values)
    # Reached by where the last piece ends, how many pieces there are (where that matters) and how long the last one is.
    reached: list[dict[tuple[int, int], dict[int, int]]] = [{} for _ in range(size + 1)]
    reached[0][0, 0] = {0: 1}
    for end in range(1, size + 1):
        for start in range(max(0, end - most), end - least + 1):
            piece = values[start:end]
            if unlike == "even" and sum(piece) % 2 == 1:
                continue
            if unlike == "ends" and start > 0 and values[start - 1] >= values[start]:
                continue
            worths = {
                "sum": sum(piece) * (end - start),
                "largest": max(piece),
                "smallest": min(piece),
                "spread": max(piece) - min(piece),
                "product": piece[0] * piece[-1],
            }
            for (count, length), counts in reached[start].items():
                if limit > 0 and count == limit:
                    continue
                if unlike == "length" and length == end - start:
                    continue
                key = (count + 1 if limit > 0 else 0, end - start if unlike == "length" else 0)
                added(reached[end].setdefault(key, {}), counts, worths[worth] - price)
    counts = {}
    for (count, _), some in reached[size].items():
        if size > 0 and (not exact or count == limit):
            added(counts, some, 0)
    return summarize_counts(counts, ask=ask, target=target)


def cut_hasty(values: list[int], *, least: int, most: int, worth: str, price: int, **others: object) -> int:
    total, start = 0, 0
    while start < len(values):
        ends = [end for end in range(start + least, start + most + 1) if end <= len(values)] or [len(values)]
        gains = []
        for end in ends:
            piece = values[start:end]
            gain = {
                "sum": sum(piece) * len(piece),
                "largest": max(piece),
                "smallest": min(piece),
                "spread": max(piece) - min(piece),
                "product": piece[0] * piece[-1],
            }[worth]
            gains.append((gain - price, end))
        best, start = max(gains)
        total += best
    return total
