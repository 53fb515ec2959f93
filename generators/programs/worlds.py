"""Simulations of small worlds, each written twice: plainly, minute by minute or step by step, and in another way.

The data of tasks name these functions by module and name, so they stay in one module.
"""

from __future__ import annotations

from typing import Any


def desk_plain(
    customers: list[tuple[int, int, int]], *, clerks: int, order: str, room: int, patience: int, rest: int, hurry: int, told: str
) -> object:
    waiting: list[int] = []
    starts, served, free, end = [-1] * len(customers), [], [0] * clerks, 0
    total = sum(need for _, need, _ in customers) + len(customers) * rest
    last = customers[-1][0] + total + 1 if customers else -1
    for minute in range(last + 1):
        if patience > 0:
            waiting = [one for one in waiting if minute - customers[one][0] < patience]
        for one, (arrival, _, _) in enumerate(customers):
            if arrival == minute and (room == 0 or len(waiting) < room):
                waiting.append(one)
        for clerk in range(clerks):
            if free[clerk] <= minute and waiting:
                if order == "last":
                    chosen = max(waiting)
                elif order == "shortest":
                    chosen = min(waiting, key=lambda one: (customers[one][1], one))
                elif order == "longest":
                    chosen = min(waiting, key=lambda one: (-customers[one][1], one))
                elif order == "rank":
                    chosen = min(waiting, key=lambda one: (-customers[one][2], one))
                elif order == "patient":
                    chosen = min(waiting, key=lambda one: (customers[one][2], one))
                else:
                    chosen = min(waiting)
                waiting.remove(chosen)
                need = customers[chosen][1]
                if hurry > 0 and len(waiting) >= hurry:
                    need = (need + 1) // 2
                starts[chosen] = minute
                served.append(chosen)
                free[clerk] = minute + need + rest
                end = max(end, minute + need)
    if told == "starts":
        return starts
    if told == "order":
        return served
    if told == "waiting":
        return sum(starts[one] - customers[one][0] for one in served)
    if told == "unserved":
        return [one for one in range(len(customers)) if starts[one] < 0]
    return end


def desk_swift(
    customers: list[tuple[int, int, int]], *, clerks: int, order: str, room: int, patience: int, rest: int, hurry: int, told: str
) -> object:
    starts = {}
    waiting: list[tuple[int, int, int, int]] = []
    busy: list[int] = []
    position = waited = end = now = 0
    while position < len(customers) or waiting:
        if waiting:
            now = max(now, min(busy)) if len(busy) == clerks else now
            if position < len(customers) and customers[position][0] < now:
                now = customers[position][0]
        else:
            now = max(now, customers[position][0])
        busy = [until for until in busy if until > now]
        if patience > 0:
            waiting = [entry for entry in waiting if now < entry[2] + patience]
        while position < len(customers) and customers[position][0] <= now:
            arrival, need, rank = customers[position]
            if room == 0 or len(waiting) < room:
                key = {"first": 0, "last": -position, "shortest": need, "longest": -need, "rank": -rank, "patient": rank}[order]
                waiting.append((key, position, arrival, need))
            position += 1
        waiting.sort()
        while waiting and len(busy) < clerks:
            _, one, arrival, need = waiting.pop(0)
            if hurry > 0 and len(waiting) >= hurry:
                need -= need // 2
            starts[one] = now
            waited += now - arrival
            end = max(end, now + need)
            busy.append(now + need + rest)
    if told == "starts":
        return [starts.get(one, -1) for one in range(len(customers))]
    if told == "order":
        return list(starts)
    if told == "waiting":
        return waited
    if told == "unserved":
        return [one for one in range(len(customers)) if one not in starts]
    return end


def machine_plain(
    operations: list[tuple[Any, ...]],
    *,
    prices: tuple[int, ...],
    stock: int,
    coins: tuple[int, ...],
    most: int,
    change: bool,
    bonus: int,
    swallow: bool,
) -> list[int]:
    left = dict.fromkeys("abcd"[: len(prices)], stock)
    price = dict(zip("abcd", prices))
    credit, sales, answers = 0, 0, []
    for operation in operations:
        kind = operation[0]
        answer = 0
        if kind == "coin":
            if operation[1] not in coins:
                answer = -1
            elif most > 0 and credit + operation[1] > most:
                answer = -2
                if swallow:
                    answer, credit = most, most
            else:
                credit += operation[1]
                answer = credit
        elif kind == "buy":
            name = operation[1]
            if name not in left or left[name] == 0:
                answer = -1
            else:
                due = price[name]
                if bonus > 0 and sales % bonus == bonus - 1:
                    due = due // 2
                if credit < due:
                    answer = -2
                else:
                    left[name] -= 1
                    sales += 1
                    credit -= due
                    answer = credit
                    if change:
                        credit = 0
        elif kind == "cancel":
            answer, credit = credit, 0
        else:
            answer = sum(left.values())
        answers.append(answer)
    return answers


def machine_swift(
    operations: list[tuple[Any, ...]],
    *,
    prices: tuple[int, ...],
    stock: int,
    coins: tuple[int, ...],
    most: int,
    change: bool,
    bonus: int,
    swallow: bool,
) -> list[int]:
    sold: list[str] = []
    paid, answers = 0, []

    def coin(value: int) -> int:
        nonlocal paid
        if all(value != one for one in coins):
            return -1
        if most > 0 and paid + value > most:
            if not swallow:
                return -2
            value = most - paid
        paid += value
        return paid

    def buy(name: str) -> int:
        nonlocal paid
        number = "abcd".find(name)
        if not 0 <= number < len(prices) or sold.count(name) >= stock:
            return -1
        due = prices[number]
        if bonus > 0 and (len(sold) + 1) % bonus == 0:
            due >>= 1
        if due > paid:
            return -2
        sold.append(name)
        rest = paid - due
        paid = 0 if change else rest
        return rest

    for operation in operations:
        if operation[0] == "coin":
            answers.append(coin(operation[1]))
        elif operation[0] == "buy":
            answers.append(buy(operation[1]))
        elif operation[0] == "cancel":
            answers.append(paid)
            paid = 0
        else:
            answers.append(stock * len(prices) - len(sold))
    return answers


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
