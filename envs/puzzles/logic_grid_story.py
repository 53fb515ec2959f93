"""Work out from comparing clues which time, amount and place belong to whom.

Clues compare, add and pair numbers; they are dropped until few are superfluous, with one solution left.
"""

from collections.abc import Iterator, Sequence
from functools import lru_cache
from typing import Any

from rlgym import Config, Environment, Rng, Score, Task, knob
from rlgym.answers import Grid
from rlgym.generators.arrangements import story_grids
from rlgym.generators.arrangements.story_grids import Category, Story
from rlgym.generators.grids import deduction_sheet, domains, layout, singleton_consistency
from rlgym.generators.grids.layout import Cells
from rlgym.generators.text import names

OPENING = "Once the owner of something is known, all else of its kind is ruled out for that person at once, without saying."
END = "Everything has its owner:\n{answer}"
KINDS = ("is", "not", "by", "later", "sum", "either", "pair")
PLACES = ("museum", "harbour", "market", "castle", "library", "garden", "theatre", "tower")
METALS = ("copper", "iron", "gold", "silver", "nickel", "zinc", "lead", "tin")


TRIES = 4  # puzzles of which the hardest is taken, where suppositions inside others are needed
FEW_TRIES = 2  # where they are not


class Knobs(Config):
    people: int = knob(5, easy=3, hard=7, doc="people")
    kinds: int = knob(
        5, easy=3, hard=7, doc="kinds of clues: plain ones and differences first, then comparisons, sums, alternatives and pairs"
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
        hard=100,
        scale="log",
        doc="suppositions that prove the solution the only one, where some inside others are needed and as far as a few puzzles have them",
    )


def generate(rng: Rng, knobs: Knobs) -> Task[Story]:
    start, step = rng.integer(480, 720), rng.choice((5, 10, 15, 20))
    minutes = tuple(start + step * k for k in sorted(rng.sample(range(knobs.people + 2), knobs.people)))
    euros = tuple(sorted(rng.sample(range(3, 40), knobs.people)))
    time = Category(
        name="time",
        values=tuple(f"{m // 60}h{m % 60:02}" for m in minutes),
        numbers=minutes,
        who="whoever left at {0}",
        later="{0} left later than {1}",
        by="{0} left exactly {2} minutes after {1}",
    )
    price = Category(
        name="price",
        values=tuple(f"{n}euro" for n in euros),
        numbers=euros,
        who="whoever paid {0}",
        later="{0} paid more than {1}",
        by="{0} paid exactly {2} euro more than {1}",
        sum="{0} and {1}, two different people, paid {2} euro together",
    )
    place = Category(name="place", values=tuple(sorted(rng.sample(PLACES, knobs.people))), who="whoever went to the {0}")
    question = "left at one of the times, paid one of the prices and went to one of the places"
    return _sample_task(rng, knobs, (time, price, place), KINDS[: knobs.kinds], question)


def shift(rng: Rng, knobs: Knobs) -> Task[Story]:
    """Finds of a dig, described mostly by comparing numbers; no clue says what does or does not belong to the same person."""
    centimetres, grams = (tuple(sorted(rng.sample(range(low, high), knobs.people))) for low, high in ((20, 90), (100, 190)))
    depth = Category(
        name="depth",
        values=tuple(f"{n}cm" for n in centimetres),
        numbers=centimetres,
        who="the digger who went {0} deep",
        later="{0} dug deeper than {1}",
        by="{0} dug exactly {2} cm deeper than {1}",
        sum="the depths of {0} and of {1}, two different people, add up to {2} cm",
    )
    weight = Category(
        name="weight",
        values=tuple(f"{n}g" for n in grams),
        numbers=grams,
        who="the finder of the {0} coin",
        later="{0} found a heavier coin than {1}",
        by="{0} found a coin exactly {2} g heavier than {1}",
        sum="the coins of {0} and of {1}, two different people, weigh {2} g together",
    )
    metal = Category(name="metal", values=tuple(sorted(rng.sample(METALS, knobs.people))), who="the finder of the {0} coin")
    kinds = ("by", "later", "sum", "either", "pair")[: max(3, knobs.kinds - 2)]
    question = "dug to one of the depths and found one coin there, which has one of the weights and one of the metals"
    return _sample_task(rng, knobs, (depth, weight, metal), kinds, question)


def solve(task: Task[Story]) -> Cells:
    return _to_cells(task.data, domains.solve(_puzzle(task.data), {}))


def verify(task: Task[Story], answer: Cells) -> Score:
    story = task.data
    people, kinds = story.categories[0].values, story.categories[1:]
    given = tuple(tuple(cell.lower() for cell in row) for row in answer)
    if len(given) != len(people) or len(given[0]) != 1 + len(kinds) or [row[0] for row in given] != [name.lower() for name in people]:
        return Score.wrong(f"the answer must have {len(people)} rows, one for each person in the given order, of {1 + len(kinds)} words")
    owner = {(0, i): i for i in range(len(people))}
    for c, category in enumerate(kinds, 1):
        column = [row[c] for row in given]
        if sorted(column) != sorted(category.values):
            return Score.wrong(f"the column of the {category.name} does not hold each value once")
        owner |= {(c, i): column.index(value) for i, value in enumerate(category.values)}
    broken = next((k for k, clue in enumerate(story.clues, 1) if not story_grids.holds(clue, owner.__getitem__, story)), None)
    return Score.exact(broken is None, f"clue {broken} does not hold")


