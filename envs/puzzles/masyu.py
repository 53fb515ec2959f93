"""Draw the single loop of a masyu: it passes all pearls, turning at black ones and going straight through white ones.

At a black pearl the loop goes straight through the next cell both ways; at a white one it goes straight and turns in the cell before or after.
"""

from collections.abc import Iterator, Sequence
from functools import lru_cache

from rlgym import Config, Environment, Rng, Score, Task, TaskData, knob
from rlgym.answers import Grid
from rlgym.generators.drawing import pictures
from rlgym.generators.grids import lanes, layout, mark_deductions, marks
from rlgym.generators.grids.bits import members
from rlgym.generators.grids.facts import sheet_solution
from rlgym.generators.grids.layout import Cells
from rlgym.generators.grids.loops import Loop
from rlgym.generators.grids.marks import Puzzle, Ways

CHECKS = 6  # checks of what suppositions suffice for, a board


class Knobs(Config):
    size: int = knob(6, easy=4, hard=8, doc="rows and columns")
    pearls: int = knob(50, easy=100, hard=0, doc="percent of possible pearls that are shown, as far as the loop stays the only one")
    reasoning: str = knob(
        "direct",
        easy="direct",
        hard="trying",
        order=marks.REASONING,
        doc="whether rules applied one at a time suffice, or suppositions that fail are needed too",
    )


class Data(TaskData):
    board: tuple[str, ...]  # B and W for pearls, dots elsewhere
    known: tuple[int, ...]  # edges given as part of the loop


