"""Work out two exact quantities of a triangle: its area, circumradius, heights or medians.

On the upper levels all sides are integers and the radius of the inscribed circle is given: one triangle must be found from one of its sides, or all triangles
with a further property are counted.
"""

from collections.abc import Callable, Iterator
from fractions import Fraction

from rlgym import Config, Environment, Rng, Score, Task, TaskData, knob
from rlgym.answers import Point, trees
from rlgym.answers.trees import Tree
from rlgym.generators.algebra import surds
from rlgym.generators.calculations import Facts, calculation_line, evaluate, format_fraction, operand, solution
from rlgym.generators.geometry import integer_triangles
from rlgym.solutions import Derivation, Solution, SolutionByTask, Step

SIDES = {"A": "BC", "B": "CA", "C": "AB"}
KINDS = ("sides", "angle", "corners", "inradius", "count")
ROOT = Step("The {name} is the root of {square}, which is {root}")
MOST_GIVEN = 100  # the side that is given with the inradius
END = "Both: {answer}"
Answer = tuple[Tree, ...]


MEANINGS = {
    "height": " A height is the distance from a vertex to the line through the other two.",
    "median": " A median is the distance from a vertex to the midpoint of the opposite side.",
    "circumradius": " The circumradius is the radius of the circle through all vertices.",
}


class Knobs(Config):
    size: int = knob(118, easy=14, hard=1000, scale="log", doc="longest given length, about")
    given_parts: str = knob(
        "corners", easy="sides", hard="count", order=KINDS, doc="which parts of the triangle are given; with count, all are counted"
    )
    question: str = knob(
        "both", easy="area", hard="lines", order=("area", "both", "lines"), doc="what to compute: area and circumradius, or lines too"
    )


class Data(TaskData):
    squares: tuple[int, int, int]  # of the sides BC, CA and AB
    kind: str
    lengths: tuple[int, ...]
    corners: tuple[tuple[int, int], ...]
    asked: tuple[str, str]
    inradius: int = 0
    condition: str = ""
    roots: tuple[tuple[int, int], ...] = ()  # the squares of what is asked for, as numerators and denominators


