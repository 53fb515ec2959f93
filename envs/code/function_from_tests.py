"""Write a Python function that does what a numbered description says; hidden tests decide.

Descriptions are put together from 15 steps on a list of integers, 13 endings, conditions, branches and remembered numbers; leaving
their numbers aside, five steps and an ending alone make 4,684,680 different ones.
"""

from rlgym import Audit, Config, Environment, Limits, Rng, Score, Task, TaskData, knob
from rlgym.answers import Code
from rlgym.generators.programs import pipelines, suites
from rlgym.sandbox import Runner
from rlgym.sandbox.grading import score_program

SHOWN = 3


class Knobs(Config):
    steps: int = knob(3, easy=1, hard=7, doc="steps before the ending")
    kinds: int = knob(10, easy=5, hard=15, doc="how many kinds of steps there are to draw from, plain ones first")
    branches: int = knob(1, easy=0, hard=4, doc="steps that depend on the list so far, or take a number from it")


class Data(TaskData):
    reference: str
    other: str
    wrong: tuple[str, ...]
    tests: tuple[tuple[str, str], ...]


def generate(rng: Rng, knobs: Knobs) -> Task[Data]:
    inputs = pipelines.inputs(rng.child("inputs"), 300)
    few = inputs[:60]
    steps = pipelines.sample_identifiable_pipeline(rng, knobs.steps, knobs.kinds, knobs.branches, few)
    right = pipelines.meant([step.meaning for step in steps])
    wrong = pipelines.misread(steps)
    shown = [(repr(arguments), repr(right(*arguments))) for arguments in rng.sample(few[10:], SHOWN)]
    others = [*(meaning for _, meaning in wrong), *pipelines.renumbered_meanings(steps)]
    tests = [*shown, *suites.choose_tests(right, others, inputs, least=30, most=80, twice=3)]
    examples = "\n".join(f"solve{arguments.replace(',)', ')')} returns {value}" for arguments, value in shown)
    prompt = (
        f"Write a Python function solve(values) that takes a list of at most {pipelines.LONGEST} integers from {pipelines.LEAST} to {pipelines.MOST} "
        f"and performs these steps in order, each on the result of the previous step:\n{pipelines.statement(steps)}\n\n"
        f"For example:\n{examples}\n\nOther lists are tested too. The function may use Python's standard library."
    )
    programs = [pipelines.program([step.code for step in steps]), pipelines.program([step.other for step in steps])]
    return Task(prompt, Data(reference=programs[0], other=programs[1], wrong=tuple(text for text, _ in wrong), tests=tuple(tests)))


def solve(task: Task[Data]) -> str:
    # The tests are computed from the meaning of the steps; the second program is an independent route to them.
    return task.data.other


def verify(task: Task[Data], answer: str, runner: Runner) -> Score:
    return score_program(runner, answer, task.data.tests, shown=SHOWN)


def mistakes(task: Task[Data], right: str) -> list[str]:
    learnt = suites.learnt(task.data.tests[:SHOWN])
    return [learnt, f"def solve(values):\n    return {task.data.tests[0][1]}", *task.data.wrong[:2]]


def cost(task: Task[Data]) -> float:
    return float(len(task.data.reference))


def audit(task: Task[Data], runner: Runner) -> Audit:
    inputs = pipelines.inputs(Rng("audit", task.data.reference), 150)
    return suites.audited(runner, task.data.reference, inputs, bank=task.data.wrong, equal=[task.data.other])


environment = Environment(
    Knobs, Code("a Python program that defines solve(values)"), generate, solve, verify, mistakes, cost,
    planted=True, version=5, answers="many", solutions=lambda task: [task.data.reference, task.data.other],
    concept="Write one statement or loop for each step, in the order given, and look at what an empty list does to it.",
    sandbox=Limits(seconds=1, memory_mb=128), audit=audit,
)  # fmt: skip
