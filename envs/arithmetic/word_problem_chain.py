"""Find how many of something a person has, from comparisons with others.

Each sentence compares the numbers of two or three people (or of goods in a shop). In the shifted family the first number is unknown:
only a total is given, perhaps in dozens, and some sentences are irrelevant.
"""

from collections.abc import Sequence
from fractions import Fraction

from rlgym import Config, Environment, Rng, Task, knob
from rlgym.answers import Integer
from rlgym.generators.stories import SHOPS, goods, people, phrase, places
from rlgym.generators.stories.comparing import MEETINGS, OPENINGS, OWNED, STOCKED
from rlgym.generators.stories.linked import Link, Puzzle, Weighed, comparison, cost, make_puzzle, mistakes, solution, solve, verify
from rlgym.generators.text.english import join_words

MOST = 3000
RELATIONS = {"plain": ("more", "fewer", "times"), "mixed": ("more", "fewer", "times", "part", "over", "under")}
RELATIONS["joint"] = (*RELATIONS["mixed"], "both", "both")
CONCEPT = (
    "Start from the number that is given (or try 0 and 1 for one) and go from comparison to comparison, each time to a number that is new."
)


class Knobs(Config):
    quantities: int = knob(6, easy=2, hard=24, doc="how many numbers are compared")
    relations: str = knob("mixed", easy="plain", hard="joint", order=tuple(RELATIONS), doc="kinds of comparison")
    backwards: int = knob(30, easy=0, hard=60, doc="percent of comparisons stated from the unknown to the known")
    question: str = knob(
        "total", easy="one", hard="total", order=("one", "gap", "total"), doc="whether to find one number, a difference or a sum"
    )


def generate(rng: Rng, knobs: Knobs) -> Task[Puzzle]:
    return _sample_task(rng, knobs, shifted=False)


def shift(rng: Rng, knobs: Knobs) -> Task[Puzzle]:
    return _sample_task(rng, knobs, shifted=True)


def _sample_task(rng: Rng, knobs: Knobs, shifted: bool) -> Task[Puzzle]:
    count = knobs.quantities + shifted
    owned = rng.chance(0.5)
    bank = OWNED if owned else STOCKED
    thing, (town,) = goods(rng, 1)[0].many, places(rng, 1)
    names = people(rng, count) if owned else [good.many for good in goods(rng, count)]
    full_names = names if owned else [f"the {name}" for name in names]
    counts, links, sentences = [rng.integer(3, 40)], [], []
    for i in range(1, count):
        kind, link, number, gaps = _sample_link(rng, knobs, counts, i)
        counts.append(number)
        links.append(link)
        who = [names[j] for j in link.who]
        sentences.append(phrase(rng, bank[kind], a=who[0], b=who[1], c=who[-1], goods=thing, **gaps))
    total = sum(counts)
    if shifted:
        dozens = f"{total // 12} dozen and {total % 12}" if total > 12 and total % 12 and rng.chance(0.3) else str(total)
        sentences.append(phrase(rng, bank["total"], all=join_words(full_names), n=dozens, goods=thing))
        sentences += [phrase(rng, bank["aside"], who=rng.choice(names), n=rng.integer(3, 60), goods=thing) for _ in range(1 + count // 4)]
    else:
        sentences.append(phrase(rng, bank["is"], a=names[0], n=counts[0], goods=thing))
    kind, target = _question(rng, knobs, counts)
    ends = [names[i] for weight in (1, -1) for i in range(count) if target.weights[i] == weight]
    joint = join_words([full_names[i] for i in range(count) if target.weights[i]])
    question = phrase(rng, bank[kind], a=ends[0], b=ends[-1], all=joint, goods=thing)
    opening = phrase(rng, MEETINGS if owned else OPENINGS, town=town, goods=thing, shop=rng.choice(SHOPS))
    closing = Weighed(weights=(1,) * count, add=-total) if shifted else None
    puzzle = make_puzzle(names, links, counts, target, known=None if shifted else counts[0], closing=closing)
    if puzzle is None:
        return _sample_task(rng, knobs, shifted)
    return Task(" ".join([opening, *rng.shuffled(sentences), question]), puzzle)


def _question(rng: Rng, knobs: Knobs, counts: Sequence[int]) -> tuple[str, Weighed]:
    end = len(counts) - 1
    weights = [0] * end + [1]
    unequal = [i for i in range(end) if counts[i] != counts[end]]
    if knobs.question == "total" and end > 1:
        for i in rng.sample(range(end), rng.integer(1, end)):
            weights[i] = 1
        return "ask_total", Weighed(weights=tuple(weights))
    if knobs.question == "one" or not unequal:
        return "ask", Weighed(weights=tuple(weights))
    other = rng.choice(unequal)
    weights[other], weights[end] = (-1, 1) if counts[end] > counts[other] else (1, -1)
    return "ask_gap", Weighed(weights=tuple(weights))


def _sample_link(rng: Rng, knobs: Knobs, counts: Sequence[int], new: int) -> tuple[str, Link, int, dict[str, int]]:
    """A comparison of a new number with earlier ones: its kind, what it says, the number, and the numbers that the sentence names."""
    while True:
        kind = rng.choice(RELATIONS[knobs.relations])
        old, n, m = rng.integer(max(0, new - 3), new - 1), rng.integer(2, 6), rng.integer(2, 25)
        other = rng.integer(0, new - 1)
        if kind == "both":
            if other == old:
                continue
            number = Fraction(counts[old] + counts[other])
            link = Link(who=(new, old, other))
        else:
            times, add = comparison(kind, n, m)
            turned = rng.chance(knobs.backwards / 100)
            link = Link(who=(old, new) if turned else (new, old), times=times, add=add)
            number = (counts[old] - add) / Fraction(*times) if turned else counts[old] * Fraction(*times) + add
        if 2 <= number <= MOST and number.denominator == 1:
            return kind, link, int(number), {"n": m if kind in ("more", "fewer") else n, "m": m}


environment = Environment(
    Knobs, Integer(), generate, solve, verify, mistakes, cost, solution=solution, shift=shift, concept=CONCEPT, chains=True, version=2
)
