"""A server that speaks as much of vLLM's protocol as the trainer uses, and samples what the seed of a request says.

Its weights are a number, which it reads from shared memory, a process group or the requested file. Run as a program, it serves until it is terminated.
"""

import argparse
import json
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

from safetensors.torch import load_file

from rlgym.train.rollout.engines.group_channel import receive
from rlgym.train.rollout.engines.weight_channels import read_shared


class FakeVllm:
    """`die` closes every connection from now on, `asked` are the prompts that came, `weights` the first number of those it took, `logprob` what it
    reports of every token."""

    def __init__(self, port=0, context=200, host="127.0.0.1"):
        self.context, self.asked, self.weights, self.dead, self.slow = context, [], None, False, threading.Event()
        self.slow.set()
        self.logprob = -1.5
        fake = self

        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def do_GET(self):
                fake.answer(self, None)

            def do_POST(self):
                fake.answer(self, self.rfile.read(int(self.headers.get("Content-Length") or 0)))

            def log_message(self, *_):
                pass

        self.http = ThreadingHTTPServer((host, port), Handler)
        self.http.daemon_threads = True
        self.url = f"http://{host}:{self.http.server_port}"
        threading.Thread(target=self.http.serve_forever, daemon=True).start()

    def answer(self, handler, body):
        if handler.path == "/v1/completions":
            self.asked.append(tuple(json.loads(body)["prompt"]))
            self.slow.wait(10)
        if self.dead:
            handler.close_connection = True
            handler.connection.close()
            return
        code, text = self.said(handler.path, json.loads(body) if body else None)
        data = json.dumps(text).encode()
        handler.send_response(code)
        handler.send_header("Content-Length", str(len(data)))
        handler.end_headers()
        handler.wfile.write(data)

    def said(self, path, given):
        if path == "/v1/models":
            return 200, {"data": [{"id": "fake", "max_model_len": self.context}]}
        if path == "/collective_rpc":
            self.weights = float(next(iter(weights_of(given["kwargs"]).values())).flatten()[0])
        if path != "/v1/completions":
            return 200, {}
        if given["prompt"][0] == 99:
            return 400, {"error": "no such token"}
        if "prompt_logprobs" in given:
            # Each token has a log-probability that names it.
            entries = [None, *({str(token): {"logprob": -token / 100}} for token in given["prompt"][1:])]
            return 200, {"choices": [{"token_ids": [5], "prompt_logprobs": entries}]}
        tokens = [(given["seed"] + place) % 50 + 5 for place in range(min(3, given["max_tokens"]))]
        return 200, {
            "choices": [{"token_ids": tokens, "logprobs": {"token_logprobs": [self.logprob] * len(tokens)}, "finish_reason": "length"}]
        }


def weights_of(kwargs):
    """What the trainer sent, as a worker of vLLM reads it."""
    if "group" in kwargs:
        return dict(receive(kwargs["group"]))
    if "shared" in kwargs:
        return dict(read_shared(kwargs["shared"]))
    return load_file(kwargs["file"])


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("--port", type=int)
    parser.add_argument("--host")
    parser.add_argument("--max-model-len", type=int)
    known, _ = parser.parse_known_args()
    FakeVllm(known.port, known.max_model_len, known.host)
    threading.Event().wait()
