"""A desk with clerks: minute by minute, and from event to event."""

from __future__ import annotations


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
