"""Translate a Python program into JavaScript that returns the same, where the operators of both differ.

The programs are put together from twelve kinds of blocks, which nest, with conditions, changes and numbers drawn anew: with four blocks there are
more than 20,000 orders of blocks alone.
"""

from rlgym import Audit, Environment, Limits, Rng, Score, Task
from rlgym.answers import Code
from rlgym.generators.programs import javascript, mutants
from rlgym.generators.programs.bounded_operators import Stopped
from rlgym.generators.programs.javascript import QUIRKS, Data, Knobs, write
from rlgym.sandbox import Runner
from rlgym.sandbox.grading import score_program

MOST_MUTANTS = 12


def generate(rng: Rng, knobs: Knobs) -> Task[Data]:
    drawn = javascript.sample(rng, knobs)
    tests = [(repr(arguments), repr(value)) for arguments, value in zip(drawn.inputs, drawn.python, strict=True)]
    prompt = (
        f"Translate this Python program into JavaScript:\n\n{drawn.source}\n\nYour program must define a function solve that, given "
        f"{javascript.describe(drawn.takes)}, returns what the Python program returns: a number as a number, and a list or tuple as an array. It is run by "
        "a JavaScript engine of 2020 (ES2020), as a script and not as a module; Array.prototype.at does not exist yet. All integers stay "
        "below 2 ** 53. Hidden tests call solve."
    )
    return Task(prompt, Data(source=drawn.source, takes=drawn.takes, tests=tuple(tests)))


def solve(task: Task[Data]) -> str:
    return write(task.data.source, QUIRKS)


def verify(task: Task[Data], answer: str, runner: Runner) -> Score:
    return score_program(runner, answer, task.data.tests, language="javascript")


def mistakes(task: Task[Data], right: str) -> list[str]:
    return [task.data.source, write(task.data.source), *slips(task.data.source)]


def cost(task: Task[Data]) -> float:
    return float(len(task.data.source))


def audit(task: Task[Data], runner: Runner) -> Audit:
    source, inputs = task.data.source, javascript.inputs(Rng("audit", task.data.source), task.data.takes, 60)

    def answers(program: str) -> tuple[str, str]:
        result = runner.run(program, inputs, language="javascript")
        return result.stopped_by.value, repr(result.outputs)

    right = answers(solve(task))
    suspects = [(program, answers(program)) for program in [write(source), *slips(source), *change(source)]]
    wrong = [program for program, outcome in suspects if outcome[0] != "time" and outcome != right]
    return Audit(tuple(dict.fromkeys(wrong)), tuple(solutions(task)))


def solutions(task: Task[Data]) -> list[str]:
    return [write(task.data.source, QUIRKS), write(task.data.source, QUIRKS, other=True)]


def slips(source: str) -> list[str]:
    """Translations that get all right but one kind of operator."""
    return [write(source, [name for name in QUIRKS if name != slip]) for slip in QUIRKS]


def change(source: str) -> list[str]:
    """Translations of mutants."""
    variants = []
    for mutant in mutants.mutants(source, MOST_MUTANTS):
        try:
            variants.append(write(mutant, QUIRKS))
        except Stopped:
            continue
    return variants


environment = Environment(
    Knobs, Code("the JavaScript program, which defines solve", language="javascript"), generate, solve, verify, mistakes, cost,
    answers="many", solutions=solutions,
    concept="Which operators give something else in JavaScript: the remainder and quotient of negative numbers, sorting, places counted from the end?",
    sandbox=Limits(seconds=1, memory_mb=128), needs=("quickjs",), audit=audit,
    version=3,
)  # fmt: skip
