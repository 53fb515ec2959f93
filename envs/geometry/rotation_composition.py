"""Follow a point through turns by right angles about points of the plane or lines in space, or find where it began."""

from collections.abc import Callable, Sequence
from math import log2

from rlgym import Config, Environment, Rng, Score, Task, TaskData, knob
from rlgym.answers import Numbers
from rlgym.generators import signed_moves
from rlgym.generators.signed_moves import Move, Point
from rlgym.generators.steps import Line, ended, first_wrong

FORTH = Line("Round {round}, move {number} takes {point} to {image}")
BACK = Line("Round {round}, move {number} takes {image} to {point}")
WHOLE = Line("After {order} rounds all directions are as at first, so so many rounds add the same to every point: {change}")
REST = Line("{rounds} rounds are {times} times {order} and {left} more, so {point} is to be moved {multiple} times by {change}")
END = "The point: "


class Knobs(Config):
    moves: int = knob(4, easy=2, hard=10, doc="moves in a round")
    dimensions: int = knob(2, easy=2, hard=3, doc="2 for the plane, 3 for space")
    rounds: int = knob(5, easy=1, hard=900, scale="log", doc="how often all moves are made")
    asked: str = knob("start", easy="end", hard="start", order=("end", "start"), doc="which end of the way is asked for")


class Data(TaskData):
    moves: tuple[Move, ...]
    rounds: int
    given: Point
    backwards: bool
    right: Point


def generate(rng: Rng, knobs: Knobs) -> Task[Data]:
    return _made(rng, knobs, signed_moves.turn)


def shift(rng: Rng, knobs: Knobs) -> Task[Data]:
    """Mirrors in place of turns."""
    return _made(rng, knobs, signed_moves.mirror)


def _made(rng: Rng, knobs: Knobs, draw: Callable[[Rng, int, int], tuple[Move, str]]) -> Task[Data]:
    drawn = [draw(rng, knobs.dimensions, 9) for _ in range(knobs.moves)]
    given = tuple(rng.integer(-9, 9) for _ in range(knobs.dimensions))
    data = Data(moves=tuple(move for move, _ in drawn), rounds=knobs.rounds, given=given, backwards=knobs.asked == "start", right=())
    place = given
    whole = signed_moves.together(_way(data))
    for _ in range(knobs.rounds):
        place = signed_moves.moved(whole, place)
    again = f"All moves are made in this order, and then again from the first on, {knobs.rounds} rounds in all." if knobs.rounds > 1 else ""
    question = (
        f"At the end the point is at {_written(given)}. Where was it at the start?"
        if data.backwards
        else f"The point begins at {_written(given)}. Where is it at the end?"
    )
    listing = "\n".join(f"{k}. {said}" for k, (_, said) in enumerate(drawn, 1))
    where = "the plane, where x grows to the right and y upwards" if knobs.dimensions == 2 else "space with the axes x, y and z"
    prompt = f"A point of {where} is moved by these moves, one after another:\n{listing}\n{again}\n{question}"
    return Task(prompt, data.model_copy(update={"right": place}))


def _way(data: Data) -> list[Move]:
    """The moves in the order in which the asked point is reached from the given one."""
    return [signed_moves.inverted(move) for move in data.moves[::-1]] if data.backwards else list(data.moves)


def solve(task: Task[Data]) -> Point:
    """All rounds as one move, by squaring."""
    whole = signed_moves.power(signed_moves.together(task.data.moves), task.data.rounds)
    return signed_moves.moved(signed_moves.inverted(whole) if task.data.backwards else whole, task.data.given)


def verify(task: Task[Data], answer: Point) -> Score:
    return Score.exact(tuple(answer) == task.data.right, "another point")


def mistakes(task: Task[Data], right: Point) -> list[Point]:
    data = task.data
    once = data.model_copy(update={"rounds": 1})
    other = data.model_copy(update={"backwards": not data.backwards})
    near = [solve(Task(task.prompt, changed)) for changed in (once, other)]
    return [*near, right[::-1], tuple(-value for value in right), (right[0] + 1, *right[1:]), right[:-1]]


def cost(task: Task[Data]) -> float:
    data = task.data
    return len(data.moves) * len(data.given) * (1 + min(data.rounds, 4)) * (1 + data.backwards) + log2(data.rounds + 1)


def explain(task: Task[Data]) -> list[str]:
    data, steps = task.data, list[str]()
    way, places = _way(data), [data.given]
    order = signed_moves.order(signed_moves.together(way))
    for k in range(min(data.rounds, order) * len(way)):
        number, at = divmod(k, len(way))
        places.append(signed_moves.moved(way[at], places[-1]))
        told = {"point": _written(places[-2]), "image": _written(places[-1])}
        round_, move = (data.rounds - number, len(way) - at) if data.backwards else (number + 1, at + 1)
        steps.append((BACK if data.backwards else FORTH).write(round=round_, number=move, **told))
    if order < data.rounds:
        change, (times, left) = _written(_change(way, order)), divmod(data.rounds, order)
        told = {"point": _written(places[left * len(way)]), "change": change}
        steps.append(WHOLE.write(order=order, change=change))
        steps.append(REST.write(rounds=data.rounds, times=times, order=order, left=left, multiple=times, **told))
    return [*steps, END + environment.answer.render(data.right)]


def replay(task: Task[Data], steps: Sequence[str]) -> int | None:
    data = task.data
    way, places = _way(data), [data.given]
    order = signed_moves.order(signed_moves.together(way))
    change, (times, left) = _written(_change(way, order)), divmod(data.rounds, order)

    def follows(step: str) -> bool:
        if said := WHOLE.read(step):
            return said == {"order": str(order), "change": change}
        if said := REST.read(step):
            told = {"rounds": data.rounds, "times": times, "order": order, "left": left, "multiple": times}
            return said == {name: str(value) for name, value in told.items()} | {
                "point": _written(places[left * len(way)]),
                "change": change,
            }
        said = (BACK if data.backwards else FORTH).read(step)
        number, at = divmod(len(places) - 1, len(way))
        places.append(signed_moves.moved(way[at], places[-1]))
        name = (data.rounds - number, len(way) - at) if data.backwards else (number + 1, at + 1)
        return said == dict(zip(("round", "number", "point", "image"), (*map(str, name), *map(_written, places[-2:]))))

    return first_wrong(steps, follows, ended(END, task, environment.answer, verify))


def _change(way: Sequence[Move], order: int) -> Point:
    return tuple(added for _, _, added in signed_moves.power(signed_moves.together(way), order))


def _written(point: Point) -> str:
    return f"({', '.join(map(str, point))})"


environment = Environment(
    Knobs,
    Numbers("the coordinates of the point in order, separated by commas", most=3),
    generate,
    solve,
    verify,
    mistakes,
    cost,
    explain,
    replay=replay,
    shift=shift,
    concept="A few rounds bring all directions back; from then on every round of rounds adds the same to the point.",
)
