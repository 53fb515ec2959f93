"""Find the forces in the supports of a loaded beam.

A beam on two supports with point loads and spread loads. The shift has two beams joined by a hinge, over three supports, with ends that
stick out and turning couples. Smaller shifts are single knobs: more loads, only spread ones, supports away from the ends, couples.
"""

from collections.abc import Sequence
from fractions import Fraction

from rlgym import Config, Environment, Rng, Score, Task, TaskData, knob
from rlgym.answers import Assignment
from rlgym.generators.calculations import format_decimal
from rlgym.generators.science import beams
from rlgym.generators.science.beams import Load
from rlgym.generators.science.quantities import solution
from rlgym.generators.stories import phrase

OPENINGS = (
    "A straight horizontal beam is {length} m long and so light that its weight can be ignored.",
    "A weightless horizontal beam has a length of {length} m.",
    "Take a level beam of {length} m; its own weight is ignored.",
    "A beam of {length} m, whose weight may be ignored, lies level.",
)
POINT = (
    "A load of {force} presses down at {at} m.",
    "At {at} m hangs a weight of {force}.",
    "A force of {force} acts downwards at {at} m.",
    "{force} of weight rest on the point at {at} m.",
)
SPREAD = (
    "From {at} m to {end} m a load of {force} per metre is spread evenly.",
    "Sand weighing {force} per metre lies evenly between {at} m and {end} m.",
    "Between {at} m and {end} m the beam carries {force} on every metre, evenly.",
    "An even load of {force} per metre presses down from {at} m to {end} m.",
)
COUPLE = (
    "At {at} m a couple of {force} m turns the beam clockwise.",
    "A motor at {at} m exerts a pure clockwise couple of {force} m.",
    "A clockwise twisting couple of {force} m acts at {at} m.",
    "At {at} m there is a couple of {force} m, clockwise and without any force.",
)

ANSWER = Assignment(
    ("a", "b", "c"),
    "a value in newtons for each support, exact or rounded to 4 significant digits, as in name = number, separated by commas",
    digits=4,
    as_decimal=True,
)


class Knobs(Config):
    loads: int = knob(4, easy=1, hard=10, doc="how many loads")
    spread: int = knob(40, easy=0, hard=70, doc="percent of the loads that are spread over a length")
    tenths: int = knob(30, easy=0, hard=80, doc="percent of positions and forces that are no whole metres or newtons")
    supports: str = knob(
        "ends",
        easy="ends",
        hard="ends",
        order=("ends", "inside"),
        fixed=True,
        doc="a beam on two supports has them at its ends, or two within",
    )
    couples: str = knob(
        "none", easy="none", hard="none", order=("none", "some"), fixed=True, doc="whether turning couples act on a beam on two supports"
    )


class Data(TaskData):
    supports: tuple[str, ...]  # positions of a, b, and c if there is a hinge
    hinge: str
    loads: tuple[Load, ...]
    answer: tuple[str, ...]


def generate(rng: Rng, knobs: Knobs) -> Task[Data]:
    length = rng.integer(4, 30)
    places = (0, length) if knobs.supports == "ends" else sorted(rng.sample(range(1, length), 2))
    return _sample_task(rng, knobs, length, tuple(map(Fraction, places)), None)


def shift(rng: Rng, knobs: Knobs) -> Task[Data]:
    """A hinge and three supports, none of them at an end."""
    length = rng.integer(9, 36)
    a, b, hinge, c = sorted(rng.sample(range(1, length), 4))
    return _sample_task(rng, knobs, length, (Fraction(a), Fraction(b), Fraction(c)), Fraction(hinge))


def solve(task: Task[Data]) -> tuple[tuple[str, Fraction], ...]:
    # By virtual work; the working balances moments and forces.
    data = task.data
    return tuple(zip("abc", beams.by_virtual_work(data.supports, data.hinge, data.loads)))


def verify(task: Task[Data], answer: tuple[tuple[str, Fraction], ...]) -> Score:
    right = tuple((name, Fraction(force)) for name, force in zip("abc", task.data.answer))
    return Score.exact(answer == right, "the beam would not stay at rest with these forces")


