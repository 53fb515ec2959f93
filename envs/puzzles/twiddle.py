"""Turn blocks of four numbers on a board until all numbers are in order.

Any legal turns within the allowed number are accepted. The number is the proved fewest, or the fewest and a few to spare. On the upper levels nearly
as many boards can be made by so many turns as there are at all, so that how far a number is from its place tells little about the way back.
"""

from collections.abc import Callable, Iterator
from operator import itemgetter

from rlgym import Config, Environment, Rng, Score, Task, TaskData, knob
from rlgym.answers import Words
from rlgym.generators.drawing import pictures
from rlgym.generators.draws import draw_rare
from rlgym.generators.puzzles import move_puzzles
from rlgym.generators.puzzles.move_puzzles import Moves, Plan

Board = tuple[int, ...]
SPARE = {"loose": 6, "near": 2, "tight": 0}
ANSWER = Words("the moves in order, separated by spaces", max_items=100, ignore_case=True)


class Knobs(Config):
    turns: int = knob(4, easy=2, hard=8, doc="turns that put the numbers out of order")
    cells: int = knob(9, easy=6, hard=12, doc="about how many numbers there are")
    limit: str = knob("near", easy="loose", hard="tight", order=("loose", "near", "tight"), doc="turns to spare: 6, 2 or none")


class Data(TaskData):
    board: Board
    columns: int
    rings: bool  # whether whole rows and columns go round, in place of blocks
    most: int
    fewest: int


def generate(rng: Rng, knobs: Knobs) -> Task[Data]:
    return draw_rare(lambda: _sample_task(rng, knobs, False), solve, 6 if knobs.turns < 4 else 1)


def shift(rng: Rng, knobs: Knobs) -> Task[Data]:
    """Rows and columns go round as rings, in place of blocks that turn."""
    return draw_rare(lambda: _sample_task(rng, knobs, True), solve, 6 if knobs.turns < 4 else 1)


