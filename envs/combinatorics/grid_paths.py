"""Count the ways through a grid with blocked squares, by a few allowed moves."""

from itertools import count

from rlgym import Config, Environment, Rng, Score, Task, TaskData, knob
from rlgym.answers import Integer
from rlgym.generators.drawing.pictures import board
from rlgym.generators.numbers.recurrences import Recurrence, recurrence_solution
from rlgym.generators.text.english import count_noun

State = tuple[int, int, bool]
Move = tuple[int, int]


class Knobs(Config):
    size: int = knob(5, easy=3, hard=11, doc="approximate number of rows and columns")
    blocked: int = knob(15, easy=5, hard=25, doc="percent of the squares that are blocked")
    moves: int = knob(2, easy=2, hard=4, doc="moves that are allowed")
    star: str = knob("none", easy="none", hard="some", order=("none", "some"), doc="whether a square must be visited")


class Data(TaskData):
    rows: int
    columns: int
    blocked: tuple[int, ...]
    star: int
    moves: tuple[Move, ...]
    count: int


def generate(rng: Rng, knobs: Knobs) -> Task[Data]:
    return _sample_task(rng, knobs, ((0, 1), (1, 0)), ((1, 1), (0, 2), (2, 0), (2, 2)))


def shift(rng: Rng, knobs: Knobs) -> Task[Data]:
    """Every move is a jump that leads both down and to the right or straight on, as of a chess piece."""
    return _sample_task(rng, knobs, ((0, 1),), ((1, 2), (2, 1), (1, 1), (1, 3)), wider=7)


def _sample_task(rng: Rng, knobs: Knobs, always: tuple[Move, ...], others: tuple[Move, ...], wider: int = 0) -> Task[Data]:
    for tries in count():
        moves = (*always, *rng.sample(others, knobs.moves - len(always)))
        rows, columns = max(3, knobs.size + rng.integer(-1, 1)), max(3, knobs.size + rng.integer(0, 4 + wider))
        inner = rng.shuffled(range(1, rows * columns - 1))
        blocked = tuple(sorted(inner[: max(1, rows * columns * knobs.blocked // 100 - tries // 8)]))
        star = inner[-1] if knobs.star == "some" else -1
        data = Data(rows=rows, columns=columns, blocked=blocked, star=star, moves=moves, count=0)
        ways = _recurrence(data).count
        if ways > 4 or (ways > 1 and rng.chance(0.3)):
            break
    cells = ["#" if at in blocked else "*" if at == star else "." for at in range(rows * columns)]
    grid = "\n".join("".join(cells[row * columns : (row + 1) * columns]) for row in range(rows))
    move_texts = ", or ".join(_render_move(move) for move in moves)
    visit = " It must visit the square marked *, and may not just jump over it." if star >= 0 else ""
    prompt = (
        f"In this grid # is a blocked square:\n{grid}\n\nA piece starts on the top left square and moves to the bottom right one. One move goes "
        f"{move_texts}. A move may pass over blocked squares, but not end on one.{visit} Two paths are different if they visit different squares. "
        "How many paths are there?"
    )
    return Task(prompt, data.model_copy(update={"count": ways}))


def solve(task: Task[Data]) -> int:
    """Backwards from the end; by way of the star, the ways to it times the ways from it."""
    data = task.data
    last = data.rows * data.columns - 1
    return (
        _count_ways_between(data, 0, last)
        if data.star < 0
        else _count_ways_between(data, 0, data.star) * _count_ways_between(data, data.star, last)
    )


def verify(task: Task[Data], answer: int) -> Score:
    return Score.exact(answer == task.data.count, "the number of ways is different")


def mistakes(task: Task[Data], right: int) -> list[int]:
    data = task.data
    free = data.model_copy(update={"blocked": (), "star": -1})
    return [_count_ways_between(free, 0, data.rows * data.columns - 1), right - 1, right + 1, 2 * right]


def cost(task: Task[Data]) -> float:
    return _recurrence(task.data).work


def picture(task: Task[Data]) -> str:
    data = task.data
    cells = [["*" if data.star == r * data.columns + c else "" for c in range(data.columns)] for r in range(data.rows)]
    moves = [f"{down}v {right}>" for down, right in data.moves]
    return board(cells, shaded=data.blocked, corners={0: "start", data.rows * data.columns - 1: "end"}, left=moves[: data.rows])


def _recurrence(data: Data) -> Recurrence[State]:
    blocked = set(data.blocked)

    def parts(state: State) -> int | list[tuple[int, State]]:
        row, column, seen = state
        at = row * data.columns + column
        if at in blocked or (row, column) == (0, 0):
            return int(at == 0 and not seen)
        before = [(row - down, column - right) for down, right in data.moves if row >= down and column >= right]
        return [(1, (r, c, seen and at != data.star)) for r, c in before]

    def name(state: State) -> str:
        return f"ways to row {state[0] + 1}, column {state[1] + 1}{' by way of the star' if state[2] else ''}"

    return Recurrence((data.rows - 1, data.columns - 1, data.star >= 0), parts, name)


def _render_move(move: Move) -> str:
    down, right = move
    parts = [f"{count_noun(many, 'square')} {where}" for many, where in ((down, "down"), (right, "to the right")) if many]
    return " and ".join(parts)


def _count_ways_between(data: Data, start: int, end: int) -> int:
    ways = [0] * (data.rows * data.columns)
    ways[end] = 1
    for at in range(end - 1, start - 1, -1):
        row, column = divmod(at, data.columns)
        after = [(row + down, column + right) for down, right in data.moves if row + down < data.rows and column + right < data.columns]
        ways[at] = 0 if at in data.blocked else sum(ways[r * data.columns + c] for r, c in after)
    return ways[start]


environment = Environment(
    Knobs, Integer(), generate, solve, verify, mistakes, cost,
    solution=recurrence_solution(_recurrence), shift=shift, picture=picture,
    concept="The ways to a square are those to the squares from which one move leads to it, added up.",
    version=4,
)  # fmt: skip
