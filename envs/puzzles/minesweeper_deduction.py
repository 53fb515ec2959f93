"""Say which hidden cells of a minesweeper board are certainly safe, certainly mined, or undecided.

The certain cells are found by enumerating all arrangements of mines that fit the numbers, and the total if it is given.
Every hidden cell must be judged, so a board that is only half thought through is not paid.
"""

from rlgym import Config, Environment, Rng, Score, Task, TaskData, knob
from rlgym.answers import Grid
from rlgym.generators.drawing import pictures
from rlgym.generators.grids import layout, mines, replays
from rlgym.generators.grids.clues import Budget, TooMuchWork
from rlgym.generators.grids.layout import Cells

STEPS = 6_000  # nodes of the enumeration
ATTEMPTS = 10  # boards tried for one with as many joint deductions as wanted
ANSWER = Grid("the judged board, one row per line, with cells separated by spaces", single_characters=True)
CONCEPT = (
    "Compare each number with its hidden neighbours, then numbers that share some; a cell is certain if its opposite contradicts a number."
)


class Knobs(Config):
    size: int = knob(7, easy=4, hard=11, doc="rows and columns")
    mines: int = knob(20, easy=16, hard=24, doc="percent of cells that are mined")
    joint: int = knob(3, easy=0, hard=10, doc="certain cells that no single number decides, at least, as far as a few boards offer that")
    total: str = knob(
        "untold", easy="untold", hard="told", order=("untold", "told"), doc="whether the total number of mines is given and needed"
    )


class Data(TaskData):
    board: tuple[str, ...]
    total: int | None
    judged: tuple[str, ...]


def generate(rng: Rng, knobs: Knobs) -> Task[Data]:
    return _sample_task(rng, knobs, trails=False)


def shift(rng: Rng, knobs: Knobs) -> Task[Data]:
    """Mines that lie along winding trails, not anywhere."""
    return _sample_task(rng, knobs, trails=True)


def solve(task: Task[Data]) -> Cells:
    constraints = mines.number_constraints(task.data.board)
    return tuple(map(tuple, _render_judgement(task.data.board, constraints, *mines.certain_by_search(constraints, task.data.total))))


def verify(task: Task[Data], answer: Cells) -> Score:
    data = task.data
    given = tuple(tuple(sign.upper() for sign in row) for row in answer)
    if reason := layout.find_misfit(given, data.board, "SM?", unknown=mines.HIDDEN):
        return Score.wrong(reason)
    pairs = {(claimed, right) for row, judged in zip(given, data.judged) for claimed, right in zip(row, judged) if claimed != right}
    if any(claimed != "?" for claimed, _ in pairs):
        return Score.wrong("a cell is judged S or M though that is not certain")
    return Score.exact(not pairs, "a cell is judged ? though it is certain")


def mistakes(task: Task[Data], right: Cells) -> list[Cells]:
    constraints = mines.number_constraints(task.data.board)
    guess = {"?": "S"}
    swap = {"S": "M", "M": "S"}
    plain = mines.decide_singly(constraints, task.data.total)
    seen = {cell for i, cell in enumerate(constraints.hidden) if plain >> i & 1}
    width = len(right)
    near = tuple(
        tuple(sign if sign not in "SM" or r * width + c in seen else "?" for c, sign in enumerate(row)) for r, row in enumerate(right)
    )
    return [
        near,
        tuple(tuple(guess.get(sign, sign) for sign in row) for row in right),
        tuple(tuple(swap.get(sign, sign) for sign in row) for row in right),
        tuple(tuple(sign.replace("S", "?") for sign in row) for row in right),
        tuple(tuple(sign.replace(mines.HIDDEN, "?") for sign in row) for row in task.data.board),
    ]


def cost(task: Task[Data]) -> float:
    constraints = mines.number_constraints(task.data.board)
    decided = sum(sign in "SM" for row in task.data.judged for sign in row)
    beyond = decided - mines.decide_singly(constraints, task.data.total).bit_count()
    return constraints.touched.bit_count() + len(constraints.sums) + 10 * beyond


def picture(task: Task[Data]) -> str:
    board = task.data.board
    hidden = [cell for cell, sign in enumerate("".join(board)) if sign == mines.HIDDEN]
    return pictures.board([row.replace(mines.HIDDEN, ".") for row in board], shaded=hidden)


