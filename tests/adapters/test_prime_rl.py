"""prime-rl's own orchestrator and environment servers play and score our tasks; it runs from a checkout of its source, on Python 3.12."""

import json
import os
import re
import socket
import subprocess
import sys
import threading
import time
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("prime_rl", reason="needs a checkout of prime-rl on the Python path")
pytest.importorskip("prime_rl.orchestrator.orchestrator", reason="needs what prime-rl's orchestrator imports")

from adapters.tiny import CHATML, tiny

from rlgym.adapters.verifiers import write_package
from rlgym.dataset import Session, sample, wrong_response

NAMES = ("chain_sum", "calculator_and_lookup")
MARKS = ["<|endoftext|>", "<think>", "</think>", "<tool_call>", "</tool_call>", "<tool_response>", "</tool_response>"]


class Inference(BaseHTTPRequestHandler):
    """The routes of prime-rl's inference server, over token ids: every second episode is the oracle's, the others are mistakes."""

    server: Any

    def log_message(self, *_: Any) -> None:
        pass

    def answer(self, value: Any) -> None:
        data = json.dumps(value).encode()
        self.send_response(200)
        self.send_header("content-type", "application/json")
        self.send_header("content-length", str(len(data)))
        self.end_headers()
        self.wfile.write(data)

    def do_GET(self) -> None:
        self.answer({"data": [{"id": "model", "object": "model", "max_model_len": 16384}]})

    def do_POST(self) -> None:
        body = json.loads(self.rfile.read(int(self.headers.get("content-length") or 0)) or b"{}")
        if not self.path.endswith("/generate"):
            self.answer({"status": "ok"})
            return
        tokenizer = self.server.tokenizer
        text = tokenizer.decode(body["token_ids"], skip_special_tokens=False)
        row = next(row for row in self.server.rows if row["prompt"] in text)
        said = re.findall(r"<\|im_start\|>assistant\n(.*?)<\|im_end\|>", text, re.DOTALL)
        ids = [*tokenizer.encode(self.turn(row, said), add_special_tokens=False), tokenizer.eos_token_id]
        content = [{"token": f"token_id:{token}", "logprob": -0.1, "bytes": None, "top_logprobs": []} for token in ids]
        usage = {"prompt_tokens": len(body["token_ids"]), "completion_tokens": len(ids), "total_tokens": len(body["token_ids"]) + len(ids)}
        choice = {"index": 0, "token_ids": ids, "finish_reason": "stop", "logprobs": {"content": content}}
        self.answer({"request_id": "r", "choices": [choice], "usage": usage})

    def turn(self, row: Any, said: list[str]) -> str:
        wrong = wrong_response(row)
        mistakes = [wrong] if isinstance(wrong, str) else wrong
        with self.server.lock:
            self.server.episodes += not said
            erring = mistakes[0] in said[0] if said else self.server.episodes % 2 == 0
        if erring:
            return mistakes[min(len(said), len(mistakes) - 1)]
        session = Session(row)
        for text in said:
            session.step(text.rpartition("</think>")[2].strip())
        return session.oracle()


@contextmanager
def inference(tokenizer: Any) -> Any:
    server: Any = ThreadingHTTPServer(("127.0.0.1", 0), Inference)
    server.tokenizer, server.lock, server.episodes = tokenizer, threading.Lock(), 0
    server.rows = [row for name in NAMES for row in sample([name], 8, levels=[0.2])]
    threading.Thread(target=server.serve_forever, daemon=True).start()
    try:
        yield server
    finally:
        server.shutdown()
        server.server_close()


def toml(source: str) -> str:
    return f'[{source}.taskset]\nid = "rlgym-tasks"\nnames = ["{{name}}"]\ncount = 8\nlevels = [0.2]\n'


