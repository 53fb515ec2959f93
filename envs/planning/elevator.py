"""Bring all people to their floors with one elevator that travels as few floors as possible.

Any such trip is accepted. That none is shorter follows from how often each gap between two floors must be crossed upwards and downwards.
"""

from collections.abc import Iterator, Sequence
from heapq import heappop, heappush

from rlgym import Config, Environment, Rng, Score, Task, TaskData, knob
from rlgym.answers import Numbers
from rlgym.generators.names import PEOPLE
from rlgym.generators.steps import Line, first_wrong

State = tuple[int, int, int]  # the floor, who waits and who is aboard, as bits
POSITIONS = 600


class Knobs(Config):
    floors: int = knob(8, easy=4, hard=20, doc="how many floors there are")
    people: int = knob(4, easy=2, hard=9, doc="how many people wait")
    room: str = knob("three", easy="all", hard="two", order=("all", "three", "two"), doc="how many fit into the elevator")
    ways: str = knob("both", easy="up", hard="both", order=("up", "both"), doc="whether all go up, or some up and some down")


class Data(TaskData):
    floors: int
    room: int
    start: int
    people: tuple[str, ...]
    trips: tuple[tuple[int, int], ...]
    least: int


def generate(rng: Rng, knobs: Knobs) -> Task[Data]:
    """From anywhere to anywhere."""
    return _made(rng, knobs, 1, knobs.floors)


