"""Answer a question with an invented library of which only the documentation is shown; hidden tests run the program with the library.

Thirteen orders of two steps with their measures, 12 endings and 48 sets of quirks make more than 78,000 questions, names and limits aside.
"""

from functools import partial

from rlgym import Audit, Config, Environment, Limits, Rng, Score, Task, TaskData, knob
from rlgym.answers import Code
from rlgym.generators.programs import libraries, suites
from rlgym.generators.programs.mutants import mutants
from rlgym.sandbox import Runner
from rlgym.sandbox.grading import score_program


class Knobs(Config):
    stages: int = knob(3, easy=1, hard=5, doc="steps before the one that returns something")
    kinds: int = knob(3, easy=2, hard=4, doc="how many kinds of measures of an item there are to draw from")
    pages: str = knob("pages", easy="whole", hard="pages", order=("whole", "pages"), doc="whether items come in pages")
    distractors: int = knob(2, easy=0, hard=4, doc="functions that are of no use")


class Data(TaskData):
    library: str
    reference: str
    other: str
    wrong: tuple[str, ...]
    tests: tuple[suites.Test, ...]
    told: str


def generate(rng: Rng, knobs: Knobs) -> Task[Data]:
    given = inputs(rng.child("inputs"), 120)
    while True:
        library = libraries.sample(rng, knobs.pages == "pages")
        steps = libraries.stages(rng, knobs.stages, knobs.kinds)
        right = partial(libraries.work, library, steps)
        without = [partial(libraries.work, library, steps[:i] + steps[i + 1 :]) for i in range(knobs.stages)]
        if len({repr(right(*arguments)) for arguments in given[:40]}) >= 12 and all(
            suites.differs(right, mutant_program, given[:40]) for mutant_program in without
        ):
            break
    slips = [partial(libraries.work, library, steps, slip=slip) for slip in libraries.SLIPS]
    lib = library.names["library"]
    manual = libraries.documentation(rng, library, knobs.distractors)
    prompt = (
        f"This is the documentation of a Python library, {lib}:\n\n{manual}\n\nWrite a function solve(values) that loads values, a list of at most 20 "
        f"different integers from 0 to 60, into the library and does the following with the items, taken in the order in which the pages have them:\n"
        f"{libraries.words(steps)}\n\nThe library is already imported as {lib} (to import it again does no harm), and only it knows these "
        "things about an item. Hidden tests call solve."
    )
    data = Data(
        library=libraries.source(library),
        reference=libraries.program(library, steps),
        other=libraries.program(library, steps, other=True),
        wrong=tuple(dict.fromkeys(libraries.program(library, steps, slip) for slip in (*libraries.SLIPS, "toll", "many"))),
        tests=tuple(suites.choose_tests(right, [*slips, *without], given, least=55, most=85)),
        told=manual,
    )
    return Task(prompt, data)


def solve(task: Task[Data]) -> str:
    # The tests are computed from the formulas, without the library.
    return task.data.reference


def verify(task: Task[Data], answer: str, runner: Runner) -> Score:
    # Such a line may only stand at the very beginning, where the library is.
    plain = answer.replace("from __future__ import annotations\n", "\n")
    return score_program(runner, f"{task.data.library}\n{plain}", task.data.tests)


def mistakes(task: Task[Data], right: str) -> list[str]:
    return [*task.data.wrong, "def solve(values):\n    return values"]


def cost(task: Task[Data]) -> float:
    return float(len(task.data.reference) + len(task.data.told))


def audit(task: Task[Data], runner: Runner) -> Audit:
    given, start = inputs(Rng("audit", task.data.reference), 80), f"{task.data.library}\n"

    def answers(program: str) -> tuple[str, str]:
        result = runner.run(start + program, given, suites.LIMITS)
        return result.stopped_by.value, repr(result.outputs)

    right = answers(task.data.reference)
    suspects = [(program, answers(program)) for program in (*task.data.wrong, *mutants(task.data.other, 8))]
    wrong = tuple(program for program, outcome in suspects if outcome[0] != "time" and outcome != right)
    return Audit(wrong, (task.data.reference, task.data.other))


def inputs(rng: Rng, count: int) -> list[tuple[list[int]]]:
    """Lists of different items, short and long ones; the empty one first."""
    return [([],), *((rng.sample(range(61), rng.integer(1, rng.choice((4, 12, 20)))),) for _ in range(count - 1))]


environment = Environment(
    Knobs, Code("the Python program, which defines solve(values)"), generate, solve, verify, mistakes, cost,
    planted=True, answers="many", solutions=lambda task: [task.data.reference, task.data.other],
    concept="Look for what each function takes and gives at its edges: the first page and the last, the default, errors, and how many at once.",
    sandbox=Limits(seconds=1, memory_mb=128), audit=audit,
    version=5,
)  # fmt: skip
