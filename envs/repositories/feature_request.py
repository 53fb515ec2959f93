"""Implement a feature of a Python package that an issue asks for, in its place among the rules that there are.

The issue describes what is wanted in words and gives one example. What a new rule needs of the book and the calendar may not be there yet.
"""

from rlgym import Config, Game, Rng, knob
from rlgym.answers import Calls
from rlgym.generators.repository import progress, tasks, world
from rlgym.generators.repository.components import Component, Site
from rlgym.generators.repository.layout import helper_line
from rlgym.generators.repository.package import Package, sample_package
from rlgym.generators.repository.tools import TOOLS
from rlgym.generators.repository.traces import Cases
from rlgym.generators.repository.world import LIMITS, Repository, write_solution


class Knobs(Config):
    rules: int = knob(8, easy=3, hard=18, doc="rules of the package, the wanted ones included")
    linked: int = knob(4, easy=1, hard=10, doc="rules that use the calendar or earlier entries")
    stages: int = knob(6, easy=2, hard=11, doc="optional parts of reading and of the report")
    layout: str = knob("layers", easy="few", hard="deep", order=("few", "layers", "deep"), doc="how the code is split into files")
    features: int = knob(2, easy=1, hard=5, doc="features that are wanted")
    tests: int = knob(4, easy=2, hard=9, doc="tests of the repository")


def start(rng: Rng, knobs: Knobs) -> Repository:
    while True:
        right = sample_package(rng, knobs.rules, knobs.linked, knobs.stages, knobs.layout)
        wanted = _sample_features(rng, right, knobs.features)
        found = tasks.cases(rng.child("inputs"), right, 40, 5 + knobs.rules // 4, wanted)
        before = right.without([component.key for component in wanted])
        if common := _lacking(found, [before, *(right.without([component.key]) for component in wanted)]):
            break
    package, place = right.theme.package, min(common, key=lambda at: len(found.inputs[at]))
    # Tests that hold before and after.
    unchanged = tasks.own_tests(rng, tasks.cases(rng.child("tests"), before, 40, 3), right, knobs.tests)
    tests = unchanged or tasks.own_tests(rng, found, right, 1)
    files = tasks.all_files(before, tests)
    calls = 8 + len(files) // 4 + 4 * knobs.features
    shown = world.files_text(files, texts=knobs.layout == "few")
    text = (
        f"The Python package {package} lacks {'a feature' if knobs.features == 1 else 'features'} that an issue asks for. Implement what it describes, "
        f"and leave everything else as it is.\n\nThe issue:\n\n{_render_issue(right, before, wanted)}\n\nFor example, the report for these lines\n\n"
        f"{tasks.indented(found.inputs[place])}\n\nshould then be\n\n{tasks.indented(found.right[place])}\n\nHidden tests call {package}.run with other "
        f"lines. {shown}\n\n{world.manual(TOOLS, calls)}"
    )
    sites = [Site(component.key, name) for component in wanted for name in component.sites]
    return Repository(
        task=text, package=package, files=files, solution=tasks.kept(files, tasks.all_files(right, tests)),
        tests=tasks.hidden_tests(rng, found, tasks.near_faults(right, sites, 10, rng)),
        commits=tasks.commits_of(tasks.growth(rng, before, tests, knobs.rules // 3), files), calls=calls, reported=tuple(found.inputs[place]),
    )  # fmt: skip


def _sample_features(rng: Rng, package: Package, count: int) -> list[Component]:
    """Rules, and one part of reading and of the report each where more than two features are wanted, in the order of the package."""
    rules = package.layer("rules")
    chosen = {component.key for component in rng.sample(rules, min(len(rules) - 1, count if count < 3 else count - 2))}
    if count > 2:
        parts = [component for component in package.layer("reading") if component.key != "by_day"]
        # The tax, the points and the sum would change every test that there is.
        reports = [component for component in package.layer("reports") if component.key in ("ranked", "is_listed")]
        chosen |= {rng.choice(layer).key for layer in (parts, reports) if layer}
    return [component for component in package.components if component.key in chosen]


def _lacking(found: Cases, packages: list[Package]) -> list[int]:
    """The inputs for which each of these packages gives another report."""
    changed, places = [found.changed(package) for package in packages], list[int]()
    for place in range(len(found.inputs)):
        # Packages that made no difference before are asked first, since they are likely to make none again.
        same = next((at for at, package in enumerate(changed) if not package.fails(place)), None)
        if same is None:
            places.append(place)
        else:
            changed.insert(0, changed.pop(same))
    return places


def _render_issue(right: Package, before: Package, wanted: list[Component]) -> str:
    """The wanted components in the words of the documents, each rule with its place."""
    rules, keys = right.layer("rules"), {component.key for component in wanted}
    helpers = [component for component in right.components if component not in before.components and component.key not in keys]
    lines = []
    for component in wanted:
        place = ""
        if component.layer == "rules":
            at = rules.index(component)
            place = (
                f" This rule, `{component.key}`, is applied directly after `{rules[at - 1].key}`."
                if at
                else f" This rule, `{component.key}`, is applied first."
            )
        lines.append(f"- {component.words}{place}")
    if helpers:
        needed = "this helper is" if len(helpers) == 1 else "these helpers are"
        lines += [f"For this, {needed} needed:", *[f"- {helper_line(right, component)}" for component in helpers]]
    return "We need the following:\n" + "\n".join(lines)


def mistakes(state: Repository) -> list[Calls]:
    return world.shortcuts(state)


def cost(state: Repository) -> float:
    return float(sum(map(len, state.files.values())) * len(state.solution))


environment = Game(
    Knobs, TOOLS, start, world.show, progress.make_act(world.judged_by_tests), world.outcome, write_solution, mistakes, cost, world.turns,
    explain=world.make_explain(TOOLS, write_solution), milestones=progress.of_repair, planted=True, sandbox=LIMITS, version=4,
    no_rules="The features are the goal, and nothing else is asked for.",
    concept="Find an existing rule or part of the same kind, write the new one after its model, and put it in the place that the issue names.",
)  # fmt: skip
