"""Rewrite functions that call themselves and each other without recursion, for inputs far deeper than any stack.

Two functions of two branches with two calls each can be put together in more than 330,000 ways, their numbers aside.
"""

import re

from rlgym import Audit, Config, Environment, Limits, Rng, Score, Task, TaskData, knob
from rlgym.answers import Code
from rlgym.generators.programs import recursions, suites
from rlgym.generators.programs.forbidden_names import REFUSED
from rlgym.generators.programs.recursion_check import MODULES, recursion
from rlgym.sandbox import Runner
from rlgym.sandbox.grading import score_program

SHALLOW, DEEP = 45, (3600, 5400)  # the smaller numbers that tests are made with, and the larger ones
WEIGHTS = {"one": 1.0, "two": 2.0, "carry": 3.0, "nested": 4.0}


class Knobs(Config):
    functions: int = knob(2, easy=1, hard=4, doc="functions that call each other")
    branches: int = knob(2, easy=1, hard=3, doc="ways to go on in each function")
    calls: str = knob(
        "two", easy="one", hard="nested", order=("one", "two", "carry", "nested"), doc="calls in a way to go, and what they depend on"
    )


class Data(TaskData):
    weight: float
    recursive: str
    reference: str
    other: str
    wrong: tuple[str, ...]
    carry: bool
    tests: tuple[suites.Test, ...]


def generate(rng: Rng, knobs: Knobs) -> Task[Data]:
    while True:
        rules = recursions.sample(rng, knobs.functions, knobs.branches, knobs.calls)
        near, right = list(recursions.near_miss_rules(rules)), recursions.meaning(rules)
        mistaken = [recursions.meaning(variant) for variant in near]
        few = inputs(rng.child("inputs"), rules.carry, 0, SHALLOW)
        distinguishing = [suites.differs(right, variant, few) for variant in mistaken]
        # The results neither settle nor repeat soon, and much of what can be misread is seen.
        if len({right(*arguments) for arguments in few[-24:]}) >= 12 and 2 * sum(distinguishing) > len(near):
            break
    tests = suites.choose_tests(right, mistaken, few, least=16, most=45)
    deep = [(repr(input_), repr(right(*input_))) for input_ in inputs(rng.child("deep"), rules.carry, *DEEP)[:3]]
    takes = f"n, an integer from 0 to {DEEP[1]}" + ", and a, an integer from 0 to 50" * rules.carry
    prompt = (
        f"This Python program has a function solve that takes {takes}:\n\n{recursions.recursive(rules)}\n\nFor large n it needs a deeper stack than "
        "Python has, or takes far too long. Write a program whose function solve returns the same, without recursion. No function (a lambda that gets a name "
        "is one) may refer to itself, directly or through other functions it refers to; this is judged by names alone, wherever they stand, so give no "
        f"variable the name of a function. Only {', '.join(MODULES[:-1])} and {MODULES[-1]} may be imported. These names and those that "
        f"begin with two underscores may not be used: {', '.join(REFUSED)}; nor may attributes or imported names that begin with an "
        "underscore. The only exception: a class may define a method __init__. Hidden tests call solve with small and with large n; "
        "together they have one second."
    )
    data = Data(
        weight=WEIGHTS[knobs.calls],
        recursive=recursions.recursive(rules),
        reference=recursions.iterative(rules),
        other=recursions.program_with_stack(rules),
        wrong=tuple(map(recursions.iterative, near)),
        carry=rules.carry,
        tests=(*tests, *deep),
    )
    return Task(prompt, data)


def solve(task: Task[Data]) -> str:
    # The tests are computed from the rules, by neither program.
    return task.data.reference


def verify(task: Task[Data], answer: str, runner: Runner) -> Score:
    try:
        refused = recursion(answer)
    except (SyntaxError, ValueError, RecursionError, MemoryError) as error:
        return Score.wrong(f"that is no Python program: {type(error).__name__}")
    return Score.wrong(refused) if refused else score_program(runner, answer, task.data.tests)


def mistakes(task: Task[Data], right: str) -> list[str]:
    handed = task.data.recursive.replace("def solve(", "def start(").replace(" solve(", " again(")
    hidden = f"again = lambda *numbers: start(*numbers)\n{handed}\nsolve = start"
    table = re.sub(r"(?<!def )\b(solve|fold|turn|climb)\(", r"functions['\1'](", task.data.recursive)
    table += "\n\nfunctions = {" + ", ".join(f"{name!r}: {name}" for name in re.findall(r"def (\w+)", table)) + "}"
    warmed = f"import functools\n{table}\nfor name in functions:\n    functions[name] = functools.lru_cache(None)(functions[name])"
    return [
        task.data.recursive,
        table,
        warmed,
        hidden,
        f"import sys\nsys.setrecursionlimit(10**6)\n{task.data.recursive}",
        *task.data.wrong[:3],
    ]


def cost(task: Task[Data]) -> float:
    return task.data.weight * len(task.data.recursive)


def audit(task: Task[Data], runner: Runner) -> Audit:
    few = inputs(Rng("audit", task.data.reference), task.data.carry, 0, 160)
    turned = task.data.reference.replace("reversed(path)", "path")
    return suites.audited(runner, task.data.reference, few, bank=[*task.data.wrong, turned], equal=[task.data.other], most=6)


def inputs(rng: Rng, carry: bool, low: int, high: int) -> list[tuple[int, ...]]:
    """Arguments with n from `low` to `high`, each at most once where nothing is carried; the smaller ones first at times."""
    numbers = rng.shuffled(range(low, high + 1))[:120]
    numbers = sorted(numbers[:12]) + numbers[12:]
    return [(n, rng.integer(0, 50)) for n in numbers] if carry else [(n,) for n in numbers]


environment = Environment(
    Knobs, Code("the whole Python program without recursion, which defines solve"), generate, solve, verify, mistakes, cost,
    planted=True, answers="many", solutions=lambda task: [task.data.reference, task.data.other],
    concept="Which results are needed before the result for n? Work them out first, or keep in a list what still waits.",
    sandbox=Limits(seconds=1, memory_mb=128), audit=audit, version=6,
)  # fmt: skip
