"""Solve a polynomial or rational inequality: give all real numbers that satisfy it, as intervals.

Factors may repeat, cancel, have irrational roots or none. Interval ends are exact, and whether each belongs matters.
"""

from collections.abc import Sequence
from fractions import Fraction
from itertools import pairwise
from math import ceil, floor

from rlgym import Config, Environment, Rng, Score, Task, TaskData, knob
from rlgym.answers import Expression, Intervals, trees
from rlgym.answers.maths import Span, identical, ratio, read_constant, same_spans, tidy, value_of
from rlgym.answers.trees import Tree
from rlgym.generators.algebra import polynomials, rational_functions, roots
from rlgym.generators.algebra.rational_functions import FORMS, Factor
from rlgym.solutions import Checks, Derivation, Solution, Step

MAX_DEGREE = 40
Spans = tuple[Span, ...]
INTERVALS = Intervals()
GRAMMAR = Expression(("x",), max_characters=20_000, max_nodes=2000).grammar
PLACES = ("numerator", "denominator")
KINDS = {"zero": "the difference is 0", "gap": "something is divided by zero"}
BELONGS = {True: "belongs", False: "does not belong"}
SIDES = Step("The left side minus the right side has the numerator {top} and the denominator {below}.")
INSIDE = Step("In {interval}, take x = {point:fraction}: the difference is {value:fraction}, so the interval {belongs}.")
END = Step("At x = {end}: {kind}, so the point {belongs}.")
CLOSING = "Together: {answer}"
CONCEPT = "Bring everything to one side over one denominator, factor, and look at the sign between neighbouring roots and gaps."


class Knobs(Config):
    form: str = knob(
        "quotient",
        easy="factored",
        hard="fractions",
        order=FORMS,
        doc="factors, polynomials on both sides, a quotient, or a sum of quotients",
    )
    roots: int = knob(3, easy=2, hard=6, doc="different linear factors")
    repeated: float = knob(0.2, easy=0.0, hard=0.4, doc="share of factors that are squared, or occur in numerator and denominator")
    irrational: int = knob(0, easy=0, hard=1, doc="quadratic factors with irrational roots")
    rootless: int = knob(0, easy=0, hard=1, doc="quadratic factors without real roots")
    denominator: int = knob(1, easy=1, hard=4, doc="largest denominator of a root")
    largest: int = knob(9, easy=9, hard=15, doc="largest number in a linear factor")


class Data(TaskData):
    relation: str
    answer: str


