"""Find an input for which a program returns a given value: abduction. Any such input is right."""

from collections.abc import Callable

from rlgym import Environment, Limits, Proposals, Rng, Score, Task, TaskData, knob
from rlgym.answers import Literal
from rlgym.answers.literal import value_of, written
from rlgym.generators.programs import pipelines, proposals
from rlgym.sandbox import Returned, Runner

PLAIN = 25  # of the inputs tried first; none of them is an answer


class Knobs(pipelines.Knobs):
    steps: int = knob(3, easy=1, hard=7, doc="steps before the ending")
    longest: int = knob(8, easy=3, hard=20, doc="most values that an input may have")


class Data(TaskData):
    program: str
    wanted: str
    longest: int
    known: tuple[str, ...]


def generate(rng: Rng, knobs: Knobs) -> Task[Data]:
    return _sample_task(rng, knobs, lambda _, codes: pipelines.program(codes))


def shift(rng: Rng, knobs: Knobs) -> Task[Data]:
    """A function for each step, defined in any order and composed in one expression."""
    return _sample_task(rng, knobs, pipelines.compose_functions)


def _sample_task(rng: Rng, knobs: Knobs, write: Callable[[Rng, list[str]], str]) -> Task[Data]:
    while True:
        drawn = pipelines.sample(rng, knobs)
        few = [arguments for arguments in drawn.inputs if len(arguments[0]) <= knobs.longest]
        plain = {repr(drawn.right(*arguments)) for arguments in [*few[:PLAIN], *(([value],) for value in range(-5, 6))]}
        known: dict[str, list[str]] = {}
        for arguments in few[PLAIN:]:
            known.setdefault(repr(drawn.right(*arguments)), []).append(repr(arguments[0]))
        # A value that most inputs give, or a plain one, asks for nothing.
        rare = [value for value, inputs in known.items() if value not in plain and len(inputs) <= 3]
        if rare:
            break
    target = rng.choice(rare)
    program = write(rng, [step.code for step in drawn.steps])
    return _stated(program, target, knobs.longest, tuple(known[target]))


def _stated(program: str, target: str, longest: int, known: tuple[str, ...]) -> Task[Data]:
    prompt = (
        f"For which list of at most {longest} integers from {pipelines.LEAST} to {pipelines.MOST} does this Python program return {target}?\n\n"
        f"{program}\n\nGive one such list; any is right."
    )
    return Task(prompt, Data(program=program, wanted=target, longest=longest, known=known))


def solve(task: Task[Data]) -> str:
    return task.data.known[0]


def verify(task: Task[Data], answer: str, runner: Runner) -> Score:
    values = value_of(answer)
    if not pipelines.within(values) or len(values) > task.data.longest:
        return Score.wrong("that is no list that may be given")
    returned = runner.run(task.data.program, [(values,)]).answer()
    right = isinstance(returned, Returned) and written(returned.value) == task.data.wanted
    return Score.exact(right, "the program returns another value for that list")


def mistakes(task: Task[Data], right: str) -> list[str]:
    values = value_of(right)
    return ["[]", task.data.wanted, written(sorted(values)), written(values[:-1]), written([*values, 0])]


def cost(task: Task[Data]) -> float:
    return float(len(task.data.program)) + 10 * task.data.longest


def _proposed(task: Task[Data], proposal: str, runner: Runner) -> Task[Data]:
    program, inputs = proposals.read(proposal, 1, 1)
    [result] = proposals.results(program, inputs, runner)
    return _stated(program, result, max(task.data.longest, len(inputs[0])), (written(inputs[0]),))


environment = Environment(
    Knobs, Literal("one list of integers, like [1, 2, 3]"), generate, solve, verify, mistakes, cost,
    planted=True, shift=shift, version=2, answers="many", solutions=lambda task: task.data.known,
    concept="Go backwards: what must the list be before the last step, and before the one before it?",
    sandbox=Limits(seconds=1, memory_mb=128),
    proposals=Proposals(
        proposals.answer("one line with an input that returns the value that will be given"), proposals.RULES,
        lambda task: proposals.write(task.data.program, [task.data.known[0]]), _proposed, proposals.LIMITS,
    ),
)  # fmt: skip
