"""Solve an equation with absolute values: give all solutions.

On the upper levels a function f made of absolute values has an unknown constant a, and the task asks for which a the equation f(f(x)) = x has a
stated number of solutions. The shifted family nests absolute values.
"""

from collections.abc import Callable
from fractions import Fraction

from rlgym import Config, Environment, Rng, Score, Task, TaskData, knob
from rlgym.answers import Rationals, trees
from rlgym.generators.algebra import piecewise, polynomials, two_cycles
from rlgym.generators.algebra.piecewise import Piece
from rlgym.generators.algebra.polynomials import join_terms
from rlgym.solutions import Derivation, Solution, SolutionByTask, Step

Roots = tuple[Fraction, ...]
ANSWER = Rationals("all of them as exact numbers, separated by commas")
PIECE = Step("From {low} to {high} the left side minus the right side is {line}, {zero}.")
CLOSING = "The solutions are {answer}"
MEANING = Step("With y = f(x), f(f(x)) = x says that g(x) = g(y) and a = y + x - g(x), where g(x) = {partner}.")
PARTNERS = Step("At x = {bend}, where f bends, g(y) = g(x) for y = {partners}.")
COUNT = Step("For a = {value} the equation has {count} solutions.")
COUNT_BETWEEN = Step("For a between {low} and {high} the equation has {count} solutions.")
CLOSING_COUNT = "The values of a are {answer}"
CONCEPT = "Between the places where something inside changes its sign the equation is linear: solve each piece and keep what lies in it."


class Knobs(Config):
    bars: int = knob(3, easy=1, hard=6, doc="absolute values")
    slope: int = knob(3, easy=1, hard=6, doc="largest coefficient of x")
    largest: int = knob(12, easy=12, hard=30, doc="largest other number")
    asked: str = knob(
        "solutions",
        easy="solutions",
        hard="parameter",
        order=("solutions", "parameter"),
        doc="the solutions, or the constants a in f for which f(f(x)) = x has a stated number of solutions",
    )
    right: str = knob("line", easy="number", hard="line", order=("number", "line"), doc="whether x also occurs outside absolute values")


class Data(TaskData):
    left: str
    right: str
    count: int = 0  # how many solutions f(f(x)) = x is to have, where f(x) is `left` + a; 0: the solutions are asked for
    constants: tuple[str, ...] = ()  # the values of a


def generate(rng: Rng, knobs: Knobs) -> Task[Data]:
    if knobs.asked == "parameter":
        return _sample_counting_task(rng, knobs)
    signs = ["", *(rng.choice(("", "-", "2*")) for _ in range(knobs.bars - 1))]
    return _sample_task(rng, knobs, lambda: join_terms([f"{sign}abs({_sample_line(rng, knobs)})" for sign in rng.shuffled(signs)]))


def shift(rng: Rng, knobs: Knobs) -> Task[Data]:
    """Nested absolute values."""

    def nested() -> str:
        text = f"abs({_sample_line(rng, knobs)})"
        for _ in range(max(1, knobs.bars - 1)):
            front = rng.choice(("", "", "2*", "-"))
            text = f"abs({front}{text} {rng.choice('+---')} {rng.integer(1, knobs.largest)})"
        return text

    return _sample_task(rng, knobs, nested)


def solve(task: Task[Data]) -> Roots:
    if task.data.count:
        return two_cycles.isolated_values(two_cycles.count_table(task.data.left), task.data.count)
    zeros = [piece.zero for piece in _pieces(task.data) if piece.zero is not None and piece.holds(piece.zero)]
    return tuple(sorted(set(zeros)))


def verify(task: Task[Data], answer: Roots) -> Score:
    right = tuple(map(Fraction, task.data.constants)) if task.data.count else solve(task)
    return Score.exact(answer == right, "these are not all of them, or not only they")


def mistakes(task: Task[Data], right: Roots) -> list[Roots]:
    if task.data.count:
        rows = two_cycles.count_table(task.data.left)
        fixed = piecewise.pieces(trees.read(f"x - ({task.data.left})", piecewise.GRAMMAR))
        turns = tuple(low for low, high, _ in rows if low is not None and low == high)
        wrong = [turns, tuple(sorted({piecewise.value_at(fixed, x) for x in piecewise.bends(fixed)})), right[1:], right[:-1]]
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
        return 12 * (pieces**2 + 4 * len(two_cycles.turning_values(task.data.left))) * len(task.data.left)
    return len(_pieces(task.data)) * len(task.prompt)


def derive(task: Task[Data]) -> Derivation:
    for piece in _pieces(task.data):
        zero = "never 0"
        if piece.zero is not None:
            zero = f"0 at {piece.zero}, which lies {'there' if piece.holds(piece.zero) else 'elsewhere'}"
        low, high = ("no end" if end is None else str(end) for end in (piece.low, piece.high))
        yield PIECE(low=low, high=high, line=polynomials.text((piece.rest, piece.slope)), zero=zero)


def derive_counts(task: Task[Data]) -> Derivation:
    left = task.data.left
    yield MEANING(partner=f"{left} + x")
    for bend in piecewise.bends(piecewise.pieces(trees.read(left, piecewise.GRAMMAR))):
        yield PARTNERS(bend=bend, partners=tuple(two_cycles.partners(left, bend)))
    for start, end, count in two_cycles.count_table(left):
        number = "infinitely many" if count is None else count
        if start is not None and start == end:
            yield COUNT(value=start, count=number)
        else:
            low, high = ("no end" if bound is None else str(bound) for bound in (start, end))
            yield COUNT_BETWEEN(low=low, high=high, count=number)


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
    small = knobs.model_copy(update={"largest": 9, "slope": 3})
    fitting: list[int] = []
    while not fitting:
        parts = [f"{rng.choice(('', '-', '2*'))}abs({_sample_line(rng, small)})" for _ in range(2 if knobs.bars < 6 else 3)]
        left = join_terms([*parts, rng.choice(("x", "-x", "2*x", "-2*x"))])
        pieces = piecewise.pieces(trees.read(left, piecewise.GRAMMAR))
        if len({piece.slope for piece in pieces}) == len(parts) + 1:
            table = two_cycles.count_table(left)
            counts = {count for low, high, count in table if low == high and count and count > 1}
            fitting = [count for count in sorted(counts) if len(two_cycles.isolated_values(table, count)) > 1]
    count = rng.choice(fitting)
    prompt = (
        f"Let f(x) = {left} + a, where abs stands for the absolute value. For which real numbers a does the equation f(f(x)) = x have exactly "
        f"{count} different real solutions x?"
    )
    constants = tuple(map(str, two_cycles.isolated_values(table, count)))
    return Task(prompt, Data(left=left, right="x", count=count, constants=constants))


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
    version=2,
)
