"""Build a binary search tree that answers given lookups with the fewest comparisons.

Lookups of numbers that are not in the tree may count, too, and the levels of the tree may be limited.
"""

from collections.abc import Callable, Iterator
from functools import cache
from itertools import pairwise

from rlgym import Config, Environment, Rng, Score, Task, TaskData, knob
from rlgym.answers import Words
from rlgym.solutions import Checks, Derivation, Solution, Step

Answer = tuple[str, ...]
Best = Callable[[int, int, int], tuple[int, int]]
CELL = Step(
    "{first:int} to {last:int} in at most {levels:int} level(s): {weight:int} lookup(s) and root {root:int}, so {cost:int} = {weight:int} + "
    "{left:int} + {right:int} comparisons"
)
LAST = "The tree, each key before its left part and then its right part: {answer}"
TOO_MANY = 10**9


class Knobs(Config):
    count: int = knob(7, easy=5, hard=16, beyond=22, doc="how many keys there are")
    max_lookups: int = knob(20, easy=5, hard=60, doc="maximum number of lookups of one key")
    misses: int = knob(40, easy=0, hard=80, doc="percent of the gaps between keys that are looked up, too")
    limit: str = knob("none", easy="none", hard="tight", order=("none", "tight"), doc="whether the tree may have only a few levels")


class Data(TaskData):
    numbers: tuple[int, ...]
    hits: tuple[int, ...]
    misses: tuple[int, ...]
    levels: int
    least: int


def generate(rng: Rng, knobs: Knobs) -> Task[Data]:
    return _sample_task(rng, knobs, lambda: [rng.integer(1, knobs.max_lookups) for _ in range(knobs.count)])