def test_the_orchestrator_trains_on_two_of_our_tasks(tmp_path: Path, monkeypatch: Any, record: Any) -> None:
    monkeypatch.chdir(tmp_path)
    _, tokenizer = tiny(tmp_path / "model", CHATML)
    tokenizer.add_tokens(MARKS, special_tokens=True)
    tokenizer.save_pretrained(tmp_path / "model")
    write_package("rlgym-tasks")
    path = os.pathsep.join([str(tmp_path / "rlgym-tasks"), os.environ.get("PYTHONPATH", "")])
    environ = {**os.environ, "PYTHONPATH": path, "HF_HUB_OFFLINE": "1", "WANDB_MODE": "disabled"}
    first = free_ports()
    with inference(tokenizer) as server:
        sources = "".join(f'[[train.source]]\nname = "{name}"\n{toml("train.source.env")}'.replace("{name}", name) for name in NAMES)
        head = {"output_dir": "out", "batch_size": 8, "group_size": 4, "max_steps": 3, "seq_len": 8192, "env_server_base_port": first}
        (tmp_path / "orchestrator.toml").write_text(
            "".join(f"{key} = {json.dumps(value)}\n" for key, value in head.items())
            + f'[model]\nname = "model"\n[model.client]\nbase_url = "http://127.0.0.1:{server.server_port}/v1"\n[tokenizer]\nname = "model"\n'
            + '[renderer]\nname = "qwen3"\n[rollout_transport]\ntype = "filesystem"\n[weight_broadcast]\ntype = "filesystem"\n'
            + f"[train.sampling]\nmax_completion_tokens = 512\n{sources}"
        )
        running = []
        for number, name in enumerate(NAMES):
            serve = f'[serve]\naddress = "tcp://127.0.0.1:{first + number}"\n[serve.pool]\ntype = "static"\nnum_workers = 1\n'
            (tmp_path / f"{name}.toml").write_text(toml("env").replace("{name}", name) + serve)
            running.append(start("env_server", f"{name}.toml", environ))
        orchestrator = start("orchestrator", "orchestrator.toml", environ)
        try:
            deadline = time.monotonic() + 300
            while orchestrator.poll() is None and time.monotonic() < deadline:
                announce_weights(tmp_path / "out")
                time.sleep(0.5)
            assert orchestrator.poll() == 0, (tmp_path / "orchestrator.log").read_text()[-3000:]
        finally:
            for process in [*running, orchestrator]:
                process.kill()
                process.wait()
    rewards: dict[str, list[float]] = {name: [] for name in NAMES}
    for file in sorted(tmp_path.glob("out/rollouts/step_*/train/all/traces.jsonl")):
        for line in file.read_text().splitlines():
            episode = json.loads(line)
            for trace in episode["traces"]:
                assert not trace["errors"], trace["errors"]
                rewards[episode["env"]["name"]].append(trace["rewards"]["right"]["score"])
    for name in NAMES:
        assert set(rewards[name]) == {0.0, 1.0}, rewards
    assert len(list(tmp_path.glob("out/rollouts/step_*/rank_0.bin"))) == 3
    record("verifiers", "verifiers", example="the page's example; prime-rl's orchestrator on two tasks")


def announce_weights(out: Path) -> None:
    """The trainer's part, which needs a GPU: weights that no file holds are announced after each batch; the inference server has none."""
    for step in range(1 + len(list(out.glob("rollouts/step_*/rank_0.bin")))):
        folder = out / "broadcasts" / f"step_{step}"
        folder.mkdir(parents=True, exist_ok=True)
        (folder / "STABLE").touch()


def free_ports() -> int:
    """The first of two neighbouring ports that are free."""
    while True:
        with socket.socket() as one, socket.socket() as two:
            one.bind(("127.0.0.1", 0))
            port: int = one.getsockname()[1]
            try:
                two.bind(("127.0.0.1", port + 1))
            except OSError:
                continue
            return port


def start(command: str, file: str, environ: dict[str, str]) -> subprocess.Popen[bytes]:
    """A program of prime-rl, with its output in a log."""
    with Path(file).with_suffix(".log").open("wb") as log:
        return subprocess.Popen([sys.executable, "-m", f"prime_rl.entrypoints.{command}", "@", file], env=environ, stdout=log, stderr=log)
