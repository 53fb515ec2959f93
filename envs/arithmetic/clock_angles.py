"""Find the angle between the hands of a clock, or when they make a given angle.

In the shifted family the clock has another number of hours on its face and of minutes in an hour.
"""

from collections.abc import Iterator
from fractions import Fraction

from rlgym import Config, Environment, Rng, Score, Task, TaskData, knob
from rlgym.answers import Rational
from rlgym.generators import calculations
from rlgym.generators.calculations import Facts, answer_line, calculation_line, format_fraction, operand
from rlgym.generators.text.english import ordinal_word

ANSWER = Rational("one exact number, as an integer, a fraction or a decimal, without the unit")
CONCEPT = "The minute hand gains on the hour hand at a steady rate; count the degrees of its lead."


class Knobs(Config):
    seconds: int = knob(12, easy=1, hard=60, doc="how finely the time is given: parts of a minute")
    step: int = knob(5, easy=30, hard=1, doc="angles are multiples of this many degrees")
    times: int = knob(
        4, easy=0, hard=12, doc="largest number of times that an angle occurs before the time requested; 0 asks for the angle at a time"
    )


class Data(TaskData):
    """The time is `time` parts of a minute after the hands were together at the top; with `count` 0 the angle is asked for."""

    hours: int
    minutes: int
    time: int
    parts: int
    angle: int
    count: int


def generate(rng: Rng, knobs: Knobs) -> Task[Data]:
    return _sample_task(rng, knobs, 12, 60)


def shift(rng: Rng, knobs: Knobs) -> Task[Data]:
    return _sample_task(rng, knobs, rng.choice((6, 8, 9, 10, 15, 16, 18, 20, 24)), rng.choice((36, 40, 45, 48, 50, 72, 80, 90, 100)))


