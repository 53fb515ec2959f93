"""Find the velocities of carts on a track after all their collisions.

Some pairs bounce without loss, some couple, some lose speed; the order of the collisions must be found first. The shift has a wall at the
left end that sends carts back.
"""

from fractions import Fraction

from rlgym import Config, Environment, Rng, Score, Task, TaskData, knob
from rlgym.answers import Assignment
from rlgym.generators.calculations import format_decimal
from rlgym.generators.science import carts
from rlgym.generators.science.carts import ASKED, BOUNCES, CARTS, LOSSLESS, OPENINGS, STICK
from rlgym.generators.science.quantities import Working, solution
from rlgym.generators.stories import phrase

Velocities = tuple[tuple[str, Fraction], ...]
PLACES = (("{}", Fraction(1), "m"), ("{} / 100", Fraction(100), "cm"))
MASSES = (("{}", Fraction(1), "kg"), ("{} / 1000", Fraction(1000), "g"))
SPEEDS = (("{}", Fraction(1), "m/s"), ("{} / 60", Fraction(60), "m/min"), ("{} / 100", Fraction(100), "cm/s"))

ANSWER = Assignment(
    tuple("abcdef"),
    "a velocity in m/s for each, exact (fractions as a/b) or rounded to 4 significant digits, as in name = number, separated by commas",
    digits=4,
    as_decimal=True,
)


class Knobs(Config):
    carts: int = knob(3, easy=2, hard=6, doc="how many carts")
    kinds: int = knob(2, easy=1, hard=3, doc="kinds of collisions: 1 only without loss, 2 also coupling, 3 also with loss")
    converted: int = knob(20, easy=0, hard=60, doc="percent of the numbers given in other units than kg, m and m/s")


class Data(TaskData):
    carts: tuple[tuple[tuple[str, str], tuple[str, str], tuple[str, str]], ...]  # formula and number of mass, place and velocity
    bounces: tuple[str, ...]  # of each pair of neighbours
    wall: bool
    answer: tuple[str, ...]


def generate(rng: Rng, knobs: Knobs) -> Task[Data]:
    return _sample_task(rng, knobs, False)


def shift(rng: Rng, knobs: Knobs) -> Task[Data]:
    """A wall stands at the left end."""
    return _sample_task(rng, knobs, True)


def solve(task: Task[Data]) -> Velocities:
    # By impulses; the working uses the centre of mass.
    return _final_state(task.data, carts.by_impulse)[1]


def verify(task: Task[Data], answer: Velocities) -> Score:
    right = tuple((name, Fraction(speed)) for name, speed in zip("abcdef", task.data.answer))
    return Score.exact(answer == right, "these are not the velocities after the last collision")


def mistakes(task: Task[Data], right: Velocities) -> list[Velocities]:
    _, _, speeds = _numbers(task.data)
    return [
        tuple(zip("abcdef", speeds)),
        tuple((name, -speed) for name, speed in right),
        right[:-1],
        tuple((name, right[-1 - i][1]) for i, (name, _) in enumerate(right)),
        ((right[0][0], right[0][1] + 1), *right[1:]),
    ]


def cost(task: Task[Data]) -> float:
    hits, velocities = _final_state(task.data, carts.by_momentum)
    return float(sum(len(str(speed)) for _, speed in velocities) * (1 + hits) + 3 * sum("/" in bounce for bounce in task.data.bounces))


