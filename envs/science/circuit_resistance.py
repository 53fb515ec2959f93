"""Find the resistance between two terminals of a network of resistors.

Resistors in series and in parallel, with dead ends, bare wires and kilo-ohms at higher levels. The shift has bridges and meshes, which no
series and parallel steps take apart.
"""

from collections.abc import Sequence
from fractions import Fraction

from rlgym import Config, Environment, Rng, Score, Task, TaskData, knob
from rlgym.answers import Quantity
from rlgym.generators.calculations import format_decimal
from rlgym.generators.drawing import pictures
from rlgym.generators.science import resistors
from rlgym.generators.science.quantities import Working, solution
from rlgym.generators.stories import phrase
from rlgym.generators.text import english

LETTERS = "CDEFGHJKLMPQRSTUVWXYZ"
OPENINGS = (
    "A network of resistors hangs between the terminals A and B; the other letters are joints.",
    "These parts are soldered together at the points named by letters.",
    "In a box with the terminals A and B there is this network; each part joins two points.",
    "A circuit board connects points, A and B among them, like this:",
)
PLACES = (
    "A network between the terminals A and B has {count} places for resistors; each place joins two points.",
    "On a circuit board there are {count} empty places for resistors, each between two points.",
)
ASKED = (
    "What is the resistance between A and B?",
    "Find the equivalent resistance of the whole network, measured between A and B.",
    "Which single resistor between A and B could replace the network?",
    "An ideal ohmmeter is connected to A and B. What does it show?",
)


class Knobs(Config):
    resistors: int = knob(6, easy=2, hard=15, doc="resistors that carry current")
    choice: int = knob(
        0, easy=0, hard=1, doc="1 if six or seven resistors are to be assigned to places for the least or the greatest resistance"
    )
    extras: int = knob(2, easy=0, hard=5, doc="dead ends and bare wires besides them")
    kilo: int = knob(30, easy=0, hard=60, doc="percent of resistors given in kilo-ohms")


class Data(TaskData):
    parts: tuple[tuple[str, str, str], ...]  # two points and the ohms between them, 0 for a wire, or the number of a place
    values: tuple[int, ...]  # the ohms to assign to the places, if they are not given
    least: bool  # whether the least resistance is asked for
    answer: str


def generate(rng: Rng, knobs: Knobs) -> Task[Data]:
    if knobs.choice and knobs.resistors > 7:
        return _sample_choice(rng, 6 + (knobs.resistors > 12))
    edges, free = [("A", "B")], list(LETTERS)
    while len(edges) < knobs.resistors:
        a, b = edges.pop(rng.integer(0, len(edges) - 1))
        series = bool(free) and ((a, b) in edges or rng.chance(0.55))
        point = free.pop(0) if series else ""
        edges += [(a, point), (point, b)] if series else [(a, b), (a, b)]
    return _sample_task(rng, knobs, edges, free)


def shift(rng: Rng, knobs: Knobs) -> Task[Data]:
    """Points each joined to two or three earlier ones: bridges over bridges."""
    points, edges, free = ["A", "B"], [("A", "B")] if rng.chance(0.3) else [], list(LETTERS)
    while len(edges) < max(5, knobs.resistors - 3) and len(free) > 8:
        point = free.pop(0)
        near = rng.sample(points, min(len(points), rng.integer(2, 3)))
        edges += [(point, other) for other in near]
        points.append(point)
    a, b = points[2], points[3]
    edges += [("A", a), (a, "B"), ("A", b), (b, "B"), (a, b)] if (a, b) not in edges and (b, a) not in edges else []
    return _sample_task(rng, knobs, edges, free)


def solve(task: Task[Data]) -> Fraction:
    # By the potentials of all points; the working removes points one by one. Where places are free, by trying all assignments.
    data = task.data
    if data.values:
        return resistors.searched_resistance([part[:2] for part in data.parts], data.values, data.least)
    return resistors.by_potentials(task.data.parts)


def verify(task: Task[Data], answer: Fraction) -> Score:
    return Score.exact(answer == Fraction(task.data.answer), "that is not the resistance between A and B")


def mistakes(task: Task[Data], right: Fraction) -> list[Fraction]:
    data = task.data
    ohms = [Fraction(value) for value in data.values] or [Fraction(part[2]) for part in data.parts if part[2] != "0"]
    others = []
    if data.values:
        places, values = [part[:2] for part in data.parts], sorted(data.values)
        tree = resistors.read_tree(places)
        others = [resistors.improved_by_exchanges(tree, values, data.least), resistors.best_assignment(tree, values, not data.least)[0]]
    return [
        *others,
        sum(ohms, Fraction(0)),
        1 / sum((1 / ohm for ohm in ohms), Fraction(0)),
        right * 2,
        1 / right,
        right + ohms[0],
        right / 1000,
    ]


