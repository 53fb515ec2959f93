"""Find which places can reach each other on one-way streets, or build the fewest streets so that all of them can.

In the harder kind any smallest set of new streets is accepted.
"""

from collections.abc import Iterator

from rlgym import Config, Environment, Rng, Score, Task, TaskData, knob
from rlgym.answers import Lines
from rlgym.generators.drawing import pictures
from rlgym.generators.numbers.bitsets import places
from rlgym.solutions import Checks, Derivation, Solution, Step

Street = tuple[int, int]
Groups = list[tuple[int, ...]]
BOTH = Step("P{place:int} reaches {out} and is reached from {into}; what stands in both is its group")
LOOSE = Step("No street comes into these groups from outside: {entries:words}. None leads out of these: {exits:words}")
FEWEST = Step("Each of them needs a new street, so at least {fewest:int} are needed, and joining ends to beginnings in a ring is enough")


class Knobs(Config):
    places: int = knob(10, easy=5, hard=36, doc="how many places there are")
    streets: int = knob(130, easy=110, hard=150, doc="one-way streets, in percent of the places")
    question: str = knob("groups", easy="groups", hard="streets", order=("groups", "streets"), doc="the groups, or fewest new streets")


class Data(TaskData):
    places: int
    streets: tuple[Street, ...]
    building: bool
    groups: tuple[tuple[int, ...], ...]
    fewest: int


def generate(rng: Rng, knobs: Knobs) -> Task[Data]:
    return _sample_task(rng, knobs, rings=False)


def shift(rng: Rng, knobs: Knobs) -> Task[Data]:
    """Rings of streets, and streets that lead from ring to later ring."""
    return _sample_task(rng, knobs, rings=True)


def solve(task: Task[Data]) -> tuple[str, ...]:
    return _render_answer(task.data, range(1, task.data.places + 1))


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
    return Score.exact(len(_components(data.places, data.streets + new)) == 1, "some place still cannot reach another")


def mistakes(task: Task[Data], right: tuple[str, ...]) -> list[tuple[str, ...]]:
    data = task.data
    weak_components = _components(data.places, (*data.streets, *((b, a) for a, b in data.streets)))
    all_places = tuple(f"P{i}" for i in range(1, data.places + 1))
    reversed_lines = tuple(" -> ".join(line.split(" -> ")[::-1]) for line in right)
    return [
        tuple(map(_place_names, weak_components)),
        all_places,
        right[:-1] or all_places,
        (" ".join(all_places),),
        (*right, "P1 -> P2"),
        reversed_lines,
    ]


def cost(task: Task[Data]) -> float:
    data = task.data
    return float((data.places + len(data.streets)) * (2 if data.building else 1))


def derive(task: Task[Data]) -> Derivation:
    data = task.data
    groups = _kosaraju(data, range(1, data.places + 1))
    for group in groups:
        out, into = (_place_names(tuple(_reachable(group[0], streets))) for streets in (data.streets, _transpose(data.streets)))
        yield BOTH(place=group[0], out=out, into=into)
    if data.building:
        entries, exits = ([_place_names(groups[k]) for k in ends] for ends in _ends(groups, data.streets))
        yield LOOSE(entries=entries, exits=exits)
        yield FEWEST(fewest=data.fewest)


def checks(task: Task[Data]) -> Checks:
    data = task.data
    directions = data.streets, _transpose(data.streets)
    groups = {i: group for group in data.groups for i in group}
    loose = [
        sorted(group for group in data.groups if all(groups[a] == group for a, b in streets if groups[b] == group))
        for streets in directions
    ]

    def is_reached(place: int, out: str, into: str) -> bool:
        return 0 < place <= data.places and (out, into) == tuple(_place_names(tuple(_reachable(place, streets))) for streets in directions)

    def are_loose(entries: tuple[str, ...], exits: tuple[str, ...]) -> bool:
        named = [sorted(tuple(int(word.removeprefix("P")) for word in row.split(" ")) for row in rows) for rows in (entries, exits)]
        return data.building and named == loose

    return {BOTH: is_reached, LOOSE: are_loose, FEWEST: lambda fewest: data.building and fewest == max(map(len, loose))}


