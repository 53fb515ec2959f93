"""Follow rays of light through a board of mirrors."""

from collections.abc import Iterator

from rlgym import Config, Environment, Rng, Score, Task, TaskData, knob
from rlgym.answers import Words
from rlgym.generators.drawing import pictures
from rlgym.solutions import Derivation, Solution, Step

Board = tuple[str, ...]
Stop = tuple[str, int, int, str, str]  # which way the ray comes, row, column, what is there, which way it goes
WAYS = {"right": (0, 1), "left": (0, -1), "down": (1, 0), "up": (-1, 0)}
TURNS = {
    "/": {"right": "up", "up": "right", "left": "down", "down": "left"},
    "\\": {"right": "down", "down": "right", "left": "up", "up": "left"},
    "O": {"right": "left", "left": "right", "up": "down", "down": "up"},
}
OVER = {"/": "\\", "\\": "/", "O": "O"}
ENTRIES = {"left": "right", "right": "left", "top": "down", "bottom": "up"}
EXITS = {"right": "right", "left": "left", "down": "bottom", "up": "top"}
HIT = Step("Ray {ray} going {came} meets {sign} in row {row} and column {column} and goes on {goes}")
OUT = Step("Ray {ray} leaves at the {side} in line {line} after {hits} sign(s)")
END = "All rays: {answer}"
MOST = 300


class Knobs(Config):
    size: int = knob(8, easy=4, hard=20, doc="rows and columns")
    rays: int = knob(2, easy=1, hard=5, doc="how many rays")
    mirrors: int = knob(30, easy=18, hard=40, doc="percent of cells that hold a mirror")
    balls: int = knob(3, easy=0, hard=6, doc="percent of cells that send a ray straight back")


class Data(TaskData):
    board: Board
    rays: tuple[tuple[str, int], ...]
    turning: bool


def generate(rng: Rng, knobs: Knobs) -> Task[Data]:
    """Mirrors that stay as they are."""
    return _sample_task(rng, knobs, turning=False)


def shift(rng: Rng, knobs: Knobs) -> Task[Data]:
    """Each mirror turns over whenever a ray has met it."""
    return _sample_task(rng, knobs, turning=True)


def _sample_task(rng: Rng, knobs: Knobs, turning: bool) -> Task[Data]:
    signs, shares = ("/", "\\", "O", "."), (knobs.mirrors, knobs.mirrors, 2 * knobs.balls, 200 - 2 * knobs.mirrors - 2 * knobs.balls)
    while True:
        board = tuple("".join(rng.weighted(signs, shares) for _ in range(knobs.size)) for _ in range(knobs.size))
        starts = rng.sample([(side, line) for side in ENTRIES for line in range(1, knobs.size + 1)], knobs.rays)
        data = Data(board=board, rays=tuple(starts), turning=turning)
        followed = list(_trace_rays(data))
        if max(map(len, followed)) <= MOST and sum(map(len, followed)) >= 2 * knobs.rays:
            break
    over = (
        " A mirror that a ray has met turns over: / becomes \\ and \\ becomes /. The rays come one after another, each meeting the mirrors as the one "
        "before left them."
        if turning
        else ""
    )
    balls, met = (" A ball O sends a ray straight back.", "a mirror or a ball") if "O" in "".join(board) else ("", "a mirror")
    ray_texts = "\n".join(f"Ray {k} enters at the {side} in {_line(side)} {line}." for k, (side, line) in enumerate(starts, 1))
    prompt = (
        "A board of mirrors, rows counted from the top and columns from the left, from 1 on:\n"
        + "\n".join(" ".join(row) for row in board)
        + "\n\n"
        "A ray that enters at the left goes right, one from the right left, one from the top down, and one from the bottom up. It runs straight "
        "through empty cells (.). At a mirror /, a ray going right turns up, one going up turns right, one going left turns down, and one going down turns "
        "left. At a mirror \\, a ray going right turns down, one going down turns right, one going left turns up, and one going up turns left."
        f"{balls}{over}\n{ray_texts}\n\nFor each ray, in this order, give the side where it leaves the board (left, right, top or bottom), the number "
        f"of the row (at the left or right) or column (at the top or bottom) in which it leaves, and how many times it met {met}."
    )
    return Task(prompt, data)


def _line(side: str) -> str:
    return "row" if side in ("left", "right") else "column"


