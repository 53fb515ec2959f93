"""Place stars so that every row, column and region holds the same number of them and no two touch.

Uniqueness is proved when a board is made: cells change regions until one solution is left.
"""

from collections.abc import Iterator, Sequence
from functools import lru_cache

from rlgym import Config, Environment, Rng, Score, Task, TaskData, knob
from rlgym.answers import Grid
from rlgym.generators.drawing import pictures
from rlgym.generators.grids import bits, count_deductions, layout, regions, replays
from rlgym.generators.grids.bits import Count
from rlgym.generators.grids.clues import Budget
from rlgym.generators.grids.layout import Cells
from rlgym.generators.grids.regions import Region
from rlgym.generators.grids.singleton_consistency import sample_hard

ALTERED = 120  # cells that change their region before a new board is begun
LEAST_FOR_TWO = 8  # a smaller board has no place for two stars a line
TRIES = 3  # puzzles of which the hardest is taken


class Knobs(Config):
    size: int = knob(7, easy=5, hard=10, doc="rows and columns; at least 8 where a line holds two stars")
    stars: str = knob("1", easy="1", hard="2", order=("1", "2"), doc="stars in each row, column and region")
    reasoning: str = knob(
        "trying",
        easy="trying",
        hard="search",
        order=("trying", "search"),
        doc="whether suppositions that fail at once suffice, or some inside others may be needed",
    )
    suppositions: int = knob(
        10,
        easy=1,
        hard=70,
        scale="log",
        doc="suppositions that find the solution and prove it the only one, where some inside others are needed and as far as a few puzzles have them",
    )


class Data(TaskData):
    size: int
    stars: int
    regions: tuple[Region, ...]


def generate(rng: Rng, knobs: Knobs) -> Task[Data]:
    """The hardest of a few boards, where suppositions inside suppositions are needed."""
    wanted = knobs.suppositions if knobs.reasoning == "search" else 0
    return sample_hard(lambda: _sample_once(rng, knobs), lambda task: bits.count_suppositions(_puzzle(task.data)), wanted, TRIES)


def _sample_once(rng: Rng, knobs: Knobs) -> Task[Data]:
    stars = int(knobs.stars)
    size = max(knobs.size, LEAST_FOR_TWO) if stars == 2 else knobs.size
    data = None
    while data is None:
        data = _sample_unique(rng, size, stars, knobs.reasoning, bits.proof_steps(knobs.reasoning, knobs.suppositions))
    many = f"{stars} star" + "s" * (stars > 1)
    prompt = (
        f"Place stars on a board of {size} rows and {size} columns. Each row, each column and each region must hold exactly {many}, and no two "
        "stars may touch, not even diagonally. Each cell is shown here by the letter of its region:\n\n"
        f"{regions.render_regions(data.regions, size)}"
    )
    return Task(prompt, data)


def solve(task: Task[Data]) -> Cells:
    return _to_cells(next(bits.backtrack(_puzzle(task.data), Budget(10**9))), task.data.size)


def verify(task: Task[Data], answer: Cells) -> Score:
    data = task.data
    size = data.size
    if reason := layout.find_misfit(answer, ["." * size] * size, "*."):
        return Score.wrong(reason)
    cells = [cell for row in answer for cell in row]
    for unit, name in _units(size, data.regions):
        if sum(cells[cell] == "*" for cell in unit) != data.stars:
            return Score.wrong(f"{name} does not hold {data.stars} of the stars")
    near = regions.touching_neighbours(size, size)
    touch = any(cells[other] == "*" for cell, sign in enumerate(cells) if sign == "*" for other in near[cell])
    return Score.exact(not touch, "two stars touch")


def mistakes(task: Task[Data], right: Cells) -> list[Cells]:
    size = task.data.size
    diagonal = tuple(tuple("*" if r == c else "." for c in range(size)) for r in range(size))
    one_less = list("".join(cell for row in right for cell in row))
    one_less[one_less.index("*")] = "."
    return [
        *layout.exchange_neighbours(right, ["." * size] * size),
        right[::-1],
        tuple(zip(*right)),
        diagonal,
        layout.rows_of(one_less, size),
    ]


def cost(task: Task[Data]) -> float:
    return bits.effort(_puzzle(task.data)) * task.data.stars


def picture(task: Task[Data]) -> str:
    size = task.data.size
    return pictures.board([" " * size] * size, regions=regions.owners(task.data.regions))


def _words(size: int) -> count_deductions.Words:
    places = [layout.place(cell, size) for cell in range(size * size)]
    return count_deductions.Words([f"{place} is a star" for place in places], [f"{place} is empty" for place in places])


