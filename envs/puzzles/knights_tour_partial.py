"""Complete a knight's tour of a board: some cells show which step of the tour they are, the others are to be numbered.

Any tour that keeps the numbers given is accepted.
"""

from collections.abc import Iterator, Sequence
from functools import partial

from rlgym import Config, Environment, Rng, Score, Task, TaskData, knob
from rlgym.answers import Grid
from rlgym.generators.boards.knight_tours import WORK, breadth_first_distances, is_stranded, move_graph, sample_tour
from rlgym.generators.drawing import pictures
from rlgym.generators.grids import layout
from rlgym.solutions import Checks, Derivation, Solution, Step

Cells = tuple[tuple[str, ...], ...]
GIVEN = Step("Step {number:int} is r{row:int}c{column:int}, which is given; cells left free beside it: {left:int}")
ONLY = Step(
    "Step {number:int} is r{row:int}c{column:int}, the only free cell from which step {target:int} is still near enough; "
    "cells left free beside it: {left:int}"
)
CHOSEN = Step(
    "Step {number:int} is r{row:int}c{column:int}, one of {count:int} open cell(s) that it can reach; cells left free beside it: {left:int}"
)
END = Step("The board is complete:\n{answer}")
ANSWER = Grid("the board with all steps, one row per line, with cells separated by spaces", max_size=10)


class Knobs(Config):
    rows: int = knob(5, easy=3, hard=7, doc="rows of the board")
    columns: int = knob(6, easy=4, hard=8, doc="columns of the board")
    given_cells: int = knob(40, easy=70, hard=15, doc="percent of the cells whose step is given")
    shown: str = knob(
        "spread", easy="spread", hard="opening", order=("spread", "opening"), doc="given steps here and there, or the first ones"
    )


class Data(TaskData):
    board: tuple[tuple[int, ...], ...]  # 0 where the step is to be found, -1 for a hole
    moves: tuple[tuple[int, int], ...]


def generate(rng: Rng, knobs: Knobs) -> Task[Data]:
    return _sample_task(rng, knobs, False)


def shift(rng: Rng, knobs: Knobs) -> Task[Data]:
    """A piece that also steps to the neighbour in its row, on a board with holes."""
    return _sample_task(rng, knobs, True)


