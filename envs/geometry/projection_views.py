"""Build towers of cubes on a square floor so that they look as asked from the front and from the side."""

from rlgym import Config, Environment, Rng, Score, Task, TaskData, knob
from rlgym.answers import Grid
from rlgym.generators.drawing import pictures
from rlgym.solutions import Checks, Derivation, Solution, Step, in_order

Towers = tuple[tuple[str, ...], ...]
ROW = Step("Row {row:int} holds the towers {towers}, the highest {highest:int}, with {cubes:int} cube(s) together")
COLUMN = Step("Column {column:int} holds the towers {towers}, the highest {highest:int}")
BOTH = Step(
    "Rows {rows} and columns {columns} need a tower of height {height:int}, and at most {both} tower(s) can serve both, so {need} are needed"
)
TOTAL = Step("All towers together hold {cubes:int} cubes")
END = Step("The towers:\n{answer}")
LIMITS = {"exact": " with exactly {cubes} cubes in all", "fewest": " with as few cubes in all as possible"}


class Knobs(Config):
    size: int = knob(5, easy=3, hard=9, doc="rows and columns of the floor")
    height: int = knob(5, easy=3, hard=9, doc="height of the highest tower")
    cubes: str = knob("exact", easy="free", hard="fewest", order=("free", "exact", "fewest"), doc="the constraint on the number of cubes")


class Data(TaskData):
    side: tuple[int, ...]  # the greatest height in each row
    front: tuple[int, ...]  # and in each column
    floor: tuple[str, ...]  # "#" for a cell that may hold cubes; with `filled` it must
    filled: bool
    cubes: int  # how many are needed; 0 where any number will do
    fewest: bool


def generate(rng: Rng, knobs: Knobs) -> Task[Data]:
    """Towers anywhere on the floor."""
    return _sample_task(rng, knobs, tuple("#" * knobs.size for _ in range(knobs.size)), filled=False)


def shift(rng: Rng, knobs: Knobs) -> Task[Data]:
    """Seen from above too: which cells hold cubes is given."""
    while True:
        floor = tuple("".join(rng.weighted("#.", (3, 2)) for _ in range(knobs.size)) for _ in range(knobs.size))
        if sum(row.count("#") for row in floor) > knobs.size:
            return _sample_task(rng, knobs, floor, filled=True)


def _sample_task(rng: Rng, knobs: Knobs, floor: tuple[str, ...], filled: bool) -> Task[Data]:
    size = range(knobs.size)
    tops = [[rng.integer(1, knobs.height) if floor[r][c] == "#" and (filled or rng.chance(0.7)) else 0 for c in size] for r in size]
    side, front = tuple(map(max, tops)), tuple(max(row[c] for row in tops) for c in size)
    data = Data(side=side, front=front, floor=floor, filled=filled, cubes=0, fewest=knobs.cubes == "fewest")
    least = sum(map(sum, _fewest_towers(data)))
    most = sum(map(sum, _highest_towers(data)))
    cubes = {"free": 0, "exact": rng.integer(least, most), "fewest": least}[knobs.cubes]
    above = "\n".join(" ".join(row) for row in floor)
    seen = f"\nSeen from above: # is a cell that holds at least one cube, . a cell that holds none.\n{above}" if filled else ""
    prompt = (
        f"On a floor of {knobs.size} rows and {knobs.size} columns cubes are stacked: each cell holds a tower of some height, 0 for none. The highest "
        f"towers of the rows, from the first row to the last, have the heights {', '.join(map(str, side))}; the highest towers of the columns, from "
        f"the first column to the last, have the heights {', '.join(map(str, front))}.{seen}\n"
        f"Give heights for all towers that match these views{LIMITS.get(knobs.cubes, '').format(cubes=cubes)}."
    )
    return Task(prompt, data.model_copy(update={"cubes": cubes}))


def _pairs(data: Data, height: int) -> dict[int, int]:
    """As many columns as possible, each with its own row, where one tower of this height serves both."""
    pairs: dict[int, int] = {}

    def serve(row: int, seen: set[int]) -> bool:
        for column, top in enumerate(data.front):
            if top == height and data.floor[row][column] == "#" and column not in seen:
                seen.add(column)
                if column not in pairs or serve(pairs[column], seen):
                    pairs[column] = row
                    return True
        return False

    for row, top in enumerate(data.side):
        if top == height:
            serve(row, set())
    return pairs


def _highest_towers(data: Data) -> list[list[int]]:
    return [[min(r, c) if data.floor[i][j] == "#" else 0 for j, c in enumerate(data.front)] for i, r in enumerate(data.side)]


def _fewest_towers(data: Data) -> list[list[int]]:
    """As few cubes as possible: towers that serve a row and a column where they can, the others for one each."""
    most = _highest_towers(data)
    towers = [[min(top, 1) if data.filled else 0 for top in row] for row in most]
    size = range(len(most))
    for height in sorted({*data.side, *data.front} - {0}):
        pairs = _pairs(data, height)
        for column, row in pairs.items():
            towers[row][column] = height
        for row in size:
            if data.side[row] == height and row not in pairs.values():
                towers[row][next(c for c in size if most[row][c] == height)] = height
        for column in size:
            if data.front[column] == height and column not in pairs:
                towers[next(r for r in size if most[r][column] == height)][column] = height
    return towers


