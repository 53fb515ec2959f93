"""Complete a hidato: a path of consecutive numbers through all cells of an irregular board, diagonal steps allowed.

In the shifted family the cells are hexagons in shifted rows.
"""

from collections.abc import Iterator, Sequence

from rlgym import Config, Environment, Rng, Score, Task, TaskData, knob
from rlgym.answers import Grid
from rlgym.generators.grids import boards, layout, walks
from rlgym.generators.grids.layout import Cells

_NEXT = {
    "king": "each number touches the next one: directly above, below, left, right, or diagonally.",
    "hex": f"each number is in a neighbouring cell of the next one. {boards.HEX_SAID}",
}


class Knobs(Config):
    size: int = knob(5, easy=4, hard=8, doc="rows and columns")
    walls: int = knob(8, easy=5, hard=10, doc="percent of cells that are walls")
    numbers: int = knob(30, easy=60, hard=0, doc="percent of numbers that are shown, as far as the solution stays unique")
    reasoning: str = knob(
        "direct",
        easy="direct",
        hard="trying",
        order=walks.REASONING,
        doc="whether numbers and cells with one place left suffice, or suppositions that fail are needed too",
    )


class Data(TaskData):
    kind: str  # king or hex
    board: Cells  # numbers, a dot for an unknown one, # for a wall


def generate(rng: Rng, knobs: Knobs) -> Task[Data]:
    return _made(rng, knobs, "king")


def shift(rng: Rng, knobs: Knobs) -> Task[Data]:
    return _made(rng, knobs, "hex")


def solve(task: Task[Data]) -> Cells:
    return walks.solved(task.data.board, task.data.kind)


def verify(task: Task[Data], answer: Cells) -> Score:
    reason = walks.wrong(task.data.board, task.data.kind, answer)
    return Score.exact(not reason, reason)


def mistakes(task: Task[Data], right: Cells) -> list[Cells]:
    return walks.mistaken(task.data.board, right)


def cost(task: Task[Data]) -> float:
    return walks.effort(task.data.board, task.data.kind)


def explain(task: Task[Data]) -> list[str]:
    return walks.told(task.data.board, task.data.kind)


def replay(task: Task[Data], steps: Sequence[str]) -> int | None:
    return walks.retold(task.data.board, task.data.kind, steps)


def picture(task: Task[Data]) -> str:
    return walks.drawn(task.data.board)


def _made(rng: Rng, knobs: Knobs, kind: str) -> Task[Data]:
    size = knobs.size
    around = boards.near(kind, size, size)
    path = boards.tour(rng, size, size, around)
    # What is cut off at both ends of a path over the whole board becomes wall.
    walls = size * size * knobs.walls // 100
    first = rng.integer(0, walls)
    path = path[first : len(path) - (walls - first)]
    board = walks.shown(path, walks.given(rng, around, path, knobs.numbers, knobs.reasoning), size * size, size)
    note = " Cells with # are walls and stay as they are." if walls else ""
    prompt = (
        f"Fill in this board so that every number from 1 to {len(path)} stands in exactly one cell, and {_NEXT[kind]} "
        f"A dot is a cell to fill; the numbers shown stay where they are.{note}\n\n{_shown(board, kind)}"
    )
    return Task(prompt, Data(kind=kind, board=board))


def _shown(board: Cells, kind: str) -> str:
    wide = max(len(sign) for row in board for sign in row)
    rows = [(" " * wide).join(sign.rjust(wide) for sign in row) for row in board]
    return boards.slanted(rows, wide) if kind == "hex" else layout.shown(board)


def _solutions(task: Task[Data]) -> Iterator[Cells]:
    return walks.proved(task.data.board, task.data.kind)


environment = Environment(
    Knobs,
    Grid("the filled board, one row per line, with cells separated by spaces"),
    generate,
    solve,
    verify,
    mistakes,
    cost,
    explain,
    replay,
    shift,
    picture,
    answers="unique",
    solutions=_solutions,
    concept="Between two known numbers look for the only walk of the right length, and for cells that only one missing number can reach.",
)
