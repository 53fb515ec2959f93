"""Solve an equation with absolute values: give all solutions.

The shifted family has absolute values within absolute values.
"""

from collections.abc import Callable, Sequence
from fractions import Fraction

from rlgym import Config, Environment, Rng, Score, Task, TaskData, knob
from rlgym.answers import Rationals, trees
from rlgym.generators.algebra import piecewise, polynomials
from rlgym.generators.algebra.piecewise import Piece
from rlgym.generators.algebra.polynomials import joined
from rlgym.generators.claims import refuted
from rlgym.generators.steps import Line, ended

Found = tuple[Fraction, ...]


class Knobs(Config):
    bars: int = knob(3, easy=1, hard=6, doc="absolute values")
    slope: int = knob(3, easy=1, hard=6, doc="largest coefficient of x")
    largest: int = knob(12, easy=12, hard=30, doc="largest other number")
    right: str = knob("line", easy="number", hard="line", order=("number", "line"), doc="whether x stands outside of absolute values too")


class Data(TaskData):
    left: str
    right: str


def generate(rng: Rng, knobs: Knobs) -> Task[Data]:
    signs = ["", *(rng.choice(("", "-", "2*")) for _ in range(knobs.bars - 1))]
    return _made(rng, knobs, lambda: joined([f"{sign}abs({_line(rng, knobs)})" for sign in rng.shuffled(signs)]))


def shift(rng: Rng, knobs: Knobs) -> Task[Data]:
    """Absolute values within absolute values."""

    def nested() -> str:
        text = f"abs({_line(rng, knobs)})"
        for _ in range(max(1, knobs.bars - 1)):
            front = rng.choice(("", "", "2*", "-"))
            text = f"abs({front}{text} {rng.choice('+---')} {rng.integer(1, knobs.largest)})"
        return text

    return _made(rng, knobs, nested)


def solve(task: Task[Data]) -> Found:
    zeros = [piece.zero for piece in _pieces(task.data) if piece.zero is not None and piece.holds(piece.zero)]
    return tuple(sorted(set(zeros)))


def verify(task: Task[Data], answer: Found) -> Score:
    return Score.exact(answer == solve(task), "these are not the solutions")


def mistakes(task: Task[Data], right: Found) -> list[Found]:
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


def explain(task: Task[Data]) -> list[str]:
    return [*map(_told, _pieces(task.data)), _LAST + _ANSWER.render(solve(task))]


def replay(task: Task[Data], steps: Sequence[str]) -> int | None:
    left = _pieces(task.data)

    def piece(low: str, high: str, line: str, so: str) -> bool:
        return bool(left) and _told(left.pop(0)) == _PIECE.write(low=low, high=high, line=line, so=so)

    return refuted(steps, [(_PIECE, piece)], ended(_LAST, task, _ANSWER, verify))


def _line(rng: Rng, knobs: Knobs) -> str:
    return polynomials.text((rng.integer(-knobs.largest, knobs.largest), rng.integer(1, knobs.slope)))


def _made(rng: Rng, knobs: Knobs, draw: Callable[[], str]) -> Task[Data]:
    while True:
        left = draw()
        place = Fraction(rng.integer(-knobs.largest, knobs.largest))
        rise = rng.integer(1, knobs.slope) * rng.choice((1, -1)) if knobs.right == "line" else 0
        here = next(piece for piece in piecewise.pieces(trees.read(left, piecewise.GRAMMAR)) if piece.holds(place))
        rest = here.slope * place + here.rest - rise * place
        data = Data(left=left, right=polynomials.text((int(rest), rise)))
        if all(piece.slope or piece.rest for piece in _pieces(data)):
            break
    prompt = f"Find all real numbers x with\n{left} = {data.right}\nwhere abs stands for the absolute value."
    return Task(prompt, data)


def _pieces(data: Data) -> list[Piece]:
    """The left side minus the right side."""
    left, right = (trees.read(side, piecewise.GRAMMAR) for side in (data.left, data.right))
    return piecewise.pieces(trees.Apply("-", (left, right)))


def _told(piece: Piece) -> str:
    so = "never 0"
    if piece.zero is not None:
        so = f"0 at {piece.zero}, which lies {'there' if piece.holds(piece.zero) else 'elsewhere'}"
    low, high = ("no end" if end is None else str(end) for end in (piece.low, piece.high))
    return _PIECE.write(low=low, high=high, line=polynomials.text((piece.rest, piece.slope)), so=so)


_ANSWER = Rationals("all solutions as exact numbers, separated by commas")
_PIECE = Line("From {low} to {high} the left side minus the right side is {line}, {so}.")
_LAST = "The solutions are "

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
    concept="Between the places where something inside changes its sign the equation is linear: solve each piece and keep what lies in it.",
)
