"""Cut a network apart at the least cost, by closing roads or by closing towns.

Any cheapest choice is accepted; its cost alone is never an answer.
"""

from collections.abc import Iterator, Sequence
from itertools import pairwise

from rlgym import Config, Environment, Rng, Score, Task, TaskData, knob
from rlgym.answers import Words
from rlgym.generators import graphs, lattices, pictures
from rlgym.generators.steps import Line, ended, first_wrong

Road = tuple[int, int]
WAY = Line("Of all prices on the way {way}, count {room}: this way must be cut somewhere; {all} counted in all")
BOUND = Line("Nothing was counted for more than its price, so every choice that cuts all these ways costs at least {all}")
SIDE = Line("Apart from the rest can be {side}: closing what joins these to the rest costs {costs} = {all}")


class Knobs(Config):
    towns: int = knob(8, easy=4, hard=26, doc="towns on the map")
    extra: int = knob(60, easy=40, hard=110, doc="roads beyond those of a tree, in percent of the towns")
    closing: str = knob("roads", easy="roads", hard="towns", order=("roads", "towns"), doc="whether roads or towns are closed")


class Data(TaskData):
    roads: tuple[Road, ...]
    prices: tuple[int, ...]
    """Of each road, or of each town from T1 on."""
    by_town: bool
    start: int
    end: int
    least: int


def generate(rng: Rng, knobs: Knobs) -> Task[Data]:
    return _made(rng, knobs, mesh=False)


def shift(rng: Rng, knobs: Knobs) -> Task[Data]:
    """Towns that lie on a lattice, with roads to the nearest ones only."""
    return _made(rng, knobs, mesh=True)


def solve(task: Task[Data]) -> tuple[str, ...]:
    return _named(task.data, _cut(task.data, task.data.start, task.data.end))


def verify(task: Task[Data], answer: tuple[str, ...]) -> Score:
    data = task.data
    names: dict[str, int] = {}
    if data.by_town:
        names = {f"t{i + 1}": i for i in range(len(data.prices)) if i + 1 not in (data.start, data.end)}
    else:
        for i, (a, b) in enumerate(data.roads):
            names[f"t{a}-t{b}"] = names[f"t{b}-t{a}"] = i
    if len(answer) > len(data.prices) or not all(name in names for name in answer):
        return Score.wrong("every name must be one that may be closed, as in the list")
    closed = {names[name] for name in answer}
    if len(closed) < len(answer):
        return Score.wrong("something is closed twice")
    if data.end in _reached(data, closed):
        return Score.wrong(f"there is still a way from T{data.start} to T{data.end}")
    return Score.exact(sum(data.prices[i] for i in closed) == data.least, "there is a cheaper way")


def mistakes(task: Task[Data], right: tuple[str, ...]) -> list[tuple[str, ...]]:
    data = task.data
    around = []
    for end in (data.start, data.end):
        if data.by_town:
            around.append(tuple(f"t{a if b == end else b}" for a, b in data.roads if end in (a, b)))
        else:
            around.append(tuple(f"t{a}-t{b}" for a, b in data.roads if end in (a, b)))
    return [right[:-1] or ("t0",), *around, (*right, right[0]), _named(data, list(range(len(data.prices))))]


def cost(task: Task[Data]) -> float:
    data = task.data
    return float(len(data.roads) * (len(data.prices) + 2 * len(data.roads) if data.by_town else len(data.roads)))


def explain(task: Task[Data]) -> list[str]:
    data = task.data
    steps, counted = [], 0
    for path, room in _ways(data):
        counted += room
        steps.append(WAY.write(room=room, way=" ".join(f"T{town}" for town in path), all=counted))
    steps.append(BOUND.write(all=counted))
    cut = _cut(data, data.start, data.end)
    side = ", ".join(f"T{i}" for i in sorted(_reached(data, set(cut))))
    steps.append(SIDE.write(side=side, costs=" + ".join(str(data.prices[i]) for i in cut), all=data.least))
    return [*steps, f"Closed are {' '.join(solve(task))}"]


