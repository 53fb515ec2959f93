"""Walk along every road of a map exactly once.

Any such walk is accepted. At the hard end some roads are one-way streets and the others are not.
"""

from collections.abc import Iterator
from itertools import pairwise

from rlgym import Config, Environment, Rng, Score, Task, TaskData, knob
from rlgym.answers import Words
from rlgym.generators.drawing import pictures
from rlgym.solutions import Checks, Derivation, Solution, Step

Road = tuple[int, int, bool]
TURNED = Step("Give every road a direction so that as many lead into each town as out of it, the ends of the walk excepted: {roads:words}")
START = Step("Start at {town}, with {out:int} road(s) out and {into:int} road(s) in: no town has a greater surplus of roads out")
GO_ON = Step("Go on while a road is left, over {roads:int} road(s): {way}")
LOOP = Step("From {origin}, where roads are left, a loop of {roads:int} roads: {way}")


class Knobs(Config):
    towns: int = knob(8, easy=4, hard=30, doc="towns on the map")
    roads: int = knob(170, easy=120, hard=230, doc="roads, in percent of the towns")
    kind: str = knob("one", easy="both", hard="mixed", order=("both", "one", "mixed"), doc="roads go both ways, one way only, or either")


class Data(TaskData):
    towns: int
    roads: tuple[Road, ...]
    """Two ends, and whether it is a one-way road."""
    closed: bool


