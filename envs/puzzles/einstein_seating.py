"""Work out who sits where round a table, or in two rows, from clues about neighbours, opposites and distances.

Clues are dropped until few are superfluous, with one way to sit left.
"""

from collections.abc import Iterator, Sequence
from functools import lru_cache

from rlgym import Config, Environment, Rng, Score, Task, knob
from rlgym.answers import Words
from rlgym.generators.arrangements import seating
from rlgym.generators.arrangements.seating import Table
from rlgym.generators.drawing import pictures
from rlgym.generators.grids import deduction_sheet, domains, singleton_consistency
from rlgym.generators.text import names
from rlgym.generators.text.english import join_words

OPENING = "A seat that is taken is ruled out at once, without saying, for everybody else."
END = "Everybody has a seat: {answer}"


TRIES = 2  # puzzles of which the hardest is taken


class Knobs(Config):
    people: int = knob(8, easy=4, hard=10, doc="people at the table, rounded to an even number")
    kinds: int = knob(
        6, easy=3, hard=9, doc="kinds of clues: neighbours and opposites first, then distances and alternatives among three people"
    )
    reasoning: str = knob(
        "trying",
        easy="direct",
        hard="search",
        order=domains.SEARCHING,
        doc="whether each clue in turn suffices, or suppositions that fail, or some inside others, are needed as well",
    )
    suppositions: int = knob(
        10,
        easy=1,
        hard=40,
        scale="log",
        doc="suppositions that prove the solution the only one, where some inside others are needed and as far as a few puzzles have them",
    )


def generate(rng: Rng, knobs: Knobs) -> Task[Table]:
    return _sample_task(rng, knobs, rows=False)


def shift(rng: Rng, knobs: Knobs) -> Task[Table]:
    """Two rows that face each other instead of a round table."""
    return _sample_task(rng, knobs, rows=True)


def solve(task: Task[Table]) -> tuple[str, ...]:
    return _seating_order(task.data, domains.solve(_puzzle(task.data), {}))


def verify(task: Task[Table], answer: tuple[str, ...]) -> Score:
    table = task.data
    at = {name: i for i, name in enumerate(answer)}
    names = [name.lower() for name in table.names]
    if len(answer) != len(names) or set(at) != set(names):
        return Score.wrong("the answer does not name everybody once")
    places = [at[name] for name in names]
    broken = next((i for i, clue in enumerate(table.clues, 1) if not seating.holds(clue, places, table.rows)), None)
    return Score.exact(broken is None, f"clue {broken} does not hold")


def mistakes(task: Task[Table], right: tuple[str, ...]) -> list[tuple[str, ...]]:
    return [
        right[::-1],
        right[1:] + right[:1],
        (right[1], right[0], *right[2:]),
        tuple(name.lower() for name in task.data.names),
        right[:-1],
    ]


def cost(task: Task[Table]) -> float:
    return singleton_consistency.effort(_puzzle(task.data), {}) + 5 * len(task.data.clues)


def picture(task: Task[Table]) -> str:
    """The seats; round a table, neighbours are joined."""
    count = len(task.data.names)
    people = [f"{name}?" for name in task.data.names]
    if task.data.rows:
        half = count // 2
        rows = [[str(v + 1) for v in range(half)], [str(v + 1) for v in range(half, count)]]
        return pictures.board(rows, top=[name[:3] for name in people[:half]], bottom=[name[:3] for name in people[half:]])
    nodes = [f"seat {v + 1}" for v in range(count)]
    return pictures.network([*nodes], [(nodes[v], nodes[(v + 1) % count], people[v]) for v in range(count)])


def _sample_task(rng: Rng, knobs: Knobs, rows: bool) -> Task[Table]:
    """The hardest of a few puzzles, where suppositions are needed."""
    wanted = knobs.suppositions if knobs.reasoning == "search" else 0

    def measure(task: Task[Table]) -> int:
        return domains.count_suppositions(_puzzle(task.data), {})

    return singleton_consistency.sample_hard(lambda: _sample_once(rng, knobs, rows), measure, wanted, TRIES)


def _sample_once(rng: Rng, knobs: Knobs, rows: bool) -> Task[Table]:
    count = knobs.people + knobs.people % 2
    table = seating.sample_table(rng, rng.sample(names.PEOPLE, count), rows, knobs.kinds, knobs.reasoning, knobs.suppositions)
    if rows:
        half = count // 2
        place = (
            f"There are {count} seats in two rows that face each other: seats 1 to {half} in the first row, side by side in this order, and "
            f"seats {half + 1} to {count} in the second row, so that seat 1 is directly opposite seat {half + 1}, seat 2 opposite seat {half + 2}, "
            "and so on. Only neighbours in the same row sit next to each other."
        )
    else:
        place = (
            f"There are {count} seats around a circular table, numbered 1 to {count} clockwise; seats 1 and {count} are next to each other, and "
            f"seat 1 is directly opposite seat {count // 2 + 1}."
        )
    listed = "\n".join(f"{i}. {seating.describe_clue(clue, table)}" for i, clue in enumerate(table.clues, 1))
    return Task(f"{place} {join_words(table.names)} sit there, one in each seat.\n{listed}\n\nWho sits in which seat?", table)


@lru_cache(maxsize=4)
def _puzzle(table: Table) -> domains.Puzzle:
    return seating.puzzle(table)


def _seating_order(table: Table, places: Sequence[int]) -> tuple[str, ...]:
    return tuple(table.names[places.index(v)].lower() for v in range(len(places)))


def solutions(task: Task[Table]) -> Iterator[tuple[str, ...]]:
    """People are seated one after the other, and each clue is looked at as soon as all whom it names are seated."""
    table = task.data
    count = len(table.names)
    order = sorted(range(count), key=lambda i: (not any(c.kind == "seat" and i in c.people for c in table.clues), i))
    due = [[c for c in table.clues if max(map(order.index, c.people)) == k] for k in range(count)]

    def going(k: int, places: list[int]) -> Iterator[tuple[str, ...]]:
        if k == count:
            yield _seating_order(table, places)
            return
        for v in range(count):
            if v not in places:
                places[order[k]] = v
                if all(seating.holds(clue, places, table.rows) for clue in due[k]):
                    yield from going(k + 1, places)
                places[order[k]] = -1

    yield from going(0, [-1] * count)


environment = Environment(
    Knobs, Words("the names in the order of the seats, starting with seat 1, separated by spaces", max_items=20, ignore_case=True),
    generate, solve, verify, mistakes, cost,
    solution=deduction_sheet.solution(_puzzle, END, OPENING), shift=shift, picture=picture, answers="unique", solutions=solutions,
    shared_helpers="The helper states what each clue says of two seats.",
    concept="Start from the person whose seat is told, and follow clues that tie others to seats already known.",
    version=5,
)  # fmt: skip
