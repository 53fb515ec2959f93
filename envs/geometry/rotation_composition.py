"""Follow a point through turns by right angles about points of the plane or lines in space, or find where it began."""

from collections.abc import Callable, Sequence
from math import log2

from rlgym import Config, Environment, Rng, Score, Task, TaskData, knob
from rlgym.answers import Numbers
from rlgym.generators.draws import draw_against
from rlgym.generators.geometry import lattice_symmetries
from rlgym.generators.geometry.lattice_symmetries import Move, Point
from rlgym.solutions import Derivation, Solution, Step

FORTH = Step("Round {round}, move {number} takes {point} to {image}")
BACK = Step("Round {round}, move {number} takes {image} to {point}")
WHOLE = Step("After {order} round(s) all directions are as at first, so that many rounds add the same to every point: {change}")
REST = Step("{rounds} rounds are {times} times {order} and {left} more, so {point} is to be moved {times} times by {change}")
END = "The point: {answer}"


class Knobs(Config):
    moves: int = knob(4, easy=2, hard=10, doc="moves in a round")
    dimensions: int = knob(2, easy=2, hard=3, doc="2 for the plane, 3 for space")
    rounds: int = knob(5, easy=1, hard=900, scale="log", doc="how often all moves are made")
    question: str = knob("start", easy="end", hard="start", order=("end", "start"), doc="which end of the path to find")


class Data(TaskData):
    moves: tuple[Move, ...]
    rounds: int
    given: Point
    backwards: bool
    right: Point


def generate(rng: Rng, knobs: Knobs) -> Task[Data]:
    return draw_against(lambda: _sample_task(rng, knobs, lattice_symmetries.turn), _comes_back)


def shift(rng: Rng, knobs: Knobs) -> Task[Data]:
    """Mirrors in place of turns."""
    return draw_against(lambda: _sample_task(rng, knobs, lattice_symmetries.mirror), _comes_back)


def _comes_back(task: Task[Data]) -> bool:
    """Whether the answer is the given point."""
    return task.data.right == task.data.given


def _sample_task(rng: Rng, knobs: Knobs, draw: Callable[[Rng, int, int], tuple[Move, str]]) -> Task[Data]:
    drawn = [draw(rng, knobs.dimensions, 9) for _ in range(knobs.moves)]
    given = tuple(rng.integer(-9, 9) for _ in range(knobs.dimensions))
    data = Data(moves=tuple(move for move, _ in drawn), rounds=knobs.rounds, given=given, backwards=knobs.question == "start", right=())
    place = given
    composition = lattice_symmetries.together(_moves(data))
    for _ in range(knobs.rounds):
        place = lattice_symmetries.apply_symmetry(composition, place)
    repetition = f"This whole sequence of moves is carried out {knobs.rounds} times in a row." if knobs.rounds > 1 else ""
    question = (
        f"The point ends at {_format(given)}. Where did it start?"
        if data.backwards
        else f"The point starts at {_format(given)}. Where does it end?"
    )
    listing = "\n".join(f"{k}. {move_text}" for k, (_, move_text) in enumerate(drawn, 1))
    where = "in the plane (x to the right, y upwards)" if knobs.dimensions == 2 else "in space with coordinates (x, y, z)"
    prompt = f"A point {where} undergoes these moves, one after another:\n{listing}\n{repetition}\n{question}".replace("\n\n", "\n")
    return Task(prompt, data.model_copy(update={"right": place}))


def _moves(data: Data) -> list[Move]:
    """The moves in the order in which the asked point is reached from the given one."""
    return [lattice_symmetries.invert(move) for move in data.moves[::-1]] if data.backwards else list(data.moves)


def solve(task: Task[Data]) -> Point:
    """All rounds as one move, by squaring."""
    composition = lattice_symmetries.power(lattice_symmetries.together(task.data.moves), task.data.rounds)
    return lattice_symmetries.apply_symmetry(
        lattice_symmetries.invert(composition) if task.data.backwards else composition, task.data.given
    )


def verify(task: Task[Data], answer: Point) -> Score:
    return Score.exact(tuple(answer) == task.data.right, "another point")


def mistakes(task: Task[Data], right: Point) -> list[Point]:
    data = task.data
    single_round = data.model_copy(update={"rounds": 1})
    other = data.model_copy(update={"backwards": not data.backwards})
    near = [solve(Task(task.prompt, changed)) for changed in (single_round, other)]
    return [*near, right[::-1], tuple(-value for value in right), (right[0] + 1, *right[1:]), right[:-1]]


def cost(task: Task[Data]) -> float:
    data = task.data
    return len(data.moves) * len(data.given) * (1 + min(data.rounds, 4)) * (1 + data.backwards) + log2(data.rounds + 1)


def derive(task: Task[Data]) -> Derivation:
    data = task.data
    moves, places = _moves(data), [data.given]
    order = lattice_symmetries.order(lattice_symmetries.together(moves))
    for k in range(min(data.rounds, order) * len(moves)):
        number, i = divmod(k, len(moves))
        places.append(lattice_symmetries.apply_symmetry(moves[i], places[-1]))
        points = {"point": _format(places[-2]), "image": _format(places[-1])}
        if data.backwards:
            yield BACK(round=data.rounds - number, number=len(moves) - i, **points)
        else:
            yield FORTH(round=number + 1, number=i + 1, **points)
    if order < data.rounds:
        change, (times, rest) = _format(_change(moves, order)), divmod(data.rounds, order)
        yield WHOLE(order=order, change=change)
        yield REST(rounds=data.rounds, times=times, order=order, left=rest, point=_format(places[rest * len(moves)]), change=change)


def _change(moves: Sequence[Move], order: int) -> Point:
    return tuple(added for _, _, added in lattice_symmetries.power(lattice_symmetries.together(moves), order))


def _format(point: Point) -> str:
    return f"({', '.join(map(str, point))})"


environment = Environment(
    Knobs, Numbers("the coordinates of the point, separated by commas", max_items=3), generate, solve, verify, mistakes, cost,
    solution=Solution(derive, END), shift=shift,
    concept="A few rounds bring all directions back; from then on every round of rounds adds the same to the point.",
    version=5,
)  # fmt: skip
