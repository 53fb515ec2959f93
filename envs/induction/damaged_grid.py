"""Restore a grid of digits that was masked, corrupted and moved, by finding out the rule it was filled with.

Each digit follows from its left and its upper neighbour by a rule whose numbers are unknown. Cells are masked; at higher levels some digits
were replaced, nobody says which, and the whole grid was turned. In the shifted family it was rolled: rows moved from the bottom to the
top, columns from the right to the left. As in self-supervised learning the grid itself is the label; exactly one grid fits, by search.
"""

from collections.abc import Sequence
from itertools import chain

from rlgym import Config, Environment, Rng, Score, Task, TaskData, knob
from rlgym.answers import Grid
from rlgym.generators.calculations import evaluate
from rlgym.generators.drawing import pictures
from rlgym.generators.grids.local_rules import (
    MASKED,
    Cell,
    Digits,
    Restoration,
    Rule,
    known_places,
    moved,
    moved_back,
    moves,
    restorations,
    sample_filled_grid,
)
from rlgym.generators.numbers.spelling import number_to_words
from rlgym.solutions import Derivation, Due, Solution, Step, any_order

ANSWER = Grid("the whole original grid, one row per line, with digits separated by spaces", max_size=12, single_characters=True)
TURNED = Step("The grid was turned clockwise by {degrees:int} degrees")
UNTURNED = Step("The grid was not turned: the rule fits it as it is shown")
ROLLED = Step("{rows:int} row(s) moved to the top and {columns:int} column(s) to the left")
RULE = Step(
    "The last digit of {formula}, with c = {c:int}, is the digit in {fitting:int} of the {known:int} places where all three digits are shown"
)
FILL = Step("Row {row:int}, column {column:int}: {formula} = {whole:int}, so {digit:int}")
EDGE = Step(
    "Row {row:int}, column {column:int}: {digit:int}, because {formula} = {whole:int} ends in the digit of row {below:int}, column {beside:int}"
)


class Knobs(Config):
    size: int = knob(6, easy=4, hard=7, doc="rows and columns")
    masked: int = knob(5, easy=3, hard=7, doc="masked cells, in spans of two or three where they fit")
    factor: int = knob(4, easy=1, hard=9, doc="largest factor of a neighbour in the rule")
    replaced: int = knob(1, easy=0, hard=3, doc="digits that were replaced by others")
    turned: str = knob(
        "no", easy="no", hard="yes", order=("no", "yes"), doc="whether the grid was turned; the shifted family is always rolled"
    )


class Data(TaskData):
    shown: Digits
    kind: str  # still, turned or rolled
    factor: int
    replaced: int
    right: Digits


def generate(rng: Rng, knobs: Knobs) -> Task[Data]:
    return _sample_task(rng, knobs, "turned" if knobs.turned == "yes" else "still")


def shift(rng: Rng, knobs: Knobs) -> Task[Data]:
    """Rows moved from the bottom to the top, and columns from the right to the left."""
    return _sample_task(rng, knobs, "rolled")


def solve(task: Task[Data]) -> tuple[tuple[str, ...], ...]:
    return _written(_restoration(task.data).grid)


def verify(task: Task[Data], answer: tuple[tuple[str, ...], ...]) -> Score:
    data, size = task.data, len(task.data.right)
    if len(answer) != size or len(answer[0]) != size:
        return Score.wrong(f"the grid has {size} rows and {size} columns")
    if answer == (right := _written(data.right)):
        return Score.exact(True)
    differing = sum(a != b for row, others in zip(answer, right) for a, b in zip(row, others))
    back = "" if data.kind == "still" else f" of the grid before it was {data.kind}"
    return Score.wrong(f"{differing} of {size * size} cells{back} are wrong")


def mistakes(task: Task[Data], right: tuple[tuple[str, ...], ...]) -> list[tuple[tuple[str, ...], ...]]:
    data = task.data
    near = [list(row) for row in data.right]
    near[-1][-1] = (near[-1][-1] + 1) % 10
    zeros = tuple(tuple(max(0, digit) for digit in row) for row in data.shown)
    by = _restoration(data).moved
    still = moved(data.right, data.kind, by)
    filled = tuple(tuple(b if a == MASKED else a for a, b in zip(*rows)) for rows in zip(data.shown, still))
    wrong: list[Sequence[Sequence[int]]] = [
        near,
        zeros,
        tuple(zip(*data.right)),
        still,
        moved_back(filled, data.kind, by),
        data.right[::-1],
    ]
    return [grid for grid in map(_written, wrong) if grid != right]


def cost(task: Task[Data]) -> float:
    data = task.data
    size = len(data.right)
    masked = sum(row.count(MASKED) for row in data.shown)
    return float(len(moves(data.kind, size)) * data.factor**2 * size**2 * (1 + data.replaced) + masked)


def derive(task: Task[Data]) -> Derivation:
    data, found = task.data, _restoration(task.data)
    if data.kind == "turned":
        yield TURNED(degrees=90 * found.moved[0]) if found.moved[0] else UNTURNED()
    if data.kind == "rolled":
        yield ROLLED(rows=found.moved[0], columns=found.moved[1])
    shown = moved_back(data.shown, data.kind, found.moved)
    known = known_places(shown)
    fitting = sum(found.rule.value(shown, r, c) % 10 == shown[r][c] for r, c in known)
    yield RULE(formula=_formula(found.rule, "L", "U", "c"), c=found.rule.constant, fitting=fitting, known=len(known))
    unknown = {(r, c) for r, row in enumerate(shown) for c, digit in enumerate(row) if digit == MASKED} | {*found.changed}
    yield from any_order([_due(found, cell) for cell in sorted(unknown)])


