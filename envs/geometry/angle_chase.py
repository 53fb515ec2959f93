"""Find an angle in a figure of triangles that is described in words."""

from collections.abc import Sequence

from rlgym import Config, Environment, Rng, Score, Task, TaskData, knob
from rlgym.answers import Integer
from rlgym.generators.calculations import CalculationStep, evaluate
from rlgym.generators.geometry import angle_figures
from rlgym.generators.geometry.angle_figures import Fact, Triangle, angle
from rlgym.solutions import Checks, Derivation, Solution, Step

LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
FOUND = CalculationStep("{name} = {formula} = {value:int}: {reason}")
END = Step("The angle in degrees: {answer}")
Joint = tuple[str, str, str, str]  # a corner, the two ends of the side opposite, and the new point


class Knobs(Config):
    points: int = knob(4, easy=1, hard=11, doc="points that are added to a triangle")
    equal: int = knob(40, easy=0, hard=70, doc="percent of new triangles with two equal sides, where angles allow")


class Data(TaskData):
    triangles: tuple[Triangle, ...]
    joints: tuple[Joint, ...]
    outside: bool  # new points lie beyond the sides, not on them
    equal: tuple[Triangle, ...]  # corners where two equal sides meet, each with their other ends
    given: tuple[tuple[str, int], ...]
    asked: str
    right: int


def generate(rng: Rng, knobs: Knobs) -> Task[Data]:
    """Triangles cut into triangles."""
    return _sample_task(rng, knobs, outside=False)


def shift(rng: Rng, knobs: Knobs) -> Task[Data]:
    """Triangles set upon sides of triangles."""
    return _sample_task(rng, knobs, outside=True)


def _sample_task(rng: Rng, knobs: Knobs, outside: bool) -> Task[Data]:
    while True:
        sizes: dict[str, int] = {}
        _size(sizes, ("A", "B", "C"), rng.integer(40, 75), rng.integer(40, 75))
        triangles, open_ = [("A", "B", "C")], [("A", "B", "C")]
        joints, equal = list[Joint](), list[Triangle]()
        while open_ and len(joints) < knobs.points:
            part = open_[-1] if outside else open_.pop(rng.integer(0, len(open_) - 1))
            apex, first, second = rng.shuffled(part)
            if apex == LETTERS[len(joints) + 2] and joints:
                apex, first = first, apex  # a side that is still free
            grow = _beyond if outside else _within
            new = grow(rng, sizes, (apex, first, second, LETTERS[len(joints) + 3]), rng.integer(1, 100) <= knobs.equal)
            if new is None:
                open_ = [] if outside else open_
                continue
            joints.append((apex, first, second, LETTERS[len(joints) + 3]))
            triangles, open_, equal = triangles + new[0], open_ + new[0], equal + new[1]
        if len(joints) < knobs.points:
            continue
        data = Data(triangles=tuple(triangles), joints=tuple(joints), outside=outside, equal=tuple(equal), given=(), asked="", right=0)
        facts = _facts(data)
        target = angle(*rng.shuffled(rng.choice(triangles[-2:])))
        given = _sample_given(rng, facts, sizes, target)
        steps = angle_figures.needed_steps(angle_figures.follow(facts, given), target)
        if len(steps) > knobs.points:
            data = data.model_copy(update={"given": tuple(sorted(given.items())), "asked": target, "right": sizes[target]})
            return Task(_description(rng, data), data)


def _size(sizes: dict[str, int], triangle: Sequence[str], first: int, second: int) -> None:
    a, b, c = triangle
    sizes |= {angle(b, a, c): first, angle(a, b, c): second, angle(a, c, b): 180 - first - second}


