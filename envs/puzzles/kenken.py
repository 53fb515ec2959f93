"""Fill a kenken (calcudoku): a square in which no line repeats a digit and each cage makes its number by its operation.

At the highest level the operations are not given. Uniqueness is proved when a square is made: cages are cut until one solution is left.
On the upper levels one of the numbers is false, and it is not said which: what follows from one cage alone can never be relied on.
"""

from collections.abc import Iterator, Sequence
from functools import lru_cache, partial
from math import prod

from rlgym import Config, Environment, Rng, Score, Task, TaskData, knob
from rlgym.answers import Grid
from rlgym.generators.drawing import pictures
from rlgym.generators.grids import false_clues, latin, layout, regions, replays, tables
from rlgym.generators.grids.layout import Cells
from rlgym.generators.grids.regions import Region
from rlgym.generators.grids.singleton_consistency import sample_hard

STEPS = 200  # suppositions that a proof of uniqueness may take
SAID = {"+": "the sum", "-": "the larger digit minus the smaller", "*": "the product", "/": "the larger digit divided by the smaller"}


TRIES = 8  # puzzles of which the hardest is taken
FALSE_TRIES = 4


class Knobs(Config):
    size: int = knob(5, easy=3, hard=8, doc="rows and columns")
    cage: int = knob(3, easy=2, hard=4, doc="cells of the largest cage")
    operations: str = knob(
        "all",
        easy="sums",
        hard="untold",
        order=("sums", "all", "untold"),
        doc="sums only; all four operations; all four, without saying which",
    )
    reasoning: str = knob(
        "deductions", easy="deductions", hard="search", order=("deductions", "search"), doc="whether suppositions may be needed"
    )
    suppositions: int = knob(
        10,
        easy=1,
        hard=60,
        scale="log",
        doc="suppositions that prove the solution the only one, where they are needed and as far as a few puzzles have them",
    )
    false: str = knob(
        "none",
        easy="none",
        hard="one",
        order=("none", "one"),
        doc="whether one number is false, which is not said (three quarters of the rows and columns)",
    )


class Data(TaskData):
    size: int
    cages: tuple[Region, ...]
    signs: tuple[str, ...]  # the operations that may make each cage's number
    numbers: tuple[int, ...]  # -1 where it is left open
    false: int = -1  # which of the numbers is false


def generate(rng: Rng, knobs: Knobs) -> Task[Data]:
    return _sample_task(rng, knobs, bars=False)


def shift(rng: Rng, knobs: Knobs) -> Task[Data]:
    """Cages that are all straight bars."""
    return _sample_task(rng, knobs, bars=True)


def solve(task: Task[Data]) -> Cells:
    if task.data.false >= 0:
        return _to_cells(next(false_clues.solutions(_finder(task.data), task.data.numbers)))
    return _to_cells(tables.solve(_puzzle(task.data), _no_digits(task.data)))


def verify(task: Task[Data], answer: Cells) -> Score:
    data = task.data
    if reason := layout.find_misfit(answer, ["." * data.size] * data.size, "123456789"[: data.size]):
        return Score.wrong(reason)
    cells = [int(cell) for row in answer for cell in row]
    if reason := latin.find_repeat(latin.square(data.size), cells):
        return Score.wrong(reason)
    missed = list[str]()
    for cage, signs, number, name in zip(data.cages, data.signs, data.numbers, regions.letters(data.cages)):
        if not any(_makes([cells[cell] for cell in cage], sign, number) for sign in signs):
            missed.append(f"cage {name} does not make its number {number}")
    if data.false >= 0:
        return Score.exact(len(missed) == 1, f"{len(missed)} of the cages do not make their numbers, not exactly one")
    return Score.exact(not missed, missed[0] if missed else "")


def mistakes(task: Task[Data], right: Cells) -> list[Cells]:
    return [*latin.near_misses(right, ["." * len(right)] * len(right)), tuple(zip(*right))]


def cost(task: Task[Data]) -> float:
    if task.data.false >= 0:
        return 4 * task.data.size**3 * _count_false(task)
    return tables.effort(_puzzle(task.data), _no_digits(task.data))


