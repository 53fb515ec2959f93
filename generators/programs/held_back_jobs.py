"""Jobs that become ready later and jobs in chains, where the best that can be done now may have to wait; and by trying everything."""

from __future__ import annotations


def releases_plain(jobs: list[tuple[int, int]], *, goal: str, long: int, start: int, pause: int, signed: bool, roomy: int) -> object:
    from itertools import permutations

    valid = [job for job in jobs if job[1] - job[0] >= roomy]
    ends, lates = [], []
    for order in permutations(valid):
        free, end, worst = start, 0, None
        for ready, deadline in order:
            end = max(free, ready) + long
            free = end + pause
            worst = end - deadline if worst is None else max(worst, end - deadline)
        lates.append(0 if worst is None else worst if signed else max(0, worst))
        if worst is None or worst <= 0:
            ends.append(end)
    if goal == "late":
        return min(lates)
    return min(ends, default=-1)


def releases_swift(jobs: list[tuple[int, int]], *, goal: str, long: int, start: int, pause: int, signed: bool, roomy: int) -> object:
    valid = sorted((deadline - long, max(start, ready)) for ready, deadline in jobs if deadline - ready >= roomy)
    if not valid:
        return 0

    def schedule(late: int) -> list[int]:
        # The job at a place may not begin before its barrier: where a job comes too late, the last one before it that could have come later
        # must leave its place to those after it.
        barriers = [0] * len(valid)
        while True:
            left, order, begun = list(valid), [], []
            now = 0
            for barrier in barriers:
                now = max(now, barrier, min(ready for _, ready in left))
                job = min(other for other in left if other[1] <= now)
                left.remove(job)
                order.append(job)
                begun.append(now)
                if now > job[0] + late:
                    break
                now += long + pause
            if begun[-1] <= order[-1][0] + late:
                return begun
            pulled = [place for place, job in enumerate(order) if job[0] > order[-1][0]]
            if not pulled:
                return []
            barriers[pulled[-1]] = min(ready for _, ready in order[pulled[-1] + 1 :])

    if goal == "end":
        begun = schedule(0)
        return begun[-1] + long if begun else -1
    low, high = (-200 if signed else 0), 800
    while low < high:
        middle = (low + high) // 2
        if schedule(middle):
            high = middle
        else:
            low = middle + 1
    return low


def releases_hasty(jobs: list[tuple[int, int]], *, goal: str, long: int, start: int, pause: int, signed: bool, roomy: int) -> int:
    left = [(deadline, ready) for ready, deadline in jobs if deadline - ready >= roomy]
    now, end, worst = start, 0, -1000 if signed else 0
    if not left:
        return 0
    while left:
        now = max(now, min(ready for _, ready in left))
        job = min(other for other in left if other[1] <= now)
        left.remove(job)
        end = now + long
        now = end + pause
        worst = max(worst, end - job[0])
    if goal == "late":
        return worst
    return end if worst <= 0 else -1


def chains_plain(chains: list[list[tuple[int, int]]], *, start: int, pause: int, light: int, back: bool) -> int:
    kept = [[job for job in (chain[::-1] if back else chain) if job[1] >= light] for chain in chains]
    known: dict[tuple[tuple[int, ...], int], int] = {}

    def least(places: tuple[int, ...], now: int) -> int:
        if (places, now) not in known:
            results = []
            for i, place in enumerate(places):
                if place < len(kept[i]):
                    length, weight = kept[i][place]
                    end = now + length
                    results.append(end * weight + least((*places[:i], place + 1, *places[i + 1 :]), end + pause))
            known[places, now] = min(results, default=0)
        return known[places, now]

    return least((0,) * len(kept), start)


def chains_swift(chains: list[list[tuple[int, int]]], *, start: int, pause: int, light: int, back: bool) -> int:
    from functools import cmp_to_key

    blocks: list[tuple[int, int, list[tuple[int, int]]]] = []
    for chain in chains:
        # A block is done in one go: its time, its weight, and its jobs. A block that is worth more than the one before it joins it.
        own: list[tuple[int, int, list[tuple[int, int]]]] = []
        for length, weight in chain[::-1] if back else chain:
            if weight < light:
                continue
            block = (length + pause, weight, [(length, weight)])
            while own and own[-1][1] * block[0] <= block[1] * own[-1][0]:
                before = own.pop()
                block = (before[0] + block[0], before[1] + block[1], before[2] + block[2])
            own.append(block)
        blocks += own

    def compared(one: tuple[int, int, list[tuple[int, int]]], other: tuple[int, int, list[tuple[int, int]]]) -> int:
        return other[1] * one[0] - one[1] * other[0]

    blocks.sort(key=cmp_to_key(compared))
    now, total = start - pause, 0
    for _, _, jobs in blocks:
        for length, weight in jobs:
            now += length + pause
            total += now * weight
    return total


def chains_hasty(chains: list[list[tuple[int, int]]], *, start: int, pause: int, light: int, back: bool) -> int:
    left = [[job for job in (chain[::-1] if back else chain) if job[1] >= light] for chain in chains]
    now, total = start - pause, 0
    while any(left):
        best = max([chain for chain in left if chain], key=lambda chain: chain[0][1] / (chain[0][0] + pause))
        length, weight = best.pop(0)
        now += length + pause
        total += now * weight
    return total
