"""Fill a sudoku whose regions are irregular: rows, columns and regions each hold every digit once.

Regions come from boxes whose cells change hands, with all regions connected; digits are given until one filling is left.
"""

from collections.abc import Iterator, Sequence
from functools import lru_cache

from rlgym import Config, Environment, Rng, Score, Task, knob
from rlgym.answers import Grid
from rlgym.generators.grids import domains, latin, regions, rooms, singleton_consistency
from rlgym.generators.grids.clues import Budget, TooMuchWork
from rlgym.generators.grids.layout import Cells
from rlgym.generators.grids.regions import Region
from rlgym.generators.grids.rooms import Board

STEPS = 300  # suppositions that filling the regions may take before new ones are sampled
TRIES = 4  # choices of givens of which the hardest is taken


class Knobs(Config):
    size: int = knob(6, easy=4, hard=9, doc="rows and columns, and cells of a region")
    given_digits: int = knob(
        30, easy=55, hard=10, doc="percent of digits given, more where the solution would not be unique or not be found"
    )
    reasoning: str = knob(
        "trying",
        easy="direct",
        hard="search",
        order=domains.SEARCHING,
        doc="whether the only place of a digit and the only digit of a cell suffice, or suppositions that fail, or some inside others, are needed as well",
    )
    suppositions: int = knob(
        10,
        easy=1,
        hard=60,
        scale="log",
        doc="suppositions that fail on the way to the solution, or that prove it the only one where some inside others are needed, as far as boards have them",
    )


def generate(rng: Rng, knobs: Knobs) -> Task[Board]:
    while True:
        areas = _jigsaw(rng, knobs.size)
        plain = latin.square(knobs.size)
        rules = latin.Rules(knobs.size, plain.units + tuple(areas), plain.names + tuple(f"region {i}" for i in range(knobs.size)))
        can = latin.digit_masks(rules, rng.shuffled(range(1, knobs.size + 1)) + [0] * (knobs.size**2 - knobs.size))
        try:
            if latin.propagate(rules, can, list(range(knobs.size))):
                digits = [mask.bit_length() for mask in next(latin.backtrack(rules, can, Budget(STEPS), rng))]
                return _sample_task(rng, knobs, areas, digits, "Rooms are connected.")
        except (TooMuchWork, StopIteration):
            continue


def shift(rng: Rng, knobs: Knobs) -> Task[Board]:
    """Regions whose cells lie scattered over the board."""
    digits = latin.sample_grid(rng, latin.square(knobs.size))
    places = [rng.shuffled([cell for cell, other in enumerate(digits) if other == digit]) for digit in range(1, knobs.size + 1)]
    areas = sorted(tuple(sorted(region)) for region in zip(*places))
    return _sample_task(rng, knobs, areas, digits, "The cells of a room need not be neighbours.")


def solve(task: Task[Board]) -> Cells:
    return rooms.render_values([digit - 1 for digit in latin.solve(_rules(task.data), _digits(task.data))], len(task.data.given))


def verify(task: Task[Board], answer: Cells) -> Score:
    if reason := rooms.find_fault(task.data, answer):
        return Score.wrong(reason)
    for kind, lines in (("row", answer), ("column", tuple(zip(*answer)))):
        for i, line in enumerate(lines, 1):
            if len(set(line)) < len(line):
                return Score.wrong(f"a digit occurs twice in {kind} {i}")
    return Score.exact(True)


def mistakes(task: Task[Board], right: Cells) -> list[Cells]:
    return rooms.near_misses(task.data, right)


def cost(task: Task[Board]) -> float:
    return singleton_consistency.effort(_puzzle(task.data), rooms.givens(task.data))


def _sample_task(rng: Rng, knobs: Knobs, areas: Sequence[Region], digits: Sequence[int], hint: str) -> Task[Board]:
    size, puzzle, right = knobs.size, _puzzle_of_areas(areas, knobs.size), [digit - 1 for digit in digits]
    least = size * size * knobs.given_digits // 100

    def sample() -> dict[int, int]:
        return singleton_consistency.choose_givens(rng, puzzle, right, least, knobs.reasoning, suppositions=knobs.suppositions)

    wanted = knobs.suppositions if knobs.reasoning == "search" else 0
    given = singleton_consistency.sample_hard(sample, lambda given: domains.count_suppositions(puzzle, given), wanted, TRIES)
    data = rooms.make_board(areas, given, size)
    prompt = (
        f"Fill this board of {size} rows and {size} columns so that each row, each column and each room holds every "
        f"digit from 1 to {size} exactly once. Each cell is shown by the letter of its room. {hint} Some digits are given and stay; a dot is "
        f"an empty cell.\n\n{rooms.render_boards(data)}"
    )
    return Task(prompt, data)


def _jigsaw(rng: Rng, size: int) -> list[Region]:
    """Boxes, or rows where there are no boxes, after many exchanges of cells between neighbouring regions."""
    near = regions.neighbours_by_cell(size, size)
    tall = {4: 2, 6: 2, 8: 2, 9: 3}.get(size, 1)
    wide = size // tall
    home = [cell // size // tall * (size // wide) + cell % size // wide for cell in range(size * size)]

    def is_connected(*which: int) -> bool:
        return all(len(regions.pieces([cell for cell, region in enumerate(home) if region == number], near)) == 1 for number in which)

    for _ in range(4 * size * size):
        cell = rng.integer(0, size * size - 1)
        a, b = home[cell], home[rng.choice(near[cell])]
        if a == b:
            continue
        back = [c for c in range(size * size) if home[c] == b and c != cell and any(home[other] == a for other in near[c] if other != cell)]
        if back:
            other = rng.choice(back)
            home[cell], home[other] = b, a
            if not is_connected(a, b):
                home[cell], home[other] = a, b
    return sorted(tuple(cell for cell, region in enumerate(home) if region == number) for number in range(size))


def _puzzle_of_areas(areas: Sequence[Region], size: int) -> domains.Puzzle:
    plain = latin.square(size)
    return rooms.puzzle(areas, size, lambda cell, number: plain.peers[cell], lines=True)


def _rules(data: Board) -> latin.Rules:
    plain = latin.square(len(data.given))
    return latin.Rules(len(data.given), plain.units + data.rooms, plain.names + tuple(regions.letters(data.rooms)))


def _digits(data: Board) -> list[int]:
    return [0 if sign == "." else int(sign) for row in data.given for sign in row]


@lru_cache(maxsize=4)
def _puzzle(data: Board) -> domains.Puzzle:
    return _puzzle_of_areas(data.rooms, len(data.given))


def solutions(task: Task[Board]) -> Iterator[Cells]:
    for digits in latin.plain_backtrack(_rules(task.data), _digits(task.data)):
        yield rooms.render_values([digit - 1 for digit in digits], len(task.data.given))


environment = Environment(
    Knobs, Grid("the filled board, one row per line, with digits separated by spaces", single_characters=True),
    generate, solve, verify, mistakes, cost,
    solution=rooms.solution(_puzzle), shift=shift, picture=lambda task: rooms.picture(task.data), answers="unique", solutions=solutions,
    concept="Where a region lies almost in one row, what sticks out of it must equal what the row takes from other regions.",
    version=4,
)  # fmt: skip
