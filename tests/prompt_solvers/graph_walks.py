"""Walks, orders, trees and flows on networks of roads."""

from __future__ import annotations

import itertools
import re

import z3

from prompt_solvers.networks import augment, euler_walk, groups_of, neighbours, pairs, reached, roads, shortest_walk, spare
from prompt_solvers.parsing import after, between
from prompt_solvers.registry import prompt_solver


@prompt_solver("articulation_points")
def solve_articulation_points(prompt: str) -> str:
    links = pairs(prompt)
    near = neighbours(links)
    whole = groups_of(near)
    vital = []
    for town in near if "A town is vital" in prompt else ():
        parts = groups_of(near, [town])
        if any(sum(part <= group for part in parts) > 1 for group in whole):
            vital.append(town)
    for number, (one, other) in enumerate(links) if "A road is vital" in prompt else ():
        if other not in reached(neighbours(links[:number] + links[number + 1 :], places=near), one):
            vital.append(f"{one}-{other}")
    return " ".join(vital) or "none"


@prompt_solver("shortest_path")
def solve_shortest_path(prompt: str) -> str:
    start, end = re.findall(r"from (\w+) to (\w+)", prompt)[0]
    assert "as few roads as possible" in prompt
    if "no town may be visited twice" in prompt:
        roads = {frozenset((a, b)): colour for a, b, colour in re.findall(r"^(\w+) - (\w+) (red|blue)$", prompt, re.M)}
        walks = [[start]]
        for colour in itertools.cycle(("red", "red", "blue")):
            towns = {town for road in roads for town in road}
            walks = [[*walk, town] for walk in walks for town in towns - {*walk} if roads.get(frozenset((walk[-1], town))) == colour]
            ready = [walk for walk in walks if walk[-1] == end]
            if ready:
                return " ".join(ready[0])
    found = shortest_walk(neighbours(pairs(prompt)), start, end)
    assert found
    return " ".join(found)


@prompt_solver("reachability_after_edits")
def solve_reachability(prompt: str) -> str:
    towns = re.findall(r"The towns (.*) are joined", prompt)[0].split(", ")
    links, edits, answers = pairs(prompt.split("Then roads are built", 1)[0]), [], []
    both = "can be used both ways" in prompt
    present = set(map(frozenset, links)) if both else set(links)
    for line in after(prompt, "in this order:\n").splitlines():
        if found := re.fullmatch(r"(build|close) (\w+) (?:->|-) (\w+)", line):
            road = frozenset(found.groups()[1:]) if both else found.groups()[1:]
            assert (road in present) == (found[1] == "close")
            edits.append(road)
            present ^= {road}
        elif found := re.fullmatch(r"undo (\d+) edits?", line):
            for _ in range(int(found[1])):
                present ^= {edits.pop()}
        elif found := re.fullmatch(r"question \d+: from (\w+)\?", line):
            answers.append(str(len(reached(neighbours(map(tuple, present), both=both, places=towns), found[1]))))
    return ", ".join(answers)


@prompt_solver("eulerian_path")
def solve_eulerian_path(prompt: str) -> str:
    lines = re.findall(r"^(\w+) (->|-) (\w+)$", prompt, re.MULTILINE)
    degree = {town: 0 for one, _, other in lines for town in (one, other)}
    for one, _, other in lines:
        degree[one] += 1
        degree[other] += 1
    solver = z3.Solver()
    turned = [z3.Bool(f"road {number} turned") for number in range(len(lines))]
    first = {town: z3.Bool(f"starts at {town}") for town in degree}
    last = {town: z3.Bool(f"ends at {town}") for town in degree}
    solver.add(z3.PbEq([(here, 1) for here in first.values()], 1), z3.PbEq([(here, 1) for here in last.values()], 1))
    if "ends in the town where it starts" in prompt:
        solver.add(*[first[town] == last[town] for town in degree])
    solver.add(*[z3.Not(way) for way, (_, arrow, _) in zip(turned, lines, strict=True) if arrow == "->"])
    for town in degree:
        leaving = [(z3.Not(way), 1) for way, (one, _, _) in zip(turned, lines, strict=True) if one == town]
        leaving += [(way, 1) for way, (_, _, other) in zip(turned, lines, strict=True) if other == town]
        # Ways out and in together are the degree; where the walk starts there is one way out more, where it ends one less.
        total = z3.Sum([z3.If(way, weight, 0) for way, weight in leaving])
        solver.add(2 * total == degree[town] + z3.If(first[town], 1, 0) - z3.If(last[town], 1, 0))
    assert solver.check() == z3.sat
    model = solver.model()
    links = [(other, one) if z3.is_true(model.eval(way)) else (one, other) for way, (one, _, other) in zip(turned, lines, strict=True)]
    start = next(town for town in degree if z3.is_true(model.eval(first[town])))
    return " ".join(euler_walk(links, start, both=False))


