"""Shade cells of a norinori: two in each region, and every shaded cell has exactly one shaded neighbour.

In the shifted family the board goes round: its edges are joined, right to left and bottom to top.
"""

from collections.abc import Iterator
from functools import lru_cache

from rlgym import Config, Environment, Rng, Score, Task, TaskData, knob
from rlgym.answers import Grid
from rlgym.generators.drawing import pictures
from rlgym.generators.grids import boards, layout, mark_deductions, marks, regions
from rlgym.generators.grids.bits import Count, as_set, members
from rlgym.generators.grids.facts import sheet_solution
from rlgym.generators.grids.layout import Cells
from rlgym.generators.grids.mark_deductions import Words
from rlgym.generators.grids.marks import Puzzle
from rlgym.generators.grids.singleton_consistency import sample_hard

MENDED = 60  # cells looked at for another region, a board
ATTEMPTS = 2  # boards tried for one with few known cells


TRIES = 6  # puzzles of which the hardest is taken


class Knobs(Config):
    size: int = knob(6, easy=4, hard=8, doc="rows and columns")
    across: int = knob(
        50, easy=0, hard=100, doc="how many pairs of shaded cells are taken apart, so that dominoes lie across regions, in percent"
    )
    reasoning: str = knob(
        "direct",
        easy="direct",
        hard="trying",
        order=marks.REASONING,
        doc="whether rules applied one at a time suffice, or suppositions that fail are needed too",
    )
    suppositions: int = knob(
        0, easy=0, hard=6, doc="wrong suppositions on the way to the solution, where they are needed and as far as a few puzzles have them"
    )


class Data(TaskData):
    kind: str  # square or round
    size: int
    homes: tuple[int, ...]  # the region of each cell
    known: tuple[int, ...]  # cells given as shaded


def generate(rng: Rng, knobs: Knobs) -> Task[Data]:
    return _sample_task(rng, knobs, "square")


def shift(rng: Rng, knobs: Knobs) -> Task[Data]:
    return _sample_task(rng, knobs, "round")


def solve(task: Task[Data]) -> Cells:
    data = task.data
    return marks.render_marks(marks.solve(_puzzle(data), as_set(data.known)), data.size, data.size)


def verify(task: Task[Data], answer: Cells) -> Score:
    data = task.data
    if reason := layout.find_misfit(answer, [["."] * data.size] * data.size, "#."):
        return Score.wrong(reason)
    shaded = {cell for cell, sign in enumerate(sign for row in answer for sign in row) if sign == "#"}
    counts = [0] * (max(data.homes) + 1)
    for cell in shaded:
        counts[data.homes[cell]] += 1
    if any(count != 2 for count in counts):
        return Score.wrong("a region has another number of shaded cells than two")
    around = boards.near(data.kind, data.size, data.size)
    if any(sum(other in shaded for other in around[cell]) != 1 for cell in shaded):
        return Score.wrong("a shaded cell has no shaded neighbour, or several")
    return Score.exact(shaded.issuperset(data.known), "a cell known to be shaded is not")


def mistakes(task: Task[Data], right: Cells) -> list[Cells]:
    data = task.data
    swapped = tuple(tuple("." if sign == "#" else "#" for sign in row) for row in right)
    first = next((r, c) for r, row in enumerate(right) for c, sign in enumerate(row) if sign == "#")
    single = layout.replace_cells(right, {first: "."})
    return [single, swapped, *layout.exchange_neighbours(right, [["."] * data.size] * data.size), right[::-1], tuple(zip(*right))]


def cost(task: Task[Data]) -> float:
    return marks.effort(_puzzle(task.data), as_set(task.data.known))


def picture(task: Task[Data]) -> str:
    size = task.data.size
    return pictures.board([[""] * size] * size, regions=task.data.homes, shaded=task.data.known)


def _sample_task(rng: Rng, knobs: Knobs, kind: str) -> Task[Data]:
    """The hardest of a few puzzles, where suppositions are needed."""
    wanted = knobs.suppositions if knobs.reasoning == "trying" else 0
    return sample_hard(
        lambda: _sample_once(rng, knobs, kind), lambda task: marks.count_refuted(_puzzle(task.data), as_set(task.data.known)), wanted, TRIES
    )


def _sample_once(rng: Rng, knobs: Knobs, kind: str) -> Task[Data]:
    best: Data | None = None
    for _ in range(ATTEMPTS):
        data, shaded = _sample_regions(rng, knobs, kind)
        data = _repair(rng, data, shaded)
        givens = marks.add_givens(rng, _puzzle(data), shaded, knobs.reasoning, shaded)
        if givens and (best is None or givens[0].bit_count() < len(best.known)):
            best = Data(kind=kind, size=data.size, homes=data.homes, known=tuple(members(givens[0])))
            if len(best.known) < 2:
                break
    assert best is not None
    rows = [
        [regions.letters(range(max(best.homes) + 1))[home] for home in best.homes[i : i + best.size]]
        for i in range(0, len(best.homes), best.size)
    ]
    known = (
        f"\nKnown to be shaded (r2c3 is the cell in row 2, column 3): {regions.describe_regions(best.known, best.size)}."
        if best.known
        else ""
    )
    prompt = (
        "Each letter on this board marks a region. Shade cells so that every region has exactly two shaded cells, and every shaded cell has "
        "exactly one shaded cell among its neighbours above, below, left and right, which may be in another region."
        f"{' ' + boards.ROUND_SAID if kind == 'round' else ''}\n\n{layout.render_grid(rows)}\n{known}"
    )
    return Task(prompt.rstrip(), best)


