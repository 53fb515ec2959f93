"""Choose the cheapest set of roads that joins all towns.

Some roads are already built and cost nothing. Any cheapest set is accepted. On the upper levels no town may have more than a few roads: cheap roads meet
in few towns there, taking the cheapest road that still fits fails, and cases must be distinguished.
"""

from collections import Counter
from collections.abc import Iterator

from rlgym import Config, Environment, Rng, Score, Task, TaskData, knob
from rlgym.answers import Words
from rlgym.generators.drawing import pictures
from rlgym.generators.draws import draw_against
from rlgym.generators.graphs import lattice_graphs, limited_trees, random_graphs
from rlgym.generators.graphs.spanning_trees import Road, first_town, kruskal, prim, union
from rlgym.solutions import Checks, Derivation, Solution, Step

CHEAPEST = Step(
    "Joined so far: {piece:words}; the cheapest road that leaves the piece is {a}-{b} for {price:int}, build it: {new} is joined"
)
OLD = Step("Joined so far: {piece:words}; the old road {a}-{b} leaves the piece: {new} is joined")


SPLIT = Step(
    "With {included} and without {excluded} the cheapest tree costs {total:int}, but {town} has too many roads in it: split on these roads"
)
BOUND = Step("With {included} and without {excluded} there is no tree cheaper than {best:int}")


class Knobs(Config):
    towns: int = knob(10, easy=6, hard=40, doc="towns on the map")
    extra: int = knob(12, easy=4, hard=90, doc="roads beyond those of a tree")
    dearest: int = knob(20, easy=9, hard=99, doc="highest cost of a road")
    built: int = knob(2, easy=0, hard=8, doc="roads that are already there")
    crowding: str = knob(
        "free",
        easy="free",
        hard="limited",
        order=("free", "limited"),
        doc="whether a town may have any number of roads, or few (on a map two fifths as large)",
    )


class Data(TaskData):
    roads: tuple[Road, ...]
    built: tuple[tuple[str, str], ...]
    cheapest: int
    most: int = 0
    """How many roads a town may have at most, old ones included; 0 for any number."""

    @property
    def edges(self) -> list[Road]:
        return [*(Road(a, b, 0) for a, b in self.built), *self.roads]


def generate(rng: Rng, knobs: Knobs) -> Task[Data]:
    return _sample_limited(rng, knobs, mesh=False) if knobs.crowding == "limited" else _sample_task(rng, knobs, mesh=False)


def shift(rng: Rng, knobs: Knobs) -> Task[Data]:
    """Towns that lie on a lattice, with roads to the nearest ones only."""
    return _sample_limited(rng, knobs, mesh=True) if knobs.crowding == "limited" else _sample_task(rng, knobs, mesh=True)


def solve(task: Task[Data]) -> tuple[str, ...]:
    if task.data.most:
        edges = task.data.edges
        tree, _ = limited_trees.limited_tree(edges, task.data.most)
        return tuple(f"{edges[i].a}-{edges[i].b}" for i in tree.edges if edges[i].price) if tree else ()
    return tuple(f"{a}-{b}" for a, b, price in prim(task.data.roads, task.data.built) if price)


def verify(task: Task[Data], answer: tuple[str, ...]) -> Score:
    data = task.data
    prices = {f"{a}-{b}": price for a, b, price in data.roads} | {f"{b}-{a}": price for a, b, price in data.roads}
    parents: dict[str, str] = {}
    for a, b in data.built:
        union(parents, a, b)
    total, pieces = 0, len({name for road in (*data.roads, *data.built) for name in road[:2]}) - len(data.built)
    # A road may be written with spaces around its stroke.
    for word in " ".join(answer).replace("–", "-").replace(" - ", "-").split():
        if word not in prices:
            return Score.wrong(f"{word[:20]} is not a road that can be built")
        a, _, b = word.partition("-")
        if not union(parents, a, b):
            return Score.wrong(f"{word} closes a cycle")
        total, pieces = total + prices[word], pieces - 1
    degree = Counter(name for word in (*answer, *map("-".join, data.built)) for name in word.replace("–", "-").replace(" ", "").split("-"))
    if data.most and max(degree.values()) > data.most:
        return Score.wrong(f"{max(degree, key=lambda name: degree[name])[:20]} has more than {data.most} roads")
    if pieces > 1:
        return Score.wrong("some towns are not connected")
    return Score.exact(total == data.cheapest, "the towns can be joined at a lower cost")


