"""Bring all people to their floors with one elevator that travels as few floors as possible.

Any such trip is accepted. That none is shorter follows from how often each gap between two floors must be crossed upwards and downwards.
"""

from collections.abc import Iterator, Sequence
from heapq import heappop, heappush

from rlgym import Config, Environment, Rng, Score, Task, TaskData, knob
from rlgym.answers import Numbers
from rlgym.generators.simulations.elevators import State, bounds_by_floor, count_crossings, lower_bound, people_to_cross, stop_at
from rlgym.generators.text.names import PEOPLE
from rlgym.solutions import Checks, Derivation, Due, Solution, Step

POSITIONS = 600
ANSWER = Numbers("the floors in order, separated by commas", max_items=200)
GAP = Step(
    "Between the floors {low:int} and {high:int}, {ups:int} must go up and {downs:int} down, "
    "so the least number of crossings is {rises:int} up and {falls:int} down"
)
FLOOR = Step("If it ends on floor {end:int}, the ups and downs of each gap must fit to this, which makes {crossings}: {total:int} at least")
STOP = Step("Stop on floor {floor:int}: out {out}, in {into}; {travelled:int} floor(s) so far")
END = Step("Nothing below {least:int} is possible, and {least:int} floors are travelled with the stops {answer}")


class Knobs(Config):
    floors: int = knob(8, easy=6, hard=20, doc="how many floors there are")
    people: int = knob(4, easy=3, hard=9, beyond=12, doc="how many people wait")
    room: str = knob("three", easy="all", hard="two", order=("all", "three", "two"), doc="how many fit into the elevator")


class Data(TaskData):
    floors: int
    room: int
    start: int
    people: tuple[str, ...]
    trips: tuple[tuple[int, int], ...]
    least: int


def generate(rng: Rng, knobs: Knobs) -> Task[Data]:
    """From anywhere to anywhere."""
    return _sample_task(rng, knobs, 1, knobs.floors)


