"""Find the exact average speed of a journey in several phases, each given in its own way.

Times, distances, accelerations and speeds in different units. The shift gives a table of velocities, with straight lines between its entries, in which
the motion turns back: the way counts, not where it leads.
"""

from collections.abc import Sequence
from fractions import Fraction
from itertools import pairwise

from rlgym import Config, Environment, Rng, Score, Task, TaskData, knob
from rlgym.answers import Quantity
from rlgym.generators.calculations import format_decimal
from rlgym.generators.science import motions
from rlgym.generators.science.motions import ASKED, OPENINGS, TABLE, THINGS, Phase
from rlgym.generators.science.quantities import Working, solution
from rlgym.generators.stories import phrase


class Knobs(Config):
    phases: int = knob(4, easy=2, hard=12, doc="how many phases")
    kinds: int = knob(4, easy=2, hard=6, doc="how many ways to give a phase")
    units: int = knob(30, easy=0, hard=60, doc="percent of speeds in km/h and of times in minutes")


class Data(TaskData):
    start: str
    phases: tuple[Phase, ...]
    table: tuple[tuple[int, str], ...]  # seconds and velocities; of the shift only
    kmh: bool
    answer: str


def generate(rng: Rng, knobs: Knobs) -> Task[Data]:
    start = Fraction(rng.integer(1, 20))
    kinds = ("cruise", "change", "roll", "push", "reach", "stretch")[: knobs.kinds]
    speed, phases = start, list[Phase]()
    while len(phases) < knobs.phases:
        phase, after = motions.sample(rng, kinds, speed, knobs.units / 100)
        if 0 < after <= 60:
            phases.append(phase)
            speed = after
    lines = [f"{k}. {phrase(rng, motions.SAID[phase.kind], **motions.phrase(phase))}" for k, phase in enumerate(phases, 1)]
    opening = phrase(rng, OPENINGS, what=rng.choice(THINGS), speed=f"{start} m/s")
    return _task(rng, opening, lines, Data(start=str(start), phases=tuple(phases), table=(), kmh=False, answer=""))


def shift(rng: Rng, knobs: Knobs) -> Task[Data]:
    """A table of velocities that change their sign."""
    kmh, at, table = rng.chance(knobs.units / 100), 0, list[tuple[int, str]]()
    for _ in range(knobs.phases + 1):
        before = Fraction(table[-1][1]) if table else Fraction(0)
        turned = rng.choice((-1, 1, 1)) if before == 0 else (-1 if before > 0 else 1) * rng.choice((1, 1, -1))
        table.append((at, str(turned * rng.integer(1, 24) * (Fraction(5, 2) if kmh else 1))))
        at += rng.integer(2, 40)
    unit = "km/h" if kmh else "m/s"
    lines = [f"{seconds} s: {format_decimal(Fraction(speed) * (Fraction(18, 5) if kmh else 1))} {unit}" for seconds, speed in table]
    return _task(
        rng, phrase(rng, TABLE, what=rng.choice(THINGS)), lines, Data(start="0", phases=(), table=tuple(table), kmh=kmh, answer="")
    )


def solve(task: Task[Data]) -> Fraction:
    # By the areas under the curve of the speed; the working uses accelerations, and the moments at which the motion turns.
    data = task.data
    if data.phases:
        seconds, metres = motions.by_areas(Fraction(data.start), data.phases)
        return metres / seconds
    distance = Fraction(0)
    for (t, speed_a), (u, two) in pairwise((t, Fraction(speed)) for t, speed in data.table):
        distance += (u - t) * (
            abs(speed_a + two) / 2 if speed_a * two >= 0 else (speed_a * speed_a + two * two) / (2 * (abs(speed_a) + abs(two)))
        )
    return distance / (data.table[-1][0] - data.table[0][0])


def verify(task: Task[Data], answer: Fraction) -> Score:
    return Score.exact(answer == Fraction(task.data.answer), "that is not the average speed")


def mistakes(task: Task[Data], right: Fraction) -> list[Fraction]:
    data = task.data
    speeds = [Fraction(speed) for _, speed in data.table] or [Fraction(data.start), *(Fraction(phase.numbers[0]) for phase in data.phases)]
    mean = sum(speeds, Fraction(0)) / len(speeds)
    return [mean, right * Fraction(18, 5), right * 1000, right / 2, right + 1, abs(mean)]


def cost(task: Task[Data]) -> float:
    data = task.data
    units = sum(phase.kmh + phase.minutes + len(phase.numbers) for phase in data.phases) + 2 * len(data.table) * (1 + data.kmh)
    return float(units * (len(data.phases) + len(data.table)))


def _task(rng: Rng, opening: str, lines: Sequence[str], data: Data) -> Task[Data]:
    listed = "\n".join(lines)
    prompt = f"{opening[0].upper()}{opening[1:]}\n{listed}\n{phrase(rng, ASKED)}{_used_units(listed + opening)}"
    return Task(prompt, data.model_copy(update={"answer": str(_working(data).value)}))


def _used_units(text: str) -> str:
    """The sentence about the units other than metres and seconds that occur in a text."""
    used = [said for unit, said in (("km", "1 km = 1000 m"), (" min", "1 min = 60 s"), ("km/h", "1 h = 3600 s")) if unit in text]
    return f" {', '.join(used)}." if used else ""


def _working(data: Data) -> Working:
    work = Working("0 1 2 60 1000 3600")
    if data.phases:
        seconds, metres = motions.work_out(work, Fraction(data.start), data.phases)
    else:
        ways, speeds = list[Fraction](), list[Fraction]()
        for seconds_now, speed in data.table:
            value = Fraction(speed)
            speeds.append(
                work.add(f"velocity at {seconds_now} s", "m/s", "{} * 1000 / 3600", value * Fraction(18, 5)) if data.kmh else value
            )
        for (t, _), (u, _), speed_a, two in zip(data.table, data.table[1:], speeds, speeds[1:]):
            name, time = f"from {t} s", work.add(f"time from {t} s on", "s", "{} - {}", u, t)
            sizes = (abs(speed_a), abs(two))
            if speed_a * two < 0:
                turn = work.add(f"time {name} until it turns", "s", "{} * {} / ({} + {})", time, sizes[0], *sizes)
                rest = work.add(f"time {name} that is left then", "s", "{} - {}", time, turn)
                ways.append(work.add(f"distance {name}", "m", "{} * {} / 2 + {} * {} / 2", sizes[0], turn, sizes[1], rest))
            else:
                ways.append(work.add(f"distance {name}", "m", "{} * ({} + {}) / 2", time, *sizes))
        metres = work.total("whole distance", "m", ways)
        seconds = work.add("whole time", "s", "{} - {}", data.table[-1][0], data.table[0][0])
    work.add("average speed", "m/s", "{} / {}", metres, seconds)
    return work


environment = Environment(
    Knobs, Quantity("m/s", digits=4), generate, solve, verify, mistakes, cost,
    solution=solution(_working), shift=shift,
    version=4,
    concept="The average speed is the total distance divided by the total time; at constant acceleration the distance is time times mean speed.",
)  # fmt: skip
