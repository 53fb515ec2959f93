"""Find a closed form of a sequence that a linear recurrence gives.

Roots of the characteristic equation may repeat, and a term in n may be added. In the shifted family two sequences make each other.
"""

from collections.abc import Sequence
from fractions import Fraction

from rlgym import Config, Environment, Rng, Score, Task, TaskData, knob
from rlgym.answers import Expression, trees
from rlgym.answers.trees import Tree, build
from rlgym.generators.algebra import polynomial_fields, polynomials, recurrences, sequences
from rlgym.generators.algebra.polynomials import joined
from rlgym.generators.claims import Claim, refuted
from rlgym.generators.steps import Line, ended

FORCED = ("none", "constant", "power", "linear")


class Knobs(Config):
    order: int = knob(2, easy=1, hard=4, doc="how many values before are used")
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
        again = bool(roots) and rng.chance(knobs.repeated)
        root = roots[-1] if again else rng.choice([r for r in range(-knobs.largest, knobs.largest + 1) if r not in (0, 1, *roots)])
        roots.append(root)
    whole = polynomials.product([(-root, 1) for root in roots])
    weights = tuple(-a for a in whole[-2::-1])
    base = rng.choice([r for r in (2, 3, 5, -1, -2) if r not in roots]) if knobs.forcing == "power" else 1
    part = {
        "none": trees.number(0),
        "constant": trees.number(rng.integer(1, 6)),
        "power": build.times(trees.number(rng.integer(1, 4)), sequences.power_term(base, 0)),
        "linear": build.of_coefficients((rng.integer(-5, 5), rng.integer(1, 4)), "n"),
    }[knobs.forcing]
    terms = recurrences.free(weights)
    form = build.add(sequences.combined([Fraction(rng.integer(1, knobs.largest) * rng.choice((-1, 1))) for _ in terms], terms), part)
    opening = tuple(int(sequences.value(form, n)) for n in range(knobs.order))
    added = recurrences.added(part, weights, base)
    sums = [*(f"{_times(weight)}a(n-{i})" for i, weight in enumerate(weights, 1) if weight), *([added] if added != "0" else [])]
    begun = ", ".join(f"a({n}) = {value}" for n, value in enumerate(opening))
    prompt = (
        f"A sequence is given by\n{begun},\na(n) = {joined(sums)} for n >= {knobs.order}.\n\nFind a closed form of a(n) for all n >= 0."
    )
    return Task(prompt, Data(weights=weights, added=added, base=base, opening=opening, paired=False))


def shift(rng: Rng, knobs: Knobs) -> Task[Data]:
    """Two sequences, each made from the last values of both."""
    span = knobs.largest + 2 * knobs.order
    while True:
        one, other = rng.integer(-span, span), rng.integer(-span, span)
        first = rng.integer(-span, span)
        last = one + other - first
        across = first * last - one * other
        divisors = [d for d in range(1, abs(across) + 1) if across % d == 0]
        if one and other and (one != other or rng.chance(knobs.repeated)) and across and abs(last) <= 2 * span:
            break
    up = rng.choice(divisors) * rng.choice((-1, 1))
    a, b = rng.integer(-span, span), rng.integer(1, span) * rng.choice((-1, 1))
    lines = [joined([f"{_times(p)}{name}(n-1)" for p, name in zip(row, "ab") if p]) for row in ((first, up), (across // up, last))]
    prompt = (
        f"Two sequences are given by a(0) = {a}, b(0) = {b} and, for n >= 1,\na(n) = {lines[0]}\nb(n) = {lines[1]}\n\n"
        "Find a closed form of a(n) for all n >= 0."
    )
    weights = (one + other, -one * other)
    return Task(prompt, Data(weights=weights, added="0", base=1, opening=(a, first * a + up * b), paired=True))


def solve(task: Task[Data]) -> Tree:
    part, numbers, terms = recurrences.solved(task.data.weights, task.data.added, task.data.base, task.data.opening)
    return build.add(sequences.combined(numbers, terms), part)


def verify(task: Task[Data], answer: Tree) -> Score:
    return Score.exact(
        sequences.agrees(answer, recurrences.values(task.data.weights, task.data.added, task.data.opening)), "some a(n) is another number"
    )


def mistakes(task: Task[Data], right: Tree) -> list[Tree]:
    n = trees.Name("n")
    later = trees.at(right, "n", build.add(n, trees.number(1)))
    sooner = trees.at(right, "n", build.subtract(n, trees.number(1)))
    line = build.of_coefficients(task.data.opening[:2], "n")
    return [later, sooner, build.minus(right), build.add(right, trees.number(1)), build.add(right, n), line]


def cost(task: Task[Data]) -> float:
    if task.data.paired:
        return sum(map(abs, task.data.weights + task.data.opening))
    return len(task.data.weights) ** 2 * (len(task.prompt) - 90) + len(trees.write(solve(task)))


def explain(task: Task[Data]) -> list[str]:
    data = task.data
    part, numbers, terms = recurrences.solved(data.weights, data.added, data.base, data.opening)
    steps = [_REDUCED.write(one=data.weights[0], two=data.weights[1], value=data.opening[1])] if data.paired else []
    steps.append(_EQUATION.write(polynomial=polynomials.text(recurrences.characteristic(data.weights))))
    steps += [_ROOT.write(root=root, times=times) for root, times in recurrences.roots(data.weights).items()]
    steps += [_PART.write(part=trees.write(part))] if data.added != "0" else []
    steps += [_TERM.write(number=number, term=trees.write(term)) for number, term in zip(numbers, terms) if number]
    return [*steps, _LAST + _ANSWER.render(solve(task))]


def replay(task: Task[Data], steps: Sequence[str]) -> int | None:
    data = task.data
    _, numbers, terms = recurrences.solved(data.weights, data.added, data.base, data.opening)
    factors = dict(zip(map(trees.write, terms), numbers))

    def reduced(one: str, two: str, value: str) -> bool:
        return data.paired and (int(one), int(two)) == data.weights and int(value) == data.opening[1]

    def equation(polynomial: str) -> bool:
        return polynomial_fields.read(polynomial) == recurrences.characteristic(data.weights)

    def root(root: str, times: str) -> bool:
        return recurrences.roots(data.weights).get(int(root)) == int(times)

    def particular(part: str) -> bool:
        tree = trees.read(part, sequences.GRAMMAR)
        value, back = sequences.value, range(1, len(data.weights) + 1)
        return all(
            value(tree, n) == recurrences.following(data.weights, data.added, [value(tree, n - i) for i in back], n) for n in range(9, 18)
        )

    claims: list[Claim] = [(_REDUCED, reduced), (_EQUATION, equation), (_ROOT, root), (_PART, particular)]
    term: Claim = (_TERM, lambda number, term: str(factors.get(term)) == number)
    return refuted(steps, [*claims, term], ended(_LAST, task, _ANSWER, verify))


def _times(weight: int) -> str:
    return {1: "", -1: "-"}.get(weight, f"{weight}*")


_ANSWER = Expression(("n",), asks="one expression in n of numbers, n, + - * / ^ and brackets")
_REDUCED = Line("Without b: a(n) = ({one})*a(n-1) + ({two})*a(n-2), and a(1) = {value}.")
_EQUATION = Line("The characteristic equation is {polynomial} = 0.")
_ROOT = Line("It has the root {root}, {times} times.")
_PART = Line("With all that is added, {part} solves the recurrence.")
_TERM = Line("By the first values, {number} times {term} belongs to it.")
_LAST = "a(n) = "

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
    concept="Powers of the roots of the characteristic equation solve it; find one solution with what is added, then fit the first values.",
)
