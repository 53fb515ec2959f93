"""Task folders of other programs, played in the sandbox; those that need a container are refused with the reasons."""

from __future__ import annotations

import base64
import json
import runpy
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from adapters.agreement import page

import rlgym
from rlgym.adapters.harbor_tasks import Bash, Submit, check_folder, harbor_game, read_rewards, run_tests, write_package
from rlgym.adapters.harbor_tasks.__main__ import main
from rlgym.core.errors import RowError
from rlgym.dataset import sample
from rlgym.dataset.harbor import read_tasks, task_name, write_tasks
from rlgym.dataset.harbor_folder import TaskFolderError, read_task_folder, task_folders
from rlgym.sandbox import SandboxError
from rlgym.sandbox.session import Session

DOCKERFILE = "FROM python:3.12-slim\nWORKDIR /app\n"
TEST = "#!/bin/bash\nif [ \"$(cat /app/out.txt 2>/dev/null)\" = '3 lines' ]; then echo 1; else echo 0; fi > /logs/verifier/reward.txt\n"
SOLVE = '#!/bin/bash\necho "$(wc -l < /app/in.txt) lines" > /app/out.txt\n'


def folder(place: Path, **files: str) -> Path:
    """A task folder: count the lines of a file. Arguments replace its files; __ stands for a slash, and DOT for a dot."""
    texts = {
        "instruction.md": "Write the number of lines of in.txt to out.txt, as in `7 lines`.\n",
        "task.toml": 'schema_version = "1.4"\n[task]\nname = "acme/lines"\n[verifier]\ntimeout_sec = 20.0\n[environment]\nmemory_mb = 256\n',
        "environment/Dockerfile": f"{DOCKERFILE}COPY in.txt ./\nRUN mkdir -p /app/empty && mkdir /data\n",
        "environment/in.txt": "a\nb\nc\n",
        "tests/test.sh": TEST,
        "solution/solve.sh": SOLVE,
    }
    texts |= {name.replace("__", "/").replace("DOT", "."): text for name, text in files.items()}
    for name, text in texts.items():
        (place / name).parent.mkdir(parents=True, exist_ok=True)
        (place / name).write_text(text)
    return place


@pytest.fixture(autouse=True)
def _namespaces():
    try:
        Session().bash("true")
    except SandboxError as why:
        pytest.skip(str(why))


def test_a_solution_earns_1_and_nothing_earns_0(tmp_path, record):
    folder(tmp_path / "lines")
    checked = check_folder(tmp_path / "lines")
    assert (checked.solution, checked.nothing, checked.problem) == (1, 0, "")
    many = "folders of other programs: a shell in the sandbox, the folder's own tests"
    record("harbor_tasks", "rlvrgym", many=many, tools="bash and submit", agreement="solutions 1, nothing and six tricks 0")


def play(game, *calls):
    state = game.start(rlgym.Rng("t", 1), game.config())
    for call in calls:
        state = game.act(state, (call,), None)
    return state


def test_the_agent_works_in_the_tasks_folder(tmp_path):
    folder(tmp_path / "lines")
    game = harbor_game(tmp_path)
    state = play(game, Bash(command="pwd; cat in.txt; ls -d /data empty; ls /tests /solution; echo x > /app/mine; false"))
    assert "Write the number of lines" in game.show(game.start(rlgym.Rng("t", 1), game.config()))
    assert state.observation.splitlines()[:5] == ["/app", "a", "b", "c", "/data"]
    assert "test.sh" not in state.observation
    assert "solve.sh" not in state.observation
    assert "exit status 1" in state.observation
    state = game.act(state, (Bash(command="cat mine; echo '3 lines' > out.txt"), Submit()), None)
    assert state.observation.startswith("[1] x")
    assert game.outcome(state).value == 1


