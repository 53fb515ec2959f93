"""Find which places can reach each other on one-way streets, or build the fewest streets so that all of them can.

In the harder kind any smallest set of new streets is accepted.
"""

from collections.abc import Iterator, Sequence

from rlgym import Config, Environment, Rng, Score, Task, TaskData, knob
from rlgym.answers import Lines
from rlgym.generators import pictures
from rlgym.generators.bits import places
from rlgym.generators.steps import Line, ended, first_wrong

Street = tuple[int, int]
Groups = list[tuple[int, ...]]
BOTH = Line("P{place} reaches {out} and is reached from {into}; what stands in both is its group")
LOOSE = Line("No street comes into these groups from outside: {entries}. None leads out of these: {exits}")
FEWEST = Line("Each of them needs a new street, so at least {fewest} are needed, and joining ends to beginnings in a ring is enough")


class Knobs(Config):
    places: int = knob(10, easy=4, hard=36, doc="how many places there are")
    streets: int = knob(130, easy=110, hard=150, doc="one-way streets, in percent of the places")
    asked: str = knob("groups", easy="groups", hard="streets", order=("groups", "streets"), doc="the groups, or fewest new streets")


class Data(TaskData):
    places: int
    streets: tuple[Street, ...]
    building: bool
    groups: tuple[tuple[int, ...], ...]
    fewest: int


def generate(rng: Rng, knobs: Knobs) -> Task[Data]:
    return _made(rng, knobs, rings=False)


def shift(rng: Rng, knobs: Knobs) -> Task[Data]:
    """Rings of streets, and streets that lead from ring to later ring."""
    return _made(rng, knobs, rings=True)


def solve(task: Task[Data]) -> tuple[str, ...]:
    return _answered(task.data, range(1, task.data.places + 1))


def verify(task: Task[Data], answer: tuple[str, ...]) -> Score:
    data = task.data
    numbers = {f"p{i}": i for i in range(1, data.places + 1)}
    rows: Groups = []
    for line in answer[: data.places + 1]:
        words = line[:1000].lower().replace("->", " ").replace("→", " ").replace(",", " ").split()
        if not words or not all(word in numbers for word in words):
            return Score.wrong(f"every line must name places from P1 to P{data.places}")
        rows.append(tuple(numbers[word] for word in words))
    if not data.building:
        return Score.exact(sorted(tuple(sorted(row)) for row in rows) == sorted(data.groups), "these are not the groups")
    if any(len(row) != 2 or row[0] == row[1] for row in rows):
        return Score.wrong("every line must have the two different ends of a street")
    if len(rows) > data.fewest:
        return Score.wrong("fewer new streets are enough")
    new = tuple((row[0], row[1]) for row in rows)
    return Score.exact(len(_closed(data.places, data.streets + new)) == 1, "some place still cannot be reached from some other one")


def mistakes(task: Task[Data], right: tuple[str, ...]) -> list[tuple[str, ...]]:
    data = task.data
    joined = _closed(data.places, (*data.streets, *((b, a) for a, b in data.streets)))
    every = tuple(f"P{i}" for i in range(1, data.places + 1))
    turned = tuple(" -> ".join(line.split(" -> ")[::-1]) for line in right)
    return [tuple(map(_row, joined)), every, right[:-1] or every, (" ".join(every),), (*right, "P1 -> P2"), turned]


def cost(task: Task[Data]) -> float:
    data = task.data
    return float((data.places + len(data.streets)) * (2 if data.building else 1))


def explain(task: Task[Data]) -> list[str]:
    data = task.data
    groups = _by_depth(data, range(1, data.places + 1))
    out, into = _reach(data.places, data.streets), _reach(data.places, tuple((b, a) for a, b in data.streets))
    steps = []
    for group in groups:
        there, back = (_row(tuple(i + 1 for i in places(reach[group[0] - 1]))) for reach in (out, into))
        steps.append(BOTH.write(place=group[0], out=there, into=back))
    if data.building:
        entries, exits = (", ".join(_row(groups[k]) for k in ends) for ends in _ends(groups, data.streets))
        steps += [LOOSE.write(entries=entries, exits=exits), FEWEST.write(fewest=data.fewest)]
    return [*steps, "The answer is:\n" + environment.answer.render(solve(task))]


