"""Write tests for a description that pass for it and fail for each of several hidden wrong programs."""

from rlgym import Environment, Limits, Rng, Score, Task, TaskData, knob
from rlgym.answers import Literal
from rlgym.answers.literal import value_of, written
from rlgym.generators.programs import pipelines, suites
from rlgym.sandbox import Returned, Runner, RunResult


class Knobs(pipelines.Knobs):
    steps: int = knob(3, easy=1, hard=7, doc="steps before the ending")
    planted: int = knob(6, easy=2, hard=12, doc="wrong programs")
    spare: int = knob(3, easy=4, hard=1, doc="tests that may be written beyond those that are needed")


class Data(TaskData):
    reference: str
    wrong: tuple[str, ...]
    most: int
    known: tuple[tuple[str, str], ...]


def generate(rng: Rng, knobs: Knobs) -> Task[Data]:
    drawn = pipelines.sample(rng, knobs)
    inputs = pipelines.inputs(rng.child("more"), 40)
    wrong = dict[str, set[int]]()  # each with the inputs that find it out
    for text, meaning in rng.shuffled(drawn.misread):
        refuting = {i for i, arguments in enumerate(inputs) if not suites.agree(drawn.right, meaning, arguments)}
        if refuting and len(wrong) < knobs.planted:
            wrong[text] = refuting
    known = [(written(inputs[i][0]), written(drawn.right(*inputs[i]))) for i in _distinguishing_inputs(list(wrong.values()))]
    most = len(known) + knobs.spare
    hidden = (
        f"There are {len(wrong)} hidden programs, each with a different misreading of the description; each must fail at least one test."
    )
    if len(wrong) == 1:
        hidden = "There is one hidden program, which misreads the description; it must fail at least one test."
    prompt = (
        f"solve(values) takes {pipelines.RANGE} and performs these steps in order, each on the result of the previous step:\n"
        f"{pipelines.statement(drawn.steps)}\n\n"
        f"Write {'one test' if most == 1 else f'at most {most} tests'} for it, as a Python list of pairs (values, what solve(values) returns), in the form "
        f"[([], 0), ([1, 2], 3)] (these values only show the form). Every test must be right. {hidden}"
    )
    return Task(prompt, Data(reference=drawn.reference, wrong=tuple(wrong), most=most, known=tuple(known)))


def solve(task: Task[Data]) -> str:
    return written([(value_of(values), value_of(returned)) for values, returned in task.data.known])


def verify(task: Task[Data], answer: str, runner: Runner) -> Score:
    pairs = value_of(answer)
    if not isinstance(pairs, list) or not all(isinstance(pair, tuple) and len(pair) == 2 and pipelines.within(pair[0]) for pair in pairs):
        return Score.wrong(f"the tests must be a list of pairs, the first part of each {pipelines.RANGE}")
    if not 1 <= len(pairs) <= task.data.most:
        return Score.wrong(f"there must be 1 to {task.data.most} tests, and there are {len(pairs)}")
    inputs = [(pair[0],) for pair in pairs]
    expected = [written(pair[1]) for pair in pairs]
    untrue = sum(
        given != want for given, want in zip(_returned_values(runner.run(task.data.reference, inputs), len(inputs)), expected, strict=True)
    )
    if untrue:
        return Score.wrong(f"{untrue} of {len(pairs)} tests are not right", right=1 - untrue / len(pairs))
    rejected = sum(_returned_values(runner.run(program, inputs), len(inputs)) != expected for program in task.data.wrong)
    share = rejected / len(task.data.wrong)
    return Score.exact(share == 1, f"{rejected} of {len(task.data.wrong)} wrong programs fail a test", right=1.0, found=share)


def mistakes(task: Task[Data], right: str) -> list[str]:
    pairs = value_of(right)
    (values, returned), *rest = pairs
    return [written(rest), written([(values, [returned, 0]), *rest]), "[]", written(pairs * task.data.most), written([pairs])]


def cost(task: Task[Data]) -> float:
    return float(len(task.data.reference) * len(task.data.wrong))


def _distinguishing_inputs(wrong: list[set[int]]) -> list[int]:
    """Few inputs that find all of them out: at each turn the one that finds most of those left."""
    known = list[int]()
    while wrong:
        best = max(sorted(set.union(*wrong)), key=lambda i: sum(i in refuted for refuted in wrong))
        wrong = [refuted for refuted in wrong if best not in refuted]
        known.append(best)
    return known


def _returned_values(result: RunResult, count: int) -> list[str]:
    answers = [result.answer(number) for number in range(count)]
    return [written(answer.value) if isinstance(answer, Returned) else "" for answer in answers]


environment = Environment(
    Knobs, Literal("a Python list of pairs (values, returned)"), generate, solve, verify, mistakes, cost,
    planted=True, version=6, answers="many", solutions=lambda task: [solve(task), written(value_of(solve(task))[::-1])],
    concept="For each step: what would somebody take it for, and which short list would show the difference in the end?",
    sandbox=Limits(seconds=1, memory_mb=128),
)  # fmt: skip
