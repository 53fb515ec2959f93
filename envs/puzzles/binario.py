"""Fill a binario (takuzu): zeros and ones, never three alike in a row, as many of each in every line, no two lines alike.

Uniqueness is proved when a grid is made.
"""

from collections.abc import Iterable, Iterator

from rlgym import Config, Environment, Rng, Score, Task, TaskData, knob
from rlgym.answers import Grid
from rlgym.generators.drawing import pictures
from rlgym.generators.grids import layout, lines, replays
from rlgym.generators.grids.clues import Budget, drop_clues
from rlgym.generators.grids.layout import Cells
from rlgym.generators.grids.singleton_consistency import sample_hard

STEPS = 120  # suppositions that a proof of uniqueness may take
TRIES = 4  # grids of which the hardest is taken


class Knobs(Config):
    size: str = knob("8", easy="4", hard="10", order=("4", "6", "8", "10"), doc="rows and columns")
    hidden: int = knob(65, easy=50, hard=90, doc="percent of digits to leave out, as far as the solution stays unique")
    reasoning: str = knob(
        "lines",
        easy="lines",
        hard="search",
        order=("lines", "search"),
        doc="whether looking at one line at a time, and at finished lines as well, suffices, or suppositions may be needed",
    )
    suppositions: int = knob(
        10,
        easy=1,
        hard=40,
        scale="log",
        doc="suppositions that prove the solution the only one, where they are needed and as far as a few puzzles have them",
    )


class Data(TaskData):
    given: tuple[str, ...]


def generate(rng: Rng, knobs: Knobs) -> Task[Data]:
    return _sample_task(rng, knobs, by_row=False)


def shift(rng: Rng, knobs: Knobs) -> Task[Data]:
    """Digits left out row by row, so that whole rows are empty and others nearly full."""
    return _sample_task(rng, knobs, by_row=True)


def solve(task: Task[Data]) -> Cells:
    fillings = lines.first_two(_board(task.data.given), 10**9, distinct=True)
    assert fillings
    return _to_cells(fillings[0])


def verify(task: Task[Data], answer: Cells) -> Score:
    given = task.data.given
    if reason := layout.find_misfit(answer, given, "01"):
        return Score.wrong(reason)
    for kind, drawn in (("row", ["".join(row) for row in answer]), ("column", ["".join(column) for column in zip(*answer)])):
        for i, line in enumerate(drawn, 1):
            if line.count("0") * 2 != len(line):
                return Score.wrong(f"{kind} {i} has not as many zeros as ones")
            if "000" in line or "111" in line:
                return Score.wrong(f"{kind} {i} has three equal digits next to one another")
        if len(set(drawn)) < len(drawn):
            return Score.wrong(f"two {kind}s are equal")
    return Score.exact(True)


def mistakes(task: Task[Data], right: Cells) -> list[Cells]:
    swap = {"0": "1", "1": "0"}
    given = task.data.given
    guessed = tuple(tuple("0" if cell == "." else cell for cell in row) for row in given)
    return [
        *layout.exchange_neighbours(right, given),
        guessed,
        tuple(tuple(swap[cell] for cell in row) for row in right),
        tuple(zip(*right)),
        right[::-1],
    ]


def cost(task: Task[Data]) -> float:
    return lines.effort(_board(task.data.given), distinct=True)


def picture(task: Task[Data]) -> str:
    return pictures.board(task.data.given)


def _sample_task(rng: Rng, knobs: Knobs, by_row: bool) -> Task[Data]:
    size, search = int(knobs.size), knobs.reasoning == "search"
    given = sample_hard(
        lambda: _puzzle(rng, size, size * size * (100 - knobs.hidden) // 100, search, by_row),
        lambda given: lines.count_suppositions(_board(given), distinct=True),
        knobs.suppositions if search else 0,
        TRIES,
    )
    prompt = (
        f"Fill this grid with zeros and ones. Each row and each column must hold {size // 2} zeros and {size // 2} ones, and no "
        "three equal digits may be next to one another in a row or in a column. No two rows are equal, and no two columns are equal. "
        f"A dot is an empty cell; the given digits stay.\n\n{layout.render_grid(given)}"
    )
    return Task(prompt, Data(given=given))


def _puzzle(rng: Rng, size: int, keep: int, search: bool, by_row: bool) -> tuple[str, ...]:
    """The rows of a grid with one solution and about `keep` digits given, more where the solution needs them."""
    empty: lines.Board = [lines.balanced_patterns(size)] * size, [lines.balanced_patterns(size)] * size
    full = "".join("".join(row) for row in _to_cells(next(lines.backtrack(empty, Budget(100_000), True, rng))))

    def puzzle_rows(kept: list[int]) -> tuple[str, ...]:
        kept_cells = set(kept)
        digits = "".join(digit if cell in kept_cells else "." for cell, digit in enumerate(full))
        return tuple(digits[i : i + size] for i in range(0, size * size, size))

    def fine(kept: list[int]) -> bool:
        if not search:
            return _is_deducible(puzzle_rows(kept))
        fillings = lines.first_two(_board(puzzle_rows(kept)), STEPS, distinct=True)
        return fillings is not None and len(fillings) == 1

    order = rng.shuffled(range(size * size))
    if by_row:
        place = rng.shuffled(range(size))
        order.sort(key=lambda cell: place[cell // size])
    return puzzle_rows(drop_clues(order, keep, fine))


def _is_deducible(given: tuple[str, ...]) -> bool:
    board = _board(given)
    return lines.propagate(board, distinct=True) and lines.is_finished(board)


def _line_puzzle(given: tuple[str, ...]) -> replays.LinePuzzle:
    """What a worked solution speaks of: the board, the lines' names, the signs, that lines differ, and the cells known."""
    titles = [f"row {i + 1}" for i in range(len(given))], [f"column {i + 1}" for i in range(len(given))]
    zeros, ones = ([sum(1 << c for c, cell in enumerate(row) if cell == sign) for row in given] for sign in "01")
    return replays.LinePuzzle(_board(given), titles, ("0", "1"), True, (zeros, ones))


def _board(given: tuple[str, ...]) -> lines.Board:
    return [_fitting_patterns(row) for row in given], [_fitting_patterns(column) for column in zip(*given)]


def _fitting_patterns(line: Iterable[str]) -> list[int]:
    cells = "".join(line)
    ones, zeros = (sum(1 << i for i, cell in enumerate(cells) if cell == sign) for sign in "10")
    return [pattern for pattern in lines.balanced_patterns(len(cells)) if pattern & ones == ones and not pattern & zeros]


def _to_cells(rows: list[int]) -> Cells:
    return tuple(tuple(str(row >> c & 1) for c in range(len(rows))) for row in rows)


def solutions(task: Task[Data]) -> Iterator[Cells]:
    for rows in lines.plain_backtrack(_board(task.data.given), distinct=True):
        yield _to_cells(rows)


environment = Environment(
    Knobs, Grid("the filled grid, one row per line, with digits separated by spaces", single_characters=True),
    generate, solve, verify, mistakes, cost,
    solution=replays.pattern_solution(lambda task: _line_puzzle(task.data.given), "The grid is filled:\n{answer}"),
    shift=shift, picture=picture, answers="unique", solutions=solutions,
    concept="Two equal digits side by side, or with one gap between them, fix their neighbours; then count what each line still needs.",
    version=3,
)  # fmt: skip
