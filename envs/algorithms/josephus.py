"""People stand in a circle and are counted out by a rule; say in which order they leave.

At the hard end the step changes, and the direction of counting too.
"""

from collections.abc import Sequence

from rlgym import Config, Environment, Rng, Score, Task, TaskData, knob
from rlgym.answers import Words
from rlgym.generators.names import PEOPLE
from rlgym.generators.steps import Line, ended, first_wrong

LEAVES = Line("Counting to {number}: {gone} leaves; left: {left}")


class Knobs(Config):
    people: int = knob(9, easy=4, hard=36, doc="people in the circle")
    step: int = knob(5, easy=2, hard=40, doc="largest number that is counted to")
    rule: str = knob(
        "growing", easy="fixed", hard="turning", order=("fixed", "growing", "turning"), doc="whether the number or the direction changes"
    )


class Data(TaskData):
    people: tuple[str, ...]
    step: int
    more: int
    turning: bool
    order: tuple[str, ...]


def generate(rng: Rng, knobs: Knobs) -> Task[Data]:
    people = tuple(rng.sample(PEOPLE, knobs.people))
    step = rng.integer(2, max(2, knobs.step))
    more = 0 if knobs.rule == "fixed" else rng.integer(1, 3)
    turning = knobs.rule == "turning"
    data = Data(people=people, step=step, more=more, turning=turning, order=_counted(people, step, more, turning))
    rules = f" After each leaving the number that is counted to becomes greater by {more}." if more else ""
    if turning:
        rules += " After each leaving the direction is also reversed: clockwise, anticlockwise, clockwise and so on."
    prompt = (
        f"These people stand in a circle, clockwise in this order: {', '.join(people)}. Someone counts aloud, one person for each number, clockwise at first, "
        f"beginning with {people[0]} as 1. Whoever gets the number {step} leaves the circle. Counting then begins again at 1 with the next person who is left, "
        f"in the direction in which it goes on, and so on, until nobody is left.{rules} In which order do they leave? Name all of them, the last one included."
    )
    return Task(prompt, data)


def solve(task: Task[Data]) -> tuple[str, ...]:
    """A ring of people who each know their neighbours on both sides, counted one by one."""
    data = task.data
    count = len(data.people)
    after = {i: (i + 1) % count for i in range(count)}
    before = {there: here for here, there in after.items()}
    here, step, onwards, order = 0, data.step, after, list[str]()
    while after:
        for _ in range((step - 1) % len(after)):
            here = onwards[here]
        order.append(data.people[here].lower())
        if data.turning:
            onwards = before if onwards is after else after
        following = onwards[here]
        left, right = before.pop(here), after.pop(here)
        if after:
            after[left], before[right] = right, left
        here, step = following, step + data.more
    return tuple(order)


def verify(task: Task[Data], answer: tuple[str, ...]) -> Score:
    right = task.data.order
    if sorted(answer) != sorted(right):
        return Score.wrong("every person must be named exactly once")
    same = next((i for i, (a, b) in enumerate(zip(answer, right, strict=True)) if a != b), len(right))
    return Score.exact(answer == right, f"the order is wrong from number {same + 1} on")


def mistakes(task: Task[Data], right: tuple[str, ...]) -> list[tuple[str, ...]]:
    data = task.data
    other = [
        _counted(data.people, data.step + 1, data.more, data.turning),
        _counted(data.people, data.step, 0, data.turning),
        _counted(data.people, data.step, data.more, False),
    ]
    return [*other, right[:-1], right[::-1], (right[1], right[0], *right[2:]), tuple(name.lower() for name in data.people)]


def cost(task: Task[Data]) -> float:
    data = task.data
    return float(sum(1 + min(data.step + i * data.more, len(data.people)) for i in range(len(data.people))) * (1.5 if data.turning else 1))


def explain(task: Task[Data]) -> list[str]:
    data = task.data
    steps, left = [], list(data.people)
    for i, name in enumerate(data.order):
        gone = next(person for person in left if person.lower() == name)
        left.remove(gone)
        steps.append(LEAVES.write(number=data.step + i * data.more, gone=gone, left=", ".join(left) or "nobody"))
    return [*steps, f"The order is {' '.join(data.order)}"]


def replay(task: Task[Data], steps: Sequence[str]) -> int | None:
    data = task.data
    circle, turns = list(data.people), [0]

    def follows(step: str) -> bool:
        read = LEAVES.read(step)
        if not read:
            return False
        # The circle begins with the person who is counted first, in the direction of counting.
        number = data.step + turns[0] * data.more
        at = (number - 1) % len(circle)
        gone = circle[at]
        circle[:] = circle[at + 1 :] + circle[:at]
        turns[0] += 1
        if data.turning:
            circle.reverse()
        left = [name for name in data.people if name in circle]
        return (int(read["number"]), read["gone"], read["left"]) == (number, gone, ", ".join(left) or "nobody")

    return first_wrong(steps, follows, ended("The order is ", task, environment.answer, verify))


def _counted(people: tuple[str, ...], step: int, more: int, turning: bool) -> tuple[str, ...]:
    """By remainders: the place in the list of those left."""
    left, place, order, way = [name.lower() for name in people], 0, list[str](), 1
    while left:
        place = (place + way * (step - 1)) % len(left)
        order.append(left.pop(place))
        if turning:
            way = -way
        # After a removal the list has closed up: clockwise the next one stands at the same place, anticlockwise one before.
        if way < 0:
            place -= 1
        step += more
    return tuple(order)


environment = Environment(
    Knobs,
    Words("the names in the order of leaving, separated by spaces", most=100, fold=True),
    generate,
    solve,
    verify,
    mistakes,
    cost,
    explain,
    replay=replay,
    concept="Write down who is left in order; counting to n moves on by the remainder of n - 1 and the number of people left.",
)
