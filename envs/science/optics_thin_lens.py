"""Find where several thin lenses in a row form the last image, and how large it is.

Lenses may converge or diverge, and may be given by their power. The shift ends in a mirror that sends the light back through the lenses.
"""

from fractions import Fraction
from itertools import pairwise

from rlgym import Config, Environment, Rng, Score, Task, TaskData, knob
from rlgym.answers import Assignment
from rlgym.generators.calculations import format_decimal
from rlgym.generators.science import lenses
from rlgym.generators.science.lenses import ASKED, LENS, OPENINGS
from rlgym.generators.science.quantities import Working, solution
from rlgym.generators.stories import phrase

Found = tuple[tuple[str, Fraction], ...]

ANSWER = Assignment(
    ("x", "m"), "the two values, exact or rounded to 4 significant digits, as in name = number, separated by commas", 4, as_decimal=True
)


class Knobs(Config):
    lenses: int = knob(3, easy=1, hard=7, doc="how many lenses")
    diverging: int = knob(30, easy=0, hard=50, doc="percent of lenses that diverge")
    powers: int = knob(20, easy=0, hard=70, doc="percent of lenses given by their power in dioptres")


class Element(TaskData):
    at: int
    focus: str  # in cm, or in dioptres
    power: bool


class Data(TaskData):
    elements: tuple[Element, ...]
    mirror: bool
    place: str
    size: str


def generate(rng: Rng, knobs: Knobs) -> Task[Data]:
    return _sample_task(rng, knobs, False)


def shift(rng: Rng, knobs: Knobs) -> Task[Data]:
    """A curved mirror stands behind the lenses."""
    return _sample_task(rng, knobs, True)


def solve(task: Task[Data]) -> Found:
    # By ray matrices; the working goes from image to image.
    path = [(gap, (100 / number if "100" in formula else number)) for gap, formula, number in _path(task.data)]
    image = lenses.by_matrices(path)
    assert image is not None
    last = task.data.elements[0 if task.data.mirror else -1].at
    return ("x", last - image[0] if task.data.mirror else last + image[0]), ("m", image[1])


def verify(task: Task[Data], answer: Found) -> Score:
    right = (("x", Fraction(task.data.place)), ("m", Fraction(task.data.size)))
    return Score.exact(answer == right, "that is not the place and magnification of the last image")


def mistakes(task: Task[Data], right: Found) -> list[Found]:
    (_, x), (_, m) = right
    last = task.data.elements[0 if task.data.mirror else -1].at
    return [
        (("x", x), ("m", -m)),
        (("x", x - last), ("m", m)),
        (("x", 2 * last - x), ("m", m)),
        (("x", x), ("m", 1 / m)),
        (("x", x / 10), ("m", m)),
    ]


def cost(task: Task[Data]) -> float:
    return float(
        sum(len(str(value)) for _, value in solve(task)) * len(_path(task.data)) ** 2 + sum(element.power for element in task.data.elements)
    )


def _sample_task(rng: Rng, knobs: Knobs, mirror: bool) -> Task[Data]:
    while True:
        at, elements = 0, []
        for _ in range(knobs.lenses + mirror):
            at += rng.integer(5, 60)
            sign = -1 if rng.chance(knobs.diverging / 100) else 1
            power = rng.chance(knobs.powers / 100)
            number = sign * (Fraction(rng.integer(2, 40), 2) if power else Fraction(rng.integer(4, 60)))
            elements.append(Element(at=at, focus=str(number), power=power))
        data = Data(elements=tuple(elements), mirror=mirror, place="", size="")
        try:
            facts = _working(data).facts
        except ArithmeticError:  # an image at infinity, or on a lens
            continue
        last = len(_path(data))
        size, place = facts[f"magnification up to element {last}"][0], facts["place of the last image"][0]
        if size and place != elements[0 if mirror else -1].at and abs(size) != 1:
            break
    lines = [
        phrase(rng, LENS, at=element.at, kind="converging" if element.focus[0] != "-" else "diverging", strength=_describe(element))
        for element in elements
    ]
    end = ""
    if mirror:
        bent = "concave" if elements[-1].focus[0] != "-" else "convex"
        lines[-1] = (
            f"- at {elements[-1].at} cm: a {bent} mirror {_describe(elements[-1])}, facing the lenses; it sends the light back to the left"
        )
        end = " The light goes back through all the lenses, and leaves to the left." if knobs.lenses else ""
    rules = (
        f"Use the thin lens equation 1/f = 1/object distance + 1/image distance{' (it holds for the mirror too)' if mirror else ''}, also for "
        "virtual objects and images. Places are in cm to the right of the object. The magnification is negative for an image that is upside down."
    )
    if any(element.power for element in elements):
        rules += " A power of P dioptres means a focal length of 100/P cm."
    listed = "\n".join(lines)
    data = data.model_copy(update={"place": str(place), "size": str(size)})
    return Task(
        f"{phrase(rng, OPENINGS)}\n{listed}\n{rules}{end}\n{phrase(rng, ASKED)} Give x, the place in cm, and m, the magnification.", data
    )


def _describe(element: Element) -> str:
    return (
        f"of power {format_decimal(Fraction(element.focus))} dioptre{'' if element.focus == '1' else 's'}"
        if element.power
        else f"of focal length {element.focus} cm"
    )


def _path(data: Data) -> list[tuple[Fraction, str, Fraction]]:
    """What the light meets in order: the distance from what it met before, and its focal length as a formula of a number."""
    met = [*data.elements, *data.elements[-2::-1]] if data.mirror else list(data.elements)
    places = [0, *(element.at for element in met)]
    formulas = [("100 / {}" if element.power else "{}", Fraction(element.focus)) for element in met]
    return [(Fraction(abs(b - a)), *formula) for a, b, formula in zip(places, places[1:], formulas)]


def _working(data: Data) -> Working:
    work = Working()
    met = [*data.elements, *data.elements[-2::-1]] if data.mirror else list(data.elements)
    for k, (before, element) in enumerate(pairwise(met), 2):
        work.add(f"distance of element {k} from the one before", "cm", "{} - {}", max(before.at, element.at), min(before.at, element.at))
    image, _ = lenses.by_images(_path(data), work)
    work.add("place of the last image", "cm", "{} - {}" if data.mirror else "{} + {}", met[-1].at, image)
    return work


environment = Environment(
    Knobs, ANSWER, generate, solve, verify, mistakes, cost,
    solution=solution(_working, lambda task: Assignment(ANSWER.names).render(solve(task))), shift=shift,
    version=5, concept="The image of each lens is the object of the next; an object distance is negative where the light converges beyond the lens.",
)  # fmt: skip
