"""Write a program with repeats, of few instructions, that takes a robot through a maze.

The program is run step by step and judged by where the robot ends; any program within the budget that gets there is accepted. On the upper levels
it is not known where the robot starts, and one sequence of moves must be right for all places: walls bring them together, holes end all.
"""

from collections.abc import Iterator, Sequence
from itertools import pairwise

from rlgym import Config, Environment, Rng, Score, Task, TaskData, knob
from rlgym.answers import Text
from rlgym.generators.drawing import pictures
from rlgym.generators.puzzles import hidden_robot, robot_programs
from rlgym.generators.puzzles.hidden_robot import Room
from rlgym.generators.puzzles.robot_programs import Cell
from rlgym.solutions import Checks, Derivation, Solution, SolutionByTask, Step

LEG = Step("Facing {wind}, {moves} leads to row {row:int}, column {column:int}, facing {after} then")
MOVES = Step("So the single moves are {moves}: {count:int} of them, and {budget:int} instructions are allowed")
REPEAT = Step("{times:int} times {inside} is {whole}, for {size:int} instructions")
SIZE = Step("With this the program has {size:int} instructions, and {budget:int} are allowed")
END = Step("The program is {answer}")


class Knobs(Config):
    stretch: int = knob(4, easy=2, hard=6, doc="how far the robot goes straight on at most")
    times: int = knob(3, easy=2, hard=4, doc="how often a part of the way is repeated at most")
    loops: str = knob(
        "one", easy="none", hard="nested", order=("none", "one", "two", "nested"), doc="repeats in the way, one within the other at the end"
    )
    spare: str = knob(
        "some",
        easy="any",
        hard="none",
        order=("any", "some", "none"),
        doc="no repeat is needed, or two more are allowed than least, or none",
    )
    starts: int = knob(1, easy=1, hard=7, doc="cells on which the robot may start; from 5 on it is not known on which")
    moves: int = knob(16, easy=8, hard=28, doc="instructions that are needed at least where the start is not known")


class Data(TaskData):
    rows: tuple[str, ...]  # # is a wall, . is free
    start: Cell
    wind: str
    goal: Cell
    end_wind: str
    budget: int
    room: Room | None = None  # where the start is not known


def generate(rng: Rng, knobs: Knobs) -> Task[Data]:
    """A bare corridor, or a room with several starts."""
    if knobs.starts > 4:
        room = hidden_robot.sample(rng, knobs.starts, knobs.moves)
        data = Data(rows=room.rows, start=room.starts[0], wind=room.wind, goal=room.goal, end_wind="", budget=room.fewest, room=room)
        return Task(hidden_robot.render(room), data)
    return _sample_task(rng, knobs, False)


def shift(rng: Rng, knobs: Knobs) -> Task[Data]:
    """A maze with dead ends off the way."""
    return _sample_task(rng, knobs, True)


def _sample_task(rng: Rng, knobs: Knobs, branches: bool) -> Task[Data]:
    fewest = 34 if knobs.loops == "nested" else 4
    while True:
        program = _sample_program(rng, knobs)
        moves, _ = robot_programs.expand(program)
        wind = rng.choice(robot_programs.WINDS)
        visits = robot_programs.run(moves, (0, 0), wind)
        path = [cell for i, (cell, _) in enumerate(visits) if i == 0 or moves[i - 1] == "f"]
        turns = any(a != "f" and b != "f" for a, b in pairwise(moves))
        if fewest <= len(moves) <= fewest + 30 - fewest // 3 and not turns and _bare(path):
            break
    open_ = dict.fromkeys(path)
    if branches:
        for _ in range(2 * len(path)):
            current = rng.choice(list(open_))
            step = robot_programs.AHEAD[rng.choice(robot_programs.WINDS)]
            neighbour = (current[0] + step[0], current[1] + step[1])
            near = [cell for cell in _around(neighbour) if cell in open_]
            if neighbour not in open_ and near == [current] and current not in (path[0], path[-1]):
                open_[neighbour] = None
    top, left = min(row for row, _ in open_) - 1, min(column for _, column in open_) - 1
    high, wide = max(row for row, _ in open_) - top + 2, max(column for _, column in open_) - left + 2
    rows = tuple("".join("." if (r + top, c + left) in open_ else "#" for c in range(wide)) for r in range(high))
    goal, end_wind = visits[-1]
    data = Data(
        rows=rows,
        start=(-top, -left),
        wind=wind,
        goal=(goal[0] - top, goal[1] - left),
        end_wind=end_wind,
        budget=len(moves) if knobs.spare == "any" else _shortest_size(moves) + (2 if knobs.spare == "some" else 0),
    )
    return Task(_render_prompt(data), data)


def solve(task: Task[Data]) -> str:
    if task.data.room:
        return hidden_robot.shortest(task.data.room)
    return robot_programs.shorten(_shortest_moves(task.data))


