"""An elevator with people: what a stop leads to, and bounds on how far it must still travel."""

from typing import NamedTuple, Protocol


class Building(Protocol):
    """The floors, the trips of the people from floor to floor, and the room in the elevator."""

    @property
    def floors(self) -> int: ...
    @property
    def trips(self) -> tuple[tuple[int, int], ...]: ...
    @property
    def room(self) -> int: ...


class State(NamedTuple):
    """Where the elevator stands; who waits and who is aboard, as bits."""

    floor: int
    waiting: int
    aboard: int

    @property
    def left(self) -> int:
        """Who is not at their floor yet."""
        return self.waiting | self.aboard


def stop_at(data: Building, state: State, floor: int) -> State:
    """What a stop on a floor leads to."""
    _, waiting, aboard = state
    for i, (_, end) in enumerate(data.trips):
        if end == floor:
            aboard &= ~(1 << i)
    for i, (start, _) in enumerate(data.trips):
        if start == floor and waiting >> i & 1 and aboard.bit_count() < data.room:
            waiting, aboard = waiting & ~(1 << i), aboard | 1 << i
    return State(floor, waiting, aboard)


def people_to_cross(data: Building, state: State, gap: int) -> tuple[int, int]:
    """How many people still must cross the gap above a floor, up and down."""
    ups = downs = 0
    for i, (start, end) in enumerate(data.trips):
        if state.left >> i & 1:
            origin = state.floor if state.aboard >> i & 1 else start
            ups += origin <= gap < end
            downs += end <= gap < origin
    return ups, downs


def count_crossings(data: Building, state: State, gap: int, end: int) -> int:
    """How often the gap is crossed at least, if the elevator ends on a floor."""
    ups, downs = people_to_cross(data, state, gap)
    rises, falls = -(-ups // data.room), -(-downs // data.room)
    extra = (state.floor <= gap < end) - (end <= gap < state.floor)  # rises less falls
    return 2 * max(rises, falls + extra) - extra


def bounds_by_floor(data: Building, state: State) -> dict[int, int]:
    """For each floor how far the elevator must still travel at least to end there."""
    return {end: sum(count_crossings(data, state, gap, end) for gap in range(1, data.floors)) for end in range(1, data.floors + 1)}


def lower_bound(data: Building, state: State) -> int:
    """The least of the bounds, summed up in one go."""
    floor, room = state.floor, data.room
    ups, downs = [0] * (data.floors + 2), [0] * (data.floors + 2)
    for i, (start, end) in enumerate(data.trips):
        if state.left >> i & 1:
            origin = floor if state.aboard >> i & 1 else start
            crossings = ups if origin < end else downs
            crossings[min(origin, end)] += 1
            crossings[max(origin, end)] -= 1
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
