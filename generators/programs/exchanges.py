"""The best of many choices where taking the nearest at hand, in the right order, is best; and by trying everything."""

from __future__ import annotations


def spans_plain(spans: list[tuple[int, int]], *, goal: str, gap: int, rooms: int, need: int, short: int, once: bool, left: bool) -> object:
    from itertools import combinations

    valid = [span for span in spans if span[1] - span[0] >= short]
    if once:
        valid = list(dict.fromkeys(valid))

    def busiest(some: list[tuple[int, int]]) -> int:
        # Two spans keep out of each other's room if each begins less than `gap` after the other's end.
        return max([sum(start <= at < end + gap for start, end in some) for at, _ in some], default=0)

    if goal == "rooms":
        return busiest(valid)
    if goal == "most":
        best = max(count for count in range(len(valid) + 1) if any(busiest(list(some)) <= rooms for some in combinations(valid, count)))
        return len(valid) - best if left else best
    last = max([end for _, end in valid], default=-1)
    # A set of points is a number, with a bit for each.
    demands = [((1 << end + 1) - (1 << start), min(need, end - start + 1)) for start, end in valid]
    for count in range(max([least for _, least in demands], default=0), last + 2):
        for points in combinations([1 << point for point in range(last + 1)], count):
            chosen = sum(points)
            if all((chosen & span).bit_count() >= least for span, least in demands):
                return count
    return 0


def spans_swift(spans: list[tuple[int, int]], *, goal: str, gap: int, rooms: int, need: int, short: int, once: bool, left: bool) -> object:
    valid = sorted((end, start) for start, end in (set(spans) if once else spans) if end >= start + short)
    if goal == "rooms":
        events = sorted([(start, 1) for _, start in valid] + [(end + gap, 0) for end, _ in valid])
        now = most = 0
        for _, begins in events:
            now += 1 if begins == 1 else -1
            most = max(most, now)
        return most
    if goal == "most":
        free = [-100] * rooms
        taken = 0
        for end, start in valid:
            fit = [until for until in free if until <= start]
            if fit:
                free.remove(max(fit))
                free.append(end + gap)
                taken += 1
        return len(valid) - taken if left else taken
    points: list[int] = []
    for end, start in sorted(valid, key=lambda span: (span[0], -span[1])):
        missing = min(need, end - start + 1) - len([point for point in points if point >= start])
        at = end
        while missing > 0:
            if at not in points:
                points.append(at)
                missing -= 1
            at -= 1
    return len(points)


def spans_hasty(spans: list[tuple[int, int]], *, goal: str, gap: int, rooms: int, short: int, left: bool, **others: object) -> int:
    taken: list[tuple[int, int]] = []
    valid = [span for span in spans if span[1] - span[0] >= short]
    for start, end in sorted(valid, key=lambda span: (span[1] - span[0], span)):
        clashes = sum(start < until + gap and begin < end + gap for begin, until in taken)
        if goal == "points":
            clashes = sum(start <= until and begin <= end for begin, until in taken)
        if clashes < (rooms if goal == "most" else 1):
            taken.append((start, end))
    return len(valid) - len(taken) if left else len(taken)


def jobs_plain(
    jobs: list[tuple[int, int, int]], *, goal: str, start: int, pause: int, light: int, weighed: bool, signed: bool, long: int
) -> object:
    from itertools import permutations

    valid = [job for job in jobs if job[2] >= light and (long == 0 or job[0] <= long)]
    results = []
    for order in permutations(valid):
        now, on_time, gained, total, worst = start, 0, 0, 0, None
        for length, deadline, weight in order:
            begun = now + (pause if now > start else 0)
            done = begun + length
            if goal in ("count", "gain"):
                done = begun + (1 if goal == "gain" else length)
                if done > deadline:
                    continue
            on_time += 1
            gained += weight
            now = done
            total += now * (weight if weighed else 1)
            late = now - deadline
            worst = late if worst is None else max(worst, late)
        results.append(
            {"count": on_time, "gain": gained, "sum": total, "late": 0 if worst is None else worst if signed else max(0, worst)}[goal]
        )
    return max(results) if goal in ("count", "gain") else min(results)


def jobs_swift(
    jobs: list[tuple[int, int, int]], *, goal: str, start: int, pause: int, light: int, weighed: bool, signed: bool, long: int
) -> object:
    from functools import cmp_to_key
    from heapq import heappop, heappush

    valid = [job for job in jobs if job[2] >= light and not 0 < long < job[0]]
    now = start - pause
    if goal == "sum":
        if weighed:

            def compared(first: tuple[int, int, int], second: tuple[int, int, int]) -> int:
                return (first[0] + pause) * second[2] - (second[0] + pause) * first[2]

            valid.sort(key=cmp_to_key(compared))
        else:
            valid.sort()
        total = 0
        for length, _, weight in valid:
            now += length + pause
            total += now * weight if weighed else now
        return total
    valid.sort(key=lambda job: job[1])
    if goal == "late":
        worst = []
        for length, deadline, _ in valid:
            now += length + pause
            worst.append(now - deadline)
        if not worst:
            return 0
        return max(worst) if signed else max(0, *worst)
    heap: list[tuple[int, int]] = []
    for length, deadline, weight in valid:
        time = 1 if goal == "gain" else length
        heappush(heap, (weight, time) if goal == "gain" else (-length, time))
        now += time + pause
        if now > deadline:
            now -= heappop(heap)[1] + pause
    return sum(weight for weight, _ in heap) if goal == "gain" else len(heap)


