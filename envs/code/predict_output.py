"""Say what a program returns for an input: deduction, step by step."""

from collections.abc import Callable

from rlgym import Environment, Rng, Score, Task, TaskData, knob
from rlgym.answers import Literal
from rlgym.generators.programs import pipelines
from rlgym.solutions import Derivation, Solution, Step

EXECUTED = Step("Step {count:int}: {words}. The result is {state}")
END = "So the program returns {answer}"


class Knobs(pipelines.Knobs):
    steps: int = knob(4, easy=1, hard=9, doc="steps before the ending")
    length: int = knob(8, easy=4, hard=20, doc="values in the input")


class Data(TaskData):
    program: str
    words: tuple[str, ...]
    states: tuple[str, ...]  # the input, and what each step makes of it
    wrong: tuple[str, ...]


def generate(rng: Rng, knobs: Knobs) -> Task[Data]:
    return _sample_task(rng, knobs, lambda _, codes: pipelines.program(codes))


def _sample_task(rng: Rng, knobs: Knobs, write: Callable[[Rng, list[str]], str]) -> Task[Data]:
    while True:
        drawn = pipelines.sample(rng, knobs)
        values = [rng.integer(-9, 20) for _ in range(knobs.length)]
        states: list[object] = [values]
        for step in drawn.steps:
            states.append(step.meaning(states[-1]))
        wrong = dict.fromkeys(repr(meaning(values)) for _, meaning in drawn.misread)
        wrong.pop(repr(states[-1]), None)
        # Most of the steps change something, and a slip is seen in the end.
        if len({repr(state) for state in states}) > 0.6 * len(states) and wrong:
            break
    program = write(rng, [step.code for step in drawn.steps])
    prompt = f"What does this Python program return for solve({values})?\n\n{program}"
    words = tuple(step.words for step in drawn.steps)
    return Task(prompt, Data(program=program, words=words, states=tuple(map(repr, states)), wrong=tuple(wrong)[:6]))


def shift(rng: Rng, knobs: Knobs) -> Task[Data]:
    """A function for each step, defined in any order and composed in one expression."""
    return _sample_task(rng, knobs, pipelines.composed)


def solve(task: Task[Data]) -> str:
    return task.data.states[-1]


def verify(task: Task[Data], answer: str) -> Score:
    return Score.exact(answer == task.data.states[-1], "the program returns another value")


def mistakes(task: Task[Data], right: str) -> list[str]:
    return [*task.data.wrong, task.data.states[0]]


def cost(task: Task[Data]) -> float:
    return float(sum(map(len, task.data.states))) + len(task.data.program)


def derive(task: Task[Data]) -> Derivation:
    for count, (words, state) in enumerate(zip(task.data.words, task.data.states[1:]), 1):
        yield EXECUTED(count=count, words=words, state=state)


environment = Environment(
    Knobs, Literal("the value returned, as Python's repr would write it"), generate, solve, verify, mistakes, cost, solution=Solution(derive, END), shift=shift,
    planted=True, version=4,
    concept="Keep the value of `values` after each statement, and use nothing but that in the next.",
)  # fmt: skip
