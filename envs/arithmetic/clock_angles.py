"""Find the angle between the hands of a clock, or when they make a given angle.

On the upper levels the clock has a second hand too, and the times are asked for at which one of the three hands bisects the angle between the others.
In the shifted family the clock has another number of hours on its face and of minutes in an hour.
"""

from collections.abc import Iterator
from fractions import Fraction
from itertools import pairwise

from rlgym import Config, Environment, Rng, Score, Task, TaskData, knob
from rlgym.answers import Rational
from rlgym.generators import calculations
from rlgym.generators.calculations import Facts, answer_line, calculation_line, format_fraction, operand
from rlgym.generators.text.english import count_noun, ordinal_word
from rlgym.solutions import Derivation, Solution, SolutionByTask, Step

ANSWER = Rational("one exact number, as an integer, a fraction or a decimal, without the unit")
HANDS = ("hour", "minute", "second")
RATES = (Fraction(1, 43200), Fraction(1, 3600), Fraction(1, 60))  # rounds per second of the hands
MIDWAY = Step("The {hand} hand is on the line midway between the others every {period:fraction} seconds after 12:00.")
TIME = Step("After {time:fraction} seconds the {hand} hand bisects the smaller angle; this is time {number:int} after {clock}.")
SKIPPED = Step("After {time:fraction} seconds the {hand} hand bisects the larger angle only.")
CLOSING_MIDWAY = "So the number of seconds is {answer}"
CONCEPT = "The minute hand gains on the hour hand at a steady rate; count the degrees of its lead."


class Knobs(Config):
    seconds: int = knob(12, easy=1, hard=60, doc="how finely the time is given: parts of a minute")
    step: int = knob(5, easy=30, hard=1, doc="angles are multiples of this many degrees")
    asked: str = knob(
        "angle",
        easy="angle",
        hard="midway",
        order=("angle", "midway"),
        doc="angles between two hands, or times at which one of three hands bisects the angle between the others",
    )
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
    midway: bool = False  # whether the times at which a hand bisects the angle between the others are asked for


def generate(rng: Rng, knobs: Knobs) -> Task[Data]:
    if knobs.asked == "midway":
        return _sample_midway(rng, knobs)
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
    motion = f" Both hands move steadily, and they point straight up together at {hours}:00."
    question = (
        f"What is the smaller angle between the hour hand and the minute hand at {shown_time}, in degrees (from 0 to 180)?"
        if not count
        else f"How many minutes after {shown_time} do the hour hand and the minute hand make an angle of exactly {count_noun(angle, 'degree')} for the "
        f"{ordinal_word(count)} time? "
        "The angle between hands is the smaller one, from 0 to 180 degrees."
    )
    return Task(f"{face}{motion} {question}", data)


def solve(task: Task[Data]) -> Fraction:
    # In rounds instead of degrees, relative to the hour hand.
    data = task.data
    if data.midway:
        return _midway_times(data)[-1][0] - data.time
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
    if task.data.midway:
        return Score.exact(answer == solve(task), "the hands of the clock are elsewhere")
    return Score.exact(answer == _facts(task.data)["the number asked for"][0], "the hands of the clock are elsewhere")


def mistakes(task: Task[Data], right: Fraction) -> list[Fraction]:
    data = task.data
    if data.midway:
        events = _midway_events(data, len(HANDS) * data.count + 6)
        return [*(time - data.time for time, *_ in events if time - data.time != right), right / 60, right + data.time]
    if not data.count:
        hour = Fraction(360, data.hours) * (data.time // (data.parts * data.minutes))
        minute = Fraction(360 * data.time, data.parts * data.minutes) % 360
        return [abs(hour - minute), 360 - right, right + Fraction(1, 2), right / 2 + 1]
    return [right * (1 - Fraction(1, data.hours)), right + data.minutes, Fraction(data.angle, 6) + 1, right + 1]


def cost(task: Task[Data]) -> float:
    data = task.data
    if data.midway:
        return 30 + 12 * data.count
    return len(str(data.time)) + (2 if data.time % data.parts else 0) + (4 + 2 * data.count if data.count else 0)


def derive_midway(task: Task[Data]) -> Derivation:
    data = task.data
    for hand in range(3):
        yield MIDWAY(hand=HANDS[hand], period=_period(hand))
    clock, number, last = _clock_text(data.time), 0, _midway_times(data)[-1][0]
    for time, hand, smaller in _midway_events(data, len(HANDS) * data.count + 6):
        if time <= last:
            number += smaller
            yield TIME(time=time, hand=HANDS[hand], number=number, clock=clock) if smaller else SKIPPED(time=time, hand=HANDS[hand])


def _period(hand: int) -> Fraction:
    """The seconds from one time to the next at which twice the position of a hand is the sum of the other positions, up to whole rounds."""
    return 1 / abs(3 * RATES[hand] - sum(RATES))


def _midway_events(data: Data, most: int) -> list[tuple[Fraction, int, bool]]:
    """The next times at which a hand bisects the smaller or, in its extension, the larger angle between the others, with the hand and whether the
    smaller one."""
    events = []
    for hand in range(3):
        period = _period(hand)
        first = data.time // period + 1
        for k in range(most):
            time = (first + k) * period
            apart = (RATES[hand] - RATES[hand - 1]) * time % 1
            events.append((time, hand, not Fraction(1, 4) <= apart <= Fraction(3, 4)))
    return sorted(events)[:most]


def _midway_times(data: Data) -> list[tuple[Fraction, int, bool]]:
    return [event for event in _midway_events(data, len(HANDS) * data.count + 6) if event[2]][: data.count]


def _clock_text(time: int) -> str:
    return f"{time // 3600 or 12}:{time // 60 % 60:02d}:{time % 60:02d}"


def _sample_midway(rng: Rng, knobs: Knobs) -> Task[Data]:
    while True:
        time, count = rng.integer(600, 12 * 3600 - 1200), rng.integer(max(2, knobs.times - 8), max(2, knobs.times - 7))
        data = Data(hours=12, minutes=60, time=time, parts=1, angle=0, count=count, midway=True)
        times = [event[0] for event in _midway_events(data, len(HANDS) * count + 6)]
        if all(after - before > Fraction(1, 20) for before, after in pairwise([Fraction(time), *times])):
            break
    prompt = (
        "A clock has the usual face with an hour hand, a minute hand and a second hand. All three move steadily, and they point straight up together at "
        f"12:00:00. How many seconds after {_clock_text(time)} is the {ordinal_word(count)} moment at which one of the three hands (any of them) "
        "bisects the angle between the other two? The angle between hands is the smaller one, from 0 to 180 degrees."
    )
    return Task(prompt, data)


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


def _formula_constants(task: Task[Data]) -> list[int]:
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


ANGLES = calculations.solution(_lines, lambda task: _facts(task.data), "0 1 2 360", _formula_constants)

MIDWAY_TIMES = Solution(derive_midway, CLOSING_MIDWAY)

environment = Environment(
    Knobs,
    ANSWER,
    generate,
    solve,
    verify,
    mistakes,
    cost,
    solution=SolutionByTask(lambda task: MIDWAY_TIMES if task.data.midway else ANGLES),
    shift=shift,
    shared_helpers="The helper finds from the rates of the hands when one is midway between the others, which is what the task asks for.",
    concept=CONCEPT,
    version=7,
)
