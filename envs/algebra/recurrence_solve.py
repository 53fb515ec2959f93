"""Find a closed form of a sequence given by a linear recurrence.

Roots of the characteristic equation may repeat, and a term in n may be added. In the shifted family two sequences depend on each other.
"""

from collections.abc import Sequence
from fractions import Fraction

from rlgym import Config, Environment, Rng, Score, Task, TaskData, knob
from rlgym.answers import Expression, trees
from rlgym.answers.trees import Tree, build
from rlgym.generators.algebra import polynomial_fields, polynomials, recurrences, sequences
from rlgym.generators.algebra.polynomials import join_terms
from rlgym.solutions import Checks, Derivation, Solution, Step

FORCED = ("none", "constant", "power", "linear")
ANSWER = Expression(("n",), instructions="one expression in n of numbers, n, + - * / ^ and brackets")
REDUCED = Step("Without b: a(n) = ({one:int})*a(n-1) + ({two:int})*a(n-2), and a(1) = {value:int}.")
EQUATION = Step("The characteristic equation is {polynomial} = 0.")
ROOT = Step("It has the root {root:int} with multiplicity {times:int}.")
PARTICULAR = Step("With all that is added, {particular} solves the recurrence.")
TERM = Step("By the first values, {number} times {term} belongs to it.")
CLOSING = "a(n) = {answer}"
CONCEPT = "Powers of the roots of the characteristic equation solve it; find one solution with what is added, then fit the first values."


class Knobs(Config):
    order: int = knob(2, easy=1, hard=4, doc="order of the recurrence")
    repeated: float = knob(0.2, easy=0.0, hard=0.4, doc="share of roots that repeat the one before")
    forcing: str = knob(
        "constant", easy="none", hard="linear", order=FORCED, doc="what is added: nothing, a number, a power, or a multiple of n"
    )
    largest: int = knob(4, easy=4, hard=6, doc="largest root and coefficient")


class Data(TaskData):
    weights: tuple[int, ...]  # of the last value, the one before, ...
    added: str  # an expression in n
    base: int  # of the power in what is added; 1: a polynomial
    opening: tuple[int, ...]
    paired: bool


def generate(rng: Rng, knobs: Knobs) -> Task[Data]:
    roots: list[int] = []
    while len(roots) < knobs.order:
        repeats = bool(roots) and rng.chance(knobs.repeated)
        root = roots[-1] if repeats else rng.choice([r for r in range(-knobs.largest, knobs.largest + 1) if r not in (0, 1, *roots)])
        roots.append(root)
    characteristic = polynomials.product([(-root, 1) for root in roots])
    weights = tuple(-a for a in characteristic[-2::-1])
    base = rng.choice([r for r in (2, 3, 5, -1, -2) if r not in roots]) if knobs.forcing == "power" else 1
    particular = {
        "none": trees.number(0),
        "constant": trees.number(rng.integer(1, 6)),
        "power": build.times(trees.number(rng.integer(1, 4)), sequences.power_term(base, 0)),
        "linear": build.of_coefficients((rng.integer(-5, 5), rng.integer(1, 4)), "n"),
    }[knobs.forcing]
    terms = recurrences.homogeneous_terms(weights)
    form = build.add(
        sequences.linear_combination([Fraction(rng.integer(1, knobs.largest) * rng.choice((-1, 1))) for _ in terms], terms), particular
    )
    opening = tuple(int(sequences.value(form, n)) for n in range(knobs.order))
    added = recurrences.forcing_term(particular, weights, base)
    sums = [*(f"{_coefficient(weight)}a(n-{i})" for i, weight in enumerate(weights, 1) if weight), *([added] if added != "0" else [])]
    begun = ", ".join(f"a({n}) = {value}" for n, value in enumerate(opening))
    prompt = (
        f"A sequence is given by\n{begun},\na(n) = {join_terms(sums)} for n >= {knobs.order}.\n\nFind a closed form of a(n) for all n >= 0."
    )
    return Task(prompt, Data(weights=weights, added=added, base=base, opening=opening, paired=False))


