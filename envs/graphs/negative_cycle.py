"""Find a round trip on which more points are gained than lost, or numbers that prove there is none.

Any gainful round trip is accepted, and any numbers that prove it; the bare claim that there is none is never an answer.
"""

from collections.abc import Iterator, Sequence
from itertools import pairwise

from rlgym import Config, Environment, Rng, Score, Task, TaskData, knob
from rlgym.answers import Words
from rlgym.generators import pictures
from rlgym.generators.steps import Line, ended, first_wrong

Offer = tuple[int, int, int]
GAIN = Line("T{a} to T{b} gains {gain}, in all {all}")
LOWEST = Line("T{a} gets the height 0, since no way to it gains anything")
HEIGHT = Line("T{b} gets the height {sum} = {from} + {gain}, by the road from T{a}")
BOUNDED = Line("T{a} to T{b} gains {gain}, at most {high} - {low}")
NOTHING = "Round any trip these differences add up to 0, so nothing is gained"


class Knobs(Config):
    places: int = knob(8, easy=4, hard=28, doc="places on the map")
    roads: int = knob(220, easy=150, hard=300, doc="one-way roads, in percent of the places")
    largest: int = knob(12, easy=6, hard=40, doc="largest height of a place, from which the points come")
    none: int = knob(20, easy=0, hard=30, doc="percent of tasks without a gainful round trip")


class Data(TaskData):
    places: int
    roads: tuple[Offer, ...]
    """From, to, points gained."""
    gainful: bool


def generate(rng: Rng, knobs: Knobs) -> Task[Data]:
    return _made(rng, knobs, ringed=False)


def shift(rng: Rng, knobs: Knobs) -> Task[Data]:
    """Places that lie round a circle, with roads to near ones only."""
    return _made(rng, knobs, ringed=True)


def solve(task: Task[Data]) -> tuple[str, ...]:
    return _answered(task.data, task.data.roads)


def verify(task: Task[Data], answer: tuple[str, ...]) -> Score:
    data = task.data
    words = tuple(word.replace("−", "-") for word in answer)
    if words[0].startswith("t"):
        return _trip(data, words)
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


def explain(task: Task[Data]) -> list[str]:
    data, right = task.data, solve(task)
    points = {(a, b): gain for a, b, gain in data.roads}
    steps = []
    if data.gainful:
        total = 0
        for one, other in pairwise(right):
            total += points[int(one[1:]), int(other[1:])]
            steps.append(GAIN.write(a=one[1:], b=other[1:], gain=points[int(one[1:]), int(other[1:])], all=total))
    else:
        heights = [int(height) for height in right]
        known = [i + 1 for i, height in enumerate(heights) if height == 0]
        steps += [LOWEST.write(a=a) for a in known]
        for a in known:
            for (_, b), gain in sorted(item for item in points.items() if item[0][0] == a):
                if b not in known and heights[b - 1] == heights[a - 1] + gain:
                    steps.append(HEIGHT.write(a=a, b=b, gain=gain, sum=heights[b - 1], **{"from": heights[a - 1]}))
                    known.append(b)
        steps += [BOUNDED.write(a=a, b=b, gain=gain, high=heights[b - 1], low=heights[a - 1]) for a, b, gain in data.roads]
        steps.append(NOTHING)
    return [*steps, f"The answer is {' '.join(right)}"]


def replay(task: Task[Data], steps: Sequence[str]) -> int | None:
    data = task.data
    gains = {(a, b): points for a, b, points in data.roads}
    heights, bounded, trip = dict[int, int](), set[tuple[int, int]](), [(0, 0)]

    def follows(step: str) -> bool:
        if read := GAIN.read(step):
            a, b = int(read["a"]), int(read["b"])
            trip.append((b, trip[-1][1] + int(read["gain"])))
            return trip[-2][0] in (0, a) and gains[a, b] == int(read["gain"]) and trip[-1][1] == int(read["all"])
        if read := LOWEST.read(step):
            heights[int(read["a"])] = 0
            return 0 < int(read["a"]) <= data.places
        if read := HEIGHT.read(step):
            a, b = int(read["a"]), int(read["b"])
            new, heights[b] = b not in heights, int(read["sum"])
            return new and heights[a] == int(read["from"]) and gains[a, b] == int(read["gain"]) and heights[b] == heights[a] + gains[a, b]
        if read := BOUNDED.read(step):
            a, b, gain = int(read["a"]), int(read["b"]), int(read["gain"])
            bounded.add((a, b))
            return (gains[a, b], heights[b], heights[a]) == (gain, int(read["high"]), int(read["low"])) and gain <= heights[b] - heights[a]
        return step == NOTHING and bounded == set(gains)

    return first_wrong(steps, follows, ended("The answer is ", task, environment.answer, verify))