def _count_false(task: Task[Data]) -> int:
    """The suppositions that it takes to go through all numbers that may be false."""
    data = task.data
    return false_clues.count_in_tables(partial(_puzzle_with, data), data.numbers, data.size**2)


def picture(task: Task[Data]) -> str:
    data = task.data
    clues = zip(data.cages, data.numbers, data.signs, strict=True)
    corners = {cage[0]: f"{number}{signs * (len(cage) > 1 and len(signs) == 1)}" for cage, number, signs in clues}
    return pictures.board([" " * data.size] * data.size, regions=regions.owners(data.cages), corners=corners)


def _sample_task(rng: Rng, knobs: Knobs, bars: bool) -> Task[Data]:
    """The hardest of a few puzzles, where suppositions are needed."""
    if knobs.false == "one":
        return sample_hard(lambda: _sample_false(rng, knobs, bars), _count_false, knobs.suppositions, FALSE_TRIES)
    wanted = knobs.suppositions if knobs.reasoning == "search" else 0
    return sample_hard(
        lambda: _sample_once(rng, knobs, bars),
        lambda task: tables.count_suppositions(_puzzle(task.data), _no_digits(task.data)),
        wanted,
        TRIES,
    )


def _sample_once(rng: Rng, knobs: Knobs, bars: bool) -> Task[Data]:
    data, _ = _sample_square(rng, knobs, knobs.size, bars)
    return Task(_render_prompt(data, knobs.operations), data)


def _sample_square(rng: Rng, knobs: Knobs, size: int, bars: bool) -> tuple[Data, list[int]]:
    """A square with one solution, and its digits."""
    full = latin.sample_grid(rng, latin.square(size))
    cages = regions.partition(rng, size, size, 2, knobs.cage, lambda cage, cell: not bars or regions.in_line((*cage, cell), size))
    pick = rng.child("operations")
    while True:
        data = _data(pick, full, cages, knobs.operations)
        doubt = tables.undetermined_cells(_puzzle(data), [0] * len(full), full, STEPS if knobs.reasoning == "search" else 0)
        if not doubt:
            return data, full
        larger = [cell for cage in cages if len(cage) > 1 for cell in cage if cell in doubt]
        cages = regions.split(cages, rng.choice(larger), regions.neighbours_by_cell(size, size))


