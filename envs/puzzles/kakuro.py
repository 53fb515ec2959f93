"""Fill a kakuro: different digits in every run of cells, with the sums that are given.

Digits are given where the sums alone leave more than one solution, so that exactly one is left.
"""

from collections.abc import Iterator
from functools import lru_cache

from rlgym import Config, Environment, Rng, Score, Task, TaskData, knob
from rlgym.answers import Grid
from rlgym.generators.drawing import pictures
from rlgym.generators.grids import layout, replays, sums
from rlgym.generators.grids.clues import Budget, TooMuchWork
from rlgym.generators.grids.layout import Cells
from rlgym.generators.grids.sums import Sums

STEPS = 400  # guesses that a proof of uniqueness may take
DIGITS = "123456789"


class Knobs(Config):
    size: int = knob(5, easy=3, hard=8, doc="rows and columns")
    black: int = knob(25, easy=20, hard=30, doc="percent of cells that are black, as far as no run gets shorter than two")
    given_digits: int = knob(5, easy=25, hard=0, doc="percent of digits given at first")


class Data(TaskData):
    given: tuple[str, ...]  # rows of digits, dots for empty cells and # for black ones
    across: tuple[int, ...]  # the sums of the runs, row by row
    down: tuple[int, ...]  # column by column


def generate(rng: Rng, knobs: Knobs) -> Task[Data]:
    board = _sample_board(rng, knobs.size, knobs.size * knobs.size * knobs.black // 100)
    white, runs, _ = _runs(board)
    digits = _sample_digits(rng, len(white), runs)
    totals = tuple(sum(digits[cell] for cell in run) for run in runs)
    rules = _rules(board, totals)
    shown = set(rng.sample(range(len(white)), len(white) * knobs.given_digits // 100))
    while (other := _find_another(rules, digits, shown)) is not None:
        shown.add(rng.choice([cell for cell in range(len(white)) if cell not in shown and other[cell] != digits[cell]]))
    letters = list("".join(board))
    for cell in shown:
        letters[white[cell]] = str(digits[cell])
    given = layout.rows_of(letters, knobs.size)
    across = sum(name.startswith("row") for name in rules.names)
    listing = "\n".join(f"{name}: {total}" for name, total in zip(rules.names, totals, strict=True))
    prompt = (
        f"Fill this kakuro. A dot is an empty cell, # is a black cell, and given digits stay:\n\n{layout.render_grid(given)}\n\n"
        f"Put a digit from 1 to 9 in each empty cell. A run is a row of cells, across or down, between black cells or the edge. In each run all "
        f"digits must be different and have this sum (rows are counted from the top, columns from the left, from 1):\n{listing}"
    )
    return Task(prompt, Data(given=tuple("".join(row) for row in given), across=totals[:across], down=totals[across:]))


def solve(task: Task[Data]) -> Cells:
    rules, can = _rules_and_masks(task.data)
    return _to_cells(task.data, next(sums.backtrack(rules, can)))


def verify(task: Task[Data], answer: Cells) -> Score:
    data = task.data
    if reason := layout.find_misfit(answer, data.given, DIGITS):
        return Score.wrong(reason)
    white, runs, names = _runs(_blank_board(data.given))
    letters = [cell for row in answer for cell in row]
    digits = [int(letters[place]) for place in white]
    for run, name, total in zip(runs, names, data.across + data.down, strict=True):
        filled = [digits[cell] for cell in run]
        if len(set(filled)) < len(filled):
            return Score.wrong(f"a digit occurs twice in {name}")
        if sum(filled) != total:
            return Score.wrong(f"the sum of {name} is not {total}")
    return Score.exact(True)


def mistakes(task: Task[Data], right: Cells) -> list[Cells]:
    turned = tuple(tuple(str(10 - int(cell)) if cell in DIGITS else cell for cell in row) for row in right)
    uniform = tuple(tuple("5" if cell == "." else cell for cell in row) for row in task.data.given)
    return [*layout.exchange_neighbours(right, task.data.given), turned, uniform, tuple(map(tuple, task.data.given))]


def cost(task: Task[Data]) -> float:
    # Ways to make the sums, over the cells that are open.
    rules, can = _rules_and_masks(task.data)
    choices = [len(sums.digit_sets(len(run), total)) * len(run) for run, total in zip(rules.runs, rules.totals, strict=True)]
    return sum(choices) + 2 * sum(mask == sums.WHOLE for mask in can)


def picture(task: Task[Data]) -> str:
    given = task.data.given
    rules, _ = _rules_and_masks(task.data)
    white, runs, names = _runs(_blank_board(given))
    corners: dict[int, str] = {}
    for run, name, total in zip(runs, names, rules.totals, strict=True):
        corners[white[run[0]]] = f"{corners.get(white[run[0]], '')}{total}{'→' if name.startswith('row') else '↓'}"
    black = [cell for cell, sign in enumerate("".join(given)) if sign == "#"]
    return pictures.board([row.replace("#", ".") for row in given], shaded=black, corners=corners)


def _sample_board(rng: Rng, size: int, black: int) -> tuple[str, ...]:
    cells = ["."] * (size * size)
    for place in rng.shuffled(range(size * size)):
        if cells.count("#") >= black:
            break
        cells[place] = "#"
        row, column = divmod(place, size)
        lines = ("".join(cells[row * size : (row + 1) * size]), "".join(cells[column::size]))
        if any(len(run) == 1 for line in lines for run in line.split("#")):
            cells[place] = "."
    return tuple("".join(cells[row * size : (row + 1) * size]) for row in range(size))


@lru_cache(maxsize=256)
def _runs(board: tuple[str, ...]) -> tuple[tuple[int, ...], tuple[tuple[int, ...], ...], tuple[str, ...]]:
    """The places of the white cells, the runs over them, and what each run is called."""
    size = len(board)
    white = tuple(row * size + column for row in range(size) for column in range(size) if board[row][column] != "#")
    index = {place: cell for cell, place in enumerate(white)}
    runs, names = [], []
    for kind, other in (("row", "columns"), ("column", "rows")):
        for i in range(size):
            line = [i * size + j if kind == "row" else j * size + i for j in range(size)]
            start = 0
            for j in range(size + 1):
                if j == size or line[j] not in index:
                    if j > start:
                        runs.append(tuple(index[place] for place in line[start:j]))
                        names.append(f"{kind} {i + 1}, {other} {start + 1} to {j}")
                    start = j + 1
    return white, tuple(runs), tuple(names)


@lru_cache(maxsize=64)
def _rules(board: tuple[str, ...], totals: tuple[int, ...]) -> Sums:
    white, runs, names = _runs(board)
    return Sums(len(white), runs, totals, names, tuple(layout.place(place, len(board)) for place in white))


def _sample_digits(rng: Rng, cells: int, runs: tuple[tuple[int, ...], ...]) -> list[int]:
    """Random digits, no two alike in a run; a dead end starts anew."""
    peers = [{other for run in runs if cell in run for other in run} - {cell} for cell in range(cells)]
    while True:
        digits = [0] * cells
        for cell in range(cells):
            free = [d for d in range(1, 10) if all(digits[other] != d for other in peers[cell])]
            if not free:
                break
            digits[cell] = rng.choice(free)
        else:
            return digits


def _find_another(rules: Sums, digits: list[int], shown: set[int]) -> tuple[int, ...] | None:
    """A filling other than this one, or one that stands for an unfinished search; None if it is proved that there is none."""
    can = [1 << digits[cell] - 1 if cell in shown else sums.WHOLE for cell in range(rules.cells)]
    try:
        return next((filling for filling in sums.backtrack(rules, can, Budget(STEPS)) if list(filling) != digits), None)
    except TooMuchWork:
        return (0,) * rules.cells


def _blank_board(given: tuple[str, ...]) -> tuple[str, ...]:
    return tuple("".join("#" if cell == "#" else "." for cell in row) for row in given)


def _rules_and_masks(data: Data) -> tuple[Sums, list[int]]:
    """The rules, and what each cell can be, from what the prompt shows."""
    rules = _rules(_blank_board(data.given), data.across + data.down)
    can = [sums.WHOLE if cell == "." else 1 << int(cell) - 1 for row in data.given for cell in row if cell != "#"]
    return rules, can


def _to_cells(data: Data, digits: tuple[int, ...]) -> Cells:
    digits_left = iter(digits)
    return tuple(tuple(cell if cell == "#" else str(next(digits_left)) for cell in row) for row in data.given)


def solutions(task: Task[Data]) -> Iterator[Cells]:
    rules, can = _rules_and_masks(task.data)
    yield from (_to_cells(task.data, digits) for digits in sums.plain_backtrack(rules, can))


environment = Environment(
    Knobs, Grid("the filled grid, one row per line, with # for black cells, separated by spaces", single_characters=True),
    generate, solve, verify, mistakes, cost,
    solution=replays.run_solution(lambda task: _rules_and_masks(task.data), "The grid is filled:\n{answer}"),
    picture=picture, answers="unique", solutions=solutions,
    shared_helpers="The helper lists neighbours, runs or groups of cells; the rules are searched and checked apart.",
    concept="List the sets of digits that make each sum; where two runs cross, only digits of both remain.",
)  # fmt: skip
