"""Fill in a table so that it shows Simpson's paradox: one of two ways is better in every group and yet worse over all.

The sizes of the groups are given, and any successes that do it are accepted. In the shifted family some of the successes stand there
already.
"""

from collections.abc import Iterator, Sequence
from fractions import Fraction

from rlgym import Config, Environment, Rng, Score, Task, TaskData, knob
from rlgym.answers import Numbers
from rlgym.generators import stories
from rlgym.generators.stories import phrase
from rlgym.generators.text import english
from rlgym.solutions import Checks, Derivation, Solution, Step

ANSWER = Numbers(
    "all these numbers in this order: group 1 with A, group 1 with B, group 2 with A, group 2 with B, and so on, separated by commas",
    max_items=20,
)
BETTER = Step("Group {group:int}: {one:int} of {size:int} against {two:int} of {other:int} is a lead of {lead:fraction}")
TOTAL = Step("Together: {one:int} of {size:int} against {two:int} of {other:int} is a lead of {lead:fraction}, which is below 0")
LAST = Step("The counts are {answer}")
WAYS = (
    ("treatment A", "treatment B", "patients", "cured patients"),
    ("teacher A", "teacher B", "pupils", "pupils who passed"),
    ("courier A", "courier B", "parcels", "parcels that arrived on time"),
    ("method A", "method B", "seeds", "seeds that sprouted"),
    ("server A", "server B", "requests", "answered requests"),
    ("player A", "player B", "shots", "shots that scored"),
)
OPENINGS = (
    "{one} and {two} are compared by the share of {good} in {count} groups of {things}. {sizes}",
    "A study of {count} groups of {things} compares {one} with {two} by the share of {good}. {sizes}",
    "for each of {count} groups of {things}, the number of {good} is recorded with {one} and with {two}. {sizes}",
    "{who} knows how many {things} there are with {one} and with {two} in each of {count} groups, but not the numbers of {good}. {sizes}",
)
TASKS = (
    (
        "Choose the numbers of {good} so that in each group the share of {good} is higher with {one} than with {two}{margin}, but over all "
        "groups together it is lower with {one} than with {two}{any}."
    ),
    (
        "Find numbers of {good} for which {one} has a higher share of {good} than {two} in every group{margin}, and {two} has a higher share than "
        "{one} over all groups together{any}."
    ),
    (
        "Give numbers of {good} such that the share of {good} is higher with {one} than with {two} in each group{margin}, and higher with {two} "
        "than with {one} when the groups are put together{any}."
    ),
    (
        "Give for each group the numbers of {good} with {one} and with {two}. In every group, the share of {good} must be higher with {one}{margin}; "
        "when all groups are put together, it must be higher with {two}{any}."
    ),
)


class Knobs(Config):
    groups: int = knob(3, easy=2, hard=6, doc="how many groups there are")
    size: int = knob(30, easy=24, hard=60, doc="largest number in a group")
    margin: int = knob(2, easy=0, hard=6, doc="by how many hundredths the shares have to differ in each group")


class Data(TaskData):
    sizes: tuple[tuple[int, int], ...]
    margin: int
    given: tuple[int, ...]  # the number that stands there, row by row; -1 where it is asked for
    names: tuple[str, str]


def generate(rng: Rng, knobs: Knobs) -> Task[Data]:
    return _sample_task(rng, knobs, 0)


def shift(rng: Rng, knobs: Knobs) -> Task[Data]:
    return _sample_task(rng, knobs, max(1, knobs.groups - 1))


def solve(task: Task[Data]) -> tuple[int, ...]:
    # Group by group: for each total with the second way so far, the fewest that the first way needs.
    data = task.data
    best: dict[int, tuple[int, tuple[int, ...]]] = {0: (0, ())}
    for group in range(len(data.sizes)):
        after: dict[int, tuple[int, tuple[int, ...]]] = {}
        for total, (fewest, chosen) in best.items():
            for one, two in _choices(data, group):
                if total + two not in after or fewest + one < after[total + two][0]:
                    after[total + two] = (fewest + one, (*chosen, one, two))
        best = after
    first, second = _totals(data)
    total = min(best, key=lambda total: Fraction(best[total][0], first) - Fraction(total, second))
    return best[total][1]


def verify(task: Task[Data], answer: tuple[int, ...]) -> Score:
    data = task.data
    if len(answer) != len(data.given):
        return Score.wrong(f"expected {len(data.given)} counts")
    for group, (first, two) in enumerate(_pairs(answer)):
        if not _leads(data, group, first, two):
            return Score.wrong(f"the counts of group {group + 1} do not meet the conditions")
    return Score.exact(_lead(data, answer) < 0, "over all groups together the first share is not smaller")


