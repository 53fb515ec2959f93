"""Drive the cars of a crowded car park out of the way until one of them gets where it should.

Any legal moves within the allowed number are accepted. The number is the proved fewest, or the fewest and a few to spare.
"""

from collections.abc import Callable, Iterator, Sequence

from rlgym import Config, Environment, Rng, Score, Task, TaskData, knob
from rlgym.answers import Words
from rlgym.generators.drawing import pictures
from rlgym.generators.puzzles import move_puzzles
from rlgym.generators.puzzles.move_puzzles import Moves, Plan

Spots = tuple[int, ...]  # for each car, its first cell along its own line
SPARE = {"loose": 12, "near": 3, "tight": 0}
WORK = 1000
ATTEMPTS = 60  # car parks looked at
FAR = 12  # moves above which car parks are altered car by car
FRESH = 6  # car parks drawn before one is altered
NAMES = "ABCDEFGHIJKLMN"
ANSWER = Words("the moves in order, separated by spaces", max_items=200, ignore_case=True)


class Car(TaskData):
    line: int  # row or column
    length: int
    down: bool


class Knobs(Config):
    size: int = knob(5, easy=4, hard=6, doc="rows and columns")
    cars: int = knob(7, easy=5, hard=13, doc="how many cars are in the park")
    moves: int = knob(6, easy=3, hard=24, scale="log", doc="at least about how many moves are needed, as far as such car parks are found")
    limit: str = knob("near", easy="loose", hard="tight", order=("loose", "near", "tight"), doc="moves to spare: 12, 3 or none")


class Data(TaskData):
    size: int
    walls: tuple[int, ...]  # cells
    cars: tuple[Car, ...]
    start: Spots
    goal: int  # the first cell that car A must reach along its line
    most: int
    fewest: int


def generate(rng: Rng, knobs: Knobs) -> Task[Data]:
    return _sample_task(rng, knobs, 0)


def shift(rng: Rng, knobs: Knobs) -> Task[Data]:
    """Car A stands upright, must stop at a place inside, and posts stand in the park."""
    return _sample_task(rng, knobs, rng.integer(1, 2))


def _sample_task(rng: Rng, knobs: Knobs, posts: int) -> Task[Data]:
    size, best = knobs.size, None
    for attempt in range(ATTEMPTS):
        if best and knobs.moves > FAR and attempt >= FRESH:
            walls, goal = best[0].walls, best[0].goal
            cars, start = _replace_car(rng, size, walls, best[0].cars, best[0].start)
        else:
            walls, cars, start = _sample_cars(rng, size, knobs.cars, posts)
            goal = size - cars[0].length if not posts else rng.integer(0, size - cars[0].length)
        if posts and any(_cell(cars[0], goal + i, size) in walls for i in range(cars[0].length)):
            continue
        drawn = _sample_distant_position(rng, size, walls, cars, start, goal, knobs.moves)
        if drawn and (best is None or drawn[1] >= best[1]):
            best = Data(size=size, walls=walls, cars=cars, start=drawn[0], goal=goal, most=0, fewest=drawn[1]), drawn[1]
        # A car park that a move or two would do for is left to small ones.
        least = knobs.moves - attempt // 2 if attempt < 4 else min(knobs.moves, 5 + knobs.moves // 9)
        if best and best[1] >= (knobs.moves if knobs.moves > FAR else least):
            break
    if best is None:
        return _sample_task(rng, knobs, posts)
    data = best[0].model_copy(update={"most": best[1] + SPARE[knobs.limit]})
    post = " and # is a post that nothing can pass" if posts else ""
    if posts:
        rows = [data.goal + 1, data.goal + data.cars[0].length]
        aim = f"car A stands in rows {rows[0]} to {rows[1]} (row 1 is at the top)"
    else:
        aim = "car A touches the right edge of the park"
    prompt = (
        f"Seen from above, this is a car park of {size} by {size} cells. Equal letters are one car, . is a free cell{post}:\n"
        f"{_render_board(data, data.start)}\n\nCars drive only forwards and backwards: one that lies in a row moves left or right (L, "
        "R), one that lies in a column moves up or down (U, D), over free cells only. One car that drives any number of cells in one "
        "direction is one move, written as the car, the direction and the number of cells, such as XL2 for car X going 2 cells to the "
        f"left. Find at most {data.most} moves after which {aim}."
    )
    return Task(prompt, data)


