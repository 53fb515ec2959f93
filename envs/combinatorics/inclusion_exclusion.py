"""Count what has none, exactly one or exactly two of several properties."""

from collections.abc import Sequence
from itertools import combinations
from math import comb, lcm

from rlgym import Config, Environment, Rng, Score, Task, TaskData, knob
from rlgym.answers import Integer
from rlgym.generators import calculations
from rlgym.generators.calculations import LAST
from rlgym.generators.numbers.recurrences import count_facts
from rlgym.generators.text.english import join_words

ASKED = ("none", "one", "two")
CLUBS = ("chess", "choir", "drama", "fencing", "judo", "rowing", "tennis", "yoga")


class Knobs(Config):
    properties: int = knob(3, easy=2, hard=5, doc="how many properties there are")
    digits: int = knob(3, easy=2, hard=9, doc="digits of how many there are in all")
    required: str = knob("one", easy="none", hard="two", order=ASKED, doc="maximum number of properties that the counted items have")


class Data(TaskData):
    every: int
    exact: int
    sizes: tuple[int, ...]
    names: tuple[str, ...]
    result: int


def generate(rng: Rng, knobs: Knobs) -> Task[Data]:
    every = rng.integer(10 ** (knobs.digits - 1) + 20, 10**knobs.digits + 60)
    divisors = sorted(rng.sample(range(2, 8 + 6 * knobs.properties), knobs.properties))
    sizes = [every // lcm(*chosen) for many in range(1, len(divisors) + 1) for chosen in combinations(divisors, many)]
    data = _sample_task(rng, knobs, every, sizes, [f"multiples of {divisor}" for divisor in divisors])
    how = ("not divisible by any of", "divisible by exactly one of", "divisible by exactly two of")[data.exact]
    return Task(f"How many integers from 1 to {every} are {how} the numbers {join_words(list(map(str, divisors)))}?", data)


def shift(rng: Rng, knobs: Knobs) -> Task[Data]:
    """Members of clubs; the sizes of all intersections are given."""
    k, top = knobs.properties, 10**knobs.digits // 4 + 5
    regions = [rng.integer(0, top) for _ in range(1 << k)]
    names = rng.sample(CLUBS, k)
    groups = [chosen for many in range(1, k + 1) for chosen in combinations(range(k), many)]
    sizes = [sum(regions[mask] for mask in range(1 << k) if all(mask >> i & 1 for i in chosen)) for chosen in groups]
    data = _sample_task(rng, knobs, sum(regions), sizes, names)
    club_sizes = "; ".join(f"{' and '.join(names[i] for i in chosen)}: {size}" for chosen, size in zip(groups, sizes, strict=True))
    both = " and in each intersection of clubs" if len(names) > 1 else ""
    how = ("in none of these clubs", "in exactly one of these clubs", "in exactly two of these clubs")[data.exact]
    return Task(
        f"A school has {sum(regions)} pupils and {len(names)} clubs. These are the numbers of pupils in each club{both}: "
        f"{club_sizes}. How many pupils are {how}?",
        data,
    )


def _sample_task(rng: Rng, knobs: Knobs, every: int, sizes: Sequence[int], names: Sequence[str]) -> Data:
    exact = rng.integer(0, ASKED.index(knobs.required))
    data = Data(every=every, exact=exact, sizes=tuple(sizes), names=tuple(names), result=0)
    return data.model_copy(update={"result": _facts(data)["result"]})


def solve(task: Task[Data]) -> int:
    """From the smallest intersections up: how many are in exactly these and no others."""
    data, k = task.data, len(task.data.names)
    groups = [sum(1 << i for i in chosen) for many in range(1, k + 1) for chosen in combinations(range(k), many)]
    exactly: dict[int, int] = {}
    for mask, size in reversed(list(zip([0, *groups], [data.every, *data.sizes], strict=True))):
        exactly[mask] = size - sum(count for other, count in exactly.items() if other & mask == mask)
    return sum(count for mask, count in exactly.items() if mask.bit_count() == data.exact)


def verify(task: Task[Data], answer: int) -> Score:
    return Score.exact(answer == task.data.result, "the number is different")


def mistakes(task: Task[Data], right: int) -> list[int]:
    data, k = task.data, len(task.data.names)
    singles = sum(data.sizes[:k])
    return [data.every - singles, singles, sum(data.sizes[k:]), data.every - right, right + 1]


def cost(task: Task[Data]) -> float:
    return len(task.data.sizes) * len(str(task.data.every)) * (2 + task.data.exact) if task.data.sizes else 1


def lines(task: Task[Data]) -> list[str]:
    data, out, facts = task.data, list[str](), _facts(task.data)
    groups = list(_groups(data))
    for many in range(1, len(data.names) + 1):
        sizes = [size for chosen, size in groups if len(chosen) == many]
        out.append(f"sum over {many} at a time = {' + '.join(map(str, sizes))} = {sum(sizes)}")
    formula = ""
    for many in range(data.exact, len(data.names) + 1):
        value = facts[f"sum over {many} at a time"] if many else data.every
        sign = " - " if (many - data.exact) % 2 else " + "
        formula += f"{sign}{comb(many, data.exact)}*{value}"
    return [*out, f"{LAST}result = {formula.removeprefix(' + ')} = {facts['result']}"]


def _formula_constants(task: Task[Data]) -> list[int]:
    """Numbers that formulas may use besides those of the prompt."""
    return [*range(11), *task.data.sizes, task.data.every]


def _groups(data: Data) -> list[tuple[tuple[int, ...], int]]:
    k = len(data.names)
    chosen = [combination for many in range(1, k + 1) for combination in combinations(range(k), many)]
    return list(zip(chosen, data.sizes, strict=True))


def _facts(data: Data) -> dict[str, int]:
    """The sums of the sizes of all k-fold intersections, and the result that follows from them."""
    sums = [data.every] + [0] * len(data.names)
    for chosen, size in _groups(data):
        sums[len(chosen)] += size
    result = sum((-1) ** (many - data.exact) * comb(many, data.exact) * total for many, total in enumerate(sums) if many >= data.exact)
    return {f"sum over {many} at a time": total for many, total in enumerate(sums) if many} | {"result": result}


environment = Environment(
    Knobs, Integer(), generate, solve, verify, mistakes, cost,
    solution=calculations.solution(lines, lambda task: count_facts(_facts(task.data)), "0 1 2", _formula_constants),
    shift=shift,
    concept="Add up the sizes of all intersections of one, two, three, ... properties, and take these sums with changing signs.",
    chains=True, version=3,
)  # fmt: skip