def generate(rng: Rng, knobs: Knobs) -> Task[Data]:
    below = 0 if knobs.form == "expanded" else min(3, knobs.roots // 2) if knobs.form != "factored" else rng.integer(0, 1)
    return _sample_task(rng, knobs, knobs.form, below)


def shift(rng: Rng, knobs: Knobs) -> Task[Data]:
    """Reciprocals of products: every root is in the denominator."""
    return _sample_task(rng, knobs, "quotient" if knobs.form == "expanded" else knobs.form, min(5, knobs.roots))


def solve(task: Task[Data]) -> Spans:
    difference = _difference(task)
    top, below = ratio(difference, "x", MAX_DEGREE)
    ends = _ends(top, below)
    intervals = [
        Span(low, high) for low, high in pairwise([None, *ends, None]) if _holds(task, trees.exact(difference, {"x": _between(low, high)}))
    ]
    return tidy(
        [*intervals, *(Span(end, end, True, True) for end in ends if "=" in task.data.relation and _kind(difference, end) == "zero")]
    )


def verify(task: Task[Data], answer: Spans) -> Score:
    return Score.exact(same_spans(INTERVALS.parse(task.data.answer), answer), "another set of numbers satisfies the inequality")


def mistakes(task: Task[Data], right: Spans) -> list[Spans]:
    ends = [end for span in right for end in (span.low, span.high) if end is not None]
    flipped = tidy([Span(low, high) for low, high in pairwise([None, *sorted(dict.fromkeys(ends), key=value_of), None])][::2])
    turned = tuple(
        Span(span.low, span.high, not span.low_in and span.low is not None, not span.high_in and span.high is not None) for span in right
    )
    hull = (Span(right[0].low, right[-1].high, right[0].low_in, right[-1].high_in),) if right else (Span(None, None),)
    return [flipped, tidy(turned), hull, right[1:], (*right[:1],), (Span(None, None),)]


def cost(task: Task[Data]) -> float:
    shown = task.prompt.split("\n")[1]
    top, below = ratio(_difference(task), "x", MAX_DEGREE)
    return (len(top) + len(below)) * (10 + len(shown))


def derive(task: Task[Data]) -> Derivation:
    difference = _difference(task)
    top, below = ratio(difference, "x", MAX_DEGREE)
    yield SIDES(top=polynomials.text(top), below=polynomials.text(below))
    for name, part in zip(PLACES, (top, below)):
        yield from roots.factoring_steps(name, part)
    ends = _ends(top, below)
    for low, high in pairwise([None, *ends, None]):
        point = _between(low, high)
        value = trees.exact(difference, {"x": point})
        interval = INTERVALS.render((Span(low, high),))
        yield INSIDE(interval=interval, point=point, value=value, belongs=BELONGS[_holds(task, value)])
    for end in ends:
        kind = _kind(difference, end)
        yield END(end=trees.write(end), kind=KINDS[kind], belongs=BELONGS[kind == "zero" and "=" in task.data.relation])


def checks(task: Task[Data]) -> Checks:
    difference, parts, ends = _difference(task), list[str](), list[Tree]()
    intervals_checked = ends_checked = 0

    def sides(top: str, below: str) -> bool:
        parts.extend((top, below))
        return trees.same(difference, trees.read(f"({top})/({below})", GRAMMAR))

    def factor_zeros(factor: str, roots: tuple[str, ...]) -> bool:
        polynomial, zeros = trees.polynomial(trees.read(factor, GRAMMAR), "x", 2), list(map(read_constant, roots))
        ends.extend(zero for zero in zeros if zero not in ends)
        ends.sort(key=value_of)
        complete = len(set(zeros)) == len(zeros) == len(polynomial) - 1
        return all(_is_root(polynomial, zero) for zero in zeros) and complete and _divides(polynomial, parts)

    def never(factor: str, discriminant: Fraction) -> bool:
        c, b, a = trees.polynomial(trees.read(factor, GRAMMAR), "x", 2)
        return discriminant == b**2 - 4 * c * a < 0 and _divides([c, b, a], parts)

    def inside(interval: str, point: Fraction, value: Fraction, belongs: str) -> bool:
        nonlocal intervals_checked
        low, high = list(pairwise([None, *ends, None]))[intervals_checked]
        intervals_checked += 1
        within = _lies_between(point, low, high)
        named = interval == INTERVALS.render((Span(low, high),))
        return within and named and trees.exact(difference, {"x": point}) == value and belongs == BELONGS[_holds(task, value)]

    def at_end(end: str, kind: str, belongs: str) -> bool:
        nonlocal ends_checked
        tree = ends[ends_checked]
        ends_checked += 1
        actual = _kind(difference, tree)
        belonging = BELONGS[actual == "zero" and "=" in task.data.relation]
        return end == trees.write(tree) and kind == KINDS[actual] and belongs == belonging

    return {
        SIDES: sides,
        roots.FACTORS: lambda place, product: identical(f"{parts[PLACES.index(place)]} = {product}", GRAMMAR),
        roots.ROOTS: factor_zeros,
        roots.NEVER: never,
        INSIDE: inside,
        END: at_end,
    }


def _sample_task(rng: Rng, knobs: Knobs, form: str, below: int) -> Task[Data]:
    factors = []
    for k, line in enumerate(rational_functions.sample_linear(rng, knobs.roots, knobs.largest, knobs.denominator)):
        often = rng.choice(((2, 0), (1, 1), (0, 2))) if rng.chance(knobs.repeated) else (1, 0)
        factors.append(Factor(line, *(often[::-1] if k < below else often)) if often != (1, 1) or k < below else Factor(line, 2, 0))
    if form == "expanded":
        factors = [Factor(factor.polynomial, factor.above + factor.below, 0) for factor in factors]
    for real, count in ((True, knobs.irrational), (False, knobs.rootless)):
        factors += [Factor(rational_functions.sample_quadratic(rng, 4, real), 1, 0) for _ in range(count)]
    scale = rng.choice((-1, 1, 1, 2))
    relation = rng.choice(("<", ">", "<=", ">="))
    left, right = rational_functions.sample_sides(rng, scale, rng.shuffled(factors), form)
    prompt = (
        f"Find all real numbers x with\n{left} {relation} {right}\n\nWhere an expression divides by zero, the inequality does not hold."
    )
    if knobs.irrational:
        prompt += " Give all ends exactly, with roots written as in 1 + sqrt(7)."
    bare = Task(prompt, Data(relation=relation, answer=""))
    answer = _solution_by_signs(scale, factors, relation)
    return Task(bare.prompt, Data(relation=relation, answer=INTERVALS.render(answer)))


def _solution_by_signs(scale: int, factors: list[Factor], relation: str) -> Spans:
    """The solution from right to left: each root changes the sign once for each occurrence of its factor."""
    turns = []
    for factor in factors:
        turns += [(root, factor) for root in roots.roots_of_factor(factor.polynomial)]
    turns.sort(key=lambda turn: value_of(turn[0]), reverse=True)
    sign, high, spans = (1 if scale > 0 else -1), None, []
    for root, factor in turns:
        if (sign > 0) == (relation[0] == ">"):
            spans.append(Span(root, high))
        if not factor.below and relation.endswith("="):
            spans.append(Span(root, root, True, True))
        sign *= (-1) ** (factor.above + factor.below)
        high = root
    return tidy([*spans, Span(None, high)] if (sign > 0) == (relation[0] == ">") else spans)


def _difference(task: Task[Data]) -> Tree:
    left, right = task.prompt.split("\n")[1].split(f" {task.data.relation} ")
    return trees.Apply("-", (trees.read(left, GRAMMAR), trees.read(right, GRAMMAR)))


def _ends(*parts: Sequence[Fraction]) -> list[Tree]:
    """The real roots of numerator and denominator, in ascending order."""
    return sorted(dict.fromkeys(root for part in parts for root in roots.real_roots(part)), key=value_of)


def _between(low: Tree | None, high: Tree | None) -> Fraction:
    """A short fraction strictly between the two."""
    if low is None:
        return Fraction(ceil(_approximate(high)) - 1 if high is not None else 0)
    left, below = _approximate(low), 1
    right = _approximate(high) if high is not None else left + 2
    while floor(left * below) + 1 >= right * below:
        below += 1
    return Fraction(floor(left * below) + 1, below)


def _approximate(end: Tree) -> Fraction:
    value = trees.build.constant(end)
    return Fraction(value_of(end)) if value is None else value


def _holds(task: Task[Data], value: Fraction) -> bool:
    return value > 0 if task.data.relation[0] == ">" else value < 0


def _is_root(coefficients: Sequence[Fraction], root: Tree) -> bool:
    return trees.same(trees.number(0), trees.at(trees.build.of_coefficients(coefficients), "x", root))


def _lies_between(point: Fraction, low: Tree | None, high: Tree | None) -> bool:
    at = value_of(trees.number(point))
    return (low is None or value_of(low) < at) and (high is None or at < value_of(high))


def _divides(factor: Sequence[Fraction], parts: Sequence[str]) -> bool:
    """Whether a polynomial is an irreducible factor of the numerator or the denominator."""
    wholes = [trees.polynomial(trees.read(part, GRAMMAR), "x", MAX_DEGREE) for part in parts]
    return any(tuple(factor) == part for polynomial in wholes for part in roots.irreducible_factors(polynomial))


def _kind(difference: Tree, end: Tree) -> str:
    """Whether an expression has a zero or a gap at a root of its numerator or denominator."""
    try:
        trees.value(trees.at(difference, "x", end))
    except ArithmeticError:
        return "gap"
    return "zero"


environment = Environment(
    Knobs,
    INTERVALS,
    generate,
    solve,
    verify,
    mistakes,
    cost,
    solution=Solution(derive, CLOSING, checks),
    shift=shift,
    concept=CONCEPT,
    version=2,
)
