"""An OpenAI-compatible server on this machine that knows the tasks, and misbehaves as configured."""

from __future__ import annotations

import hashlib
import json
import threading
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

from rlgym.dataset import Session, wrong_response
from rlgym.dataset.session import first_message, message_text


@dataclass
class Odd:
    """One way to misbehave: a status, a body as it is, a stream that never ends, or a connection that breaks."""

    status: int = 200
    body: bytes = b""
    headers: dict[str, str] = field(default_factory=dict)
    kind: str = "application/json"
    forever: bool = False
    breaks: bool = False
    silent: float = 0.0


def error(status: int, message: str, code: str = "", **headers: str) -> Odd:
    """An error as OpenAI sends it."""
    named = {name.replace("_", "-"): value for name, value in headers.items()}
    return Odd(status, json.dumps({"error": {"message": message, "code": code}}).encode(), named)


class Endpoint(ThreadingHTTPServer):
    """Its models are "oracle", "noisy" (right for about half of the samples) and "native" (which calls tools natively).

    odd     given a request and its number from 0, how to misbehave, or None
    asked   the bodies of all requests
    served  (first_message, seed of the body) of each request that was answered well
    right   how many answers were right ones, as the server meant them
    """

    daemon_threads = True
    request_queue_size = 128

    def __init__(
        self, rows: Iterable[dict[str, Any]], odd: Callable[[dict[str, Any], int], Odd | None] | None = None, delay: float = 0.0
    ) -> None:
        super().__init__(("127.0.0.1", 0), Answers)
        self.rows = {first_message(row, Session(row), native): row for row in rows for native in (False, True)}
        self.odd, self.delay = odd or (lambda request, number: None), delay
        self.asked: list[dict[str, Any]] = []
        self.headers: list[dict[str, str]] = []
        self.served: list[tuple[str, int]] = []
        self.right = 0
        self.under_way = self.most_under_way = 0
        self.counting = threading.Lock()

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.server_port}/v1"

    def handle_error(self, request: Any, client_address: Any) -> None:
        """A client that went away is no news."""


class Answers(BaseHTTPRequestHandler):
    server: Endpoint
    protocol_version = "HTTP/1.1"
    disable_nagle_algorithm = True

    def log_message(self, *_: Any) -> None:
        pass

    def do_POST(self) -> None:
        request = json.loads(self.rfile.read(int(self.headers["content-length"])))
        with self.server.counting:
            number = len(self.server.asked)
            self.server.asked.append(request)
            self.server.headers.append({name.lower(): value for name, value in self.headers.items()})
            self.server.under_way += 1
            self.server.most_under_way = max(self.server.most_under_way, self.server.under_way)
        try:
            time.sleep(self.server.delay)
            if odd := self.server.odd(request, number):
                self.misbehave(odd)
            else:
                self.answer(request)
        finally:
            with self.server.counting:
                self.server.under_way -= 1

    def misbehave(self, odd: Odd) -> None:
        if odd.breaks:
            self.close_connection = True
            return
        if odd.silent:
            time.sleep(odd.silent)
        if not odd.forever:
            self.send(odd.status, odd.body, odd.kind, odd.headers)
            return
        self.start_stream()
        while True:  # until the client goes away, which is an OSError here
            self.piece(delta({"content": "and so on "}))
            time.sleep(0.002)

    def answer(self, request: dict[str, Any]) -> None:
        text, right = self.said(request)
        with self.server.counting:
            self.server.right += right
            self.server.served.append((first(request), request.get("seed", -1)))
        message = native(text) if request.get("tools") and request["model"] == "native" else {"content": text}
        usage = {"prompt_tokens": 10, "completion_tokens": 5, "total_tokens": 15}
        finish = "tool_calls" if "tool_calls" in message else "stop"
        if not request.get("stream"):
            choice = {"index": 0, "finish_reason": finish, "message": {"role": "assistant"} | message}
            self.send(200, json.dumps({"id": "1", "object": "chat.completion", "choices": [choice], "usage": usage}).encode())
            return
        self.start_stream()
        self.piece(delta({"role": "assistant", "content": ""}))
        for change in pieces(message):
            self.piece(delta(change))
        self.piece(delta({}, finish))
        if (request.get("stream_options") or {}).get("include_usage"):
            self.piece({"choices": [], "usage": usage})
        self.chunk(b"data: [DONE]\n\n")
        self.chunk(b"")

    def said(self, request: dict[str, Any]) -> tuple[str, bool]:
        row = self.server.rows[first(request)]
        if request["model"] == "noisy" and not lucky(request):
            wrong = wrong_response(row)
            assert isinstance(wrong, str)
            return wrong, False
        session = Session(row)
        for message in request["messages"]:
            if message["role"] == "assistant":
                session.step(message_text(message))
        return session.oracle(), True

    def send(self, status: int, body: bytes, kind: str = "application/json", headers: dict[str, str] | None = None) -> None:
        self.send_response(status)
        for name, value in ({"content-type": kind, "content-length": str(len(body))} | (headers or {})).items():
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(body)

    def start_stream(self) -> None:
        self.send_response(200)
        self.send_header("content-type", "text/event-stream; charset=utf-8")
        self.send_header("transfer-encoding", "chunked")
        self.end_headers()

    def piece(self, event: dict[str, Any]) -> None:
        self.chunk(b"data: " + json.dumps(event).encode() + b"\n\n")

    def chunk(self, data: bytes) -> None:
        self.wfile.write(f"{len(data):x}\r\n".encode() + data + b"\r\n")
        self.wfile.flush()