def verify(task: Task[Data], answer: str) -> Score:
    data = task.data
    if len(answer) > 300:
        return Score.wrong("the program is far too long")
    try:
        moves, size = robot_programs.expand(answer)
    except ValueError as error:
        return Score.wrong(str(error))
    if data.room:
        if len(moves) > data.budget:
            return Score.wrong(f"there are {len(moves)} instructions, and {data.budget} are allowed")
        missed = [start for start in data.room.starts if hidden_robot.end_of(data.room, start, moves)[0] != data.goal]
        return Score.exact(not missed, f"the robot does not end on G from {len(missed)} of the starts")
    if size > data.budget:
        return Score.wrong(f"the program has {size} instructions, and {data.budget} are allowed")
    visits = robot_programs.run(moves, data.start, data.wind)
    for cell, _ in visits:
        if not (0 <= cell[0] < len(data.rows) and 0 <= cell[1] < len(data.rows[0])) or data.rows[cell[0]][cell[1]] == "#":
            return Score.wrong(f"the robot runs into a wall in row {cell[0] + 1}, column {cell[1] + 1}")
    return Score.exact(visits[-1] == (data.goal, data.end_wind), "the robot does not end on the goal, facing as wanted")


def mistakes(task: Task[Data], right: str) -> list[str]:
    if task.data.room:
        return [right[:-1], right[1:], right.translate(str.maketrans("lr", "rl")), *hidden_robot.single_ways(task.data.room), "f"]
    single = _shortest_moves(task.data)
    mirrored = right.translate(str.maketrans("lr", "rl"))
    one_more = next((right.replace(digit, str(int(digit) + 1), 1) for digit in right if digit.isdigit()), right + "f")
    return [single + "llll", mirrored, one_more, right[:-1], right[1:], right + "f", "f"]


def cost(task: Task[Data]) -> float:
    if task.data.room:
        return 1.0 * task.data.room.fewest**2 * len(task.data.room.starts)
    single = _shortest_moves(task.data)
    program = robot_programs.shorten(single)
    least = robot_programs.expand(program)[1]
    nested = any("(" in inside for _, inside in robot_programs.repeats(program))
    return len(single) * least * (1 + 2 / (1 + task.data.budget - least)) * (2 if nested else 1)


def derive(task: Task[Data]) -> Derivation:
    data, single, program = task.data, _shortest_moves(task.data), solve(task)
    cell, wind = data.start, data.wind
    for leg in _legs(single):
        visits = robot_programs.run(leg, cell, wind)
        (row, column), after = visits[-1]
        yield LEG(wind=wind, moves=leg, row=row + 1, column=column + 1, after=after)
        cell, wind = visits[-1]
    yield MOVES(moves=single, count=len(single), budget=data.budget)
    for times, inside in robot_programs.repeats(program):
        expanded, size = robot_programs.expand(f"{times}({inside})")
        yield REPEAT(times=times, inside=inside, whole=expanded, size=size)
    yield SIZE(size=robot_programs.expand(program)[1], budget=data.budget)
    yield END(answer=program)


def checks(task: Task[Data]) -> Checks:
    data = task.data
    visited, moved, sizes = [(data.start, data.wind)], list[str](), list[int]()

    def leads(wind: str, moves: str, row: int, column: int, after: str) -> bool:
        visits = robot_programs.run(moves, *visited[-1])
        free = all(data.rows[r][c] == "." for (r, c), _ in visits) and set(moves) <= set("flr")
        if not free or (wind, ((row - 1, column - 1), after)) != (visited[-1][1], visits[-1]):
            return False
        visited.append(visits[-1])
        moved.append(moves)
        return True

    def arrives(moves: str, count: int, budget: int) -> bool:
        neighbour = visited[-1] == (data.goal, data.end_wind)
        return neighbour and moves == "".join(moved) and (count, budget) == (len(moves), data.budget)

    def repeats(times: int, inside: str, whole: str, size: int) -> bool:
        return times > 1 and robot_programs.expand(f"{times}({inside})") == (whole, size) and whole in "".join(moved)

    def fits(size: int, budget: int) -> bool:
        sizes.append(size)
        return budget == data.budget >= sizes[0] == _shortest_size("".join(moved))

    return {LEG: leads, MOVES: arrives, REPEAT: repeats, SIZE: fits, END: lambda answer: [robot_programs.expand(answer)[1]] == sizes}


def picture(task: Task[Data]) -> str:
    data = task.data
    arrow = {"north": "^", "east": ">", "south": "v", "west": "<"}[data.wind]
    sign = dict.fromkeys(data.room.starts if data.room else (data.start,), arrow) | {data.goal: "G"}
    cells = [[sign.get((r, c), "") for c in range(len(row))] for r, row in enumerate(data.rows)]
    shaded = [r * len(row) + c for r, row in enumerate(data.rows) for c, wall in enumerate(row) if wall == "#"]
    return pictures.board(cells, shaded=shaded)


