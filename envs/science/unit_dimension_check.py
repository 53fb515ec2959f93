"""Find the exponents with which given quantities make a wanted dimension: dimensional analysis.

The exponents may be fractions. The shift has quantities of a made-up physics, whose units are defined through each other.
"""

from collections.abc import Sequence
from fractions import Fraction

from rlgym import Config, Environment, Rng, Score, Task, TaskData, knob
from rlgym.answers import Assignment
from rlgym.generators.algebra import linear_lines
from rlgym.generators.algebra.linear import solve_linear
from rlgym.generators.calculations import LAST
from rlgym.generators.science.dimensions import BASES, KNOWN, NONSENSE, spell
from rlgym.generators.stories import phrase
from rlgym.generators.text.english import join_words
from rlgym.solutions import Checks, Derivation, Solution, Step, in_order

Found = tuple[tuple[str, Fraction], ...]
ASKED = (
    "A quantity X ({goal}) is a product of powers of {names}, times a dimensionless constant. Find the exponents.",
    "X is {goal} and is a product of powers of {names}, times a dimensionless constant. Find the exponents.",
    "By dimensional analysis, find the exponents of {names} in a product of their powers that has the same dimension as X, {goal}.",
    "To which powers must {names} be raised so that their product has the same unit as X, {goal}?",
)

END = Step(LAST + "{answer}")


class Knobs(Config):
    quantities: int = knob(3, easy=2, hard=6, doc="how many quantities are combined")
    halves: int = knob(30, easy=0, hard=90, doc="percent of tasks in which exponents may be fractions")
    spread: int = knob(3, easy=2, hard=5, doc="largest exponent, before it is divided")


class Data(TaskData):
    bases: tuple[str, ...]
    powers: tuple[tuple[int, ...], ...]  # of each quantity
    goal: tuple[str, ...]
    answer: tuple[str, ...]


def generate(rng: Rng, knobs: Knobs) -> Task[Data]:
    while True:
        bases = knobs.quantities
        fitting = [quantity for quantity in KNOWN if not any(quantity[1][bases:])]
        chosen = rng.sample(fitting, knobs.quantities)
        drawn = _data(rng, knobs, BASES[:bases], [quantity[1][:bases] for quantity in chosen])
        if drawn:
            break
    lines = [f"{name}, {what}, in {spell(drawn.bases, row)}" for name, (what, _), row in zip("abcdef", chosen, drawn.powers)]
    return _task(rng, drawn, lines, f"measured in {spell(drawn.bases, drawn.goal)}", "")


def shift(rng: Rng, knobs: Knobs) -> Task[Data]:
    """Made-up units, each defined by those before it."""
    while True:
        words = rng.sample(NONSENSE, 2 * knobs.quantities)
        bases, units = tuple(words[: knobs.quantities]), words[knobs.quantities :]
        rows, definitions = list[tuple[int, ...]](), []
        for k, unit in enumerate(units):
            row = [rng.integer(-2, 2) for _ in bases]
            spelled = list(row)
            if k and rng.chance(0.7):
                other, power = rng.integer(0, k - 1), rng.choice((-2, -1, 1, 2))
                row = [a + power * b for a, b in zip(row, rows[other])]
                definitions.append(f"1 {unit} = 1 {spell((units[other], *bases), (power, *spelled))}")
            else:
                definitions.append(f"1 {unit} = 1 {spell(bases, row)}")
            rows.append(tuple(row))
        drawn = _data(rng, knobs, bases, rows) if all(any(row) for row in rows) else None
        if drawn and max(abs(power) for row in rows for power in row) < 8:
            break
    lines = [f"{name} in {unit}" for name, unit in zip("abcdef", units)]
    extra = f"\nThe base units are {', '.join(bases)}. The others are made of them:\n" + "\n".join(definitions)
    return _task(rng, drawn, lines, f"measured in {spell(drawn.bases, drawn.goal)}", extra)


def solve(task: Task[Data]) -> Found:
    # By elimination; `generate` plants the exponents, and the working checks each base unit.
    data = task.data
    rows = [[*column, Fraction(goal)] for column, goal in zip(zip(*data.powers), data.goal)]
    return tuple(zip("abcdef", solve_linear(rows)))


def verify(task: Task[Data], answer: Found) -> Score:
    right = tuple((name, Fraction(value)) for name, value in zip("abcdef", task.data.answer))
    return Score.exact(answer == right, "with these exponents the units do not agree")


def mistakes(task: Task[Data], right: Found) -> list[Found]:
    return [
        tuple((name, -value) for name, value in right),
        tuple((name, 2 * value) for name, value in right),
        ((right[0][0], right[0][1] + 1), *right[1:]),
        tuple((name, right[-1 - i][1]) for i, (name, _) in enumerate(right)),
        tuple((name, Fraction(1)) for name, _ in right),
    ]


def cost(task: Task[Data]) -> float:
    data = task.data
    return float(sum(1 + abs(power) for row in data.powers for power in row) * len(data.bases) + sum(len(name) for name in data.answer))


def derive(task: Task[Data]) -> Derivation:
    yield from in_order(linear_lines.lines(_rows(task.data), {}))
    yield END(answer=environment.answer.render(solve(task)))


def checks(task: Task[Data]) -> Checks:
    known: list[linear_lines.Row] = []
    line_follows = linear_lines.line_check(_rows(task.data), known)
    return lambda step: len(known) >= len(task.data.powers) if END.read(step) else line_follows(step)


def _rows(data: Data) -> dict[str, linear_lines.Row]:
    """The equation of each base unit."""
    return {base: [*(Fraction(row[k]) for row in data.powers), -Fraction(data.goal[k])] for k, base in enumerate(data.bases)}


def _data(rng: Rng, knobs: Knobs, bases: Sequence[str], rows: Sequence[Sequence[int]]) -> Data | None:
    """Exponents are planted; None where others make the same unit."""
    below = rng.choice((2, 3)) if rng.chance(knobs.halves / 100) else 1
    exponents = [Fraction(rng.choice((-1, 1)) * rng.integer(1, knobs.spread), below) for _ in rows]
    goal = [sum((x * row[k] for x, row in zip(exponents, rows)), Fraction(0)) for k in range(len(bases))]
    try:
        solve_linear([[*column, value] for column, value in zip(zip(*rows), goal)])
    except ValueError:
        return None
    if not any(goal) or len(set(exponents)) == 1:
        return None
    powers = tuple(map(tuple, rows))
    return Data(bases=tuple(bases), powers=powers, goal=tuple(map(str, goal)), answer=tuple(map(str, exponents)))


def _task(rng: Rng, data: Data, lines: Sequence[str], goal: str, extra: str) -> Task[Data]:
    names = join_words("abcdef"[: len(data.powers)])
    question = phrase(rng, ASKED, goal=goal, names=names)
    return Task(
        "Consider these quantities:\n- " + "\n- ".join(lines) + f"{extra}\n\n{question} Exponents may be negative, fractional or 0.", data
    )


environment = Environment(
    Knobs, Assignment(tuple("abcdef"), "an exact exponent for each name, as in name = number, separated by commas"),
    generate, solve, verify, mistakes, cost,
    solution=Solution(derive, END, checks), shift=shift,
    version=3, concept="Each base unit must have the same power on both sides; that is one linear equation for the exponents.",
)  # fmt: skip
