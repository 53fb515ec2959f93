"""Find a shortest walk between two towns on a map of roads.

Any shortest walk is accepted, not only the one the oracle finds. On the upper levels the roads have colours that must come in turn, and no town may be
visited twice: exploring ring by ring finds walks that are shorter, but visit a town again.
"""

from collections.abc import Iterator
from itertools import islice, pairwise

from rlgym import Config, Environment, Rng, Score, Task, TaskData, knob
from rlgym.answers import Words
from rlgym.generators.drawing import pictures
from rlgym.generators.draws import draw_against
from rlgym.generators.graphs import coloured_walks, lattice_graphs, random_graphs
from rlgym.generators.graphs.adjacency import adjacency_lists, breadth_first_search
from rlgym.solutions import Derivation, Solution, Step

RING = Step("After {count:int} road(s) these towns are reached for the first time: {towns:words}")
LENGTH = Step("No walk of {count:int} roads or fewer with the colours in turn leads to {end} without visiting a town twice")
COLOURS = ("red", "red", "blue")
MOST_WALKS = 20_000
WALK = "{lead} {answer}"


class Knobs(Config):
    towns: int = knob(12, easy=5, hard=90, doc="towns on the map")
    detours: int = knob(6, easy=1, hard=70, doc="roads beyond those of a tree")
    colours: str = knob(
        "none",
        easy="none",
        hard="turns",
        order=("none", "turns"),
        doc="whether roads have colours that must come in turn (on a map a quarter as large)",
    )


class Data(TaskData):
    roads: tuple[tuple[str, str], ...]
    start: str
    end: str
    shortest: int
    colours: tuple[str, ...] = ()
    """The colour of each road, where colours come in turn and no town may be visited twice."""

    @property
    def lead(self) -> str:
        return "This walk has one road more:" if self.colours else f"Going back ring by ring from {self.end} gives the walk"

    @property
    def exits(self) -> dict[str, list[tuple[str, str]]]:
        return coloured_walks.exits_by_town(self.roads, self.colours)


def generate(rng: Rng, knobs: Knobs) -> Task[Data]:
    return _sample_coloured(rng, knobs, mesh=False) if knobs.colours == "turns" else _sample_task(rng, knobs, mesh=False)


def shift(rng: Rng, knobs: Knobs) -> Task[Data]:
    """Towns that lie on a lattice, with roads to the nearest ones only."""
    return _sample_coloured(rng, knobs, mesh=True) if knobs.colours == "turns" else _sample_task(rng, knobs, mesh=True)


def solve(task: Task[Data]) -> tuple[str, ...]:
    return next(_coloured_walks(task.data) if task.data.colours else _shortest_walks(task))


def verify(task: Task[Data], answer: tuple[str, ...]) -> Score:
    data = task.data
    if (answer[0], answer[-1]) != (data.start, data.end):
        return Score.wrong(f"the walk must go from {data.start} to {data.end}")
    roads = set(data.roads)
    for a, b in pairwise(answer):
        if (a, b) not in roads and (b, a) not in roads:
            return Score.wrong(f"there is no road from {a[:20]} to {b[:20]}")
    if data.colours:
        colour = dict(zip((frozenset(road) for road in data.roads), data.colours, strict=True))
        if any(colour[frozenset(road)] != COLOURS[i % len(COLOURS)] for i, road in enumerate(pairwise(answer))):
            return Score.wrong("the colours of the roads do not come in turn")
        if len(set(answer)) < len(answer):
            return Score.wrong("the walk visits a town twice")
    return Score.exact(len(answer) == data.shortest + 1, "there is a shorter walk")


def mistakes(task: Task[Data], right: tuple[str, ...]) -> list[tuple[str, ...]]:
    there_and_back = right[:2] + right
    return [there_and_back, right[::-1], right[:1] + right[2:], right[1:], right[:-1]]


def cost(task: Task[Data]) -> float:
    if task.data.colours:
        walks = coloured_walks.simple_walks(task.data.exits, COLOURS, task.data.start, MOST_WALKS)
        return 200.0 + sum(len(walk) <= task.data.shortest for walk in walks)
    return len(task.data.roads) + task.data.shortest


def derive(task: Task[Data]) -> Derivation:
    if task.data.colours:
        yield LENGTH(count=task.data.shortest - 1, end=task.data.end)
        return
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


def _sample_coloured(rng: Rng, knobs: Knobs, mesh: bool) -> Task[Data]:
    """A map with many walks on which the shortest one with the colours in turn would visit a town twice, if there is such a map among the draws."""
    count, detours = max(6, knobs.towns // 4), max(5, knobs.detours // 2)

    def draw() -> tuple[Data, int, int]:
        while True:
            edges = (lattice_graphs if mesh else random_graphs).sample_connected_graph(rng, count, detours)
            town = [f"T{i}" for i in rng.shuffled(range(1, count + 1))]
            roads = tuple((town[a], town[b]) for a, b in rng.shuffled(edges))
            data = Data(roads=roads, start=town[0], end="", shortest=0, colours=tuple(rng.choice(("red", "blue")) for _ in roads))
            fewest, lengths = coloured_walks.roads_needed(data.exits, COLOURS, data.start), dict[str, int]()
            walks = list(coloured_walks.simple_walks(data.exits, COLOURS, data.start, 1500))
            for walk in walks:
                lengths.setdefault(walk[-1], len(walk) - 1)
            ends = [name for name in sorted(lengths) if lengths[name] > 2]
            if ends:
                break
        end = max(rng.shuffled(ends), key=lambda name: (lengths[name] > fewest[name], lengths[name]))
        return data.model_copy(update={"end": end, "shortest": lengths[end]}), fewest[end], sum(len(walk) <= lengths[end] for walk in walks)

    def is_too_easy(drawn: tuple[Data, int, int]) -> bool:
        data, fewest, walks = drawn
        return data.shortest <= max(fewest, count // 3) or walks < (count if mesh else count * count // 3)

    data, *_ = draw_against(draw, is_too_easy, 80)
    listing = "\n".join(f"{a} - {b} {colour}" for (a, b), colour in zip(data.roads, data.colours, strict=True))
    prompt = (
        f"These roads join towns and can be walked both ways; each has a colour:\n{listing}\n\n"
        f"Find a walk from {data.start} to {data.end} that uses as few roads as possible. The colours of its roads must be red, red, blue, red, red, blue "
        "and so on in turn, beginning with the first red and ending anywhere in this order, and no town may be visited twice. Name its towns in order, "
        f"{data.start} and {data.end} included."
    )
    return Task(prompt, data)


def _coloured_walks(data: Data) -> Iterator[tuple[str, ...]]:
    """Every shortest walk, depth first, with more and more roads allowed."""
    exits, limit = data.exits, 0
    found = False
    while not found:
        limit += 1
        stack: list[tuple[str, ...]] = [(data.start,)]
        while stack:
            walk = stack.pop()
            if walk[-1] == data.end and len(walk) == limit + 1:
                found = True
                yield walk
            elif len(walk) <= limit:
                colour = COLOURS[(len(walk) - 1) % len(COLOURS)]
                stack += [(*walk, town) for each, town in reversed(exits[walk[-1]]) if each == colour and town not in walk]


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
    solution=Solution(derive, WALK), shift=shift, picture=picture, answers="many", 
    solutions=lambda task: islice(_coloured_walks(task.data), 50) if task.data.colours else _shortest_walks(task),
    concept="Explore outwards from the start, one road at a time, and note when each town is first reached.",
    version=2,
)  # fmt: skip
