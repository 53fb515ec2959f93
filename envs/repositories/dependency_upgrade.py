"""Adapt a Python package to a new version of a library, by the library's changes.

Some changes stop the package with an error, others only change what it computes. The list of changes goes over several versions, and a later one may
supersede what an earlier one brought.
"""

from dataclasses import replace

from rlgym import Config, Game, Rng, Score, knob
from rlgym.answers import Calls
from rlgym.generators.repository import progress, tasks, world
from rlgym.generators.repository.components import Site
from rlgym.generators.repository.helpers import STYLES, helper_words
from rlgym.generators.repository.package import LIBRARY, Package, sample_package
from rlgym.generators.repository.tools import TOOLS, WriteFile
from rlgym.generators.repository.world import LIMITS, Repository, write_solution
from rlgym.sandbox import Runner

NAMES = "abacus calendula centime datum fathom ledgerlib rounding tallybook".split()


class Knobs(Config):
    rules: int = knob(8, easy=3, hard=20, doc="rules of the package")
    linked: int = knob(4, easy=1, hard=11, doc="rules that use the calendar or earlier entries")
    stages: int = knob(5, easy=2, hard=11, doc="optional parts of reading and of the report")
    layout: str = knob("layers", easy="few", hard="deep", order=("few", "layers", "deep"), doc="how the code is split into files")
    helpers: int = knob(2, easy=1, hard=3, doc="functions of the library that have changed, at most")
    versions: int = knob(2, easy=1, hard=4, doc="versions of the library since the one that the package was written for")
    tests: int = knob(3, easy=4, hard=2, doc="tests of the repository")


class State(Repository):
    library: dict[str, str]  # files that stay as they are


def start(rng: Rng, knobs: Knobs) -> State:
    while True:
        drawn = sample_package(rng, knobs.rules, knobs.linked, knobs.stages, knobs.layout)
        names = [key for key in LIBRARY if any(key in component.needs for component in drawn.components)]
        changed = rng.sample(names, min(len(names), knobs.helpers))
        histories = {name: _history(rng, name, knobs.versions) for name in changed}
        if changed:
            break
    library = rng.choice(NAMES)
    right = replace(drawn, library=library, styles={name: history[-1] for name, history in histories.items()})
    callers = [(component.key, name) for component in right.components for name in changed if name in component.needs]
    old = {Site(key, name): histories[name][0] for key, name in callers}
    found = tasks.cases(rng.child("inputs"), right, 30, 5 + knobs.rules // 4)
    tests = tasks.own_tests(rng, found, right, knobs.tests)
    page = {f"vendor/{library}.md": _page(rng, right, histories)}
    mended = {**tasks.all_files(right, tests), **page}
    files = {**tasks.all_files(replace(right, chosen=old), tests, right), **page}
    calls, package = 8 + len(files) // 4 + 2 * len(callers), right.theme.package
    shown = world.files_text(files, texts=knobs.layout == "few")
    text = (
        f"The library vendor/{library} was replaced by version {len(histories[changed[0]])}.0, but the Python package {package} is still written for "
        f"version 1.0. Adapt the package, so that it does again what its documents say. vendor/{library}.md lists the changes. Leave the folder vendor as "
        f"it is: its files are restored before the work is judged.\n\nHidden tests call {package}.run with other lines than the tests of the repository. "
        f"{shown}\n\n{world.manual(TOOLS, calls)}"
    )
    near = [replace(right, chosen={site: style}) for site, style in old.items()]
    return State(
        task=text, package=package, files=files, solution=tasks.kept(files, mended), calls=calls,
        tests=tasks.hidden_tests(rng, found, [*near, *tasks.near_faults(right, [], 8, rng)]),
        library={path: content for path, content in files.items() if path.startswith("vendor/")},
    )  # fmt: skip


def _history(rng: Rng, name: str, versions: int) -> list[str]:
    """The style of a function in each version; the last one is not the first."""
    first, *others = STYLES[name]
    return [first, *[rng.choice(STYLES[name]) for _ in range(versions - 1)], rng.choice(others)]


def _page(rng: Rng, package: Package, histories: dict[str, list[str]]) -> str:
    """The page of the library: its changes, the newest version first."""
    pieces = []
    versions = len(next(iter(histories.values())))
    for version in range(versions, 0, -1):
        lines = []
        for component in package.components:
            if component.key in histories:
                style, before = histories[component.key][version - 1], histories[component.key][max(0, version - 2)]
                if version == 1 or style != before:
                    name = component.key
                    gone = f" `{_name(name, before)}` is gone." if version > 1 and _name(name, before) != _name(name, style) else ""
                    lines.append(f"- {helper_words(component, style)}{gone}\n")
            elif component.key in LIBRARY and version == 1:
                lines.append(f"- {helper_words(component, STYLES[component.key][0])}\n")
        pieces.append(f"\n## Version {version}.0\n\n{''.join(rng.shuffled(lines)) or 'Internal changes only.' + chr(10)}")
    return (
        f"# {package.library}\n\nEach version lists what has changed since the one before; version 1.0 lists everything.\n{''.join(pieces)}"
    )


def _name(helper: str, style: str) -> str:
    return "rest" if (helper, style) == ("percent", "rest") else helper


def judge(state: State, runner: Runner) -> Score:
    return world.judged_by_tests(state.model_copy(update={"files": {**state.files, **state.library}}), runner)


def mistakes(state: State) -> list[Calls]:
    path = next(path for path in state.library if path.endswith(".py") and not path.endswith("__init__.py"))
    return world.shortcuts(state, (WriteFile(path=path, text="def percent(amount, share):\n    return amount * share // 100\n"),))


def cost(state: State) -> float:
    return float(sum(map(len, state.files.values())) * len(state.solution))


environment = Game(
    Knobs, TOOLS, start, world.show, progress.make_act(judge), world.outcome, write_solution, mistakes, cost, world.turns,
    explain=world.make_explain(TOOLS, write_solution), milestones=progress.of_repair, planted=True, sandbox=LIMITS, version=3,
    no_rules="The goal is all that is stated; that the library must not change is enforced by restoring it.",
    concept="Compare the newest description of each function with the first one, and search the package for every call of those that changed.",
)  # fmt: skip
