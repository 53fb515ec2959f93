"""Say what a program returns for an input: deduction, step by step.

At the hard end the program begins with a loop of millions of passes, which must be understood instead of followed: the list runs into a cycle, moves
along the cycles of a permutation, or is mixed modulo a prime or its square, where many passes are as good as a few.
"""

from collections.abc import Callable

from rlgym import Environment, Proposals, Rng, Score, Task, TaskData, knob
from rlgym.answers import Literal
from rlgym.generators.programs import long_loops, pipelines, proposals
from rlgym.sandbox import Runner
from rlgym.solutions import Derivation, Solution, Step

EXECUTED = Step("Step {count:int}: {words}. The result is {state}")
END = "So the program returns {answer}"


class Knobs(pipelines.Knobs):
    steps: int = knob(4, easy=1, hard=13, doc="steps before the ending; a third of them after a long loop")
    branches: int = knob(1, easy=0, hard=6, doc="steps that depend on the list so far, or take a number from it")
    length: int = knob(8, easy=4, hard=30, doc="values in the input, where there is no long loop")
    loop: str = knob(
        "none",
        easy="none",
        hard="hidden",
        order=("none", "none", "none", "repeating", "hidden"),
        doc="a loop of millions of passes to begin with: the list repeats itself, or passes must be summed up by their algebra",
    )


class Data(TaskData):
    program: str
    words: tuple[str, ...]
    states: tuple[str, ...]  # the input, and what each step makes of it
    wrong: tuple[str, ...]
    loop: str


def generate(rng: Rng, knobs: Knobs) -> Task[Data]:
    return _sample_task(rng, knobs, lambda _, codes: pipelines.program(codes))


def _sample_task(rng: Rng, knobs: Knobs, write: Callable[[Rng, list[str]], str]) -> Task[Data]:
    if knobs.loop != "none":
        knobs = knobs.model_copy(update={"steps": max(1, knobs.steps // 3), "branches": knobs.branches // 3})
    while True:
        drawn = pipelines.sample(rng, knobs)
        loop = rng.choice(long_loops.LOOPS[knobs.loop])(rng) if knobs.loop != "none" else None
        values = loop.values if loop else [rng.integer(-9, 20) for _ in range(knobs.length)]
        done = list(loop.stages if loop else ())
        begun = done[-1][1] if loop else values
        states: list[object] = [begun]
        for step in drawn.steps:
            states.append(step.meaning(states[-1]))
        wrong = dict.fromkeys(repr(meaning(begun)) for _, meaning in drawn.misread)
        if loop:
            wrong = dict.fromkeys([*(repr(drawn.right(slip)) for slip in loop.slips), *wrong])
        wrong.pop(repr(states[-1]), None)
        # Most of the steps change something, and a slip is seen in the end.
        if len({repr(state) for state in states}) > 0.6 * len(states) and wrong:
            break
    program = write(rng, [*([loop.code] if loop else []), *(step.code for step in drawn.steps)])
    data = Data(
        program=program,
        words=(*(words for words, _ in done), *(step.words for step in drawn.steps)),
        states=(*map(repr, [values, *(state for _, state in done)]), *map(repr, states[1:])),
        wrong=tuple(wrong)[:6],
        loop=knobs.loop,
    )
    return Task(_prompt(program, data.states[0]), data)


def _prompt(program: str, values: str) -> str:
    return f"What does this Python program return for solve({values})?\n\n{program}"


def shift(rng: Rng, knobs: Knobs) -> Task[Data]:
    """A function for each step, defined in any order and composed in one expression."""
    return _sample_task(rng, knobs, pipelines.compose_functions)


def solve(task: Task[Data]) -> str:
    return task.data.states[-1]


def verify(task: Task[Data], answer: str) -> Score:
    return Score.exact(answer == task.data.states[-1], "the program returns another value")


def mistakes(task: Task[Data], right: str) -> list[str]:
    return [*task.data.wrong, task.data.states[0]]


def cost(task: Task[Data]) -> float:
    loop = {"none": 0, "repeating": 1500, "hidden": 2500}[task.data.loop]
    return float(sum(map(len, task.data.states))) + len(task.data.program) + loop


def derive(task: Task[Data]) -> Derivation:
    for count, (words, state) in enumerate(zip(task.data.words, task.data.states[1:]), 1):
        yield EXECUTED(count=count, words=words, state=state)


def _proposed(task: Task[Data], proposal: str, runner: Runner) -> Task[Data]:
    program, inputs = proposals.read(proposal, 1, 1)
    [result] = proposals.results(program, inputs, runner)
    return Task(_prompt(program, repr(inputs[0])), Data(program=program, words=(), states=(repr(inputs[0]), result), wrong=(), loop="none"))


environment = Environment(
    Knobs, Literal("the value returned, as Python's repr would write it"), generate, solve, verify, mistakes, cost, solution=Solution(derive, END), shift=shift,
    planted=True, version=7,
    concept="Keep the value of `values` after each statement, and use nothing but that in the next; of a long loop, find what many passes do at once.",
    proposals=Proposals(
        proposals.answer("one line with the input"), proposals.RULES, lambda task: proposals.write(task.data.program, [task.data.states[0]]), _proposed,
        proposals.LIMITS,
    ),
)  # fmt: skip
