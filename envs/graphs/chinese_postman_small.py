"""Walk every street at least once on a walk of the least total length.

Any such walk is accepted. The least length is proved by a table of the cheapest ways to pair the corners where an odd number of streets meet.
"""

import heapq
from collections.abc import Iterator, Sequence
from itertools import combinations, pairwise
from typing import NamedTuple

from rlgym import Config, Environment, Rng, Score, Task, TaskData, knob
from rlgym.answers import Words
from rlgym.generators.drawing import pictures
from rlgym.generators.graphs import random_graphs
from rlgym.solutions import Checks, Derivation, Solution, Step

Streets = tuple[tuple[str, str, int], ...]
MOST_ODD = 8


class Knobs(Config):
    corners: int = knob(8, easy=4, hard=16, beyond=26, doc="how many corners there are")
    extra: int = knob(60, easy=30, hard=70, doc="streets beyond those of a tree, in percent of the corners")
    odd: int = knob(4, easy=2, hard=8, beyond=12, doc="largest number of corners that must be paired")
    lengths: str = knob(
        "own", easy="alike", hard="own", order=("alike", "own"), doc="whether all streets are 1 long, or each has its length"
    )
    walk: str = knob(
        "round", easy="round", hard="open", order=("round", "open"), doc="whether the walk ends where it starts, or somewhere else"
    )


class Data(TaskData):
    streets: Streets
    start: str
    end: str
    least: int


def generate(rng: Rng, knobs: Knobs) -> Task[Data]:
    return _sample_task(rng, knobs, ("random", "ring"))


def shift(rng: Rng, knobs: Knobs) -> Task[Data]:
    return _sample_task(rng, knobs, ("lattice", "near", "tree"))


