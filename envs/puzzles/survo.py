"""Fill a survo table: each number from 1 to n once, so that all rows and columns have the given sums.

Numbers are given until deductions, or suppositions that fail, leave one filling.
"""

from collections.abc import Iterator, Sequence
from functools import lru_cache

from rlgym import Config, Environment, Rng, Score, Task, TaskData, knob
from rlgym.answers import Grid
from rlgym.generators.drawing import pictures
from rlgym.generators.grids import deduction_sheet, domains, layout, singleton_consistency
from rlgym.generators.grids.layout import Cells

OPENING = (
    "r2c3 stands for the cell in row 2, column 3; a number that is written in is ruled out at once, without saying, for all other cells. "
    "A line with three unknown cells or more is looked at by the least and the largest numbers of its cells, one with fewer exactly."
)
END = "The table is full:\n{answer}"
TRIES = 6  # puzzles of which the hardest is taken


class Knobs(Config):
    rows: int = knob(3, easy=2, hard=4, beyond=5, doc="rows")
    columns: int = knob(4, easy=3, hard=5, beyond=6, doc="columns")
    given_numbers: int = knob(
        15, easy=50, hard=0, doc="percent of numbers given, more where the filling would not be unique or not be found"
    )
    reasoning: str = knob(
        "trying",
        easy="direct",
        hard="search",
        order=domains.SEARCHING,
        doc="whether what sums leave for single cells suffices, or suppositions that fail, or some inside others, are needed as well",
    )
    suppositions: int = knob(
        10,
        easy=1,
        hard=100,
        scale="log",
        doc="suppositions that prove the solution the only one, where some inside others are needed and as far as a few puzzles have them",
    )


class Data(TaskData):
    given: tuple[tuple[str, ...], ...]  # numbers, . for unknown ones, # for holes
    rows: tuple[int, ...]
    columns: tuple[int, ...]


def generate(rng: Rng, knobs: Knobs) -> Task[Data]:
    return _sample_task(rng, knobs, knobs.rows, knobs.columns, 0)


def shift(rng: Rng, knobs: Knobs) -> Task[Data]:
    """Larger tables with holes, so that lines are of different lengths."""
    return _sample_task(rng, knobs, knobs.rows + 1, knobs.columns + 1, knobs.rows + knobs.columns)


def solve(task: Task[Data]) -> Cells:
    work = _puzzle(task.data)
    return _to_cells(task.data, domains.solve(work, _given_values(task.data)))


def verify(task: Task[Data], answer: Cells) -> Score:
    data = task.data
    if len(answer) != len(data.given) or len(answer[0]) != len(data.given[0]):
        return Score.wrong(f"the table must have {len(data.given)} rows of {len(data.given[0])} cells")
    for row, known in zip(answer, data.given):
        if any(fixed not in (".", cell) for cell, fixed in zip(row, known)):
            return Score.wrong("a cell differs from the table that was given")
    numbers = sorted(cell for row in answer for cell in row if cell != "#")
    if numbers != sorted(str(v + 1) for v in range(_count_values(data))):
        return Score.wrong(f"the cells do not hold each number from 1 to {_count_values(data)} once")
    for kind, lines, sums in (("row", answer, data.rows), ("column", tuple(zip(*answer)), data.columns)):
        for i, (line, total) in enumerate(zip(lines, sums), 1):
            if sum(int(cell) for cell in line if cell != "#") != total:
                return Score.wrong(f"{kind} {i} does not have the given sum")
    return Score.exact(True)


def mistakes(task: Task[Data], right: Cells) -> list[Cells]:
    unused = sorted({str(v + 1) for v in range(_count_values(task.data))} - {cell for row in task.data.given for cell in row}, key=int)
    ordered = iter(unused)
    filled = tuple(tuple(next(ordered) if cell == "." else cell for cell in row) for row in task.data.given)
    same = tuple(tuple(unused[0] if cell == "." else cell for cell in row) for row in task.data.given)
    return [
        *layout.exchange_neighbours(right, task.data.given),
        filled,
        same,
        right[::-1],
        tuple(row[::-1] for row in right),
        task.data.given,
    ]