def _sample_regions(rng: Rng, knobs: Knobs, kind: str) -> tuple[Data, int]:
    """A board whose regions, grown around pairs of cells of dominoes, hold two shaded cells each; and what is shaded."""
    size = knobs.size
    around = boards.near(kind, size, size)
    shaded: list[int] = []
    free = set(range(size * size))
    for cell in rng.shuffled(range(size * size)):
        other = rng.choice(around[cell])
        if cell in free and other in free:
            shaded += [cell, other]
            for domino_cell in (cell, other):
                free -= {domino_cell, *around[domino_cell]}
    homes = _pair_regions(rng, around, shaded, len(shaded) * knobs.across // 100)
    return Data(kind=kind, size=size, homes=homes, known=()), as_set(shaded)


def _repair(rng: Rng, data: Data, shaded: int) -> Data:
    """The board with blank cells moved to other regions as long as that leaves no more cells undecided."""
    around = boards.near(data.kind, data.size, data.size)
    homes, undetermined = data.homes, marks.undetermined_cells(_puzzle(data), shaded, "direct")
    for _ in range(MENDED):
        if not undetermined & ~shaded:
            break
        cell = rng.choice(members(undetermined & ~shaded))
        others = sorted({homes[other] for other in around[cell]} - {homes[cell]})
        rest = [other for other, home in enumerate(homes) if home == homes[cell] and other != cell]
        if others and len(regions.pieces(rest, around)) == 1:
            moved = (*homes[:cell], rng.choice(others), *homes[cell + 1 :])
            after = marks.undetermined_cells(_puzzle(Data(kind=data.kind, size=data.size, homes=moved, known=())), shaded, "direct")
            if after.bit_count() <= undetermined.bit_count():
                homes, undetermined = moved, after
    return Data(kind=data.kind, size=data.size, homes=homes, known=())


def _pair_regions(rng: Rng, around: boards.Near, shaded: list[int], exchanges: int) -> tuple[int, ...]:
    """The region of each cell: each shaded cell grows a piece, and pieces are joined two by two, at first those of a domino."""
    piece = {cell: i for i, cell in enumerate(shaded)}
    edge = [(other, i) for cell, i in piece.items() for other in around[cell]]
    while edge:
        at = rng.integer(0, len(edge) - 1)
        edge[at], edge[-1] = edge[-1], edge[at]
        cell, i = edge.pop()
        if cell not in piece:
            piece[cell] = i
            edge += [(other, i) for other in around[cell]]
    touch = {(i, piece[other]) for cell, i in piece.items() for other in around[cell]}
    mate = [i ^ 1 for i in range(len(shaded))]
    for _ in range(8 * exchanges):
        a, c = rng.integer(0, len(mate) - 1), rng.integer(0, len(mate) - 1)
        b, d = mate[a], mate[c]
        if c not in (a, b) and (a, c) in touch and (b, d) in touch:
            mate[a], mate[c], mate[b], mate[d] = c, a, d, b
    names: dict[int, int] = {}
    return tuple(names.setdefault(min(piece[cell], mate[piece[cell]]), len(names)) for cell in range(len(around)))


@lru_cache(maxsize=4)
def _puzzle(data: Data) -> Puzzle:
    size = data.size
    around = boards.near(data.kind, size, size)
    rules: list[marks.Rule] = []
    for home, name in enumerate(regions.letters(range(max(data.homes) + 1))):
        cells = as_set([cell for cell, at in enumerate(data.homes) if at == home])
        rules.append(Count(cells, 2, 2, f"region {name} has two shaded cells"))
    names = [layout.place(cell, size) for cell in range(size * size)]
    rules += [
        Count(as_set(around[cell]), 1, 1, f"{name} has one shaded neighbour if it is shaded", 1 << cell) for cell, name in enumerate(names)
    ]
    return Puzzle(size * size, tuple(rules))


@lru_cache(maxsize=16)
def _words(size: int) -> Words:
    places = [layout.place(cell, size) for cell in range(size * size)]
    return Words([f"{place} is shaded" for place in places], [f"{place} is blank" for place in places])


def solutions(task: Task[Data]) -> Iterator[Cells]:
    for shaded in marks.solve_with_z3(_puzzle(task.data), as_set(task.data.known)):
        yield marks.render_marks(shaded, task.data.size, task.data.size)


def _sheet(task: Task[Data]) -> mark_deductions.Marks:
    return mark_deductions.Marks(_puzzle(task.data), _words(task.data.size), as_set(task.data.known))


environment = Environment(
    Knobs, Grid("the board, one row per line, each cell # if shaded or . if not, with cells separated by spaces", single_characters=True),
    generate, solve, verify, mistakes, cost, version=3,
    solution=sheet_solution(_sheet), shift=shift, picture=picture, answers="unique", solutions=solutions,
    shared_helpers="The helper lists neighbours, runs or groups of cells; the rules are searched and checked apart.",
    concept="Shaded cells come as dominoes that may lie across two regions; cells that would touch three shaded ones drop out.",
)  # fmt: skip
