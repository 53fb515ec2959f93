"""Find a formula from a table of its exact values, with no more numbers and variables than a limit allows.

Any formula within the limit that gives every value of the table is right. The task is known as symbolic regression; the limit plays the
part of the penalty on the size of a formula. A wrong formula has the parts `share_of_values` and `fit`, for dense rewards. In the shifted
family the absolute value belongs to the formula.
"""

import math
from collections.abc import Iterator, Sequence
from fractions import Fraction
from operator import eq

from rlgym import Config, Environment, Rng, Score, Task, TaskData, knob
from rlgym.answers import Expression, trees
from rlgym.answers.trees import Apply, Name, Number, Tree

NAMES = ("x", "y", "z")
ANSWER = Expression(NAMES, functions=("abs",), instructions="one expression of the variables, numbers, + - * / ^ and brackets")
EXTRA = 4  # lines of the table beyond the numbers and variables that the formula has
LARGEST = 9  # number of a formula
SEARCHED = 3  # numbers and variables up to which every formula is gone through
MAX_BITS = 2000  # of numbers on the way to a value
MOST_DIGITS = 3  # of the numerators and denominators of the table


class Knobs(Config):
    leaves: int = knob(4, easy=2, hard=8, beyond=12, doc="numbers and variables of the formula, counted each time they stand")
    variables: int = knob(1, easy=1, hard=3, doc="variables of the formula")
    times: int = knob(1, easy=1, hard=2, doc="how often each variable stands in the formula at least, as far as there is room")
    zeros: str = knob("yes", easy="yes", hard="no", order=("yes", "no"), doc="whether a variable may be 0 in the table")
    operators: str = knob(
        "division", easy="products", hard="division", order=("products", "division"), doc="what joins them: + - and *, also /"
    )


class Data(TaskData):
    names: tuple[str, ...]
    points: tuple[tuple[int, ...], ...]
    values: tuple[tuple[int, int], ...]  # numerator and denominator
    formula: str
    leaves: int


def generate(rng: Rng, knobs: Knobs) -> Task[Data]:
    return _sample_task(rng, knobs, bars=False)


def shift(rng: Rng, knobs: Knobs) -> Task[Data]:
    """The absolute value of some part belongs to the formula."""
    return _sample_task(rng, knobs, bars=True)


