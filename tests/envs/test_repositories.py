"""Repositories: hidden tests find mutants, states are values, and rows of SWE-bench hold the same tasks."""

import json
import subprocess
import sys

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
from rlgym.generators.repository import swe_bench
from rlgym.generators.repository.commits import files_at
from rlgym.generators.repository.world import CALL, LIMITS, run_tests
from rlgym.sandbox import get_runner
from rlgym.sandbox.grading import score_program

NAMES = rlgym.names("repositories")
WITH_TESTS = ("issue_fix", "feature_request", "masked_faults", "dependency_upgrade", "branch_merge")


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
    position = advance(game, position, call("blame", commit=state.culprit), "tag")
    assert position.score.value == 1
