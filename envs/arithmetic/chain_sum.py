"""Add and subtract a run of integers."""

from rlgym import Config, Environment, Rng, Score, Task, TaskData, knob
from rlgym.answers import Integer
from rlgym.solutions import Derivation, Solution, Step

CONCEPT = "Keep a running total: add or subtract one number at a time, from left to right."
TERM = Step("{before:int} {sign} {number:int} = {total:int}")
END = "The sum is {answer}."


class Knobs(Config):
    terms: int = knob(5, easy=2, hard=40, doc="how many integers are added")
    digits: int = knob(2, easy=1, hard=12, doc="digits of the largest integer")


class Data(TaskData):
    numbers: tuple[int, ...]
    total: int


def generate(rng: Rng, knobs: Knobs) -> Task[Data]:
    bound = 10**knobs.digits - 1
    numbers = tuple(rng.integer(-bound, bound) or 1 for _ in range(knobs.terms))
    total = 0
    for number in numbers:
        total += number
    return Task(f"Compute {_format(numbers)}.", Data(numbers=numbers, total=total))


def shift(rng: Rng, knobs: Knobs) -> Task[Data]:
    """The terms as changes of a counter, described in words."""
    first, *rest = (data := generate(rng, knobs).data).numbers
    changes = ", then ".join(f"{'down' if number < 0 else 'up'} by {abs(number)}" for number in rest)
    return Task(f"A counter shows {first}. It goes {changes}. What does it show then?", data)


def solve(task: Task[Data]) -> int:
    # Column by column as on paper: one running sum per decimal place, carried at the end.
    written = _format(task.data.numbers).replace("- ", "-").replace("+ ", "+").split()
    columns = [0] * max(map(len, written))
    for term in written:
        for place, digit in enumerate(reversed(term.lstrip("+-"))):
            columns[place] += -int(digit) if term[0] == "-" else int(digit)
    return sum(column * 10**place for place, column in enumerate(columns))


def verify(task: Task[Data], answer: int) -> Score:
    return Score.exact(answer == task.data.total, "the sum is another number")


def mistakes(task: Task[Data], right: int) -> list[int]:
    last = task.data.numbers[-1]
    return [right - 2 * last, right - last, right + 10, -right, sum(map(abs, task.data.numbers))]


def cost(task: Task[Data]) -> float:
    return sum(len(str(abs(number))) for number in task.data.numbers)


def derive(task: Task[Data]) -> Derivation:
    running, *rest = task.data.numbers
    for number in rest:
        before, running = running, running + number
        yield TERM(before=before, sign="-" if number < 0 else "+", number=abs(number), total=running)


def _format(numbers: tuple[int, ...]) -> str:
    first, *rest = numbers
    return " ".join([str(first), *(f"{'-' if number < 0 else '+'} {abs(number)}" for number in rest)])


environment = Environment(
    Knobs,
    Integer(),
    generate,
    solve,
    verify,
    mistakes,
    cost,
    solution=Solution(derive, END),
    shift=shift,
    chains=True,
    concept=CONCEPT,
    long_numbers="Sums of long numbers are the point.",
)
