"""Bring everyone and everything over a river in a small boat without leaving those alone together who must not be.

Any crossings within the allowed number are accepted. The number is the proved fewest, or the fewest and a few to spare.
"""

from collections.abc import Iterator
from functools import lru_cache
from itertools import combinations

from rlgym import Config, Environment, Rng, Score, Task, TaskData, knob
from rlgym.answers import Lines
from rlgym.generators.puzzles import move_puzzles
from rlgym.generators.puzzles.move_puzzles import Moves, Plan

State = tuple[int, bool]  # who is on the left bank, and whether the boat is
SPARE = {"loose": 8, "near": 2, "tight": 0}
CARGO = (
    "wolf",
    "goat",
    "cabbage",
    "dog",
    "cat",
    "goose",
    "fox",
    "hen",
    "corn",
    "mouse",
    "cheese",
    "rabbit",
    "carrot",
    "sheep",
    "lamb",
    "hay",
)
PEOPLE = ("Ann", "Bob", "Cem", "Dua", "Eva", "Fay", "Gus", "Hal", "Ida", "Jon", "Kim", "Lea")
ANSWER = Lines("the crossings in order, one per line", max_items=100)


class Knobs(Config):
    passengers: int = knob(5, easy=3, hard=8, doc="who and what must cross, in addition to the farmer")
    conflicts: int = knob(4, easy=1, hard=10, doc="pairs that must not be left alone together, as far as it can still be done")
    crossings: int = knob(9, easy=5, hard=19, doc="about how many crossings are needed, as far as such rules are found")
    start: str = knob(
        "left", easy="left", hard="both", order=("left", "both"), doc="all on one bank, or some on the other, who change places"
    )
    limit: str = knob("near", easy="loose", hard="tight", order=("loose", "near", "tight"), doc="crossings to spare: 8, 2 or none")


class Data(TaskData):
    names: tuple[str, ...]
    weights: tuple[int, ...]
    rowers: int  # as a set of bits, like all sets here
    room: int  # most weight in the boat, or most that travel in it where every weight is 1
    foes: tuple[int, ...]  # two names each
    left: int
    goal: int  # who must be on the left bank at the end
    most: int
    fewest: int


def generate(rng: Rng, knobs: Knobs) -> Task[Data]:
    return _sample_task(rng, knobs, False)


def shift(rng: Rng, knobs: Knobs) -> Task[Data]:
    """People of different weights, some of whom can row, a boat with a weight limit, and quarrels that one of them calms."""
    return _sample_task(rng, knobs, True)


