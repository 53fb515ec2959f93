"""Choose the cheapest set of roads that joins all towns.

Some roads are already built and cost nothing. Any cheapest set is accepted.
"""

from collections.abc import Iterator, Sequence

from rlgym import Config, Environment, Rng, Score, Task, TaskData, knob
from rlgym.answers import Words
from rlgym.generators import graphs, lattices, pictures
from rlgym.generators.steps import Line, ended, first_wrong

Road = tuple[str, str, int]


CHEAPEST = Line("Joined so far: {piece}; the cheapest road that leaves the piece is {a}-{b} for {price}, build it: {new} is joined")
OLD = Line("Joined so far: {piece}; the old road {a}-{b} leaves the piece: {new} is joined")


class Knobs(Config):
    towns: int = knob(10, easy=4, hard=40, doc="towns on the map")
    extra: int = knob(12, easy=2, hard=90, doc="roads beyond those of a tree")
    dearest: int = knob(20, easy=9, hard=99, doc="highest cost of a road")
    built: int = knob(2, easy=0, hard=8, doc="roads that are already there")


class Data(TaskData):
    roads: tuple[Road, ...]
    built: tuple[tuple[str, str], ...]
    cheapest: int


def generate(rng: Rng, knobs: Knobs) -> Task[Data]:
    return _made(rng, knobs, mesh=False)


def shift(rng: Rng, knobs: Knobs) -> Task[Data]:
    """Towns that lie on a lattice, with roads to the nearest ones only."""
    return _made(rng, knobs, mesh=True)


def solve(task: Task[Data]) -> tuple[str, ...]:
    return tuple(f"{a}-{b}" for a, b, price in _grown(task.data) if price)


def verify(task: Task[Data], answer: tuple[str, ...]) -> Score:
    data = task.data
    prices = {f"{a}-{b}": price for a, b, price in data.roads} | {f"{b}-{a}": price for a, b, price in data.roads}
    joined: dict[str, str] = {}
    for a, b in data.built:
        _join(joined, a, b)
    total, pieces = 0, len({name for road in (*data.roads, *data.built) for name in road[:2]}) - len(data.built)
    # A road may be written with spaces around its stroke.
    for word in " ".join(answer).replace("–", "-").replace(" - ", "-").split():
        if word not in prices:
            return Score.wrong(f"{word[:20]} is not a road that can be built")
        a, _, b = word.partition("-")
        if not _join(joined, a, b):
            return Score.wrong(f"{word} joins towns that are joined without it")
        total, pieces = total + prices[word], pieces - 1
    if pieces > 1:
        return Score.wrong("some towns stay apart")
    return Score.exact(total == data.cheapest, "the towns can be joined at a lower cost")


def mistakes(task: Task[Data], right: tuple[str, ...]) -> list[tuple[str, ...]]:
    every = tuple(f"{a}-{b}" for a, b, _ in task.data.roads)
    dearest = _kruskal(tuple((a, b, -price) for a, b, price in task.data.roads), task.data.built)
    return [right[:-1] or ("T0-T1",), every, tuple(f"{a}-{b}" for a, b, _ in dearest), (*right, right[0])]


def cost(task: Task[Data]) -> float:
    count = len(task.data.roads)
    return count * count.bit_length() + len(task.data.built)


def explain(task: Task[Data]) -> list[str]:
    grown = _grown(task.data)
    piece, steps = [_first(task.data)], []
    for a, b, price in grown:
        new = b if a in piece else a
        told = {"piece": ", ".join(piece), "a": a, "b": b, "new": new}
        steps.append(CHEAPEST.write(**told, price=price) if price else OLD.write(**told))
        piece.append(new)
    return [*steps, f"Build {' '.join(solve(task))}"]


