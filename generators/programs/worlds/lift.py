"""A lift that answers calls: minute by minute, and from call to call."""

from __future__ import annotations


def lift_plain(calls: list[tuple[int, int]], *, first: int, pick: str, doors: int, passing: bool, home: int, told: str) -> object:
    answered = [-1] * len(calls)
    floor, target, busy, travelled, minute = first, None, 0, 0, 0
    while -1 in answered:
        waiting = [i for i in range(len(calls)) if answered[i] < 0 and calls[i][0] <= minute]
        if minute >= busy:
            if target is None and waiting:
                floors = [calls[i][1] for i in waiting]
                if pick == "near":
                    floors.sort(key=lambda one: (abs(one - floor), one))
                elif pick == "nearup":
                    floors.sort(key=lambda one: (abs(one - floor), -one))
                elif pick == "low":
                    floors.sort()
                elif pick == "high":
                    floors.sort(reverse=True)
                target = floors[0]
            here = [i for i in waiting if calls[i][1] == floor]
            if here and (passing or target == floor):
                for i in here:
                    answered[i] = minute
                busy = minute + doors
                if target == floor:
                    target = None
            else:
                goal = target
                if goal is None and home >= 0:
                    goal = home
                if goal is not None and goal != floor:
                    floor += 1 if goal > floor else -1
                    travelled += 1
        minute += 1
    if told == "minutes":
        return answered
    if told == "travelled":
        return travelled
    if told == "longest":
        return max([answered[i] - calls[i][0] for i in range(len(calls))], default=0)
    return sorted(range(len(calls)), key=lambda i: (answered[i], i))


def lift_swift(calls: list[tuple[int, int]], *, first: int, pick: str, doors: int, passing: bool, home: int, told: str) -> object:
    left = list(range(len(calls)))
    done: dict[int, int] = {}
    floor, now, travelled = first, 0, 0
    while left:
        ready = [i for i in left if calls[i][0] <= now]
        if not ready:
            until = min(calls[i][0] for i in left)
            if home >= 0:
                steps = min(abs(home - floor), until - now)
                floor += steps if home > floor else -steps
                travelled += steps
            now = until
            continue
        if pick == "low":
            goal = min(calls[i][1] for i in ready)
        elif pick == "high":
            goal = max(calls[i][1] for i in ready)
        elif pick == "early":
            goal = calls[ready[0]][1]
        else:
            near = min(abs(calls[i][1] - floor) for i in ready)
            goals = [calls[i][1] for i in ready if abs(calls[i][1] - floor) == near]
            goal = min(goals) if pick == "near" else max(goals)
        while True:
            here = [i for i in left if calls[i][1] == floor and calls[i][0] <= now]
            if here and (passing or floor == goal):
                done |= dict.fromkeys(here, now)
                left = [i for i in left if i not in here]
                now += doors
                if floor == goal:
                    break
                continue
            floor += 1 if goal > floor else -1
            travelled += 1
            now += 1
    if told == "minutes":
        return [done[i] for i in range(len(calls))]
    if told == "travelled":
        return travelled
    if told == "longest":
        longest = 0
        for i, minute in done.items():
            longest = max(longest, minute - calls[i][0])
        return longest
    return [i for _, i in sorted((minute, i) for i, minute in done.items())]