def _sample_task(rng: Rng, knobs: Knobs, other: bool) -> Task[Data]:
    rows, columns = knobs.rows, knobs.columns
    leaps = [(r * a, c * b) for a, b in ((1, 2), (2, 1)) for r in (1, -1) for c in (1, -1)]
    if other:
        # Leaps of the camel or of both knight and neighbour: other parities, other corners.
        leaps = [*leaps, (0, 1), (0, -1)] if rng.chance(0.5) else [*leaps, (1, 1), (-1, -1), (1, -1), (-1, 1)]
    while True:
        holes = rng.sample(range(rows * columns), rng.integer(1, 3)) if other else []
        near = move_graph(rows, columns, tuple(leaps), tuple(sorted(holes)))
        tour = sample_tour(rng, near, [cell for cell in range(rows * columns) if cell not in holes])
        if tour is None:
            continue
        kept = max(2, len(tour) * knobs.given_cells // 100)
        steps = set(range(kept)) if knobs.shown == "opening" else {0, *rng.sample(range(1, len(tour)), kept - 1)}
        flat = [0] * (rows * columns)
        for hole in holes:
            flat[hole] = -1
        for step in steps:
            flat[tour[step]] = step + 1
        board = tuple(tuple(flat[r * columns : (r + 1) * columns]) for r in range(rows))
        data = Data(board=board, moves=tuple(leaps))
        if _complete_tour(data, WORK):
            break
    piece = "two cells along a row or column and one cell across, as a knight in chess"
    if other:
        step_text = "one cell to the left or right" if (0, 1) in leaps else "one cell diagonally"
        piece = f"{piece}, or {step_text}"
    absent = " Cells with # are not part of the board." if other else ""
    prompt = (
        f"A piece moves over this board and visits each cell exactly once. Each step goes {piece}.{absent} A number says in which step "
        "a cell is reached, 1 being the cell where the piece begins; the dots are to be numbered:\n"
        f"{_render_board(data)}\n\nFill in all steps from 1 to {len(tour)}."
    )
    return Task(prompt, data)


def solve(task: Task[Data]) -> Cells:
    tour = _complete_tour(task.data, 10**7)
    return _to_cells(task.data, tour or [])


def verify(task: Task[Data], answer: Cells) -> Score:
    board = task.data.board
    rows, columns = len(board), len(board[0])
    if len(answer) != rows or any(len(row) != columns for row in answer):
        return Score.wrong(f"the board must have {rows} rows of {columns} cells")
    places: dict[int, tuple[int, int]] = {}
    cells = sum(known >= 0 for row in board for known in row)
    for r, row in enumerate(answer):
        for c, text in enumerate(row):
            known = board[r][c]
            if known < 0:
                if text != "#":
                    return Score.wrong(f"row {r + 1}, column {c + 1} is no part of the board and stays #")
                continue
            if not text.isascii() or not text.isdigit() or len(text) > 3 or not 1 <= int(text) <= cells:
                return Score.wrong(f"row {r + 1}, column {c + 1} holds no number from 1 to {cells}")
            if int(text) in places:
                return Score.wrong(f"step {int(text)} stands on the board twice")
            if known and known != int(text):
                return Score.wrong(f"row {r + 1}, column {c + 1} was given another number")
            places[int(text)] = (r, c)
    for step in range(1, cells):
        (r, c), (to, across) = places[step], places[step + 1]
        if (to - r, across - c) not in task.data.moves:
            return Score.wrong(f"the piece cannot go from step {step} to step {step + 1}")
    return Score.exact(True)


def mistakes(task: Task[Data], right: Cells) -> list[Cells]:
    given = tuple(tuple("." if not known else "#" if known < 0 else str(known) for known in row) for row in task.data.board)
    left = iter(sorted({int(cell) for row in right for cell in row if cell != "#"} - {known for row in task.data.board for known in row}))
    filled = tuple(tuple(str(next(left)) if cell == "." else cell for cell in row) for row in given)
    return [filled, given, *layout.exchange_neighbours(right, given), right[::-1], tuple(row[::-1] for row in right)]


def cost(task: Task[Data]) -> float:
    cells = [known for row in task.data.board for known in row]
    return cells.count(0) ** 2 * len(cells)


def derive(task: Task[Data]) -> Derivation:
    data = task.data
    tour = _complete_tour(data, 10**7) or []
    columns, near, known = len(data.board[0]), _neighbours_of(data), _known_steps(data)
    for step, cell in enumerate(tour):
        form, gaps = _reason_for_step(near, known, tour[:step], cell)
        row, column = divmod(cell, columns)
        yield form(number=step + 1, row=row + 1, column=column + 1, **gaps)
    yield END(answer=ANSWER.render(_to_cells(data, tour)))


def checks(task: Task[Data]) -> Checks:
    data = task.data
    columns, near, known = len(data.board[0]), _neighbours_of(data), _known_steps(data)
    tour = list[int]()

    def follows(form: Step, number: int, row: int, column: int, **gaps: int) -> bool:
        cell = (row - 1) * columns + column - 1
        if number != len(tour) + 1 or not 1 <= column <= columns or cell in tour or cell not in near:
            return False
        if (tour and cell not in near[tour[-1]]) or known.get(len(tour), cell) != cell:
            return False
        if any(at == cell for step, at in known.items() if step > len(tour)) or _reason_for_step(near, known, tour, cell) != (form, gaps):
            return False
        tour.append(cell)
        return True

    return {
        GIVEN: partial(follows, GIVEN),
        ONLY: partial(follows, ONLY),
        CHOSEN: partial(follows, CHOSEN),
        END: lambda answer: ANSWER.parse(answer) == _to_cells(data, tour),
    }


def picture(task: Task[Data]) -> str:
    board = task.data.board
    holes = [k for k, known in enumerate(cell for row in board for cell in row) if known < 0]
    return pictures.board([[str(known) if known > 0 else "" for known in row] for row in board], shaded=holes)


def _neighbours_of(data: Data) -> dict[int, tuple[int, ...]]:
    holes = tuple(k for k, known in enumerate(cell for row in data.board for cell in row) if known < 0)
    return move_graph(len(data.board), len(data.board[0]), data.moves, holes)


def _known_steps(data: Data) -> dict[int, int]:
    """The cell of each given step, steps counted from 0."""
    return {known - 1: k for k, known in enumerate(cell for row in data.board for cell in row) if known > 0}


def _open_cells(
    near: dict[int, tuple[int, ...]], known: dict[int, int], done: Sequence[int], reach: dict[int, dict[int, int]]
) -> list[int]:
    """The cells to which the next step can go, so that the next given step is still near enough."""
    step, reserved = len(done), set(known.values())
    if step in known:
        return [known[step]] if not done or known[step] in near[done[-1]] else []
    target = min((place for place in known if place > step), default=-1)
    ways = near[done[-1]] if done else tuple(near)
    free = [cell for cell in ways if cell not in done and cell not in reserved]
    return free if target < 0 else [cell for cell in free if reach[target].get(cell, 99) <= target - step]


def _distances_between(near: dict[int, tuple[int, ...]], known: dict[int, int]) -> dict[int, dict[int, int]]:
    """How many steps it takes at least from each cell to each given one."""
    return {place: breadth_first_distances(near, cell) for place, cell in known.items()}


def _reason_for_step(
    near: dict[int, tuple[int, ...]], known: dict[int, int], done: Sequence[int], cell: int
) -> tuple[Step, dict[str, int]]:
    """Why the next step goes to a cell: the form of the sentence, and what is counted in it."""
    exits = sum(other not in done for other in near[cell])
    if len(done) in known:
        return GIVEN, {"left": exits}
    open_cells = _open_cells(near, known, done, _distances_between(near, known))
    target = min((place for place in known if place > len(done)), default=-1)
    if len(open_cells) == 1 and target > 0:
        return ONLY, {"target": target + 1, "left": exits}
    return CHOSEN, {"count": len(open_cells), "left": exits}


def _complete_tour(data: Data, work: int, *, backwards: bool = False) -> list[int] | None:
    """A tour with the given steps, by going where fewest ways lead on; None after `work` steps in vain."""
    near, known = _neighbours_of(data), _known_steps(data)
    reach, count = _distances_between(near, known), len(near)
    done = list[int]()
    visited = set[int]()

    def ordered() -> list[int]:
        cells = [(sum(other not in visited for other in near[cell]), cell) for cell in _open_cells(near, known, done, reach)]
        return [cell for _, cell in sorted(cells, key=lambda pair: (pair[0], -pair[1] if backwards else pair[1]), reverse=True)]

    stack = [ordered()]
    while stack:
        if not stack[-1]:
            stack.pop()
            if done:
                visited.discard(done.pop())
            continue
        cell = stack[-1].pop()
        done.append(cell)
        visited.add(cell)
        if len(done) == count:
            return done
        work -= 1
        if work < 0:
            return None
        # A free cell with no free neighbour can only be the last, or come next.
        stack.append([] if is_stranded(near, visited, cell, count - len(done)) else ordered())
    return None


def _to_cells(data: Data, tour: Sequence[int]) -> Cells:
    columns = len(data.board[0])
    flat = ["#"] * (len(data.board) * columns)
    for step, cell in enumerate(tour):
        flat[cell] = str(step + 1)
    return layout.rows_of(flat, columns)


def _render_board(data: Data) -> str:
    return "\n".join(" ".join("." if not known else "#" if known < 0 else str(known) for known in row) for row in data.board)


def solutions(task: Task[Data]) -> Iterator[Cells]:
    if tour := _complete_tour(task.data, 20_000, backwards=True):
        yield _to_cells(task.data, tour)
    yield solve(task)


environment = Environment(
    Knobs, ANSWER, generate, solve, verify, mistakes, cost,
    solution=Solution(derive, END, checks), shift=shift, picture=picture, answers="many", solutions=solutions,
    concept="Go first to cells from which few ways lead on, such as corners, and count whether the next given step can still be reached in time.",
    version=2,
)  # fmt: skip
