"""Task folders in the Harbor format: the oracle earns 1, wrong answers 0, and the agent's image holds nothing hidden."""

import json
import os
import subprocess
import sys
import threading
import tomllib
from pathlib import Path

import pytest
import yaml
from typer.testing import CliRunner

import rlgym
from rlgym.adapters.harbor import OVER, World, score_file, world_server
from rlgym.cli import app
from rlgym.core.errors import RecipeError
from rlgym.core.score import Outcome
from rlgym.dataset import Recipe, build, load, oracle_response, wrong_response
from rlgym.dataset.export import export
from rlgym.dataset.harbor import task_files, task_name

ONE_TURN = ["chain_sum", "shortest_path", "function_from_tests", "repair_bug", "shell_pipeline", "sql_query"]
MANY_TURNS = ["repo_fix", "file_system_tasks", "calculator_and_lookup", "higher_lower", "nim"]


@pytest.fixture(scope="module")
def built(tmp_path_factory):
    folder = tmp_path_factory.mktemp("built") / "data"
    build(Recipe(names=ONE_TURN + MANY_TURNS, levels=[0.2], count=len(ONE_TURN + MANY_TURNS), seed=4), folder)
    return folder


@pytest.fixture(scope="module")
def rows(built):
    return {row["env"]: row for row in load(built)}


@pytest.fixture(scope="module")
def tasks(built, tmp_path_factory):
    out = tmp_path_factory.mktemp("tasks") / "tasks"
    done = export(built, "harbor", out)
    assert (done.records, done.many_turns) == (len(ONE_TURN + MANY_TURNS), len(MANY_TURNS))
    return out


def run_in(root, script, **variables):
    """Run a script of a folder with its absolute paths below `root`, as if it were the root of a container."""
    text = script.read_text()
    for path in ("/app", "/logs", "/state"):
        (root / path[1:]).mkdir(parents=True, exist_ok=True)
        text = text.replace(path, f"{root}{path}")
    moved = script.with_name(f"moved-{script.name}")
    moved.write_text(text)
    sources = str(Path(rlgym.__file__).resolve().parents[1])
    path = f"{root / 'bin'}:{Path(sys.executable).parent}:{os.environ['PATH']}"
    environment = {**os.environ, "PYTHONPATH": sources, "PATH": path, **variables}
    return subprocess.run(["bash", str(moved)], env=environment, capture_output=True, text=True, check=False)


def reward(root):
    return float((root / "logs/verifier/reward.txt").read_text())


@pytest.mark.parametrize("name", ONE_TURN)
def test_scripts_score_the_oracle_and_a_wrong_answer(rows, tasks, tmp_path, name):
    folder = tasks / task_name(rows[name])
    assert run_in(tmp_path, folder / "solution/solve.sh").returncode == 0
    done = run_in(tmp_path, folder / "tests/test.sh")
    assert done.returncode == 0, done.stderr
    assert reward(tmp_path) == 1
    (tmp_path / "app/answer.txt").write_text(wrong_response(rows[name]))
    assert run_in(tmp_path, folder / "tests/test.sh").returncode == 0
    assert reward(tmp_path) == 0
    assert json.loads((tmp_path / "logs/verifier/score.json").read_text())["reason"]


@pytest.mark.parametrize("name", MANY_TURNS)
def test_scripts_score_an_episode_played_through_the_world(rows, tasks, tmp_path, name):
    folder = tasks / task_name(rows[name])
    (tmp_path / "state").mkdir()
    (tmp_path / "bin").mkdir()
    (tmp_path / "bin/respond").symlink_to(folder / "environment/respond")
    world = World(folder / "environment/world/task.json", tmp_path / "state/episode.json")
    server = world_server(world, "127.0.0.1", 0)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    try:
        assert run_in(tmp_path, folder / "tests/test.sh").returncode == 0
        assert reward(tmp_path) == 0  # an episode that was not played
        done = run_in(tmp_path, folder / "solution/solve.sh", WORLD_URL=f"http://127.0.0.1:{server.server_port}/")
        assert done.returncode == 0, done.stderr
        assert done.stdout.strip().endswith(OVER)
    finally:
        server.shutdown()
        server.server_close()
    assert run_in(tmp_path, folder / "tests/test.sh").returncode == 0
    assert reward(tmp_path) == 1


@pytest.mark.parametrize("name", MANY_TURNS)
def test_a_world_scores_as_rlgym_score_does_and_is_not_played_twice(rows, tmp_path, name):
    task = tmp_path / "task.json"
    task.write_text(task_files(rows[name])["environment/world/task.json"])
    world = World(task, tmp_path / "episode.json")
    wrong = wrong_response(rows[name])
    for turn in wrong:
        world.respond(turn)
    assert world.score.value == rlgym.score(rows[name], wrong).value < 1
    for turn in oracle_response(rows[name]):
        assert world.respond(turn) == OVER
    repeated = World(task, tmp_path / "episode.json")  # a restarted container
    assert (repeated.turns, repeated.score) == (world.turns, world.score)


