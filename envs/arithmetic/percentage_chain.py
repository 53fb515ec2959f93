"""Follow an amount through changes by percentages and by numbers.

Percentages are of the previous value, or, in harder tasks, of the value at some earlier time. On the upper levels the order of the changes is unknown and
must be found from the value they lead to. In the shifted family the last value is given, the question is about the first, and, where the order is known,
some sentences are irrelevant.
"""

from collections.abc import Mapping
from fractions import Fraction
from math import factorial

from rlgym import Config, Environment, Rng, Score, Task, TaskData, knob
from rlgym.answers import Rational
from rlgym.generators.calculations import format_decimal
from rlgym.generators.stories import LIQUIDS, SHOPS, goods, linked, people, phrase, places, unordered
from rlgym.generators.stories.changing import AMOUNTS, CHANGES, COUNTS, UNKNOWN, Amount
from rlgym.generators.stories.linked import Link, Puzzle, Weighed, make_puzzle
from rlgym.generators.stories.unordered import Changes
from rlgym.solutions import Derivation, Solution, SolutionByTask

KINDS: dict[str, tuple[str, ...]] = {
    "percent": ("up", "down"),
    "earlier": ("up", "down", "add", "take", "up_of", "down_of", "up_of", "down_of"),
}
PERCENTS = (2, 4, 5, 8, 10, 12, 15, 20, 24, 25, 30, 35, 40, 45, 50, 60, 75, 80)
MOST_CHANGES = 16
ANSWER = Rational("one exact number, as an integer, a fraction or a decimal, without a unit or a percent sign", as_decimal=True)
CONCEPT = (
    "A change by p percent multiplies by (100 + p) / 100, and percents of other times are numbers to add; try 0 and 1 for an unknown start. "
    "In an unknown order, a number that is added counts as often as the percents after it say."
)


class Knobs(Config):
    changes: int = knob(
        16, easy=1, hard=31, doc="how many changes, at most 16; a quarter of it and one more, or 4, where their order is unknown"
    )
    kinds: str = knob(
        "earlier", easy="percent", hard="unordered", order=("percent", "earlier", "unordered"),
        doc="percentages of the previous value, also of earlier values with the total change asked for, or changes in an unknown order",
    )  # fmt: skip


class Data(TaskData):
    puzzle: Puzzle | None = None
    changes: Changes | None = None
    right: tuple[int, int]


def generate(rng: Rng, knobs: Knobs) -> Task[Data]:
    return _sample_task(rng, knobs, shifted=False)


def shift(rng: Rng, knobs: Knobs) -> Task[Data]:
    return _sample_task(rng, knobs, shifted=True)


def solve(task: Task[Data]) -> Fraction:
    # Changes in an unknown order are made from the start and undone from the end until amounts meet.
    # `generate` looked for the places of the numbers between the percentages.
    if task.data.changes:
        (answer,) = unordered.answers_by_meeting(task.data.changes)
        return answer
    return linked.solve_exactly(_puzzle_task(task))


def verify(task: Task[Data], answer: Fraction) -> Score:
    return Score.exact(answer == Fraction(*task.data.right), "that number does not fit all the sentences")


def mistakes(task: Task[Data], right: Fraction) -> list[Fraction]:
    changes = task.data.changes
    if changes is None:
        return linked.mistakes_exactly(_puzzle_task(task), right)
    start, end = Fraction(changes.start or 0) or right, Fraction(*changes.after)
    letters = sorted(letter for letter, _ in (*changes.percents, *changes.numbers))
    listed = unordered.run(changes, letters, start)
    return [answer for answer in (*listed, end, right * end / listed[-1], right + 1) if answer != right]


def cost(task: Task[Data]) -> float:
    changes = task.data.changes
    if changes is None:
        return linked.cost(_puzzle_task(task))
    percents = len(changes.percents)
    return float(factorial(percents) * (percents + 1) ** len(changes.numbers) * 10)


def _puzzle_task(task: Task[Data]) -> Task[Puzzle]:
    assert task.data.puzzle is not None
    return Task(task.prompt, task.data.puzzle)


def _derive_unordered(task: Task[Data]) -> Derivation:
    assert task.data.changes is not None
    yield from unordered.derive(task.data.changes)


