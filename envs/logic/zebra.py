"""Find out what is in which house of a row from clues about neighbours, as in the riddle of who owns the zebra.

It is proved that the clues allow one solution; at hard levels none of them can be left out. On the upper levels clues that say much are the first to be
left out, so that houses must be supposed for things, and most suppositions fail.
"""

from collections.abc import Iterator
from functools import lru_cache

from rlgym import Config, Environment, Rng, Score, Task, TaskData, knob
from rlgym.answers import Grid
from rlgym.generators.arrangements import rows_of_houses as houses
from rlgym.generators.arrangements.rows_of_houses import Clue, Row
from rlgym.generators.grids import replays
from rlgym.generators.grids.clues import Budget, TooMuchWork, drop_clues
from rlgym.generators.text.names import PEOPLE

Cells = tuple[tuple[str, ...], ...]
MOST_SUPPOSITIONS = 10_000
STEPS = 120  # guesses that a proof of uniqueness may take
TRAITS: tuple[tuple[str, str, tuple[str, ...]], ...] = (
    ("person", "{}'s house", tuple(name.lower() for name in PEOPLE)),
    ("colour", "the {} house", ("red", "green", "blue", "white", "yellow", "black", "pink", "brown")),
    ("pet", "the house with the {}", ("cat", "dog", "parrot", "zebra", "hamster", "goldfish", "rabbit", "tortoise")),
    ("drink", "the house where {} is drunk", ("tea", "coffee", "milk", "juice", "cocoa", "water", "lemonade", "cider")),
    ("job", "the house of the {}", ("baker", "pilot", "nurse", "tailor", "farmer", "judge", "singer", "miner")),
    ("tree", "the house by the {}", ("oak", "birch", "elm", "pine", "willow", "maple", "cedar", "lime")),
)
KINDS = {
    "direct": ("same", "same", "at", "left", "next"),
    "mixed": ("same", "at", "left", "next", "before", "between", "end"),
    "indirect": ("same", "left", "next", "before", "between", "apart", "end"),
}
SAID = {  # what a clue says, its things in order, and how much work it leaves
    "same": ("{0} is {1}", 2, 1),
    "apart": ("{0} is not {1}", 2, 4),
    "left": ("{0} is directly to the left of {1}", 2, 2),
    "before": ("{0} is somewhere to the left of {1}", 2, 3),
    "next": ("{0} is next to {1}", 2, 3),
    "between": ("{0} is somewhere between {1} and {2}", 3, 4),
    "at": ("{0} is number {number}", 1, 1),
    "end": ("{0} is the first or the last of the row", 1, 2),
}


class Knobs(Config):
    houses: int = knob(4, easy=3, hard=6, beyond=7, doc="houses in the row")
    traits: int = knob(4, easy=2, hard=5, doc="attributes of each house, such as its colour")
    spare: int = knob(15, easy=100, hard=0, doc="clues that could be left out, in percent of those that are needed")
    clues: str = knob("mixed", easy="direct", hard="indirect", order=tuple(KINDS), doc="what kinds of clues are given")
    kept: str = knob(
        "any", easy="any", hard="vague", order=("any", "vague"), doc="which clues are kept: any, or vague ones as far as they are enough"
    )


class Data(TaskData):
    houses: int
    traits: tuple[int, ...]  # places in the table of traits
    things: tuple[str, ...]  # trait by trait, as they are listed
    clues: tuple[Clue, ...]


