"""Find a closed form of a sum of n terms: powers, polynomials times powers of a number, or reciprocals of products.

The shifted family asks for a sum of sums.
"""

from fractions import Fraction
from itertools import accumulate

from rlgym import Config, Environment, Rng, Score, Task, TaskData, knob
from rlgym.answers import Expression, trees
from rlgym.answers.trees import Tree, build
from rlgym.generators.algebra import sequences
from rlgym.solutions import Checks, Derivation, Solution, Step

KINDS = ("polynomial", "telescoping", "geometric")
ANSWER = Expression(
    ("n",), instructions="one expression in n of numbers, n, + - * / ^ and brackets, without summation signs", max_characters=3000
)
CHANGE = Step("{name}(n) = {form} grows by {what} from n - 1 to n.")
CHECK = Step("{name}({n:int}) is {value}.")
CLOSING = "So the closed form is {answer}"
CONCEPT = "Look for an expression that grows by just the next term from n - 1 to n, with unknown coefficients that comparison gives."


class Knobs(Config):
    kind: str = knob(
        "telescoping", easy="polynomial", hard="geometric", order=KINDS, doc="polynomials, reciprocals of products, or powers of a number"
    )
    degree: int = knob(3, easy=1, hard=5, doc="degree of the polynomial, or one less than the factors of the product")
    largest: int = knob(12, easy=12, hard=20, doc="largest coefficient")
    base: int = knob(3, easy=2, hard=6, doc="largest base of a power in the terms")


class Data(TaskData):
    coefficients: tuple[int, ...]
    base: int  # whose powers the polynomial is multiplied by
    top: int  # over a product of `factors` factors slope*n + start; that is added to the polynomial
    slope: int
    start: int
    factors: int
    sums: int  # 1, or 2 for a sum of sums


def generate(rng: Rng, knobs: Knobs) -> Task[Data]:
    return _sample_task(rng, knobs, knobs.kind, 1)


def shift(rng: Rng, knobs: Knobs) -> Task[Data]:
    """Sums of sums."""
    return _sample_task(rng, knobs, "polynomial" if knobs.kind == "polynomial" else "geometric", 2)


def solve(task: Task[Data]) -> Tree:
    return _closed_forms(task.data)[-1]


def verify(task: Task[Data], answer: Tree) -> Score:
    return Score.exact(sequences.agrees_with(answer, _values(task.data)[-1], 1), "the sum is another number for some n")


def mistakes(task: Task[Data], right: Tree) -> list[Tree]:
    n = trees.Name("n")
    later = trees.at(right, "n", build.add(n, trees.number(1)))
    sooner = trees.at(right, "n", build.subtract(n, trees.number(1)))
    return [later, sooner, _term(task.data), build.times(n, _term(task.data)), build.minus(right), build.add(right, trees.number(1))]


def cost(task: Task[Data]) -> float:
    data = task.data
    weight = 6 if data.base != 1 else 3 if data.factors else 2
    return (len(data.coefficients) + data.factors) ** 2 * weight * data.sums


def derive(task: Task[Data]) -> Derivation:
    for form, name, what in zip(_closed_forms(task.data), ("F", "G"), ("the term", "F")):
        yield CHANGE(name=name, form=trees.write(form), what=what)
        for n in (0, 1, 2):
            yield CHECK(name=name, n=n, value=sequences.value(form, n))


def checks(task: Task[Data]) -> Checks:
    values = dict(zip(("F", "G"), _values(task.data)))

    def change(name: str, form: str, what: str) -> bool:
        grows = sequences.agrees_with(trees.read(form, sequences.GRAMMAR), values[name])
        return grows and what == {"F": "the term", "G": "F"}[name]

    return {CHANGE: change, CHECK: lambda name, n, value: str(values[name][n]) == value}


def _sample_task(rng: Rng, knobs: Knobs, kind: str, sums: int) -> Task[Data]:
    first = [rng.integer(-knobs.largest, knobs.largest) for _ in range(knobs.degree)]
    coefficients = (*first, rng.integer(1, knobs.largest))
    data = Data(coefficients=coefficients, base=1, top=0, slope=0, start=0, factors=0, sums=sums)
    if kind == "geometric":
        base = rng.choice([b for b in range(-knobs.base, knobs.base + 1) if b not in (0, 1)])
        data = Data(coefficients=coefficients, base=base, top=0, slope=0, start=0, factors=0, sums=sums)
    if kind == "telescoping":
        slope = rng.integer(1, knobs.base)
        start = rng.integer(1 - slope, 2 * knobs.largest)
        top, line = rng.integer(1, 3 * knobs.largest), coefficients[-2:]
        data = Data(coefficients=line, base=1, top=top, slope=slope, start=start, factors=min(4, knobs.degree + 1), sums=sums)
    term = trees.write(trees.at(_term(data), "n", trees.Name("k")))
    what = f"the sum of {term} over k = 1, 2, ..., n"
    if sums == 2:
        what = f"the sum of S(m) over m = 1, 2, ..., n, where S(m) is the sum of {term} over k = 1, 2, ..., m"
    return Task(f"Find a closed form in n, for all n >= 1, of {what}.", data)


def _term(data: Data) -> Tree:
    top = build.of_coefficients(data.coefficients, "n")
    if data.factors:
        return build.add(build.over(trees.number(data.top), _product(data, 0, data.factors)), top)
    return build.times(top, sequences.power_term(data.base, 0))


def _product(data: Data, first: int, count: int) -> Tree:
    """The product of `count` consecutive factors slope*n + start, from number `first` on."""
    factors = [build.of_coefficients((data.start + (first + i) * data.slope, data.slope), "n") for i in range(count)]
    return build.product(factors)


def _values(data: Data) -> list[list[Fraction]]:
    """The partial sums from 0 terms on, and then the partial sums of these."""
    term = _term(data)
    row = [Fraction(0), *(sequences.value(term, n) for n in range(1, sequences.FAR + 1))]
    out = []
    for _ in range(data.sums):
        row = list(accumulate(row))
        out.append(row)
    return out


def _closed_forms(data: Data) -> list[Tree]:
    """The closed form of the sum, and of the sum of sums."""
    if data.factors:
        scale = Fraction(data.top, data.slope * (data.factors - 1))
        below = trees.exact(_product(data, 1, data.factors - 1), {"n": Fraction(0)})
        rest = build.over(trees.number(scale.numerator), build.times(trees.number(scale.denominator), _product(data, 1, data.factors - 1)))
        second = Fraction(data.coefficients[1], 2)
        polynomial = build.of_coefficients((scale / below, data.coefficients[0] + second, second), "n")
        return [build.subtract(polynomial, rest)]
    out = []
    for sums, values in enumerate(_values(data), 1):
        degree = len(data.coefficients) - 1
        terms = [sequences.power_term(data.base, k) for k in range(degree, -1, -1)] if data.base != 1 else []
        terms += [sequences.power_term(1, k) for k in range(sums - 1 if terms else degree + sums, -1, -1)]
        out.append(sequences.linear_combination(sequences.fit_coefficients(terms, values), terms))
    return out


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
