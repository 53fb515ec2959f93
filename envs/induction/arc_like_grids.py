"""Find the rule that made some pictures of coloured cells out of others, a chain of operations out of a given list, and apply it to a new one."""

from rlgym import Config, Environment, Rng, Score, Task, TaskData, knob
from rlgym.answers import Grid
from rlgym.generators.drawing import pictures
from rlgym.generators.rules import chains
from rlgym.generators.rules.grids import MOVES, NOTES, OBJECTS, Picture, render_picture

FAMILY = chains.Family({"moves": MOVES, "objects": OBJECTS}, render_picture, "pictures", NOTES)
ANSWER = Grid("the picture, one row per line, with digits separated by spaces", max_size=20, single_characters=True)
CONCEPT = "See what stays the same from input to output, numbers of cells, colours, places, and try the operations that keep it."


class Knobs(Config):
    operations: int = knob(8, easy=5, hard=12, doc="how many operations the list holds")
    depth: int = knob(2, easy=2, hard=3, doc="how many of them make the rule")
    repeats: int = knob(1, easy=1, hard=3, doc="at depth 3: how often the rule was applied to make the outputs of the examples")
    examples: int = knob(3, easy=3, hard=2, doc="examples at least")
    size: int = knob(6, easy=4, hard=10, doc="rows and columns of a picture")
    filled: int = knob(40, easy=30, hard=50, doc="percent of cells that are coloured, about")


class Data(TaskData):
    table: str
    numbers: tuple[int, ...]  # which operations of the table, in the order of the prompt
    depth: int
    examples: tuple[tuple[Picture, Picture], ...]
    new: Picture
    right: Picture
    times: int  # how often the rule was applied to make the output of an example


def generate(rng: Rng, knobs: Knobs) -> Task[Data]:
    """Operations that move cells about."""
    return _sample_task(rng, knobs, "moves")


def shift(rng: Rng, knobs: Knobs) -> Task[Data]:
    """Operations that go by objects and colours."""
    return _sample_task(rng, knobs, "objects")


def _sample_task(rng: Rng, knobs: Knobs, table: str) -> Task[Data]:
    side = range(knobs.size)

    def draw() -> Picture:
        cells = [["0"] * knobs.size for _ in side]
        while sum(row.count("0") for row in cells) * 100 > knobs.size**2 * (100 - knobs.filled):
            (top, left), (high, wide) = (
                (rng.integer(0, knobs.size - 1), rng.integer(0, knobs.size - 1)),
                (rng.integer(1, 3), rng.integer(1, 3)),
            )
            for r in range(top, min(knobs.size, top + high)):
                for c in range(left, min(knobs.size, left + wide)):
                    cells[r][c] = str(1 + (top + left) % 3)
        return tuple("".join(row) for row in cells)

    times = knobs.repeats if knobs.depth == 3 else 1
    size = (knobs.operations, knobs.depth, knobs.examples)
    prompt, fields = FAMILY.sample(rng, table, *size, draw, lambda picture: len(set("".join(picture))) > 1, times)
    return Task(prompt, Data(**fields, times=times))


def solve(task: Task[Data]) -> tuple[tuple[str, ...], ...]:
    return tuple(map(tuple, FAMILY.solve(task.data)))


def verify(task: Task[Data], answer: tuple[tuple[str, ...], ...]) -> Score:
    return Score.exact(answer == tuple(map(tuple, task.data.right)), "rules that fit the examples make another picture")


def mistakes(task: Task[Data], right: tuple[tuple[str, ...], ...]) -> list[tuple[tuple[str, ...], ...]]:
    turned = tuple(zip(*right[::-1]))
    return [tuple(map(tuple, task.data.new)), right[::-1], turned, right[:-1], tuple(row[::-1] for row in right), (right[-1], *right[:-1])]


def cost(task: Task[Data]) -> float:
    return float(task.data.times**2 * len(task.data.numbers) ** task.data.depth * len(task.data.new) ** 2)


def picture(task: Task[Data]) -> str:
    """The examples one below the other, each input with its output, and the new input."""
    blank = "0" * len(task.data.new)
    pairs = [*task.data.examples, (task.data.new, (blank,) * len(blank))]
    rows = [f"{first}0{second}" for given, output in pairs for first, second in zip((*given, blank), (*output, blank))]
    return pictures.board([row.replace("0", ".") for row in rows], regions=[int(cell) - 1 for row in rows for cell in row])


environment = Environment(
    Knobs,
    ANSWER,
    generate,
    solve,
    verify,
    mistakes,
    cost,
    solution=FAMILY.solution(),
    shift=shift,
    picture=picture,
    concept=CONCEPT,
    version=5,
)