@pytest.mark.parametrize(
    "command",
    [
        "mkdir -p /logs/verifier; echo 1 > /logs/verifier/reward.txt",
        "mkdir -p /tests; echo 'echo 1 > /logs/verifier/reward.txt' > /tests/test.sh",
        "echo '{\"reward\": 1}' > /logs/verifier/reward.json",
        "printf 'echo 1 > /logs/verifier/reward.txt\\n' > ~/.bashrc; cp ~/.bashrc ~/.profile; export BASH_ENV=~/.bashrc",
        "cat /tests/test.sh /solution/solve.sh; echo '4 lines' > out.txt",
        "(while true; do echo 1 > /logs/verifier/reward.txt; done) & disown",
    ],
)
def test_tricks_earn_nothing(tmp_path, command):
    folder(tmp_path / "lines")
    game = harbor_game(tmp_path)
    score = game.outcome(play(game, Bash(command=command), Submit()))
    assert score.value == 0
    assert not score.masked


def test_the_last_turn_submits(tmp_path):
    folder(tmp_path / "lines")
    game = harbor_game(tmp_path, turns=2)
    state = play(game, Bash(command="echo '3 lines' > out.txt"), Bash(command="true"))
    assert game.outcome(state).value == 1


def test_a_verifier_of_its_own_sees_the_artifacts_alone(tmp_path):
    settings = 'artifacts = ["/app/out.txt"]\n[verifier]\nenvironment_mode = "separate"\n[verifier.env]\nWORD = "lines"\n'
    test = '#!/bin/bash\nls /app > /logs/verifier/seen.txt\n[ "$(cat /app/out.txt)" = "3 $WORD" ] && [ ! -e /app/in.txt ]\n'
    test += 'echo "{\\"passed\\": $((1-$?)), \\"style\\": 0.5}" > /logs/verifier/reward.json\n'
    folder(tmp_path / "lines", taskDOTtoml=settings, tests__testDOTsh=test, tests__Dockerfile="FROM python:3.12-slim\nCOPY . /tests\n")
    game = harbor_game(tmp_path)
    score = game.outcome(play(game, Bash(command="echo '3 lines' > out.txt"), Submit()))
    assert score.parts == {"passed": 1.0, "style": 0.5}
    assert score.value == 0.75


REFUSED = {
    "RUN apt-get": {"environment__Dockerfile": DOCKERFILE + "RUN apt-get update && \\\n  apt-get install -y tmux\n"},
    "FROM nvidia/cuda": {"environment__Dockerfile": "FROM nvidia/cuda:12\n"},
    "FROM python:3.12 AS builder": {"environment__Dockerfile": "FROM python:3.12 AS builder\n"},
    "whose files do not exist": {"environment__Dockerfile": DOCKERFILE + "COPY nothing.txt ./\n"},
    "the service db of docker-compose.yaml": {"environment__docker-composeDOTyaml": "services: {main: {}, db: {image: postgres}}\n"},
    "docker-compose.yaml cannot be read": {"environment__docker-composeDOTyaml": "[\n"},
    "`RUN false` fails here": {"environment__Dockerfile": DOCKERFILE + "COPY in.txt ./\nRUN false\n"},
    "RUN pip install pytest": {"environment__Dockerfile": DOCKERFILE + "RUN ls && PIP_X=1 pip install pytest\n"},
    "tests/test.sh runs `uvx": {"tests__testDOTsh": "#!/bin/bash\nuvx pytest /tests/test_it.py\n"},
    "solution/solve.sh runs `curl": {"solution__solveDOTsh": "#!/bin/bash\ncurl https://example.org\n"},
    "no shell script": {"tests__testDOTsh": "#!/usr/bin/env python3\nprint(1)\n"},
    "an accelerator": {"taskDOTtoml": "[environment]\ngpus = 1\n"},
    "several steps": {"taskDOTtoml": '[[steps]]\nname = "a"\n'},
    "variables of the host": {"taskDOTtoml": '[verifier.env]\nKEY = "${OPENAI_API_KEY}"\n'},
    "needs a container: 'usr'": {"environment__Dockerfile": DOCKERFILE + "COPY in.txt /usr/share/in.txt\n"},
    "cannot be read": {"taskDOTtoml": "[[[\n"},
}


