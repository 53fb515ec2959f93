"""Fill in a table so that it shows Simpson's paradox: one of two ways is better in every group and yet worse over all.

The sizes of the groups are given, and any successes that do it are accepted. In the shifted family some of the successes stand there
already.
"""

from collections.abc import Iterator, Sequence
from fractions import Fraction

from rlgym import Config, Environment, Rng, Score, Task, TaskData, knob
from rlgym.answers import Numbers
from rlgym.generators import stories
from rlgym.generators.steps import Line, ended, first_wrong
from rlgym.generators.stories import told

BETTER = Line("Group {group}: {one} of {size} against {two} of {other} is a lead of {lead}")
TOTAL = Line("Together: {one} of {size} against {two} of {other} is a lead of {lead}, which is below 0")
LAST = "The counts are "
WAYS = (
    ("treatment A", "treatment B", "patients were cured"),
    ("teacher A", "teacher B", "pupils passed"),
    ("courier A", "courier B", "parcels were on time"),
    ("method A", "method B", "seeds sprouted"),
    ("server A", "server B", "requests were answered"),
    ("player A", "player B", "shots were scored"),
)
OPENINGS = (
    "{one} and {two} are compared in {count} groups, for each of which it is counted how many {good}. {sizes}",
    "A study sets {one} against {two} in {count} groups and counts how many {good}. {sizes}",
    "For each of {count} groups it was written down how many {good} with {one} and with {two}. {sizes}",
    "{who} has the sizes of {count} groups for {one} and for {two}, but not how many {good}. {sizes}",
)
TASKS = (
    (
        "Choose the counts of those of which it holds that {good}: in each group the share with {one} must be larger than with "
        "{two}{margin}, but over all groups together it must be smaller."
    ),
    (
        "Find counts (how many {good}) that give {one} the larger share in each single group{margin}, and {two} the larger share over "
        "all groups together."
    ),
    (
        "Give counts that make {one} better than {two} in each group by the share of those that count ({good}){margin}, and {two} "
        "better than {one} when the groups are put together."
    ),
    (
        "Say how many {good} in each case, such that the share is higher with {one} in every group{margin}, yet higher with {two} "
        "when all groups are put together."
    ),
)


class Knobs(Config):
    groups: int = knob(3, easy=2, hard=6, doc="how many groups there are")
    size: int = knob(25, easy=12, hard=60, doc="largest number in a group")
    margin: int = knob(2, easy=0, hard=6, doc="by how many hundredths the shares have to differ in each group")


class Data(TaskData):
    sizes: tuple[tuple[int, int], ...]
    margin: int
    given: tuple[int, ...]  # the number that stands there, row by row; -1 where it is asked for
    names: tuple[str, str]


def generate(rng: Rng, knobs: Knobs) -> Task[Data]:
    return _made(rng, knobs, 0)


def shift(rng: Rng, knobs: Knobs) -> Task[Data]:
    return _made(rng, knobs, max(1, knobs.groups - 1))


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
    first, second = (sum(sizes) for sizes in zip(*data.sizes, strict=True))
    total = min(best, key=lambda total: Fraction(best[total][0], first) - Fraction(total, second))
    return best[total][1]


def verify(task: Task[Data], answer: tuple[int, ...]) -> Score:
    data = task.data
    if len(answer) != len(data.given):
        return Score.wrong(f"{len(data.given)} counts are asked for")
    for group, (one, two) in enumerate(_pairs(answer)):
        if not _leads(data, group, one, two):
            return Score.wrong(f"in group {group + 1} the counts do not do what is asked for")
    return Score.exact(_lead(data, answer) < 0, "over all groups together the first share is not smaller")


