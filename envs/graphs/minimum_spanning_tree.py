"""Choose the cheapest set of roads that joins all towns.

Some roads are already built and cost nothing. Any cheapest set is accepted.
"""

from collections.abc import Iterator
from typing import NamedTuple

from rlgym import Config, Environment, Rng, Score, Task, TaskData, knob
from rlgym.answers import Words
from rlgym.generators.drawing import pictures
from rlgym.generators.graphs import lattice_graphs, random_graphs
from rlgym.solutions import Checks, Derivation, Solution, Step

CHEAPEST = Step(
    "Joined so far: {piece:words}; the cheapest road that leaves the piece is {a}-{b} for {price:int}, build it: {new} is joined"
)
OLD = Step("Joined so far: {piece:words}; the old road {a}-{b} leaves the piece: {new} is joined")


class Road(NamedTuple):
    a: str
    b: str
    price: int


class Knobs(Config):
    towns: int = knob(10, easy=6, hard=40, doc="towns on the map")
    extra: int = knob(12, easy=4, hard=90, doc="roads beyond those of a tree")
    dearest: int = knob(20, easy=9, hard=99, doc="highest cost of a road")
    built: int = knob(2, easy=0, hard=8, doc="roads that are already there")


class Data(TaskData):
    roads: tuple[Road, ...]
    built: tuple[tuple[str, str], ...]
    cheapest: int


def generate(rng: Rng, knobs: Knobs) -> Task[Data]:
    return _sample_task(rng, knobs, mesh=False)


def shift(rng: Rng, knobs: Knobs) -> Task[Data]:
    """Towns that lie on a lattice, with roads to the nearest ones only."""
    return _sample_task(rng, knobs, mesh=True)


def solve(task: Task[Data]) -> tuple[str, ...]:
    return tuple(f"{a}-{b}" for a, b, price in _prim(task.data) if price)


def verify(task: Task[Data], answer: tuple[str, ...]) -> Score:
    data = task.data
    prices = {f"{a}-{b}": price for a, b, price in data.roads} | {f"{b}-{a}": price for a, b, price in data.roads}
    parents: dict[str, str] = {}
    for a, b in data.built:
        _union(parents, a, b)
    total, pieces = 0, len({name for road in (*data.roads, *data.built) for name in road[:2]}) - len(data.built)
    # A road may be written with spaces around its stroke.
    for word in " ".join(answer).replace("–", "-").replace(" - ", "-").split():
        if word not in prices:
            return Score.wrong(f"{word[:20]} is not a road that can be built")
        a, _, b = word.partition("-")
        if not _union(parents, a, b):
            return Score.wrong(f"{word} closes a cycle")
        total, pieces = total + prices[word], pieces - 1
    if pieces > 1:
        return Score.wrong("some towns are not connected")
    return Score.exact(total == data.cheapest, "the towns can be joined at a lower cost")


def mistakes(task: Task[Data], right: tuple[str, ...]) -> list[tuple[str, ...]]:
    all_roads = tuple(f"{a}-{b}" for a, b, _ in task.data.roads)
    dearest = _kruskal(tuple(Road(a, b, -price) for a, b, price in task.data.roads), task.data.built)
    return [right[:-1] or ("T0-T1",), all_roads, tuple(f"{a}-{b}" for a, b, _ in dearest), (*right, right[0])]


def cost(task: Task[Data]) -> float:
    count = len(task.data.roads)
    return count * count.bit_length() + len(task.data.built)


def derive(task: Task[Data]) -> Derivation:
    piece = [_first(task.data)]
    for a, b, price in _prim(task.data):
        new = b if a in piece else a
        yield CHEAPEST(piece=piece, a=a, b=b, price=price, new=new) if price else OLD(piece=piece, a=a, b=b, new=new)
        piece = [*piece, new]


def checks(task: Task[Data]) -> Checks:
    data = task.data
    roads = [*(Road(a, b, 0) for a, b in data.built), *data.roads]
    joined: list[str] = []

    def joins(piece: tuple[str, ...], a: str, b: str, new: str, price: int = 0) -> bool:
        known = list(piece) == joined if joined else len(piece) == 1
        leaving = [road for road in roads if (road.a in piece) != (road.b in piece)]
        joined[:] = [*piece, new]
        return known and (a, b, price) in leaving and price == min(road.price for road in leaving) and new in (a, b) and new not in piece

    return {OLD: joins, CHEAPEST: joins}