def _trace_rays(data: Data) -> Iterator[list[Stop]]:
    """For each ray what it meets, and then where it leaves: a stop with no sign."""
    board = [list(row) for row in data.board]
    size = len(board)
    for side, line in data.rays:
        direction, stops = ENTRIES[side], list[Stop]()
        row, column = {"left": (line - 1, -1), "right": (line - 1, size), "top": (-1, line - 1), "bottom": (size, line - 1)}[side]
        while len(stops) <= MOST:
            row, column = row + WAYS[direction][0], column + WAYS[direction][1]
            if not (0 <= row < size and 0 <= column < size):
                stops.append((direction, row + 1, column + 1, "", ""))
                break
            sign = board[row][column]
            if sign != ".":
                stops.append((direction, row + 1, column + 1, sign, TURNS[sign][direction]))
                direction = TURNS[sign][direction]
                board[row][column] = OVER[sign] if data.turning else sign
        yield stops


def _answer(data: Data) -> tuple[str, ...]:
    words = list[str]()
    for *met, (direction, row, column, _, _) in _trace_rays(data):
        words += [EXITS[direction], str(row if direction in ("left", "right") else column), str(len(met))]
    return tuple(words)


def solve(task: Task[Data]) -> tuple[str, ...]:
    """With the directions as complex numbers: a mirror turns (x, y) into (y, x) or its opposite."""
    text, _, rest = task.prompt.partition("\n\n")
    cells = {(r, c): sign for r, row in enumerate(text.split("\n")[1:], 1) for c, sign in enumerate(row.split(), 1)}
    size, turning, words = len(task.data.board), "turns over" in rest, list[str]()
    for side, line in task.data.rays:
        dx, dy = {"left": (1, 0), "right": (-1, 0), "top": (0, 1), "bottom": (0, -1)}[side]
        x, y = (line if dy else (1 if dx > 0 else size)), (line if dx else (1 if dy > 0 else size))
        met = 0
        while (y, x) in cells:
            sign = cells[y, x]
            if sign != ".":
                met += 1
                dx, dy = {"/": (-dy, -dx), "\\": (dy, dx), "O": (-dx, -dy)}[sign]
                if turning:
                    cells[y, x] = {"/": "\\", "\\": "/", "O": "O"}[sign]
            x, y = x + dx, y + dy
        words += ["left" if dx < 0 else "right" if dx else "top" if dy < 0 else "bottom", str(y if dx else x), str(met)]
    return tuple(words)


def verify(task: Task[Data], answer: tuple[str, ...]) -> Score:
    if len(answer) != 3 * len(task.data.rays):
        return Score.wrong("expected a side and two numbers for each ray")
    return Score.exact(answer == _answer(task.data), "some ray leaves elsewhere, or met another number of signs")


def mistakes(task: Task[Data], right: tuple[str, ...]) -> list[tuple[str, ...]]:
    mirrored = task.data.model_copy(update={"board": tuple(row.translate(str.maketrans("/\\", "\\/")) for row in task.data.board)})
    other = {"left": "right", "right": "left", "top": "bottom", "bottom": "top"}
    more = str(int(right[2]) + 1)
    return [
        (other[right[0]], *right[1:]),
        (*right[:2], more, *right[3:]),
        right[:-1],
        *([_answer(mirrored)] if not task.data.turning else []),
    ]


def cost(task: Task[Data]) -> float:
    return float(sum(map(len, _trace_rays(task.data))) * (1 + task.data.turning) + len(task.data.board) * len(task.data.rays))


def derive(task: Task[Data]) -> Derivation:
    for ray, stops in enumerate(_trace_rays(task.data), 1):
        *met, (direction, row, column, _, _) = stops
        for incoming, r, c, sign, goes in met:
            yield HIT(ray=ray, came=incoming, sign=sign, row=r, column=c, goes=goes)
        yield OUT(ray=ray, side=EXITS[direction], line=row if direction in ("left", "right") else column, hits=len(met))


def picture(task: Task[Data]) -> str:
    size, sides = len(task.data.board), {"left": "→", "right": "←", "top": "↓", "bottom": "↑"}
    clues = {side: [""] * size for side in sides}
    for k, (side, line) in enumerate(task.data.rays, 1):
        clues[side][line - 1] = f"{k}{sides[side]}"
    return pictures.board(task.data.board, left=clues["left"], right=clues["right"], top=clues["top"], bottom=clues["bottom"])


environment = Environment(
    Knobs,
    Words("the side and the two numbers for each ray, all separated by spaces, as in left 2 5 top 1 0", max_items=40, ignore_case=True),
    generate, solve, verify, mistakes, cost,
    solution=Solution(derive, END), shift=shift, picture=picture,
    concept="Go from mirror to mirror, and write down row, column and direction each time.",
    version=3,
)  # fmt: skip
