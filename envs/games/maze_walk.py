"""Find the way out of a house of rooms, seeing only the doors of the room one is in; keys may have to be found first."""

from rlgym import Config, Game, Rng, Score, TaskData, knob
from rlgym.answers import Choice
from rlgym.generators.text.words import WORDS

STEPS = {"north": (-1, 0), "east": (0, 1), "south": (1, 0), "west": (0, -1)}
BACK = {"north": "south", "south": "north", "east": "west", "west": "east"}
NAMES = tuple(word for word in WORDS if len(word) == 5)


class Knobs(Config):
    width: int = knob(5, easy=4, hard=8, doc="rooms from west to east")
    height: int = knob(5, easy=4, hard=8, doc="rooms from north to south")
    loops: int = knob(3, easy=0, hard=10, doc="doors beyond those of a tree")
    locks: int = knob(1, easy=0, hard=4, doc="keys needed to leave")


class State(TaskData):
    names: tuple[str, ...]  # of the rooms, row by row
    width: int
    doors: tuple[tuple[str, ...], ...]
    key_rooms: tuple[int, ...]
    end: int
    path: tuple[int, ...]  # rooms entered, the start first
    bumped: bool = False


def start(rng: Rng, knobs: Knobs) -> State:
    return _sample_state(rng, knobs, branching=False)


def _sample_state(rng: Rng, knobs: Knobs, branching: bool) -> State:
    width, rooms = knobs.width, knobs.width * knobs.height
    doors = _doors(rng, width, knobs.height, knobs.loops, branching)
    first = rng.integer(0, rooms - 1)
    # Among the farthest rooms, so that a fixed walk seldom stumbles upon the way out.
    distances = _distances(doors, first, width)
    end = rng.choice([room for room in range(rooms) if room != first and 6 * distances[room] > 5 * max(distances.values())])
    others = [room for room in range(rooms) if room not in (first, end)]
    return State(
        names=tuple(rng.sample(NAMES, rooms)),
        width=width,
        doors=doors,
        key_rooms=tuple(sorted(rng.sample(others, min(len(others), knobs.locks)))),
        end=end,
        path=(first,),
    )


def shift(rng: Rng, knobs: Knobs) -> State:
    """Houses with many short dead ends instead of a few long corridors."""
    return _sample_state(rng, knobs, branching=True)


def show(state: State) -> str:
    room = state.path[-1]
    seen = f"You are in the room {state.names[room]}. Doors lead {_format_list(state.doors[room])}."
    if room in state.key_rooms and room not in state.path[:-1]:
        seen += " You find a key here and take it."
    if state.bumped:
        return f"There is no door in that direction. {seen}"
    if len(state.path) > 1:
        if room == state.end:
            missing = len(set(state.key_rooms) - set(state.path))
            seen += f" The way out is here, but it is locked: {missing} key{' is' if missing == 1 else 's are'} still missing."
        return seen
    count = len(state.key_rooms)
    many = "both" if count == 2 else f"all {count}"
    keys = f" It is locked: first find {many} keys; you take a key by entering the room in which it is."
    key_rule = " It is locked: first find the key, which is in some room; you take it by entering that room."
    keys = ("", key_rule)[count] if count < 2 else keys
    return (
        f"You are in a house whose rooms lie in a rectangle and are joined by doors to the north, east, south and west. Each room has a name. "
        f"The way out is in the room {state.names[state.end]}.{keys} In each turn go through one door; then you see the next room. Leave before your "
        f"turns run out.\n\n{seen}"
    )


def act(state: State, direction: str) -> State:
    room = state.path[-1]
    if direction not in state.doors[room]:
        return state.model_copy(update={"bumped": True})
    return state.model_copy(update={"path": (*state.path, _next(room, direction, state.width)), "bumped": False})


def outcome(state: State) -> Score | None:
    return Score.exact(True) if state.path[-1] == state.end and set(state.key_rooms) <= set(state.path) else None


def milestones(state: State) -> dict[str, float]:
    found = {"way_out": float(state.end in state.path)}
    return found | ({"keys": len(set(state.key_rooms) & set(state.path)) / len(state.key_rooms)} if state.key_rooms else {})


def best(state: State) -> str:
    """Depth first: through a door to a room not yet seen, else back; once all keys are there, straight to the way out."""
    here, seen = state.path[-1], set(state.path)
    known = {room: {direction: _next(room, direction, state.width) for direction in state.doors[room]} for room in seen}
    if set(state.key_rooms) <= seen and state.end in seen:
        return _towards(known, here, {state.end})
    fresh = [direction for direction, room in known[here].items() if room not in seen]
    if fresh:
        return fresh[0]
    return _way_back(state)


