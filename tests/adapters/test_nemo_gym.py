"""The NeMo Gym adapter: its server's routes, and the gymnasium agent of NeMo Gym that plays against it."""

from __future__ import annotations

import asyncio
import json
import runpy
import sys
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("nemo_gym.base_resources_server", reason="needs a checkout of NeMo Gym on the path; it is on no package index")
pytestmark = pytest.mark.filterwarnings("ignore")  # of the package and of what it stands on

from adapters.agreement import cases, damaged, page, rows  # noqa: E402
from fastapi import FastAPI, Request  # noqa: E402
from fastapi.testclient import TestClient  # noqa: E402
from nemo_gym.base_resources_server import BaseResourcesServerConfig  # noqa: E402
from nemo_gym.server_utils import ServerClient  # noqa: E402
from omegaconf import OmegaConf  # noqa: E402
from responses_api_agents.gymnasium_agent.app import GymnasiumAgent, GymnasiumAgentConfig, GymnasiumAgentRunRequest  # noqa: E402

import rlgym  # noqa: E402
from rlgym.adapters.nemo_gym import RlgymServer, write_server  # noqa: E402
from rlgym.adapters.nemo_gym import rows as nemo_rows  # noqa: E402
from rlgym.core.errors import RowError  # noqa: E402
from rlgym.dataset import Session, to_task_json  # noqa: E402


def server() -> RlgymServer:
    client = ServerClient.model_construct()
    return RlgymServer(config=BaseResourcesServerConfig(host="127.0.0.1", port=1, entrypoint="app.py", name="rlgym"), server_client=client)


def client() -> TestClient:
    return TestClient(server().setup_webserver(), raise_server_exceptions=True)


def response(text: str = "", calls: Any = ()) -> dict[str, Any]:
    """What a model server answers."""
    said = {"id": "m", "type": "message", "role": "assistant", "status": "completed"}
    output: list[Any] = [said | {"content": [{"type": "output_text", "text": text, "annotations": []}]}] if text or not calls else []
    output += [{"type": "function_call", "call_id": f"c{n}", **call} for n, call in enumerate(calls)]
    shared = {"parallel_tool_calls": True, "tool_choice": "auto", "tools": []}
    return {"id": "r", "created_at": 0.0, "model": "m", "object": "response", "output": output, **shared}


def play(player: TestClient, row: dict[str, Any], turns: list[str]) -> dict[str, Any]:
    [request] = nemo_rows([row])
    assert player.post("/reset", json=request).status_code == 200
    for turn in turns:
        step: dict[str, Any] = player.post("/step", json=request | {"response": response(turn)}).json()
        if step["terminated"]:
            return step
        assert step["reward"] == 0
    raise AssertionError("the episode has no end")


def test_agreement_over_the_routes() -> None:
    player = client()
    for case in cases():
        step = play(player, case.row, [case.response] if case.single else case.response)
        assert step["reward"] == case.score, (case.row["id"], case.kind)
        assert step["info"]["value"] == case.score