@pytest.mark.parametrize("reason", REFUSED)
def test_what_needs_a_container_is_refused_with_the_reason(tmp_path, reason):
    folder(tmp_path / "lines", **REFUSED[reason])
    with pytest.raises(TaskFolderError, match="lines") as raised:
        harbor_game(tmp_path)
    assert reason in str(raised.value)
    checked = check_folder(tmp_path / "lines")
    assert checked.solution is None
    assert reason in checked.problem


def test_commands_of_the_dockerfile_run_in_the_sandbox(tmp_path):
    dockerfile = DOCKERFILE.replace("slim", "slim\n# a comment") + (
        "COPY in.txt ./\nRUN echo d >> in.txt && \\\n    # another\n    echo \"x  y\" > two.txt\nRUN python3 - <<'PY'\n"
        "open('three.txt', 'w').write('3')\nPY\nCOPY in.txt late.txt\nENV WORD=lines\nWORKDIR /app/sub\nRUN pwd > here.txt\nCMD [\"bash\"]\n"
    )
    compose = "services:\n  main:\n    deploy: {}\n"
    folder(tmp_path / "lines", environment__Dockerfile=dockerfile, **{"environment__docker-composeDOTyaml": compose})
    state = play(harbor_game(tmp_path), Bash(command="pwd; cat ../in.txt ../two.txt ../three.txt ../late.txt here.txt; echo $WORD"))
    assert state.observation.split() == ["/app/sub", *"abcd", "x", "y", "3a", "b", "c", "/app/sub", "lines"]


def test_base_images_may_be_named(tmp_path):
    folder(tmp_path / "lines", environment__Dockerfile="FROM acme/agents:latest\nWORKDIR /app\nCOPY in.txt ./\n")
    assert "FROM acme/agents" in check_folder(tmp_path / "lines").problem
    assert check_folder(tmp_path / "lines", ["agents"]).solution == 1
    assert "bases=('agents',)" in (tmp_path / "p" / "p_tasks" / f"{write_package(tmp_path / 'p', tmp_path, ['agents'])}.py").read_text()


def test_missing_parts_are_named(tmp_path):
    with pytest.raises(TaskFolderError, match="holds no task folder"):
        task_folders(tmp_path)
    (folder(tmp_path / "lines") / "solution" / "solve.sh").unlink()
    with pytest.raises(TaskFolderError, match=r"solution/solve\.sh does not exist"):
        read_task_folder(tmp_path / "lines")


def test_links_lead_nowhere(tmp_path):
    place = folder(tmp_path / "lines", environment__Dockerfile=DOCKERFILE + "COPY . /app\n")
    (tmp_path / "secret").write_text("s")
    (place / "environment" / "link").symlink_to(tmp_path / "secret")
    assert set(read_task_folder(place).image.files) == {"app/in.txt"}


@pytest.mark.parametrize("written", [None, b"", b"yes", b"2", b"-1", b"NaN", b"Infinity", b"{}", b'{"a": "1"}', b"[1]", b"[" * 100_000])
def test_rewards_that_are_none(written):
    with pytest.raises(ValueError, match="the tests wrote"):
        read_rewards({} if written is None else {"logs/verifier/reward.txt": written})


def test_rewards_beside_others():
    written = {"logs/verifier/reward.json": b'{"reward": 0.5, "killed": 2, "gate": 1}', "logs/verifier/reward.txt": b"0"}
    assert read_rewards(written) == {"reward": 0.5, "gate": 1.0}


def test_stuck_and_greedy_tests_time_out(tmp_path):
    settings = "[verifier]\ntimeout_sec = 1.0\n[environment]\nmemory_mb = 128\n"
    folder(tmp_path / "lines", taskDOTtoml=settings, tests__testDOTsh="#!/bin/bash\nwhile true; do :; done\n")
    game = harbor_game(tmp_path)
    assert run_tests(game.start(rlgym.Rng("t", 1), game.config())).outcome is rlgym.Outcome.TIMED_OUT


