"""Resolve a merge conflict so that the changes of both sides are kept; hidden tests and the names decide.

Four statements and an ending stand in one of 1,875 orders of kinds, and two lines changed by both in 600 pairs of places; numbers aside, and what is
added, renamed, swapped and set apart.
"""

from rlgym import Audit, Config, Environment, Limits, Rng, Score, Task, TaskData, knob
from rlgym.answers import Code
from rlgym.generators.programs import merges, pipelines, suites
from rlgym.generators.programs.three_way_merge import three_way_merge
from rlgym.generators.text.english import join_words
from rlgym.sandbox import Runner
from rlgym.sandbox.grading import score_program

CHANGES = {
    "number": "changed numbers",
    "add": "added statements",
    "rename": "the new name of the parameter (also in statements that the other side wrote)",
    "swap": "statements that changed places",
    "apart": "the new function into which a statement was extracted",
}


class Knobs(Config):
    statements: int = knob(4, easy=3, hard=8, doc="statements before the one that returns something")
    both: int = knob(2, easy=1, hard=5, doc="lines that both sides change")
    more: int = knob(2, easy=0, hard=4, doc="further kinds of changes: lines added, a name changed, a function set apart, lines swapped")
    description: str = knob(
        "changes", easy="changes", hard="nothing", order=("changes", "nothing"), doc="whether the changes are described in words"
    )


class Data(TaskData):
    marked: str
    merged: str
    name: str
    helper: str
    wrong: tuple[str, ...]
    tests: tuple[suites.Test, ...]


def generate(rng: Rng, knobs: Knobs) -> Task[Data]:
    inputs = pipelines.inputs(rng.child("inputs"), 200)
    while True:
        base, ours, theirs = merges.sample(rng, knobs.statements, knobs.both, knobs.more)
        merged = merges.apply_edits(base, [*ours, *theirs])
        right, near = merges.meaning(merged), merges.near_miss_files(base, ours, theirs)
        distinguishing = [
            suites.differs(right, merges.meaning(variant), inputs[:60]) or merges.unkept(merges.text(variant), merged) for variant in near
        ]
        # Adding lines in the wrong order may change nothing; losing an edit always does.
        if all(distinguishing[:2] + distinguishing[3:]) and len({repr(right(*input_)) for input_ in inputs[:60]}) >= 15:
            break
    marked = merges.conflict(*(merges.text(merges.apply_edits(base, edits)) for edits in ([], ours, theirs)))
    words = f" Ours: {merges.phrase(base, ours)}. Theirs: {merges.phrase(base, theirs)}." if knobs.description == "changes" else ""
    kinds = {edit.what for edit in (*ours, *theirs)}
    changes = join_words([words for kind, words in CHANGES.items() if kind in kinds])
    order = " Both sides added a statement at the same place: ours comes first." if "add" in kinds else ""
    prompt = (
        f"Two branches, ours and theirs, started from the same base and changed the same file. This is what git merge left:\n\n{marked}\n\nResolve "
        f"the conflict and give the whole file. Keep every change that either side made to the base: {changes}. What neither side changed "
        f"stays.{order}{words} The function solve takes {pipelines.RANGE}. Hidden tests call it."
    )
    data = Data(
        marked=marked,
        merged=merges.text(merged),
        name=merged.name,
        helper=merged.helper,
        wrong=tuple(merges.text(variant) for variant, tells in zip(near, distinguishing, strict=True) if tells),
        tests=tuple(suites.choose_tests(right, [merges.meaning(variant) for variant in near], inputs, least=60, most=90)),
    )
    return Task(prompt, data)


def solve(task: Task[Data]) -> str:
    return task.data.merged


def solutions(task: Task[Data]) -> list[str]:
    head = f"def solve({task.data.name}):\n"
    merged = three_way_merge(task.data.marked)
    return [merged, merged.replace(head, f"{head}    {task.data.name} = list({task.data.name})\n")]


def verify(task: Task[Data], answer: str, runner: Runner) -> Score:
    try:
        unkept = merges.unkept(answer, merges.File((), task.data.name, helper=task.data.helper))
    except (SyntaxError, ValueError, RecursionError, MemoryError) as error:
        return Score.wrong(f"that is no Python program: {type(error).__name__}")
    return Score.wrong(unkept) if unkept else score_program(runner, answer, task.data.tests)


def mistakes(task: Task[Data], right: str) -> list[str]:
    return [task.data.marked, *task.data.wrong[:5]]


def cost(task: Task[Data]) -> float:
    return float(len(task.data.marked) * len(task.data.wrong))


def audit(task: Task[Data], runner: Runner) -> Audit:
    inputs = pipelines.inputs(Rng("audit", task.data.marked), 150)
    return suites.audited(runner, task.data.merged, inputs, bank=task.data.wrong, equal=solutions(task), most=8)


environment = Environment(
    Knobs, Code("the whole Python file, merged"), generate, solve, verify, mistakes, cost,
    planted=True, answers="many", solutions=solutions,
    concept="Compare each side with the base to see what it changed, and then make both changes to the base.",
    sandbox=Limits(seconds=1, memory_mb=128), audit=audit, version=4, prompt_solver=three_way_merge,
)  # fmt: skip
