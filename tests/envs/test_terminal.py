"""Terminal worlds: replay, side effects, snapshots, cells that die, and commands that no shell should get."""

import json
import os
import signal
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from dataclasses import replace

import pytest
from thinning import thinned

import rlgym
from rlgym.adapters.harbor import World
from rlgym.core.errors import SandboxMissing
from rlgym.core.score import Outcome
from rlgym.dataset import sample
from rlgym.dataset.harbor import task_name, write_tasks
from rlgym.dataset.session import Session
from rlgym.episode.play import advance, start_episode
from rlgym.episode.sampling import sample_task
from rlgym.generators.terminal import schedules, trees
from rlgym.sandbox import terminal
from rlgym.sandbox.terminal import Cells, Entry, file_bytes, file_entry, run_command

NAMES = rlgym.names("terminal")
NOW = 1_715_950_000
TREE = {"a": Entry("folder", 0o755, NOW, ""), "a/x.txt": file_entry("one\n", NOW), "b.bin": file_entry(b"\xff\xfe\x00", NOW, 0o600)}


@pytest.fixture(autouse=True)
def confined():
    try:
        terminal.require_confinement()
    except terminal.SandboxError as why:
        pytest.skip(str(why))


@pytest.fixture
def cells(monkeypatch):
    """Cells of this test alone, which remember nothing."""
    with closing(Cells()) as own:
        monkeypatch.setattr(terminal, "_shared", own)
        yield own


def call(command):
    return f"<answer>{json.dumps({'tool': 'bash', 'arguments': {'command': command}})}</answer>"


DONE = '<answer>{"tool": "done", "arguments": {}}</answer>'


def position(name, level=0.5, seed=1):
    game = rlgym.environment(name)
    return game, start_episode(game, sample_task(name, game, seed, game.config.at(level), level), "tag")


def played(game, at, responses):
    for response in responses:
        at = advance(game, at, response, "tag")
    return at


def oracle_turns(game, at):
    turns = []
    while at.score is None:
        turns.append(game.answer.render_response(game.best(at.state), "tag"))
        at = advance(game, at, turns[-1], "tag")
    return turns, at


@pytest.mark.parametrize("name", thinned(NAMES))
def test_a_transcript_replays_to_the_same_state_without_what_was_remembered(name, request):
    game, first = position(name)
    turns, end = oracle_turns(game, first)
    request.getfixturevalue("cells")
    again = played(game, first, turns)
    assert again.state == end.state
    assert again.transcript == end.transcript
    assert end.score.value == 1.0


FIRST = "f=$(find . -type f -not -path './scratch/*' | sort | head -n 1)"


@pytest.mark.parametrize("name", thinned(NAMES))
@pytest.mark.parametrize(
    "effect", ["echo x > extra.txt", f"{FIRST}; echo x >> $f", f"{FIRST}; rm $f", f"{FIRST}; chmod a+x,o+w $f; mv $f extra"]
)
def test_a_side_effect_after_all_work_costs_everything(name, effect):
    game, first = position(name, 0.25)
    turns, end = oracle_turns(game, first)
    assert end.score.value == 1.0
    assert played(game, first, [*turns[:-1], call(effect), DONE]).score.value == 0.0


@pytest.mark.parametrize("name", thinned(NAMES))
def test_work_in_scratch_costs_nothing(name):
    game, first = position(name, 0.0)
    turns, _ = oracle_turns(game, first)
    noise = call("mkdir -p scratch/deep; date > scratch/deep/now; touch scratch/$RANDOM; ln -s /nowhere scratch/link")
    assert played(game, first, [*turns[:-1], noise, DONE]).score.value == 1.0


@pytest.mark.parametrize("name", thinned(NAMES))
def test_rewards_of_turns_sum_to_the_score(name):
    [row] = sample([name], 1, levels=[0.4], seed=2)
    session = Session(row)
    while not session.done:
        session.step(session.oracle())
    assert sum(session.turn_rewards) == pytest.approx(1.0)
    assert min(session.turn_rewards) > -0.5
    if name in ("log_rotation", "merge_conflicts", "service_config", "schedule_repair"):
        assert sum(reward > 0 for reward in session.turn_rewards) > 1, "work in several commands is rewarded in several turns"


def test_branches_of_a_snapshot_do_not_see_each_other():
    env = rlgym.make("mode_audit", level=0.0)
    env.reset(seed=2)
    env.step(call("echo one > kept.txt"))
    saved = env.unwrapped.snapshot()
    env.step(call("rm kept.txt; echo two > other.txt"))
    env.unwrapped.restore(saved)
    text, *_ = env.step(call("ls; cat kept.txt other.txt"))
    assert "one" in text
    assert "other.txt: No such file" in text


def test_fifty_episodes_at_a_time_do_not_meet():
    game, first = position("mode_audit", 0.0)

    def play(number):
        at = played(game, first, [call(f"echo {number} > mine.txt"), call("sleep 0.01; cat mine.txt")])
        return at.observation.split("\n")[1]

    with ThreadPoolExecutor(8) as pool:
        assert list(pool.map(play, range(50))) == [str(number) for number in range(50)]


def test_a_cell_that_dies_is_replaced_and_nothing_is_lost(cells):
    kept = cells.run(TREE, "echo more >> a/x.txt", NOW).tree
    for pid in cells.pids():
        os.kill(pid, signal.SIGKILL)
    assert cells.run(kept, "cat a/x.txt", NOW).stdout == "one\nmore\n"
    # A command cannot reach the process that serves it.
    assert cells.run(kept, "kill -9 1 $PPID -1; echo alive", NOW).exit_code in (0, 137, -9)
    assert cells.run(kept, "cat a/x.txt; true", NOW).stdout == "one\nmore\n"


