"""Solve an equation with absolute values: give all solutions.

On the upper levels a function f made of absolute values has an unknown constant a, and the task asks for which a the equation f(f(x)) = x, or at the
top f(f(f(x))) = x, has a stated number of solutions. The shifted family nests absolute values.
"""

from collections.abc import Callable
from fractions import Fraction
from itertools import pairwise

from rlgym import Config, Environment, Rng, Score, Task, TaskData, knob
from rlgym.answers import Rationals, trees
from rlgym.generators.algebra import iterates, piecewise, polynomials
from rlgym.generators.algebra.piecewise import Piece
from rlgym.generators.algebra.polynomials import join_terms
from rlgym.solutions import Derivation, Solution, SolutionByTask, Step

Roots = tuple[Fraction, ...]
ANSWER = Rationals("all of them as exact numbers, separated by commas")
PIECE = Step("For x {range} the left side minus the right side is {line}, {zero}.")
CLOSING = "The solutions are {answer}"
STATED = {"second": "f(f(x)) = x", "third": "f(f(f(x))) = x"}
FRONTS = {1: "", -1: "-", 2: "2*", -2: "-2*"}
TIMES = {"second": 2, "third": 3}
RETURNS = Step("The number of solutions changes only where a bend of f comes back to itself: f(f(f({bend}))) = {bend} for a = {values}.")
MEANING = Step("With y = f(x), f(f(x)) = x says that g(x) = g(y) and a = y + x - g(x), where g(x) = {partner}.")
PARTNERS = Step("At x = {bend}, where f bends, g(y) = g(x) for y = {partners}.")
COUNT = Step("For a = {value} the equation has {count} solution(s).")
COUNT_BETWEEN = Step("For a {range} the equation has {count} solution(s).")
CLOSING_COUNT = "The values of a are {answer}"
CONCEPT = "Between the places where something inside changes its sign the equation is linear: solve each piece and keep what lies in it."


class Knobs(Config):
    bars: int = knob(3, easy=1, hard=8, doc="absolute values")
    slope: int = knob(3, easy=1, hard=6, doc="largest coefficient of x")
    largest: int = knob(12, easy=12, hard=30, doc="largest other number")
    asked: str = knob(
        "solutions",
        easy="solutions",
        hard="third",
        order=("solutions", "second", "third"),
        doc="the solutions, or the constants a in f for which f(f(x)) = x or f(f(f(x))) = x has a stated number of solutions",
    )
    right: str = knob("line", easy="number", hard="line", order=("number", "line"), doc="whether x also occurs outside absolute values")


class Data(TaskData):
    left: str
    right: str
    count: int = 0  # how many solutions the equation is to have, where f(x) is `left` + a; 0: the solutions are asked for
    times: int = 0  # how often f is applied in that equation
    constants: tuple[str, ...] = ()  # the values of a


def generate(rng: Rng, knobs: Knobs) -> Task[Data]:
    if knobs.asked in STATED:
        return _sample_counting_task(rng, knobs)
    signs = ["", *(rng.choice(("", "-", "2*")) for _ in range(knobs.bars - 1))]
    return _sample_task(rng, knobs, lambda: join_terms([f"{sign}abs({_sample_line(rng, knobs)})" for sign in rng.shuffled(signs)]))