def _sample_unique(rng: Rng, size: int, stars: int, reasoning: str, steps: int) -> Data | None:
    """A random board with one solution, or None where altering a first one does not lead to it."""
    plain = Data(size=size, stars=stars, regions=())
    right = next(bits.backtrack(_puzzle(plain), Budget(100_000), rng=rng))
    seeds = _join_pairs(rng, bits.members(right), size) if stars == 2 else [(cell,) for cell in bits.members(right)]
    if seeds is None:
        return None
    areas = regions.grow_region(rng, size, size, seeds)
    for _ in range(ALTERED):
        data = Data(size=size, stars=stars, regions=tuple(sorted(areas)))
        doubt = bits.undetermined_cells(_puzzle(data), right, reasoning, steps=steps)
        if not doubt:
            return data
        moved = _move_cell(rng, areas, bits.members(doubt & ~right), size)
        if moved is None:
            return None
        areas = moved
    return None


def _move_cell(rng: Rng, areas: list[Region], doubt: Sequence[int], size: int) -> list[Region] | None:
    """The regions after one of the cells in doubt went over to a neighbouring region, with all still connected."""
    near = regions.neighbours_by_cell(size, size)
    home = {cell: i for i, area in enumerate(areas) for cell in area}
    for cell in rng.shuffled(doubt):
        others = sorted({home[other] for other in near[cell]} - {home[cell]})
        left = tuple(other for other in areas[home[cell]] if other != cell)
        if others and len(regions.pieces(left, near)) == 1:
            to = rng.choice(others)
            return [left if i == home[cell] else tuple(sorted((*area, cell))) if i == to else area for i, area in enumerate(areas)]
    return None


def _join_pairs(rng: Rng, stars: list[int], size: int) -> list[Region] | None:
    """Paths without common cells that each join two stars; None where some star is walled in."""
    near, free = regions.neighbours_by_cell(size, size), set(range(size * size)) - set(stars)
    unpaired = rng.shuffled(stars)
    paths: list[Region] = []
    while unpaired:
        first = unpaired.pop()
        ways: dict[int, Region] = {first: (first,)}
        queue = [first]
        for cell in queue:
            for other in near[cell]:
                if other not in ways and (other in free or other in unpaired):
                    ways[other] = (*ways[cell], other)
                    if other in free:
                        queue.append(other)
        mate = next((cell for cell in ways if cell in unpaired), None)
        if mate is None:
            return None
        unpaired.remove(mate)
        free.difference_update(ways[mate])
        paths.append(ways[mate])
    return paths


@lru_cache(maxsize=2)
def _puzzle(data: Data) -> bits.Puzzle:
    size, stars = data.size, data.stars
    counts = [Count(bits.as_set(unit), stars, stars, f"{name} holds {stars}") for unit, name in _units(size, data.regions)]
    corners = [r * size + c for r in range(size - 1) for c in range(size - 1)]
    for cell in corners:
        block = (cell, cell + 1, cell + size, cell + size + 1)
        counts.append(Count(bits.as_set(block), 0, 1, f"of {regions.describe_regions(block, size)}, which touch, only one may be a star"))
    return bits.Puzzle(size * size, tuple(counts))


def _units(size: int, areas: Sequence[Region]) -> list[tuple[Sequence[int], str]]:
    rows = [(range(r * size, r * size + size), f"row {r + 1}") for r in range(size)]
    columns = [(range(c, size * size, size), f"column {c + 1}") for c in range(size)]
    return [*rows, *columns, *((area, f"region {name}") for name, area in zip(regions.letters(areas), areas))]


def _to_cells(stars: int, size: int) -> Cells:
    return layout.rows_of(["*" if stars >> cell & 1 else "." for cell in range(size * size)], size)


def solutions(task: Task[Data]) -> Iterator[Cells]:
    for stars in bits.solve_with_z3(_puzzle(task.data)):
        yield _to_cells(stars, task.data.size)


def _mark_puzzle(task: Task[Data]) -> replays.MarkPuzzle:
    return replays.MarkPuzzle(_puzzle(task.data), _words(task.data.size))


environment = Environment(
    Knobs, Grid("the board, one row per line, each cell * for a star or . for none and cells separated by spaces", single_characters=True),
    generate, solve, verify, mistakes, cost,
    solution=replays.mark_solution(_mark_puzzle, "The board is complete:\n{answer}"),
    picture=picture, answers="unique", solutions=solutions,
    concept="Look for regions and lines with few cells left, and for cells next to all of them: a star there would leave no place.",
    version=2,
)  # fmt: skip
