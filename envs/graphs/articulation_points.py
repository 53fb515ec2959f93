"""Name every town that cuts the map apart when it is closed, and every road that does.

Found by numbering the towns in depth and asking of each how far back one gets from beyond it. Any order is accepted.
"""

from collections.abc import Iterator, Sequence
from itertools import pairwise

from rlgym import Config, Environment, Rng, Score, Task, TaskData, knob
from rlgym.answers import Words
from rlgym.generators.drawing import pictures
from rlgym.generators.graphs import random_graphs
from rlgym.solutions import Checks, Derivation, Solution, Step

Roads = tuple[tuple[str, str], ...]


class Knobs(Config):
    towns: int = knob(12, easy=5, hard=44, doc="towns on the map")
    loops: int = knob(40, easy=20, hard=55, doc="roads beyond those of a tree, in percent of the towns")
    question: str = knob("towns", easy="roads", hard="both", order=("roads", "towns", "both"), doc="which to find: roads, towns or both")
    twins: str = knob(
        "no", easy="no", hard="yes", order=("no", "yes"), doc="whether some roads are doubled, so that closing one copy disconnects nothing"
    )


class Data(TaskData):
    roads: Roads
    asked: str
    vital: tuple[str, ...]


def generate(rng: Rng, knobs: Knobs) -> Task[Data]:
    """Cycles and single roads attached to one another."""
    edges = {(0, 1): None}
    spare = knobs.towns * knobs.loops // 100
    towns = 2
    while towns < knobs.towns:
        root, size = rng.integer(0, towns - 1), 1 if not spare else rng.integer(1, 5)
        ring = [root, *range(towns, min(knobs.towns, towns + size))]
        edges |= dict.fromkeys(pairwise(ring))
        if len(ring) > 2 and spare:
            edges[root, ring[-1]] = None
            spare -= 1
        towns += len(ring) - 1
    return _sample_task(rng, knobs, tuple(edges))


