"""Say where the holes are in a sheet of squared paper that was folded, punched and unfolded."""

from collections.abc import Iterable, Sequence

from rlgym import Config, Environment, Rng, Score, Task, TaskData, knob
from rlgym.answers import Grid
from rlgym.generators.drawing import pictures
from rlgym.generators.text.english import join_words
from rlgym.solutions import Checks, Derivation, Solution, Step

Cell = tuple[int, int]
Cells = tuple[tuple[str, ...], ...]
Fold = tuple[str, int]
WAYS = {
    "left": "columns 1 to {place} are folded to the right, over the ones beside them",
    "right": "the columns from {place} on are folded to the left, over the ones beside them",
    "top": "rows 1 to {place} are folded down, over the ones below them",
    "bottom": "the rows from {place} on are folded up, over the ones above them",
    "corner": "the part above the diagonal from the top left to the bottom right corner is folded over the part below it, so that row i, column j lands "
    "on row j, column i",
}
BEFORE = Step("The paper is punched at {holes}")
UNDONE = Step("Before fold {number:int} there are holes at {holes}")
END = Step("The sheet:\n{answer}")
ANSWER = Grid("the sheet, one row per line, with cells separated by spaces", max_size=30, single_characters=True)
CONCEPT = "Undo the folds from the last to the first: each hole in the double part is also where the paper on top came from."


class Knobs(Config):
    size: int = knob(8, easy=5, hard=18, doc="rows and columns of the sheet")
    folds: int = knob(3, easy=1, hard=6, doc="how often the sheet is folded")
    punches: int = knob(3, easy=2, hard=7, doc="how many holes are punched through all layers")


class Data(TaskData):
    size: int
    folds: tuple[Fold, ...]
    punches: tuple[Cell, ...]
    holes: tuple[Cell, ...]


def generate(rng: Rng, knobs: Knobs) -> Task[Data]:
    """Folds along lines of the paper."""
    return _sample_task(rng, knobs, ())


def shift(rng: Rng, knobs: Knobs) -> Task[Data]:
    """The first fold runs along the diagonal."""
    return _sample_task(rng, knobs, (("corner", 0),))


