"""Walk through every town exactly once.

Any such walk is accepted; a map always has one. On the upper levels roads are one-way and so few that hardly any other walk exists, and a search
that looks ahead still runs into many dead ends, in whichever order it tries the towns.
"""

from collections.abc import Iterator, Sequence
from itertools import pairwise

from rlgym import Config, Environment, Rng, Score, Task, TaskData, knob
from rlgym.answers import Words
from rlgym.generators.drawing import pictures
from rlgym.generators.draws import sample_hard
from rlgym.generators.graphs.adjacency import adjacency_lists
from rlgym.generators.numbers.bitsets import places
from rlgym.solutions import Checks, Derivation, Solution, Step

GO = Step("From {here} roads lead to these towns not yet visited: {open:words}. Go to {there}")


TRIES = 5
MOST_FORKS = 1000


class Knobs(Config):
    towns: int = knob(12, easy=5, hard=36, beyond=44, doc="towns on the map")
    extra: int = knob(120, easy=40, hard=150, doc="roads beyond those of one walk, in percent of the towns")
    roads: str = knob("both", easy="both", hard="one", order=("both", "one"), doc="whether roads go both ways or one way only")
    nodes: int = knob(
        4,
        easy=1,
        hard=260,
        beyond=1000,
        scale="log",
        doc="forks in a search that looks ahead, at least, if one of 5 maps has as many; the lesser number of two orders of trying",
    )


class Data(TaskData):
    towns: tuple[str, ...]
    roads: tuple[tuple[str, str], ...]
    one_way: bool


def generate(rng: Rng, knobs: Knobs) -> Task[Data]:
    return _sample_hard(rng, knobs, reach=knobs.towns)


def _sample_hard(rng: Rng, knobs: Knobs, reach: int) -> Task[Data]:
    def measure(task: Task[Data]) -> int:
        return _count_forks(task.data, 2 * knobs.nodes)

    return sample_hard(lambda: _sample_task(rng, knobs, reach), measure, knobs.nodes, TRIES)


