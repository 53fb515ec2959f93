"""Count the selections of numbers, or the choices of signs, that give a wanted sum."""

from collections import Counter

from rlgym import Config, Environment, Rng, Score, Task, TaskData, knob
from rlgym.answers import Integer
from rlgym.generators.draws import draw_rare
from rlgym.generators.numbers.recurrences import Recurrence, recurrence_solution

CONCEPT = "Take the numbers one by one: the ways to a sum are those to each sum that the last number leads there from."
State = tuple[int, int]


class Knobs(Config):
    numbers: int = knob(7, easy=7, hard=11, doc="how many numbers there are")
    largest: int = knob(12, easy=10, hard=22, doc="largest number")
    copies: int = knob(1, easy=1, hard=3, doc="maximum multiplicity of a number")


class Data(TaskData):
    numbers: tuple[int, ...]
    target: int
    times: tuple[int, ...]
    count: int


def generate(rng: Rng, knobs: Knobs) -> Task[Data]:
    data = _sample_target(rng, knobs, tuple(range(knobs.copies + 1)))
    numbers = data.numbers
    how = f"each used at most {'once' if knobs.copies == 1 else f'{knobs.copies} times'}"
    return Task(
        f"In how many ways can {data.target} be written as a sum of numbers from this list, {how}: {', '.join(map(str, numbers))}? "
        "The order of the terms does not matter.",
        data,
    )


def shift(rng: Rng, knobs: Knobs) -> Task[Data]:
    """Signs are chosen; with more copies, a number may also be left out or counted twice."""
    times = ((-1, 1), (-1, 0, 1), (-2, -1, 1, 2))[knobs.copies - 1]
    data = _sample_target(rng, knobs, times)
    numbers = data.numbers
    factors = ("+1 or -1", "+1, 0 or -1", "+2, +1, -1 or -2")[knobs.copies - 1]
    return Task(
        f"Each of the numbers {', '.join(map(str, numbers))} is multiplied by {factors}, chosen independently for each number, and the products are "
        f"added. For how many of the possible choices is the sum {data.target}?",
        data,
    )


def _numbers(rng: Rng, knobs: Knobs) -> tuple[int, ...]:
    return tuple(sorted(rng.sample(range(1, max(knobs.largest, knobs.numbers) + 1), knobs.numbers)))


def _sample_target(rng: Rng, knobs: Knobs, times: tuple[int, ...]) -> Data:
    """Few numbers give few different counts, so a target with a rare one is taken."""
    return draw_rare(lambda: _draw_target(rng, _numbers(rng, knobs), times), lambda data: data.count, 8 if knobs.numbers < 9 else 1)


def _draw_target(rng: Rng, numbers: tuple[int, ...], times: tuple[int, ...]) -> Data:
    target = 0
    while target == 0:
        target = sum(rng.choice(times) * number for number in numbers)
    data = Data(numbers=numbers, target=target, times=times, count=0)
    return data.model_copy(update={"count": _recurrence(data).count})


def solve(task: Task[Data]) -> int:
    """Meet in the middle: the sums of the first half against those of the second."""
    data, half = task.data, len(task.data.numbers) // 2
    factor, two = _sums(data.numbers[:half], data.times), _sums(data.numbers[half:], data.times)
    return sum(count * two[data.target - total] for total, count in factor.items())


def verify(task: Task[Data], answer: int) -> Score:
    return Score.exact(answer == task.data.count, "the number of ways is different")


def mistakes(task: Task[Data], right: int) -> list[int]:
    return [right + 1, right - 1, 2 * right, int(len(task.data.times) ** len(task.data.numbers))]


def cost(task: Task[Data]) -> float:
    return _recurrence(task.data).work


def _recurrence(data: Data) -> Recurrence[State]:
    low, high = min(*data.times, 0), max(data.times)

    def parts(state: State) -> int | list[tuple[int, State]]:
        used, remaining = state
        if used == 0:
            return int(remaining == 0)
        reach = sum(data.numbers[:used])
        if not low * reach <= remaining <= high * reach:
            return 0
        return [(1, (used - 1, remaining - times * data.numbers[used - 1])) for times in data.times]

    return Recurrence((len(data.numbers), data.target), parts, lambda state: f"ways to {state[1]} with the first {state[0]} numbers")


def _sums(numbers: tuple[int, ...], times: tuple[int, ...]) -> Counter[int]:
    sums = Counter({0: 1})
    for number in numbers:
        longer: Counter[int] = Counter()
        for total, count in sums.items():
            for factor in times:
                longer[total + factor * number] += count
        sums = longer
    return sums


environment = Environment(
    Knobs,
    Integer(),
    generate,
    solve,
    verify,
    mistakes,
    cost,
    solution=recurrence_solution(_recurrence),
    shift=shift,
    concept=CONCEPT,
    guessable="few numbers have few counts; one of them is right for about 0.2 of the smallest tasks",
    version=3,
)
