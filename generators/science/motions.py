"""Motion along a line in phases of constant acceleration: how each phase is given, and its result."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

from rlgym.core.rng import Rng
from rlgym.core.task import TaskData
from rlgym.generators.calculations import format_decimal
from rlgym.generators.science.quantities import Working

THINGS = (
    "a tram",
    "a probe",
    "a train",
    "a lorry",
    "a motor boat",
    "a robot",
    "a car",
    "a bus",
    "a sledge",
    "a drone",
    "a rail car",
    "a racing boat",
)
OPENINGS = (
    "{what} moves along a straight line, at {speed} to begin with:",
    "At first {what} moves at {speed}, always straight on:",
    "We follow {what} on a straight course from the moment when its speed is {speed}:",
    "{what} moves along a straight track, at {speed} when we start to observe it:",
)
TABLE = (
    "The velocity of {what} on a straight track is read at some times, and changes evenly between each two readings:",
    "{what} moves along a line. Its velocity (negative: backwards) at some moments, with a straight line between them in the diagram, is:",
    "A sensor gives the velocity of {what} along a track, which changes at a constant rate from each entry to the next:",
    "Here are velocities of {what} on a straight line, between which the velocity changes evenly; backwards is negative:",
)
ASKED = (
    "What is its average speed over all of this?",
    "Find the average speed (the total distance divided by the total time).",
    "What is the average speed over the whole journey?",
    "Work out its mean speed from the beginning to the end.",
)

SAID = {
    "cruise": ("for {a} the speed stays the same", "it keeps this speed for {a}", "{a} pass without any change of speed"),
    "roll": ("it goes on at this speed for {a}", "it covers {a} at an unchanged speed", "the next {a} are covered at the same speed"),
    "change": (
        "over {b} it changes its speed evenly to {a}",
        "its speed goes evenly to {a} in {b}",
        "with constant acceleration it reaches {a} in exactly {b}",
    ),
    "push": ("for {b} its speed changes by {a} m/s in every second", "an acceleration of {a} m/s^2 lasts for {b}"),
    "stretch": (
        "over a stretch of {b} its speed changes, with constant acceleration, to {a}",
        "while covering {b} it reaches {a} at constant acceleration",
    ),
    "reach": ("it accelerates at {b} m/s^2 until its speed is {a}", "at an acceleration of {b} m/s^2 it reaches {a}"),
}


class Phase(TaskData):
    """One phase. cruise SECONDS, roll METRES, change SPEED SECONDS, push ACCELERATION SECONDS, stretch SPEED METRES, reach SPEED ACCELERATION."""

    kind: str
    numbers: tuple[str, ...]
    kmh: bool  # the speed is said in km/h
    minutes: bool  # the time is said in minutes


def sample(rng: Rng, kinds: Sequence[str], speed: Fraction, other_units: float) -> tuple[Phase, Fraction]:
    """A phase that fits a speed, and the speed after it."""
    kind = rng.choice([kind for kind in kinds if speed > 0 or kind not in ("cruise", "roll")])
    kmh, minutes = rng.chance(other_units), rng.chance(other_units)
    aim = rng.choice([k for k in range(1, 41) if k != speed and (not kmh or k % 5 == 0)])
    seconds = rng.integer(1, 6) * 15 if minutes else rng.integer(2, 60)
    if kind == "cruise":
        return Phase(kind=kind, numbers=(str(seconds),), kmh=False, minutes=minutes), speed
    if kind == "roll":
        return Phase(kind=kind, numbers=(str(10 * rng.integer(2, 90)),), kmh=False, minutes=False), speed
    if kind == "push":
        step = Fraction(rng.choice([k for k in range(-8, 13) if k and speed + Fraction(k, 4) * seconds > 0] or [1]), 4)
        return Phase(kind=kind, numbers=(str(step), str(seconds)), kmh=False, minutes=minutes), speed + step * seconds
    if kind == "reach":
        numbers = (str(aim), str(Fraction(rng.integer(1, 12), 4) * (1 if aim > speed else -1)))
        return Phase(kind=kind, numbers=numbers, kmh=kmh, minutes=False), Fraction(aim)
    second = seconds if kind == "change" else 10 * rng.integer(2, 60)
    return Phase(kind=kind, numbers=(str(aim), str(second)), kmh=kmh, minutes=kind == "change" and minutes), Fraction(aim)


def phrase(phase: Phase) -> dict[str, str]:
    """The gaps of a phase's sentence."""
    first, *rest = map(Fraction, phase.numbers)
    time = [f"{format_decimal(seconds / 60)} min" if phase.minutes else f"{format_decimal(seconds)} s" for seconds in (first, *rest)]
    speed = f"{format_decimal(first * Fraction(18, 5))} km/h" if phase.kmh else f"{format_decimal(first)} m/s"
    if phase.kind == "cruise":
        return {"a": time[0]}
    if phase.kind == "roll":
        return {"a": f"{format_decimal(first)} m"}
    if phase.kind == "push":
        return {"a": format_decimal(first), "b": time[1]}
    return {"a": speed, "b": {"change": time[-1], "stretch": f"{format_decimal(rest[0])} m"}.get(phase.kind, format_decimal(rest[0]))}