def mistakes(task: Task[Data], right: tuple[tuple[str, Fraction], ...]) -> list[tuple[tuple[str, Fraction], ...]]:
    (_, a), (_, b), *rest = right
    total = sum((force for _, force in right), Fraction(0))
    names = [name for name, _ in right]
    return [
        (("a", b), ("b", a), *rest),
        tuple((name, total / len(right)) for name in names),
        tuple((name, -force) for name, force in right),
        tuple((name, force / 1000) for name, force in right),
        (("a", a + 1), ("b", b - 1), *rest),
    ]


def cost(task: Task[Data]) -> float:
    text_length = sum(len(load.force) + len(load.at) + 3 * len(load.end) for load in task.data.loads)
    return float(text_length * len(task.data.supports))


def _sample_task(rng: Rng, knobs: Knobs, length: int, supports: Sequence[Fraction], hinge: Fraction | None) -> Task[Data]:
    turned = hinge is None and knobs.couples == "some"
    turning = 0.2 if hinge is not None else 0.5 * turned
    fine = [Fraction(1, 10) if rng.chance(knobs.tenths / 100) else Fraction(1) for _ in range(4 * knobs.loads)]
    loads, load_texts = [], []
    for i in range(knobs.loads):
        unit, size = fine.pop(), fine.pop()
        at, end = sorted(unit * place for place in rng.sample(range(int(length / unit) + 1), 2))
        kind = "spread" if rng.chance(knobs.spread / 100) else "couple" if turning and at != hinge and rng.chance(turning) else "point"
        kind = "couple" if turned and i == 0 else kind
        kilo = size != 1 and rng.chance(0.5)
        force = rng.integer(11, 99) * Fraction(1, 10) if kilo else rng.integer(10, 400) * (size if size == 1 else Fraction(1, 2))
        load = Load(kind=kind, force=str(force), kilo=kilo, at=str(at), end=str(end) if kind == "spread" else "")
        loads.append(load)
        phrasings = {"point": POINT, "spread": SPREAD, "couple": COUPLE}[kind]
        load_texts.append(
            phrase(rng, phrasings, force=f"{format_decimal(force)} {'k' * kilo}N", at=format_decimal(at), end=format_decimal(end))
        )
    *firsts, last = (f"{name} at {format_decimal(at)} m" for name, at in zip("abc", supports))
    supports_text = f"{', '.join(firsts)} and {last}"
    joint = (
        ""
        if hinge is None
        else f" At {format_decimal(hinge)} m it is cut and joined by a hinge without friction, which passes on forces but no turning."
    )
    data = Data(supports=tuple(map(str, supports)), hinge="" if hinge is None else str(hinge), loads=tuple(loads), answer=())
    facts = beams.working(data.supports, data.hinge, data.loads).facts
    data = data.model_copy(update={"answer": tuple(str(facts[f"force of support {name}"][0]) for name, _ in zip("abc", supports))})
    numbered = "\n".join(f"{i}. {text}" for i, text in enumerate(load_texts, 1))
    return Task(
        f"{phrase(rng, OPENINGS, length=length)}{joint} It rests on the supports {supports_text}.\n{numbered}\n{_conventions(data)}", data
    )


def _conventions(data: Data) -> str:
    """The last lines of a prompt, with what its loads and supports need."""
    rules = ["Positions are measured from the left end.", "The supports push straight up."]
    if data.hinge or any(force.startswith("-") for force in data.answer):
        rules[1] = "The supports push straight up or, where the answer is negative, hold the beam down."
    if any(load.kind == "couple" for load in data.loads):
        rules.append("Clockwise is as seen with the left end on the left.")
    if any(load.kilo for load in data.loads):
        rules.append("1 kN = 1000 N.")
    return " ".join([*rules, "Give the upward force of each support on the beam in newtons."])


environment = Environment(
    Knobs, ANSWER, generate, solve, verify, mistakes, cost,
    solution=solution(lambda data: beams.working(data.supports, data.hinge, data.loads), lambda task: Assignment(ANSWER.names).render(solve(task))),
    shift=shift,
    version=4, concept="A beam at rest has no moment about any point and no force in all; at a hinge there is no moment either.",
)  # fmt: skip