def generate(rng: Rng, knobs: Knobs) -> Task[Data]:
    size = knobs.size
    loop = lanes.sample_loop(rng, size)
    pearls = _pearls(size, loop)

    def data(kept: Sequence[int], known: tuple[int, ...] = ()) -> Data:
        return Data(board=tuple("".join(row) for row in layout.rows_of(_signs(size, pearls, kept), size)), known=known)

    givens = marks.add_givens(rng, _puzzle(data(range(len(pearls)))), loop, knobs.reasoning, loop)
    assert givens is not None, "a loop whose pieces are all known is known"

    def decides(kept: list[int], reasoning: str) -> bool:
        return not marks.undetermined_cells(_puzzle(data(kept)), loop, reasoning, givens[0])

    kept = marks.choose_clues(rng, len(pearls), max(1, len(pearls) * knobs.pearls // 100), knobs.reasoning, decides, CHECKS)
    data_drawn = data(kept, tuple(members(givens[0])))
    return Task(_render_prompt(data_drawn), data_drawn)


def solve(task: Task[Data]) -> Cells:
    return lanes.render_loop(len(task.data.board), marks.solve(_puzzle(task.data), _known_edges(task.data)))


def verify(task: Task[Data], answer: Cells) -> Score:
    size = len(task.data.board)
    if reason := layout.find_misfit(answer, [["."] * size] * size, lanes.SIGNS):
        return Score.wrong(reason)
    loop = lanes.read_loop(answer)
    if isinstance(loop, str):
        return Score.wrong(loop)
    if _known_edges(task.data) & ~loop:
        return Score.wrong("a piece of the loop that is known is missing")
    if reason := lanes.find_loop_fault(size, loop):
        return Score.wrong(reason)
    fitting = dict(_pearls(size, loop))
    for cell, sign in enumerate("".join(task.data.board)):
        if sign != "." and fitting.get(cell) != sign:
            return Score.wrong(f"the loop does not pass the pearl at {layout.place(cell, size)} as it must")
    return Score.exact(True)


def mistakes(task: Task[Data], right: Cells) -> list[Cells]:
    size = len(right)
    rim = lanes.render_loop(size, lanes.around(size, 0, 0, size - 1, size - 1))
    first = next((r, c) for r, row in enumerate(right) for c, sign in enumerate(row) if sign != ".")
    gap = layout.replace_cells(right, {first: "."})
    return [gap, rim, *layout.exchange_neighbours(right, [["."] * size] * size), right[::-1]]


def cost(task: Task[Data]) -> float:
    return marks.effort(_puzzle(task.data), _known_edges(task.data))


def picture(task: Task[Data]) -> str:
    return pictures.board(task.data.board)


def _render_prompt(data: Data) -> str:
    size = len(data.board)
    known = (
        f"\n\nKnown to be part of the loop: {lanes.describe_edges(size, data.known)} (r2c3 is the cell in row 2, column 3)."
        if data.known
        else ""
    )
    return (
        "Draw one closed loop on this board. It goes from cell centre to cell centre, across or up and down, and does not cross, touch or "
        "branch anywhere; it need not visit all cells. It passes through every pearl. At a black pearl (B) it turns, and goes straight on through "
        "the cell before and the cell after. At a white pearl (W) it goes straight on, and turns in the cell before or in the cell after or in "
        f"both.\n\n{layout.render_grid(data.board)}\n\n{lanes.EXPLAINED}{known}"
    )


def _signs(size: int, pearls: list[tuple[int, str]], kept: Sequence[int]) -> list[str]:
    signs = ["."] * (size * size)
    for i in kept:
        signs[pearls[i][0]] = pearls[i][1]
    return signs


def _pearls(size: int, loop: int) -> list[tuple[int, str]]:
    """Where a pearl fits a loop, and which."""
    at = lanes.edges_at(size)
    shape = [frozenset(direction for direction, edge in at[cell].items() if loop >> edge & 1) for cell in range(size * size)]
    straight = [sides in ({"left", "right"}, {"up", "down"}) for sides in shape]
    pearls = []
    for cell, ways in enumerate(shape):
        after = [straight[lanes.neighbour(size, cell, direction)] for direction in sorted(ways)]
        if ways and straight[cell] and not all(after):
            pearls.append((cell, "W"))
        elif ways and not straight[cell] and all(after):
            pearls.append((cell, "B"))
    return pearls


@lru_cache(maxsize=4)
def _puzzle(data: Data) -> Puzzle:
    size = len(data.board)
    rules = lanes.degree_rules(size)
    through = 0
    for cell, sign in enumerate("".join(data.board)):
        if sign != ".":
            through |= 1 << cell
            name = f"the {'black' if sign == 'B' else 'white'} pearl at {layout.place(cell, size)}"
            does = "turns, with straight ways" if sign == "B" else "goes straight, with a turn before or after"
            cells, ways = _around_pearl(size, cell, sign)
            rules.append(Ways(cells, ways, f"at {name} the loop {does}"))
    return Puzzle(len(lanes.edge_ends(size)), tuple(rules), (Loop(lanes.edge_ends(size), "there is only one loop", through),))


@lru_cache(maxsize=1000)
def _around_pearl(size: int, cell: int, sign: str) -> tuple[int, tuple[int, ...]]:
    """The edges at a pearl and one further straight on, and how they can be marked."""
    at = lanes.edges_at(size)
    open_sides = at[cell]
    further = {direction: at[lanes.neighbour(size, cell, direction)].get(direction) for direction in open_sides}
    cells = sum(1 << edge for edge in open_sides.values()) | sum(1 << edge for edge in further.values() if edge is not None)
    subsets = []
    for subset in marks.subsets(cells):
        used = [name for name, edge in open_sides.items() if subset >> edge & 1]
        if len(used) != 2:
            continue
        straight = {*used} in ({"left", "right"}, {"up", "down"})
        on = [(edge := further[name]) is not None and bool(subset >> edge & 1) for name in used]
        if (sign == "W" and straight and not all(on)) or (sign == "B" and not straight and all(on)):
            subsets.append(subset)
    return cells, tuple(subsets)


def _known_edges(data: Data) -> int:
    return sum(1 << edge for edge in data.known)


def solutions(task: Task[Data]) -> Iterator[Cells]:
    for loop in marks.solve_with_z3(_puzzle(task.data), _known_edges(task.data)):
        if loop:
            yield lanes.render_loop(len(task.data.board), loop)


def _sheet(task: Task[Data]) -> mark_deductions.Marks:
    return mark_deductions.Marks(_puzzle(task.data), lanes.edge_words(len(task.data.board)), _known_edges(task.data))


environment = Environment(
    Knobs, Grid("the board, one row per line, with a character for each cell as described, separated by spaces", single_characters=True),
    generate, solve, verify, mistakes, cost,
    solution=sheet_solution(_sheet), shift=None, picture=picture, answers="unique", solutions=solutions,
    concept="Black pearls near the edge and white ones in a row settle pieces at once; then no piece may close while others are outside.",
    version=2,
)  # fmt: skip
