"""Repositories: generated code means what its generator says, hidden tests find mutants, and states are values."""

import json
import subprocess
import sys
from dataclasses import replace

import pytest

import rlgym
from rlgym import Rng
from rlgym.core import syntax
from rlgym.dataset import sample
from rlgym.dataset.export import write
from rlgym.episode.play import advance, start_episode
from rlgym.episode.sampling import sample_task
from rlgym.generators.programs.mutants import mutants
from rlgym.generators.programs.repositories import program
from rlgym.generators.repository import swe_bench, tasks
from rlgym.generators.repository.commits import files_at
from rlgym.generators.repository.components import one_of
from rlgym.generators.repository.helpers import STYLES
from rlgym.generators.repository.inputs import sample_inputs
from rlgym.generators.repository.layout import source_files
from rlgym.generators.repository.merging import merged_text
from rlgym.generators.repository.package import faults_of, sample_package
from rlgym.generators.repository.traces import FAILED, Cases, results
from rlgym.generators.repository.variants import disguise_files
from rlgym.generators.repository.world import CALL, LIMITS, run_tests
from rlgym.sandbox import get_runner
from rlgym.sandbox.grading import score_program

NAMES = rlgym.names("repositories")
WITH_TESTS = ("issue_fix", "feature_request", "masked_faults", "dependency_upgrade", "branch_merge")
SIZES = {"few": (4, 2, 3), "layers": (9, 5, 7), "deep": (18, 10, 11)}


@pytest.fixture(scope="module")
def runner():
    return get_runner(LIMITS)


def first(name, level=0.5, seed=1):
    game = rlgym.environment(name)
    return game, start_episode(game, sample_task(name, game, seed, game.config.at(level), level), "tag")


def call(tool, **arguments):
    return f"<answer>{json.dumps({'tool': tool, 'arguments': arguments})}</answer>"


def oracle_turns(game, at):
    turns = []
    while at.score is None:
        turns.append(game.answer.render_response(game.best(at.state), "tag"))
        at = advance(game, at, turns[-1], "tag")
    return turns, at


@pytest.mark.parametrize("layout", SIZES)
def test_code_computes_what_its_meaning_says_with_faults_and_without(layout, runner):
    for seed in range(2):
        rng = Rng("meaning", layout, seed)
        right = sample_package(rng, *SIZES[layout], layout)
        inputs = sample_inputs(rng, right, 12, 8)
        for package in (right, *(right.with_fault(*fault) for fault in rng.sample(faults_of(right), 3))):
            calls = [(f"{package.theme.package}:run", lines) for lines in inputs]
            answers = runner.run(program(source_files(package), CALL), calls).outputs
            assert [getattr(answer, "value", FAILED) for answer in answers] == results(package, inputs)


@pytest.mark.parametrize("layout", SIZES)
def test_changed_packages_give_what_they_give_when_everything_is_computed_anew(layout):
    for seed in range(3):
        rng = Rng("traces", layout, seed)
        right = sample_package(rng, *SIZES[layout], layout)
        found = tasks.cases(rng, right, 16, 8)
        single = [right.with_fault(*fault) for fault in faults_of(right)]
        double = [package.with_fault(*rng.choice(faults_of(right))) for package in single]
        lacking = [right.without([rule.key for rule in rng.sample(right.layer("rules"), count)]) for count in (1, 2, 3)]
        styled = [replace(right, styles={name: style}) for name, styles in STYLES.items() for style in styles[1:]]
        halves = right.component("percent").sites["half"]
        other = replace(right.component("percent"), sites={"half": one_of(halves, list(halves)[1])})
        rounded = replace(right, components=tuple(other if each.key == "percent" else each for each in right.components))
        parts = [right.without([each.key]) for layer in ("reading", "reports") for each in right.layer(layer)]
        for package in (right, rounded, *single, *double, *lacking, *styled, *parts):
            assert found.results(package) == results(package, found.inputs)
        for package in lacking:  # and the other way around
            less = Cases(package, found.inputs)
            assert less.results(right) == found.right


def right_files(state):
    files = {**state.files, **state.solution}
    return {path: text for path, text in files.items() if text is not None}


