"""Draw the picture of a nonogram from the lengths of the runs in its rows and columns.

Uniqueness is proved when a picture is made; pictures with several readings are altered cell by cell until one is left. On the upper levels
the runs of one line are false, and it is not said of which: what follows from one line alone can never be relied on.
"""

from collections.abc import Iterator, Sequence

from rlgym import Config, Environment, Rng, Score, Task, TaskData, knob
from rlgym.answers import Grid
from rlgym.generators.drawing import pictures
from rlgym.generators.grids import false_clues, layout, lines, replays
from rlgym.generators.grids.clues import Budget
from rlgym.generators.grids.layout import Cells
from rlgym.generators.grids.singleton_consistency import sample_hard

STEPS = 80  # suppositions that a proof of uniqueness may take
ALTERED = 60  # single cells altered before whole rows are filled


TRIES = 8  # puzzles of which the hardest is taken
FALSE_TRIES = 3
UNSTATED = (-1,)
BASE = 32  # more than the length of any run


class Knobs(Config):
    size: int = knob(8, easy=4, hard=15, doc="rows and columns")
    filled: int = knob(56, easy=64, hard=48, doc="percent of cells filled, about")
    reasoning: str = knob(
        "lines",
        easy="lines",
        hard="search",
        order=("lines", "search"),
        doc="whether looking at one line at a time suffices, or suppositions may be needed",
    )
    suppositions: int = knob(
        10,
        easy=1,
        hard=40,
        scale="log",
        doc="suppositions that prove the solution the only one, where they are needed and as far as a few puzzles have them",
    )
    false: str = knob(
        "none",
        easy="none",
        hard="one",
        order=("none", "one"),
        doc="whether the runs of one line are false, which is not said (two thirds of the rows and columns)",
    )


class Data(TaskData):
    rows: tuple[tuple[int, ...], ...]  # (-1,) for a line whose runs are left open
    columns: tuple[tuple[int, ...], ...]
    false: int = -1  # which line, of the rows and then the columns, has other runs than stated


def generate(rng: Rng, knobs: Knobs) -> Task[Data]:
    return _sample_task(rng, knobs, blots=False)


def shift(rng: Rng, knobs: Knobs) -> Task[Data]:
    """Pictures of a few large shapes, not of scattered cells."""
    return _sample_task(rng, knobs, blots=True)


def solve(task: Task[Data]) -> Cells:
    if task.data.false >= 0:
        size = len(task.data.rows)
        return _to_cells(next(false_clues.solutions(_finder(size), _encode(task.data))), size)
    board = _board(task.data)
    fillings = lines.first_two(board, 10**9)
    assert fillings
    return _to_cells(fillings[0], len(task.data.columns))


def verify(task: Task[Data], answer: Cells) -> Score:
    data = task.data
    if reason := layout.find_misfit(answer, ["." * len(data.columns)] * len(data.rows), "#."):
        return Score.wrong(reason)
    missed = list[str]()
    for kind, drawn, expected_runs in (("row", answer, data.rows), ("column", tuple(zip(*answer)), data.columns)):
        for i, (line, runs) in enumerate(zip(drawn, expected_runs), 1):
            if tuple(len(run) for run in "".join(line).split(".") if run) != runs != UNSTATED:
                missed.append(f"the runs of {kind} {i} are not the given ones")
    if data.false >= 0:
        return Score.exact(len(missed) == 1, f"{len(missed)} of the lines do not have the stated runs, not exactly one")
    return Score.exact(not missed, missed[0] if missed else "")