def _sample_task(rng: Rng, knobs: Knobs, bars: bool) -> Task[Data]:
    signs = "+-*/" if knobs.operators == "division" else "+-*"
    names = NAMES[: min(knobs.variables, knobs.leaves)]
    while True:
        tree = _sample_tree(rng, signs, names, knobs.leaves)
        if not _is_reduced(tree):
            continue
        if bars:
            tree = _put_bars(rng, tree)
        stands = [sum(node == Name(name) for node in trees.walk(tree)) for name in names]
        if min(stands) < min(knobs.times, knobs.leaves // len(names)):
            continue
        table = _sample_table(rng, tree, names, knobs.leaves + EXTRA, knobs.zeros == "yes")
        if table:
            points, values = table
            break
    data = Data(
        names=names,
        points=points,
        values=tuple((value.numerator, value.denominator) for value in values),
        formula=trees.write(tree),
        leaves=knobs.leaves,
    )
    heading = " ".join(f"{name:>3}" for name in names)
    rows = [" ".join(f"{value:>3}" for value in point) + f" | {_write(value)}" for point, value in zip(points, values)]
    allowed = "numbers, + - * / ^, brackets and abs( ) for an absolute value" if bars else "numbers, + - * / ^ and brackets"
    prompt = (
        f"A formula f({', '.join(names)}) gives these exact values:\n\n{heading} | f\n" + "\n".join(rows) + "\n\n"
        f"Write a formula of {'these variables' if len(names) > 1 else 'this variable'}, {allowed} that gives all values of the table. "
        f"It may have at most {knobs.leaves} numbers and variables, each counted every time it stands in the formula; an exponent counts as a number."
    )
    return Task(prompt, data)


def _sample_tree(rng: Rng, signs: str, names: Sequence[str], leaves: int) -> Tree:
    """A random formula in which no part is without a variable but a single number."""
    if leaves == 1:
        return Name(rng.choice(names))
    left = rng.integer(1, leaves - 1)
    parts = [_sample_tree(rng, signs, names, count) for count in (left, leaves - left)]
    lone = [i for i, count in enumerate((left, leaves - left)) if count == 1]
    if lone and rng.chance(0.5 if leaves > 2 else 0.8):
        parts[rng.choice(lone)] = Number(Fraction(rng.integer(2, LARGEST)))
    return Apply(rng.choice(signs), tuple(parts))


def _is_reduced(tree: Tree) -> bool:
    """Whether no sum and no product, with those inside it, has two numbers, or the same part twice where that could be said shorter."""
    if not isinstance(tree, Apply):
        return True
    for signs in ("+-", "*/"):
        parts = list(_operands(tree, signs))
        names = [part for part in parts if not isinstance(part, Number)]
        repeated = [part for part in names if names.count(part) > 1]
        if len(parts) - len(names) > 1 or (repeated and (signs == "+-" or any(node.head == "/" for node in _chain(tree, signs)))):
            return False
    return all(map(_is_reduced, tree.parts))


def _chain(tree: Tree, signs: str) -> Iterator[Apply]:
    """The operators of one sum or of one product, from its outermost."""
    if isinstance(tree, Apply) and tree.head in signs:
        yield tree
        for part in tree.parts:
            yield from _chain(part, signs)


def _operands(tree: Tree, signs: str) -> Iterator[Tree]:
    """What one sum adds and subtracts, or what one product multiplies and divides by."""
    if isinstance(tree, Apply) and tree.head in signs:
        for part in tree.parts:
            yield from _operands(part, signs)
    else:
        yield tree


def _put_bars(rng: Rng, tree: Tree) -> Tree:
    """The tree with one of its differences or sums between bars."""
    inner = [node for node in trees.walk(tree) if isinstance(node, Apply) and node.head in "+-"]
    chosen = rng.choice(inner) if inner else tree
    return _replace(tree, chosen, Apply("abs", (chosen,)))


def _replace(tree: Tree, old: Tree, new: Tree) -> Tree:
    if tree is old:
        return new
    return Apply(tree.head, tuple(_replace(part, old, new) for part in tree.parts)) if isinstance(tree, Apply) else tree


def _sample_table(
    rng: Rng, tree: Tree, names: Sequence[str], lines: int, zeros: bool
) -> tuple[tuple[tuple[int, ...], ...], tuple[Fraction, ...]] | None:
    """Points in order with values of few digits; None where there are too few of them, or the values hardly differ."""
    found: dict[tuple[int, ...], Fraction] = {}
    for _ in range(4 * lines):
        point = tuple(rng.integer(-4, 9) for _ in names)
        value = _value(tree, names, point) if zeros or all(point) else None
        if value is not None and max(abs(value.numerator), value.denominator) < 10**MOST_DIGITS:
            found[point] = value
        if len(found) == lines:
            points = tuple(sorted(found))
            values = tuple(found[point] for point in points)
            return (points, values) if len(set(values)) > lines // 2 else None
    return None


def _value(tree: Tree, names: Sequence[str], point: Sequence[int]) -> Fraction | None:
    """The exact value at a point; None where there is none, or one too large."""
    values = {name: Fraction(value) for name, value in zip(names, point)}

    def without_bars(part: Tree) -> Tree:
        if not isinstance(part, Apply):
            return part
        inner = tuple(map(without_bars, part.parts))
        return trees.number(abs(trees.exact(inner[0], values, MAX_BITS))) if part.head == "abs" else Apply(part.head, inner)

    try:
        return trees.exact(without_bars(tree), values, MAX_BITS)
    except trees.Undefined:
        return None


def _write(value: Fraction) -> str:
    return str(value.numerator) if value.denominator == 1 else f"{value.numerator}/{value.denominator}"


def solve(task: Task[Data]) -> Tree:
    return trees.read(task.data.formula, ANSWER.grammar)


def verify(task: Task[Data], answer: Tree) -> Score:
    data = task.data
    nodes = list(trees.walk(answer))
    if unknown := sorted({node.text for node in nodes if isinstance(node, Name)} - set(data.names)):
        return Score.wrong(f"{unknown[0]} is no variable of the table")
    if "abs" not in data.formula and any(isinstance(node, Apply) and node.head == "abs" for node in nodes):
        return Score.wrong("this formula has no absolute values")
    if sum(not isinstance(node, Apply) for node in nodes) > data.leaves:
        return Score.wrong("the formula has too many numbers and variables")
    expected = [Fraction(*value) for value in data.values]
    found = [_value(answer, data.names, point) for point in data.points]
    return Score.exact(
        found == expected,
        "the formula does not give all values of the table",
        share_of_values=sum(map(eq, found, expected)) / len(found),
        fit=_fit(found, expected),
    )


def _fit(found: Sequence[Fraction | None], expected: Sequence[Fraction]) -> float:
    """1 / (1 + normalised root mean square error), the reward of RSRM; 0 where the formula has no value at some point."""
    mean = sum(expected) / len(expected)
    variance = sum((value - mean) ** 2 for value in expected)
    errors = [(one - other) ** 2 for one, other in zip(found, expected) if one is not None]
    return 1 / (1 + math.sqrt(min(sum(errors) / variance, 10**12))) if len(errors) == len(expected) else 0.0


def mistakes(task: Task[Data], right: Tree) -> list[Tree]:
    data = task.data
    wrong = [Apply("+", (right, Number(Fraction(1)))), Name(data.names[0]), *_neighbours(right)]
    first = Fraction(*data.values[0])
    slope = Fraction(*data.values[1]) - first
    wrong.append(Apply("+", (Apply("*", (trees.number(slope), Name(data.names[0]))), trees.number(first))))
    return [answer for answer in wrong if verify(task, answer).value == 0]


def _neighbours(tree: Tree) -> Iterator[Tree]:
    """The formula with one operator, or one number, replaced by another."""
    if isinstance(tree, Number):
        yield Number(tree.value + 1)
    elif isinstance(tree, Apply):
        if len(tree.parts) == 2:
            yield from (Apply(head, tree.parts) for head in "+-*/" if head != tree.head)
            yield Apply(tree.head, tree.parts[::-1])
        for i, part in enumerate(tree.parts):
            yield from (Apply(tree.head, (*tree.parts[:i], other, *tree.parts[i + 1 :])) for other in _neighbours(part))


def cost(task: Task[Data]) -> float:
    """Grows as the number of formulas with so many numbers and variables, on a log scale."""
    data = task.data
    choices = len(data.names) + 4
    return float(data.leaves * choices + (data.leaves - 1) * (3 + ("/" in data.formula)))


def solutions(task: Task[Data]) -> Iterator[Tree]:
    """Small formulas are searched for, the smallest first; of large ones the planted one is written in another order."""
    data = task.data
    yield _mirror(solve(task))
    if data.leaves <= SEARCHED:
        yield from (tree for tree in _all_formulas(data.names, data.leaves) if verify(task, tree).value == 1)


def _mirror(tree: Tree) -> Tree:
    """The same value with the parts of each sum and product exchanged, and differences turned round under a sign."""
    if not isinstance(tree, Apply):
        return tree
    parts = tuple(map(_mirror, tree.parts))
    if tree.head == "-":
        return Apply("neg", (Apply("-", parts[::-1]),))
    return Apply(tree.head, parts[::-1] if tree.head in "+*" else parts)


def _all_formulas(names: Sequence[str], leaves: int) -> Iterator[Tree]:
    if leaves == 1:
        yield from map(Name, names)
        yield from (Number(Fraction(value)) for value in range(2, LARGEST + 1))
    for left in range(1, leaves):
        for first in _all_formulas(names, left):
            for second in _all_formulas(names, leaves - left):
                yield from (Apply(head, (first, second)) for head in "+-*/")


environment = Environment(
    Knobs, ANSWER, generate, solve, verify, mistakes, cost,
    shift=shift, answers="many", planted=True, solutions=solutions, version=3,
    concept="Look where the value is 0, where it jumps or is missing, and how it grows when one variable grows and the others stay.",
)  # fmt: skip
