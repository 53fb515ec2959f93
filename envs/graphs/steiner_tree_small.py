"""Join a few given places by cables at the least cost; cables may run through other places.

Any cheapest choice of cables is accepted. The least cost is proved by a table of what joining each group of the given places costs.
"""

from collections.abc import Iterator, Sequence
from itertools import combinations

from rlgym import Config, Environment, Rng, Score, Task, TaskData, knob
from rlgym.answers import Words
from rlgym.generators import graphs, pictures
from rlgym.generators.steps import Line, first_wrong

Cables = tuple[tuple[str, str, int], ...]
Row = dict[str, int]


class Knobs(Config):
    places: int = knob(8, easy=4, hard=17, doc="how many places there are")
    given: int = knob(3, easy=2, hard=6, doc="how many of them must be joined")
    extra: int = knob(60, easy=30, hard=90, doc="cables beyond those of a tree, in percent of the places")
    fees: str = knob("none", easy="none", hard="own", order=("none", "own"), doc="whether using a place that is not given costs a fee")


class Data(TaskData):
    cables: Cables
    given: tuple[str, ...]
    fees: tuple[tuple[str, int], ...]
    least: int


def generate(rng: Rng, knobs: Knobs) -> Task[Data]:
    return _made(rng, knobs, ("random", "ring"), 3, 12)


def shift(rng: Rng, knobs: Knobs) -> Task[Data]:
    return _made(rng, knobs, ("lattice", "near", "hubs"), 8, 11)