def _sample_task(rng: Rng, knobs: Knobs, wall: bool) -> Task[Data]:
    bounces = ("1", "0", "1/2", "1/4", "3/4", "1/5", "2/5", "3/5", "4/5")
    while True:
        places = sorted(rng.sample(range(1, 12 * knobs.carts), knobs.carts))
        rows = []
        for i, place in enumerate(places):
            speed = rng.integer(-6, 6) + 2 * (knobs.carts - 1 - 2 * i) // knobs.carts
            given = ((MASSES, Fraction(rng.integer(1, 12), rng.choice((1, 2)))), (PLACES, Fraction(place)), (SPEEDS, Fraction(speed)))
            rows.append([(rng.choice(units[1:]) if rng.chance(knobs.converted / 100) else units[0], number) for units, number in given])
        weights = {1: (1,), 2: (3, 2), 3: (3, 2, *[1] * 7)}[knobs.kinds]
        pairs = tuple(rng.weighted(bounces[: len(weights)], weights) for _ in places[1:])
        listed = tuple(tuple((unit[0], str(number * unit[1])) for unit, number in row) for row in rows)
        data = Data(carts=listed, bounces=pairs, wall=wall, answer=())
        hits = carts.run(*_numbers(data), [Fraction(pair) for pair in pairs], wall, carts.by_momentum)
        walled = wall and hits and all(hit.left for hit in hits[0])
        if hits and not walled and len(hits[0]) >= knobs.carts - 1 + wall and sum(len(str(block.speed)) for block in hits[1]) < 200:
            break
    speeds = {name: block.speed for block in hits[1] for name in block.names}
    lines, form = [], rng.choice(CARTS)
    for i, row in enumerate(rows):
        mass, where, pace = (f"{format_decimal(abs(number * unit[1]))} {unit[2]}" for unit, number in row)
        motion_text = "at rest" if not row[2][1] else f"moving {'left' if row[2][1] < 0 else 'right'} at {pace}"
        lines.append("- " + form.format(name=chr(97 + i), mass=mass, place=where, way=motion_text))
    event_texts = []
    for a, b, bounce in zip("abcde", "bcdef", data.bounces):
        event_texts.append(phrase(rng, {"1": LOSSLESS, "0": STICK}.get(bounce, BOUNCES), a=a, b=b, bounce=bounce))
    stop = (
        " A wall at the zero mark sends back whatever hits it, with the same speed."
        if wall
        else " The track is infinitely long in both directions."
    )
    coupled = " Those that are coupled move as one body with the sum of their masses." if "0" in pairs else ""
    coupled += " When such a body meets another, what happens depends on the two that touch." if coupled and knobs.carts > 2 else ""
    prompt = (
        f"{phrase(rng, OPENINGS)}\n"
        + "\n".join(lines)
        + f"\nTheir sizes can be ignored; places are measured to the right from a zero mark.{stop} "
        f"Collisions: {'; '.join(event_texts)}.{coupled}\n{phrase(rng, ASKED)} Velocities are in m/s, positive to the right.{_describe_units(rows)}"
    )
    return Task(prompt, data.model_copy(update={"answer": tuple(str(speeds[name]) for name in sorted(speeds))}))


def _describe_units(rows: list[list[tuple[tuple[str, Fraction, str], Fraction]]]) -> str:
    """The conversions of the units that stand in the prompt; a cart at rest shows no unit of velocity."""
    shown = {unit[2] for row in rows for k, (unit, number) in enumerate(row) if k < 2 or number}
    facts = {"1 kg = 1000 g": {"g"}, "1 m = 100 cm": {"cm", "cm/s"}, "1 min = 60 s": {"m/min"}}
    used = [fact for fact, units in facts.items() if units & shown]
    return f" {', '.join(used)}." if used else ""


def _numbers(data: Data) -> tuple[list[Fraction], list[Fraction], list[Fraction]]:
    """Masses, places and velocities in kg, m and m/s."""
    rows = [[Fraction(number) / int(formula[4:].strip(" /") or 1) for formula, number in cart] for cart in data.carts]
    masses, places, speeds = ([row[k] for row in rows] for k in range(3))
    return masses, places, speeds


def _final_state(data: Data, bounce: carts.Bounce) -> tuple[int, Velocities]:
    ended = carts.run(*_numbers(data), [Fraction(coefficient) for coefficient in data.bounces], data.wall, bounce)
    assert ended is not None
    return len(ended[0]), tuple(sorted((name, block.speed) for block in ended[1] for name in block.names))


def _working(data: Data) -> Working:
    bounces = [Fraction(bounce) for bounce in data.bounces]
    ended = carts.run(*_numbers(data), bounces, data.wall, carts.by_momentum)
    assert ended is not None
    shown = [[(formula, Fraction(number)) for formula, number in cart] for cart in data.carts]
    return carts.working(shown, bounces, ended[0])


environment = Environment(
    Knobs, ANSWER, generate, solve, verify, mistakes, cost,
    solution=solution(_working, lambda task: Assignment(ANSWER.names).render(solve(task))), shift=shift,
    version=5, concept="The next collision is that of the two that meet first; in it the momentum stays and the relative speed shrinks by the restitution.",
)  # fmt: skip
