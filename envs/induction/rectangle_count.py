"""Count the rectangles of all sizes in a drawing of horizontal and vertical lines on a grid.

In the shifted family the drawing is made by laying whole rectangles over each other, not by rubbing out parts of a grid.
"""

from collections.abc import Sequence
from itertools import combinations

from rlgym import Config, Environment, Rng, Score, Task, TaskData, knob
from rlgym.answers import Integer
from rlgym.solutions import Derivation, Solution, Step

PAIR = Step(
    "Rows {top} and {bottom}: columns {columns} have their lines whole between them; of their pairs, {joined}; so {found} rectangle(s)"
)
BARE = Step("Rows {top} and {bottom}: fewer than two columns have their lines whole between them; so 0 rectangles")
TOTAL = Step("The sum over all pairs of rows: {numbers} = {total}")
ANSWER = Integer("the number of rectangles in decimal digits")
CONCEPT = "Take every pair of rows; count the pairs of columns that are whole between them and joined in both rows round no star."


class Knobs(Config):
    rows: int = knob(5, easy=4, hard=8, doc="horizontal lines of the grid")
    columns: int = knob(6, easy=5, hard=11, doc="vertical lines of the grid")
    gaps: int = knob(20, easy=16, hard=30, doc="percent of the grid that is not drawn")
    stars: int = knob(2, easy=0, hard=6, doc="stars in fields of the grid; rectangles round a star do not count")


class Data(TaskData):
    across: tuple[str, ...]  # for each row: of each stretch from a column to the next, 1 where it is drawn
    down: tuple[str, ...]  # for each stretch from a row to the next: of each column, 1 where it is drawn
    stars: tuple[tuple[int, int], ...]  # the row above and the column to the left of each, from 0
    right: int


def generate(rng: Rng, knobs: Knobs) -> Task[Data]:
    """A grid with parts rubbed out."""
    while True:
        across, down = (
            tuple("".join("01"[not rng.chance(knobs.gaps / 100)] for _ in range(length)) for _ in range(count))
            for count, length in ((knobs.rows, knobs.columns - 1), (knobs.rows - 1, knobs.columns))
        )
        if (task := _task(rng, knobs, across, down)).data.right:
            return task


def shift(rng: Rng, knobs: Knobs) -> Task[Data]:
    """Rectangles laid over each other."""
    rows, columns = knobs.rows + 2, knobs.columns + 2
    across = [["0"] * (columns - 1) for _ in range(rows)]
    down = [["0"] * columns for _ in range(rows - 1)]
    target = (rows * (columns - 1) + (rows - 1) * columns) * (90 - knobs.gaps)
    while 100 * sum(line.count("1") for line in across + down) < target:
        (top, bottom), (left, right) = sorted(rng.sample(range(rows), 2)), sorted(rng.sample(range(columns), 2))
        for row in (top, bottom):
            across[row][left:right] = ["1"] * (right - left)
        for stretch in range(top, bottom):
            down[stretch][left] = down[stretch][right] = "1"
    return _task(rng, knobs, tuple(map("".join, across)), tuple(map("".join, down)))