def replay(task: Task[Data], steps: Sequence[str]) -> int | None:
    data = task.data
    backwards = tuple((b, a) for a, b in data.streets)

    def reached(start: int, streets: tuple[Street, ...]) -> list[int]:
        seen = [start]
        for here in seen:
            seen += dict.fromkeys(b for a, b in streets if a == here and b not in seen)
        return sorted(seen)

    def follows(step: str) -> bool:
        if read := BOTH.read(step):
            start = int(read["place"])
            return 0 < start <= data.places and all(
                read[key] == _row(tuple(reached(start, streets))) for key, streets in (("out", data.streets), ("into", backwards))
            )
        if not data.building:
            return False
        groups = {i: group for group in data.groups for i in group}
        loose = [
            sorted(group for group in data.groups if all(groups[a] == group for a, b in streets if groups[b] == group))
            for streets in (data.streets, backwards)
        ]
        if read := LOOSE.read(step):
            told = [
                sorted(tuple(int(word.removeprefix("P")) for word in row.split(" ")) for row in read[key].split(", "))
                for key in ("entries", "exits")
            ]
            return told == loose
        found = FEWEST.read(step)
        return found is not None and int(found["fewest"]) == max(map(len, loose))

    return first_wrong(steps, follows, ended("The answer is:\n", task, environment.answer, verify))


def picture(task: Task[Data]) -> str:
    streets = [(f"P{a}", f"P{b}") for a, b in task.data.streets]
    return pictures.network([f"P{i + 1}" for i in range(task.data.places)], streets, directed=True)


