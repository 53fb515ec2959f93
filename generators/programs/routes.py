"""Roads, groups and orders of the nodes of a graph, computed twice: by iteration to a fixed point, and by one search."""

from __future__ import annotations


def summarize_costs(costs: dict[int, int], n: int, *, tell: str, within: int) -> object:
    if tell == "goal":
        return costs.get(n - 1)
    if tell == "all":
        return [costs.get(node, -1) for node in range(n)]
    if tell == "within":
        return len([node for node in costs if costs[node] <= within])
    if tell == "farthest":
        return min(costs, key=lambda node: (-costs[node], node))
    if tell == "unreached":
        return [node for node in range(n) if node not in costs]
    return sum(costs.values())


def roads_plain(
    n: int,
    edges: list[tuple[int, int, int]],
    *,
    directed: bool,
    measure: str,
    toll: int,
    free: bool,
    closed: int,
    most: int,
    alternate: bool,
    tell: str,
    within: int,
) -> object:
    # What the cheapest walk of up to so many edges costs, by node, parity of the last edge and whether one was free.
    known: dict[tuple[int, int, bool], int] = {(0, -1, False): 0}
    ways = edges if directed else edges + [(b, a, cost) for a, b, cost in edges]
    for _ in range(most if most > 0 else 4 * n + 1):
        after = dict(known)
        for (node, parity, used), paid in known.items():
            for a, b, cost in ways:
                if a != node or (closed > 0 and b > 0 and b % closed == 0):
                    continue
                if alternate and parity == cost % 2:
                    continue
                for gift in [False, True] if free and not used else [False]:
                    price = 0 if gift else 1 if measure == "edges" else cost
                    total = max(paid, price) if measure == "largest" else paid + price
                    total += toll if b % 2 == 1 else 0
                    key = (b, cost % 2 if alternate else -1, used or gift)
                    after[key] = min(total, after.get(key, total))
        known = after
    costs: dict[int, int] = {}
    for (node, _, _), paid in known.items():
        costs[node] = min(paid, costs.get(node, paid))
    return summarize_costs(costs, n, tell=tell, within=within)


def roads_swift(
    n: int,
    edges: list[tuple[int, int, int]],
    *,
    directed: bool,
    measure: str,
    toll: int,
    free: bool,
    closed: int,
    most: int,
    alternate: bool,
    tell: str,
    within: int,
) -> object:
    from heapq import heappop, heappush

    near: list[list[tuple[int, int]]] = [[] for _ in range(n)]
    for a, b, cost in edges:
        near[a].append((b, cost))
        if not directed:
            near[b].append((a, cost))
    costs: dict[int, int] = {}
    seen = set()
    queue = [(0, 0, 0, 2, 1 if free else 0)]
    while queue:
        paid, steps, node, parity, left = heappop(queue)
        if (node, parity, left, steps if most > 0 else 0) in seen:
            continue
        seen.add((node, parity, left, steps if most > 0 else 0))
        costs.setdefault(node, paid)
        if most > 0 and steps == most:
            continue
        for other, cost in near[node]:
            if closed > 0 and other != 0 and other % closed == 0:
                continue
            if alternate and cost % 2 == parity:
                continue
            price = 1 if measure == "edges" else cost
            extra = toll if other % 2 != 0 else 0
            after = cost % 2 if alternate else 2
            total = max(paid, price) if measure == "largest" else paid + price
            heappush(queue, (total + extra, steps + 1, other, after, left))
            if left > 0:
                heappush(queue, (paid + extra, steps + 1, other, after, 0))
    return summarize_costs(costs, n, tell=tell, within=within)


def roads_hasty(
    n: int, edges: list[tuple[int, int, int]], *, directed: bool, measure: str, tell: str, within: int, **others: object
) -> object:
    costs = {0: 0}
    queue = [0]
    for node in queue:
        for a, b, cost in edges:
            for one, other in [(a, b)] if directed else [(a, b), (b, a)]:
                if one == node and other not in costs:
                    price = 1 if measure == "edges" else cost
                    costs[other] = max(costs[node], price) if measure == "largest" else costs[node] + price
                    queue.append(other)
    return summarize_costs(costs, n, tell=tell, within=within)


def summarize_groups(groups: list[list[int]], n: int, inside: list[int], *, tell: str) -> object:
    if tell == "count":
        return len(groups)
    if tell == "sizes":
        return sorted([len(group) for group in groups], reverse=True)
    if tell == "largest":
        return sorted(sorted(groups, key=lambda group: (-len(group), min(group)))[0])
    if tell == "alone":
        return sorted(group[0] for group in groups if len(group) == 1)
    if tell == "labels":
        return [min(group) for node in range(n) for group in groups if node in group]
    if tell == "trees":
        return sum(inside[i] == len(groups[i]) - 1 for i in range(len(groups)))
    if tell == "pairs":
        return (n * n - sum(len(group) ** 2 for group in groups)) // 2
    return max(inside)


