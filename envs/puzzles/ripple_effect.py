"""Fill a ripple effect: each room of n cells holds 1 to n, and equal numbers in a line stand far enough apart.

Rooms are grown together with a filling, so that one exists; numbers are given until it is unique.
"""

from collections.abc import Iterator, Sequence
from functools import cache, lru_cache

from rlgym import Config, Environment, Rng, Score, Task, knob
from rlgym.answers import Grid
from rlgym.generators.grids import domains, regions, rooms, singleton_consistency
from rlgym.generators.grids.layout import Cells
from rlgym.generators.grids.regions import Region
from rlgym.generators.grids.rooms import Board

TRIES = 8  # boards of which the hardest is taken, where suppositions inside others are needed
FEW_TRIES = 2  # where they are not


class Knobs(Config):
    size: int = knob(6, easy=4, hard=9, doc="rows and columns")
    room: int = knob(5, easy=4, hard=7, doc="cells of the largest room, but at least two more than half of those of a line")
    given_digits: int = knob(
        20, easy=50, hard=4, doc="percent of numbers given, more where the solution would not be unique or not be found"
    )
    reasoning: str = knob(
        "trying",
        easy="direct",
        hard="search",
        order=domains.SEARCHING,
        doc="whether the only place of a number and the only number of a cell suffice, or suppositions that fail, or some inside others, are needed as well",
    )
    suppositions: int = knob(
        10,
        easy=1,
        hard=70,
        scale="log",
        doc="suppositions that fail on the way to the solution, or that prove it the only one where some inside others are needed, as far as boards have them",
    )


def generate(rng: Rng, knobs: Knobs) -> Task[Board]:
    return _sample_task(rng, knobs, knobs.size, knobs.size, lambda rng: rng.integer(2, _largest_room(knobs)))


def shift(rng: Rng, knobs: Knobs) -> Task[Board]:
    """Long boards, with many rooms of one to three cells between larger ones."""
    return _sample_task(rng, knobs, 3, knobs.size * knobs.size // 3, lambda rng: rng.choice((1, 1, 2, 3, _largest_room(knobs))))


def solve(task: Task[Board]) -> Cells:
    return rooms.render_values(domains.solve(_puzzle(task.data), rooms.givens(task.data)), len(task.data.given[0]))


def verify(task: Task[Board], answer: Cells) -> Score:
    if reason := rooms.find_fault(task.data, answer):
        return Score.wrong(reason)
    for kind, lines in (("row", answer), ("column", tuple(zip(*answer)))):
        for i, line in enumerate(lines, 1):
            last: dict[str, int] = {}
            for at, number in enumerate(line):
                if number in last and at - last[number] <= int(number):
                    return Score.wrong(f"two equal numbers stand too near each other in {kind} {i}")
                last[number] = at
    return Score.exact(True)


def mistakes(task: Task[Board], right: Cells) -> list[Cells]:
    return rooms.near_misses(task.data, right)


def cost(task: Task[Board]) -> float:
    return singleton_consistency.effort(_puzzle(task.data), rooms.givens(task.data))


def _sample_task(rng: Rng, knobs: Knobs, height: int, width: int, like: rooms.Like) -> Task[Board]:
    most = _largest_room(knobs)
    harder, searching = knobs.reasoning != "direct", knobs.reasoning == "search"
    least = height * width * knobs.given_digits // 100

    def sample() -> tuple[domains.Puzzle, list[Region], dict[int, int]]:
        areas, numbers = rooms.sample_rooms(rng, height, width, most, lambda cell, number: _ripples(height, width)[cell][number], like)
        right = [number - 1 for number in numbers]
        work = _puzzle_of_areas(areas, height, width)
        if searching:
            return work, areas, singleton_consistency.minimize_givens_for_search(rng, work, right, least, knobs.suppositions)
        if harder:
            return work, areas, singleton_consistency.minimize_givens(rng, work, right, least)
        return work, areas, singleton_consistency.choose_givens(rng, work, right, least, knobs.reasoning)

    count = domains.count_suppositions if searching else singleton_consistency.count_refuted
    _, areas, given = singleton_consistency.sample_hard(
        sample, lambda it: count(it[0], it[2]), knobs.suppositions if harder else 0, TRIES if searching else FEW_TRIES if harder else 1
    )
    data = rooms.make_board(areas, given, width)
    prompt = (
        f"This board of {height} rows and {width} columns is cut into rooms; each cell is shown by the letter of its room"
        f"{regions.letter_case(data.rooms, 'rooms')}. Write a number into each cell so that each room of n cells holds every number from 1 to n once. If a "
        "number k occurs twice in the same row or in the same column, at least k cells must lie between the two, whatever their rooms. "
        "Some numbers are given and stay; a dot is an empty cell.\n\n"
        f"{rooms.render_boards(data)}"
    )
    return Task(prompt, data)


def _largest_room(knobs: Knobs) -> int:
    """Numbers that keep apart in small rooms would not fill a large board."""
    return max(knobs.room, knobs.size // 2 + 2)


@cache
def _ripples(height: int, width: int) -> tuple[tuple[tuple[int, ...], ...], ...]:
    """For each cell and number, the cells of its row and column that the number must not stand in again."""
    ripples = []
    for cell in range(height * width):
        r, c = divmod(cell, width)
        across = [(abs(j - c), r * width + j) for j in range(width) if j != c]
        down = [(abs(i - r), i * width + c) for i in range(height) if i != r]
        ripples.append(tuple(tuple(other for distance, other in across + down if distance <= number) for number in range(10)))
    return tuple(ripples)


def _puzzle_of_areas(areas: Sequence[Region], height: int, width: int) -> domains.Puzzle:
    return rooms.puzzle(areas, width, lambda cell, number: _ripples(height, width)[cell][number])


@lru_cache(maxsize=4)
def _puzzle(data: Board) -> domains.Puzzle:
    return _puzzle_of_areas(data.rooms, len(data.given), len(data.given[0]))


def solutions(task: Task[Board]) -> Iterator[Cells]:
    return rooms.plain_backtrack(_puzzle(task.data), task.data)


environment = Environment(
    Knobs, Grid("the filled board, one row per line, with numbers separated by spaces", single_characters=True),
    generate, solve, verify, mistakes, cost,
    solution=rooms.solution(_puzzle), shift=shift, picture=lambda task: rooms.picture(task.data), answers="unique", solutions=solutions,
    concept="Large numbers reach far: look where the largest number of a room can stand, and which other rooms it then shuts out.",
    version=6,
)  # fmt: skip
