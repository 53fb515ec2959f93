"""Find out what unknown operators do from examples, and work out an expression with them."""

from collections.abc import Iterator, Sequence
from itertools import product

from rlgym import Config, Environment, Rng, Score, Task, TaskData, knob
from rlgym.answers import Integer
from rlgym.generators.calculations import evaluate, operand
from rlgym.solutions import Checks, Derivation, Due, Solution, Step

Meaning = tuple[int, int, int, int]
Example = tuple[int, int, int]
SIGNS = "#@$&"
MEANS = Step("{sign} takes p and q to {a:int}*p + {b:int}*q + {c:int}*p*q + {d:int}")
WORKED = Step("{left:int} {sign} {right:int} = {formula} = {value:int}")
ANSWER = Integer("the value as an integer")
CONCEPT = "Each example is an equation for the unknown factors of its sign; differences of examples take the constant away."


class Knobs(Config):
    operators: int = knob(2, easy=1, hard=4, doc="how many operators there are")
    reach: int = knob(2, easy=1, hard=4, doc="largest factor")
    products: str = knob("no", easy="no", hard="yes", order=("no", "yes"), doc="whether the product of both numbers may count too")
    signs: int = knob(3, easy=1, hard=7, doc="operators in the expression requested")


class Data(TaskData):
    examples: tuple[tuple[Example, ...], ...]  # of each operator
    reach: int
    products: bool
    ordered: bool  # p is the greater of both numbers, q the smaller one
    asked: tuple[str, ...]  # a sign before its two parts
    right: int


def generate(rng: Rng, knobs: Knobs) -> Task[Data]:
    """p is the number on the left."""
    return _sample_task(rng, knobs, ordered=False)


def shift(rng: Rng, knobs: Knobs) -> Task[Data]:
    """p is the greater number, wherever it stands."""
    return _sample_task(rng, knobs, ordered=True)


def _sample_task(rng: Rng, knobs: Knobs, ordered: bool) -> Task[Data]:
    data = Data(examples=(), reach=knobs.reach, products=knobs.products == "yes", ordered=ordered, asked=(), right=0)
    while True:
        meanings = [_sample_meaning(rng, data) for _ in range(knobs.operators)]
        expression = _expression(rng, rng.sample(range(knobs.operators), knobs.operators), knobs.signs)
        right = _value(expression, meanings, ordered)[0]
        if abs(right) > 10**6:
            continue
        shown = [[_example(rng, meaning, ordered) for _ in range(2)] for meaning in meanings]
        for _ in range(6):
            data = data.model_copy(update={"examples": tuple(map(tuple, shown)), "asked": expression, "right": right})
            meanings_found = [list(_fitting_meanings(data, k)) for k in range(knobs.operators)]
            if all(len(ways) == 1 for ways in meanings_found):
                return Task(_render_prompt(data), data)
            for k, ways in enumerate(meanings_found):
                shown[k] += [_example(rng, meanings[k], ordered)] * (len(ways) > 1)


def _sample_meaning(rng: Rng, data: Data) -> Meaning:
    reach = data.reach
    a, b = (rng.integer(1, reach) * rng.choice((-1, 1)) for _ in range(2))
    return a, b, rng.integer(-1, 1) * data.products, rng.integer(-9, 9)


def _example(rng: Rng, meaning: Meaning, ordered: bool) -> Example:
    left, right = rng.integer(0, 9), rng.integer(0, 9)
    return left, right, _apply_operator(meaning, left, right, ordered)


def _apply_operator(meaning: Meaning, left: int, right: int, ordered: bool) -> int:
    a, b, c, d = meaning
    p, q = (max(left, right), min(left, right)) if ordered else (left, right)
    return a * p + b * q + c * p * q + d


def _expression(rng: Rng, operators: Sequence[int], signs: int) -> tuple[str, ...]:
    """An expression in which every operator comes, where there is room."""
    if not signs:
        return (str(rng.integer(0, 9)),)
    before = rng.integer(0, signs - 1)
    first, *others = operators
    kept = [*others, first]
    return (SIGNS[first], *_expression(rng, kept, before), *_expression(rng, kept[::-1], signs - 1 - before))


def _value(expression: Sequence[str], meanings: Sequence[Meaning], ordered: bool) -> tuple[int, Sequence[str]]:
    """The value of what an expression begins with, and the rest."""
    head, rest = expression[0], expression[1:]
    if head not in SIGNS:
        return int(head), rest
    left, rest = _value(rest, meanings, ordered)
    right, rest = _value(rest, meanings, ordered)
    return _apply_operator(meanings[SIGNS.index(head)], left, right, ordered), rest


def _text(expression: Sequence[str]) -> tuple[str, Sequence[str]]:
    head, rest = expression[0], expression[1:]
    if head not in SIGNS:
        return head, rest
    left, rest = _text(rest)
    right, rest = _text(rest)
    return f"({left} {head} {right})", rest


