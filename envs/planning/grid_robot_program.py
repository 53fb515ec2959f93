"""Write a program with repeats, of few instructions, that takes a robot through a maze.

The program is run step by step and judged by where the robot ends; any program within the budget that gets there is accepted.
"""

from collections.abc import Iterator, Sequence
from itertools import pairwise

from rlgym import Config, Environment, Rng, Score, Task, TaskData, knob
from rlgym.answers import Text
from rlgym.generators import pictures, robots
from rlgym.generators.robots import Cell
from rlgym.generators.steps import Line, first_wrong


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


class Data(TaskData):
    rows: tuple[str, ...]  # # is a wall, . is free
    start: Cell
    wind: str
    goal: Cell
    end_wind: str
    budget: int


def generate(rng: Rng, knobs: Knobs) -> Task[Data]:
    """A bare corridor."""
    return _made(rng, knobs, False)


def shift(rng: Rng, knobs: Knobs) -> Task[Data]:
    """A maze with dead ends off the way."""
    return _made(rng, knobs, True)


def _made(rng: Rng, knobs: Knobs, branches: bool) -> Task[Data]:
    fewest = 34 if knobs.loops == "nested" else 4
    while True:
        program = _drawn(rng, knobs)
        moves, _ = robots.read(program)
        wind = rng.choice(robots.WINDS)
        visits = robots.run(moves, (0, 0), wind)
        way = [cell for i, (cell, _) in enumerate(visits) if i == 0 or moves[i - 1] == "f"]
        turns = any(a != "f" and b != "f" for a, b in pairwise(moves))
        if fewest <= len(moves) <= fewest + 30 - fewest // 3 and not turns and _bare(way):
            break
    open_ = dict.fromkeys(way)
    if branches:
        for _ in range(2 * len(way)):
            here = rng.choice(list(open_))
            step = robots.AHEAD[rng.choice(robots.WINDS)]
            there = (here[0] + step[0], here[1] + step[1])
            near = [cell for cell in _around(there) if cell in open_]
            if there not in open_ and near == [here] and here not in (way[0], way[-1]):
                open_[there] = None
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
        budget=len(moves) if knobs.spare == "any" else _least(moves) + (2 if knobs.spare == "some" else 0),
    )
    return Task(_prompt(data), data)


def solve(task: Task[Data]) -> str:
    return robots.shortened(_single(task.data))


def verify(task: Task[Data], answer: str) -> Score:
    data = task.data
    if len(answer) > 300:
        return Score.wrong("the program is far too long")
    try:
        moves, size = robots.read(answer)
    except ValueError as error:
        return Score.wrong(str(error))
    if size > data.budget:
        return Score.wrong(f"the program has {size} instructions, and {data.budget} are allowed")
    visits = robots.run(moves, data.start, data.wind)
    for cell, _ in visits:
        if not (0 <= cell[0] < len(data.rows) and 0 <= cell[1] < len(data.rows[0])) or data.rows[cell[0]][cell[1]] == "#":
            return Score.wrong(f"the robot runs into a wall in row {cell[0] + 1}, column {cell[1] + 1}")
    return Score.exact(visits[-1] == (data.goal, data.end_wind), "the robot does not end on the goal, facing as wanted")


def mistakes(task: Task[Data], right: str) -> list[str]:
    single = _single(task.data)
    mirrored = right.translate(str.maketrans("lr", "rl"))
    one_more = next((right.replace(digit, str(int(digit) + 1), 1) for digit in right if digit.isdigit()), right + "f")
    return [single + "llll", mirrored, one_more, right[:-1], right[1:], right + "f", "f"]


def cost(task: Task[Data]) -> float:
    single = _single(task.data)
    program = robots.shortened(single)
    least = robots.read(program)[1]
    nested = any("(" in inside for _, inside in _repeats(program))
    return len(single) * least * (1 + 2 / (1 + task.data.budget - least)) * (2 if nested else 1)


LEG = Line("Facing {wind}, {moves} leads to row {row}, column {column}, facing {after} then")
MOVES = Line("So the single moves are {moves}: {count} of them, and {budget} instructions are allowed")
REPEAT = Line("{times} times {inside} is {whole}, for {size} instructions")
SIZE = Line("With this the program has {size} instructions, and {budget} are allowed")
END = Line("The program is {answer}")


def explain(task: Task[Data]) -> list[str]:
    data, single, right = task.data, _single(task.data), solve(task)
    steps, cell, wind = [], data.start, data.wind
    for leg in _legs(single):
        visits = robots.run(leg, cell, wind)
        (row, column), after = visits[-1]
        steps.append(LEG.write(wind=wind, moves=leg, row=row + 1, column=column + 1, after=after))
        cell, wind = visits[-1]
    steps.append(MOVES.write(moves=single, count=len(single), budget=data.budget))
    for times, inside in _repeats(right):
        whole = f"{times}({inside})"
        steps.append(REPEAT.write(times=times, inside=inside, whole=robots.read(whole)[0], size=robots.read(whole)[1]))
    return [*steps, SIZE.write(size=robots.read(right)[1], budget=data.budget), END.write(answer=right)]


