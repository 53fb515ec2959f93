"""Fill the holes of a program so that it does what its description says; the rest must stay, and hidden tests decide.

The descriptions are pipelines of steps: 4 kinds of steps in order and an ending make more than 425,000 of them, numbers and holes aside.
"""

import math

from rlgym import Audit, Environment, Limits, Rng, Score, Task, TaskData, knob
from rlgym.answers import Code
from rlgym.generators.programs import holes, pipelines, suites
from rlgym.sandbox import Runner
from rlgym.sandbox.grading import score_program


class Knobs(pipelines.Knobs):
    steps: int = knob(4, easy=2, hard=8, doc="steps before the ending")
    holes: int = knob(2, easy=1, hard=4, doc="expressions that are cut out")
    nodes: int = knob(3, easy=1, hard=6, doc="least number of expressions, one in the other, in one that is cut out")


class Data(TaskData):
    template: str
    reference: str
    other: str  # right, but with more changed than the holes
    wrong: tuple[str, ...]
    tests: tuple[suites.Test, ...]


def generate(rng: Rng, knobs: Knobs) -> Task[Data]:
    while True:
        drawn = pipelines.sample(rng, knobs)
        codes = [step.code if rng.chance(0.6) else step.other for step in drawn.steps]
        reference = pipelines.program(codes)
        template = holes.cut(rng, reference, knobs.holes, knobs.nodes)
        if template:
            break
    names = [f"{holes.HOLE}{i}" for i in range(1, knobs.holes + 1)]
    prompt = (
        f"This Python function takes {pipelines.RANGE}. It should perform these steps in order, each on the result of the previous step:\n"
        f"{pipelines.statement(drawn.steps)}\n\nIn the program, {'an expression was' if len(names) == 1 else f'{len(names)} expressions were'} "
        f"replaced by {', '.join(names)}:\n\n{template}\n\nGive the whole program with an expression in the place of each "
        "hole. Nothing else may be changed except comments and layout. Hidden tests call solve."
    )
    data = Data(
        template=template,
        reference=reference,
        other=drawn.other if drawn.other != reference else drawn.reference,
        wrong=tuple(text for text, _ in drawn.misread if not holes.misfit(template, text)),
        tests=tuple(
            dict.fromkeys(
                [*drawn.tests(), *suites.choose_tests(drawn.right, holes.slips(template, reference), drawn.inputs[:100], least=0)]
            )
        ),
    )
    return Task(prompt, data)


def solve(task: Task[Data]) -> str:
    return task.data.reference


def solutions(task: Task[Data]) -> list[str]:
    fillers = holes.cut_out(task.data.template, task.data.reference)
    return [task.data.reference, holes.fill(task.data.template, {name: f"[{text}][0]" for name, text in fillers.items()})]


def verify(task: Task[Data], answer: str, runner: Runner) -> Score:
    try:
        refused = holes.misfit(task.data.template, answer)
    except (SyntaxError, ValueError, RecursionError, MemoryError) as error:
        return Score.wrong(f"that is no Python program: {type(error).__name__}")
    return Score.wrong(refused) if refused else score_program(runner, answer, task.data.tests)


def mistakes(task: Task[Data], right: str) -> list[str]:
    return [task.data.template, holes.fill(task.data.template, {}, "0"), task.data.other, *task.data.wrong[:3]]


def cost(task: Task[Data]) -> float:
    cut_away = sum(map(len, holes.cut_out(task.data.template, task.data.reference).values()))
    return cut_away * math.sqrt(len(task.data.reference))


def audit(task: Task[Data], runner: Runner) -> Audit:
    inputs = pipelines.inputs(Rng("audit", task.data.reference), 150)
    bank = [*task.data.wrong, *holes.mutate(task.data.template, task.data.reference)]
    return suites.audited(runner, task.data.reference, inputs, bank=bank, equal=solutions(task), most=0)


environment = Environment(
    Knobs, Code("the whole Python program, with every hole filled"), generate, solve, verify, mistakes, cost,
    planted=True, version=5, answers="many", solutions=solutions,
    concept="Say what each line of the program does, and which step of the description is not done by any of them yet.",
    sandbox=Limits(seconds=1, memory_mb=128), audit=audit,
)  # fmt: skip
