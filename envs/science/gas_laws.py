"""Follow a gas through heating, compressing, leaking and mixing, and find its final pressure.

At higher levels with degrees Celsius, several vessels at different temperatures, and other units of pressure. The shift has chambers in one cylinder,
kept apart by pistons that move freely until all pressures are the same.
"""

from collections.abc import Sequence
from fractions import Fraction

from rlgym import Config, Environment, Rng, Score, Task, TaskData, knob
from rlgym.answers import Quantity
from rlgym.generators.science import gases
from rlgym.generators.science.gases import Part
from rlgym.generators.science.quantities import Working, solution
from rlgym.generators.stories import phrase
from rlgym.generators.text.english import join_words

ASKED = (
    "What is the final pressure?",
    "Find the final pressure.",
    "What is the pressure of the gas at the end?",
    "Find the pressure after all this.",
)
GASES = ("helium", "neon", "argon", "nitrogen", "oxygen", "hydrogen", "methane", "carbon dioxide", "krypton")


class Knobs(Config):
    steps: int = knob(4, easy=1, hard=10, doc="changes one after another, or chambers less one")
    choice: int = knob(0, easy=0, hard=1, doc="1 if the order of five or six changes is free and the greatest final pressure is asked for")
    celsius: int = knob(50, easy=0, hard=100, doc="percent of temperatures given in degrees Celsius")
    vessels: int = knob(
        30, easy=0, hard=60, doc="percent of the changes that have to do with another vessel, or of chambers given by pressures in bar"
    )


class Data(TaskData):
    parts: tuple[Part, ...]
    limit: int  # kilopascals that the pressure must not exceed, where the order of the changes is free; 0 otherwise
    answer: str


def generate(rng: Rng, knobs: Knobs) -> Task[Data]:
    parts, limit = _sample_free_order(rng, knobs) if knobs.choice and knobs.steps > 4 else (_sample_parts(rng, knobs, knobs.steps), 0)
    volume, pressure, kelvin, _ = parts[0].numbers
    lines = [
        f"A vessel of {volume} L holds {rng.choice(GASES)} at {gases.pressure(pressure, parts[0].bar)} and {gases.temperature(kelvin, parts[0].celsius)}."
    ]
    for k, part in enumerate(parts[1:], 1):
        a = gases.temperature(part.numbers[0], part.celsius) if part.kind == "heat" else part.numbers[0]
        b = (
            gases.pressure(part.numbers[1], part.bar)
            if part.kind == "join"
            else gases.temperature(part.numbers[1], part.celsius)
            if part.kind == "warm"
            else ""
        )
        lines.append(f"{k}. {phrase(rng, gases.SAID[part.kind], a=a, b=b)}")
    if limit:
        lines[0] += " The following changes are made, each exactly once, in any order:"
    return _task(rng, parts, "\n".join(lines), limit)


def _sample_parts(rng: Rng, knobs: Knobs, steps: int) -> list[Part]:
    parts = [gases.chamber(rng, knobs.celsius, knobs.vessels)]
    for _ in range(steps):
        kind = rng.choice(("join", "warm")) if rng.chance(knobs.vessels / 100) else rng.choice(("volume", "heat", "leak"))
        first = (
            str(rng.integer(2, 40))
            if kind in ("volume", "join", "warm")
            else str(rng.integer(2, 18) * 5)
            if kind == "leak"
            else gases.kelvin(rng)
        )
        second = [str(10 * rng.integer(3, 60))] if kind == "join" else [gases.kelvin(rng)] if kind == "warm" else []
        bar = kind == "join" and rng.chance(knobs.vessels / 100)
        parts.append(
            Part(kind=kind, numbers=(first, *second), celsius=kind in ("heat", "warm") and rng.chance(knobs.celsius / 100), bar=bar)
        )
    return parts


