"""Rearrange cars before a paint shop, each by a few places at most, so that cleaning between colours costs as little as possible.

In the shifted family the cars stand in lanes, and the first car of any lane may go next. The problem is known as car resequencing.
"""

import heapq
import re
from collections.abc import Iterator, Sequence
from itertools import pairwise

from rlgym import Config, Environment, Rng, Score, Task, TaskData, knob
from rlgym.answers import Words
from rlgym.generators.draws import sample_hard
from rlgym.solutions import Checks, Derivation, Solution, Step

LETTERS = "ACDEFHJKLMNPQSTUVXYZ"  # no initial of a colour
COLOURS = ("red", "blue", "green", "white", "black")
TRIES = 6  # lines of which the one is taken where greed misses the most
State = tuple[tuple[int, ...], int]  # cars gone in out of each queue, and the last of them; 0 for none

ORDER = Step("Cars of one colour may keep their order, since swapping two of them changes no cleaning")
BEST = Step("{when}: all that follows costs {cost:int}, with car {car} next")
DONE = Step("The least cost is {cost:int}: {answer}")


class Knobs(Config):
    cars: int = knob(11, easy=5, hard=18, doc="cars in the line")
    colours: int = knob(3, easy=2, hard=4, doc="colours of the cars")
    places: int = knob(2, easy=1, hard=3, doc="places by which a car may move to the front, and to the back or one less")
    cleaning: str = knob(
        "equal", easy="equal", hard="pairs", order=("equal", "pairs"), doc="whether each change costs the same, or each pair its own"
    )
    trap: int = knob(1, easy=0, hard=3, doc="by how much more than the least cost a greedy order pays, as far as a few lines have it")


class Data(TaskData):
    names: str  # the letters of car 1, car 2 and so on, by their places in the line
    colours: tuple[str, ...]
    queues: tuple[tuple[int, ...], ...]  # cars that keep their order: those of one colour, or of one lane
    earlier: int  # places by which a car may move to the front
    later: int
    costs: dict[str, dict[str, int]]
    lanes: bool = False
    least: int = 0


def generate(rng: Rng, knobs: Knobs) -> Task[Data]:
    return _sample_task(rng, knobs, lanes=False)


def shift(rng: Rng, knobs: Knobs) -> Task[Data]:
    """Cars stand in lanes, and only the first of a lane can go next."""
    return _sample_task(rng, knobs, lanes=True)


def _sample_task(rng: Rng, knobs: Knobs, lanes: bool) -> Task[Data]:
    data = sample_hard(lambda: _sample_data(rng, knobs, lanes), lambda data: _total(data, _greedy(data)) - data.least, knobs.trap, TRIES)
    if lanes:
        listing = "\n".join(f"Lane {number}: {_list_cars(data, lane)}" for number, lane in enumerate(data.queues, 1))
        rule = (
            "Cars wait in lanes before a paint shop, the first car of each lane in front. They go in one after another, and the next one is always "
            "the car in front of some lane."
        )
    else:
        listing = _list_cars(data, range(1, len(data.colours) + 1))
        rule = (
            "Cars stand in a line before a paint shop. They go in one after another in an order of your choice, but the place of each car in this "
            f"order may be at most {data.earlier} earlier and at most {data.later} later than its place in the line now."
        )
    used = sorted(set(data.colours), key=COLOURS.index)
    if knobs.cleaning == "pairs":
        table = "\n".join(
            f"from {one}: " + ", ".join(f"to {other} {data.costs[one][other]}" for other in used if other != one) for one in used
        )
        cleaning = f"When a car has another colour than the car before it, the spray guns are cleaned at a cost that depends on both colours:\n{table}"
    else:
        cleaning = "When a car has another colour than the car before it, the spray guns are cleaned, which costs 1."
    front = "Each car has a letter and a colour" if lanes else "This is the line, the first car first, each with a letter and its colour"
    prompt = (
        f"{rule} {front}:\n\n{listing}\n\n{cleaning}\nThe first car costs nothing.\n\nFind an order of all cars with the least total cost of "
        "cleaning. Where several orders have the least cost, give one of them."
    )
    return Task(prompt, data)


def _list_cars(data: Data, cars: Sequence[int]) -> str:
    return ", ".join(f"{data.names[car - 1]} {data.colours[car - 1]}" for car in cars)


def _sample_data(rng: Rng, knobs: Knobs, lanes: bool) -> Data:
    """A line, or lanes, whose order as it stands costs more than the least."""
    while True:
        data = _sample_any(rng, knobs, lanes)
        if data.least < _total(data, range(1, knobs.cars + 1)):
            return data


