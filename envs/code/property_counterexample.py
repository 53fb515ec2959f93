"""Find a list for which a claimed property of a program does not hold, or say that it holds for all small lists.

Whether it holds is found out by trying all of them.
"""

from collections.abc import Callable, Sequence
from functools import reduce
from itertools import count, product

from rlgym import Environment, Limits, Rng, Score, Task, TaskData, knob
from rlgym.answers import Literal
from rlgym.answers.literal import value_of, written
from rlgym.generators.programs import pipelines
from rlgym.sandbox import Returned, Runner

NONE = "None"
WIDTH, LONGEST = 4, 4
LOWEST = -12, 12
INPUTS = 40  # on which every step of the program must be seen
PATIENCE = 250  # programs that are drawn before a guess may break the property
Change = Callable[[list[int]], list[int]]
CHANGES: dict[str, tuple[str, Change]] = {
    "reversed": ("reversing the list", lambda values: values[::-1]),
    "sorted": ("sorting the list, smallest first,", lambda values: sorted(values)),
    "zero": ("adding a 0 at the end of the list", lambda values: [*values, 0]),
    "front": ("adding a 0 at the front of the list", lambda values: [0, *values]),
    "twice": ("writing the list twice, one copy after the other,", lambda values: values * 2),
    "distinct": ("keeping only the first of equal values in the list", lambda values: list(dict.fromkeys(values))),
    "rotated": ("moving the first value of the list to its end", lambda values: values[1:] + values[:1]),
    "tail": ("removing the last value of the list", lambda values: values[:-1]),
}


class Knobs(pipelines.Knobs):
    steps: int = knob(3, easy=1, hard=7, doc="steps before the ending")
    rare: int = knob(15, easy=30, hard=5, doc="percent of the lists for which the property may not hold, at first")
    true: int = knob(10, easy=8, hard=12, doc="percent of properties that hold")


class Data(TaskData):
    program: str
    changes: tuple[str, ...]
    """The changes of the list, in the order in which they are made."""
    least: int
    known: tuple[str, ...]


def generate(rng: Rng, knobs: Knobs) -> Task[Data]:
    least = rng.integer(*LOWEST)
    lists, guesses = _lists(least), _guesses(least)
    holds = rng.integer(1, 100) <= knobs.true
    for attempt in count():
        # Short plain pipelines hardly ever break a property seldom, so more and more lists may break it.
        most = (knobs.rare + 2 * attempt) * len(lists) / 100
        drawn = pipelines.sample(rng, knobs, INPUTS)
        right = _memoize(drawn)
        # Some plain pipelines break a property for some guess whenever they break it.
        refused = guesses[: max(0, len(guesses) - max(0, attempt - PATIENCE) // 4)]
        for changes in rng.shuffled([(change,) for change in CHANGES]):
            if any(right(values) != right(_apply_changes(changes, values)) for values in refused):
                continue
            broken = _counterexamples(right, changes, lists, 0 if holds else most)
            if not broken if holds else 0 < len(broken) <= most:
                known = tuple(map(written, broken[:5])) or (NONE,)
                data = Data(program=drawn.reference, changes=changes, least=least, known=known)
                return Task(_render_prompt(data), data)
    raise AssertionError("attempts never end")


def _counterexamples(
    right: Callable[[list[int]], object], changes: Sequence[str], lists: Sequence[list[int]], most: float
) -> list[list[int]]:
    """The lists that break the property; the search ends as soon as there are more than `most`."""
    broken: list[list[int]] = []
    for values in lists:
        if right(values) != right(_apply_changes(changes, values)):
            broken.append(values)
            if len(broken) > most:
                break
    return broken


def _apply_changes(changes: Sequence[str], values: list[int]) -> list[int]:
    """The list after these changes, in order."""
    return reduce(lambda so_far, change: CHANGES[change][1](so_far), changes, values)


def _lists(least: int) -> list[list[int]]:
    """The lists that the claim is about."""
    return [list(values) for length in range(1, LONGEST + 1) for values in product(range(least, least + WIDTH), repeat=length)]


def _guesses(least: int) -> list[list[int]]:
    """Lists that one tries without reading the program: equal values, values that rise or fall by 1, and the two ends of the range."""
    values = list(range(least, least + WIDTH))
    low, high = values[0], values[-1]
    runs = [values[i : i + length] for length in range(2, LONGEST + 1) for i in (0, WIDTH - length)]
    equal = [[value] * length for length in range(1, LONGEST + 1) for value in (low, high)]
    ends = [[low, high], [high, low], [low, low, high], [high, high, low]]
    return [*equal, *runs, *(run[::-1] for run in runs), *ends]


def _memoize(drawn: pipelines.Drawn) -> Callable[[list[int]], object]:
    """What the program returns, computed once for each list."""
    returned: dict[tuple[int, ...], object] = {}

    def right(values: list[int]) -> object:
        key = tuple(values)
        if key not in returned:
            returned[key] = drawn.right(values)
        return returned[key]

    return right


def solve(task: Task[Data]) -> str:
    return task.data.known[0]


def verify(task: Task[Data], answer: str, runner: Runner) -> Score:
    if answer == NONE or task.data.known[0] == NONE:
        reason = "it does not always hold" if answer == NONE else "it holds for that list"
        return Score.exact(answer == task.data.known[0], reason)
    values = value_of(answer)
    if not pipelines.within(values) or values not in _lists(task.data.least):
        return Score.wrong("that is none of the lists that the claim is about")
    outputs = runner.run(task.data.program, [(values,), (_apply_changes(task.data.changes, values),)]).outputs
    broken = (
        len(outputs) == 2
        and all(isinstance(output, Returned) for output in outputs)
        and written(outputs[0].value) != written(outputs[1].value)
    )
    return Score.exact(broken, "it holds for that list")


def mistakes(task: Task[Data], right: str) -> list[str]:
    others = ["[]", written([task.data.least - 1]), written([task.data.least] * (LONGEST + 1))]
    return [*others, NONE, *map(written, _guesses(task.data.least))] if right != NONE else [*others, written([task.data.least])]


def cost(task: Task[Data]) -> float:
    return float(len(task.data.program))


def _render_prompt(data: Data) -> str:
    said = " and then ".join(CHANGES[change][0] for change in data.changes)
    return (
        f"Consider this claim about the Python program below: {said} never changes what solve returns.\n\n{data.program}\n\n"
        f"Is the claim true for all lists of 1 to {LONGEST} integers from {data.least} to {data.least + WIDTH - 1}? If not, give one of these lists "
        f"for which {said} changes the returned value. If it is true, give None."
    )


environment = Environment(
    Knobs, Literal("a Python list of integers, or None"), generate, solve, verify, mistakes, cost,
    planted=True, version=7, answers="many", solutions=lambda task: task.data.known,
    guessable="about one property in ten holds, so that None is right for those",
    concept="Which step depends on order, on length or on repeated values? Make a short list for which that is still seen in the end.",
    sandbox=Limits(seconds=1, memory_mb=128),
)  # fmt: skip
