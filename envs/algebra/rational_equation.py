"""Solve an equation between rational functions: roots of a denominator are not solutions.

The shifted family has nested fractions.
"""

from collections.abc import Sequence
from fractions import Fraction

from rlgym import Config, Environment, Rng, Score, Task, TaskData, knob
from rlgym.answers import Solutions, trees
from rlgym.answers.maths import ratio, same_members
from rlgym.answers.trees import Tree
from rlgym.generators.algebra import polynomial_fields, polynomials, rational_functions, roots
from rlgym.generators.algebra.rational_functions import Factor
from rlgym.solutions import Checks, Derivation, Solution, Step

MAX_DEGREE = 30
Roots = tuple[Tree, ...]
ANSWER = Solutions("all real solutions as exact numbers, separated by commas, in any order, or the word none if there are none")
GRAMMAR = trees.Grammar(("x",), max_characters=20_000, max_nodes=2000)
SIDES = Step("The left side minus the right side has the numerator {top} and the denominator {below}.")
TRIED = Step("At x = {root}: {verdict}.")
VERDICTS = {True: "nothing is divided by 0, so it is a solution", False: "something is divided by 0, so it is no solution"}
CLOSING = "The solutions are {answer}"
CONCEPT = "Bring everything over one denominator; of the roots of the numerator only those count at which nothing is divided by zero."


class Knobs(Config):
    form: str = knob("fractions", easy="quotient", hard="fractions", order=("quotient", "fractions"), doc="one fraction, or several")
    solutions: int = knob(2, easy=1, hard=3, doc="different rational solutions")
    extraneous: int = knob(1, easy=0, hard=2, doc="roots of the numerator at which a denominator is 0 too")
    irrational: int = knob(0, easy=0, hard=1, doc="quadratic factors with irrational roots")
    denominator: int = knob(1, easy=1, hard=3, doc="largest denominator of a solution")
    depth: int = knob(3, easy=2, hard=6, doc="nested fractions in the shifted family")


class Data(TaskData):
    equation: tuple[str, str]
    solutions: tuple[str, ...]


def generate(rng: Rng, knobs: Knobs) -> Task[Data]:
    below = rng.integer(1, 2)
    lines = rational_functions.sample_linear(rng, knobs.solutions + knobs.extraneous + below, 9, knobs.denominator)
    factors = [Factor(line, 1, 0) for line in lines[: knobs.solutions]]
    factors += [Factor(line, 1, 1) for line in lines[knobs.solutions : -below]] + [Factor(line, 0, 1) for line in lines[-below:]]
    factors += [Factor(rational_functions.sample_quadratic(rng, 4, True), 1, 0) for _ in range(knobs.irrational)]
    left, right = rational_functions.sample_sides(rng, rng.choice((1, -1, 2)), rng.shuffled(factors), knobs.form)
    zeros = [root for factor in factors if not factor.below for root in roots.roots_of_factor(factor.polynomial)]
    return _render_task(left, right, zeros)


def shift(rng: Rng, knobs: Knobs) -> Task[Data]:
    """A continued fraction equal to a linear expression."""
    while True:
        numbers = [rng.integer(1, 6) * rng.choice((-1, 1, 1)) for _ in range(knobs.depth)]
        inner: tuple[int, ...] = (rng.integer(-6, 6), 1)
        text, top = f"({polynomials.text(inner)})", inner
        below: tuple[int, ...] = (1,)
        seen = [inner]
        for number in numbers:
            # The number plus the reciprocal of the fraction so far.
            top, below = polynomials.plus(polynomials.times((number,), top), below), top
            seen.append(top)
            text = f"({number} + 1/{text})"
        right = (rng.integer(-6, 6), rng.integer(1, 3) * rng.choice((-1, 1)))
        numerator = polynomials.plus(top, tuple(-a for a in polynomials.times(right, below)))
        if len(numerator) != 3:
            continue
        zeros = [root for root in roots.roots_of_factor(numerator) if not any(_is_root(part, root) for part in seen[:-1])]
        if zeros:
            return _render_task(text[1:-1], polynomials.text(right), zeros)


def solve(task: Task[Data]) -> Roots:
    difference = _difference(task.data)
    return tuple(root for root in roots.real_roots(_numerator(difference)) if _holds(difference, root))


def verify(task: Task[Data], answer: Roots) -> Score:
    return Score.exact(same_members([ANSWER.parse(text)[0] for text in task.data.solutions], answer), "these are not the solutions")


def mistakes(task: Task[Data], right: Roots) -> list[Roots]:
    every = tuple(roots.real_roots(_numerator(_difference(task.data))))
    more = tuple(trees.build.add(root, trees.number(1)) for root in right)
    return [*([every] if len(every) > len(right) else []), more, right[1:], (*right, trees.number(17)), ()]


def cost(task: Task[Data]) -> float:
    return len(_numerator(_difference(task.data))) * len(task.prompt)


def derive(task: Task[Data]) -> Derivation:
    difference = _difference(task.data)
    top, below = ratio(difference, "x", MAX_DEGREE)
    yield SIDES(top=polynomials.text(top), below=polynomials.text(below))
    yield from roots.factoring_steps("numerator", top)
    for root in roots.real_roots(top):
        yield TRIED(root=trees.write(root), verdict=VERDICTS[_holds(difference, root)])


def checks(task: Task[Data]) -> Checks:
    difference = _difference(task.data)
    top, below = (polynomial_fields.normalize(side, 0) for side in ratio(difference, "x", MAX_DEGREE))
    verdicts = {trees.write(root): VERDICTS[_holds(difference, root)] for root in roots.real_roots(top)}
    return {
        SIDES: lambda **gaps: (polynomial_fields.read(gaps["top"]), polynomial_fields.read(gaps["below"])) == (top, below),
        TRIED: lambda root, verdict: verdicts.get(root) == verdict,
        **roots.checks({"numerator": top}),
    }


def _render_task(left: str, right: str, zeros: Sequence[Tree]) -> Task[Data]:
    prompt = f"Find all real numbers x for which both sides have a value and are equal:\n{left} = {right}"
    return Task(prompt, Data(equation=(left, right), solutions=tuple(map(trees.write, zeros))))


def _difference(data: Data) -> Tree:
    left, right = (trees.read(side, GRAMMAR) for side in data.equation)
    return trees.Apply("-", (left, right))


def _numerator(difference: Tree) -> list[Fraction]:
    return ratio(difference, "x", MAX_DEGREE)[0]


def _is_root(part: Sequence[int], root: Tree) -> bool:
    return trees.same(trees.number(0), trees.at(trees.build.of_coefficients(part), "x", root))


def _holds(difference: Tree, root: Tree) -> bool:
    """Whether no denominator is zero at a root of the numerator."""
    try:
        trees.value(trees.at(difference, "x", root))
    except ArithmeticError:
        return False
    return True


environment = Environment(
    Knobs,
    ANSWER,
    generate,
    solve,
    verify,
    mistakes,
    cost,
    solution=Solution(derive, CLOSING, checks),
    shift=shift,
    concept=CONCEPT,
    guessable="the simplest equations have one small solution, which is the first number of the prompt in about 0.19",
    version=2,
)