def test_binary_files_stay(tmp_path):
    folder(tmp_path / "lines")
    state = play(harbor_game(tmp_path), Bash(command="printf '\\377\\000' > raw"), Bash(command="od -An -tx1 raw"))
    assert state.observation.strip() == "ff 00"
    assert base64.b64decode(state.files["app/raw"]) == b"\xff\x00"


def test_a_package_is_an_environment_like_any_other(tmp_path):
    folder(tmp_path / "tasks" / "lines")
    folder(tmp_path / "tasks" / "more", environment__inDOTtxt="x\ny\n", tests__testDOTsh=TEST.replace("3", "2"))
    out = tmp_path / "line-counts"
    assert write_package(out, tmp_path / "tasks") == "line_counts"
    info = out / "line_counts-1.dist-info"
    info.mkdir()
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: line-counts\nVersion: 1\n")
    (info / "entry_points.txt").write_text("[rlgym.envs]\nline_counts_tasks = line_counts_tasks\n")
    code = f"""
import sys; sys.path.insert(0, {str(out)!r})
import json, rlgym
from rlgym.dataset import sample
print(rlgym.locate("line_counts").domain if hasattr(rlgym, "locate") else rlgym.spec("line_counts")["domain"])
env = rlgym.make("line_counts")
prompts = {{env.reset(seed=seed)[1]["task"].data.name for seed in range(8)}}
env.reset(seed=0); done = False
while not done:
    *_, reward, done, _, info = env.step(env.oracle())
print(reward)
row = next(sample("line_counts", 1))
print(rlgym.score(row, json.loads(row["oracle_response"])).value, "solve" in row["prompt"])
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert done.stdout.split() == ["line_counts_tasks", "1.0", "1.0", "False"], done.stderr


def test_the_command_says_what_runs_here(tmp_path, capsys):
    folder(tmp_path / "tasks" / "good")
    folder(tmp_path / "tasks" / "bad", **REFUSED["RUN apt-get"])
    folder(tmp_path / "tasks" / "easy", tests__testDOTsh="#!/bin/sh\necho 1 > /logs/verifier/reward.txt\n")
    with pytest.raises(SystemExit) as ended:
        main([str(tmp_path / "tasks"), "--package", str(tmp_path / "good_tasks")])
    assert ended.value.code == 1
    lines = dict(line.split(": ", 1) for line in capsys.readouterr().out.splitlines())
    assert lines["good"] == "solution 1, nothing 0"
    assert lines["easy"] == "solution 1, nothing 1; doing nothing solves it"
    assert "RUN apt-get" in lines["bad"]
    assert [path.name for path in (tmp_path / "good_tasks" / "good_tasks_tasks" / "tasks").iterdir()] == ["good"]
    with pytest.raises(rlgym.RlgymError, match="exists already"):
        write_package(tmp_path / "good_tasks", tmp_path / "tasks" / "good")


def test_folders_of_our_own_are_rows_again(tmp_path):
    rows = [next(sample(name, 1, levels=[0.2], seed=3)) for name in ("chain_sum", "higher_lower")]
    write_tasks(rows, tmp_path / "tasks")
    by_id = {row["id"]: row for row in read_tasks(tmp_path / "tasks")}
    assert set(by_id) == {row["id"] for row in rows}
    oracle = json.loads(rows[1]["oracle_response"])
    assert rlgym.score(by_id[rows[0]["id"]], rows[0]["oracle_response"]).value == 1
    assert rlgym.score(by_id[rows[1]["id"]], oracle).value == 1
    with pytest.raises(TaskFolderError, match="needs a container"):
        read_task_folder(tmp_path / "tasks" / task_name(rows[0]))
    shutil.rmtree(tmp_path / "tasks" / task_name(rows[0]) / "tests")
    with pytest.raises(RowError, match="no task of rlgym"):
        list(read_tasks(tmp_path / "tasks" / task_name(rows[0])))


def test_the_pages_example_runs(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "page.py").write_text(page("harbor_tasks"))
    runpy.run_path("page.py")
    assert capsys.readouterr().out.splitlines()[-1] == "1.0"