def _sample_free_order(rng: Rng, knobs: Knobs) -> tuple[list[Part], int]:
    """Changes of several kinds, and a limit that the order which is best without it exceeds."""
    while True:
        parts = _sample_parts(rng, knobs, 5 + (knobs.steps > 8))
        kinds = [part.kind for part in parts[1:]]
        if len(set(kinds)) < 4 or max(map(kinds.count, kinds)) > 2:
            continue
        free = gases.best_order(parts, 10**9)
        assert free is not None
        limit = 10 * int(free[0] * rng.integer(60, 95) / 1000)
        best = gases.best_order(parts, limit)
        if best and best[0] < free[0] and best[0] < limit * Fraction(97, 100):
            return parts, limit


def shift(rng: Rng, knobs: Knobs) -> Task[Data]:
    """Chambers between pistons."""
    parts = [gases.chamber(rng, knobs.celsius, knobs.vessels) for _ in range(knobs.steps + 1)]
    lines = ["A cylinder is divided into chambers by pistons that are held fast. Each chamber is filled with a gas of its own:"]
    for k, part in enumerate(parts, 1):
        volume, pressure, before, after = part.numbers
        warm = f"{gases.temperature(before, part.celsius)}, later brought to {gases.temperature(after, part.celsius)}"
        lines.append(f"- chamber {k}: {volume} L of {rng.choice(GASES)} at {gases.pressure(pressure, part.bar)} and {warm}")
    lines.append(
        "The pistons are set free, so that they move without friction until the pressure is the same everywhere, while each chamber is brought to its "
        "later temperature. The volume of the cylinder stays the same, and no gas gets past a piston."
    )
    return _task(rng, parts, "\n".join(lines))


def solve(task: Task[Data]) -> Fraction:
    # By amounts of gas; the working follows the pressure from change to change.
    data = task.data
    return gases.best_by_amounts(data.parts, data.limit) if data.limit else gases.by_amounts(data.parts)


def verify(task: Task[Data], answer: Fraction) -> Score:
    return Score.exact(answer == Fraction(task.data.answer), "that is not the final pressure")


def mistakes(task: Task[Data], right: Fraction) -> list[Fraction]:
    first = task.data.parts[0].numbers
    others = []
    if task.data.limit:
        free = gases.best_order(task.data.parts, 10**9)
        others = [gases.by_amounts(task.data.parts), Fraction(task.data.limit), *([free[0]] if free else [])]
    return [
        *(other for other in others if other != right),
        right * 1000,
        right / 100,
        Fraction(first[1]),
        right * Fraction(first[2]) / abs(Fraction(first[2]) - Fraction(2725, 10)),
        right * 2,
        right + 1,
    ]


def cost(task: Task[Data]) -> float:
    return float(sum(1 + len(part.numbers) + part.celsius + part.bar for part in task.data.parts) ** 2 * (10 if task.data.limit else 1))


def _task(rng: Rng, parts: Sequence[Part], text: str, limit: int = 0) -> Task[Data]:
    data = Data(parts=tuple(parts), limit=limit, answer="")
    units = [*(["0 degrees Celsius is 273 K"] if " degrees Celsius" in text else []), *(["1 bar is 100 kPa"] if " bar" in text else [])]
    rules = "All gases are ideal: pV/T stays the same for the same molecules." + (f" {join_words(units)}." if units else "")
    asked = phrase(rng, ASKED)
    if limit:
        asked = (
            f"The pressure in the vessel must not be above {limit} kPa after any change. What is the greatest final pressure that can be "
            "reached by choosing the order?"
        )
    return Task(f"{text}\n{rules} {asked}", data.model_copy(update={"answer": str(_working(data).value)}))


def _working(data: Data) -> Working:
    best = gases.best_order(data.parts, data.limit) if data.limit else None
    return gases.working(data.parts, best[1] if best else ())


environment = Environment(
    Knobs, Quantity("kPa", digits=4), generate, solve, verify, mistakes, cost,
    solution=solution(_working), shift=shift,
    version=8, concept="For the same molecules pV/T stays the same; amounts of gas in several vessels add up.",
)  # fmt: skip