def _sample_false(rng: Rng, knobs: Knobs, bars: bool) -> Task[Data]:
    """A false number among the others, with one solution whichever it may be."""
    while True:
        data, full = _sample_square(rng, knobs, max(3, knobs.size * 3 // 4), bars)
        if found := false_clues.falsify_with(rng, _finder(data), data.numbers, full, _changes(data)):
            data = data.model_copy(update={"numbers": found[0], "false": found[1]})
            return Task(_render_prompt(data, knobs.operations), data)


def _changes(data: Data) -> list[tuple[int, int]]:
    """The other numbers that some digits of a cage make, so that a false one does not show at a glance."""
    changes = []
    for at, (cage, signs, number) in enumerate(zip(data.cages, data.signs, data.numbers, strict=True)):
        rows = tables.fillings(data.size, tables.distinct_pairs(cage, latin.square(data.size)), len(cage))
        made = {_number(sorted(row, reverse=True), sign) for row in rows for sign in signs} - {None, number}
        changes += [(at, other) for other in sorted(other for other in made if other is not None)]
    return changes


def _puzzle_with(data: Data, numbers: tuple[int, ...]) -> tables.Puzzle:
    return _puzzle(data.model_copy(update={"numbers": numbers, "false": -1}))


def _finder(data: Data) -> false_clues.Find[list[int]]:
    return false_clues.on_tables(partial(_puzzle_with, data), data.size**2)


def _data(rng: Rng, full: list[int], cages: list[Region], operations: str) -> Data:
    """An operation for each cage, drawn anew for its cells, and the number that it makes of them."""
    signs, numbers = [], []
    for cage in cages:
        digits = sorted((full[cell] for cell in cage), reverse=True)
        fitting = [sign for sign in ("+" if operations == "sums" else "+-*/") if _number(digits, sign) is not None]
        sign = rng.child(*cage).weighted(fitting, [3 if sign in "-/" else 2 if sign == "*" else 1 for sign in fitting])
        signs.append("+-*/" if operations == "untold" and len(cage) > 1 else sign if len(cage) > 1 else "+")
        numbers.append(_number(digits, sign) or 0)
    return Data(size=round(len(full) ** 0.5), cages=tuple(cages), signs=tuple(signs), numbers=tuple(numbers))


def _number(digits: Sequence[int], sign: str) -> int | None:
    """What an operation makes of digits, the largest of them first; None where it does not apply."""
    if sign in "+*":
        return sum(digits) if sign == "+" else prod(digits)
    if len(digits) != 2:
        return None
    if sign == "-":
        return digits[0] - digits[1]
    return digits[0] // digits[1] if digits[0] % digits[1] == 0 else None


def _makes(digits: Sequence[int], sign: str, number: int) -> bool:
    return _number(sorted(digits, reverse=True), sign) == number


def _render_prompt(data: Data, operations: str) -> str:
    listing = []
    for name, cage, signs, number in zip(regions.letters(data.cages), data.cages, data.signs, data.numbers):
        listing.append(f"{name}: {number}" if len(cage) == 1 or len(signs) > 1 else f"{name}: {number} {signs}")
    if operations == "sums":
        rule = "The number of a cage is the sum of its digits"
    else:
        rule = (
            "The number of a cage results from its digits by one operation: + is their sum, * their product, - (two cells only) the larger "
        )
        rule += "digit minus the smaller, / (two cells only) the larger digit divided by the smaller, without remainder"
        rule += ". The operation is not given" if operations == "untold" else ""
    false = " Exactly one of the numbers is false; all others hold." if data.false >= 0 else ""
    return (
        f"Fill this square of {data.size} rows and {data.size} columns so that each row and each column holds every digit from 1 to {data.size} "
        "exactly once. The square is cut into cages; each cell is shown here by the letter of its cage"
        f"{regions.letter_case(data.cages, 'cages')}:\n\n{regions.render_regions(data.cages, data.size)}\n\n{rule}; a cage of one cell contains its number. "
        f"Within a cage a digit may repeat, as long as no row or column repeats it.{false} The numbers:\n{chr(10).join(listing)}"
    )


@lru_cache(maxsize=2)
def _puzzle(data: Data) -> tables.Puzzle:
    rules = latin.square(data.size)
    cages = []
    for at, (cage, signs, number, name) in enumerate(zip(data.cages, data.signs, data.numbers, regions.letters(data.cages))):
        if at == data.false or number < 0:
            continue
        rows = _fillings(data.size, tables.distinct_pairs(cage, rules), len(cage), signs, number)
        operations = " or ".join(SAID[sign] for sign in signs if len(cage) == 2 or sign in "+*")
        cages.append(tables.Table(cage, rows, f"cage {name} ({regions.describe_regions(cage, data.size)}: {operations} is {number})"))
    return tables.Puzzle(rules, tuple(cages))


@lru_cache(maxsize=4096)
def _fillings(size: int, separated: tuple[tuple[int, int], ...], cells: int, signs: str, number: int) -> tuple[tables.Filling, ...]:
    every = tables.fillings(size, separated, cells)
    return tables.as_bits([row for row in every if any(_makes(row, sign, number) for sign in signs)])


def _no_digits(data: Data) -> list[int]:
    return [0] * (data.size * data.size)


def _to_cells(digits: list[int]) -> Cells:
    return layout.rows_of([str(digit) for digit in digits], round(len(digits) ** 0.5))


def solutions(task: Task[Data]) -> Iterator[Cells]:
    yield from map(_to_cells, tables.backtrack_over_marks(_puzzle(task.data), _no_digits(task.data)))


environment = Environment(
    Knobs, Grid("the filled square, one row per line, with digits separated by spaces", single_characters=True),
    generate, solve, verify, mistakes, cost,
    solution=replays.table_solution(lambda task: (_puzzle(task.data), _no_digits(task.data)), "The square is filled:\n{answer}"),
    shift=shift, picture=picture, answers="unique", solutions=solutions,
    shared_helpers="The helper lists neighbours, runs or groups of cells; the rules are searched and checked apart.",
    concept="List the digits that can make each cage's number, and compare them with what its rows and columns still need.",
    version=6,
)  # fmt: skip