def _made(rng: Rng, knobs: Knobs, rings: bool) -> Task[Data]:
    count, building = knobs.places, knobs.asked == "streets"
    while True:
        drawn: dict[Street, None] = _rings(rng, count, count * knobs.streets // 100) if rings else {}
        while len(drawn) < count * knobs.streets // 100:
            a, b = rng.sample(range(1, count + 1), 2)
            drawn[a, b] = None
        streets = tuple(rng.shuffled(list(drawn)))
        groups = _closed(count, streets)
        if len(groups) > 1 and (building or len(groups) < count):
            break
    data = Data(places=count, streets=streets, building=building, groups=tuple(groups), fewest=_fewest(groups, streets))
    listing = "\n".join(f"P{a} -> P{b}" for a, b in streets)
    asked = (
        "Build as few new one-way streets as possible so that afterwards every place can be reached from every other one. A new street may join any two "
        "different places. Write each new street on a line of its own, in the way of the list above"
        if building
        else "Two places belong to one group if each can be reached from the other, directly or through other places. A place that shares this with no other "
        "place is a group of its own. Write each group on a line of its own, with its places separated by spaces. Any order will do"
    )
    return Task(f"These one-way streets join the places P1 to P{count}:\n{listing}\n\n{asked}.", data)


def _rings(rng: Rng, count: int, wanted: int) -> dict[Street, None]:
    """So many streets: places in rings of up to five, and the rest of the streets from earlier to later rings."""
    left, drawn, order = rng.shuffled(range(1, count + 1)), dict[Street, None](), list[tuple[int, ...]]()
    while left:
        ring = tuple(left.pop() for _ in range(min(len(left), rng.integer(1, 1 + min(4, count // 2)))))
        order.append(ring)
        if len(ring) > 1:
            drawn |= dict.fromkeys(zip(ring, ring[1:] + ring[:1], strict=True))
    places_in_order = [(k, place) for k, ring in enumerate(order) for place in ring]
    later = [(a, b) for k, a in places_in_order for m, b in places_in_order if k < m]
    return drawn | dict.fromkeys(rng.sample(later, min(len(later), max(0, wanted - len(drawn)))))


def _row(group: tuple[int, ...]) -> str:
    return " ".join(f"P{i}" for i in group)


def _answered(data: Data, order: range) -> tuple[str, ...]:
    groups = _by_depth(data, order)
    if not data.building:
        return tuple(map(_row, groups))
    of = {i: k for k, group in enumerate(groups) for i in group}
    between = tuple((of[a], of[b]) for a, b in data.streets)
    new: list[Street] = []
    # A new street from an end to a beginning is kept if one street less is then enough; some such street always is.
    while fewest := _fewest_between(len(groups), (*between, *new)):
        entries, exits = _loose(len(groups), (*between, *new))
        for one in ((b, a) for b in exits for a in entries if a != b):
            if _fewest_between(len(groups), (*between, *new, one)) < fewest:
                new.append(one)
                break
    return tuple(f"P{groups[a][0]} -> P{groups[b][0]}" for a, b in new)


def _fewest_between(count: int, streets: tuple[Street, ...]) -> int:
    """The same for places 0 to count-1."""
    moved = tuple((a + 1, b + 1) for a, b in streets)
    return _fewest(_closed(count, moved), moved)


def _loose(count: int, streets: tuple[Street, ...]) -> tuple[list[int], list[int]]:
    """Of each group of 0 to count-1 that nothing enters, and of each that nothing leaves, one place."""
    moved = tuple((a + 1, b + 1) for a, b in streets)
    groups = _closed(count, moved)
    entries, exits = _ends(groups, moved)
    return [groups[k][0] - 1 for k in entries], [groups[k][0] - 1 for k in exits]


def _fewest(groups: Groups, streets: tuple[Street, ...]) -> int:
    """How many new streets join all groups into one (Eswaran and Tarjan)."""
    return 0 if len(groups) == 1 else max(map(len, _ends(groups, streets)))


def _ends(groups: Groups, streets: tuple[Street, ...]) -> tuple[list[int], list[int]]:
    """Which groups nothing enters, and which nothing leaves."""
    of = {i: k for k, group in enumerate(groups) for i in group}
    entered = {of[b] for a, b in streets if of[a] != of[b]}
    left = {of[a] for a, b in streets if of[a] != of[b]}
    return [k for k in range(len(groups)) if k not in entered], [k for k in range(len(groups)) if k not in left]


def _reach(count: int, streets: tuple[Street, ...]) -> list[int]:
    """For each place the bits of all places that it reaches, itself included."""
    reach = [1 << i for i in range(count)]
    for a, b in streets:
        reach[a - 1] |= 1 << b - 1
    for middle in range(count):
        beyond = reach[middle]
        reach = [mask | beyond if mask >> middle & 1 else mask for mask in reach]
    return reach


def _closed(count: int, streets: tuple[Street, ...]) -> Groups:
    """The groups, read off the table of who reaches whom."""
    reach, back = _reach(count, streets), _reach(count, tuple((b, a) for a, b in streets))
    return [tuple(i + 1 for i in places(mask)) for mask in dict.fromkeys(a & b for a, b in zip(reach, back, strict=True))]


def _by_depth(data: Data, order: range) -> Groups:
    """The groups by two walks in depth (Kosaraju)."""
    out: dict[int, list[int]] = {i: [] for i in order}
    into: dict[int, list[int]] = {i: [] for i in order}
    for a, b in data.streets:
        out[a].append(b)
        into[b].append(a)
    finished: list[int] = []
    seen: set[int] = set()
    for start in order:
        waiting = [(start, False)]
        while waiting:
            here, leaving = waiting.pop()
            if leaving:
                finished.append(here)
            elif here not in seen:
                seen.add(here)
                waiting += [(here, True), *((there, False) for there in out[here])]
    groups: Groups = []
    seen = set()
    for start in reversed(finished):
        group, walk = [], [start]
        while walk:
            here = walk.pop()
            if here not in seen:
                seen.add(here)
                group.append(here)
                walk += into[here]
        if group:
            groups.append(tuple(sorted(group)))
    return groups


def _others(task: Task[Data]) -> Iterator[tuple[str, ...]]:
    for order in (range(task.data.places, 0, -1), range(1, task.data.places + 1)):
        found = _answered(task.data, order)
        yield found[::-1]
        if not task.data.building:
            yield tuple(" ".join(line.split()[::-1]) for line in found)


environment = Environment(
    Knobs,
    Lines("one group or one new street per line, as described above", most=200),
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
    concept="Two places share a group if each reaches the other; once groups are drawn as points, only those without a way in or without a way out count.",
)
