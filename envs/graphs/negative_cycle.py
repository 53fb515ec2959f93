"""Find a round trip on which more points are gained than lost, or numbers that prove there is none.

Any gainful round trip is accepted, and any numbers that prove it; the bare claim that there is none is never an answer.
"""

from collections.abc import Iterator, Sequence
from itertools import pairwise

from rlgym import Config, Environment, Rng, Score, Task, TaskData, knob
from rlgym.answers import Words
from rlgym.generators.drawing import pictures
from rlgym.solutions import Checks, Derivation, Solution, Step

Offer = tuple[int, int, int]
GAIN = Step("T{a:int} to T{b:int} gains {gain:int}, in all {all:int}")
LOWEST = Step("T{a:int} gets the height 0, since no way to it gains anything")
HEIGHT = Step("T{b:int} gets the height {sum:int} = {below:int} + {gain:int}, by the road from T{a:int}")
BOUNDED = Step("T{a:int} to T{b:int} gains {gain:int}, at most {high:int} - {low:int}")
NOTHING = Step("Round any trip these differences add up to 0, so nothing is gained")


class Knobs(Config):
    places: int = knob(8, easy=6, hard=28, doc="places on the map")
    roads: int = knob(220, easy=150, hard=300, doc="one-way roads, in percent of the places")
    largest: int = knob(12, easy=6, hard=40, doc="largest height of a place, from which the points come")
    none: int = knob(20, easy=0, hard=30, doc="percent of tasks without a gainful round trip")


class Data(TaskData):
    places: int
    roads: tuple[Offer, ...]
    """From, to, points gained."""
    gainful: bool


def generate(rng: Rng, knobs: Knobs) -> Task[Data]:
    return _sample_task(rng, knobs, ringed=False)


def shift(rng: Rng, knobs: Knobs) -> Task[Data]:
    """Places around a circle, with roads to near ones only."""
    return _sample_task(rng, knobs, ringed=True)


def solve(task: Task[Data]) -> tuple[str, ...]:
    return _bellman_ford(task.data, task.data.roads)


def verify(task: Task[Data], answer: tuple[str, ...]) -> Score:
    data = task.data
    words = tuple(word.replace("−", "-") for word in answer)
    if words[0].startswith("t"):
        return _score_trip(data, words)
    if len(words) != data.places or not all(len(word) < 12 and word.isascii() and word.lstrip("+-").isdigit() for word in words):
        return Score.wrong(f"the answer must be a round trip or {data.places} whole numbers")
    heights = [int(word.lstrip("+-")) * (-1 if word[0] == "-" else 1) for word in words]
    for a, b, points in data.roads:
        if heights[b - 1] - heights[a - 1] < points:
            return Score.wrong(f"the road from T{a} to T{b} gains more than the difference of the numbers")
    return Score.exact(True)


def mistakes(task: Task[Data], right: tuple[str, ...]) -> list[tuple[str, ...]]:
    data = task.data
    best = max(data.roads, key=lambda road: road[2])
    zeros = tuple("0" for _ in range(data.places))
    there_and_back = (f"t{best[0]}", f"t{best[1]}", f"t{best[0]}")
    return [there_and_back, zeros, right[::-1], right[:-1], tuple(str(i) for i in range(data.places)), ("none",)]


def cost(task: Task[Data]) -> float:
    return float(task.data.places * len(task.data.roads))


def derive(task: Task[Data]) -> Derivation:
    data, right = task.data, solve(task)
    gains = {(a, b): gain for a, b, gain in data.roads}
    if data.gainful:
        total = 0
        for a, b in pairwise(int(word[1:]) for word in right):
            total += gains[a, b]
            yield GAIN(a=a, b=b, gain=gains[a, b], all=total)
        return
    heights = [int(height) for height in right]
    known = [i + 1 for i, height in enumerate(heights) if height == 0]
    for a in known:
        yield LOWEST(a=a)
    for a in known:
        for (_, b), gain in sorted(item for item in gains.items() if item[0][0] == a):
            if b not in known and heights[b - 1] == heights[a - 1] + gain:
                yield HEIGHT(a=a, b=b, gain=gain, sum=heights[b - 1], below=heights[a - 1])
                known.append(b)
    for a, b, gain in data.roads:
        yield BOUNDED(a=a, b=b, gain=gain, high=heights[b - 1], low=heights[a - 1])
    yield NOTHING()


def checks(task: Task[Data]) -> Checks:
    data = task.data
    gains = {(a, b): points for a, b, points in data.roads}
    heights, bounded, trip = dict[int, int](), set[tuple[int, int]](), [(0, 0)]

    def is_gain(a: int, b: int, gain: int, all: int) -> bool:
        place, before = trip[-1]
        trip.append((b, before + gain))
        return place in (0, a) and gains[a, b] == gain and before + gain == all

    def is_lowest(a: int) -> bool:
        heights[a] = 0
        return 0 < a <= data.places

    def is_raised(a: int, b: int, gain: int, sum: int, below: int) -> bool:
        new, heights[b] = b not in heights, sum
        return new and heights[a] == below and gains[a, b] == gain and sum == heights[a] + gain

    def is_bounded(a: int, b: int, gain: int, high: int, low: int) -> bool:
        bounded.add((a, b))
        return (gains[a, b], heights[b], heights[a]) == (gain, high, low) and gain <= high - low

    return {GAIN: is_gain, LOWEST: is_lowest, HEIGHT: is_raised, BOUNDED: is_bounded, NOTHING: lambda: bounded == set(gains)}