def test_an_episode_whose_cells_do_not_start_is_masked(cells, monkeypatch):
    def refused(*_):
        raise terminal.SandboxError("no cell starts")

    monkeypatch.setattr(terminal, "Cell", refused)
    game, first = position("mode_audit", 0.0)
    score = played(game, first, [call("echo unseen")]).score
    assert score.outcome is Outcome.ERROR
    assert score.masked


def test_making_an_environment_without_confinement_names_the_reason(cells, monkeypatch):
    monkeypatch.setattr(terminal, "_confines", False)

    def refused(*_):
        raise terminal.SandboxError("namespaces are refused")

    monkeypatch.setattr(terminal, "Cell", refused)
    with pytest.raises(SandboxMissing, match="namespaces are refused"):
        rlgym.make("mode_audit")


def test_commands_that_are_too_long_or_no_text_are_answered():
    game, first = position("mode_audit", 0.0)
    for command in ("x" * 1_000_000, "echo " + "y" * 13_000, ""):
        after = played(game, first, [call(command)])
        assert after.score is None
        assert after.state.files == first.state.files
    for command in ("echo \0", "\ud800"):
        assert run_command(TREE, command, NOW) == (TREE, "", "the command could not be started: it holds NUL or is no text", 127, "")


def test_output_that_is_no_text_and_output_without_end():
    assert run_command(TREE, "cat b.bin", NOW).stdout == "\ufffd\ufffd\0"
    endless = run_command(TREE, "rm -r a; yes", NOW)
    assert (endless.undone, endless.tree) == ("output", TREE)
    late = run_command(TREE, "rm -r a; while :; do :; done", NOW)
    assert (late.undone, late.tree) == ("time", TREE)
    many = run_command(TREE, "for i in $(seq 500); do echo $i > $i; done", NOW)
    assert many.tree == TREE
    assert "400 files" in many.undone


def test_trees_keep_modes_links_times_and_bytes():
    command = "ln a/x.txt hard; ln -s a/x.txt soft; chmod 4750 b.bin; mkdir -m 700 empty; yes line | head -n 200 > long; touch -d '2020-01-02' a/x.txt"
    after = run_command(TREE, command, NOW + 60).tree
    assert after["a/x.txt"].kind == "text"
    assert after["hard"] == ("hardlink", 0o644, after["a/x.txt"].seconds, "a/x.txt")
    assert after["soft"].content == "a/x.txt"
    assert after["b.bin"] == ("base64", 0o4750, NOW, TREE["b.bin"].content)
    assert after["empty"][:2] == ("folder", 0o700)
    assert after["long"] == ("lines", 0o644, NOW + 60, "200\nline\n")
    assert file_bytes(after, "hard") == b"one\n"
    assert run_command(after, "true", NOW + 120).tree == after
    assert run_command(after, "stat -c %Y a/x.txt hard", NOW).stdout == "1577923200\n1577923200\n"


def test_processes_end_with_their_command_and_their_numbers_begin_anew():
    first = run_command(TREE, "(sleep 5; echo late > late.txt) & echo $$", NOW)
    assert first.stdout == run_command(TREE, "true; echo $$", NOW).stdout
    assert first.tree == TREE


def test_archives_are_the_ones_that_the_programs_read():
    files = {
        "z.gz": trees.gzip_data(b"data " * 30_000),
        "t.tar": trees.tar_files({"in/a": b"1", "b": b"2"}),
        "b64": trees.base64_lines(b"x" * 100),
    }
    tree = trees.tree(files)
    sums = run_command(tree, "zcat z.gz | md5sum; printf 'data %.0s' $(seq 30000) | md5sum", NOW).stdout.split()
    assert sums[0] == sums[2]
    assert run_command(tree, "tar -xOf t.tar; base64 -d b64 | wc -c", NOW).stdout == "12100\n"
    assert trees.gunzip(b"no gzip") is None


@pytest.mark.parametrize(
    ("one", "other"),
    [("*/15 0-5,8 * * 1-5", "0,15,30,45 0,1,2,3,4,5,8 */1 * 1,2,3,4,5"), ("5 4 * * 0", "5 4 * * 7"), ("0 0 1-31 * *", "0 0 * 1-12 0-6")],
)
def test_times_of_a_crontab_are_compared_by_their_meaning(one, other):
    assert schedules.times(one) == schedules.times(other)


@pytest.mark.parametrize("fields", ["* * * *", "60 * * * *", "5-1 * * * *", "a * * * *", "5/2 * * * *", "*/0 * * * *", "* * * jan *"])
def test_times_that_cannot_be_read(fields):
    assert schedules.times(fields) is None


def test_an_exported_task_is_played_as_a_harbor_world(tmp_path):
    [row] = sample(["encoding_cleanup"], 1, levels=[0.2], seed=3)
    write_tasks([row], tmp_path / "tasks")
    folder = tmp_path / "tasks" / task_name(row)
    world = World(folder / "environment" / "world" / "task.json", tmp_path / "episode.json")
    for turn in json.loads((folder / "solution" / "turns.json").read_text()):
        world.respond(turn)
    assert world.score.value == 1.0
    assert json.loads((tmp_path / "episode.json").read_text())["score"]["value"] == 1.0


def test_a_session_of_a_row_goes_on_in_the_middle():
    [row] = sample(["log_rotation"], 1, levels=[0.3], seed=5)
    whole, turns = Session(row), []
    while not whole.done:
        turns.append(whole.oracle())
        whole.step(turns[-1])
    assert whole.score.value == 1.0
    game, first = position("log_rotation", 0.3, 5)
    half = played(game, first, [game.answer.render_response(game.best(first.state), "tag")])
    back = replace(half, state=game.data.model_validate_json(half.state.model_dump_json()))
    assert oracle_turns(game, back)[1].score.value == 1.0
