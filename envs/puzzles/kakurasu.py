"""Mark cells so that the weights of the marked cells in each row and column add up to the given sums.

Uniqueness is proved when a grid is made: where the sums do not suffice, some cells are given. On the upper levels one of the sums is false, and it is not said
which: what follows from one sum alone can never be relied on.
"""

from collections.abc import Iterator
from functools import lru_cache, partial

from rlgym import Config, Environment, Rng, Score, Task, TaskData, knob
from rlgym.answers import Grid
from rlgym.generators.grids import bits, false_clues, fills, layout
from rlgym.generators.grids.bits import Count
from rlgym.generators.grids.layout import Cells
from rlgym.generators.grids.singleton_consistency import sample_hard

MOST_CHANGE = 3  # by which a false sum differs
FALSE_TRIES = 6
TRIES = 4  # puzzles of which the hardest is taken


class Knobs(Config):
    size: int = knob(6, easy=4, hard=8, doc="rows and columns")
    weights: str = knob(
        "shuffled",
        easy="places",
        hard="shuffled",
        order=("places", "shuffled"),
        doc="weights of the rows and columns: 1, 2, 3 and so on, or these in another order",
    )
    numbers: int = knob(85, easy=100, hard=65, doc="percent of sums given, as far as the solution stays unique")
    reasoning: str = knob(
        "trying",
        easy="counting",
        hard="search",
        order=bits.REASONING,
        doc="whether looking at one sum at a time suffices, or suppositions that fail at once, or some inside others may be needed",
    )
    suppositions: int = knob(
        10,
        easy=1,
        hard=60,
        scale="log",
        doc="suppositions that find the solution and prove it the only one, where some inside others are needed and as far as a few puzzles have them",
    )
    false: str = knob(
        "none",
        easy="none",
        hard="one",
        order=("none", "one"),
        doc="whether one sum is false, which is not said (seven eighths of the rows and columns)",
    )


class Data(TaskData):
    down: tuple[int, ...]  # the weights of the rows, which count in the columns' sums
    across: tuple[int, ...]
    told: tuple[int, ...]  # the sums of the rows, then of the columns; -1 where not given
    known: fills.Known
    false: int = -1  # which of the sums is false


def generate(rng: Rng, knobs: Knobs) -> Task[Data]:
    return _sample_task(rng, knobs, many=False)


def shift(rng: Rng, knobs: Knobs) -> Task[Data]:
    """Weights that may be alike and are drawn from a wider range."""
    return _sample_task(rng, knobs, many=True)


def solve(task: Task[Data]) -> Cells:
    data = task.data
    if data.false >= 0:
        filled = next(false_clues.solutions(false_clues.on_marks(partial(_puzzle, data.down, data.across)), data.told))
        return fills.render_cells(filled, len(data.known), len(data.known))
    return fills.solve(_puzzle_of(task.data), task.data.known)


def verify(task: Task[Data], answer: Cells) -> Score:
    data = task.data
    if reason := layout.find_misfit(answer, data.known, "#.", "?"):
        return Score.wrong(reason)
    size = len(data.known)
    if data.false >= 0:
        missed = sum(line_sum != total for line_sum, total in zip(_sums(answer, data.down, data.across), data.told))
        return Score.exact(missed == 1, f"{missed} of the sums are not those of the grid")
    for line_sum, total, name in zip(_sums(answer, data.down, data.across), data.told, fills.line_names(size, size)):
        if total not in (-1, line_sum):
            return Score.wrong(f"the sum of {name} is not {total}")
    return Score.exact(True)


def mistakes(task: Task[Data], right: Cells) -> list[Cells]:
    return fills.near_misses(right, task.data.known)


def cost(task: Task[Data]) -> float:
    # The ways to make each sum, in addition to the cells to decide and the suppositions.
    data = task.data
    size = len(data.known)
    ways = [_count_choices(data.across if i < size else data.down, total) for i, total in enumerate(data.told) if total >= 0]
    if data.false >= 0:
        return size**2 * _count_false(data) + sum(ways)
    return bits.effort(_puzzle_of(data), *fills.known_sets(data.known)) + sum(ways)


def picture(task: Task[Data]) -> str:
    data = task.data
    return fills.picture(data.known, data.told, weights=(data.down, data.across))


def _sample_task(rng: Rng, knobs: Knobs, many: bool) -> Task[Data]:
    """The hardest of a few puzzles, where suppositions inside suppositions are needed."""
    if knobs.false == "one":
        return sample_hard(
            lambda: _sample_false(rng, knobs, many), lambda task: _count_false(task.data), 2 * knobs.suppositions, FALSE_TRIES
        )
    wanted = knobs.suppositions if knobs.reasoning == "search" else 0
    return sample_hard(
        lambda: _sample_once(rng, knobs, many), lambda task: fills.count_suppositions(_puzzle_of(task.data), task.data.known), wanted, TRIES
    )


