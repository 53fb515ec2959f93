"""Walk along every road of a map exactly once.

Any such walk is accepted. At the hard end some roads are one-way streets and the others are not.
"""

from collections.abc import Iterator, Sequence
from itertools import pairwise

from rlgym import Config, Environment, Rng, Score, Task, TaskData, knob
from rlgym.answers import Words
from rlgym.generators import pictures
from rlgym.generators.steps import Line, ended, first_wrong

Road = tuple[int, int, bool]
TURNED = Line("Give every road a direction so that as many lead into each town as out of it, the ends of the walk excepted: {roads}")
START = Line("Start at {town}, with {out} roads out and {into} roads in: no town has a greater surplus of roads out")
GO_ON, LOOP = (
    Line("Go on while a road is left, over {roads} roads: {way}"),
    Line("From {from}, where roads are left, a loop of {roads} roads: {way}"),
)


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
    wanted = min(count * knobs.roads // 100, count * (count - 2) // 2)
    walk = _walk(rng, count, wanted, closed)
    roads = []
    for a, b in rng.shuffled(list(pairwise(walk))):
        one_way = knobs.kind == "one" or (knobs.kind == "mixed" and rng.chance(0.5))
        roads.append((a, b, True) if one_way else (*rng.shuffled((a, b)), False))
    data = Data(towns=count, roads=tuple((road[0], road[1], road[2]) for road in roads), closed=closed)
    listing = "\n".join(f"T{a} {'->' if one_way else '-'} T{b}" for a, b, one_way in data.roads)
    ways = {
        "both": "All roads can be used both ways.",
        "one": "All roads can be used one way only, in the direction of the arrow.",
        "mixed": "Roads with an arrow can be used one way only, in its direction; the others can be used both ways.",
    }[knobs.kind]
    ends = "ends in the town where it starts, whichever that is" if closed else "may start and end anywhere"
    prompt = (
        f"These roads join towns:\n{listing}\n\n{ways} Find a walk that uses every road exactly once. It {ends}, and may pass a town more than once. "
        "Name the towns in order, the first and the last included."
    )
    return Task(prompt, data)


def solve(task: Task[Data]) -> tuple[str, ...]:
    return _found(task.data, task.data.roads)


def verify(task: Task[Data], answer: tuple[str, ...]) -> Score:
    data = task.data
    if len(answer) != len(data.roads) + 1:
        return Score.wrong(f"a walk over {len(data.roads)} roads must name {len(data.roads) + 1} towns")
    left = {(f"t{a}", f"t{b}"): one_way for a, b, one_way in data.roads}
    for a, b in pairwise(answer):
        if (a, b) in left:
            del left[a, b]
        elif left.get((b, a), True):
            return Score.wrong(f"no road that is left leads from {a[:20]} to {b[:20]}")
        else:
            del left[b, a]
    return Score.exact(not data.closed or answer[0] == answer[-1], "the walk must end where it starts")


def mistakes(task: Task[Data], right: tuple[str, ...]) -> list[tuple[str, ...]]:
    listed = tuple(f"t{a}" for a, _, _ in task.data.roads)
    return [right[:-1], (*right, right[-2]), (*listed, listed[0]), (right[0], *right[:-1]), (right[1], right[0], *right[2:])]


def cost(task: Task[Data]) -> float:
    mixed = {one_way for _, _, one_way in task.data.roads}
    return float(len(task.data.roads) * (2 * len(mixed) + (True in mixed)))


def explain(task: Task[Data]) -> list[str]:
    data, right = task.data, solve(task)
    steps = []
    if not all(one_way for _, _, one_way in data.roads):
        turned = ", ".join(f"T{a}->T{b}" for a, b in _directed(data, data.roads))
        steps.append(TURNED.write(roads=turned))
    directed, start = _directed(data, data.roads), int(right[0][1:])
    ends = [sum(road[side] == start for road in directed) for side in (0, 1)]
    steps.append(START.write(town=f"T{start}", out=ends[0], into=ends[1]))
    loops = _loops(data, data.roads)
    for i, loop in enumerate(loops):
        told = " ".join(f"T{town}" for town in loop)
        steps.append(
            LOOP.write(**{"from": f"T{loop[0]}"}, way=told, roads=len(loop) - 1) if i else GO_ON.write(way=told, roads=len(loop) - 1)
        )
    return [*steps, f"Put together: {' '.join(right)}"]


def replay(task: Task[Data], steps: Sequence[str]) -> int | None:
    data = task.data
    left = {(a, b) for a, b, one_way in data.roads if one_way}
    fixed, walk = frozenset(left), list[int]()

    def more_out(town: int) -> int:
        return sum((a == town) - (b == town) for a, b in left)

    def follows(step: str) -> bool:
        towns = range(1, data.towns + 1)
        if read := TURNED.read(step):
            pairs = [tuple(int(town[1:]) for town in pair.split("->")) for pair in read["roads"].split(", ")]
            left.update((a, b) for a, b in pairs)
            whole = sorted(map(sorted, pairs)) == sorted(sorted(road[:2]) for road in data.roads) and fixed <= set(pairs)
            return whole and sum(abs(more_out(town)) for town in towns) <= (0 if data.closed else 2)
        if read := START.read(step):
            walk.append(int(read["town"].removeprefix("T")))
            told = sum(a == walk[0] for a, _ in left), sum(b == walk[0] for _, b in left)
            return walk[0] in towns and more_out(walk[0]) == max(map(more_out, towns)) and (int(read["out"]), int(read["into"])) == told
        read = GO_ON.read(step) or LOOP.read(step)
        if not read or not walk:
            return False
        loop = [int(town.removeprefix("T")) for town in read["way"].split(" ")]
        known = f"T{loop[0]}" == read["from"] and loop[0] in walk if "from" in read else loop[0] == walk[0] and len(walk) == 1
        for road in pairwise(loop):
            left.remove(road)
        walk.extend(loop)
        return known and int(read["roads"]) == len(loop) - 1 and not any(a == loop[-1] for a, _ in left)

    return first_wrong(steps, follows, ended("Put together: ", task, environment.answer, verify))


def picture(task: Task[Data]) -> str:
    data = task.data
    roads = [(f"T{a}", f"T{b}", "one way" if one_way and any(not road[2] for road in data.roads) else "") for a, b, one_way in data.roads]
    return pictures.network([f"T{i + 1}" for i in range(data.towns)], roads, directed=all(one_way for _, _, one_way in data.roads))


def _walk(rng: Rng, count: int, wanted: int, closed: bool) -> list[int]:
    """A walk of that many steps, or somewhat fewer, that takes no pair of towns twice and comes back if it is to be closed."""
    while True:
        walk, used = [rng.integer(1, count)], set[tuple[int, int]]()
        while len(walk) <= wanted:
            here = walk[-1]
            back = len(walk) == wanted and closed
            options = [
                i for i in range(1, count + 1) if i != here and (min(i, here), max(i, here)) not in used and (not back or i == walk[0])
            ]
            if not options:
                break
            walk.append(rng.choice(options))
            used.add((min(here, walk[-1]), max(here, walk[-1])))
        if len(walk) > max(3, wanted // 2) and (walk[0] == walk[-1] or not closed):
            return walk


def _directed(data: Data, order: tuple[Road, ...]) -> list[tuple[int, int]]:
    """All roads with a direction, so that a walk can follow them: paths of two-way roads are turned until every town is even."""
    out: dict[int, list[int]] = {i: [] for i in range(1, data.towns + 1)}
    fixed = {(a, b) for a, b, one_way in order if one_way}
    for a, b, _ in order:
        out[a].append(b)
    extra = {i: len(out[i]) - sum(i in ends for ends in out.values()) for i in out}
    while max(map(abs, extra.values())) > 1:
        for start in sorted(out, key=lambda i: (-extra[i], i)):
            came, queue = {start: 0}, [start]
            for here in queue:
                for there in out[here]:
                    if there not in came and (here, there) not in fixed:
                        came[there] = here
                        queue.append(there)
            end = min(queue, key=lambda i: extra[i])
            if extra[start] - extra[end] > 2 or (extra[start] > 1 and extra[end] < 0):
                break
        extra[start] -= 2
        extra[end] += 2
        while end != start:
            out[came[end]].remove(end)
            out[end].append(came[end])
            end = came[end]
    return [(a, b) for a, ends in out.items() for b in ends]


def _loops(data: Data, order: tuple[Road, ...]) -> list[list[int]]:
    """A first walk and then loops, each of which starts at a town of the walk so far."""
    out: dict[int, list[int]] = {i: [] for i in range(1, data.towns + 1)}
    extra = dict.fromkeys(out, 0)
    for a, b in _directed(data, order):
        out[a].append(b)
        extra[a] += 1
        extra[b] -= 1
    start = max(out, key=lambda i: (extra[i], len(out[i])))
    loops: list[list[int]] = []
    known = [start]
    while start:
        loop = [start]
        while out[loop[-1]]:
            loop.append(out[loop[-1]].pop())
        loops.append(loop)
        known += loop
        start = next((i for i in known if out[i]), 0)
    return loops


def _found(data: Data, order: tuple[Road, ...]) -> tuple[str, ...]:
    walk, *loops = _loops(data, order)
    for loop in loops:
        place = walk.index(loop[0])
        walk = walk[:place] + loop + walk[place + 1 :]
    return tuple(f"t{i}" for i in walk)


def _others(task: Task[Data]) -> Iterator[tuple[str, ...]]:
    """Walks that leave each town by another road first."""
    for order in (task.data.roads[::-1], tuple(sorted(task.data.roads)), tuple(sorted(task.data.roads, reverse=True))):
        yield _found(task.data, order)


environment = Environment(
    Knobs,
    Words("the names of the towns in order, separated by spaces", most=300, fold=True),
    generate,
    solve,
    verify,
    mistakes,
    cost,
    explain,
    replay=replay,
    picture=picture,
    answers="many",
    solutions=_others,
    concept="Start where more roads leave than arrive, go on until you are stuck, then put in loops from towns where roads are left.",
)
