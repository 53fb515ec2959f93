"""Work out a definite integral exactly."""

from fractions import Fraction
from functools import lru_cache
from itertools import pairwise

from rlgym import Config, Environment, Rng, Score, Task, TaskData, knob
from rlgym.answers import Expression, Rational, trees
from rlgym.answers.trees import Tree
from rlgym.generators import polynomials
from rlgym.generators.polynomials import Polynomial

KINDS = ("sum", "product", "absolute")


class Knobs(Config):
    degree: int = knob(3, easy=1, hard=7, doc="degree of the polynomial")
    largest: int = knob(6, easy=5, hard=12, doc="largest coefficient of a factor or a term")
    width: int = knob(4, easy=3, hard=12, doc="how far the bounds lie apart at most")
    halves: int = knob(20, easy=0, hard=80, doc="percent of bounds that are not integers")
    kind: str = knob(
        "product", easy="sum", hard="absolute", order=KINDS, doc="a sum of powers, a product, or the absolute value of a product"
    )


class Data(TaskData):
    integrand: str
    low: str
    high: str
    value: str


def generate(rng: Rng, knobs: Knobs) -> Task[Data]:
    low = Fraction(rng.integer(-knobs.width, knobs.width))
    high = low + rng.integer(1, knobs.width)
    if rng.integer(1, 100) <= knobs.halves:
        high += Fraction(rng.integer(1, 3), 4)
    if rng.integer(1, 100) <= knobs.halves:
        low -= Fraction(rng.integer(1, 2), 3)
    factors = _factors(rng, knobs, low, high)
    whole = polynomials.product(factors)
    breaks = [low, high]
    if knobs.kind == "sum":
        text = polynomials.text(whole)
    else:
        text = "*".join(f"({polynomials.text(factor)})" for factor in factors)
    if knobs.kind == "absolute":
        text = f"abs({text})"
        breaks = sorted(
            {
                low,
                high,
                *(
                    Fraction(-factor[0], factor[1])
                    for factor in factors
                    if len(factor) == 2 and low < Fraction(-factor[0], factor[1]) < high
                ),
            }
        )
    pieces = [_antiderivative(whole, b) - _antiderivative(whole, a) for a, b in pairwise(breaks)]
    value = sum(map(abs, pieces)) if knobs.kind == "absolute" else sum(pieces, Fraction(0))
    absolute = " abs is the absolute value." if knobs.kind == "absolute" else ""
    prompt = f"Compute the definite integral of {text} over x from {low} to {high} exactly.{absolute}"
    return Task(prompt, Data(integrand=text, low=str(low), high=str(high), value=str(value)))


def solve(task: Task[Data]) -> Fraction:
    # From values at equally spaced points alone (Newton and Cotes), between the integers where the sign may change.
    data = task.data
    low, high, tree = Fraction(data.low), Fraction(data.high), _read(data.integrand.removeprefix("abs"))
    absolute, degree = data.integrand.startswith("abs"), _degree(task)
    breaks = [low, *(Fraction(n) for n in range(int(low) - 1, int(high) + 2) if low < n < high), high] if absolute else [low, high]
    total = Fraction(0)
    for a, b in pairwise(breaks):
        step = (b - a) / degree
        piece = _from_values([trees.exact(tree, {"x": a + i * step}) for i in range(degree + 1)]) * step
        total += abs(piece) if absolute else piece
    return total


def verify(task: Task[Data], answer: Fraction) -> Score:
    return Score.exact(answer == Fraction(task.data.value), "the integral has another value")


def mistakes(task: Task[Data], right: Fraction) -> list[Fraction]:
    data = task.data
    low, high, tree = Fraction(data.low), Fraction(data.high), _read(data.integrand.removeprefix("abs"))
    ends = [trees.exact(tree, {"x": end}) for end in (low, high)]
    wrong = [right + 1, -right, ends[1] - ends[0], (ends[0] + ends[1]) / 2 * (high - low), Fraction(0)]
    return [*wrong, right + (high - low)]


def cost(task: Task[Data]) -> float:
    data = task.data
    return len(data.integrand) * len(data.low + data.high + data.value) / 4 * (2 if data.integrand.startswith("abs") else 1)