def jobs_hasty(
    jobs: list[tuple[int, int, int]], *, goal: str, start: int, pause: int, light: int, long: int, weighed: bool, **others: object
) -> int:
    now, count, gained, total, worst = start - pause, 0, 0, 0, 0
    for length, deadline, weight in sorted(jobs, key=lambda job: (-job[2], job) if goal in ("gain", "sum") else (job[0], job)):
        if weight < light or 0 < long < length:
            continue
        done = now + pause + (1 if goal == "gain" else length)
        if goal in ("count", "gain") and done > deadline:
            continue
        now = done
        count += 1
        gained += weight
        total += now * weight if weighed else now
        worst = max(worst, now - deadline)
    return {"count": count, "gain": gained, "sum": total, "late": worst}[goal]


def piles_plain(piles: list[int], *, goal: str, ways: int, keep: int, fee: int, light: int) -> object:
    from itertools import combinations

    known: dict[tuple[int, ...], int] = {}

    def best(offers_left: tuple[int, ...]) -> int:
        if len(offers_left) <= keep:
            return max(offers_left, default=0) if goal == "height" else 0
        if offers_left not in known:
            costs = []
            for count in range(2, min(ways, len(offers_left)) + 1):
                for places in combinations(range(len(offers_left)), count):
                    taken = [offers_left[i] for i in places]
                    rest = [offers_left[i] for i in range(len(offers_left)) if i not in places]
                    if goal == "height":
                        costs.append(best(tuple(sorted([*rest, max(taken) + fee]))))
                    else:
                        costs.append(sum(taken) + fee + best(tuple(sorted([*rest, sum(taken)]))))
            known[offers_left] = min(costs)
        return known[offers_left]

    return best(tuple(sorted(pile for pile in piles if pile >= light)))


def piles_swift(piles: list[int], *, goal: str, ways: int, keep: int, fee: int, light: int) -> object:
    from heapq import heapify, heappop, heappush

    heap = [pile for pile in piles if pile >= light]
    heapify(heap)
    paid = 0
    first = len(heap) > keep and ways == 3 and (len(heap) - keep) % 2 == 1
    while len(heap) > keep:
        # The first joining takes only two piles where three each time would not come out even.
        taken = [heappop(heap) for _ in range(2 if first else ways)]
        first = False
        if goal == "height":
            heappush(heap, max(taken) + fee)
        else:
            paid += sum(taken) + fee
            heappush(heap, sum(taken))
    return max(heap, default=0) if goal == "height" else paid


def piles_hasty(piles: list[int], *, goal: str, ways: int, keep: int, fee: int, light: int) -> int:
    piles_left = sorted(pile for pile in piles if pile >= light)
    paid = 0
    while len(piles_left) > keep:
        taken, piles_left = piles_left[:ways], piles_left[ways:]
        paid += sum(taken) + fee
        piles_left.insert(0, max(taken) + fee if goal == "height" else sum(taken))
    return max(piles_left, default=0) if goal == "height" else paid


def pairs_plain(givers: list[int], takers: list[int], *, low: int, high: int, copies: int, same: bool, spare: int, tell: str) -> object:
    offers = [giver for giver in givers if giver >= spare]
    known: dict[tuple[int, tuple[int, ...]], int] = {}

    def best(place: int, used: tuple[int, ...]) -> int:
        if place == len(takers):
            return 0
        if (place, used) not in known:
            most = best(place + 1, used)
            for i, offer in enumerate(offers):
                fits = low <= takers[place] - offer <= high and (not same or (takers[place] - offer) % 2 == 0)
                if fits and used[i] < copies:
                    most = max(most, 1 + best(place + 1, (*used[:i], used[i] + 1, *used[i + 1 :])))
            known[place, used] = most
        return known[place, used]

    most = best(0, (0,) * len(offers))
    return {"pairs": most, "without": len(takers) - most, "unused": len(offers) * copies - most}[tell]


def pairs_swift(givers: list[int], takers: list[int], *, low: int, high: int, copies: int, same: bool, spare: int, tell: str) -> object:
    offers = sorted(giver for giver in givers for _ in range(copies) if giver >= spare)
    most = 0
    for parity in (0, 1) if same else (None,):
        ones = [offer for offer in offers if parity is None or offer % 2 == parity]
        others = sorted(other for other in takers if parity is None or other % 2 == parity)
        i = j = 0
        while i < len(ones) and j < len(others):
            if others[j] - ones[i] < low:
                j += 1
            elif others[j] - ones[i] > high:
                i += 1
            else:
                most, i, j = most + 1, i + 1, j + 1
    if tell == "without":
        return len(takers) - most
    if tell == "unused":
        return len(offers) - most
    return most


def pairs_hasty(givers: list[int], takers: list[int], *, low: int, high: int, copies: int, same: bool, spare: int, tell: str) -> int:
    offers_left = [giver for giver in givers if giver >= spare] * copies
    most, all_offers = 0, len(offers_left)
    for other in takers:
        fit = [giver for giver in offers_left if low <= other - giver <= high and (not same or giver % 2 == other % 2)]
        if fit:
            offers_left.remove(fit[0])
            most += 1
    return {"pairs": most, "without": len(takers) - most, "unused": all_offers - most}[tell]
