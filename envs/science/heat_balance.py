"""Mix ice, water, steam and hot metals: which temperature results, and how much is ice or steam?

Which phases are left must be found out first. In the shift a heater runs in the vessel for some time.
"""

from fractions import Fraction

from rlgym import Config, Environment, Rng, Score, Task, TaskData, knob
from rlgym.answers import Assignment
from rlgym.generators.calculations import format_decimal
from rlgym.generators.science import heats
from rlgym.generators.science.heats import ASKED, HEATER, OPENINGS, RULES
from rlgym.generators.science.quantities import Working, solution
from rlgym.generators.stories import phrase

Found = tuple[tuple[str, Fraction], ...]

ANSWER = Assignment(
    ("t", "ice", "steam"),
    "the three values, exact or rounded to 4 significant digits, as in name = number, separated by commas",
    4,
    as_decimal=True,
)


class Knobs(Config):
    bodies: int = knob(4, easy=2, hard=9, doc="how many bodies are put together")
    phases: int = knob(50, easy=0, hard=80, doc="percent of bodies that are ice or steam")
    kilos: int = knob(20, easy=0, hard=60, doc="percent of the masses given in kilograms")


class Body(TaskData):
    kind: str
    grams: str
    degrees: str
    kilo: bool


class Data(TaskData):
    bodies: tuple[Body, ...]
    watts: int
    seconds: int
    answer: tuple[str, str, str]


def generate(rng: Rng, knobs: Knobs) -> Task[Data]:
    return _sample_task(rng, knobs, False)


def shift(rng: Rng, knobs: Knobs) -> Task[Data]:
    """A heater runs for some time."""
    return _sample_task(rng, knobs, True)


def solve(task: Task[Data]) -> Found:
    # Everything is warmed up from the cold; the working compares the whole heat with that of the changes of phase.
    bodies = [(body.kind, Fraction(body.grams), Fraction(body.degrees)) for body in task.data.bodies]
    return _find(heats.settle(bodies, Fraction(task.data.watts * task.data.seconds)))


def verify(task: Task[Data], answer: Found) -> Score:
    right = tuple((name, Fraction(value)) for name, value in zip(("t", "ice", "steam"), task.data.answer))
    return Score.exact(answer == right, "that is not the final state")


def mistakes(task: Task[Data], right: Found) -> list[Found]:
    (_, t), (_, ice), (_, steam) = right
    water = sum(Fraction(body.grams) for body in task.data.bodies if body.kind not in heats.METALS)
    kelvin = (("t", t + 273), ("ice", ice), ("steam", steam))
    return [kelvin, (("t", t), ("ice", steam + 1), ("steam", ice)), (("t", t), ("ice", water - ice), ("steam", steam)), right[:1]]


def cost(task: Task[Data]) -> float:
    data = task.data
    return (
        float(sum(len(body.grams) + 2 * body.kilo + 4 * (body.kind in ("ice", "steam")) for body in data.bodies) + 3 * (data.seconds > 0))
        ** 2
    )


def _sample_task(rng: Rng, knobs: Knobs, heater: bool) -> Task[Data]:
    kinds = ["water"]
    for _ in range(knobs.bodies - 1):
        phase = rng.chance(knobs.phases / 100)
        kinds.append(rng.weighted(("ice", "steam"), (4, 1)) if phase else rng.choice(("water", *heats.METALS)))
    span = {"ice": (-30, 0), "steam": (100, 150), "water": (1, 99)}
    bodies = []
    for kind in rng.shuffled(kinds):
        kilo = rng.chance(knobs.kilos / 100)
        grams = rng.integer(2, 40) * (25 if kilo else 10)
        degrees = rng.integer(*span.get(kind, (20, 300)))
        bodies.append(Body(kind=kind, grams=str(grams), degrees=str(degrees), kilo=kilo))
    watts, minutes = 50 * rng.integer(1, 40), rng.integer(1, 12)
    data = Data(bodies=tuple(bodies), watts=watts if heater else 0, seconds=60 * minutes if heater else 0, answer=("0", "0", "0"))
    heat = sum((_heat(body) for body in bodies), Fraction(data.watts * data.seconds))
    water = sum((Fraction(body.grams) for body in bodies if body.kind not in heats.METALS), Fraction(0))
    metal = sum((Fraction(body.grams) * Fraction(heats.METALS[body.kind]) for body in bodies if body.kind in heats.METALS), Fraction(0))
    answer = tuple(str(value) for _, value in _find(heats.state(heat, water, metal)))
    things = [f"- {_mass(body)} of {body.kind} at {body.degrees} degree{'' if body.degrees == '1' else 's'} Celsius" for body in bodies]
    used = [kind for kind in heats.METALS if any(body.kind == kind for body in bodies)]
    metals = " " + ", ".join(f"{kind} takes {heats.METALS[kind]}" for kind in used).capitalize() + " J per gram and degree." if used else ""
    time = f"{minutes} minutes (60 s each)" if minutes > 1 else "60 s"
    coil = "\n" + phrase(rng, HEATER, watts=watts, time=time) if heater else ""
    rules = RULES.format(constants=heats.CONSTANTS, metals=metals)
    listed = "\n".join(things)
    return Task(f"{phrase(rng, OPENINGS)}\n{listed}{coil}\n{phrase(rng, ASKED)} {rules}", data.model_copy(update={"answer": answer}))


def _mass(body: Body) -> str:
    return f"{format_decimal(Fraction(body.grams) / 1000)} kg" if body.kilo else f"{body.grams} g"


def _heat(body: Body) -> Fraction:
    work = Working()
    formula, numbers = heats.heat_of(body.kind, Fraction(body.grams), Fraction(body.degrees))
    return work.add("heat", "J", formula, *numbers)


def _find(state: heats.State) -> Found:
    return ("t", state.degrees), ("ice", state.ice), ("steam", state.steam)


def _working(data: Data) -> Working:
    work, all_heats, waters, metals = Working("0 1 2 60 100 1000"), list[Fraction](), list[Fraction](), list[tuple[Fraction, Fraction]]()
    for i, body in enumerate(data.bodies, 1):
        grams = Fraction(body.grams)
        if body.kilo:
            work.add(f"mass of body {i}", "g", "1000 * {}", grams / 1000)
        formula, numbers = heats.heat_of(body.kind, grams, Fraction(body.degrees))
        all_heats.append(work.add(f"heat of body {i}, {body.kind}", "J", formula, *numbers))
        if body.kind in heats.METALS:
            metals.append((grams, Fraction(heats.METALS[body.kind])))
        else:
            waters.append(grams)
    if data.seconds:
        all_heats.append(work.add("heat from the heater", "J", "{} * {} * 60", data.watts, data.seconds // 60))
    heats.finish(work, all_heats, waters, metals)
    return work


environment = Environment(
    Knobs, ANSWER, generate, solve, verify, mistakes, cost,
    solution=solution(_working, lambda task: Assignment(ANSWER.names).render(solve(task))), shift=shift,
    version=4, concept="The heat of all bodies together, reckoned from water at 0 degrees, tells which phases are left and how warm they are.",
)  # fmt: skip
