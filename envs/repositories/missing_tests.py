"""Write the tests that a Python package lacks: they pass for the right code and fail for each of several hidden wrong versions.

The tests must also pass for the same code written in another way, so tests that look at the text of the code do not count.
"""

from rlgym import Config, Game, Rng, Score, knob
from rlgym.answers import Calls, ToolCalls
from rlgym.generators.programs.repositories import RUN_TESTS, program
from rlgym.generators.repository import progress, tasks, world
from rlgym.generators.repository.layout import source_files
from rlgym.generators.repository.package import faults_of, sample_package
from rlgym.generators.repository.tools import ListFiles, ReadFile, RunTests, Search, Submit, WriteFile
from rlgym.generators.repository.traces import results
from rlgym.generators.repository.variants import disguise_files
from rlgym.generators.repository.world import LIMITS, Repository
from rlgym.sandbox import Returned, Runner

TOOLS = ToolCalls((ListFiles, ReadFile, Search, WriteFile, RunTests, Submit), max_characters=60_000)
PATH = "tests/test_new.py"


class Knobs(Config):
    rules: int = knob(8, easy=3, hard=18, doc="rules of the package")
    linked: int = knob(4, easy=1, hard=10, doc="rules that use the calendar or earlier entries")
    stages: int = knob(5, easy=2, hard=11, doc="optional parts of reading and of the report")
    layout: str = knob("layers", easy="few", hard="deep", order=("few", "layers", "deep"), doc="how the code is split into files")
    mutants: int = knob(5, easy=1, hard=9, doc="hidden wrong versions")
    spare: int = knob(2, easy=3, hard=1, doc="tests that may be written beyond those that the oracle needs")


class State(Repository):
    original: dict[str, str]
    wrong: tuple[dict[str, str], ...]  # the files in which each wrong version differs
    most: int
    known: str  # the tests of the oracle