def _sample_any(rng: Rng, knobs: Knobs, lanes: bool) -> Data:
    palette = COLOURS[: knobs.colours]
    colours = tuple(rng.choice(palette) for _ in range(knobs.cars))
    names = "".join(rng.sample(LETTERS, knobs.cars))
    numbers = range(1, knobs.cars + 1)
    if lanes:
        cuts = [0, *sorted(rng.sample(range(1, knobs.cars), min(knobs.places, 3))), knobs.cars]
        queues = tuple(tuple(numbers[low:high]) for low, high in pairwise(cuts))
    else:
        queues = tuple(tuple(car for car in numbers if colours[car - 1] == colour) for colour in palette if colour in colours)
    costs = {
        one: {other: rng.integer(1, 5) if knobs.cleaning == "pairs" else 1 for other in palette if other != one} | {one: 0}
        for one in palette
    }
    limit = knobs.cars if lanes else knobs.places
    later = limit if lanes else max(1, limit - rng.integer(0, 1))
    data = Data(names=names, colours=colours, queues=queues, earlier=limit, later=later, costs=costs, lanes=lanes)
    return data.model_copy(update={"least": _rest_costs(data)[(0,) * len(queues), 0][0]})


def solve(task: Task[Data]) -> tuple[str, ...]:
    """Dijkstra's algorithm over the sets of cars gone in, from the prompt alone."""
    text = task.prompt
    costs = {
        (one, other): int(cost) for one, row in re.findall(r"from (\w+): (.+)", text) for other, cost in re.findall(r"to (\w+) (\d+)", row)
    }
    lanes = [re.findall(r"([A-Z]) [a-z]+", row) for row in re.findall(r"Lane \d: (.+)", text)]
    colours = dict(re.findall(r"\b([A-Z]) (red|blue|green|white|black)\b", text))
    place_now = {car: place for place, car in enumerate(colours, 1)}
    before = {car: frozenset(lane[:i]) for lane in lanes for i, car in enumerate(lane)}
    earlier, later = ([int(number) for number in re.findall(r"at most (\d+)", text)] or [len(colours)] * 2)[:2]
    waiting: list[tuple[int, tuple[str, ...]]] = [(0, ())]
    settled: set[tuple[frozenset[str], str]] = set()
    while True:
        cost, order = heapq.heappop(waiting)
        if len(order) == len(colours):
            return order
        gone, last = frozenset(order), colours[order[-1]] if order else ""
        if (gone, last) in settled:
            continue
        settled.add((gone, last))
        place = len(order) + 1
        left = [car for car in colours if car not in gone]
        for car in left:
            is_due = all(place_now[other] + later > place for other in left if other != car) and place_now[car] + later >= place
            if is_due and place_now[car] - earlier <= place and before.get(car, frozenset()) <= gone:
                change = costs.get((last, colours[car]), 1) if last and last != colours[car] else 0
                heapq.heappush(waiting, (cost + change, (*order, car)))


def verify(task: Task[Data], answer: Sequence[str]) -> Score:
    data = task.data
    letters = "".join(answer).upper()
    if sorted(letters) != sorted(data.names):
        return Score.wrong("the order must have the letter of each car exactly once")
    order = [data.names.index(letter) + 1 for letter in letters]
    for place, car in enumerate(order, 1):
        if not data.lanes and not car - data.earlier <= place <= car + data.later:
            return Score.wrong(f"car {data.names[car - 1]} moves too far")
    if data.lanes and any([car for car in order if car in lane] != list(lane) for lane in data.queues):
        return Score.wrong("a car goes in before one that stands in front of it")
    return Score.exact(_total(data, order) == data.least, "another order costs less")


def mistakes(task: Task[Data], right: tuple[str, ...]) -> list[tuple[str, ...]]:
    data = task.data
    sorted_by_colour = tuple(sorted(right, key=lambda letter: data.colours[data.names.index(letter)]))
    answers = [tuple(data.names), _letters(data, _greedy(data)), sorted_by_colour, right[::-1], right[:-1]]
    answers += [(*right[:i], right[i + 1], right[i], *right[i + 2 :]) for i in range(len(right) - 1)]
    return [answer for answer in answers if verify(task, answer).value == 0]


def cost(task: Task[Data]) -> float:
    """States of the dynamic programme, with the ways on from each."""
    return float(sum(1 + len(_next_cars(task.data, state)) for state in _rest_costs(task.data)))


def derive(task: Task[Data]) -> Derivation:
    data = task.data
    if not data.lanes:
        yield ORDER()
    best = _rest_costs(data)
    for state, (rest, car) in best.items():
        if sum(state[0]) < len(data.colours):
            yield BEST(when=_when(data, state), cost=rest, car=data.names[car - 1])
    yield DONE(cost=data.least, answer=" ".join(solve(task)))


