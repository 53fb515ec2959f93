"""Environments of verifiers played as our environments are, through reset and step, scored by their own rewards."""

from __future__ import annotations

import asyncio
import itertools
import json
import math
import queue
import threading
from collections.abc import Mapping
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

import gymnasium

import rlgym
from rlgym import Outcome, Score, Task, TaskData
from rlgym.core.errors import check_render_mode
from rlgym.core.packages import extra

with extra("verifiers"):
    import verifiers.v1 as vf


class Peer(TaskData):
    """What verifiers knows of a task, as JSON."""

    environment: str
    task: str


class VerifiersEnv(gymnasium.Env[str, str]):
    """Plays the tasks of an environment of verifiers: `reset(seed=n)` starts task n, and each call of the model is a step.

    Their harness asks an endpoint on this machine, which hands its question out as the observation, and waits for `step`.
    An episode that fails there, or whose reward lies outside `rewards`, gives nan, is truncated, and has `info["masked"]`.

    config    what `vf.resolve_env_config` takes
    most      the most tasks that are read of the taskset
    rewards   the least and the highest reward that there can be, which become 0 and 1
    seconds   how long their harness may take between two questions
    """

    metadata = {"render_modes": ["ansi"], "render_fps": 1}

    def __init__(
        self,
        config: Mapping[str, Any],
        *,
        most: int = 1000,
        rewards: tuple[float, float] = (0.0, 1.0),
        seconds: float = 600.0,
        render_mode: str | None = None,
    ) -> None:
        if not rewards[0] < rewards[1]:
            raise rlgym.RlgymError(f"rewards must be the least and the highest reward, got {rewards!r}")
        self.theirs = vf.load_environment(vf.resolve_env_config(dict(config)))
        self.tasks = list(itertools.islice(iter(self.theirs.taskset), most))
        if not self.tasks:
            raise rlgym.RlgymError("this taskset has no tasks")
        self.name = f"verifiers/{self.theirs.config.env_id}"
        self.rewards, self.seconds = rewards, seconds
        self.render_mode = check_render_mode(render_mode, self.metadata["render_modes"])
        spaces = rlgym.Env("chain_sum")
        self.observation_space, self.action_space = spaces.observation_space, spaces.action_space
        self._next, self._turn, self._read = 0, 0, 0
        self._events: queue.Queue[Any] = queue.Queue()
        self._asked: _Question | None = None
        self._desk: _Desk | None = None
        self._thread: threading.Thread | None = None
        self.messages: list[dict[str, str]] = []

    def reset(self, *, seed: int | None = None, options: dict[str, Any] | None = None) -> tuple[str, dict[str, Any]]:
        """Start task `seed`, or the one after the last; a running episode is given up."""
        super().reset(seed=seed)
        self._give_up()
        number = self._next if seed is None else seed
        self._next, self._turn, self._read, self.messages = number + 1, 0, 0, []
        theirs = self.tasks[number % len(self.tasks)]
        self._events = queue.Queue()
        self._desk = self._desk or _Desk()
        self._desk.events = self._events
        self._thread = threading.Thread(target=self._run, args=(theirs, self._desk.url, self._events), daemon=True)
        self._thread.start()
        ended = self._wait()
        if ended is not None:
            raise rlgym.RlgymError(f"task {number} of {self.name} ended before it asked the model: {self._score(ended).reason}")
        observation = self._observe()
        self.task = Task(observation, Peer(environment=self.name, task=theirs.data.model_dump_json()))
        return observation, {**self._info(), "seed": number}

    def step(self, action: str) -> tuple[str, float, bool, bool, dict[str, Any]]:
        """Give the model's response: a text, or the JSON `{"tool_calls": [...]}` of OpenAI's messages for native calls."""
        if self._asked is None:
            raise gymnasium.error.ResetNeeded("call reset() before step()")
        if not isinstance(action, str):
            raise rlgym.RlgymError(f"an action must be a string, the model's response; got {type(action).__name__}")
        self.messages.append({"role": "assistant", "content": action})
        self._turn += 1
        self._asked.answer.put(_message(action))
        self._asked = None
        ended = self._wait()
        if ended is None:
            return self._observe(), 0.0, False, False, self._info()
        score = self._score(ended)
        info = {**self._info(), "score": score, "masked": score.masked}
        return "", math.nan if score.masked else score.value, not score.masked, score.masked, info

    def render(self) -> str:
        """The transcript so far, as text."""
        return "\n\n".join(f"[{message['role']}]\n{message['content']}" for message in self.messages)

    def close(self) -> None:
        """Give up the running episode and close the endpoint."""
        self._give_up()
        if self._desk is not None:
            self._desk.shutdown()
            self._desk.server_close()
            self._desk = None

    def _run(self, task: Any, url: str, events: queue.Queue[Any]) -> None:
        client = vf.EvalClientConfig(base_url=url, api_key_var="RLGYM_NO_KEY")
        context = vf.ModelContext(model="rlgym", client=client, sampling=vf.SamplingConfig())

        async def play() -> Any:
            async with self.theirs.serving():
                [slot] = self.theirs.slots(task)
                return await self.theirs.run_slot(slot, context)

        try:
            events.put(asyncio.run(play()))
        except Exception as error:
            events.put(error)

    def _wait(self) -> Any:
        """None when the model's turn begins, else the episode, or the error that ended it."""
        try:
            event = self._events.get(timeout=self.seconds)
        except queue.Empty:
            event = TimeoutError(f"their harness was silent for {self.seconds:g} s")
        if isinstance(event, _Question):
            self._asked = event
            return None
        return event

    def _give_up(self) -> None:
        """Answer every further request with an error, until the episode has ended."""
        while self._thread is not None and self._thread.is_alive():
            if self._asked is not None:
                self._asked.answer.put(None)
                self._asked = None
            if self._wait() is not None:
                self._thread.join(self.seconds)
                break
        self._asked = self._thread = None

    def _observe(self) -> str:
        """What the model has not read yet: all messages since its last one."""
        assert self._asked is not None
        messages = self._asked.body["messages"]
        new = [message for message in messages[self._read :] if message["role"] != "assistant"]
        self._read = len(messages)
        self.messages += [{"role": message["role"], "content": _text(message)} for message in new]
        return "\n\n".join(map(_text, new))

    def _info(self) -> dict[str, Any]:
        info: dict[str, Any] = {"turn": self._turn, "feedback": ""}
        if hasattr(self, "task"):
            info["task"] = self.task
        if self._asked is not None and self._asked.body.get("tools"):
            info["tools"] = self._asked.body["tools"]
        return info

    def _score(self, ended: Any) -> Score:
        if isinstance(ended, Exception):
            return Score.nothing(Outcome.ERROR, f"their episode raised {type(ended).__name__}: {ended}")
        if not ended.ok or len(ended.traces) != 1:
            errors = [*ended.errors, *(error for trace in ended.traces for error in trace.errors)]
            message = "; ".join(f"{error.type}: {error.message}"[:200] for error in errors)
            return Score.nothing(Outcome.ERROR, message or f"their episode has {len(ended.traces)} traces, and one can be scored")
        least, highest = self.rewards
        value = (ended.traces[0].reward - least) / (highest - least)
        if not 0.0 <= value <= 1.0:
            return Score.nothing(Outcome.ERROR, f"their reward {ended.traces[0].reward!r} is not from {least:g} to {highest:g}")
        return Score.partial(value, "verifiers does not say why", **_parts(ended.traces[0]))


