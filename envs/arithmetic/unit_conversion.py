"""Convert an amount between invented units along a given table.

The table holds more units than are needed. Harder tasks convert areas, volumes and speeds. In the shifted family a unit is the sum of two
others, so that the table is not a chain.
"""

from fractions import Fraction

from rlgym import Config, Environment, Rng, Task, knob
from rlgym.answers import Rational
from rlgym.generators.stories import people, phrase, places
from rlgym.generators.stories.linked import Link, Puzzle, Weighed, cost, make_puzzle, solution, solve_links, verify
from rlgym.generators.stories.linked import mistakes_exactly as mistakes
from rlgym.generators.stories.linked import solve_exactly as solve
from rlgym.generators.stories.measures import MEASURES, OPENINGS, TIMES, UNITS

POWERS = {"plain": 1, "area": 2, "volume": 3, "rate": 1}
ANSWER = Rational("one exact number, as an integer, a fraction or a decimal, without the unit", as_decimal=True)
CONCEPT = "Go from unit to unit along the table, multiplying by what the next unit is worth (twice for areas), and dividing for what stands below."


class Knobs(Config):
    hops: int = knob(4, easy=1, hard=12, doc="how many conversions one after another")
    others: int = knob(3, easy=0, hard=12, doc="irrelevant lines of the table")
    kind: str = knob("area", easy="plain", hard="rate", order=("plain", "area", "rate"), doc="lengths, areas and volumes, or speeds")


def generate(rng: Rng, knobs: Knobs) -> Task[Puzzle]:
    kind = rng.choice(("area", "volume")) if knobs.kind == "area" else knobs.kind
    start, units = rng.integer(2, 60), rng.sample(UNITS, 2 * knobs.hops + knobs.others + 4)
    names, links, table, times_table = list[str](), list[Link](), list[str](), list[str]()
    last, clock = units.pop(), units.pop()
    first, first_clock, speed = last, clock, kind == "rate"
    names.append(_name(last, kind, clock))
    for _ in range(knobs.hops):
        n, m, new = rng.integer(1, 9), rng.integer(2, 12), units.pop()
        if speed and rng.chance(0.5):
            times_table.append(_conversion_text(rng, clock, new, n, m, "equal_times"))
            clock, times = new, (n, m)
        else:
            table.append(_conversion_text(rng, last, new, n, m))
            last, times = new, (m ** POWERS[kind], n ** POWERS[kind])
        links.append(Link(who=(len(names), len(names) - 1), times=times))
        names.append(_name(last, kind, clock))
    for _ in range(knobs.others):
        table.append(_conversion_text(rng, rng.choice([last, first, *units[-2:]]), units.pop(0), rng.integer(1, 9), rng.integer(2, 12)))
    opening = phrase(rng, OPENINGS, town=places(rng, 1)[0], who=people(rng, 1)[0])
    question = phrase(rng, MEASURES[kind], n=start, a=f"{first}s", b=f"{last}s", s=first_clock, t=clock)
    clocks = [phrase(rng, TIMES), *rng.shuffled(times_table)] if times_table else []
    target = Weighed(weights=(0,) * (len(names) - 1) + (1,))
    values = [value for _, value in sorted(solve_links(links, Fraction(start)).items())]
    puzzle = make_puzzle(names, links, values, target, known=start, whole=False)
    assert puzzle
    return Task(" ".join([opening, *rng.shuffled(table), *clocks, question]), puzzle)


def shift(rng: Rng, knobs: Knobs) -> Task[Puzzle]:
    count = knobs.hops + 2
    units = rng.sample(UNITS, count + knobs.others // 2)
    names, links, sizes, at, sentences = [f"one {units[0]}"], list[Link](), [1], [0], list[str]()
    for i in range(1, count):
        n, m, j = rng.integer(2, 9), rng.integer(1, 9), i - 1
        k = rng.integer(0, i - 2) if i > 1 else 0
        new = len(names)
        if i == 1:
            links.append(Link(who=(1, 0), times=(m + 1, 1)))
            sentences.append(_conversion_text(rng, units[1], units[0], 1, m + 1))
        else:
            names += [f"{n} {_plural(units[j], n)}", f"{m} {_plural(units[k], m)}"]
            links += [Link(who=(new, at[j]), times=(n, 1)), Link(who=(new + 1, at[k]), times=(m, 1)), Link(who=(new + 2, new, new + 1))]
            sentences.append(phrase(rng, MEASURES["sum"], n=n, m=m, a=units[i], b=_plural(units[j], n), c=_plural(units[k], m)))
        sizes.append(m + 1 if i == 1 else n * sizes[j] + m * sizes[k])
        at.append(len(names))
        names.append(f"one {units[i]}")
    other, amount = rng.integer(1, count - 2), rng.integer(2, 60)
    weights = tuple(amount * (i == at[-1]) for i in range(len(names)))
    sentences += [phrase(rng, MEASURES["aside"], a=rng.choice(units[:count]), n=rng.integer(3, 99)) for _ in range(1 + knobs.others // 4)]
    sentences += [_conversion_text(rng, unit, rng.choice(units[:count]), rng.integer(1, 9), rng.integer(2, 12)) for unit in units[count:]]
    opening = phrase(rng, OPENINGS, town=places(rng, 1)[0], who=people(rng, 1)[0])
    question = phrase(rng, MEASURES["plain"], n=amount, a=f"{units[count - 1]}s", b=f"{units[other]}s")
    values = [value for _, value in sorted(solve_links(links, Fraction(1)).items())]
    puzzle = make_puzzle(names, links, values, Weighed(weights=weights, over=sizes[other]), known=1, whole=False)
    assert puzzle
    return Task(" ".join([opening, *rng.shuffled(sentences), question]), puzzle)


def _conversion_text(rng: Rng, a: str, b: str, n: int, m: int, kind: str = "equal") -> str:
    """The sentence that n of one unit are m of the other, in either direction."""
    if rng.chance(0.5):
        a, b, n, m = b, a, m, n
    return phrase(rng, MEASURES[kind], n=n, m=m, a=_plural(a, n), b=_plural(b, m))


def _plural(unit: str, number: int) -> str:
    return unit if number == 1 else f"{unit}s"


def _name(unit: str, kind: str, clock: str) -> str:
    return f"{unit}s per {clock}" if kind == "rate" else f"{'' if kind == 'plain' else 'square ' if kind == 'area' else 'cubic '}{unit}s"


environment = Environment(
    Knobs, ANSWER, generate, solve, verify, mistakes, cost, solution=solution, shift=shift, concept=CONCEPT, inverts=True, version=3
)
