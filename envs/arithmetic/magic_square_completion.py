"""Complete a magic square with given numbers.

All rows, columns and both diagonals must have the same sum; any square that does is accepted. In the shifted family all lines have
the same product.
"""

from collections.abc import Iterator, Sequence

from rlgym import Config, Environment, Rng, Score, Task, knob
from rlgym.answers import Grid
from rlgym.generators.drawing.pictures import board
from rlgym.generators.numbers.magic import Square, line_total, sample_square, search_squares, square_lines
from rlgym.solutions import Checks, Derivation, Due, Solution, Step, in_order

ANSWER = Grid("the full square, one row per line, with the numbers separated by spaces", max_size=6)
STEP = Step("{line}: {formula} = {value:int}")
SUM = Step("All numbers together make {total:int}, so each line makes {total:int} / {size:int} = {value:int}.")
PRODUCT = Step("All numbers multiplied make {total:int} = {value:int}^{size:int}, so each line makes {value:int}.")
FORCED = Step("{line} lacks one number: {formula} = {number:int}")
TRIED = Step("No line lacks just one number; try {number:int} in row {row:int}, column {column:int}.")
CLOSING = Step("The square:\n{answer}")


class Knobs(Config):
    size: int = knob(4, easy=3, hard=5, doc="rows and columns")
    blanks: int = knob(45, easy=25, hard=72, doc="percent of cells that are blank")
    spread: int = knob(40, easy=9, hard=200, doc="how far apart the numbers may lie")


def generate(rng: Rng, knobs: Knobs) -> Task[Square]:
    return _sample_task(rng, knobs, product=False)


def shift(rng: Rng, knobs: Knobs) -> Task[Square]:
    return _sample_task(rng, knobs, product=True)


