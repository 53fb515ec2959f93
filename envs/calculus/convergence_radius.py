"""Find the exact set of real numbers for which a power series converges, its ends included or not.

The shifted family has series in powers of a square or a cube, so that the ends are roots.
"""

from fractions import Fraction
from functools import lru_cache

from rlgym import Config, Environment, Rng, Score, Task, TaskData, knob
from rlgym.answers import Intervals, trees
from rlgym.answers.intervals import Spans
from rlgym.answers.maths import Span, same_spans
from rlgym.answers.trees import Apply, Tree, build
from rlgym.generators.algebra import symbolic
from rlgym.generators.stories import phrase

GROWTH = "limit of the ratio of the coefficients"
POWER = "largest size of the power in which the series converges"
LEFT = "left end"
RIGHT = "right end"
DECAY = "exponent p where the terms at an end are about a constant times 1/n^p in size"
KINDS = ("powers", "roots", "factorials")
ROOTS = (
    ("n", Fraction(1)),
    ("n^2", Fraction(2)),
    ("(n + 1)", Fraction(1)),
    ("sqrt(n)", Fraction(1, 2)),
    ("n*sqrt(n)", Fraction(3, 2)),
    ("(n^2 + 1)", Fraction(2)),
    ("sqrt(n^3 + 2)", Fraction(3, 2)),
    ("(2*n + 3)", Fraction(1)),
)
"""Factors, and like which power of n they grow."""
FACTORIALS = (
    ("((2*n)!/(n!)^2)", Fraction(4), Fraction(1, 2), True),
    ("((2*n)!/(n!)^2)", Fraction(1, 4), Fraction(-1, 2), False),
    ("((3*n)!/(n!)^3)", Fraction(27), Fraction(1), True),
    ("((3*n)!/(n!)^3)", Fraction(1, 27), Fraction(-1), False),
    ("((3*n)!/(n!*(2*n)!))", Fraction(27, 4), Fraction(1, 2), True),
    ("((n + 2)!/n!)", Fraction(1), Fraction(-2), True),
    ("((n + 3)!/(n + 1)!)", Fraction(1), Fraction(2), False),
    ("((4*n)!/((2*n)!)^2)", Fraction(16), Fraction(1, 2), True),
    ("((2*n)!*n!/(3*n)!)", Fraction(4, 27), Fraction(-1, 2), True),
)
"""Quotients of factorials: the limit of their ratios, the power of 1/n that is left of them, and whether they stand above."""
ASKS = (
    "For which real x does the power series with the terms {term}, n = 1, 2, 3, ..., converge?",
    "Find all real x for which the sum over n >= 1 of {term} converges.",
    "Determine the exact set of real x for which the series with the terms {term} (n = 1, 2, 3, ...) converges, endpoints included.",
    "The sum of {term} over all n >= 1 is a series that depends on x. For which real x does it converge?",
)
ANSWER = Intervals("x")
CONCEPT = "Bases and factorials fix the radius; at the ends only powers of n are left, and signs that alternate help."


class Knobs(Config):
    largest: int = knob(6, easy=3, hard=14, doc="largest base of a power")
    bases: int = knob(2, easy=1, hard=5, doc="how many powers of bases there are")
    kind: str = knob("roots", easy="powers", hard="factorials", order=KINDS, doc="powers of n as factors, also roots, or also factorials")


class Data(TaskData):
    term: str
    growth: str  # the limit of the ratio of neighbouring coefficients, with its sign
    decay: str  # at an end the terms are of the size of 1/n^decay
    line: tuple[int, int]  # the series is one in powers of (a x + b)^step
    step: int


def generate(rng: Rng, knobs: Knobs) -> Task[Data]:
    return _sample_task(rng, knobs, 1)


def shift(rng: Rng, knobs: Knobs) -> Task[Data]:
    return _sample_task(rng, knobs, rng.choice((2, 3)))


def solve(task: Task[Data]) -> Spans:
    (low, low_in), (high, high_in) = _interval_ends(task.data)
    return (Span(low, high, low_in, high_in),)


@lru_cache(maxsize=256)
def _interval_ends(data: Data) -> list[tuple[Tree, bool]]:
    """The ends of the set from left to right, and whether the series converges there."""
    growth, decay, (a, b) = Fraction(data.growth), Fraction(data.decay), data.line
    size = 1 / abs(growth)

    def converges(sign: int) -> bool:
        """Whether the series converges at the end where the power has this sign."""
        return decay > 1 or (decay > 0 and sign * growth < 0)

    ends = [
        ((_exact_root(size, data.step, -1), -b), converges(-1 if data.step % 2 else 1)),
        ((_exact_root(size, data.step, 1), -b), converges(1)),
    ]
    ends = ends if a > 0 else ends[::-1]
    return [(build.over(_solve_for_x(root, shift, a), trees.number(abs(a))), stays) for (root, shift), stays in ends]


