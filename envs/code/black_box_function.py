"""Find out what a hidden function does by calling it, and write a function that does the same.

The prompt lists the kinds of steps that it may consist of. Hidden tests decide; any program that agrees with the function is right.
"""

from pydantic import Field

from rlgym import Config, Game, Limits, Rng, Score, TaskData, knob
from rlgym.answers import Calls, Misuse, Tool, ToolCalls
from rlgym.answers.literal import written
from rlgym.generators.programs import pipelines, suites
from rlgym.sandbox import Returned, Runner
from rlgym.sandbox.grading import score_program


class Ask(Tool):
    """Calls the hidden function with a list of at most 20 integers from -50 to 50, and tells what it returns."""

    values: list[int] = Field(max_length=pipelines.LONGEST)


class Submit(Tool):
    """Hands in a whole Python program that defines solve(values), and ends the task."""

    program: str = Field(max_length=6000)


TOOLS = ToolCalls((Ask, Submit))


class Knobs(Config):
    steps: int = knob(2, easy=1, hard=4, doc="steps before the ending")
    kinds: int = knob(8, easy=4, hard=15, doc="how many kinds of steps and endings it may be made of, plain ones first")
    branches: int = knob(0, easy=0, hard=1, doc="steps that depend on the list so far, or take a number from it")
    questions: int = knob(8, easy=8, hard=10, doc="turns, in each of which several calls may be made")


class State(TaskData):
    kinds: int
    branches: int
    steps: int
    reference: str
    wrong: str
    example: str
    tests: tuple[suites.Test, ...]
    questions: int
    asked: int = 0
    score: Score | None = None
    told: str = ""


def start(rng: Rng, knobs: Knobs) -> State:
    inputs = pipelines.inputs(rng.child("inputs"), 300)
    steps = pipelines.sample_identifiable_pipeline(rng, knobs.steps, knobs.kinds, knobs.branches, inputs[:60])
    right = pipelines.meant([step.meaning for step in steps])
    near = pipelines.misread(steps)
    (shown,) = rng.choice(inputs[10:60])
    return State(
        kinds=knobs.kinds,
        branches=knobs.branches,
        steps=knobs.steps,
        reference=pipelines.program([step.code for step in steps]),
        wrong=next(text for text, meaning in near if suites.differs(right, meaning, inputs)),
        example=f"solve({shown}) returns {right(shown)!r}",
        tests=tuple(suites.choose_tests(right, [meaning for _, meaning in near], inputs)),
        questions=knobs.questions,
    )


def show(state: State) -> str:
    if state.told:
        return state.told
    steps, ends = pipelines.examples(state.kinds)
    branches = (
        "Instead, a step may choose between two such steps by a condition on the list, or add a number computed from the list to each value.\n"
        if state.branches
        else ""
    )
    count = "one step of one" if state.steps == 1 else f"{state.steps} steps one after the other, each of a different one"
    return (
        "A hidden Python function takes a list of at most 20 integers from -50 to 50. It does "
        f"{count} of these kinds. Each "
        "kind, of endings too, is shown with one choice of its numbers, conditions and other details; the function may have others:\n"
        f"{steps}\n{branches}Then it ends with a step of one of these kinds:\n{ends}\n\nFor example, {state.example}.\n\n"
        f"Find out what it does, and submit a program that returns the same for every such list.\n{TOOLS.manual()}"
    )


def act(state: State, calls: Calls, runner: Runner) -> State:
    replies = list[str]()
    for call in calls:
        match call:
            case Ask(values=values) if all(pipelines.LEAST <= value <= pipelines.MOST for value in values):
                # The function is run as any program is: nothing here evaluates text.
                answer = runner.run(state.reference, [(values,)]).answer()
                replies.append(
                    f"solve({values}) returns {written(answer.value)}" if isinstance(answer, Returned) else f"solve({values}) fails"
                )
                state = state.model_copy(update={"asked": state.asked + 1})
            case Ask(values=values):
                replies.append(f"solve was not called: the values must be from {pipelines.LEAST} to {pipelines.MOST}, got {values}")
            case Submit(program=program):
                return state.model_copy(update={"score": score_program(runner, program, state.tests)})
            case Misuse(problem=problem):
                replies.append(problem)
    return state.model_copy(update={"told": "\n".join(replies)})


def outcome(state: State) -> Score | None:
    return state.score


def best(state: State) -> Calls:
    if not state.asked:
        return tuple(Ask(values=values) for values in ([], [1, 2, 3, 4, 5], [5, 4, 3, 2, 1], [7, -7, 0, 7]))
    return (Submit(program=state.reference),)


def mistakes(state: State) -> list[Calls]:
    return [(Submit(program=state.wrong),), (Submit(program="def solve(values):\n    return 0"),), (Ask(values=[1]),)]


def cost(state: State) -> float:
    return float(len(state.reference) * state.kinds)


def turns(state: State) -> int:
    return state.questions


environment = Game(
    Knobs, TOOLS, start, show, act, outcome, best, mistakes, cost, turns,
    planted=True, version=8,
    no_rules="The goal is all that is stated; what the hidden function takes is a property of the tool.",
    concept="Ask for short lists that tell one kind of step from another, change one thing at a time, and check the guess.",
    sandbox=Limits(seconds=1, memory_mb=128),
)  # fmt: skip