def solve(task: Task[Data]) -> Towers:
    """The fewest cubes, and more of them cell by cell up to the number asked for."""
    towers, most = _fewest_towers(task.data), _highest_towers(task.data)
    spare = max(0, task.data.cubes - sum(map(sum, towers)))
    for row, tops in zip(towers, most):
        for c, top in enumerate(tops):
            more = min(spare, top - row[c])
            row[c], spare = row[c] + more, spare - more
    return tuple(tuple(map(str, row)) for row in towers)


def solutions(task: Task[Data]) -> list[Towers]:
    """The same for the floor seen in a mirror."""
    data = task.data
    floor = tuple(row[::-1] for row in data.floor)
    mirrored = solve(Task(task.prompt, data.model_copy(update={"front": data.front[::-1], "floor": floor})))
    turned = solve(Task(task.prompt, data.model_copy(update={"side": data.side[::-1], "floor": data.floor[::-1]})))
    return [tuple(row[::-1] for row in mirrored), turned[::-1]]


def verify(task: Task[Data], answer: Towers) -> Score:
    data, size = task.data, len(task.data.side)
    if len(answer) != size or any(len(row) != size for row in answer):
        return Score.wrong(f"expected {size} rows of {size} heights")
    if not all(cell.isascii() and cell.isdigit() and len(cell) < 3 for row in answer for cell in row):
        return Score.wrong("every height is a number of one or two digits")
    towers = [list(map(int, row)) for row in answer]
    if tuple(map(max, towers)) != data.side or tuple(map(max, zip(*towers))) != data.front:
        return Score.wrong("some row or column has another highest tower")
    if data.filled and any((top > 0) != (cell == "#") for row, cells in zip(towers, data.floor) for top, cell in zip(row, cells)):
        return Score.wrong("it looks different from above")
    return Score.exact(not data.cubes or sum(map(sum, towers)) == data.cubes, "another number of cubes is asked for")


def mistakes(task: Task[Data], right: Towers) -> list[Towers]:
    size = len(right)
    higher = ((str(int(right[0][0]) + 10), *right[0][1:]), *right[1:])
    full = tuple((str(top),) * size for top in task.data.side)
    return [
        higher,
        right[:-1],
        (("0",) * size,) * size,
        full,
        tuple(tuple(map(str, row)) for row in _highest_towers(task.data)),
        tuple(zip(*right)),
    ]


def cost(task: Task[Data]) -> float:
    data = task.data
    return float(len(data.side) ** 2 * (1 + (data.cubes > 0) + data.fewest) + sum(data.side))


def derive(task: Task[Data]) -> Derivation:
    data, towers = task.data, solve(task)
    for k, row in enumerate(towers, 1):
        yield ROW(row=k, towers=" ".join(row), highest=max(map(int, row)), cubes=sum(map(int, row)))
    for k, column in enumerate(zip(*towers), 1):
        yield COLUMN(column=k, towers=" ".join(column), highest=max(map(int, column)))
    if data.fewest:
        yield from in_order(BOTH(height=height, **gaps) for height, gaps in _needs(data).items())
    if data.cubes:
        yield TOTAL(cubes=data.cubes)
    yield END(answer=environment.answer.render(towers))


def checks(task: Task[Data]) -> Checks:
    data, needs, rows = task.data, _needs(task.data), list[list[int]]()

    def row_follows(row: int, towers: str, highest: int, cubes: int) -> bool:
        rows.append([int(tower) for tower in towers.split()])
        return row == len(rows) and cubes == sum(rows[-1]) and max(rows[-1]) == highest == data.side[row - 1]

    def column_follows(column: int, towers: str, highest: int) -> bool:
        heights = [row[column - 1] for row in rows]
        return column > 0 and [int(tower) for tower in towers.split()] == heights and max(heights) == highest == data.front[column - 1]

    def both_needed(height: int, **gaps: str) -> bool:
        return gaps == {name: str(value) for name, value in needs[height].items()}

    def total_follows(cubes: int) -> bool:
        return len(rows) == len(data.side) and cubes == sum(map(sum, rows)) == data.cubes

    def closes(answer: str) -> bool:
        return environment.answer.parse(answer) == tuple(tuple(map(str, row)) for row in rows)

    return {ROW: row_follows, COLUMN: column_follows, BOTH: both_needed, TOTAL: total_follows, END: closes}


def _needs(data: Data) -> dict[int, dict[str, object]]:
    """For each height that a row and a column need: which of them, and how many towers that makes."""
    by_height: dict[int, dict[str, object]] = {}
    for height in sorted({*data.side} & {*data.front} - {0}):
        rows, columns = ([k for k, top in enumerate(tops, 1) if top == height] for tops in (data.side, data.front))
        both = len(_pairs(data, height))
        lists = {"rows": " ".join(map(str, rows)), "columns": " ".join(map(str, columns))}
        by_height[height] = {**lists, "both": both, "need": len(rows) + len(columns) - both}
    return by_height


def picture(task: Task[Data]) -> str:
    data, size = task.data, len(task.data.side)
    shaded = [r * size + c for r in range(size) for c in range(size) if data.filled and data.floor[r][c] == "#"]
    note = {0: f"cubes: {'fewest' if data.fewest else data.cubes or 'any'}"}
    return pictures.board([[""] * size] * size, shaded=shaded, top=list(map(str, data.front)), left=list(map(str, data.side)), corners=note)


environment = Environment(
    Knobs, Grid("the heights of the towers, one row per line, with heights separated by spaces", max_size=12),
    generate, solve, verify, mistakes, cost,
    solution=Solution(derive, END, checks), shift=shift, picture=picture, answers="many", solutions=solutions,
    concept="No tower is higher than its row and its column allow; one tower can serve a row and a column that need the same height.",
    version=3,
)  # fmt: skip