def _task(rng: Rng, knobs: Knobs, across: tuple[str, ...], down: tuple[str, ...]) -> Task[Data]:
    """With the rectangles counted from their left upper corners."""
    fields = [(row, column) for row in range(len(down)) for column in range(len(across[0]))]
    stars, right = tuple(sorted(rng.sample(fields, min(knobs.stars, len(fields) // 4)))), 0
    for row, line in enumerate(across):
        for column in range(len(line)):
            high = _length([stretch[column] for stretch in down[row:]])
            wide = _length(line[column:])
            for width in range(1, wide + 1):
                closing = min(high, _length([stretch[column + width] for stretch in down[row:]]))
                for height in range(1, closing + 1):
                    free = not any(row <= y < row + height and column <= x < column + width for y, x in stars)
                    right += free and "0" not in across[row + height][column : column + width]
    data = Data(across=across, down=down, stars=stars, right=right)
    return Task(_render_prompt(data), data)


def _length(line: Sequence[str]) -> int:
    """How far a line is drawn without a gap from its start."""
    return list(line).index("0") if "0" in line else len(line)


def _render_prompt(data: Data) -> str:
    drawing = []
    for row, line in enumerate(data.across):
        drawing.append("+" + "".join("---+" if drawn == "1" else "   +" for drawn in line))
        if row < len(data.down):
            fields = [" * " if (row, k) in data.stars else "   " for k in range(len(line))]
            posts = ["|" if drawn == "1" else " " for drawn in data.down[row]]
            drawing.append("".join(post + field for post, field in zip(posts, [*fields, ""])).rstrip())
    without = " with no star * inside" if data.stars else ""
    return (
        "In this drawing --- is a piece of a horizontal line, | a piece of a vertical line, and + a point of the grid, where pieces meet; "
        "where there is no --- or | between two points, nothing is drawn:\n\n"
        + "\n".join(drawing)
        + "\n\nA rectangle has its four corners "
        "at points of the grid and its four sides drawn without a gap; other lines may cross it or lie inside it, and squares are rectangles "
        "too. " + f"How many different rectangles{without} are there in the drawing, of all sizes?"
    )


def _unbroken_columns(data: Data, top: int, bottom: int) -> list[int]:
    return [k for k in range(len(data.across[0]) + 1) if all(stretch[k] == "1" for stretch in data.down[top:bottom])]


def _joined_pairs(data: Data, top: int, bottom: int, columns: Sequence[int]) -> list[tuple[int, int]]:
    """Pairs of columns between which both rows are drawn whole, and no star lies."""
    stars = [x for y, x in data.stars if top <= y < bottom]
    pairs = [(a, b) for a, b in combinations(columns, 2) if "0" not in data.across[top][a:b] + data.across[bottom][a:b]]
    return [(a, b) for a, b in pairs if not any(a <= x < b for x in stars)]


def _counts(data: Data) -> list[int]:
    pairs = combinations(range(len(data.across)), 2)
    return [len(_joined_pairs(data, *pair, _unbroken_columns(data, *pair))) for pair in pairs]


def solve(task: Task[Data]) -> int:
    return sum(_counts(task.data))


def verify(task: Task[Data], answer: int) -> Score:
    return Score.exact(answer == task.data.right, "the drawing has another number of rectangles")


def mistakes(task: Task[Data], right: int) -> list[int]:
    data = task.data
    rows, columns = len(data.across), len(data.across[0]) + 1
    small = sum(
        data.across[r][c] == data.across[r + 1][c] == data.down[r][c] == data.down[r][c + 1] == "1"
        for r in range(rows - 1)
        for c in range(columns - 1)
    )
    starred = _task(Rng(), Knobs.at(0, stars=0), data.across, data.down).data.right
    return [right + 1, right - 1, small, starred, rows * (rows - 1) * columns * (columns - 1) // 4]


def cost(task: Task[Data]) -> float:
    rows, columns = len(task.data.across), len(task.data.across[0]) + 1
    return rows * (rows - 1) / 2 * columns * (columns - 1) / 2 * (1 + len(task.data.stars))


def derive(task: Task[Data]) -> Derivation:
    data, counts = task.data, _counts(task.data)
    for top, bottom in combinations(range(len(data.across)), 2):
        worked = _pair_gaps(data, top, bottom)
        yield PAIR(top=top + 1, bottom=bottom + 1, **worked) if worked else BARE(top=top + 1, bottom=bottom + 1)
    yield TOTAL(numbers=" + ".join(map(str, counts)), total=sum(counts))


def _pair_gaps(data: Data, top: int, bottom: int) -> dict[str, str]:
    """The gaps of the step about two rows; empty where fewer than two columns are whole between them."""
    columns = _unbroken_columns(data, top, bottom)
    joined = _joined_pairs(data, top, bottom, columns)
    pairs = " ".join(f"{a + 1}-{b + 1}" for a, b in joined)
    how = "joined in both rows" + " and without a star" * bool(data.stars)
    joined_text = f"{pairs} are {how}" if joined else f"none is {how}"
    return {"columns": " ".join(str(k + 1) for k in columns), "joined": joined_text, "found": str(len(joined))} if len(columns) > 1 else {}


environment = Environment(
    Knobs,
    ANSWER,
    generate,
    solve,
    verify,
    mistakes,
    cost,
    solution=Solution(derive, "Rectangles: {answer}"),
    shift=shift,
    concept=CONCEPT,
    version=2,
)