def groups_plain(
    n: int, edges: list[tuple[int, int, int]], *, directed: bool, limit: int, mixed: bool, doubled: bool, sealed: int, tell: str
) -> object:
    valid = []
    for a, b, cost in edges:
        if limit > 0 and cost > limit:
            continue
        if mixed and (a + b) % 2 == 0:
            continue
        if sealed > 0 and (a % sealed == 0 or b % sealed == 0):
            continue
        valid.append((a, b))
    if doubled and directed:
        valid = [edge for edge in valid if valid.count(edge) > 1]
    elif doubled:
        valid = [(a, b) for a, b in valid if len([1 for edge in valid if edge in ((a, b), (b, a))]) > 1]
    reach = [[a == b or (a, b) in valid or (not directed and (b, a) in valid) for b in range(n)] for a in range(n)]
    for middle in range(n):
        for a in range(n):
            for b in range(n):
                reach[a][b] = reach[a][b] or (reach[a][middle] and reach[middle][b])
    groups: list[list[int]] = []
    for node in range(n):
        if not any(node in group for group in groups):
            groups.append([other for other in range(n) if reach[node][other] and reach[other][node]])
    inside = [sum(a in group and b in group for a, b in valid) for group in groups]
    return summarize_groups(groups, n, inside, tell=tell)


def groups_swift(
    n: int, edges: list[tuple[int, int, int]], *, directed: bool, limit: int, mixed: bool, doubled: bool, sealed: int, tell: str
) -> object:
    often: dict[tuple[int, int], int] = {}
    for a, b, cost in edges:
        good = limit == 0 or cost <= limit
        if mixed:
            good = good and a % 2 != b % 2
        if sealed > 0:
            good = good and a % sealed != 0 and b % sealed != 0
        if good:
            key = (a, b) if directed or a <= b else (b, a)
            often[key] = often.get(key, 0) + 1
    if doubled:
        often = {key: count for key, count in often.items() if count >= 2}
    ahead: list[list[int]] = [[] for _ in range(n)]
    behind: list[list[int]] = [[] for _ in range(n)]
    for a, b in often:
        ahead[a].append(b)
        behind[b].append(a)
        if not directed:
            ahead[b].append(a)
            behind[a].append(b)

    def found(start: int, near: list[list[int]]) -> list[int]:
        stack, seen = [start], [start]
        while stack:
            for other in near[stack.pop()]:
                if other not in seen:
                    seen.append(other)
                    stack.append(other)
        return seen

    home = [-1] * n
    groups: list[list[int]] = []
    for node in range(n):
        if home[node] < 0:
            back = found(node, behind)
            groups.append([other for other in found(node, ahead) if other in back])
            for other in groups[-1]:
                home[other] = len(groups) - 1
    inside = [0] * len(groups)
    for (a, b), count in often.items():
        if home[a] == home[b]:
            inside[home[a]] += count
    return summarize_groups(groups, n, inside, tell=tell)


def order_plain(
    n: int, edges: list[tuple[int, int, int]], *, pick: str, loops: bool, stuck: str, batch: int, light: int, tell: str
) -> object:
    needs = [(a, b, cost) for a, b, cost in edges if (loops or a != b) and (light == 0 or cost >= light)]
    done: list[int] = []
    rounds = [-1] * n
    begins = [-1] * n
    number = 0
    while True:
        ready = [b for b in range(n) if b not in done and all(a in done for a, other, _ in needs if other == b)]
        if not ready:
            break
        if pick == "large":
            ready.sort(reverse=True)
        elif pick == "freeing":
            ready.sort(key=lambda a: -len([1 for one, _, _ in needs if one == a]))
        elif pick == "needing":
            ready.sort(key=lambda b: (-len([1 for _, one, _ in needs if one == b]), -b))
        for node in ready[:batch]:
            done.append(node)
            rounds[node] = number
            begins[node] = max([begins[a] + cost for a, b, cost in needs if b == node], default=0)
        number += 1
    if tell == "rounds":
        return rounds
    if tell == "begins":
        return begins
    if tell == "left":
        return [node for node in range(n) if node not in done]
    if tell == "last":
        return max(begins)
    return None if stuck == "none" and len(done) < n else done


def order_swift(
    n: int, edges: list[tuple[int, int, int]], *, pick: str, loops: bool, stuck: str, batch: int, light: int, tell: str
) -> object:
    missing, after = [0] * n, [list[tuple[int, int]]() for _ in range(n)]
    for a, b, cost in edges:
        if a == b and not loops:
            continue
        if light > 0 and cost < light:
            continue
        missing[b] += 1
        after[a].append((b, cost))
    needed = list(missing)
    ready = [node for node in range(n) if missing[node] == 0]
    rounds, begins = [-1] * n, [0] * n
    done: list[int] = []
    number = 0
    while ready:
        keyed = []
        for node in ready:
            first = {"small": 0, "large": -node, "freeing": -len(after[node]), "needing": -needed[node]}[pick]
            keyed.append((first, -node if pick == "needing" else node))
        keyed.sort()
        now = [abs(node) for _, node in keyed[:batch]]
        ready = [node for node in ready if node not in now]
        for node in now:
            done.append(node)
            rounds[node] = number
            for other, cost in after[node]:
                begins[other] = max(begins[other], begins[node] + cost)
                missing[other] -= 1
                if missing[other] == 0:
                    ready.append(other)
        number += 1
    begins = [begins[node] if rounds[node] >= 0 else -1 for node in range(n)]
    if tell == "rounds":
        return rounds
    if tell == "begins":
        return begins
    if tell == "left":
        return [node for node in range(n) if rounds[node] < 0]
    if tell == "last":
        return max(begins)
    if stuck == "none" and len(done) != n:
        return None
    return done