def _render_prompt(data: Data) -> str:
    names = SIGNS[: len(data.examples)]
    rows = [f"{left} {sign} {right} = {value}" for sign, ways in zip(names, data.examples) for left, right, value in ways]
    terms = "a*p + b*q + c*p*q + d" if data.products else "a*p + b*q + d"
    places = (
        "p is the greater of the two numbers and q the smaller one"
        if data.ordered
        else "p is the number on its left and q the one on its right"
    )
    third = " c is -1, 0 or 1," if data.products else ""
    sense = f"Each of the operators {' '.join(names)} takes" if len(names) > 1 else f"The operator {names} takes"
    return (
        f"{sense} two numbers to {terms}, where {places}. The integers a and b are from {-data.reach} to {data.reach},{third} and d is an "
        f"integer from -9 to 9; each operator has its own. These values are known:\n"
        + "\n".join(rows)
        + f"\n\nWhat is {_text(data.asked)[0][1:-1]}?"
    )


def _fitting_meanings(data: Data, k: int) -> Iterator[Meaning]:
    """The meanings that fit all examples of an operator; the last number from the first example."""
    reach = range(-data.reach, data.reach + 1)
    examples = data.examples[k]
    for a, b, c in product(reach, reach, (-1, 0, 1) if data.products else (0,)):
        d = examples[0][2] - _apply_operator((a, b, c, 0), *examples[0][:2], data.ordered)
        if abs(d) < 10 and all(_apply_operator((a, b, c, d), left, right, data.ordered) == value for left, right, value in examples[1:]):
            yield a, b, c, d


def solve(task: Task[Data]) -> int:
    """By trying every meaning of every sign."""
    data, reach = task.data, range(-task.data.reach, task.data.reach + 1)
    meanings = [
        next(
            meaning
            for meaning in product(reach, reach, (0, 1, -1) if data.products else (0,), range(-9, 10))
            if all(_apply_operator(meaning, left, right, data.ordered) == value for left, right, value in ways)
        )
        for ways in data.examples
    ]
    return _value(data.asked, meanings, data.ordered)[0]


def verify(task: Task[Data], answer: int) -> Score:
    return Score.exact(answer == task.data.right, "another value")


def mistakes(task: Task[Data], right: int) -> list[int]:
    meanings = [next(_fitting_meanings(task.data, k)) for k in range(len(task.data.examples))]
    other = _value(task.data.asked, meanings, not task.data.ordered)[0]
    swapped = _value(task.data.asked, [(b, a, c, d) for a, b, c, d in meanings], task.data.ordered)[0]
    return [other, swapped, right + 1, -right - 1, right + 10]


def cost(task: Task[Data]) -> float:
    ways = (2 * task.data.reach + 1) ** 2 * (3 if task.data.products else 1)
    return float(ways * len(task.data.examples) + 5 * len(task.data.asked))


def derive(task: Task[Data]) -> Derivation:
    data = task.data
    meanings = {sign: next(_fitting_meanings(data, k)) for k, sign in enumerate(SIGNS[: len(data.examples)])}
    for sign, (a, b, c, d) in meanings.items():
        yield MEANS(sign=sign, a=a, b=b, c=c, d=d)
    for (sign, meaning), examples in zip(meanings.items(), data.examples):
        for left, right, _ in examples:
            yield _application_step(sign, meaning, left, right, data.ordered)


def checks(task: Task[Data]) -> Checks:
    data, meanings = task.data, dict[str, Meaning]()
    known = {number for examples in data.examples for example in examples for number in example}
    known |= {int(word) for word in data.asked if word not in SIGNS}

    def means(sign: str, a: int, b: int, c: int, d: int) -> bool:
        if (a, b, c, d) not in _fitting_meanings(data, SIGNS.index(sign)):
            return False
        meanings[sign] = a, b, c, d
        return True

    def works(left: int, sign: str, right: int, formula: str, value: int) -> bool:
        due = _application_step(sign, meanings[sign], left, right, data.ordered)
        if not {left, right} <= known or (formula, str(value)) != (due.fields["formula"], str(due.fields["value"])):
            return False
        known.add(value)
        return True

    return {MEANS: means, WORKED: works}


def _application_step(sign: str, meaning: Meaning, left: int, right: int, ordered: bool) -> Due:
    a, b, c, d = map(operand, meaning)
    p, q = map(operand, (max(left, right), min(left, right)) if ordered else (left, right))
    formula = f"{a}*{p} + {b}*{q} + {c}*{p}*{q} + {d}"
    return WORKED(left=left, sign=sign, right=right, formula=formula, value=evaluate(formula))


SOLUTION = Solution(derive, "The value: {answer}", checks)
environment = Environment(
    Knobs, ANSWER, generate, solve, verify, mistakes, cost, solution=SOLUTION, shift=shift, concept=CONCEPT, version=2
)
