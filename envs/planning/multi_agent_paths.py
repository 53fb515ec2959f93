"""Bring several robots on a grid to their goals at the same time without collisions, by a given minute.

Any plan in time is accepted. Where the limit is tight, no plan ends earlier: that was proved while generating.
"""

import math
from collections.abc import Callable, Iterator, Sequence
from functools import cache
from itertools import pairwise

from rlgym import Config, Environment, Rng, Score, Task, TaskData, knob
from rlgym.answers import Mapping
from rlgym.generators.drawing import pictures
from rlgym.generators.graphs.robot_moves import MOVES, apply_move, breadth_first_distances, is_collision_free
from rlgym.solutions import Checks, Derivation, Due, Solution, Step

Pairs = tuple[tuple[str, str], ...]
Cells = tuple[int, ...]
NAMES = "abcdef"
POSITIONS = 1500
ANSWER = Mapping("one line `robot: moves` for each robot")
FAR = Step("{robot} alone needs {least:int} minute(s) from {start} to {goal}, and there are {minutes:int}")
MINUTE = Step("Minute {minute:int}: {moves:words}; no two in one cell and no two swap places; still to go at least: {left}")
END = Step("All are on their goals with\n{answer}")


class Knobs(Config):
    side: int = knob(4, easy=3, hard=7, beyond=8, doc="rows and columns of the grid")
    robots: int = knob(3, easy=2, hard=4, beyond=5, doc="how many robots there are")
    walls: int = knob(20, easy=8, hard=30, doc="percent of the cells that are walls, about")
    limit: str = knob(
        "near", easy="loose", hard="tight", order=("loose", "near", "tight"), doc="minutes beyond the least: four, one or none"
    )
    conflict: str = knob(
        "some", easy="some", hard="forced", order=("some", "forced"), doc="whether waiting or going round is sometimes or always needed"
    )


class Data(TaskData):
    side: int
    walls: Cells
    starts: Cells
    goals: Cells
    minutes: int


