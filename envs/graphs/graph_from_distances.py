"""Draw a tree of roads from a table of the distances between some of its places.

At the harder level only the outermost places stand in the table, and forks between them must be found. Any tree with these distances is accepted.
"""

from collections.abc import Iterator, Sequence

from rlgym import Config, Environment, Rng, Score, Task, TaskData, knob
from rlgym.answers import Lines
from rlgym.generators.graphs import random_graphs
from rlgym.solutions import Derivation, Solution, Step

Roads = list[tuple[str, str, int]]


class Knobs(Config):
    places: int = knob(6, easy=3, hard=16, doc="number of places in the table")
    longest: int = knob(9, easy=5, hard=40, doc="maximum length of a road")
    shown: str = knob(
        "all",
        easy="all",
        hard="outer",
        order=("all", "some", "outer"),
        doc="whether the table lists all places, some, or only the outermost",
    )
    forks: str = knob("two", easy="two", hard="any", order=("two", "any"), doc="degree of the forks")


class Data(TaskData):
    places: tuple[str, ...]
    table: tuple[tuple[int, ...], ...]
    shown: str


def generate(rng: Rng, knobs: Knobs) -> Task[Data]:
    """Bushy trees: a new branch leaves from anywhere."""
    return _sample_task(rng, knobs, 10**6)


def shift(rng: Rng, knobs: Knobs) -> Task[Data]:
    """Long trees: a new branch leaves near where the last one did."""
    return _sample_task(rng, knobs, 2)


def _sample_task(rng: Rng, knobs: Knobs, back: int) -> Task[Data]:
    count = knobs.places
    roads: Roads = [("p0", "p1", rng.integer(2, knobs.longest))]
    forks: list[str] = []
    for k in range(2, count):
        # A branch from the middle of a road makes a fork; from a fork, a wider fork; from a place, a place that is passed through.
        kind = rng.weighted(("road", "fork", "place"), (4, 2 * (knobs.forks == "any"), {"all": 40, "some": 3, "outer": 0}[knobs.shown]))
        a, b, length = roads[rng.integer(max(0, len(roads) - back), len(roads) - 1)]
        root = f"f{len(forks)}"
        if kind == "fork" and forks:
            root = forks[rng.integer(max(0, len(forks) - back), len(forks) - 1)]
        elif kind == "place":
            root = b if b[0] == "p" else a if a[0] == "p" else "p0"
        else:
            roads.remove((a, b, length))
            cut = rng.integer(1, knobs.longest)
            roads += [(a, root, cut), (root, b, length)]
            forks.append(root)
        roads.append((root, f"p{k}", rng.integer(1, knobs.longest)))
    nodes = list(dict.fromkeys(end for road in roads for end in road[:2]))
    shown_nodes = nodes if knobs.shown == "all" else [node for node in nodes if node[0] == "p"]
    names = dict(zip(shown_nodes, random_graphs.sample_names(rng, len(shown_nodes)), strict=True))
    distances = random_graphs.floyd_warshall(nodes, roads)
    places = tuple(sorted(names.values()))
    node = {name: old for old, name in names.items()}
    table = tuple(tuple(distances[node[a], node[b]] for b in places) for a in places)
    data = Data(places=places, table=table, shown=knobs.shown)
    listing = "\n".join([" ".join(["-", *places])] + [" ".join([name, *map(str, row)]) for name, row in zip(places, table, strict=True)])
    more = {
        "all": "There are no other places and no forks outside of places.",
        "some": "Roads may also meet at forks that are not in the table; name these X1, X2 and so on. Roads may also pass through places.",
        "outer": "Roads may also meet at forks that are not in the table; name these X1, X2 and so on. No place of the table lies between two others.",
    }[knobs.shown]
    prompt = (
        "Roads join places, and there is exactly one path between any two of them (the roads form a tree). "
        f"The table gives the length of this path:\n{listing}\n\n"
        f"{more} All lengths are whole numbers of at least 1.\n\nFind all roads. Write each on a line of its own, its two ends and its length separated by "
        "spaces, in any order."
    )
    return Task(prompt, data)


def solve(task: Task[Data]) -> tuple[str, ...]:
    return _road_lines(_add_places(task.data, range(len(task.data.places)))[0])


def verify(task: Task[Data], answer: tuple[str, ...]) -> Score:
    data = task.data
    if len(answer) > 3 * len(data.places):
        return Score.wrong("there are too many roads")
    neighbours: dict[str, list[tuple[str, int]]] = {}
    for line in answer:
        words = line[:80].replace(",", " ").replace(":", " ").upper().split()
        if len(words) != 3 or not (words[2].isascii() and words[2].isdigit() and 0 < len(words[2]) < 7 and int(words[2]) > 0):
            return Score.wrong("every line must have two ends and a whole length of at least 1")
        neighbours.setdefault(words[0], []).append((words[1], int(words[2])))
        neighbours.setdefault(words[1], []).append((words[0], int(words[2])))
    if not set(data.places) <= set(neighbours) or len(neighbours) != len(answer) + 1:
        return Score.wrong("the roads must form a tree that has all places of the table")
    forks = [name for name in neighbours if name not in data.places]
    if any(data.shown == "all" or name[0] != "X" or not (name[1:].isascii() and name[1:].isdigit()) for name in forks):
        return Score.wrong("there is a place that does not stand in the table and is not named as a fork")
    for start, row in zip(data.places, data.table, strict=True):
        distances, walk = {start: 0}, [start]
        while walk:
            current = walk.pop()
            for neighbour, length in neighbours[current]:
                if neighbour not in distances:
                    distances[neighbour] = distances[current] + length
                    walk.append(neighbour)
        if len(distances) < len(neighbours):
            return Score.wrong("the roads are not connected")
        for end, length in zip(data.places, row, strict=True):
            if distances[end] != length:
                return Score.wrong(f"the way from {start} to {end} does not have the length of the table")
    return Score.exact(True)