def _sample_task(rng: Rng, knobs: Knobs, families: tuple[str, ...]) -> Task[Data]:
    count = knobs.corners
    while True:
        edges = list(random_graphs.sample_graph(rng, rng.choice(families), count, count - 1 + max(1, count * knobs.extra // 100)))
        names = random_graphs.sample_names(rng, count)
        streets_so_far = [
            (a, b, rng.integer(1, 9) if knobs.lengths == "own" else 1) for a, b in random_graphs.sample_edge_list(rng, edges, names)
        ]
        start = rng.choice(names)
        end = start if knobs.walk == "round" else rng.choice([name for name in names if name != start])
        odd = _odd_corners(tuple(streets_so_far), start, end)
        # Too many odd corners: streets between pairs of them are added until few enough are left.
        while len(odd) > knobs.odd:
            a, b = next((pair for pair in combinations(odd, 2) if not any(set(pair) <= set(street) for street in streets_so_far)), odd[:2])
            streets_so_far = (
                [street for street in streets_so_far if not {a, b} <= set(street[:2])]
                if _are_joined(streets_so_far, a, b)
                else streets_so_far
            )
            streets_so_far += (
                []
                if len(_odd_corners(tuple(streets_so_far), start, end)) < len(odd)
                else [(a, b, rng.integer(1, 9) if knobs.lengths == "own" else 1)]
            )
            odd = _odd_corners(tuple(streets_so_far), start, end)
        if odd and _is_connected(tuple(streets_so_far), names):
            break
    streets = tuple(streets_so_far)
    table = _cheapest_pairings(odd, random_graphs.floyd_warshall(names, streets))
    data = Data(streets=streets, start=start, end=end, least=sum(length for *_, length in streets) + table[odd])
    listing = "\n".join(f"{a} - {b}" + (f": {length}" if knobs.lengths == "own" else "") for a, b, length in streets)
    described = "their lengths" if knobs.lengths == "own" else "each 1 long"
    finish = f"starts and ends at {start}" if start == end else f"starts at {start} and ends at {end}"
    prompt = (
        f"These streets join corners of a town ({described}) and can be walked both ways:\n{listing}\n\n"
        f"Find a walk that {finish}, uses every street at least "
        "once, and is as short as possible. A street walked again counts again. Name the corners in the order of the walk, with the first and the last one."
    )
    return Task(prompt, data)


def solve(task: Task[Data]) -> tuple[str, ...]:
    return next(_walks(task.data, 1))


def verify(task: Task[Data], answer: tuple[str, ...]) -> Score:
    data = task.data
    if (answer[0].upper(), answer[-1].upper()) != (data.start, data.end):
        return Score.wrong(f"the walk must go from {data.start} to {data.end}")
    lengths = {frozenset((a, b)): length for a, b, length in data.streets}
    total, used = 0, set()
    for pair in pairwise(answer):
        street = frozenset(name.upper() for name in pair)
        if street not in lengths:
            return Score.wrong(f"no street joins {pair[0][:20]} and {pair[1][:20]}")
        total += lengths[street]
        used.add(street)
    if len(used) < len(lengths):
        return Score.wrong("some street is not walked")
    return Score.exact(total == data.least, "there is a shorter walk")


def mistakes(task: Task[Data], right: tuple[str, ...]) -> list[tuple[str, ...]]:
    data = task.data
    there_and_back = (right[0], right[1], *right)
    distinct = tuple(dict.fromkeys(right))
    all_ends = [data.start.lower(), *(end.lower() for a, b, _ in data.streets for end in (a, b))]
    return [there_and_back, right[:-1], right[1:], distinct, tuple(all_ends), (*right[:-2], right[-1])]


def cost(task: Task[Data]) -> float:
    data = task.data
    odd = len(_odd_corners(data.streets, data.start, data.end))
    return len(data.streets) * (1 + odd) * (1 + (len({length for *_, length in data.streets}) > 1))


ODD = Step("An odd number of walked streets must be added at: {corners}")
FAR = Step("The shortest way between {one} and {other} is {length:int} long: {way}")
PAIRED = Step("Pairing {corners} costs {total:int} at least: {one} with {other} for {length:int}, and {rest:int} for the others")
SUM = Step("All streets together are {streets:int} long, and {again:int} more must be walked again: {least:int}")
END = "A walk of the length {least} is {answer}"


def derive(task: Task[Data]) -> Derivation:
    data = task.data
    odd = _odd_corners(data.streets, data.start, data.end)
    distances = random_graphs.floyd_warshall(_names(data.streets), data.streets)
    table = _cheapest_pairings(odd, distances)
    paths = {corner: _dijkstra(_neighbours(data.streets), corner) for corner in odd}
    yield ODD(corners=" ".join(odd))
    for a, b in combinations(odd, 2):
        yield FAR(one=a, other=b, length=distances[a, b], way=" ".join(paths[a][b].corners))
    for group in sorted(table, key=lambda group: (len(group), group)):
        if len(group) > 2:
            first = group[0]
            rest = {other: tuple(name for name in group if name not in (first, other)) for other in group[1:]}
            second = min(rest, key=lambda name: (distances[first, name] + table[rest[name]], name))
            length, rest_total = distances[first, second], table[rest[second]]
            yield PAIRED(corners=" ".join(group), total=table[group], one=first, other=second, length=length, rest=rest_total)
    yield SUM(streets=sum(length for *_, length in data.streets), again=table[odd], least=data.least)


def checks(task: Task[Data]) -> Checks:
    data = task.data
    odd = _odd_corners(data.streets, data.start, data.end)
    distances = random_graphs.floyd_warshall(_names(data.streets), data.streets)
    lengths = {frozenset((a, b)): length for a, b, length in data.streets}
    total_length = sum(lengths.values())
    costs: dict[tuple[str, ...], int] = {}  # of pairing groups of corners

    def is_shortest_way(one: str, other: str, length: int, way: str) -> bool:
        costs[one, other] = distances[one, other]
        corners = way.split()
        walked = sum(lengths[frozenset(pair)] for pair in pairwise(corners))
        fits = one in odd and other in odd and one < other and (corners[0], corners[-1]) == (one, other)
        return fits and walked == distances[one, other] == length

    def is_cheapest_pairing(corners: str, total: int, one: str, other: str, length: int, rest: int) -> bool:
        group = tuple(corners.split())
        least = min(costs[group[0], name] + costs[tuple(member for member in group[1:] if member != name)] for name in group[1:])
        costs[group] = least
        parts = costs[one, other], costs[tuple(name for name in group if name not in (one, other))]
        return one == group[0] and set(group) <= set(odd) and (total, length, rest) == (least, *parts) and sum(parts) == least

    return {
        ODD: lambda corners: tuple(corners.split()) == odd,
        FAR: is_shortest_way,
        PAIRED: is_cheapest_pairing,
        SUM: lambda streets, again, least: (streets, again, least) == (total_length, costs[odd], total_length + costs[odd]),
    }


def picture(task: Task[Data]) -> str:
    own = len({length for *_, length in task.data.streets}) > 1
    edges = [(a, b, str(length)) if own else (a, b) for a, b, length in task.data.streets]
    return pictures.network(_names(task.data.streets), edges, marked=(task.data.start, task.data.end))


def _names(streets: Streets) -> list[str]:
    return sorted({name for a, b, _ in streets for name in (a, b)})


def _neighbours(streets: Streets) -> dict[str, list[tuple[int, str]]]:
    neighbours: dict[str, list[tuple[int, str]]] = {name: [] for name in _names(streets)}
    for a, b, length in streets:
        neighbours[a].append((length, b))
        neighbours[b].append((length, a))
    return neighbours


def _are_joined(streets: Sequence[tuple[str, str, int]], a: str, b: str) -> bool:
    return any({a, b} == {first, second} for first, second, _ in streets)


def _is_connected(streets: Streets, names: Sequence[str]) -> bool:
    return len(random_graphs.floyd_warshall(names, streets)) == len(names) ** 2


def _odd_corners(streets: Streets, start: str, end: str) -> tuple[str, ...]:
    """Corners of odd degree; the start and the end of an open walk count one more."""
    ends = [name for a, b, _ in streets for name in (a, b)] + ([start, end] if start != end else [])
    return tuple(name for name in sorted(set(ends)) if ends.count(name) % 2)


def _cheapest_pairings(odd: tuple[str, ...], distances: dict[tuple[str, str], int]) -> dict[tuple[str, ...], int]:
    """The cheapest perfect pairing of each group of corners that arises when the first corner is paired repeatedly."""
    table: dict[tuple[str, ...], int] = {(): 0}

    def least(group: tuple[str, ...]) -> int:
        if group not in table:
            table[group] = min(distances[group[0], other] + least(tuple(x for x in group[1:] if x != other)) for other in group[1:])
        return table[group]

    least(odd)
    return table


def _pairings(odd: tuple[str, ...]) -> Iterator[list[tuple[str, str]]]:
    if not odd:
        yield []
    for other in odd[1:]:
        for rest in _pairings(tuple(x for x in odd[1:] if x != other)):
            yield [(odd[0], other), *rest]


def _walks(data: Data, turn: int) -> Iterator[tuple[str, ...]]:
    """Shortest walks: the paths of a cheapest pairing are doubled, and Hierholzer's algorithm walks everything."""
    neighbours = _neighbours(data.streets)
    odd = _odd_corners(data.streets, data.start, data.end)
    paths = {corner: _dijkstra(neighbours, corner) for corner in odd}
    best = min(sum(paths[a][b].length for a, b in pairs) for pairs in _pairings(odd))
    for pairs in _pairings(odd):
        if sum(paths[a][b].length for a, b in pairs) == best:
            repeated_streets = [street for a, b in pairs for street in pairwise(paths[a][b].corners)]
            for direction in (turn, -turn):
                yield _hierholzer([(a, b) for a, b, _ in data.streets] + repeated_streets, data.start, direction)


class Path(NamedTuple):
    length: int
    corners: tuple[str, ...]


def _dijkstra(neighbours: dict[str, list[tuple[int, str]]], start: str) -> dict[str, Path]:
    """A shortest path from a corner to each corner (Dijkstra)."""
    paths: dict[str, Path] = {}
    frontier = [Path(0, (start,))]
    while frontier:
        path = heapq.heappop(frontier)
        last = path.corners[-1]
        if last not in paths:
            paths[last] = path
            for length, neighbour in neighbours[last]:
                if neighbour not in paths:
                    heapq.heappush(frontier, Path(path.length + length, (*path.corners, neighbour)))
    return paths


def _hierholzer(streets: Sequence[tuple[str, str]], start: str, direction: int) -> tuple[str, ...]:
    edges_left: dict[str, list[tuple[int, str]]] = {}
    for i, (a, b) in enumerate(streets[::direction]):
        edges_left.setdefault(a, []).append((i, b))
        edges_left.setdefault(b, []).append((i, a))
    used, walk, done = set[int](), [start], list[str]()
    while walk:
        open_streets = edges_left[walk[-1]]
        while open_streets and open_streets[-1][0] in used:
            open_streets.pop()
        if open_streets:
            i, neighbour = open_streets.pop()
            used.add(i)
            walk.append(neighbour)
        else:
            done.append(walk.pop())
    return tuple(name.lower() for name in reversed(done))


environment = Environment(
    Knobs, Words("the names of the corners in the order of the walk, separated by spaces", max_items=300, ignore_case=True),
    generate, solve, verify, mistakes, cost,
    solution=Solution(derive, END, checks), shift=shift, picture=picture, answers="many", solutions=lambda task: _walks(task.data, -1),
    concept="Where an odd number of streets meet, something must be walked again: pair those corners as cheaply as possible, and a walk through all is left.",
)  # fmt: skip
