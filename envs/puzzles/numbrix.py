"""Complete a numbrix: a path of consecutive numbers through all cells, each next to the one before.

The board is a rectangle, or, in the shifted family, has an irregular outline with walls. Numbers are taken away as long as what is
left determines all others by reasoning alone.
"""

from collections.abc import Iterator

from rlgym import Config, Environment, Rng, Score, Task, TaskData, knob
from rlgym.answers import Grid
from rlgym.generators.draws import sample_hard
from rlgym.generators.grids import boards, layout, plain_walks, walk_deductions, walks
from rlgym.generators.grids.layout import Cells

CHECKS = 4  # checks of what suppositions suffice for, a board
TRIES = 2  # boards of which the hardest is taken


class Knobs(Config):
    size: int = knob(5, easy=4, hard=8, doc="rows and columns")
    numbers: int = knob(20, easy=60, hard=0, doc="percent of numbers that are shown, as far as the solution stays unique")
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
        hard=40,
        scale="log",
        doc="numbers whose places are tried until the path is proved the only one, where suppositions inside others are needed",
    )


class Data(TaskData):
    board: Cells  # numbers, a dot for an unknown one, # for a wall


def generate(rng: Rng, knobs: Knobs) -> Task[Data]:
    return _sample_task(rng, knobs, 0)


def shift(rng: Rng, knobs: Knobs) -> Task[Data]:
    return _sample_task(rng, knobs, knobs.size * knobs.size // 4)


def solve(task: Task[Data]) -> Cells:
    return walks.solve(task.data.board, "square")


def verify(task: Task[Data], answer: Cells) -> Score:
    reason = walks.find_fault(task.data.board, "square", answer)
    return Score.exact(not reason, reason)


def mistakes(task: Task[Data], right: Cells) -> list[Cells]:
    return walks.near_misses(task.data.board, right)


def cost(task: Task[Data]) -> float:
    return walks.effort(task.data.board, "square")


def picture(task: Task[Data]) -> str:
    return walks.draw(task.data.board)


def _sample_task(rng: Rng, knobs: Knobs, walls: int) -> Task[Data]:
    """The hardest of a few boards, where suppositions inside suppositions are needed."""

    def measure(task: Task[Data]) -> int:
        return walks.trail_of(task.data.board, "square").count_suppositions(10**9)

    wanted = knobs.suppositions if knobs.reasoning == "search" else 0
    return sample_hard(lambda: _sample_once(rng, knobs, walls), measure, wanted, TRIES)


def _sample_once(rng: Rng, knobs: Knobs, walls: int) -> Task[Data]:
    size = knobs.size
    around = boards.near("square", size, size)
    path = boards.sample_hamiltonian_path(rng, size, size, around)
    # What is cut off at both ends of a path over the whole board becomes wall.
    first = rng.integer(0, walls)
    path = path[first : len(path) - (walls - first)]
    kept = walks.choose_givens(rng, around, path, knobs.numbers, knobs.reasoning, CHECKS, suppositions=knobs.suppositions)
    board = walks.hide_numbers(path, kept, size * size, size)
    note = " Cells with # are walls and stay as they are." if walls else ""
    prompt = (
        f"Fill in this board so that every number from 1 to {len(path)} stands in exactly one cell, and each number is directly above, "
        f"below, left or right of the next one. A dot is a cell to fill; the numbers shown stay where they are.{note}\n\n{layout.render_grid(board)}"
    )
    return Task(prompt, Data(board=board))


def solutions(task: Task[Data]) -> Iterator[Cells]:
    return plain_walks.plain_backtrack(task.data.board, "square")


environment = Environment(
    Knobs, Grid("the filled board, one row per line, with cells separated by spaces"), generate, solve, verify, mistakes, cost,
    solution=walk_deductions.solution(lambda data: "square"), shift=shift, picture=picture, answers="unique", solutions=solutions,
    shared_helpers="The helper lists neighbours, runs or groups of cells; the rules are searched and checked apart.",
    concept="Between two known numbers look for the only walk of the right length, and for cells that only one missing number can reach.",
    version=2,
)  # fmt: skip
