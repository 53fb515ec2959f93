"""Turn the pipes of a board, each on its cell, until every opening meets an opening.

Some pipes are fixed, as many as it takes for one solution.
"""

from collections.abc import Iterator, Sequence
from functools import lru_cache

from rlgym import Config, Environment, Rng, Score, Task, TaskData, knob
from rlgym.answers import Grid
from rlgym.generators.drawing import pictures
from rlgym.generators.grids import deduction_sheet, domains, layout, plain_search, singleton_consistency
from rlgym.generators.grids.layout import Cells

WAYS = "NESW"
PIPES = tuple("".join(side for i, side in enumerate(WAYS) if v >> i & 1) for v in range(16))
OPEN = tuple(sum(1 << v for v in range(16) if v >> i & 1) for i in range(4))  # the pipes that are open in a direction
OPENING = (
    "r2c3 stands for the pipe in row 2, column 3, and it is said in which ways it may still lie; what does not meet a pipe "
    "of which one way is left is ruled out at once, without saying."
)
END = "The board:\n{answer}"


class Knobs(Config):
    size: int = knob(6, easy=3, hard=11, doc="rows and columns")
    rings: int = knob(10, easy=0, hard=20, doc="percent of the neighbours not joined by a tree of pipes that are joined as well")
    fixed: int = knob(
        15, easy=40, hard=0, doc="percent of pipes that are fixed, more where the solution would not be unique or not be found"
    )
    reasoning: str = knob(
        "trying", easy="direct", hard="trying", order=domains.REASONING, doc="whether suppositions that fail are needed as well"
    )


class Data(TaskData):
    given: tuple[tuple[str, ...], ...]
    fixed: tuple[int, ...]  # cells
    closed: bool  # whether the board closes round at its edges


def generate(rng: Rng, knobs: Knobs) -> Task[Data]:
    return _sample_task(rng, knobs, False)


def shift(rng: Rng, knobs: Knobs) -> Task[Data]:
    """The board closes round: what leaves it at one edge comes in at the other one."""
    return _sample_task(rng, knobs, True)


def solve(task: Task[Data]) -> Cells:
    return _to_cells(domains.solve(_puzzle(task.data), _given_pipes(task.data)), task.data)


