"""Say what some variables hold when a line of a program has been executed for the k-th time: deduction in the midst of a run.

Every task has a program of its own: of a hundred thousand that are drawn alike, no two were the same with numbers left aside.
"""

from collections.abc import Sequence
from itertools import pairwise
from typing import Any

from rlgym import Config, Environment, Rng, Score, Task, TaskData, knob
from rlgym.answers import Literal
from rlgym.answers.literal import value_of, written
from rlgym.generators.programs import drawing
from rlgym.generators.programs.grammar import KINDS
from rlgym.generators.programs.grammar_expressions import Shape
from rlgym.generators.text.english import ordinal
from rlgym.solutions import Derivation, Solution, Step

AFTER = Step("After line {line:int} the variables are: {values}")
REACHED = Step("Line {line:int} has now been executed as often as the question says, number of times: {times:int}")
END = "So the values asked for are {answer}"


class Knobs(Config):
    blocks: int = knob(3, easy=2, hard=6, doc="parts that the program is put together from")
    kinds: int = knob(8, easy=3, hard=KINDS, doc="kinds of parts, plain ones first")
    nesting: int = knob(1, easy=0, hard=3, doc="how deep branches and loops may stand in each other")
    helpers: int = knob(1, easy=0, hard=3, doc="other functions that it calls, the third one recursive")
    variables: int = knob(2, easy=2, hard=3, doc="variables in the question")
    steps: int = knob(30, easy=12, hard=150, doc="least lines that are done until then", scale="log")


class Data(TaskData):
    call: str
    line: int
    times: int
    names: tuple[str, ...]
    wanted: str
    passed: tuple[str, ...]  # after each line that was done until then
    others: tuple[str, ...]


def generate(rng: Rng, knobs: Knobs) -> Task[Data]:
    return _sample_task(rng, knobs, rng.choice(("list", "both")))


def _sample_task(rng: Rng, knobs: Knobs, takes: str) -> Task[Data]:
    shape = Shape(takes, knobs.blocks, knobs.kinds, knobs.nesting, knobs.helpers)
    drawn, place = drawing.find(lambda: _sample(rng, shape, knobs.steps, knobs.variables), enough=knobs.steps)
    arguments = drawn.inputs[0]
    history = drawing.history(drawn.program, arguments)
    line, names = history[place]
    name = drawing.targets(drawn.program.source)[line]
    # Beside the variable that the line changes those that change most often.
    distinct_values = {other: len({written(names[other]) for _, names in history if other in names}) for other in names if other != name}
    variables = rng.shuffled([name, *sorted(distinct_values, key=lambda other: -distinct_values[other])[: knobs.variables - 1]])
    values = [_values(names, variables) for done, names in history if done == line]
    times = sum(done == line for done, _ in history[: place + 1])
    prompt = (
        f"{drawing.number_lines(drawn.program.source)}\n\nThis Python program is run as {drawing.call(arguments)}. "
        f"What are the values of the variables {', '.join(variables)} right after line {line} has been executed for the {ordinal(times)} time?"
    )
    passed = tuple(
        f"line {done}: {', '.join(f'{key} = {written(item)}' for key, item in names.items())}" for done, names in history[: place + 1]
    )
    data = Data(
        call=drawing.call(arguments),
        line=line,
        times=times,
        names=tuple(variables),
        wanted=_values(names, variables),
        passed=passed,
        others=tuple(dict.fromkeys(values)),
    )
    return Task(prompt, data)


def _values(names: dict[str, Any], variables: Sequence[str]) -> str:
    return written(tuple(names.get(name) for name in variables))


def _sample(rng: Rng, shape: Shape, steps: int, count: int) -> tuple[float, tuple[drawing.Lively, int]] | None:
    """A program, and a place in its run: late, at a line where it matters which time it is and counting alone does not do."""
    drawn = drawing.lively(rng, shape, longest=4 + 2 * shape.blocks, most_steps=steps * 6 + 80 * shape.blocks, inputs=3)
    history = drawing.history(drawn.program, drawn.inputs[0])
    targets = drawing.targets(drawn.program.source)
    values_at: dict[int, list[Any]] = {line: [] for line in targets}
    for line, names in history:
        if line in values_at:
            values_at[line].append(names[targets[line]])
    places = [
        i for i, (line, names) in enumerate(history) if line in values_at and _is_informative(values_at[line]) and len(names) >= count
    ]
    if not places:
        return None
    place = rng.choice([i for i in places if i + 1 >= steps] or places[-3:])
    return min(place + 1, steps), (drawn, place)


def shift(rng: Rng, knobs: Knobs) -> Task[Data]:
    """Programs that take two integers instead of a list, so that loops run over numbers computed from them."""
    return _sample_task(rng, knobs, "numbers")


def solve(task: Task[Data]) -> str:
    return task.data.wanted


def verify(task: Task[Data], answer: str) -> Score:
    return Score.exact(answer == task.data.wanted, "the variables hold other values then")


def mistakes(task: Task[Data], right: str) -> list[str]:
    values = value_of(right)
    return [*task.data.others[:6], "None", f"[{right}]", written(values[::-1]), written(values[:-1]), written(list(values))]


def cost(task: Task[Data]) -> float:
    return float(len(task.data.passed))


def derive(task: Task[Data]) -> Derivation:
    """The run, line by line."""
    for passed in task.data.passed:
        line, _, values = passed.removeprefix("line ").partition(": ")
        yield AFTER(line=line, values=values or "none yet")
    yield REACHED(line=task.data.line, times=task.data.times)


def _is_informative(values: Sequence[Any]) -> bool:
    """Whether more than counting on by a fixed number is needed to follow these values, and most of them differ."""
    if len(values) == 1:
        return True
    steady = all(type(value) is int for value in values) and len({b - a for a, b in pairwise(values)}) == 1
    return not steady and len(set(map(written, values))) > len(values) // 2


environment = Environment(
    Knobs, Literal("a tuple of the values in the order of the variables, as Python's repr would write it, like (3, [1, 2])"),
    generate, solve, verify, mistakes, cost, solution=Solution(derive, END), shift=shift,
    planted=True,
    concept="Write down the variables after every line that is done, and count how often the line in question has come.",
    version=2,
)  # fmt: skip