def _sample_task(rng: Rng, knobs: Knobs, product: bool) -> Task[Square]:
    size = knobs.size
    while True:
        square = sample_square(rng, size, knobs.spread, product)
        blank = rng.sample(range(size * size), max(3, size * size * knobs.blanks // 100))
        cells = tuple(0 if i in blank else number for i, number in enumerate(square))
        data = Square(size=size, cells=cells, missing=tuple(sorted(square[i] for i in blank)), product=product)
        if next(search_squares(data, data.missing), None):
            break
    rows = "\n".join(" ".join(str(cell or "_") for cell in cells[r * size : (r + 1) * size]) for r in range(size))
    prompt = (
        f"In the full square, all {size} rows, all {size} columns and both diagonals from corner to corner have the same {'product' if product else 'sum'}. "
        f"Fill the blanks (_) with these numbers, each exactly once: {', '.join(map(str, data.missing))}.\n\n{rows}"
    )
    return Task(prompt, data)


def solve(task: Task[Square]) -> tuple[tuple[str, ...], ...]:
    return _rows(task.data.size, next(search_squares(task.data, task.data.missing)))


def verify(task: Task[Square], answer: tuple[tuple[str, ...], ...]) -> Score:
    data, size = task.data, task.data.size
    if len(answer) != size or any(len(row) != size for row in answer):
        return Score.wrong(f"the square has {size} rows and {size} columns")
    if any(not (cell.isascii() and cell.isdigit() and len(cell) < 20) for row in answer for cell in row):
        return Score.wrong("every cell must be a positive integer")
    flat = [int(cell) for row in answer for cell in row]
    if any(given and given != cell for given, cell in zip(data.cells, flat, strict=True)):
        return Score.wrong("a given number has been changed")
    if sorted(cell for given, cell in zip(data.cells, flat, strict=True) if not given) != list(data.missing):
        return Score.wrong("the blanks are not filled with the given numbers, each once")
    same = {line_total(data, [flat[i] for i in line]) for line in square_lines(size).values()}
    return Score.exact(len(same) == 1, "not all lines have the same value")


def mistakes(task: Task[Square], right: tuple[tuple[str, ...], ...]) -> list[tuple[tuple[str, ...], ...]]:
    data = task.data
    blanks = [i for i, cell in enumerate(data.cells) if not cell]
    sorted_in = [cell or data.missing[blanks.index(i)] for i, cell in enumerate(data.cells)]
    flat = [int(cell) for row in right for cell in row]
    swapped = flat.copy()
    swapped[blanks[0]], swapped[blanks[1]] = flat[blanks[1]], flat[blanks[0]]
    off = flat.copy()
    off[blanks[0]] += 1
    return [_rows(data.size, sorted_in), _rows(data.size, swapped), _rows(data.size, off), right[::-1]]


def cost(task: Task[Square]) -> float:
    data = task.data
    return len(data.missing) ** 2 * data.size * len(str(max(data.missing)))


def derive(task: Task[Square]) -> Derivation:
    data, right = task.data, solve(task)
    yield from in_order(_filling_steps(data, [int(cell) for row in right for cell in row]))
    cells, sign = [cell for row in right for cell in row], " * " if data.product else " + "
    for name, line in square_lines(data.size).items():
        numbers = [cells[i] for i in line]
        yield STEP(line=name, formula=sign.join(numbers), value=line_total(data, map(int, numbers)))
    yield CLOSING(answer=ANSWER.render(right))


def _filling_steps(data: Square, right: Sequence[int]) -> Iterator[Due]:
    """What each line makes, then the blanks one by one: those that a line forces first."""
    value = line_total(data, right[: data.size])
    yield (PRODUCT if data.product else SUM)(total=line_total(data, right), size=data.size, value=value)
    cells = list(data.cells)
    while 0 in cells:
        single = next(((name, line) for name, line in square_lines(data.size).items() if [cells[i] for i in line].count(0) == 1), None)
        if single:
            place = next(i for i in single[1] if not cells[i])
            yield FORCED(line=single[0], formula=_missing_formula(data, value, [cells[i] for i in single[1]]), number=right[place])
        else:
            place = cells.index(0)
            yield TRIED(number=right[place], row=place // data.size + 1, column=place % data.size + 1)
        cells[place] = right[place]


def _missing_formula(data: Square, value: int, numbers: Sequence[int]) -> str:
    return (" / " if data.product else " - ").join(map(str, (value, *filter(None, numbers))))


def checks(task: Task[Square]) -> Checks:
    data, lines, cells = task.data, square_lines(task.data.size), dict(enumerate(task.data.cells))
    everything = line_total(data, [*filter(None, data.cells), *data.missing])
    totals: list[int] = []

    def place(i: int, number: int) -> bool:
        cells[i] = number
        placed = [cell for at, cell in cells.items() if cell and not data.cells[at]]
        return all(placed.count(cell) <= data.missing.count(cell) for cell in placed)

    def makes(total: int, size: int, value: int) -> bool:
        totals.append(value)
        return total == everything == (value**size if data.product else value * size) and size == data.size

    def forced(line: str, formula: str, number: int) -> bool:
        (blank,) = (i for i in lines[line] if not cells[i])
        known = _missing_formula(data, totals[0], [cells[i] for i in lines[line]])
        cells[blank] = number
        return formula == known and place(blank, number) and line_total(data, [cells[i] for i in lines[line]]) == totals[0]

    def tried(number: int, row: int, column: int) -> bool:
        i = (row - 1) * data.size + column - 1
        return not cells[i] and place(i, number)

    def line_holds(line: str, formula: str, value: int) -> bool:
        places, numbers = lines[line], list(map(int, formula.split(" * " if data.product else " + ")))
        if len(numbers) != len(places) or any(cells[i] not in (0, number) for i, number in zip(places, numbers, strict=True)):
            return False
        cells.update(zip(places, numbers, strict=True))
        placed = [number for i, number in cells.items() if number and not data.cells[i]]
        totals.append(value)
        available = all(placed.count(number) <= data.missing.count(number) for number in placed)
        return available and line_total(data, numbers) == value == totals[0]

    return {
        SUM: makes,
        PRODUCT: makes,
        FORCED: forced,
        TRIED: tried,
        STEP: line_holds,
        CLOSING: lambda answer: answer.split() == [str(cells[i]) for i in sorted(cells)],
    }


def picture(task: Task[Square]) -> str:
    size = task.data.size
    return board([[str(task.data.cells[r * size + c] or "") for c in range(size)] for r in range(size)])


def _rows(size: int, flat: Sequence[int]) -> tuple[tuple[str, ...], ...]:
    return tuple(tuple(map(str, flat[r * size : (r + 1) * size])) for r in range(size))


def _solutions(task: Task[Square]) -> Iterator[tuple[tuple[str, ...], ...]]:
    # The largest numbers first; if that takes too long, the order in which `generate` solved the square.
    for order in (task.data.missing[::-1], task.data.missing):
        yield from (_rows(task.data.size, flat) for flat in search_squares(task.data, order))


environment = Environment(
    Knobs, ANSWER, generate, solve, verify, mistakes, cost,
    solution=Solution(derive, CLOSING, checks), shift=shift, picture=picture, answers="many", solutions=_solutions,
    concept="All numbers together tell what a line must come to; fill lines that lack one number first, and try numbers in those that lack two.",
)  # fmt: skip