def shift(rng: Rng, knobs: Knobs) -> Task[Data]:
    """Nested absolute values."""

    def nested() -> str:
        text = f"abs({_sample_line(rng, knobs)})"
        for _ in range((2 * knobs.bars + 1) // 3):
            front = rng.choice(("", "", "2*", "-"))
            text = f"abs({front}{text} {rng.choice('+---')} {rng.integer(1, knobs.largest)})"
        return text

    return _sample_task(rng, knobs, nested)


def solve(task: Task[Data]) -> Roots:
    if task.data.count:
        return iterates.isolated_values(iterates.count_table(task.data.left, task.data.times), task.data.count)
    zeros = [piece.zero for piece in _pieces(task.data) if piece.zero is not None and piece.holds(piece.zero)]
    return tuple(sorted(set(zeros)))


def verify(task: Task[Data], answer: Roots) -> Score:
    right = tuple(map(Fraction, task.data.constants)) if task.data.count else solve(task)
    return Score.exact(answer == right, "these are not all of them, or not only they")


def mistakes(task: Task[Data], right: Roots) -> list[Roots]:
    if task.data.count:
        fixed = piecewise.pieces(trees.read(f"x - ({task.data.left})", piecewise.GRAMMAR))
        wrong = [
            tuple(iterates.turning_values(task.data.left, task.data.times)),
            tuple(sorted({piecewise.value_at(fixed, x) for x in piecewise.bends(fixed)})),
            right[1:],
            right[:-1],
        ]
        return [answer for answer in wrong if answer and answer != right] + [(*right[:-1], right[-1] + 1)]
    every = tuple(sorted({piece.zero for piece in _pieces(task.data) if piece.zero is not None}))
    return [
        every,
        right[1:] or (right[0] + 1,),
        right[:-1] or (-right[0] - 1,),
        tuple(x + 1 for x in right),
        (*right, right[-1] + 1),
        (*right, right[-1]),
    ]


def cost(task: Task[Data]) -> float:
    if task.data.count:
        pieces = len(piecewise.pieces(trees.read(task.data.left, piecewise.GRAMMAR)))
        turns = len(iterates.turning_values(task.data.left, task.data.times))
        return 6 * task.data.times * (float(pieces**task.data.times) + 4 * turns) * len(task.data.left)
    return len(_pieces(task.data)) * len(task.prompt)


def _range(low: Fraction | None, high: Fraction | None) -> str:
    """An open range of numbers in words; None is no end."""
    if low is None:
        return "with any value" if high is None else f"less than {high}"
    return f"greater than {low}" if high is None else f"between {low} and {high}"


def derive(task: Task[Data]) -> Derivation:
    for piece in _pieces(task.data):
        zero = "never 0"
        if piece.zero is not None:
            zero = f"0 at {piece.zero}, which lies {'there' if piece.holds(piece.zero) else 'elsewhere'}"
        low, high = piece.low, piece.high
        where = f"from {low} to {high}" if low is not None and high is not None else f"from {low} on" if high is None else f"up to {high}"
        yield PIECE(
            range="with any value" if low is None and high is None else where, line=polynomials.text((piece.rest, piece.slope)), zero=zero
        )


def derive_counts(task: Task[Data]) -> Derivation:
    left = task.data.left
    if task.data.times == 2:
        yield MEANING(partner=f"{left} + x")
    for bend in piecewise.bends(piecewise.pieces(trees.read(left, piecewise.GRAMMAR))):
        if task.data.times == 2:
            yield PARTNERS(bend=bend, partners=tuple(iterates.partners(left, bend)))
        else:
            yield RETURNS(bend=bend, values=tuple(iterates.bend_returns(left, bend, 3)))
    for start, end, count in iterates.count_table(left, task.data.times):
        number = "infinitely many" if count is None else count
        if start is not None and start == end:
            yield COUNT(value=start, count=number)
        else:
            yield COUNT_BETWEEN(range=_range(start, end), count=number)


def _sample_line(rng: Rng, knobs: Knobs) -> str:
    return polynomials.text((rng.integer(-knobs.largest, knobs.largest), rng.integer(1, knobs.slope)))


def _sample_task(rng: Rng, knobs: Knobs, sample_left: Callable[[], str]) -> Task[Data]:
    while True:
        left = sample_left()
        place = Fraction(rng.integer(-knobs.largest, knobs.largest))
        right_slope = rng.integer(1, knobs.slope) * rng.choice((1, -1)) if knobs.right == "line" else 0
        piece = next(p for p in piecewise.pieces(trees.read(left, piecewise.GRAMMAR)) if p.holds(place))
        rest = piece.slope * place + piece.rest - right_slope * place
        data = Data(left=left, right=polynomials.text((int(rest), right_slope)))
        if all(p.slope or p.rest for p in _pieces(data)):
            break
    prompt = f"Find all real numbers x with\n{left} = {data.right}\nwhere abs stands for the absolute value."
    return Task(prompt, data)


def _sample_counting_task(rng: Rng, knobs: Knobs) -> Task[Data]:
    """The stated number occurs for two or more constants, and for no interval of them."""
    times, fitting = TIMES[knobs.asked], list[int]()
    bars = 3 if knobs.bars >= (5 if times == 2 else 8) else 2
    while not fitting:
        fronts = [rng.choice((1, -1, 2)) for _ in range(bars)]
        lines = [(rng.integer(-15, 15), rng.integer(1, 3)) for _ in range(bars)]
        outside = rng.choice((1, -1, 2, -2))
        slopes = [outside - sum(front * slope for front, (_, slope) in zip(fronts, lines, strict=True))]
        for _, front, slope in sorted((Fraction(-rest, slope), front, slope) for front, (rest, slope) in zip(fronts, lines, strict=True)):
            slopes.append(slopes[-1] + 2 * front * slope)
        # Without two turns of f, nearly every number of solutions fills an interval of constants.
        if len(set(slopes)) <= bars or sum(before * after < 0 for before, after in pairwise(slopes)) < 2:
            continue
        parts = [f"{FRONTS[front]}abs({polynomials.text(line)})" for front, line in zip(fronts, lines, strict=True)]
        left = join_terms([*parts, f"{FRONTS[outside]}x"])
        table = iterates.cycle_table(left, times)
        counts = {count for low, high, count in table or () if low == high and count and count > 1}
        fitting = [count for count in sorted(counts) if len(iterates.isolated_values(table or [], count)) > 1]
    count = rng.choice(fitting)
    prompt = (
        f"Let f(x) = {left} + a, where abs stands for the absolute value. For which real numbers a does the equation {STATED[knobs.asked]} have exactly "
        f"{count} different real solutions x?"
    )
    constants = tuple(map(str, iterates.isolated_values(table or [], count)))
    return Task(prompt, Data(left=left, right="x", count=count, times=times, constants=constants))


def _pieces(data: Data) -> list[Piece]:
    """The left side minus the right side."""
    left, right = (trees.read(side, piecewise.GRAMMAR) for side in (data.left, data.right))
    return piecewise.pieces(trees.Apply("-", (left, right)))


SOLVING, COUNTING = Solution(derive, CLOSING), Solution(derive_counts, CLOSING_COUNT)

environment = Environment(
    Knobs,
    ANSWER,
    generate,
    solve,
    verify,
    mistakes,
    cost,
    solution=SolutionByTask(lambda task: COUNTING if task.data.count else SOLVING),
    shift=shift,
    shared_helpers="The helper cuts an absolute value into its two cases, which is its definition.",
    concept=CONCEPT,
    version=3,
)
