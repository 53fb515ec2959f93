"""Follow an amount through changes by percentages and by numbers.

Percentages are of the previous value, or, in harder tasks, of the value at some earlier time. In the shifted family the last value is
given, the question is about the first, and some sentences are irrelevant.
"""

from fractions import Fraction

from rlgym import Config, Environment, Rng, Task, knob
from rlgym.answers import Rational
from rlgym.generators.calculations import format_decimal
from rlgym.generators.stories import LIQUIDS, SHOPS, goods, people, phrase, places
from rlgym.generators.stories.changing import AMOUNTS, CHANGES, COUNTS, UNKNOWN, Amount
from rlgym.generators.stories.linked import Link, Puzzle, Weighed, cost, make_puzzle, solution, verify
from rlgym.generators.stories.linked import mistakes_exactly as mistakes
from rlgym.generators.stories.linked import solve_exactly as solve

KINDS: dict[str, tuple[str, ...]] = {"percent": ("up", "down"), "mixed": ("up", "down", "up", "down", "add", "take")}
KINDS["earlier"] = ("up", "down", "add", "take", "up_of", "down_of", "up_of", "down_of")
PERCENTS = (2, 4, 5, 8, 10, 12, 15, 20, 24, 25, 30, 35, 40, 45, 50, 60, 75, 80)
ANSWER = Rational("one exact number, as an integer, a fraction or a decimal, without a unit or a percent sign")
CONCEPT = (
    "A change by p percent multiplies by (100 + p) / 100, and percents of other times are numbers to add; try 0 and 1 for an unknown start."
)


class Knobs(Config):
    changes: int = knob(5, easy=1, hard=16, doc="how many changes")
    kinds: str = knob("mixed", easy="percent", hard="earlier", order=tuple(KINDS), doc="kinds of change")
    question: str = knob(
        "percent", easy="value", hard="percent", order=("value", "percent"), doc="whether the question is a value or the total change"
    )


def generate(rng: Rng, knobs: Knobs) -> Task[Puzzle]:
    return _sample_task(rng, knobs, shifted=False)


def shift(rng: Rng, knobs: Knobs) -> Task[Puzzle]:
    return _sample_task(rng, knobs, shifted=True)


def _sample_task(rng: Rng, knobs: Knobs, shifted: bool) -> Task[Puzzle]:
    who, town, thing = people(rng, 1)[0], places(rng, 1)[0], goods(rng, 1)[0].many
    gaps = {"who": who, "town": town, "goods": thing, "liquid": rng.choice(LIQUIDS), "shop": rng.choice(SHOPS)}
    amount, (lead, after) = rng.choice(AMOUNTS), rng.choice(COUNTS)
    words = {"it": amount.name, "units": amount.units, "described": amount.described.format(**gaps)}
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
        for _ in range(1 + knobs.changes // 5):
            sentences.insert(rng.integer(0, len(sentences) - 1), phrase(rng, CHANGES["aside"], n=rng.integer(3, 90), who=who))
        puzzle, ask = make_puzzle(names, links, values, target, closing=closing, whole=False), "ask_start"
    else:
        percent_asked = knobs.question == "percent"
        weights = (-100 if percent_asked else 0, *(0 for _ in names[2:]), 100 if percent_asked else 1)
        target = Weighed(weights=weights, over=start if percent_asked else 1)
        text, ask = amount.opening.format(n=start, **gaps), "ask_percent" if percent_asked else "ask_end"
        puzzle = make_puzzle(names, links, values, target, known=start, whole=False)
    if puzzle is None:
        return _sample_task(rng, knobs, shifted)
    return Task(" ".join([text, *sentences, phrase(rng, CHANGES[ask], **words)]), puzzle)


def _sample_changes(
    rng: Rng, knobs: Knobs, start: int, amount: Amount, lead: str, after: str
) -> tuple[list[str], list[Fraction], list[Link], list[str], list[int]]:
    """The names and values of amounts on the way, how they are linked, the changes in words, and which amounts stand after each change."""
    names, values, links, sentences, ends = ["the first amount"], [Fraction(start)], list[Link](), list[str](), [0]
    for i in range(1, knobs.changes + 1):
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


environment = Environment(
    Knobs, ANSWER, generate, solve, verify, mistakes, cost, solution=solution, shift=shift, concept=CONCEPT, version=3
)
