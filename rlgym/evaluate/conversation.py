"""A conversation as tokens for a model that runs here, and what such a model said as a message again.

A tokenizer with a chat template writes the conversation in it. Without one it is written as base models know it from the web:

    System: ...

    User: ...

    Assistant: ...

and the model's turn ends where it would begin another one.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from rlgym.evaluate.models import Message, ModelStops

TITLES = {"system": "System", "user": "User", "assistant": "Assistant", "tool": "User"}
STOPS = ("\nUser:", "\nSystem:")
"""Where a turn in the plain format ends."""


@dataclass(frozen=True, slots=True)
class Asked:
    """What the model reads: tokens, the texts that end its turn, and whether it is to think first, the mark of which is written already."""

    tokens: tuple[int, ...]
    stops: tuple[str, ...] = ()
    thinks: bool = False


class Writer:
    """Writes conversations with a tokenizer of transformers, and reads answers with it."""

    def __init__(self, tokenizer: Any) -> None:
        self._tokenizer = tokenizer
        self.templated = bool(getattr(tokenizer, "chat_template", None))
        self._takes_tools: bool | None = None

    def takes_tools(self) -> bool:
        """Whether the chat template tells the model of tools."""
        if self._takes_tools is None:
            tool = {
                "type": "function",
                "function": {"name": "look_around", "description": "Looks.", "parameters": {"type": "object", "properties": {}}},
            }
            asked = [{"role": "user", "content": "Hello"}]
            self._takes_tools = self.templated and "look_around" in self._rendered(asked, [tool], {})
        return self._takes_tools

    def write(
        self, messages: Sequence[Message], tools: Sequence[Mapping[str, Any]] = (), options: Mapping[str, Any] | None = None
    ) -> Asked:
        """The conversation up to where the model is to speak; `options` go to the chat template. ModelStops where tools cannot be told of."""
        if tools and not self.takes_tools():
            what = "its chat template has no tools" if self.templated else "it has no chat template"
            raise ModelStops(f"this model cannot be given tools natively, since {what}: let it write calls as text")
        if not self.templated:
            text = "\n\n".join(f"{TITLES.get(one['role'], 'User')}: {one.get('content') or ''}" for one in messages) + "\n\nAssistant:"
            return Asked(self._tokens(text, True), STOPS)
        text = self._rendered(messages, tools, options or {})
        return Asked(self._tokens(text, False), (), text.rstrip().endswith("<think>"))

    def read(self, tokens: Sequence[int], asked: Asked, tools: bool, turn: int) -> tuple[Message, str]:
        """The message of the tokens of a turn, and what was thought in it."""
        text = self._tokenizer.decode(list(tokens), skip_special_tokens=not tools)
        if tools:  # what marks a call may be a special token, so that only those that end a text are taken away
            for mark in {self._tokenizer.eos_token, self._tokenizer.pad_token, "<|im_end|>", "<|eot_id|>", "<|eom_id|>"} - {None}:
                text = text.removesuffix(mark)
        for stop in asked.stops:
            text = text.partition(stop)[0]
        thoughts, text = split_thoughts(text, asked.thinks)
        text = text.strip() if asked.stops else text.lstrip("\n")
        if tools:
            said, calls = read_calls(text, turn)
            if calls:
                return {"role": "assistant", "content": said, "tool_calls": calls}, thoughts
        return {"role": "assistant", "content": text}, thoughts

    def _tokens(self, text: str, special: bool) -> tuple[int, ...]:
        return tuple(self._tokenizer(text, add_special_tokens=special)["input_ids"])

    def _rendered(self, messages: Sequence[Message], tools: Sequence[Mapping[str, Any]], options: Mapping[str, Any]) -> str:
        from jinja2 import TemplateError

        told = [_for_template(one) for one in messages]
        more: dict[str, Any] = dict(options) | ({"tools": [dict(tool) for tool in tools]} if tools else {})
        try:
            return str(self._tokenizer.apply_chat_template(told, tokenize=False, add_generation_prompt=True, **more))
        except TemplateError as error:
            if told[0]["role"] != "system" or len(told) == 1:
                raise ModelStops(f"the chat template of this model refuses the conversation: {error}") from None
        # Some templates have no system prompt: it is then said first.
        first = {**told[1], "content": f"{told[0]['content']}\n\n{told[1]['content']}"}
        return self._rendered([first, *told[2:]], tools, options)


def split_thoughts(text: str, opened: bool) -> tuple[str, str]:
    """What a model thought between the marks of thinking, and what it said after; `opened` if the first mark stood in the prompt."""
    start = text.lstrip()
    if start.startswith("<think>"):
        opened, text = True, start.removeprefix("<think>")
    if not opened:
        return "", text
    thoughts, _, said = text.partition("</think>")
    return thoughts.strip(), said.lstrip()


def read_calls(text: str, turn: int) -> tuple[str, list[dict[str, Any]]]:
    """What is said beside calls, and the calls, in the forms that chat templates teach; no calls where one of them is no JSON.

    These forms are <tool_call>{...}</tool_call>, [TOOL_CALLS] [...], and a text that is nothing but one call with its name and parameters.
    """
    said, found = text, []
    if "<tool_call>" in text:
        said = text.partition("<tool_call>")[0]
        found = [_json(piece) for piece in re.findall(r"<tool_call>(.*?)(?:</tool_call>|\Z)", text, re.DOTALL)]
    elif "[TOOL_CALLS]" in text:
        said, _, listed = text.partition("[TOOL_CALLS]")
        several = _json(listed)
        found = several if isinstance(several, list) else [several]
    elif text.lstrip().removeprefix("<|python_tag|>").startswith("{"):
        said, found = "", [_json(text.strip().removeprefix("<|python_tag|>"))]
    calls = [_call(one, turn, number) for number, one in enumerate(found)]
    return (said.strip(), [call for call in calls if call]) if calls and all(calls) else (text, [])


def _call(found: Any, turn: int, number: int) -> dict[str, Any] | None:
    if not isinstance(found, dict) or not isinstance(found.get("name"), str):
        return None
    arguments = found.get("arguments", found.get("parameters", {}))
    if not isinstance(arguments, str):
        arguments = json.dumps(arguments, ensure_ascii=False)
    # Nine letters and digits, since some templates take no other names of calls.
    return {
        "id": f"call{turn % 1000:03d}{number % 100:02d}",
        "type": "function",
        "function": {"name": found["name"], "arguments": arguments},
    }


def _json(text: str) -> Any:
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        return None


def _for_template(message: Mapping[str, Any]) -> Message:
    """A message as templates want it: with a text, and with the arguments of calls as objects."""
    made = {**message, "content": message.get("content") or ""}
    if calls := message.get("tool_calls"):
        made["tool_calls"] = [
            {**call, "function": {**call["function"], "arguments": _object(call["function"].get("arguments"))}} for call in calls
        ]
    return made


def _object(arguments: Any) -> Any:
    found = _json(arguments) if isinstance(arguments, str) else arguments
    return arguments if found is None else found
