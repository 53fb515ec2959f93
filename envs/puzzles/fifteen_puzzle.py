"""Slide numbered tiles on a board with an empty cell until they stand as asked.

Any legal slides within the allowed number are accepted. The number is the proved fewest, or the fewest and a few to spare.
"""

from collections.abc import Iterator

from rlgym import Config, Environment, Rng, Score, Task, TaskData, knob
from rlgym.answers import Numbers
from rlgym.generators.drawing import pictures
from rlgym.generators.puzzles import move_puzzles
from rlgym.generators.puzzles.move_puzzles import Moves

Board = tuple[int, ...]  # 0 for the empty cell, -1 for a wall
SPARE = {"loose": 20, "near": 4, "tight": 0}
WORK = 5_000
ANSWER = Numbers("the numbers of the tiles in the order in which they slide, separated by commas", max_items=400)


class Knobs(Config):
    cells: int = knob(9, easy=6, hard=16, doc="about how many cells the board has")
    slides: int = knob(16, easy=4, hard=30, doc="how many slides are needed, as far as the board has such places")
    goal: str = knob(
        "other", easy="rows", hard="any", order=("rows", "other", "any"), doc="tiles in order, partly in falling order, or in any order"
    )
    limit: str = knob("near", easy="loose", hard="tight", order=("loose", "near", "tight"), doc="slides to spare: 20, 4 or none")


class Data(TaskData):
    start: Board
    goal: Board
    columns: int
    most: int
    fewest: int


def generate(rng: Rng, knobs: Knobs) -> Task[Data]:
    return _sample_task(rng, knobs, 0)


def shift(rng: Rng, knobs: Knobs) -> Task[Data]:
    return _sample_task(rng, knobs, 1)


def _sample_task(rng: Rng, knobs: Knobs, walls: int) -> Task[Data]:
    columns = 3 if knobs.cells < 11 else 4
    rows = max(2, knobs.cells // columns) + (walls if knobs.cells < 9 else 0)
    slide_count = knobs.slides
    while True:
        goal = _sample_goal(rng, rows, columns, knobs.goal, walls)
        board, before = goal, goal
        for _ in range(slide_count + 2 * rng.integer(0, slide_count // 4)):
            after = rng.choice([state for _, state in _slides(board, columns) if state != before] or [before])
            board, before = after, board
        puzzle = _puzzle(board, goal, columns)
        plan = move_puzzles.a_star(puzzle, WORK)
        if plan and slide_count * 0.7 <= len(plan) <= knobs.slides:
            break
        # A small board has no places that far away, and some are too far to prove how far.
        slide_count = max(4, slide_count - rng.integer(0, 1))
    data = Data(start=board, goal=goal, columns=columns, most=len(plan) + SPARE[knobs.limit], fewest=len(plan))
    wall = " A # is a wall that never moves." if walls else ""
    prompt = (
        f"On this board each number is a tile and the dot is the empty cell.{wall}\n"
        f"{_render_board(board, columns)}\n\nIn a move, a tile directly above, below, left or right of the empty cell slides into it, "
        f"and its old cell becomes the empty one. Reach this board with at most {data.most} moves:\n"
        f"{_render_board(goal, columns)}\n\nGive the number of the tile that slides in each move, in order."
    )
    return Task(prompt, data)


def solve(task: Task[Data]) -> Board:
    return tuple(map(int, move_puzzles.a_star(_moves_of(task.data), 10**7) or ()))


def verify(task: Task[Data], answer: Board) -> Score:
    return move_puzzles.verify_plan(_moves_of(task.data), list(map(str, answer)), task.data.most, "the board is not the one asked for")


def mistakes(task: Task[Data], right: Board) -> list[Board]:
    return [tuple(map(int, plan)) for plan in move_puzzles.near_misses(tuple(map(str, right)))]


def cost(task: Task[Data]) -> float:
    spare = task.data.most - task.data.fewest
    return task.data.fewest**2 * len(task.data.start) * (1 if spare > 9 else 2 if spare else 3)


def picture(task: Task[Data]) -> str:
    walls = [cell for cell, tile in enumerate(task.data.start) if tile < 0]
    return pictures.board([row.split() for row in _render_board(task.data.start, task.data.columns).split("\n")], shaded=walls)


def _sample_goal(rng: Rng, rows: int, columns: int, kind: str, walls: int) -> Board:
    cells = rows * columns
    tiles = sorted(rng.sample(range(1, 2 * cells), cells - 1 - walls))
    if kind == "other":
        cut = rng.integer(0, len(tiles) - 2)
        tiles = tiles[:cut] + tiles[cut:][::-1]
    elif kind == "any":
        tiles = rng.shuffled(tiles)
    # A wall in a corner would change little, and one in the middle of 3 x 3 would leave nothing but a ring.
    wall = rng.choice([cell for cell in range(1, cells - 1) if cell not in (columns - 1, cells - columns, 4)]) if walls else -1
    goal = [*tiles, 0] if kind != "any" else rng.shuffled([*tiles, 0])
    if walls:
        goal.insert(wall, -1)
    return tuple(goal)


def _slides(board: Board, columns: int) -> list[tuple[str, Board]]:
    gap = board.index(0)
    slides = []
    for cell in (gap - columns, gap - 1, gap + 1, gap + columns):
        is_adjacent = abs(cell % columns - gap % columns) + abs(cell // columns - gap // columns) == 1
        if 0 <= cell < len(board) and is_adjacent and board[cell] > 0:
            changed = list(board)
            changed[gap], changed[cell] = board[cell], 0
            slides.append((str(board[cell]), tuple(changed)))
    return slides


def _puzzle(start: Board, goal: Board, columns: int) -> Moves[Board]:
    cells = range(len(goal))
    away = [[0] * len(goal) for _ in range(max(goal) + 2)]
    for home, tile in enumerate(goal):
        if tile > 0:
            away[tile] = [abs(cell // columns - home // columns) + abs(cell % columns - home % columns) for cell in cells]

    def least(board: Board) -> int:
        return sum([away[tile][cell] for cell, tile in enumerate(board)])

    def describe(board: Board) -> str:
        return f"{' / '.join(_render_board(board, columns).split(chr(10)))}; the tiles are {least(board)} cells from their places in all"

    return Moves(start, lambda board: _slides(board, columns), lambda board: board == goal, describe, least)


def _moves_of(data: Data) -> Moves[Board]:
    return _puzzle(data.start, data.goal, data.columns)


def _render_board(board: Board, columns: int) -> str:
    signs = {0: ".", -1: "#"}
    rows = [board[i : i + columns] for i in range(0, len(board), columns)]
    return "\n".join(" ".join(signs.get(tile, str(tile)) for tile in row) for row in rows)


def solutions(task: Task[Data]) -> Iterator[Board]:
    right = tuple(map(str, solve(task)))
    for plan in move_puzzles.other_plans(_moves_of(task.data), right, task.data.most, 10**7):
        yield tuple(map(int, plan))


environment = Environment(
    Knobs, ANSWER, generate, solve, verify, mistakes, cost,
    solution=move_puzzles.solution(_moves_of, solve, ANSWER), shift=shift, picture=picture, answers="many", solutions=solutions,
    shared_helpers="The helper makes the moves of the puzzle as the prompt states them; searching for a plan and checking one are apart.",
    concept="Each slide brings one tile a cell nearer to its place or a cell further away, so the distances say how many slides are left at least.",
)  # fmt: skip
