"""People stand in a circle and are counted out by a rule; say in which order they leave.

At the hard end the step changes, and the direction of counting too. On the upper levels the number that is counted to first is asked for, given who is
left at the end: no number tells anything about the next one.
"""

from rlgym import Config, Environment, Rng, Score, Task, TaskData, knob
from rlgym.answers import Words
from rlgym.generators.text.names import PEOPLE
from rlgym.solutions import Derivation, Solution, Step

ANSWER = Words("what is asked for, in the form given above", max_items=100, ignore_case=True)
CONCEPT = "Write down who is left in order; counting to n moves on by the remainder of n - 1 and the number of people left."
LAST = 3
NUMBERS = range(2, 401)
BEGIN = Step("Try the number {number:int}")
LEAVES = Step("Counting to {number}: {gone} leaves; left: {left}")


class Knobs(Config):
    people: int = knob(9, easy=4, hard=36, beyond=60, doc="people in the circle")
    step: int = knob(5, easy=2, hard=40, doc="largest number that is counted to")
    rule: str = knob(
        "growing", easy="fixed", hard="turning", order=("fixed", "growing", "turning"), doc="whether the number or the direction changes"
    )
    asked: str = knob(
        "order",
        easy="order",
        hard="number",
        order=("order", "number"),
        doc="the order, or the first number that is counted to (a third of the people)",
    )


class Data(TaskData):
    people: tuple[str, ...]
    step: int
    more: int
    turning: bool
    order: tuple[str, ...]
    numbers: tuple[int, ...] = ()  # every first number after which the last people are the same, where it is asked for