def _within(rng: Rng, sizes: dict[str, int], joint: Joint, even: bool) -> tuple[list[Triangle], list[Triangle]] | None:
    """The two parts that a new point on a side makes, with equal sides in the first one where asked for and possible."""
    apex, first, second, point = joint
    full_angle, base = sizes[angle(first, apex, second)], sizes[angle(apex, first, second)]
    if full_angle < 16:
        return None
    ways = {base: (point, apex, first), 180 - 2 * base: (apex, first, point)} | (
        {(180 - base) // 2: (first, apex, point)} if base % 2 == 0 else {}
    )
    fit = [size for size in ways if 8 <= size <= full_angle - 8] if even else []
    size = rng.choice(fit) if fit else rng.integer(8, full_angle - 8)
    _size(sizes, (apex, first, point), size, base)
    _size(sizes, (apex, second, point), full_angle - size, sizes[angle(apex, second, first)])
    return [(apex, first, point), (apex, second, point)], [ways[size]] if fit else []


def _beyond(rng: Rng, sizes: dict[str, int], joint: Joint, even: bool) -> tuple[list[Triangle], list[Triangle]] | None:
    """The triangle that a new point makes with a side, away from the third corner."""
    apex, one, other, point = joint
    room = [min(130, 172 - sizes[angle(apex, corner, opposite)]) for corner, opposite in ((one, other), (other, one))]
    first = rng.integer(15, min(80, room[0]))
    second = first if even else rng.integer(15, min(80, room[1]))
    if second > room[1]:
        return None
    _size(sizes, (one, other, point), first, second)
    for corner, opposite in ((one, other), (other, one)):
        sizes[angle(apex, corner, point)] = sizes[angle(apex, corner, opposite)] + sizes[angle(opposite, corner, point)]
    return [(one, point, other)], [(point, one, other)] if even else []


def _facts(data: Data) -> list[Fact]:
    join = angle_figures.glue if data.outside else angle_figures.cut
    facts = [angle_figures.inside(triangle) for triangle in data.triangles]
    return [
        *facts,
        *(fact for joint in data.joints for fact in join(*joint)),
        *(fact for ends in data.equal for fact in angle_figures.equal(*ends)),
    ]


def _sample_given(rng: Rng, facts: list[Fact], sizes: dict[str, int], target: str) -> dict[str, int]:
    """Given angles of which none can be left out, as far from the asked one as may be."""
    near, names = {target: 0}, [target]
    for name in names:
        fresh = sorted({other for fact in facts if name in fact.names for other in fact.names} - set(near))
        near |= dict.fromkeys(fresh, near[name] + 1)
        names += fresh
    given = {name: sizes[name] for name in sizes if name != target}
    for name in sorted(rng.shuffled(list(given)), key=lambda name: near.get(name, 99)):
        rest = {other: size for other, size in given.items() if other != name}
        if any(derived == target for derived, _ in angle_figures.follow(facts, rest)):
            given = rest
    return given


def _description(rng: Rng, data: Data) -> str:
    lines = ["ABC is a triangle."]
    for apex, first, second, point in data.joints:
        on = f"{point} lies on the segment {first}{second}, between its ends, and is joined with {apex}."
        beyond = f"{first}{second}{point} is a triangle on the other side of {first}{second} than {apex}."
        lines.append(beyond if data.outside else on)
    for apex, first, second in rng.shuffled(data.equal):
        lines.append(f"{apex}{first} and {apex}{second} have the same length.")
    lines += [f"Angle {name} measures {size} degrees." for name, size in rng.shuffled(data.given)]
    if data.outside:
        lines.append("All angles given and asked for are less than 180 degrees.")
    return (
        "In a plane figure (angle XYZ is the one at Y, between the segments YX and YZ):\n"
        + "\n".join(lines)
        + f"\nHow many degrees does angle {data.asked} measure?"
    )


def solve(task: Task[Data]) -> int:
    """All equations at once."""
    size = angle_figures.eliminate(_facts(task.data), dict(task.data.given), task.data.asked)
    assert size is not None
    return int(size)


def verify(task: Task[Data], answer: int) -> Score:
    return Score.exact(answer == task.data.right, "another number of degrees")


def mistakes(task: Task[Data], right: int) -> list[int]:
    sizes = [size for _, size in task.data.given]
    return [180 - right, 90 - right, *(180 - sum(sizes[:k]) for k in (1, 2)), right + 10, sizes[0]]


def cost(task: Task[Data]) -> float:
    return float(
        len(angle_figures.needed_steps(angle_figures.follow(_facts(task.data), dict(task.data.given)), task.data.asked))
        * len(task.data.triangles)
    )


def derive(task: Task[Data]) -> Derivation:
    data, known = task.data, dict(task.data.given)
    for name, fact in angle_figures.needed_steps(angle_figures.follow(_facts(data), known), data.asked):
        formula = fact.gives(name, known) or ""
        known[name] = int(evaluate(formula))
        yield FOUND(name=name, formula=formula, value=known[name], reason=fact.reason)
    yield END(answer=environment.answer.render(data.right))


def checks(task: Task[Data]) -> Checks:
    facts, known = {fact.reason: fact for fact in _facts(task.data)}, dict(task.data.given)

    def follows(name: str, formula: str, value: int, reason: str) -> bool:
        fact, known[name] = facts[reason], value
        others = {other: known[other] for other in fact.names if other != name}
        return name in fact.names and fact.gives(name, others) == formula and evaluate(formula) == value

    return {FOUND: follows, END: lambda answer: known.get(task.data.asked) == task.data.right}


environment = Environment(
    Knobs, Integer("the number of degrees as an integer"), generate, solve, verify, mistakes, cost,
    solution=Solution(derive, END, checks), shift=shift,
    concept="Angles of a triangle make 180 degrees, so do angles along a line, and equal sides make equal angles: find one more angle each time.",
    chains=True, version=3,
)  # fmt: skip