def _sample_false(rng: Rng, knobs: Knobs, many: bool) -> Task[Data]:
    """All sums, one of which is false, with one solution whichever it may be."""
    size = max(4, knobs.size * 7 // 8)
    while True:
        down, across = _draw_weights(rng, knobs, size, many)
        right = bits.as_set([cell for cell in range(size * size) if rng.chance(0.5)])
        numbers = _sums(fills.render_cells(right, size, size), down, across)
        if min(numbers) and (
            found := false_clues.falsify(rng, false_clues.on_marks(partial(_puzzle, down, across)), numbers, right, MOST_CHANGE)
        ):
            break
    told, false = found
    listing = "\n".join(f"{name}: {total}" for name, total in zip(fills.line_names(size, size), told))
    prompt = (
        f"{_describe_grid(down, across)}\nThese sums are stated, but exactly one of them is false: the sum of its row or column is another number. All others "
        f"hold.\n{listing}"
    )
    return Task(prompt, Data(down=down, across=across, told=told, known=("?" * size,) * size, false=false))


def _draw_weights(rng: Rng, knobs: Knobs, size: int, many: bool) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """The weights of the rows and of the columns."""
    if not many:
        return _weights(rng, size, knobs.weights), _weights(rng, size, knobs.weights)
    down, across = (tuple(rng.integer(2, 3 * size // 2) for _ in range(size)) for _ in range(2))
    return (tuple(sorted(down)), tuple(sorted(across))) if knobs.weights == "places" else (down, across)


def _describe_grid(down: tuple[int, ...], across: tuple[int, ...]) -> str:
    size = len(down)
    return (
        f"In a grid of {size} rows and {size} columns mark some of the cells. A marked cell adds its column's weight to the sum of its row, and "
        f"its row's weight to the sum of its column.\nWeights of columns 1 to {size}, from the left: {' '.join(map(str, across))}\n"
        f"Weights of rows 1 to {size}, from the top: {' '.join(map(str, down))}"
    )


def _sample_once(rng: Rng, knobs: Knobs, many: bool) -> Task[Data]:
    size = knobs.size
    down, across = _draw_weights(rng, knobs, size, many)
    right = bits.as_set([cell for cell in range(size * size) if rng.chance(0.5)])
    filled = fills.render_cells(right, size, size)
    numbers = _sums(filled, down, across)
    sums, known = fills.choose_clues(
        rng,
        lambda kept: _puzzle(down, across, kept),
        numbers,
        right,
        knobs.reasoning,
        knobs.numbers,
        size,
        steps=bits.proof_steps(knobs.reasoning, knobs.suppositions),
    )
    listing = [f"{name}: {total}" for name, total in zip(fills.line_names(size, size), sums) if total >= 0]
    prompt = (
        f"{_describe_grid(down, across)}\nThe sums must be:\n{chr(10).join(listing)}"
        f"{fills.describe_known(known).replace('filled', 'marked').replace('empty', 'unmarked')}"
    )
    return Task(prompt, Data(down=down, across=across, told=sums, known=known))


def _weights(rng: Rng, size: int, kind: str) -> tuple[int, ...]:
    plain = tuple(range(1, size + 1))
    if kind == "places":
        return plain
    return tuple(rng.shuffled(plain))


def _sums(filled: Cells, down: tuple[int, ...], across: tuple[int, ...]) -> list[int]:
    rows = [sum(weight for cell, weight in zip(row, across) if cell == "#") for row in filled]
    return rows + [sum(weight for cell, weight in zip(column, down) if cell == "#") for column in zip(*filled)]


def _count_choices(weights: tuple[int, ...], total: int) -> int:
    """How many choices of weights have this sum."""
    ways = [1] + [0] * total
    for weight in weights:
        for amount in range(total, weight - 1, -1):
            ways[amount] += ways[amount - weight]
    return ways[total]


@lru_cache(maxsize=4)
def _puzzle(down: tuple[int, ...], across: tuple[int, ...], sums: tuple[int, ...]) -> bits.Puzzle:
    size, counts = len(down), []
    for i, (line, total, name) in enumerate(zip(fills.lines(size, size), sums, fills.line_names(size, size))):
        if total >= 0:
            weights = across if i < size else down
            why = f"the weights of the filled cells of {name}, of {', '.join(map(str, weights))}, have the sum {total}"
            counts.append(Count(line, total, total, why, weights=weights))
    return bits.Puzzle(size * size, tuple(counts))


def _puzzle_of(data: Data) -> bits.Puzzle:
    told = data.told if data.false < 0 else false_clues.leave_out(data.told, data.false)
    return _puzzle(data.down, data.across, told)


def _count_false(data: Data) -> int:
    """The suppositions that it takes to go through all sums that may be false."""
    return false_clues.count_suppositions(partial(_puzzle, data.down, data.across), data.told)


def solutions(task: Task[Data]) -> Iterator[Cells]:
    yield from fills.solve_with_z3(_puzzle_of(task.data), task.data.known)


environment = Environment(
    Knobs, Grid("the grid, one row per line, each cell # if marked or . if not and cells separated by spaces", single_characters=True),
    generate, solve, verify, mistakes, cost,
    solution=fills.solution(_puzzle_of), shift=shift, picture=picture, answers="unique", solutions=solutions,
    concept="In each line, see which weights every way to make its sum uses, and which none uses, and carry that over to the crossing lines.",
    version=5,
)  # fmt: skip
