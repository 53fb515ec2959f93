"""The OpenEnv adapter: its own client, and OpenEnv's generic one, against a running server."""

from __future__ import annotations

import json
import runpy
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("openenv.core", reason="needs openenv-core>=0.3")
pytestmark = pytest.mark.filterwarnings("ignore")  # of the package and of what it stands on

import uvicorn  # noqa: E402
from adapters.agreement import cases, damaged, page, rows  # noqa: E402
from openenv.cli._validation import validate_running_environment  # noqa: E402
from openenv.core import GenericEnvClient  # noqa: E402

import rlgym  # noqa: E402
from rlgym.adapters.openenv import RlgymEnv, RlgymEnvironment, Say, application, from_surroundings, write_container  # noqa: E402
from rlgym.core.errors import RecipeError, RowError  # noqa: E402
from rlgym.dataset import Session, read_ticket, ticket  # noqa: E402


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
    result = env.reset(ticket=ticket(case.row))
    assert result.observation.text == case.row["messages"][0]["content"]
    assert result.reward is None
    for turn in [case.response] if case.single else case.response:
        if not result.done:
            result = env.step(Say(message=turn))
    assert result.done
    return result


def test_agreement_through_the_client(client: Any, record: Any) -> None:
    for case in cases():
        assert play(client, case).reward == case.score, (case.row["id"], case.kind)
    record("openenv", "openenv-core", agreement=f"{len(cases())} responses over the WebSocket")


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
        result = env.reset(ticket=ticket(row))
        assert result.observation["tools"] == session.tools != []
        while not result.done:
            said = session.oracle()
            session.say(said)
            result = env.step({"message": said})
        assert result.reward == 1
        state = env.state()
    assert state["step_count"] == len(session.messages) // 2
    assert "data" not in state
    record("openenv", "openenv-core", single="own client and server", many="8 sessions at once", tools="calls in the message")


@pytest.mark.parametrize(("row", "identity"), damaged())
def test_damaged_rows_are_refused(row: dict[str, Any], identity: str, client: Any) -> None:
    good = json.loads(ticket(rows(False)[0]))
    with pytest.raises(RuntimeError, match=identity):
        client.reset(ticket=json.dumps(good | {key: row[key] for key in good}))


def test_what_is_not_the_models_fault_is_no_reward(client: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    broken = rlgym.Score.nothing(rlgym.Outcome.ERROR, "no sandbox")
    client.reset(ticket=ticket(rows(False)[0]))
    monkeypatch.setattr(Session, "score", property(lambda _: broken))
    with pytest.raises(RuntimeError, match="no sandbox"):
        client.step(Say(message="1"))


def test_splits_and_styles_hold(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("RLGYM_OPENENV", '{"names": "chain_sum", "split": "nowhere"}')
    from_surroundings()  # a split is looked for with the first task
    with pytest.raises(RecipeError, match="chain_sm"):
        application("chain_sm")
    recipe = rlgym.dataset.Recipe(names="chain_sum", answer_style="boxed", levels=[0.2])
    seen = {RlgymEnvironment(recipe, "test", iter(range(9))).reset(seed=seed).text for seed in range(20)}
    assert all("boxed" in text for text in seen)
    with pytest.raises(RowError):
        read_ticket("{}")


def test_openenv_accepts_the_server_and_the_folder(server: str, tmp_path: Path) -> None:
    report = validate_running_environment(server)
    assert report["passed"], report
    folder = write_container(tmp_path / "rlgym-arithmetic", ["chain_sum"], levels=[0.3])
    from openenv.cli.__main__ import app
    from typer.testing import CliRunner

    (folder / "uv.lock").write_text("")  # made by `uv lock`, which needs the network
    checked = CliRunner().invoke(app, ["validate", str(folder)])
    assert checked.exit_code == 0, checked.output
    made = runpy.run_path(str(folder / "server" / "app.py"))
    assert "/ws" in {getattr(route, "path", "") for route in made["app"].routes}
    with pytest.raises(ValueError, match="single quote"):
        write_container(tmp_path / "other", ["it's"])


def test_the_page_runs(tmp_path: Path, record: Any, capsys: Any) -> None:
    (tmp_path / "page.py").write_text(page("openenv"))
    runpy.run_path(str(tmp_path / "page.py"))
    shown = capsys.readouterr().out.splitlines()
    assert shown[-1].split()[0] in ("0.0", "1.0")
    record("openenv", "openenv-core", example="run by the test")