CORRIDOR = Solution(derive, END, checks)


def _shortest_size(moves: str) -> int:
    return robot_programs.expand(robot_programs.shorten(moves))[1]


def _sample_program(rng: Rng, knobs: Knobs) -> str:
    def part(legs: int) -> str:
        return "".join("f" * rng.integer(1, knobs.stretch) + rng.choice(("l", "r")) for _ in range(legs))

    def loop(inside: str) -> str:
        return f"{rng.integer(2, knobs.times)}({inside})"

    match knobs.loops:
        case "none":
            return part(rng.integer(2, 3)) + "f" * rng.integer(1, knobs.stretch)
        case "one":
            return part(rng.integer(0, 1)) + loop(part(rng.integer(2, 3))) + part(rng.integer(0, 1)) + "f" * rng.integer(0, 1)
        case "two":
            return loop(part(2)) + part(rng.integer(0, 1)) + loop(part(rng.integer(2, 3)))
        case _:
            return part(rng.integer(0, 1)) + loop(part(1) + loop(part(2)) + part(rng.integer(0, 1))) + part(rng.integer(0, 1))


def _around(cell: Cell) -> list[Cell]:
    return [(cell[0] + row, cell[1] + column) for row, column in robot_programs.AHEAD.values()]


def _bare(path: Sequence[Cell]) -> bool:
    """Whether a way never comes back next to itself, so that no other way is shorter."""
    place = {cell: i for i, cell in enumerate(path)}
    return len(place) == len(path) and all(
        abs(place[cell] - place[other]) == 1 for cell in path for other in _around(cell) if other in place
    )


def _shortest_moves(data: Data) -> str:
    """The single moves of the way from the start to the goal, by spreading out from the goal."""
    distance, ring = {data.goal: 0}, [data.goal]
    for current in ring:
        for neighbour in _around(current):
            if data.rows[neighbour[0]][neighbour[1]] == "." and neighbour not in distance:
                distance[neighbour] = distance[current] + 1
                ring.append(neighbour)
    current, wind, moves = data.start, data.wind, ""
    while current != data.goal:
        neighbour = next(cell for cell in _around(current) if distance.get(cell, -1) == distance[current] - 1)
        after = next(name for name, step in robot_programs.AHEAD.items() if (current[0] + step[0], current[1] + step[1]) == neighbour)
        moves += _turn(wind, after) + "f"
        current, wind = neighbour, after
    return moves + _turn(wind, data.end_wind)


def _turn(wind: str, after: str) -> str:
    return ("", "r", "rr", "l")[(robot_programs.WINDS.index(after) - robot_programs.WINDS.index(wind)) % 4]


def _legs(moves: str) -> list[str]:
    """The moves cut behind each turn."""
    return [leg for leg in moves.replace("l", "l ").replace("r", "r ").split(" ") if leg]


def _render_prompt(data: Data) -> str:
    marks = {data.start: "S", data.goal: "G"}
    listing = "\n".join("".join(marks.get((r, c), sign) for c, sign in enumerate(row)) for r, row in enumerate(data.rows))
    known = (
        "It knows these instructions: F (one cell ahead), L (turn left by a quarter), R (turn right by a quarter), and a repeat, which is a number and "
        "instructions in brackets. Repeats may be nested. Each F, L and R as written and each repeat is one instruction; numbers and brackets do not "
        "count. So F3(FL)R has 5 instructions: F, the repeat, F, L and R."
    )
    return (
        f"A robot stands on S in this maze (# is a wall, the top is north) and faces {data.wind}:\n{listing}\n\n{known}\n\nWrite a program of at most "
        f"{data.budget} instructions after which the robot is on G and faces {data.end_wind}. It must never run into a wall."
    )


def solutions(task: Task[Data]) -> Iterator[str]:
    if task.data.room:
        yield hidden_robot.shortest(task.data.room, backwards=True)
        return
    single = _shortest_moves(task.data)
    for program in (
        robot_programs.shorten(single, late=True),
        single,
        *(f"{single[:cut]}{robot_programs.shorten(single[cut:])}" for cut in (1, 2)),
    ):
        if robot_programs.expand(program)[1] <= task.data.budget:
            yield program


environment = Environment(
    Knobs, Text("the program on one line, without spaces or commas", ignore_case=True, ignore_spaces=True), generate, solve, verify, mistakes, cost,
    solution=SolutionByTask(lambda task: hidden_robot.SOLUTION if task.data.room else CORRIDOR),
    shift=shift, picture=picture, answers="many", solutions=solutions,
    concept="Write down the single moves first, then look for the stretch that comes again and again, and for repeats within it.",
    version=3,
)  # fmt: skip
