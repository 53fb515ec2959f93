"""Direct a reader through a town by a map, in words that this reader can follow.

Readers may lose count of their steps, so that only landmarks help, be unable to use stairs, or be unable to turn left. The directions are followed
word by word, square by square.
"""

from rlgym import Config, Environment, Rng, Score, Task, TaskData, knob
from rlgym.answers import Passage
from rlgym.generators.draws import draw_against
from rlgym.generators.text.english import count_noun
from rlgym.generators.writing.criteria import Claims, Fault, at_most, score_text
from rlgym.generators.writing.language import Claim, Form, Gap, Language
from rlgym.generators.writing.variants import retracted_texts, without_each
from rlgym.generators.writing.walks import GOAL, LANDMARKS, PATH, STAIRS, START, WALL, Walker, ahead, next_landmark

READERS = ("counts", "wheels", "loses_count", "one_side")
Step = tuple[str, str]
"""A form of the language, and what fills its gap."""
GAPS = {"turn": "side", "landmark": "landmark", "count": "squares"}


class Knobs(Config):
    size: int = knob(7, easy=4, hard=11, doc="rows and columns of the map")
    reader: str = knob(
        "loses_count", easy="counts", hard="one_side", order=READERS, doc="what the reader cannot do, each including what stands before"
    )
    sentences: int = knob(6, easy=2, hard=12, doc="sentences that the shortest directions have at least, if possible")


class Data(TaskData):
    grid: tuple[str, ...]
    reader: str
    sentences: int


def generate(rng: Rng, knobs: Knobs) -> Task[Data]:
    data = draw_against(lambda: _sample_data(rng, knobs), lambda data: data.sentences < knobs.sentences, 25)
    return Task(_render_prompt(data), data)


def solve(task: Task[Data]) -> str:
    return _text(task.data, _shortest(task.data))


def verify(task: Task[Data], answer: str) -> Score:
    data = task.data

    def feasible(claims: Claims) -> Fault | None:
        walker = _start(data)
        for at, claim in enumerate(claims):
            after = _follow(data, walker, _read(claim))
            if after is None:
                return Fault("the reader cannot do what a sentence says", (claim,), at / len(claims))
            walker = after
        return None

    def arrives(claims: Claims) -> Fault | None:
        walker: Walker | None = _start(data)
        for claim in claims:
            walker = walker and _follow(data, walker, _read(claim))
        there = walker is not None and data.grid[walker.row][walker.column] == GOAL
        return None if there else Fault("the reader does not stand at the station in the end", claims[-1:])

    return score_text(_language(data), answer, feasible=feasible, arrives=arrives, length=at_most(data.sentences))


def mistakes(task: Task[Data], right: str) -> list[str]:
    data, steps = task.data, _shortest(task.data)
    other = {"left": "right", "right": "left"}
    turned = [(kind, other.get(value, value)) for kind, value in steps]
    mirrored = [_text(data, turned)] if turned != steps and not _arrives(data, turned) else []
    return [*mirrored, "Go straight on to the next station.", *retracted_texts(right), *without_each(_language(data), right)]


def cost(task: Task[Data]) -> float:
    return float(len(task.data.grid) ** 2 * task.data.sentences * (1 + READERS.index(task.data.reader)))


def explain(task: Task[Data]) -> list[str]:
    data, walker, steps = task.data, _start(task.data), list[str]()
    for step in _shortest(data):
        walker = _follow(data, walker, step) or walker
        facing = ("north", "east", "south", "west")[walker.facing]
        steps.append(f"{_text(data, [step])} The reader is then in row {walker.row + 1}, column {walker.column + 1}, and faces {facing}.")
    return [*steps, f"That is the station:\n{solve(task)}"]


