"""Write an expression of a Boolean ring as a sum of different products.

There x + x = 0 and x*x = x. The shifted family gives a logical statement to be turned into such a sum.
"""

from collections.abc import Sequence

from rlgym import Config, Environment, Rng, Score, Task, TaskData, knob
from rlgym.answers import Expression, trees
from rlgym.answers.trees import Apply, Tree, build
from rlgym.generators.algebra import boolean_sums
from rlgym.generators.claims import Claim, refuted
from rlgym.generators.steps import Line, ended

LETTERS = "abcdefgh"
COUNTS = {"two": 2, "three": 3, "five": 5}


class Knobs(Config):
    letters: int = knob(4, easy=3, hard=7, doc="different letters")
    operations: int = knob(7, easy=3, hard=16, doc="sums, products and connectives")
    connectives: str = knob(
        "three", easy="two", hard="five", order=("two", "three", "five"), doc="of the logical statements of the shifted family"
    )


class Data(TaskData):
    formula: str  # in the ring
    shown: bool


def generate(rng: Rng, knobs: Knobs) -> Task[Data]:
    while True:
        formula = boolean_sums.drawn(rng, LETTERS[: knobs.letters], knobs.operations)
        if 1 < len(boolean_sums.value(formula)) <= 4 * knobs.operations + 4:
            break
    text = trees.write(formula)
    prompt = f"{_RULES}\n\nWrite this as a sum of different products of different letters, where 1 may be a term too:\n{text}"
    return Task(prompt, Data(formula=text, shown=True))


def shift(rng: Rng, knobs: Knobs) -> Task[Data]:
    """A logical statement, translated connective by connective."""
    while True:
        text, formula = boolean_sums.stated(rng, LETTERS[: knobs.letters], knobs.operations, COUNTS[knobs.connectives])
        if 1 < len(boolean_sums.value(formula)) <= 4 * knobs.operations + 4:
            break
    prompt = (
        f"{_RULES} Read 1 as true and 0 as false.\n\nWrite this statement as a sum of different products of different letters, where 1 may be a "
        f"term too (or: at least one of both; xor: exactly one of both; implies: false only where the first is true and the second is false; "
        f"iff: both alike):\n{text.removeprefix('(').removesuffix(')') if text.startswith('(') else text}"
    )
    return Task(prompt, Data(formula=trees.write(formula), shown=False))


def solve(task: Task[Data]) -> Tree:
    return boolean_sums.written(boolean_sums.value(trees.read(task.data.formula, _GRAMMAR)))


def verify(task: Task[Data], answer: Tree) -> Score:
    found = boolean_sums.plain(answer)
    if found is None:
        return Score.wrong("write a sum of different products, each of different letters")
    return Score.exact(found == boolean_sums.value(trees.read(task.data.formula, _GRAMMAR)), "the sum is another one")


def mistakes(task: Task[Data], right: Tree) -> list[Tree]:
    whole = sorted(boolean_sums.value(trees.read(task.data.formula, _GRAMMAR)), key=sorted)
    toggled = frozenset(whole) ^ frozenset([frozenset[str]()])
    others = [frozenset(whole[1:]), toggled, frozenset(whole) ^ {frozenset("a")}, frozenset(whole[:1])]
    return [*map(boolean_sums.written, others), build.add(right, trees.Name("a")), trees.number(1)]


def cost(task: Task[Data]) -> float:
    return sum(map(len, _worked(trees.read(task.data.formula, _GRAMMAR))))


def explain(task: Task[Data]) -> list[str]:
    opening = [] if task.data.shown else [_STATED.write(formula=task.data.formula)]
    return [*opening, *_worked(trees.read(task.data.formula, _GRAMMAR)), _LAST + _ANSWER.render(solve(task))]


def replay(task: Task[Data], steps: Sequence[str]) -> int | None:
    def step(left: str, right: str) -> bool:
        found = boolean_sums.plain(trees.read(right, _GRAMMAR))
        return found is not None and boolean_sums.value(trees.read(left, _GRAMMAR)) == found

    def stated(formula: str) -> bool:
        return trees.read(formula, _GRAMMAR) == trees.read(task.data.formula, _GRAMMAR)

    claims: list[Claim] = [(_STATED, stated), (_STEP, step)]
    return refuted(steps, claims, ended(_LAST, task, _ANSWER, verify))


def _worked(formula: Tree) -> list[str]:
    """From inside out, each sum or product of parts that are written out already."""
    steps: list[str] = []

    def reduce(tree: Tree) -> boolean_sums.Sum:
        if boolean_sums.plain(tree) is not None or not isinstance(tree, Apply):
            return boolean_sums.value(tree)
        parts = tuple(boolean_sums.written(reduce(part)) for part in tree.parts)
        here = Apply(tree.head, parts)
        steps.append(_STEP.write(left=trees.write(here), right=trees.write(boolean_sums.written(boolean_sums.value(here)))))
        return boolean_sums.value(here)

    reduce(formula)
    return list(dict.fromkeys(steps))


_RULES = "In a Boolean ring x + x = 0 and x*x = x for every x, products may be taken in any order, and sums of products are multiplied out as usual."
_ANSWER = Expression(tuple(LETTERS), asks="one sum of products of letters, such as a*b + c + 1", most_characters=4000, most_nodes=1200)
_GRAMMAR = trees.Grammar(tuple(LETTERS), most_characters=20_000, most_nodes=6000, most_depth=300)
_STATED = Line("In the ring the statement is {formula}.")
_STEP = Line("{left} = {right}")
_LAST = "So the sum is "

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
    concept="Multiply out; a letter counts once in a product, and two products alike cancel each other.",
)
