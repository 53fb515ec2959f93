"""Work out an expression of complex numbers exactly.

The shifted family asks for the number that a fractional linear equation holds for.
"""

from collections.abc import Sequence

from rlgym import Config, Environment, Rng, Score, Task, TaskData, knob
from rlgym.answers import Expression, trees
from rlgym.answers.trees import Tree
from rlgym.generators.algebra import rings
from rlgym.generators.algebra.rings import COMPLEX, GIVEN
from rlgym.generators.steps import ended


class Knobs(Config):
    operations: int = knob(5, easy=1, hard=14, doc="sums, products and powers")
    power: int = knob(3, easy=2, hard=5, doc="largest exponent")
    inverses: str = knob("some", easy="none", hard="some", order=("none", "some"), doc="whether there are negative exponents")
    largest: int = knob(6, easy=5, hard=12, doc="largest real or imaginary part")


class Data(TaskData):
    formula: str  # the value asked for
    shown: bool  # whether the prompt shows it, or an equation


def generate(rng: Rng, knobs: Knobs) -> Task[Data]:
    powers = [*range(2, knobs.power + 1), *([-1, -2] if knobs.inverses == "some" else [])]
    while True:
        formula = rings.drawn(rng, knobs.operations, lambda: COMPLEX.tree(_number(rng, knobs)), powers)
        try:
            if any(COMPLEX.value(formula)) and len(COMPLEX.text(COMPLEX.value(formula))) < 12 * (knobs.operations + 2):
                break
        except ArithmeticError:
            continue
    text = trees.write(formula)
    return Task(f"Work out, where i^2 = -1:\n{text}", Data(formula=text, shown=True))


def shift(rng: Rng, knobs: Knobs) -> Task[Data]:
    """An equation (a*z + b)/(c*z + d) = w."""
    while True:
        a, b, c, d, w = (_number(rng, knobs) for _ in range(5))
        if knobs.operations < 4:
            c = COMPLEX.number(0) if knobs.operations < 2 else COMPLEX.number(1)
        below = COMPLEX.add(a, COMPLEX.times(w, c), -1)
        if any(below) and COMPLEX.times(w, d) != b and COMPLEX.times(a, d) != COMPLEX.times(b, c) and any(d):
            break
    one, two, three, four, right = (f"({COMPLEX.text(number)})" for number in (a, b, c, d, w))
    equation = f"({one}*z + {two})/({three}*z + {four}) = {right}" if any(c) else f"{one}*z + {two} = {right}*{four}"
    formula = f"({right}*{four} - {two})*({one} - {right}*{three})^(-1)"
    prompt = f"Find the complex number z with\n{equation}\nwhere i^2 = -1."
    return Task(prompt, Data(formula=formula, shown=False))


def solve(task: Task[Data]) -> Tree:
    return COMPLEX.tree(COMPLEX.value(COMPLEX.read(task.data.formula)))


def verify(task: Task[Data], answer: Tree) -> Score:
    found = COMPLEX.written_out(answer)
    if found is None:
        return Score.wrong("write the number as a + b*i with rational a and b")
    return Score.exact(found == COMPLEX.value(COMPLEX.read(task.data.formula)), "that is another number")


def mistakes(task: Task[Data], right: Tree) -> list[Tree]:
    return [COMPLEX.tree(other) for other in rings.neighbours(COMPLEX, COMPLEX.plain(right))]


def cost(task: Task[Data]) -> float:
    return sum(map(len, rings.worked(COMPLEX, COMPLEX.read(task.data.formula))))


def explain(task: Task[Data]) -> list[str]:
    opening = [] if task.data.shown else [GIVEN.write(name="z", formula=task.data.formula)]
    return [*opening, *rings.worked(COMPLEX, COMPLEX.read(task.data.formula)), _LAST + _ANSWER.render(solve(task))]


def replay(task: Task[Data], steps: Sequence[str]) -> int | None:
    return rings.replayed(COMPLEX, steps, COMPLEX.read(task.data.formula), ended(_LAST, task, _ANSWER, verify))


def _number(rng: Rng, knobs: Knobs) -> rings.Element:
    drawn = [rng.integer(-knobs.largest, knobs.largest) for _ in range(2)]
    return COMPLEX.reduced(drawn if any(drawn) else [1, 1])


_ANSWER = Expression(("i",), asks="the number in the form a + b*i, where a and b are integers or fractions")
_LAST = "The number is "

environment = Environment(
    Knobs,
    _ANSWER,
    generate,
    solve,
    verify,
    mistakes,
    cost,
    explain,
    replay,
    shift,
    concept="Multiply out with i^2 = -1; to divide, multiply by the conjugate over the square of the absolute value.",
)
