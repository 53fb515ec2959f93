"""Say where the holes are in a sheet of squared paper that was folded, punched and unfolded."""

from collections.abc import Iterable, Sequence

from rlgym import Config, Environment, Rng, Score, Task, TaskData, knob
from rlgym.answers import Grid
from rlgym.generators import pictures
from rlgym.generators.steps import Line, ended, first_wrong

Cell = tuple[int, int]
Cells = tuple[tuple[str, ...], ...]
Fold = tuple[str, int]
WAYS = {
    "left": "columns 1 to {place} are folded to the right, over the ones beside them",
    "right": "the columns from {place} on are folded to the left, over the ones beside them",
    "top": "rows 1 to {place} are folded down, over the ones below them",
    "bottom": "the rows from {place} on are folded up, over the ones above them",
    "corner": "the part above the diagonal from the top left to the bottom right corner is folded over the part below it, so that row i, column j comes "
    "upon row j, column i",
}
BEFORE = Line("The paper is punched at {holes}")
UNDONE = Line("Before fold {number} there are holes at {holes}")
END = "The sheet:\n"


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
    return _made(rng, knobs, ())


def shift(rng: Rng, knobs: Knobs) -> Task[Data]:
    """The first fold runs along the diagonal."""
    return _made(rng, knobs, (("corner", 0),))