def _sample_task(rng: Rng, knobs: Knobs, trails: bool) -> Task[Data]:
    best, most = None, -1
    attempt = 0
    while best is None or (attempt < ATTEMPTS and most < knobs.joint):
        attempt += 1
        board, laid = _sample_opened_board(rng, knobs.size, knobs.mines, trails)
        constraints, total = mines.number_constraints(board), laid if knobs.total == "told" else None
        try:
            tables = mines.tables_of(constraints, Budget(STEPS))
        except TooMuchWork:
            continue
        mined, safe = mines.certain_cells(constraints, tables, total)
        joint = ((mined | safe) & ~mines.decide_singly(constraints, total)).bit_count()
        if total is not None and (mined, safe) == mines.certain_cells(constraints, tables, None):
            joint //= 2  # prefer boards whose given total decides something
        if mined and safe and joint > most:
            best, most = Data(board=board, total=total, judged=_render_judgement(board, constraints, mined, safe)), joint
    known = f"There are {best.total} mines on the whole board." if best.total is not None else "The total number of mines is not known."
    prompt = (
        "On this minesweeper board, # is a hidden cell and may hide a mine. Every other cell is open and holds no mine; its number says "
        f"how many of the up to eight cells around it, diagonal ones included, hide a mine. {known}\n\n{layout.render_grid(best.board)}\n\n"
        "Judge every hidden cell: S if it is free of a mine in every arrangement of mines that fits all that is known, M if it hides a "
        "mine in every such arrangement, ? if it differs from arrangement to arrangement. Write the board again with each # replaced "
        "by its judgement and the numbers kept."
    )
    return Task(prompt, best)


def _sample_opened_board(rng: Rng, size: int, percent: int, trails: bool) -> tuple[tuple[str, ...], int]:
    """A board with mines, opened from a few safe cells on: an open 0 opens its neighbours. And how many mines it has."""
    cells = rng.shuffled(range(size * size))
    count = max(2, size * size * percent // 100)
    near = [mines.neighbours_of(cell, size, size) for cell in range(size * size)]
    if trails:
        trail = _trail(rng, near, count)
        cells = trail + [cell for cell in cells if cell not in trail]
    mined, safe = set(cells[:count]), cells[count:]
    number = [sum(other in mined for other in near[cell]) for cell in range(size * size)]
    opened: set[int] = set()
    queue = safe[: len(safe) * 2 // 5]
    while queue:
        cell = queue.pop()
        if cell not in opened:
            opened.add(cell)
            queue += near[cell] if number[cell] == 0 else []
    signs = [str(number[cell]) if cell in opened else mines.HIDDEN for cell in range(size * size)]
    return tuple("".join(row) for row in layout.rows_of(signs, size)), count


def _trail(rng: Rng, near: list[list[int]], count: int) -> list[int]:
    """That many cells along walks; each walk continues until it is hemmed in or stops at random."""
    trail: list[int] = []
    while len(trail) < count:
        free = [cell for cell in near[trail[-1]] if cell not in trail] if trail and rng.chance(0.85) else []
        trail.append(rng.choice(free or [cell for cell in range(len(near)) if cell not in trail]))
    return trail


def _render_judgement(board: tuple[str, ...], constraints: mines.Sums, mined: int, safe: int) -> tuple[str, ...]:
    signs = list("".join(board))
    for i, cell in enumerate(constraints.hidden):
        signs[cell] = "M" if mined >> i & 1 else "S" if safe >> i & 1 else "?"
    return tuple("".join(row) for row in layout.rows_of(signs, len(board[0])))


def _steps(task: Task[Data]) -> list[str]:
    data = task.data
    steps = mines.explain(mines.number_constraints(data.board), data.total, STEPS)
    if any("?" in row for row in data.judged):
        steps.append("For each hidden cell not named so far, some arrangement that fits has a mine there and another has none.")
    return steps


def _kernel(task: Task[Data]) -> replays.Mines:
    return replays.Mines(mines.number_constraints(task.data.board), len(task.data.board), task.data.total, STEPS)


SOLUTION = replays.kernel_solution(_steps, _kernel, "The judged board:\n{answer}")
environment = Environment(
    Knobs, ANSWER, generate, solve, verify, mistakes, cost, solution=SOLUTION, shift=shift, picture=picture, concept=CONCEPT, version=2
)