def checks(task: Task[Data]) -> Checks:
    data, count = task.data, len(task.data.colours)
    states = {_when(data, state): state for state in _rest_costs(data)}
    start = ((0,) * len(data.queues), 0)
    claimed: dict[State, int] = {}

    def is_best(when: str, cost: int, car: str) -> bool:
        state = states[when]
        ways = {
            data.names[other - 1]: _change(data, state, other) + claimed.get(after, 0)
            for other, after in _next_cars(data, state)
            if after in claimed or sum(after[0]) == count
        }
        is_new = state not in claimed and cost == min(ways.values()) == ways.get(car)
        claimed[state] = cost
        return is_new

    def is_done(cost: int, answer: str) -> bool:
        return cost == claimed[start] == _total(data, [data.names.index(letter) + 1 for letter in answer.split()])

    return {ORDER: lambda: not data.lanes, BEST: is_best, DONE: is_done}


def _when(data: Data, state: State) -> str:
    gone, last = state
    if not last:
        return "At the start"
    names = [f"of lane {number}" for number in range(1, 6)] if data.lanes else [data.colours[queue[0] - 1] for queue in data.queues]
    counted = ", ".join(f"{count} {name}" for count, name in zip(gone, names) if count)
    return f"After {counted}, {COLOURS[last - 1]} last"


def _letters(data: Data, order: Sequence[int]) -> tuple[str, ...]:
    return tuple(data.names[car - 1] for car in order)


def _other_answers(task: Task[Data]) -> Iterator[tuple[str, ...]]:
    """All orders of the least cost in which the cars of a queue keep their order."""
    data = task.data
    best = _rest_costs(data)

    def orders(state: State, order: tuple[int, ...]) -> Iterator[tuple[str, ...]]:
        if len(order) == len(data.colours):
            yield _letters(data, order)
        for car, after in _next_cars(data, state):
            if after in best and _change(data, state, car) + best[after][0] == best[state][0]:
                yield from orders(after, (*order, car))

    return orders(((0,) * len(data.queues), 0), ())


def _change(data: Data, state: State, car: int) -> int:
    """What cleaning costs when this car follows."""
    return data.costs[COLOURS[state[1] - 1]][data.colours[car - 1]] if state[1] else 0


def _total(data: Data, order: Sequence[int]) -> int:
    return sum(data.costs[data.colours[one - 1]][data.colours[other - 1]] for one, other in pairwise(order))


def _next_cars(data: Data, state: State) -> list[tuple[int, State]]:
    """The cars that may go in next, each with the state after it."""
    gone, _ = state
    place = sum(gone) + 1
    found = []
    for i, queue in enumerate(data.queues):
        if gone[i] < len(queue):
            car = queue[gone[i]]
            if data.lanes or car - data.earlier <= place <= car + data.later:
                after = (*gone[:i], gone[i] + 1, *gone[i + 1 :])
                found.append((car, (after, COLOURS.index(data.colours[car - 1]) + 1)))
    return found


def _rest_costs(data: Data) -> dict[State, tuple[int, int]]:
    """By state from which all cars can still go in, last ones first: the least cost of all that follows, and the next car on the way."""
    layers: list[list[State]] = [[((0,) * len(data.queues), 0)]]
    for _ in data.colours:
        layers.append(sorted({after for state in layers[-1] for _, after in _next_cars(data, state)}))
    best: dict[State, tuple[int, int]] = dict.fromkeys(layers.pop(), (0, 0))
    for layer in reversed(layers):
        for state in layer:
            ways = [(best[after][0] + _change(data, state, car), car) for car, after in _next_cars(data, state) if after in best]
            if ways:
                best[state] = min(ways)
    return best


def _greedy(data: Data) -> tuple[int, ...]:
    """The cheapest next car each time, of those from which all others can still go in."""
    best = _rest_costs(data)
    state, order = ((0,) * len(data.queues), 0), list[int]()
    while len(order) < len(data.colours):
        _, car, state = min((_change(data, state, car), car, after) for car, after in _next_cars(data, state) if after in best)
        order.append(car)
    return tuple(order)


environment = Environment(
    Knobs, Words("the letters of all cars in the order in which they go in, separated by spaces"), generate, solve, verify, mistakes, cost,
    solution=Solution(derive, DONE, checks), shift=shift, answers="many", solutions=_other_answers,
    version=2,
    concept="Work from the end: what the rest costs depends only on how many cars of each colour or lane have gone in and on the last colour.",
)  # fmt: skip