def test_the_agents_image_holds_nothing_hidden(rows, tasks):
    for row in rows.values():
        folder = tasks / task_name(row)
        dockerfile = (folder / "environment/Dockerfile").read_text()
        copied = [line for line in dockerfile.splitlines() if line.startswith(("COPY", "ADD", "RUN"))]
        assert copied in ([], ["COPY --chmod=755 respond /usr/local/bin/respond"])
        assert str(row["seed"]) not in folder.name
        shown = (folder / "instruction.md").read_text()
        assert shown.startswith(row["messages"][0]["content"])
        outside = {str(path.relative_to(folder)) for path in folder.rglob("*") if path.is_file() and row["data"][:200] in _unquoted(path)}
        assert all(path.startswith(("tests/", "environment/world/")) for path in outside)


def _unquoted(path):
    text = path.read_text()
    return json.loads(text).get("data", "") if path.name == "task.json" else text


def test_the_configuration_names_the_verifiers_own_image(rows, tasks):
    for row in rows.values():
        folder = tasks / task_name(row)
        config = tomllib.loads((folder / "task.toml").read_text())
        assert config["verifier"]["environment_mode"] == "separate"
        assert (folder / "tests/Dockerfile").is_file()
        assert config["metadata"]["id"] == row["id"]
        source = config["artifacts"][0]
        assert source == ("/app/answer.txt" if row["kind"] == "environment" else {"source": "/state/episode.json", "service": "world"})


def test_the_compose_file_starts_the_world_before_the_agent(rows, tasks):
    folder = tasks / task_name(rows["nim"]) / "environment"
    services = yaml.safe_load((folder / "docker-compose.yaml").read_text())["services"]
    assert services["main"]["depends_on"] == {"world": {"condition": "service_healthy"}}
    assert (folder / services["world"]["build"]["context"] / "Dockerfile").is_file()
    assert "world" in (folder / ".dockerignore").read_text().split()


def test_answers_that_are_missing_or_too_long_earn_nothing(rows, tmp_path):
    task = tmp_path / "task.json"
    task.write_text(task_files(rows["chain_sum"])["tests/task.json"])
    assert score_file(task, tmp_path / "none").outcome is Outcome.UNREADABLE
    (tmp_path / "long").write_bytes(b"x" * (1 << 20) + rows["chain_sum"]["oracle_response"].encode())
    assert score_file(task, tmp_path / "long").outcome is Outcome.UNREADABLE
    (tmp_path / "bytes").write_bytes(b"\xff" + rows["chain_sum"]["oracle_response"].encode())
    assert score_file(task, tmp_path / "bytes").value == 1


def test_a_failing_verifier_writes_no_reward(rows, tasks, tmp_path):
    folder = tasks / task_name(rows["function_from_tests"])
    run_in(tmp_path, folder / "solution/solve.sh")
    done = run_in(tmp_path, folder / "tests/test.sh", RLGYM_SANDBOX="docker", DOCKER_HOST="unix:///nowhere")
    assert done.returncode != 0
    assert "could not be scored" in done.stderr
    assert not (tmp_path / "logs/verifier/reward.txt").exists()


def test_the_command_warns_of_many_turns_and_drops_them(built, tmp_path):
    run = CliRunner().invoke
    done = run(app, ["dataset", "export", str(built), "--for", "harbor", "--out", str(tmp_path / "all")])
    assert done.exit_code == 0, done.output
    assert "Docker Compose" in done.output
    wheel = tmp_path / "rlvrgym-0.1.0-py3-none-any.whl"
    wheel.write_bytes(b"wheel")
    single = ["dataset", "export", str(built), "--for", "harbor", "--single-turn", "--wheel", str(wheel), "--out", str(tmp_path / "single")]
    done = run(app, single)
    assert done.exit_code == 0, done.output
    assert f"{len(MANY_TURNS)} rows of many turns were dropped" in done.output
    folders = list((tmp_path / "single").iterdir())
    assert len(folders) == len(ONE_TURN)
    for folder in folders:
        assert (folder / "tests" / wheel.name).read_bytes() == b"wheel"
        assert f'pip install --no-cache-dir "/wheels/{wheel.name}' in (folder / "tests/Dockerfile").read_text()


def test_a_folder_with_files_and_a_missing_wheel_are_refused(built, tmp_path):
    (tmp_path / "file").write_text("kept")
    with pytest.raises(RecipeError, match="holds files"):
        export(built, "harbor", tmp_path)
    with pytest.raises(RecipeError, match=r"must be a \.whl file"):
        export(built, "harbor", tmp_path / "out", wheel=tmp_path / "file")
    with pytest.raises(RecipeError, match="a wheel is for the layout harbor"):
        export(built, "trl", tmp_path / "out.jsonl", wheel=tmp_path / "file")
    assert [path.name for path in tmp_path.iterdir()] == ["file"]