def start(rng: Rng, knobs: Knobs) -> State:
    right = sample_package(rng, knobs.rules, knobs.linked, knobs.stages, knobs.layout)
    found = tasks.cases(rng.child("inputs"), right, 40, 5 + knobs.rules // 4)
    files = tasks.all_files(right, {"tests/test_run.py": tasks.test_file(right, [("nothing", [], results(right, [[]])[0])])})
    wrong, refuting = list[dict[str, str]](), list[set[int]]()
    titles = list[str]()
    for site, option in rng.shuffled(faults_of(right)):
        if len(wrong) == knobs.mutants:
            break
        failing = found.failing(right.with_fault(site, option))
        if failing:
            texts = source_files(right.with_fault(site, option))
            wrong.append({path: text for path, text in texts.items() if files[path] != text})
            refuting.append(set(failing))
            titles.append("the order of the rules" if site.component == "RULES" else right.component(site.component).title)
    chosen = list[int]()
    while refuting:
        best_place = max(sorted(set.union(*refuting)), key=lambda place: sum(place in each for each in refuting))
        chosen.append(best_place)
        refuting = [each for each in refuting if best_place not in each]
    known = tasks.test_file(right, [(f"new_{k}", found.inputs[place], found.right[place]) for k, place in enumerate(chosen, 1)])
    most, package = len(chosen) + knobs.spare, right.theme.package
    hidden = (
        f"There are {len(wrong)} hidden wrong versions of the package, and each of them must fail at least one of your tests."
        if len(wrong) > 1
        else "There is a hidden wrong version of the package, and it must fail at least one of your tests."
    )
    about = f" Its fault concerns {titles[0]}." if knobs.mutants == 1 else ""
    calls = 8 + len(files) // 3
    shown = world.files_text(files, texts=knobs.layout == "few")
    text = (
        f"The Python package {package} is right, but its tests see almost nothing. Write at most {most} tests to {PATH}: functions without arguments "
        f"whose names begin with `test_`, with plain `assert` statements, as in tests/test_run.py. {hidden} "
        f"All your tests must pass for the package as it is, and for the same code written in another way.{about} A "
        f"fault contradicts a sentence of the documents, or the order of the rules.\n\n{shown}\n\n"
        f"{world.manual(TOOLS, calls)}"
    )
    return State(task=text, package=package, files=files, original=files, wrong=tuple(wrong), most=most, known=known, calls=calls)


def judge(state: State, runner: Runner) -> Score:
    if PATH not in state.files:
        return Score.wrong(f"there is no {PATH}")
    whole = {**state.original, PATH: state.files[PATH]}
    right = _count_failing(whole, runner)
    if right is None or right[0] or not 1 <= right[1] <= state.most:
        return Score.wrong(f"the tests do not all pass for the right code, or there are not 1 to {state.most}")
    disguised = whole | disguise_files(state.original, state.package)
    other = _count_failing(disguised, runner)
    if other is None or other[0] or other[1] != right[1]:
        return Score.wrong("the tests do not all pass for the same code written in another way")
    found = 0
    for changed in state.wrong:
        # Disguised as well, so that no test can tell by its looks which code it runs.
        result = _count_failing(disguised | disguise_files(changed, state.package), runner)
        found += result is None or result[0] > 0
    share = found / len(state.wrong)
    # Tests that fail now and then would find wrong versions by chance.
    if share == 1 and any(_count_failing(files, runner) != (0, right[1]) for files in (whole, disguised, disguised)):
        return Score.wrong("the tests do not always pass for the right code", found=share)
    return Score.exact(share == 1, f"{found} of {len(state.wrong)} wrong versions fail a test", found=share)


def _count_failing(files: dict[str, str], runner: Runner) -> tuple[int, int] | None:
    """How many of the new tests fail, and how many there are; None where they cannot be run."""
    only = {path: text for path, text in files.items() if not path.startswith("tests/") or path == PATH}
    answer = runner.run(program(only, RUN_TESTS), [()]).answer()
    if not isinstance(answer, Returned) or not world.is_report(answer.value) or not answer.value:
        return None
    return sum(bool(message) for _, message in answer.value), len(answer.value)


def best(state: State) -> Calls:
    return (Submit(),) if state.files.get(PATH) == state.known else (WriteFile(path=PATH, text=state.known),)


def mistakes(state: State) -> list[Calls]:
    """Players who write nothing, a test that always passes, one that fails, or tests of the code's text."""
    texts = (
        "def test_nothing():\n    assert True\n",
        "def test_all():\n    assert False\n",
        f"import __main__\n\ndef test_text():\n    files = sorted(__main__.FILES.items())\n"
        f"    assert {_lengths(state)} == [len(text) for path, text in files if path.startswith('{state.package}')]\n",
    )
    return [(Submit(),), (RunTests(),), *((WriteFile(path=PATH, text=text), Submit()) for text in texts)]


def _lengths(state: State) -> list[int]:
    """The lengths of the modules, by which a test could tell versions apart without running them."""
    return [len(text) for path, text in sorted(state.original.items()) if path.startswith(state.package)]


def milestones(state: State) -> dict[str, float]:
    """Whether there are new tests, and the share of all tests that passed in the last run with them."""
    return {"written": float(PATH in state.files), "tests_pass": state.passing if PATH in state.files else 0.0}


def cost(state: State) -> float:
    return float(sum(map(len, state.original.values())) * len(state.wrong))


environment = Game(
    Knobs, TOOLS, start, world.show, world.make_act(progress.with_parts(judge, milestones)), world.outcome, best, mistakes, cost, world.turns,
    explain=world.make_explain(TOOLS, best), milestones=milestones, planted=True, sandbox=LIMITS, version=3,
    no_rules="How many tests there may be is part of the goal.",
    concept="For each sentence of the documents: how could code contradict it, and which lines would show that in the report?",
)  # fmt: skip
