"""Fix a bug of a Python package that an issue reports, far from where it shows.

The issue gives an input, the wrong report and the right one. At high levels several faults act on that input, the tests of the repository miss
all of them, and the calls do not suffice to read every file.
"""

from dataclasses import replace

from rlgym import Config, Game, Rng, knob
from rlgym.answers import Calls
from rlgym.generators.repository import progress, tasks, world
from rlgym.generators.repository.package import Package, faults_of, sample_package
from rlgym.generators.repository.tools import TOOLS
from rlgym.generators.repository.traces import Cases
from rlgym.generators.repository.world import LIMITS, Repository, write_solution


class Knobs(Config):
    rules: int = knob(8, easy=3, hard=20, doc="rules of the package")
    linked: int = knob(4, easy=1, hard=11, doc="rules that use the calendar or earlier entries")
    stages: int = knob(5, easy=2, hard=11, doc="optional parts of reading and of the report")
    layout: str = knob("layers", easy="few", hard="deep", order=("few", "layers", "deep"), doc="how the code is split into files")
    faults: int = knob(2, easy=1, hard=3, doc="faults, all of which act on the input of the issue")
    where: str = knob("anywhere", easy="rules", hard="anywhere", order=("rules", "anywhere"), doc="layers with faults")
    tests: int = knob(4, easy=2, hard=9, doc="tests of the repository, which pass")


LAYERS = {"rules": ("rules",), "anywhere": ()}


def start(rng: Rng, knobs: Knobs) -> Repository:
    while True:
        right = sample_package(rng, knobs.rules, knobs.linked, knobs.stages, knobs.layout)
        found = tasks.cases(rng.child("inputs"), right, 48, 5 + knobs.rules // 4)
        if (fault := _sample_faults(rng, right, found, knobs)) is not None:
            break
    wrong, places = fault
    place = min(places, key=lambda at: len(found.inputs[at]))
    tests = tasks.own_tests(rng, found, wrong, knobs.tests)
    if knobs.layout == "few":
        site = next(iter(wrong.chosen))
        tests["tests/test_run.py"] += tasks.test_file(right, [(site.component, found.inputs[place], found.right[place])]).partition("\n")[2]
    files = tasks.all_files(wrong, tests)
    got = found.changed(wrong).rows(place)
    near = [*(without_fault(wrong, site) for site in wrong.chosen), *tasks.near_faults(right, list(wrong.chosen), 8, rng)]
    history = tasks.growth(rng, wrong, tests, knobs.rules // 3)
    calls = 10 + len(files) // 4 + 2 * knobs.faults
    package = right.theme.package
    person = rng.choice(right.theme.people).capitalize()
    shown = world.files_text(files, texts=knobs.layout == "few")
    text = (
        f"The Python package {package} does not do what its documents say. The documents and the price list are right. Find what is wrong "
        f"in the code and fix it.\n\nThe issue:\n\n{tasks.issue(rng, found.inputs[place], got, found.right[place], person)}"
        f"\n\nHidden tests call {package}.run with other lines. {shown}\n\n{world.manual(TOOLS, calls)}"
    )
    return Repository(
        task=text, package=package, files=files, solution=tasks.kept(files, tasks.all_files(right, tests)),
        tests=tasks.hidden_tests(rng, found, [wrong, *near]), commits=tasks.commits_of(history, files), calls=calls, reported=tuple(found.inputs[place]),
    )  # fmt: skip


def without_fault(wrong: Package, site: object) -> Package:
    """The package with all faults but one."""
    return replace(wrong, chosen={each: option for each, option in wrong.chosen.items() if each != site})


def _sample_faults(rng: Rng, right: Package, found: Cases, knobs: Knobs) -> tuple[Package, list[int]] | None:
    """The package with faults, and the inputs for an issue: each fault alone makes a difference there, and so does leaving out one of them."""
    wrong, used = right, set[str]()
    for site, option in rng.shuffled(faults_of(right, LAYERS[knobs.where])):
        if site.component in used or len(used) == knobs.faults:
            continue
        if len(found.changed(right.with_fault(site, option)).first_failing(range(20), 2)) == 2:
            wrong, used = wrong.with_fault(site, option), used | {site.component}
    if len(used) < knobs.faults:
        return None
    whole = found.changed(wrong)
    places = whole.first_failing()
    for site in wrong.chosen:
        rest = found.changed(without_fault(wrong, site))
        places = [at for at in places if (rows := rest.rows(at)) != whole.rows(at) and (knobs.faults == 1 or rows != found.right[at])]
    return (wrong, places) if places else None


def mistakes(state: Repository) -> list[Calls]:
    return world.shortcuts(state)


def cost(state: Repository) -> float:
    return float(sum(map(len, state.files.values())) * len(state.solution))


environment = Game(
    Knobs, TOOLS, start, world.show, progress.make_act(world.judged_by_tests), world.outcome, write_solution, mistakes, cost, world.turns,
    explain=world.make_explain(TOOLS, write_solution), milestones=progress.of_repair, planted=True, sandbox=LIMITS, version=3,
    no_rules="The goal is all that is stated; that the documents are right is a hint.",
    concept="Work the lines of the issue through the package by hand, step by step, and compare each step with the documents.",
)  # fmt: skip
