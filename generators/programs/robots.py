"""Simulations of robots and lifts, each written twice: plainly, step by step, and in another way."""

from __future__ import annotations


def robot_plain(
    commands: str,
    *,
    width: int,
    height: int,
    start: tuple[int, int],
    edge: str,
    walls: tuple[tuple[int, int], ...],
    block: str,
    fuel: int,
    told: str,
) -> object:
    x, y = start
    facing, bumps, used = "N", 0, 0
    cells = [(x, y)]
    for command in commands:
        if command == "L":
            facing = {"N": "W", "W": "S", "S": "E", "E": "N"}[facing]
        elif command == "R":
            facing = {"N": "E", "E": "S", "S": "W", "W": "N"}[facing]
        elif fuel == 0 or used < fuel:
            used += 1
            dx, dy = {"N": (0, 1), "E": (1, 0), "S": (0, -1), "W": (-1, 0)}[facing]
            if command == "B":
                dx, dy = -dx, -dy
            to_x, to_y = x + dx, y + dy
            policy = ""
            if not (0 <= to_x < width and 0 <= to_y < height):
                policy = edge
                if edge == "wrap":
                    to_x, to_y, policy = to_x % width, to_y % height, ""
            if (to_x, to_y) in walls:
                policy = block
            if policy == "":
                x, y = to_x, to_y
                cells.append((x, y))
            else:
                bumps += 1
                if policy == "right":
                    facing = {"N": "E", "E": "S", "S": "W", "W": "N"}[facing]
                elif policy == "back":
                    facing = {"N": "S", "E": "W", "S": "N", "W": "E"}[facing]
    if told == "cell":
        return (x, y)
    if told == "visited":
        return len(set(cells))
    if told == "bumps":
        return bumps
    if told == "state":
        return (x, y, facing, bumps)
    return max(cells.count(cell) for cell in cells)


def robot_swift(
    commands: str,
    *,
    width: int,
    height: int,
    start: tuple[int, int],
    edge: str,
    walls: tuple[tuple[int, int], ...],
    block: str,
    fuel: int,
    told: str,
) -> object:
    place, heading = complex(start[0], start[1]), 1j
    seen, bumps, moves = {place: 1}, 0, 0
    shut = [complex(a, b) for a, b in walls]
    for command in commands:
        if command in "LR":
            heading *= 1j if command == "L" else -1j
            continue
        if fuel > 0 and moves >= fuel:
            continue
        moves += 1
        ahead = place + heading if command == "F" else place - heading
        outside = not (0 <= ahead.real <= width - 1 and 0 <= ahead.imag <= height - 1)
        if outside and edge == "wrap":
            ahead, outside = complex(ahead.real % width, ahead.imag % height), False
        if not outside and ahead not in shut:
            place = ahead
            seen[place] = seen.get(place, 0) + 1
            continue
        bumps += 1
        if outside:
            heading *= {"stop": 1, "right": -1j, "back": -1, "wrap": 1}[edge]
        else:
            heading *= {"stop": 1, "right": -1j, "back": -1}[block]
    x, y = int(place.real), int(place.imag)
    facing = {1j: "N", 1: "E", -1j: "S", -1: "W"}[heading]
    return {"cell": (x, y), "visited": len(seen), "bumps": bumps, "state": (x, y, facing, bumps), "most": max(seen.values())}[told]


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