class _Question:
    """A request of their harness, and where its answer goes: a message, or None for an error."""

    def __init__(self, body: dict[str, Any]) -> None:
        self.body = body
        self.answer: queue.Queue[dict[str, Any] | None] = queue.Queue()


class _Desk(ThreadingHTTPServer):
    """An OpenAI-compatible endpoint that asks whoever plays."""

    daemon_threads = True

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), _Handler)
        self.events: queue.Queue[Any] = queue.Queue()
        threading.Thread(target=self.serve_forever, daemon=True).start()

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.server_port}/v1"


class _Handler(BaseHTTPRequestHandler):
    server: _Desk

    def log_message(self, *_: Any) -> None:
        """Nothing is logged."""

    def do_POST(self) -> None:
        body = json.loads(self.rfile.read(int(self.headers["content-length"])))
        said = None
        if not body.get("stream") and "messages" in body:
            question = _Question(body)
            self.server.events.put(question)
            said = question.answer.get()
        choice = {"index": 0, "finish_reason": "tool_calls" if said and "tool_calls" in said else "stop", "message": said}
        usage = {"prompt_tokens": 0, "completion_tokens": 0, "total_tokens": 0}
        completion = {"id": "rlgym", "object": "chat.completion", "created": 0, "model": "rlgym", "choices": [choice], "usage": usage}
        payload = json.dumps(completion if said else {"error": {"message": "the episode was given up, or a stream was asked for"}}).encode()
        self.send_response(200 if said else 400)
        self.send_header("content-type", "application/json")
        self.send_header("content-length", str(len(payload)))
        self.end_headers()
        self.wfile.write(payload)


def _message(response: str) -> dict[str, Any]:
    try:
        read = json.loads(response) if response.lstrip().startswith('{"tool_calls"') else None
    except (ValueError, RecursionError):
        read = None
    if isinstance(read, dict) and isinstance(read.get("tool_calls"), list):
        return {"role": "assistant", "content": None, "tool_calls": read["tool_calls"]}
    return {"role": "assistant", "content": response}


def _text(message: Mapping[str, Any]) -> str:
    content = message.get("content") or ""
    return content if isinstance(content, str) else "\n".join(part.get("text", "") for part in content)


def _parts(trace: Any) -> dict[str, float]:
    """Their named rewards from 0 to 1."""
    return {name: reward.score for name, reward in trace.rewards.items() if reward is not None and 0.0 <= reward.score <= 1.0}
