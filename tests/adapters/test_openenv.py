"""The OpenEnv adapter: its own client, and OpenEnv's generic one, against a running server."""

from __future__ import annotations

import json
import os
import re
import runpy
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("openenv.core", reason="needs openenv-core>=0.3")
pytestmark = pytest.mark.filterwarnings("ignore")  # of the package and of what it stands on

import jsonschema  # noqa: E402
import requests  # noqa: E402
import uvicorn  # noqa: E402
from adapters.agreement import cases, damaged, page, rows  # noqa: E402
from openenv.cli._validation import validate_running_environment  # noqa: E402
from openenv.core import GenericEnvClient  # noqa: E402
from openenv.core.env_server.http_server import HTTPEnvServer  # noqa: E402

import rlgym  # noqa: E402
from rlgym.adapters.openenv import RlgymAction, RlgymEnv, RlgymEnvironment, application, from_environment_variables, write_container  # noqa: E402
from rlgym.core.errors import RecipeError, RowError  # noqa: E402
from rlgym.dataset import Session, from_task_json, sample, to_task_json  # noqa: E402

PAGE = Path(__file__).parents[2] / "docs" / "adapters" / "openenv.md"


@pytest.fixture(scope="module")
def server() -> Iterator[str]:
    running = uvicorn.Server(uvicorn.Config(application(["chain_sum", "nim", "calculator_and_lookup"]), port=0, log_level="error"))
    thread = threading.Thread(target=running.run, daemon=True)
    thread.start()
    while not running.started:
        time.sleep(0.05)
    yield f"http://127.0.0.1:{running.servers[0].sockets[0].getsockname()[1]}"
    running.should_exit = True
    thread.join(10)


@pytest.fixture
def client(server: str) -> Iterator[Any]:
    with RlgymEnv(base_url=server).sync() as env:
        yield env


def play(env: Any, case: Any) -> Any:
    result = env.reset(task_json=to_task_json(case.row))
    assert result.observation.text == case.row["messages"][0]["content"]
    assert result.reward is None
    for turn in [case.response] if case.single else case.response:
        if not result.done:
            result = env.step(RlgymAction(message=turn))
    assert result.done
    return result


def test_agreement_through_the_client(client: Any, record: Any) -> None:
    for case in cases():
        assert play(client, case).reward == case.score, (case.row["id"], case.kind)
    record("openenv", "openenv-core", scored=len(cases()), agreement=f"{len(cases())} responses over the WebSocket")