def test_the_agent_of_nemo_gym_plays() -> None:
    """The agent, a model server that follows the oracle, and the resources server, as three applications."""
    resources = server()
    sessions: dict[str, Session] = {}
    policy = FastAPI()

    @policy.post("/v1/responses")
    async def answer(request: Request) -> dict[str, Any]:
        asked = await request.json()
        session = sessions[asked["input"][0]["content"]]
        said = session.oracle()
        session.step(said)
        if not asked.get("tools"):
            return response(said)
        lines = said.partition("<answer>")[2].partition("</answer>")[0].strip().split("\n")
        calls = [json.loads(line) for line in lines]
        return response(calls=[{"name": call["tool"], "arguments": json.dumps(call["arguments"])} for call in calls])

    apps = {"policy_model": TestClient(policy), "rlgym": TestClient(resources.setup_webserver())}

    class Answer:
        """An aiohttp response, as far as the agent reads it."""

        def __init__(self, given: Any) -> None:
            self.given, self.cookies, self.ok, self.status = given, dict(given.cookies), given.is_success, given.status_code
            self.content = self

        async def read(self) -> bytes:
            return bytes(self.given.content)

    class Client(ServerClient):
        async def post(self, server_name: str, url_path: str, json: Any = None, cookies: Any = None, **_: Any) -> Any:
            body = json if isinstance(json, dict) else json.model_dump(mode="json", exclude_unset=True)
            to = apps[server_name]
            to.cookies.clear()
            to.cookies.update(cookies or {})
            return Answer(await asyncio.to_thread(to.post, url_path, json=body))

    agent = GymnasiumAgent.model_construct(
        config=GymnasiumAgentConfig(
            host="127.0.0.1",
            port=2,
            entrypoint="app.py",
            name="rlgym_agent",
            resources_server={"type": "resources_servers", "name": "rlgym"},
            model_server={"type": "responses_api_models", "name": "policy_model"},
            max_steps=100,
        ),
        server_client=Client.model_construct(global_config_dict=OmegaConf.create({})),
    )
    request = Request({"type": "http", "headers": [], "query_string": b"", "path": "/run", "method": "POST"})
    for name in ("chain_sum", "maze_walk", "calculator_and_lookup"):
        row = next(row for row in rows() if row["env"] == name)
        session = Session(row)
        sessions[session.observation] = session
        [asked] = nemo_rows([row])
        done = asyncio.run(agent.run(request, GymnasiumAgentRunRequest.model_validate(asked)))
        assert done.reward == 1, (name, done.info)
        assert done.terminated
    assert resources.session_state == {}


@pytest.mark.parametrize(("row", "identity"), damaged())
def test_damaged_rows_are_refused(row: dict[str, Any], identity: str) -> None:
    with pytest.raises(RowError, match=identity):
        nemo_rows([row])
    good = json.loads(to_task_json(rows(False)[0]))
    request = {"responses_create_params": {"input": []}, "task_json": json.dumps(good | {key: row[key] for key in good})}
    with pytest.raises(RowError, match=identity):
        client().post("/reset", json=request)


def test_what_is_not_the_models_fault_is_no_reward(monkeypatch: pytest.MonkeyPatch) -> None:
    player = client()
    [request] = nemo_rows(rows(False)[:1])
    player.post("/reset", json=request)
    broken = rlgym.Score.nothing(rlgym.Outcome.ERROR, "no sandbox")
    monkeypatch.setattr(Session, "score", property(lambda _: broken))
    with pytest.raises(RuntimeError, match="no sandbox"):
        player.post("/step", json=request | {"response": response("1")})
    with pytest.raises(RuntimeError, match="reset"):
        client().post("/step", json=request | {"response": response("1")})


def test_the_written_server_is_one_that_nemo_gym_reads(tmp_path: Path) -> None:
    folder = write_server(tmp_path / "rlgym_arithmetic", [rows(False)[0], rows(True)[0]])
    config = OmegaConf.load(folder / "configs" / "rlgym_arithmetic.yaml")
    agent = config.rlgym_arithmetic_agent.responses_api_agents.gymnasium_agent
    created = GymnasiumAgentConfig.model_validate({"host": "h", "port": 1, "name": "n", **OmegaConf.to_container(agent)})
    assert created.max_steps == Session(rows(True)[0]).max_turns
    lines = [json.loads(line) for line in (folder / "data" / "train.jsonl").read_text().splitlines()]
    assert [line["agent_ref"]["name"] for line in lines] == ["rlgym_arithmetic_agent"] * 2
    sys.path_importer_cache.clear()
    assert "RlgymServer" in runpy.run_path(str(folder / "app.py"))


def test_the_page_runs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("page.py").write_text(page("nemo_gym"))
    runpy.run_path("page.py")
    assert len(Path("resources_servers/rlgym_tasks/data/train.jsonl").read_text().splitlines()) == 64