def cost(task: Task[Data]) -> float:
    return singleton_consistency.effort(_puzzle(task.data), _given_values(task.data))


def picture(task: Task[Data]) -> str:
    data = task.data
    cells = ["" if cell == "#" else cell for row in data.given for cell in row]
    holes = [i for i, cell in enumerate(cell for row in data.given for cell in row) if cell == "#"]
    rows = layout.rows_of(cells, len(data.columns))
    return pictures.board(rows, shaded=holes, right=[str(n) for n in data.rows], bottom=[str(n) for n in data.columns])


def _sample_task(rng: Rng, knobs: Knobs, height: int, width: int, holes: int) -> Task[Data]:
    """The hardest of a few puzzles, where suppositions inside suppositions are needed."""
    wanted = knobs.suppositions if knobs.reasoning == "search" else 0
    return singleton_consistency.sample_hard(
        lambda: _sample_once(rng, knobs, height, width, holes),
        lambda task: domains.count_suppositions(_puzzle(task.data), _given_values(task.data)),
        wanted,
        TRIES,
    )


def _sample_once(rng: Rng, knobs: Knobs, height: int, width: int, holes: int) -> Task[Data]:
    shut = set[int]()
    for cell in rng.shuffled(range(height * width)):
        lines = [set(range(cell // width * width, cell // width * width + width)), set(range(cell % width, height * width, width))]
        if len(shut) < holes and all(len(line - shut) > 2 for line in lines):
            shut.add(cell)
    cells = [cell for cell in range(height * width) if cell not in shut]
    right = dict(zip(cells, rng.shuffled(range(1, len(cells) + 1))))
    rows = tuple(sum(right.get(r * width + c, 0) for c in range(width)) for r in range(height))
    columns = tuple(sum(right.get(r * width + c, 0) for r in range(height)) for c in range(width))
    plain = ["#" if cell in shut else "." for cell in range(height * width)]
    work = _puzzle(Data(given=layout.rows_of(plain, width), rows=rows, columns=columns))
    values = [right[cell] - 1 for cell in cells]
    given = singleton_consistency.choose_givens(
        rng, work, values, len(cells) * knobs.given_numbers // 100, knobs.reasoning, suppositions=knobs.suppositions
    )
    for at, value in given.items():
        plain[cells[at]] = str(value + 1)
    data = Data(given=layout.rows_of(plain, width), rows=rows, columns=columns)
    table = "\n".join(f"{' '.join(row)} | {total}" for row, total in zip(data.given, rows))
    hole = " A # is a hole that stays as it is." if shut else ""
    prompt = (
        f"Fill this table so that its cells hold each number from 1 to {len(cells)} exactly once. The number after the bar is the sum of its "
        f"row, and the last line gives the sums of the columns from left to right. A dot is an empty cell; given numbers "
        f"stay.{hole}\n\n{table}\n\nSums of the columns: {' '.join(map(str, columns))}"
    )
    return Task(prompt, data)


def _count_values(data: Data) -> int:
    return sum(cell != "#" for row in data.given for cell in row)


@lru_cache(maxsize=4)
def _puzzle(data: Data) -> domains.Puzzle:
    width, signs = len(data.columns), [cell for row in data.given for cell in row]
    cells = [cell for cell, sign in enumerate(signs) if sign != "#"]
    at, count = {cell: i for i, cell in enumerate(cells)}, len(cells)
    rules = [domains.exactly_one(f"number {v + 1}", [(i, 1 << v) for i in range(count)]) for v in range(count)]
    lines = [(f"row {r + 1}", range(r * width, r * width + width), total) for r, total in enumerate(data.rows)]
    lines += [(f"column {c + 1}", range(c, len(signs), width), total) for c, total in enumerate(data.columns)]
    for name, line, total in lines:
        scope = tuple(at[cell] for cell in line if cell in at)
        rules.append(domains.Rule(f"the sum of {name}", scope, narrow=_sum_propagator(scope, total)))
    return domains.Puzzle(
        tuple(layout.place(cell, width) for cell in cells),
        tuple(str(v + 1) for v in range(count)),
        ((1 << count) - 1,) * count,
        domains.different([[other for other in range(count) if other != i] for i in range(count)], count),
        tuple(rules),
    )


def _sum_propagator(scope: Sequence[int], total: int) -> domains.Narrow:
    """What a sum leaves: exact for two cells left, by the bounds of the others for more."""

    def narrow(can: list[int]) -> bool:
        open_cells = [at for at in scope if can[at] & can[at] - 1]
        need = total - sum(can[at].bit_length() for at in scope if not can[at] & can[at] - 1)
        if not all(can[at] for at in scope):
            return False
        if not open_cells:
            return need == 0
        if len(open_cells) == 1:
            can[open_cells[0]] &= 1 << need - 1 if need > 0 else 0
        elif len(open_cells) == 2:
            a, b = open_cells
            fits = [(v, need - v - 2) for v in domains.bits_of(can[a]) if 0 <= need - v - 2 != v and can[b] >> need - v - 2 & 1]
            can[a], can[b] = sum(1 << v for v, _ in fits), sum(1 << w for _, w in fits)
        else:
            low = {at: (can[at] & -can[at]).bit_length() for at in open_cells}
            high = {at: can[at].bit_length() for at in open_cells}
            least, most = sum(low.values()), sum(high.values())
            for at in open_cells:
                top, bottom = need - least + low[at], need - most + high[at]
                can[at] &= (1 << max(0, top)) - 1 & -1 << max(0, bottom - 1)
        return all(can[at] for at in open_cells)

    return narrow


def _given_values(data: Data) -> dict[int, int]:
    cells = [cell for row in data.given for cell in row if cell != "#"]
    return {at: int(cell) - 1 for at, cell in enumerate(cells) if cell != "."}


def _to_cells(data: Data, values: Sequence[int]) -> Cells:
    numbers = iter(values)
    return tuple(tuple("#" if cell == "#" else str(next(numbers) + 1) for cell in row) for row in data.given)


def solutions(task: Task[Data]) -> Iterator[Cells]:
    """Row by row, with the sums of the columns that are left kept above zero."""
    data = task.data
    height, width = len(data.rows), len(data.columns)
    table = [list(row) for row in data.given]
    count = _count_values(data)
    used = {int(cell) for row in data.given for cell in row if cell not in ".#"}

    def going(at: int, row: int, columns: list[int]) -> Iterator[Cells]:
        if at == height * width:
            if not any(columns):
                yield tuple(tuple(cells) for cells in table)
            return
        r, c = divmod(at, width)
        fixed, ends = data.given[r][c], c == width - 1
        last = not any(data.given[i][c] == "." for i in range(r + 1, height))
        open_after = sum(cell == "." for cell in data.given[r][c + 1 :])
        more = sum(int(cell) for cell in data.given[r][c + 1 :] if cell not in ".#")
        under = sum(int(data.given[i][c]) for i in range(r + 1, height) if data.given[i][c] not in ".#")
        for v in [0] if fixed == "#" else [int(fixed)] if fixed != "." else [v for v in range(1, count + 1) if v not in used]:
            rest, below = row - v, columns[c] - v
            if rest < more or below < under or (last and below != under) or (not open_after and rest != more):
                continue
            if rest - more > open_after * count:
                continue
            table[r][c] = fixed if fixed != "." else str(v)
            if fixed == ".":
                used.add(v)
            columns[c] = below
            yield from going(at + 1, data.rows[r + 1] if ends and r + 1 < height else rest, columns)
            columns[c] += v
            if fixed == ".":
                used.discard(v)

    yield from going(0, data.rows[0], list(data.columns))


environment = Environment(
    Knobs, Grid("the filled table without the sums, one row per line, with cells separated by spaces"),
    generate, solve, verify, mistakes, cost,
    solution=deduction_sheet.solution(_puzzle, END, OPENING, _given_values), shift=shift, picture=picture, answers="unique", solutions=solutions,
    concept="Lines with few cells left, or with sums near the least or largest possible, leave few numbers; compare them with crossing lines.",
    version=4,
)  # fmt: skip
