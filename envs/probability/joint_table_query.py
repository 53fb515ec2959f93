"""Answer a question about probabilities from a table of counts of several attributes.

Events join several attributes by and, or and not. In the shifted family some cells of the table are missing and have to be found from totals.
"""

from fractions import Fraction
from itertools import product

from rlgym import Config, Environment, Rng, Score, Task, TaskData, knob
from rlgym.answers import Rational
from rlgym.generators import calculations, stories
from rlgym.generators.probability import probabilities
from rlgym.generators.stories import phrase
from rlgym.generators.text.english import join_words

ANSWER = Rational("the exact probability, as a fraction a/b")
CELL = "count of {what}"
KNOWN = "cases with the condition"
BOTH = "cases with the condition and the event"
ATTRIBUTES = (
    ("colour", ("red", "blue", "green", "white")),
    ("size", ("small", "medium", "large", "huge")),
    ("material", ("wooden", "metal", "glass", "paper")),
    ("shape", ("round", "square", "oval", "flat")),
    ("origin", ("northern", "southern", "eastern", "western")),
    ("age", ("new", "recent", "old", "ancient")),
    ("price", ("cheap", "fair", "dear", "free")),
)
OPENINGS = (
    "{who} has counted {things} by {attributes}:",
    "The table shows the numbers of {things} by {attributes}:",
    "A shop's stock of {things}, sorted by {attributes}, is as follows:",
    "In {who}'s collection of {things}, these are the numbers by {attributes}:",
)
PICKS = (
    "One of the {things} is picked at random.",
    "One of all the {things} counted is chosen, each being equally likely.",
    "{who} takes one of all these {things} at random.",
    "One of them is drawn at random, each with the same probability.",
)


class Knobs(Config):
    attributes: int = knob(2, easy=2, hard=3, doc="how many attributes the table has")
    values_each: int = knob(3, easy=2, hard=4, doc="how many values an attribute has")
    literals: int = knob(2, easy=1, hard=3, doc="how many attributes an event speaks of")
    conditional: int = knob(60, easy=0, hard=100, doc="percent of questions with a condition")
    largest: int = knob(20, easy=9, hard=60, doc="largest count")


class Event(TaskData):
    word: str  # and, or
    parts: tuple[tuple[int, int, bool], ...]  # attribute, value, and whether it shall have it


class Data(TaskData):
    attributes: tuple[tuple[str, tuple[str, ...]], ...]
    counts: tuple[int, ...]  # row by row, the last attribute changing fastest
    missing: tuple[int, ...]
    event: Event
    condition: Event | None
    value: str


def generate(rng: Rng, knobs: Knobs) -> Task[Data]:
    return _sample_task(rng, knobs, False)


def shift(rng: Rng, knobs: Knobs) -> Task[Data]:
    return _sample_task(rng, knobs, True)


def solve(task: Task[Data]) -> Fraction:
    # By leaving out what does not fit, cell by cell; `generate` adds up what fits.
    data = task.data
    cells_left = dict(enumerate(data.counts))
    for k, cell in enumerate(_cells(data)):
        if data.condition and not _holds(data.condition, cell):
            del cells_left[k]
    total = sum(cells_left.values())
    wrong = sum(count for k, count in cells_left.items() if not _holds(data.event, _cells(data)[k]))
    return 1 - Fraction(wrong, total)


def verify(task: Task[Data], answer: Fraction) -> Score:
    return Score.exact(answer == Fraction(task.data.value), "the probability is different")


def mistakes(task: Task[Data], right: Fraction) -> list[Fraction]:
    data = task.data
    total = sum(data.counts)
    both = sum(count for count, cell in zip(data.counts, _cells(data), strict=True) if _holds(data.event, cell) and _fits(data, cell))
    event = sum(count for count, cell in zip(data.counts, _cells(data), strict=True) if _holds(data.event, cell))
    return probabilities.near_misses(right, Fraction(both, total), Fraction(both, event or 1), Fraction(event, total))


def cost(task: Task[Data]) -> float:
    data = task.data
    return (
        len(data.counts) * (len(data.event.parts) + len(data.condition.parts if data.condition else ()))
        + max(data.counts) / 10
        + 3 * len(data.missing)
    )


def calculation(task: Task[Data]) -> list[str]:
    data, working = task.data, probabilities.Working()
    cells = _cells(data)
    for k in data.missing:
        row = _row(data, k)
        formula = f"{sum(data.counts[j] for j in row)} - {' - '.join(str(data.counts[j]) for j in row if j != k)}"
        working.let(CELL.format(what=_cell_name(data, cells[k])), formula)
    known = [count for count, cell in zip(data.counts, cells, strict=True) if _fits(data, cell)]
    both = [count for count, cell in zip(data.counts, cells, strict=True) if _fits(data, cell) and _holds(data.event, cell)]
    below = working.let(KNOWN, calculations.sum_formula(known))
    above = working.let(BOTH, calculations.sum_formula(both))
    return working.last("probability", f"{above}/{below}")