def _sample_task(rng: Rng, knobs: Knobs, first: tuple[Fold, ...]) -> Task[Data]:
    while True:
        folds, kept = list(first), _remaining_paper(knobs.size, first)
        while len(folds) < knobs.folds:
            axis = rng.integer(0, 1)
            low, high = min(cell[axis] for cell in kept), max(cell[axis] for cell in kept)
            width = high - low + 1
            if width < 2:
                break
            part = rng.integer(max(1, width // 4), width // 2)
            side = rng.choice((("top", "bottom"), ("left", "right"))[axis])
            folds.append((side, low + part - 1 if side in ("top", "left") else high - part + 1))
            kept = _remaining_paper(knobs.size, folds)
        if len(folds) == max(knobs.folds, len(first)) or knobs.size < 2 ** (knobs.folds // 2 + 1):
            break
    punches = tuple(sorted(rng.sample(sorted(kept), min(knobs.punches, len(kept)))))
    data = Data(size=knobs.size, folds=tuple(folds), punches=punches, holes=())
    holes = tuple(sorted(cell for cell in _square(knobs.size) if _fold_cell(cell, folds) in punches))
    fold_list = "\n".join(f"{k}. {_describe_fold(side, place + 1)}." for k, (side, place) in enumerate(folds, 1))
    prompt = (
        f"A square sheet of paper lies on a table. It has {knobs.size} rows, counted from the top, and {knobs.size} columns, counted from the left, both "
        "from 1 on. These numbers always denote fixed places on the table, also after the paper has been folded. The sheet is folded:\n"
        f"{fold_list}\nThen a hole is punched through all layers of paper at {join_words([_format_cells([cell]) for cell in punches])} (rKcL is row "
        f"K, column L), and "
        "the sheet is unfolded. Which "
        "cells of the sheet have a hole? Draw the sheet with # for a cell with a hole and . for a cell without one."
    )
    return Task(prompt, data.model_copy(update={"holes": holes}))


def _square(size: int) -> list[Cell]:
    return [(r, c) for r in range(size) for c in range(size)]


def _folded_cell(cell: Cell, fold: Fold) -> Cell:
    """Where a cell lies after a fold."""
    (r, c), (side, place) = cell, fold
    if side == "corner":
        return (max(r, c), min(r, c))
    if side in ("left", "right"):
        turns = c <= place if side == "left" else c >= place
        return (r, 2 * place + (1 if side == "left" else -1) - c) if turns else cell
    turns = r <= place if side == "top" else r >= place
    return (2 * place + (1 if side == "top" else -1) - r, c) if turns else cell


def _fold_cell(cell: Cell, folds: Iterable[Fold]) -> Cell:
    for fold in folds:
        cell = _folded_cell(cell, fold)
    return cell


def _remaining_paper(size: int, folds: Sequence[Fold]) -> set[Cell]:
    return {_fold_cell(cell, folds) for cell in _square(size)}


def _unfold(size: int, folds: Sequence[Fold], holes: Iterable[Cell]) -> list[Cell]:
    """The holes before the last of some folds: each one at its place and at that from where the fold has brought paper upon it."""
    side, place = folds[-1]
    cells = set()
    for r, c in holes:
        line = 2 * place + (1 if side in ("left", "top") else -1)
        over = (c, r) if side == "corner" else (r, line - c) if side in ("left", "right") else (line - r, c)
        cells |= {(r, c), over}
    paper = _remaining_paper(size, folds[:-1])
    return sorted(cell for cell in cells if cell in paper)


def _format_cells(cells: Iterable[Cell]) -> str:
    return " ".join(f"r{r + 1}c{c + 1}" for r, c in cells)


def _render_sheet(size: int, holes: Iterable[Cell]) -> Cells:
    holes = set(holes)
    return tuple(tuple("#" if (r, c) in holes else "." for c in range(size)) for r in range(size))


def _describe_fold(side: str, place: int) -> str:
    text = WAYS[side].format(place=place)
    for singular, several in (("column 1 is", "columns 1 to 1 are"), ("row 1 is", "rows 1 to 1 are")):
        text = text.replace(several, singular)
    return text.capitalize()


def solve(task: Task[Data]) -> Cells:
    """Unfolds fold by fold; `generate` follows each cell through the folds instead."""
    holes: Iterable[Cell] = task.data.punches
    for count in range(len(task.data.folds), 0, -1):
        holes = _unfold(task.data.size, task.data.folds[:count], holes)
    return _render_sheet(task.data.size, holes)


def verify(task: Task[Data], answer: Cells) -> Score:
    return Score.exact(answer == _render_sheet(task.data.size, task.data.holes), "some cell is drawn otherwise than it is")


def mistakes(task: Task[Data], right: Cells) -> list[Cells]:
    size, punches = task.data.size, task.data.punches
    return [
        _render_sheet(size, punches),
        right[::-1],
        tuple(row[::-1] for row in right),
        _render_sheet(size, task.data.holes[1:]),
        tuple(zip(*right)),
        right[:-1],
    ]


def cost(task: Task[Data]) -> float:
    return float(len(task.data.holes) * len(task.data.folds) + task.data.size)


def derive(task: Task[Data]) -> Derivation:
    data, holes = task.data, list(task.data.punches)
    yield BEFORE(holes=_format_cells(holes))
    for number in range(len(data.folds), 0, -1):
        holes = _unfold(data.size, data.folds[:number], holes)
        yield UNDONE(number=number, holes=_format_cells(holes))
    yield END(answer=ANSWER.render(_render_sheet(data.size, data.holes)))


def checks(task: Task[Data]) -> Checks:
    """Against the holes of the whole sheet, moved by the folds; `derive` goes the other way."""
    data, layers = task.data, list(range(len(task.data.folds) + 1))

    def holes_after(folds: int) -> str:
        return _format_cells(sorted({_fold_cell(cell, data.folds[:folds]) for cell in data.holes}))

    def undone(number: int, holes: str) -> bool:
        if number != layers[-1] or number < 1 or holes != holes_after(number - 1):
            return False
        layers.pop()
        return True

    return {BEFORE: lambda holes: holes == holes_after(len(data.folds)), UNDONE: undone, END: lambda answer: layers == [0]}


def picture(task: Task[Data]) -> str:
    """The folded paper: its cells white, those that it has left dark, and the punches."""
    data, kept = task.data, _remaining_paper(task.data.size, task.data.folds)
    shaded = [r * data.size + c for r, c in _square(data.size) if (r, c) not in kept]
    notes = [f"{side} {place + 1}" for side, place in data.folds]
    cells = [["o" if (r, c) in data.punches else "" for c in range(data.size)] for r in range(data.size)]
    return pictures.board(cells, shaded=shaded, right=[*notes, *[""] * data.size][: data.size])


SOLUTION = Solution(derive, END, checks)
environment = Environment(
    Knobs, ANSWER, generate, solve, verify, mistakes, cost, solution=SOLUTION, shift=shift, picture=picture, concept=CONCEPT, version=3
)
