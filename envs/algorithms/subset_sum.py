"""Choose some of the given numbers so that they add up to a given total.

Any such choice is accepted. At the harder levels some numbers are negative, and it is given how many are to be chosen. On the upper levels the numbers have
a hidden structure: all but a few are multiples of a prime, of the others divided by it all but a few are multiples of another prime, and so on, so that
remainders decide what trying cannot.
"""

from collections.abc import Iterator, Sequence
from itertools import combinations

from rlgym import Config, Environment, Rng, Score, Task, TaskData, knob
from rlgym.answers import Numbers
from rlgym.solutions import Checks, Derivation, Solution, Step

HALF = Step("Of {half:ints}, all {choices:int} choices are added up; one with {count:int} number(s) gives {sum:int}")
TOTAL = Step("{one:int} + {two:int} = {all:int}")


class Knobs(Config):
    numbers: int = knob(12, easy=5, hard=26, doc="how many numbers there are")
    digits: int = knob(3, easy=2, hard=6, doc="digits of the largest number")
    negative: int = knob(20, easy=0, hard=45, doc="percent of negative numbers")
    structure: str = knob(
        "none",
        easy="none",
        hard="layers",
        order=("none", "layers"),
        doc="any numbers, or fewer ones of which layers are multiples of more and more primes",
    )
    count: str = knob("free", easy="free", hard="given", order=("free", "given"), doc="whether it is given how many are chosen")


class Data(TaskData):
    numbers: tuple[int, ...]
    total: int
    count: int
    """How many are to be chosen; 0 where any number may be."""
    layers: int = 0
    """How many primes the hidden structure has; 0 where there is none."""


def generate(rng: Rng, knobs: Knobs) -> Task[Data]:
    return _sample_layers(rng, knobs) if knobs.structure == "layers" else _sample_any(rng, knobs)


def _sample_any(rng: Rng, knobs: Knobs) -> Task[Data]:
    size, largest = knobs.numbers, 10**knobs.digits - 1
    while True:
        distinct: dict[int, None] = {}
        while len(distinct) < size:
            number = rng.integer(largest // 20, largest)
            distinct[-number if rng.chance(knobs.negative / 100) else number] = None
        numbers = tuple(distinct)
        chosen = rng.sample(numbers, rng.integer(max(2, size // 4), size - max(2, size // 4)))
        if sum(chosen) not in numbers and sum(chosen) != 0:
            break
    return _build_task(Data(numbers=numbers, total=sum(chosen), count=len(chosen) if knobs.count == "given" else 0))


def _sample_layers(rng: Rng, knobs: Knobs) -> Task[Data]:
    """Layers of three numbers whose choices all leave different remainders, and a few small numbers times all primes."""
    primes = rng.sample((11, 13, 17, 19), 1 + (knobs.numbers > 10) + (knobs.numbers > 22))
    numbers, product, largest = list[int](), 1, 30_000 * len(primes)
    for prime in primes:
        while True:
            # The numbers of all layers are about equally large.
            layer = rng.sample(range(largest // product // 8, largest // product), 3)
            remainders = {sum(part) % prime for size in range(4) for part in combinations(layer, size)}
            if len(remainders) == 8:
                break
        numbers += [product * number for number in layer]
        product *= prime
    numbers += [product * number for number in rng.sample(range(2, max(12, largest // product)), 5)]
    numbers = [-number if rng.chance(knobs.negative / 200) else number for number in numbers]
    while True:
        chosen = [number for number in numbers if rng.chance(0.5)]
        if 3 <= len(chosen) <= len(numbers) - 3 and sum(chosen) not in (0, *numbers) and len(set(map(abs, numbers))) == len(numbers):
            break
        numbers[-1] = product * rng.integer(2, 40)
    return _build_task(Data(numbers=tuple(rng.shuffled(numbers)), total=sum(chosen), count=0, layers=len(primes)))


def _build_task(data: Data) -> Task[Data]:
    count_text = f"exactly {data.count}" if data.count else "some"
    return Task(
        f"Choose {count_text} of these numbers so that they add up to {data.total}, each at most once:\n{', '.join(map(str, data.numbers))}\n"
        "Give the chosen numbers in any order.",
        data,
    )


def solve(task: Task[Data]) -> tuple[int, ...]:
    return next(_meet_in_the_middle(task.data, task.data.numbers))


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
    if data.layers:
        return 300.0 * data.layers * len(data.numbers)
    return float(1.45 ** len(data.numbers) * len(str(abs(data.total))))


def derive(task: Task[Data]) -> Derivation:
    data, right = task.data, solve(task)
    sums = []
    for half in _halves(data.numbers):
        part = [number for number in right if number in half]
        sums.append(sum(part))
        yield HALF(half=half, choices=2 ** len(half), count=len(part), sum=sum(part))
    yield TOTAL(one=sums[0], two=sums[1], all=data.total)


def checks(task: Task[Data]) -> Checks:
    data = task.data
    halves, sums, counts = _halves(data.numbers), list[int](), list[int]()

    def is_sum(half: tuple[int, ...], choices: int, count: int, sum: int) -> bool:
        numbers = halves[len(sums)]
        sums.append(sum)
        counts.append(count)
        right_count = len(counts) < 2 or data.count in (0, counts[0] + counts[1])
        return half == numbers and choices == 2 ** len(half) and right_count and _has_sum(half, count, sum)

    def is_total(one: int, two: int, all: int) -> bool:
        return [one, two] == sums and one + two == all == data.total

    return {TOTAL: is_total, HALF: is_sum}


def _halves(numbers: tuple[int, ...]) -> tuple[tuple[int, ...], tuple[int, ...]]:
    return numbers[: len(numbers) // 2], numbers[len(numbers) // 2 :]


def _has_sum(numbers: tuple[int, ...], count: int, total: int) -> bool:
    return any(sum(part) == total for part in combinations(numbers, count))


def _meet_in_the_middle(data: Data, numbers: Sequence[int]) -> Iterator[tuple[int, ...]]:
    """Every choice, by meeting in the middle: the sums of one half are looked up among those of the other."""
    halves = _halves(tuple(numbers))
    known: dict[int, list[tuple[int, ...]]] = {}
    for size in range(len(halves[0]) + 1):
        for part in combinations(halves[0], size):
            known.setdefault(sum(part), []).append(part)
    for size in range(len(halves[1]) + 1):
        for part in combinations(halves[1], size):
            for other in known.get(data.total - sum(part), ()):
                if (not data.count or len(part) + len(other) == data.count) and part + other:
                    yield other + part


def _other_answers(task: Task[Data]) -> Iterator[tuple[int, ...]]:
    for solution in _meet_in_the_middle(task.data, sorted(task.data.numbers)):
        yield solution[::-1]


environment = Environment(
    Knobs, Numbers("the chosen numbers, separated by commas", max_items=60), generate, solve, verify, mistakes, cost,
    solution=Solution(derive, "The chosen numbers are {answer}", checks), answers="many", solutions=_other_answers,
    concept="Split the numbers in two halves, add up every choice of each half, and look for two sums that make the total. "
    "First see whether most numbers share a factor: then the remainder of the total decides about the others.",
    version=2,
)  # fmt: skip