def mistakes(task: Task[Data], right: tuple[str, ...]) -> list[tuple[str, ...]]:
    all_roads = tuple(f"{a}-{b}" for a, b, _ in task.data.roads)
    if task.data.most:
        plain, greedy = kruskal(task.data.roads, task.data.built), _greedy(task.data)
        tempting = [tuple(f"{a}-{b}" for a, b, _ in tree) for tree in (plain, greedy)]
        return [answer for answer in [*tempting, right[:-1], all_roads, (*right, right[0])] if not verify(task, answer).value]
    dearest = kruskal(tuple(Road(a, b, -price) for a, b, price in task.data.roads), task.data.built)
    return [right[:-1] or ("T0-T1",), all_roads, tuple(f"{a}-{b}" for a, b, _ in dearest), (*right, right[0])]


def cost(task: Task[Data]) -> float:
    count = len(task.data.roads)
    if task.data.most:
        return 10.0 * (count * count.bit_length() + count * sum(1 for _ in _proof(task.data)))
    return count * count.bit_length() + len(task.data.built)


def _greedy(data: Data) -> list[Road]:
    """The roads from the cheapest to the dearest, where two pieces are joined and no town gets too many."""
    parents: dict[str, str] = {}
    degree = Counter(name for road in data.built for name in road)
    for a, b in data.built:
        union(parents, a, b)
    chosen = list[Road]()
    for road in sorted(data.roads, key=lambda road: road.price):
        if max(degree[road.a], degree[road.b]) < data.most and union(parents, road.a, road.b):
            chosen.append(road)
            degree.update((road.a, road.b))
    return chosen


def _proof(data: Data) -> Iterator[tuple[limited_trees.Case, limited_trees.Tree | None, str]]:
    """The cases that show that no tree is cheaper: each with its tree and the crowded town, or none if the tree is not cheaper."""
    edges, waiting = data.edges, [limited_trees.Case((), ())]
    while waiting:
        case = waiting.pop()
        tree = limited_trees.cheapest_tree(edges, case)
        if tree is None or tree.total >= data.cheapest:
            yield case, None, ""
            continue
        town = limited_trees.most_crowded_node(edges, tree.edges, data.most)
        yield case, tree, town
        waiting += limited_trees.split(edges, case, tree, town)


def _derive_limited(data: Data) -> Derivation:
    for case, tree, town in _proof(data):
        included, excluded = (" ".join(f"{data.edges[i].a}-{data.edges[i].b}" for i in part) or "nothing" for part in case)
        if tree:
            yield SPLIT(included=included, excluded=excluded, total=tree.total, town=town)
        else:
            yield BOUND(included=included, excluded=excluded, best=data.cheapest)