def solve(task: Task[Data]) -> Plan:
    return move_puzzles.a_star(_puzzle(task.data), 10**6) or ()


def verify(task: Task[Data], answer: Plan) -> Score:
    return move_puzzles.verify_plan(_puzzle(task.data), answer, task.data.most, "car A is not where it should be")


def mistakes(task: Task[Data], right: Plan) -> list[Plan]:
    aim = task.data.goal - task.data.start[0]
    straight = f"a{('d' if aim > 0 else 'u') if task.data.cars[0].down else ('r' if aim > 0 else 'l')}{abs(aim)}"
    longer = (*right[:-1], right[-1][:-1] + str(int(right[-1][-1]) + 1))
    return [(straight,), longer, *move_puzzles.near_misses(right)]


def cost(task: Task[Data]) -> float:
    spare = task.data.most - task.data.fewest
    return task.data.fewest**2 * len(task.data.cars) * (1 if spare > 9 else 2 if spare else 3)


def picture(task: Task[Data]) -> str:
    rows = [row.split() for row in _render_board(task.data, task.data.start).split("\n")]
    regions = [NAMES.find(cell) for row in rows for cell in row]
    return pictures.board(rows, regions=regions, shaded=task.data.walls)


def _cell(car: Car, at: int, size: int) -> int:
    return at * size + car.line if car.down else car.line * size + at


def _sample_cars(rng: Rng, size: int, car_count: int, posts: int) -> tuple[Spots, tuple[Car, ...], Spots]:
    """Cars put down where there is room; car A lies in a row, or stands in a column where there are posts."""
    walls = tuple(sorted(rng.sample(range(size * size), posts)))
    return walls, *_add_cars(rng, size, walls, (), (), car_count, bool(posts))


def _replace_car(rng: Rng, size: int, walls: Spots, cars: tuple[Car, ...], start: Spots) -> tuple[tuple[Car, ...], Spots]:
    """The cars with another one in place of one of them, if there is room."""
    out = rng.integer(1, len(cars) - 1)
    kept = [k for k in range(len(cars)) if k != out]
    return _add_cars(rng, size, walls, [cars[k] for k in kept], [start[k] for k in kept], len(cars), cars[0].down)


def _add_cars(
    rng: Rng, size: int, walls: Spots, before: Sequence[Car], spots: Sequence[int], car_count: int, upright: bool
) -> tuple[tuple[Car, ...], Spots]:
    cars, start = list(before), list(spots)
    taken = {*walls, *(_cell(car, at + i, size) for car, at in zip(cars, start) for i in range(car.length))}
    for _ in range(car_count * 25):
        if len(cars) == car_count:
            break
        length = 2 if not cars or size == 4 or rng.chance(0.65) else 3
        down = upright if not cars else rng.chance(0.5)
        line = rng.integer(1, size - 2) if not cars else rng.integer(0, size - 1)
        # A car in front of car A in its own line could never be passed.
        if cars and down == cars[0].down and line == cars[0].line:
            continue
        car, at = Car(line=line, length=length, down=down), rng.integer(0, size - length)
        cells = {_cell(car, at + i, size) for i in range(length)}
        if not cells & taken:
            taken |= cells
            cars.append(car)
            start.append(at)
    return tuple(cars), tuple(start)


def _sample_distant_position(
    rng: Rng, size: int, walls: Spots, cars: tuple[Car, ...], start: Spots, goal: int, moves_wanted: int
) -> tuple[Spots, int] | None:
    """Of the positions that can be reached from this one, one that is about as far from the goal as wanted, or as far as there is."""
    neighbours = _neighbours(size, walls, cars)
    known = move_puzzles.breadth_first_distances([sum(at << 3 * k for k, at in enumerate(start))], neighbours, WORK)
    goals = [state for state in known or () if state & 7 == goal]
    if not goals or not known:
        return None
    away = move_puzzles.breadth_first_distances(goals, neighbours, 10**6) or {}
    depth_goal = min(moves_wanted + 1, max(away.values()))
    chosen = rng.choice([state for state, depth in away.items() if depth == depth_goal])
    return (tuple(chosen >> 3 * k & 7 for k in range(len(cars))), away[chosen]) if away[chosen] else None


