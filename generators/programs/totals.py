"""Choices with totals: positions of a list, cuts of a list, walks on a grid, and packing; by trying all, and by adding up what can be reached."""

from __future__ import annotations


def summarize_totals(totals: list[int], *, ask: str, target: int) -> object:
    if ask == "most":
        return max(totals, default=None)
    if ask == "least":
        return min(totals, default=None)
    if ask == "ways":
        return len(totals)
    if ask == "best":
        return totals.count(max(totals, default=0))
    if ask == "different":
        return len(set(totals))
    if ask == "divisible":
        return len([total for total in totals if total % target == 0])
    if ask == "above":
        return min([total for total in totals if total > target], default=None)
    return min(sorted(totals), key=lambda total: abs(total - target), default=None)


def summarize_counts(counts: dict[int, int], *, ask: str, target: int) -> object:
    if ask == "ways":
        return sum(counts.values())
    if ask == "divisible":
        return sum(counts[total] for total in counts if total % target == 0)
    if ask == "different":
        return len(counts)
    chosen = None
    for total in counts:
        if chosen is None:
            chosen = total if ask != "above" or total > target else None
        elif ask == "least":
            chosen = min(chosen, total)
        elif ask == "above":
            chosen = total if target < total < chosen else chosen
        elif ask == "near":
            chosen = min((abs(total - target), total), (abs(chosen - target), chosen))[1]
        else:
            chosen = max(chosen, total)
    if ask == "best":
        return 0 if chosen is None else counts[chosen]
    return chosen


def added(counts: dict[int, int], more: dict[int, int], by: int) -> None:
    for total, ways in more.items():
        counts[total + by] = counts.get(total + by, 0) + ways


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


def walk_plain(grid: list[list[int]], *, slant: bool, closed: int, turn: int, run: int, worth: str, ask: str, target: int) -> object:
    from itertools import pairwise

    totals: list[int] = []
    if not grid or grid[0][0] == closed:
        return summarize_totals(totals, ask=ask, target=target)
    height, width = len(grid), len(grid[0])
    moves = [(0, 1), (1, 0), (1, 1)] if slant else [(0, 1), (1, 0)]

    def walk(y: int, x: int, path: list[tuple[int, int]]) -> None:
        if (y, x) == (height - 1, width - 1):
            total, row, column, cells = grid[0][0], 0, 0, [grid[0][0]]
            for dy, dx in path:
                row, column = row + dy, column + dx
                cells.append(grid[row][column])
                total += cells[-1]
            if worth == "last":
                total += cells[-1]
            elif worth == "climb":
                total = sum(max(0, other - one) for one, other in pairwise(cells))
            elif worth == "steps":
                total = sum(abs(other - one) for one, other in pairwise(cells))
            totals.append(total - turn * sum(one != other for one, other in pairwise(path)))
            return
        for dy, dx in moves:
            if y + dy < height and x + dx < width and grid[y + dy][x + dx] != closed:
                if run > 0 and len(path) >= run and all(move == (dy, dx) for move in path[-run:]):
                    continue
                walk(y + dy, x + dx, [*path, (dy, dx)])

    walk(0, 0, [])
    return summarize_totals(totals, ask=ask, target=target)


def walk_swift(grid: list[list[int]], *, slant: bool, closed: int, turn: int, run: int, worth: str, ask: str, target: int) -> object:
    from functools import cache

    @cache
    def arrived(y: int, x: int, move: int, long: int) -> dict[int, int]:
        counts: dict[int, int] = {}
        here = grid[y][x]
        if here == closed:
            return counts
        if move == 3:
            return {here if worth in ("sum", "last") else 0: 1} if y == 0 and x == 0 else counts
        down, right = [(0, 1), (1, 0), (1, 1)][move]
        if y < down or x < right:
            return counts
        there = grid[y - down][x - right]
        by = here if worth in ("sum", "last") else max(0, here - there) if worth == "climb" else abs(here - there)
        for other in range(4):
            if other == 2 and not slant:
                continue
            if run == 0:
                added(counts, arrived(y - down, x - right, other, 0), by - (turn if other not in (3, move) else 0))
            elif other == move and long > 1:
                added(counts, arrived(y - down, x - right, other, long - 1), by)
            elif other != move and long == 1:
                for before in range(1, run + 1) if other < 3 else (0,):
                    added(counts, arrived(y - down, x - right, other, before), by - (turn if other < 3 else 0))
        return counts

    counts: dict[int, int] = {}
    if grid:
        y, x = len(grid) - 1, len(grid[0]) - 1
        again = grid[y][x] if worth == "last" else 0
        added(counts, arrived(y, x, 3, 0), again)
        for move in range(3 if slant else 2):
            for long in range(1, run + 1) if run > 0 else (0,):
                added(counts, arrived(y, x, move, long), again)
    return summarize_counts(counts, ask=ask, target=target)


def walk_hasty(grid: list[list[int]], *, slant: bool, **others: object) -> int:
    y, x, total = 0, 0, grid[0][0]
    while (y, x) != (len(grid) - 1, len(grid[0]) - 1):
        nexts = [(y, x + 1), (y + 1, x), (y + 1, x + 1)][: 3 if slant else 2]
        y, x = max([cell for cell in nexts if cell[0] < len(grid) and cell[1] < len(grid[0])], key=lambda cell: grid[cell[0]][cell[1]])
        total += grid[y][x]
    return total


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