def generate(rng: Rng, knobs: Knobs) -> Task[Data]:
    """Walls anywhere."""
    cells = list(range(knobs.side**2))
    return _sample_task(rng, knobs, lambda: rng.sample(cells, len(cells) * knobs.walls // 100))


def shift(rng: Rng, knobs: Knobs) -> Task[Data]:
    """Shelves with aisles between them: walls in every second row, with gaps."""
    side = knobs.side
    rows = [cell for cell in range(side**2) if cell // side % 2]
    return _sample_task(rng, knobs, lambda: rng.sample(rows, len(rows) * (40 + knobs.walls) // 100))


def _sample_task(rng: Rng, knobs: Knobs, drawn: Callable[[], list[int]]) -> Task[Data]:
    side = knobs.side
    while True:
        walls = tuple(sorted(drawn()))
        free = [cell for cell in range(side**2) if cell not in walls]
        if len(free) < knobs.robots + 2:
            continue
        starts, goals = tuple(rng.sample(free, knobs.robots)), tuple(rng.sample(free, knobs.robots))
        if knobs.conflict == "forced":
            # The first two change places, so that they meet.
            goals = (starts[1], starts[0], *goals[2:])
        data = Data(side=side, walls=walls, starts=starts, goals=goals, minutes=0)
        alone = [breadth_first_distances(data, goal).get(start, -1) for start, goal in zip(starts, goals, strict=True)]
        if len(set(goals)) < len(goals) or min(alone) < 1:
            continue
        for minutes in range(max(alone), max(alone) + 4):
            data = data.model_copy(update={"minutes": minutes})
            budget = [POSITIONS]
            plan = next(_plans(data, budget, 1), None)
            if plan or budget[0] < 0:
                break
        if plan:
            break
    data = data.model_copy(update={"minutes": minutes + {"loose": 4, "near": 1, "tight": 0}[knobs.limit]})
    return Task(_render_prompt(data), data)


def solve(task: Task[Data]) -> Pairs:
    return _to_pairs(task.data, next(_plans(task.data, [10**7], 1)))


def verify(task: Task[Data], answer: Pairs) -> Score:
    data, given = task.data, dict(answer)
    if set(given) != set(NAMES[: len(data.starts)]):
        return Score.wrong("exactly the robots must each get their moves")
    plans = [given[name].replace(" ", "") for name in sorted(given)]
    if any(len(plan) > data.minutes or not set(plan) <= set(MOVES) for plan in plans):
        return Score.wrong(f"moves are written with U, D, L, R and W, at most {data.minutes} for each robot")
    current = data.starts
    for minute in range(data.minutes):
        after = tuple(
            apply_move(data, cell, plan[minute] if minute < len(plan) else "w") for cell, plan in zip(current, plans, strict=True)
        )
        if min(after) < 0:
            return Score.wrong(f"in minute {minute + 1} a robot moves into a wall or off the grid")
        if not is_collision_free(current, after):
            return Score.wrong(f"in minute {minute + 1} two robots collide or swap places")
        current = after
    return Score.exact(current == data.goals, "some robot is not on its goal at the end")


def mistakes(task: Task[Data], right: Pairs) -> list[Pairs]:
    data = task.data
    alone = []
    for start, goal in zip(data.starts, data.goals, strict=True):
        single = data.model_copy(update={"starts": (start,), "goals": (goal,)})
        alone.append(next(_plans(single, [10**6], 1)))
    lonely = tuple((name, plan) for name, plans in zip(NAMES, alone, strict=False) for plan in [_word(data, [cells[0] for cells in plans])])
    (first, moves), *rest = right
    turned = tuple((name, plan[::-1]) for name, plan in right)
    return [
        lonely,
        turned,
        ((first, "w" + moves), *rest),
        tuple((name, "w") for name, _ in right),
        tuple(rest),
        ((first, moves[:-1] + "x"), *rest),
    ]


def cost(task: Task[Data]) -> float:
    data = task.data
    alone = max(breadth_first_distances(data, goal)[start] for start, goal in zip(data.starts, data.goals, strict=True))
    return data.minutes * len(data.starts) ** 2 * (data.side**2 - len(data.walls)) / math.sqrt(1 + max(0, data.minutes - alone))


def derive(task: Task[Data]) -> Derivation:
    data = task.data
    plan = next(_plans(data, [10**7], 1))
    distances = [breadth_first_distances(data, goal) for goal in data.goals]
    for robot, start in enumerate(data.starts):
        yield _alone(data, robot, distances[robot][start])
    for minute, cells in enumerate(plan[1:], 1):
        moves = [f"{name} to {_name_of_cell(data, cell)}" for name, cell in zip(NAMES.upper(), cells, strict=False)]
        distances_left = " ".join(str(distance[cell]) for distance, cell in zip(distances, cells, strict=True))
        yield MINUTE(minute=minute, moves=moves, left=distances_left)
    yield END(answer=ANSWER.render(_to_pairs(data, plan)))


def checks(task: Task[Data]) -> Checks:
    data = task.data
    distances = [breadth_first_distances(data, goal) for goal in data.goals]
    plan, named = [data.starts], list[str]()

    def alone(robot: str, **gaps: object) -> bool:
        number = len(named)
        if {"robot": robot, **gaps} != _alone(data, number, distances[number][data.starts[number]]).fields:
            return False
        named.append(robot)
        return True

    def moves_on(minute: int, moves: tuple[str, ...], left: str) -> bool:
        cells = tuple(_cell_of(data, move, name) for move, name in zip(moves, NAMES.upper(), strict=False))
        before = plan[-1]
        legal = all(cell in [apply_move(data, old, move) for move in MOVES] for cell, old in zip(cells, before, strict=True))
        away = [distance.get(cell, -1) for distance, cell in zip(distances, cells, strict=True)]
        if len(named) < len(data.starts) or not legal or min(cells) < 0 or not is_collision_free(before, cells):
            return False
        if minute != len(plan) or away != list(map(int, left.split())) or max(away) > data.minutes - minute:
            return False
        plan.append(cells)
        return True

    return {FAR: alone, MINUTE: moves_on, END: lambda answer: ANSWER.parse(answer) == _to_pairs(data, plan)}


def _alone(data: Data, robot: int, least: int) -> Due:
    """The step that says how long a robot needs if no other is in its way."""
    start, goal = _name_of_cell(data, data.starts[robot]), _name_of_cell(data, data.goals[robot])
    return FAR(robot=NAMES[robot].upper(), least=least, start=start, goal=goal, minutes=data.minutes)


def _cell_of(data: Data, move: str, name: str) -> int:
    """The cell of a move such as A to 2/3; -1 where another robot moves, or off the grid."""
    who, place = move.split(" to ")
    row, column = map(int, place.split("/"))
    return (row - 1) * data.side + column - 1 if who == name and 1 <= column <= data.side else -1


def picture(task: Task[Data]) -> str:
    data = task.data
    text = {goal: name for name, goal in zip(NAMES, data.goals, strict=False)}
    cells = [[text.get(row * data.side + column, "") for column in range(data.side)] for row in range(data.side)]
    corners = {start: name for name, start in zip(NAMES.upper(), data.starts, strict=False)}
    return pictures.board(cells, shaded=data.walls, corners=corners)


def _render_prompt(data: Data) -> str:
    def sign(cell: int) -> str:
        return "#" if cell in data.walls else "."

    listing = "\n".join("".join(sign(row * data.side + column) for column in range(data.side)) for row in range(data.side))
    positions_text = "; ".join(
        f"{name} starts at {_name_of_cell(data, start)} and must get to {_name_of_cell(data, goal)}"
        for name, start, goal in zip(NAMES.upper(), data.starts, data.goals, strict=False)
    )
    rules = (
        "In each minute every robot moves one cell up, down, left or right, or waits, all at the same time. After no minute may two robots be in one cell, "
        "and in no minute may two robots swap places. A robot on its goal may leave it again. After the last of its moves a robot waits; "
        f"other robots still may not run into it. After minute {data.minutes} every robot must be on its goal."
    )
    return (
        f"Robots move on this grid, where # is a wall and . is free:\n{listing}\n\nA cell is named row/column; rows count from 1 at the top, columns from 1 at "
        f"the left. {positions_text}.\n\n{rules}\n\nGive each robot's moves as one word of the letters U (up), D, L, R and W (wait), "
        f"at most {data.minutes} of them."
    )


def _name_of_cell(data: Data, cell: int) -> str:
    return f"{cell // data.side + 1}/{cell % data.side + 1}"


def _plans(data: Data, budget: list[int], direction: int) -> Iterator[list[Cells]]:
    """Plans in time, minute by minute; a position from which the goals are out of reach, or that was tried with as much time, is left."""
    fars = [breadth_first_distances(data, goal) for goal in data.goals]
    free = [cell for cell in range(data.side**2) if cell not in data.walls]
    near = {cell: [neighbour for move in "urdlw"[::direction] if (neighbour := apply_move(data, cell, move)) >= 0] for cell in free}
    tried: dict[Cells, int] = {}

    @cache
    def options(robot: int, cell: int, minutes_left: int) -> list[int]:
        return sorted(
            (neighbour for neighbour in near[cell] if fars[robot][neighbour] <= minutes_left), key=lambda neighbour: fars[robot][neighbour]
        )

    def steps(current: Cells, after: Cells, minutes_left: int) -> Iterator[Cells]:
        robot = len(after)
        if robot == len(current):
            yield after
            return
        for neighbour in options(robot, current[robot], minutes_left):
            if neighbour not in after and not any(neighbour == current[i] and after[i] == current[robot] for i in range(robot)):
                yield from steps(current, (*after, neighbour), minutes_left)

    plan = [data.starts]
    if data.starts == data.goals:
        yield plan
        return
    waiting = [steps(data.starts, (), data.minutes - 1)]
    while waiting:
        after = next(waiting[-1], None)
        if after is None:
            waiting.pop()
            plan.pop()
            continue
        minutes_left = data.minutes - len(plan)
        if after == data.goals:
            yield [*plan, after]
            continue
        budget[0] -= 1
        if budget[0] < 0:
            return
        if tried.get(after, -1) >= minutes_left or minutes_left < 1:
            continue
        tried[after] = minutes_left
        plan.append(after)
        waiting.append(steps(after, (), minutes_left - 1))


def _word(data: Data, cells: Sequence[int]) -> str:
    step = {0: "w", 1: "r", -1: "l", data.side: "d", -data.side: "u"}
    return "".join(step[b - a] for a, b in pairwise(cells))


def _to_pairs(data: Data, plan: Sequence[Cells]) -> Pairs:
    return tuple((NAMES[i], _word(data, [cells[i] for cells in plan])) for i in range(len(data.starts)))


def solutions(task: Task[Data]) -> Iterator[Pairs]:
    for plan in _plans(task.data, [20000], -1):
        yield _to_pairs(task.data, plan)


environment = Environment(
    Knobs, ANSWER, generate, solve, verify, mistakes, cost,
    solution=Solution(derive, END, checks), shift=shift, picture=picture, answers="many", solutions=solutions,
    concept="Each robot's own shortest way bounds the time from below; where ways meet, let one wait or step aside where that costs least.",
    version=2,
)  # fmt: skip
