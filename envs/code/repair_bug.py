"""Repair a function that does not do what its description says; hidden tests decide, and any right program is accepted."""

from collections.abc import Callable

from rlgym import Audit, Environment, Limits, Rng, Score, Task, TaskData, knob
from rlgym.answers import Code
from rlgym.generators.programs import pipelines, suites
from rlgym.sandbox import Runner
from rlgym.sandbox.grading import score_program


class Knobs(pipelines.Knobs):
    steps: int = knob(4, easy=2, hard=9, doc="steps before the ending")
    faults: int = knob(1, easy=1, hard=5, doc="steps that the program gets wrong")
    examples: int = knob(2, easy=3, hard=1, doc="inputs shown for which it is wrong")


class Data(TaskData):
    broken: str
    reference: str
    other: str
    wrong: tuple[str, ...]
    shown: int
    tests: tuple[suites.Test, ...]


def generate(rng: Rng, knobs: Knobs) -> Task[Data]:
    return _sample_task(rng, knobs, lambda _, codes: pipelines.program(codes))


def _sample_task(rng: Rng, knobs: Knobs, write: Callable[[Rng, list[str]], str]) -> Task[Data]:
    drawn = pipelines.sample(rng, knobs)
    while True:
        _, codes, wrong = pipelines.faulty(rng, drawn.steps, knobs.faults)
        failing = [arguments for arguments in drawn.few if not suites.agree(drawn.right, wrong, arguments)]
        if len(failing) >= knobs.examples:
            break
    shown = [drawn.example(arguments) for arguments in rng.sample(failing, knobs.examples)]
    examples = "\n".join(f"solve{arguments.replace(',)', ')')} should return {value}" for arguments, value in shown)
    broken = write(rng, codes)
    shown_as = "this input, it returns something else" if len(shown) == 1 else "these inputs, it returns something else"
    prompt = (
        f"This Python function takes {pipelines.RANGE}:\n\n{broken}\n\nIt should perform these steps in order, each on the result "
        f"of the previous step:\n{pipelines.statement(drawn.steps)}\n\nThe function implements "
        f"at least one of these steps incorrectly. For {shown_as}:\n{examples}\n\n"
        "Give the whole program, repaired. Hidden tests call solve."
    )
    programs = {"broken": broken, "reference": drawn.reference, "other": drawn.other}
    wrongs = tuple(text for text, _ in drawn.misread)
    return Task(prompt, Data(**programs, wrong=wrongs, shown=len(shown), tests=(*shown, *drawn.tests(wrong))))


def shift(rng: Rng, knobs: Knobs) -> Task[Data]:
    """The wrong program has a function for each step, defined in any order and composed in one expression."""
    return _sample_task(rng, knobs, pipelines.compose_functions)


def solve(task: Task[Data]) -> str:
    return task.data.other


def verify(task: Task[Data], answer: str, runner: Runner) -> Score:
    return score_program(runner, answer, task.data.tests, shown=task.data.shown)


def mistakes(task: Task[Data], right: str) -> list[str]:
    return [task.data.broken, suites.learnt(task.data.tests[: task.data.shown])]


def cost(task: Task[Data]) -> float:
    return float(len(task.data.reference))


def audit(task: Task[Data], runner: Runner) -> Audit:
    inputs = pipelines.inputs(Rng("audit", task.data.reference), 150)
    bank = [task.data.broken, *task.data.wrong]
    return suites.audited(runner, task.data.reference, inputs, bank=bank, equal=[task.data.other])


environment = Environment(
    Knobs, Code("the whole Python program, which defines solve(values)"), generate, solve, verify, mistakes, cost,
    planted=True, shift=shift, version=6, answers="many", solutions=lambda task: [task.data.reference, task.data.other],
    concept="Compare each statement with the step it stands for, and try both on an example that fails.",
    sandbox=Limits(seconds=1, memory_mb=128), audit=audit,
)  # fmt: skip