def quantities(task: Task[Data]) -> probabilities.QuantityTemplates:
    data = task.data
    cells = _cells(data)
    named = {_cell_name(data, cells[k]): data.counts[k] for k in data.missing}

    def total(with_event: bool) -> int:
        pairs = zip(data.counts, cells, strict=True)
        return sum(count for count, cell in pairs if _fits(data, cell) and (not with_event or _holds(data.event, cell)))

    return {
        CELL: lambda what: named[what],
        KNOWN: lambda: total(False),
        BOTH: lambda: total(True),
        "probability": lambda: Fraction(data.value),
    }


def _sample_task(rng: Rng, knobs: Knobs, gaps: bool) -> Task[Data]:
    kinds = rng.sample(ATTRIBUTES, knobs.attributes)
    attributes = tuple((name, tuple(rng.sample(values, knobs.values_each))) for name, values in kinds)
    counts = tuple(rng.integer(1, knobs.largest) for _ in range(knobs.values_each**knobs.attributes))
    rows = len(counts) // knobs.values_each
    rows_with_gaps = rng.sample(range(rows), max(1, rows // 2)) if gaps else []
    missing = tuple(sorted(row * knobs.values_each + rng.integer(0, knobs.values_each - 1) for row in rows_with_gaps))
    blank = Data(attributes=attributes, counts=counts, missing=missing, event=Event(word="and", parts=()), condition=None, value="")
    has_condition = rng.integer(1, 100) <= knobs.conditional
    for _ in range(200):
        condition = _event(rng, knobs, max(1, knobs.literals - 1)) if has_condition else None
        data = blank.model_copy(update={"event": _event(rng, knobs, knobs.literals), "condition": condition})
        fitting = [(count, cell) for count, cell in zip(counts, _cells(data), strict=True) if _fits(data, cell)]
        hits = sum(count for count, cell in fitting if _holds(data.event, cell))
        if 0 < hits < sum(count for count, _ in fitting):
            break
    value = Fraction(hits, sum(count for count, _ in fitting))
    things, who = rng.choice(stories.GOODS)[1], rng.choice(stories.PEOPLE)
    opening = phrase(rng, OPENINGS, who=who, things=things, attributes=join_words([name for name, _ in attributes]))
    pick = phrase(rng, PICKS, who=who, things=things)
    note = " In each row with a question mark, the last column says how many there are in the row altogether." if gaps else ""
    question = probabilities.render_question(
        rng, f"it is {_event_text(data, data.event)}", f"it is {_event_text(data, data.condition)}" if data.condition else ""
    )
    return Task(f"{opening}\n\n{_table(data)}\n\n{pick}{note} {question}", data.model_copy(update={"value": str(value)}))


def _event(rng: Rng, knobs: Knobs, size: int) -> Event:
    spoken = rng.sample(range(knobs.attributes), min(size, knobs.attributes))
    return Event(
        word=rng.choice(("and", "or")),
        parts=tuple(
            (place, rng.integer(0, knobs.values_each - 1), (knobs.values_each > 2 and rng.chance(0.6)) or knobs.literals < 2)
            for place in spoken
        ),
    )


def _event_text(data: Data, event: Event) -> str:
    literals = [f"{'' if positive else 'not '}{data.attributes[place][1][value]}" for place, value, positive in event.parts]
    either = "both " if len(literals) == 2 and event.word == "and" else ""
    several = ("", " (or both)", " (or more than one of these)")[min(len(literals), 3) - 1] if event.word == "or" else ""
    return either + f" {event.word} ".join(literals) + several


def _cells(data: Data) -> list[tuple[int, ...]]:
    return list(product(*(range(len(values)) for _, values in data.attributes)))


def _holds(event: Event, cell: tuple[int, ...]) -> bool:
    truths = [(cell[place] == value) == positive for place, value, positive in event.parts]
    return all(truths) if event.word == "and" else any(truths)


def _fits(data: Data, cell: tuple[int, ...]) -> bool:
    return data.condition is None or _holds(data.condition, cell)


def _row(data: Data, k: int) -> range:
    width = len(data.attributes[-1][1])
    return range(k - k % width, k - k % width + width)


def _cell_name(data: Data, cell: tuple[int, ...]) -> str:
    return ", ".join(data.attributes[place][1][value] for place, value in enumerate(cell))


def _table(data: Data) -> str:
    width = len(data.attributes[-1][1])
    total_heading = ["total"] * bool(data.missing)
    lines = ["| " + " | ".join([*(name for name, _ in data.attributes[:-1]), *data.attributes[-1][1], *total_heading]) + " |"]
    lines.append("|" + " --- |" * (len(data.attributes) - 1 + width + len(total_heading)))
    cells = _cells(data)
    for start in range(0, len(cells), width):
        row = range(start, start + width)
        names = [data.attributes[place][1][value] for place, value in enumerate(cells[start][:-1])]
        counts = ["?" if k in data.missing else str(data.counts[k]) for k in row]
        total = [str(sum(data.counts[k] for k in row)) if "?" in counts else ""] * bool(data.missing)
        lines.append("| " + " | ".join([*names, *counts, *total]) + " |")
    return "\n".join(lines)


environment = Environment(
    Knobs, ANSWER, generate, solve, verify, mistakes, cost,
    solution=probabilities.solution(calculation, quantities), shift=shift,
    concept="A condition cuts the table down to the cells that fit it; the probability is the part of these in which the event holds.",
    version=4, inverts=True
)  # fmt: skip