def derive(task: Task[Data]) -> Derivation:
    if task.data.most:
        yield from _derive_limited(task.data)
        return
    piece = [first_town((*task.data.roads, *(Road(a, b, 0) for a, b in task.data.built)))]
    for a, b, price in prim(task.data.roads, task.data.built):
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

    proof = _proof(data) if data.most else iter(())

    def is_next(included: str, excluded: str, total: int = 0, town: str = "", best: int = 0) -> bool:
        case, tree, crowded = next(proof)
        words = [" ".join(f"{data.edges[i].a}-{data.edges[i].b}" for i in part) or "nothing" for part in case]
        numbers = (tree.total, crowded, 0) if tree else (0, "", data.cheapest)
        return words == [included, excluded] and numbers == (total, town, best)

    return {OLD: joins, CHEAPEST: joins, SPLIT: is_next, BOUND: is_next}


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
        if len(built) < min(knobs.built, knobs.towns // 2) and union(parents, town[a], town[b]):
            built.append((town[a], town[b]))
    planned = tuple(road for road in roads if (road.a, road.b) not in built)
    data = Data(roads=planned, built=tuple(built), cheapest=sum(cost for _, _, cost in kruskal(planned, tuple(built))))
    listing = "\n".join(f"{a}-{b} costs {price}" for a, b, price in planned)
    existing = f"\n\nThese roads are there already: {', '.join(f'{a}-{b}' for a, b in built)}." if built else ""
    prompt = (
        f"There are {knobs.towns} towns, T1 to T{knobs.towns}. These roads can be built:\n{listing}{existing}\n\n"
        "Which roads should be built so that one can get from every town to every other"
        f"{', old roads included,' if built else ''} and the total cost is as low as possible? Name the roads to build, in any order."
    )
    return Task(prompt, data)


def _sample_limited(rng: Rng, knobs: Knobs, mesh: bool) -> Task[Data]:
    """A map on which the greedy choice fails and several cases must be distinguished, if there is one among the draws."""
    count, extra = max(6, knobs.towns * 2 // 5), max(6, knobs.extra * 2 // 5)
    sampler, most, most_cases = lattice_graphs if mesh else random_graphs, 2 if mesh else 3, 10 * count

    def draw() -> tuple[Data, int]:
        while True:
            edges = sampler.sample_connected_graph(rng, count, extra)
            town = [f"T{i}" for i in rng.shuffled(range(1, count + 1))]
            hubs = rng.sample(town, count // 5 + 1)
            named = [(town[a], town[b]) for a, b in rng.shuffled(edges)]
            dear = knobs.dearest
            roads = [Road(a, b, rng.integer(1, dear // 2) if a in hubs or b in hubs else rng.integer(dear // 3, dear)) for a, b in named]
            old = min(knobs.built // 4, 2)
            data = Data(roads=tuple(roads[old:]), built=tuple((a, b) for a, b, _ in roads[:old]), cheapest=0, most=most)
            if len({name for edge in data.built for name in edge}) < 2 * old:
                continue
            tree, cases = limited_trees.limited_tree(data.edges, most, most_cases)
            if tree:
                return data.model_copy(update={"cheapest": tree.total}), cases

    def is_too_easy(drawn: tuple[Data, int]) -> bool:
        data, cases = drawn
        greedy = _greedy(data)
        is_tree = len(greedy) + len(data.built) == count - 1
        return cases < count or (is_tree and sum(road.price for road in greedy) == data.cheapest)

    data, _ = draw_against(draw, is_too_easy, 12)
    listing = "\n".join(f"{a}-{b} costs {price}" for a, b, price in data.roads)
    existing = f"\n\nThese roads are there already: {', '.join(f'{a}-{b}' for a, b in data.built)}." if data.built else ""
    prompt = (
        f"There are {count} towns, T1 to T{count}. These roads can be built:\n{listing}{existing}\n\n"
        f"Which roads should be built so that one can get from every town to every other{', old roads included,' if data.built else ''} no town has more than "
        f"{most} roads{' (old ones count, too)' if data.built else ''}, and the total cost is as low as possible? Name the roads to build, in any order."
    )
    return Task(prompt, data)


def _other_answers(task: Task[Data]) -> Iterator[tuple[str, ...]]:
    data = task.data
    if data.most:
        yield from (answer for answer in (solve(task), solve(task)[::-1]))
        return
    yield tuple(f"{b}-{a}" for a, b, _ in kruskal(data.roads[::-1], data.built))
    yield tuple(f"{a}-{b}" for a, b, _ in kruskal(data.roads, data.built))


environment = Environment(
    Knobs, Words("the roads to build, such as Ti-Tj, separated by spaces", max_items=400), generate, solve, verify, mistakes, cost,
    solution=Solution(derive, "Build {answer}", checks), shift=shift, picture=picture, answers="many", solutions=_other_answers,
    concept="Take the roads from the cheapest to the dearest, and build each that joins two pieces that are still apart.",
    version=4,
)  # fmt: skip
