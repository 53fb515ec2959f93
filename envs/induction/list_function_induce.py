"""Find the rule that made some lists out of others, a chain of operations out of a given list of them, and apply it to a new one."""

from rlgym import Config, Environment, Rng, Score, Task, TaskData, knob
from rlgym.answers import Numbers
from rlgym.generators.rules import chains
from rlgym.generators.rules.lists import BY_PLACE, BY_VALUE, NOTES, Values, render_list

FAMILY = chains.Family({"place": BY_PLACE, "value": BY_VALUE}, render_list, "lists of numbers", NOTES)
ANSWER = Numbers("the numbers of the output in order, separated by commas", max_items=200)
CONCEPT = "What the lengths, ends and sizes of the outputs have in common tells which operations can be there; try chains on all examples."


class Knobs(Config):
    operations: int = knob(10, easy=6, hard=22, doc="how many operations the list holds")
    depth: int = knob(2, easy=2, hard=3, doc="how many of them make the rule")
    repeats: int = knob(1, easy=1, hard=3, doc="at depth 3: how often the rule was applied to make the outputs of the examples")
    examples: int = knob(3, easy=4, hard=2, doc="examples at least")
    length: int = knob(6, easy=5, hard=9, doc="longest list given")


class Data(TaskData):
    table: str
    numbers: tuple[int, ...]  # which operations of the table, in the order of the prompt
    depth: int
    examples: tuple[tuple[Values, Values], ...]
    new: Values
    right: Values
    times: int  # how often the rule was applied to make the output of an example


def generate(rng: Rng, knobs: Knobs) -> Task[Data]:
    """Operations that go by the places of numbers."""
    return _sample_task(rng, knobs, "place")


def shift(rng: Rng, knobs: Knobs) -> Task[Data]:
    """Operations that go by the values of numbers."""
    return _sample_task(rng, knobs, "value")


def _sample_task(rng: Rng, knobs: Knobs, table: str) -> Task[Data]:
    def draw() -> Values:
        return tuple(rng.integer(0, 12) for _ in range(rng.integer(max(4, knobs.length - 3), knobs.length)))

    times = knobs.repeats if knobs.depth == 3 else 1
    size = (knobs.operations, knobs.depth, knobs.examples)
    while True:
        prompt, fields = FAMILY.sample(rng, table, *size, draw, lambda values: 2 <= len(values) <= 40, times)
        if fields["right"] not in _guesses(fields["new"]):
            return Task(prompt, Data(**fields, times=times))


def _guesses(new: Values) -> set[Values]:
    """The new input sorted and without duplicates: what one would answer without reading the examples."""
    distinct = tuple(dict.fromkeys(new))
    return {distinct, *(tuple(sorted(values, reverse=reverse)) for values in (new, distinct) for reverse in (False, True))}


def solve(task: Task[Data]) -> Values:
    return FAMILY.solve(task.data)


def verify(task: Task[Data], answer: Values) -> Score:
    return Score.exact(answer == task.data.right, "rules that fit the examples make another list")


def mistakes(task: Task[Data], right: Values) -> list[Values]:
    return [task.data.new, right[::-1], right[:-1], (*right, right[0]), (right[0] + 1, *right[1:]), task.data.examples[0][1]]


def cost(task: Task[Data]) -> float:
    return float(task.data.times**2 * len(task.data.numbers) ** task.data.depth)


environment = Environment(
    Knobs, ANSWER, generate, solve, verify, mistakes, cost, solution=FAMILY.solution(), shift=shift, concept=CONCEPT, version=5
)
