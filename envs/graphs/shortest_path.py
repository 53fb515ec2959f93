"""Find a shortest walk between two towns on a map of roads.

Any shortest walk is accepted, not only the one the oracle finds.
"""

from collections.abc import Iterator
from itertools import pairwise

from rlgym import Config, Environment, Rng, Score, Task, TaskData, knob
from rlgym.answers import Words
from rlgym.generators.drawing import pictures
from rlgym.generators.graphs import lattice_graphs, random_graphs
from rlgym.generators.graphs.adjacency import adjacency_lists, breadth_first_search
from rlgym.solutions import Derivation, Solution, Step

RING = Step("After {count:int} roads these towns are reached for the first time: {towns:words}")
WALK = "Going back ring by ring from {end} gives the walk {answer}"


class Knobs(Config):
    towns: int = knob(12, easy=5, hard=90, doc="towns on the map")
    detours: int = knob(6, easy=1, hard=70, doc="roads beyond those of a tree")


class Data(TaskData):
    roads: tuple[tuple[str, str], ...]
    start: str
    end: str
    shortest: int


def generate(rng: Rng, knobs: Knobs) -> Task[Data]:
    return _sample_task(rng, knobs, mesh=False)


def shift(rng: Rng, knobs: Knobs) -> Task[Data]:
    """Towns that lie on a lattice, with roads to the nearest ones only."""
    return _sample_task(rng, knobs, mesh=True)


def solve(task: Task[Data]) -> tuple[str, ...]:
    return next(_shortest_walks(task))


def verify(task: Task[Data], answer: tuple[str, ...]) -> Score:
    data = task.data
    if (answer[0], answer[-1]) != (data.start, data.end):
        return Score.wrong(f"the walk must go from {data.start} to {data.end}")
    roads = set(data.roads)
    for a, b in pairwise(answer):
        if (a, b) not in roads and (b, a) not in roads:
            return Score.wrong(f"there is no road from {a[:20]} to {b[:20]}")
    return Score.exact(len(answer) == data.shortest + 1, "there is a shorter walk")


def mistakes(task: Task[Data], right: tuple[str, ...]) -> list[tuple[str, ...]]:
    there_and_back = right[:2] + right
    return [there_and_back, right[::-1], right[:1] + right[2:], right[1:], right[:-1]]


def cost(task: Task[Data]) -> float:
    return len(task.data.roads) + task.data.shortest


def derive(task: Task[Data]) -> Derivation:
    neighbours = adjacency_lists(task.data.roads)
    rings = [[task.data.start]]
    while task.data.end not in rings[-1]:
        reached = {town for ring in rings for town in ring}
        rings.append(sorted({neighbour for current in rings[-1] for neighbour in neighbours[current]} - reached))
        yield RING(count=len(rings) - 1, towns=rings[-1])


def picture(task: Task[Data]) -> str:
    data = task.data
    towns = sorted({town for road in data.roads for town in road}, key=lambda town: int(town[1:]))
    return pictures.network(towns, data.roads, marked=[data.start, data.end])


def _sample_task(rng: Rng, knobs: Knobs, mesh: bool) -> Task[Data]:
    edges = (lattice_graphs if mesh else random_graphs).sample_connected_graph(rng, knobs.towns, knobs.detours)
    town = [f"T{i}" for i in rng.shuffled(range(1, knobs.towns + 1))]
    roads = tuple((town[a], town[b]) if rng.chance(0.5) else (town[b], town[a]) for a, b in rng.shuffled(edges))
    start, end, length = _sample_ends(rng, adjacency_lists(roads))
    listing = "\n".join(f"{a} - {b}" for a, b in roads)
    prompt = (
        f"These roads join towns and can be walked both ways:\n{listing}\n\n"
        f"Find a walk from {start} to {end} that uses as few roads as possible. Name its towns in order, {start} and {end} included."
    )
    return Task(prompt, Data(roads=roads, start=start, end=end, shortest=length))


def _sample_ends(rng: Rng, neighbours: dict[str, list[str]]) -> tuple[str, str, int]:
    """Two towns whose walk takes at least two roads where the map has such a pair, and how many it takes."""
    start = rng.choice(sorted(neighbours))
    rings = breadth_first_search(neighbours, start)
    candidates = [(town, ring) for town, ring in sorted(rings.items()) if ring >= min(2, max(rings.values()))]
    return (start, *rng.choice(candidates))


def _shortest_walks(task: Task[Data]) -> Iterator[tuple[str, ...]]:
    """Every shortest walk, found backwards from the end: each step must be one road nearer to the start."""
    neighbours = adjacency_lists(task.data.roads)
    rings = breadth_first_search(neighbours, task.data.start)
    walks: list[tuple[str, ...]] = [(task.data.end,)]
    while walks:
        walk = walks.pop()
        if walk[0] == task.data.start:
            yield walk
        walks += [(before, *walk) for before in reversed(neighbours[walk[0]]) if rings[before] == rings[walk[0]] - 1]


environment = Environment(
    Knobs, Words("the names of the towns in order, separated by spaces"), generate, solve, verify, mistakes, cost,
    solution=Solution(derive, WALK), shift=shift, picture=picture, answers="many", solutions=_shortest_walks,
    concept="Explore outwards from the start, one road at a time, and note when each town is first reached.",
)  # fmt: skip
