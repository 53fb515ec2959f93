"""Choose some of the given numbers so that they add up to a given total.

Any such choice is accepted. At the harder levels some numbers are negative, and it is given how many are to be chosen.
"""

from collections.abc import Iterator, Sequence
from itertools import combinations

from rlgym import Config, Environment, Rng, Score, Task, TaskData, knob
from rlgym.answers import Numbers
from rlgym.generators.steps import Line, ended, first_wrong

HALF = Line("Of {half}, all {choices} choices are added up; one with {count} numbers gives {sum}")
TOTAL = Line("{one} + {two} = {all}")


class Knobs(Config):
    numbers: int = knob(12, easy=5, hard=26, doc="how many numbers there are")
    digits: int = knob(3, easy=2, hard=6, doc="digits of the largest number")
    negative: int = knob(20, easy=0, hard=45, doc="percent of negative numbers")
    count: str = knob("free", easy="free", hard="given", order=("free", "given"), doc="whether it is given how many are chosen")


class Data(TaskData):
    numbers: tuple[int, ...]
    total: int
    count: int
    """How many are to be chosen; 0 where any number may be."""


def generate(rng: Rng, knobs: Knobs) -> Task[Data]:
    size, largest = knobs.numbers, 10**knobs.digits - 1
    while True:
        drawn: dict[int, None] = {}
        while len(drawn) < size:
            number = rng.integer(largest // 20, largest)
            drawn[-number if rng.chance(knobs.negative / 100) else number] = None
        numbers = tuple(drawn)
        chosen = rng.sample(numbers, rng.integer(max(2, size // 4), size - max(2, size // 4)))
        if sum(chosen) not in numbers and sum(chosen) != 0:
            break
    data = Data(numbers=numbers, total=sum(chosen), count=len(chosen) if knobs.count == "given" else 0)
    many = f"exactly {data.count}" if data.count else "some"
    return Task(
        f"Choose {many} of these numbers so that they add up to {data.total}, each at most once:\n{', '.join(map(str, numbers))}\n"
        "Give the chosen numbers in any order.",
        data,
    )


def solve(task: Task[Data]) -> tuple[int, ...]:
    return next(_choices(task.data, task.data.numbers))


def verify(task: Task[Data], answer: tuple[int, ...]) -> Score:
    data = task.data
    if len(set(answer)) < len(answer) or not set(answer) <= set(data.numbers):
        return Score.wrong("every number must be one of those given, and be used at most once")
    if data.count and len(answer) != data.count:
        return Score.wrong(f"exactly {data.count} numbers must be chosen")
    return Score.exact(sum(answer) == data.total, f"these numbers add up to {sum(answer)}")


def mistakes(task: Task[Data], right: tuple[int, ...]) -> list[tuple[int, ...]]:
    data, greedy, left = task.data, list[int](), task.data.total
    for number in sorted(data.numbers, reverse=True):
        if 0 < number <= left:
            greedy.append(number)
            left -= number
    outside = next(number for number in data.numbers if number not in right)
    return [right[:-1], (*right[:-1], outside), (*right, outside), tuple(greedy) or (0,), data.numbers, (data.total,)]


def cost(task: Task[Data]) -> float:
    data = task.data
    return float(1.45 ** len(data.numbers) * len(str(abs(data.total))))


def explain(task: Task[Data]) -> list[str]:
    data, right = task.data, solve(task)
    middle = len(data.numbers) // 2
    steps = []
    sums = []
    for half in (data.numbers[:middle], data.numbers[middle:]):
        part = [number for number in right if number in half]
        sums.append(sum(part))
        told = ", ".join(map(str, half))
        steps.append(HALF.write(half=told, choices=2 ** len(half), count=len(part), sum=sum(part)))
    steps.append(TOTAL.write(one=sums[0], two=sums[1], all=data.total))
    return [*steps, f"The chosen numbers are {environment.answer.render(right)}"]


def replay(task: Task[Data], steps: Sequence[str]) -> int | None:
    data = task.data
    middle = len(data.numbers) // 2
    halves, sums, many = [data.numbers[:middle], data.numbers[middle:]], list[int](), list[int]()

    def follows(step: str) -> bool:
        if read := TOTAL.read(step):
            return [int(read["one"]), int(read["two"])] == sums and sum(sums) == int(read["all"]) == data.total
        read = HALF.read(step)
        if not read:
            return False
        half = halves[len(sums)]
        sums.append(int(read["sum"]))
        many.append(int(read["count"]))
        whole = data.count in (0, sum(many)) if len(sums) == 2 else True
        told = read["half"] == ", ".join(map(str, half)) and int(read["choices"]) == 2 ** len(half)
        return told and whole and any(sum(part) == sums[-1] for part in combinations(half, many[-1]))

    return first_wrong(steps, follows, ended("The chosen numbers are ", task, environment.answer, verify))


def _choices(data: Data, numbers: Sequence[int]) -> Iterator[tuple[int, ...]]:
    """Every choice: all sums of one half are looked up among those of the other."""
    middle = len(numbers) // 2
    halves = numbers[:middle], numbers[middle:]
    known: dict[int, list[tuple[int, ...]]] = {}
    for size in range(len(halves[0]) + 1):
        for part in combinations(halves[0], size):
            known.setdefault(sum(part), []).append(part)
    for size in range(len(halves[1]) + 1):
        for part in combinations(halves[1], size):
            for other in known.get(data.total - sum(part), ()):
                if (not data.count or len(part) + len(other) == data.count) and part + other:
                    yield other + part


def _others(task: Task[Data]) -> Iterator[tuple[int, ...]]:
    for found in _choices(task.data, sorted(task.data.numbers)):
        yield found[::-1]


environment = Environment(
    Knobs,
    Numbers("the chosen numbers, separated by commas", most=60),
    generate,
    solve,
    verify,
    mistakes,
    cost,
    explain,
    replay=replay,
    answers="many",
    solutions=_others,
    concept="Split the numbers in two halves, add up every choice of each half, and look for two sums that make the total.",
)
