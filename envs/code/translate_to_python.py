"""Translate a JavaScript program into Python that returns the same, where the operators of both differ.

The programs are put together from twelve kinds of blocks, which nest, with conditions, changes and numbers drawn anew: with four blocks there are
more than 20,000 orders of blocks alone.
"""

from rlgym import Audit, Environment, Limits, Rng, Score, Task
from rlgym.answers import Code
from rlgym.generators.programs import javascript, suites
from rlgym.generators.programs.javascript import QUIRKS, Data, Knobs, as_if_javascript
from rlgym.sandbox import Runner
from rlgym.sandbox.grading import score_program


def generate(rng: Rng, knobs: Knobs) -> Task[Data]:
    drawn = javascript.sample(rng, knobs)
    tests = [(repr(arguments), repr(value)) for arguments, value in zip(drawn.inputs, drawn.javascript, strict=True)]
    prompt = (
        f"Translate this JavaScript program into Python:\n\n{javascript.write(drawn.source)}\n\nYour program must define a function solve that, given "
        f"{javascript.describe(drawn.takes)}, returns what the JavaScript program returns for them: an array as a list, and a number, which is always whole, "
        "as an int (-0 as 0). Hidden tests call solve."
    )
    return Task(prompt, Data(source=drawn.source, takes=drawn.takes, tests=tuple(tests)))


def solve(task: Task[Data]) -> str:
    return as_if_javascript(task.data.source)


def solutions(task: Task[Data]) -> list[str]:
    return [as_if_javascript(task.data.source), as_if_javascript(task.data.source, other=True)]


def verify(task: Task[Data], answer: str, runner: Runner) -> Score:
    return score_program(runner, answer, task.data.tests)


def mistakes(task: Task[Data], right: str) -> list[str]:
    return [javascript.write(task.data.source), *slips(task.data.source)]


def cost(task: Task[Data]) -> float:
    return float(len(task.data.source))


def audit(task: Task[Data], runner: Runner) -> Audit:
    inputs = javascript.inputs(Rng("audit", task.data.source), task.data.takes, 60)
    return suites.audited(runner, solve(task), inputs, bank=slips(task.data.source), equal=solutions(task), most=12)


def slips(source: str) -> list[str]:
    """Translations in which all operators, or all of one kind, mean what they mean in Python."""
    return [as_if_javascript(source, ()), *(as_if_javascript(source, [name for name in QUIRKS if name != slip]) for slip in QUIRKS)]


environment = Environment(
    Knobs, Code("the Python program, which defines solve"), generate, solve, verify, mistakes, cost,
    planted=True, answers="many", solutions=solutions,
    concept="Which operators give something else in Python: the remainder of negative numbers, and sorting without a comparison of numbers?",
    sandbox=Limits(seconds=1, memory_mb=128), audit=audit,
)  # fmt: skip
