"""Slide blocks on a crowded board until block A stands where it should.

Any legal moves within the allowed number are accepted. The number is the proved fewest, or the fewest and a few to spare.
"""

from collections.abc import Iterator, Sequence

from rlgym import Config, Environment, Rng, Score, Task, TaskData, knob
from rlgym.answers import Words
from rlgym.generators.drawing import pictures
from rlgym.generators.puzzles import move_puzzles, sliding_blocks
from rlgym.generators.puzzles.move_puzzles import Moves, Plan
from rlgym.generators.puzzles.sliding_blocks import Pieces, Shape

SPARE = {"loose": 10, "near": 3, "tight": 0}
WORK = 2500
SQUARE: Shape = ((0, 0), (0, 1), (1, 0), (1, 1))
BARS: tuple[Shape, ...] = (((0, 0), (0, 1)), ((0, 0), (1, 0)))
ANGLES: tuple[Shape, ...] = tuple(tuple(cell for cell in SQUARE if cell != gap) for gap in SQUARE)
ANSWER = Words("the moves in order, separated by spaces", max_items=200, ignore_case=True)


class Knobs(Config):
    cells: int = knob(14, easy=9, hard=20, doc="about how many cells the board has")
    moves: int = knob(8, easy=2, hard=26, beyond=45, doc="about how many moves are needed, as far as such boards are found")
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
    return _sample_task(rng, knobs, False)


def shift(rng: Rng, knobs: Knobs) -> Task[Data]:
    """Blocks are bent: angles of three cells, block A among them."""
    return _sample_task(rng, knobs, True)