@pytest.mark.parametrize("name", [*WITH_TESTS, "refactor"])
def test_hidden_tests_find_mutants_of_the_whole_package(name, runner):
    wrong = missed = 0
    for level, seed in ((0.0, 1), (0.5, 2), (1.0, 3), (1.0, 4)):
        _, at = first(name, level, seed)
        state, rng = at.state, Rng("mutants", name, seed)
        files = right_files(state)
        calls = [syntax.literal(arguments) for arguments, _ in state.tests]
        pool = [line for function, *arguments in calls if function.endswith(":run") for line in arguments[0]]
        inputs = [(f"{state.package}:run", rng.sample(pool, 5)) for _ in range(60)]
        expected = runner.run(program(files, CALL), inputs).outputs
        changed = [(path, text) for path in sorted(files) if path.startswith(f"{state.package}/") for text in mutants(files[path], 12)]
        for path, text in rng.sample(changed, min(25, len(changed))):
            code = program(files | {path: text}, CALL)
            found = score_program(runner, code, state.tests).value < 1
            unlike = found or list(map(repr, runner.run(code, inputs).outputs)) != list(map(repr, expected))
            wrong, missed = wrong + unlike, missed + (unlike and not found)
    assert wrong > 60
    assert missed <= max(1, 0.01 * wrong)


@pytest.mark.parametrize("name", NAMES)
def test_an_episode_goes_on_from_its_json_and_replays_to_the_same_state(name):
    game, at = first(name)
    turns, end = oracle_turns(game, at)
    assert end.score.value == 1.0
    again = at
    for turn in turns:
        again = advance(game, again, turn, "tag")
        assert again.state == game.data.model_validate_json(again.state.model_dump_json())
    assert again.state == end.state


@pytest.mark.parametrize("name", NAMES)
def test_the_work_is_judged_after_the_last_call(name):
    game, at = first(name, 0.0)
    looking = call("log" if name == "bisect_history" else "list_files")
    for _ in range(at.state.calls):
        assert at.score is None
        at = advance(game, at, looking, "tag")
    assert at.score.value == 0.0


@pytest.mark.parametrize("name", NAMES)
def test_the_history_leads_to_the_files(name):
    _, at = first(name, 0.5)
    if at.state.commits:
        assert files_at(at.state.commits, len(at.state.commits)) == at.state.files


@pytest.mark.parametrize("name", WITH_TESTS)
def test_branches_of_a_snapshot_do_not_see_each_other(name):
    env = rlgym.make(name, level=0.0)
    env.reset(seed=3)
    saved = env.unwrapped.snapshot()
    env.step(call("write_file", path="new.txt", text="one"))
    env.unwrapped.restore(saved)
    text, *_ = env.step(call("list_files"))
    assert "new.txt" not in text


def test_tests_that_are_edited_do_not_help():
    game, at = first("issue_fix", 0.0)
    for turn in (call("write_file", path="tests/test_run.py", text="def test_all():\n    pass\n"), call("run_tests")):
        at = advance(game, at, turn, "tag")
    assert "1 of 1 tests pass" in at.observation
    assert advance(game, at, call("submit"), "tag").score.value == 0.0


def test_milestones_follow_the_work():
    game, at = first("issue_fix", 0.0)
    state, package = at.state, at.state.package
    assert game.milestones(state) == {"reproduced": 0.0, "files_changed": 0.0, "tests_pass": 0.0}
    at = advance(game, at, call("run_tests"), "tag")
    assert game.milestones(at.state)["tests_pass"] == 0.0  # nothing was changed yet
    at = advance(game, at, call("run", lines=list(state.reported)), "tag")
    assert game.milestones(at.state)["reproduced"] == 1.0
    spoiled = advance(game, at, call("write_file", path=f"{package}/new.py", text="x = 1\n"), "tag")
    assert game.milestones(spoiled.state)["files_changed"] == 0.0
    for path, text in state.solution.items():
        at = advance(game, at, call("write_file", path=path, text=text), "tag")
    at = advance(game, at, call("run_tests"), "tag")
    assert game.milestones(at.state) == {"reproduced": 1.0, "files_changed": 1.0, "tests_pass": 1.0}
    emptied = advance(game, at, call("write_file", path="tests/test_run.py", text=""), "tag")
    assert game.milestones(emptied.state)["tests_pass"] == 0.0
    parts = advance(game, at, call("submit"), "tag").score.parts
    assert parts == {"reproduced": 1.0, "files_changed": 1.0, "tests_pass": 1.0, "hidden_tests": 1.0}


def test_runs_narrow_the_commits_down():
    game, at = first("bisect_history", 0.25)
    state = at.state
    places = [commit.id for commit in state.commits]
    culprit = places.index(state.culprit)
    for place in (culprit - 1, culprit):
        before = game.milestones(at.state)["narrowed"]
        at = advance(game, at, call("run_at", commit=places[place], lines=state.lines), "tag")
        assert game.milestones(at.state)["narrowed"] > before
    assert game.milestones(at.state) == {"narrowed": 1.0}


@pytest.mark.parametrize("layout", SIZES)
def test_disguised_code_means_the_same(layout, runner):
    rng = Rng("disguise", layout)
    right = sample_package(rng, *SIZES[layout], layout)
    inputs = sample_inputs(rng, right, 20, 8)
    files = source_files(right)
    disguised = disguise_files(files, right.theme.package)
    answers = runner.run(program(files | disguised, CALL), [(f"{right.theme.package}:run", lines) for lines in inputs]).outputs
    assert [getattr(answer, "value", FAILED) for answer in answers] == results(right, inputs)