def _made(rng: Rng, knobs: Knobs, first: tuple[Fold, ...]) -> Task[Data]:
    while True:
        folds, kept = list(first), _kept(knobs.size, first)
        while len(folds) < knobs.folds:
            axis = rng.integer(0, 1)
            low, high = min(cell[axis] for cell in kept), max(cell[axis] for cell in kept)
            width = high - low + 1
            if width < 2:
                break
            part = rng.integer(max(1, width // 4), width // 2)
            way = rng.choice((("top", "bottom"), ("left", "right"))[axis])
            folds.append((way, low + part - 1 if way in ("top", "left") else high - part + 1))
            kept = _kept(knobs.size, folds)
        if len(folds) == max(knobs.folds, len(first)) or knobs.size < 2 ** (knobs.folds // 2 + 1):
            break
    punches = tuple(sorted(rng.sample(sorted(kept), min(knobs.punches, len(kept)))))
    data = Data(size=knobs.size, folds=tuple(folds), punches=punches, holes=())
    holes = tuple(sorted(cell for cell in _square(knobs.size) if _landed(cell, folds) in punches))
    told = "\n".join(f"{k}. {WAYS[way].format(place=place + 1).capitalize()}." for k, (way, place) in enumerate(folds, 1))
    prompt = (
        f"A square sheet of paper lies on a table. It has {knobs.size} rows, counted from the top, and {knobs.size} columns, counted from the left, both "
        "from 1 on; cells keep the numbers of the places on the table where they lie. It is folded:\n"
        f"{told}\nThen a hole is punched through all layers of paper at {_written(punches)} (rKcL is row K, column L), and the sheet is unfolded. Which "
        "cells of the sheet have a hole? Draw the sheet with # for a cell with a hole and . for a cell without one."
    )
    return Task(prompt, data.model_copy(update={"holes": holes}))


def _square(size: int) -> list[Cell]:
    return [(r, c) for r in range(size) for c in range(size)]


def _moved(cell: Cell, fold: Fold) -> Cell:
    """Where a cell lies after a fold."""
    (r, c), (way, place) = cell, fold
    if way == "corner":
        return (max(r, c), min(r, c))
    if way in ("left", "right"):
        turns = c <= place if way == "left" else c >= place
        return (r, 2 * place + (1 if way == "left" else -1) - c) if turns else cell
    turns = r <= place if way == "top" else r >= place
    return (2 * place + (1 if way == "top" else -1) - r, c) if turns else cell


def _landed(cell: Cell, folds: Iterable[Fold]) -> Cell:
    for fold in folds:
        cell = _moved(cell, fold)
    return cell


def _kept(size: int, folds: Sequence[Fold]) -> set[Cell]:
    return {_landed(cell, folds) for cell in _square(size)}


def _undone(size: int, folds: Sequence[Fold], holes: Iterable[Cell]) -> list[Cell]:
    """The holes before the last of some folds: each one at its place and at that from where the fold has brought paper upon it."""
    way, place = folds[-1]
    found = set()
    for r, c in holes:
        line = 2 * place + (1 if way in ("left", "top") else -1)
        over = (c, r) if way == "corner" else (r, line - c) if way in ("left", "right") else (line - r, c)
        found |= {(r, c), over}
    paper = _kept(size, folds[:-1])
    return sorted(cell for cell in found if cell in paper)


def _written(cells: Iterable[Cell]) -> str:
    return " ".join(f"r{r + 1}c{c + 1}" for r, c in cells)


def _drawn(size: int, holes: Iterable[Cell]) -> Cells:
    holes = set(holes)
    return tuple(tuple("#" if (r, c) in holes else "." for c in range(size)) for r in range(size))


def solve(task: Task[Data]) -> Cells:
    """Unfolding fold by fold; tasks are made by following each cell through the folds."""
    holes: Iterable[Cell] = task.data.punches
    for count in range(len(task.data.folds), 0, -1):
        holes = _undone(task.data.size, task.data.folds[:count], holes)
    return _drawn(task.data.size, holes)


def verify(task: Task[Data], answer: Cells) -> Score:
    return Score.exact(answer == _drawn(task.data.size, task.data.holes), "some cell is drawn otherwise than it is")


def mistakes(task: Task[Data], right: Cells) -> list[Cells]:
    size, punches = task.data.size, task.data.punches
    return [
        _drawn(size, punches),
        right[::-1],
        tuple(row[::-1] for row in right),
        _drawn(size, task.data.holes[1:]),
        tuple(zip(*right)),
        right[:-1],
    ]


def cost(task: Task[Data]) -> float:
    return float(len(task.data.holes) * len(task.data.folds) + task.data.size)


def explain(task: Task[Data]) -> list[str]:
    data, steps = task.data, [BEFORE.write(holes=_written(task.data.punches))]
    holes: Iterable[Cell] = data.punches
    for count in range(len(data.folds), 0, -1):
        holes = _undone(data.size, data.folds[:count], holes)
        steps.append(UNDONE.write(number=count, holes=_written(holes)))
    return [*steps, END + environment.answer.render(_drawn(data.size, data.holes))]


def replay(task: Task[Data], steps: Sequence[str]) -> int | None:
    data, left = task.data, [len(task.data.folds)]
    held = {count: {_landed(cell, data.folds[:count]) for cell in data.holes} for count in range(len(data.folds) + 1)}

    def follows(step: str) -> bool:
        if said := BEFORE.read(step):
            return said["holes"] == _written(sorted(held[len(data.folds)]))
        said = UNDONE.read(step) or {}
        number = left.pop()
        left.append(number - 1)
        return said["number"] == str(number) and said["holes"] == _written(sorted(held[number - 1]))

    judged = ended(END, task, environment.answer, verify)
    return first_wrong(steps, follows, lambda step: judged(step) and left == [0])


def picture(task: Task[Data]) -> str:
    """The folded paper: its cells white, those that it has left dark, and the punches."""
    data, kept = task.data, _kept(task.data.size, task.data.folds)
    shaded = [r * data.size + c for r, c in _square(data.size) if (r, c) not in kept]
    notes = [f"{way} {place + 1}" for way, place in data.folds]
    cells = [["o" if (r, c) in data.punches else "" for c in range(data.size)] for r in range(data.size)]
    return pictures.board(cells, shaded=shaded, right=[*notes, *[""] * data.size][: data.size])


environment = Environment(
    Knobs,
    Grid("the sheet, one row per line, with cells separated by spaces", most=30, joined=True),
    generate,
    solve,
    verify,
    mistakes,
    cost,
    explain,
    replay=replay,
    shift=shift,
    picture=picture,
    concept="Undo the folds from the last to the first: each hole in the double part is also where the paper on top came from.",
)
