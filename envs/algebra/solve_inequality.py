"""Solve a polynomial or rational inequality: give all real numbers that satisfy it, as intervals.

Factors may repeat, cancel, have irrational roots or none. Ends of intervals are exact, and it counts which of them belong.
"""

from collections.abc import Sequence
from fractions import Fraction
from itertools import pairwise
from math import ceil, floor

from rlgym import Config, Environment, Rng, Score, Task, TaskData, knob
from rlgym.answers import Expression, Intervals, trees
from rlgym.answers.maths import Span, identical, quadratic_roots, ratio, read_constant, same_spans, tidy, value_of
from rlgym.answers.trees import Tree
from rlgym.generators.algebra import polynomials, rational_functions
from rlgym.generators.algebra.rational_functions import FORMS, Factor
from rlgym.generators.algebra.roots import irreducible
from rlgym.generators.steps import Line, first_wrong

MOST_DEGREE = 40
Spans = tuple[Span, ...]


class Knobs(Config):
    form: str = knob(
        "quotient",
        easy="factored",
        hard="fractions",
        order=FORMS,
        doc="factors, polynomials on both sides, a quotient, or a sum of quotients",
    )
    roots: int = knob(3, easy=2, hard=6, doc="different linear factors")
    repeated: float = knob(0.2, easy=0.0, hard=0.4, doc="share of factors that are squared, or stand above and below")
    irrational: int = knob(0, easy=0, hard=1, doc="quadratic factors with irrational roots")
    rootless: int = knob(0, easy=0, hard=1, doc="quadratic factors without real roots")
    denominator: int = knob(1, easy=1, hard=4, doc="largest denominator of a root")
    largest: int = knob(9, easy=9, hard=15, doc="largest number in a linear factor")


class Data(TaskData):
    relation: str
    answer: str