def mistakes(task: Task[Data], right: Cells) -> list[Cells]:
    swap = {"#": ".", ".": "#"}
    pushed = tuple(tuple(".".join("#" * run for run in runs).ljust(len(right), ".")) for runs in task.data.rows)
    moved = [tuple((*row[1:], row[0]) if r == i else row for r, row in enumerate(right)) for i in (0, len(right) // 2)]
    return [pushed, *moved, tuple(tuple(swap[cell] for cell in row) for row in right), tuple(zip(*right)), right[::-1]]


def cost(task: Task[Data]) -> float:
    if task.data.false >= 0:
        return len(task.data.rows) ** 2 * _count_false(task)
    return lines.effort(_board(task.data))


def _count_false(task: Task[Data]) -> int:
    """The suppositions that it takes to go through all lines whose runs may be false."""
    size, stated, budget = len(task.data.rows), _encode(task.data), Budget(10**9)
    for at in range(len(stated)):
        board = _decode(false_clues.leave_out(stated, at), size)
        budget.spend()
        if lines.propagate(board):
            for _ in lines.backtrack(board, budget):
                continue
    return 10**9 - budget.left


def picture(task: Task[Data]) -> str:
    clues = [[_render_runs(runs) for runs in side] for side in (task.data.rows, task.data.columns)]
    return pictures.board([" " * len(clues[1])] * len(clues[0]), left=clues[0], top=clues[1])


def _sample_task(rng: Rng, knobs: Knobs, blots: bool) -> Task[Data]:
    """The hardest of a few puzzles, where suppositions are needed."""

    def measure(task: Task[Data]) -> int:
        return lines.count_suppositions(_board(task.data))

    if knobs.false == "one":
        return sample_hard(lambda: _sample_false(rng, knobs, blots), _count_false, knobs.suppositions, FALSE_TRIES)
    wanted = knobs.suppositions if knobs.reasoning == "search" else 0
    return sample_hard(lambda: _sample_once(rng, knobs, blots), measure, wanted, TRIES)


def _sample_once(rng: Rng, knobs: Knobs, blots: bool) -> Task[Data]:
    return _pose(_make_unique(rng, _start(rng, knobs, knobs.size, blots), knobs.reasoning == "search"))


def _sample_false(rng: Rng, knobs: Knobs, blots: bool) -> Task[Data]:
    """False runs of one line among the others, with one picture whichever line it may be."""
    size = max(4, knobs.size * 2 // 3)
    while True:
        rows = _start(rng, knobs, size, blots)
        clues = [_code(lines.runs_of(line)) for line in (*rows, *lines.transpose(rows, size))]
        if found := false_clues.falsify_with(rng, _finder(size), clues, rows, _changes(clues, size)):
            break
    told = [_runs(code) for code in found[0]]
    return _pose(Data(rows=tuple(told[:size]), columns=tuple(told[size:]), false=found[1]))


def _changes(clues: Sequence[int], size: int) -> list[tuple[int, int]]:
    """The lines with one run longer or shorter by one, as far as it has room."""
    changes = []
    for line, runs in [(line, _runs(code)) for line, code in enumerate(clues) if code > 0]:
        for i, by in [(i, by) for i in range(len(runs)) for by in (-1, 1)]:
            changed = (*runs[:i], runs[i] + by, *runs[i + 1 :])
            if changed[i] and sum(changed) + len(changed) - 1 <= size:
                changes.append((line, _code(changed)))
    return changes


def _code(runs: Sequence[int]) -> int:
    """The runs of a line as one number, -1 where they are not stated."""
    code = 0
    for run in runs:
        code = BASE * code + run
    return code


def _runs(code: int) -> tuple[int, ...]:
    return UNSTATED if code < 0 else (*_runs(code // BASE), code % BASE) if code else ()


def _encode(data: Data) -> tuple[int, ...]:
    return tuple(_code(runs) for runs in (*data.rows, *data.columns))


def _decode(codes: Sequence[int], size: int) -> lines.Board:
    runs = tuple(_runs(code) for code in codes)
    return _board(Data(rows=runs[:size], columns=runs[size:]))


def _finder(size: int) -> false_clues.Find[list[int]]:
    def find(codes: tuple[int, ...], steps: int) -> Iterator[list[int]]:
        board = _decode(codes, size)
        return lines.backtrack(board, Budget(steps)) if lines.propagate(board) else iter(())

    return find


def _true_board(data: Data) -> lines.Board:
    """The lines without the runs that are false."""
    return _board(data) if data.false < 0 else _decode(false_clues.leave_out(_encode(data), data.false), len(data.rows))


def _pose(data: Data) -> Task[Data]:
    size = len(data.rows)
    listing = [f"{title}: {_render_runs(runs)}" for title, runs in zip(_titles("Row", data), data.rows)]
    listing += [f"{title}: {_render_runs(runs)}" for title, runs in zip(_titles("Column", data), data.columns)]
    false = ""
    if data.false >= 0:
        false = " For exactly one row or column the numbers that are stated are false: its runs are others. All other numbers hold."
    prompt = (
        f"Draw a picture of {size} rows and {size} columns in which every cell is filled (#) or empty (.). "
        "For each row, read from left to right, and for each column, read from top to bottom, the numbers are the lengths of its runs "
        "of filled cells, in order. Runs of one line have at least one empty cell between them; 0 means that the line has no filled "
        f"cell.{false}\n\n{chr(10).join(listing)}"
    )
    return Task(prompt, data)


def _render_runs(runs: Sequence[int]) -> str:
    return "?" if runs == UNSTATED else " ".join(map(str, runs)) or "0"


def _start(rng: Rng, knobs: Knobs, size: int, blots: bool) -> list[int]:
    """The rows of a picture to begin with."""
    if blots:
        return _blots(rng, size, knobs.filled)
    return [sum(1 << c for c in range(size) if rng.chance(knobs.filled / 100)) for _ in range(size)]


def _blots(rng: Rng, size: int, filled: int) -> list[int]:
    """The rows of a picture of overlapping rectangles."""
    rows = [0] * size
    while sum(row.bit_count() for row in rows) * 100 < filled * size * size:
        height, width = rng.integer(1, 1 + size // 2), rng.integer(1, 1 + size // 2)
        top, left = rng.integer(0, size - height), rng.integer(0, size - width)
        for r in range(top, top + height):
            rows[r] |= (1 << width) - 1 << left
    return rows


def _make_unique(rng: Rng, rows: list[int], search: bool) -> Data:
    """The runs of a picture that no other picture has, altered from these rows on."""
    size = len(rows)
    for altered in range(ALTERED + size * size):
        data = Data(rows=tuple(map(lines.runs_of, rows)), columns=tuple(map(lines.runs_of, lines.transpose(rows, size))))
        board = _board(data)
        lines.propagate(board)
        if lines.is_finished(board):
            return data
        doubtful = lines.undecided_cells(board)
        if search and altered < ALTERED:
            fillings = lines.first_two(board, STEPS)
            if fillings and len(fillings) == 1:
                return data
            if fillings:
                doubtful = [(r, c) for r, c in doubtful if (fillings[0][r] ^ fillings[1][r]) >> c & 1]
        row, column = rng.choice(doubtful)
        # A full row leaves no doubt, so that this ends.
        rows[row] = rows[row] ^ 1 << column if altered < ALTERED else (1 << size) - 1
    raise AssertionError("unreachable: a picture with all its rows full is unique")


def _line_puzzle(data: Data) -> replays.LinePuzzle:
    """What a worked solution speaks of: the board, the lines' names and the signs."""
    rows, columns = (
        [f"{title} ({_render_runs(runs)})" for title, runs in zip(_titles(kind, data), clues)]
        for kind, clues in (("row", data.rows), ("column", data.columns))
    )
    return replays.LinePuzzle(_true_board(data), (rows, columns), ("empty", "filled"))


def _board(data: Data) -> lines.Board:
    return [_patterns(runs, len(data.columns)) for runs in data.rows], [_patterns(runs, len(data.rows)) for runs in data.columns]


def _patterns(runs: tuple[int, ...], length: int) -> Sequence[int]:
    return range(1 << length) if runs == UNSTATED else lines.patterns_with_runs(runs, length)


def _titles(kind: str, data: Data) -> list[str]:
    return [f"{kind} {i + 1}" for i in range(len(data.rows))]


def _to_cells(rows: list[int], width: int) -> Cells:
    return tuple(tuple("#" if row >> c & 1 else "." for c in range(width)) for row in rows)


def solutions(task: Task[Data]) -> Iterator[Cells]:
    for rows in lines.plain_backtrack(_true_board(task.data)):
        yield _to_cells(rows, len(task.data.columns))


environment = Environment(
    Knobs, Grid("the picture, one row per line, each cell # or . and cells separated by spaces", single_characters=True),
    generate, solve, verify, mistakes, cost,
    solution=replays.pattern_solution(lambda task: _line_puzzle(task.data), "The picture is complete:\n{answer}"),
    shift=shift, picture=picture, answers="unique", solutions=solutions,
    concept="In each line, see which cells every placement of its runs fills or leaves empty, and carry that over to the crossing lines.",
    version=4,
)  # fmt: skip
