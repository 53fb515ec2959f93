"""Find the cheapest round trip through all places of a small map.

Every cheapest trip is accepted; its cost is computed exactly during generation. On the upper levels going to the nearest place and then moving places and
turning stretches as long as that helps ends at dearer trips, whatever place comes first.
"""

from collections.abc import Iterator
from functools import cache, partial
from itertools import pairwise

from rlgym import Config, Environment, Rng, Score, Task, TaskData, knob
from rlgym.answers import Words
from rlgym.generators.draws import sample_hard
from rlgym.generators.graphs import round_trips
from rlgym.generators.text.words import WORDS
from rlgym.solutions import Derivation, Solution, Step

Costs = tuple[tuple[int, ...], ...]


STOPS = Step(
    "After {number:int} stop(s) there are {cases:int} cases of places visited and the last one; the cheapest so far costs {least:int}"
)
LEG = Step("{a} to {b} {price:int}")
HOME = Step("Going home from the last stop costs at least {least:int} in all")
LEGS = Step("After {first} for {price:int} the legs are {legs:words}: {total:int} in all")
ANSWER = Words("the names of the places in order, separated by spaces", max_items=40, ignore_case=True)
CONCEPT = "For a set of visited places and the last of them only the cheapest way there matters."


TRIES = 8


class Knobs(Config):
    places: int = knob(6, easy=4, hard=13, beyond=16, doc="places to visit, the start included")
    map: str = knob(
        "table",
        easy="streets",
        hard="oneway",
        order=("streets", "table", "oneway"),
        doc="costs: from a street grid, any, or different there and back",
    )
    orders: int = knob(1, easy=0, hard=8, doc="pairs of places of which one must be visited before the other")
    decoys: int = knob(
        0,
        easy=0,
        hard=100,
        doc="percent of the starts from which local search ends at a dearer trip, at least, if one of 8 maps has as many",
    )


class Data(TaskData):
    places: tuple[str, ...]  # the start first
    corners: tuple[tuple[int, int], ...]  # where the places are in a street grid
    costs: Costs
    orders: tuple[tuple[int, int], ...]
    best: int


def generate(rng: Rng, knobs: Knobs) -> Task[Data]:
    return _sample_hard(rng, knobs, clustered=False)


def _sample_hard(rng: Rng, knobs: Knobs, clustered: bool) -> Task[Data]:
    return sample_hard(lambda: _sample_task(rng, knobs, clustered), lambda task: _count_decoys(task.data), knobs.decoys, TRIES)


def _count_decoys(data: Data) -> int:
    """The percentage of starts from which local search ends at a trip that is not the cheapest."""
    ends = round_trips.local_optima(data.costs, data.orders)
    return 100 * sum(end > data.best for end in ends) // len(ends)