def _made(rng: Rng, knobs: Knobs, families: tuple[str, ...], low: int, high: int) -> Task[Data]:
    count = knobs.places
    given_count, most = min(knobs.given, count - 1), count * (count - 1) // 2 - 1
    while True:
        names = graphs.letters(rng, count)
        edges = graphs.drawn(rng, rng.choice(families), count, min(most, count - 1 + max(1, count * knobs.extra // 100)))
        cables = tuple((a, b, rng.integer(low, high)) for a, b in graphs.listed(rng, edges, names))
        given = tuple(sorted(rng.sample(names, given_count)))
        fees = tuple((name, rng.integer(1, 6)) for name in sorted(names) if name not in given) if knobs.fees == "own" else ()
        rows = _rows(cables, given, dict(fees))
        least = rows[given[:-1]][given[-1]]
        if not any({a, b} == set(given) for a, b, _ in cables):
            break
    data = Data(cables=cables, given=given, fees=fees, least=least)
    listing = "\n".join(f"{a}-{b}: {price}" for a, b, price in cables)
    told = ", ".join(f"{name} {fee}" for name, fee in fees)
    paid = f" Every other place at which a used cable ends costs a fee once: {told}." if fees else " Cables may run through other places."
    prompt = (
        f"These cables can be laid between places, each at its price:\n{listing}\n\nThe places {', '.join(given)} must all be joined to each other, directly "
        f"or through other places.{paid}\n\nChoose cables so that the total cost is least. Write each as its two places with a hyphen between, in any order."
    )
    return Task(prompt, data)


def solve(task: Task[Data]) -> tuple[str, ...]:
    return next(_trees(task.data, False))


def verify(task: Task[Data], answer: tuple[str, ...]) -> Score:
    data, fees = task.data, dict(task.data.fees)
    prices = {_plain(f"{a}-{b}"): price for a, b, price in data.cables}
    chosen = [_plain(word) for word in answer]
    if len(set(chosen)) < len(chosen) or not set(chosen) <= set(prices):
        return Score.wrong("every cable must be one of the list, and be given once")
    near: dict[str, list[str]] = {}
    for cable in chosen:
        a, b = cable.split("-")
        near.setdefault(a, []).append(b)
        near.setdefault(b, []).append(a)
    seen, walk = {data.given[0]}, [data.given[0]]
    while walk:
        for there in near.get(walk.pop(), ()):
            if there not in seen:
                seen.add(there)
                walk.append(there)
    if not set(data.given) <= seen:
        return Score.wrong("some of the given places are not joined")
    total = sum(prices[cable] for cable in chosen) + sum(fees.get(place, 0) for place in near)
    return Score.exact(total == data.least, "the given places can be joined for less")


def mistakes(task: Task[Data], right: tuple[str, ...]) -> list[tuple[str, ...]]:
    data = task.data
    every = sorted(data.cables, key=lambda cable: (cable[2], cable))
    group = {name: name for cable in every for name in cable[:2]}
    spanning = []
    for a, b, _ in every:
        if group[a] != group[b]:
            spanning.append(f"{a}-{b}".lower())
            group = {name: group[a] if label == group[b] else label for name, label in group.items()}
    spare = next((f"{a}-{b}".lower() for a, b, _ in every if _plain(f"{a}-{b}") not in {_plain(word) for word in right}), "z-z")
    cheapest = tuple(f"{a}-{b}".lower() for a, b, _ in every[: len(right)])
    return [tuple(spanning), right[:-1] or (spare,), (*right, spare), cheapest, (*right, right[0]), ("-".join(data.given).lower(),)]


def cost(task: Task[Data]) -> float:
    data = task.data
    return len(data.cables) * 2.0 ** len(data.given) * (2 if data.fees else 1)


FAR = Line("The cheapest way from {group} alone: {row}")
JOINED = Line("Joining {group} to one more place, where the group is split or a cable away: {row}")
END = Line("Joining all of {given} costs {least} at least, which these cost: {answer}")


def explain(task: Task[Data]) -> list[str]:
    data = task.data
    rows = _rows(data.cables, data.given, dict(data.fees))
    steps = [_FEES] if data.fees else []
    for group in sorted(rows, key=lambda group: (len(group), group)):
        row = ", ".join(f"{name} {rows[group][name]}" for name in sorted(rows[group]))
        steps.append((FAR if len(group) == 1 else JOINED).write(group=" ".join(group), row=row))
    return [*steps, END.write(given=" ".join(data.given), least=data.least, answer=" ".join(solve(task)))]


_FEES = "All costs below count the fees of the places that are used, those at the end too"


def replay(task: Task[Data], steps: Sequence[str]) -> int | None:
    data, fees = task.data, dict(task.data.fees)
    names = sorted({name for a, b, _ in data.cables for name in (a, b)})
    rows: dict[tuple[str, ...], Row] = {}

    def follows(step: str) -> bool:
        said = FAR.read(step) or JOINED.read(step)
        if said is None:
            return step == _FEES and not rows and bool(fees)
        group = tuple(said["group"].split())
        row = {name: int(price) for name, price in (pair.split(" ") for pair in said["row"].split(", "))}
        if list(row) != names or not set(group) <= set(data.given) or (len(group) == 1) != (FAR.read(step) is not None):
            return False
        bases = {name: _split(rows, group, name, fees) for name in names} if len(group) > 1 else {group[0]: fees.get(group[0], 0)}
        # A row is right if it cannot be improved along any cable, and every entry is a base or is reached along a cable.
        reached = dict(bases)
        for a, b, price in data.cables:
            for one, other in ((a, b), (b, a)):
                reached[other] = min(reached.get(other, 1 << 60), row[one] + price + fees.get(other, 0))
        rows[group] = row
        return all(reached[name] == row[name] for name in names)

    def ends(step: str) -> bool:
        said = END.read(step)
        if said is None or verify(task, tuple(said["answer"].split())).value < 1:
            return False
        return tuple(said["given"].split()) == data.given and rows[data.given[:-1]][data.given[-1]] == int(said["least"]) == data.least

    return first_wrong(steps, follows, ends)


def picture(task: Task[Data]) -> str:
    fees = dict(task.data.fees)
    names = sorted({name for a, b, _ in task.data.cables for name in (a, b)})
    label = {name: f"{name} ({fees[name]})" if name in fees else name for name in names}
    edges = [(label[a], label[b], str(price)) for a, b, price in task.data.cables]
    return pictures.network(list(label.values()), edges, marked=task.data.given)


def _plain(word: str) -> str:
    return "-".join(sorted(word.upper().replace("–", "-").split("-", 3)))


def _split(rows: dict[tuple[str, ...], Row], group: tuple[str, ...], name: str, fees: dict[str, int]) -> int:
    """The least cost of joining a group at one place that two parts of it share."""
    parts = [(group[0], *more) for size in range(len(group) - 1) for more in combinations(group[1:], size)]
    rest = {part: tuple(one for one in group if one not in part) for part in parts}
    return min(rows[part][name] + rows[rest[part]][name] for part in parts) - fees.get(name, 0)


def _rows(cables: Cables, given: tuple[str, ...], fees: dict[str, int]) -> dict[tuple[str, ...], Row]:
    """For each group of the given places but the last, and each place, the least cost of joining them (Dreyfus and Wagner)."""
    names = sorted({name for a, b, _ in cables for name in (a, b)})
    near: dict[str, list[tuple[str, int]]] = {name: [] for name in names}
    for a, b, price in cables:
        near[a].append((b, price + fees.get(b, 0)))
        near[b].append((a, price + fees.get(a, 0)))
    rows: dict[tuple[str, ...], Row] = {}
    for size in range(1, len(given)):
        for group in combinations(given[:-1], size):
            row = {group[0]: fees.get(group[0], 0)} if size == 1 else {name: _split(rows, group, name, fees) for name in names}
            open_ = sorted(row, key=lambda name: row[name])
            while open_:
                here = min(open_, key=lambda name: row[name])
                open_.remove(here)
                for there, price in near[here]:
                    if row[here] + price < row.get(there, 1 << 60):
                        open_ += [] if there in open_ else [there]
                        row[there] = row[here] + price
            rows[group] = row
    return rows


def _trees(data: Data, turned: bool) -> Iterator[tuple[str, ...]]:
    """Cheapest trees by trying which other places are forks, at most two fewer than given ones, and joining all by shortest ways."""
    fees = dict(data.fees)
    names = sorted({name for a, b, _ in data.cables for name in (a, b)}, reverse=turned)
    # Twice the prices, with a fee at each end: so a way pays the fees of its inner places twice, and those of its ends once.
    double = [(a, b, 2 * price + fees.get(a, 0) + fees.get(b, 0)) for a, b, price in data.cables[:: -1 if turned else 1]]
    far = graphs.distances(names, double)
    others = [name for name in names if name not in data.given]
    for more in (more for size in range(max(1, len(data.given) - 1)) for more in combinations(others, size)):
        joined, left = [data.given[0]], [*data.given[1:], *more]
        total, ways = sum(fees.get(name, 0) for name in more), []
        while left:
            price, a, b = min(((far[a, b] - fees.get(a, 0) - fees.get(b, 0)) // 2, a, b) for a in joined for b in left)
            total += price
            ways.append((a, b))
            joined.append(b)
            left.remove(b)
        if total == data.least:
            yield tuple(dict.fromkeys(cable for a, b in ways for cable in _way(double, far, a, b)))


def _way(cables: Sequence[tuple[str, str, int]], far: dict[tuple[str, str], int], start: str, end: str) -> Iterator[str]:
    while end != start:
        before = next(
            a if b == end else b for a, b, price in cables if end in (a, b) and _before(far, start, end, a if b == end else b) == price
        )
        yield f"{before}-{end}".lower()
        end = before


def _before(far: dict[tuple[str, str], int], start: str, end: str, before: str) -> int:
    return far[start, end] - far[start, before]


def _others(task: Task[Data]) -> Iterator[tuple[str, ...]]:
    for tree in _trees(task.data, True):
        yield tree[::-1]
        yield tuple("-".join(cable.split("-")[::-1]) for cable in tree)


environment = Environment(
    Knobs,
    Words("the chosen cables, separated by spaces", most=100, fold=True),
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
    concept="Joining a group at a place splits it into two groups that meet there; so the cost for groups of three comes from those of one and two, and so on.",
)