def first(request: dict[str, Any]) -> str:
    """The task of a request, as its first message has it."""
    return next(str(message["content"]) for message in request["messages"] if message["role"] == "user")


def lucky(request: dict[str, Any]) -> bool:
    """Whether a noisy model answers rightly: decided by the task and the seed alone."""
    return hashlib.sha256(f"{first(request)}\n{request['seed']}".encode()).digest()[0] % 2 == 0


def delta(change: dict[str, Any], finish: str | None = None) -> dict[str, Any]:
    return {"object": "chat.completion.chunk", "choices": [{"index": 0, "delta": change, "finish_reason": finish}]}


def pieces(message: dict[str, Any]) -> Iterator[dict[str, Any]]:
    """A message in pieces, as a stream has it: arguments of tools are cut anywhere."""
    text = message.get("content") or ""
    for start in range(0, len(text), 7):
        yield {"content": text[start : start + 7]}
    for index, call in enumerate(message.get("tool_calls") or []):
        name, arguments = call["function"]["name"], call["function"]["arguments"]
        yield {"tool_calls": [{"index": index, "id": call["id"], "type": "function", "function": {"name": name, "arguments": ""}}]}
        for start in range(0, len(arguments), 5):
            yield {"tool_calls": [{"index": index, "function": {"arguments": arguments[start : start + 5]}}]}


def native(text: str) -> dict[str, Any]:
    """The tool calls of a text, as a message that calls them natively."""
    lines = text.partition("<answer>")[2].partition("</answer>")[0].strip().split("\n")
    created = [{"name": call["tool"], "arguments": json.dumps(call["arguments"])} for call in map(json.loads, lines)]
    return {"content": None, "tool_calls": [{"id": f"call_{at}", "type": "function", "function": call} for at, call in enumerate(created)]}


@contextmanager
def serving(
    rows: Iterable[dict[str, Any]], odd: Callable[[dict[str, Any], int], Odd | None] | None = None, delay: float = 0.0
) -> Iterator[Endpoint]:
    """An endpoint for rows, stopped at the end."""
    server = Endpoint(rows, odd, delay)
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02}, daemon=True)
    thread.start()
    try:
        yield server
    finally:
        server.shutdown()
        thread.join()
        server.server_close()