def shift(rng: Rng, knobs: Knobs) -> Task[Data]:
    """Short trips between floors close together."""
    return _sample_task(rng, knobs, 1, max(3, knobs.floors // 3))


def _sample_task(rng: Rng, knobs: Knobs, low: int, high: int) -> Task[Data]:
    room = {"all": knobs.people, "three": 3, "two": 2}[knobs.room]
    while True:
        trips: list[tuple[int, int]] = []
        while len(trips) < knobs.people:
            origin, destination = rng.integer(1, knobs.floors), rng.integer(1, knobs.floors)
            if low <= abs(origin - destination) <= high:
                trips.append((origin, destination))
        data = Data(
            floors=knobs.floors,
            room=room,
            start=rng.integer(1, knobs.floors),
            people=tuple(rng.sample(PEOPLE, knobs.people)),
            trips=tuple(trips),
            least=0,
        )
        least = min(bounds_by_floor(data, _opened_state(data)).values())
        data = data.model_copy(update={"least": least})
        # One sweep down and one up, or one trip after the other, must not do.
        if next(_plans(data, POSITIONS, 1), None) and not any(_travel_distance(data, stops) == least for stops in _thoughtless_trips(data)):
            break
    listing = "\n".join(f"{name} waits on floor {a} and wants to go to floor {b}" for name, (a, b) in zip(data.people, trips, strict=True))
    enter = (
        "everyone waiting there gets in"
        if room >= knobs.people
        else "those waiting there get in, in the order of the list, as long as there is room"
    )
    starts = any(origin == data.start for origin, _ in trips)
    first = f"In the same way, people get in on floor {data.start} before the elevator leaves it for the first time. " if starts else ""
    prompt = (
        f"An elevator with room for {'everyone' if room >= knobs.people else f'{room} people'} stands on floor {data.start} of a building with the "
        f"floors 1 to {data.floors}.\n{listing}\n\nWhen it stops on a floor, first everyone in it who is going to this floor gets out, then {enter}. {first}It "
        "can pass floors without stopping, and it must not stop where nobody gets in or out.\n\nBring everyone to their floor so that the total "
        "distance that the elevator travels, counted in floors, is as small as possible (from floor 2 to floor 5 it travels 3 floors). If several ways "
        "are equally short, any one of them will do. Name the floors on which it stops, in order; the start on floor "
        f"{data.start} is not a stop."
    )
    return Task(prompt, data)


def solve(task: Task[Data]) -> tuple[int, ...]:
    return next(_plans(task.data, 10**7, 1))


def verify(task: Task[Data], answer: tuple[int, ...]) -> Score:
    data, state = task.data, _opened_state(task.data)
    travelled = 0
    for floor in answer:
        if not 1 <= floor <= data.floors or floor == state.floor:
            return Score.wrong("each stop must be another floor of the house than the one before")
        travelled += abs(floor - state.floor)
        after = stop_at(data, state, floor)
        if (after.waiting, after.aboard) == (state.waiting, state.aboard):
            return Score.wrong(f"nobody gets in or out on floor {floor}")
        state = after
    if state.left:
        return Score.wrong("somebody is not brought to the floor wanted")
    return Score.exact(travelled == data.least, "fewer floors are enough")


def mistakes(task: Task[Data], right: tuple[int, ...]) -> list[tuple[int, ...]]:
    data = task.data
    one_by_one = _serve_sequentially(data, data.trips)
    sweep = [floor for floor in range(1, data.floors + 1) if floor != data.start]
    every = [*range(data.start + 1, data.floors + 1), *range(data.floors - 1, 0, -1), *range(2, data.floors + 1)]
    return [one_by_one, right[:-1] or tuple(sweep), tuple(sweep), tuple(every), right[::-1], tuple(b for _, b in data.trips)]


def cost(task: Task[Data]) -> float:
    data = task.data
    return data.least * len(data.people) * (1 + max(0, len(data.people) - data.room)) * (1 if all(a < b for a, b in data.trips) else 2)


def derive(task: Task[Data]) -> Derivation:
    data = task.data
    start = _opened_state(data)
    for gap in range(1, data.floors):
        yield _crossings(data, start, gap)
    for end, total in sorted(bounds_by_floor(data, start).items()):
        yield FLOOR(end=end, crossings="+".join(str(count_crossings(data, start, gap, end)) for gap in range(1, data.floors)), total=total)
    state, travelled, stops = start, 0, solve(task)
    for floor in stops:
        after = stop_at(data, state, floor)
        travelled += abs(floor - state.floor)
        yield STOP(floor=floor, out=_who_left(data, state, after), into=_who_entered(data, state, after), travelled=travelled)
        state = after
    yield END(least=data.least, answer=ANSWER.render(stops))


def checks(task: Task[Data]) -> Checks:
    data = task.data
    states, so_far = [_opened_state(data)], [0]
    gaps, bounds = list[int](), dict[int, int]()

    def crosses(low: int, **counts: int) -> bool:
        if low != len(gaps) + 1 or {"low": low, **counts} != _crossings(data, states[0], low).fields:
            return False
        gaps.append(low)
        return True

    def bounded(end: int, crossings: str, total: int) -> bool:
        counts = [count_crossings(data, states[0], gap, end) for gap in range(1, data.floors)]
        if len(gaps) != data.floors - 1 or end != len(bounds) + 1 or crossings != "+".join(map(str, counts)) or sum(counts) != total:
            return False
        bounds[end] = total
        return True

    def stops(floor: int, out: str, into: str, travelled: int) -> bool:
        before = states[-1]
        after, total = stop_at(data, before, floor), so_far[-1] + abs(floor - before.floor)
        if not 1 <= floor <= data.floors or (out, into) != (_who_left(data, before, after), _who_entered(data, before, after)):
            return False
        if not travelled == total <= data.least or (after.waiting, after.aboard) == (before.waiting, before.aboard):
            return False
        states.append(after)
        so_far.append(total)
        return True

    def reached(least: int, answer: str) -> bool:
        proved = len(bounds) == data.floors and least == min(bounds.values()) == data.least
        return proved and list(ANSWER.parse(answer)) == [state.floor for state in states[1:]]

    return {GAP: crosses, FLOOR: bounded, STOP: stops, END: reached}


def _crossings(data: Data, state: State, gap: int) -> Due:
    """The step that counts how often a gap between two floors must be crossed."""
    ups, downs = people_to_cross(data, state, gap)
    return GAP(low=gap, high=gap + 1, ups=ups, downs=downs, rises=-(-ups // data.room), falls=-(-downs // data.room))


def _names_of(data: Data, who: int) -> str:
    return " ".join(name for i, name in enumerate(data.people) if who >> i & 1) or "nobody"


def _who_left(data: Data, before: State, after: State) -> str:
    return _names_of(data, before.aboard & ~after.aboard)


def _who_entered(data: Data, before: State, after: State) -> str:
    return _names_of(data, after.aboard & ~before.aboard)


def _opened_state(data: Data) -> State:
    return stop_at(data, State(data.start, (1 << len(data.people)) - 1, 0), data.start)


def _serve_sequentially(data: Data, trips: Sequence[tuple[int, int]]) -> tuple[int, ...]:
    in_turn = [floor for trip in trips for floor in trip]
    return tuple(floor for before, floor in zip([data.start, *in_turn], in_turn, strict=False) if floor != before)


def _thoughtless_trips(data: Data) -> list[tuple[int, ...]]:
    """All named floors downwards and upwards, and one person after the other."""
    rising = sorted({floor for trip in data.trips for floor in trip})
    falling = rising[::-1]
    below, above = [floor for floor in falling if floor < data.start], [floor for floor in rising if floor > data.start]
    sweeps = [
        (*rising, *falling),
        (*falling, *rising),
        (*below, *rising),
        (*above, *falling),
        (*below, *rising, *falling),
        (*above, *falling, *rising),
    ]
    return [*sweeps, _serve_sequentially(data, data.trips), _serve_sequentially(data, data.trips[::-1])]


def _travel_distance(data: Data, stops: Sequence[int]) -> int:
    """How far the elevator travels, past the stops where nobody gets in or out, until everyone has arrived; -1 if they do not."""
    state, travelled = _opened_state(data), 0
    for floor in stops:
        after = stop_at(data, state, floor)
        if floor != state.floor and (after.waiting, after.aboard) != (state.waiting, state.aboard):
            travelled += abs(floor - state.floor)
            state = after
    return -1 if state.left else travelled


def _plans(data: Data, positions: int, direction: int) -> Iterator[tuple[int, ...]]:
    """Trips that travel `least` floors, expanding a limited number of positions and pruning by the bounds."""
    floors = sorted({floor for trip in data.trips for floor in trip})
    start = _opened_state(data)
    order = 0
    heap: list[tuple[int, int, int, State, tuple[int, ...]]] = [(0, 0, 0, start, ())]
    seen: dict[State, int] = {}
    while heap and positions:
        positions -= 1
        _, _, travelled, state, stops = heappop(heap)
        if not state.left:
            yield stops
            continue
        if seen.get(state, 1 << 30) < travelled + (direction > 0):
            continue
        seen[state] = travelled
        for floor in floors[::direction]:
            if floor != state.floor:
                after = stop_at(data, state, floor)
                now = travelled + abs(floor - state.floor)
                if (after.waiting, after.aboard) != (state.waiting, state.aboard) and now + lower_bound(data, after) <= data.least:
                    order += direction
                    heappush(heap, (after.waiting.bit_count() * 2 + after.aboard.bit_count(), order, now, after, (*stops, floor)))


environment = Environment(
    Knobs, ANSWER, generate, solve, verify, mistakes, cost,
    solution=Solution(derive, END, checks), shift=shift, answers="many", solutions=lambda task: _plans(task.data, 2000, -1),
    shared_helpers="The helper makes the moves of the puzzle as the prompt states them; searching for a plan and checking one are apart.",
    concept="Count for each gap between two floors how often it must be crossed up and down; a trip that crosses none more often cannot be beaten.",
    version=4,
)  # fmt: skip