def shift(rng: Rng, knobs: Knobs) -> Task[Data]:
    """Two sequences that depend on the last values of both."""
    span = knobs.largest + 2 * knobs.order
    while True:
        first_root, second_root = rng.integer(-span, span), rng.integer(-span, span)
        first = rng.integer(-span, span)
        last = first_root + second_root - first
        across = first * last - first_root * second_root
        divisors = [d for d in range(1, abs(across) + 1) if across % d == 0]
        if first_root and second_root and (first_root != second_root or rng.chance(knobs.repeated)) and across and abs(last) <= 2 * span:
            break
    up = rng.choice(divisors) * rng.choice((-1, 1))
    a, b = rng.integer(-span, span), rng.integer(1, span) * rng.choice((-1, 1))
    lines = [
        join_terms([f"{_coefficient(p)}{name}(n-1)" for p, name in zip(row, "ab") if p]) for row in ((first, up), (across // up, last))
    ]
    prompt = (
        f"Two sequences are given by a(0) = {a}, b(0) = {b} and, for n >= 1,\na(n) = {lines[0]}\nb(n) = {lines[1]}\n\n"
        "Find a closed form of a(n) for all n >= 0."
    )
    weights = (first_root + second_root, -first_root * second_root)
    return Task(prompt, Data(weights=weights, added="0", base=1, opening=(a, first * a + up * b), paired=True))


def solve(task: Task[Data]) -> Tree:
    part, numbers, terms = recurrences.solve_recurrence(task.data.weights, task.data.added, task.data.base, task.data.opening)
    return build.add(sequences.linear_combination(numbers, terms), part)


def verify(task: Task[Data], answer: Tree) -> Score:
    return Score.exact(
        sequences.agrees_with(answer, recurrences.sequence_values(task.data.weights, task.data.added, task.data.opening)),
        "some a(n) is another number",
    )


def mistakes(task: Task[Data], right: Tree) -> list[Tree]:
    n = trees.Name("n")
    later = trees.at(right, "n", build.add(n, trees.number(1)))
    sooner = trees.at(right, "n", build.subtract(n, trees.number(1)))
    line = build.of_coefficients(task.data.opening[:2], "n")
    table = _table(recurrences.sequence_values(task.data.weights, task.data.added, task.data.opening)[:26])
    return [table, later, sooner, build.minus(right), build.add(right, trees.number(1)), build.add(right, n), line]


def cost(task: Task[Data]) -> float:
    if task.data.paired:
        return sum(map(abs, task.data.weights + task.data.opening))
    return len(task.data.weights) ** 2 * (len(task.prompt) - 90) + len(trees.write(solve(task)))


def derive(task: Task[Data]) -> Derivation:
    data = task.data
    particular, numbers, terms = recurrences.solve_recurrence(data.weights, data.added, data.base, data.opening)
    if data.paired:
        yield REDUCED(one=data.weights[0], two=data.weights[1], value=data.opening[1])
    yield EQUATION(polynomial=polynomials.text(recurrences.characteristic(data.weights)))
    for root, multiplicity in recurrences.roots(data.weights).items():
        yield ROOT(root=root, times=multiplicity)
    if data.added != "0":
        yield PARTICULAR(particular=trees.write(particular))
    for number, term in zip(numbers, terms):
        if number:
            yield TERM(number=number, term=trees.write(term))


def checks(task: Task[Data]) -> Checks:
    data, value = task.data, sequences.value
    _, numbers, terms = recurrences.solve_recurrence(data.weights, data.added, data.base, data.opening)
    coefficients = dict(zip(map(trees.write, terms), numbers))

    def particular(particular: str) -> bool:
        tree, back = trees.read(particular, sequences.GRAMMAR), range(1, len(data.weights) + 1)
        return all(
            value(tree, n) == recurrences.next_value(data.weights, data.added, [value(tree, n - i) for i in back], n) for n in range(9, 18)
        )

    return {
        REDUCED: lambda one, two, value: data.paired and (one, two) == data.weights and value == data.opening[1],
        EQUATION: lambda polynomial: polynomial_fields.read(polynomial) == recurrences.characteristic(data.weights),
        ROOT: lambda root, times: recurrences.roots(data.weights).get(root) == times,
        PARTICULAR: particular,
        TERM: lambda number, term: str(coefficients.get(term)) == number,
    }


def _table(values: Sequence[Fraction]) -> Tree:
    """An expression that has these values from 0 on, and 0 after them."""
    return trees.read(" + ".join(f"({value})*0^((n - {n})^2)" for n, value in enumerate(values)), sequences.GRAMMAR)


def _coefficient(weight: int) -> str:
    return {1: "", -1: "-"}.get(weight, f"{weight}*")


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
    version=2,
    concept=CONCEPT,
)
