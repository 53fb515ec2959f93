"""Find somebody's age, from comparisons of ages at several times.

"In 6 years Ana will be twice as old as Bo was 3 years ago": each sentence links two ages. In the shift the question is turned round (in how
many years will one be so many times as old as another?), and some sentences do not matter.
"""

from collections.abc import Sequence

from rlgym import Config, Environment, Rng, Task, knob
from rlgym.answers import Integer
from rlgym.generators.stories import TRADES, listed, people, places, told
from rlgym.generators.stories.ageing import AGES, OPENINGS, at_times, between_times
from rlgym.generators.stories.linked import Link, Puzzle, Weighed, cost, explain, made, mistakes, replay, solve, verify

RELATIONS: dict[str, tuple[str, ...]] = {"now": ("older", "older", "times"), "then": ("older", "times", "then")}
RELATIONS["between"] = ("older", "then", "between", "between", "both")
YEARS = tuple(year for year in range(-9, 16) if abs(year) > 1)


class Knobs(Config):
    ages: int = knob(5, easy=2, hard=18, doc="how many people")
    relations: str = knob("then", easy="now", hard="between", order=tuple(RELATIONS), doc="whether ages at other times are compared")
    told: str = knob("sum", easy="one", hard="sum", order=("one", "sum"), doc="whether one age is told, or only a sum")
    years: int = knob(8, easy=0, hard=20, doc="how far from now the age is that is asked for")


def generate(rng: Rng, knobs: Knobs) -> Task[Puzzle]:
    return _made(rng, knobs, twin=False)


def shift(rng: Rng, knobs: Knobs) -> Task[Puzzle]:
    return _made(rng, knobs, twin=True)


def _made(rng: Rng, knobs: Knobs, twin: bool) -> Task[Puzzle]:
    while True:
        names = people(rng, knobs.ages)
        ages, links, said = [rng.integer(4, 40)], [], []
        for i in range(1, knobs.ages):
            link, age, text = _linked(rng, knobs, names, ages, i)
            ages.append(age)
            links.append(link)
            said.append(text)
        if knobs.told == "sum":
            among = sorted({0, *rng.sample(range(knobs.ages), rng.integer(2, knobs.ages))})
            known, closing = None, Weighed(weights=tuple(int(i in among) for i in range(knobs.ages)), add=-sum(ages[i] for i in among))
            said.append(told(rng, AGES["total"], all=listed([names[i] for i in among]), n=-closing.add))
        else:
            known, closing = ages[0], None
            said.append(told(rng, AGES["is"], a=names[0], n=ages[0]))
        wanted, question = _when(rng, names, ages) if twin else _age(rng, knobs, names)
        if twin:
            asides = range(1 + knobs.ages // 4)
            said += [told(rng, AGES["aside"], who=rng.choice(names), n=rng.integer(2, 30), trade=rng.choice(TRADES)) for _ in asides]
        puzzle = made(names, links, ages, wanted, known=known, closing=closing)
        if puzzle:
            return Task(" ".join([told(rng, OPENINGS, town=places(rng, 1)[0]), *rng.shuffled(said), question]), puzzle)


def _age(rng: Rng, knobs: Knobs, names: Sequence[str]) -> tuple[Weighed, str]:
    weights = (0,) * (len(names) - 1) + (1,)
    later = rng.integer(2, max(2, knobs.years)) if knobs.years > 1 else 0
    return Weighed(weights=weights, add=later), told(rng, AGES["ask_later" if later else "ask"], a=names[-1], n=later)


def _when(rng: Rng, names: Sequence[str], ages: Sequence[int]) -> tuple[Weighed, str]:
    """The time at which one age is so many times another one that is less: (older - times * younger) / (times - 1) years from now."""
    older, younger = sorted((len(names) - 1, rng.integer(0, len(names) - 2)), key=lambda i: -ages[i])
    times = rng.integer(2, 4)
    weights = tuple(1 if i == older else -times if i == younger else 0 for i in range(len(names)))
    return Weighed(weights=weights, over=times - 1), told(rng, AGES["ask_when"], a=names[older], b=names[younger], n=times)


def _linked(rng: Rng, knobs: Knobs, names: Sequence[str], ages: Sequence[int], new: int) -> tuple[Link, int, str]:
    """A sentence about a new person and earlier ones: the link it tells, the new age, and the words."""
    while True:
        kind, old, other = rng.choice(RELATIONS[knobs.relations]), rng.integer(max(0, new - 3), new - 1), rng.integer(0, new - 1)
        n, k, s, t = rng.integer(2, 30), rng.integer(2, 4), rng.integer(2, 9), rng.choice(YEARS)
        a, b = who = (new, old) if rng.chance(0.6) else (old, new)
        if kind == "both":
            if old == other:
                continue
            link, text = Link(who=(new, old, other)), told(rng, AGES["both"], a=names[new], b=names[old], c=names[other])
        elif kind == "older":
            link, text = Link(who=who, add=n), told(rng, AGES["older"], a=names[a], b=names[b], n=n)
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
    Knobs,
    Integer(),
    generate,
    solve,
    verify,
    mistakes,
    cost,
    explain,
    replay=replay,
    shift=shift,
    concept="Write each age in terms of one that is taken as known (a time in the future adds to both ages), and settle that one by the sum.",
)
