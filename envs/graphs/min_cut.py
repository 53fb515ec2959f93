"""Cut a network apart at the least cost, by closing roads or by closing towns.

Any cheapest choice is accepted; its cost alone is never an answer.
"""

from collections.abc import Iterator
from itertools import pairwise

from rlgym import Config, Environment, Rng, Score, Task, TaskData, knob
from rlgym.answers import Words
from rlgym.generators.drawing import pictures
from rlgym.generators.graphs import lattice_graphs, random_graphs
from rlgym.generators.graphs.adjacency import adjacency_lists, breadth_first_search
from rlgym.solutions import Checks, Derivation, Solution, Step

Road = tuple[int, int]
WAY = Step("Of all prices on the way {way}, count {room:int}: this way must be cut somewhere; {all:int} counted in all")
BOUND = Step("Nothing was counted for more than its price, so every choice that cuts all these ways costs at least {all:int}")
SIDE = Step("Apart from the rest can be {side:words}: closing what joins these to the rest costs {costs} = {all:int}")


class Knobs(Config):
    towns: int = knob(8, easy=7, hard=26, doc="towns on the map")
    extra: int = knob(60, easy=60, hard=110, doc="roads beyond those of a tree, in percent of the towns")
    closing: str = knob("roads", easy="roads", hard="towns", order=("roads", "towns"), doc="whether roads or towns are closed")


class Data(TaskData):
    roads: tuple[Road, ...]
    prices: tuple[int, ...]
    """Of each road, or of each town from T1 on."""
    by_town: bool
    start: int
    end: int
    least: int


def generate(rng: Rng, knobs: Knobs) -> Task[Data]:
    return _sample_task(rng, knobs, mesh=False)


def shift(rng: Rng, knobs: Knobs) -> Task[Data]:
    """Towns that lie on a lattice, with roads to the nearest ones only."""
    return _sample_task(rng, knobs, mesh=True)


def solve(task: Task[Data]) -> tuple[str, ...]:
    return _name_closed(task.data, _min_cut(task.data, task.data.start, task.data.end))


def verify(task: Task[Data], answer: tuple[str, ...]) -> Score:
    data = task.data
    names: dict[str, int] = {}
    if data.by_town:
        names = {f"t{i + 1}": i for i in range(len(data.prices)) if i + 1 not in (data.start, data.end)}
    else:
        for i, (a, b) in enumerate(data.roads):
            names[f"t{a}-t{b}"] = names[f"t{b}-t{a}"] = i
    if len(answer) > len(data.prices) or not all(name in names for name in answer):
        return Score.wrong("every name must be one that may be closed, as in the list")
    closed = {names[name] for name in answer}
    if len(closed) < len(answer):
        return Score.wrong("something is closed twice")
    if data.end in _reachable(data, closed):
        return Score.wrong(f"there is still a way from T{data.start} to T{data.end}")
    return Score.exact(sum(data.prices[i] for i in closed) == data.least, "there is a cheaper way")


def mistakes(task: Task[Data], right: tuple[str, ...]) -> list[tuple[str, ...]]:
    data = task.data
    around = []
    for end in (data.start, data.end):
        if data.by_town:
            around.append(tuple(f"t{a if b == end else b}" for a, b in data.roads if end in (a, b)))
        else:
            around.append(tuple(f"t{a}-t{b}" for a, b in data.roads if end in (a, b)))
    return [right[:-1] or ("t0",), *around, (*right, right[0]), _name_closed(data, list(range(len(data.prices))))]


def cost(task: Task[Data]) -> float:
    data = task.data
    return float(len(data.roads) * (len(data.prices) + 2 * len(data.roads) if data.by_town else len(data.roads)))


def derive(task: Task[Data]) -> Derivation:
    data = task.data
    counted = 0
    for path, room in _flow_paths(data):
        counted += room
        yield WAY(room=room, way=" ".join(f"T{town}" for town in path), all=counted)
    yield BOUND(all=counted)
    cut = _min_cut(data, data.start, data.end)
    side = [f"T{i}" for i in sorted(_reachable(data, set(cut)))]
    yield SIDE(side=side, costs=" + ".join(str(data.prices[i]) for i in cut), all=data.least)


