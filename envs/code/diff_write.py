"""Repair a file by a unified diff of few lines, which must fit it exactly; hidden tests call what comes of it.

The file's steps can be drawn in more than 425,000 ways for four of them and an ending, their numbers and faults aside.
"""

from rlgym import Audit, Environment, Limits, Rng, Score, Task, TaskData, knob
from rlgym.answers import Code
from rlgym.generators.programs import patches, pipelines, suites
from rlgym.generators.programs.pipeline_steps import Step
from rlgym.sandbox import Runner
from rlgym.sandbox.grading import score_program

FILES = ("report.py", "ledger.py", "tides.py", "parcels.py", "scores.py", "stock.py")
SPARE = 4  # lines that a diff may change beyond those that must change


class Knobs(pipelines.Knobs):
    steps: int = knob(4, easy=2, hard=9, doc="functions besides the ending")
    faults: int = knob(2, easy=1, hard=5, doc="functions that are wrong")
    description: str = knob("which", easy="which", hard="example", order=("which", "example"), doc="how the wrong functions are described")


class Data(TaskData):
    path: str
    before: str
    after: str
    other: str
    budget: int
    wrong: tuple[str, ...]  # files that are not right either
    tests: tuple[suites.Test, ...]


def generate(rng: Rng, knobs: Knobs) -> Task[Data]:
    drawn = pipelines.sample(rng, knobs)
    good = [step.code for step in drawn.steps]
    while True:
        places, codes, wrong = pipelines.faulty(rng, drawn.steps, knobs.faults)
        failing = [arguments for arguments in drawn.few if not suites.agree(drawn.right, wrong, arguments)]
        if failing:
            break
    path, before, after = rng.choice(FILES), file(drawn.steps, codes), file(drawn.steps, good)
    other = file(drawn.steps, [step.other if i in places else step.code for i, step in enumerate(drawn.steps)])
    budget = patches.changes(patches.write(path, before, after)) + SPARE
    shown = drawn.example(rng.choice(failing))
    names = ", ".join(f"step_{i + 1}" for i in places)
    location = f"in {names}" if knobs.description == "which" else "everywhere"
    call = f"solve{shown[0].replace(',)', ')')} should return {shown[1]}, and does not"
    prompt = (
        f"This is the file {path}, whose line 1 is 'def step_1(values):'.\n\n{before}\n\nIts function solve takes {pipelines.RANGE}. The docstrings are right, "
        f"but the code does not do what they say {location}. For example, {call}.\n\nGive a unified diff that repairs the file. Its first two lines are "
        f"'--- a/{path}' and '+++ b/{path}'; the hunks follow in the order of the file. Each has a header like '@@ -12,5 +12,6 @@' with the right line "
        "numbers and counts (a count of 1 may be left out; with a count of 0, the number is that of the line before), then lines "
        "that begin with a space (context), - (removed) or + (added). Context and removed lines must match the file exactly; a hunk may have any number of "
        f"context lines, or none. All hunks together may have at most {budget} lines that begin with - or +. Hidden tests call solve."
    )
    nears = [(i, code) for i, step in enumerate(drawn.steps) for code, _ in step.near]
    others = [file(drawn.steps, [*good[:i], code, *good[i + 1 :]]) for i, code in nears]
    data = Data(path=path, before=before, after=after, other=other, budget=budget, wrong=tuple(others), tests=(shown, *drawn.tests(wrong)))
    return Task(prompt, data)


def solve(task: Task[Data]) -> str:
    return patches.write(task.data.path, task.data.before, task.data.after)


def solutions(task: Task[Data]) -> list[str]:
    path, before = task.data.path, task.data.before
    diffs = [
        patches.write(path, before, after, context) for after, context in ((task.data.after, 1), (task.data.after, 0), (task.data.other, 2))
    ]
    return [diff for diff in diffs if patches.changes(diff) <= task.data.budget]


def verify(task: Task[Data], answer: str, runner: Runner) -> Score:
    try:
        after = patches.apply(task.data.before, patches.read(answer, task.data.path))
    except patches.Refused as why:
        return Score.wrong(str(why))
    if patches.changes(answer) > task.data.budget:
        return Score.wrong(f"the diff changes {patches.changes(answer)} lines, of which at most {task.data.budget} are allowed")
    return score_program(runner, after, task.data.tests, shown=1)


def mistakes(task: Task[Data], right: str) -> list[str]:
    path, lines = task.data.path, right.split("\n")
    moved = right.replace("@@ -", "@@ -1", 1)
    whole = [f"@@ -1,{task.data.before.count(chr(10)) + 1} +1,{task.data.after.count(chr(10)) + 1} @@"]
    whole += [f"-{line}" for line in task.data.before.split("\n")] + [f"+{line}" for line in task.data.after.split("\n")]
    unread = [patches.write(path, task.data.before, wrong) for wrong in task.data.wrong[:2]]
    return [task.data.after, "\n".join(lines[2:]), moved, "\n".join([*lines[:2], *whole]), *[diff for diff in unread if diff]]


def cost(task: Task[Data]) -> float:
    return float(task.data.budget * len(task.data.before))


def audit(task: Task[Data], runner: Runner) -> Audit:
    inputs = pipelines.inputs(Rng("audit", task.data.before), 150)
    audited = suites.audited(runner, task.data.after, inputs, bank=task.data.wrong, most=0)
    diffs = [patches.write(task.data.path, task.data.before, wrong) for wrong in audited.wrong if wrong != task.data.before]
    return Audit(tuple(diff for diff in diffs if patches.changes(diff) <= task.data.budget), (solve(task), *solutions(task)))


def file(steps: tuple[Step, ...], codes: list[str]) -> str:
    """The text of the file, a function for each step, with what it should do."""
    parts = [
        f'def step_{i}(values):\n    """{step.words[0].upper()}{step.words[1:]}."""\n{pipelines.inner(code)}\n'
        for i, (step, code) in enumerate(zip(steps, codes, strict=True), 1)
    ]
    calls = "\n".join(f"    values = step_{i}(values)" for i in range(1, len(steps) + 1))
    return "\n\n".join([*parts, f"def solve(values):\n{calls}\n    return values"])


environment = Environment(
    Knobs, Code("the unified diff", language="diff"), generate, solve, verify, mistakes, cost,
    planted=True, version=8, answers="many", solutions=solutions,
    concept="Find the lines that are wrong and their numbers in the file, then count the lines of each hunk on both sides.",
    sandbox=Limits(seconds=1, memory_mb=128), audit=audit,
)  # fmt: skip
