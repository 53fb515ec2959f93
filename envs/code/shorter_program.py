"""Write a program that does the same as a long one in at most so many nodes of its syntax tree: refactoring under a budget.

Nodes are counted, not characters, so that short names and missing spaces win nothing. Hidden tests decide about the rest.
"""

from rlgym import Audit, Environment, Limits, Rng, Score, Task, TaskData, knob
from rlgym.answers import Code
from rlgym.generators.programs import pipelines, suites
from rlgym.generators.programs.forbidden_names import REFUSED, forbidden_name
from rlgym.sandbox import Runner
from rlgym.sandbox.grading import score_program

MODULES = ("bisect", "collections", "functools", "heapq", "itertools", "math", "operator", "statistics")


class Knobs(pipelines.Knobs):
    steps: int = knob(4, easy=1, hard=8, doc="steps before the ending")
    slack: int = knob(12, easy=35, hard=3, doc="percent that the budget is above the shorter of two known programs")


class Data(TaskData):
    long: str
    short: str
    budget: int
    wrong: tuple[str, ...]
    tests: tuple[suites.Test, ...]


def generate(rng: Rng, knobs: Knobs) -> Task[Data]:
    while True:
        drawn = pipelines.sample(rng, knobs)
        codes = [sorted((step.code, step.other), key=nodes) for step in drawn.steps]
        short, long = (pipelines.program([pair[i] for pair in codes]) for i in range(2))
        budget = nodes(short) * (100 + knobs.slack) // 100
        if nodes(long) > budget:
            break
    prompt = (
        f"This Python program takes {pipelines.RANGE}:\n\n{long}\n\nWrite a program with the same function solve(values) in at most {budget} nodes of "
        f"Python's syntax tree: len(list(ast.walk(ast.parse(program)))) counts them, and this one has {nodes(long)}. It must return the same for every "
        f"such list. Only {', '.join(MODULES[:-1])} and {MODULES[-1]} may be imported. These names and those that begin "
        f"with two underscores may not be used: {', '.join(REFUSED)}; nor may attributes that begin with one underscore."
    )
    wrong = tuple(text for text, _ in drawn.misread)
    return Task(prompt, Data(long=long, short=short, budget=budget, wrong=wrong, tests=tuple(drawn.tests())))


def solve(task: Task[Data]) -> str:
    return task.data.short


def verify(task: Task[Data], answer: str, runner: Runner) -> Score:
    try:
        nodes = suites.nodes(answer)
    except (SyntaxError, ValueError, RecursionError, MemoryError) as error:
        return Score.wrong(f"that is no Python program: {type(error).__name__}")
    if refused := forbidden_name(nodes, MODULES):
        return Score.wrong(refused)
    if len(nodes) > task.data.budget:
        return Score.wrong(f"the program has {len(nodes)} nodes; at most {task.data.budget} are allowed")
    return score_program(runner, answer, task.data.tests)


def mistakes(task: Task[Data], right: str) -> list[str]:
    hidden = f"def solve(values):\n    return eval({task.data.short.split('return')[0]!r})"
    imported = f"from builtins import exec as run\nrun({task.data.long!r})"
    return [task.data.long, hidden, imported, "def solve(values):\n    return 0", *task.data.wrong[:2]]


def cost(task: Task[Data]) -> float:
    return float(nodes(task.data.long))


def audit(task: Task[Data], runner: Runner) -> Audit:
    inputs = pipelines.inputs(Rng("audit", task.data.long), 150)
    audited = suites.audited(runner, task.data.short, inputs, bank=task.data.wrong)
    return Audit(audited.wrong, (task.data.short,))


def nodes(program: str) -> int:
    """How many nodes the syntax tree of a program has."""
    return len(suites.nodes(program))


environment = Environment(
    Knobs, Code("a Python program that defines solve(values)"), generate, solve, verify, mistakes, cost,
    planted=True, version=4, answers="many", solutions=lambda task: [task.data.short, task.data.short.replace("values", "items")],
    concept="Say what each loop does in a word, and look for the comprehension or the function of the library that does it.",
    sandbox=Limits(seconds=1, memory_mb=128), audit=audit,
)  # fmt: skip