def checks(task: Task[Data]) -> Checks:
    data = task.data
    index = {frozenset(road): i for i, road in enumerate(data.roads)}
    room_left, counted = list(data.prices), [0]

    def is_counted(room: int, way: str, all: int) -> bool:
        towns = [int(town.removeprefix("T")) for town in way.split(" ")]
        roads = [index[frozenset(pair)] for pair in pairwise(towns)]
        for i in [town - 1 for town in towns[1:-1]] if data.by_town else roads:
            room_left[i] -= room
        counted[0] += room
        simple = (towns[0], towns[-1]) == (data.start, data.end) and len(set(towns)) == len(towns)
        return simple and room > 0 and min(room_left) >= 0 and counted[0] == all

    def is_cut(side: tuple[str, ...], costs: str, all: int) -> bool:
        towns = {int(town.removeprefix("T")) for town in side}
        rim = {i for i, (a, b) in enumerate(data.roads) if (a in towns) != (b in towns)}
        closed = sorted({town - 1 for i in rim for town in data.roads[i] if town not in towns} if data.by_town else rim)
        prices = [int(price) for price in costs.split(" + ")]
        separates = data.start in towns and data.end not in towns
        return separates and prices == [data.prices[i] for i in closed] and sum(prices) == all

    return {WAY: is_counted, BOUND: lambda all: counted[0] == all, SIDE: is_cut}


def picture(task: Task[Data]) -> str:
    data = task.data
    count = max(max(road) for road in data.roads)
    names = [f"T{i + 1}" for i in range(count)]
    if data.by_town:
        names = [name if i + 1 in (data.start, data.end) else f"{name}: {data.prices[i]}" for i, name in enumerate(names)]
    prices = ["" if data.by_town else str(price) for price in data.prices] + [""] * len(data.roads)
    roads = [(names[a - 1], names[b - 1], price) for (a, b), price in zip(data.roads, prices)]
    return pictures.network(names, roads, marked=[names[data.start - 1], names[data.end - 1]])


