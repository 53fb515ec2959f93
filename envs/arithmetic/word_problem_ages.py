"""Find somebody's age, from comparisons of ages at several times.

"In 6 years Ana will be twice as old as Bo was 3 years ago": each sentence links two ages. In the shifted family the question is reversed
(in how many years will one person be k times as old as another?), and some sentences are irrelevant.
"""

from collections.abc import Sequence

from rlgym import Config, Environment, Rng, Task, knob
from rlgym.answers import Integer
from rlgym.generators.stories import TRADES, people, phrase, places
from rlgym.generators.stories.ageing import AGES, OPENINGS, at_times, between_times
from rlgym.generators.stories.linked import Link, Puzzle, Weighed, cost, make_puzzle, mistakes, solution, solve, verify
from rlgym.generators.text.english import join_words

RELATIONS: dict[str, tuple[str, ...]] = {"now": ("older", "older", "times"), "then": ("older", "times", "then")}
RELATIONS["between"] = ("older", "then", "between", "between", "both")
YEARS = tuple(year for year in range(-9, 16) if abs(year) > 1)
CONCEPT = "Write each age in terms of one that is taken as known (a time in the future adds to both ages), and settle that one by the sum."


class Knobs(Config):
    ages: int = knob(5, easy=2, hard=18, doc="how many people")
    relations: str = knob("then", easy="now", hard="between", order=tuple(RELATIONS), doc="whether ages at other times are compared")
    given_ages: str = knob("sum", easy="one", hard="sum", order=("one", "sum"), doc="whether one age is given, or only a sum")
    years: int = knob(8, easy=0, hard=20, doc="years from now for which an age is asked, at most")


def generate(rng: Rng, knobs: Knobs) -> Task[Puzzle]:
    return _sample_task(rng, knobs, shifted=False)


def shift(rng: Rng, knobs: Knobs) -> Task[Puzzle]:
    return _sample_task(rng, knobs, shifted=True)


def _sample_task(rng: Rng, knobs: Knobs, shifted: bool) -> Task[Puzzle]:
    while True:
        names = people(rng, knobs.ages)
        ages, links, sentences = [rng.integer(4, 40)], [], []
        for i in range(1, knobs.ages):
            link, age, text = _sample_link(rng, knobs, names, ages, i)
            ages.append(age)
            links.append(link)
            sentences.append(text)
        if knobs.given_ages == "sum":
            among = sorted({0, *rng.sample(range(knobs.ages), rng.integer(2, knobs.ages))})
            known, closing = None, Weighed(weights=tuple(int(i in among) for i in range(knobs.ages)), add=-sum(ages[i] for i in among))
            sentences.append(phrase(rng, AGES["total"], all=join_words([names[i] for i in among]), n=-closing.add))
        else:
            known, closing = ages[0], None
            sentences.append(phrase(rng, AGES["is"], a=names[0], n=ages[0]))
        target, question = _ask_when(rng, names, ages) if shifted else _ask_age(rng, knobs, names)
        if shifted:
            asides = range(1 + knobs.ages // 4)
            sentences += [phrase(rng, AGES["aside"], who=rng.choice(names), n=rng.integer(2, 30), trade=rng.choice(TRADES)) for _ in asides]
        puzzle = make_puzzle(names, links, ages, target, known=known, closing=closing)
        if puzzle and (puzzle.right[0] or not shifted):  # now is the first guess
            return Task(" ".join([phrase(rng, OPENINGS, town=places(rng, 1)[0]), *rng.shuffled(sentences), question]), puzzle)


def _ask_age(rng: Rng, knobs: Knobs, names: Sequence[str]) -> tuple[Weighed, str]:
    weights = (0,) * (len(names) - 1) + (1,)
    later = rng.integer(2, max(2, knobs.years)) if knobs.years > 1 else 0
    return Weighed(weights=weights, add=later), phrase(rng, AGES["ask_later" if later else "ask"], a=names[-1], n=later)


def _ask_when(rng: Rng, names: Sequence[str], ages: Sequence[int]) -> tuple[Weighed, str]:
    """The time at which one age is a multiple of a lower one: (older - times * younger) / (times - 1) years from now."""
    older, younger = sorted((len(names) - 1, rng.integer(0, len(names) - 2)), key=lambda i: -ages[i])
    times = rng.integer(2, 4)
    weights = tuple(1 if i == older else -times if i == younger else 0 for i in range(len(names)))
    return Weighed(weights=weights, over=times - 1), phrase(rng, AGES["ask_when"], a=names[older], b=names[younger], n=times)


def _sample_link(rng: Rng, knobs: Knobs, names: Sequence[str], ages: Sequence[int], new: int) -> tuple[Link, int, str]:
    """A sentence about a new person and earlier ones: the link it tells, the new age, and the words."""
    while True:
        kind, old, other = rng.choice(RELATIONS[knobs.relations]), rng.integer(max(0, new - 3), new - 1), rng.integer(0, new - 1)
        n, k, s, t = rng.integer(2, 30), rng.integer(2, 4), rng.integer(2, 9), rng.choice(YEARS)
        a, b = who = (new, old) if rng.chance(0.6) else (old, new)
        if kind == "both":
            if old == other:
                continue
            link, text = Link(who=(new, old, other)), phrase(rng, AGES["both"], a=names[new], b=names[old], c=names[other])
        elif kind == "older":
            link, text = Link(who=who, add=n), phrase(rng, AGES["older"], a=names[a], b=names[b], n=n)
        elif kind == "between":
            t = abs(t)
            link, text = Link(who=who, times=(k, 1), inner=-s, later=t), between_times(rng, names[a], t, names[b], s, k)
        else:
            t = t if kind == "then" else 0
            link, text = Link(who=who, times=(k, 1), inner=t, later=t), at_times(rng, names[a], names[b], k, t)
        age = _new_age(link, ages, new)
        youngest = max(s if kind == "between" else 0, -t if kind == "then" else 0)
        if age is not None and 2 <= age <= 97 and age not in ages and min(age, ages[old]) > youngest:
            return link, age, text


def _new_age(link: Link, ages: Sequence[int], new: int) -> int | None:
    others, k = sum(ages[i] for i in link.who if i != new), link.times[0]
    if link.who[0] == new:
        return k * (others + link.inner) + link.add - link.later
    age, rest = divmod(others + link.later - link.add, k)
    return None if rest else age - link.inner


environment = Environment(
    Knobs, Integer(), generate, solve, verify, mistakes, cost, solution=solution, shift=shift, chains=True, concept=CONCEPT, version=3
)