def _sample_data(rng: Rng, knobs: Knobs) -> Data:
    """A map on which the reader can get to the station, but not at once."""
    size, landmarks = knobs.size, [sign for sign in LANDMARKS if sign != GOAL]
    while True:
        kinds = [WALL] * 5 + [PATH] * 8 + landmarks[: 2 + size // 3] + [STAIRS] * (2 if knobs.reader != "counts" else 0)
        cells = [[rng.choice(kinds) for _ in range(size)] for _ in range(size)]
        (row, column), (last, end) = rng.sample([(i, j) for i in range(size) for j in range(size)], 2)
        cells[row][column], cells[last][end] = START, GOAL
        data = Data(grid=tuple("".join(line) for line in cells), reader=knobs.reader, sentences=0)
        best = _shortest(data)
        if len(best) > 1:
            return data.model_copy(update={"sentences": len(best)})


def _start(data: Data) -> Walker:
    return next(Walker(row, line.index(START), 0) for row, line in enumerate(data.grid) if START in line)


def _follow(data: Data, walker: Walker, step: Step) -> Walker | None:
    """Where a sentence leads the reader; None where the reader cannot follow it."""
    barred = WALL if data.reader == "counts" else WALL + STAIRS
    kind, value = step
    if kind == "turn":
        return walker.turned(1 if value == "right" else -1)
    if kind == "landmark":
        return next_landmark(data.grid, walker, barred, value)
    way = list(ahead(data.grid, walker, barred))
    squares = int(value.split()[0])
    return way[squares - 1] if squares <= len(way) else None


def _arrives(data: Data, steps: list[Step]) -> bool:
    walker: Walker | None = _start(data)
    for step in steps:
        walker = walker and _follow(data, walker, step)
    return walker is not None and data.grid[walker.row][walker.column] == GOAL


def _steps(data: Data) -> list[Step]:
    """All that a sentence may tell the reader to do."""
    counts: list[Step] = [("count", squares) for squares in _squares(data)]
    turns: list[Step] = [("turn", "right"), *([] if data.reader == "one_side" else [("turn", "left")])]
    return [*turns, *(("landmark", name) for name in LANDMARKS.values()), *counts]


def _shortest(data: Data) -> list[Step]:
    """The fewest sentences to the station, by breadth-first search; none where it cannot be reached."""
    start, steps = _start(data), _steps(data)
    before: dict[Walker, tuple[Walker, Step]] = {}
    queue = [start]
    for walker in queue:
        if data.grid[walker.row][walker.column] == GOAL:
            found = list[Step]()
            while walker != start:
                walker, step = before[walker]
                found.append(step)
            return found[::-1]
        for step in steps:
            after = _follow(data, walker, step)
            if after and after not in before and after != start:
                before[after] = (walker, step)
                queue.append(after)
    return []


def _squares(data: Data) -> tuple[str, ...]:
    """How far a reader who counts may be told to go."""
    return tuple(count_noun(number, "square") for number in range(1, len(data.grid))) if data.reader in READERS[:2] else ()


def _read(claim: Claim) -> Step:
    return (claim.form, claim.word(GAPS[claim.form]))


def _text(data: Data, steps: list[Step]) -> str:
    return " ".join(_language(data).write(kind, **{GAPS[kind]: value}) for kind, value in steps)


def _language(data: Data) -> Language:
    sides = ("right",) if data.reader == "one_side" else ("left", "right")
    shown = [name for sign, name in LANDMARKS.items() if any(sign in line for line in data.grid)]
    squares = _squares(data)
    forms = [Form("turn", "Turn {side}."), Form("landmark", "Go straight on to the next {landmark}.")]
    gaps = [
        Gap("side", sides, note="always right" if len(sides) == 1 else "left or right"),
        Gap("landmark", tuple(shown), note=f"{', '.join(shown[:-1])} or {shown[-1]}" if len(shown) > 1 else shown[0]),
    ]
    if squares:
        forms.append(Form("count", "Go {squares} straight on."))
        gaps.append(Gap("squares", squares, note=f'a distance from "{squares[0]}" to "{squares[-1]}"'))
    return Language(tuple(forms), tuple(gaps))


def _render_prompt(data: Data) -> str:
    shown = set("".join(data.grid))
    legend = ", ".join(f"{sign} {'the' if sign == GOAL else 'a'} {name}" for sign, name in LANDMARKS.items() if sign in shown)
    limits = {
        "wheels": "uses a wheelchair and cannot go over stairs",
        "loses_count": "cannot count squares, and pushes a pram that cannot go over stairs",
        "one_side": "drives a cart that cannot turn left and cannot go over stairs, and does not count squares",
    }
    who = f" The reader {limits[data.reader]}." if data.reader in limits else ""
    stairs = f", {STAIRS} stairs" if STAIRS in shown else ""
    grid = "\n".join(data.grid)
    return (
        f"Map of a town, north at the top:\n{grid}\n\n{WALL} is a building, {PATH} a free square{stairs}; {legend}. Landmarks and {START} are "
        f"free squares too. The reader starts at {START}, facing north, follows the sentences in order, and must stand at the station in the end.{who} Write "
        f"directions in at most {count_noun(data.sentences, 'sentence')}. Going straight on to the next landmark means the first one of its kind ahead, and is "
        f"possible only if nothing bars the way to it. Write only sentences of these forms:\n{_language(data).describe()}"
    )


environment = Environment(
    Knobs, Passage("the directions"), generate, solve, verify, mistakes, cost, explain,
    version=2, answers="many", solutions=lambda task: [solve(task), solve(task).replace(". ", ".\n")],
    shared_helpers="The helpers move the reader by a sentence, which is its meaning, and find the fewest sentences, which the prompt states.",
    concept="Note for each place and direction which landmarks the reader would stop at, and search over these stops instead of squares.",
)  # fmt: skip
