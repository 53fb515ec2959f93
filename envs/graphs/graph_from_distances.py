"""Draw a tree of roads from a table of the distances between some of its places.

At the harder level only the outermost places stand in the table, and forks between them must be found. Any tree with these distances is accepted.
"""

from collections.abc import Iterator, Sequence

from rlgym import Config, Environment, Rng, Score, Task, TaskData, knob
from rlgym.answers import Lines
from rlgym.generators import graphs
from rlgym.generators.steps import Line, first_wrong

Roads = list[tuple[str, str, int]]


class Knobs(Config):
    places: int = knob(6, easy=3, hard=16, doc="how many places stand in the table")
    longest: int = knob(9, easy=5, hard=40, doc="how long a road is at most")
    shown: str = knob(
        "all",
        easy="all",
        hard="outer",
        order=("all", "some", "outer"),
        doc="whether all places, some, or only the outermost stand in the table",
    )
    forks: str = knob("two", easy="two", hard="any", order=("two", "any"), doc="into how many ways a road forks")


class Data(TaskData):
    places: tuple[str, ...]
    table: tuple[tuple[int, ...], ...]
    shown: str


def generate(rng: Rng, knobs: Knobs) -> Task[Data]:
    """Bushy trees: a new branch leaves from anywhere."""
    return _made(rng, knobs, 10**6)


def shift(rng: Rng, knobs: Knobs) -> Task[Data]:
    """Long trees: a new branch leaves near where the last one did."""
    return _made(rng, knobs, 2)


def _made(rng: Rng, knobs: Knobs, back: int) -> Task[Data]:
    count = knobs.places
    roads: Roads = [("p0", "p1", rng.integer(2, knobs.longest))]
    forks: list[str] = []
    for k in range(2, count):
        # A branch from the middle of a road makes a fork; from a fork, a wider fork; from a place, a place that is passed through.
        way = rng.weighted(("road", "fork", "place"), (4, 2 * (knobs.forks == "any"), {"all": 40, "some": 3, "outer": 0}[knobs.shown]))
        a, b, length = roads[rng.integer(max(0, len(roads) - back), len(roads) - 1)]
        root = f"f{len(forks)}"
        if way == "fork" and forks:
            root = forks[rng.integer(max(0, len(forks) - back), len(forks) - 1)]
        elif way == "place":
            root = b if b[0] == "p" else a if a[0] == "p" else "p0"
        else:
            roads.remove((a, b, length))
            cut = rng.integer(1, knobs.longest)
            roads += [(a, root, cut), (root, b, length)]
            forks.append(root)
        roads.append((root, f"p{k}", rng.integer(1, knobs.longest)))
    nodes = list(dict.fromkeys(end for road in roads for end in road[:2]))
    inner = nodes if knobs.shown == "all" else [node for node in nodes if node[0] == "p"]
    names = dict(zip(inner, graphs.letters(rng, len(inner)), strict=True))
    far = graphs.distances(nodes, roads)
    places = tuple(sorted(names.values()))
    node = {name: old for old, name in names.items()}
    table = tuple(tuple(far[node[a], node[b]] for b in places) for a in places)
    data = Data(places=places, table=table, shown=knobs.shown)
    listing = "\n".join([" ".join(["-", *places])] + [" ".join([name, *map(str, row)]) for name, row in zip(places, table, strict=True)])
    more = {
        "all": "There are no other places and no forks outside of places.",
        "some": "Roads may also meet at forks that do not stand in the table; name these X1, X2 and so on. Roads may also pass through places.",
        "outer": "Roads may also meet at forks that do not stand in the table; name these X1, X2 and so on. No place of the table lies between two others.",
    }[knobs.shown]
    prompt = (
        f"Roads join places, and there is exactly one way between any two of them (the roads form a tree). The table has the length of this way:\n{listing}\n\n"
        f"{more} All roads have whole lengths of at least 1.\n\nFind all roads. Write each on a line of its own, its two ends and its length separated by "
        "spaces, in any order."
    )
    return Task(prompt, data)