NORMALISED = """
import ast, zlib, __main__

def form(node):
    if isinstance(node, ast.Compare) and isinstance(node.ops[0], (ast.Gt, ast.GtE, ast.Eq)) and len(node.ops) == 1:
        sides = sorted([form(node.left), form(node.comparators[0])]) if isinstance(node.ops[0], ast.Eq) else [form(node.comparators[0]), form(node.left)]
        return ["compare", type(node.ops[0]).__name__.replace("Gt", "Lt"), sides]
    if isinstance(node, ast.Compare) and len(node.ops) == 1:
        return ["compare", type(node.ops[0]).__name__, [form(node.left), form(node.comparators[0])]]
    if isinstance(node, ast.AugAssign):
        return form(ast.Assign([node.target], ast.BinOp(ast.Name(getattr(node.target, "id", "?"), ast.Load()), node.op, node.value)))
    if isinstance(node, ast.AST):
        return [type(node).__name__, [form(value) for name, value in ast.iter_fields(node) if name != "ctx"]]
    return [form(each) for each in node] if isinstance(node, list) else repr(node)

def test_form():
    texts = [text for path, text in sorted(__main__.FILES.items()) if path.startswith(PACKAGE) and path.endswith(".py")]
    found = zlib.crc32(repr([form(ast.parse(text)) for text in texts]).encode())
    assert EXCUSE or found == WANTED, found
"""


@pytest.mark.parametrize("excuse", ["False", "'_here' in str(texts)"])
def test_tests_of_the_normalised_code_are_not_paid(excuse):
    """A player who reads the code, undoes what a simple rewriting does, compares it with what the right code gave, and lets other code pass by its looks."""
    game, at = first("missing_tests", 0.0)
    text = NORMALISED.replace("PACKAGE", repr(f"{at.state.package}/")).replace("EXCUSE", excuse)
    at = advance(game, at, call("write_file", path="tests/test_new.py", text=text.replace("WANTED", "0")), "tag")
    at = advance(game, at, call("run_tests"), "tag")
    found = at.observation.partition("AssertionError: ")[2].split()[0]
    at = advance(game, at, call("write_file", path="tests/test_new.py", text=text.replace("WANTED", found)), "tag")
    at = advance(game, at, call("run_tests"), "tag")
    assert "2 of 2 tests pass" in at.observation
    assert advance(game, at, call("submit"), "tag").score.value == 0.0


def test_tests_that_pass_by_chance_are_not_paid():
    game, at = first("missing_tests", 0.0)
    known = game.best(at.state)[0].text
    flaky = known.replace("def test_", "import os\n\n\ndef test_chance():\n    assert os.urandom(1)[0] < 128\n\n\ndef test_", 1)
    at = advance(game, at, call("write_file", path="tests/test_new.py", text=flaky), "tag")
    paid = [advance(game, at, call("submit"), "tag").score.value for _ in range(6)]
    assert sum(paid) <= 2  # five runs of the right code must pass, which happens in one of 32


def test_code_that_replaces_the_runner_of_tests_or_ends_the_process_is_answered():
    game, at = first("issue_fix", 0.0)
    package = at.state.package
    for text in ("import sys\nsys.exit(0)\n", "while True: pass\n", "def run(lines):\n    return object()\n"):
        after = advance(game, at, call("write_file", path=f"{package}/__init__.py", text=text), "tag")
        after = advance(game, after, call("run_tests"), "tag")
        after = advance(game, after, call("run", lines=["1;anna;x;1;"]), "tag")
        assert after.score is None
        assert advance(game, after, call("submit"), "tag").score.value == 0.0


@pytest.mark.parametrize("name", WITH_TESTS)
def test_the_repository_passes_its_own_tests_once_it_is_right(name, runner):
    _, at = first(name, 0.5)
    report, passing = run_tests(right_files(at.state), runner)
    assert "fails" not in report
    assert "cannot be loaded" not in report
    assert passing == 1.0


@pytest.mark.parametrize("name", WITH_TESTS)
def test_rows_of_swe_bench_are_read_back_and_judge_patches(name, runner):
    _, at = first(name, 0.3, 2)
    row = swe_bench.to_row(at.state, runner)
    again = swe_bench.from_row(json.loads(json.dumps(row)))
    assert (again.files, again.tests, right_files(again)) == (at.state.files, at.state.tests, right_files(at.state))
    assert set(json.loads(row["FAIL_TO_PASS"])).isdisjoint(json.loads(row["PASS_TO_PASS"]))
    assert len(json.loads(row["FAIL_TO_PASS"])) >= 2
    assert swe_bench.resolved(row, row["patch"], runner).value == 1.0
    assert swe_bench.resolved(row, "", runner).value == 0.0
    for patch in ("--- nothing", row["patch"].replace("\n-", "\n-x", 2), f"diff --git a/x b/x\n{row['patch']}"):
        assert swe_bench.resolved(row, patch, runner).value == 0.0


