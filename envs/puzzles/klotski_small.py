"""Slide blocks on a crowded board until block A stands where it should.

Any legal moves within the allowed number are accepted. The number is the proved fewest, or the fewest and a few to spare.
"""

from collections.abc import Iterator, Sequence

from rlgym import Config, Environment, Rng, Score, Task, TaskData, knob
from rlgym.answers import Words
from rlgym.generators import moves, pictures, sliding
from rlgym.generators.moves import Moves, Plan
from rlgym.generators.sliding import Pieces, Shape

SPARE = {"loose": 10, "near": 3, "tight": 0}
WORK = 2500
SQUARE: Shape = ((0, 0), (0, 1), (1, 0), (1, 1))
BARS: tuple[Shape, ...] = (((0, 0), (0, 1)), ((0, 0), (1, 0)))
ANGLES: tuple[Shape, ...] = tuple(tuple(cell for cell in SQUARE if cell != gap) for gap in SQUARE)


class Knobs(Config):
    cells: int = knob(14, easy=9, hard=20, doc="about how many cells the board has")
    moves: int = knob(8, easy=2, hard=26, doc="about how many moves are needed, as far as such boards are found")
    bars: str = knob("some", easy="few", hard="many", order=("few", "some", "many"), doc="how many blocks are longer than one cell")
    limit: str = knob("near", easy="loose", hard="tight", order=("loose", "near", "tight"), doc="moves to spare: 10, 3 or none")


class Data(TaskData):
    rows: int
    columns: int
    start: Pieces  # the cells of each block as bits
    goal: int
    most: int
    fewest: int


def generate(rng: Rng, knobs: Knobs) -> Task[Data]:
    return _made(rng, knobs, False)


def shift(rng: Rng, knobs: Knobs) -> Task[Data]:
    """Blocks are bent: angles of three cells, block A among them."""
    return _made(rng, knobs, True)


