"""Find the rule that made some rows of coloured cells out of others, a chain of operations out of a given list, and apply it to a new one."""

from rlgym import Config, Environment, Rng, Score, Task, knob
from rlgym.answers import Text
from rlgym.generators.drawing import pictures
from rlgym.generators.rules import chains
from rlgym.generators.rules.rows import MOVES, NOTES, OBJECTS

FAMILY = chains.Family({"moves": MOVES, "objects": OBJECTS}, str, "rows of coloured cells", NOTES)
ANSWER = Text("the row as digits on one line", ignore_spaces=True, max_characters=400)
CONCEPT = "See what stays the same from input to output, numbers of cells, colours, order, and try the operations that keep it."


class Knobs(Config):
    operations: int = knob(8, easy=5, hard=16, doc="how many operations the list holds")
    depth: int = knob(2, easy=1, hard=3, doc="how many of them make the rule")
    repeats: int = knob(1, easy=1, hard=3, doc="at depth 3: how often the rule was applied to make the outputs of the examples")
    examples: int = knob(3, easy=4, hard=2, doc="examples at least")
    cells: int = knob(12, easy=7, hard=26, doc="cells of a row")
    colours: int = knob(3, easy=2, hard=6, doc="how many colours there are")


class Data(chains.Texts):
    """Rows as text."""

    times: int  # how often the rule was applied to make the output of an example


def generate(rng: Rng, knobs: Knobs) -> Task[Data]:
    """Operations on objects."""
    return _sample_task(rng, knobs, "objects")


def shift(rng: Rng, knobs: Knobs) -> Task[Data]:
    """Operations that move cells about."""
    return _sample_task(rng, knobs, "moves")


def _sample_task(rng: Rng, knobs: Knobs, table: str) -> Task[Data]:
    def draw() -> str:
        row = ""
        while len(row) < knobs.cells:
            row += rng.choice(("0", "0", str(rng.integer(1, knobs.colours)))) * rng.integer(1, 4)
        return row[: knobs.cells]

    times = knobs.repeats if knobs.depth == 3 else 1
    size = (knobs.operations, knobs.depth, knobs.examples)
    prompt, fields = FAMILY.sample(rng, table, *size, draw, lambda row: len(set(row)) > 1, times)
    return Task(prompt, Data(**fields, times=times))


def solve(task: Task[Data]) -> str:
    return FAMILY.solve(task.data)


def verify(task: Task[Data], answer: str) -> Score:
    return Score.exact(answer == task.data.right, "rules that fit the examples make another row")


def mistakes(task: Task[Data], right: str) -> list[str]:
    return [task.data.new, right[::-1], right[1:] + right[:1], right[:-1], right + "0", task.data.examples[0][1]]


def cost(task: Task[Data]) -> float:
    return float(task.data.times**2 * len(task.data.numbers) ** task.data.depth * len(task.data.new))


def picture(task: Task[Data]) -> str:
    rows = [row for pair in task.data.examples for row in pair] + [task.data.new]
    names = [f"{name} {k}" for k, _ in enumerate(task.data.examples, 1) for name in ("in", "out")] + ["new"]
    return pictures.board([row.replace("0", ".") for row in rows], regions=[int(cell) - 1 for row in rows for cell in row], left=names)


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
    version=4,
)
