"""Count the patches of each sign in a picture of signs, and the cells of the largest one."""

from collections.abc import Sequence

from rlgym import Config, Environment, Rng, Score, Task, TaskData, knob
from rlgym.answers import Numbers
from rlgym.generators.drawing import pictures
from rlgym.solutions import Derivation, Solution, Step

Cell = tuple[int, int]
SIGNS = "#o+=x"
PATCH = Step("Patch {number} of {sign} is {cells}: {size} cell(s)")
COUNT = Step("So {sign} has {count} patch(es), the largest of {largest} cell(s)")
ANSWER = Numbers("the numbers in that order, separated by commas", max_items=20)
CONCEPT = "Go through the picture row by row; a cell joins the patch of its neighbour, and two patches may turn out to be one."


class Knobs(Config):
    size: int = knob(8, easy=5, hard=20, doc="rows and columns of the picture")
    signs: int = knob(2, easy=1, hard=4, doc="how many characters there are besides the dot")
    shapes: str = knob("blots", easy="blots", hard="winding", order=("blots", "winding"), doc="compact patches, or long and winding ones")


class Data(TaskData):
    rows: tuple[str, ...]
    signs: str
    around: bool  # opposite sides of the picture touch
    right: tuple[int, ...]


def generate(rng: Rng, knobs: Knobs) -> Task[Data]:
    return _sample_task(rng, knobs, around=False)


def shift(rng: Rng, knobs: Knobs) -> Task[Data]:
    """A picture on a ring: opposite sides touch."""
    return _sample_task(rng, knobs, around=True)


def _sample_task(rng: Rng, knobs: Knobs, around: bool) -> Task[Data]:
    size, signs = knobs.size, SIGNS[: knobs.signs]
    while True:
        cells = [["."] * size for _ in range(size)]
        for k in range(max(2 * len(signs), size * size // (9 if knobs.shapes == "winding" else 5))):
            r, c, sign = rng.integer(0, size - 1), rng.integer(0, size - 1), signs[k % len(signs)]
            dr, dc = rng.choice(((0, 1), (1, 0), (0, -1), (-1, 0)))
            for _ in range(rng.integer(3, size) if knobs.shapes == "winding" else rng.integer(1, 3)):
                cells[r % size][c % size] = sign
                if rng.chance(0.3):
                    dr, dc = dc, dr
                r, c = r + dr, c + dc
        data = Data(rows=tuple("".join(row) for row in cells), signs=signs, around=around, right=())
        if all(_connected_components(data, sign) for sign in signs):
            break
    right = tuple(
        number for sign in signs for number in (len(_connected_components(data, sign)), max(map(len, _connected_components(data, sign))))
    )
    touch = (
        " The picture wraps around: in each row the last cell shares a side with the first one, and in each column the bottom cell shares a side with "
        "the top one."
        if around
        else ""
    )
    order = {1: f"for {signs}", 2: f"first for {signs[0]} and then for {signs[-1]}"}.get(len(signs), f"for {', then for '.join(signs)}")
    total = f" ({2 * len(signs)} numbers in all)" if len(signs) > 1 else ""
    prompt = (
        "A picture made of characters:\n"
        + "\n".join(" ".join(row) for row in data.rows)
        + "\n\nTwo cells belong to the same patch if they hold the same character and a chain of cells with this character links them, in which each "
        f"cell shares a side with the next (corners do not count).{touch}\n\nGive, {order}, two numbers{' each' if len(signs) > 2 else ''}: how many patches "
        f"it has, and how many cells its largest patch has{total}."
    )
    return Task(prompt, data.model_copy(update={"right": right}))


def _connected_components(data: Data, sign: str) -> list[list[Cell]]:
    """The patches of a sign, from the top left on, cells in reading order."""
    size = len(data.rows)
    unvisited = [(r, c) for r, row in enumerate(data.rows) for c, cell in enumerate(row) if cell == sign]
    open_, patches = dict.fromkeys(unvisited), list[list[Cell]]()
    for start in unvisited:
        if start in open_:
            del open_[start]
            patch = [start]
            for r, c in patch:
                for other in ((r, c + 1), (r + 1, c), (r, c - 1), (r - 1, c)):
                    cell = (other[0] % size, other[1] % size) if data.around else other
                    if cell in open_:
                        del open_[cell]
                        patch.append(cell)
            patches.append(sorted(patch))
    return patches


def solve(task: Task[Data]) -> tuple[int, ...]:
    """By giving each cell a name, and the names of cells side by side the same one."""
    data, size, answer = task.data, len(task.data.rows), list[int]()
    for sign in data.signs:
        names = {(r, c): (r, c) for r in range(size) for c in range(size) if data.rows[r][c] == sign}

        def name(cell: Cell, names: dict[Cell, Cell] = names) -> Cell:
            while names[cell] != cell:
                cell = names[cell]
            return cell

        for r, c in names:
            for other in ((r, c + 1), (r + 1, c)):
                cell = (other[0] % size, other[1] % size) if data.around else other
                if cell in names:
                    names[name(cell)] = name((r, c))
        kept = [name(cell) for cell in names]
        answer += [len(set(kept)), max(map(kept.count, kept))]
    return tuple(answer)


def verify(task: Task[Data], answer: tuple[int, ...]) -> Score:
    if len(answer) != len(task.data.right):
        return Score.wrong(f"expected {len(task.data.right)} numbers")
    return Score.exact(answer == task.data.right, "some number is another one")


def mistakes(task: Task[Data], right: tuple[int, ...]) -> list[tuple[int, ...]]:
    data = task.data
    cells = sum(row.count(data.signs[0]) for row in data.rows)
    other = solve(Task(task.prompt, data.model_copy(update={"around": not data.around})))
    return [other, (right[0] + 1, *right[1:]), (cells, *right[1:]), right[:-1], (*right[:-1], right[-1] + 1), right[::-1]]


def cost(task: Task[Data]) -> float:
    return float(sum(len(row) - row.count(".") for row in task.data.rows) + 2 * sum(task.data.right))


def derive(task: Task[Data]) -> Derivation:
    for sign in task.data.signs:
        patches = _connected_components(task.data, sign)
        for number, patch in enumerate(patches, 1):
            yield PATCH(number=number, sign=sign, cells=_format_cells(patch), size=len(patch))
        yield COUNT(sign=sign, count=len(patches), largest=max(map(len, patches)))


def _format_cells(cells: Sequence[Cell]) -> str:
    return " ".join(f"r{r + 1}c{c + 1}" for r, c in cells)


def picture(task: Task[Data]) -> str:
    return pictures.board(task.data.rows)


SOLUTION = Solution(derive, "The numbers: {answer}")
environment = Environment(
    Knobs, ANSWER, generate, solve, verify, mistakes, cost, solution=SOLUTION, shift=shift, picture=picture, concept=CONCEPT, version=5
)