def _made(rng: Rng, knobs: Knobs, bent: bool) -> Task[Data]:
    best: Data | None = None
    for attempt in range(60):
        columns = 3 if knobs.cells < 12 else rng.integer(3, 4) if knobs.cells < 16 else 4
        rows = max(3, knobs.cells // columns)
        # On the smallest boards long blocks would leave no room to move.
        if found := _farthest(rng, rows, columns, knobs.moves, "few" if attempt > 30 and best is None else knobs.bars, bent):
            best = found if best is None or found.fewest > best.fewest else best
        if best and best.fewest >= knobs.moves - attempt:
            break
    if best is None:
        return _made(rng, knobs, bent)
    data = best.model_copy(update={"most": best.fewest + SPARE[knobs.limit]})
    rows, columns = data.rows, data.columns
    aim = sliding.shown((data.goal,), rows, columns)
    prompt = (
        f"On a board of {rows} rows and {columns} columns lie blocks. Equal letters are one block, . is a free cell:\n"
        f"{_apart(sliding.shown(data.start, rows, columns))}\n\nBlocks slide left, right, up or down (L, R, U, D) over free cells; they are "
        "never turned or lifted. One block that slides any number of cells in one direction is one move, written as the block, the "
        f"direction and the number of cells, such as XL2 for block X sliding 2 cells to the left. Find at most {data.most} moves after which "
        f"block A stands here, wherever the other blocks are:\n{_apart(aim)}"
    )
    return Task(prompt, data)


def solve(task: Task[Data]) -> Plan:
    data = task.data
    return sliding.fewest(data.start, sliding.slides(data.rows, data.columns), lambda state: state[0] == data.goal, 10**6) or ()


def verify(task: Task[Data], answer: Plan) -> Score:
    return moves.judged(_puzzle(task.data), answer, task.data.most, "block A is not where it should be")


def mistakes(task: Task[Data], right: Plan) -> list[Plan]:
    a, goal = (divmod(next(sliding.places(piece)), task.data.columns) for piece in (task.data.start[0], task.data.goal))
    down, right_by = goal[0] - a[0], goal[1] - a[1]
    straight = [f"a{'d' if down > 0 else 'u'}{abs(down)}"] * bool(down) + [f"a{'r' if right_by > 0 else 'l'}{abs(right_by)}"] * bool(
        right_by
    )
    return [tuple(straight), tuple(straight[::-1]), *moves.mistaken(right)]


def cost(task: Task[Data]) -> float:
    spare = task.data.most - task.data.fewest
    return task.data.fewest**2 * len(task.data.start) * (1 if spare > 9 else 2 if spare else 3)


def explain(task: Task[Data]) -> list[str]:
    plan = solve(task)
    return moves.told(_puzzle(task.data), plan, environment.answer.render(plan))


def replay(task: Task[Data], steps: Sequence[str]) -> int | None:
    return moves.replayed(_puzzle(task.data), steps, environment.answer.parse, task.data.most)


def picture(task: Task[Data]) -> str:
    rows = sliding.shown(task.data.start, task.data.rows, task.data.columns)
    regions = [sliding.NAMES.find(cell) for row in rows for cell in row]
    return pictures.board(rows, regions=regions, corners=dict.fromkeys(sliding.places(task.data.goal), "goal"))


def _farthest(rng: Rng, rows: int, columns: int, wanted: int, bars: str, bent: bool) -> Data | None:
    """A board whose block A is as many moves from its place as wanted, or as many as there are."""
    longer = ANGLES if bent else BARS
    dot: Shape = ((0, 0),)
    shapes = {"few": (*longer[:1], *[dot] * 3), "some": (*longer, dot), "many": longer}[bars]
    first = rng.choice(ANGLES) if bent else SQUARE
    state = sliding.packed(rng, rows, columns, first, shapes, rng.integer(2, 3) if rows * columns > 9 else 3)
    options, key = sliding.slides(rows, columns), sliding.alike(state)

    def beside(state: Pieces) -> list[Pieces]:
        return [key(after) for _, after in options(state)]

    known = moves.distances([key(state)], beside, WORK)
    if not known or len(known) < 8:
        return None
    goals = sorted({state[0] for state in known})
    goal = rng.choice(goals)
    away = moves.distances([state for state in known if state[0] == goal], beside, 10**6) or {}
    far = [state for state, depth in away.items() if depth == min(wanted, max(away.values()))]
    chosen = rng.choice(far)
    if not away[chosen]:
        return None
    # The other blocks come back in a random order, so that letters tell nothing of their form.
    start = (chosen[0], *rng.shuffled(chosen[1:]))
    return Data(rows=rows, columns=columns, start=start, goal=goal, most=0, fewest=away[chosen])


def _apart(rows: Sequence[str]) -> str:
    return "\n".join(" ".join(row) for row in rows)


def _puzzle(data: Data) -> Moves[Pieces]:
    def said(state: Pieces) -> str:
        ahead = [sliding.NAMES[k] for k, piece in enumerate(state) if k and piece & data.goal]
        return f"{' '.join(sliding.shown(state, data.rows, data.columns))}; in the place for A: {' '.join(ahead) or 'nothing'}"

    return Moves(data.start, sliding.slides(data.rows, data.columns), lambda state: state[0] == data.goal, said)


def _others(task: Task[Data]) -> Iterator[Plan]:
    data, plan = task.data, solve(task)
    options = sliding.slides(data.rows, data.columns)
    if found := sliding.fewest(data.start, options, lambda state: state[0] == data.goal, 10**6, backwards=True):
        yield found
    if len(plan) + 2 <= data.most:
        for name, after in options(data.start):
            back = next((other for other, state in options(after) if state == data.start), None)
            if back:
                yield (name, back, *plan)
    yield plan


environment = Environment(
    Knobs,
    Words("the moves in order, separated by spaces", most=200, fold=True),
    generate,
    solve,
    verify,
    mistakes,
    cost,
    explain,
    replay,
    shift,
    picture,
    answers="many",
    solutions=_others,
    concept="Think of where the free cells must be for block A to make its next step, and bring them there.",
)
