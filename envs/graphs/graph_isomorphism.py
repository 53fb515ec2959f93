"""Find how the towns of one map correspond to the towns of another that has been renamed.

Any correspondence that carries roads to roads is accepted. On the upper levels all towns have three roads, short cycles are missing and most towns see
equally many towns at each distance, so that no town can be recognized alone.
"""

from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import combinations

from rlgym import Config, Environment, Rng, Score, Task, TaskData, knob
from rlgym.answers import Mapping
from rlgym.generators.drawing import pictures
from rlgym.generators.draws import draw_against
from rlgym.generators.graphs.adjacency import adjacency_lists
from rlgym.solutions import Checks, Derivation, Solution, Step

Road = tuple[int, int]
Pairs = tuple[tuple[str, str], ...]
FITS = Step("Roads of A{town:int}: {roads:int}, to towns placed before: {links:words}. So B{other:int} fits")
CLOSING = "Every road then has its counterpart:\n{answer}"


class Knobs(Config):
    towns: int = knob(8, easy=5, hard=22, doc="towns on each map")
    roads: int = knob(140, easy=90, hard=160, doc="roads, in percent of the towns")
    shape: str = knob(
        "even",
        easy="any",
        hard="regular",
        order=("any", "even", "regular"),
        doc="towns differ in their roads, or little, or all have three",
    )
    girth: int = knob(3, easy=3, hard=5, doc="roads of the shortest round trip, where all towns have three roads")


class Data(TaskData):
    towns: int
    first: tuple[Road, ...]
    second: tuple[Road, ...]


