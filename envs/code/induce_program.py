"""Write a function from examples alone: induction. The prompt lists the kinds of steps, and held-out inputs decide."""

from rlgym import Audit, Environment, Limits, Proposals, Refused, Rng, Score, Task, TaskData, knob
from rlgym.answers import Code
from rlgym.generators.programs import pipelines, proposals, suites
from rlgym.sandbox import Runner
from rlgym.sandbox.grading import score_program

LEAST_INPUTS, MOST_INPUTS = 6, 20


class Knobs(pipelines.Knobs):
    steps: int = knob(2, easy=1, hard=4, doc="steps before the ending")
    kinds: int = knob(8, easy=4, hard=15, doc="how many kinds of steps and endings it may be made of, plain ones first")
    branches: int = knob(0, easy=0, hard=1, doc="steps that depend on the list so far, or take a number from it")
    examples: int = knob(12, easy=10, hard=14, doc="examples given, besides those that tell near functions apart")


class Data(TaskData):
    reference: str
    other: str
    wrong: tuple[str, ...]
    shown: int
    tests: tuple[suites.Test, ...]


def generate(rng: Rng, knobs: Knobs) -> Task[Data]:
    drawn = pipelines.sample(rng, knobs)
    near = [*(meaning for _, meaning in drawn.misread), *drawn.renumbered]
    # An example tells every near function, and every function with other numbers, from the right one.
    shown = suites.choose_tests(drawn.right, near, rng.shuffled(drawn.inputs), least=knobs.examples, most=knobs.examples + 16, twice=1)
    hidden_tests = [test for test in drawn.tests() if test not in shown]
    steps, ends = pipelines.examples(knobs.kinds)
    branches = (
        "But one of the steps is of another sort. Either it is a choice between two steps of these kinds: if a condition holds, the first of them, otherwise "
        "the second; the condition is one of these three: the list has an even number of values at this point; the sum of its values is negative; some value "
        "occurs more than once. Or it adds one number to each value, namely what one of the endings below would return for the list before this step.\n"
    )
    prompt = (
        f"A Python function solve(values) takes {pipelines.RANGE}. It performs "
        f"{'one step, of one' if knobs.steps == 1 else f'{knobs.steps} steps one after the other, each of a different one'} of the kinds that follow, "
        f"and then an ending. {_varying(steps)}\n{steps}\n"
        f"{branches if knobs.branches else ''}The ending is of one of these kinds:\n{ends}\n\nFor example:\n"
        + "\n".join(map(pipelines.call, shown))
        + "\n\nWrite a function that returns the same result for every such list. It is tested on lists that are not shown."
    )
    wrong = tuple(text for text, _ in drawn.misread)
    return Task(prompt, Data(reference=drawn.reference, other=drawn.other, wrong=wrong, shown=len(shown), tests=(*shown, *hidden_tests)))


def _varying(steps: str) -> str:
    """What may be otherwise in a step than in the example of its kind."""
    more = {
        "move the first": "the first value may be moved to the end another number of times",
        "sort by": "sorting may be by absolute value, by last decimal digit or sum of decimal digits (both ignoring the sign), or by remainder modulo 3",
        "minimum of": "the maximum may be taken instead of the minimum",
    }
    also = [words for mark, words in more.items() if mark in steps]
    end = "".join(f"; {words}" for words in also)
    return f"Each kind, of endings too, is shown with one choice of its numbers and conditions; the function may have other numbers and conditions{end}."


def solve(task: Task[Data]) -> str:
    return task.data.other


def verify(task: Task[Data], answer: str, runner: Runner) -> Score:
    return score_program(runner, answer, task.data.tests, shown=task.data.shown)


def mistakes(task: Task[Data], right: str) -> list[str]:
    return [suites.learnt(task.data.tests[: task.data.shown]), *task.data.wrong[:2]]


def cost(task: Task[Data]) -> float:
    return float(len(task.data.reference) * len(task.prompt))


def audit(task: Task[Data], runner: Runner) -> Audit:
    inputs = pipelines.inputs(Rng("audit", task.data.reference), 150)
    return suites.audited(runner, task.data.reference, inputs, bank=task.data.wrong, equal=[task.data.other])


def _proposed(task: Task[Data], proposal: str, runner: Runner) -> Task[Data]:
    """The function of a program from half of its inputs; the others are hidden."""
    program, inputs = proposals.read(proposal, LEAST_INPUTS, MOST_INPUTS)
    tests = [(f"({values!r},)", result) for values, result in zip(inputs, proposals.results(program, inputs, runner), strict=True)]
    if len({result for _, result in tests}) < 2:
        raise Refused("the program returns the same for every input")
    shown = len(tests) // 2
    prompt = f"A Python function solve(values) takes {pipelines.RANGE}. For example:\n" + "\n".join(map(pipelines.call, tests[:shown]))
    asked = f"{prompt}\n\nWrite a function that returns the same result for every such list. It is tested on lists that are not shown."
    return Task(asked, Data(reference=program, other=program, wrong=(), shown=shown, tests=tuple(tests)))


environment = Environment(
    Knobs, Code("a Python program that defines solve(values)"), generate, solve, verify, mistakes, cost,
    planted=True, version=8, answers="many", solutions=lambda task: [task.data.reference, task.data.other],
    concept="Start with the shortest lists: which ending could give their values, and what must a step have done before it?",
    sandbox=Limits(seconds=1, memory_mb=128), audit=audit,
    proposals=Proposals(
        proposals.answer(f"{LEAST_INPUTS} to {MOST_INPUTS} lines with different inputs, of which the first half is shown"), proposals.RULES,
        lambda task: proposals.write(task.data.reference, [arguments[1:-2] for arguments, _ in task.data.tests[:MOST_INPUTS]]), _proposed, proposals.LIMITS,
    ),
)  # fmt: skip