def shift(rng: Rng, knobs: Knobs) -> Task[Data]:
    """Towns of a plane joined to the nearest, lattices and hubs."""
    count = knobs.towns
    return _sample_task(
        rng, knobs, random_graphs.sample_graph(rng, rng.choice(("near", "lattice", "hubs")), count, count + count * knobs.loops // 250)
    )


def _sample_task(rng: Rng, knobs: Knobs, edges: Sequence[random_graphs.Edge]) -> Task[Data]:
    names = random_graphs.sample_names(rng, knobs.towns)
    roads = random_graphs.sample_edge_list(rng, edges, names)
    if knobs.twins == "yes":
        repeated_roads = [road if rng.chance(0.5) else road[::-1] for road in rng.sample(roads, max(1, len(roads) // 8))]
        roads = tuple(rng.shuffled([*roads, *repeated_roads]))
    vital = _name_vital(knobs.question, *_vital_by_removal(roads))
    data = Data(roads=roads, asked=knobs.question, vital=tuple(map(_normalise, vital)))
    towns = "A town is vital if, with it and its roads closed, two of the other towns are no longer connected by roads. "
    bridges = "A road is vital if, with this one road closed, two towns are no longer connected by roads. "
    definitions = {"roads": bridges, "towns": towns, "both": towns + bridges}[knobs.question]
    kinds = {"roads": "vital roads", "towns": "vital towns", "both": "vital towns and all vital roads"}[knobs.question]
    listing = "\n".join(f"{a}-{b}" for a, b in roads)
    twice = " Where a road is listed twice, there are two roads." if knobs.twins == "yes" else ""
    named = "" if knobs.question == "towns" else " Write a road as its two towns, in either order, with a hyphen between them."
    return Task(
        f"These roads join towns and can be used both ways:\n{listing}\n\n{definitions.strip()}{twice}\n\nName all {kinds}, in any order.{named}",
        data,
    )


def solve(task: Task[Data]) -> tuple[str, ...]:
    """Tarjan's low-link numbers from one depth-first search; `generate` removes each town and road in turn."""
    order, parent = _depth_first_order(task.data.roads)
    low = _low_links(task.data.roads, order, parent)
    return _name_vital(task.data.asked, *_vital(order, parent, low))


def verify(task: Task[Data], answer: tuple[str, ...]) -> Score:
    data = task.data
    right, given = set(data.vital), [_normalise(word) for word in answer]
    if len(set(given)) < len(given):
        return Score.wrong("the answer names something twice")
    if not set(given) <= right:
        return Score.wrong("the answer names something that is not vital or does not exist")
    return Score.exact(set(given) == right, "something vital is missing from the answer")


def mistakes(task: Task[Data], right: tuple[str, ...]) -> list[tuple[str, ...]]:
    data = task.data
    neighbours = _neighbours(data.roads)
    lonely = [name.lower() for name in neighbours if len(neighbours[name]) == 1]
    ends = tuple(f"{a}-{b}".lower() for a, b in data.roads if len(neighbours[a]) == 1 or len(neighbours[b]) == 1)
    busy = tuple(name.lower() for name in neighbours if len(neighbours[name]) > 2)
    single = tuple(dict.fromkeys(f"{a}-{b}".lower() for a, b in data.roads))
    if data.asked == "roads":
        return [ends, single, right[:-1], (*right, busy[0] if busy else "zz"), ()]
    return [busy, (*right, *lonely[:1]), right[:-1], (*right, right[0]) if right else busy, tuple(neighbours), ()]


def cost(task: Task[Data]) -> float:
    return len(task.data.roads) * {"roads": 1, "towns": 1.5, "both": 2.5}[task.data.asked]


FIRST = Step("Number 1 is {town}")
NEXT = Step("Number {number:int} is {town}, by the road from {parent}, the last numbered town with a road to one without a number")
LOW = Step(
    "From {town} and what is numbered through it, without the road it was reached by, one gets back to number {low:int} at the lowest"
)
TOWN = Step(
    "Going back from {child}, one reaches no lower number than {low:int}; the town before it has number {number:int}, and so {town} is vital"
)
ROOT = Step("Both {one} and {other} were numbered from the first town, with no way between them but through it: {town} is vital")
ROAD = Step("From number {low:int} on, one gets back to no lower number, except by the road it was reached by: {town}-{child} is vital")
END = "All that is vital: {answer}"


def derive(task: Task[Data]) -> Derivation:
    roads = task.data.roads
    order, parent = _depth_first_order(roads)
    low = _low_links(roads, order, parent)
    numbers = {town: i for i, town in enumerate(order, 1)}
    yield FIRST(town=order[0])
    for town in order[1:]:
        yield NEXT(number=numbers[town], town=town, parent=parent[town])
    for town in reversed(order[1:]):
        yield LOW(town=town, low=low[town])
    for child in order[1:]:
        town = parent[child]
        if task.data.asked != "roads" and town != order[0] and low[child] >= numbers[town]:
            yield TOWN(child=child, low=low[child], town=town, number=numbers[town])
        if task.data.asked != "towns" and low[child] == numbers[child]:
            yield ROAD(child=child, low=low[child], town=town)
    children = [child for child in order if parent.get(child) == order[0]]
    if len(children) > 1 and task.data.asked != "roads":
        yield ROOT(one=children[0], other=children[1], town=order[0])


def checks(task: Task[Data]) -> Checks:
    roads, neighbours = task.data.roads, _neighbours(task.data.roads)
    numbers, parents, lows = dict[str, int](), dict[str, str](), dict[str, int]()

    def is_root(town: str) -> bool:
        numbers[town] = 1
        return len(numbers) == 1 and town in neighbours

    def is_next(number: int, town: str, parent: str) -> bool:
        last = [old for old in numbers if any(other not in numbers for other in neighbours[old])][-1]
        parents[town] = parent
        fits = last == parent and town in neighbours[last] and town not in numbers
        numbers[town] = len(numbers) + 1
        return fits and numbers[town] == number

    def is_low_link(town: str, low: int) -> bool:
        reached = [numbers[other] for other in neighbours[town] if other != parents[town]] + [numbers[town]]
        reached += [numbers[parents[town]]] * (_multiplicity(roads, town, parents[town]) > 1)
        lows[town] = min(reached + [lows[child] for child in parents if parents[child] == town])
        return len(numbers) == len(neighbours) and lows[town] == low

    def is_vital_town(child: str, low: int, town: str, number: int) -> bool:
        return (lows[child], numbers[town]) == (low, number) and parents[child] == town and low >= number > 1

    def is_vital_root(one: str, other: str, town: str) -> bool:
        return parents[one] == parents[other] == town and one != other and numbers[town] == 1

    def is_bridge(child: str, low: int, town: str) -> bool:
        return parents[child] == town and lows[child] == numbers[child] == low

    return {FIRST: is_root, NEXT: is_next, LOW: is_low_link, TOWN: is_vital_town, ROAD: is_bridge, ROOT: is_vital_root}


def picture(task: Task[Data]) -> str:
    twice = {tuple(sorted(road)) for road in task.data.roads if _multiplicity(task.data.roads, *road) > 1}
    edges = sorted({(min(road), max(road)) for road in task.data.roads})
    return pictures.network(sorted(_neighbours(task.data.roads)), [(a, b, "x2") if (a, b) in twice else (a, b) for a, b in edges])


def _normalise(word: str) -> str:
    return "-".join(sorted(word.lower().replace("–", "-").split("-", 3)))


def _multiplicity(roads: Roads, a: str, b: str) -> int:
    return roads.count((a, b)) + roads.count((b, a))


def _neighbours(roads: Roads) -> dict[str, list[str]]:
    neighbours: dict[str, dict[str, None]] = {}
    for a, b in roads:
        neighbours.setdefault(a, {})[b] = None
        neighbours.setdefault(b, {})[a] = None
    return {town: sorted(neighbours[town]) for town in sorted(neighbours)}


def _depth_first_order(roads: Roads) -> tuple[list[str], dict[str, str]]:
    neighbours = _neighbours(roads)
    order, parent = [min(neighbours)], dict[str, str]()
    number, walk = {order[0]}, [order[0]]
    while walk:
        neighbour = next((town for town in neighbours[walk[-1]] if town not in number), None)
        if neighbour is None:
            walk.pop()
            continue
        parent[neighbour] = walk[-1]
        order.append(neighbour)
        number.add(neighbour)
        walk.append(neighbour)
    return order, parent


def _low_links(roads: Roads, order: list[str], parent: dict[str, str]) -> dict[str, int]:
    number = {town: i for i, town in enumerate(order, 1)}
    low = dict(number)
    pairs = [
        road for road in roads if _multiplicity(roads, *road) > 1 or not (parent.get(road[0]) == road[1] or parent.get(road[1]) == road[0])
    ]
    for a, b in pairs:
        low[a], low[b] = min(low[a], number[b]), min(low[b], number[a])
    for town in reversed(order[1:]):
        low[parent[town]] = min(low[parent[town]], low[town])
    return low


def _vital(order: list[str], parent: dict[str, str], low: dict[str, int]) -> tuple[list[str], Roads]:
    number = {town: i for i, town in enumerate(order, 1)}
    towns = {parent[child] for child in order[2:] if low[child] >= number[parent[child]] and parent[child] != order[0]}
    towns |= {order[0]} if sum(parent_node == order[0] for parent_node in parent.values()) > 1 else set()
    return sorted(towns), tuple((parent[child], child) for child in order[1:] if low[child] == number[child])


def _vital_by_removal(roads: Roads) -> tuple[list[str], Roads]:
    """Closes each town and each road in turn and checks whether the rest is connected."""
    neighbours = _neighbours(roads)

    def joined(towns: list[str], closed: tuple[str, str] | None) -> bool:
        seen, walk = {towns[0]}, [towns[0]]
        inside = set(towns)
        while walk:
            current = walk.pop()
            for neighbour in neighbours[current]:
                if neighbour in inside and neighbour not in seen and (current, neighbour) != closed and (neighbour, current) != closed:
                    seen.add(neighbour)
                    walk.append(neighbour)
        return len(seen) == len(towns)

    names = list(neighbours)
    vital = [town for town in names if not joined([name for name in names if name != town], None)]
    return vital, tuple(road for road in roads if _multiplicity(roads, *road) == 1 and not joined(names, road))


def _name_vital(kind: str, towns: list[str], roads: Roads) -> tuple[str, ...]:
    named = [town.lower() for town in towns] if kind != "roads" else []
    return (*named, *(f"{a}-{b}".lower() for a, b in roads)) if kind != "towns" else tuple(named)


def _other_answers(task: Task[Data]) -> Iterator[tuple[str, ...]]:
    vital = _name_vital(task.data.asked, *_vital_by_removal(task.data.roads))
    yield vital
    yield tuple("-".join(word.split("-")[::-1]) for word in reversed(vital))


environment = Environment(
    Knobs,
    Words(
        "the names asked for, separated by spaces, or the word none if there are none", max_items=150, ignore_case=True, allow_empty=True
    ),
    generate, solve, verify, mistakes, cost,
    solution=Solution(derive, END, checks), shift=shift, picture=picture, answers="many", solutions=_other_answers,
    concept="Number the towns in depth; what lies beyond a town hangs on it if no road leads from there to a lower number than the town's.",
    version=3,
)  # fmt: skip
