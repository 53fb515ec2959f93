"""Program a small store of keys and values with several interacting rules; hidden lists of operations decide.

Capacities, ways to make room, to rewrite, to say that a key is missing, to forget and to take make 19,800 different sets of rules.
"""

from rlgym import Audit, Config, Environment, Limits, Rng, Score, Task, TaskData, knob
from rlgym.answers import Code
from rlgym.generators.programs import containers, suites
from rlgym.sandbox import Runner
from rlgym.sandbox.grading import score_program

SHOWN = 2


class Knobs(Config):
    capacity: int = knob(3, easy=1, hard=5, doc="entries that there is room for")
    kinds: int = knob(3, easy=1, hard=5, doc="how many ways there are to make room and to rewrite, plain ones first")
    lives: int = knob(1, easy=0, hard=1, doc="whether entries are gone after a while")
    removal: int = knob(0, easy=0, hard=1, doc="whether a get may remove the entry")


class Data(TaskData):
    weight: float
    reference: str
    other: str
    wrong: tuple[str, ...]
    tests: tuple[suites.Test, ...]


def generate(rng: Rng, knobs: Knobs) -> Task[Data]:
    rules = containers.sample(rng, knobs.capacity, knobs.kinds, bool(knobs.lives), bool(knobs.removal))
    right, near = containers.meaning(rules), containers.neighbours(rules)
    inputs = containers.inputs(rng.child("inputs"), 300)
    shown = [
        (repr(arguments), repr(right(*arguments)))
        for arguments in rng.sample([input_ for input_ in inputs[5:60] if 4 <= len(input_[0]) <= 9], SHOWN)
    ]
    tests = [*shown, *suites.choose_tests(right, [containers.meaning(other) for other in near], inputs)]
    examples = "\n".join(f"solve{arguments[:-2]}) returns {returned}" for arguments, returned in shown)
    prompt = (
        "Write a Python function solve(operations) that keeps entries, each a key with a value, does the operations one after the other, starting with "
        f"no entries, and returns the list of what they return. Keys are letters from a to f, values positive integers, and there are at most "
        f"{containers.MOST_OPERATIONS} operations:\n{containers.words(rules)}\nFor example:\n{examples}\n\nOther lists of operations are tested too."
    )
    reference, other = containers.program(rules), containers.other_program(rules)
    return Task(
        prompt,
        Data(
            weight=containers.weight(rules),
            reference=reference,
            other=other,
            wrong=tuple(map(containers.program, near)),
            tests=tuple(tests),
        ),
    )


def solve(task: Task[Data]) -> str:
    # The tests are computed by the rules themselves; the programs are independent routes to them.
    return task.data.other


def verify(task: Task[Data], answer: str, runner: Runner) -> Score:
    return score_program(runner, answer, task.data.tests, shown=SHOWN)


def mistakes(task: Task[Data], right: str) -> list[str]:
    return [suites.learnt(task.data.tests[:SHOWN]), "def solve(operations):\n    return []", *task.data.wrong[:2]]


def cost(task: Task[Data]) -> float:
    return task.data.weight


def audit(task: Task[Data], runner: Runner) -> Audit:
    inputs = containers.inputs(Rng("audit", task.data.reference), 150)
    return suites.audited(runner, task.data.reference, inputs, bank=task.data.wrong, equal=[task.data.other])


environment = Environment(
    Knobs, Code("a Python program that defines solve(operations)"), generate, solve, verify, mistakes, cost,
    planted=True, answers="many", solutions=lambda task: [task.data.reference, task.data.other],
    concept="What must be remembered of each entry, beside its value, so that every rule can be followed?",
    sandbox=Limits(seconds=1, memory_mb=128), audit=audit,
    version=5,
)  # fmt: skip