def _sample_task(rng: Rng, knobs: Knobs, reach: int) -> Task[Data]:
    """A map around a hidden walk, on which further roads join towns at most `reach` places apart."""
    count = knobs.towns
    towns = tuple(f"T{i}" for i in range(1, count + 1))
    walk = rng.shuffled(towns)
    roads = dict.fromkeys(pairwise(walk))
    one_way = knobs.roads == "one"
    for _ in range(count * knobs.extra // 100):
        a, b = rng.sample(towns, 2)
        if abs(walk.index(a) - walk.index(b)) <= reach and (a, b) not in roads and (one_way or (b, a) not in roads):
            roads[a, b] = None
    listed = tuple((a, b) if one_way or rng.chance(0.5) else (b, a) for a, b in rng.shuffled(list(roads)))
    listing = "\n".join(f"{a} {'->' if one_way else '-'} {b}" for a, b in listed)
    directions = "one way only, in the direction of the arrow" if one_way else "both ways"
    prompt = (
        f"There are {count} towns, T1 to T{count}. These roads can be used {directions}:\n{listing}\n\n"
        "Find a walk along roads that visits every town exactly once. It may start and end anywhere. Name the towns in order."
    )
    return Task(prompt, Data(towns=towns, roads=listed, one_way=one_way))


def shift(rng: Rng, knobs: Knobs) -> Task[Data]:
    """Further roads only between towns that lie near each other on the hidden walk."""
    return _sample_hard(rng, knobs, reach=max(4, knobs.towns // 3))


def solve(task: Task[Data]) -> tuple[str, ...]:
    return next(_backtrack(task.data, task.data.towns))


def verify(task: Task[Data], answer: tuple[str, ...]) -> Score:
    data = task.data
    if len(answer) != len(data.towns) or set(answer) != set(data.towns):
        return Score.wrong(f"the walk must visit each of the {len(data.towns)} towns exactly once")
    roads = set(data.roads)
    for a, b in pairwise(answer):
        if (a, b) not in roads and (data.one_way or (b, a) not in roads):
            return Score.wrong(f"there is no road from {a} to {b}")
    return Score.exact(True)


def mistakes(task: Task[Data], right: tuple[str, ...]) -> list[tuple[str, ...]]:
    swapped = (right[2], right[1], right[0], *right[3:])
    return [right[:-1], (*right, right[0]), task.data.towns, swapped, (right[0], right[0], *right[2:])]


def cost(task: Task[Data]) -> float:
    return len(task.data.roads) * (2.0 + _count_forks(task.data, MOST_FORKS))


def derive(task: Task[Data]) -> Derivation:
    neighbours, visited = adjacency_lists(task.data.roads, task.data.towns, task.data.one_way), set[str]()
    for here, there in pairwise(solve(task)):
        visited.add(here)
        yield GO(here=here, open=[town for town in neighbours[here] if town not in visited], there=there)


def checks(task: Task[Data]) -> Checks:
    neighbours, walk = adjacency_lists(task.data.roads, task.data.towns, task.data.one_way), list[str]()

    def goes_on(here: str, open: tuple[str, ...], there: str) -> bool:
        joined = walk[-1:] in ([], [here])
        walk.extend([there] if walk else [here, there])
        unvisited = [town for town in neighbours[here] if town not in walk[:-1]]
        return joined and there in unvisited and list(open) == unvisited

    return {GO: goes_on}


def picture(task: Task[Data]) -> str:
    return pictures.network(task.data.towns, task.data.roads, directed=task.data.one_way)


def _backtrack(data: Data, towns: Sequence[str]) -> Iterator[tuple[str, ...]]:
    """Every walk by backtracking over bit sets; a branch ends as soon as it cannot be completed."""
    return (tuple(towns[i] for i in walk) for walk, _ in _search(data, towns, 1 << 60))


def _count_forks(data: Data, most: int) -> int:
    """In how many places a search has a choice before it finds a walk, in the better of two orders; counted up to `most`."""
    return min(next((forks for _, forks in _search(data, towns, most)), most) for towns in (data.towns, data.towns[::-1]))


def _search(data: Data, towns: Sequence[str], most: int) -> Iterator[tuple[tuple[int, ...], int]]:
    """Walks, and how many forks were met before; at most so many."""
    index = {town: i for i, town in enumerate(towns)}
    out, into = [0] * len(towns), [0] * len(towns)
    for a, b in data.roads:
        for first, second in ((a, b),) if data.one_way else ((a, b), (b, a)):
            out[index[first]] |= 1 << index[second]
            into[index[second]] |= 1 << index[first]
    everything = (1 << len(towns)) - 1
    starts = [i for i in range(len(towns)) if not into[i]] or sorted(range(len(towns)), key=lambda i: into[i].bit_count())
    stack: list[tuple[tuple[int, ...], int]] = [((start,), everything & ~(1 << start)) for start in reversed(starts)]
    forks = 0
    while stack and forks < most:
        walk, unvisited = stack.pop()
        if not unvisited:
            yield walk, forks
            continue
        here = walk[-1]
        if not _can_be_completed(here, unvisited, out, into):
            continue
        nexts = places(out[here] & unvisited)
        forks += len(nexts) > 1
        nexts.sort(key=lambda i: ((into[i] & unvisited).bit_count() + (out[i] & unvisited).bit_count(), i), reverse=True)
        stack += [((*walk, i), unvisited & ~(1 << i)) for i in nexts]


def _can_be_completed(town: int, unvisited: int, out: list[int], into: list[int]) -> bool:
    # All unvisited towns must be reachable; a town with no way in, or two with no way out, rule the branch out.
    reached, ring = 0, out[town] & unvisited
    while ring:
        reached |= ring
        ring = _union(out, ring) & unvisited & ~reached
    if reached != unvisited:
        return False
    available, ends = unvisited | 1 << town, 0
    only_after_here = 0
    for i in places(unvisited):
        ways_in = into[i] & available & ~(1 << i)
        if not ways_in:
            return False
        only_after_here += ways_in == 1 << town
        ends += not out[i] & unvisited
        if ends > 1 or only_after_here > 1:
            return False
    return True


def _union(neighbours: list[int], bits: int) -> int:
    out = 0
    for i in places(bits):
        out |= neighbours[i]
    return out


def _other_answers(task: Task[Data]) -> Iterator[tuple[str, ...]]:
    return _backtrack(task.data, task.data.towns[::-1])


environment = Environment(
    Knobs, Words("the names of all towns in the order of the walk, separated by spaces", max_items=200),
    generate, solve, verify, mistakes, cost,
    solution=Solution(derive, "All towns are visited: {answer}", checks), shift=shift, picture=picture, answers="many", solutions=_other_answers,
    concept="Towns with few roads settle most of the walk: one with a single road must be an end, one with two uses both.",
    version=2,
)  # fmt: skip
