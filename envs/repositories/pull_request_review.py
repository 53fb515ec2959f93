"""Review a pull request for a Python package: name exactly the changes that are wrong, and prove each with an input.

Judged by running: with a change reported as wrong, the package must give another report for the input than it does with that change put right.
"""

from textwrap import dedent, indent

from pydantic import Field

from rlgym import Config, Game, Rng, Score, knob
from rlgym.answers import Calls, Tool, ToolCalls
from rlgym.generators.programs.repositories import program
from rlgym.generators.repository import progress, tasks, world
from rlgym.generators.repository.components import Site
from rlgym.generators.repository.history import documented
from rlgym.generators.repository.layout import code_of, source_files
from rlgym.generators.repository.package import Package, faults_of, sample_package
from rlgym.generators.repository.tools import ListFiles, ReadFile, Run, Search, Submit
from rlgym.generators.repository.traces import Cases
from rlgym.generators.repository.variants import rewrite
from rlgym.generators.repository.world import CALL, LIMITS, Repository
from rlgym.sandbox import Returned, Runner


class Reject(Tool):
    """Reports that the change of this number is wrong, with lines for which the fault changes the report. A second report on it replaces the first."""

    change: int = Field(ge=1, le=99)
    lines: list[str] = Field(min_length=1, max_length=20)


TOOLS = ToolCalls((ListFiles, ReadFile, Search, Run, Reject, Submit))


class Knobs(Config):
    rules: int = knob(9, easy=4, hard=20, doc="rules of the package")
    linked: int = knob(5, easy=2, hard=11, doc="rules that use the calendar or earlier entries")
    stages: int = knob(5, easy=2, hard=11, doc="optional parts of reading and of the report")
    layout: str = knob("layers", easy="few", hard="deep", order=("few", "layers", "deep"), doc="how the code is split into files")
    changes: int = knob(7, easy=3, hard=16, doc="changes of the pull request")
    wrong: int = knob(2, easy=1, hard=5, doc="changes that are wrong")


class State(Repository):
    right: dict[str, str]  # the modules as they should be
    spoiled: dict[int, dict[str, str]]  # for each wrong change, the modules with this fault alone
    proofs: dict[int, list[str]]  # the oracle's inputs
    rejected: dict[int, list[str]] = {}


def start(rng: Rng, knobs: Knobs) -> State:
    while True:
        right = sample_package(rng, knobs.rules, knobs.linked, knobs.stages, knobs.layout)
        found = tasks.cases(rng.child("inputs"), right, 30, 5)
        faults = _sample_faults(rng, right, found, knobs.wrong)
        keys = [component.key for component in right.components if component.code and component.key not in faults]
        if faults and keys:
            break
    changed = rng.shuffled([*faults, *rng.sample(keys, min(len(keys), max(1, knobs.changes - knobs.wrong)))])
    head = right
    for package, _ in faults.values():
        [(site, option)] = package.chosen.items()
        head = head.with_fault(site, option)
    files = tasks.all_files(head, {}, right)
    new = {key for key in changed if right.component(key).layer == "rules" and rng.chance(0.5)}
    diffs = {key: _diff(rng, right, head, key, key in new, key in faults) for key in changed}
    listed = "\n\n".join(f"Change {k}: {_title(right, key, key in new)}\n{diffs[key]}" for k, key in enumerate(changed, 1))
    spoiled = dict[int, dict[str, str]]()
    proofs = dict[int, list[str]]()
    base = source_files(right)
    for key, (package, place) in faults.items():
        at = changed.index(key) + 1
        spoiled[at] = {path: text for path, text in source_files(package).items() if base[path] != text}
        proofs[at] = found.inputs[place]
    package_name, calls = right.theme.package, 8 + len(files) // 5 + 3 * len(faults)
    single = len(faults) == 1
    many = "One of the changes is" if single else f"{len(faults)} of the changes are"
    those = "it, and no other, with `reject`," if single else "exactly those with `reject`, each"
    alone = "" if single else " even if this is the only wrong change"
    shown = world.files_text(files, texts=knobs.layout == "few")
    text = (
        f"Review a pull request for the Python package {package_name}. The files are those after the pull request. The documents, the price list and "
        f"all code that no change touches are right. {many} wrong: the code does not do what the documents say. Report {those} with "
        f"input lines for which the report is wrong{alone}, and then call `submit`. The pull "
        f"request:\n\n{listed}\n\n{shown}\n\n{world.manual(TOOLS, calls)}"
    )
    return State(task=text, package=package_name, files=files, right=base, spoiled=spoiled, proofs=proofs, calls=calls)


