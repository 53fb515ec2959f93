"""Build the bridges of a hashi: every island gets as many as it says, none cross, and all islands are connected.

Two islands may be joined by up to two bridges, and in the shifted family by up to three.
"""

from collections.abc import Iterator
from functools import lru_cache

from rlgym import Config, Environment, Rng, Score, Task, TaskData, knob
from rlgym.answers import Grid
from rlgym.generators.drawing import pictures
from rlgym.generators.grids import layout, mark_deductions, marks
from rlgym.generators.grids.bits import Count, as_set
from rlgym.generators.grids.facts import sheet_solution
from rlgym.generators.grids.layout import Cells
from rlgym.generators.grids.loops import Linked
from rlgym.generators.grids.mark_deductions import Words
from rlgym.generators.grids.marks import Puzzle

ACROSS, DOWN = ".-=E", ".IH#"
"""The signs for each number of bridges: across, then up and down."""
DENSE = 22  # percent of cells with an island, as far as there is room
COUNTS = ("no bridge", "one bridge", "two bridges", "three bridges")


class Knobs(Config):
    size: int = knob(8, easy=5, hard=10, doc="rows and columns")
    double: int = knob(50, easy=20, hard=60, doc="percent of joined islands with more than one bridge")
    reasoning: str = knob(
        "direct",
        easy="direct",
        hard="trying",
        order=marks.REASONING,
        doc="whether rules applied one at a time suffice, or suppositions that fail are needed too",
    )


class Data(TaskData):
    most: int
    board: Cells  # numbers for islands, dots elsewhere
    known: tuple[tuple[int, int, int], ...]  # two islands, and how many bridges there are at least


Link = tuple[int, int, tuple[int, ...]]
"""Two islands that see each other, and the cells between them."""


def generate(rng: Rng, knobs: Knobs) -> Task[Data]:
    return _sample_task(rng, knobs, 2)


def shift(rng: Rng, knobs: Knobs) -> Task[Data]:
    return _sample_task(rng, knobs, 3)


def solve(task: Task[Data]) -> Cells:
    return _to_cells(task.data, marks.solve(_puzzle(task.data), _known_bridges(task.data)))


