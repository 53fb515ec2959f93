"""Solve an equation with absolute values: give all solutions.

The shifted family nests absolute values.
"""

from collections.abc import Callable
from fractions import Fraction

from rlgym import Config, Environment, Rng, Score, Task, TaskData, knob
from rlgym.answers import Rationals, trees
from rlgym.generators.algebra import piecewise, polynomials
from rlgym.generators.algebra.piecewise import Piece
from rlgym.generators.algebra.polynomials import join_terms
from rlgym.solutions import Derivation, Solution, Step

Roots = tuple[Fraction, ...]
ANSWER = Rationals("all solutions as exact numbers, separated by commas")
PIECE = Step("From {low} to {high} the left side minus the right side is {line}, {zero}.")
CLOSING = "The solutions are {answer}"
CONCEPT = "Between the places where something inside changes its sign the equation is linear: solve each piece and keep what lies in it."


class Knobs(Config):
    bars: int = knob(3, easy=1, hard=6, doc="absolute values")
    slope: int = knob(3, easy=1, hard=6, doc="largest coefficient of x")
    largest: int = knob(12, easy=12, hard=30, doc="largest other number")
    right: str = knob("line", easy="number", hard="line", order=("number", "line"), doc="whether x also occurs outside absolute values")


class Data(TaskData):
    left: str
    right: str


def generate(rng: Rng, knobs: Knobs) -> Task[Data]:
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
    zeros = [piece.zero for piece in _pieces(task.data) if piece.zero is not None and piece.holds(piece.zero)]
    return tuple(sorted(set(zeros)))


def verify(task: Task[Data], answer: Roots) -> Score:
    return Score.exact(answer == solve(task), "these are not the solutions")


def mistakes(task: Task[Data], right: Roots) -> list[Roots]:
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
    return len(_pieces(task.data)) * len(task.prompt)


def derive(task: Task[Data]) -> Derivation:
    for piece in _pieces(task.data):
        zero = "never 0"
        if piece.zero is not None:
            zero = f"0 at {piece.zero}, which lies {'there' if piece.holds(piece.zero) else 'elsewhere'}"
        low, high = ("no end" if end is None else str(end) for end in (piece.low, piece.high))
        yield PIECE(low=low, high=high, line=polynomials.text((piece.rest, piece.slope)), zero=zero)


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


def _pieces(data: Data) -> list[Piece]:
    """The left side minus the right side."""
    left, right = (trees.read(side, piecewise.GRAMMAR) for side in (data.left, data.right))
    return piecewise.pieces(trees.Apply("-", (left, right)))


environment = Environment(
    Knobs,
    ANSWER,
    generate,
    solve,
    verify,
    mistakes,
    cost,
    solution=Solution(derive, CLOSING),
    shift=shift,
    shared_helpers="The helper cuts an absolute value into its two cases, which is its definition.",
    concept=CONCEPT,
)
