"""Slide numbered tiles on a board with an empty cell until they stand as asked.

Any legal slides within the allowed number are accepted. The number is the proved fewest, or the fewest and a few to spare. At the hard end the
board is mixed at random and no slide can be spared: many tiles must first move away from their places, so that the usual order, tile by tile or
row by row, needs too many slides.
"""

from collections.abc import Iterator

from rlgym import Config, Environment, Rng, Score, Task, TaskData, knob
from rlgym.answers import Numbers
from rlgym.generators.drawing import pictures
from rlgym.generators.puzzles import move_puzzles
from rlgym.generators.puzzles.move_puzzles import Moves

Board = tuple[int, ...]  # 0 for the empty cell, -1 for a wall
SPARE = {"loose": 20, "near": 4, "tight": 0}
MIXED = 150  # slides that mix a board
ANSWER = Numbers("the numbers of the tiles in the order in which they slide, separated by commas, as in 3, 1, 2", max_items=400)


class Knobs(Config):
    cells: int = knob(9, easy=6, hard=10, doc="the board has 3 x 3 cells from 8 on, and 2 x 3 below")
    slides: int = knob(16, easy=4, hard=29, doc="how many slides are needed, as far as the board has such places")
    start: str = knob(
        "walk", easy="walk", hard="mixed", order=("walk", "walk", "mixed"), doc="some slides before the goal, or mixed at random"
    )
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
    rows, columns = 3 if knobs.cells >= 8 or walls else 2, 3
    slide_count, tries, mixed = knobs.slides, 0, knobs.start == "mixed"
    while True:
        goal = _sample_goal(rng, rows, columns, knobs.goal, walls)
        board, before = goal, goal
        for _ in range(MIXED + rng.integer(0, 1) if mixed else slide_count + 2 * rng.integer(0, slide_count // 4)):
            after = rng.choice([state for _, state in _slides(board, columns) if state != before] or [before])
            board, before = after, board
        way = move_puzzles.bidirectional_search(board, goal, lambda state: [after for _, after in _slides(state, columns)])
        # Every place on a shortest way needs the rest of it. What is accepted goes down from try to try, so that the search ends.
        needed = max(4, knobs.slides - rng.integer(0, 2) - tries // 12) if mixed else knobs.slides
        if len(way) - 1 >= (needed if mixed else max(1, 0.7 * slide_count)):
            way = way[-needed - 1 :]
            break
        slide_count, tries = max(4, slide_count - rng.integer(0, 1)), tries + 1
    board, fewest = way[0], len(way) - 1
    data = Data(start=board, goal=goal, columns=columns, most=fewest + SPARE[knobs.limit], fewest=fewest)
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
        return f"{' / '.join(_render_board(board, columns).split(chr(10)))}; the distances of the tiles from their places add up to {least(board)}"

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
    version=3,
)  # fmt: skip