def shift(rng: Rng, knobs: Knobs) -> Task[Data]:
    """Short trips between floors close together."""
    return _made(rng, knobs, 1, max(2, knobs.floors // 3))


def _made(rng: Rng, knobs: Knobs, low: int, high: int) -> Task[Data]:
    room = {"all": knobs.people, "three": 3, "two": 2}[knobs.room]
    while True:
        trips: list[tuple[int, int]] = []
        while len(trips) < knobs.people:
            here, there = rng.integer(1, knobs.floors), rng.integer(1, knobs.floors)
            if low <= abs(here - there) <= high:
                trips.append((min(here, there), max(here, there)) if knobs.ways == "up" else (here, there))
        data = Data(
            floors=knobs.floors,
            room=room,
            start=rng.integer(1, knobs.floors),
            people=tuple(rng.sample(PEOPLE, knobs.people)),
            trips=tuple(trips),
            least=0,
        )
        least = min(_bounds(data, _opened(data)).values())
        data = data.model_copy(update={"least": least})
        if next(_plans(data, POSITIONS, 1), None):
            break
    listing = "\n".join(f"{name} waits on floor {a} and wants to floor {b}" for name, (a, b) in zip(data.people, trips, strict=True))
    prompt = (
        f"An elevator with room for {room} people stands on floor {data.start} of a house with the floors 1 to {data.floors}.\n{listing}\n\nWherever it stops, "
        "first all who want to this floor get out, then those who wait there get in, in the order of the list, as long as there is room; before it leaves "
        f"floor {data.start} for the first time this is done there too. Floors on which it does not stop are passed.\n\nBring everyone to their floor so that "
        "it travels as few floors in all as possible. Name the floors on which it stops in order, without the floor on which it stands at first."
    )
    return Task(prompt, data)


def solve(task: Task[Data]) -> tuple[int, ...]:
    return next(_plans(task.data, 10**7, 1))


def verify(task: Task[Data], answer: tuple[int, ...]) -> Score:
    data, state = task.data, _opened(task.data)
    travelled = 0
    for floor in answer:
        if not 1 <= floor <= data.floors or floor == state[0]:
            return Score.wrong("each stop must be another floor of the house than the one before")
        travelled += abs(floor - state[0])
        state = _stopped(data, state, floor)
    if state[1] or state[2]:
        return Score.wrong("somebody is not brought to the floor wanted")
    return Score.exact(travelled == data.least, "fewer floors are enough")


def mistakes(task: Task[Data], right: tuple[int, ...]) -> list[tuple[int, ...]]:
    data = task.data
    in_turn = [floor for trip in data.trips for floor in trip]
    one_by_one = [floor for before, floor in zip([data.start, *in_turn], in_turn, strict=False) if floor != before]
    sweep = [floor for floor in range(1, data.floors + 1) if floor != data.start]
    every = [*range(data.start + 1, data.floors + 1), *range(data.floors - 1, 0, -1), *range(2, data.floors + 1)]
    return [tuple(one_by_one), right[:-1] or tuple(sweep), tuple(sweep), tuple(every), right[::-1], tuple(b for _, b in data.trips)]


def cost(task: Task[Data]) -> float:
    data = task.data
    return data.least * len(data.people) * (1 + max(0, len(data.people) - data.room)) * (1 if all(a < b for a, b in data.trips) else 2)


GAP = Line(
    "Between the floors {low} and {high}, {ups} must go up and {downs} down, so this is crossed at least {rises} times up and {falls} down"
)
FLOOR = Line("If it ends on floor {end}, the ups and downs of each gap must fit to this, which makes {crossings}: {total} at least")
STOP = Line("Stop on floor {floor}: out {out}, in {into}; {travelled} floors so far")
END = Line("Nothing below {least} is possible, and {least_} floors are travelled with the stops {answer}")


def explain(task: Task[Data]) -> list[str]:
    data, steps = task.data, []
    start = _opened(data)
    for gap in range(1, data.floors):
        ups, downs = _crossing(data, start, gap)
        told = {"low": gap, "high": gap + 1, "ups": ups, "downs": downs, "rises": -(-ups // data.room), "falls": -(-downs // data.room)}
        steps.append(GAP.write(**told))
    for end, total in sorted(_bounds(data, start).items()):
        crossings = "+".join(str(_times(data, start, gap, end)) for gap in range(1, data.floors))
        steps.append(FLOOR.write(end=end, crossings=crossings, total=total))
    state, travelled, stops = start, 0, solve(task)
    for floor in stops:
        after = _stopped(data, state, floor)
        travelled += abs(floor - state[0])
        steps.append(STOP.write(floor=floor, out=_gone(data, state, after), into=_came(data, state, after), travelled=travelled))
        state = after
    return [*steps, END.write(least=data.least, least_=data.least, answer=environment.answer.render(stops))]


def replay(task: Task[Data], steps: Sequence[str]) -> int | None:
    data = task.data
    gaps: list[tuple[int, int]] = []
    ends_: dict[int, int] = {}
    states, travelled = [_opened(data)], [0]

    def follows(step: str) -> bool:
        start = states[0]
        if said := GAP.read(step):
            gap = int(said["low"])
            ups, downs = _crossing(data, start, gap)
            gaps.append((-(-ups // data.room), -(-downs // data.room)))
            numbers = [int(said[name]) for name in ("high", "ups", "downs", "rises", "falls")]
            return gap == len(gaps) and numbers == [gap + 1, ups, downs, *gaps[-1]]
        if said := FLOOR.read(step):
            end = int(said["end"])
            crossings = [int(number) for number in said["crossings"].split("+")]
            ends_[end] = int(said["total"])
            right = [_times(data, start, gap, end) for gap in range(1, data.floors)]
            return len(gaps) == data.floors - 1 and end == len(ends_) and crossings == right and sum(crossings) == ends_[end]
        said = STOP.read(step)
        if said is None:
            return False
        before, floor = states[-1], int(said["floor"])
        states.append(_stopped(data, before, floor))
        travelled.append(travelled[-1] + abs(floor - before[0]))
        people = said["out"] == _gone(data, before, states[-1]) and said["into"] == _came(data, before, states[-1])
        return people and 1 <= floor <= data.floors and int(said["travelled"]) == travelled[-1] <= data.least

    def ends(step: str) -> bool:
        said = END.read(step)
        if said is None or len(ends_) != data.floors or not int(said["least"]) == int(said["least_"]) == min(ends_.values()) == data.least:
            return False
        answer = environment.answer.parse(said["answer"])
        return list(answer) == [floor for floor, *_ in states[1:]] and verify(task, answer).value == 1

    return first_wrong(steps, follows, ends)


def _named(data: Data, who: int) -> str:
    return " ".join(name for i, name in enumerate(data.people) if who >> i & 1) or "nobody"


def _gone(data: Data, before: State, after: State) -> str:
    return _named(data, before[2] & ~after[2])


def _came(data: Data, before: State, after: State) -> str:
    return _named(data, after[2] & ~before[2])


def _opened(data: Data) -> State:
    return _stopped(data, (data.start, (1 << len(data.people)) - 1, 0), data.start)


def _stopped(data: Data, state: State, floor: int) -> State:
    """What a stop on a floor leads to."""
    _, waiting, aboard = state
    for i, (_, end) in enumerate(data.trips):
        if end == floor:
            aboard &= ~(1 << i)
    for i, (start, _) in enumerate(data.trips):
        if start == floor and waiting >> i & 1 and aboard.bit_count() < data.room:
            waiting, aboard = waiting & ~(1 << i), aboard | 1 << i
    return floor, waiting, aboard


def _crossing(data: Data, state: State, gap: int) -> tuple[int, int]:
    """How many people still must cross the gap above a floor, up and down."""
    floor, waiting, aboard = state
    ups = downs = 0
    for i, (start, end) in enumerate(data.trips):
        if (waiting | aboard) >> i & 1:
            here = floor if aboard >> i & 1 else start
            ups += here <= gap < end
            downs += end <= gap < here
    return ups, downs


def _times(data: Data, state: State, gap: int, end: int) -> int:
    """How often the gap is crossed at least, if the elevator ends on a floor."""
    ups, downs = _crossing(data, state, gap)
    rises, falls = -(-ups // data.room), -(-downs // data.room)
    extra = (state[0] <= gap < end) - (end <= gap < state[0])  # rises less falls
    return 2 * max(rises, falls + extra) - extra


def _bounds(data: Data, state: State) -> dict[int, int]:
    """For each floor how far the elevator must still travel at least to end there."""
    return {end: sum(_times(data, state, gap, end) for gap in range(1, data.floors)) for end in range(1, data.floors + 1)}


def _least(data: Data, state: State) -> int:
    """The least of the bounds, summed up in one go."""
    floor, room = state[0], data.room
    ups, downs = [0] * (data.floors + 2), [0] * (data.floors + 2)
    for i, (start, end) in enumerate(data.trips):
        if (state[1] | state[2]) >> i & 1:
            here = floor if state[2] >> i & 1 else start
            way = ups if here < end else downs
            way[min(here, end)] += 1
            way[max(here, end)] -= 1
    flat, above, below = 0, [0], [0]
    gains = []
    up = down = 0
    for gap in range(1, data.floors):
        up, down = up + ups[gap], down + downs[gap]
        rises, falls = -(-up // room), -(-down // room)
        flat += 2 * max(rises, falls)
        extra = 1 if gap >= floor else -1
        gains.append(2 * max(rises, falls + extra) - extra - 2 * max(rises, falls))
    for gain in gains[floor - 1 :]:
        above.append(above[-1] + gain)
    for gain in reversed(gains[: floor - 1]):
        below.append(below[-1] + gain)
    return flat + min(*above, *below)


def _plans(data: Data, positions: int, way: int) -> Iterator[tuple[int, ...]]:
    """Trips that travel `least` floors, looking at so many positions at most; none is followed that the bounds rule out."""
    floors = sorted({floor for trip in data.trips for floor in trip})
    start = _opened(data)
    order = 0
    heap: list[tuple[int, int, int, State, tuple[int, ...]]] = [(0, 0, 0, start, ())]
    seen: dict[State, int] = {}
    while heap and positions:
        positions -= 1
        _, _, travelled, state, stops = heappop(heap)
        if not (state[1] or state[2]):
            yield stops
            continue
        if seen.get(state, 1 << 30) < travelled + (way > 0):
            continue
        seen[state] = travelled
        for floor in floors[::way]:
            if floor != state[0]:
                after = _stopped(data, state, floor)
                now = travelled + abs(floor - state[0])
                if after[1:] != state[1:] and now + _least(data, after) <= data.least:
                    order += way
                    heappush(heap, (after[1].bit_count() * 2 + after[2].bit_count(), order, now, after, (*stops, floor)))


environment = Environment(
    Knobs,
    Numbers("the floors in order, separated by commas", most=200),
    generate,
    solve,
    verify,
    mistakes,
    cost,
    explain,
    replay,
    shift,
    answers="many",
    solutions=lambda task: _plans(task.data, 2000, -1),
    concept="Count for each gap between two floors how often it must be crossed up and down; a trip that crosses none more often cannot be beaten.",
)