def _sample_task(rng: Rng, knobs: Knobs, bent: bool) -> Task[Data]:
    best: Data | None = None
    for attempt in range(60):
        columns = 3 if knobs.cells < 11 else 4 if knobs.cells < 12 else rng.integer(3, 4) if knobs.cells < 16 else 4
        rows = max(3, knobs.cells // columns)
        # On the smallest boards long blocks would leave no room to move.
        if start_found := _sample_distant_start(
            rng, rows, columns, knobs.moves, "few" if attempt > 30 and best is None else knobs.bars, bent
        ):
            best = start_found if best is None or start_found.fewest > best.fewest else best
        if best and best.fewest >= knobs.moves - attempt:
            break
    if best is None:
        return _sample_task(rng, knobs, bent)
    data = best.model_copy(update={"most": best.fewest + SPARE[knobs.limit]})
    rows, columns = data.rows, data.columns
    aim = sliding_blocks.render_rows((data.goal,), rows, columns)
    prompt = (
        f"Blocks lie on a board of {rows} rows and {columns} columns. Cells with the same letter form one block; a dot is an empty cell:\n"
        f"{_separate(sliding_blocks.render_rows(data.start, rows, columns))}\n\nBlocks slide left, right, up or down (L, R, U, D) over empty cells; they are "
        "never turned or lifted. In one move, one block slides any number of cells in one direction. Write a move as the block, the "
        f"direction and the number of cells, such as XL2 for block X sliding 2 cells to the left. Find a sequence of at most {data.most} moves that brings "
        f"block A to the cells marked A here; where the other blocks are does not matter:\n{_separate(aim).replace('.', '?')}"
    )
    return Task(prompt, data)


def solve(task: Task[Data]) -> Plan:
    data = task.data
    return (
        sliding_blocks.breadth_first_search(
            data.start, sliding_blocks.slides(data.rows, data.columns), lambda state: state[0] == data.goal, 10**6
        )
        or ()
    )


def verify(task: Task[Data], answer: Plan) -> Score:
    return move_puzzles.verify_plan(_puzzle(task.data), answer, task.data.most, "block A is not where it should be")


def mistakes(task: Task[Data], right: Plan) -> list[Plan]:
    a, goal = (divmod(next(sliding_blocks.cells_of(piece)), task.data.columns) for piece in (task.data.start[0], task.data.goal))
    down, right_by = goal[0] - a[0], goal[1] - a[1]
    straight = [f"a{'d' if down > 0 else 'u'}{abs(down)}"] * bool(down) + [f"a{'r' if right_by > 0 else 'l'}{abs(right_by)}"] * bool(
        right_by
    )
    return [tuple(straight), tuple(straight[::-1]), *move_puzzles.near_misses(right)]


def cost(task: Task[Data]) -> float:
    spare = task.data.most - task.data.fewest
    return task.data.fewest**2 * len(task.data.start) * (1 if spare > 9 else 2 if spare else 3)


def picture(task: Task[Data]) -> str:
    rows = sliding_blocks.render_rows(task.data.start, task.data.rows, task.data.columns)
    regions = [sliding_blocks.NAMES.find(cell) for row in rows for cell in row]
    return pictures.board(rows, regions=regions, corners=dict.fromkeys(sliding_blocks.cells_of(task.data.goal), "goal"))


def _sample_distant_start(rng: Rng, rows: int, columns: int, moves_wanted: int, bars: str, bent: bool) -> Data | None:
    """A board whose block A is as many moves from its place as wanted, or as many as there are."""
    longer = ANGLES if bent else BARS
    dot: Shape = ((0, 0),)
    shapes = {"few": (*longer[:1], *[dot] * 3), "some": (*longer, dot), "many": longer}[bars]
    first = rng.choice(ANGLES) if bent else SQUARE
    state = sliding_blocks.sample_packing(rng, rows, columns, first, shapes, rng.integer(2, 3) if rows * columns > 9 else 3)
    options, key = sliding_blocks.slides(rows, columns), sliding_blocks.canonical_state(state)

    def neighbours(state: Pieces) -> list[Pieces]:
        return [key(after) for _, after in options(state)]

    known = move_puzzles.breadth_first_distances([key(state)], neighbours, WORK)
    if not known or len(known) < 8:
        return None
    goals = sorted({state[0] for state in known})
    goal = rng.choice(goals)
    away = move_puzzles.breadth_first_distances([state for state in known if state[0] == goal], neighbours, 10**6) or {}
    far = [state for state, depth in away.items() if depth == min(moves_wanted, max(away.values()))]
    chosen = rng.choice(far)
    if not away[chosen]:
        return None
    # The other blocks come back in a random order, so that letters tell nothing of their form.
    start = (chosen[0], *rng.shuffled(chosen[1:]))
    return Data(rows=rows, columns=columns, start=start, goal=goal, most=0, fewest=away[chosen])


def _separate(rows: Sequence[str]) -> str:
    return "\n".join(" ".join(row) for row in rows)


def _puzzle(data: Data) -> Moves[Pieces]:
    def describe(state: Pieces) -> str:
        ahead = [sliding_blocks.NAMES[k] for k, piece in enumerate(state) if k and piece & data.goal]
        return f"{' '.join(sliding_blocks.render_rows(state, data.rows, data.columns))}; in the place for A: {' '.join(ahead) or 'nothing'}"

    return Moves(data.start, sliding_blocks.slides(data.rows, data.columns), lambda state: state[0] == data.goal, describe)


def solutions(task: Task[Data]) -> Iterator[Plan]:
    data, plan = task.data, solve(task)
    options = sliding_blocks.slides(data.rows, data.columns)
    if plan_found := sliding_blocks.breadth_first_search(data.start, options, lambda state: state[0] == data.goal, 10**6, backwards=True):
        yield plan_found
    if len(plan) + 2 <= data.most:
        for name, after in options(data.start):
            back = next((other for other, state in options(after) if state == data.start), None)
            if back:
                yield (name, back, *plan)
    yield plan


environment = Environment(
    Knobs, ANSWER, generate, solve, verify, mistakes, cost,
    solution=move_puzzles.solution(_puzzle, solve, ANSWER), shift=shift, picture=picture, answers="many", solutions=solutions,
    shared_helpers="The helper makes the moves of the puzzle as the prompt states them; searching for a plan and checking one are apart.",
    concept="Think of where the free cells must be for block A to make its next step, and bring them there.",
    version=5,
)  # fmt: skip