def solve(task: Task[Data]) -> tuple[str, ...]:
    return _told(_grown(task.data, range(len(task.data.places)))[0])


def verify(task: Task[Data], answer: tuple[str, ...]) -> Score:
    data = task.data
    if len(answer) > 3 * len(data.places):
        return Score.wrong("there are too many roads")
    near: dict[str, list[tuple[str, int]]] = {}
    for line in answer:
        words = line[:80].replace(",", " ").replace(":", " ").upper().split()
        if len(words) != 3 or not (words[2].isascii() and words[2].isdigit() and 0 < len(words[2]) < 7 and int(words[2]) > 0):
            return Score.wrong("every line must have two ends and a whole length of at least 1")
        near.setdefault(words[0], []).append((words[1], int(words[2])))
        near.setdefault(words[1], []).append((words[0], int(words[2])))
    if not set(data.places) <= set(near) or len(near) != len(answer) + 1:
        return Score.wrong("the roads must form a tree that has all places of the table")
    forks = [name for name in near if name not in data.places]
    if any(data.shown == "all" or name[0] != "X" or not (name[1:].isascii() and name[1:].isdigit()) for name in forks):
        return Score.wrong("there is a place that does not stand in the table and is not named as a fork")
    for start, row in zip(data.places, data.table, strict=True):
        far, walk = {start: 0}, [start]
        while walk:
            here = walk.pop()
            for there, length in near[here]:
                if there not in far:
                    far[there] = far[here] + length
                    walk.append(there)
        if len(far) < len(near):
            return Score.wrong("the roads do not hang together")
        for end, length in zip(data.places, row, strict=True):
            if far[end] != length:
                return Score.wrong(f"the way from {start} to {end} does not have the length of the table")
    return Score.exact(True)


def mistakes(task: Task[Data], right: tuple[str, ...]) -> list[tuple[str, ...]]:
    data = task.data
    star = tuple(f"{data.places[0]} {name} {length}" for name, length in zip(data.places[1:], data.table[0][1:], strict=True))
    chain = tuple(f"{data.places[i]} {data.places[i + 1]} {data.table[i][i + 1]}" for i in range(len(data.places) - 1))
    a, b, length = right[0].split()
    longer = (f"{a} {b} {int(length) + 1}", *right[1:])
    every = tuple(f"{a} {b} {data.table[i][j]}" for i, a in enumerate(data.places) for j, b in enumerate(data.places[:i]))
    return [star, chain, longer, right[:-1] or every, every, (*right, right[0])]


def cost(task: Task[Data]) -> float:
    data = task.data
    return len(data.places) ** 2 * {"all": 1, "some": 1.5, "outer": 2}[data.shown] + max(map(max, data.table)) / 10


FIRST = Line("Begin with one way of the length {length} from {root} to {place}")
NEXT = Line(
    "{place}: of those before it, {best} gives the most in ({root_place} + {root_best} - {apart}) / 2 = {stem}, "
    "so {place_} leaves the way from {root} to {best_} at {stem_} from {root_}, and has {own} left to go"
)
END = Line("Putting these branches on one after the other gives\n{answer}")


def explain(task: Task[Data]) -> list[str]:
    data, steps = task.data, []
    root = data.places[0]
    steps.append(FIRST.write(length=data.table[0][1], root=root, place=data.places[1]))
    for k in range(2, len(data.places)):
        stem, best = _stem(data.table, range(len(data.places)), k)
        place, other = data.places[k], data.places[best]
        named = {"place": place, "place_": place, "best": other, "best_": other, "root": root, "root_": root, "stem": stem, "stem_": stem}
        numbers = {
            "root_place": data.table[0][k],
            "root_best": data.table[0][best],
            "apart": data.table[k][best],
            "own": data.table[0][k] - stem,
        }
        steps.append(NEXT.write(**named, **numbers))
    return [*steps, END.write(answer=environment.answer.render(solve(task)))]