def mistakes(task: Task[Data], right: tuple[int, ...]) -> list[tuple[int, ...]]:
    data = task.data
    swapped = tuple(count for one, two in _pairs(right) for count in (two, one))
    half = tuple(size // 2 for sizes in data.sizes for size in sizes)
    return [swapped, right[:-2], half, tuple(size - 1 for sizes in data.sizes for size in sizes), (right[0] + data.sizes[0][0], *right[1:])]


def cost(task: Task[Data]) -> float:
    data = task.data
    return sum(map(sum, data.sizes)) * (1 + data.margin) / 10 + 5 * len(data.sizes)


def explain(task: Task[Data]) -> list[str]:
    data, right = task.data, solve(task)
    steps = []
    for group, ((one, two), (size, other)) in enumerate(zip(_pairs(right), data.sizes, strict=True), 1):
        steps.append(BETTER.write(group=group, one=one, size=size, two=two, other=other, lead=Fraction(one, size) - Fraction(two, other)))
    totals = [sum(counts) for counts in (right[::2], right[1::2])]
    size, other = (sum(sizes) for sizes in zip(*data.sizes, strict=True))
    steps.append(TOTAL.write(one=totals[0], size=size, two=totals[1], other=other, lead=_lead(data, right)))
    return [*steps, LAST + _ANSWER.render(right)]


def replay(task: Task[Data], steps: Sequence[str]) -> int | None:
    data = task.data
    found: list[int] = []
    end = ended(LAST, task, _ANSWER, verify)

    def follows(step: str) -> bool:
        if got := BETTER.read(step):
            one, two = int(got["one"]), int(got["two"])
            group = len(found) // 2
            found.extend((one, two))
            sizes = (int(got["size"]), int(got["other"]))
            lead = Fraction(one, sizes[0]) - Fraction(two, sizes[1])
            return (
                int(got["group"]) == group + 1
                and sizes == data.sizes[group]
                and Fraction(got["lead"]) == lead
                and _leads(data, group, one, two)
            )
        total = TOTAL.read(step)
        if not total or len(found) != len(data.given):
            return False
        told = tuple(int(total[gap]) for gap in ("one", "size", "two", "other"))
        size, other = (sum(sizes) for sizes in zip(*data.sizes, strict=True))
        return told == (sum(found[::2]), size, sum(found[1::2]), other) and Fraction(total["lead"]) == _lead(data, tuple(found)) < 0

    return first_wrong(steps, follows, lambda step: end(step) and step == LAST + _ANSWER.render(tuple(found)))


def _made(rng: Rng, knobs: Knobs, given: int) -> Task[Data]:
    ways = rng.choice(WAYS)
    for _ in range(500):
        hard = [group % 2 == 0 for group in range(knobs.groups)]
        large, small = (max(6, 2 * knobs.size // 3), knobs.size), (max(4, knobs.size // 6), max(5, knobs.size // 2))
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
    numbers = [f"In group {k}, there are {one} with {ways[0]} and {two} with {ways[1]}." for k, (one, two) in enumerate(data.sizes, 1)]
    opening = told(
        rng,
        OPENINGS,
        one=ways[0],
        two=ways[1],
        count=stories.spelled(knobs.groups),
        sizes=" ".join(numbers),
        good=ways[2],
        who=rng.choice(stories.PEOPLE),
    )
    margin = f" by at least {Fraction(knobs.margin, 100)}" if knobs.margin else ""
    text = opening[0].upper() + opening[1:] + " " + told(rng, TASKS, one=ways[0], two=ways[1], good=ways[2], margin=margin)
    text += " No count may be 0 or the whole number."
    for k, count in enumerate(data.given):
        if count >= 0:
            text += f" The count for {ways[k % 2]} in group {k // 2 + 1} has to be {count}."
    return Task(text, data)


def _pairs(counts: Sequence[int]) -> list[tuple[int, int]]:
    return list(zip(counts[::2], counts[1::2], strict=True))


def _leads(data: Data, group: int, one: int, two: int) -> bool:
    """Whether these counts are allowed in a group and the first way leads there by enough."""
    (size, other), given = data.sizes[group], data.given[2 * group : 2 * group + 2]
    fits = 0 < one < size and 0 < two < other and all(must in (-1, count) for must, count in zip(given, (one, two), strict=True))
    return fits and one * other > two * size and 100 * (one * other - two * size) >= data.margin * size * other


def _choices(data: Data, group: int) -> list[tuple[int, int]]:
    """For each count with the second way, the smallest one with the first way that leads enough."""
    size, other = data.sizes[group]
    found = []
    for two in range(1, other):
        one = max(two * size // other + 1, -(-(data.margin * other + 100 * two) * size // (100 * other)))
        one = max(one, data.given[2 * group])
        if _leads(data, group, one, two):
            found.append((one, two))
    return found


def _lead(data: Data, counts: Sequence[int]) -> Fraction:
    first, second = (sum(sizes) for sizes in zip(*data.sizes, strict=True))
    return Fraction(sum(counts[::2]), first) - Fraction(sum(counts[1::2]), second)


def _others(task: Task[Data]) -> Iterator[tuple[int, ...]]:
    """Each group by itself: the pair that helps most is best, and a worse pair may do in one group."""
    data = task.data
    first, second = (sum(sizes) for sizes in zip(*data.sizes, strict=True))
    ranked = [
        sorted(_choices(data, g), key=lambda pair: Fraction(pair[0], first) - Fraction(pair[1], second)) for g in range(len(data.sizes))
    ]
    best = [pairs[0] for pairs in ranked]
    for group, pairs in enumerate(ranked):
        for pair in pairs[:3]:
            counts = tuple(count for chosen in (*best[:group], pair, *best[group + 1 :]) for count in chosen)
            if _lead(data, counts) < 0:
                yield counts


_ANSWER = Numbers(
    "the counts in this order: group 1 with A, group 1 with B, group 2 with A, group 2 with B, and so on, separated by commas", most=20
)

environment = Environment(
    Knobs,
    _ANSWER,
    generate,
    solve,
    verify,
    mistakes,
    cost,
    explain,
    answers="many",
    solutions=_others,
    replay=replay,
    shift=shift,
    concept="Pooled shares weigh groups by size: let the first way have most of its cases in the group with low shares.",
)
