"""Reads what an OpenAI-compatible endpoint sends, whole or as a stream of pieces, within limits."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from rlgym.evaluate.models import Message, Said, whole


class Garbage(Exception):
    """What an endpoint sent is no answer of its API."""


class Reply:
    """Puts an answer together from what arrives. `most` is how many characters a model may say, its thoughts included."""

    def __init__(self, most: int) -> None:
        self._most = most
        self._left = b""
        self._content: list[str] = []
        self._reasoning: list[str] = []
        self._calls: dict[int, dict[str, str]] = {}
        self._usage: Mapping[str, Any] = {}
        self._finish: str | None = None
        self._begun = False
        self.characters = 0
        self.ended = False

    @property
    def full(self) -> bool:
        """Whether the model has said more than it may."""
        return self.characters > self._most

    def feed(self, data: bytes) -> None:
        """Take the next bytes of a stream of server-sent events."""
        lines = (self._left + data).split(b"\n")
        self._left = lines.pop()
        if len(self._left) > 8 * self._most + 1_000_000:
            raise Garbage("the endpoint streams a line without end")
        for line in lines:
            text = line.strip()
            if not text.startswith(b"data:") or self.ended:
                continue  # empty lines, comments and the names of events
            if (event := text[5:].strip()) == b"[DONE]":
                self.ended = True
            else:
                self._event(_read(event))

    def cut(self, finish: str) -> Said:
        """What the model has said so far, where it is not let go on."""
        self._finish, self._usage = finish, {}
        return self._said()

    def said(self) -> Said:
        """The answer, once the stream is over."""
        if self._left.strip():
            self.feed(b"\n")
        if self._finish is None and not (self.ended and self._begun):
            raise Garbage("the endpoint's stream broke off" if self.characters else "the endpoint's stream holds no answer")
        return self._said()

    def _event(self, event: Mapping[str, Any]) -> None:
        _no_error(event)
        if isinstance(usage := event.get("usage"), Mapping):
            self._usage = usage
        choices = event.get("choices")
        if not isinstance(choices, list):
            raise Garbage(f"the endpoint streams {json.dumps(event)[:200]}, which has no choices")
        for choice in choices[:1]:
            if not isinstance(choice, Mapping):
                raise Garbage("the endpoint streams a choice that is no object")
            if isinstance(delta := choice.get("delta"), Mapping):
                self._begun = True
                self._delta(delta)
            self._finish = choice.get("finish_reason") or self._finish

    def _delta(self, delta: Mapping[str, Any]) -> None:
        for pieces, said in ((self._content, delta.get("content")), (self._reasoning, _thought(delta))):
            if isinstance(said, str):
                pieces.append(said)
                self.characters += len(said)
        for place, call in enumerate(delta.get("tool_calls") or []):
            if not isinstance(call, Mapping):
                raise Garbage("the endpoint streams a tool call that is no object")
            at = call.get("index")
            made = self._calls.setdefault(at if isinstance(at, int) else place, {"id": "", "name": "", "arguments": ""})
            made["id"] = made["id"] or str(call.get("id") or "")
            function = call.get("function") or {}
            made["name"] += function.get("name") or ""
            given = function.get("arguments") or ""
            arguments = given if isinstance(given, str) else json.dumps(given)
            made["arguments"] += arguments
            self.characters += len(arguments)

    def _said(self) -> Said:
        calls = [
            {"id": call["id"], "function": {"name": call["name"], "arguments": call["arguments"]}}
            for _, call in sorted(self._calls.items())
        ]
        text, thought = "".join(self._content), "".join(self._reasoning)
        return _answer(text, thought, calls, self._finish, self._usage)


def read_whole(data: bytes, most: int) -> Said:
    """The answer that was sent as one JSON object."""
    read = _read(data)
    _no_error(read)
    choices = read.get("choices")
    choice = choices[0] if isinstance(choices, list) and choices else None
    message = choice.get("message") if isinstance(choice, Mapping) else None
    if not isinstance(choice, Mapping) or not isinstance(message, Mapping):
        raise Garbage(f"the endpoint's answer holds no choices with a message: {json.dumps(read)[:200]}")
    text, calls, usage = message.get("content"), message.get("tool_calls") or [], read.get("usage")
    if not isinstance(text, str | None) or not isinstance(calls, list):
        raise Garbage(f"the endpoint's message is of no known form: {json.dumps(message)[:200]}")
    finish = choice.get("finish_reason")
    if text and len(text) > most:
        text, finish = text[:most], "length"
    return _answer(text or "", _thought(message) or "", calls, finish, usage if isinstance(usage, Mapping) else {})


def _answer(text: str, thought: str, calls: list[Any], finish: Any, usage: Mapping[str, Any]) -> Said:
    message: Message = {"role": "assistant", "content": whole(text)}
    if calls:
        message |= {"tool_calls": [_call(call, number) for number, call in enumerate(calls)], "content": whole(text) or None}
    said, took = _count(usage.get("completion_tokens")), _count(usage.get("prompt_tokens"))
    return Said(message, took, said, finish if isinstance(finish, str) else "stop", reasoning=whole(thought))


def _call(call: Any, number: int) -> dict[str, Any]:
    """A tool call as it is sent back: with an id, and its arguments as a text."""
    function = call.get("function") if isinstance(call, Mapping) else None
    if not isinstance(function, Mapping) or not isinstance(function.get("name"), str):
        raise Garbage("the endpoint's message calls a tool without a name")
    given = function.get("arguments")
    arguments = given if isinstance(given, str) else json.dumps({} if given is None else given)
    identity = call.get("id")
    made = {"name": whole(function["name"]), "arguments": whole(arguments)}
    return {"id": identity if isinstance(identity, str) and identity else f"call_{number}", "type": "function", "function": made}


def _thought(message: Mapping[str, Any]) -> str | None:
    for name in ("reasoning_content", "reasoning"):  # two names are in use
        if isinstance(said := message.get(name), str):
            return said
    return None


def _count(given: Any) -> int | None:
    return given if isinstance(given, int) and not isinstance(given, bool) and given >= 0 else None


def _read(data: bytes) -> Mapping[str, Any]:
    try:
        read = json.loads(data)
    except (ValueError, RecursionError):
        raise Garbage(f"the endpoint sent what is no JSON: {data[:200]!r}") from None
    if not isinstance(read, dict):
        raise Garbage(f"the endpoint sent JSON that is no object: {data[:200]!r}")
    return read


def _no_error(read: Mapping[str, Any]) -> None:
    if error := read.get("error"):
        raise Garbage(f"the endpoint sent an error: {json.dumps(error)[:300]}")