def shift(rng: Rng, knobs: Knobs) -> Task[Data]:
    """A few keys are looked up far more often than all others, as in a list of words."""

    def frequencies() -> list[int]:
        return rng.shuffled([max(1, knobs.max_lookups * 2 // (k + 1) + rng.integer(-1, 1)) for k in range(knobs.count)])

    return _sample_task(rng, knobs, frequencies)


def solve(task: Task[Data]) -> Answer:
    """Ranges of growing length, each for all numbers of levels; `generate` goes from the whole down."""
    data = task.data
    count = len(data.numbers)
    cost = {(i, i, levels): (0, 0) for i in range(count + 1) for levels in range(data.levels + 1)}
    for size in range(1, count + 1):
        for i in range(count - size + 1):
            cost[i, i + size, 0] = TOO_MANY, 0
            for levels in range(1, data.levels + 1):
                options = [(cost[i, r, levels - 1][0] + cost[r + 1, i + size, levels - 1][0], r) for r in range(i, i + size)]
                least, root = min(options)
                cost[i, i + size, levels] = min(TOO_MANY, least + _weight(data, i, i + size)), root
    return _preorder(data, lambda i, j, levels: cost[i, j, levels])


def verify(task: Task[Data], answer: Answer) -> Score:
    data = task.data
    if sorted(answer) != sorted(map(str, data.numbers)):
        return Score.wrong("the answer must name each key of the tree once")
    ranges, total, deepest = [(0, len(data.numbers), 1)], 0, 0
    for word in answer:
        i, j, level = ranges.pop()
        root = data.numbers.index(int(word))
        if not i <= root < j:
            return Score.wrong(f"{word} cannot stand there in a search tree")
        total, deepest = total + _weight(data, i, j), max(deepest, level)
        ranges += [subrange for subrange in ((root + 1, j, level + 1), (i, root, level + 1)) if subrange[0] < subrange[1]]
    if deepest > data.levels:
        return Score.wrong(f"the tree has more than {data.levels} levels")
    return Score.exact(total == data.least, "a different tree takes fewer comparisons")


def mistakes(task: Task[Data], right: Answer) -> list[Answer]:
    data = task.data
    order = [str(number) for number in data.numbers]
    count = len(order)

    def halved(i: int, j: int) -> list[str]:
        return [order[(i + j) // 2], *halved(i, (i + j) // 2), *halved((i + j) // 2 + 1, j)] if i < j else []

    def greedy(i: int, j: int) -> list[str]:
        root = max(range(i, j), key=lambda k: data.hits[k], default=i)
        return [order[root], *greedy(i, root), *greedy(root + 1, j)] if i < j else []

    return [tuple(greedy(0, count)), tuple(halved(0, count)), tuple(order), tuple(order[::-1]), right[:-1], right[::-1]]


def cost(task: Task[Data]) -> float:
    data = task.data
    count = len(data.numbers)
    return float(count**3 * (2 if data.levels < count else 1) + sum(map(bool, data.misses)) + len(str(data.hits)))


def derive(task: Task[Data]) -> Derivation:
    data, best = task.data, _least_comparisons(task.data)
    count = len(data.numbers)
    needed = {(0, count, data.levels)}
    for size in range(count, 0, -1):
        for i, j, levels in sorted(part for part in needed if part[1] - part[0] == size):
            for r in range(i, j):
                parts = (i, r, min(levels - 1, r - i)), (r + 1, j, min(levels - 1, j - r - 1))
                if all(best(*part)[0] < TOO_MANY for part in parts):
                    needed |= {*parts}
    for i, j, levels in sorted(needed, key=lambda part: (part[1] - part[0], part)):
        least, root = best(i, j, levels)
        if i < j and least < TOO_MANY:
            keys = {"first": data.numbers[i], "last": data.numbers[j - 1], "root": data.numbers[root]}
            left, right = best(i, root, levels - 1)[0], best(root + 1, j, levels - 1)[0]
            yield CELL(**keys, levels=levels, weight=_weight(data, i, j), cost=least, left=left, right=right)


def checks(task: Task[Data]) -> Checks:
    data, best = task.data, _least_comparisons(task.data)
    known: list[tuple[int, int, int, int]] = []

    def is_best(first: int, last: int, levels: int, weight: int, root: int, cost: int, left: int, right: int) -> bool:
        i, j, k = data.numbers.index(first), data.numbers.index(last) + 1, data.numbers.index(root)
        known.append((j - i, i, j, levels))
        if not (i <= k < j and 1 <= levels <= j - i and known == sorted(set(known)) and weight == _weight(data, i, j)):
            return False
        parts = best(i, k, levels - 1)[0], best(k + 1, j, levels - 1)[0]
        return (left, right) == parts and cost == weight + sum(parts) == best(i, j, levels)[0]

    return {CELL: is_best}


def _sample_task(rng: Rng, knobs: Knobs, sample_hits: Callable[[], list[int]]) -> Task[Data]:
    while True:
        data = _sample_data(rng, knobs, sample_hits())
        if not _is_best_by_frequency(data):
            break
    count, numbers, hits, misses, levels = knobs.count, data.numbers, data.hits, data.misses, data.levels
    rows = [f"{number}: {hit}" for number, hit in zip(numbers, hits, strict=True)]
    gaps = [f"below {numbers[0]}", *(f"between {a} and {b}" for a, b in pairwise(numbers)), f"above {numbers[-1]}"]
    others = [f"{gap}: {miss}" for gap, miss in zip(gaps, misses, strict=True) if miss]
    never = " (other gaps never)" if len(others) < len(gaps) else ""
    missed = f"Numbers that are not in the tree will be looked up, too, this often{never}:\n{chr(10).join(others)}\n\n" if others else ""
    limit = f" It may have at most {levels} levels; the root alone is the first level." if levels < count else ""
    prompt = (
        f"A binary search tree is to hold these keys, each of which will be looked up as often as the number after it says:\n{chr(10).join(rows)}\n\n{missed}"
        "In the tree, all keys in the left subtree of a key are smaller than it, and all in the right subtree are greater. A lookup starts at the root and "
        "compares the number looked up with one key after the other on its way down, until it meets that number or there is no further key to compare "
        f"with; each key met is one comparison.{limit}\n\nFind a tree for which all lookups together take the fewest comparisons. Write "
        "it as its root, then its left subtree in the same way, then its right subtree in the same way; an empty subtree is left out."
    )
    return Task(prompt, data)


def _sample_data(rng: Rng, knobs: Knobs, hits: list[int]) -> Data:
    count = knobs.count
    numbers = tuple(sorted(rng.sample(range(10, 100, 2), count)))
    misses = tuple(rng.integer(1, max(1, knobs.max_lookups // 2)) if rng.integer(1, 100) <= knobs.misses else 0 for _ in range(count + 1))
    levels = count.bit_length() + (count > 6 and rng.chance(0.3)) if knobs.limit == "tight" else count
    data = Data(numbers=numbers, hits=tuple(hits), misses=misses, levels=levels, least=0)
    return data.model_copy(update={"least": _least_comparisons(data)(0, count, levels)[0]})


def _is_best_by_frequency(data: Data) -> bool:
    """Whether the keys in the order of their lookups are an answer, for which no tree has to be built."""
    orders = (sorted(range(len(data.hits)), key=lambda k: (-data.hits[k], sign * k)) for sign in (1, -1))
    return any(verify(Task("", data), tuple(str(data.numbers[k]) for k in order)).value == 1 for order in orders)


def _weight(data: Data, i: int, j: int) -> int:
    """The lookups that come to a part with the keys from place i on and before place j."""
    return sum(data.hits[i:j]) + sum(data.misses[i : j + 1])


def _least_comparisons(data: Data) -> Best:
    """The fewest comparisons in a part with a given number of levels, and the first root that achieves it, top-down with memoisation."""

    @cache
    def best(i: int, j: int, levels: int) -> tuple[int, int]:
        if i >= j:
            return 0, i
        if levels <= 0 or j - i >= 1 << levels:
            return TOO_MANY, i
        candidates = [(best(i, r, min(levels - 1, r - i))[0] + best(r + 1, j, min(levels - 1, j - r - 1))[0], r) for r in range(i, j)]
        least, root = min(candidates)
        return least + _weight(data, i, j), root

    return best


def _preorder(data: Data, best: Best, at: tuple[int, int, int] | None = None) -> Answer:
    i, j, levels = at or (0, len(data.numbers), data.levels)
    if i >= j:
        return ()
    root = best(i, j, levels)[1]
    return (str(data.numbers[root]), *_preorder(data, best, (i, root, levels - 1)), *_preorder(data, best, (root + 1, j, levels - 1)))


def _other_answers(task: Task[Data]) -> Iterator[Answer]:
    """Every tree that takes the fewest comparisons, by choosing each root that is as good as the best, the greatest first."""
    data, best = task.data, _least_comparisons(task.data)

    def trees(i: int, j: int, levels: int) -> Iterator[Answer]:
        if i >= j:
            yield ()
            return
        for root in range(j - 1, i - 1, -1):
            if best(i, root, levels - 1)[0] + best(root + 1, j, levels - 1)[0] + _weight(data, i, j) == best(i, j, levels)[0]:
                for left in trees(i, root, levels - 1):
                    yield from ((str(data.numbers[root]), *left, *right) for right in trees(root + 1, j, levels - 1))

    return trees(0, len(data.numbers), data.levels)


environment = Environment(
    Knobs, Words("the keys of the tree in this order, separated by spaces", max_items=40), generate, solve, verify, mistakes, cost,
    solution=Solution(derive, LAST, checks), shift=shift, answers="many", solutions=_other_answers,
    concept="The parts below a root are best trees themselves: work out the best tree of each run of keys, short runs first, by trying each root.",
    version=7,
)  # fmt: skip