def cost(task: Task[Data]) -> float:
    if task.data.values:
        return float(20 * len(task.data.values) ** 2)
    return float(len(task.data.parts) ** 2 + len({point for part in task.data.parts for point in part[:2]}) ** 2)


def picture(task: Task[Data]) -> str:
    points = sorted({point for part in task.data.parts for point in part[:2]})
    together: dict[tuple[str, str], str] = {}
    for a, b, ohms in task.data.parts:
        together[a, b] = f"{together[a, b]} | {ohms}" if (a, b) in together else ohms
    return pictures.network(points, [(a, b, ohms) for (a, b), ohms in together.items()], marked="AB")


def _sample_task(rng: Rng, knobs: Knobs, edges: Sequence[tuple[str, str]], free: list[str]) -> Task[Data]:
    parts = [(*rng.shuffled(edge), str(10 * rng.integer(7, 40) if rng.chance(knobs.kilo / 100) else rng.integer(2, 60))) for edge in edges]
    for _ in range(knobs.extras if free else 0):
        used = sorted({point for part in parts for point in part[:2]})
        point, near = free.pop(0), rng.choice(used)
        at = rng.integer(0, len(parts) - 1)
        if rng.chance(0.5):
            parts.append((near, point, str(rng.integer(2, 60))))
        else:  # a part is moved to the far end of a wire
            a, b, ohms = parts[at]
            parts[at : at + 1] = [(point, b, ohms), (a, point, "0")]
    parts = rng.shuffled(parts)
    listed = "\n".join(f"- {a} to {b}: {_describe(ohms)}" for a, b, ohms in parts)
    data = Data(parts=tuple((a, b, ohms) for a, b, ohms in parts), values=(), least=False, answer="")
    value = _working(data).value
    wires = " Wires have no resistance." if "wire" in listed else ""
    kilo = " 1 kilo-ohm is 1000 ohm." if "kilo" in listed else ""
    prompt = f"{phrase(rng, OPENINGS)}\n{listed}\n\n{phrase(rng, ASKED)}{wires}{kilo}"
    return Task(prompt, data.model_copy(update={"answer": str(value)}))


def _sample_choice(rng: Rng, count: int) -> Task[Data]:
    """Places of which a plausible assignment, improved by exchanging two resistors at a time, is not the best."""
    while True:
        places, tree = resistors.sample_places(rng, count, LETTERS)
        values = sorted(rng.sample(range(2, 40), count))
        least = rng.chance(0.5)
        if resistors.best_assignment(tree, values, least)[0] != resistors.improved_by_exchanges(tree, values, least):
            break
    parts = tuple((*rng.shuffled(place), str(k)) for k, place in enumerate(rng.shuffled(places), 1))
    data = Data(parts=parts, values=tuple(rng.shuffled(values)), least=least, answer="")
    listed = "\n".join(f"- place {k}: {a} to {b}" for a, b, k in parts)
    wanted = "smallest" if least else "largest"
    prompt = (
        f"{phrase(rng, PLACES, count=count)}\n{listed}\n\nResistors of {english.join_words([str(value) for value in data.values])} ohm are to be soldered in, "
        f"one in each place. What is the {wanted} possible resistance between A and B?"
    )
    return Task(prompt, data.model_copy(update={"answer": str(_working(data).value)}))


def _working(data: Data) -> Working:
    parts = data.parts
    if data.values:
        tree = resistors.read_tree([part[:2] for part in parts])
        _, chosen = resistors.best_assignment(tree, sorted(data.values), data.least)
        parts = tuple((a, b, str(chosen[k])) for k, (a, b, _) in enumerate(parts))
    return resistors.working(parts)


def _describe(ohms: str) -> str:
    return "a bare wire" if ohms == "0" else f"{format_decimal(Fraction(ohms) / 1000)} kilo-ohm" if int(ohms) > 60 else f"{ohms} ohm"


environment = Environment(
    Knobs, Quantity("ohm", digits=4), generate, solve, verify, mistakes, cost,
    solution=solution(_working), shift=shift, picture=picture,
    version=6, concept="A point between resistors can be taken out: two in series add up, parallel conductances add up, a star becomes a mesh.",
)  # fmt: skip