def replay(task: Task[Data], steps: Sequence[str]) -> int | None:
    data = task.data
    piece: list[str] = []

    def follows(step: str) -> bool:
        old = OLD.read(step)
        read = old or CHEAPEST.read(step)
        if not read:
            return False
        joined = read["piece"].split(", ")
        known = joined == piece if piece else len(joined) == 1
        a, b, new, price = read["a"], read["b"], read["new"], 0 if old else int(read["price"])
        leaving = [road for road in (*((a, b, 0) for a, b in data.built), *data.roads) if (road[0] in joined) != (road[1] in joined)]
        piece[:] = [*joined, new]
        return known and (a, b, price) in leaving and price == min(road[2] for road in leaving) and new in (a, b) and new not in joined

    return first_wrong(steps, follows, ended("Build ", task, environment.answer, verify))


def picture(task: Task[Data]) -> str:
    data = task.data
    roads = [(a, b, str(price)) for a, b, price in data.roads] + [(a, b, "there") for a, b in data.built]
    towns = sorted({town for a, b, _ in roads for town in (a, b)}, key=lambda town: int(town[1:]))
    return pictures.network(towns, roads)


def _made(rng: Rng, knobs: Knobs, mesh: bool) -> Task[Data]:
    edges = (lattices if mesh else graphs).connected(rng, knobs.towns, knobs.extra)
    town = [f"T{i}" for i in rng.shuffled(range(1, knobs.towns + 1))]
    roads = tuple((town[a], town[b], rng.integer(1, knobs.dearest)) for a, b in rng.shuffled(edges))
    # The first edges of a connected graph, read as a forest, never close a ring.
    joined: dict[str, str] = {}
    built: list[tuple[str, str]] = []
    for a, b in rng.shuffled(edges):
        if len(built) < min(knobs.built, knobs.towns // 2) and _join(joined, town[a], town[b]):
            built.append((town[a], town[b]))
    planned = tuple(road for road in roads if (road[0], road[1]) not in built)
    data = Data(roads=planned, built=tuple(built), cheapest=sum(cost for _, _, cost in _kruskal(planned, tuple(built))))
    listing = "\n".join(f"{a}-{b} costs {price}" for a, b, price in planned)
    there = f"\n\nThese roads are there already: {', '.join(f'{a}-{b}' for a, b in built)}." if built else ""
    prompt = (
        f"There are {knobs.towns} towns, T1 to T{knobs.towns}. These roads can be built:\n{listing}{there}\n\n"
        "Which roads should be built so that one can get from every town to every other"
        f"{', old roads included,' if built else ''} and the total cost is as low as possible? Name the roads to build, in any order."
    )
    return Task(prompt, data)


def _grown(data: Data) -> list[Road]:
    """Prim's way: one connected piece grows by its cheapest road out; `generate` joins pieces, the cheapest road first."""
    piece, chosen = {_first(data)}, list[Road]()
    every = [*((a, b, 0) for a, b in data.built), *data.roads]
    while leaving := [road for road in every if (road[0] in piece) != (road[1] in piece)]:
        chosen.append(min(leaving, key=lambda road: road[2]))
        piece |= set(chosen[-1][:2])
    return chosen


def _first(data: Data) -> str:
    return min(name for a, b in (*((a, b) for a, b, _ in data.roads), *data.built) for name in (a, b))


def _kruskal(roads: tuple[Road, ...], built: tuple[tuple[str, str], ...]) -> list[Road]:
    joined: dict[str, str] = {}
    for a, b in built:
        _join(joined, a, b)
    return [road for road in sorted(roads, key=lambda road: road[2]) if _join(joined, road[0], road[1])]


def _join(joined: dict[str, str], a: str, b: str) -> bool:
    """Puts two towns into one piece; False if they were in one already."""
    a, b = _piece(joined, a), _piece(joined, b)
    joined[a] = b
    return a != b


def _piece(joined: dict[str, str], town: str) -> str:
    while joined.get(town, town) != town:
        town = joined[town]
    return town


def _others(task: Task[Data]) -> Iterator[tuple[str, ...]]:
    data = task.data
    yield tuple(f"{b}-{a}" for a, b, _ in _kruskal(data.roads[::-1], data.built))
    yield tuple(f"{a}-{b}" for a, b, _ in _kruskal(data.roads, data.built))


environment = Environment(
    Knobs,
    Words("the roads to build, such as Ti-Tj, separated by spaces", most=400),
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
    concept="Take the roads from the cheapest to the dearest, and build each that joins two pieces that are still apart.",
)
