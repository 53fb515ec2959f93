"""Compute products, sums and inverses of quaternions, whose order matters.

The shifted family asks for the solution of a linear equation with factors on both sides.
"""

from rlgym import Config, Environment, Rng, Score, Task, TaskData, knob
from rlgym.answers import Expression, trees
from rlgym.answers.trees import Tree
from rlgym.generators.algebra import rings
from rlgym.solutions import Solution

RING = rings.quaternions()
RULES = "Quaternions are multiplied by the rules i^2 = j^2 = k^2 = i*j*k = -1, so that i*j = k but j*i = -k; the order of factors matters."
ANSWER = Expression(
    ("i", "j", "k"),
    instructions="the quaternion in the form a + b*i + c*j + d*k, where a to d are integers or fractions; parts that are 0 may be left out",
)
CLOSING = "The quaternion is {answer}"
CONCEPT = "Multiply out keeping the order of the units; the inverse is the conjugate over the sum of the squares."


class Knobs(Config):
    operations: int = knob(3, easy=1, hard=8, doc="sums, products and powers")
    terms: int = knob(3, easy=2, hard=4, doc="terms of each quaternion")
    inverses: str = knob("some", easy="none", hard="some", order=("none", "some"), doc="whether there are inverses")
    largest: int = knob(3, easy=3, hard=7, doc="largest coefficient")


class Data(TaskData):
    formula: str
    shown: bool


def generate(rng: Rng, knobs: Knobs) -> Task[Data]:
    powers = [2, *([-1] if knobs.inverses == "some" else [])]
    while True:
        formula = rings.sample_formula(rng, knobs.operations, lambda: RING.tree(_sample_quaternion(rng, knobs)), powers)
        try:
            if any(RING.value(formula)[1:]):
                break
        except ArithmeticError:
            continue
    text = trees.write(formula)
    return Task(f"{RULES}\n\nCompute\n{text}", Data(formula=text, shown=True))


def shift(rng: Rng, knobs: Knobs) -> Task[Data]:
    """An equation a*x*b + c = d."""
    names = "abcd"[: 2 + (knobs.operations > 1) + (knobs.operations > 3)]
    a, b, c, d = (_sample_quaternion(rng, knobs) for _ in range(4))
    shown = [f"({RING.text(number)})" for number in (a, b, c, d)]
    sides = ["{0}*x = {1}", "{0}*x*{1} = {2}", "{0}*x*{1} + {2} = {3}"]
    formulas = ["{0}^(-1)*{1}", "{0}^(-1)*{2}*{1}^(-1)", "{0}^(-1)*({3} - {2})*{1}^(-1)"]
    if c == d:
        return shift(rng, knobs)
    which = len(names) - 2
    prompt = f"{RULES}\n\nFind the quaternion x with\n{sides[which].format(*shown)}"
    return Task(prompt, Data(formula=formulas[which].format(*shown), shown=False))


def solve(task: Task[Data]) -> Tree:
    return RING.tree(RING.value(RING.read(task.data.formula)))


def verify(task: Task[Data], answer: Tree) -> Score:
    quaternion = RING.written_out(answer)
    if quaternion is None:
        return Score.wrong("write the quaternion as a + b*i + c*j + d*k with rational coefficients")
    return Score.exact(quaternion == RING.value(RING.read(task.data.formula)), "that is another quaternion")


def mistakes(task: Task[Data], right: Tree) -> list[Tree]:
    return [RING.tree(other) for other in rings.neighbours(RING, RING.plain(right))]


def cost(task: Task[Data]) -> float:
    return sum(len(step.text) for step in rings.evaluation_steps(RING, RING.read(task.data.formula)))


def _sample_quaternion(rng: Rng, knobs: Knobs) -> rings.Element:
    places = rng.sample(range(4), knobs.terms)
    return RING.reduced([rng.integer(1, knobs.largest) * rng.choice((-1, 1)) if place in places else 0 for place in range(4)])


solution: Solution[Data] = rings.solution("x", CLOSING, lambda task: RING, lambda task: (task.data.formula, task.data.shown))

environment = Environment(
    Knobs, ANSWER, generate, solve, verify, mistakes, cost, solution=solution, shift=shift, concept=CONCEPT, version=4
)
