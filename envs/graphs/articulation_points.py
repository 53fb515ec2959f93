"""Name every town that cuts the map apart when it is closed, and every road that does.

Found by numbering the towns in depth and asking of each how far back one gets from beyond it. Any order is accepted.
"""

from collections.abc import Iterator, Sequence
from itertools import pairwise

from rlgym import Config, Environment, Rng, Score, Task, TaskData, knob
from rlgym.answers import Words
from rlgym.generators import graphs, pictures
from rlgym.generators.steps import Line, first_wrong

Roads = tuple[tuple[str, str], ...]


class Knobs(Config):
    towns: int = knob(12, easy=5, hard=44, doc="towns on the map")
    loops: int = knob(40, easy=20, hard=55, doc="roads beyond those of a tree, in percent of the towns")
    asked: str = knob("towns", easy="roads", hard="both", order=("roads", "towns", "both"), doc="which are asked for: roads, towns or both")
    twins: str = knob(
        "no", easy="no", hard="yes", order=("no", "yes"), doc="whether some roads are there twice, so that closing one of them cuts nothing"
    )


class Data(TaskData):
    roads: Roads
    asked: str
    vital: tuple[str, ...]


def generate(rng: Rng, knobs: Knobs) -> Task[Data]:
    """Rings and single roads hung on one another."""
    edges = {(0, 1): None}
    spare = knobs.towns * knobs.loops // 100
    towns = 2
    while towns < knobs.towns:
        root, size = rng.integer(0, towns - 1), 1 if not spare else rng.integer(1, 5)
        ring = [root, *range(towns, min(knobs.towns, towns + size))]
        edges |= dict.fromkeys(pairwise(ring))
        if len(ring) > 2 and spare:
            edges[root, ring[-1]] = None
            spare -= 1
        towns += len(ring) - 1
    return _made(rng, knobs, tuple(edges))