def _sample_task(rng: Rng, knobs: Knobs, hours: int, minutes: int) -> Task[Data]:
    parts = 60 if knobs.seconds > 1 else 1
    time = rng.integer(1, hours * minutes - 1) * parts
    time += rng.integer(0, knobs.seconds - 1) * 60 // knobs.seconds if parts > 1 else 0
    count = rng.integer((knobs.times + 1) // 2, knobs.times)
    angle = knobs.step * rng.integer(0, 180 // knobs.step)
    data = Data(hours=hours, minutes=minutes, time=time, parts=parts, angle=angle, count=count)
    if count and any(_lead(data) == goal for goal in (angle, 360 - angle)):
        return _sample_task(rng, knobs, hours, minutes)
    quotient, rest = divmod(time, parts)
    hour, minute = divmod(quotient, minutes)
    shown_time = f"{hour or hours}:{minute:02d}" + (f":{rest:02d}" if parts > 1 else "")
    face = (
        "A clock has the usual face: 12 hours of 60 minutes."
        if (hours, minutes) == (12, 60)
        else f"A clock has {hours} hours on its face, and each hour has {minutes} minutes of 60 seconds; the minute hand goes round once in an hour, "
        f"the hour hand once in {hours} hours."
    )
    motion = " Both hands move steadily, and together they point straight up when a round of the hour hand begins."
    question = (
        f"What is the smaller angle between the hour hand and the minute hand at {shown_time}, in degrees (from 0 to 180)?"
        if not count
        else f"How many minutes after {shown_time} do the hour hand and the minute hand make an angle of exactly {angle} degrees for the "
        f"{ordinal_word(count)} time? "
        "The angle between hands is the smaller one, from 0 to 180 degrees."
    )
    return Task(f"{face}{motion} {question}", data)


def solve(task: Task[Data]) -> Fraction:
    # In rounds instead of degrees, relative to the hour hand.
    data = task.data
    ahead = Fraction(data.time, data.parts * data.minutes) * (1 - Fraction(1, data.hours)) % 1
    if not data.count:
        return 360 * min(ahead, 1 - ahead)
    goals = sorted({Fraction(data.angle, 360) % 1, (1 - Fraction(data.angle, 360)) % 1})
    turns, waits = 0, list[Fraction]()
    while len(waits) < data.count:
        waits += [goal + turns - ahead for goal in goals if goal + turns > ahead]
        turns += 1
    return waits[data.count - 1] * data.minutes / (1 - Fraction(1, data.hours))


def verify(task: Task[Data], answer: Fraction) -> Score:
    return Score.exact(answer == _facts(task.data)["the number asked for"][0], "the hands of the clock are elsewhere")


def mistakes(task: Task[Data], right: Fraction) -> list[Fraction]:
    data = task.data
    if not data.count:
        hour = Fraction(360, data.hours) * (data.time // (data.parts * data.minutes))
        minute = Fraction(360 * data.time, data.parts * data.minutes) % 360
        return [abs(hour - minute), 360 - right, right + Fraction(1, 2), right / 2 + 1]
    return [right * (1 - Fraction(1, data.hours)), right + data.minutes, Fraction(data.angle, 6) + 1, right + 1]


def cost(task: Task[Data]) -> float:
    data = task.data
    return len(str(data.time)) + (2 if data.time % data.parts else 0) + (4 + 2 * data.count if data.count else 0)


def _lines(task: Task[Data]) -> Iterator[str]:
    data, facts = task.data, {name: value for name, (value, _) in _facts(task.data).items()}
    time, lead = facts["minutes since the top"], facts["lead of the minute hand"]
    yield calculation_line("minutes since the top", f"{data.time // data.parts} + {data.time % data.parts} / {data.parts}")
    yield calculation_line("gain per minute", f"360 / {data.minutes} - 360 / ({data.hours} * {data.minutes})", "degrees")
    gain = operand(facts["gain per minute"])
    turns = int(time * facts["gain per minute"] // 360)
    yield calculation_line("lead of the minute hand", f"{gain} * {operand(time)} - {turns} * 360", "degrees")
    if not data.count:
        yield answer_line("the number asked for", format_fraction(lead) if lead <= 180 else f"360 - {operand(lead)}")
        return
    for goal in dict.fromkeys((data.angle, 360 - data.angle)):
        above = goal if goal > lead else goal + 360
        yield calculation_line(f"minutes until the lead is {goal}", f"({above} - {operand(lead)}) / {gain}")
    yield calculation_line("minutes per round", f"360 / {gain}")
    goals = sorted({(goal - lead) % 360 or Fraction(360) for goal in (data.angle, 360 - data.angle)})
    wait, more = goals[(data.count - 1) % len(goals)] / facts["gain per minute"], (data.count - 1) // len(goals)
    yield answer_line("the number asked for", f"{operand(wait)} + {more} * {operand(facts['minutes per round'])}")


def _known(task: Task[Data]) -> list[int]:
    data = task.data
    turns = data.time * (data.hours - 1) // (data.parts * data.minutes * data.hours)
    times = [data.time // data.parts, data.time % data.parts, data.parts, data.hours, data.minutes, turns]
    return [*times, data.angle, 360 - data.angle, 360 + data.angle, 720 - data.angle, *range(7)]


def _lead(data: Data) -> Fraction:
    """How many degrees the minute hand is ahead of the hour hand."""
    return 360 * Fraction(data.time * (data.hours - 1), data.parts * data.minutes * data.hours) % 360


def _facts(data: Data) -> Facts:
    ahead = _lead(data)
    gain = Fraction(360 * (data.hours - 1), data.minutes * data.hours)
    facts = {"minutes since the top": (Fraction(data.time, data.parts), ""), "gain per minute": (gain, "degrees")}
    facts |= {"lead of the minute hand": (ahead, "degrees"), "minutes per round": (360 / gain, "")}
    waits = {goal: ((goal - ahead) % 360 or Fraction(360)) / gain for goal in (data.angle, 360 - data.angle)}
    facts |= {f"minutes until the lead is {goal}": (wait, "") for goal, wait in waits.items()}
    ordered = sorted(set(waits.values()))
    more, which = divmod(max(data.count, 1) - 1, len(ordered))
    requested = ordered[which] + more * 360 / gain if data.count else min(ahead, 360 - ahead)
    return facts | {"the number asked for": (requested, "")}


solution = calculations.solution(_lines, lambda task: _facts(task.data), "0 1 2 360", _known)

environment = Environment(Knobs, ANSWER, generate, solve, verify, mistakes, cost, solution=solution, shift=shift, concept=CONCEPT)
