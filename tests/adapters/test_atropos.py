"""The Atropos adapter: its environment server against a scripted inference server, over tokens."""

from __future__ import annotations

import asyncio
import json
import os
import subprocess
import sys
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("atroposlib", reason="needs atroposlib>=0.4")
pytestmark = pytest.mark.filterwarnings("ignore")  # of the package and of what it stands on

from adapters.agreement import KINDS, Case, cases, damaged, page, rows  # noqa: E402
from adapters.tokens import BEGIN, byte_tokenizer  # noqa: E402
from atroposlib.envs.base import APIServerConfig  # noqa: E402

import rlgym  # noqa: E402
from rlgym.adapters.atropos import RlgymEnv, RlgymEnvConfig  # noqa: E402
from rlgym.core.errors import RowError  # noqa: E402
from rlgym.dataset import Session, oracle_response, sample, to_task_json, wrong_response  # noqa: E402


class Engine(ThreadingHTTPServer):
    """What vLLM's server for Atropos answers, from a table of what to say to which prompt, turn by turn."""

    daemon_threads = True

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), Answers)
        self.coder = byte_tokenizer()
        self.says: dict[str, Any] = {}
        self.asked = 0

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.server_port}/v1"


class Answers(BaseHTTPRequestHandler):
    server: Engine

    def log_message(self, *_: Any) -> None:
        pass

    def do_GET(self) -> None:
        self.send(b"{}")

    def do_POST(self) -> None:
        request = json.loads(self.rfile.read(int(self.headers["content-length"])))
        coder, engine = self.server.coder, self.server
        seen = coder.decode(request["prompt"]["prompt_token_ids"])
        opening = seen.split(f"{BEGIN}user\n")[1].split("<|end|>")[0]
        text = engine.says[opening]
        if isinstance(text, dict):  # by turns: the prompt does not show which of a group's samples this is
            text = text[engine.asked % len(text)]
            engine.asked += 1
        turn = text if isinstance(text, str) else text[seen.count(f"{BEGIN}assistant") - 1]
        tokens = coder.encode(turn, add_special_tokens=False)[: request["max_tokens"]]
        self.send(json.dumps({"logprobs": [[[{token: -0.5}] for token in tokens]], "finish_reasons": ["stop"]}).encode())

    def send(self, payload: bytes) -> None:
        self.send_response(200)
        self.send_header("content-type", "application/json")
        self.send_header("content-length", str(len(payload)))
        self.end_headers()
        self.wfile.write(payload)


@pytest.fixture(scope="module")
def engine() -> Iterator[Engine]:
    server = Engine()
    threading.Thread(target=server.serve_forever, daemon=True).start()
    yield server
    server.shutdown()
    server.server_close()


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> str:
    created = tmp_path_factory.mktemp("tokenizer")
    byte_tokenizer().save_pretrained(created)
    return str(created)


def within(engine: Engine, folder: str, work: Any, **config: Any) -> Any:
    """What `work` makes of an environment, in one event loop."""

    async def run() -> Any:
        given = {"tokenizer_name": folder, "use_wandb": False, "max_token_length": 10**6, "group_size": 1} | config
        server = APIServerConfig(
            server_type="vllm", base_url=engine.url, api_key="none", model_name="scripted", tokenizer_name=folder, health_check=False
        )
        env = RlgymEnv(RlgymEnvConfig(**given), [server], testing=False)
        await env.setup()
        return await work(env)

    return asyncio.run(run())


def test_agreement_over_tokens(engine: Engine, folder: str, record: Any) -> None:
    async def agrees(env: RlgymEnv, case: Case) -> None:
        group, backlog = await env.collect_trajectories(to_task_json(case.row))
        assert group is not None
        assert backlog == []
        assert group["scores"] == [case.score], (case.row["id"], case.kind)
        text = [token for token in group["masks"][0] if token != -100]
        turns = [message["content"] for message in group["messages"][0] if message["role"] == "assistant"]
        assert engine.coder.decode(text) == "".join(turns)
        assert [case.response] == turns if case.single else turns == case.response[: len(turns)]
        assert len(group["tokens"][0]) == len(group["masks"][0]) == len(group["inference_logprobs"][0])

    async def work(env: RlgymEnv) -> None:
        for kind in KINDS:  # one at a time, since the engine knows one response to a prompt
            chosen = [case for case in cases() if case.kind == kind]
            engine.says |= {case.row["messages"][0]["content"]: case.response for case in chosen}
            await asyncio.gather(*(agrees(env, case) for case in chosen))

    within(engine, folder, work, names=["chain_sum"])
    record(
        "atropos",
        "atroposlib",
        scored=len(cases()),
        agreement=f"{len(cases())} responses through collect_trajectories",
        many="one sequence of tokens",
    )
    record("atropos", "atroposlib", tools="calls in the text")


