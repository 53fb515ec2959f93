"""Find how the towns of one map correspond to the towns of another that has been renamed.

Any correspondence that carries roads to roads is accepted.
"""

from collections.abc import Iterator, Sequence

from rlgym import Config, Environment, Rng, Score, Task, TaskData, knob
from rlgym.answers import Mapping
from rlgym.generators import pictures
from rlgym.generators.steps import Line, ended, first_wrong

Road = tuple[int, int]
Pairs = tuple[tuple[str, str], ...]
FITS = Line("Roads of A{town}: {roads}, to towns placed before: {links}. So B{other} fits")


class Knobs(Config):
    towns: int = knob(8, easy=4, hard=22, doc="towns on each map")
    roads: int = knob(140, easy=90, hard=160, doc="roads, in percent of the towns")
    shape: str = knob(
        "even",
        easy="any",
        hard="regular",
        order=("any", "even", "regular"),
        doc="towns differ in their roads, or little, or all have three",
    )


class Data(TaskData):
    towns: int
    first: tuple[Road, ...]
    second: tuple[Road, ...]


def generate(rng: Rng, knobs: Knobs) -> Task[Data]:
    count = knobs.towns + knobs.towns % 2 if knobs.shape == "regular" else knobs.towns
    first = _three_each(rng, count) if knobs.shape == "regular" else _drawn(rng, count, count * knobs.roads // 100, knobs.shape == "even")
    name = rng.shuffled(range(1, count + 1))
    second = tuple((name[a - 1], name[b - 1]) if rng.chance(0.5) else (name[b - 1], name[a - 1]) for a, b in rng.shuffled(first))
    listings = ["\n".join(f"{letter}{a} - {letter}{b}" for a, b in roads) for letter, roads in (("A", first), ("B", second))]
    prompt = (
        f"The first map has the towns A1 to A{count} and these roads:\n{listings[0]}\n\nThe second map has the towns B1 to B{count} and these roads:\n"
        f"{listings[1]}\n\nAll roads go both ways. Both maps are the same but for the names of the towns. Say which town of the second map each town of the "
        "first map is, so that two towns of the first map are joined by a road exactly when their towns of the second map are. Each B town is used once."
    )
    return Task(prompt, Data(towns=count, first=first, second=second))


def solve(task: Task[Data]) -> Pairs:
    return next(_fits(task.data, range(1, task.data.towns + 1)))


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
    turned = tuple(zip(names, towns[1:] + towns[:1], strict=True))
    same = tuple(sorted((f"a{i}", f"b{i}") for i in range(1, task.data.towns + 1)))
    near = _near(task.data.towns, task.data.first), _near(task.data.towns, task.data.second)
    ranked = [sorted(range(1, task.data.towns + 1), key=lambda i: (len(side[i]), i)) for side in near]
    by_roads = tuple(sorted((f"a{a}", f"b{b}") for a, b in zip(*ranked, strict=True)))
    return [turned, same, by_roads, right[1:], (*right[:-1], (right[-1][0], right[0][1]))]


def cost(task: Task[Data]) -> float:
    data = task.data
    near = _near(data.towns, data.first)
    alike = max(sum(len(near[i]) == degree for i in near) for degree in range(data.towns))
    return float(len(data.first) * (1 + alike))


def explain(task: Task[Data]) -> list[str]:
    data, right = task.data, dict(solve(task))
    near = _near(data.towns, data.first)
    steps, placed = [], dict[int, int]()
    for town in _order(near, range(1, data.towns + 1)):
        links = ", ".join(f"A{other} (B{placed[other]})" for other in near[town] if other in placed) or "none"
        placed[town] = int(right[f"a{town}"][1:])
        steps.append(FITS.write(town=town, roads=len(near[town]), links=links, other=placed[town]))
    return [*steps, "Every road then has its counterpart:\n" + environment.answer.render(solve(task))]


def replay(task: Task[Data], steps: Sequence[str]) -> int | None:
    data = task.data
    near, there = _near(data.towns, data.first), _near(data.towns, data.second)
    placed: dict[int, int] = {}

    def follows(step: str) -> bool:
        read = FITS.read(step)
        if not read:
            return False
        town, other = int(read["town"]), int(read["other"])
        told = read["links"].split(", ") if read["links"] != "none" else []
        joined = {a: b for a, b in placed.items() if a in near[town]}
        same = set(joined.values()) == {b for b in placed.values() if b in there[other]}
        fresh = town not in placed and other not in placed.values()
        placed[town] = other
        return (
            fresh
            and same
            and sorted(told) == sorted(f"A{a} (B{b})" for a, b in joined.items())
            and len(near[town]) == len(there[other]) == int(read["roads"])
        )

    return first_wrong(steps, follows, ended("Every road then has its counterpart:\n", task, environment.answer, verify))


def picture(task: Task[Data]) -> str:
    data = task.data
    towns = [f"{letter}{i + 1}" for letter in "AB" for i in range(data.towns)]
    roads = [(f"{letter}{a}", f"{letter}{b}") for letter, side in (("A", data.first), ("B", data.second)) for a, b in side]
    return pictures.network(towns, roads, marked=towns[: data.towns])


def _drawn(rng: Rng, count: int, wanted: int, even: bool) -> tuple[Road, ...]:
    """A random connected map; if `even`, roads go to towns that have few."""
    roads: dict[Road, None] = {(rng.integer(max(1, i - 3) if even else 1, i - 1), i): None for i in range(2, count + 1)}
    degree = {i: sum(i in road for road in roads) for i in range(1, count + 1)}
    for _ in range(max(0, wanted - len(roads))):
        free = [(a, b) for a in range(1, count + 1) for b in range(a + 1, count + 1) if (a, b) not in roads]
        if even:
            least = min((degree[a] + degree[b] for a, b in free), default=0)
            free = [(a, b) for a, b in free if degree[a] + degree[b] <= least + 1]
        if free:
            a, b = rng.choice(free)
            roads[a, b] = None
            degree[a] += 1
            degree[b] += 1
    return _renamed(rng, count, tuple(roads))


def _three_each(rng: Rng, count: int) -> tuple[Road, ...]:
    """A connected map on which every town has three roads."""
    while True:
        ends = rng.shuffled([i for i in range(1, count + 1) for _ in range(3)])
        roads = {(min(a, b), max(a, b)): None for a, b in zip(ends[::2], ends[1::2], strict=True)}
        near = _near(count, tuple(roads))
        if len(roads) * 2 == len(ends) and all(a != b for a, b in roads) and len(_order(near, range(1, count + 1), 1)) == count:
            return _renamed(rng, count, tuple(roads))


def _renamed(rng: Rng, count: int, roads: tuple[Road, ...]) -> tuple[Road, ...]:
    name = rng.shuffled(range(1, count + 1))
    return tuple((name[a - 1], name[b - 1]) for a, b in rng.shuffled(roads))


def _near(count: int, roads: Sequence[Road]) -> dict[int, list[int]]:
    near: dict[int, list[int]] = {i: [] for i in range(1, count + 1)}
    for a, b in roads:
        near[a].append(b)
        near[b].append(a)
    return near


def _order(near: dict[int, list[int]], preferred: range, starts: int = 1 << 30) -> list[int]:
    """Towns so that each, where possible, is joined to an earlier one; at most `starts` are not."""
    order: list[int] = []
    seen: set[int] = set()
    for start in sorted(preferred, key=lambda i: -len(near[i])):
        if start in seen or not starts:
            continue
        starts -= 1
        ring = [start]
        seen.add(start)
        for here in ring:
            ring += [there for there in near[here] if there not in seen]
            seen.update(near[here])
        order += ring
    return order


def _looks(near: dict[int, list[int]]) -> dict[int, tuple[int, ...]]:
    """How many towns lie 0, 1, 2 ... roads away from each town: the same for towns that correspond."""
    looks = {}
    for start in near:
        rings, seen, ring = [], {start}, [start]
        while ring:
            rings.append(len(ring))
            ring = list(dict.fromkeys(there for here in ring for there in near[here] if there not in seen))
            seen.update(ring)
        looks[start] = tuple(rings)
    return looks


def _fits(data: Data, preferred: range) -> Iterator[Pairs]:
    """Every correspondence: town by town, each among the unused ones with the same rings and the right neighbours."""
    near, there = _near(data.towns, data.first), _near(data.towns, data.second)
    look, there_look = _looks(near), _looks(there)
    order = _order(near, preferred)
    stack: list[tuple[int, ...]] = [()]
    while stack:
        chosen = stack.pop()
        if len(chosen) == len(order):
            yield tuple(sorted((f"a{a}", f"b{b}") for a, b in zip(order, chosen, strict=True)))
            continue
        town = order[len(chosen)]
        joined = {b for a, b in zip(order, chosen, strict=False) if a in near[town]}
        fitting = [
            b
            for b in reversed(preferred)
            if b not in chosen and there_look[b] == look[town] and joined == {other for other in there[b] if other in chosen}
        ]
        stack += [(*chosen, b) for b in fitting]


def _others(task: Task[Data]) -> Iterator[Pairs]:
    return _fits(task.data, range(task.data.towns, 0, -1))


environment = Environment(
    Knobs,
    Mapping("one line `A town: B town` for each town of the first map"),
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
    concept="Count what lies one road away, two roads away and so on: only towns alike in this can correspond, and their neighbours then follow.",
)