def replay(task: Task[Data], steps: Sequence[str]) -> int | None:
    data = task.data
    state, single, sizes = [(data.start, data.wind)], [""], list[int]()

    def follows(step: str) -> bool:
        if said := LEG.read(step):
            cell, wind = state[0]
            visits = robots.run(said["moves"], cell, wind)
            (row, column), after = visits[-1]
            single[0] += said["moves"]
            state[0] = visits[-1]
            free = all(data.rows[r][c] == "." for (r, c), _ in visits) and set(said["moves"]) <= set("flr")
            return free and (said["wind"], said["after"], int(said["row"]), int(said["column"])) == (wind, after, row + 1, column + 1)
        if said := MOVES.read(step):
            there = state[0] == (data.goal, data.end_wind)
            return there and said["moves"] == single[0] and (int(said["count"]), int(said["budget"])) == (len(single[0]), data.budget)
        if said := REPEAT.read(step):
            whole, size = robots.read(f"{int(said['times'])}({said['inside']})")
            return int(said["times"]) > 1 and whole == said["whole"] and whole in single[0] and size == int(said["size"])
        said = SIZE.read(step)
        sizes.append(int(said["size"]) if said else 0)
        return bool(said and int(said["budget"]) == data.budget >= sizes[0] == _least(single[0]))

    def ends(step: str) -> bool:
        said = END.read(step)
        return bool(said and verify(task, said["answer"]).value == 1 and [robots.read(said["answer"])[1]] == sizes)

    return first_wrong(steps, follows, ends)


def picture(task: Task[Data]) -> str:
    data = task.data
    sign = {data.start: {"north": "^", "east": ">", "south": "v", "west": "<"}[data.wind], data.goal: "G"}
    cells = [[sign.get((r, c), "") for c in range(len(row))] for r, row in enumerate(data.rows)]
    shaded = [r * len(row) + c for r, row in enumerate(data.rows) for c, wall in enumerate(row) if wall == "#"]
    return pictures.board(cells, shaded=shaded)


def _least(moves: str) -> int:
    return robots.read(robots.shortened(moves))[1]


def _drawn(rng: Rng, knobs: Knobs) -> str:
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
    return [(cell[0] + row, cell[1] + column) for row, column in robots.AHEAD.values()]


def _bare(way: Sequence[Cell]) -> bool:
    """Whether a way never comes back next to itself, so that no other way is shorter."""
    place = {cell: i for i, cell in enumerate(way)}
    return len(place) == len(way) and all(abs(place[cell] - place[other]) == 1 for cell in way for other in _around(cell) if other in place)


def _single(data: Data) -> str:
    """The single moves of the way from the start to the goal, by spreading out from the goal."""
    far, ring = {data.goal: 0}, [data.goal]
    for here in ring:
        for there in _around(here):
            if data.rows[there[0]][there[1]] == "." and there not in far:
                far[there] = far[here] + 1
                ring.append(there)
    here, wind, moves = data.start, data.wind, ""
    while here != data.goal:
        there = next(cell for cell in _around(here) if far.get(cell, -1) == far[here] - 1)
        after = next(name for name, step in robots.AHEAD.items() if (here[0] + step[0], here[1] + step[1]) == there)
        moves += _turn(wind, after) + "f"
        here, wind = there, after
    return moves + _turn(wind, data.end_wind)


def _turn(wind: str, after: str) -> str:
    return ("", "r", "rr", "l")[(robots.WINDS.index(after) - robots.WINDS.index(wind)) % 4]


def _legs(moves: str) -> list[str]:
    """The moves cut behind each turn."""
    return [leg for leg in moves.replace("l", "l ").replace("r", "r ").split(" ") if leg]


def _repeats(program: str) -> list[tuple[int, str]]:
    """The repeats of a program, inner ones first."""
    found, open_ = [], list[int]()
    for at, sign in enumerate(program):
        if sign == "(":
            open_.append(at)
        elif sign == ")":
            begin = open_.pop()
            digits = program[:begin][len(program[:begin].rstrip("0123456789")) :]
            found.append((int(digits), program[begin + 1 : at]))
    return found


def _prompt(data: Data) -> str:
    marks = {data.start: "S", data.goal: "G"}
    listing = "\n".join("".join(marks.get((r, c), sign) for c, sign in enumerate(row)) for r, row in enumerate(data.rows))
    known = (
        "It knows these instructions: F (one cell ahead), L (turn left by a quarter), R (turn right by a quarter), and a repeat, which is a number and "
        "instructions in brackets, as in 3(FL). Repeats may stand within repeats. Each F, L and R as written and each repeat is one instruction; numbers and "
        "brackets are not counted beside that."
    )
    return (
        f"A robot stands on S in this maze (# is a wall, the top is north) and faces {data.wind}:\n{listing}\n\n{known}\n\nWrite a program of at most "
        f"{data.budget} instructions after which the robot is on G and faces {data.end_wind}. It must never run into a wall."
    )


def _others(task: Task[Data]) -> Iterator[str]:
    single = _single(task.data)
    for program in (robots.shortened(single, late=True), single, *(f"{single[:cut]}{robots.shortened(single[cut:])}" for cut in (1, 2))):
        if robots.read(program)[1] <= task.data.budget:
            yield program


environment = Environment(
    Knobs,
    Text("the program on one line", fold=True, compact=True),
    generate,
    solve,
    verify,
    mistakes,
    cost,
    explain,
    replay,
    shift,
    picture,
    answers="many",
    solutions=_others,
    concept="Write down the single moves first, then look for the stretch that comes again and again, and for repeats within it.",
)