@prompt_solver("chinese_postman_small")
def solve_chinese_postman(prompt: str) -> str:
    streets = roads(prompt)
    links = [(one, other) for one, other, _ in streets]
    start, end = re.findall(r"starts and ends at (\w)", prompt)[:1] * 2 or re.findall(r"starts at (\w) and ends at (\w)", prompt)[0]
    corners = sorted(neighbours(links))
    far = {(one, other): 0 if one == other else float("inf") for one in corners for other in corners}
    hop: dict[tuple[str, str], str] = {}
    for one, other, length in streets:
        for pair in ((one, other), (other, one)):
            if length < far[pair]:
                far[pair], hop[pair] = length, pair[1]
    for middle in corners:
        for one in corners:
            for other in corners:
                if far[one, middle] + far[middle, other] < far[one, other]:
                    far[one, other] = far[one, middle] + far[middle, other]
                    hop[one, other] = hop[one, middle]
    ends = [corner for link in links for corner in link] + [start, end]
    odd = tuple(corner for corner in corners if ends.count(corner) % 2)
    memo = {(): (0, [])}

    def matched(left: tuple[str, ...]) -> tuple:
        if left not in memo:
            options = []
            for other in left[1:]:
                cost, rest = matched(tuple(corner for corner in left[1:] if corner != other))
                options.append((cost + far[left[0], other], [(left[0], other), *rest]))
            memo[left] = min(options)
        return memo[left]

    for here, goal in matched(odd)[1]:
        while here != goal:
            links.append((here, hop[here, goal]))
            here = hop[here, goal]
    return " ".join(euler_walk(links, start, both=True))


@prompt_solver("topological_order")
def solve_topological_order(prompt: str) -> str:
    count = int(re.findall(r"The tasks T1 to T(\d+)", prompt)[0])
    rules = [
        (one, other) if way == "before" else (other, one)
        for one, way, other in re.findall(r"^(T\d+) comes (before|after) (T\d+)\.$", prompt, re.M)
    ]
    near = neighbours(rules, both=False, places=[f"T{number}" for number in range(1, count + 1)])
    deadlines = {task: int(place) for task, place in re.findall(r"^(T\d+) is among the first (\d+)\.$", prompt, re.MULTILINE)}
    deadlines |= dict.fromkeys(re.findall(r"^(T\d+) is the first\.$", prompt, re.MULTILINE), 1)
    order: list[str] = []
    left = set(near)
    # From the end on, the task with the latest deadline of those that nothing left must follow.
    while free := [task for task in left if not left.intersection(near[task])]:
        order.append(max(free, key=lambda task: deadlines.get(task, count)))
        left.remove(order[-1])
    if not left:
        return " ".join(order[::-1])
    walk = [min(left)]
    while len(set(walk)) == len(walk):
        walk.append(next(task for task in near[walk[-1]] if task in left))
    return " ".join(walk[walk.index(walk[-1]) :])


@prompt_solver("negative_cycle")
def solve_negative_cycle(prompt: str) -> str:
    links = roads(prompt)
    places = sorted({place for one, other, _ in links for place in (one, other)}, key=lambda name: int(name[1:]))
    stated = re.search(r"each of T1 to T(\d+)", prompt)
    places = [f"T{number}" for number in range(1, int(stated[1]) + 1)] if stated else places
    height, came = dict.fromkeys(places, 0), {}
    for _ in range(len(places)):
        last = None
        for one, other, gain in links:
            if height[one] + gain > height[other]:
                height[other], came[other], last = height[one] + gain, one, other
        if last is None:
            return " ".join(str(height[place]) for place in places)
    for _ in places:
        last = came[last]
    walk = [last]
    while len(walk) == 1 or walk[-1] != last:
        walk.append(came[walk[-1]])
    return " ".join(walk[::-1])


def cheapest_limited_tree(offers: list, built: list, towns: list[str], most: int) -> str:
    """Each road is taken or not, the cheapest first; a tree from the roads left, with no limit, is a bound from below."""
    best: tuple[int, list[str]] = (10**9, [])

    def rest(piece: dict[str, str], first: int, wanted: int) -> int:
        parents, total = dict(piece), 0
        for one, other, price in offers[first:]:
            a, b = top(parents, one), top(parents, other)
            if a != b:
                parents[a], total, wanted = b, total + price, wanted - 1
        return 10**9 if wanted else total

    def top(parents: dict[str, str], town: str) -> str:
        while parents[town] != town:
            town = parents[town]
        return town

    def choose(i: int, piece: dict[str, str], degree: dict[str, int], paid: int, taken: list[str], wanted: int) -> None:
        nonlocal best
        if not wanted:
            best = min(best, (paid, taken))
            return
        # Roads to towns that are full are left out of the bound.
        while i < len(offers) and max(degree[offers[i][0]], degree[offers[i][1]]) >= most:
            i += 1
        if i == len(offers) or paid + rest(piece, i, wanted) >= best[0]:
            return
        one, other, price = offers[i]
        a, b = top(piece, one), top(piece, other)
        if a != b:
            fuller = {**degree, one: degree[one] + 1, other: degree[other] + 1}
            choose(i + 1, {**piece, a: b}, fuller, paid + price, [*taken, f"{one}-{other}"], wanted - 1)
        choose(i + 1, piece, degree, paid, taken, wanted)

    piece = {town: town for town in towns}
    for one, other in built:
        piece[top(piece, one)] = top(piece, other)
    degree = {town: sum(town in road for road in built) for town in towns}
    choose(0, piece, degree, 0, [], len(towns) - 1 - len(built))
    return " ".join(best[1])


