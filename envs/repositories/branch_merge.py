"""Merge two branches of a Python package whose changes do not fit, also where the text shows no conflict.

One branch changes how helpers are called and adapts all their callers; the other adds rules that call them in the old way. Where both touched
the same lines, the files hold conflict markers.
"""

from dataclasses import replace

from rlgym import Config, Game, Rng, Score, knob
from rlgym.answers import Calls
from rlgym.generators.repository import merging, progress, tasks, world
from rlgym.generators.repository.components import Component, Site, one_of
from rlgym.generators.repository.helpers import STYLES
from rlgym.generators.repository.layout import helper_line
from rlgym.generators.repository.package import LIBRARY, Package, sample_package
from rlgym.generators.repository.tools import TOOLS, WriteFile
from rlgym.generators.repository.world import LIMITS, Repository, write_solution
from rlgym.sandbox import Runner


class Knobs(Config):
    rules: int = knob(10, easy=5, hard=20, doc="rules of the package after the merge")
    linked: int = knob(5, easy=2, hard=11, doc="rules that use the calendar or earlier entries")
    stages: int = knob(5, easy=2, hard=11, doc="optional parts of reading and of the report")
    layout: str = knob("layers", easy="few", hard="deep", order=("few", "layers", "deep"), doc="how the code is split into files")
    helpers: int = knob(2, easy=1, hard=3, doc="helpers that our branch calls in another way, at most")
    added: int = knob(2, easy=1, hard=4, doc="rules that the other branch adds")
    rounding: int = knob(0, easy=0, hard=1, doc="1 where the other branch rounds percentages in another way")
    tests: int = knob(4, easy=2, hard=8, doc="tests of the repository")


def start(rng: Rng, knobs: Knobs) -> Repository:
    while True:
        drawn = sample_package(rng, knobs.rules, knobs.linked, knobs.stages, knobs.layout)
        callers = [rule for rule in drawn.layer("rules") if set(rule.needs) & set(LIBRARY)]
        if len(callers) <= knobs.added:
            continue
        theirs_new = rng.sample(callers, knobs.added)
        ours_new = rng.sample([rule for rule in drawn.layer("rules") if rule not in theirs_new], 1)
        base = drawn.without([rule.key for rule in (*theirs_new, *ours_new)])
        used = [name for name in LIBRARY if any(name in component.needs for component in base.components)]
        used = [name for name in used if any(name in rule.needs for rule in theirs_new)]
        if used:
            break
    styles = {name: rng.choice(STYLES[name][1:]) for name in rng.sample(used, min(len(used), knobs.helpers))}
    ours = replace(drawn.without([rule.key for rule in theirs_new]), styles=styles)
    theirs = (
        _with_rounding_option(rng, drawn.without([rule.key for rule in ours_new]))
        if knobs.rounding
        else drawn.without([rule.key for rule in ours_new])
    )
    percent = theirs.component("percent")
    right = replace(drawn, styles=styles, components=tuple(percent if each.key == "percent" else each for each in drawn.components))
    found = tasks.cases(rng.child("inputs"), right, 30, 5 + knobs.rules // 4, theirs_new)
    tests = tasks.own_tests(rng, tasks.cases(rng.child("tests"), right, 30, 4), base, knobs.tests)
    files = merging.merged_files(*(tasks.all_files(side, tests) for side in (base, ours, theirs)))
    mended = tasks.all_files(right, tests)
    package, calls = right.theme.package, 10 + len(files) // 4 + 2 * knobs.added + 2 * knobs.helpers
    shown = world.files_text(files, texts=knobs.layout == "few")
    text = (
        f"Two branches of the Python package {package} were merged, and the result does not work. Finish the merge: the package must have the changes of both "
        f"branches, and no conflict marker may be left in any file.\n\n{_render_changes(ours, theirs, styles, ours_new, theirs_new, bool(knobs.rounding))}\n\n"
        f"The order of the rules after the merge is {', '.join(rule.key for rule in right.layer('rules'))}.\n\nHidden tests call {package}.run with other "
        f"lines than the tests of the repository. {shown}\n\n{world.manual(TOOLS, calls)}"
    )
    near = [
        replace(right, chosen={Site(rule.key, name): STYLES[name][0]})
        for rule in theirs_new for name in styles if name in rule.needs
    ]  # fmt: skip
    stages = [("Before the branches", tasks.all_files(base, tests)), ("Ours", tasks.all_files(ours, tests)), ("Merge, not finished", files)]
    return Repository(
        task=text, package=package, files=files, solution=tasks.kept(files, mended), calls=calls, commits=tasks.commits_of(stages, files),
        tests=tasks.hidden_tests(rng, found, [*near, *tasks.near_faults(right, [], 8, rng)]),
    )  # fmt: skip


def _with_rounding_option(rng: Rng, package: Package) -> Package:
    """The package with another rounding of percentages."""
    percent = package.component("percent")
    half = rng.choice(list(percent.sites["half"])[1:])
    changed = replace(percent, sites={"half": one_of(percent.sites["half"], half)})
    return replace(package, components=tuple(changed if component is percent else component for component in package.components))


def _render_changes(
    ours: Package, theirs: Package, styles: dict[str, str], ours_new: list[Component], theirs_new: list[Component], rounding: bool
) -> str:
    """What each branch did, in words."""
    mine = [f"- {helper_line(ours, ours.component(name))}" for name in styles]
    half = next(iter(theirs.component("percent").sites["half"]))
    rounded = {"half": "to the nearest cent, halves up", "down": "down", "up": "up"}[half]
    also = [f"- Percentages are now rounded {rounded}, everywhere."] if rounding else []
    return "\n".join([
        "Our branch changed the helpers and all calls that it had, and added a rule:", *mine, *[f"- {rule.key}: {rule.words}" for rule in ours_new],
        "The other branch has these additions and "
        "changes:" if also else f"The other branch has {'this addition' if len(theirs_new) == 1 else 'these additions'}:",
        *[f"- {rule.key}: {rule.words}" for rule in theirs_new], *also,
    ])  # fmt: skip


def judge(state: Repository, runner: Runner) -> Score:
    score = world.judged_by_tests(state, runner)
    return Score.wrong("conflict markers are left", **score.parts) if score.value and merging.has_markers(state.files) else score


def mistakes(state: Repository) -> list[Calls]:
    """Players who also take one side of every conflict."""
    ours = {path: _side(text) for path, text in state.files.items() if merging.has_markers({path: text})}
    return world.shortcuts(
        state,
        tuple(WriteFile(path=path, text=text) for path, text in list(ours.items())[:4]) or (WriteFile(path="NOTES.md", text="merged"),),
    )


def _side(text: str) -> str:
    kept, inside = list[str](), ""
    for line in text.splitlines(keepends=True):
        inside = {merging.OURS: "ours", merging.MIDDLE: "theirs"}.get(line.strip(), "" if line.strip() == merging.THEIRS else inside)
        if line.strip() not in (merging.OURS, merging.MIDDLE, merging.THEIRS) and inside != "theirs":
            kept.append(line)
    return "".join(kept)


def cost(state: Repository) -> float:
    return float(sum(map(len, state.files.values())) * len(state.solution))


environment = Game(
    Knobs, TOOLS, start, world.show, progress.make_act(judge), world.outcome, write_solution, mistakes, cost, world.turns,
    explain=world.make_explain(TOOLS, write_solution), milestones=progress.of_repair, planted=True, sandbox=LIMITS, version=4,
    no_rules="The changes of both branches are the goal, and nothing else is asked for.",
    concept="For each change of one branch, look for what the other branch wrote without knowing of it.",
)  # fmt: skip
