"""Write an expression of a Boolean ring as a sum of different products.

There x + x = 0 and x*x = x. The shifted family gives a logical statement to be turned into such a sum.
"""

from rlgym import Config, Environment, Rng, Score, Task, TaskData, knob
from rlgym.answers import Expression, trees
from rlgym.answers.trees import Apply, Tree, build
from rlgym.generators.algebra import boolean_sums
from rlgym.solutions import Checks, Derivation, Due, Solution, Step, in_order

LETTERS = "abcdefgh"
COUNTS = {"two": 2, "three": 3, "five": 5}
RULES = "In a Boolean ring x + x = 0 and x*x = x for every x, products may be taken in any order, and sums of products are multiplied out as usual."
ANSWER = Expression(tuple(LETTERS), instructions="one sum of products of letters, such as a*b + c + 1", max_characters=4000, max_nodes=1200)
GRAMMAR = trees.Grammar(tuple(LETTERS), max_characters=20_000, max_nodes=6000, max_depth=300)
STATED = Step("In the ring the statement is {formula}.")
SIMPLIFIED = Step("{left} = {right}")
CLOSING = "So the sum is {answer}"
CONCEPT = "Multiply out; a letter counts once in a product, and two products alike cancel each other."


class Knobs(Config):
    letters: int = knob(4, easy=3, hard=7, doc="different letters")
    operations: int = knob(7, easy=3, hard=16, doc="sums, products and connectives")
    connectives: str = knob(
        "three", easy="two", hard="five", order=("two", "three", "five"), doc="connectives in the logical statements of the shifted family"
    )


class Data(TaskData):
    formula: str  # in the ring
    shown: bool


def generate(rng: Rng, knobs: Knobs) -> Task[Data]:
    while True:
        formula = boolean_sums.sample_formula(rng, LETTERS[: knobs.letters], knobs.operations)
        if boolean_sums.read_sum(formula) is None and 1 < len(boolean_sums.value(formula)) <= 4 * knobs.operations + 4:
            break  # a formula that is such a sum already could be copied
    text = trees.write(formula)
    prompt = f"{RULES}\n\nWrite this as a sum of different products of different letters, where 1 may be a term too:\n{text}"
    return Task(prompt, Data(formula=text, shown=True))


def shift(rng: Rng, knobs: Knobs) -> Task[Data]:
    """A logical statement, translated connective by connective."""
    while True:
        text, formula = boolean_sums.sample_statement(rng, LETTERS[: knobs.letters], knobs.operations, COUNTS[knobs.connectives])
        if 1 < len(boolean_sums.value(formula)) <= 4 * knobs.operations + 4:
            break
    prompt = (
        f"{RULES} Read 1 as true and 0 as false.\n\nWrite this statement as a sum of different products of different letters, where 1 may be a "
        f"term too (or: at least one of both; xor: exactly one of both; implies: false only where the first is true and the second is false; "
        f"iff: both alike):\n{text.removeprefix('(').removesuffix(')') if text.startswith('(') else text}"
    )
    return Task(prompt, Data(formula=trees.write(formula), shown=False))


def solve(task: Task[Data]) -> Tree:
    return boolean_sums.write_sum(boolean_sums.value(_formula(task)))


def verify(task: Task[Data], answer: Tree) -> Score:
    written = boolean_sums.read_sum(answer)
    if written is None:
        return Score.wrong("write a sum of different products, each of different letters")
    return Score.exact(written == boolean_sums.value(_formula(task)), "the sum is another one")


def mistakes(task: Task[Data], right: Tree) -> list[Tree]:
    right_terms = sorted(boolean_sums.value(_formula(task)), key=sorted)
    toggled = frozenset(right_terms) ^ frozenset([frozenset[str]()])
    others = [frozenset(right_terms[1:]), toggled, frozenset(right_terms) ^ {frozenset("a")}, frozenset(right_terms[:1])]
    return [*map(boolean_sums.write_sum, others), build.add(right, trees.Name("a")), trees.number(1)]


def cost(task: Task[Data]) -> float:
    return sum(len(step.text) for step in _simplification(_formula(task)))


def derive(task: Task[Data]) -> Derivation:
    if not task.data.shown:
        yield STATED(formula=task.data.formula)
    yield from in_order(_simplification(_formula(task)))


def checks(task: Task[Data]) -> Checks:
    def simplified(left: str, right: str) -> bool:
        written = boolean_sums.read_sum(trees.read(right, GRAMMAR))
        return written is not None and boolean_sums.value(trees.read(left, GRAMMAR)) == written

    return {STATED: lambda formula: trees.read(formula, GRAMMAR) == _formula(task), SIMPLIFIED: simplified}


def _formula(task: Task[Data]) -> Tree:
    return trees.read(task.data.formula, GRAMMAR)


def _simplification(formula: Tree) -> list[Due]:
    """From inside out, each sum or product of parts that are written out already, once."""
    steps: dict[str, Due] = {}

    def reduce(tree: Tree) -> boolean_sums.Sum:
        if boolean_sums.read_sum(tree) is not None or not isinstance(tree, Apply):
            return boolean_sums.value(tree)
        parts = tuple(boolean_sums.write_sum(reduce(part)) for part in tree.parts)
        compound = Apply(tree.head, parts)
        value = boolean_sums.value(compound)
        step = SIMPLIFIED(left=trees.write(compound), right=trees.write(boolean_sums.write_sum(value)))
        steps.setdefault(step.text, step)
        return value

    reduce(formula)
    return list(steps.values())


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
    shared_helpers="The helper evaluates a sum of products, which is its definition.",
    concept=CONCEPT,
    version=2,
)