def _sample_task(rng: Rng, knobs: Knobs, rings: bool) -> Task[Data]:
    columns = 3 if knobs.cells < 12 else 4
    rows = max(2, knobs.cells // columns)
    turn_count, tries = knobs.turns, 0
    while True:
        tries += 1
        board = tuple(sorted(rng.sample(range(1, 3 * rows * columns), rows * columns)))
        data = Data(board=board, columns=columns, rings=rings, most=0, fewest=0)
        puzzle = _puzzle(data)
        for _ in range(turn_count):
            board = rng.choice([after for _, after in puzzle.options(board)])
        data = data.model_copy(update={"board": board})
        plan = _shortest_plan(data)
        if len(plan) == turn_count or (plan and tries > 3 and len(plan) >= turn_count - 1):
            break
        # Small boards have no order so far away.
        turn_count = max(1, turn_count - (tries % 10 == 0))
    data = data.model_copy(update={"most": len(plan) + SPARE[knobs.limit], "fewest": len(plan)})
    if rings:
        how = (
            "A move shifts one row or one column by one cell; the number that leaves at one end re-enters at the other. Write a row shift as r "
            "and the number of the row, followed by + (right) or - (left), and a column shift as c and the number of the column, followed by + "
            "(down) or - (up), such as r9+ or c9-"
        )
    else:
        how = (
            "A move rotates a block of 2 x 2 cells by a quarter turn, so that each of its four numbers moves to the next cell of the "
            "block. Write it as the row and the column of the block's top left cell, followed by + (clockwise) or - (anticlockwise), such as r8c9+"
        )
    prompt = (
        f"A board holds these numbers:\n{_render_board(board, columns)}\n\n"
        f"{how}. Rows and columns are numbered from 1, starting at the top left. Find a sequence of at most {data.most} moves "
        "after which the numbers are in ascending order, read row by row from left to right."
    )
    return Task(prompt, data)


def solve(task: Task[Data]) -> Plan:
    return _shortest_plan(task.data)


def verify(task: Task[Data], answer: Plan) -> Score:
    return move_puzzles.verify_plan(_puzzle(task.data), answer, task.data.most, "the numbers are not in order")


def mistakes(task: Task[Data], right: Plan) -> list[Plan]:
    turned = tuple(move[:-1] + {"+": "-", "-": "+"}[move[-1]] for move in right)
    return [turned, *move_puzzles.near_misses(right), right * 2]


def cost(task: Task[Data]) -> float:
    spare = task.data.most - task.data.fewest
    return 4.0**task.data.fewest * len(task.data.board) * (1 if spare > 5 else 2 if spare else 3)


def picture(task: Task[Data]) -> str:
    return pictures.board([row.split() for row in _render_board(task.data.board, task.data.columns).split("\n")])


def _cycles(rows: int, columns: int, rings: bool) -> list[tuple[str, tuple[int, ...]]]:
    """The name of each move, and the cells along which the numbers go one further."""
    if rings:
        lines = [(f"r{r + 1}", tuple(range(r * columns, (r + 1) * columns))) for r in range(rows)]
        lines += [(f"c{c + 1}", tuple(range(c, rows * columns, columns))) for c in range(columns)]
    else:
        corners = [(r, c, r * columns + c) for r in range(rows - 1) for c in range(columns - 1)]
        lines = [(f"r{r + 1}c{c + 1}", (at, at + 1, at + columns + 1, at + columns)) for r, c, at in corners]
    return [move for name, cells in lines for move in ((f"{name}+", cells), (f"{name}-", cells[::-1]))]


def _puzzle(data: Data) -> Moves[Board]:
    columns, goal = data.columns, tuple(sorted(data.board))
    rows = len(goal) // columns
    cycles = _cycles(rows, columns, data.rings)
    home = {number: divmod(cell, columns) for cell, number in enumerate(goal)}
    most = max(rows, columns) if data.rings else 4

    def come_from(cells: tuple[int, ...]) -> list[int]:
        """For each cell of the board, the cell whose number a move brings there."""
        before = dict(zip((*cells[1:], cells[0]), cells))
        return [before.get(cell, cell) for cell in range(len(goal))]

    turned: list[tuple[str, Callable[[Board], Board]]] = [(name, itemgetter(*come_from(cells))) for name, cells in cycles]

    def options(board: Board) -> list[tuple[str, Board]]:
        return [(name, turn(board)) for name, turn in turned]

    def away(board: Board) -> int:
        total = 0
        for cell, number in enumerate(board):
            row, column = home[number]
            down, across = abs(cell // columns - row), abs(cell % columns - column)
            total += min(down, rows - down) + min(across, columns - across) if data.rings else down + across
        return total

    def describe(board: Board) -> str:
        return f"{_render_board(board, columns).replace(chr(10), ' / ')}; the distances of the numbers from their places add up to {away(board)}"

    return Moves(data.board, options, lambda board: board == goal, describe, lambda board: -(-away(board) // most))


def _shortest_plan(data: Data, backwards: bool = False) -> Plan:
    return move_puzzles.meet_in_the_middle(_puzzle(data), tuple(sorted(data.board)), backwards=backwards)


def _render_board(board: Board, columns: int) -> str:
    return "\n".join(" ".join(map(str, board[i : i + columns])) for i in range(0, len(board), columns))


def solutions(task: Task[Data]) -> Iterator[Plan]:
    yield _shortest_plan(task.data, backwards=True)
    yield from move_puzzles.detours(_puzzle(task.data), solve(task), task.data.most)


environment = Environment(
    Knobs, ANSWER, generate, solve, verify, mistakes, cost,
    solution=move_puzzles.solution(_puzzle, solve, ANSWER), shift=shift, picture=picture, answers="many", solutions=solutions,
    shared_helpers="The helper makes the moves of the puzzle as the prompt states them; searching for a plan and checking one are apart.",
    concept="A move brings at most as many numbers nearer to their places as it moves, so the distances say how many moves are needed at least.",
    guessable="two turns of a small board have few answers; one is right for about 0.16",
    version=4,
)  # fmt: skip
