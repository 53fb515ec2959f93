"""Find how a grid of numbers was laid out with dominoes, each pair of numbers occurring on exactly one domino.

Grids come from random layouts of a whole set; some dominoes are given where the layout would not be unique. On the upper levels some numbers cannot be
read, so that a domino that seems to have one place may have others, and many suppositions have to be refuted.
"""

from collections.abc import Iterator, Sequence
from functools import lru_cache

from rlgym import Config, Environment, Rng, Score, Task, TaskData, knob
from rlgym.answers import Grid
from rlgym.generators.drawing import pictures
from rlgym.generators.grids import deduction_sheet, domains, layout, plain_search, regions, singleton_consistency
from rlgym.generators.grids.layout import Cells

SIDES = {"R": (0, 1), "L": (0, -1), "D": (1, 0), "U": (-1, 0)}
OPENING = (
    "r2c3 stands for the cell in row 2, column 3, and r2c3-r2c4 for a place of two cells; a domino that is laid is ruled out at once, "
    "without saying, for all others the places that share a cell with it."
)
TRIES = 2  # boards that are drawn once more
END = "All dominoes are laid:\n{answer}"


class Knobs(Config):
    largest: int = knob(5, easy=3, hard=5, doc="the largest number; the set holds each pair of numbers from 0 to it once")
    hidden: int = knob(0, easy=0, hard=12, doc="cells whose number cannot be read, as long as suppositions that fail find the layout")
    given_dominoes: int = knob(
        4, easy=20, hard=0, doc="percent of dominoes given, more where the layout would not be unique or not be found"
    )
    reasoning: str = knob(
        "trying",
        easy="direct",
        hard="trying",
        order=domains.REASONING,
        doc="whether the only place of a domino and the only domino of a cell suffice, or suppositions that fail are needed as well",
    )


class Data(TaskData):
    largest: int
    numbers: tuple[tuple[int, ...], ...]  # -1 where it cannot be read
    told: tuple[tuple[int, int], ...]


def generate(rng: Rng, knobs: Knobs) -> Task[Data]:
    return _sample_task(rng, knobs, knobs.largest + 1, knobs.largest + 2)