def verify(task: Task[Data], answer: Cells) -> Score:
    data, size = task.data, len(task.data.board)
    if reason := layout.find_misfit(answer, data.board, (ACROSS + DOWN[1:])):
        return Score.wrong(reason)
    signs = [sign for row in answer for sign in row]
    isle = {cell: int(sign) for cell, sign in enumerate(sign for row in data.board for sign in row) if sign != "."}
    rest = {cell for cell, sign in enumerate(signs) if sign != "." and cell not in isle}
    got = dict.fromkeys(isle, 0)
    joined: dict[int, set[int]] = {cell: set() for cell in isle}
    least = {(a, b): low for a, b, low in data.known}
    for a, b, between in _links(data.board):
        kind = (ACROSS if b - a < size and a // size == b // size else DOWN)[: data.most + 1]
        first = signs[between[0]]
        number = kind.find(first) if first in kind and all(signs[cell] == first for cell in between) else 0
        if number < least.get((a, b), 0):
            return Score.wrong("a bridge that is known is missing")
        if number > 0:
            rest.difference_update(between)
            got[a] += number
            got[b] += number
            joined[a].add(b)
            joined[b].add(a)
    if rest:
        return Score.wrong(f"the bridge at {layout.place(min(rest), size)} does not lead from island to island")
    for cell, number in isle.items():
        if got[cell] != number:
            return Score.wrong(f"the island at {layout.place(cell, size)} has another number of bridges")
    seen, waiting = {min(isle)}, [min(isle)]
    while waiting:
        fresh = joined[waiting.pop()] - seen
        seen |= fresh
        waiting += sorted(fresh)
    return Score.exact(len(seen) == len(isle), "the islands are not all connected")


def mistakes(task: Task[Data], right: Cells) -> list[Cells]:
    board = task.data.board
    more = {"-": "=", "=": "-", "I": "H", "H": "I"}
    swapped = tuple(tuple(more.get(sign, sign) for sign in row) for row in right)
    first = next((r, c) for r, row in enumerate(right) for c, sign in enumerate(row) if sign != board[r][c])
    gap = layout.replace_cells(right, {first: "."})
    turned = {"-": "I", "=": "H", "I": "-", "H": "=", "E": "#", "#": "E"}
    spun = tuple(tuple(turned.get(sign, sign) if old == "." else sign for sign, old in zip(row, given)) for row, given in zip(right, board))
    return [swapped, gap, spun, *layout.exchange_neighbours(right, board), tuple(map(tuple, board))]


def cost(task: Task[Data]) -> float:
    return marks.effort(_puzzle(task.data), _known_bridges(task.data))


def picture(task: Task[Data]) -> str:
    return pictures.board(task.data.board)


def _sample_task(rng: Rng, knobs: Knobs, most: int) -> Task[Data]:
    size = knobs.size
    chosen = _sample_bridges(rng, size, max(4, size * size * DENSE // 100), knobs.double, most)
    degree: dict[int, int] = {}
    for (a, b), number in chosen.items():
        degree[a], degree[b] = degree.get(a, 0) + number, degree.get(b, 0) + number
    board = layout.rows_of([str(degree[cell]) if cell in degree else "." for cell in range(size * size)], size)
    data = Data(most=most, board=board, known=())
    links = _links(board)
    right = as_set([i * most + k for i, (a, b, _) in enumerate(links) for k in range(chosen.get((a, b), 0))])
    givens = marks.add_givens(rng, _puzzle(data), right, knobs.reasoning, right)
    assert givens is not None
    known = []
    for i, (a, b, _) in enumerate(links):
        low = max((k + 1 for k in range(most) if givens[0] >> i * most + k & 1), default=0)
        known += [(a, b, low)] * (low > 0)
    told_known = "\n".join(
        f"Known: {'at least ' * (low < most)}{COUNTS[low]} between {layout.place(a, size)} and {layout.place(b, size)}."
        for a, b, low in known
    )
    named = " (r2c3 is the cell in row 2, column 3)" if known else ""
    signs = ", ".join(f"{ACROSS[k]} and {DOWN[k]} for {COUNTS[k]}" for k in range(1, most + 1))
    prompt = (
        "The numbers on this board are islands. Build bridges: straight lines across or up and down, each from one island to the next island in that "
        f"direction, with only empty cells between. Between two islands there are at most {COUNTS[most]}, side by side. Bridges do not cross. "
        "Every island has as many bridges as its number says, and from every island one can get to every other over bridges.\n\n"
        f"{layout.render_grid(board)}\n\nDraw the bridges into the cells between the islands: {signs}, the first character where they run across and the "
        f"second where they run up and down; a cell without a bridge stays a dot.{named}\n{told_known}"
    )
    return Task(prompt.rstrip(), Data(most=most, board=board, known=tuple(known)))


def _sample_bridges(rng: Rng, size: int, islands: int, double: int, most: int) -> dict[tuple[int, int], int]:
    """Bridges between islands, each new one built from an older one over free cells."""
    isles = [rng.integer(0, size * size - 1)]
    used: set[int] = set(isles)
    bridges: dict[tuple[int, int], int] = {}
    for _ in range(40 * islands):
        if len(isles) >= islands:
            break
        start, step = rng.choice(isles), rng.choice((1, -1, size, -size))
        path = []
        cell = start + step
        while 0 <= cell < size * size and (abs(step) > 1 or cell // size == start // size) and cell not in used:
            path.append(cell)
            cell += step
        stops = [i for i in range(1, len(path)) if not any(other in isles for other in _neighbours(path[i], size))]
        if stops:
            at = rng.choice(stops[:4])
            used.update(path[: at + 1])
            isles.append(path[at])
            bridges[(min(start, path[at]), max(start, path[at]))] = rng.integer(2, most) if rng.chance(double / 100) else 1
    board = layout.rows_of(["1" if cell in isles else "." for cell in range(size * size)], size)
    for a, b, between in rng.shuffled(_links(board)):
        if (a, b) not in bridges and used.isdisjoint(between) and rng.chance(0.5):
            bridges[(a, b)] = rng.integer(2, most) if rng.chance(double / 100) else 1
            used.update(between)
    return bridges


def _neighbours(cell: int, size: int) -> list[int]:
    return [cell + 1] * (cell % size < size - 1) + [cell - 1] * (cell % size > 0) + [cell + size, cell - size]


@lru_cache(maxsize=64)
def _links(board: Cells) -> tuple[Link, ...]:
    """The islands that see each other, upper or left one first."""
    size = len(board)
    links = []
    for cell in range(size * size):
        if board[cell // size][cell % size] == ".":
            continue
        for step, end in ((1, (cell // size + 1) * size), (size, size * size)):
            between: list[int] = []
            for other in range(cell + step, end, step):
                if board[other // size][other % size] != ".":
                    if between:
                        links.append((cell, other, tuple(between)))
                    break
                between.append(other)
    return tuple(links)


@lru_cache(maxsize=4)
def _puzzle(data: Data) -> Puzzle:
    """Question i * most + k: whether link i has more than k bridges."""
    size, most, links = len(data.board), data.most, _links(data.board)
    places = {cell: i for i, cell in enumerate(sorted({cell for a, b, _ in links for cell in (a, b)}))}
    rules: list[marks.Rule] = []
    for cell in places:
        sign = data.board[cell // size][cell % size]
        mine = as_set([i * most + k for i, (a, b, _) in enumerate(links) for k in range(most) if cell in (a, b)])
        rules.append(Count(mine, int(sign), int(sign), f"the island at {layout.place(cell, size)} has {sign}"))
    for i, (a, b, between) in enumerate(links):
        ends = f"{layout.place(a, size)} and {layout.place(b, size)}"
        wider = [(k, f"between {ends} {k + 1} bridges are more than {k}") for k in range(1, most)]
        rules += [Count(1 << i * most + k - 1, 1, 1, why, 1 << i * most + k) for k, why in wider]
        for j, (_, _, other) in enumerate(links[:i]):
            if not set(between).isdisjoint(other):
                crossed = f"{layout.place(links[j][0], size)} and {layout.place(links[j][1], size)}"
                pair = 1 << i * most | 1 << j * most
                rules.append(Count(pair, 0, 1, f"bridges between {ends} would cross those between {crossed}"))
    joined = tuple((places[a], places[b]) for a, b, _ in links)
    return Puzzle(len(links) * most, tuple(rules), (Linked(len(places), joined, "all islands must be connected", most),))


def _known_bridges(data: Data) -> int:
    at = {(a, b): i for i, (a, b, _) in enumerate(_links(data.board))}
    return as_set([at[a, b] * data.most + k for a, b, low in data.known for k in range(low)])


def _words(data: Data) -> Words:
    size, marked, blank = len(data.board), [], []
    for a, b, _ in _links(data.board):
        for k in range(data.most):
            ends = f"{layout.place(a, size)} and {layout.place(b, size)}"
            marked.append(f"at least {k + 1} between {ends}")
            blank.append(f"at most {k} between {ends}")
    return Words(marked, blank)


def _to_cells(data: Data, chosen: int) -> Cells:
    size, most = len(data.board), data.most
    signs = [sign for row in data.board for sign in row]
    for i, (a, b, between) in enumerate(_links(data.board)):
        number = (chosen >> i * most & (1 << most) - 1).bit_count()
        for cell in between if number else ():
            signs[cell] = (ACROSS if a // size == b // size else DOWN)[number]
    return layout.rows_of(signs, size)


def solutions(task: Task[Data]) -> Iterator[Cells]:
    for chosen in marks.solve_with_z3(_puzzle(task.data), _known_bridges(task.data)):
        yield _to_cells(task.data, chosen)


def _sheet(task: Task[Data]) -> mark_deductions.Marks:
    return mark_deductions.Marks(_puzzle(task.data), _words(task.data), _known_bridges(task.data))


environment = Environment(
    Knobs, Grid("the board, one row per line, with islands as given, bridges as described, and cells separated by spaces"),
    generate, solve, verify, mistakes, cost,
    solution=sheet_solution(_sheet), shift=shift, picture=picture, answers="unique", solutions=solutions,
    shared_helpers="The helper lists neighbours, runs or groups of cells; the rules are searched and checked apart.",
    concept="Compare what an island needs with what its neighbours can take, and keep groups of islands from being shut off.",
    version=3,
)  # fmt: skip
