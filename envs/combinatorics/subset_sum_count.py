"""Count the selections of numbers, or the choices of signs, that give a wanted sum.

On the upper levels selections of a stated size are counted by the remainder of their sum, which are too many to list.
"""

from collections import Counter
from math import comb, gcd

from rlgym import Config, Environment, Rng, Score, Task, TaskData, knob
from rlgym.answers import Integer
from rlgym.generators.draws import draw_rare
from rlgym.generators.numbers.recurrences import Recurrence, recurrence_solution
from rlgym.solutions import Derivation, Solution, SolutionByTask, Step

APART = Step(
    "Taking 0, 1, 2, ... off the chosen numbers in order leaves any {size:int} numbers from {first:int} to {last:int} with the remainder {rest:int}."
)
ORDER = Step("The roots of unity of order {order:int} contribute {value:int} to {modulus:int} times the count.")
CLOSING = "Divided by the modulus, their sum is {answer}"
CONCEPT = "Take the numbers one by one: the ways to a sum are those to each sum that the last number leads there from."
State = tuple[int, int]


class Knobs(Config):
    numbers: int = knob(7, easy=7, hard=11, doc="how many numbers there are")
    largest: int = knob(12, easy=10, hard=22, doc="largest number")
    copies: int = knob(1, easy=1, hard=3, doc="maximum multiplicity of a number")
    condition: str = knob(
        "sum",
        easy="sum",
        hard="remainder",
        order=("sum", "remainder"),
        doc="the sum itself is given, or the size of the selection and a remainder",
    )


class Data(TaskData):
    numbers: tuple[int, ...]
    target: int
    times: tuple[int, ...]
    count: int
    size: int = 0  # of the selections whose sum leaves the target when divided by the modulus
    modulus: int = 0
    apart: bool = False  # whether no two of the chosen numbers, which are consecutive as a list, may be neighbours


def generate(rng: Rng, knobs: Knobs) -> Task[Data]:
    if knobs.condition == "remainder":
        return _sample_remainder(rng, knobs)
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
    if task.data.modulus:
        return _count_by_classes(task.data)
    data, half = task.data, len(task.data.numbers) // 2
    factor, two = _sums(data.numbers[:half], data.times), _sums(data.numbers[half:], data.times)
    return sum(count * two[data.target - total] for total, count in factor.items())


def verify(task: Task[Data], answer: int) -> Score:
    return Score.exact(answer == task.data.count, "the number of ways is different")


def mistakes(task: Task[Data], right: int) -> list[int]:
    data = task.data
    if data.modulus:
        total = comb(len(data.numbers) - (data.size - 1 if data.apart else 0), data.size)
        return [answer for answer in (total // data.modulus, -(-total // data.modulus), total, right + 1) if answer != right]
    return [right + 1, right - 1, 2 * right, int(len(task.data.times) ** len(task.data.numbers))]


def cost(task: Task[Data]) -> float:
    if task.data.modulus:
        return len(task.data.numbers) * task.data.size * task.data.modulus * (2 if task.data.apart else 1)
    return _recurrence(task.data).work


def derive_remainder(task: Task[Data]) -> Derivation:
    """The contribution of the roots of order d is d times the count modulo d, less the contributions of smaller orders that divide d."""
    data, contributions = task.data, dict[int, int]()
    if data.apart:
        rest, first = (data.target - comb(data.size, 2)) % data.modulus, data.numbers[0]
        yield APART(size=data.size, first=first, last=data.numbers[-1] - data.size + 1, rest=rest)
    for d in (d for d in range(1, data.modulus + 1) if data.modulus % d == 0):
        count = _count_by_classes(data.model_copy(update={"modulus": d, "target": data.target % d}))
        contributions[d] = d * count - sum(value for order, value in contributions.items() if d % order == 0)
        yield ORDER(order=d, value=contributions[d], modulus=data.modulus)


def _sample_remainder(rng: Rng, knobs: Knobs) -> Task[Data]:
    """Consecutive numbers that do not fill all residue classes equally, and a modulus and a size with common factors."""
    while True:
        modulus = rng.choice((6, 8, 9, 10, 12) if knobs.numbers > 9 else (4, 6, 8))
        first, count = rng.integer(2, 30), 2 * knobs.numbers + rng.integer(0, 3)
        size = rng.integer(4, count // 3)
        if count % modulus and gcd(size, modulus) > 1:
            break
    numbers, target = tuple(range(first, first + count)), rng.integer(0, modulus - 1)
    data = Data(numbers=numbers, target=target, times=(0, 1), count=0, size=size, modulus=modulus, apart=knobs.numbers > 10)
    before, table = Counter({(0, 0): 1}), Counter({(0, 0): 1})  # without the number just tried, and with it
    for number in numbers:
        longer = Counter(table)
        for (taken, rest), ways in (before if data.apart else table).items():
            if taken < size:
                longer[taken + 1, (rest + number) % modulus] += ways
        before, table = table, longer
    return Task(
        f"In how many ways can {size} different numbers be chosen from {first}, {first + 1}, ..., {numbers[-1]} so that "
        f"{'no two of them are consecutive integers and ' if data.apart else ''}their sum leaves the remainder "
        f"{target} when divided by {modulus}? The order of the numbers does not matter.",
        data.model_copy(update={"count": table[size, target]}),
    )


def _count_by_classes(data: Data) -> int:
    """Residue class by residue class: how many numbers are taken of each. If none may be neighbours, 0, 1, 2, ... are taken off the chosen ones."""
    numbers = data.numbers[: len(data.numbers) - data.size + 1] if data.apart else data.numbers
    target = (data.target - (comb(data.size, 2) if data.apart else 0)) % data.modulus
    classes = Counter(number % data.modulus for number in numbers)
    table = Counter({(0, 0): 1})
    for residue, members in sorted(classes.items()):
        longer: Counter[tuple[int, int]] = Counter()
        for (taken, rest), ways in table.items():
            for more in range(min(members, data.size - taken) + 1):
                longer[taken + more, (rest + more * residue) % data.modulus] += ways * comb(members, more)
        table = longer
    return table[data.size, target]


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

    return Recurrence((len(data.numbers), data.target), parts, lambda state: f"ways to {state[1]} with the first {state[0]} of the numbers")


def _sums(numbers: tuple[int, ...], times: tuple[int, ...]) -> Counter[int]:
    sums = Counter({0: 1})
    for number in numbers:
        longer: Counter[int] = Counter()
        for total, count in sums.items():
            for factor in times:
                longer[total + factor * number] += count
        sums = longer
    return sums


SUM, REMAINDER = recurrence_solution(_recurrence), Solution(derive_remainder, CLOSING)

environment = Environment(
    Knobs,
    Integer(),
    generate,
    solve,
    verify,
    mistakes,
    cost,
    solution=SolutionByTask(lambda task: REMAINDER if task.data.modulus else SUM),
    shift=shift,
    concept=CONCEPT,
    guessable="few numbers have few counts; one of them is right for about 0.2 of the smallest tasks",
    version=4,
)