def _neighbours(size: int, walls: Spots, cars: tuple[Car, ...]) -> Callable[[int], list[int]]:
    """The positions one move after a position, in the order of `_slides`. In a position, three bits say where each car is."""
    cells = [[_cell(car, at, size) for at in range(size)] for car in cars]
    masks = [[sum(1 << cells[k][at + i] for i in range(car.length)) for at in range(size - car.length + 1)] for k, car in enumerate(cars)]
    posts = sum(1 << wall for wall in walls)
    places = [(3 * k, mask, len(mask)) for k, mask in enumerate(masks)]
    known: dict[int, list[int]] = {}

    def neighbours(state: int) -> list[int]:
        if state in known:
            return known[state]
        full = posts
        for shift, mask, _ in places:
            full |= mask[state >> shift & 7]
        after = []
        for shift, mask, end in places:
            at = state >> shift & 7
            rest = full ^ mask[at]
            for to in range(at - 1, -1, -1):
                if mask[to] & rest:
                    break
                after.append(state + (to - at << shift))
            for to in range(at + 1, end):
                if mask[to] & rest:
                    break
                after.append(state + (to - at << shift))
        known[state] = after
        return after

    return neighbours


def _slides(size: int, walls: Spots, cars: tuple[Car, ...]) -> Callable[[Spots], list[tuple[str, Spots]]]:
    cells = [[_cell(car, at, size) for at in range(size)] for car in cars]
    masks = [[sum(1 << cells[k][at + i] for i in range(car.length)) for at in range(size - car.length + 1)] for k, car in enumerate(cars)]
    posts = sum(1 << wall for wall in walls)
    names = [(NAMES[k].lower() + ("u" if car.down else "l"), NAMES[k].lower() + ("d" if car.down else "r")) for k, car in enumerate(cars)]

    def options(state: Spots) -> list[tuple[str, Spots]]:
        full = posts
        for k, at in enumerate(state):
            full |= masks[k][at]
        slides = []
        for k, at in enumerate(state):
            rest, (back, forth) = full ^ masks[k][at], names[k]
            for to in range(at - 1, -1, -1):
                if masks[k][to] & rest:
                    break
                slides.append((f"{back}{at - to}", (*state[:k], to, *state[k + 1 :])))
            for to in range(at + 1, len(masks[k])):
                if masks[k][to] & rest:
                    break
                slides.append((f"{forth}{to - at}", (*state[:k], to, *state[k + 1 :])))
        return slides

    return options


def _puzzle(data: Data) -> Moves[Spots]:
    def describe(state: Spots) -> str:
        car = data.cars[0]
        spots_ahead = range(min(state[0], data.goal), max(state[0], data.goal) + car.length)
        ahead = {_cell(car, at, data.size) for at in spots_ahead}
        inside = [
            NAMES[k]
            for k, (other, at) in enumerate(zip(data.cars, state))
            if k and any(_cell(other, at + i, data.size) in ahead for i in range(other.length))
        ]
        rows = _render_board(data, state).replace(" ", "").replace("\n", " ")
        return f"{rows}; in the way of A: {' '.join(inside) or 'nothing'}"

    return Moves(data.start, _slides(data.size, data.walls, data.cars), lambda state: state[0] == data.goal, describe)


def _render_board(data: Data, state: Spots) -> str:
    cells = ["#" if cell in data.walls else "." for cell in range(data.size**2)]
    for k, (car, at) in enumerate(zip(data.cars, state)):
        for i in range(car.length):
            cells[_cell(car, at + i, data.size)] = NAMES[k]
    return "\n".join(" ".join(cells[i : i + data.size]) for i in range(0, len(cells), data.size))


def solutions(task: Task[Data]) -> Iterator[Plan]:
    yield from move_puzzles.other_plans(_puzzle(task.data), solve(task), task.data.most, 10**6)


environment = Environment(
    Knobs, ANSWER, generate, solve, verify, mistakes, cost,
    solution=move_puzzles.solution(_puzzle, solve, ANSWER), shift=shift, picture=picture, answers="many", solutions=solutions, version=4,
    shared_helpers="The helper makes the moves of the puzzle as the prompt states them; searching for a plan and checking one are apart.",
    concept="Begin at the car that must get out: what blocks it, where that can go, what blocks that in turn.",
)  # fmt: skip
