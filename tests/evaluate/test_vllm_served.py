"""A vLLM server that is started for an evaluation, with a small server of our own in its place: starting, dying and ending."""

import asyncio
import sys
import time

import pytest

pytest.importorskip("httpx")

from rlgym import RlgymError
from rlgym.evaluate import vllm_served
from rlgym.evaluate.endpoint import Limits
from rlgym.evaluate.models import ModelStops, Sampling
from rlgym.evaluate.vllm_served import ServedVllm

# It has a worker that does not end when it is asked to, and says what it was asked.
SERVER = """
import http.server, json, os, subprocess, sys
port, how = int(sys.argv[1]), sys.argv[2:]
if "--broken" in how:
    print("starting"); print("ValueError: no such model"); sys.exit(3)
subprocess.Popen([sys.executable, "-c", "import signal, time; signal.signal(15, signal.SIG_IGN); time.sleep(300)"])
class Answers(http.server.BaseHTTPRequestHandler):
    def do_GET(self):
        self.send_response(503 if "--never-ready" in how else 200); self.end_headers()
    def do_POST(self):
        asked = json.loads(self.rfile.read(int(self.headers["content-length"])))
        if asked["messages"][0]["content"] == "die":
            print("RuntimeError: out of memory", flush=True); os._exit(9)
        said = {"choices": [{"message": {"role": "assistant", "content": asked["model"]}, "finish_reason": "stop"}],
                "usage": {"prompt_tokens": 1, "completion_tokens": 2}}
        data = json.dumps(said).encode()
        self.send_response(200); self.send_header("content-length", str(len(data))); self.end_headers(); self.wfile.write(data)
http.server.HTTPServer(("127.0.0.1", port), Answers).serve_forever()
"""


@pytest.fixture
def start(monkeypatch, tmp_path):
    (tmp_path / "model").mkdir()
    monkeypatch.setattr(vllm_served, "check_folder", lambda *given: None)
    monkeypatch.setattr(vllm_served, "_command", lambda folder, name, port: [sys.executable, "-c", SERVER, str(port)])
    started = []

    def make(*arguments, **more):
        started.append(ServedVllm(tmp_path / "model", arguments=arguments, limits=Limits(seconds=60, retries=0), **more))
        return started[-1]

    yield make
    for model in started:
        model.end(0.1)


def ask(model, text):
    return model.ask([{"role": "user", "content": text}], (), Sampling(), 0)


def gone(model):
    deadline = time.monotonic() + 60
    while model._told(0):
        assert time.monotonic() < deadline
        time.sleep(0.05)


def test_it_is_asked_and_ended_with_its_workers(start):
    model = start()
    assert model._told(0)

    async def asked_and_closed():
        said = await ask(model, "hello")
        model_end = model.end
        model.end = lambda seconds=0.5: model_end(seconds)
        await model.close()
        return said

    said = asyncio.run(asked_and_closed())
    assert (said.message["content"], said.prompt_tokens, said.completion_tokens) == ("model", 1, 2)
    gone(model)
    assert not model.log.exists()


def test_a_server_that_dies_while_it_is_asked_is_said_with_its_log(start):
    model = start()
    with pytest.raises(ModelStops, match="the vLLM server ended with 9: RuntimeError: out of memory"):
        asyncio.run(ask(model, "die"))


def test_a_server_that_does_not_start_is_said_with_its_log(start, tmp_path):
    with pytest.raises(RlgymError, match="ended with 3: ValueError: no such model"):
        start("--broken", log=tmp_path / "log")
    assert "starting" in (tmp_path / "log").read_text()


def test_a_server_that_is_never_ready_is_given_up_and_ended(start, monkeypatch):
    ended = []
    end = ServedVllm.end
    monkeypatch.setattr(ServedVllm, "end", lambda self, seconds=0.5: ended.append(self) or end(self, seconds))
    with pytest.raises(RlgymError, match="was not ready within 1 seconds"):
        start("--never-ready", seconds=1.0)
    gone(ended[0])
