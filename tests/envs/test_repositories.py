"""Repositories: generated code means what its generator says, hidden tests find mutants, and states are values."""

import json

import pytest

import rlgym
from rlgym import Rng
from rlgym.core import syntax
from rlgym.episode.play import advance, start_episode
from rlgym.episode.sampling import sample_task
from rlgym.generators.programs.mutants import mutants
from rlgym.generators.programs.repositories import program
from rlgym.generators.repository import tasks
from rlgym.generators.repository.inputs import sample_inputs
from rlgym.generators.repository.layout import source_files
from rlgym.generators.repository.package import faults_of, sample_package
from rlgym.generators.repository.world import CALL, LIMITS, files_at, run_tests
from rlgym.sandbox import get_runner
from rlgym.sandbox.grading import score_program

NAMES = rlgym.names("repositories")
TESTED = [name for name in NAMES if "tests" in rlgym.environment(name).data.model_fields]
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
            assert [getattr(answer, "value", tasks.FAILED) for answer in answers] == tasks.results(package, inputs)


def right_files(state):
    files = {**state.files, **state.solution}
    return {path: text for path, text in files.items() if text is not None}


@pytest.mark.parametrize("level", [0.0, 1.0])
def test_hidden_tests_find_mutants_of_the_whole_package(level, runner):
    wrong = missed = 0
    for seed in (1, 2):
        _, at = first("issue_fix", level, seed)
        state, rng = at.state, Rng("mutants", seed)
        files = right_files(state)
        pool = [line for arguments, _ in state.tests for line in syntax.literal(arguments)[1]]
        inputs = [(f"{state.package}:run", rng.sample(pool, 5)) for _ in range(60)]
        expected = runner.run(program(files, CALL), inputs).outputs
        changed = [(path, text) for path in sorted(files) if path.startswith(f"{state.package}/") for text in mutants(files[path], 12)]
        for path, text in rng.sample(changed, min(25, len(changed))):
            code = program(files | {path: text}, CALL)
            found = score_program(runner, code, state.tests).value < 1
            unlike = found or list(map(repr, runner.run(code, inputs).outputs)) != list(map(repr, expected))
            wrong, missed = wrong + unlike, missed + (unlike and not found)
    assert wrong > 25
    assert missed <= 0.03 * wrong  # of a small sample


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
    looking = call("list_files")
    for _ in range(at.state.calls):
        assert at.score is None
        at = advance(game, at, looking, "tag")
    assert at.score.value == 0.0


@pytest.mark.parametrize("name", NAMES)
def test_the_history_leads_to_the_files(name):
    _, at = first(name, 0.5)
    if at.state.commits:
        assert files_at(at.state.commits, len(at.state.commits)) == at.state.files


@pytest.mark.parametrize("name", NAMES)
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


def test_code_that_replaces_the_runner_of_tests_or_ends_the_process_is_answered():
    game, at = first("issue_fix", 0.0)
    package = at.state.package
    for text in ("import sys\nsys.exit(0)\n", "while True: pass\n", "def run(lines):\n    return object()\n"):
        after = advance(game, at, call("write_file", path=f"{package}/__init__.py", text=text), "tag")
        after = advance(game, after, call("run_tests"), "tag")
        after = advance(game, after, call("run", lines=["1;anna;x;1;"]), "tag")
        assert after.score is None
        assert advance(game, after, call("submit"), "tag").score.value == 0.0


@pytest.mark.parametrize("name", TESTED)
def test_the_repository_passes_its_own_tests_once_it_is_right(name, runner):
    _, at = first(name, 0.5)
    report = run_tests(right_files(at.state), runner)
    assert "fails" not in report
    assert "cannot be loaded" not in report
