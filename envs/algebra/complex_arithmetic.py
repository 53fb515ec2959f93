"""Work out an expression of complex numbers exactly.

The shifted family asks for the solution of a fractional linear equation.
"""

from rlgym import Config, Environment, Rng, Score, Task, TaskData, knob
from rlgym.answers import Expression, trees
from rlgym.answers.trees import Tree
from rlgym.generators.algebra import rings
from rlgym.generators.algebra.rings import COMPLEX
from rlgym.generators.draws import has_short_numbers
from rlgym.solutions import Solution

ANSWER = Expression(("i",), instructions="the number in the form a + b*i or a - b*i, where a and b are integers or fractions")
CLOSING = "The number is {answer}"
CONCEPT = "Multiply out with i^2 = -1; to divide, multiply by the conjugate over the square of the absolute value."


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
        formula = rings.sample_formula(rng, knobs.operations, lambda: COMPLEX.tree(_number(rng, knobs)), powers)
        try:
            if (
                any(COMPLEX.value(formula))
                and len(text := COMPLEX.text(COMPLEX.value(formula))) < 12 * (knobs.operations + 2)
                and has_short_numbers(text)
            ):
                break
        except ArithmeticError:
            continue
    text = trees.write(formula)
    return Task(f"Compute, where i^2 = -1:\n{text}", Data(formula=text, shown=True))


def shift(rng: Rng, knobs: Knobs) -> Task[Data]:
    """An equation (a*z + b)/(c*z + d) = w."""
    while True:
        a, b, c, d, w = (_number(rng, knobs) for _ in range(5))
        if knobs.operations < 4:
            c = COMPLEX.number(0) if knobs.operations < 2 else COMPLEX.number(1)
        below = COMPLEX.add(a, COMPLEX.times(w, c), -1)
        if any(below) and COMPLEX.times(w, d) != b and COMPLEX.times(a, d) != COMPLEX.times(b, c) and any(d):
            break
    p, q, r, s, right = (f"({COMPLEX.text(number)})" for number in (a, b, c, d, w))
    equation = f"({p}*z + {q})/({r}*z + {s}) = {right}" if any(c) else f"{p}*z + {q} = {right}*{s}"
    formula = f"({right}*{s} - {q})*({p} - {right}*{r})^(-1)"
    prompt = f"Find the complex number z with\n{equation}\nwhere i^2 = -1."
    return Task(prompt, Data(formula=formula, shown=False))


def solve(task: Task[Data]) -> Tree:
    return COMPLEX.tree(COMPLEX.value(COMPLEX.read(task.data.formula)))


def verify(task: Task[Data], answer: Tree) -> Score:
    number = COMPLEX.written_out(answer)
    if number is None:
        return Score.wrong("write the number as a + b*i with rational a and b")
    return Score.exact(number == COMPLEX.value(COMPLEX.read(task.data.formula)), "that is another number")


def mistakes(task: Task[Data], right: Tree) -> list[Tree]:
    return [COMPLEX.tree(other) for other in rings.neighbours(COMPLEX, COMPLEX.plain(right))]


def cost(task: Task[Data]) -> float:
    return sum(len(step.text) for step in rings.evaluation_steps(COMPLEX, COMPLEX.read(task.data.formula)))


def _number(rng: Rng, knobs: Knobs) -> rings.Element:
    coordinates = [rng.integer(-knobs.largest, knobs.largest) for _ in range(2)]
    return COMPLEX.reduced(coordinates if any(coordinates) else [1, 1])


solution: Solution[Data] = rings.solution("z", CLOSING, lambda task: COMPLEX, lambda task: (task.data.formula, task.data.shown))

environment = Environment(
    Knobs, ANSWER, generate, solve, verify, mistakes, cost, solution=solution, shift=shift, concept=CONCEPT, version=4
)