def replay(task: Task[Data], steps: Sequence[str]) -> int | None:
    data = task.data
    roads = {frozenset(road): i for i, road in enumerate(data.roads)}
    left, counted = list(data.prices), [0]

    def follows(step: str) -> bool:
        if read := WAY.read(step):
            way, room = [int(town.removeprefix("T")) for town in read["way"].split(" ")], int(read["room"])
            parts = [roads[frozenset(pair)] for pair in pairwise(way)]
            for i in [town - 1 for town in way[1:-1]] if data.by_town else parts:
                left[i] -= room
            counted[0] += room
            ends = (way[0], way[-1]) == (data.start, data.end) and len(set(way)) == len(way)
            return ends and room > 0 and min(left) >= 0 and counted[0] == int(read["all"])
        if read := BOUND.read(step):
            return counted[0] == int(read["all"])
        read = SIDE.read(step)
        if not read:
            return False
        side = {int(town.removeprefix("T")) for town in read["side"].split(", ")}
        rim = {i for i, (a, b) in enumerate(data.roads) if (a in side) != (b in side)}
        closed = sorted({town - 1 for i in rim for town in data.roads[i] if town not in side} if data.by_town else rim)
        costs = [int(price) for price in read["costs"].split(" + ")]
        return data.start in side and data.end not in side and costs == [data.prices[i] for i in closed] and sum(costs) == int(read["all"])

    return first_wrong(steps, follows, ended("Closed are ", task, environment.answer, verify))


def picture(task: Task[Data]) -> str:
    data = task.data
    count = max(max(road) for road in data.roads)
    names = [f"T{i + 1}" for i in range(count)]
    if data.by_town:
        names = [name if i + 1 in (data.start, data.end) else f"{name}: {data.prices[i]}" for i, name in enumerate(names)]
    prices = ["" if data.by_town else str(price) for price in data.prices] + [""] * len(data.roads)
    roads = [(names[a - 1], names[b - 1], price) for (a, b), price in zip(data.roads, prices)]
    return pictures.network(names, roads, marked=[names[data.start - 1], names[data.end - 1]])