def _sample_task(rng: Rng, knobs: Knobs, clustered: bool) -> Task[Data]:
    count = knobs.places
    places = tuple(rng.sample(WORDS, count))
    corners: tuple[tuple[int, int], ...] = ()
    if knobs.map == "streets":
        spots = [spot for spot in range(400) if not clustered or spot % 20 // 7 == spot // 140 != 1]
        corners = tuple((spot % 20, spot // 20) for spot in rng.sample(spots, count))
        costs = tuple(tuple(abs(a - c) + abs(b - d) for c, d in corners) for a, b in corners)
    else:
        there = [[rng.integer(*_span(clustered, i, j)) for j in range(count)] for i in range(count)]
        costs = tuple(
            tuple(0 if i == j else there[i][j] if knobs.map == "oneway" else there[min(i, j)][max(i, j)] for j in range(count))
            for i in range(count)
        )
    planted = rng.shuffled(range(1, count))
    pairs = [(a, b) for i, a in enumerate(planted) for b in planted[i + 1 :]]
    orders = tuple(sorted(rng.sample(pairs, min(knobs.orders, count - 3))))
    data = Data(places=places, corners=corners, costs=costs, orders=orders, best=_least_cost(costs, orders))
    return Task(_render_prompt(data), data)


def shift(rng: Rng, knobs: Knobs) -> Task[Data]:
    """Places in two quarters that lie far apart, with short ways inside each."""
    return _sample_hard(rng, knobs, clustered=True)


def solve(task: Task[Data]) -> tuple[str, ...]:
    # From the end back: what the rest of the trip costs from each place, for each set of places still to visit.
    data = task.data
    count = len(data.places)

    @cache
    def rest(place: int, unvisited: int) -> tuple[int, int]:
        """The least cost from here through all that is left and home, and where to go next."""
        if not unvisited:
            return data.costs[place][0], 0
        options = [j for j in range(1, count) if unvisited >> j & 1 and not any(unvisited >> a & 1 for a, b in data.orders if b == j)]
        return min(((data.costs[place][j] + rest(j, unvisited & ~(1 << j))[0], j) for j in options), default=(10**9, 0))

    trip, unvisited = [0], (1 << count) - 2
    while unvisited:
        trip.append(rest(trip[-1], unvisited)[1])
        unvisited &= ~(1 << trip[-1])
    return tuple(data.places[i] for i in (*trip, 0))


def verify(task: Task[Data], answer: tuple[str, ...]) -> Score:
    data = task.data
    place = {name: i for i, name in enumerate(data.places)}
    if len(answer) != len(place) + 1 or answer[0] != data.places[0] or answer[-1] != data.places[0] or set(answer) != set(place):
        return Score.wrong(f"the trip must go from {data.places[0]} through every other place once and back")
    trip = [place[name] for name in answer]
    for a, b in data.orders:
        if trip.index(a) > trip.index(b):
            return Score.wrong(f"{data.places[a]} must be visited before {data.places[b]}")
    return Score.exact(sum(data.costs[a][b] for a, b in pairwise(trip)) == data.best, "there is a cheaper trip")


def mistakes(task: Task[Data], right: tuple[str, ...]) -> list[tuple[str, ...]]:
    data = task.data
    nearest, left = [0], list(range(1, len(data.places)))
    while left:
        nearest.append(min(left, key=lambda j: (data.costs[nearest[-1]][j], j)))
        left.remove(nearest[-1])
    greedy = tuple(data.places[i] for i in (*nearest, 0))
    return [
        greedy,
        (right[0], *right[-3:0:-1], right[-2], right[0]),
        (*data.places, data.places[0]),
        right[:-1],
        right[1:],
        (*right[:-1], right[1]),
    ]


def cost(task: Task[Data]) -> float:
    data = task.data
    kind = 0.7 if data.corners else 1 if data.costs[0][1] == data.costs[1][0] and data.costs[0][2] == data.costs[2][0] else 1.5
    return len(data.places) ** 3 * kind * (1 + _count_decoys(data) / 100) + 5 * len(data.orders)


def derive(task: Task[Data]) -> Derivation:
    data, trip = task.data, solve(task)
    place = {name: i for i, name in enumerate(data.places)}
    last: dict[tuple[int, int], int] = {}
    for number, table in enumerate(_held_karp_tables(data.costs, data.orders), 1):
        yield STOPS(number=number, cases=len(table), least=min(table.values()))
        last = table
    yield HOME(least=min(total + data.costs[stop][0] for (_, stop), total in last.items()))
    legs = [LEG.write(a=a, b=b, price=data.costs[place[a]][place[b]]) for a, b in list(pairwise(trip))[1:]]
    yield LEGS(first=trip[1], price=data.costs[0][place[trip[1]]], legs=legs, total=data.best).accepting(partial(_add_up, data))


def _add_up(data: Data, first: str, price: int, legs: tuple[str, ...], total: int) -> bool:
    """Whether the legs lead from the first stop home, at their costs, and cost the least in all."""
    place = {name: i for i, name in enumerate(data.places)}
    place_now, paid = place[first], data.costs[0][place[first]]
    if price != paid:
        return False
    for text in legs:
        leg = LEG.values(LEG.read(text) or {})
        if place[leg["a"]] != place_now or data.costs[place_now][place[leg["b"]]] != leg["price"]:
            return False
        place_now, paid = place[leg["b"]], paid + leg["price"]
    return place_now == 0 and total == paid == data.best


def _render_prompt(data: Data) -> str:
    start, *others = data.places
    if data.corners:
        listing = "\n".join(f"{name}: street {a}, avenue {b}" for name, (a, b) in zip(data.places, data.corners, strict=True))
        costs_text = (
            f"These places lie at corners of a grid of streets and avenues:\n{listing}\n\nGoing from one place to another costs the difference of their street "
            "numbers plus the difference of their avenue numbers."
        )
    elif any(data.costs[i][j] != data.costs[j][i] for i in range(len(data.places)) for j in range(i)):
        rows = [
            f"from {name} to " + ", ".join(f"{other} {cost}" for other, cost in zip(data.places, row, strict=True) if other != name)
            for name, row in zip(data.places, data.costs, strict=True)
        ]
        costs_text = "These are the costs of going from place to place; there and back may differ:\n" + "\n".join(rows)
    else:
        rows = [
            f"{data.places[i]} - {data.places[j]}: {data.costs[i][j]}"
            for i in range(len(data.places))
            for j in range(i + 1, len(data.places))
        ]
        costs_text = "These are the costs of going between places, the same in both directions:\n" + "\n".join(rows)
    rules = "".join(f" {data.places[a]} must be visited before {data.places[b]}." for a, b in data.orders)
    return (
        f"{costs_text}\n\nFind the cheapest round trip that starts at {start}, visits each of the other {len(others)} places exactly "
        f"once and ends at {start}. Go "
        f"straight from each place to the next.{rules} Name the places in order, {start} at both ends."
    )


def _held_karp_tables(costs: Costs, orders: tuple[tuple[int, int], ...]) -> Iterator[dict[tuple[int, int], int]]:
    """After each stop, the least cost for every set of visited places and the last of them."""
    count = len(costs)
    table = {(1, 0): 0}
    for _ in range(count - 1):
        after: dict[tuple[int, int], int] = {}
        for (visited, place), total in table.items():
            for stop in range(1, count):
                if visited >> stop & 1 or any(b == stop and not visited >> a & 1 for a, b in orders):
                    continue
                key = (visited | 1 << stop, stop)
                if total + costs[place][stop] < after.get(key, 10**9):
                    after[key] = total + costs[place][stop]
        table = after
        yield table


def _least_cost(costs: Costs, orders: tuple[tuple[int, int], ...]) -> int:
    *_, last = _held_karp_tables(costs, orders)
    return min(total + costs[place][0] for (_, place), total in last.items())


def _trips(task: Task[Data]) -> Iterator[tuple[str, ...]]:
    """Every cheapest trip, leg by leg, cutting off what can no longer be cheap enough."""
    data = task.data
    count = len(data.places)
    # Each place still to be left costs at least its cheapest way out.
    out = [min(cost for j, cost in enumerate(row) if j != i) for i, row in enumerate(data.costs)]
    stack: list[tuple[tuple[int, ...], int]] = [((0,), 0)]
    while stack:
        trip, total = stack.pop()
        if len(trip) == count:
            if total + data.costs[trip[-1]][0] == data.best:
                yield tuple(data.places[i] for i in (*trip, 0))
            continue
        least = sum(out[j] for j in range(1, count) if j not in trip)
        for stop in range(1, count):
            if stop not in trip and all(a in trip for a, b in data.orders if b == stop):
                now = total + data.costs[trip[-1]][stop]
                if now + least <= data.best:
                    stack.append(((*trip, stop), now))


SOLUTION = Solution(derive, "The trip is {answer}")


def _span(clustered: bool, one: int, other: int) -> tuple[int, int]:
    """The least and the largest cost between two places."""
    return (5, 60) if not clustered else (5, 20) if one % 2 == other % 2 else (40, 75)


environment = Environment(
    Knobs,
    ANSWER,
    generate,
    solve,
    verify,
    mistakes,
    cost,
    solution=SOLUTION,
    shift=shift,
    answers="many",
    solutions=_trips,
    concept=CONCEPT,
    version=2,
)
