"""Complete a hidato: a path of consecutive numbers through all cells of an irregular board, diagonal steps allowed.

In the shifted family the cells are hexagons in shifted rows.
"""

from collections.abc import Iterator

from rlgym import Config, Environment, Rng, Score, Task, TaskData, knob
from rlgym.answers import Grid
from rlgym.generators.draws import sample_hard
from rlgym.generators.grids import boards, layout, plain_walks, walk_deductions, walks
from rlgym.generators.grids.layout import Cells

_NEXT = {
    "king": "each number is next to the following one: above, below, left, right or diagonally.",
    "hex": f"each number is in a neighbouring cell of the next one. {boards.HEX_SAID}",
}
TRIES = 2  # boards of which the hardest is taken


class Knobs(Config):
    size: int = knob(5, easy=4, hard=8, doc="rows and columns")
    walls: int = knob(8, easy=5, hard=10, doc="percent of cells that are walls")
    numbers: int = knob(30, easy=60, hard=0, doc="percent of numbers that are shown, as far as the solution stays unique")
    reasoning: str = knob(
        "direct",
        easy="direct",
        hard="search",
        order=walks.SEARCHING,
        doc="whether numbers and cells with one place left suffice, or suppositions that fail, or some inside others, are needed too",
    )
    suppositions: int = knob(
        8,
        easy=1,
        hard=60,
        scale="log",
        doc="numbers whose places are tried until the path is proved the only one, where suppositions inside others are needed",
    )


class Data(TaskData):
    kind: str  # king or hex
    board: Cells  # numbers, a dot for an unknown one, # for a wall


def generate(rng: Rng, knobs: Knobs) -> Task[Data]:
    return _sample_task(rng, knobs, "king")


def shift(rng: Rng, knobs: Knobs) -> Task[Data]:
    return _sample_task(rng, knobs, "hex")


def solve(task: Task[Data]) -> Cells:
    return walks.solve(task.data.board, task.data.kind)


def verify(task: Task[Data], answer: Cells) -> Score:
    reason = walks.find_fault(task.data.board, task.data.kind, answer)
    return Score.exact(not reason, reason)


def mistakes(task: Task[Data], right: Cells) -> list[Cells]:
    return walks.near_misses(task.data.board, right)


def cost(task: Task[Data]) -> float:
    return walks.effort(task.data.board, task.data.kind)


def picture(task: Task[Data]) -> str:
    return walks.draw(task.data.board)


def _sample_task(rng: Rng, knobs: Knobs, kind: str) -> Task[Data]:
    """The hardest of a few boards, where suppositions inside suppositions are needed."""

    def measure(task: Task[Data]) -> int:
        return walks.trail_of(task.data.board, task.data.kind).count_suppositions(10**9)

    wanted = knobs.suppositions if knobs.reasoning == "search" else 0
    return sample_hard(lambda: _sample_once(rng, knobs, kind), measure, wanted, TRIES)


def _sample_once(rng: Rng, knobs: Knobs, kind: str) -> Task[Data]:
    size = knobs.size
    around = boards.near(kind, size, size)
    path = boards.sample_hamiltonian_path(rng, size, size, around)
    # What is cut off at both ends of a path over the whole board becomes wall.
    walls = size * size * knobs.walls // 100
    first = rng.integer(0, walls)
    path = path[first : len(path) - (walls - first)]
    board = walks.hide_numbers(
        path, walks.choose_givens(rng, around, path, knobs.numbers, knobs.reasoning, suppositions=knobs.suppositions), size * size, size
    )
    note = " Cells with # are walls; copy them unchanged." if walls else ""
    prompt = (
        f"Fill in this board so that it contains every number from 1 to {len(path)} exactly once, and {_NEXT[kind]} "
        f"Dots are cells to fill; the given numbers stay.{note}\n\n{_render_board(board, kind)}"
    )
    return Task(prompt, Data(kind=kind, board=board))


def _render_board(board: Cells, kind: str) -> str:
    wide = max(len(sign) for row in board for sign in row)
    rows = [(" " * wide).join(sign.rjust(wide) for sign in row) for row in board]
    return boards.render_hexagons(rows, wide) if kind == "hex" else layout.render_grid(board)


def solutions(task: Task[Data]) -> Iterator[Cells]:
    return plain_walks.plain_backtrack(task.data.board, task.data.kind)


environment = Environment(
    Knobs, Grid("the filled board, one row per line, with cells separated by spaces"), generate, solve, verify, mistakes, cost,
    solution=walk_deductions.solution(lambda data: data.kind), shift=shift, picture=picture, answers="unique", solutions=solutions,
    shared_helpers="The helper lists neighbours, runs or groups of cells; the rules are searched and checked apart.",
    concept="Between two known numbers look for the only walk of the right length, and for cells that only one missing number can reach.",
    version=4,
)  # fmt: skip
