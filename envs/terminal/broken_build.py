"""Repair a broken build in a shell until it makes what it should, without touching the build tools.

Faults hide behind each other: the build stops at the first one, and some only make the result wrong.
"""

from collections.abc import Callable, Mapping

from rlgym import Config, Game, Rng, Score, knob
from rlgym.answers import Calls
from rlgym.generators.terminal import builds, trees, world
from rlgym.generators.terminal.builds import Fault
from rlgym.generators.terminal.world import LIMITS, TOOLS, Step, Terminal, act, commands, make_policy, shortcuts, show

BUILD, STAMP = "sh build.sh", "tools/stamp.sh"
REASONS = {
    "include": "The part that {path} includes has another name; the use is repaired.",
    "variable": "The variable that {path} uses is spelled in another way in variables.env; the use is repaired.",
    "ending": "{path} has lines that end in CR LF.",
    "listed": "A page is missing from {path}, which the build does not notice.",
    "mode": "{path} is run as a program and has lost the mode of one.",
    "number": "The second item of {path} has a wrong number.",
    "value": "A line of {path} has lost its equals sign.",
}


class Knobs(Config):
    pages: int = knob(5, easy=2, hard=9, doc="source files")
    faults: int = knob(3, easy=1, hard=7, doc="faults")
    kinds: int = knob(5, easy=2, hard=7, doc="kinds of faults, plain ones first")


class State(Terminal):
    faults: tuple[Fault, ...]


def start(rng: Rng, knobs: Knobs) -> State:
    project = builds.project(rng, knobs.pages)
    faults = builds.faults(rng, project, knobs.faults, knobs.kinds)
    files = builds.insert_faults(project, faults)
    changed = [path for path in files if files[path] != project[path]]
    before = trees.tree(files)
    stopped = any(fault.kind == "mode" for fault in faults)
    before[STAMP] = before[STAMP]._replace(mode=0o644 if stopped else 0o755)
    expected = {path: trees.entry(project[path]) for path in changed}
    expected |= {path: trees.entry(text) for path, text in builds.results(project).items()}
    if stopped:
        expected[STAMP] = before[STAMP]._replace(mode=0o755)
    return State(task=_task(), before=before, files=before, expected={**expected}, faults=faults)


def outcome(state: State) -> Score | None:
    return trees.score_of_state(state)


def plan(state: State, without: str = "") -> list[Step]:
    looks = Step(
        f"cat README.md build.sh variables.env sources.txt; ls -l src parts tools; {BUILD}", "First read how the build works, and run it."
    )
    steps = []
    for fault in state.faults:
        if fault.kind != without:
            why = REASONS[fault.kind].format(path=fault.path)
            steps.append(Step(f"cat {fault.path} | od -c | head -n 4; {_repair(fault)}", why))
    return [looks, *steps, Step(f"{BUILD}; ls src out; cat out/*", "Now the build must go through, and make every page.")]


def _repair(fault: Fault) -> str:
    match fault.kind:
        case "ending":
            return f"sed -i 's/\\r$//' {fault.path}"
        case "mode":
            return f"chmod 755 {fault.path}"
        case "listed":
            return f"echo {fault.right.strip()} >> {fault.path}; sort -o {fault.path} {fault.path}"
        case "number":
            return f"sed -i '0,/^3[.] /s//2. /' {fault.path}"
    return f"sed -i 's/{fault.wrong.rstrip()}/{fault.right.rstrip()}/' {fault.path}"


def rules(first: State) -> Mapping[str, Callable[[State], Calls]]:
    kinds = [fault.kind for fault in first.faults]
    found = {"built": commands(plan(first))[:-1]}
    if "listed" in kinds:
        found["all_pages"] = commands(plan(first, "listed"))
    if "include" in kinds:
        found["repair_the_use"] = _copy_instead_of_repair(first)
    return {rule: make_policy(skipped) for rule, skipped in found.items()}


def _copy_instead_of_repair(state: State) -> list[str]:
    """Copies a part to the name that a page uses, instead of repairing the page."""
    right, wrong = next((fault.right.split()[1], fault.wrong.split()[1]) for fault in state.faults if fault.kind == "include")
    first, *rest = commands(plan(state, "include"))
    return [first, f"cp parts/{right}.part parts/{wrong}.part", *rest]


def mistakes(state: State) -> list[Calls]:
    # Makes the build go on after errors, repairs all but the last fault, or deletes what fails.
    ignored = f"sed -i 's/^set -e//' build.sh; {BUILD}"
    *_, last = state.faults
    partly = commands(plan(state, last.kind))
    removed = [f"rm {last.path}; {BUILD}"]
    return shortcuts(state, [[ignored], partly, removed])


def cost(state: State) -> float:
    return float(len(state.before) * len(state.faults))


def _task() -> str:
    return (
        f"The build of the site in /work is broken: `{BUILD}` stops with an error, or makes a wrong or incomplete result. README.md says how the "
        "site is built. "
        "Repair the sources and settings as README.md says, do not edit the text of build.sh or of the files in tools, and change only what is "
        f"wrong. Then run `{BUILD}`, so "
        "that /work/out holds the right result."
    )


environment = Game(
    Knobs, TOOLS, start, show, act, outcome,
    best=world.best(plan), mistakes=mistakes, cost=cost, turns=world.turns(plan), explain=world.explain(plan),
    concept="Run the build, repair the fault that it names, and run it again; then compare the result with what the description promises.",
    rules=rules, milestones=world.milestones(outcome), sandbox=LIMITS, planted=True,
    version=4,
)  # fmt: skip
