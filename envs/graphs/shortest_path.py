"""Find a shortest walk between two towns on a map of roads.

Any shortest walk is accepted, not only the one the oracle finds.
"""

from collections import deque
from collections.abc import Iterator, Sequence
from itertools import pairwise

from rlgym import Config, Environment, Rng, Score, Task, TaskData, knob
from rlgym.answers import Words
from rlgym.generators import graphs, lattices, pictures
from rlgym.generators.steps import Line, ended, first_wrong

RING = Line("After {count} roads these towns are reached for the first time: {towns}")


class Knobs(Config):
    towns: int = knob(12, easy=5, hard=90, doc="towns on the map")
    detours: int = knob(6, easy=1, hard=70, doc="roads beyond those of a tree")


class Data(TaskData):
    roads: tuple[tuple[str, str], ...]
    start: str
    end: str
    shortest: int


def generate(rng: Rng, knobs: Knobs) -> Task[Data]:
    return _made(rng, knobs, mesh=False)


def shift(rng: Rng, knobs: Knobs) -> Task[Data]:
    """Towns that lie on a lattice, with roads to the nearest ones only."""
    return _made(rng, knobs, mesh=True)


def solve(task: Task[Data]) -> tuple[str, ...]:
    return next(_shortest(task))


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


def explain(task: Task[Data]) -> list[str]:
    near = _neighbours(task.data.roads)
    steps: list[str] = []
    seen, ring = {task.data.start}, [task.data.start]
    while task.data.end not in ring:
        ring = sorted({there for here in ring for there in near[here]} - seen)
        seen |= set(ring)
        steps.append(RING.write(count=len(steps) + 1, towns=", ".join(ring)))
    return [*steps, f"Going back ring by ring from {task.data.end} gives the walk {' '.join(solve(task))}"]


def replay(task: Task[Data], steps: Sequence[str]) -> int | None:
    near = _neighbours(task.data.roads)
    rings = [[task.data.start]]

    def follows(step: str) -> bool:
        read = RING.read(step)
        if not read:
            return False
        known = {town for ring in rings for town in ring}
        rings.append(sorted({there for here in rings[-1] for there in near[here]} - known))
        return int(read["count"]) == len(rings) - 1 and read["towns"] == ", ".join(rings[-1])

    return first_wrong(
        steps, follows, ended(f"Going back ring by ring from {task.data.end} gives the walk ", task, environment.answer, verify)
    )


def picture(task: Task[Data]) -> str:
    data = task.data
    towns = sorted({town for road in data.roads for town in road}, key=lambda town: int(town[1:]))
    return pictures.network(towns, data.roads, marked=[data.start, data.end])


def _made(rng: Rng, knobs: Knobs, mesh: bool) -> Task[Data]:
    edges = (lattices if mesh else graphs).connected(rng, knobs.towns, knobs.detours)
    town = [f"T{i}" for i in rng.shuffled(range(1, knobs.towns + 1))]
    roads = tuple((town[a], town[b]) if rng.chance(0.5) else (town[b], town[a]) for a, b in rng.shuffled(edges))
    start, end, length = _far_apart(rng, _neighbours(roads))
    listing = "\n".join(f"{a} - {b}" for a, b in roads)
    prompt = (
        f"These roads join towns and can be walked both ways:\n{listing}\n\n"
        f"Find a walk from {start} to {end} that uses as few roads as possible. Name its towns in order, {start} and {end} included."
    )
    return Task(prompt, Data(roads=roads, start=start, end=end, shortest=length))


def _far_apart(rng: Rng, near: dict[str, list[str]]) -> tuple[str, str, int]:
    """Two towns whose walk takes at least two roads where the map has such a pair, and how many it takes."""
    start = rng.choice(sorted(near))
    rings = _rings(near, start)
    far = [(town, ring) for town, ring in sorted(rings.items()) if ring >= min(2, max(rings.values()))]
    return (start, *rng.choice(far))


def _rings(near: dict[str, list[str]], start: str) -> dict[str, int]:
    rings, queue = {start: 0}, deque([start])
    while queue:
        here = queue.popleft()
        for there in near[here]:
            if there not in rings:
                rings[there] = rings[here] + 1
                queue.append(there)
    return rings


def _shortest(task: Task[Data]) -> Iterator[tuple[str, ...]]:
    """Every shortest walk, found from its end: each step must bring the start one road nearer."""
    near = _neighbours(task.data.roads)
    rings = _rings(near, task.data.start)
    walks: list[tuple[str, ...]] = [(task.data.end,)]
    while walks:
        walk = walks.pop()
        if walk[0] == task.data.start:
            yield walk
        walks += [(before, *walk) for before in reversed(near[walk[0]]) if rings[before] == rings[walk[0]] - 1]


def _neighbours(roads: tuple[tuple[str, str], ...]) -> dict[str, list[str]]:
    near: dict[str, list[str]] = {}
    for a, b in roads:
        near.setdefault(a, []).append(b)
        near.setdefault(b, []).append(a)
    return near


environment = Environment(
    Knobs,
    Words("the names of the towns in order, separated by spaces"),
    generate,
    solve,
    verify,
    mistakes,
    cost,
    explain,
    replay=replay,
    shift=shift,
    picture=picture,
    answers="many",
    solutions=_shortest,
    concept="Explore outwards from the start, one road at a time, and note when each town is first reached.",
)
