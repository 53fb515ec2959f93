"""Count the ways to cover a board with dominoes, where some squares are missing."""

from collections.abc import Iterator
from functools import cache

from rlgym import Config, Environment, Rng, Score, Task, TaskData, knob
from rlgym.answers import Integer
from rlgym.generators.drawing.pictures import board
from rlgym.generators.numbers.recurrences import Recurrence, recurrence_solution

State = tuple[int, int]


class Knobs(Config):
    rows: int = knob(5, easy=3, hard=7, doc="rows of the board")
    columns: int = knob(8, easy=7, hard=11, doc="approximate number of columns")
    holes: int = knob(3, easy=3, hard=7, doc="approximate number of missing squares")


class Data(TaskData):
    rows: int
    columns: int
    holes: tuple[int, ...]
    singles: bool
    count: int


def generate(rng: Rng, knobs: Knobs) -> Task[Data]:
    return _sample_task(rng, knobs, singles=False)


def shift(rng: Rng, knobs: Knobs) -> Task[Data]:
    """Squares may also be left free, as long as no two free squares have an edge in common in a column."""
    return _sample_task(rng, knobs, singles=True)


def _sample_task(rng: Rng, knobs: Knobs, singles: bool) -> Task[Data]:
    rows, tries = knobs.rows, 0
    while True:
        columns = max(3, knobs.columns + rng.integer(-1, 1) - (rows - 3 if singles else 0))
        holes = max(0, min(knobs.holes, rows * columns // 4) + rng.integer(-1, 2) - tries // 80)
        missing = _sample_holes(rng, rows, columns, holes) if not singles else rng.sample(range(rows * columns), holes)
        data = Data(rows=rows, columns=columns, holes=tuple(sorted(missing)), singles=singles, count=0)
        # Small counts are far more frequent than large ones; they are kept less often.
        if (count := _recurrence(data).count) > 5 and (singles or tries > 60 or rng.chance(count / 40)):
            break
        tries += 1
    grid = "\n".join("".join("#" if row * columns + c in data.holes else "." for c in range(columns)) for row in range(rows))
    rule = "so that every square marked . is covered"
    if singles:
        rule = "where squares marked . may also be left free, but no free square may stand directly above another free square"
    prompt = (
        f"On this board the squares marked # are missing:\n{grid}\n\nDominoes, each of which covers two squares with a common side, are put on the board "
        f"without overlaps and off the missing squares, {rule}. How many ways are there? Ways that are turned or mirrored copies of each "
        "other count as different."
    )
    return Task(prompt, data.model_copy(update={"count": count}))


def solve(task: Task[Data]) -> int:
    """Broken-profile dynamic programming, square by square."""
    data = task.data
    size, wide = data.rows * data.columns, data.columns
    missing = sum(1 << at for at in data.holes)

    @cache
    def ways(at: int, covered: int, free: int) -> int:
        """`covered`: squares from `at` on that dominoes reach; `free`: the squares of the last row that were left free."""
        if at == size:
            return 1
        freed = (free << 1) & ((1 << wide) - 1)
        if covered & 1 or missing >> at & 1:
            return ways(at + 1, covered >> 1, freed) if not (covered & 1 and missing >> at & 1) else 0
        total = 0
        if at % wide < wide - 1 and not covered & 2 and not missing >> at + 1 & 1:
            total += ways(at + 1, (covered | 2) >> 1, freed)
        if at + wide < size and not missing >> at + wide & 1:
            total += ways(at + 1, (covered | 1 << wide) >> 1, freed)
        if data.singles and not free >> wide - 1 & 1:
            total += ways(at + 1, covered >> 1, freed | 1)
        return total

    return ways(0, 0, 0)


def verify(task: Task[Data], answer: int) -> Score:
    return Score.exact(answer == task.data.count, "the number of ways is different")


def mistakes(task: Task[Data], right: int) -> list[int]:
    return [right + 1, right - 1, 2 * right, _recurrence(task.data.model_copy(update={"holes": ()})).count]


def cost(task: Task[Data]) -> float:
    return _recurrence(task.data).work * task.data.rows


def picture(task: Task[Data]) -> str:
    return board([[""] * task.data.columns for _ in range(task.data.rows)], shaded=task.data.holes)


def _recurrence(data: Data) -> Recurrence[State]:
    """Column by column; the state is the column and which of its squares are missing or covered from the left."""
    missing_in_column = [sum(1 << row for row in range(data.rows) if row * data.columns + c in data.holes) for c in range(data.columns)]

    def parts(state: State) -> int | list[tuple[int, State]]:
        column, taken = state
        if column == data.columns:
            return int(taken == 0)
        after = missing_in_column[column + 1] if column + 1 < data.columns else (1 << data.rows) - 1
        ends = _fillings(data, taken, after, 0, 0, False)
        counted: dict[int, int] = {}
        for end in ends:
            counted[end] = counted.get(end, 0) + 1
        last = column + 1 == data.columns
        return [(times, (column + 1, 0 if last else end | after)) for end, times in counted.items()]

    def name(state: State) -> str:
        taken = "".join("x" if state[1] >> row & 1 else "." for row in range(data.rows))
        return f"ways from column {state[0] + 1} on where it has {taken}"

    return Recurrence((0, missing_in_column[0]), parts, name)


def _fillings(data: Data, taken: int, after: int, row: int, out: int, free: bool) -> Iterator[int]:
    """The squares of the next column that are covered from this one, for each way to fill it from a row on."""
    if row == data.rows:
        yield out
    elif taken >> row & 1:
        yield from _fillings(data, taken, after, row + 1, out, False)
    else:
        if not after >> row & 1:
            yield from _fillings(data, taken, after, row + 1, out | 1 << row, False)
        if row + 1 < data.rows and not taken >> row + 1 & 1:
            yield from _fillings(data, taken, after, row + 2, out, False)
        if data.singles and not free:
            yield from _fillings(data, taken, after, row + 1, out, True)


def _sample_holes(rng: Rng, rows: int, columns: int, holes: int) -> list[int]:
    """Missing squares: as many of the one colour of a chessboard as of the other, where the board is even."""
    dark = [row * columns + c for row in range(rows) for c in range(columns) if (row + c) % 2 == 0]
    light = [at for at in range(rows * columns) if at not in dark]
    spare = len(dark) - len(light)
    half = (max(0, holes - spare) + 1) // 2
    return [*rng.sample(dark, half + spare), *rng.sample(light, half)]


environment = Environment(
    Knobs, Integer(), generate, solve, verify, mistakes, cost, version=3,
    solution=recurrence_solution(_recurrence), shift=shift, picture=picture,
    concept="Fill column by column: only which squares of the next column are already covered matters for what may follow.",
)  # fmt: skip