@pytest.mark.parametrize(("row", "identity"), damaged())
def test_damaged_rows_are_refused(row: dict[str, Any], identity: str, engine: Engine, folder: str) -> None:
    good = json.loads(to_task_json(rows(False)[0]))
    spoilt = json.dumps(good | {key: row[key] for key in good})
    with pytest.raises(RowError, match=identity):
        within(engine, folder, lambda env: env.collect_trajectories(spoilt), names=["chain_sum"])


def test_what_is_not_the_models_fault_is_left_out(engine: Engine, folder: str, monkeypatch: pytest.MonkeyPatch) -> None:
    row = rows(False)[0]
    engine.says[row["messages"][0]["content"]] = {0: "broken", 1: oracle_response(row), 2: "junk"}
    full = Session.score.fget  # type: ignore[attr-defined]
    broken = rlgym.Score.nothing(rlgym.Outcome.ERROR, "no sandbox")
    monkeypatch.setattr(Session, "score", property(lambda self: broken if "broken" in str(self.messages) else full(self)))
    engine.asked = 0
    group, _ = within(engine, folder, lambda env: env.collect_trajectories(to_task_json(row)), names=["chain_sum"], group_size=3)
    assert sorted(group["scores"]) == [0, 1]
    assert group["group_overrides"] == {"group_size": 2}
    engine.says[row["messages"][0]["content"]] = "broken"
    assert within(engine, folder, lambda env: env.collect_trajectories(to_task_json(row)), names=["chain_sum"], group_size=3) == (None, [])


def test_tasks_are_of_their_splits_and_do_not_end(engine: Engine, folder: str) -> None:
    async def work(env: RlgymEnv) -> list[str]:
        return [await env.get_next_item() for _ in range(25)]

    drawn = within(engine, folder, work, names=["chain_sum"], levels=[0.3], count=10)
    prompts = [json.loads(item)["prompt"] for item in drawn]
    assert len(set(prompts)) == 25
    test = {row["prompt"] for row in sample("chain_sum", 50, split="test", levels=[0.3])}
    assert not test & set(prompts)


def test_evaluation(engine: Engine, folder: str, tmp_path: Path) -> None:
    given = list(sample("chain_sum", 6, split="test", levels=[0.3]))
    for number, row in enumerate(given):
        engine.says[row["messages"][0]["content"]] = oracle_response(row) if number % 3 else wrong_response(row)
    config = {"names": ["chain_sum"], "levels": [0.3], "eval_count": 6, "data_dir_to_save_evals": str(tmp_path)}
    within(engine, folder, lambda env: env.evaluate(), **config)
    report = json.loads((tmp_path / "metrics.json").read_text())
    assert '"eval/score": 0.666' in json.dumps(report)


def test_the_page_runs(engine: Engine, folder: str, tmp_path: Path, record: Any) -> None:
    for row in sample(["chain_sum", "maze_walk"], 40, split="train", levels=[0.1]):
        engine.says[row["messages"][0]["content"]] = oracle_response(row)
    (tmp_path / "rlgym_server.py").write_text(page("atropos"))
    command = [sys.executable, "rlgym_server.py", "process", "--env.tokenizer_name", folder, "--env.total_steps", "4"]
    command += ["--env.group_size", "2", "--env.use_wandb", "False", "--env.data_path_to_save_groups", "groups.jsonl"]
    command += ["--env.max_token_length", "100000", "--openai.base_url", engine.url]
    command += ["--openai.model_name", "scripted", "--openai.tokenizer_name", folder, "--openai.health_check", "False"]
    done = subprocess.run(command, cwd=tmp_path, env=os.environ | {"WANDB_MODE": "disabled"}, capture_output=True, text=True, timeout=120)
    assert done.returncode == 0, done.stdout[-2000:] + done.stderr[-3000:]
    groups = [json.loads(line) for line in (tmp_path / "groups.jsonl").read_text().splitlines()]
    assert [group["scores"] for group in groups] == [[1, 1]] * 4
    record("atropos", "atroposlib", single="process, groups written", example="run by the test")