def picture(task: Task[Data]) -> str:
    roads = [(f"T{a}", f"T{b}", str(points)) for a, b, points in task.data.roads]
    return pictures.network([f"T{i + 1}" for i in range(task.data.places)], roads, directed=True)


def _made(rng: Rng, knobs: Knobs, ringed: bool) -> Task[Data]:
    count, gainful = knobs.places, not rng.chance(knobs.none / 100)
    height = [rng.integer(0, knobs.largest) for _ in range(count)]
    ring = rng.sample(range(count), rng.integer(3, max(3, count * 2 // 3)))
    ring = sorted(ring) if ringed else ring
    roads: dict[tuple[int, int], int] = {}
    for a, b in pairwise([*ring, ring[0]]):
        roads[a, b] = height[b] - height[a] - (0 if gainful else rng.integer(0, 2))
    wanted = min(count * (count - 1) // 2, count * knobs.roads // 100)
    while len(roads) < wanted:
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
    other = (
        "\n\nIf there is no such round trip, prove it by heights instead: give one whole number for each of T1 to "
        f"T{count}, in this order, so that every road gains at most as many points as the number of its end is greater than that of its beginning."
    )
    prompt = (
        f"On these one-way roads one gains so many points (or loses them, where the number is negative), each time a road is used:\n{listing}\n\n"
        "Find a round trip along roads on which one gains more than 0 points in all. Name its places in order, with the first one named again at the end; "
        f"no other place is named twice.{other if knobs.none else ''}"
    )
    return Task(prompt, Data(places=count, roads=listed, gainful=gainful))


def _trip(data: Data, words: tuple[str, ...]) -> Score:
    points = {(f"t{a}", f"t{b}"): gain for a, b, gain in data.roads}
    if len(words) < 3 or words[0] != words[-1] or len(set(words)) != len(words) - 1:
        return Score.wrong("a round trip must end where it begins, and name no other place twice")
    for a, b in pairwise(words):
        if (a, b) not in points:
            return Score.wrong(f"no road leads from {a[:20]} to {b[:20]}")
    total = sum(points[pair] for pair in pairwise(words))
    return Score.exact(total > 0, f"this round trip gains {total} points")


def _answered(data: Data, roads: Sequence[Offer]) -> tuple[str, ...]:
    """The most that can be gained on the way to each place, raised until nothing changes or a place helps to raise itself."""
    gain = [0] * (data.places + 1)
    came: dict[int, int] = {}
    for _ in range(data.places + 1):
        raised = 0
        for a, b, points in roads:
            if gain[a] + points > gain[b]:
                gain[b], came[b], raised = gain[a] + points, a, b
        if not raised:
            return tuple(str(height) for height in gain[1:])
    for _ in range(data.places):
        raised = came[raised]
    trip = [raised, came[raised]]
    while trip[-1] != raised:
        trip.append(came[trip[-1]])
    return tuple(f"t{i}" for i in reversed(trip))


def _others(task: Task[Data]) -> Iterator[tuple[str, ...]]:
    """Found with the roads in other orders; round trips begun elsewhere, and heights that all lie higher."""
    data = task.data
    for roads in (sorted(data.roads), sorted(data.roads, reverse=True)):
        found = _answered(data, roads)
        yield found
        yield (*found[1:], found[1]) if data.gainful else tuple(str(int(height) + 1) for height in found)


environment = Environment(
    Knobs,
    Words("the places of the round trip in order, or the numbers in order, separated by spaces", most=120, fold=True),
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
    concept="Raise for each place the most that can be gained on the way to it; if this never ends, going back along the raises leads into the round trip.",
)