def picture(task: Task[Data]) -> str:
    roads = [(f"T{a}", f"T{b}", str(points)) for a, b, points in task.data.roads]
    return pictures.network([f"T{i + 1}" for i in range(task.data.places)], roads, directed=True)


def _sample_task(rng: Rng, knobs: Knobs, ringed: bool) -> Task[Data]:
    count, gainful = knobs.places, not rng.chance(knobs.none / 100)
    height = [rng.integer(0, knobs.largest) for _ in range(count)]
    ring = rng.sample(range(count), rng.integer(3, max(3, count * 2 // 3)))
    ring = sorted(ring) if ringed else ring
    roads: dict[tuple[int, int], int] = {}
    for a, b in pairwise([*ring, ring[0]]):
        roads[a, b] = height[b] - height[a] - (0 if gainful else rng.integer(0, 2))
    road_count = min(count * (count - 1) // 2, count * knobs.roads // 100)
    while len(roads) < road_count:
        a, b = rng.sample(range(count), 2)
        if ringed:
            b = (a + rng.choice((1, 2, 3, 4, -1, -2, -3, -4))) % count
        if a != b and (b, a) not in roads:
            roads.setdefault((a, b), height[b] - height[a] - rng.integer(0, 3 + knobs.largest // 4))
    if gainful:
        a, b = ring[0], ring[1]
        roads[a, b] += rng.integer(1, 2)
    listed = tuple((a + 1, b + 1, points) for (a, b), points in rng.shuffled(list(roads.items())))
    listing = "\n".join(f"T{a} -> T{b}: {points}" for a, b, points in listed)
    losses = " (or loses points, where the number is negative)" if any(points < 0 for *_, points in listed) else ""
    other = (
        "\n\nIf there is no such round trip, prove it by heights instead: give one whole number for each of T1 to "
        f"T{count}, in this order, such that for every road the number of the place where it ends minus the number of the place where it begins is at "
        "least the number of points that the road gains. The numbers may be negative, and a loss counts as a negative gain."
    )
    prompt = (
        f"Each use of one of these one-way roads gains the given number of points{losses}:\n{listing}\n\n"
        "Find a round trip along roads that gains more than 0 points in total. Name its places in order, with the first one named again at the end; "
        f"no other place is named twice.{other if knobs.none else ''}"
    )
    return Task(prompt, Data(places=count, roads=listed, gainful=gainful))


def _score_trip(data: Data, words: tuple[str, ...]) -> Score:
    points = {(f"t{a}", f"t{b}"): gain for a, b, gain in data.roads}
    if len(words) < 3 or words[0] != words[-1] or len(set(words)) != len(words) - 1:
        return Score.wrong("a round trip must end where it begins, and name no other place twice")
    for a, b in pairwise(words):
        if (a, b) not in points:
            return Score.wrong(f"no road leads from {a[:20]} to {b[:20]}")
    total = sum(points[pair] for pair in pairwise(words))
    return Score.exact(total > 0, f"this round trip gains {total} points")


def _bellman_ford(data: Data, roads: Sequence[Offer]) -> tuple[str, ...]:
    """Longest paths by Bellman-Ford: gains are raised until nothing changes or a cycle of raises appears."""
    gain = [0] * (data.places + 1)
    predecessor: dict[int, int] = {}
    for _ in range(data.places + 1):
        raised = 0
        for a, b, points in roads:
            if gain[a] + points > gain[b]:
                gain[b], predecessor[b], raised = gain[a] + points, a, b
        if not raised:
            return tuple(str(height) for height in gain[1:])
    for _ in range(data.places):
        raised = predecessor[raised]
    trip = [raised, predecessor[raised]]
    while trip[-1] != raised:
        trip.append(predecessor[trip[-1]])
    return tuple(f"t{i}" for i in reversed(trip))


def _other_answers(task: Task[Data]) -> Iterator[tuple[str, ...]]:
    """Found with the roads in other orders; round trips begun elsewhere, and heights that all lie higher."""
    data = task.data
    for roads in (sorted(data.roads), sorted(data.roads, reverse=True)):
        answer_found = _bellman_ford(data, roads)
        yield answer_found
        yield (*answer_found[1:], answer_found[1]) if data.gainful else tuple(str(int(height) + 1) for height in answer_found)


environment = Environment(
    Knobs, Words("the places of the round trip in order, or the numbers in order, separated by spaces", max_items=120, ignore_case=True),
    generate, solve, verify, mistakes, cost,
    solution=Solution(derive, "The answer is {answer}", checks), shift=shift, picture=picture, answers="many", solutions=_other_answers,
    concept="Raise for each place the most that can be gained on the way to it; if this never ends, going back along the raises leads into the round trip.",
    version=4,
)  # fmt: skip