def _sample_task(rng: Rng, knobs: Knobs, mesh: bool) -> Task[Data]:
    count, by_town = knobs.towns, knobs.closing == "towns"
    while True:
        number = rng.shuffled(range(1, count + 1))
        edges = (lattice_graphs if mesh else random_graphs).sample_connected_graph(rng, count, max(1, count * knobs.extra // 100))
        roads = tuple((min(number[a], number[b]), max(number[a], number[b])) for a, b in rng.shuffled(edges))
        prices = tuple(rng.integer(1, 20) for _ in (range(count) if by_town else roads))
        start, end = _sample_ends(rng, count, roads)
        if (min(start, end), max(start, end)) in roads:
            continue
        data = Data(roads=roads, prices=prices, by_town=by_town, start=start, end=end, least=0)
        data = data.model_copy(update={"least": sum(prices[i] for i in _min_cut(data, start, end))})
        # Closing everything at one end must cost more.
        if data.least < min(_price_around(data, start), _price_around(data, end)):
            break
    what = "town" if by_town else "road"
    if by_town:
        lines = [f"T{a}-T{b}" for a, b in roads]
        costs = (
            "\n\nClosing a town costs: " + ", ".join(f"T{i} {price}" for i, price in enumerate(prices, 1) if i not in (start, end)) + "."
        )
    else:
        lines, costs = [f"T{a}-T{b}: {price}" for (a, b), price in zip(roads, prices, strict=True)], ""
    listing = "\n".join(lines)
    prompt = (
        f"These roads join towns and can be used both ways{'' if by_town else '; the number is the cost of closing the road'}:\n{listing}{costs}\n\n"
        f"Close {what}s{f' other than T{start} and T{end}' if by_town else ''} so that T{end} can no longer be reached from T{start}, at the lowest "
        f"total cost.{' The roads of a closed town cannot be used.' if by_town else ''} Name the closed {what}s"
        f"{'' if by_town else ' by their two towns, as in the list'}, in any order."
    )
    return Task(prompt, data)


def _price_around(data: Data, town: int) -> int:
    """What it costs to close all roads at a town, or all towns next to it."""
    around = [(place, b if a == town else a) for place, (a, b) in enumerate(data.roads) if town in (a, b)]
    return sum(data.prices[other - 1 if data.by_town else place] for place, other in around)


def _name_closed(data: Data, places: list[int]) -> tuple[str, ...]:
    if data.by_town:
        return tuple(f"t{i + 1}" for i in places if i + 1 not in (data.start, data.end))
    return tuple(f"t{data.roads[i][0]}-t{data.roads[i][1]}" for i in places)


def _sample_ends(rng: Rng, count: int, roads: tuple[Road, ...]) -> tuple[int, int]:
    """Two towns with several roads each where the map has such towns."""
    degree = {i: sum(i in road for road in roads) for i in range(1, count + 1)}
    ranked = sorted(rng.shuffled(range(1, count + 1)), key=lambda i: -degree[i])
    start, end = rng.sample(ranked[: max(3, count // 2)], 2)
    return start, end


def _reachable(data: Data, closed: set[int]) -> set[int]:
    """The towns that can be reached from the start once some roads, or some towns, are closed."""
    if data.by_town:
        open_roads = [(a, b) for a, b in data.roads if not {a - 1, b - 1} & closed]
    else:
        open_roads = [road for i, road in enumerate(data.roads) if i not in closed]
    return set(breadth_first_search(adjacency_lists(open_roads), data.start))


def _edmonds_karp(data: Data, start: int, end: int) -> tuple[dict[int, dict[int, int]], list[tuple[list[int], int]]]:
    """The residual capacities and augmenting paths of a maximum flow; a town is split into two nodes, the second 1000 above it."""
    residual_capacity: dict[int, dict[int, int]] = {start: {}, end: {}}

    def add(a: int, b: int, room: int, back: int) -> None:
        residual_capacity.setdefault(a, {})[b] = room
        residual_capacity.setdefault(b, {})[a] = back

    if data.by_town:
        for i, price in enumerate(data.prices, 1):
            add(i, i + 1000, 1 << 40 if i in (start, end) else price, 0)
        for a, b in data.roads:
            add(a + 1000, b, 1 << 40, 0)
            add(b + 1000, a, 1 << 40, 0)
    else:
        for (a, b), price in zip(data.roads, data.prices, strict=True):
            add(a, b, price, price)
    paths: list[tuple[list[int], int]] = []
    while True:
        predecessor, queue = {start: start}, [start]
        for node in queue:
            for neighbour, room in residual_capacity[node].items():
                if room and neighbour not in predecessor:
                    predecessor[neighbour] = node
                    queue.append(neighbour)
        if end not in predecessor:
            return residual_capacity, paths
        path = [end]
        while path[-1] != start:
            path.append(predecessor[path[-1]])
        path.reverse()
        room = min(residual_capacity[a][b] for a, b in pairwise(path))
        for a, b in pairwise(path):
            residual_capacity[a][b] -= room
            residual_capacity[b][a] += room
        paths.append((path, room))


def _flow_paths(data: Data) -> list[tuple[list[int], int]]:
    """A path decomposition of a maximum flow: paths from start to end, each with the amount that it carries."""
    residual_capacity, paths = _edmonds_karp(data, data.start, data.end)
    flows: dict[int, dict[int, int]] = {}
    for a, b in data.roads:
        if data.by_town:
            flow = residual_capacity[b][a + 1000] - residual_capacity[a][b + 1000]
        else:
            flow = (residual_capacity[b][a] - residual_capacity[a][b]) // 2
        if flow:
            first, second = (a, b) if flow > 0 else (b, a)
            flows.setdefault(first, {})[second] = abs(flow)
    paths, missing = [], sum(room for _, room in paths)
    while missing:
        predecessor, queue = {data.start: 0}, [data.start]
        for node in queue:
            reached = [neighbour for neighbour, flow in flows.get(node, {}).items() if flow and neighbour not in predecessor]
            predecessor |= dict.fromkeys(reached, node)
            queue += reached
        path = [data.end]
        while path[0] != data.start:
            path.insert(0, predecessor[path[0]])
        room = min(missing, *(flows[a][b] for a, b in pairwise(path)))
        for a, b in pairwise(path):
            flows[a][b] -= room
        missing -= room
        paths.append((path, room))
    return paths


def _min_cut(data: Data, start: int, end: int) -> list[int]:
    """The indices of the roads or towns of a minimum cut, next to the part that is reachable from the start."""
    residual_capacity, _ = _edmonds_karp(data, start, end)
    seen, queue = {start}, [start]
    for node in queue:
        reached = [neighbour for neighbour, room in residual_capacity[node].items() if room and neighbour not in seen]
        seen.update(reached)
        queue += reached
    if data.by_town:
        return [i for i in range(len(data.prices)) if i + 1 in seen and i + 1001 not in seen]
    return [i for i, (a, b) in enumerate(data.roads) if (a in seen) != (b in seen)]


def _other_answers(task: Task[Data]) -> Iterator[tuple[str, ...]]:
    """The cheapest cut that is nearest to the other end, and the same choice in another order."""
    yield _name_closed(task.data, _min_cut(task.data, task.data.end, task.data.start))
    yield solve(task)[::-1]


environment = Environment(
    Knobs, Words("these names, separated by spaces", max_items=200, ignore_case=True),
    generate, solve, verify, mistakes, cost,
    solution=Solution(derive, "Closed are {answer}", checks), shift=shift, picture=picture, answers="many", solutions=_other_answers,
    concept="Count ways from one end to the other until none has anything left; the cheapest cut lies where what is left can no longer get through.",
    version=5,
)  # fmt: skip