def shift(rng: Rng, knobs: Knobs) -> Task[Data]:
    """Long, low grids, whose layouts fall into blocks."""
    cells = (knobs.largest + 1) * (knobs.largest + 2)
    height = next(height for height in (3, 4, 2, 5) if cells % height == 0 and cells <= 30 * height)
    return _sample_task(rng, knobs, height, cells // height)


def solve(task: Task[Data]) -> Cells:
    return _to_cells(task.data, domains.solve(_puzzle(task.data), _given_cells(task.data)))


def verify(task: Task[Data], answer: Cells) -> Score:
    numbers, pairs = task.data.numbers, list[tuple[int, int]]()
    height, width = len(numbers), len(numbers[0])
    if reason := layout.find_misfit(answer, ["." * width] * height, "RLDU"):
        return Score.wrong(reason)
    back = {"R": "L", "L": "R", "D": "U", "U": "D"}
    for r in range(height):
        for c in range(width):
            side = answer[r][c]
            i, j = r + SIDES[side][0], c + SIDES[side][1]
            if not (0 <= i < height and 0 <= j < width) or answer[i][j] != back[side]:
                return Score.wrong(f"row {r + 1}, column {c + 1} points at no cell that points back")
            pair = (numbers[r][c], numbers[i][j])
            if side in "RD" and min(pair) >= 0 and (pair in pairs or pair[::-1] in pairs):
                return Score.wrong(f"the domino {min(pair)}-{max(pair)} is used twice")
            if side in "RD":
                pairs.append(pair)
    for a, b in task.data.told:
        if answer[a // width][a % width] != ("R" if b == a + 1 else "D"):
            return Score.wrong("a given domino is not laid")
    return Score.exact(_is_whole_set(pairs, task.data.largest), "the numbers that cannot be read do not complete the set of dominoes")


def _is_whole_set(pairs: Sequence[tuple[int, int]], largest: int) -> bool:
    """Whether each pair, with -1 for any number, can be a domino of its own, by augmenting paths."""
    mate: dict[int, int] = {}

    def place(k: int, tried: set[int]) -> bool:
        for domino in _choices(largest)[pairs[k]]:
            if domino not in tried:
                tried.add(domino)
                if domino not in mate or place(mate[domino], tried):
                    mate[domino] = k
                    return True
        return False

    return all(place(k, set()) for k in range(len(pairs)))


def _dominoes(largest: int) -> list[tuple[int, int]]:
    return [(a, b) for a in range(largest + 1) for b in range(a, largest + 1)]


@lru_cache(maxsize=16)
def _choices(largest: int) -> dict[tuple[int, int], list[int]]:
    """For two numbers side by side, -1 for any, which dominoes can lie there, as places in the list of all."""
    seen = range(-1, largest + 1)
    return {
        (a, b): [i for i, (p, q) in enumerate(_dominoes(largest)) if (a in (-1, p) and b in (-1, q)) or (a in (-1, q) and b in (-1, p))]
        for a in seen
        for b in seen
    }


def mistakes(task: Task[Data], right: Cells) -> list[Cells]:
    height, width = len(right), len(right[0])
    across = tuple(tuple("RL"[c % 2] for c in range(width)) for _ in range(height))
    down = tuple(tuple("DU"[r % 2] for _ in range(width)) for r in range(height))
    swap = {"R": "L", "L": "R", "D": "U", "U": "D"}
    return [across, down, tuple(tuple(swap[cell] for cell in row) for row in right), right[::-1], *_turn_pairs(right)]


def cost(task: Task[Data]) -> float:
    return singleton_consistency.effort(_puzzle(task.data), _given_cells(task.data))


def picture(task: Task[Data]) -> str:
    numbers = task.data.numbers
    return pictures.board([[_sign(n) for n in row] for row in numbers], shaded={cell for pair in task.data.told for cell in pair})


def _sample_task(rng: Rng, knobs: Knobs, height: int, width: int) -> Task[Data]:
    data, most = _sample_data(rng, knobs, height, width)
    for _ in range(TRIES):
        if most >= 2 * (knobs.hidden - 6):
            break
        other, refuted = _sample_data(rng, knobs, height, width)
        if refuted > most:
            data, most = other, refuted
    return Task(_render_prompt(data), data)


def _sample_data(rng: Rng, knobs: Knobs, height: int, width: int) -> tuple[Data, int]:
    """A board, and how many suppositions have to be refuted."""
    places = _sample_tiling(rng, height, width)
    numbers = [0] * (height * width)
    dominoes = _dominoes(knobs.largest)
    for domino, (a, b) in zip(dominoes, places, strict=True):
        numbers[a], numbers[b] = domino if rng.chance(0.5) else domino[::-1]
    rows = tuple(tuple(numbers[i : i + width]) for i in range(0, height * width, width))
    work = _puzzle(Data(largest=knobs.largest, numbers=rows, told=()))
    right = [work.value[_spot(place, width)] for place in places]
    given = singleton_consistency.add_givens(rng, work, right, {}, knobs.reasoning)
    spare = rng.shuffled([at for at in range(len(dominoes)) if at not in given])[
        : max(0, len(dominoes) * knobs.given_dominoes // 100 - len(given))
    ]
    givens = tuple(sorted(places[at] for at in [*given, *spare]))
    data = Data(largest=knobs.largest, numbers=rows, told=givens)
    refuted = _count_refuted(data, knobs.reasoning) or 0
    cells = rng.shuffled([cell for cell in range(height * width) if not any(cell in place for place in givens)])
    hidden: list[int] = []
    for _ in range(knobs.hidden + 4):
        if not cells or len(hidden) >= knobs.hidden or refuted > knobs.hidden + 6:
            break
        some = cells[: 1 if hidden else min(3, knobs.hidden)]  # some at once at first, since a check is slow
        other = data.model_copy(update={"numbers": _without(rows, [*hidden, *some])})
        count = _count_refuted(other, knobs.reasoning)
        if count is not None:
            data, refuted, hidden = other, count, [*hidden, *some]
        cells = cells[len(some) :]
    return data, refuted


def _without(rows: tuple[tuple[int, ...], ...], cells: Sequence[int]) -> tuple[tuple[int, ...], ...]:
    """The numbers, with -1 in these cells."""
    width = len(rows[0])
    return tuple(tuple(-1 if r * width + c in cells else number for c, number in enumerate(row)) for r, row in enumerate(rows))


def _count_refuted(data: Data, reasoning: str) -> int | None:
    """How many suppositions fail on the way to the layout; None where this kind of reasoning does not find it."""
    puzzle = _puzzle(data)
    can = domains.propagate_givens(puzzle, _given_cells(data))
    assert can is not None
    count = singleton_consistency.singleton_consistency(puzzle, can) if reasoning == "trying" else 0
    return None if any(mask & mask - 1 for mask in can) else count


def _sign(number: int) -> str:
    return "?" if number < 0 else str(number)


def _render_prompt(data: Data) -> str:
    height, width = len(data.numbers), len(data.numbers[0])
    listed = ", ".join(_spot(place, width) for place in data.told)
    known = f"\n\nKnown dominoes (r2c3 is the cell in row 2, column 3): {listed}." if listed else ""
    hidden = any(-1 in row for row in data.numbers)
    left = "Only these numbers can still be read, and a ? stands for one that cannot" if hidden else "Only the numbers can still be seen"
    return (
        f"A whole set of dominoes, one for each pair of numbers from 0 to {data.largest} (doubles such as 0-0 included), was laid on this "
        f"board of {height} rows and {width} columns, each domino on two cells side by side or one above the other. Every cell is covered, "
        f"and each domino was used exactly once. {left}:\n\n{layout.render_grid([list(map(_sign, row)) for row in data.numbers])}"
        f"{known}\n\nOnly one layout fits. Write for each cell where the other half of its domino lies: R on its right, L on its left, D below it, U above it."
    )


def _sample_tiling(rng: Rng, height: int, width: int) -> list[tuple[int, int]]:
    """A random layout of the board with dominoes, in random order: bricks, then many pairs of dominoes turned."""
    mate: dict[int, int] = {}
    for cell in range(height * width):
        r, c = divmod(cell, width)
        mate[cell] = cell + (1 - c % 2 * 2 if width % 2 == 0 else width * (1 - r % 2 * 2))
    for _ in range(30 * height * width):
        a = rng.integer(0, (height - 1) * width - 1)
        if a % width == width - 1:
            continue
        b, c, d = a + 1, a + width, a + width + 1
        if mate[a] == b and mate[c] == d:
            mate.update({a: c, c: a, b: d, d: b})
        elif mate[a] == c and mate[b] == d:
            mate.update({a: b, b: a, c: d, d: c})
    return rng.shuffled([(a, b) for a, b in mate.items() if a < b])


def _spot(place: tuple[int, int], width: int) -> str:
    return "-".join(layout.place(cell, width) for cell in place)


def _spots(height: int, width: int) -> list[tuple[int, int]]:
    return [(a, b) for a, near in enumerate(regions.neighbours_by_cell(height, width)) for b in near if a < b]


@lru_cache(maxsize=4)
def _puzzle(data: Data) -> domains.Puzzle:
    """The unknowns are the dominoes, and their values the places of the board."""
    height, width = len(data.numbers), len(data.numbers[0])
    numbers, spots = [number for row in data.numbers for number in row], _spots(height, width)
    dominoes = _dominoes(data.largest)
    masks, covers = [0] * len(dominoes), [dict[int, int]() for _ in numbers]
    for v, (a, b) in enumerate(spots):
        for i in _choices(data.largest)[numbers[a], numbers[b]]:
            masks[i] |= 1 << v
            for cell in (a, b):
                covers[cell][i] = covers[cell].get(i, 0) | 1 << v
    clash = []
    for i in range(len(dominoes)):
        rows = []
        for v, (a, b) in enumerate(spots):
            out = dict[int, int]()
            for cell in (a, b) if masks[i] >> v & 1 else ():
                for other, mask in covers[cell].items():
                    if other != i:
                        out[other] = out.get(other, 0) | mask
            rows.append(tuple(sorted(out.items())))
        clash.append(tuple(rows))
    rules = [domains.exactly_one(f"cell {layout.place(cell, width)}", sorted(ones.items())) for cell, ones in enumerate(covers)]
    names = tuple(f"domino {a}-{b}" for a, b in dominoes)
    return domains.Puzzle(names, tuple(_spot(spot, width) for spot in spots), tuple(masks), tuple(clash), tuple(rules))


def _given_cells(data: Data) -> dict[int, int]:
    work, width = _puzzle(data), len(data.numbers[0])
    numbers = [number for row in data.numbers for number in row]
    named = {f"domino {min(numbers[a], numbers[b])}-{max(numbers[a], numbers[b])}": (a, b) for a, b in data.told}
    return {work.at[name]: work.value[_spot(place, width)] for name, place in named.items()}


def _to_cells(data: Data, values: Sequence[int]) -> Cells:
    height, width = len(data.numbers), len(data.numbers[0])
    spots, signs = _spots(height, width), [""] * (height * width)
    for v in values:
        a, b = spots[v]
        signs[a], signs[b] = "RL" if b == a + 1 else "DU"
    return layout.rows_of(signs, width)


def _turn_pairs(grid: Cells) -> list[Cells]:
    """The layout with one pair of neighbouring dominoes turned."""
    for r in range(len(grid) - 1):
        for c in range(len(grid[0]) - 1):
            square = grid[r][c] + grid[r][c + 1] + grid[r + 1][c] + grid[r + 1][c + 1]
            if square in ("RLRL", "DDUU"):
                new = "DDUU" if square == "RLRL" else "RLRL"
                return [layout.replace_cells(grid, {(r, c): new[0], (r, c + 1): new[1], (r + 1, c): new[2], (r + 1, c + 1): new[3]})]
    return []


def solutions(task: Task[Data]) -> Iterator[Cells]:
    for values in plain_search.plain_backtrack(_puzzle(task.data), _given_cells(task.data), lambda full: True):
        yield _to_cells(task.data, values)


environment = Environment(
    Knobs, Grid("the board, one row per line, each cell one of R, L, D, U and cells separated by spaces", single_characters=True),
    generate, solve, verify, mistakes, cost,
    solution=deduction_sheet.solution(_puzzle, END, OPENING, _given_cells), shift=shift, picture=picture, answers="unique", solutions=solutions,
    concept="Look for a pair of numbers that lies side by side only once; laying it cuts the places of its neighbours.",
    version=4,
)  # fmt: skip