def generate(rng: Rng, knobs: Knobs) -> Task[Data]:
    count, closed = knobs.towns, knobs.kind == "mixed"
    road_count = min(count * knobs.roads // 100, count * (count - 2) // 2)
    walk = _sample_walk(rng, count, road_count, closed)
    roads = []
    for a, b in rng.shuffled(list(pairwise(walk))):
        one_way = knobs.kind == "one" or (knobs.kind == "mixed" and rng.chance(0.5))
        roads.append((a, b, True) if one_way else (*rng.shuffled((a, b)), False))
    data = Data(towns=count, roads=tuple((road[0], road[1], road[2]) for road in roads), closed=closed)
    listing = "\n".join(f"T{a} {'->' if one_way else '-'} T{b}" for a, b, one_way in data.roads)
    directions = {
        "both": "All roads can be used both ways.",
        "one": "All roads can be used one way only, in the direction of the arrow.",
        "mixed": "Roads with an arrow can be used one way only, in its direction; the others can be used both ways.",
    }[knobs.kind]
    ends = "ends in the town where it starts, whichever that is" if closed else "may start and end anywhere"
    prompt = (
        f"These roads join towns:\n{listing}\n\n{directions} Find a walk that uses every road exactly once. It {ends}, and may pass a town more than once. "
        "Name the towns in order, the first and the last included."
    )
    return Task(prompt, data)


def shift(rng: Rng, knobs: Knobs) -> Task[Data]:
    """The map as the list of roads at each town, instead of one road a line."""
    task = generate(rng, knobs)
    listing = "\n".join(f"T{a} {'->' if one_way else '-'} T{b}" for a, b, one_way in task.data.roads)
    towns = list(dict.fromkeys(a for a, _, _ in task.data.roads))
    ends = {town: [f"{'->' if one_way else '-'} T{b}" for a, b, one_way in task.data.roads if a == town] for town in towns}
    told = "\n".join(f"T{town}: {', '.join(ends[town])}" for town in rng.shuffled(towns))
    prompt = task.prompt.replace(
        f"These roads join towns:\n{listing}",
        f"Each line lists the roads from the town before the colon to the towns after it; every road is listed once:\n{told}",
    )
    return Task(prompt, task.data)


def solve(task: Task[Data]) -> tuple[str, ...]:
    return _eulerian_walk(task.data, task.data.roads)


def verify(task: Task[Data], answer: tuple[str, ...]) -> Score:
    data = task.data
    if len(answer) != len(data.roads) + 1:
        return Score.wrong(f"a walk over {len(data.roads)} roads must name {len(data.roads) + 1} towns")
    unused = {(f"t{a}", f"t{b}"): one_way for a, b, one_way in data.roads}
    for a, b in pairwise(answer):
        if (a, b) in unused:
            del unused[a, b]
        elif unused.get((b, a), True):
            return Score.wrong(f"no road that is left leads from {a[:20]} to {b[:20]}")
        else:
            del unused[b, a]
    return Score.exact(not data.closed or answer[0] == answer[-1], "the walk must end where it starts")


def mistakes(task: Task[Data], right: tuple[str, ...]) -> list[tuple[str, ...]]:
    listed = tuple(f"t{a}" for a, _, _ in task.data.roads)
    return [right[:-1], (*right, right[-2]), (*listed, listed[0]), (right[0], *right[:-1]), (right[1], right[0], *right[2:])]


def cost(task: Task[Data]) -> float:
    mixed = {one_way for _, _, one_way in task.data.roads}
    return float(len(task.data.roads) * (2 * len(mixed) + (True in mixed)))


def derive(task: Task[Data]) -> Derivation:
    data = task.data
    roads, start = _orient(data, data.roads), int(solve(task)[0][1:])
    if not all(one_way for _, _, one_way in data.roads):
        yield TURNED(roads=[f"T{a}->T{b}" for a, b in roads])
    yield START(town=f"T{start}", out=sum(a == start for a, _ in roads), into=sum(b == start for _, b in roads))
    first, *loops = _loops(data, data.roads)
    yield GO_ON(way=" ".join(f"T{town}" for town in first), roads=len(first) - 1)
    for loop in loops:
        yield LOOP(origin=f"T{loop[0]}", way=" ".join(f"T{town}" for town in loop), roads=len(loop) - 1)


def checks(task: Task[Data]) -> Checks:
    data = task.data
    unused = {(a, b) for a, b, one_way in data.roads if one_way}
    fixed, walk, towns = frozenset(unused), list[int](), range(1, data.towns + 1)

    def surplus(town: int) -> int:
        return sum((a == town) - (b == town) for a, b in unused)

    def is_balanced(roads: tuple[str, ...]) -> bool:
        pairs = [tuple(int(town[1:]) for town in pair.split("->")) for pair in roads]
        unused.update((a, b) for a, b in pairs)
        complete = sorted(map(sorted, pairs)) == sorted(sorted(road[:2]) for road in data.roads) and fixed <= set(pairs)
        return complete and sum(abs(surplus(town)) for town in towns) <= (0 if data.closed else 2)

    def is_start(town: str, out: int, into: int) -> bool:
        walk.append(int(town.removeprefix("T")))
        degrees = sum(a == walk[0] for a, _ in unused), sum(b == walk[0] for _, b in unused)
        return walk[0] in towns and surplus(walk[0]) == max(map(surplus, towns)) and (out, into) == degrees

    def is_loop(way: str, roads: int, origin: str | None = None) -> bool:
        loop = [int(town.removeprefix("T")) for town in way.split(" ")]
        joined = loop[0] == walk[0] and len(walk) == 1 if origin is None else f"T{loop[0]}" == origin and loop[0] in walk
        for road in pairwise(loop):
            unused.remove(road)
        walk.extend(loop)
        return joined and roads == len(loop) - 1 and not any(a == loop[-1] for a, _ in unused)

    return {TURNED: is_balanced, START: is_start, GO_ON: is_loop, LOOP: is_loop}


def picture(task: Task[Data]) -> str:
    data = task.data
    roads = [(f"T{a}", f"T{b}", "one way" if one_way and any(not road[2] for road in data.roads) else "") for a, b, one_way in data.roads]
    return pictures.network([f"T{i + 1}" for i in range(data.towns)], roads, directed=all(one_way for _, _, one_way in data.roads))


def _sample_walk(rng: Rng, count: int, road_count: int, closed: bool) -> list[int]:
    """A walk of about this many steps that uses no pair of towns twice and returns to its start if it must be closed."""
    while True:
        walk, used = [rng.integer(1, count)], set[tuple[int, int]]()
        while len(walk) <= road_count:
            current = walk[-1]
            back = len(walk) == road_count and closed
            options = [
                i
                for i in range(1, count + 1)
                if i != current and (min(i, current), max(i, current)) not in used and (not back or i == walk[0])
            ]
            if not options:
                break
            walk.append(rng.choice(options))
            used.add((min(current, walk[-1]), max(current, walk[-1])))
        if len(walk) > max(3, road_count // 2) and (walk[0] == walk[-1] or not closed):
            return walk


def _orient(data: Data, order: tuple[Road, ...]) -> list[tuple[int, int]]:
    """Directs all roads so that an Eulerian walk exists: paths of two-way roads are reversed until every town is balanced."""
    out: dict[int, list[int]] = {i: [] for i in range(1, data.towns + 1)}
    fixed = {(a, b) for a, b, one_way in order if one_way}
    for a, b, _ in order:
        out[a].append(b)
    extra = {i: len(out[i]) - sum(i in ends for ends in out.values()) for i in out}
    while max(map(abs, extra.values())) > 1:
        for start in sorted(out, key=lambda i: (-extra[i], i)):
            predecessor, queue = {start: 0}, [start]
            for current in queue:
                for neighbour in out[current]:
                    if neighbour not in predecessor and (current, neighbour) not in fixed:
                        predecessor[neighbour] = current
                        queue.append(neighbour)
            end = min(queue, key=lambda i: extra[i])
            if extra[start] - extra[end] > 2 or (extra[start] > 1 and extra[end] < 0):
                break
        extra[start] -= 2
        extra[end] += 2
        while end != start:
            out[predecessor[end]].remove(end)
            out[end].append(predecessor[end])
            end = predecessor[end]
    return [(a, b) for a, ends in out.items() for b in ends]


def _loops(data: Data, order: tuple[Road, ...]) -> list[list[int]]:
    """A first walk and then loops (Hierholzer); each loop starts at a town that was already visited."""
    out: dict[int, list[int]] = {i: [] for i in range(1, data.towns + 1)}
    extra = dict.fromkeys(out, 0)
    for a, b in _orient(data, order):
        out[a].append(b)
        extra[a] += 1
        extra[b] -= 1
    start = max(out, key=lambda i: (extra[i], len(out[i])))
    loops: list[list[int]] = []
    visited = [start]
    while start:
        loop = [start]
        while out[loop[-1]]:
            loop.append(out[loop[-1]].pop())
        loops.append(loop)
        visited += loop
        start = next((i for i in visited if out[i]), 0)
    return loops


def _eulerian_walk(data: Data, order: tuple[Road, ...]) -> tuple[str, ...]:
    walk, *loops = _loops(data, order)
    for loop in loops:
        place = walk.index(loop[0])
        walk = walk[:place] + loop + walk[place + 1 :]
    return tuple(f"t{i}" for i in walk)


def _other_answers(task: Task[Data]) -> Iterator[tuple[str, ...]]:
    """Walks found with the roads in other orders."""
    for order in (task.data.roads[::-1], tuple(sorted(task.data.roads)), tuple(sorted(task.data.roads, reverse=True))):
        yield _eulerian_walk(task.data, order)


environment = Environment(
    Knobs, Words("the names of the towns in order, separated by spaces", max_items=300, ignore_case=True),
    generate, solve, verify, mistakes, cost,
    solution=Solution(derive, "Put together: {answer}", checks), shift=shift, picture=picture, answers="many", solutions=_other_answers,
    version=2, concept="Start where more roads leave than arrive, go on until you are stuck, then put in loops from towns where roads are left.",
)  # fmt: skip