def generate(rng: Rng, knobs: Knobs) -> Task[Data]:
    count = knobs.houses
    traits = (0, *sorted(rng.sample(range(1, len(TRAITS)), knobs.traits - 1)))
    things = tuple(thing for trait in traits for thing in rng.sample(TRAITS[trait][2], count))
    places = [place for _ in traits for place in rng.shuffled(range(count))]
    pool = _true_clues(rng, places, count, knobs.clues)
    if knobs.kept == "vague":
        pool.sort(key=lambda clue: SAID[clue.kind][2])  # what is first is dropped first
    needed = drop_clues(range(len(pool)), 0, lambda kept: _unique(Row(count, len(traits), tuple(pool[i] for i in kept))))
    spare = [i for i in range(len(pool)) if i not in needed][: len(needed) * knobs.spare // 100]
    clues = tuple(rng.shuffled([pool[i] for i in (*needed, *spare)]))
    data = Data(houses=count, traits=traits, things=things, clues=clues)
    return Task(_render_prompt(data), data)


def solve(task: Task[Data]) -> Cells:
    return _place(task.data, next(houses.backtrack(_row(task.data))))


def verify(task: Task[Data], answer: Cells) -> Score:
    data = task.data
    if len(answer) != data.houses or len(answer[0]) != len(data.traits):
        return Score.wrong(f"the answer must have {data.houses} lines of {len(data.traits)} words")
    places = [0] * len(data.things)
    for column in range(len(data.traits)):
        first = column * data.houses
        row_names = [row[column].lower() for row in answer]
        known = data.things[first : first + data.houses]
        if sorted(row_names) != sorted(known):
            return Score.wrong(f"word {column + 1} of the lines must be {', '.join(known)}, each once")
        for i, thing in enumerate(known):
            places[first + i] = row_names.index(thing)
    for number, clue in enumerate(data.clues, 1):
        if not houses.holds(clue, places):
            return Score.wrong(f"clue {number} does not hold")
    return Score.exact(True)


def mistakes(task: Task[Data], right: Cells) -> list[Cells]:
    # Mirrored, rows or one column shifted, two things exchanged, a row copied, a row too many.
    columns = list(zip(*right, strict=True))
    shifted = tuple(zip(*columns[:-1], columns[-1][1:] + columns[-1][:1], strict=True))
    swapped = tuple(zip(columns[0], (columns[1][1], columns[1][0], *columns[1][2:]), *columns[2:], strict=True))
    return [right[::-1], right[1:] + right[:1], shifted, swapped, (right[0], right[0], *right[2:]), (*right, right[0])]


def cost(task: Task[Data]) -> float:
    data = task.data
    vague = sum(SAID[clue.kind][2] for clue in data.clues)
    return len(data.things) * data.houses * vague / len(data.clues) * len(data.traits) * (1 + _count_suppositions(data) / 20)


def _count_suppositions(data: Data) -> int:
    """The guesses of a search with propagation through all cases."""
    budget = Budget(MOST_SUPPOSITIONS)
    for _ in houses.backtrack(_row(data), budget):
        pass
    return MOST_SUPPOSITIONS - budget.left


def _render_prompt(data: Data) -> str:
    names = [TRAITS[trait][0] for trait in data.traits]
    listed = "\n".join(f"- {name}: {', '.join(data.things[i * data.houses : (i + 1) * data.houses])}" for i, name in enumerate(names))
    clues = "\n".join(f"{number}. {_render_clue(clue, _row(data))}" for number, clue in enumerate(data.clues, 1))
    return (
        f"{data.houses} houses stand in a row and are numbered 1 to {data.houses} from left to right. Each of the following belongs to exactly one house, and "
        f"no house has two of a kind:\n{listed}\n\nClues:\n{clues}\n\nWhat belongs to which house? Give one line for each house, from number 1 on, with its "
        f"{', '.join(names[:-1])} and {names[-1]} in this order."
    )


def _true_clues(rng: Rng, places: list[int], count: int, kinds: str) -> list[Clue]:
    """Clues that hold, nothing said twice, more than enough of them to place all things."""
    size, clues = len(places), dict[Clue, None]()
    for _ in range(40 * size):
        if len(clues) >= 3 * size and _unique(Row(count, size // count, tuple(clues))):
            return list(clues)
        kind = rng.choice(KINDS[kinds])
        things = tuple(rng.sample(range(size), SAID[kind][1]))
        clue = Clue(kind=kind, things=things, house=places[things[0]] if kind == "at" else count - 1 if kind == "end" else 0)
        obvious = kind in ("same", "apart") and things[0] // count == things[1] // count
        if not obvious and houses.holds(clue, places) and _converse(clue) not in clues:
            clues[clue] = None
    # So few different clues are true that something must be said outright.
    return [*clues, *(Clue(kind="at", things=(thing,), house=places[thing]) for thing in rng.shuffled(range(size)))]


def _converse(clue: Clue) -> Clue:
    """What says the same with two things exchanged, where there is such a clue."""
    match clue.kind, clue.things:
        case "same" | "apart" | "next", (first, second):
            return clue.model_copy(update={"things": (second, first)})
        case "between", (first, second, third):
            return clue.model_copy(update={"things": (first, third, second)})
    return clue


def _unique(row: Row) -> bool:
    try:
        solutions = houses.backtrack(row, Budget(STEPS))
        return next(solutions, None) is not None and next(solutions, None) is None
    except TooMuchWork:
        return False


def _render_clue(clue: Clue, row: Row) -> str:
    text = SAID[clue.kind][0].format(*(row.names[thing] for thing in clue.things), number=clue.house + 1)
    return f"{text[0].upper()}{text[1:]}."


def _row(data: Data) -> Row:
    return _name(data.houses, data.traits, data.things, data.clues)


@lru_cache(maxsize=64)
def _name(count: int, traits: tuple[int, ...], things: tuple[str, ...], clues: tuple[Clue, ...]) -> Row:
    names = tuple(
        TRAITS[traits[i // count]][1].format(thing.title() if traits[i // count] == 0 else thing) for i, thing in enumerate(things)
    )
    return Row(count, len(traits), clues, names)


def _place(data: Data, places: tuple[int, ...]) -> Cells:
    return tuple(tuple(data.things[i] for i, place in enumerate(places) if place == house) for house in range(data.houses))


def _solutions(task: Task[Data]) -> Iterator[Cells]:
    yield from (_place(task.data, places) for places in houses.plain_backtrack(_row(task.data)))


environment = Environment(
    Knobs, Grid("one line for each house, words separated by spaces", max_size=12), generate, solve, verify, mistakes, cost,
    solution=replays.house_solution(lambda task: _row(task.data), "House by house:\n{answer}"),
    answers="unique", solutions=_solutions,
    concept="Note for every thing which houses are left for it; a clue about two things takes houses from both.",
    version=3,
)  # fmt: skip