def generate(rng: Rng, knobs: Knobs) -> Task[Data]:
    count = knobs.towns + knobs.towns % 2 if knobs.shape == "regular" else knobs.towns
    first = (
        draw_against(lambda: _sample_cubic_graph(rng, count, knobs.girth), lambda roads: _most_alike(count, roads) * 2 < count, 4)
        if knobs.shape == "regular"
        else _sample_graph(rng, count, count * knobs.roads // 100, knobs.shape == "even")
    )
    name = rng.shuffled(range(1, count + 1))
    second = tuple((name[a - 1], name[b - 1]) if rng.chance(0.5) else (name[b - 1], name[a - 1]) for a, b in rng.shuffled(first))
    listings = ["\n".join(f"{letter}{a} - {letter}{b}" for a, b in roads) for letter, roads in (("A", first), ("B", second))]
    prompt = (
        f"The first map has the towns A1 to A{count} and these roads:\n{listings[0]}\n\nThe second map has the towns B1 to B{count} and these roads:\n"
        f"{listings[1]}\n\nAll roads go both ways. Both maps are the same except for the names of the towns. Say which town of the second map each town "
        f"of the first map is, so that two towns of the first map are joined by a road exactly when their towns of the second map are. Each B town "
        f"is used once."
    )
    return Task(prompt, Data(towns=count, first=first, second=second))


def solve(task: Task[Data]) -> Pairs:
    return next(_backtrack(task.data, range(1, task.data.towns + 1)))


def verify(task: Task[Data], answer: Pairs) -> Score:
    data = task.data
    given = dict(answer)
    names = {f"b{i}": i for i in range(1, data.towns + 1)}
    if len(given) != data.towns or not all(f"a{i}" in given for i in range(1, data.towns + 1)):
        return Score.wrong(f"each of A1 to A{data.towns} must be given once")
    if len({town for town in given.values() if town in names}) != data.towns:
        return Score.wrong(f"each of B1 to B{data.towns} must be used once")
    roads = {frozenset(road) for road in data.second}
    for a, b in data.first:
        if frozenset((names[given[f"a{a}"]], names[given[f"a{b}"]])) not in roads:
            return Score.wrong(f"A{a} and A{b} are joined by a road, but their towns are not")
    return Score.exact(True)


def mistakes(task: Task[Data], right: Pairs) -> list[Pairs]:
    names = [name for name, _ in right]
    towns = [town for _, town in right]
    rotated = tuple(zip(names, towns[1:] + towns[:1], strict=True))
    same = tuple(sorted((f"a{i}", f"b{i}") for i in range(1, task.data.towns + 1)))
    neighbours = _neighbours(task.data.towns, task.data.first), _neighbours(task.data.towns, task.data.second)
    ranked = [sorted(range(1, task.data.towns + 1), key=lambda i: (len(side[i]), i)) for side in neighbours]
    by_roads = tuple(sorted((f"a{a}", f"b{b}") for a, b in zip(*ranked, strict=True)))
    return [rotated, same, by_roads, right[1:], (*right[:-1], (right[-1][0], right[0][1]))]


def cost(task: Task[Data]) -> float:
    data = task.data
    neighbours = _neighbours(data.towns, data.first)
    same_degree = max(sum(len(neighbours[i]) == degree for i in neighbours) for degree in range(data.towns))
    return float(len(data.first) * (1 + same_degree))


def derive(task: Task[Data]) -> Derivation:
    data, right = task.data, dict(solve(task))
    neighbours = _neighbours(data.towns, data.first)
    placed = dict[int, int]()
    for town in _breadth_first_order(neighbours, range(1, data.towns + 1)):
        links = [f"A{other} (B{placed[other]})" for other in neighbours[town] if other in placed]
        placed[town] = int(right[f"a{town}"][1:])
        yield FITS(town=town, roads=len(neighbours[town]), links=links or "none", other=placed[town])


def checks(task: Task[Data]) -> Checks:
    data = task.data
    first, second = _neighbours(data.towns, data.first), _neighbours(data.towns, data.second)
    placed: dict[int, int] = {}

    def may_be_placed(town: int, roads: int, links: tuple[str, ...], other: int) -> bool:
        joined = {a: b for a, b in placed.items() if a in first[town]}
        same = set(joined.values()) == {b for b in placed.values() if b in second[other]}
        new = town not in placed and other not in placed.values()
        placed[town] = other
        named = sorted(links) == (sorted(f"A{a} (B{b})" for a, b in joined.items()) or ["none"])
        return new and same and named and len(first[town]) == len(second[other]) == roads

    return {FITS: may_be_placed}


def picture(task: Task[Data]) -> str:
    data = task.data
    towns = [f"{letter}{i + 1}" for letter in "AB" for i in range(data.towns)]
    roads = [(f"{letter}{a}", f"{letter}{b}") for letter, side in (("A", data.first), ("B", data.second)) for a, b in side]
    return pictures.network(towns, roads, marked=towns[: data.towns])


def _sample_graph(rng: Rng, count: int, edge_count: int, even: bool) -> tuple[Road, ...]:
    """A random connected map; if `even`, roads go to towns that have few."""
    roads: dict[Road, None] = {(rng.integer(max(1, i - 3) if even else 1, i - 1), i): None for i in range(2, count + 1)}
    degree = {i: sum(i in road for road in roads) for i in range(1, count + 1)}
    for _ in range(max(0, edge_count - len(roads))):
        free = [(a, b) for a in range(1, count + 1) for b in range(a + 1, count + 1) if (a, b) not in roads]
        if even:
            least = min((degree[a] + degree[b] for a, b in free), default=0)
            free = [(a, b) for a, b in free if degree[a] + degree[b] <= least + 1]
        if free:
            a, b = rng.choice(free)
            roads[a, b] = None
            degree[a] += 1
            degree[b] += 1
    return _relabel(rng, count, tuple(roads))


def _sample_cubic_graph(rng: Rng, count: int, girth: int) -> tuple[Road, ...]:
    """A connected map on which every town has three roads, without shorter round trips if there is such a map among many draws."""
    for attempt in range(100_000):
        ends = rng.shuffled([i for i in range(1, count + 1) for _ in range(3)])
        roads = {(min(a, b), max(a, b)): None for a, b in zip(ends[::2], ends[1::2], strict=True)}
        if len(roads) * 2 < len(ends) or any(a == b for a, b in roads):
            continue
        neighbours = _neighbours(count, tuple(roads))
        if len(_breadth_first_order(neighbours, range(1, count + 1), 1)) == count and (
            attempt > 1500 or not _has_short_cycle(neighbours, girth)
        ):
            return _relabel(rng, count, tuple(roads))
    raise AssertionError("some of so many draws are connected")


def _has_short_cycle(neighbours: dict[int, list[int]], girth: int) -> bool:
    """Whether some round trip has three roads (for girth 4), or three or four (for girth 5)."""
    for town, near in neighbours.items():
        if girth > 3 and any(b in neighbours[a] for a, b in combinations(near, 2)):
            return True
        if girth > 4 and any(set(neighbours[a]) & set(neighbours[b]) - {town} for a, b in combinations(near, 2)):
            return True
    return False


def _most_alike(count: int, roads: tuple[Road, ...]) -> int:
    """How many towns see equally many towns at each distance."""
    return max(Counter(_ring_sizes(_neighbours(count, roads)).values()).values())


def _relabel(rng: Rng, count: int, roads: tuple[Road, ...]) -> tuple[Road, ...]:
    name = rng.shuffled(range(1, count + 1))
    return tuple((name[a - 1], name[b - 1]) for a, b in rng.shuffled(roads))


def _neighbours(count: int, roads: Sequence[Road]) -> dict[int, list[int]]:
    return adjacency_lists(roads, range(1, count + 1))


def _breadth_first_order(neighbours: dict[int, list[int]], preferred: range, starts: int = 1 << 30) -> list[int]:
    """Towns in breadth-first order from at most `starts` start towns, those of high degree first."""
    order: list[int] = []
    seen: set[int] = set()
    for start in sorted(preferred, key=lambda i: -len(neighbours[i])):
        if start in seen or not starts:
            continue
        starts -= 1
        ring = [start]
        seen.add(start)
        for current in ring:
            ring += [town for town in neighbours[current] if town not in seen]
            seen.update(neighbours[current])
        order += ring
    return order


def _ring_sizes(neighbours: dict[int, list[int]]) -> dict[int, tuple[int, ...]]:
    """How many towns lie 0, 1, 2 ... roads away from each town; corresponding towns have equal sizes."""
    sizes = {}
    for start in neighbours:
        rings, seen, ring = [], {start}, [start]
        while ring:
            rings.append(len(ring))
            ring = list(dict.fromkeys(town for current in ring for town in neighbours[current] if town not in seen))
            seen.update(ring)
        sizes[start] = tuple(rings)
    return sizes


def _backtrack(data: Data, preferred: range) -> Iterator[Pairs]:
    """Every isomorphism by backtracking: each town gets an unused one with the same ring sizes and matching neighbours."""
    neighbours, other_neighbours = _neighbours(data.towns, data.first), _neighbours(data.towns, data.second)
    sizes, other_sizes = _ring_sizes(neighbours), _ring_sizes(other_neighbours)
    order = _breadth_first_order(neighbours, preferred)
    stack: list[tuple[int, ...]] = [()]
    while stack:
        chosen = stack.pop()
        if len(chosen) == len(order):
            yield tuple(sorted((f"a{a}", f"b{b}") for a, b in zip(order, chosen, strict=True)))
            continue
        town = order[len(chosen)]
        joined = {b for a, b in zip(order, chosen, strict=False) if a in neighbours[town]}
        fitting = [
            b
            for b in reversed(preferred)
            if b not in chosen and other_sizes[b] == sizes[town] and joined == {other for other in other_neighbours[b] if other in chosen}
        ]
        stack += [(*chosen, b) for b in fitting]


def _other_answers(task: Task[Data]) -> Iterator[Pairs]:
    return _backtrack(task.data, range(task.data.towns, 0, -1))


environment = Environment(
    Knobs, Mapping("one line `A town: B town` for each town of the first map"), generate, solve, verify, mistakes, cost,
    solution=Solution(derive, CLOSING, checks), picture=picture, answers="many", solutions=_other_answers,
    concept="Count what lies one road away, two roads away and so on: only towns alike in this can correspond, and their neighbours then follow.",
    version=4,
)  # fmt: skip
