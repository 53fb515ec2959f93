"""An OpenAI-compatible server on this machine, whose model knows the tasks."""

from __future__ import annotations

import json
import threading
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

from rlgym.dataset import Session, wrong_response


class Endpoint(ThreadingHTTPServer):
    """Its models answer as the oracle, wrongly, by turns as both ("mixed"), with native calls or, as "scripted", what `says` has; else with an error."""

    daemon_threads = True

    def __init__(self, rows: Iterable[dict[str, Any]]) -> None:
        super().__init__(("127.0.0.1", 0), Answers)
        self.rows = {row["messages"][0]["content"]: row for row in rows}
        self.says: dict[str, Any] = {}
        self.asked: list[dict[str, Any]] = []

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.server_port}/v1"


class Answers(BaseHTTPRequestHandler):
    server: Endpoint

    def log_message(self, *_: Any) -> None:
        pass

    def do_POST(self) -> None:
        request = json.loads(self.rfile.read(int(self.headers["content-length"])))
        self.server.asked.append(request)
        message = self.message(request)
        body = {
            "id": "1",
            "object": "chat.completion",
            "created": 1,
            "model": request["model"],
            "choices": [{"index": 0, "finish_reason": "stop", "message": {"role": "assistant"} | message}],
            "usage": {"prompt_tokens": 5, "completion_tokens": 5, "total_tokens": 10},
        }
        payload = json.dumps(body if message else {"error": {"message": "no such task"}}).encode()
        self.send_response(200 if message else 400)
        self.send_header("content-type", "application/json")
        self.send_header("content-length", str(len(payload)))
        self.end_headers()
        self.wfile.write(payload)

    def message(self, request: dict[str, Any]) -> dict[str, Any]:
        opening = request["messages"][0]["content"]
        if not isinstance(opening, str):
            [opening] = [part["text"] for part in opening if part["type"] == "text"]
        earlier = [contents for contents in request["messages"] if contents["role"] == "assistant"]
        if request["model"] == "scripted":
            said = self.server.says[opening]
            return {"content": said if isinstance(said, str) else said[len(earlier)]}
        row = self.server.rows.get(opening)
        if row is None:
            return {}
        odd = list(self.server.rows).index(opening) % 2
        if request["model"] == "wrong" or (request["model"] == "mixed" and odd):
            said = wrong_response(row)
            return {"content": said if isinstance(said, str) else said[len(earlier)]}
        session = Session(row)
        for turn in earlier:
            calls = [call["function"] for call in turn.get("tool_calls") or []]
            session.step(json.dumps(calls) if calls else turn["content"])
        text = session.oracle()
        return native(text) if request["model"] == "native" else {"content": text}


def native(text: str) -> dict[str, Any]:
    """The tool calls of a text, as a message that calls them natively."""
    lines = text.partition("<answer>")[2].partition("</answer>")[0].strip().split("\n")
    created = [{"name": call["tool"], "arguments": json.dumps(call["arguments"])} for call in map(json.loads, lines)]
    return {
        "content": None,
        "tool_calls": [{"id": f"call_{number}", "type": "function", "function": call} for number, call in enumerate(created)],
    }


@contextmanager
def serving() -> Iterator[Callable[[Iterable[dict[str, Any]]], Endpoint]]:
    """A function that starts an endpoint for rows; all of them stop at the end."""
    running: list[Endpoint] = []

    def start(rows: Iterable[dict[str, Any]]) -> Endpoint:
        running.append(Endpoint(rows))
        threading.Thread(target=running[-1].serve_forever, daemon=True).start()
        return running[-1]

    yield start
    for server in running:
        server.shutdown()
        server.server_close()
