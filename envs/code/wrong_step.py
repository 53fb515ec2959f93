"""Say which step of a description a program gets wrong, if it gets any wrong: code review."""

from rlgym import Environment, Rng, Score, Task, TaskData, knob
from rlgym.answers import Integer
from rlgym.generators.programs import pipelines, suites
from rlgym.generators.programs.step_chains import pipeline


class Knobs(pipelines.Knobs):
    steps: int = knob(8, easy=5, hard=14, doc="steps before the ending")
    kinds: int = knob(12, easy=8, hard=15, doc="how many kinds of steps there are to draw from, plain ones first")
    branches: int = knob(2, easy=0, hard=8, doc="steps that depend on the list so far, or take a number from it")
    sound: int = knob(10, easy=5, hard=10, doc="percent of programs without a fault")


class Data(TaskData):
    wrong: int  # the step's number from 1, or 0
    steps: int
    prints: str


def generate(rng: Rng, knobs: Knobs) -> Task[Data]:
    steps = pipeline(rng, knobs.steps, knobs.kinds, knobs.branches)
    codes = [step.other if rng.chance(0.5) else step.code for step in steps]
    place = 0
    if rng.integer(1, 100) > knobs.sound:
        inputs = pipelines.inputs(rng.child("inputs"), 60)
        able = [(i, code) for i, step in enumerate(steps) for code, meaning in step.near if suites.differs(step.meaning, meaning, inputs)]
        place, code = rng.choice(able)
        codes[place] = code
        place += 1
    functions = "\n\n".join(f"def step_{i}(values):\n{pipelines.inner(code)}" for i, code in enumerate(codes, 1))
    prompt = (
        f"A list of integers is to be processed in {len(steps)} steps, each applied to the result of the previous step:\n{pipelines.statement(steps)}\n\n"
        f"The steps were implemented in Python like this, to be called in this order:\n\n{functions}\n\nAt most one of these functions is wrong: for some "
        "list of integers, it does not do what its step says. Give the number of the wrong function, or 0 if all are correct."
    )
    return Task(prompt, Data(wrong=place, steps=len(steps), prints=functions))


def solve(task: Task[Data]) -> int:
    return task.data.wrong


def verify(task: Task[Data], answer: int) -> Score:
    return Score.exact(answer == task.data.wrong, "it is not that one")


def mistakes(task: Task[Data], right: int) -> list[int]:
    return [(right + 1) % (task.data.steps + 1), (right - 1) % (task.data.steps + 1), task.data.steps + 1]


def cost(task: Task[Data]) -> float:
    return float(len(task.data.prints))


environment = Environment(
    Knobs, Integer("the number of the wrong step, or 0"), generate, solve, verify, mistakes, cost,
    planted=True,
    guessable="there are only as many answers as steps; one of ten numbers is right at the middle level",
    version=5, concept="For each step think of the lists at its edges: empty, with equal values, with negative ones, of one value.",
)  # fmt: skip
