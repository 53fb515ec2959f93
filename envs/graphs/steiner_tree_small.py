"""Join a few given places by cables at the least cost; cables may run through other places.

Any cheapest choice of cables is accepted. The least cost is proved by a table of what joining each group of the given places costs.
"""

from collections.abc import Iterator, Sequence
from itertools import combinations

from rlgym import Config, Environment, Rng, Score, Task, TaskData, knob
from rlgym.answers import Words
from rlgym.generators.drawing import pictures
from rlgym.generators.graphs import random_graphs
from rlgym.generators.graphs.adjacency import adjacency_lists, breadth_first_search
from rlgym.solutions import Checks, Derivation, Solution, Step

Cables = tuple[tuple[str, str, int], ...]
Row = dict[str, int]


class Knobs(Config):
    places: int = knob(8, easy=6, hard=17, beyond=28, doc="how many places there are")
    terminals: int = knob(3, easy=3, hard=6, beyond=9, doc="number of terminals to connect")
    extra: int = knob(60, easy=30, hard=90, doc="cables beyond those of a tree, in percent of the places")
    fees: str = knob("none", easy="none", hard="own", order=("none", "own"), doc="whether using a place that is not given costs a fee")


class Data(TaskData):
    cables: Cables
    given: tuple[str, ...]
    fees: tuple[tuple[str, int], ...]
    least: int


def generate(rng: Rng, knobs: Knobs) -> Task[Data]:
    return _sample_task(rng, knobs, ("random", "ring"), 3, 12)


def shift(rng: Rng, knobs: Knobs) -> Task[Data]:
    return _sample_task(rng, knobs, ("lattice", "near", "hubs"), 8, 11)