def _sample_task(rng: Rng, knobs: Knobs, people: bool) -> Task[Data]:
    crossings_wanted, best = float(knobs.crossings), None
    for attempt in range(60):
        data = _rules(rng, knobs, max(knobs.conflicts - attempt // 5, 1), people)
        plan = move_puzzles.a_star(_puzzle(data), 2000)
        if plan and (best is None or abs(len(plan) - knobs.crossings) < abs(best.fewest - knobs.crossings)):
            best = data.model_copy(update={"most": len(plan) + SPARE[knobs.limit], "fewest": len(plan)})
        crossings_wanted -= 0.15
        if best and abs(best.fewest - knobs.crossings) <= knobs.crossings - crossings_wanted:
            break
    if best is None:
        return _sample_task(rng, knobs, people)
    return Task(_describe_rules(best, people), best)


def _rules(rng: Rng, knobs: Knobs, conflicts: int, people: bool) -> Data:
    count = knobs.passengers + 1
    every = (1 << count) - 1
    if people:
        names = tuple(rng.sample(PEOPLE, count))
        weights = tuple(rng.integer(3, 9) * 10 for _ in names)
        rowers = 1 | sum(1 << i for i in range(1, count) if rng.chance(0.25))
        room = max(weights[0] + max(weights), rng.integer(12, 20) * 10)
    else:
        names = ("farmer", *rng.sample(CARGO, count - 1))
        weights, rowers = (1,) * count, 1
        room = 2 if count < 7 else rng.integer(2, 3)
    pairs = [1 << a | 1 << b for a, b in combinations(range(1, count), 2)]
    foes = tuple(sorted(rng.sample(pairs, min(conflicts, len(pairs) * 2 // 3))))
    left, goal = every, 0
    if knobs.start == "both":
        left = 1 | sum(1 << i for i in range(1, count) if rng.chance(0.65))
        goal = every & ~left
    # Nobody quarrels at first, with the boat on the left, or at the end, with the boat on the right.
    foes = tuple(pair for pair in foes if all(pair & bank != pair for bank in (every & ~left, goal)))
    return Data(names=names, weights=weights, rowers=rowers, room=room, foes=foes, left=left, goal=goal, most=0, fewest=0)


def _describe_rules(data: Data, people: bool) -> str:
    names = data.names
    every = (1 << len(names)) - 1
    if people:
        weights = ", ".join(f"{name} {weight} kg" for name, weight in zip(names, data.weights))
        boat = (
            f"They weigh: {weights}. The boat bears {data.room} kg, and somebody in it must row: only {_list_names(data, data.rowers)} can"
        )
    else:
        boat = f"Only the farmer can row. The boat holds at most {data.room} at a time, the farmer among them"
    foes = "; ".join(_list_names(data, pair) for pair in data.foes) or "none"
    right = _list_names(data, every & ~data.left)
    return (
        f"On the left bank of a river: {_list_names(data, data.left)}. On the right bank: {right}. The boat is on the left bank. {boat}. "
        f"Pairs that must not be on the same bank while {'the ' if names[0] == 'farmer' else ''}{names[0]} is not on that bank (checked after every "
        f"crossing; those who have just landed count): {foes}. At the end these must be on the left bank: {_list_names(data, data.goal)}. All others "
        f"must be on the right bank. Do it with at most {data.most} crossings. The boat does not cross without a rower. Write one line for each "
        "crossing, listing everyone in the boat, separated by commas."
    )


def solve(task: Task[Data]) -> Plan:
    return move_puzzles.a_star(_puzzle(task.data), 10**6) or ()


def verify(task: Task[Data], answer: Plan) -> Score:
    plan = [_parse_load(task.data, line) for line in answer]
    return move_puzzles.verify_plan(_puzzle(task.data), plan, task.data.most, "not everyone is where they should be")


def mistakes(task: Task[Data], right: Plan) -> list[Plan]:
    everyone = ", ".join(task.data.names)
    return [(everyone,), *move_puzzles.near_misses(right), tuple(f"{task.data.names[0]}, {name}" for name in task.data.names[1:])]


def cost(task: Task[Data]) -> float:
    spare = task.data.most - task.data.fewest
    return task.data.fewest * len(task.data.names) ** 2 * (1 if spare > 5 else 2 if spare else 3)


@lru_cache(maxsize=16)
def _puzzle(data: Data) -> Moves[State]:
    count = len(data.names)
    every = (1 << count) - 1
    loads = []
    for size in range(1, count + 1):
        for inside in combinations(range(count), size):
            load = sum(1 << i for i in inside)
            if load & data.rowers and sum(data.weights[i] for i in inside) <= data.room:
                loads.append((load, _list_names(data, load)))
    safe = [bool(bank & 1) or not any(bank & pair == pair for pair in data.foes) for bank in range(every + 1)]

    def options(state: State) -> list[tuple[str, State]]:
        left, at_left = state
        bank = left if at_left else every & ~left
        crossings = []
        for load, name in loads:
            if load & bank == load:
                after = left ^ load
                if safe[after] and safe[every & ~after]:
                    crossings.append((name, (after, not at_left)))
        return crossings

    def describe(state: State) -> str:
        left, at_left = state
        bank, guarded = ("left", "right")[not at_left], "left" if left & 1 else "right"
        alone = every & ~left if left & 1 else left
        quarrels = [_list_names(data, pair).replace(", ", "-") for pair in data.foes if pair & left not in (0, pair)]
        separated_text = f"kept apart by the river: {' '.join(quarrels) or 'none'}"
        return (
            f"boat {bank}; on the left: {_list_names(data, left)}; on the right: {_list_names(data, every & ~left)}; {data.names[0]} {guarded}, "
            f"alone on the other bank: {_list_names(data, alone)}; {separated_text}"
        )

    def done(state: State) -> bool:
        return state[0] & ~1 == data.goal and not state[0] & 1

    return Moves((data.left, True), options, done, describe)


def _list_names(data: Data, some: int) -> str:
    return ", ".join(name for i, name in enumerate(data.names) if some >> i & 1) or "nobody"


def _parse_load(data: Data, line: str) -> str:
    """The load that a line names, as `options` names it; anything else comes out as it is."""
    words = [word for word in line.casefold().replace(",", " ").replace(" and ", " ").split() if word != "the"]
    known = {name.casefold(): i for i, name in enumerate(data.names)}
    if not words or len(set(words)) < len(words) or not set(words) <= set(known):
        return line
    return _list_names(data, sum(1 << known[word] for word in words))


def solutions(task: Task[Data]) -> Iterator[Plan]:
    yield from move_puzzles.other_plans(_puzzle(task.data), solve(task), task.data.most, 10**6)


environment = Environment(
    Knobs, ANSWER, generate, solve, verify, mistakes, cost,
    solution=move_puzzles.solution(_puzzle, solve, ANSWER), shift=shift, answers="many", solutions=solutions,
    shared_helpers="The helper makes the moves of the puzzle as the prompt states them; searching for a plan and checking one are apart.",
    concept="See which of them can be left together, and expect to bring someone back: the boat must return each time.",
    version=2,
)  # fmt: skip