def picture(task: Task[Data]) -> str:
    return pictures.board(_shown(task.data.shown))


def _sample_task(rng: Rng, knobs: Knobs, kind: str) -> Task[Data]:
    size = knobs.size
    # Smaller grids do not tell which digits were replaced.
    replaced = min(knobs.replaced, size - 4)
    while True:
        rule = Rule(rng.integer(1, knobs.factor), rng.integer(1, knobs.factor), rng.integer(0, 9))
        right = sample_filled_grid(rng, size, rule)
        cells = [list(row) for row in right]
        masked = _sample_spans(rng, size, min(knobs.masked, size))
        for r, c in rng.sample([(r, c) for r in range(size) for c in range(size) if (r, c) not in masked], replaced):
            cells[r][c] = (cells[r][c] + rng.integer(1, 9)) % 10
        for r, c in masked:
            cells[r][c] = MASKED
        damaged, by = tuple(map(tuple, cells)), rng.choice(moves(kind, size))
        data = Data(shown=moved(damaged, kind, by), kind=kind, factor=knobs.factor, replaced=replaced, right=right)
        # Most grids that are not unique are so where they stand, which is soon known.
        found = chain(*(restorations(grid, how, knobs.factor, replaced) for grid, how in ((damaged, "still"), (data.shown, kind))))
        if all((each.grid, len(each.changed)) == (right, replaced) for each in found) and len({*sum(right, ())}) >= min(8, size + 2):
            return Task(_render_prompt(data), data)


def _sample_spans(rng: Rng, size: int, count: int) -> set[Cell]:
    """Cells in runs of two or three beside each other; not the first cell, on which nothing depends."""
    masked = set[Cell]()
    while len(masked) < count:
        row, column, length = rng.integer(0, size - 1), rng.integer(0, size - 2), rng.integer(2, 3)
        span = [(row, c) for c in range(column, min(size, column + length)) if row or c]
        masked |= {*span[: count - len(masked)]}
    return masked


def _render_prompt(data: Data) -> str:
    plain = data.factor == 1
    rule = "L + U + c" if plain else "a*L + b*U + c"
    numbers = (
        "c is a whole number from 0 to 9, the same for the whole grid"
        if plain
        else f"a and b are whole numbers from 1 to {data.factor} and c is one from 0 to 9, the same for the whole grid"
    )
    damage = ["some cells were masked (?)"]
    if data.replaced:
        verb, others = ("was", "a wrong one") if data.replaced == 1 else ("were", "wrong ones")
        damage.append(f"{number_to_words(data.replaced)} of the other digits {verb} replaced by {others}")
    if data.kind == "turned":
        damage.append("the whole grid was left as it was or turned clockwise by 90, 180 or 270 degrees")
    if data.kind == "rolled":
        damage.append(
            "some of its last rows, or none, were moved to the top in the same order, and some of its last columns, or none, to the left in the same order"
        )
    rows = "\n".join(" ".join(row) for row in _shown(data.shown))
    return (
        f"A grid of digits was filled by a rule: outside the first row and the first column, each digit is the last digit of {rule}, where L is the digit "
        f"on its left and U the digit above it. Here {numbers}, and unknown. The digits of the first row and of the first column were chosen freely. Then "
        f"{'; '.join(damage)}. The result is:\n\n{rows}\n\nExactly one grid fits. Give the whole original grid, as it was before {_changed(data)}."
    )


def _changed(data: Data) -> str:
    """What happened to the grid, as far as something did."""
    cells = "any cell was masked or replaced" if data.replaced else "any cell was masked"
    return cells + {"turned": " and before any turn", "rolled": " and before any move"}.get(data.kind, "")


def _restoration(data: Data) -> Restoration:
    return next(restorations(data.shown, data.kind, data.factor, data.replaced))


def _due(found: Restoration, cell: Cell) -> Due:
    """Why a digit stands in a cell: by the rule, or on the edge because of the digit that depends on it."""
    (row, column), grid, size = cell, found.grid, len(found.grid)
    edge = not row or not column
    r, c = ((row + 1, column) if column else (row, column + 1)) if edge else cell
    if edge and not (r < size and c < size):
        raise AssertionError(f"nothing depends on {cell}")
    formula = _formula(found.rule, grid[r][c - 1], grid[r - 1][c], found.rule.constant)
    facts = {"row": row + 1, "column": column + 1, "formula": formula, "whole": evaluate(formula), "digit": grid[row][column]}
    return EDGE(**facts, below=r + 1, beside=c + 1) if edge else FILL(**facts)


def _formula(rule: Rule, left: object, above: object, constant: object) -> str:
    first, second = (f"{factor}*" if factor > 1 else "" for factor in (rule.left, rule.above))
    return f"{first}{left} + {second}{above} + {constant}"


def _written(grid: Sequence[Sequence[int]]) -> tuple[tuple[str, ...], ...]:
    return tuple(tuple(map(str, row)) for row in grid)


def _shown(grid: Digits) -> list[list[str]]:
    return [["?" if digit == MASKED else str(digit) for digit in row] for row in grid]


environment = Environment(
    Knobs, ANSWER, generate, solve, verify, mistakes, cost,
    solution=Solution(derive, "The grid:\n{answer}"), shift=shift, picture=picture, version=3,
    concept="Three places with three shown digits each give equations for the numbers of the rule; a digit that breaks it in up to three places was replaced.",
)  # fmt: skip