def _sample_task(rng: Rng, knobs: Knobs, families: tuple[str, ...], low: int, high: int) -> Task[Data]:
    count = knobs.places
    given_count, most = min(knobs.terminals, count - 1), count * (count - 1) // 2 - 1
    while True:
        names = random_graphs.sample_names(rng, count)
        edges = random_graphs.sample_graph(rng, rng.choice(families), count, min(most, count - 1 + max(1, count * knobs.extra // 100)))
        cables = tuple((a, b, rng.integer(low, high)) for a, b in random_graphs.sample_edge_list(rng, edges, names))
        given = tuple(sorted(rng.sample(names, given_count)))
        fees = tuple((name, rng.integer(1, 6)) for name in sorted(names) if name not in given) if knobs.fees == "own" else ()
        rows = _dreyfus_wagner(cables, given, dict(fees))
        least = rows[given[:-1]][given[-1]]
        if not any({a, b} == set(given) for a, b, _ in cables):
            break
    data = Data(cables=cables, given=given, fees=fees, least=least)
    listing = "\n".join(f"{a}-{b}: {price}" for a, b, price in cables)
    fee_list = ", ".join(f"{name} {fee}" for name, fee in fees)
    paid = (
        f" Every other place at which a used cable ends costs a fee once: {fee_list}." if fees else " Cables may run through other places."
    )
    prompt = (
        f"These cables can be laid between places, each at its price:\n{listing}\n\nThe places {', '.join(given)} must all be joined to each other, directly "
        f"or through other places.{paid}\n\nChoose cables so that the total cost is least. Write each as its two places with a hyphen between, in any order."
    )
    return Task(prompt, data)


def solve(task: Task[Data]) -> tuple[str, ...]:
    return next(_trees(task.data, False))


def verify(task: Task[Data], answer: tuple[str, ...]) -> Score:
    data, fees = task.data, dict(task.data.fees)
    prices = {_normalise(f"{a}-{b}"): price for a, b, price in data.cables}
    chosen = [_normalise(word) for word in answer]
    if len(set(chosen)) < len(chosen) or not set(chosen) <= set(prices):
        return Score.wrong("every cable must be one of the list, and be given once")
    neighbours = adjacency_lists((a, b) for a, b in (cable.split("-") for cable in chosen))
    if not set(data.given) <= set(breadth_first_search(neighbours, data.given[0])):
        return Score.wrong("some of the given places are not joined")
    total = sum(prices[cable] for cable in chosen) + sum(fees.get(place, 0) for place in neighbours)
    return Score.exact(total == data.least, "the given places can be joined for less")


def mistakes(task: Task[Data], right: tuple[str, ...]) -> list[tuple[str, ...]]:
    data = task.data
    by_price = sorted(data.cables, key=lambda cable: (cable[2], cable))
    group = {name: name for cable in by_price for name in cable[:2]}
    spanning = []
    for a, b, _ in by_price:
        if group[a] != group[b]:
            spanning.append(f"{a}-{b}".lower())
            group = {name: group[a] if label == group[b] else label for name, label in group.items()}
    spare = next((f"{a}-{b}".lower() for a, b, _ in by_price if _normalise(f"{a}-{b}") not in {_normalise(word) for word in right}), "z-z")
    cheapest = tuple(f"{a}-{b}".lower() for a, b, _ in by_price[: len(right)])
    return [tuple(spanning), right[:-1] or (spare,), (*right, spare), cheapest, (*right, right[0]), ("-".join(data.given).lower(),)]


def cost(task: Task[Data]) -> float:
    data = task.data
    return len(data.cables) * 2.0 ** len(data.given) * (2 if data.fees else 1)


FAR = Step("The cheapest way from {group} alone: {row:words}")
JOINED = Step("Joining {group} to one more place, where the group is split or a cable away: {row:words}")
FEES = Step("All costs below count the fees of the places that are used, those at the end too")
END = Step("Joining all of {given} costs {least:int} at least, which these cost: {answer}")


def derive(task: Task[Data]) -> Derivation:
    data = task.data
    rows = _dreyfus_wagner(data.cables, data.given, dict(data.fees))
    if data.fees:
        yield FEES()
    for group in sorted(rows, key=lambda group: (len(group), group)):
        row = [f"{name} {rows[group][name]}" for name in sorted(rows[group])]
        yield (FAR if len(group) == 1 else JOINED)(group=" ".join(group), row=row)
    yield END(given=" ".join(data.given), least=data.least, answer=" ".join(solve(task)))


def checks(task: Task[Data]) -> Checks:
    data, fees = task.data, dict(task.data.fees)
    names = sorted({name for a, b, _ in data.cables for name in (a, b)})
    rows: dict[tuple[str, ...], Row] = {}

    def is_row(members: tuple[str, ...], row: tuple[str, ...]) -> bool:
        costs = {name: int(price) for name, price in (pair.split(" ") for pair in row)}
        if list(costs) != names or not set(members) <= set(data.given):
            return False
        bases = {name: _split(rows, members, name, fees) for name in names} if len(members) > 1 else {members[0]: fees.get(members[0], 0)}
        # A row is right if it cannot be improved along any cable, and every entry is a base or is reached along a cable.
        reached = dict(bases)
        for a, b, price in data.cables:
            for first, second in ((a, b), (b, a)):
                reached[second] = min(reached.get(second, 1 << 60), costs[first] + price + fees.get(second, 0))
        rows[members] = costs
        return all(reached[name] == costs[name] for name in names)

    def is_least(given: str, least: int, answer: str) -> bool:
        return tuple(given.split()) == data.given and rows[data.given[:-1]][data.given[-1]] == least == data.least

    return {
        FAR: lambda group, row: len(group.split()) == 1 and is_row(tuple(group.split()), row),
        JOINED: lambda group, row: len(group.split()) > 1 and is_row(tuple(group.split()), row),
        FEES: lambda: not rows and bool(fees),
        END: is_least,
    }


def picture(task: Task[Data]) -> str:
    fees = dict(task.data.fees)
    names = sorted({name for a, b, _ in task.data.cables for name in (a, b)})
    label = {name: f"{name} ({fees[name]})" if name in fees else name for name in names}
    edges = [(label[a], label[b], str(price)) for a, b, price in task.data.cables]
    return pictures.network(list(label.values()), edges, marked=task.data.given)


def _normalise(word: str) -> str:
    return "-".join(sorted(word.upper().replace("–", "-").split("-", 3)))


def _split(rows: dict[tuple[str, ...], Row], group: tuple[str, ...], name: str, fees: dict[str, int]) -> int:
    """The least cost of joining a group at one place that two parts of it share."""
    parts = [(group[0], *more) for size in range(len(group) - 1) for more in combinations(group[1:], size)]
    rest = {part: tuple(terminal for terminal in group if terminal not in part) for part in parts}
    return min(rows[part][name] + rows[rest[part]][name] for part in parts) - fees.get(name, 0)


def _dreyfus_wagner(cables: Cables, given: tuple[str, ...], fees: dict[str, int]) -> dict[tuple[str, ...], Row]:
    """For each group of the given places but the last, and each place, the least cost of joining them (Dreyfus and Wagner)."""
    names = sorted({name for a, b, _ in cables for name in (a, b)})
    neighbours: dict[str, list[tuple[str, int]]] = {name: [] for name in names}
    for a, b, price in cables:
        neighbours[a].append((b, price + fees.get(b, 0)))
        neighbours[b].append((a, price + fees.get(a, 0)))
    rows: dict[tuple[str, ...], Row] = {}
    for size in range(1, len(given)):
        for group in combinations(given[:-1], size):
            row = {group[0]: fees.get(group[0], 0)} if size == 1 else {name: _split(rows, group, name, fees) for name in names}
            frontier = sorted(row, key=lambda name: row[name])
            while frontier:
                current = min(frontier, key=lambda name: row[name])
                frontier.remove(current)
                for neighbour, price in neighbours[current]:
                    if row[current] + price < row.get(neighbour, 1 << 60):
                        frontier += [] if neighbour in frontier else [neighbour]
                        row[neighbour] = row[current] + price
            rows[group] = row
    return rows


def _trees(data: Data, turned: bool) -> Iterator[tuple[str, ...]]:
    """Cheapest trees by trying each set of further branching places and joining all by shortest paths (Prim)."""
    fees = dict(data.fees)
    names = sorted({name for a, b, _ in data.cables for name in (a, b)}, reverse=turned)
    # Twice the prices, with a fee at each end: so a way pays the fees of its inner places twice, and those of its ends once.
    double = [(a, b, 2 * price + fees.get(a, 0) + fees.get(b, 0)) for a, b, price in data.cables[:: -1 if turned else 1]]
    distances = random_graphs.floyd_warshall(names, double)
    others = [name for name in names if name not in data.given]
    for more in (more for size in range(max(1, len(data.given) - 1)) for more in combinations(others, size)):
        joined, unconnected = [data.given[0]], [*data.given[1:], *more]
        total, links = sum(fees.get(name, 0) for name in more), []
        while unconnected:
            price, a, b = min(((distances[a, b] - fees.get(a, 0) - fees.get(b, 0)) // 2, a, b) for a in joined for b in unconnected)
            total += price
            links.append((a, b))
            joined.append(b)
            unconnected.remove(b)
        if total == data.least:
            yield tuple(dict.fromkeys(cable for a, b in links for cable in _path_cables(double, distances, a, b)))


def _path_cables(cables: Sequence[tuple[str, str, int]], distances: dict[tuple[str, str], int], start: str, end: str) -> Iterator[str]:
    while end != start:
        before = next(
            a if b == end else b
            for a, b, price in cables
            if end in (a, b) and _last_cable_price(distances, start, end, a if b == end else b) == price
        )
        yield f"{before}-{end}".lower()
        end = before


def _last_cable_price(distances: dict[tuple[str, str], int], start: str, end: str, before: str) -> int:
    return distances[start, end] - distances[start, before]


def _other_answers(task: Task[Data]) -> Iterator[tuple[str, ...]]:
    for tree in _trees(task.data, True):
        yield tree[::-1]
        yield tuple("-".join(cable.split("-")[::-1]) for cable in tree)


environment = Environment(
    Knobs, Words("the chosen cables, separated by spaces", max_items=100, ignore_case=True), generate, solve, verify, mistakes, cost,
    solution=Solution(derive, END, checks), shift=shift, picture=picture, answers="many", solutions=_other_answers,
    concept="Joining a group at a place splits it into two groups that meet there; so the cost for groups of three comes from those of one and two, and so on.",
    version=2,
)  # fmt: skip