@prompt_solver("minimum_spanning_tree")
def solve_minimum_spanning_tree(prompt: str) -> str:
    offers = sorted(roads(prompt), key=lambda road: road[2])
    built = [tuple(road.split("-")) for road in re.findall(r"T\d+-T\d+", between(prompt + "there already: .", "there already: ", "."))]
    towns = [f"T{number}" for number in range(1, int(re.findall(r"T1 to T(\d+)", prompt)[0]) + 1)]
    if "no town has more than" in prompt:
        return cheapest_limited_tree(offers, built, towns, int(re.findall(r"no town has more than (\d+) roads", prompt)[0]))
    chosen = []
    for one, other, _ in offers:
        if other not in reached(neighbours(built, places=towns), one):
            built.append((one, other))
            chosen.append(f"{one}-{other}")
    return " ".join(chosen)


@prompt_solver("prufer_code")
def solve_prufer_code(prompt: str) -> str:
    pick = min if "with the smallest number" in prompt else max
    if "What is its code?" in prompt:
        links = {frozenset(map(int, pair)) for pair in pairs(prompt)}
        code = []
        while len(links) > 1:
            ends = [town for link in links for town in link]
            town = pick(town for town in ends if ends.count(town) == 1)
            link = next(link for link in links if town in link)
            code.append(next(iter(link - {town})))
            links.remove(link)
        return " ".join(map(str, code))
    code = [int(number) for number in between(prompt, "A tree has the code ", ".").split(", ")]
    left, found = set(range(1, len(code) + 3)), []
    for place, number in enumerate(code):
        town = pick(left - set(code[place:]))
        left.remove(town)
        found.append(f"{town}-{number}")
    return " ".join([*found, "-".join(map(str, sorted(left)))])


@prompt_solver("max_flow")
def solve_max_flow(prompt: str) -> str:
    capacity = {(one, other): int(number) for one, other, number in roads(prompt)}
    uses = {station: int(units) for station, units in re.findall(r"^(\w+) uses up exactly (\d+) units? itself", prompt, re.MULTILINE)}
    flow: dict[tuple[str, str], int] = {}
    with_uses = capacity | {(station, "uses"): units for station, units in uses.items()}
    assert augment(flow, with_uses, "S", "uses") == sum(uses.values()) if uses else True
    # What the stations use stays as it is, since no walk to E leads back from them.
    augment(flow, {pair: units for pair, units in with_uses.items() if pair[1] != "uses"}, "S", "E")
    return "\n".join(f"{one}>{other}: {flow[one, other]}" for one, other in capacity if flow.get((one, other), 0))


@prompt_solver("min_cut")
def solve_min_cut(prompt: str) -> str:
    target, source = re.findall(r"so that (\w+) can no longer be reached from (\w+)", prompt)[0]
    links = roads(prompt)
    prices = {
        town: int(price)
        for town, price in re.findall(r"(T\d+) (\d+)", between(prompt + "Closing a town costs: .", "Closing a town costs: ", "."))
    }
    capacity: dict[tuple[str, str], int] = {}
    if not prices:
        for one, other, number in links:
            capacity[one, other] = capacity[other, one] = int(number)
        augment(flow := {}, capacity, source, target)
        side = reached(
            neighbours([pair for pair in capacity if spare(capacity, flow, pair)], both=False, places=neighbours(capacity)), source
        )
        return " ".join(f"{one}-{other}" for one, other, _ in links if (one in side) != (other in side))
    for one, other, _ in links:
        capacity[f"{one} out", f"{other} in"] = capacity[f"{other} out", f"{one} in"] = 10**6
    for town in neighbours(capacity):
        name = town.split()[0]
        capacity[f"{name} in", f"{name} out"] = 10**6 if name in (source, target) else prices[name]
    augment(flow := {}, capacity, f"{source} in", f"{target} out")
    ways = [pair for one, other in capacity for pair in ((one, other), (other, one)) if spare(capacity, flow, pair)]
    side = reached(neighbours(ways, both=False, places=neighbours(capacity)), f"{source} in")
    return " ".join(town for town in prices if f"{town} in" in side and f"{town} out" not in side)