def test_many_sessions_at_once(server: str) -> None:
    found: dict[int, list[tuple[float, float]]] = {}

    def session(number: int) -> None:
        with RlgymEnv(base_url=server).sync() as env:
            found[number] = [(play(env, case).reward, case.score) for case in cases(True)[number::40]]

    threads = [threading.Thread(target=session, args=(number,)) for number in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(60)
    assert len(found) == 8
    assert all(reward == score for pairs in found.values() for reward, score in pairs)


def test_observations_and_states_conform_to_the_schemas_and_do_not_contain_the_answer(server: str, client: Any) -> None:
    schemas = requests.get(f"{server}/schema", timeout=30).json()
    seen = 0
    for row in sample(["topological_order", "zebra", "roman_numerals", "sudoku"], 12, levels=[0.0], seed=5):
        session = Session(row)
        result = client.reset(task_json=to_task_json(row))
        answer = re.search(r"<answer>(.*?)</answer>", session.oracle(), re.DOTALL)[1].strip()
        state = client.state().model_dump()
        jsonschema.validate(result.observation.model_dump(exclude={"reward", "done"}), schemas["observation"])
        jsonschema.validate(state, schemas["state"])
        if answer not in row["prompt"]:
            seen += 1
            assert answer not in result.observation.model_dump_json()
            assert answer not in json.dumps(state)
    assert seen >= 6


def test_seeds_choose_the_environment_and_repeat(client: Any) -> None:
    first = [client.reset(seed=seed).observation for seed in range(6)]
    assert first == [client.reset(seed=seed).observation for seed in range(6)]
    assert {seen.env for seen in first} == {"chain_sum", "nim", "calculator_and_lookup"}
    fresh = [client.reset().observation.id for _ in range(6)]
    assert len(set(fresh)) == 6


def test_the_generic_client_plays_too(server: str, record: Any) -> None:
    row = next(row for row in rows(True) if row["env"] == "calculator_and_lookup")
    session = Session(row)
    with GenericEnvClient(base_url=server).sync() as env:
        result = env.reset(task_json=to_task_json(row))
        assert result.observation["tools"] == session.tools != []
        while not result.done:
            response = session.oracle()
            session.step(response)
            result = env.step({"message": response})
        assert result.reward == 1
        state = env.state()
    assert state["step_count"] == len(session.messages) // 2
    assert "data" not in state
    record("openenv", "openenv-core", single="own client and server", many="8 sessions at once", tools="calls in the message")


@pytest.mark.parametrize(("row", "identity"), damaged())
def test_damaged_rows_are_refused(row: dict[str, Any], identity: str, client: Any) -> None:
    good = json.loads(to_task_json(rows(False)[0]))
    with pytest.raises(RuntimeError, match=identity):
        client.reset(task_json=json.dumps(good | {key: row[key] for key in good}))


def test_what_is_not_the_models_fault_is_no_reward(client: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    broken = rlgym.Score.nothing(rlgym.Outcome.ERROR, "no sandbox")
    client.reset(task_json=to_task_json(rows(False)[0]))
    monkeypatch.setattr(Session, "score", property(lambda _: broken))
    with pytest.raises(RuntimeError, match="no sandbox"):
        client.step(RlgymAction(message="1"))


def test_splits_and_styles_hold(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("RLGYM_OPENENV", '{"names": "chain_sum", "split": "nowhere"}')
    from_environment_variables()  # a split is looked for with the first task
    with pytest.raises(RecipeError, match="chain_sm"):
        application("chain_sm")
    recipe = rlgym.dataset.Recipe(names="chain_sum", answer_style="boxed", levels=[0.2])
    seen = {RlgymEnvironment(recipe, "test", iter(range(9))).reset(seed=seed).text for seed in range(20)}
    assert all("boxed" in text for text in seen)
    with pytest.raises(RowError):
        from_task_json("{}")


def test_openenv_accepts_the_server_and_the_folder(server: str, tmp_path: Path) -> None:
    report = validate_running_environment(server)
    assert report["passed"], report
    folder = write_container(tmp_path / "rlgym-arithmetic", ["chain_sum"], levels=[0.3])
    created = runpy.run_path(str(folder / "server" / "app.py"))
    assert "/ws" in {getattr(route, "path", "") for route in created["app"].routes}
    assert f'"rlvrgym[openenv]=={rlgym.__version__}"' in (folder / "server" / "Dockerfile").read_text()
    with pytest.raises(ValueError, match="single quote"):
        write_container(tmp_path / "other", ["it's"])


@pytest.mark.slow
def test_the_commands_of_the_page_end_in_a_folder_that_openenv_accepts(tmp_path: Path) -> None:
    """The page's lines as they stand: a wheel of the clone, the folder, its lock file, and OpenEnv's own check of it."""
    [commands] = [block for block in re.findall(r"^```bash\n(.*?)^```", PAGE.read_text(), re.M | re.S) if "openenv validate" in block]
    assert "pip install" not in commands, "the packages are those of the environment that runs this test"
    clone = PAGE.parents[2]
    script = commands.replace(" .\n", f" {clone}\n").split("docker build")[0]
    path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    done = subprocess.run(["bash", "-e", "-c", script], cwd=tmp_path, env={**os.environ, "PATH": path}, capture_output=True, text=True)
    if re.search(
        "dns error|error sending request|No route to host|Temporary failure|Failed to fetch|[Rr]equest failed|[Cc]onnection|[Tt]unnel|timed out",
        done.stdout + done.stderr,
    ):
        pytest.skip("`uv lock` cannot reach a package index from here")
    assert done.returncode == 0, done.stdout + done.stderr
    assert "Ready for multi-mode deployment" in done.stdout or "[OK]" in done.stdout, done.stdout
    assert "COPY wheels" in (tmp_path / "rlgym-arithmetic" / "server" / "Dockerfile").read_text()


def test_an_idle_session_frees_its_place() -> None:
    """OpenEnv closes sessions by the configuration that it is given; without a timeout, places leak until none is left."""
    found = []
    for timeout in (None, 0.5, 3600.0):
        app = application("chain_sum", sessions=2, session_timeout=timeout)
        servers = [cell.cell_contents for route in app.routes for cell in getattr(route.endpoint, "__closure__", None) or ()]
        [config] = {server.concurrency_config.model_dump_json() for server in servers if isinstance(server, HTTPEnvServer)}
        found.append(json.loads(config))
    assert found == [{"max_concurrent_envs": 2, "session_timeout": timeout} for timeout in (None, 0.5, 3600.0)]


def test_tasks_are_listed_and_asked_for_by_index(client: Any) -> None:
    assert client.list_splits() == ["train", "validation", "test"]
    assert client.num_tasks("test") == 1000
    listed = client.get_task_range("test", 3, 6)
    assert [task["index"] for task in listed] == [3, 4, 5]
    seen = [client.reset(split="test", index=task["index"]).observation for task in listed]
    assert [observation.env for observation in seen] == [task["env"] for task in listed]
    assert client.reset(split="test", index=4).observation == seen[1]
    assert client.reset(split="train", index=4).observation.text != seen[1].text
    with pytest.raises(RuntimeError, match="no task 1000"):
        client.reset(split="test", index=1000)


def test_the_task_api_answers_over_http(server: str) -> None:
    def ask(path: str, **body: Any) -> Any:
        return requests.post(f"{server}/rlgym/{path}", json=body, timeout=10)

    assert requests.get(f"{server}/list_environments", timeout=10).json() == ["rlgym"]
    assert {"name": "train", "type": "train"} in requests.get(f"{server}/rlgym/splits", timeout=10).json()
    assert ask("task", split="test", index=12).json()["task"]["id"] == "test-12"
    assert len(ask("tasks", split="test").json()["tasks"]) == 1000
    assert ask("task", split="test", index=-1).status_code == 400
    assert ask("num_tasks", split="nowhere").status_code == 400


def test_a_step_that_is_sent_twice_counts_once(client: Any) -> None:
    row = next(row for row in rows(True) if row["env"] == "nim")
    client.reset(task_json=to_task_json(row))
    action = RlgymAction(message=Session(row).oracle(), request_id="first")
    first = client.step(action)
    assert client.step(action) == first
    assert first.observation.request_id == "first"
    assert client.state().step_count == 1


def test_a_step_that_takes_too_long_leaves_the_episode_where_it_was(monkeypatch: pytest.MonkeyPatch) -> None:
    env = RlgymEnvironment(rlgym.dataset.Recipe(names="nim"), None, iter(range(9)))
    env.reset(seed=1)
    oracle = env._session.oracle()
    real = Session.step

    def slow(session: Session, response: str) -> str:
        time.sleep(0.3)
        return real(session, response)

    monkeypatch.setattr(Session, "step", slow)
    with pytest.raises(TimeoutError, match=r"timeout_s=0\.05"):
        env.step(RlgymAction(message=oracle, timeout_s=0.05))
    assert env.state.step_count == 0
    time.sleep(0.5)
    assert env.step(RlgymAction(message=oracle)).turns_left == env._session.max_turns - 1


def test_the_page_runs(tmp_path: Path, record: Any) -> None:
    (tmp_path / "page.py").write_text(page("openenv"))
    for _ in range(3):  # a client and a server that close at once raced, in about one run of three
        done = subprocess.run([sys.executable, "page.py"], cwd=tmp_path, capture_output=True, text=True, check=True)
        assert "Traceback" not in done.stderr, done.stderr
    shown = done.stdout.splitlines()
    assert shown[-1].split()[0] in ("0.0", "1.0")
    record("openenv", "openenv-core", example="run by the test")


def test_turn_rewards_are_in_the_observations(client: Any) -> None:
    row = next(sample("taxi_text", 1, levels=[0.5]))
    result = client.reset(task_json=to_task_json(row))
    assert result.observation.turn_reward is None
    rewards = []
    for turn in json.loads(row["oracle_response"]):
        result = client.step(RlgymAction(message=turn))
        rewards.append(result.observation.turn_reward)
    assert (result.reward, sum(rewards)) == (1, pytest.approx(1))
    assert sum(reward > 0 for reward in rewards) > 1