def by_areas(start: Fraction, phases: Sequence[Phase]) -> tuple[Fraction, Fraction]:
    """Seconds and metres, from the mean of the speeds at both ends of each phase."""
    speed, seconds, metres = start, Fraction(0), Fraction(0)
    for phase in phases:
        first, *rest = map(Fraction, phase.numbers)
        if phase.kind in ("cruise", "roll"):
            time, after = (first if phase.kind == "cruise" else first / speed), speed
        elif phase.kind == "push":
            time, after = rest[0], speed + first * rest[0]
        else:
            after = first
            time = (
                rest[0] if phase.kind == "change" else (after - speed) / rest[0] if phase.kind == "reach" else 2 * rest[0] / (after + speed)
            )
        seconds, metres, speed = seconds + time, metres + time * (speed + after) / 2, after
    return seconds, metres


def work_out(work: Working, speed: Fraction, phases: Sequence[Phase]) -> tuple[Fraction, Fraction]:
    """The same with accelerations, a few lines for each phase."""
    times, ways = list[Fraction](), list[Fraction]()
    for k, phase in enumerate(phases, 1):
        first, *rest = map(Fraction, phase.numbers)
        name = f"phase {k}"
        if phase.kmh:
            work.add(f"speed after {name}", "m/s", "{} * 1000 / 3600", first * Fraction(18, 5))
        if phase.minutes:
            work.add(f"time of {name}", "s", "{} * 60", (rest or [first])[0] / 60)
        if phase.kind == "cruise":
            time, distance = first, work.add(f"distance of {name}", "m", "{} * {}", speed, first)
        elif phase.kind == "roll":
            time, distance = work.add(f"time of {name}", "s", "{} / {}", first, speed), first
        elif phase.kind == "stretch":
            time, distance = work.add(f"time of {name}", "s", "2 * {} / ({} + {})", rest[0], speed, first), rest[0]
            speed = first
        else:
            if phase.kind == "reach":
                time, gain = work.add(f"time of {name}", "s", "({} - {}) / {}", first, speed, rest[0]), rest[0]
            elif phase.kind == "change":
                time, gain = rest[0], work.add(f"acceleration of {name}", "m/s^2", "({} - {}) / {}", first, speed, rest[0])
            else:
                time, gain = rest[0], first
            distance = work.add(f"distance of {name}", "m", "{} * {} + {} * {} ^ 2 / 2", speed, time, gain, time)
            speed = work.add(f"speed at the end of {name}", "m/s", "{} + {} * {}", speed, gain, time)
        times.append(time)
        ways.append(distance)
    return work.total("whole time", "s", times), work.total("whole way", "m", ways)
