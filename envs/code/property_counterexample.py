"""Find a list for which a claimed property of a program does not hold, or say that it holds for all small lists.

Whether it holds is found out by trying all of them.
"""

from collections.abc import Callable
from itertools import count, product

from rlgym import Environment, Limits, Rng, Score, Task, TaskData, knob
from rlgym.answers import Literal
from rlgym.answers.literal import value_of, written
from rlgym.generators.programs import pipelines
from rlgym.sandbox import Returned, Runner

NONE = "None"
LARGEST, LONGEST = 3, 4
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
    rare: int = knob(15, easy=30, hard=5, doc="most percent of the lists for which the property does not hold")
    true: int = knob(10, easy=8, hard=12, doc="percent of properties that hold")


class Data(TaskData):
    program: str
    change: str
    known: tuple[str, ...]


def generate(rng: Rng, knobs: Knobs) -> Task[Data]:
    small = [list(values) for length in range(1, LONGEST + 1) for values in product(range(LARGEST + 1), repeat=length)]
    holds = rng.integer(1, 100) <= knobs.true
    for attempt in count():
        # Short plain pipelines hardly ever break a property seldom, so more and more lists may break it.
        share = knobs.rare + attempt // 40
        drawn = pipelines.sample(rng, knobs)
        returned = {tuple(values): drawn.right(values) for values in small}
        for change in rng.shuffled(tuple(CHANGES)):
            altered = CHANGES[change][1]
            broken = [values for values in small if returned[tuple(values)] != _after(drawn, returned, altered(values))]
            if (holds and not broken) or (not holds and 0 < len(broken) <= share * len(small) / 100):
                known = tuple(map(written, broken[:5])) or (NONE,)
                return Task(_render_prompt(drawn.reference, change), Data(program=drawn.reference, change=change, known=known))
    raise AssertionError("attempts never end")


def _after(drawn: pipelines.Drawn, returned: dict[tuple[int, ...], object], values: list[int]) -> object:
    return returned[tuple(values)] if tuple(values) in returned else drawn.right(values)


def solve(task: Task[Data]) -> str:
    return task.data.known[0]


def verify(task: Task[Data], answer: str, runner: Runner) -> Score:
    if answer == NONE or task.data.known[0] == NONE:
        reason = "it does not always hold" if answer == NONE else "it holds for that list"
        return Score.exact(answer == task.data.known[0], reason)
    values = value_of(answer)
    if not pipelines.within(values) or not 1 <= len(values) <= LONGEST or not all(0 <= value <= LARGEST for value in values):
        return Score.wrong("that is none of the lists that are asked about")
    outputs = runner.run(task.data.program, [(values,), (CHANGES[task.data.change][1](values),)]).outputs
    broken = (
        len(outputs) == 2
        and all(isinstance(output, Returned) for output in outputs)
        and written(outputs[0].value) != written(outputs[1].value)
    )
    return Score.exact(broken, "it holds for that list")


def mistakes(task: Task[Data], right: str) -> list[str]:
    return [NONE, "[]", "[1, 2, 3, 4, 5]", "[-1]", "0"] if right != NONE else ["[]", "[1, 2]", "[3, 3]"]


def cost(task: Task[Data]) -> float:
    return float(len(task.data.program))


def _render_prompt(program: str, change: str) -> str:
    return (
        f"Consider the claim about this Python program that {CHANGES[change][0]} never changes what solve returns:\n\n{program}\n\n"
        f"Is that true for all lists of 1 to {LONGEST} integers from 0 to {LARGEST}? Give one such list for which solve then returns a "
        "different value, or None if there is none."
    )


environment = Environment(
    Knobs, Literal("a list of integers like [1, 2, 3], or None"), generate, solve, verify, mistakes, cost,
    planted=True, version=3, answers="many", solutions=lambda task: task.data.known,
    guessable="about one property in ten holds, so that None is right for those",
    concept="Which step depends on order, on length or on repeated values? Make a short list for which that is still seen in the end.",
    sandbox=Limits(seconds=1, memory_mb=128),
)  # fmt: skip