def mistakes(state: State) -> list[str]:
    # Into the wall; where there is none, away from the way out. And to and fro between two rooms.
    room = state.path[-1]
    walls = [direction for direction in STEPS if direction not in state.doors[room]]
    distances = _distances(state.doors, state.end, state.width)
    away = max(state.doors[room], key=lambda direction: (distances[_next(room, direction, state.width)], direction))
    return [walls[0] if walls else away, walls[-1] if walls else away]


def cost(state: State) -> float:
    return len(state.doors) * (1 + len(state.key_rooms))


def turns(state: State) -> int:
    # All rooms are seen in two moves for each door of a tree; then the way out is at most a walk through all rooms off.
    rooms = len(state.doors)
    return 3 * rooms - 3 if state.key_rooms else 2 * rooms - 2


def explain(state: State) -> list[str]:
    room_name = state.names[state.path[-1]]
    seen = ", ".join(state.names[room] for room in dict.fromkeys(state.path))
    return [
        f"Seen so far: {seen}.",
        f"From {room_name} the next door, unseen rooms first, otherwise back the way it was entered: {best(state)}",
    ]


def _doors(rng: Rng, width: int, height: int, loops: int, branching: bool) -> tuple[tuple[str, ...], ...]:
    """A random tree of doors, and some more. The tree grows from its last room, or with `branching` from any."""
    rooms = width * height
    doors: list[dict[str, None]] = [{} for _ in range(rooms)]
    first = rng.integer(0, rooms - 1)
    path, seen = [first], {first}
    while path:
        if branching:
            path.append(path.pop(rng.integer(0, len(path) - 1)))
        choices = [(direction, room) for direction, room in _around(path[-1], width, height) if room not in seen]
        if not choices:
            path.pop()
            continue
        direction, room = rng.choice(choices)
        doors[path[-1]][direction] = doors[room][BACK[direction]] = None
        seen.add(room)
        path.append(room)
    for _ in range(loops):
        room = rng.integer(0, rooms - 1)
        direction, other = rng.choice(_around(room, width, height))
        doors[room][direction] = doors[other][BACK[direction]] = None
    return tuple(tuple(direction for direction in STEPS if direction in ways) for ways in doors)


def _around(room: int, width: int, height: int) -> list[tuple[str, int]]:
    row, column = divmod(room, width)
    near = [(direction, row + down, column + right) for direction, (down, right) in STEPS.items()]
    return [(direction, r * width + c) for direction, r, c in near if 0 <= r < height and 0 <= c < width]


def _next(room: int, direction: str, width: int) -> int:
    down, right = STEPS[direction]
    return room + down * width + right


def _way_back(state: State) -> str:
    """Back through the door by which this room was first entered."""
    room = state.path[-1]
    before = state.path[state.path.index(room) - 1]
    return next(direction for direction in state.doors[room] if _next(room, direction, state.width) == before)


def _towards(known: dict[int, dict[str, int]], start: int, ends: set[int]) -> str:
    first_steps: dict[int, str] = {start: ""}
    queue = [start]
    for room in queue:
        if room in ends:
            return first_steps[room]
        for direction, there in known[room].items():
            if there in known and there not in first_steps:
                first_steps[there] = first_steps[room] or direction
                queue.append(there)
    raise AssertionError("unreachable: seen rooms are joined through seen rooms")


def _distances(doors: tuple[tuple[str, ...], ...], room: int, width: int) -> dict[int, int]:
    """How many doors lie between a room and each."""
    rings, queue = {room: 0}, [room]
    for current in queue:
        for direction in doors[current]:
            there = _next(current, direction, width)
            if there not in rings:
                rings[there] = rings[current] + 1
                queue.append(there)
    return rings


def _format_list(ways: tuple[str, ...]) -> str:
    return f"{', '.join(ways[:-1])} and {ways[-1]}" if len(ways) > 1 else ways[0]


environment = Game(
    Knobs, Choice(tuple(STEPS)), start, show, act, outcome, best, mistakes, cost, turns, explain, shift=shift,
    concept="Take doors to rooms you have not seen; when there is none, go back the way you came, so that no room is searched twice.",
    version=5,
    milestones=milestones,
)  # fmt: skip
