"""What an invented controller does, computed minute by minute and from one event to the next."""

from __future__ import annotations

from typing import Any

# A rule is (state or "any", event, condition, next state, action); a condition (counter, sign, number) or (), an action (counter, change) or ().


def stepped(
    events: list[tuple[int, str]],
    *,
    start: str,
    table: tuple[tuple[Any, ...], ...],
    waits: dict[str, tuple[int, str]],
    renewed: bool,
    tie: str,
    last: bool,
    most: int,
    reset: str,
    ignored: str,
    told: str,
    until: bool,
) -> list[tuple[Any, ...]]:
    """What happens, minute by minute."""
    state, entered = start, 0
    counters = {"n": 0, "m": 0}
    transitions: list[tuple[Any, ...]] = []

    def enter(now: int, target: str) -> None:
        nonlocal state, entered
        transitions.append((now, target) if told == "state" else (now, state, target))
        state, entered = target, now
        if target == reset:
            counters["n"] = counters["m"] = 0

    def ring(now: int) -> bool:
        due = state in waits and now == entered + waits[state][0]
        if due:
            enter(now, waits[state][1])
        return due

    def fits(row: tuple[Any, ...], event: str) -> bool:
        if row[0] not in ("any", state) or row[1] != event:
            return False
        if row[2] == ():
            return True
        name, sign, number = row[2]
        count = counters[name]
        return bool({">=": count >= number, "==": count == number, "<": count < number}[sign])

    end = events[-1][0] if events else -1
    for now in range(end + 1):
        if tie == "timer":
            ring(now)
        for time, event in events:
            if time != now:
                continue
            rows = [row for row in table if fits(row, event)]
            if rows:
                row = rows[-1] if last else rows[0]
                if row[4] != ():
                    name, change = row[4]
                    counters[name] += change
                    if most:
                        counters[name] = max(0, min(most, counters[name]))
                enter(now, row[3])
            else:
                if ignored == "stay":
                    transitions.append((now, state) if told == "state" else (now, state, state))
                if ignored == "reject":
                    transitions.append((now, "ignored"))
                if renewed:
                    entered = now
        if tie != "timer" and now < end:
            ring(now)
    if until and events:
        for now in range(end, end + 20):
            if ring(now):
                break
    return transitions


def jumped(
    events: list[tuple[int, str]],
    *,
    start: str,
    table: tuple[tuple[Any, ...], ...],
    waits: dict[str, tuple[int, str]],
    renewed: bool,
    tie: str,
    last: bool,
    most: int,
    reset: str,
    ignored: str,
    told: str,
    until: bool,
) -> list[tuple[Any, ...]]:
    """What happens, from one event to the next, with the timers that run out in between."""
    transitions: list[tuple[Any, ...]] = []
    state = start
    since = 0
    n = m = 0
    rows = table[::-1] if last else table
    for place in range(len(events) + 1):
        now, event = events[place] if place < len(events) else (10**6, "")
        if place == len(events) and (not until or not events):
            break
        while state in waits:
            due = since + waits[state][0]
            if due > now or (due == now and tie == "event"):
                break
            target = waits[state][1]
            transitions.append((due, target) if told == "state" else (due, state, target))
            state, since = target, due
            if reset != "" and state == reset:
                n = m = 0
            if place == len(events):
                break
        if place == len(events):
            break
        for where, wanted, condition, target, action in rows:
            if wanted != event or (where != state and where != "any"):
                continue
            if condition:
                count = n if condition[0] == "n" else m
                if condition[1] == ">=" and count < condition[2]:
                    continue
                if condition[1] == "==" and count != condition[2]:
                    continue
                if condition[1] == "<" and count >= condition[2]:
                    continue
            if action:
                if action[0] == "n":
                    n += action[1]
                else:
                    m += action[1]
                if most > 0:
                    n, m = max(0, min(most, n)), max(0, min(most, m))
            transitions.append((now, target) if told == "state" else (now, state, target))
            state, since = target, now
            if reset != "" and state == reset:
                n = m = 0
            break
        else:
            if ignored == "stay":
                transitions.append((now, state) if told == "state" else (now, state, state))
            elif ignored == "reject":
                transitions.append((now, "ignored"))
            if renewed:
                since = now
    return transitions