def generate(rng: Rng, knobs: Knobs) -> Task[Data]:
    """Three sides, or two and the cosine of the angle between them, or the corners."""
    size, kind = knobs.size, knobs.given_parts
    if kind in ("inradius", "count"):
        return _sample_integer_sides(rng, knobs)
    while True:
        corners = tuple((rng.integer(-size // 2, size // 2), rng.integer(-size // 2, size // 2)) for _ in range(3))
        lengths = tuple(rng.integer(size // 2, size) for _ in range(3))
        squares = [length**2 for length in lengths]
        if kind == "corners":
            (a, b, c), lengths = corners, ()
            squares = [(p[0] - q[0]) ** 2 + (p[1] - q[1]) ** 2 for p, q in ((b, c), (c, a), (a, b))]
        elif kind == "angle":
            corners, lengths = (), lengths[:2]
            squares[2] = rng.integer((lengths[0] - lengths[1]) ** 2 + 1, (lengths[0] + lengths[1]) ** 2 - 1)
        else:
            corners = ()
        data = Data(
            squares=(squares[0], squares[1], squares[2]),
            kind=kind,
            lengths=lengths,
            corners=corners,
            asked=_sample_question(rng, knobs.question),
        )
        if _sixteen_squared_areas(data) > 0:
            return _build_task(data)


def shift(rng: Rng, knobs: Knobs) -> Task[Data]:
    """Two sides and the median between them; or, with integer sides, larger circles."""
    if knobs.given_parts in ("inradius", "count"):
        return _sample_integer_sides(rng, knobs, larger=6)
    while True:
        b, c = rng.integer(3, knobs.size), rng.integer(3, knobs.size)
        median = rng.integer(abs(b - c) // 2 + 1, (b + c - 1) // 2)
        squares = (2 * b * b + 2 * c * c - 4 * median**2, b * b, c * c)
        data = Data(squares=squares, kind="median", lengths=(b, c, median), corners=(), asked=_sample_question(rng, knobs.question))
        if squares[0] > 0 and _sixteen_squared_areas(data) > 0 and "median from A" not in data.asked:
            return _build_task(data)


def _sample_integer_sides(rng: Rng, knobs: Knobs, larger: int = 0) -> Task[Data]:
    counted = knobs.given_parts == "count"
    while True:
        r = rng.integer(10, 20) + larger if counted else rng.integer(3, 9) + larger
        triangles = integer_triangles.scalene_triangles(r)
        conditions = rng.sample(list(integer_triangles.CONDITIONS), 2) if counted else []
        fitting = [sides for sides in triangles if all(integer_triangles.CONDITIONS[name](sides) for name in conditions)]
        own, *others = fitting[0] if counted and fitting else rng.shuffled(rng.choice(triangles))
        if counted:
            unique = len(fitting) > 3 and sum(fitting[0]) < sum(fitting[1])
        else:
            unique = own <= MOST_GIVEN and sum(own in sides for sides in triangles) == 1
        if unique:
            break
    squares = (own**2, min(others) ** 2, max(others) ** 2)
    data = Data(
        squares=squares,
        kind=knobs.given_parts,
        lengths=(len(fitting),) if counted else (own,),
        corners=(),
        asked=("area", rng.choice(("circumradius", *(f"{line} from {corner}" for line in ("height", "median") for corner in SIDES))))
        if counted
        else _sample_question(rng, knobs.question),
        inradius=r,
        condition=" and ".join(conditions),
    )
    return _build_task(data)


def _build_task(data: Data) -> Task[Data]:
    squares = [evaluate(_formula(data, name)) for name in data.asked]
    if data.kind == "count":
        squares[0] = Fraction(data.lengths[0] ** 2)
    return Task(_description(data), data.model_copy(update={"roots": tuple((square.numerator, square.denominator) for square in squares)}))


def _sample_question(rng: Rng, kind: str) -> tuple[str, str]:
    lines = [f"{name} from {corner}" for name in ("height", "median") for corner in SIDES]
    first, second = rng.sample(lines, 2)
    area, radius = rng.shuffled(["area", "circumradius"])
    return {"area": (area, radius), "both": (area, first), "lines": (first, second)}[kind]


def _sixteen_squared_areas(data: Data) -> int:
    """Sixteen times the square of the area."""
    aa, bb, cc = data.squares
    return 4 * aa * bb - (aa + bb - cc) ** 2


def _description(data: Data) -> str:
    lengths = data.lengths
    meanings = "".join(meaning for word, meaning in MEANINGS.items() if any(word in name for name in data.asked))
    if data.kind == "count":
        return (
            f"Consider all triangles ABC whose sides BC < CA < AB are integers, whose inscribed circle has radius {data.inradius}, and that have "
            f"{integer_triangles.condition_text(data.condition)}.{meanings} Give two exact numbers: how many such "
            f"triangles there are, and the {data.asked[1]} of the one with the smallest perimeter. Square roots may stay, as in 3*sqrt(2)."
        )
    lengths_text = {
        "sides": lambda: f"The triangle ABC has the sides BC = {lengths[0]}, CA = {lengths[1]} and AB = {lengths[2]}.",
        "angle": lambda: (
            f"In the triangle ABC, BC = {lengths[0]}, CA = {lengths[1]}, and the angle at C has cosine {format_fraction(_cosine(data))}."
        ),
        "corners": lambda: f"The triangle ABC has the vertices A = {data.corners[0]}, B = {data.corners[1]} and C = {data.corners[2]}.",
        "median": lambda: f"In the triangle ABC, CA = {lengths[0]}, AB = {lengths[1]}, and the median from A has length {lengths[2]}.",
        "inradius": lambda: (
            f"All sides of the triangle ABC are integers, BC = {lengths[0]}, CA is shorter than AB, and the inscribed circle has radius {data.inradius}."
        ),
    }[data.kind]()
    values = f"the {data.asked[0]} and the {data.asked[1]}"
    return f"{lengths_text}{meanings} Give the exact values of {values}, in this order. Square roots may stay, as in 3*sqrt(2)."


def _cosine(data: Data) -> Fraction:
    aa, bb, cc = data.squares
    return Fraction(aa + bb - cc, 2 * data.lengths[0] * data.lengths[1])


def _formula(data: Data, name: str) -> str:
    """The square of a quantity, out of the squares of the sides and of the area."""
    aa, bb, cc = data.squares
    sixteen = _sixteen_squared_areas(data)
    if name == "area":
        return f"{sixteen}/16"
    if name == "circumradius":
        return f"{aa}*{bb}*{cc}/{sixteen}"
    own, *others = sorted(zip(SIDES, data.squares), key=lambda side: side[0] != name[-1])
    if name.startswith("height"):
        return f"{sixteen}/(4*{own[1]})"
    return f"(2*{others[0][1]} + 2*{others[1][1]} - {own[1]})/4"


def _exact_answer(data: Data) -> Answer:
    return tuple(surds.square_root(Fraction(*square)) for square in data.roots)


def solve(task: Task[Data]) -> Answer:
    """With coordinates: C at the origin and B on the first axis, as far as squares go."""
    data, count = task.data, 0
    aa, bb, cc = data.squares
    if data.inradius:  # by trial of the tangents; `generate` looks for divisors
        fitting = [sides for sides in integer_triangles.scalene_triangles_by_trial(data.inradius) if _has_property(data, sides)]
        count, smallest = len(fitting), min(fitting, key=sum)
        own = smallest[0] if data.condition else data.lengths[0]
        aa, bb, cc = sorted((side * side for side in smallest), key=lambda square: (square != own * own, square))
    # A is at x*a and y*a with a the side BC, so x = (aa + bb - cc)/(2*aa) and y^2 = bb/aa - x^2.
    x = Fraction(aa + bb - cc, 2 * aa)
    yy = Fraction(bb, aa) - x * x
    area = yy * aa * aa / 4
    known = {"area": area, "circumradius": Fraction(aa * bb * cc) / (16 * area)}
    known |= {f"height from {corner}": 4 * area / square for corner, square in zip(SIDES, task.data.squares)}
    known["median from A"] = ((x - Fraction(1, 2)) ** 2 + yy) * aa
    known["median from B"] = ((1 - x / 2) ** 2 + yy / 4) * aa
    known["median from C"] = (((1 + x) / 2) ** 2 + yy / 4) * aa
    if data.kind == "count":
        return trees.number(count), surds.square_root(known[data.asked[1]])
    return tuple(surds.square_root(known[name]) for name in data.asked)


def verify(task: Task[Data], answer: Answer) -> Score:
    return Score.exact(all(map(trees.same, _exact_answer(task.data), answer)), "one of the two is another number")


def mistakes(task: Task[Data], right: Answer) -> list[Answer]:
    squares = tuple(trees.number(evaluate(_formula(task.data, name))) for name in task.data.asked)
    double = trees.Apply("*", (trees.number(2), right[0]))
    more = trees.Apply("+", (right[1], trees.number(1)))
    return [right[::-1], squares, (double, right[1]), (right[0], more), (squares[0], right[1])]


def cost(task: Task[Data]) -> float:
    if task.data.inradius:
        return 100.0 * task.data.inradius**2 * (10 if task.data.kind == "count" else 1)
    kinds = {"sides": 1, "angle": 2, "corners": 3, "median": 2}
    lines = sum(name not in ("area", "circumradius") for name in task.data.asked)
    return float(sum(len(str(square)) for square in task.data.squares) * kinds[task.data.kind] + 3 * lines)


def _lines(task: Task[Data]) -> Iterator[str]:
    data, (aa, bb, cc) = task.data, task.data.squares
    for name, formula in zip(SIDES.values(), _sides(data)):
        if formula:
            yield calculation_line(f"square of {name}", formula)
    if data.kind == "median":
        yield calculation_line("square of BC", f"2*{bb} + 2*{cc} - 4*{data.lengths[2]}^2")
    yield calculation_line("16 times the square of the area", f"4*{aa}*{bb} - ({aa} + {bb} - {cc})^2")
    for name in data.asked:
        formula = _formula(data, name)
        yield calculation_line(f"square of the {name}", formula)
        square = evaluate(formula)
        yield ROOT.write(name=name, square=format_fraction(square), root=trees.write(surds.square_root(square)))


def _derive_integer_sides(task: Task[Data]) -> Derivation:
    data = task.data
    yield from integer_triangles.enumeration_steps(data.inradius, lambda sides: _has_property(data, sides))
    for name in data.asked:
        if data.kind != "count" or name != "area":
            square = evaluate(_formula(data, name))
            yield ROOT(name=name, square=format_fraction(square), root=trees.write(surds.square_root(square)))


def _has_property(data: Data, sides: integer_triangles.Sides) -> bool:
    tests = [integer_triangles.CONDITIONS[name] for name in data.condition.split(" and ") if name]
    return all(test(sides) for test in tests) if tests else data.lengths[0] in sides


def _facts(task: Task[Data]) -> Facts:
    data = task.data
    facts = {f"square of {name}": (Fraction(square), "") for name, square in zip(SIDES.values(), data.squares)}
    facts |= {f"square of the {name}": (evaluate(_formula(data, name)), "") for name in data.asked}
    return facts | {"16 times the square of the area": (Fraction(_sixteen_squared_areas(data)), "")}


def _statements(task: Task[Data]) -> dict[Step, Callable[..., bool]]:
    def root_follows(name: str, square: str, root: str) -> bool:
        right, _ = _facts(task)[f"square of the {name}"]
        return evaluate(square) == right and trees.same(surds.square_root(right), environment.answer.parse(f"({root}, 0)")[0])

    return {ROOT: root_follows}


def _sides(data: Data) -> list[str]:
    """What gives the squares of BC, CA and AB at once; empty where others are needed first."""
    if data.kind == "corners":
        a, b, c = data.corners
        return [f"({operand(p[0])} - {operand(q[0])})^2 + ({operand(p[1])} - {operand(q[1])})^2" for p, q in ((b, c), (c, a), (a, b))]
    if data.kind == "median":
        return ["", f"{data.lengths[0]}^2", f"{data.lengths[1]}^2"]
    first, second, *rest = data.lengths
    third = f"{rest[0]}^2" if rest else f"{first}^2 + {second}^2 - 2*{first}*{second}*{operand(_cosine(data))}"
    return [f"{first}^2", f"{second}^2", third]


CALCULATED, INTEGERS = solution(_lines, _facts, "1 2 4 16", closing=END, statements=_statements), Solution(_derive_integer_sides, END)

environment = Environment(
    Knobs, Point(2, "the two numbers exactly and in order, as in (6, 5/2)"), generate, solve, verify, mistakes, cost,
    solution=SolutionByTask(lambda task: INTEGERS if task.data.inradius else CALCULATED),
    shift=shift,
    concept="The squares of the three sides give the square of everything else.",
    version=4,
)  # fmt: skip