def mistakes(task: Task[Story], right: Cells) -> list[Cells]:
    swaps = [layout.replace_cells(right, {(0, c): right[1][c], (1, c): right[0][c]}) for c in (1, 2, 3)]
    rows = zip(task.data.categories[0].values, *(category.values for category in task.data.categories[1:]))
    return [*swaps, tuple(tuple(row) for row in rows), right[::-1]]


def cost(task: Task[Story]) -> float:
    return singleton_consistency.effort(_puzzle(task.data), {}) + 3 * len(task.data.clues)


def _sample_task(rng: Rng, knobs: Knobs, kinds: tuple[Category, ...], clues: Sequence[str], question: str) -> Task[Story]:
    """The hardest of a few puzzles, where suppositions are needed."""
    wanted = 0 if knobs.reasoning == "direct" else knobs.suppositions

    def measure(task: Task[Story]) -> int:
        count = domains.count_suppositions if knobs.reasoning == "search" else singleton_consistency.count_refuted
        return count(_puzzle(task.data), {})

    return singleton_consistency.sample_hard(
        lambda: _sample_once(rng, knobs, kinds, clues, question), measure, wanted, TRIES if knobs.reasoning == "search" else FEW_TRIES
    )


def _sample_once(rng: Rng, knobs: Knobs, kinds: tuple[Category, ...], clues: Sequence[str], question: str) -> Task[Story]:
    people = Category(name="name", values=tuple(sorted(rng.sample(names.PEOPLE, knobs.people))))
    story, _ = story_grids.sample_story(rng, (people, *kinds), clues, knobs.reasoning, knobs.suppositions)
    listed = "\n".join(f"{i}. {story_grids.describe_clue(clue, story)}" for i, clue in enumerate(story.clues, 1))
    values = "\n".join(f"{category.name}: {', '.join(category.values)}" for category in kinds)
    prompt = (
        f"{', '.join(people.values)} each {question}; nobody shares any of these with another.\n{values}\n\n{listed}\n\n"
        f"What belongs to whom? Write a row for each person, in the order above: the name, then the {kinds[0].name}, the {kinds[1].name} and "
        f"the {kinds[2].name} as they are written above."
    )
    return Task(prompt, story)


@lru_cache(maxsize=4)
def _puzzle(story: Story) -> domains.Puzzle:
    return story_grids.puzzle(story)


def _to_cells(story: Story, owners: Sequence[int]) -> Cells:
    people = story.categories[0].values
    count, rows = len(people), []
    for p, person in enumerate(people):
        column = [owners[c * count : c * count + count].index(p) for c in range(len(story.categories) - 1)]
        rows.append((person, *(story.categories[c + 1].values[i] for c, i in enumerate(column))))
    return tuple(rows)


def solutions(task: Task[Story]) -> Iterator[Cells]:
    """By z3: an integer says who owns each thing, and a comparison is a choice among the pairs of numbers that fit it."""
    import z3

    story = task.data
    count = len(story.categories[0].values)
    things = [(c, i) for c in range(1, len(story.categories)) for i in range(count)]
    own: dict[story_grids.Thing, Any] = {(c, i): z3.Int(f"o{c}_{i}") for c, i in things}
    solver: Any = z3.Solver()
    for c in range(1, len(story.categories)):
        solver.add(z3.Distinct(*(own[c, i] for i in range(count))), *(z3.And(own[c, i] >= 0, own[c, i] < count) for i in range(count)))
    own |= {(0, i): z3.IntVal(i) for i in range(count)}
    for clue in story.clues:
        a, b, *more = [own[thing] for thing in clue.things]
        if clue.category:
            numbers = story.categories[clue.category].numbers
            fits = [(i, j) for i in range(count) for j in range(count) if i != j and story_grids.compares(clue, numbers[i], numbers[j])]
            solver.add(z3.Or(*(z3.And(a == own[clue.category, i], b == own[clue.category, j]) for i, j in fits)))
        elif clue.kind == "pair":
            solver.add(a != b, z3.Or(z3.And(a == more[0], b == more[1]), z3.And(a == more[1], b == more[0])))
        elif clue.kind == "either":
            solver.add(b != more[0], z3.Or(a == b, a == more[0]))
        else:
            solver.add(a == b if clue.kind == "is" else a != b)
    while solver.check() == z3.sat:
        model = solver.model()
        owners = [model.eval(own[thing]).as_long() for thing in things]
        yield _to_cells(story, owners)
        solver.add(z3.Or(*(own[thing] != owner for thing, owner in zip(things, owners))))


environment = Environment(
    Knobs, Grid("one row per person, its words separated by spaces"), generate, solve, verify, mistakes, cost,
    solution=deduction_sheet.solution(_puzzle, END, OPENING), shift=shift, answers="unique", solutions=solutions,
    concept="A difference that is told leaves few pairs of numbers; combine it with who can have them.",
    version=4,
)  # fmt: skip