def mistakes(task: Task[Data], right: tuple[int, ...]) -> list[tuple[int, ...]]:
    data = task.data
    swapped = tuple(count for first, two in _pairs(right) for count in (two, first))
    half = tuple(size // 2 for sizes in data.sizes for size in sizes)
    return [swapped, right[:-2], half, tuple(size - 1 for sizes in data.sizes for size in sizes), (right[0] + data.sizes[0][0], *right[1:])]


def cost(task: Task[Data]) -> float:
    data = task.data
    return sum(map(sum, data.sizes)) * (1 + data.margin) / 10 + 5 * len(data.sizes)


def derive(task: Task[Data]) -> Derivation:
    data, right = task.data, solve(task)
    for group, ((first, two), (size, second)) in enumerate(zip(_pairs(right), data.sizes, strict=True), 1):
        yield BETTER(group=group, one=first, size=size, two=two, other=second, lead=Fraction(first, size) - Fraction(two, second))
    size, second = _totals(data)
    yield TOTAL(one=sum(right[::2]), size=size, two=sum(right[1::2]), other=second, lead=_lead(data, right))
    yield LAST(answer=ANSWER.render(right))


def checks(task: Task[Data]) -> Checks:
    data = task.data
    counts: list[int] = []

    def is_better(group: int, one: int, size: int, two: int, other: int, lead: Fraction) -> bool:
        k = len(counts) // 2
        counts.extend((one, two))
        sizes = group == k + 1 and (size, other) == data.sizes[k]
        return sizes and lead == Fraction(one, size) - Fraction(two, other) and _leads(data, k, one, two)

    def is_total(one: int, size: int, two: int, other: int, lead: Fraction) -> bool:
        complete = len(counts) == len(data.given) and (size, other) == _totals(data)
        return complete and (one, two) == (sum(counts[::2]), sum(counts[1::2])) and lead == _lead(data, tuple(counts)) < 0

    return {BETTER: is_better, TOTAL: is_total, LAST: lambda answer: answer == ANSWER.render(tuple(counts))}


def _sample_task(rng: Rng, knobs: Knobs, given: int) -> Task[Data]:
    ways = rng.choice(WAYS)
    for _ in range(500):
        hard = [group % 2 == 0 for group in range(knobs.groups)]
        # Tables of different scale, so that the same numbers fit few of them.
        top = rng.integer(knobs.size // 2, knobs.size)
        large, small = (max(6, 2 * top // 3), max(7, top)), (max(4, top // 6), max(5, top // 2))
        sizes = tuple(
            (rng.integer(*(large if first else small)), rng.integer(*(small if first else large))) for first in rng.shuffled(hard)
        )
        data = Data(sizes=sizes, margin=knobs.margin, given=(-1,) * (2 * knobs.groups), names=ways[:2])
        counts = [rng.choice(choices) for group in range(knobs.groups) if (choices := _choices(data, group))]
        if len(counts) < knobs.groups:
            continue
        kept = [count for pair in counts for count in pair]
        places = rng.sample(range(2 * knobs.groups), given)
        data = data.model_copy(update={"given": tuple(count if k in places else -1 for k, count in enumerate(kept))})
        right = solve(Task("", data))
        if _lead(data, right) < 0:
            break
    first, second, things, good = ways
    numbers = [f"Group {k} has {one} {things} with {first} and {two} with {second}." for k, (one, two) in enumerate(data.sizes, 1)]
    opening = phrase(
        rng,
        OPENINGS,
        one=first,
        two=second,
        things=things,
        count=english.number_word(knobs.groups),
        sizes=" ".join(numbers),
        good=good,
        who=rng.choice(stories.PEOPLE),
    )
    margin = f" by at least {Fraction(knobs.margin, 100)} (the difference of the two shares)" if knobs.margin else ""
    any_margin = " (by any margin)" if knobs.margin else ""
    text = opening[0].upper() + opening[1:] + " " + phrase(rng, TASKS, one=first, two=second, good=good, margin=margin, any=any_margin)
    text += f" In each group, with {first} as well as with {second}, the number of {good} must be above 0 and below the number of {things}."
    for k, count in enumerate(data.given):
        if count >= 0:
            text += f" The number of {good} with {ways[k % 2]} in group {k // 2 + 1} must be {count}."
    text += " Any numbers that meet these conditions will do."
    return Task(text, data)


def _pairs(counts: Sequence[int]) -> list[tuple[int, int]]:
    return list(zip(counts[::2], counts[1::2], strict=True))


def _leads(data: Data, group: int, first: int, two: int) -> bool:
    """Whether these counts are allowed in a group and the first way leads there by enough."""
    (size, second), given = data.sizes[group], data.given[2 * group : 2 * group + 2]
    fits = 0 < first < size and 0 < two < second and all(must in (-1, count) for must, count in zip(given, (first, two), strict=True))
    return fits and first * second > two * size and 100 * (first * second - two * size) >= data.margin * size * second


def _choices(data: Data, group: int) -> list[tuple[int, int]]:
    """For each count with the second way, the smallest one with the first way that leads enough."""
    size, second = data.sizes[group]
    choices_found = []
    for two in range(1, second):
        first = max(two * size // second + 1, -(-(data.margin * second + 100 * two) * size // (100 * second)))
        first = max(first, data.given[2 * group])
        if _leads(data, group, first, two):
            choices_found.append((first, two))
    return choices_found


def _totals(data: Data) -> tuple[int, int]:
    """How many there are over all groups with each of the two ways."""
    return sum(size for size, _ in data.sizes), sum(other for _, other in data.sizes)


def _lead(data: Data, counts: Sequence[int]) -> Fraction:
    first, second = _totals(data)
    return Fraction(sum(counts[::2]), first) - Fraction(sum(counts[1::2]), second)


def _other_answers(task: Task[Data]) -> Iterator[tuple[int, ...]]:
    """Each group by itself: the pair that helps most is best, and a worse pair may do in one group."""
    data = task.data
    first, second = _totals(data)
    ranked = [
        sorted(_choices(data, g), key=lambda pair: Fraction(pair[0], first) - Fraction(pair[1], second)) for g in range(len(data.sizes))
    ]
    best = [pairs[0] for pairs in ranked]
    for group, pairs in enumerate(ranked):
        for pair in pairs[:3]:
            counts = tuple(count for chosen in (*best[:group], pair, *best[group + 1 :]) for count in chosen)
            if _lead(data, counts) < 0:
                yield counts


environment = Environment(
    Knobs, ANSWER, generate, solve, verify, mistakes, cost,
    solution=Solution(derive, LAST, checks), shift=shift, answers="many", solutions=_other_answers,
    concept="Pooled shares weigh groups by size: let the first way have most of its cases in the group with low shares.",
    version=5,
)  # fmt: skip
