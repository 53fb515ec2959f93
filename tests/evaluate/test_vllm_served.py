"""A vLLM server that is started for an evaluation, with a small server of our own in its place: starting, dying and ending."""

import asyncio
import sys
import time

import pytest

pytest.importorskip("httpx")

from rlgym import RlgymError
from rlgym.evaluate.models import vllm_server
from rlgym.evaluate.models.base import ModelUnavailable, Sampling
from rlgym.evaluate.models.endpoint import RequestLimits
from rlgym.evaluate.models.vllm_server import VllmServer

# It has a worker that does not end when it is asked to, and says what it was asked.
SERVER = """
import http.server, json, os, subprocess, sys
port, how = int(sys.argv[1]), sys.argv[2:]
if "--broken" in how:
    print("starting"); print("ValueError: unknown model"); sys.exit(3)
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
    monkeypatch.setattr(vllm_server, "check_model_folder", lambda *given: None)
    monkeypatch.setattr(vllm_server, "_command", lambda folder, name, port: [sys.executable, "-c", SERVER, str(port)])
    started = []

    def make(*arguments, **more):
        started.append(VllmServer(tmp_path / "model", arguments=arguments, limits=RequestLimits(seconds=60, retries=0), **more))
        return started[-1]

    yield make
    for model in started:
        model.stop(0.1)


def ask(model, text):
    return model.generate([{"role": "user", "content": text}], (), Sampling(), 0)


def gone(model):
    deadline = time.monotonic() + 60
    while model._send_signal(0):
        assert time.monotonic() < deadline
        time.sleep(0.05)


def test_it_is_asked_and_ended_with_its_workers(start):
    model = start()
    assert model._send_signal(0)

    async def asked_and_closed():
        text = await ask(model, "hello")
        model_end = model.stop
        model.stop = lambda seconds=0.5: model_end(seconds)
        await model.close()
        return text

    completion = asyncio.run(asked_and_closed())
    assert (completion.message["content"], completion.prompt_tokens, completion.completion_tokens) == ("model", 1, 2)
    gone(model)
    assert not model.log.exists()


def test_a_server_that_dies_while_it_is_asked_is_said_with_its_log(start):
    model = start()
    with pytest.raises(ModelUnavailable, match="the vLLM server exited with 9: RuntimeError: out of memory"):
        asyncio.run(ask(model, "die"))


def test_a_server_that_does_not_start_is_said_with_its_log(start, tmp_path):
    with pytest.raises(RlgymError, match="exited with 3: ValueError: unknown model"):
        start("--broken", log=tmp_path / "log")
    assert "starting" in (tmp_path / "log").read_text()


def test_a_server_that_is_never_ready_is_given_up_and_ended(start, monkeypatch):
    ended = []
    original = VllmServer.stop
    monkeypatch.setattr(VllmServer, "stop", lambda self, seconds=0.5: ended.append(self) or original(self, seconds))
    with pytest.raises(RlgymError, match="was not ready within 1 seconds"):
        start("--never-ready", startup_seconds=1.0)
    gone(ended[0])
