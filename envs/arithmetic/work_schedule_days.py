"""Find days on which several people with periodic rotas are all free.

Somebody works 3 days, then has 2 off, repeatedly, from a day of their own. In the shifted family rotas have several stretches of work and of rest
in a period ("4 on, 1 off, 2 on, 3 off").
"""

from collections.abc import Sequence
from itertools import islice
from math import lcm

from rlgym import Config, Environment, Rng, Score, Task, TaskData, knob
from rlgym.answers import Integer
from rlgym.generators.stories import TRADES, people, phrase, places
from rlgym.generators.text.english import join_words, ordinal_word
from rlgym.generators.times.rotas import Rota, common_days, free_remainders, is_free, turn_text
from rlgym.solutions import Derivation, Solution, Step

FREE = Step("{who} is free on day n where n leaves one of {rests:ints} when divided by {period}")
JOINED = Step("{who} are free together on day n where n leaves one of {rests:ints} when divided by {period}")
DAY_LEAVES = Step("After day {before}, the next such day is day {day}, which leaves {rest:int} when divided by {period:int}")
MOST_RESTS = 60
DAY = Step("After day {before}, the next day on which all are free is day {day}")
CLOSING = "The day asked for is {answer}"
WORKS = (
    "{who}, a {trade}, begins on day {day}: {turns}, again and again.",
    "From day {day} on, {who} ({trade}) keeps this rhythm: {turns}, and so on.",
)
ANSWER = Integer("the number of the day, as one integer in decimal digits")
CONCEPT = "A rota repeats with its period, so only remainders of the day's number matter; join the remainders of two rotas at a time."


class Knobs(Config):
    people: int = knob(3, easy=1, hard=6, doc="how many people")
    longest: int = knob(5, easy=3, hard=9, doc="longest run of days of work or of rest")
    times: int = knob(3, easy=1, hard=12, doc="largest ordinal of the common day that is requested")


class Data(TaskData):
    rotas: tuple[Rota, ...]
    after: int
    count: int
    right: int


def generate(rng: Rng, knobs: Knobs) -> Task[Data]:
    return _sample_task(rng, knobs, stretches=1)


def shift(rng: Rng, knobs: Knobs) -> Task[Data]:
    return _sample_task(rng, knobs, stretches=2)


def _sample_task(rng: Rng, knobs: Knobs, stretches: int) -> Task[Data]:
    while True:
        rotas = tuple(
            Rota(name=name, start=rng.integer(1, 9), turns=tuple(rng.integer(1, knobs.longest - k % 2) for k in range(2 * stretches)))
            for name in people(rng, knobs.people)
        )
        after, count = rng.integer(10, 60), rng.integer((knobs.times + 1) // 2, knobs.times)
        days = list(islice(common_days(rotas, after, 6000), count))
        # Some rota must exclude days: not simply the next consecutive days.
        if len(days) == count and days[-1] - after > count + 2 * len(rotas):
            break
    sentences = [
        phrase(
            rng,
            WORKS,
            who=rota.name,
            trade=rng.choice(TRADES),
            day=rota.start,
            turns=", then ".join(turn_text(i, length) for i, length in enumerate(rota.turns)),
        )
        for rota in rotas
    ]
    who = "all of them are free" if len(rotas) > 1 else f"{rotas[0].name} is free"
    prompt = (
        f"Days are numbered 1, 2, 3 and so on. In {places(rng, 1)[0]}, people work by these rotas: {' '.join(rng.shuffled(sentences))} "
        f"Count only the days after day {after} on which {who}. Which day is the {ordinal_word(count)} of them?"
    )
    return Task(prompt, Data(rotas=rotas, after=after, count=count, right=days[-1]))


def solve(task: Task[Data]) -> int:
    # By merging sets of remainders two at a time; `generate` goes day by day.
    period, rests = _merged(task.data.rotas)
    later = sorted((rest - task.data.after - 1) % period for rest in rests)
    rounds, place = divmod(task.data.count - 1, len(later))
    return task.data.after + 1 + rounds * period + later[place]


def _merged(rotas: Sequence[Rota]) -> tuple[int, list[int]]:
    """The least common period of some rotas, and the remainders of the days on which all are free."""
    period, rests = 1, [0]
    for rota in rotas:
        size, mine = sum(rota.turns), set(free_remainders(rota))
        common = lcm(period, size)
        rests = [day for rest in rests for day in range(rest, common, period) if day % size in mine]
        period = common
    return period, sorted(rests)


def verify(task: Task[Data], answer: int) -> Score:
    return Score.exact(answer == task.data.right, "that is not the day")


def mistakes(task: Task[Data], right: int) -> list[int]:
    data = task.data
    sooner = [day for day in range(data.after + 1, right) if is_free(data.rotas[0], day)]
    return [right + 1, right - 1, right - data.after, right + sum(data.rotas[0].turns), *sooner[:1]]


def cost(task: Task[Data]) -> float:
    data = task.data
    return (
        sum(len(rota.turns) + sum(rota.turns) for rota in data.rotas) * len(data.rotas) + 2 * data.count + (data.right - data.after) / 100
    )


def derive(task: Task[Data]) -> Derivation:
    data, before = task.data, task.data.after
    for rota in data.rotas:
        yield FREE(who=rota.name, rests=free_remainders(rota), period=sum(rota.turns))
    for joined in range(2, len(data.rotas) + 1):
        period, rests = _merged(data.rotas[:joined])
        if len(rests) > MOST_RESTS:
            break
        who = join_words([rota.name for rota in data.rotas[:joined]])
        yield JOINED(who=who, rests=rests, period=period)
    period, rests = _merged(data.rotas)
    for day in islice(common_days(data.rotas, data.after, data.right), data.count):
        if len(rests) > MOST_RESTS:
            yield DAY(before=before, day=day)
        else:
            yield DAY_LEAVES(before=before, day=day, rest=day % period, period=period)
        before = day


environment = Environment(
    Knobs, ANSWER, generate, solve, verify, mistakes, cost, solution=Solution(derive, CLOSING), shift=shift, concept=CONCEPT, version=2
)