def generate(rng: Rng, knobs: Knobs) -> Task[Data]:
    hidden = knobs.asked == "number"
    people = tuple(rng.sample(PEOPLE, max(6, knobs.people // 3) if hidden else knobs.people))
    step = rng.choice(NUMBERS) if hidden else rng.integer(2, max(2, knobs.step))
    more = 0 if knobs.rule == "fixed" else rng.integer(1, 3)
    turning = knobs.rule == "turning"
    data = Data(people=people, step=step, more=more, turning=turning, order=_order_by_remainders(people, step, more, turning))
    rules = f" After each person leaves, the number counted to grows by {more}." if more else ""
    again = (
        "Then the direction is reversed, and counting begins again at 1 with the person who comes next in the new direction after the one who left; so it "
        "goes on, clockwise, anticlockwise, clockwise and so on, until nobody is left."
        if turning
        else "Counting then begins again at 1 with the next person who is left and so on, until nobody is left."
    )
    if hidden:
        ends = {number: _order_by_remainders(people, number, more, turning)[-LAST:] for number in NUMBERS}
        data = data.model_copy(update={"numbers": tuple(number for number, end in ends.items() if end == data.order[-LAST:])})
    what = (
        f"The last three to leave are {', then '.join(_last_people(data))}. Give one possible N, an integer from {NUMBERS[0]} to {NUMBERS[-1]}."
        if hidden
        else "In which order do they leave? Answer with all names in this order, the last one included, separated by spaces."
    )
    prompt = (
        f"These people stand in a circle, clockwise in this order: {', '.join(people)}. "
        f"Someone counts aloud, one person for each number, clockwise{' at first' if turning else ''}, "
        f"beginning with {people[0]} as 1. Whoever gets the number {'N' if hidden else step} leaves the circle. "
        f"{again}{rules} {what}"
    )
    return Task(prompt, data)


def shift(rng: Rng, knobs: Knobs) -> Task[Data]:
    """The prompt describes the circle by who stands next to whom, in any order."""
    task = generate(rng, knobs)
    people = task.data.people
    beside = [f"{other} is the next one clockwise after {one}" for one, other in zip(people, (*people[1:], people[0]), strict=True)]
    rest = task.prompt.split(". ", 1)[1]
    return Task(f"People stand in a circle: {'; '.join(rng.shuffled(beside))}. {rest}", task.data)


def solve(task: Task[Data]) -> tuple[str, ...]:
    if task.data.numbers:
        data = task.data
        wanted = data.order[-LAST:]
        return (str(next(number for number in NUMBERS if _order_in_ring(data, number)[-LAST:] == wanted)),)
    return _order_in_ring(task.data, task.data.step)


def _order_in_ring(data: Data, step: int) -> tuple[str, ...]:
    """A doubly linked ring of people, counted one by one."""
    count = len(data.people)
    after = {i: (i + 1) % count for i in range(count)}
    before = {following_person: person for person, following_person in after.items()}
    person, next_person, order = 0, after, list[str]()
    while after:
        for _ in range((step - 1) % len(after)):
            person = next_person[person]
        order.append(data.people[person].lower())
        if data.turning:
            next_person = before if next_person is after else after
        following = next_person[person]
        left, right = before.pop(person), after.pop(person)
        if after:
            after[left], before[right] = right, left
        person, step = following, step + data.more
    return tuple(order)


def verify(task: Task[Data], answer: tuple[str, ...]) -> Score:
    right = task.data.order
    if task.data.numbers:
        return Score.exact(answer in right_answers(task), "others are left at the end, or the number is out of range")
    if sorted(answer) != sorted(right):
        return Score.wrong("every person must be named exactly once")
    same = next((i for i, (a, b) in enumerate(zip(answer, right, strict=True)) if a != b), len(right))
    return Score.exact(answer == right, f"the order is wrong from number {same + 1} on")


def right_answers(task: Task[Data]) -> list[tuple[str, ...]]:
    return [(str(number),) for number in task.data.numbers] or [task.data.order]


def _last_people(data: Data) -> list[str]:
    """The names of the last people in the order in which they leave."""
    return [next(name for name in data.people if name.lower() == gone) for gone in data.order[-LAST:]]


def mistakes(task: Task[Data], right: tuple[str, ...]) -> list[tuple[str, ...]]:
    data = task.data
    if data.numbers:
        near = {number + by for number in data.numbers for by in (-1, 1, len(data.people))} - set(data.numbers)
        return [*((str(number),) for number in sorted(near)), data.order, ("1",)]
    other = [
        _order_by_remainders(data.people, data.step + 1, data.more, data.turning),
        _order_by_remainders(data.people, data.step, 0, data.turning),
        _order_by_remainders(data.people, data.step, data.more, False),
    ]
    return [*other, right[:-1], right[::-1], (right[1], right[0], *right[2:]), tuple(name.lower() for name in data.people)]


def cost(task: Task[Data]) -> float:
    data = task.data
    if data.numbers:
        return float(len(NUMBERS) // (1 + len(data.numbers)) * len(data.people) ** 2)
    return float(sum(1 + min(data.step + i * data.more, len(data.people)) for i in range(len(data.people))) * (1.5 if data.turning else 1))


def derive(task: Task[Data]) -> Derivation:
    data = task.data
    first = int(solve(task)[0]) if data.numbers else data.step
    if data.numbers:
        yield BEGIN(number=first)
    circle = list(data.people)
    for turn in range(len(data.people)):
        # The circle begins with the person who is counted first, in the direction of counting.
        number = first + turn * data.more
        at = (number - 1) % len(circle)
        removed = circle[at]
        circle = circle[at + 1 :] + circle[:at]
        if data.turning:
            circle.reverse()
        yield LEAVES(number=number, gone=removed, left=[name for name in data.people if name in circle] or "nobody")


def _order_by_remainders(people: tuple[str, ...], step: int, more: int, turning: bool) -> tuple[str, ...]:
    """By remainders: the place in the list of those left."""
    circle, index, order, direction = [name.lower() for name in people], 0, list[str](), 1
    while circle:
        index = (index + direction * (step - 1)) % len(circle)
        order.append(circle.pop(index))
        if turning:
            direction = -direction
        # After a removal the list has closed up: clockwise the next one stands at the same place, anticlockwise one before.
        if direction < 0:
            index -= 1
        step += more
    return tuple(order)


environment = Environment(
    Knobs, ANSWER, generate, solve, verify, mistakes, cost,
    solution=Solution(derive, "The answer is {answer}"), shift=shift, answers="many", solutions=right_answers, concept=CONCEPT,
    version=8,
)  # fmt: skip
