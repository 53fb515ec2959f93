"""Parses the responses of an OpenAI-compatible endpoint, streamed or not, within size limits."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from rlgym.evaluate.models.base import Completion, Message, replace_lone_surrogates
from rlgym.evaluate.models.certainty import TokenMeans, listed_logprobs, token_means


class InvalidResponse(Exception):
    """The endpoint's response does not follow its API."""


class StreamedCompletion:
    """Assembles a completion from server-sent events. `max_characters` limits what a model may generate, its reasoning included."""

    def __init__(self, max_characters: int) -> None:
        self._max_characters = max_characters
        self._incomplete_line = b""
        self._content: list[str] = []
        self._reasoning_text: list[str] = []
        self._calls: dict[int, dict[str, str]] = {}
        self._usage: Mapping[str, Any] = {}
        self._logprobs: list[list[float]] = []
        self._finish_reason: str | None = None
        self._has_delta = False
        self.characters = 0
        self.ended = False

    @property
    def over_limit(self) -> bool:
        """Whether the model has generated more than the limit."""
        return self.characters > self._max_characters

    def feed(self, data: bytes) -> None:
        """Process the next bytes of the stream."""
        lines = (self._incomplete_line + data).split(b"\n")
        self._incomplete_line = lines.pop()
        if len(self._incomplete_line) > 8 * self._max_characters + 1_000_000:
            raise InvalidResponse("the endpoint streams a line that never ends")
        for line in lines:
            text = line.strip()
            if not text.startswith(b"data:") or self.ended:
                continue  # empty lines, comments and event names
            if (event := text[5:].strip()) == b"[DONE]":
                self.ended = True
            else:
                self._process_event(_parse_object(event))

    def truncate(self, finish_reason: str) -> Completion:
        """The completion so far, when generation is stopped early."""
        self._finish_reason, self._usage = finish_reason, {}
        return self._build()

    def completion(self) -> Completion:
        """The completion, once the stream has ended."""
        if self._incomplete_line.strip():
            self.feed(b"\n")
        if self._finish_reason is None and not (self.ended and self._has_delta):
            raise InvalidResponse("the endpoint's stream ended early" if self.characters else "the endpoint's stream holds no completion")
        return self._build()

    def _process_event(self, event: Mapping[str, Any]) -> None:
        _raise_if_error(event)
        if isinstance(usage := event.get("usage"), Mapping):
            self._usage = usage
        choices = event.get("choices")
        if not isinstance(choices, list):
            raise InvalidResponse(f"the endpoint streams {json.dumps(event)[:200]}, which has no choices")
        for choice in choices[:1]:
            if not isinstance(choice, Mapping):
                raise InvalidResponse("the endpoint streams a choice that is not an object")
            if isinstance(delta := choice.get("delta"), Mapping):
                self._has_delta = True
                self._process_delta(delta)
            self._logprobs += listed_logprobs(choice)
            self._finish_reason = choice.get("finish_reason") or self._finish_reason

    def _process_delta(self, delta: Mapping[str, Any]) -> None:
        for pieces, piece in ((self._content, delta.get("content")), (self._reasoning_text, _reasoning_text(delta))):
            if isinstance(piece, str):
                pieces.append(piece)
                self.characters += len(piece)
        for position, part in enumerate(delta.get("tool_calls") or []):
            if not isinstance(part, Mapping):
                raise InvalidResponse("the endpoint streams a tool call that is not an object")
            index = part.get("index")
            call = self._calls.setdefault(index if isinstance(index, int) else position, {"id": "", "name": "", "arguments": ""})
            call["id"] = call["id"] or str(part.get("id") or "")
            function = part.get("function") or {}
            call["name"] += function.get("name") or ""
            value = function.get("arguments") or ""
            arguments = value if isinstance(value, str) else json.dumps(value)
            call["arguments"] += arguments
            self.characters += len(arguments)

    def _build(self) -> Completion:
        calls = [
            {"id": call["id"], "function": {"name": call["name"], "arguments": call["arguments"]}}
            for _, call in sorted(self._calls.items())
        ]
        means = token_means(self._logprobs)
        return _completion("".join(self._content), "".join(self._reasoning_text), calls, self._finish_reason, self._usage, means)