def picture(task: Task[Data]) -> str:
    data = task.data
    roads = [(a, b, str(price)) for a, b, price in data.roads] + [(a, b, "there") for a, b in data.built]
    towns = sorted({town for a, b, _ in roads for town in (a, b)}, key=lambda town: int(town[1:]))
    return pictures.network(towns, roads)


def _sample_task(rng: Rng, knobs: Knobs, mesh: bool) -> Task[Data]:
    sampler = lattice_graphs if mesh else random_graphs
    edges = sampler.sample_connected_graph(rng, knobs.towns, knobs.extra)
    while len(edges) <= min(knobs.towns, knobs.towns - 2 + knobs.extra):  # of one cycle, all roads but one would be guessed
        edges = sampler.sample_connected_graph(rng, knobs.towns, knobs.extra)
    town = [f"T{i}" for i in rng.shuffled(range(1, knobs.towns + 1))]
    roads = tuple(Road(town[a], town[b], rng.integer(1, knobs.dearest)) for a, b in rng.shuffled(edges))
    # The first edges of a connected graph, read as a forest, never close a ring.
    parents: dict[str, str] = {}
    built: list[tuple[str, str]] = []
    for a, b in rng.shuffled(edges):
        if len(built) < min(knobs.built, knobs.towns // 2) and _union(parents, town[a], town[b]):
            built.append((town[a], town[b]))
    planned = tuple(road for road in roads if (road.a, road.b) not in built)
    data = Data(roads=planned, built=tuple(built), cheapest=sum(cost for _, _, cost in _kruskal(planned, tuple(built))))
    listing = "\n".join(f"{a}-{b} costs {price}" for a, b, price in planned)
    existing = f"\n\nThese roads are there already: {', '.join(f'{a}-{b}' for a, b in built)}." if built else ""
    prompt = (
        f"There are {knobs.towns} towns, T1 to T{knobs.towns}. These roads can be built:\n{listing}{existing}\n\n"
        "Which roads should be built so that one can get from every town to every other"
        f"{', old roads included,' if built else ''} and the total cost is as low as possible? Name the roads to build, in any order."
    )
    return Task(prompt, data)


def _prim(data: Data) -> list[Road]:
    """Prim's algorithm: one component grows by its cheapest outgoing road; `generate` uses Kruskal's."""
    piece, chosen = {_first(data)}, list[Road]()
    all_roads = [*(Road(a, b, 0) for a, b in data.built), *data.roads]
    while leaving := [road for road in all_roads if (road.a in piece) != (road.b in piece)]:
        chosen.append(min(leaving, key=lambda road: road.price))
        piece |= set(chosen[-1][:2])
    return chosen


def _first(data: Data) -> str:
    return min(name for a, b in (*((a, b) for a, b, _ in data.roads), *data.built) for name in (a, b))


def _kruskal(roads: tuple[Road, ...], built: tuple[tuple[str, str], ...]) -> list[Road]:
    parents: dict[str, str] = {}
    for a, b in built:
        _union(parents, a, b)
    return [road for road in sorted(roads, key=lambda road: road.price) if _union(parents, road.a, road.b)]


def _union(parents: dict[str, str], a: str, b: str) -> bool:
    """Merges the components of two towns; False if they are already in the same one."""
    a, b = _find_root(parents, a), _find_root(parents, b)
    parents[a] = b
    return a != b


def _find_root(parents: dict[str, str], town: str) -> str:
    while parents.get(town, town) != town:
        town = parents[town]
    return town


def _other_answers(task: Task[Data]) -> Iterator[tuple[str, ...]]:
    data = task.data
    yield tuple(f"{b}-{a}" for a, b, _ in _kruskal(data.roads[::-1], data.built))
    yield tuple(f"{a}-{b}" for a, b, _ in _kruskal(data.roads, data.built))


environment = Environment(
    Knobs, Words("the roads to build, such as Ti-Tj, separated by spaces", max_items=400), generate, solve, verify, mistakes, cost,
    solution=Solution(derive, "Build {answer}", checks), shift=shift, picture=picture, answers="many", solutions=_other_answers,
    concept="Take the roads from the cheapest to the dearest, and build each that joins two pieces that are still apart.",
    version=3,
)  # fmt: skip
