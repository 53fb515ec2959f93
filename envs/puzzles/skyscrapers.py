"""Fill a skyscrapers square: heights in every line differ, and clues at the edge say how many buildings are seen from there.

Uniqueness is proved when a square is made, from the clues and the given heights together.
In the shifted family a clue is the sum of the heights that are seen. On the upper levels one clue is false, and it is not said which: what follows from one
clue alone can never be relied on.
"""

from collections.abc import Iterator, Sequence
from functools import lru_cache
from itertools import permutations

from rlgym import Config, Environment, Rng, Score, Task, TaskData, knob
from rlgym.answers import Grid
from rlgym.generators.drawing import pictures
from rlgym.generators.grids import false_clues, latin, layout, replays, tables
from rlgym.generators.grids.clues import Budget, drop_clues
from rlgym.generators.grids.layout import Cells
from rlgym.generators.grids.singleton_consistency import sample_hard

STEPS = 120  # suppositions that a proof of uniqueness may take
TRIES = 8  # puzzles of which the hardest is taken
SUMS = 70  # percent of sums that are shown where one is false
LARGE_TRIES = 2  # the same with seven rows, which take long
SIDES = ("from the left", "from the right", "from above", "from below")


class Knobs(Config):
    size: int = knob(5, easy=4, hard=7, doc="rows and columns")
    clues: int = knob(75, easy=100, hard=40, doc="percent of clues to show, as far as the solution stays unique")
    given_heights: int = knob(12, easy=40, hard=0, doc="percent of heights given at first")
    reasoning: str = knob(
        "deductions", easy="deductions", hard="search", order=("deductions", "search"), doc="whether suppositions may be needed"
    )
    suppositions: int = knob(
        10,
        easy=1,
        hard=40,
        scale="log",
        doc="suppositions that prove the solution the only one, where they are needed and as far as a few puzzles have them",
    )
    false: str = knob(
        "none",
        easy="none",
        hard="one",
        order=("none", "one"),
        doc="whether one clue is false, which is not said (two rows and columns fewer)",
    )


class Data(TaskData):
    given: tuple[str, ...]
    seen: tuple[tuple[int, ...], ...]  # clues from the left, right, above and below; 0 where none is shown
    sums: bool = False  # whether a clue adds up the heights that are seen, instead of counting them
    false: int = -1  # which of the clues, from the left, right, above and below, is false


def generate(rng: Rng, knobs: Knobs) -> Task[Data]:
    return _sample_task(rng, knobs, sums=False)


def shift(rng: Rng, knobs: Knobs) -> Task[Data]:
    """A clue is the sum of the heights that are seen."""
    return _sample_task(rng, knobs, sums=True)


def _sample_task(rng: Rng, knobs: Knobs, sums: bool) -> Task[Data]:
    """The hardest of a few puzzles, where suppositions are needed."""

    def measure(task: Task[Data]) -> int:
        return tables.count_suppositions(_puzzle(task.data.seen, task.data.sums), _digits(task.data))

    if knobs.false == "one":
        return _sample_false(rng, knobs, sums)
    wanted = knobs.suppositions if knobs.reasoning == "search" else 0
    return sample_hard(lambda: _sample_once(rng, knobs, sums), measure, wanted, TRIES if knobs.size < 7 else LARGE_TRIES)