def replay(task: Task[Data], steps: Sequence[str]) -> int | None:
    data = task.data
    done = [0]

    def follows(step: str) -> bool:
        if said := FIRST.read(step):
            done.append(data.places.index(said["place"]))
            return len(done) == 2 and said["root"] == data.places[0] and int(said["length"]) == data.table[0][done[1]]
        said = NEXT.read(step)
        if said is None:
            return False
        k, best = data.places.index(said["place"]), data.places.index(said["best"])
        stems = {other: (data.table[0][k] + data.table[0][other] - data.table[k][other]) // 2 for other in done[1:]}
        numbers = (data.table[0][k], data.table[0][best], data.table[k][best], data.table[0][k] - stems[best])
        same = said["place_"] == said["place"] and said["best_"] == said["best"] and said["root"] == said["root_"] == data.places[0]
        fits = k not in done and stems[best] == max(stems.values()) == int(said["stem"]) == int(said["stem_"])
        done.append(k)
        return same and fits and tuple(int(said[gap]) for gap in ("root_place", "root_best", "apart", "own")) == numbers

    def ends(step: str) -> bool:
        said = END.read(step)
        return bool(said and len(done) == len(data.places) and verify(task, environment.answer.parse(said["answer"])).value == 1)

    return first_wrong(steps, follows, ends)


def _stem(table: Sequence[Sequence[int]], order: Sequence[int], k: int) -> tuple[int, int]:
    """How far the ways from the first place to the k-th one and to an earlier one run together at most, and to which one that is."""
    root, new = order[0], order[k]
    stems = [((table[root][new] + table[root][old] - table[new][old]) // 2, -i) for i, old in enumerate(order[1:k], 1)]
    stem, place = max(stems)
    return stem, order[-place]


def _grown(data: Data, order: Sequence[int]) -> tuple[Roads, int]:
    """The roads, found by putting place after place onto the tree, and how many forks they have."""
    names, table = data.places, data.table
    up: dict[str, tuple[str, int]] = {names[order[1]]: (names[order[0]], table[order[0]][order[1]])}
    far = {names[order[0]]: 0, names[order[1]]: table[order[0]][order[1]]}
    forks = 0
    for k in range(2, len(order)):
        stem, best = _stem(table, order, k)
        name, length = names[order[k]], table[order[0]][order[k]]
        here = names[best]
        while far[here] > stem and far[up[here][0]] >= stem:
            here = up[here][0]
        if far[here] == stem == length:
            # The place is a fork that was found before.
            up = {name if low == here else low: (name if above == here else above, own) for low, (above, own) in up.items()}
            far[name] = far.pop(here)
            continue
        if far[here] == stem:
            joint = here
        else:
            joint = name if length == stem else f"X{forks + 1}"
            forks += joint != name
            above = up[here][0]
            up[joint], up[here], far[joint] = (above, stem - far[above]), (joint, far[here] - stem), stem
        if joint != name:
            up[name], far[name] = (joint, length - stem), length
    return [(above, name, length) for name, (above, length) in up.items()], forks


def _told(roads: Roads) -> tuple[str, ...]:
    return tuple(f"{a} {b} {length}" for a, b, length in roads)


def _others(task: Task[Data]) -> Iterator[tuple[str, ...]]:
    for order in (range(len(task.data.places) - 1, -1, -1), [1, 0, *range(2, len(task.data.places))]):
        roads, _ = _grown(task.data, list(order))
        yield _told(sorted(roads))
        yield _told([(b, a, length) for a, b, length in roads])


environment = Environment(
    Knobs,
    Lines("one road per line, as described above", most=200),
    generate,
    solve,
    verify,
    mistakes,
    cost,
    explain,
    replay,
    shift,
    answers="many",
    solutions=_others,
    concept="Seen from one place, the ways to two others run together for half of what their distances exceed the distance between them.",
)
