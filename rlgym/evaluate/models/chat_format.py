"""Encodes a conversation as tokens for a local model, and decodes what the model generates into a message.

A tokenizer with a chat template renders the conversation with it. Otherwise it is rendered as plain text, which base models know:

    System: ...

    User: ...

    Assistant: ...

and the model's turn ends where it would start another one.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from rlgym.evaluate.models.base import Message, ModelUnavailable

TITLES = {"system": "System", "user": "User", "assistant": "Assistant", "tool": "User"}
STOP_STRINGS = ("\nUser:", "\nSystem:")
"""The strings that end a turn in the plain format."""


@dataclass(frozen=True, slots=True)
class EncodedPrompt:
    """The prompt of a turn: token ids, the strings that stop generation, and whether the prompt ends inside a <think> block.

    continues  whether the prompt ends with text of the assistant, which the completion continues
    """

    tokens: tuple[int, ...]
    stop_strings: tuple[str, ...] = ()
    starts_in_think: bool = False
    continues: bool = False


class ChatFormatter:
    """Encodes conversations and decodes completions with a transformers tokenizer."""

    def __init__(self, tokenizer: Any) -> None:
        self._tokenizer = tokenizer
        self.has_chat_template = bool(getattr(tokenizer, "chat_template", None))
        self._supports_tools: bool | None = None

    def supports_tools(self) -> bool:
        """Whether the chat template describes tools to the model."""
        if self._supports_tools is None:
            tool = {
                "type": "function",
                "function": {"name": "look_around", "description": "Looks.", "parameters": {"type": "object", "properties": {}}},
            }
            probe = [{"role": "user", "content": "Hello"}]
            self._supports_tools = self.has_chat_template and "look_around" in self._render(probe, [tool], {})
        return self._supports_tools

    def encode(
        self,
        messages: Sequence[Message],
        tools: Sequence[Mapping[str, Any]] = (),
        options: Mapping[str, Any] | None = None,
        stop_strings: tuple[str, ...] = (),
        continues: bool = False,
    ) -> EncodedPrompt:
        """The prompt for the model's next turn; `options` go to the chat template. Raises ModelUnavailable if it does not support tools.

        stop_strings  further strings that stop generation
        continues     the last message, the assistant's, is continued
        """
        if tools and not self.supports_tools():
            reason = "its chat template has no tools" if self.has_chat_template else "it has no chat template"
            raise ModelUnavailable(f"this model cannot use native tools, since {reason}: use tools as text")
        if not self.has_chat_template:
            turns = [f"{TITLES.get(message['role'], 'User')}: {message.get('content') or ''}" for message in messages]
            text = "\n\n".join(turns if continues else [*turns, "Assistant:"])
            return EncodedPrompt(self._tokenize(text, True), (*STOP_STRINGS, *stop_strings), continues=continues)
        text = self._render(messages, tools, options or {}, continues)
        return EncodedPrompt(self._tokenize(text, False), stop_strings, not continues and text.rstrip().endswith("<think>"), continues)

    def decode(self, tokens: Sequence[int], prompt: EncodedPrompt, tools: bool, turn: int) -> tuple[Message, str]:
        """The generated message, and the reasoning in it."""
        text = self._tokenizer.decode(list(tokens), skip_special_tokens=not tools)
        if tools:  # a tool call may be marked by special tokens, so only those that end a turn are removed
            for mark in {self._tokenizer.eos_token, self._tokenizer.pad_token, "<|im_end|>", "<|eot_id|>", "<|eom_id|>"} - {None}:
                text = text.removesuffix(mark)
        for stop in prompt.stop_strings:
            text = text.partition(stop)[0]
        if prompt.continues:
            return {"role": "assistant", "content": text}, ""
        reasoning, text = split_reasoning(text, prompt.starts_in_think)
        text = text.lstrip("\n") if self.has_chat_template else text.strip()
        if tools:
            content, calls = parse_tool_calls(text, turn)
            if calls:
                return {"role": "assistant", "content": content, "tool_calls": calls}, reasoning
        return {"role": "assistant", "content": text}, reasoning

    def _tokenize(self, text: str, add_special_tokens: bool) -> tuple[int, ...]:
        return tuple(self._tokenizer(text, add_special_tokens=add_special_tokens)["input_ids"])

    def _render(
        self, messages: Sequence[Message], tools: Sequence[Mapping[str, Any]], options: Mapping[str, Any], continues: bool = False
    ) -> str:
        from jinja2 import TemplateError

        prepared = [_for_template(message) for message in messages]
        arguments: dict[str, Any] = dict(options) | ({"tools": [dict(tool) for tool in tools]} if tools else {})
        arguments |= {"continue_final_message": True} if continues else {"add_generation_prompt": True}
        try:
            return str(self._tokenizer.apply_chat_template(prepared, tokenize=False, **arguments))
        except TemplateError as error:
            if prepared[0]["role"] != "system" or len(prepared) == 1:
                raise ModelUnavailable(f"the chat template of this model rejects the conversation: {error}") from None
        # Some templates have no system prompt; it then becomes the start of the first message.
        first = {**prepared[1], "content": f"{prepared[0]['content']}\n\n{prepared[1]['content']}"}
        return self._render([first, *prepared[2:]], tools, options, continues)


def split_reasoning(text: str, starts_in_think: bool) -> tuple[str, str]:
    """The reasoning inside <think> and the text after it; `starts_in_think` if the prompt already opened the block."""
    start = text.lstrip()
    if start.startswith("<think>"):
        starts_in_think, text = True, start.removeprefix("<think>")
    if not starts_in_think:
        return "", text
    reasoning, _, content = text.partition("</think>")
    return reasoning.strip(), content.lstrip()


def parse_tool_calls(text: str, turn: int) -> tuple[str, list[dict[str, Any]]]:
    """The text around tool calls, and the calls, in the formats that chat templates teach; no calls if one of them is not valid JSON.

    The formats are <tool_call>{...}</tool_call>, [TOOL_CALLS] [...], and a text that is only one call with its name and parameters.
    """
    content, found = text, []
    if "<tool_call>" in text:
        content = text.partition("<tool_call>")[0]
        found = [_json(piece) for piece in re.findall(r"<tool_call>(.*?)(?:</tool_call>|\Z)", text, re.DOTALL)]
    elif "[TOOL_CALLS]" in text:
        content, _, listed = text.partition("[TOOL_CALLS]")
        several = _json(listed)
        found = several if isinstance(several, list) else [several]
    elif text.lstrip().removeprefix("<|python_tag|>").startswith("{"):
        content, found = "", [_json(text.strip().removeprefix("<|python_tag|>"))]
    calls = [_tool_call(value, turn, number) for number, value in enumerate(found)]
    return (content.strip(), [call for call in calls if call]) if calls and all(calls) else (text, [])


def _tool_call(value: Any, turn: int, number: int) -> dict[str, Any] | None:
    if not isinstance(value, dict) or not isinstance(value.get("name"), str):
        return None
    arguments = value.get("arguments", value.get("parameters", {}))
    if not isinstance(arguments, str):
        arguments = json.dumps(arguments, ensure_ascii=False)
    # Nine letters and digits, because some templates accept no other ids.
    return {
        "id": f"call{turn % 1000:03d}{number % 100:02d}",
        "type": "function",
        "function": {"name": value["name"], "arguments": arguments},
    }


def _json(text: str) -> Any:
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        return None


def _for_template(message: Mapping[str, Any]) -> Message:
    """A message as templates expect it: with a string as content, and with the arguments of calls as objects."""
    prepared = {**message, "content": message.get("content") or ""}
    if calls := message.get("tool_calls"):
        prepared["tool_calls"] = [
            {**call, "function": {**call["function"], "arguments": _object(call["function"].get("arguments"))}} for call in calls
        ]
    return prepared


def _object(arguments: Any) -> Any:
    parsed = _json(arguments) if isinstance(arguments, str) else arguments
    return arguments if parsed is None else parsed