def mistakes(task: Task[Data], right: tuple[str, ...]) -> list[tuple[str, ...]]:
    data = task.data
    star = tuple(f"{data.places[0]} {name} {length}" for name, length in zip(data.places[1:], data.table[0][1:], strict=True))
    chain = tuple(f"{data.places[i]} {data.places[i + 1]} {data.table[i][i + 1]}" for i in range(len(data.places) - 1))
    a, b, length = right[0].split()
    longer = (f"{a} {b} {int(length) + 1}", *right[1:])
    all_pairs = tuple(f"{a} {b} {data.table[i][j]}" for i, a in enumerate(data.places) for j, b in enumerate(data.places[:i]))
    return [star, chain, longer, right[:-1] or all_pairs, all_pairs, (*right, right[0])]


def cost(task: Task[Data]) -> float:
    data = task.data
    return len(data.places) ** 2 * {"all": 1, "some": 1.5, "outer": 2}[data.shown] + max(map(max, data.table)) / 10


FIRST = Step("Begin with one way of the length {length:int} from {root} to {place}")
NEXT = Step(
    "{place}: of those before it, {best} gives the most in ({root_place:int} + {root_best:int} - {apart:int}) / 2 = {stem:int}, "
    "so {place} leaves the way from {root} to {best} at {stem:int} from {root}, and has {own:int} left to go"
)
END = "Putting these branches on one after the other gives\n{answer}"


def derive(task: Task[Data]) -> Derivation:
    places, table = task.data.places, task.data.table
    placed: list[int] = []

    def begins(length: int, root: str, place: str) -> bool:
        return root == places[0] and length == table[0][places.index(place)]

    def leaves(place: str, best: str, root_place: int, root_best: int, apart: int, stem: int, root: str, own: int) -> bool:
        k, other = places.index(place), places.index(best)
        stems = {old: (table[0][k] + table[0][old] - table[k][old]) // 2 for old in placed}
        numbers = (table[0][k], table[0][other], table[k][other], table[0][k] - stem)
        return (
            root == places[0]
            and k not in (0, *placed)
            and stems[other] == max(stems.values()) == stem
            and (root_place, root_best, apart, own) == numbers
        )

    taken = yield FIRST(length=table[0][1], root=places[0], place=places[1]).accepting(begins)
    placed.append(places.index(taken["place"]))
    while len(placed) < len(places) - 1:
        k = min(set(range(1, len(places))) - set(placed))
        stem, best = _longest_stem(table, [0, *placed, k], len(placed) + 1)
        step = NEXT(
            place=places[k],
            best=places[best],
            root_place=table[0][k],
            root_best=table[0][best],
            apart=table[k][best],
            stem=stem,
            root=places[0],
            own=table[0][k] - stem,
        )
        taken = yield step.accepting(leaves)
        placed.append(places.index(taken["place"]))


def _longest_stem(table: Sequence[Sequence[int]], order: Sequence[int], k: int) -> tuple[int, int]:
    """The longest common stem of the paths from the first place to the k-th and to an earlier place, and that earlier place."""
    root, new = order[0], order[k]
    stems = [((table[root][new] + table[root][old] - table[new][old]) // 2, -i) for i, old in enumerate(order[1:k], 1)]
    stem, place = max(stems)
    return stem, order[-place]


def _add_places(data: Data, order: Sequence[int]) -> tuple[Roads, int]:
    """The roads, found by adding place after place to the tree, and the number of forks."""
    names, table = data.places, data.table
    up: dict[str, tuple[str, int]] = {names[order[1]]: (names[order[0]], table[order[0]][order[1]])}
    distances = {names[order[0]]: 0, names[order[1]]: table[order[0]][order[1]]}
    forks = 0
    for k in range(2, len(order)):
        stem, best = _longest_stem(table, order, k)
        name, length = names[order[k]], table[order[0]][order[k]]
        current = names[best]
        while distances[current] > stem and distances[up[current][0]] >= stem:
            current = up[current][0]
        if distances[current] == stem == length:
            # The place is a fork that was found before.
            up = {name if low == current else low: (name if above == current else above, own) for low, (above, own) in up.items()}
            distances[name] = distances.pop(current)
            continue
        if distances[current] == stem:
            joint = current
        else:
            joint = name if length == stem else f"X{forks + 1}"
            forks += joint != name
            above = up[current][0]
            up[joint], up[current], distances[joint] = (above, stem - distances[above]), (joint, distances[current] - stem), stem
        if joint != name:
            up[name], distances[name] = (joint, length - stem), length
    return [(above, name, length) for name, (above, length) in up.items()], forks


def _road_lines(roads: Roads) -> tuple[str, ...]:
    return tuple(f"{a} {b} {length}" for a, b, length in roads)


def _other_answers(task: Task[Data]) -> Iterator[tuple[str, ...]]:
    for order in (range(len(task.data.places) - 1, -1, -1), [1, 0, *range(2, len(task.data.places))]):
        roads, _ = _add_places(task.data, list(order))
        yield _road_lines(sorted(roads))
        yield _road_lines([(b, a, length) for a, b, length in roads])


environment = Environment(
    Knobs, Lines("one road per line, as described above", max_items=200), generate, solve, verify, mistakes, cost,
    solution=Solution(derive, END, whole=True), shift=shift, answers="many", solutions=_other_answers,
    concept="Seen from one place, the ways to two others run together for half of what their distances exceed the distance between them.",
    version=2,
)  # fmt: skip