def _sample_faults(rng: Rng, right: Package, found: Cases, count: int) -> dict[str, tuple[Package, int]]:
    """Components with a fault each: the package with that fault alone, and an input that shows it."""
    faults = dict[str, tuple[Package, int]]()
    for site, option in rng.shuffled(faults_of(right)):
        if len(faults) == count:
            break
        if site.component == "RULES" or site.component in faults or not right.component(site.component).code:
            continue
        wrong = right.with_fault(site, option)
        if failing := found.failing(wrong):
            faults[site.component] = (wrong, min(failing, key=lambda place: len(found.inputs[place])))
    return faults


def _title(package: Package, key: str, new: bool) -> str:
    return f"{'Add' if new else 'Rework'} {package.component(key).title}"


def _diff(rng: Rng, right: Package, head: Package, key: str, new: bool, wrong: bool) -> str:
    """The change of one function: new; the same in other words before it; or, where the change is right, with a fault before it."""
    after, before = code_of(head, head.component(key)), ""
    if not new:
        component = right.component(key)
        faults = [(Site(key, name), option) for name, options in component.sites.items() for option in list(options)[1:]]
        mended = faults and not wrong and rng.chance(0.5)
        before = _rewrite(code_of(right.with_fault(*rng.choice(faults)) if mended else right, component))
        before = documented(before, {key: "to be reworked"}) if before == after else before
    return "\n".join([f"    -{line}" for line in before.splitlines()] + [f"    +{line}" for line in after.splitlines()])


def _rewrite(code: str) -> str:
    return rewrite(code) if not code.startswith(" ") else indent(rewrite(dedent(code)), "    ")


def handle(state: State, call: Tool, runner: Runner) -> tuple[State, str] | None:
    if not isinstance(call, Reject):
        return None
    return state.model_copy(update={"rejected": {**state.rejected, call.change: call.lines}}), f"change {call.change} is reported as wrong"


def judge(state: State, runner: Runner) -> Score:
    if set(state.rejected) != set(state.spoiled):
        return Score.wrong("the changes that were reported are not exactly the wrong ones")
    calls = [(f"{state.package}:run", lines) for lines in state.rejected.values()]
    # The right code is the same for all reports, so it runs once.
    right = [*runner.run(program(state.right, CALL), calls).outputs, *[None] * len(calls)]
    shown = sum(_demonstrates(state, change, call, answer, runner) for change, call, answer in zip(state.rejected, calls, right))
    return Score.exact(shown == len(state.spoiled), f"{shown} of {len(state.spoiled)} inputs show their fault")


def _demonstrates(state: State, change: int, call: tuple[str, list[str]], right: object, runner: Runner) -> bool:
    """Whether the right package reads the lines, and gives another report than with the fault."""
    wrong = runner.run(program(state.right | state.spoiled[change], CALL), [call]).answer()
    return isinstance(right, Returned) and (not isinstance(wrong, Returned) or right.value != wrong.value)


def best(state: State) -> Calls:
    missing = [change for change in state.proofs if change not in state.rejected]
    return tuple(Reject(change=change, lines=state.proofs[change]) for change in missing) or (Submit(),)


def mistakes(state: State) -> list[Calls]:
    """Players who report nothing, everything, the right changes with lines that show nothing, or all but one."""
    proofs = list(state.proofs.items())
    blank = ["1;anna;" + state.proofs[proofs[0][0]][0].split(";")[2] + ";0;"]
    every = tuple(Reject(change=change, lines=proofs[0][1]) for change in range(1, TOOLS.max_calls))
    return [
        (Submit(),), (*every, Submit()), (*(Reject(change=change, lines=blank) for change, _ in proofs), Submit()),
        (*(Reject(change=change, lines=lines) for change, lines in proofs[1:]), Submit()),
    ]  # fmt: skip


def milestones(state: State) -> dict[str, float]:
    """The share of the wrong changes that are reported; a report on a right change cannot be taken back."""
    return {"reported": 0.0 if state.rejected.keys() - state.spoiled.keys() else len(state.rejected) / len(state.spoiled)}


def cost(state: State) -> float:
    return float(sum(map(len, state.files.values())) * len(state.proofs))


environment = Game(
    Knobs, TOOLS, start, world.show, world.make_act(progress.with_parts(judge, milestones), handle), world.outcome, best, mistakes, cost, world.turns,
    explain=lambda state: ["Each wrong change is reported with lines that show its fault.", TOOLS.render(best(state))],
    milestones=milestones, planted=True, sandbox=LIMITS, version=5,
    no_rules="What a report must show is part of the goal.",
    concept="Compare each change with its sentence in the documents, and build lines at the limit where the two differ.",
)  # fmt: skip
