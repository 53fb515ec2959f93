"""A robot on a grid: step by step, and in another way."""

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