def shift(rng: Rng, knobs: Knobs) -> Task[Data]:
    """Towns of a plane joined to the nearest, lattices and hubs."""
    count = knobs.towns
    return _made(rng, knobs, graphs.drawn(rng, rng.choice(("near", "lattice", "hubs")), count, count + count * knobs.loops // 250))


def _made(rng: Rng, knobs: Knobs, edges: Sequence[graphs.Edge]) -> Task[Data]:
    names = graphs.letters(rng, knobs.towns)
    roads = graphs.listed(rng, edges, names)
    if knobs.twins == "yes":
        again = [road if rng.chance(0.5) else road[::-1] for road in rng.sample(roads, max(1, len(roads) // 8))]
        roads = tuple(rng.shuffled([*roads, *again]))
    vital = _asked(knobs.asked, *_closed_each(roads))
    data = Data(roads=roads, asked=knobs.asked, vital=tuple(map(_plain, vital)))
    towns = "A town is vital if, with it and its roads closed, some two of the other towns are no longer joined by roads. "
    bridges = "A road is vital if, with this one road closed, some two towns are no longer joined by roads. "
    told = {"roads": bridges, "towns": towns, "both": towns + bridges}[knobs.asked]
    kinds = {"roads": "vital roads", "towns": "vital towns", "both": "vital towns and all vital roads"}[knobs.asked]
    listing = "\n".join(f"{a}-{b}" for a, b in roads)
    twice = " Where a road is listed twice, there are two roads." if knobs.twins == "yes" else ""
    named = "" if knobs.asked == "towns" else " Write a road as its two towns with a hyphen between, as in the list."
    return Task(
        f"These roads join towns and can be used both ways:\n{listing}\n\n{told.strip()}{twice}\n\nName all {kinds}, in any order.{named}",
        data,
    )


def solve(task: Task[Data]) -> tuple[str, ...]:
    """By low numbers in one walk in depth."""
    order, parent = _numbered(task.data.roads)
    low = _low(task.data.roads, order, parent)
    return _asked(task.data.asked, *_vital(order, parent, low))


def verify(task: Task[Data], answer: tuple[str, ...]) -> Score:
    data = task.data
    right, given = set(data.vital), [_plain(word) for word in answer]
    if len(set(given)) < len(given):
        return Score.wrong("something is named twice")
    if not set(given) <= right:
        return Score.wrong("something is named that is not vital, or not there")
    return Score.exact(set(given) == right, "something vital is missing")


def mistakes(task: Task[Data], right: tuple[str, ...]) -> list[tuple[str, ...]]:
    data = task.data
    near = _near(data.roads)
    lonely = [name.lower() for name in near if len(near[name]) == 1]
    ends = tuple(f"{a}-{b}".lower() for a, b in data.roads if len(near[a]) == 1 or len(near[b]) == 1)
    busy = tuple(name.lower() for name in near if len(near[name]) > 2)
    single = tuple(dict.fromkeys(f"{a}-{b}".lower() for a, b in data.roads))
    if data.asked == "roads":
        return [ends, single, right[:-1], (*right, busy[0] if busy else "zz"), ()]
    return [busy, (*right, *lonely[:1]), right[:-1], (*right, right[0]) if right else busy, tuple(near), ()]


def cost(task: Task[Data]) -> float:
    return len(task.data.roads) * {"roads": 1, "towns": 1.5, "both": 2.5}[task.data.asked]


FIRST = Line("Number 1 is {town}")
NEXT = Line("Number {number} is {town}, by the road from {parent}, the last numbered town with a road to one without a number")
LOW = Line("From {town} and what is numbered through it, without the road it was reached by, one gets back to number {low} at the lowest")
TOWN = Line(
    "Going back from {child}, one reaches no lower number than {low}; the town before it has number {number}, and so {town} is vital"
)
ROOT = Line("Both {one} and {other} were numbered from the first town, with no way between them but through it: {town} is vital")
ROAD = Line("From number {low} on, one gets back to no lower number, except by the road it was reached by: {town}-{child} is vital")
END = Line("All that is vital: {answer}")


def explain(task: Task[Data]) -> list[str]:
    roads = task.data.roads
    order, parent = _numbered(roads)
    low = _low(roads, order, parent)
    number = {town: i for i, town in enumerate(order, 1)}
    steps = [FIRST.write(town=order[0])]
    steps += [NEXT.write(number=number[town], town=town, parent=parent[town]) for town in order[1:]]
    steps += [LOW.write(town=town, low=low[town]) for town in reversed(order[1:])]
    for child in order[1:]:
        town = parent[child]
        if task.data.asked != "roads" and town != order[0] and low[child] >= number[town]:
            steps.append(TOWN.write(child=child, low=low[child], town=town, number=number[town]))
        if task.data.asked != "towns" and low[child] == number[child]:
            steps.append(ROAD.write(child=child, low=low[child], town=town))
    first = [child for child in order if parent.get(child) == order[0]]
    if len(first) > 1 and task.data.asked != "roads":
        steps.append(ROOT.write(one=first[0], other=first[1], town=order[0]))
    return [*steps, END.write(answer=environment.answer.render(solve(task)))]


def replay(task: Task[Data], steps: Sequence[str]) -> int | None:
    roads, near = task.data.roads, _near(task.data.roads)
    number: dict[str, int] = {}
    parent: dict[str, str] = {}
    low: dict[str, int] = {}

    def follows(step: str) -> bool:
        if said := FIRST.read(step):
            number[said["town"]] = 1
            return len(number) == 1 and said["town"] in near
        if said := NEXT.read(step):
            last = [town for town in number if any(there not in number for there in near[town])][-1]
            parent[said["town"]] = said["parent"]
            fits = last == said["parent"] and said["town"] in near[last] and said["town"] not in number
            number[said["town"]] = len(number) + 1
            return fits and number[said["town"]] == int(said["number"])
        if said := LOW.read(step):
            town = said["town"]
            back = [number[there] for there in near[town] if there != parent[town]] + [number[town]]
            back += [number[parent[town]]] * (_times(roads, town, parent[town]) > 1)
            low[town] = min(back + [low[child] for child in parent if parent[child] == town])
            return len(number) == len(near) and low[town] == int(said["low"])
        if said := TOWN.read(step):
            child, town = said["child"], said["town"]
            told = (low[child], number[town]) == (int(said["low"]), int(said["number"]))
            return told and parent[child] == town and low[child] >= number[town] > 1
        if said := ROAD.read(step):
            return parent[said["child"]] == said["town"] and low[said["child"]] == number[said["child"]] == int(said["low"])
        if said := ROOT.read(step):
            one, other, town = said["one"], said["other"], said["town"]
            return parent[one] == parent[other] == town and one != other and number[town] == 1
        return False

    def ends(step: str) -> bool:
        said = END.read(step)
        return bool(said and verify(task, environment.answer.parse(said["answer"])).value == 1)

    return first_wrong(steps, follows, ends)


def picture(task: Task[Data]) -> str:
    twice = {tuple(sorted(road)) for road in task.data.roads if _times(task.data.roads, *road) > 1}
    edges = sorted({(min(road), max(road)) for road in task.data.roads})
    return pictures.network(sorted(_near(task.data.roads)), [(a, b, "x2") if (a, b) in twice else (a, b) for a, b in edges])


def _plain(word: str) -> str:
    return "-".join(sorted(word.lower().replace("–", "-").split("-", 3)))


def _times(roads: Roads, a: str, b: str) -> int:
    return roads.count((a, b)) + roads.count((b, a))


def _near(roads: Roads) -> dict[str, list[str]]:
    near: dict[str, dict[str, None]] = {}
    for a, b in roads:
        near.setdefault(a, {})[b] = None
        near.setdefault(b, {})[a] = None
    return {town: sorted(near[town]) for town in sorted(near)}


def _numbered(roads: Roads) -> tuple[list[str], dict[str, str]]:
    near = _near(roads)
    order, parent = [min(near)], dict[str, str]()
    number, walk = {order[0]}, [order[0]]
    while walk:
        there = next((town for town in near[walk[-1]] if town not in number), None)
        if there is None:
            walk.pop()
            continue
        parent[there] = walk[-1]
        order.append(there)
        number.add(there)
        walk.append(there)
    return order, parent


def _low(roads: Roads, order: list[str], parent: dict[str, str]) -> dict[str, int]:
    number = {town: i for i, town in enumerate(order, 1)}
    low = dict(number)
    pairs = [road for road in roads if _times(roads, *road) > 1 or not (parent.get(road[0]) == road[1] or parent.get(road[1]) == road[0])]
    for a, b in pairs:
        low[a], low[b] = min(low[a], number[b]), min(low[b], number[a])
    for town in reversed(order[1:]):
        low[parent[town]] = min(low[parent[town]], low[town])
    return low


def _vital(order: list[str], parent: dict[str, str], low: dict[str, int]) -> tuple[list[str], Roads]:
    number = {town: i for i, town in enumerate(order, 1)}
    towns = {parent[child] for child in order[2:] if low[child] >= number[parent[child]] and parent[child] != order[0]}
    towns |= {order[0]} if sum(one == order[0] for one in parent.values()) > 1 else set()
    return sorted(towns), tuple((parent[child], child) for child in order[1:] if low[child] == number[child])


def _closed_each(roads: Roads) -> tuple[list[str], Roads]:
    """By closing each town and each road and walking through what is left."""
    near = _near(roads)

    def joined(towns: list[str], closed: tuple[str, str] | None) -> bool:
        seen, walk = {towns[0]}, [towns[0]]
        inside = set(towns)
        while walk:
            here = walk.pop()
            for there in near[here]:
                if there in inside and there not in seen and (here, there) != closed and (there, here) != closed:
                    seen.add(there)
                    walk.append(there)
        return len(seen) == len(towns)

    names = list(near)
    vital = [town for town in names if not joined([name for name in names if name != town], None)]
    return vital, tuple(road for road in roads if _times(roads, *road) == 1 and not joined(names, road))


def _asked(kind: str, towns: list[str], roads: Roads) -> tuple[str, ...]:
    named = [town.lower() for town in towns] if kind != "roads" else []
    return (*named, *(f"{a}-{b}".lower() for a, b in roads)) if kind != "towns" else tuple(named)


def _others(task: Task[Data]) -> Iterator[tuple[str, ...]]:
    found = _asked(task.data.asked, *_closed_each(task.data.roads))
    yield found
    yield tuple("-".join(word.split("-")[::-1]) for word in reversed(found))


environment = Environment(
    Knobs,
    Words("the names asked for, separated by spaces, or the word none if there are none", most=150, fold=True, empty=True),
    generate,
    solve,
    verify,
    mistakes,
    cost,
    explain,
    replay,
    shift,
    picture,
    answers="many",
    solutions=_others,
    concept="Number the towns in depth; what lies beyond a town hangs on it if no road leads from there to a lower number than the town's.",
)