def _solve_for_x(root: Tree, shift: int, a: int) -> Tree:
    """The x at which a x + b is the root, times |a|; `shift` is -b."""
    moved = build.add(trees.number(shift), root)
    return moved if a > 0 else build.subtract(trees.number(-shift), root)


def verify(task: Task[Data], answer: Spans) -> Score:
    return Score.exact(same_spans(solve(task), answer), "that is another set")


def mistakes(task: Task[Data], right: Spans) -> list[Spans]:
    (span,) = right
    flips = [(not span.low_in, span.high_in), (span.low_in, not span.high_in), (not span.low_in, not span.high_in)]
    return [*((Span(span.low, span.high, *flip),) for flip in flips), (Span(None, None),), (Span(span.low, None, True),)]


def cost(task: Task[Data]) -> float:
    data = task.data
    return len(data.term) + 10 * data.term.count("!") + 5 * data.term.count("^") + 4 * ("sqrt" in data.term) + 5 * data.step


def _lines(task: Task[Data]) -> list[str]:
    data = task.data
    growth = Fraction(data.growth)
    steps = [
        symbolic.equation_line(GROWTH, growth),
        symbolic.equation_line(POWER, Apply("/", (build.ONE, trees.number(abs(growth)))), 1 / abs(growth)),
    ]
    (low, _), (high, _) = _interval_ends(data)
    steps += [symbolic.equation_line(DECAY, Fraction(data.decay)), symbolic.equation_line(LEFT, low), symbolic.equation_line(RIGHT, high)]
    return steps


def _quantities(task: Task[Data]) -> symbolic.Quantities:
    data = task.data
    (low, _), (high, _) = _interval_ends(data)
    return {
        GROWTH: lambda: Fraction(data.growth),
        POWER: lambda: 1 / abs(Fraction(data.growth)),
        DECAY: lambda: Fraction(data.decay),
        LEFT: lambda: low,
        RIGHT: lambda: high,
    }


def _sample_task(rng: Rng, knobs: Knobs, step: int) -> Task[Data]:
    growth, decay = Fraction(1), Fraction(0)
    above: list[str] = []
    below: list[str] = []
    for base in rng.sample(range(2, knobs.largest + 4), knobs.bases):
        grows = rng.chance(0.5)
        growth = growth * base if grows else growth / base
        (above if grows else below).append(f"{base}^n")
    if rng.chance(0.4):
        growth = -growth
        above.insert(0, "(-1)^n")
    if knobs.kind == "factorials":
        name, ratio, falls, up = rng.choice(FACTORIALS)
        growth, decay = growth * ratio, decay + falls
        (above if up else below).append(name)
    count = rng.integer(1, 2) if knobs.kind != "factorials" else rng.integer(0, 1)
    for name, falls in rng.sample(ROOTS if knobs.kind != "powers" else ROOTS[:3], count):
        up = rng.chance(0.3)
        decay += -falls if up else falls
        (above if up else below).append(name)
    a, b = rng.choice((1, 1, 1, 2, 3, -1)), rng.integer(-6, 6)
    inner = trees.write(build.ordered([build.times(trees.number(a), symbolic.X), trees.number(b)]))
    power = "n" if step == 1 else f"({step}*n)"
    above.append(f"{'x' if inner == 'x' else f'({inner})'}^{power}")
    term = "*".join(above) + (f"/({'*'.join(below)})" if below else "")
    data = Data(term=term, growth=str(growth), decay=str(decay), line=(a, b), step=step)
    root = " Here sqrt is the square root." if "sqrt" in term else ""
    return Task(phrase(rng, ASKS, term=term) + root, data)


def _exact_root(size: Fraction, step: int, sign: int) -> Tree:
    """The exact root of a number: a rational number if possible, else a surd."""
    if step == 1:
        return trees.number(sign * size)
    integer_roots = [next((k for k in range(1, 60) if k**step == part), 0) for part in (size.numerator, size.denominator)]
    if all(integer_roots):
        return trees.number(Fraction(sign * integer_roots[0], integer_roots[1]))
    root = build.call("sqrt", trees.number(size)) if step == 2 else Apply("^", (trees.number(size), trees.number(Fraction(1, step))))
    return root if sign > 0 else build.minus(root)


solution = symbolic.solution(_lines, _quantities)
environment = Environment(
    Knobs, ANSWER, generate, solve, verify, mistakes, cost, solution=solution, shift=shift, concept=CONCEPT, version=5
)