def parse_completion(data: bytes, max_characters: int) -> Completion:
    """The completion in a response that is one JSON object."""
    body = _parse_object(data)
    _raise_if_error(body)
    choices = body.get("choices")
    choice = choices[0] if isinstance(choices, list) and choices else None
    message = choice.get("message") if isinstance(choice, Mapping) else None
    if not isinstance(choice, Mapping) or not isinstance(message, Mapping):
        raise InvalidResponse(f"the endpoint's response holds no choice with a message: {json.dumps(body)[:200]}")
    text, calls, usage = message.get("content"), message.get("tool_calls") or [], body.get("usage")
    if not isinstance(text, str | None) or not isinstance(calls, list):
        raise InvalidResponse(f"the endpoint's message has an unknown format: {json.dumps(message)[:200]}")
    finish_reason = choice.get("finish_reason")
    if text and len(text) > max_characters:
        text, finish_reason = text[:max_characters], "length"
    means = token_means(listed_logprobs(choice))
    return _completion(text or "", _reasoning_text(message) or "", calls, finish_reason, usage if isinstance(usage, Mapping) else {}, means)


def _completion(
    text: str, reasoning: str, calls: list[Any], finish_reason: Any, usage: Mapping[str, Any], means: TokenMeans | None
) -> Completion:
    content = replace_lone_surrogates(text)
    message: Message = {"role": "assistant", "content": content}
    if calls:
        message |= {"tool_calls": [_tool_call(call, number) for number, call in enumerate(calls)], "content": content or None}
    return Completion(
        message,
        prompt_tokens=_token_count(usage.get("prompt_tokens")),
        completion_tokens=_token_count(usage.get("completion_tokens")),
        finish_reason=finish_reason if isinstance(finish_reason, str) else "stop",
        reasoning=replace_lone_surrogates(reasoning),
        certainty=means.certainty if means else None,
        token_entropy=means.entropy if means else None,
    )


def _tool_call(call: Any, number: int) -> dict[str, Any]:
    """A tool call as it is sent back: with an id, and with its arguments as a string."""
    function = call.get("function") if isinstance(call, Mapping) else None
    if not isinstance(function, Mapping) or not isinstance(function.get("name"), str):
        raise InvalidResponse("the endpoint's message calls a tool without a name")
    value = function.get("arguments")
    arguments = value if isinstance(value, str) else json.dumps({} if value is None else value)
    call_id = call.get("id")
    if not isinstance(call_id, str) or not call_id:
        call_id = f"call_{number}"
    cleaned = {"name": replace_lone_surrogates(function["name"]), "arguments": replace_lone_surrogates(arguments)}
    return {"id": call_id, "type": "function", "function": cleaned}


def _reasoning_text(message: Mapping[str, Any]) -> str | None:
    for name in ("reasoning_content", "reasoning"):  # providers use both names
        if isinstance(text := message.get(name), str):
            return text
    return None


def _token_count(value: Any) -> int | None:
    return value if isinstance(value, int) and not isinstance(value, bool) and value >= 0 else None


def _parse_object(data: bytes) -> Mapping[str, Any]:
    try:
        value = json.loads(data)
    except (ValueError, RecursionError):
        raise InvalidResponse(f"the endpoint's response is not JSON: {data[:200]!r}") from None
    if not isinstance(value, dict):
        raise InvalidResponse(f"the endpoint's response is JSON but not an object: {data[:200]!r}")
    return value


def _raise_if_error(body: Mapping[str, Any]) -> None:
    if error := body.get("error"):
        raise InvalidResponse(f"the endpoint sent an error: {json.dumps(error)[:300]}")