def verify(task: Task[Data], answer: Cells) -> Score:
    data, size = task.data, len(task.data.given)
    if len(answer) != size or len(answer[0]) != size:
        return Score.wrong(f"the board must have {size} rows of {size} pipes")
    lies = []
    for cell, given in enumerate(pipe for row in data.given for pipe in row):
        letters_given = answer[cell // size][cell % size].upper()
        open_sides = sum(1 << i for i, side in enumerate(WAYS) if side in letters_given)
        if open_sides.bit_count() != len(letters_given) or open_sides not in _turns_of(given):
            return Score.wrong(f"{layout.place(cell, size)} does not show the pipe of that cell")
        if cell in data.fixed and open_sides != PIPES.index(given):
            return Score.wrong(f"{layout.place(cell, size)} is fixed")
        lies.append(open_sides)
    for cell, open_sides in enumerate(lies):
        for i, other in enumerate(_neighbours(cell, size, data.closed)):
            if open_sides >> i & 1 and not (other >= 0 and lies[other] >> (i ^ 2) & 1):
                return Score.wrong(f"an opening of {layout.place(cell, size)} meets none")
    return Score.exact(True)


def mistakes(task: Task[Data], right: Cells) -> list[Cells]:
    free = [
        cell for cell in range(len(right) ** 2) if cell not in task.data.fixed and 0 < len(right[cell // len(right)][cell % len(right)]) < 4
    ]
    where = [divmod(cell, len(right)) for cell in free]
    wrong = [layout.replace_cells(right, {(r, c): PIPES[_quarter(PIPES.index(right[r][c]))]}) for r, c in where[:2] + where[-1:]]
    return [*wrong, task.data.given, right[::-1], tuple(zip(*right))]


def cost(task: Task[Data]) -> float:
    return singleton_consistency.effort(_puzzle(task.data), _given_pipes(task.data))


def picture(task: Task[Data]) -> str:
    return pictures.board(task.data.given, shaded=task.data.fixed)


def _sample_task(rng: Rng, knobs: Knobs, closed: bool) -> Task[Data]:
    size = knobs.size
    while True:
        right = _sample_pipes(rng, size, knobs.rings, closed)
        free = Data(given=layout.rows_of([PIPES[v] for v in right], size), fixed=(), closed=closed)
        given = singleton_consistency.choose_givens(rng, _puzzle(free), right, size * size * knobs.fixed // 100, knobs.reasoning)
        lies = [PIPES[v if cell in given else rng.choice(_turns_of(PIPES[v]))] for cell, v in enumerate(right)]
        if lies != [PIPES[v] for v in right]:
            break
    data = Data(given=layout.rows_of(lies, size), fixed=tuple(sorted(given)), closed=closed)
    rows = layout.rows_of([pipe + "*" * (cell in given) for cell, pipe in enumerate(lies)], size)
    edge = (
        "The board wraps around: the last column is the left neighbour of the first one, and the last row the upper neighbour of the first one."
        if closed
        else "No pipe may be open towards the edge of the board."
    )
    prompt = (
        f"On each cell of a board of {size} rows and {size} columns lies a pipe, written as the directions in which it is open: N is up, E right, "
        f"S down, W left.\n\n{layout.render_grid(rows)}\n\nA pipe with a star is fixed; every other pipe may be turned on its cell by "
        "quarter turns (so NE can become ES, SW or NW). Turn the pipes so that every opening meets an opening: where a pipe is open towards a neighbouring "
        f"cell, the pipe there is open towards it. {edge} The pipes need not all be connected to each other."
    )
    return Task(prompt, data)


def _sample_pipes(rng: Rng, size: int, rings: int, closed: bool) -> list[int]:
    """Pipes that meet: along a random tree over all cells, and between some more neighbours."""
    lies, home = [0] * size**2, list(range(size**2))
    doors = [
        (cell, i, other) for cell in range(size**2) for i, other in enumerate(_neighbours(cell, size, closed)) if other >= 0 and i in (1, 2)
    ]
    for cell, i, other in rng.shuffled(doors):
        if home[cell] != home[other] or rng.integer(1, 100) <= rings:
            home = [home[cell] if label == home[other] else label for label in home]
            lies[cell] |= 1 << i
            lies[other] |= 1 << (i ^ 2)
    return lies


def _neighbours(cell: int, size: int, closed: bool) -> tuple[int, ...]:
    """The neighbours up, right, down and left; -1 where there is none."""
    row, column = divmod(cell, size)
    places = ((row - 1, column), (row, column + 1), (row + 1, column), (row, column - 1))
    return tuple(r % size * size + c % size if closed or (0 <= r < size and 0 <= c < size) else -1 for r, c in places)


def _quarter(pipe: int) -> int:
    return (pipe << 1 & 15) | pipe >> 3


def _turns_of(pipe: str) -> list[int]:
    lies = PIPES.index(pipe)
    quarters = (lies, _quarter(lies), _quarter(_quarter(lies)), _quarter(_quarter(_quarter(lies))))
    return sorted(set(quarters))


@lru_cache(maxsize=8)
def _puzzle(data: Data) -> domains.Puzzle:
    size = len(data.given)
    neighbours = [_neighbours(cell, size, data.closed) for cell in range(size**2)]
    masks = []
    for cell, pipe in enumerate(pipe for row in data.given for pipe in row):
        shut = [i for i, other in enumerate(neighbours[cell]) if other < 0]
        masks.append(sum(1 << v for v in _turns_of(pipe) if not any(v >> i & 1 for i in shut)))
    clash = tuple(
        tuple(
            tuple(
                (other, OPEN[i ^ 2] if not v >> i & 1 else ~OPEN[i ^ 2] & 0xFFFF) for i, other in enumerate(neighbours[cell]) if other >= 0
            )
            for v in range(16)
        )
        for cell in range(size**2)
    )
    names = tuple(layout.place(cell, size) for cell in range(size**2))
    rules = [
        domains.Rule(f"the side between {names[cell]} and {names[other]}", (cell, other), narrow=_side(cell, i, other))
        for cell in range(size**2)
        for i, other in enumerate(neighbours[cell])
        if other >= 0 and i in (1, 2)
    ]
    return domains.Puzzle(names, PIPES, tuple(masks), clash, tuple(rules))


def _side(cell: int, side: int, other: int) -> domains.Narrow:
    def narrow(can: domains.Masks) -> bool:
        mask_a, two = can[cell], can[other]
        for at, mine, theirs, i in ((other, two, mask_a, side), (cell, mask_a, two, side ^ 2)):
            facing = OPEN[i ^ 2]  # what is open towards the side from this cell
            if not theirs & ~OPEN[i]:
                can[at] = mine & facing
            elif not theirs & OPEN[i]:
                can[at] = mine & ~facing
        return bool(can[cell] and can[other])

    return narrow


def _given_pipes(data: Data) -> dict[int, int]:
    size = len(data.given)
    return {cell: PIPES.index(data.given[cell // size][cell % size]) for cell in data.fixed}


def _to_cells(lies: Sequence[int], data: Data) -> Cells:
    return layout.rows_of([PIPES[v] for v in lies], len(data.given))


def solutions(task: Task[Data]) -> Iterator[Cells]:
    for lies in plain_search.plain_backtrack(_puzzle(task.data), _given_pipes(task.data), lambda full: True):
        yield _to_cells(lies, task.data)


environment = Environment(
    Knobs, Grid("the board, one row per line, the pipes separated by spaces, each as its open directions in any order, without stars"),
    generate, solve, verify, mistakes, cost, version=3,
    solution=deduction_sheet.solution(_puzzle, END, OPENING, _given_pipes), shift=shift, picture=picture, answers="unique", solutions=solutions,
    concept="Begin where a pipe can lie in few ways, at the edges and beside fixed pipes: each side that is settled settles its neighbours.",
)  # fmt: skip