def _sample_task(rng: Rng, knobs: Knobs, shifted: bool) -> Task[Data]:
    who, town, thing = people(rng, 1)[0], places(rng, 1)[0], goods(rng, 1)[0].many
    gaps = {"who": who, "town": town, "goods": thing, "liquid": rng.choice(LIQUIDS), "shop": rng.choice(SHOPS)}
    amount, (lead, after) = rng.choice(AMOUNTS), rng.choice(COUNTS)
    words = {"it": amount.name, "units": amount.units, "described": amount.described.format(**gaps)}
    if knobs.kinds == "unordered":
        return _sample_unordered(rng, knobs, amount, words, gaps, shifted)
    while True:
        start = 20 * rng.integer(5, 500)
        names, values, links, sentences, ends = _sample_changes(rng, knobs, start, amount, lead, after)
        final = values[-1]
        if min(values[end] for end in ends) > 0 and final < 10**6 and (final * 10**6).denominator == 1 and final != start:
            break
    if shifted:
        target = Weighed(weights=(1,) + (0,) * (len(names) - 1))
        closing = Weighed(weights=(0,) * (len(names) - 1) + (final.denominator,), add=-final.numerator)
        text = phrase(rng, UNKNOWN, **words, **gaps)
        sentences += [phrase(rng, CHANGES["end"], **words, n=f"{format_decimal(final)} {amount.units}")]
        for _ in range(1 + min(knobs.changes, MOST_CHANGES) // 5):
            sentences.insert(rng.integer(0, len(sentences) - 1), phrase(rng, CHANGES["aside"], n=rng.integer(3, 90), who=who))
        puzzle, ask = make_puzzle(names, links, values, target, closing=closing, whole=False), "ask_start"
    else:
        percent_asked = knobs.kinds == "earlier"
        weights = (-100 if percent_asked else 0, *(0 for _ in names[2:]), 100 if percent_asked else 1)
        target = Weighed(weights=weights, over=start if percent_asked else 1)
        text, ask = amount.opening.format(n=start, **gaps), "ask_percent" if percent_asked else "ask_end"
        puzzle = make_puzzle(names, links, values, target, known=start, whole=False)
    if puzzle is None:
        return _sample_task(rng, knobs, shifted)
    return Task(" ".join([text, *sentences, phrase(rng, CHANGES[ask], **words)]), Data(puzzle=puzzle, right=puzzle.right))


def _sample_unordered(
    rng: Rng, knobs: Knobs, amount: Amount, words: Mapping[str, str], gaps: Mapping[str, str], shifted: bool
) -> Task[Data]:
    changes, right = unordered.sample_changes(rng, max(4, 1 + knobs.changes // 4), shifted)
    lines = []
    for letter, number in sorted((*changes.percents, *changes.numbers)):
        kind = ("up" if number > 0 else "down") if (letter, number) in changes.percents else "add" if number > 0 else "take"
        numbers = {"p": abs(number), "q": 100 + number, "n": f"{abs(number)} {amount.units}"}
        lines.append(phrase(rng, CHANGES[kind], then=f"{letter}:", **words, **numbers))
    start = phrase(rng, UNKNOWN, **words, **gaps) if shifted else amount.opening.format(n=changes.start, **gaps)
    end = phrase(rng, CHANGES["end"], **words, n=f"{format_decimal(Fraction(*changes.after))} {amount.units}")
    listed = "\n".join(lines)
    text = f"{start} Then these changes happen, each of them once, but the order in which they are listed here need not be the right one:\n{listed}\n{end}"
    name, asked = amount.name, changes.asked
    if changes.before is not None:
        known = f"{format_decimal(Fraction(*changes.before))} {amount.units}"
        whole = f"a multiple of {unordered.WHOLE_START} {amount.units}"
        text += f" Right before change {asked}, {name} was {known}. At the start it was {whole}. Which one? Only one fits."
    else:
        text += f" What was {name} in {amount.units} right before change {asked}? Only one value fits."
    return Task(text, Data(changes=changes, right=(right.numerator, right.denominator)))


def _sample_changes(
    rng: Rng, knobs: Knobs, start: int, amount: Amount, lead: str, after: str
) -> tuple[list[str], list[Fraction], list[Link], list[str], list[int]]:
    """The names and values of amounts on the way, how they are linked, the changes in words, and which amounts stand after each change."""
    names, values, links, sentences, ends = ["the first amount"], [Fraction(start)], list[Link](), list[str](), [0]
    for i in range(1, min(knobs.changes, MOST_CHANGES) + 1):
        kind, percent, number = rng.choice(KINDS[knobs.kinds]), rng.choice(PERCENTS), 10 * rng.integer(1, max(2, start // 40))
        sign, last = 1 if kind in ("up", "add", "up_of") else -1, ends[-1]
        when = rng.integer(0, i - 1)
        if kind in ("up", "down"):
            links.append(Link(who=(len(names), last), times=(100 + sign * percent, 100)))
        elif kind in ("add", "take"):
            links.append(Link(who=(len(names), last), add=sign * number))
        else:
            links.append(Link(who=(len(names), ends[when]), times=(sign * percent, 100)))
            values.append(values[ends[when]] * sign * percent / 100)
            names.append(f"the change in {i}")
            links.append(Link(who=(len(names), last, len(names) - 1)))
        change = values[-1] if "_of" in kind else values[last] * sign * percent / 100 if kind in ("up", "down") else sign * number
        values.append(values[last] + change)
        ends.append(len(names))
        names.append(f"the amount after {i}")
        words = after.format(i=when) if when else "at the start"
        then = lead.format(i=i)
        gaps = {"then": then, "it": amount.name, "p": percent, "q": 100 + sign * percent, "n": f"{number} {amount.units}", "when": words}
        sentences.append(phrase(rng, CHANGES[kind], **gaps))
    return names, values, links, sentences, ends


LINKED, UNORDERED = linked.solution_of(_puzzle_task), Solution(_derive_unordered, "Answer: {answer}")

environment = Environment(
    Knobs,
    ANSWER,
    generate,
    solve,
    verify,
    mistakes,
    cost,
    solution=SolutionByTask(lambda task: UNORDERED if task.data.changes else LINKED),
    shift=shift,
    concept=CONCEPT,
    version=4,
)
