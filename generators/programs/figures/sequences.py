"""Sequences in which each number determines the next: step by step, and with cycles found."""

from __future__ import annotations


def next_of(x: int, *, by: int, down: str, times: int, plus: int, modulus: int, other: int) -> int:
    if other > 0 and x % other == 1:
        return (x * x + plus) % modulus
    if x % by == 0:
        return x // by if down == "part" else (x + plus) % modulus if down == "add" else int(str(x)[::-1]) % modulus
    return (x * times + plus) % modulus


def steps_plain(
    start: int, steps: int, *, by: int, down: str, times: int, plus: int, modulus: int, other: int, tell: str, k: int
) -> object:
    values = [start]
    for _ in range(steps):
        values.append(next_of(values[-1], by=by, down=down, times=times, plus=plus, modulus=modulus, other=other))
    if tell == "last":
        return values[-1]
    if tell == "different":
        return len(set(values))
    if tell == "total":
        return sum(values)
    if tell == "above":
        return sum(value > k for value in values)
    if tell == "again":
        return values.count(values[-1])
    return sum(value % k == 0 for value in values)


def steps_swift(
    start: int, steps: int, *, by: int, down: str, times: int, plus: int, modulus: int, other: int, tell: str, k: int
) -> object:
    place: dict[int, int] = {}
    values: list[int] = []
    x = start
    while x not in place and len(values) <= steps:
        place[x] = len(values)
        values.append(x)
        x = next_of(x, by=by, down=down, times=times, plus=plus, modulus=modulus, other=other)
    if len(values) > steps:
        head, cycle, whole, tail = values, list[int](), 0, list[int]()
    else:
        head, cycle = values[: place[x]], values[place[x] :]
        whole = (steps + 1 - len(head)) // len(cycle)
        tail = cycle[: (steps + 1 - len(head)) % len(cycle)]
    last = tail[-1] if tail else cycle[-1] if cycle else head[-1]
    if tell == "last":
        return last
    if tell == "different":
        return len(values)
    sums = []
    for some in (head, cycle, tail):
        found = 0
        for value in some:
            if tell == "total":
                found += value
            elif tell == "above":
                found += value > k
            elif tell == "again":
                found += value == last
            else:
                found += value % k == 0
        sums.append(found)
    return sums[0] + whole * sums[1] + sums[2]
