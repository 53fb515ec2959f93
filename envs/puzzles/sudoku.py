"""Fill a sudoku, from 4x4 grids for a child up to 9x9 grids with few digits given.

Uniqueness is proved when a grid is made. Any layout of the right grid is accepted; the given digits must be kept.
"""

from collections.abc import Iterator

from rlgym import Config, Environment, Rng, Score, Task, TaskData, knob
from rlgym.answers import Grid
from rlgym.generators.drawing import pictures
from rlgym.generators.grids import latin, layout, replays
from rlgym.generators.grids.clues import drop_clues
from rlgym.generators.grids.layout import Cells
from rlgym.generators.grids.singleton_consistency import sample_hard

ATTEMPTS = 5  # puzzles tried for one that deductions alone do not solve
STEPS = 200  # suppositions that a proof of uniqueness may take


TRIES = 6  # puzzles of which the hardest is taken


class Knobs(Config):
    boxes: str = knob("3x3", easy="2x2", hard="3x3", order=("2x2", "2x3", "2x4", "3x3"), doc="rows and columns of a box")
    empty: int = knob(50, easy=38, hard=75, doc="percent of cells to leave empty, as far as the solution stays unique")
    reasoning: str = knob(
        "singles",
        easy="naked",
        hard="search",
        order=("naked", "singles", "search"),
        doc="what suffices to solve it: cells with one digit left; units with one cell left for a digit as well; suppositions as well",
    )
    suppositions: int = knob(
        0, easy=0, hard=16, doc="suppositions that find and prove the solution, where they are needed and as far as a few puzzles have them"
    )


class Data(TaskData):
    height: int
    width: int
    given: tuple[str, ...]


def generate(rng: Rng, knobs: Knobs) -> Task[Data]:
    return _sample_task(rng, knobs, turned=False)


def shift(rng: Rng, knobs: Knobs) -> Task[Data]:
    """Boxes that stand upright where they lay, and given digits that leave whole boxes empty."""
    return _sample_task(rng, knobs, turned=True)


def solve(task: Task[Data]) -> Cells:
    return layout.rows_of([str(digit) for digit in latin.solve(_rules(task), _digits(task))], task.data.height * task.data.width)


def verify(task: Task[Data], answer: Cells) -> Score:
    data = task.data
    digits = "123456789"[: data.height * data.width]
    if reason := layout.find_misfit(answer, data.given, digits):
        return Score.wrong(reason)
    cells = [cell for row in answer for cell in row]
    if reason := latin.find_repeat(latin.box(data.height, data.width), cells):
        return Score.wrong(reason)
    return Score.exact(True)


def mistakes(task: Task[Data], right: Cells) -> list[Cells]:
    return [*latin.near_misses(right, task.data.given), tuple(map(tuple, task.data.given))]


def cost(task: Task[Data]) -> float:
    return latin.effort(_rules(task), _digits(task))


def picture(task: Task[Data]) -> str:
    height, width = task.data.height, task.data.width
    size = height * width
    return pictures.board(task.data.given, regions=[r // height * height + c // width for r in range(size) for c in range(size)])


def _sample_task(rng: Rng, knobs: Knobs, turned: bool) -> Task[Data]:
    """The hardest of a few puzzles, where suppositions are needed."""

    def measure(task: Task[Data]) -> int:
        return latin.count_suppositions(_rules(task), _digits(task))

    wanted = knobs.suppositions if knobs.reasoning == "search" else 0
    return sample_hard(lambda: _sample_once(rng, knobs, turned), measure, wanted, TRIES)


def _sample_once(rng: Rng, knobs: Knobs, turned: bool) -> Task[Data]:
    height, width = (int(side) for side in (knobs.boxes[::-1] if turned else knobs.boxes).split("x"))
    rules, size = latin.box(height, width), height * width
    for _ in range(ATTEMPTS if knobs.reasoning == "search" else 1):
        digits = _sample_puzzle(rng, rules, size * size * (100 - knobs.empty) // 100, knobs.reasoning, turned)
        if knobs.reasoning != "search" or not latin.deducible(rules, digits):
            break
    given = layout.rows_of([str(digit or ".") for digit in digits], size)
    prompt = (
        f"Fill this sudoku. The grid is divided into boxes of {height} rows and {width} columns. Each row, each column and each box must hold "
        f"every digit from 1 to {size} exactly once. "
        f"A dot is an empty cell; the given digits stay.\n\n{layout.render_grid(given)}"
    )
    return Task(prompt, Data(height=height, width=width, given=tuple("".join(row) for row in given)))


def _sample_puzzle(rng: Rng, rules: latin.Rules, keep: int, reasoning: str, by_box: bool) -> list[int]:
    """A random puzzle with one solution and about `keep` digits given, more where the solution needs them; 0 is unknown."""
    full = latin.sample_grid(rng, rules)

    def fine(kept: list[int]) -> bool:
        digits = _keep_digits(full, kept)
        return (
            latin.has_one_solution(rules, digits, STEPS)
            if reasoning == "search"
            else latin.deducible(rules, digits, reasoning == "singles")
        )

    if by_box:
        order = [cell for box in rng.shuffled(rules.units[2 * rules.size :]) for cell in rng.shuffled(box)]
    else:
        order = rng.shuffled(range(len(full)))
    return _keep_digits(full, drop_clues(order, keep, fine))


def _keep_digits(digits: list[int], kept: list[int]) -> list[int]:
    kept_cells = set(kept)
    return [digit if cell in kept_cells else 0 for cell, digit in enumerate(digits)]


def _rules(task: Task[Data]) -> latin.Rules:
    return latin.box(task.data.height, task.data.width)


def _digits(task: Task[Data]) -> list[int]:
    return [0 if cell == "." else int(cell) for row in task.data.given for cell in row]


def solutions(task: Task[Data]) -> Iterator[Cells]:
    for digits in latin.plain_backtrack(_rules(task), _digits(task)):
        yield layout.rows_of([str(digit) for digit in digits], task.data.height * task.data.width)


environment = Environment(
    Knobs, Grid("the filled grid, one row per line, with digits separated by spaces", single_characters=True),
    generate, solve, verify, mistakes, cost,
    solution=replays.latin_solution(lambda task: (_rules(task), _digits(task)), "The grid is filled:\n{answer}"),
    shift=shift, picture=picture, answers="unique", solutions=solutions,
    concept="Look for a cell that only one digit fits, or for a row, column or box with only one cell left for some digit.",
    version=3,
)  # fmt: skip