def generate(rng: Rng, knobs: Knobs) -> Task[Data]:
    below = 0 if knobs.form == "expanded" else min(3, knobs.roots // 2) if knobs.form != "factored" else rng.integer(0, 1)
    return _made(rng, knobs, knobs.form, below)


def shift(rng: Rng, knobs: Knobs) -> Task[Data]:
    """A number over a product, or the reciprocal of it all: every root stands in the denominator."""
    return _made(rng, knobs, "quotient" if knobs.form == "expanded" else knobs.form, min(5, knobs.roots))


def solve(task: Task[Data]) -> Spans:
    difference = _difference(task)
    top, below = ratio(difference, "x", MOST_DEGREE)
    ends: list[Tree] = []
    for part in (top, below):
        for factor in irreducible(part):
            ends += (
                [end for end in quadratic_roots(*factor) if end not in ends] if len(factor) == 3 else [trees.number(-factor[0] / factor[1])]
            )
    ends = sorted(dict.fromkeys(ends), key=value_of)
    found = [
        Span(low, high) for low, high in pairwise([None, *ends, None]) if _holds(task, trees.exact(difference, {"x": _between(low, high)}))
    ]
    return tidy([*found, *(Span(end, end, True, True) for end in ends if "=" in task.data.relation and _kind(difference, end) == "zero")])


def verify(task: Task[Data], answer: Spans) -> Score:
    return Score.exact(same_spans(_INTERVALS.parse(task.data.answer), answer), "another set of numbers satisfies the inequality")


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
    top, below = ratio(_difference(task), "x", MOST_DEGREE)
    return (len(top) + len(below)) * (10 + len(shown))


def explain(task: Task[Data]) -> list[str]:
    difference = _difference(task)
    top, below = ratio(difference, "x", MOST_DEGREE)
    shown = [polynomials.text(part) for part in (top, below)]
    steps, ends = [_SIDES.write(top=shown[0], below=shown[1])], []
    for name, part in zip(_PLACES, (top, below)):
        factors = irreducible(part)
        unit = part[-1] / _leading(factors)
        texts = [polynomials.text(tuple(map(int, factor))) for factor in factors]
        steps.append(_FACTORS.write(place=name, product="*".join([f"({unit})", *(f"({text})" for text in texts)])))
        for factor, text in dict(zip(factors, texts)).items():
            roots = quadratic_roots(*factor) if len(factor) == 3 else (trees.number(-factor[0] / factor[1]),)
            ends += [root for root in roots if root not in ends]
            said = ", ".join(map(trees.write, roots))
            inside = factor[1] ** 2 - 4 * factor[0] * factor[-1]
            steps.append(_ROOTS.write(factor=text, roots=said) if roots else _NEVER.write(factor=text, inside=inside))
    ends.sort(key=value_of)
    for low, high in pairwise([None, *ends, None]):
        point = _between(low, high)
        value = trees.exact(difference, {"x": point})
        between = _INTERVALS.render((Span(low, high),))
        steps.append(_INSIDE.write(between=between, point=point, value=value, so=_BELONGS[_holds(task, value)]))
    for end in ends:
        kind = _kind(difference, end)
        steps.append(_END.write(end=trees.write(end), kind=_KINDS[kind], so=_BELONGS[kind == "zero" and "=" in task.data.relation]))
    return [*steps, _LAST.write(answer=_INTERVALS.render(solve(task)))]


def replay(task: Task[Data], steps: Sequence[str]) -> int | None:
    difference = _difference(task)
    parts: list[str] = []
    ends: list[Tree] = []
    tried: list[Tree] = []
    looked: list[Tree | None] = []

    def follows(step: str) -> bool:
        if said := _SIDES.read(step):
            parts.extend((said["top"], said["below"]))
            return trees.same(difference, trees.read(f"({said['top']})/({said['below']})", _GRAMMAR))
        if said := _FACTORS.read(step):
            return identical(f"{parts[_PLACES.index(said['place'])]} = {said['product']}", _GRAMMAR)
        if said := _ROOTS.read(step):
            factor = trees.polynomial(trees.read(said["factor"], _GRAMMAR), "x", 2)
            roots = [read_constant(root) for root in said["roots"].split(", ")]
            ends.extend(root for root in roots if root not in ends)
            ends.sort(key=value_of)
            zeros = all(_zero(factor, root) for root in roots)
            return zeros and len(set(roots)) == len(roots) == len(factor) - 1 and _divides(factor, parts)
        if said := _NEVER.read(step):
            factor = trees.polynomial(trees.read(said["factor"], _GRAMMAR), "x", 2)
            inside = factor[1] ** 2 - 4 * factor[0] * factor[2]
            return inside < 0 and Fraction(said["inside"]) == inside and _divides(factor, parts)
        if said := _INSIDE.read(step):
            low, high = list(pairwise([None, *ends, None]))[len(looked)]
            looked.append(high)
            point, value = Fraction(said["point"]), Fraction(said["value"])
            within = (low is None or value_of(low) < value_of(trees.number(point))) and (
                high is None or value_of(trees.number(point)) < value_of(high)
            )
            named = said["between"] == _INTERVALS.render((Span(low, high),))
            return within and named and trees.exact(difference, {"x": point}) == value and said["so"] == _BELONGS[_holds(task, value)]
        if said := _END.read(step):
            end = ends[len(tried)]
            tried.append(end)
            kind = _kind(difference, end)
            belongs = _BELONGS[kind == "zero" and "=" in task.data.relation]
            return said["end"] == trees.write(end) and said["kind"] == _KINDS[kind] and said["so"] == belongs
        return False

    def ends_right(step: str) -> bool:
        said = _LAST.read(step)
        return bool(said) and verify(task, _INTERVALS.parse(said["answer"])).value == 1 if said else False

    return first_wrong(steps, follows, ends_right)


def _made(rng: Rng, knobs: Knobs, form: str, below: int) -> Task[Data]:
    factors = []
    for k, line in enumerate(rational_functions.linear(rng, knobs.roots, knobs.largest, knobs.denominator)):
        often = rng.choice(((2, 0), (1, 1), (0, 2))) if rng.chance(knobs.repeated) else (1, 0)
        factors.append(Factor(line, *(often[::-1] if k < below else often)) if often != (1, 1) or k < below else Factor(line, 2, 0))
    if form == "expanded":
        factors = [Factor(factor.polynomial, factor.above + factor.below, 0) for factor in factors]
    for real, count in ((True, knobs.irrational), (False, knobs.rootless)):
        factors += [Factor(rational_functions.quadratic(rng, 4, real), 1, 0) for _ in range(count)]
    scale = rng.choice((-1, 1, 1, 2))
    relation = rng.choice(("<", ">", "<=", ">="))
    left, right = rational_functions.sides(rng, scale, rng.shuffled(factors), form)
    prompt = (
        f"Find all real numbers x with\n{left} {relation} {right}\n\nWhere an expression divides by zero, the inequality does not hold."
    )
    bare = Task(prompt, Data(relation=relation, answer=""))
    answer = _walked(scale, factors, relation)
    return Task(bare.prompt, Data(relation=relation, answer=_INTERVALS.render(answer)))


def _walked(scale: int, factors: list[Factor], relation: str) -> Spans:
    """From the right end to the left: each root turns the sign as often as its factor stands there."""
    found = []
    for factor in factors:
        coefficients = tuple(map(Fraction, factor.polynomial))
        roots = quadratic_roots(*coefficients) if len(coefficients) == 3 else (trees.number(-coefficients[0] / coefficients[1]),)
        found += [(root, factor) for root in roots]
    found.sort(key=lambda one: value_of(one[0]), reverse=True)
    sign, high, spans = (1 if scale > 0 else -1), None, []
    for root, factor in found:
        if (sign > 0) == (relation[0] == ">"):
            spans.append(Span(root, high))
        if not factor.below and relation.endswith("="):
            spans.append(Span(root, root, True, True))
        sign *= (-1) ** (factor.above + factor.below)
        high = root
    return tidy([*spans, Span(None, high)] if (sign > 0) == (relation[0] == ">") else spans)


def _difference(task: Task[Data]) -> Tree:
    left, right = task.prompt.split("\n")[1].split(f" {task.data.relation} ")
    return trees.Apply("-", (trees.read(left, _GRAMMAR), trees.read(right, _GRAMMAR)))


def _leading(factors: list[tuple[Fraction, ...]]) -> Fraction:
    product = Fraction(1)
    for factor in factors:
        product *= factor[-1]
    return product


def _between(low: Tree | None, high: Tree | None) -> Fraction:
    """A short fraction strictly between the two."""
    if low is None:
        return Fraction(ceil(_number(high)) - 1 if high is not None else 0)
    one, below = _number(low), 1
    other = _number(high) if high is not None else one + 2
    while floor(one * below) + 1 >= other * below:
        below += 1
    return Fraction(floor(one * below) + 1, below)


def _number(end: Tree) -> Fraction:
    value = trees.build.constant(end)
    return Fraction(value_of(end)) if value is None else value


def _holds(task: Task[Data], value: Fraction) -> bool:
    return value > 0 if task.data.relation[0] == ">" else value < 0


def _zero(coefficients: Sequence[Fraction], root: Tree) -> bool:
    return trees.same(trees.number(0), trees.at(trees.build.of_coefficients(coefficients), "x", root))


def _divides(factor: list[Fraction], parts: list[str]) -> bool:
    from_parts = [tuple(one) for part in parts for one in irreducible(trees.polynomial(trees.read(part, _GRAMMAR), "x", MOST_DEGREE))]
    return tuple(factor) in from_parts


def _kind(difference: Tree, end: Tree) -> str:
    """What an expression does at a root of its numerator or denominator."""
    try:
        trees.value(trees.at(difference, "x", end))
    except ArithmeticError:
        return "gap"
    return "zero"


_INTERVALS = Intervals()
_GRAMMAR = Expression(("x",), most_characters=20_000, most_nodes=2000).grammar
_PLACES = ("numerator", "denominator")
_KINDS = {"zero": "the difference is 0", "gap": "something is divided by zero"}
_BELONGS = {True: "belongs", False: "does not belong"}
_SIDES = Line("The left side minus the right side has the numerator {top} and the denominator {below}.")
_FACTORS = Line("The {place} is {product}.")
_ROOTS = Line("{factor} is 0 at {roots}.")
_NEVER = Line("{factor} is never 0: its discriminant is {inside}.")
_INSIDE = Line("In {between}, take x = {point}: the difference is {value}, so the interval {so}.")
_END = Line("At x = {end}: {kind}, so the point {so}.")
_LAST = Line("Together: {answer}")

environment = Environment(
    Knobs,
    _INTERVALS,
    generate,
    solve,
    verify,
    mistakes,
    cost,
    explain,
    replay,
    shift,
    concept="Bring everything to one side over one denominator, factor, and look at the sign between neighbouring roots and gaps.",
)