def explain(task: Task[Data]) -> list[str]:
    data = task.data
    low, high, tree = Fraction(data.low), Fraction(data.high), _read(data.integrand.removeprefix("abs"))
    whole = _multiplied(tree, _degree(task))
    steps = [f"Multiplied out, the polynomial is {_said(whole)}"]
    primitive = [Fraction(0), *(coefficient / (i + 1) for i, coefficient in enumerate(whole))]
    steps.append(f"An antiderivative is F(x) = {_said(primitive)}")
    breaks = [low, high]
    if data.integrand.startswith("abs"):
        zeros = [Fraction(n) for n in range(int(low) - 1, int(high) + 2) if low < n < high and not trees.exact(tree, {"x": Fraction(n)})]
        breaks = [low, *zeros, high]
        steps.append(f"The sign can change only at zeros between the bounds: {', '.join(map(str, zeros)) or 'there are none'}")
    for a, b in pairwise(breaks):
        piece = _at(primitive, b) - _at(primitive, a)
        steps.append(f"F({b}) - F({a}) = {_at(primitive, b)} - ({_at(primitive, a)}) = {piece}")
    what = "Absolute values added up" if data.integrand.startswith("abs") else "So the integral"
    return [*steps, f"{what}: {solve(task)}"]


def _factors(rng: Rng, knobs: Knobs, low: Fraction, high: Fraction) -> list[Polynomial]:
    if knobs.kind == "sum":
        leading = rng.integer(1, knobs.largest)
        return [(*(rng.integer(-knobs.largest, knobs.largest) for _ in range(knobs.degree)), leading)]
    factors: list[Polynomial] = []
    left = knobs.degree
    while left > 0:
        if left > 1 and rng.chance(0.3):
            # Never zero: x^2 + c.
            factors.append((rng.integer(1, knobs.largest), 0, 1))
            left -= 2
            continue
        scale = rng.integer(1, 3)
        root = rng.integer(int(low) - 1, int(high) + 1) if knobs.kind == "absolute" else 0
        factors.append((-root * scale, scale) if knobs.kind == "absolute" else (rng.integer(-knobs.largest, knobs.largest), scale))
        left -= 1
    return factors


def _antiderivative(whole: Polynomial, x: Fraction) -> Fraction:
    total = Fraction(0)
    for i in range(len(whole) - 1, -1, -1):
        total = (total + Fraction(whole[i], i + 1)) * x
    return total


def _degree(task: Task[Data]) -> int:
    """No less than the degree of the polynomial in the prompt."""
    text = task.data.integrand.removeprefix("abs")
    tree = _read(text)
    return max(1, _size_of(tree))


def _size_of(tree: Tree) -> int:
    if isinstance(tree, trees.Name):
        return 1
    if not isinstance(tree, trees.Apply):
        return 0
    if tree.head == "^":
        return _size_of(tree.parts[0]) * int(trees.exact(tree.parts[1]))
    sizes = [_size_of(part) for part in tree.parts]
    return sum(sizes) if tree.head == "*" else max(sizes)


def _from_values(values: list[Fraction]) -> Fraction:
    """The integral from 0 to n of the polynomial with these values at 0, 1, ..., n."""
    count = len(values) - 1
    total, differences = Fraction(0), values
    falling = [Fraction(1)]  # x (x - 1) ... / k!
    for k in range(count + 1):
        total += differences[0] * sum(coefficient * Fraction(count) ** (i + 1) / (i + 1) for i, coefficient in enumerate(falling))
        differences = [b - a for a, b in pairwise(differences)]
        shifted = [Fraction(0), *falling]
        falling = [(shifted[i] - k * (falling[i] if i < len(falling) else 0)) / (k + 1) for i in range(len(shifted))]
    return total


def _multiplied(tree: Tree, degree: int) -> list[Fraction]:
    """The coefficients, from values at 0, 1, ..., degree."""
    differences = [trees.exact(tree, {"x": Fraction(i)}) for i in range(degree + 1)]
    out, falling = [Fraction(0)] * (degree + 1), [Fraction(1)]
    for k in range(degree + 1):
        for i, coefficient in enumerate(falling):
            out[i] += differences[0] * coefficient
        differences = [b - a for a, b in pairwise(differences)]
        shifted = [Fraction(0), *falling]
        falling = [(shifted[i] - k * (falling[i] if i < len(falling) else 0)) / (k + 1) for i in range(len(shifted))]
    return out


def _at(coefficients: list[Fraction], x: Fraction) -> Fraction:
    total = Fraction(0)
    for coefficient in reversed(coefficients):
        total = total * x + coefficient
    return total


def _said(coefficients: list[Fraction]) -> str:
    return trees.write(trees.build.of_coefficients(coefficients))


@lru_cache(maxsize=512)
def _read(text: str) -> Tree:
    return trees.read(text, Expression(("x",)).grammar)


environment = Environment(
    Knobs,
    Rational("the exact value, written as an integer or as a fraction a/b"),
    generate,
    solve,
    verify,
    mistakes,
    cost,
    explain,
    concept="Take an antiderivative at the upper bound minus at the lower one; for an absolute value, add the pieces between its zeros.",
)
