"""Harbor: what the images of exported task folders run. `score` scores an answer's file, `world` serves the episode of a many-turn task.

`rlgym dataset export --for harbor` writes the folders.
"""

from __future__ import annotations

import argparse
import json
import os
import sys
from collections.abc import Sequence
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path
from typing import Any

import rlgym
from rlgym.core.score import Outcome, Score
from rlgym.dataset import Session, from_task_json

MOST_BYTES = 1 << 20
OVER = "The episode is over."


def score_file(task: str | Path, answer: str | Path) -> Score:
    """The score of the response in a file. A file that does not exist holds no answer, and more than a megabyte is not read."""
    row = from_task_json(Path(task).read_text(encoding="utf-8"))
    try:
        with open(answer, "rb") as file:
            text = file.read(MOST_BYTES + 1)
    except OSError:
        return Score.nothing(Outcome.UNREADABLE, f"there is no file {str(answer)!r}")
    if len(text) > MOST_BYTES:
        return Score.nothing(Outcome.UNREADABLE, f"{str(answer)!r} is longer than {MOST_BYTES} bytes")
    return rlgym.score(row, text.decode("utf-8", "replace"))


class World:
    """One episode, kept in a file: the turns so far, and the score. It starts again where the file left off, and never anew."""

    def __init__(self, task: str | Path, state: str | Path) -> None:
        self.session, self.state, self.turns = Session(from_task_json(Path(task).read_text(encoding="utf-8"))), Path(state), list[str]()
        if self.state.exists():
            for turn in json.loads(self.state.read_text(encoding="utf-8"))["turns"]:
                self._step(turn)
        self._save()

    @property
    def observation(self) -> str:
        """What the agent reads now."""
        return OVER if self.session.done else self.session.observation

    @property
    def score(self) -> Score:
        """The score of the episode; an unfinished episode is not won."""
        return self.session.score or Score.wrong("the episode was not played to its end")

    def respond(self, response: str) -> str:
        """Take one response; returns the next observation. Responses after the end are not counted."""
        if not self.session.done:
            self._step(response)
            self._save()
        return self.observation

    def _step(self, response: str) -> None:
        self.session.step(response)
        self.turns.append(response)

    def _save(self) -> None:
        record = {"turns": self.turns, "score": {**self.score.to_dict(), "masked": self.score.masked}}
        unfinished = self.state.with_name(f"{self.state.name}.unfinished")
        unfinished.write_text(json.dumps(record), encoding="utf-8")
        os.replace(unfinished, self.state)


def world_server(world: World, host: str = "0.0.0.0", port: int = 8000) -> HTTPServer:
    """A server of the world: GET gives the observation, POST takes a response and gives the next one. It shows nothing else."""

    class Handler(BaseHTTPRequestHandler):
        timeout = 60

        def do_GET(self) -> None:
            self._reply(200, world.observation)

        def do_POST(self) -> None:
            length = self.headers.get("Content-Length", "")
            if not length.isdecimal() or len(length) > 9 or int(length) > MOST_BYTES:
                return self._reply(413, f"a response has a length of at most {MOST_BYTES} bytes")
            self._reply(200, world.respond(self.rfile.read(int(length)).decode("utf-8", "replace")))

        def _reply(self, status: int, text: str) -> None:
            body = text.encode("utf-8", "replace")
            self.send_response(status)
            self.send_header("Content-Type", "text/plain; charset=utf-8")
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, format: str, *arguments: Any) -> None:
            """Log nothing."""

    return HTTPServer((host, port), Handler)  # one request at a time: turns have an order


def main(arguments: Sequence[str] | None = None) -> None:
    """Run one of the two commands."""
    parser = argparse.ArgumentParser(prog="python -m rlgym.adapters.harbor", description=__doc__)
    commands = parser.add_subparsers(dest="command", required=True)
    scoring = commands.add_parser("score", help="score the response in a file, and write reward.txt and score.json")
    scoring.add_argument("task", type=Path)
    scoring.add_argument("answer", type=Path)
    scoring.add_argument("--out", type=Path, required=True)
    serving = commands.add_parser("world", help="serve the episode of a many-turn task over HTTP")
    serving.add_argument("task", type=Path)
    serving.add_argument("--state", type=Path, required=True)
    serving.add_argument("--host", default="0.0.0.0")
    serving.add_argument("--port", type=int, default=8000)
    given = parser.parse_args(arguments)
    if given.command == "world":
        world_server(World(given.task, given.state), given.host, given.port).serve_forever()
        return
    score = score_file(given.task, given.answer)
    if score.masked:  # without a reward file Harbor reports an error and no reward
        sys.exit(f"the answer could not be scored: {score.reason}")
    (given.out / "score.json").write_text(json.dumps(score.to_dict()), encoding="utf-8")
    (given.out / "reward.txt").write_text(f"{score.value}\n", encoding="utf-8")


if __name__ == "__main__":
    main()