def _made(rng: Rng, knobs: Knobs, mesh: bool) -> Task[Data]:
    count, by_town = knobs.towns, knobs.closing == "towns"
    while True:
        number = rng.shuffled(range(1, count + 1))
        drawn = (lattices if mesh else graphs).connected(rng, count, max(1, count * knobs.extra // 100))
        roads = tuple((min(number[a], number[b]), max(number[a], number[b])) for a, b in rng.shuffled(drawn))
        prices = tuple(rng.integer(1, 20) for _ in (range(count) if by_town else roads))
        start, end = _far(rng, count, roads)
        if (min(start, end), max(start, end)) not in roads:
            break
    data = Data(roads=roads, prices=prices, by_town=by_town, start=start, end=end, least=0)
    data = data.model_copy(update={"least": sum(prices[i] for i in _cut(data, start, end))})
    what = "town" if by_town else "road"
    if by_town:
        told = [f"T{a}-T{b}" for a, b in roads]
        costs = (
            "\n\nClosing a town costs: " + ", ".join(f"T{i} {price}" for i, price in enumerate(prices, 1) if i not in (start, end)) + "."
        )
    else:
        told, costs = [f"T{a}-T{b}: {price}" for (a, b), price in zip(roads, prices, strict=True)], ""
    listing = "\n".join(told)
    prompt = (
        f"These roads join towns and can be used both ways{'' if by_town else '; the number is what closing the road costs'}:\n{listing}{costs}\n\n"
        f"Close {what}s{f' other than T{start} and T{end}' if by_town else ''} so that nobody can get from T{start} to T{end} any more, at the lowest total "
        f"cost.{' The roads of a closed town cannot be used.' if by_town else ''} Name the closed {what}s"
        f"{'' if by_town else ' by their two towns, as in the list'}, in any order."
    )
    return Task(prompt, data)


def _named(data: Data, places: list[int]) -> tuple[str, ...]:
    if data.by_town:
        return tuple(f"t{i + 1}" for i in places if i + 1 not in (data.start, data.end))
    return tuple(f"t{data.roads[i][0]}-t{data.roads[i][1]}" for i in places)


def _far(rng: Rng, count: int, roads: tuple[Road, ...]) -> tuple[int, int]:
    """Two towns with several roads each where the map has such towns."""
    degree = {i: sum(i in road for road in roads) for i in range(1, count + 1)}
    ranked = sorted(rng.shuffled(range(1, count + 1)), key=lambda i: -degree[i])
    start, end = rng.sample(ranked[: max(3, count // 2)], 2)
    return start, end


def _reached(data: Data, closed: set[int]) -> set[int]:
    near: dict[int, list[int]] = {}
    for i, (a, b) in enumerate(data.roads):
        if (data.by_town and {a - 1, b - 1} & closed) or (not data.by_town and i in closed):
            continue
        near.setdefault(a, []).append(b)
        near.setdefault(b, []).append(a)
    seen, waiting = {data.start}, [data.start]
    while waiting:
        for there in near.get(waiting.pop(), ()):
            if there not in seen:
                seen.add(there)
                waiting.append(there)
    return seen


def _filled(data: Data, start: int, end: int) -> tuple[dict[int, dict[int, int]], list[tuple[list[int], int]]]:
    """The room that is left when as much as possible runs from start to end; a town has an inner part, 1000 above it, behind its price."""
    left: dict[int, dict[int, int]] = {start: {}, end: {}}

    def add(a: int, b: int, room: int, back: int) -> None:
        left.setdefault(a, {})[b] = room
        left.setdefault(b, {})[a] = back

    if data.by_town:
        for i, price in enumerate(data.prices, 1):
            add(i, i + 1000, 1 << 40 if i in (start, end) else price, 0)
        for a, b in data.roads:
            add(a + 1000, b, 1 << 40, 0)
            add(b + 1000, a, 1 << 40, 0)
    else:
        for (a, b), price in zip(data.roads, data.prices, strict=True):
            add(a, b, price, price)
    paths: list[tuple[list[int], int]] = []
    while True:
        came, queue = {start: start}, [start]
        for here in queue:
            for there, room in left[here].items():
                if room and there not in came:
                    came[there] = here
                    queue.append(there)
        if end not in came:
            return left, paths
        path = [end]
        while path[-1] != start:
            path.append(came[path[-1]])
        path.reverse()
        room = min(left[a][b] for a, b in pairwise(path))
        for a, b in pairwise(path):
            left[a][b] -= room
            left[b][a] += room
        paths.append((path, room))


def _ways(data: Data) -> list[tuple[list[int], int]]:
    """Ways from start to end, and how much of the prices each counts, so that as much as possible is counted and no price more than once."""
    left, paths = _filled(data, data.start, data.end)
    flows: dict[int, dict[int, int]] = {}
    for a, b in data.roads:
        if data.by_town:
            flow = left[b][a + 1000] - left[a][b + 1000]
        else:
            flow = (left[b][a] - left[a][b]) // 2
        if flow:
            one, other = (a, b) if flow > 0 else (b, a)
            flows.setdefault(one, {})[other] = abs(flow)
    ways, missing = [], sum(room for _, room in paths)
    while missing:
        came, queue = {data.start: 0}, [data.start]
        for here in queue:
            fresh = [there for there, flow in flows.get(here, {}).items() if flow and there not in came]
            came |= dict.fromkeys(fresh, here)
            queue += fresh
        way = [data.end]
        while way[0] != data.start:
            way.insert(0, came[way[0]])
        room = min(missing, *(flows[a][b] for a, b in pairwise(way)))
        for a, b in pairwise(way):
            flows[a][b] -= room
        missing -= room
        ways.append((way, room))
    return ways


def _cut(data: Data, start: int, end: int) -> list[int]:
    """The places of what lies between the part that can still be reached from the start and the rest."""
    left, _ = _filled(data, start, end)
    seen, queue = {start}, [start]
    for here in queue:
        fresh = [there for there, room in left[here].items() if room and there not in seen]
        seen.update(fresh)
        queue += fresh
    if data.by_town:
        return [i for i in range(len(data.prices)) if i + 1 in seen and i + 1001 not in seen]
    return [i for i, (a, b) in enumerate(data.roads) if (a in seen) != (b in seen)]


def _others(task: Task[Data]) -> Iterator[tuple[str, ...]]:
    """The cheapest cut that is nearest to the other end, and the same choice in another order."""
    yield _named(task.data, _cut(task.data, task.data.end, task.data.start))
    yield solve(task)[::-1]


environment = Environment(
    Knobs,
    Words("the names of what is closed, separated by spaces", most=200, fold=True),
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
    solutions=_others,
    concept="Count ways from one end to the other until none has anything left; the cheapest cut lies where what is left can no longer get through.",
)
