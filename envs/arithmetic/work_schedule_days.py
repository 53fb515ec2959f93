"""Find days on which several people with periodic rotas are all free.

Somebody works 3 days, then has 2 off, and so on for ever, counted from a day of their own. In the shift rotas have several stretches of work and
of rest in a period ("4 on, 1 off, 2 on, 3 off").
"""

from collections.abc import Sequence
from itertools import islice
from math import lcm

from rlgym import Config, Environment, Rng, Score, Task, TaskData, knob
from rlgym.answers import Integer
from rlgym.generators.rotas import Rota, common_days, is_free, rests_of, turn_of
from rlgym.generators.steps import Line, ended, first_wrong
from rlgym.generators.stories import TRADES, people, places, told

FREE = Line("{who} is free on day n where n leaves one of {rests} when divided by {period}")
DAY = Line("After day {before}, the next day on which all are free is day {day}")
LEAD = "The day asked for is "
WORKS = (
    "{who}, a {trade}, begins on day {day}: {turns}, again and again.",
    "From day {day} on, {who} ({trade}) keeps this rhythm: {turns}, and so on.",
)
NAMES = ("first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth", "tenth", "eleventh", "twelfth")


class Knobs(Config):
    people: int = knob(3, easy=1, hard=6, doc="how many people")
    longest: int = knob(5, easy=3, hard=9, doc="longest run of days of work or of rest")
    times: int = knob(3, easy=1, hard=12, doc="the how many-th common day is asked for, at most")


class Data(TaskData):
    rotas: tuple[Rota, ...]
    after: int
    count: int
    right: int


def generate(rng: Rng, knobs: Knobs) -> Task[Data]:
    return _made(rng, knobs, stretches=1)


def shift(rng: Rng, knobs: Knobs) -> Task[Data]:
    return _made(rng, knobs, stretches=2)


def _made(rng: Rng, knobs: Knobs, stretches: int) -> Task[Data]:
    while True:
        rotas = tuple(
            Rota(name=name, start=rng.integer(1, 9), turns=tuple(rng.integer(1, knobs.longest - k % 2) for k in range(2 * stretches)))
            for name in people(rng, knobs.people)
        )
        after, count = rng.integer(10, 60), rng.integer((knobs.times + 1) // 2, knobs.times)
        found = list(islice(common_days(rotas, after, 6000), count))
        # somebody must be in the way: not simply the next days in a row
        if len(found) == count and found[-1] - after > count + 2 * len(rotas):
            break
    said = [
        told(
            rng,
            WORKS,
            who=rota.name,
            trade=rng.choice(TRADES),
            day=rota.start,
            turns=" then ".join(turn_of(i, days) for i, days in enumerate(rota.turns)),
        )
        for rota in rotas
    ]
    who = "all of them are free" if len(rotas) > 1 else f"{rotas[0].name} is free"
    prompt = (
        f"Days are numbered 1, 2, 3 and so on. In {places(rng, 1)[0]}, people work by these rotas: {' '.join(rng.shuffled(said))} "
        f"Count only the days after day {after} on which {who}. Which day is the {NAMES[count - 1]} of them?"
    )
    return Task(prompt, Data(rotas=rotas, after=after, count=count, right=found[-1]))


def solve(task: Task[Data]) -> int:
    # By sets of remainders that are merged two at a time; `generate` walks from day to day.
    period, rests = 1, [0]
    for rota in task.data.rotas:
        size, mine = sum(rota.turns), set(rests_of(rota))
        whole = lcm(period, size)
        rests = [day for rest in rests for day in range(rest, whole, period) if day % size in mine]
        period = whole
    later = sorted((rest - task.data.after - 1) % period for rest in rests)
    rounds, place = divmod(task.data.count - 1, len(later))
    return task.data.after + 1 + rounds * period + later[place]


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


def explain(task: Task[Data]) -> list[str]:
    data, at = task.data, task.data.after
    steps = [FREE.write(who=rota.name, rests=", ".join(map(str, rests_of(rota))), period=sum(rota.turns)) for rota in data.rotas]
    for day in islice(common_days(data.rotas, data.after, data.right), data.count):
        steps.append(DAY.write(before=at, day=day))
        at = day
    return [*steps, f"{LEAD}{at}"]


def replay(task: Task[Data], steps: Sequence[str]) -> int | None:
    data, at, met = task.data, task.data.after, 0

    def follows(step: str) -> bool:
        nonlocal at, met
        if found := FREE.read(step):
            rota = data.rotas[met]
            met += 1
            return (found["who"], int(found["period"])) == (rota.name, sum(rota.turns)) and found["rests"].split(", ") == [
                *map(str, rests_of(rota))
            ]
        read = DAY.read(step)
        if not read or met < len(data.rotas) or int(read["before"]) != at:
            return False
        day = next(common_days(data.rotas, at, data.right), None)
        at = day or at
        return read["day"] == str(day)

    return first_wrong(steps, follows, ended(LEAD, task, environment.answer, verify))


environment = Environment(
    Knobs,
    Integer("the number of the day, as one integer in decimal digits"),
    generate,
    solve,
    verify,
    mistakes,
    cost,
    explain,
    replay=replay,
    shift=shift,
    concept="A rota repeats with its period, so only remainders of the day's number matter; join the remainders of two rotas at a time.",
)