def picture(task: Task[Data]) -> str:
    streets = [(f"P{a}", f"P{b}") for a, b in task.data.streets]
    return pictures.network([f"P{i + 1}" for i in range(task.data.places)], streets, directed=True)


def _sample_task(rng: Rng, knobs: Knobs, rings: bool) -> Task[Data]:
    count, building = knobs.places, knobs.question == "streets"
    while True:
        streets_so_far: dict[Street, None] = _sample_rings(rng, count, count * knobs.streets // 100) if rings else {}
        while len(streets_so_far) < count * knobs.streets // 100:
            a, b = rng.sample(range(1, count + 1), 2)
            streets_so_far[a, b] = None
        streets = tuple(rng.shuffled(list(streets_so_far)))
        groups = _components(count, streets)
        if len(groups) > 1 and (building or len(groups) < count):
            break
    data = Data(places=count, streets=streets, building=building, groups=tuple(groups), fewest=_fewest(groups, streets))
    listing = "\n".join(f"P{a} -> P{b}" for a, b in streets)
    question = (
        "Build as few new one-way streets as possible so that afterwards every place can be reached from every other one. A new street may join any two "
        "different places. Write each new street on a line of its own, in the way of the list above"
        if building
        else "Two places belong to one group if each can be reached from the other, directly or through other places. A place that shares this with no other "
        "place is a group of its own. Write each group on a line of its own, with its places separated by spaces. Any order will do"
    )
    return Task(f"There are {count} places, P1 to P{count}, and these one-way streets:\n{listing}\n\n{question}.", data)


def _sample_rings(rng: Rng, count: int, street_count: int) -> dict[Street, None]:
    """The wanted number of streets: rings of up to five places, and the rest of the streets from earlier to later rings."""
    corners_left, streets_so_far, order = rng.shuffled(range(1, count + 1)), dict[Street, None](), list[tuple[int, ...]]()
    while corners_left:
        ring = tuple(corners_left.pop() for _ in range(min(len(corners_left), rng.integer(1, 1 + min(4, count // 2)))))
        order.append(ring)
        if len(ring) > 1:
            streets_so_far |= dict.fromkeys(zip(ring, ring[1:] + ring[:1], strict=True))
    places_in_order = [(k, place) for k, ring in enumerate(order) for place in ring]
    later = [(a, b) for k, a in places_in_order for m, b in places_in_order if k < m]
    return streets_so_far | dict.fromkeys(rng.sample(later, min(len(later), max(0, street_count - len(streets_so_far)))))


def _transpose(streets: tuple[Street, ...]) -> tuple[Street, ...]:
    return tuple((b, a) for a, b in streets)


def _reachable(start: int, streets: tuple[Street, ...]) -> list[int]:
    """The places that a place reaches, itself included, in order."""
    seen = [start]
    for place in seen:
        seen += dict.fromkeys(b for a, b in streets if a == place and b not in seen)
    return sorted(seen)


def _place_names(group: tuple[int, ...]) -> str:
    return " ".join(f"P{i}" for i in group)


def _render_answer(data: Data, order: range) -> tuple[str, ...]:
    groups = _kosaraju(data, order)
    if not data.building:
        return tuple(map(_place_names, groups))
    of = {i: k for k, group in enumerate(groups) for i in group}
    between = tuple((of[a], of[b]) for a, b in data.streets)
    new: list[Street] = []
    # A new street from an end to a beginning is kept if one street less is then enough; some such street always is.
    while fewest := _fewest_between(len(groups), (*between, *new)):
        entries, exits = _loose(len(groups), (*between, *new))
        for street in ((b, a) for b in exits for a in entries if a != b):
            if _fewest_between(len(groups), (*between, *new, street)) < fewest:
                new.append(street)
                break
    return tuple(f"P{groups[a][0]} -> P{groups[b][0]}" for a, b in new)


def _fewest_between(count: int, streets: tuple[Street, ...]) -> int:
    """The same for places 0 to count-1."""
    moved = tuple((a + 1, b + 1) for a, b in streets)
    return _fewest(_components(count, moved), moved)


def _loose(count: int, streets: tuple[Street, ...]) -> tuple[list[int], list[int]]:
    """Of each group of 0 to count-1 that nothing enters, and of each that nothing leaves, one place."""
    moved = tuple((a + 1, b + 1) for a, b in streets)
    groups = _components(count, moved)
    entries, exits = _ends(groups, moved)
    return [groups[k][0] - 1 for k in entries], [groups[k][0] - 1 for k in exits]


def _fewest(groups: Groups, streets: tuple[Street, ...]) -> int:
    """The least number of new streets that make the graph strongly connected (Eswaran and Tarjan)."""
    return 0 if len(groups) == 1 else max(map(len, _ends(groups, streets)))


def _ends(groups: Groups, streets: tuple[Street, ...]) -> tuple[list[int], list[int]]:
    """Which groups nothing enters, and which nothing leaves."""
    of = {i: k for k, group in enumerate(groups) for i in group}
    entered = {of[b] for a, b in streets if of[a] != of[b]}
    component_edges = {of[a] for a, b in streets if of[a] != of[b]}
    return [k for k in range(len(groups)) if k not in entered], [k for k in range(len(groups)) if k not in component_edges]


def _transitive_closure(count: int, streets: tuple[Street, ...]) -> list[int]:
    """For each place the bits of all places that it reaches, itself included."""
    reach = [1 << i for i in range(count)]
    for a, b in streets:
        reach[a - 1] |= 1 << b - 1
    for middle in range(count):
        beyond = reach[middle]
        reach = [mask | beyond if mask >> middle & 1 else mask for mask in reach]
    return reach


def _components(count: int, streets: tuple[Street, ...]) -> Groups:
    """The strongly connected components, from the transitive closure."""
    reach, back = _transitive_closure(count, streets), _transitive_closure(count, tuple((b, a) for a, b in streets))
    return [tuple(i + 1 for i in places(mask)) for mask in dict.fromkeys(a & b for a, b in zip(reach, back, strict=True))]


def _kosaraju(data: Data, order: range) -> Groups:
    """The strongly connected components by two depth-first searches (Kosaraju)."""
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
            place, leaving = waiting.pop()
            if leaving:
                finished.append(place)
            elif place not in seen:
                seen.add(place)
                waiting += [(place, True), *((other, False) for other in out[place])]
    groups: Groups = []
    seen = set()
    for start in reversed(finished):
        group, walk = [], [start]
        while walk:
            place = walk.pop()
            if place not in seen:
                seen.add(place)
                group.append(place)
                walk += into[place]
        if group:
            groups.append(tuple(sorted(group)))
    return groups


def _other_answers(task: Task[Data]) -> Iterator[tuple[str, ...]]:
    for order in (range(task.data.places, 0, -1), range(1, task.data.places + 1)):
        lines = _render_answer(task.data, order)
        yield lines[::-1]
        if not task.data.building:
            yield tuple(" ".join(line.split()[::-1]) for line in lines)


environment = Environment(
    Knobs, Lines("the lines described above", max_items=200), generate, solve, verify, mistakes, cost,
    solution=Solution(derive, "The answer is:\n{answer}", checks), shift=shift, picture=picture, answers="many", solutions=_other_answers,
    shared_helpers="The helper closes reachability, which is the definition of a component.",
    concept="Two places share a group if each reaches the other; once groups are drawn as points, only those without a way in or without a way out count.",
    version=3,
)  # fmt: skip