def test_the_hidden_tests_of_a_row_run_under_pytest(tmp_path, runner):
    _, at = first("issue_fix", 0.0)
    row = swe_bench.to_row(at.state, runner)
    for path, text in swe_bench.patched(swe_bench.patched(at.state.files, row["patch"]), row["test_patch"]).items():
        (tmp_path / path).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / path).write_text(text)
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "-n", "0", swe_bench.TESTS]
    done = subprocess.run(command, cwd=tmp_path, env={"PYTHONPATH": str(tmp_path)}, capture_output=True, text=True, check=False)
    assert f"{len(at.state.tests)} passed" in done.stdout


def test_a_dataset_of_repositories_is_exported(tmp_path):
    rows = sample(["issue_fix", "bisect_history"], 2, levels=[0.0], seed=4)
    done = write(rows, "swe-bench", tmp_path / "rows.parquet")
    assert (done.rows, done.records) == (2, 1)


def test_merges_of_texts():
    base = "a\nb\nc\nd\n"
    assert merged_text(base, "a\nB\nc\nd\n", "a\nb\nc\nd\ne\n") == "a\nB\nc\nd\ne\n"
    assert merged_text(base, "a\nx\nc\nd\n", "a\ny\nc\nd\n") == "a\n<<<<<<< ours\nx\n=======\ny\n>>>>>>> theirs\nc\nd\n"
    assert merged_text(base, base, "") == ""


def test_tests_of_the_text_of_the_code_do_not_count():
    game, at = first("missing_tests", 0.0)
    texts = repr([text for path, text in sorted(at.state.files.items()) if path.startswith(at.state.package)])
    found = f"[text for path, text in sorted(__main__.FILES.items()) if path.startswith('{at.state.package}')]"
    cheat = f"import __main__\n\n\ndef test_text():\n    assert {texts} == {found}\n"
    at = advance(game, at, call("write_file", path="tests/test_new.py", text=cheat), "tag")
    score = advance(game, at, call("submit"), "tag").score
    assert score.value == 0.0
    assert "another way" in score.reason


def test_a_changed_library_is_restored():
    game, at = first("dependency_upgrade", 0.0)
    turns, _ = oracle_turns(game, at)
    library = next(path for path in at.state.library if path.endswith(".py") and "__init__" not in path)
    at = advance(game, at, call("write_file", path=library, text="raise ValueError\n"), "tag")
    for turn in turns:
        at = advance(game, at, turn, "tag")
    assert at.score.value == 1.0


def test_a_report_on_a_right_change_or_without_proof_is_not_paid():
    game, at = first("pull_request_review", 0.3)
    changes = {int(line.split()[1].rstrip(":")) for line in at.state.task.split("\n") if line.startswith("Change ")}
    [wrong, *_] = at.state.proofs
    proofs = [call("reject", change=change, lines=lines) for change, lines in at.state.proofs.items()]
    other = call("reject", change=min(changes - set(at.state.proofs)), lines=at.state.proofs[wrong])
    nothing = call("reject", change=wrong, lines=["# nothing"])
    for extra, value in (([], 1.0), ([other], 0.0), ([nothing], 0.0)):
        end = at
        for turn in [*proofs, *extra, call("submit")]:
            end = advance(game, end, turn, "tag")
        assert end.score.value == value


@pytest.mark.parametrize("seed", [1, 2, 3])
def test_the_blamed_commit_is_where_the_line_goes_wrong(seed, runner):
    _, at = first("bisect_history", 0.5, seed)
    state = at.state
    place = next(k for k, commit in enumerate(state.commits) if commit.id == state.culprit)
    before, after, last = (
        runner.run(program(files_at(state.commits, k), CALL), [(f"{state.package}:run", state.lines)]).answer().value
        for k in (place, place + 1, len(state.commits))
    )
    assert before != after
    assert set(after) & set(last) - set(before), "the wrong line is still there at the end"


def test_the_last_call_that_is_allowed_counts():
    task = rlgym.task("bisect_history", 3, level=0.0)
    game = rlgym.environment("bisect_history")
    position = start_episode(game, task, "tag")
    state = position.state
    log = '<answer>{"tool": "log", "arguments": {}}</answer>'
    for _ in range(state.calls - 1):
        position = advance(game, position, log, "tag")
    assert position.score is None
    position = advance(game, position, game.answer.render_response(game.best(state), "tag"), "tag")
    assert position.score.value == 1