def _sample_once(rng: Rng, knobs: Knobs, sums: bool) -> Task[Data]:
    size, rules = knobs.size, latin.square(knobs.size)
    steps = STEPS if knobs.reasoning == "search" else 0
    while True:
        full = latin.sample_grid(rng, rules)
        given = set(rng.sample(range(size * size), size * size * knobs.given_heights // 100))
        seen = _clues(full, size, sums)
        while doubt := tables.undetermined_cells(_puzzle(seen, sums), _keep_digits(full, given), full, steps):
            given.add(rng.choice(doubt))
        if len(given) * 100 <= (knobs.given_heights + 20) * size * size:
            break

    def fine(kept: list[int]) -> bool:
        return not tables.undetermined_cells(_puzzle(_keep_clues(seen, kept, size), sums), _keep_digits(full, given), full, steps)

    shown = _keep_clues(seen, drop_clues(rng.shuffled(range(4 * size)), 4 * size * knobs.clues // 100, fine), size)
    rows = layout.rows_of([str(digit or ".") for digit in _keep_digits(full, given)], size)
    return _pose(Data(given=tuple("".join(row) for row in rows), seen=shown, sums=sums))


def _sample_false(rng: Rng, knobs: Knobs, sums: bool) -> Task[Data]:
    """A false clue among the others, with one solution whichever it may be."""
    size = max(4, knobs.size - 2)
    while True:
        full = latin.sample_grid(rng, latin.square(size))
        # The extreme clues fix whole lines, so that a false one among them shows at once.
        seen = [clue if sums or 1 < clue < size else -1 for side in _clues(full, size, sums) for clue in side]
        for at in rng.sample(range(4 * size), 4 * size * (100 - SUMS) // 100 if sums else 0):
            seen[at] = -1
        found = false_clues.falsify(rng, _finder(size, sums), seen, full, 2)
        if found and (sums or 1 < found[0][found[1]] < size):
            break
    clues, false = found
    return _pose(Data(given=("." * size,) * size, seen=_by_sides(clues), sums=sums, false=false))


def _by_sides(clues: tuple[int, ...]) -> tuple[tuple[int, ...], ...]:
    """Clues from the left, right, above and below; 0 in place of -1 where none is shown."""
    size = len(clues) // 4
    return tuple(tuple(max(0, clue) for clue in clues[i : i + size]) for i in range(0, 4 * size, size))


def _finder(size: int, sums: bool) -> false_clues.Find[list[int]]:
    def find(clues: tuple[int, ...], steps: int) -> Iterator[list[int]]:
        puzzle = _puzzle(_by_sides(clues), sums)
        state = tables.propagate_givens(puzzle, [0] * size**2)
        return tables.backtrack(puzzle, *state, Budget(steps)) if state else iter(())

    return find


def _stated(data: Data) -> tuple[int, ...]:
    return tuple(clue or -1 for side in data.seen for clue in side)


def _count_false(task: Task[Data]) -> int:
    """The suppositions that it takes to go through all clues that may be false."""
    data, count = task.data, 0
    for at, clue in enumerate(_stated(data)):
        if clue > 0:
            puzzle = _puzzle(_by_sides(false_clues.leave_out(_stated(data), at)), data.sums)
            count += 1 + (tables.count_suppositions(puzzle, _digits(data)) if tables.propagate_givens(puzzle, _digits(data)) else 0)
    return count


def _true_clues(data: Data) -> tuple[tuple[int, ...], ...]:
    return data.seen if data.false < 0 else _by_sides(false_clues.leave_out(_stated(data), data.false))


def _pose(data: Data) -> Task[Data]:
    size, shown, sums, rows = len(data.given), data.seen, data.sums, tuple(map(tuple, data.given))
    given = any(cell != "." for row in rows for cell in row)
    clue_text = (
        "is the sum of the heights of the buildings of its row or column that are seen"
        if sums
        else ("says how many buildings of its row or column are seen")
    )
    no_clue = " Where there is a dot at the edge, nothing is known." if any(0 in side for side in shown) else ""
    no_clue += " Exactly one of the numbers at the edge is false; all others hold." if data.false >= 0 else ""
    prompt = (
        f"Put a building on each cell of a square of {size} rows and {size} columns. Each row and each column must hold every height from 1 "
        f"to {size} exactly once. A number at the edge {clue_text} when looking into it from "
        f"there: a building is seen if every building before it is lower.{no_clue} A dot in the square is a height "
        f"to be found{'; given heights stay' if given else ''}. The square is between the bars and lines, with the numbers around it:\n\n"
        f"{_render_square(rows, shown)}"
    )
    return Task(prompt, data)


def solve(task: Task[Data]) -> Cells:
    if task.data.false >= 0:
        size = len(task.data.given)
        full = next(false_clues.solutions(_finder(size, task.data.sums), _stated(task.data)))
        return layout.rows_of([str(digit) for digit in full], size)
    return layout.rows_of(
        [str(digit) for digit in tables.solve(_puzzle(task.data.seen, task.data.sums), _digits(task.data))], len(task.data.given)
    )


def verify(task: Task[Data], answer: Cells) -> Score:
    data = task.data
    size, missed = len(data.given), list[str]()
    if reason := layout.find_misfit(answer, data.given, "123456789"[:size]):
        return Score.wrong(reason)
    for kind, lines, sides in (("row", answer, (0, 1)), ("column", tuple(zip(*answer)), (2, 3))):
        for i, line in enumerate(lines):
            if len(set(line)) < size:
                return Score.wrong(f"a height occurs twice in {kind} {i + 1}")
            for side, looked in zip(sides, (line, line[::-1])):
                if data.seen[side][i] not in (0, _clue(tuple(map(int, looked)), data.sums)):
                    missed.append(f"the clue is not met by what is seen {SIDES[side]} in {kind} {i + 1}")
    if data.false >= 0:
        return Score.exact(len(missed) == 1, f"{len(missed)} of the clues are not met, not exactly one")
    return Score.exact(not missed, missed[0] if missed else "")


def mistakes(task: Task[Data], right: Cells) -> list[Cells]:
    turned = tuple(tuple(str(len(right) + 1 - int(cell)) for cell in row) for row in right)
    return [
        *layout.exchange_neighbours(right, task.data.given),
        turned,
        right[::-1],
        tuple(zip(*right)),
        tuple(map(tuple, task.data.given)),
    ]


def cost(task: Task[Data]) -> float:
    if task.data.false >= 0:
        return 4 * len(task.data.given) ** 3 * _count_false(task)
    return tables.effort(_puzzle(task.data.seen, task.data.sums), _digits(task.data))


def picture(task: Task[Data]) -> str:
    left, right, above, below = ([str(clue or "") for clue in side] for side in task.data.seen)
    return pictures.board(task.data.given, left=left, right=right, top=above, bottom=below)


def _clue(heights: Sequence[int], sums: bool) -> int:
    """How many of these buildings are seen from the first, or the sum of their heights."""
    highest = total = 0
    for height in heights:
        if height > highest:
            highest, total = height, total + (height if sums else 1)
    return total


def _clues(full: list[int], size: int, sums: bool) -> tuple[tuple[int, ...], ...]:
    rows = [full[i * size : (i + 1) * size] for i in range(size)]
    columns = [full[i::size] for i in range(size)]
    sides = (rows, [row[::-1] for row in rows], columns, [column[::-1] for column in columns])
    return tuple(tuple(_clue(line, sums) for line in lines) for lines in sides)


def _keep_clues(seen: tuple[tuple[int, ...], ...], kept: list[int], size: int) -> tuple[tuple[int, ...], ...]:
    kept_clues = set(kept)
    return tuple(tuple(clue if side * size + i in kept_clues else 0 for i, clue in enumerate(clues)) for side, clues in enumerate(seen))


def _keep_digits(full: list[int], given: set[int]) -> list[int]:
    return [digit if cell in given else 0 for cell, digit in enumerate(full)]


def _digits(data: Data) -> list[int]:
    return [0 if cell == "." else int(cell) for row in data.given for cell in row]


@lru_cache(maxsize=1024)
def _lines(size: int, near: int, far: int, sums: bool) -> tuple[tables.Filling, ...]:
    """The lines with these clues at their two ends; 0 stands for any clue."""
    every = permutations(range(1, size + 1))
    return tables.as_bits([line for line in every if near in (0, _clue(line, sums)) and far in (0, _clue(line[::-1], sums))])


def _puzzle(seen: tuple[tuple[int, ...], ...], sums: bool) -> tables.Puzzle:
    size = len(seen[0])
    rules, rules_made = latin.square(size), []
    for unit, name, near, far in zip(rules.units, rules.names, seen[0] + seen[2], seen[1] + seen[3]):
        if near or far:
            ends = SIDES[:2] if name.startswith("row") else SIDES[2:]
            counted = " and ".join(f"{clue} {'in sum ' * sums}seen {side}" for clue, side in zip((near, far), ends) if clue)
            rules_made.append(tables.Table(unit, _lines(size, near, far, sums), f"{name} ({counted})"))
    return tables.Puzzle(rules, tuple(rules_made))


def _render_square(given: Cells, seen: tuple[tuple[int, ...], ...]) -> str:
    left, right, above, below = ([str(clue or ".") for clue in side] for side in seen)
    rule = "  +" + "-" * (2 * len(left) + 1) + "+"
    rows = [f"{near} | {' '.join(row)} | {far}" for near, row, far in zip(left, given, right)]
    return "\n".join(["    " + " ".join(above), rule, *rows, rule, "    " + " ".join(below)])


def solutions(task: Task[Data]) -> Iterator[Cells]:
    for digits in tables.backtrack_over_marks(_puzzle(_true_clues(task.data), task.data.sums), _digits(task.data)):
        yield layout.rows_of([str(digit) for digit in digits], len(task.data.given))


environment = Environment(
    Knobs,
    Grid("the filled square without the numbers around it, one row per line, with heights separated by spaces", single_characters=True),
    generate, solve, verify, mistakes, cost,
    solution=replays.table_solution(lambda task: (_puzzle(_true_clues(task.data), task.data.sums), _digits(task.data)), "The square is filled:\n{answer}"),
    picture=picture, answers="unique", solutions=solutions,
    concept="For each clue list the orders of heights that show so many buildings; a 1 means the tallest comes first, a full count that heights rise.",
    shift=shift, version=8,
)  # fmt: skip
