"""Fix faults of a Python package that mask each other: a helper departs from its description, and some of its callers make up for it.

The tests see only callers that make up for it, so mending the helper alone breaks them, and adapting one more caller to the wrong helper hides the
fault instead of removing it. Hidden tests call the helpers too.
"""

from dataclasses import replace

from rlgym import Config, Game, Rng, knob
from rlgym.answers import Calls
from rlgym.generators.repository import progress, tasks, world
from rlgym.generators.repository.components import Site
from rlgym.generators.repository.helpers import STYLES
from rlgym.generators.repository.package import Package, faults_of, sample_package
from rlgym.generators.repository.tools import TOOLS
from rlgym.generators.repository.traces import Cases
from rlgym.generators.repository.world import LIMITS, Repository, write_solution

WRONG = {"weekday": ("from 1", "sunday"), "month": ("from 0",), "percent": ("tenths",)}


class Knobs(Config):
    rules: int = knob(9, easy=5, hard=20, doc="rules of the package")
    linked: int = knob(5, easy=3, hard=12, doc="rules that use the calendar or earlier entries")
    stages: int = knob(4, easy=1, hard=10, doc="optional parts of reading and of the report")
    layout: str = knob("layers", easy="few", hard="deep", order=("few", "layers", "deep"), doc="how the code is split into files")
    helpers: int = knob(1, easy=1, hard=2, doc="helpers that depart from their description")
    plain: int = knob(1, easy=0, hard=2, doc="further faults, which nothing makes up for")
    tests: int = knob(4, easy=2, hard=9, doc="tests of the repository, which pass")


class State(Repository):
    masked: dict[str, str | None]  # the files in which only the helpers are mended


def start(rng: Rng, knobs: Knobs) -> State:
    while True:
        right = sample_package(rng, knobs.rules, knobs.linked, knobs.stages, knobs.layout)
        if (masked := _sample_masked_faults(rng, right, knobs.helpers)) is None:
            continue
        found = tasks.cases(rng.child("inputs"), right, 36, 5 + knobs.rules // 4)
        wrong = _sample_plain_faults(rng, masked, found, knobs.plain)
        helpers_only = replace(wrong, styles={}, chosen=_compensations(wrong))
        broken, failing = found.failing(helpers_only), found.failing(wrong)
        passing = [place for place in broken if place not in failing]
        if failing and passing and len(wrong.chosen) >= len(masked.chosen) + knobs.plain:
            break
    tests = tasks.own_tests(rng, found, wrong, knobs.tests, first=passing)
    files, mended = tasks.all_files(wrong, tests, right), tasks.all_files(right, tests)
    place = min(failing, key=lambda at: len(found.inputs[at]))
    calls, package = 12 + len(files) // 4 + 4 * knobs.helpers + 2 * knobs.plain, right.theme.package
    shown = world.files_text(files, texts=knobs.layout == "few")
    text = (
        f"All tests of the Python package {package} pass, but it does not do what its documents say. The documents and the price list are right, also about "
        f"what each helper returns. Make the code agree with them.\n\nThe issue:\n\n"
        f"{tasks.issue(rng, found.inputs[place], found.changed(wrong).rows(place), found.right[place], rng.choice(right.theme.people).capitalize())}\n\n"
        f"Hidden tests call {package}.run with other lines, and the helpers that the documents describe. {shown}\n\n"
        f"{world.manual(TOOLS, calls)}"
    )
    near = [*_half_fixed(wrong), *tasks.near_faults(right, list(wrong.chosen), 8, rng)]
    helpers = tuple(test for key in wrong.styles for test in tasks.helper_tests(right, key))
    return State(
        task=text, package=package, files=files, solution=tasks.kept(files, mended),
        tests=(*tasks.hidden_tests(rng, found, near), *helpers), calls=calls, reported=tuple(found.inputs[place]),
        commits=tasks.commits_of(tasks.growth(rng, wrong, tests, knobs.rules // 3, right), files),
        masked=tasks.kept(files, tasks.all_files(helpers_only, tests, right)),
    )  # fmt: skip


def _sample_masked_faults(rng: Rng, right: Package, count: int) -> Package | None:
    """The package with helpers in a wrong style: most rules call them in that style, one or two as the documents say."""
    wrong, helpers = right, list[str]()
    for name in rng.shuffled(list(WRONG)):
        callers = [rule.key for rule in right.layer("rules") if name in rule.needs]
        if len(callers) < 2 or len(helpers) == count:
            continue
        helpers.append(name)
        faithful = rng.sample(callers, 1 if len(callers) < 4 else 2)
        wrong = replace(wrong, styles={**wrong.styles, name: rng.choice(WRONG[name])})
        for key in faithful:
            wrong = wrong.with_fault(Site(key, name), STYLES[name][0])
    return wrong if len(helpers) == count else None


def _sample_plain_faults(rng: Rng, masked: Package, found: Cases, count: int) -> Package:
    """The package with further faults, each of which makes a difference."""
    wrong = masked
    for site, option in rng.shuffled([fault for fault in faults_of(masked) if fault[0].name not in STYLES]):
        if len(wrong.chosen) == len(masked.chosen) + count:
            break
        keys = {each.component for each in wrong.chosen} | set(wrong.styles)
        if site.component not in keys and len(found.changed(found.package.with_fault(site, option)).first_failing(range(20), 2)) == 2:
            wrong = wrong.with_fault(site, option)
    return wrong


def _compensations(wrong: Package) -> dict[Site, str]:
    """What is left of the faults when only the helpers are mended: callers that made up for them now go wrong."""
    left = {site: option for site, option in wrong.chosen.items() if site.name not in STYLES}
    for name, style in wrong.styles.items():
        callers = [rule.key for rule in wrong.components if name in rule.needs and Site(rule.key, name) not in wrong.chosen]
        left |= {Site(key, name): style for key in callers}
    return left


def _half_fixed(wrong: Package) -> list[Package]:
    """The packages that are left when one caller, or one fault, is overlooked."""
    overlooked = {**_compensations(wrong), **{site: option for site, option in wrong.chosen.items() if site.name not in STYLES}}
    return [replace(wrong, styles={}, chosen={site: option}) for site, option in overlooked.items()]


def mistakes(state: State) -> list[Calls]:
    return world.shortcuts(state, write_solution(state.model_copy(update={"solution": state.masked})))


def cost(state: State) -> float:
    return float(sum(map(len, state.files.values())) * len(state.solution))


environment = Game(
    Knobs, TOOLS, start, world.show, progress.make_act(world.judged_by_tests), world.outcome, write_solution, mistakes, cost, world.turns,
    explain=world.make_explain(TOOLS, write_solution), milestones=progress.of_repair, planted=True, sandbox=LIMITS, version=3,
    no_rules="The goal is all that is stated; that the documents are right is a hint.",
    concept="Test the helpers by themselves against their description, and after mending one look at every caller of it.",
)  # fmt: skip
