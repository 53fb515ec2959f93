"""Conversations as tokens, by the tokenizer's chat template."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import accumulate
from typing import Any, Protocol

from rlgym.train.config.sections import TrainError

REPLY_MARK = "\u241freply\u241f"


class Tokenizer(Protocol):
    """The part of a Hugging Face tokenizer that is used."""

    chat_template: Any
    eos_token_id: int | None

    def __call__(self, text: str, add_special_tokens: bool) -> Any: ...
    def decode(self, token_ids: list[int], skip_special_tokens: bool) -> str: ...
    def apply_chat_template(
        self, conversation: list[dict[str, str]], *, tokenize: bool, add_generation_prompt: bool, **options: Any
    ) -> Any: ...


class Chat:
    """Encodes the turns of a conversation. Without a chat template, texts are separated by blank lines."""

    def __init__(self, tokenizer: Tokenizer, **template_kwargs: Any) -> None:
        self.tokenizer, self.template_kwargs = tokenizer, template_kwargs
        if tokenizer.eos_token_id is None:
            raise TrainError("the tokenizer has no end-of-text token, so a response could never end: set its eos_token")
        between = self._between_replies("{}") if tokenizer.chat_template else "\n\n"
        closing = self._encode(between.partition("{}")[0]) if tokenizer.chat_template else []
        # The template's text after a reply begins with the token that ends a turn.
        self._end = closing[0] if closing and closing[0] in self._special() else tokenizer.eos_token_id
        self._texts: dict[int, str] = {}
        self.stop: tuple[int, ...] = tuple(sorted({tokenizer.eos_token_id, self._end}))

    def prompt_tokens(self, text: str) -> list[int]:
        """The tokens up to the start of the policy's first response."""
        if not self.tokenizer.chat_template:
            return self._encode(f"{text}\n\n")
        messages = [{"role": "user", "content": text}]
        return self._encode(self._render(messages))

    def turn_tokens(self, text: str, stopped: bool) -> list[int]:
        """The tokens between two responses: the end of the first, unless the policy sampled it (`stopped`), and the next observation."""
        tokens = self._encode(self._between_replies(text) if self.tokenizer.chat_template else f"\n\n{text}\n\n")
        if not self.tokenizer.chat_template or tokens[:1] != [self._end]:
            return tokens if stopped else [self._end, *tokens]
        return tokens[1:] if stopped else tokens

    def response_tokens(self, text: str) -> list[int]:
        """The tokens of a given response, with the token that ends it."""
        return [*self._encode(text), self._end]

    def encode(self, text: str) -> list[int]:
        """The tokens of a text alone."""
        return self._encode(text)

    def decode(self, tokens: Sequence[int]) -> str:
        """The text of sampled tokens, without special tokens."""
        return self.tokenizer.decode(list(tokens), skip_special_tokens=True)

    def character_ends(self, tokens: Sequence[int]) -> list[int]:
        """The number of characters of the decoded text up to the end of each token, as `decode` writes it."""
        text = self.decode(tokens)
        parts = [self._texts[token] if token in self._texts else self._texts.setdefault(token, self.decode([token])) for token in tokens]
        if "".join(parts) == text:
            return list(accumulate(map(len, parts)))
        # A character of several tokens counts for the last of them; a token is decoded after those of the character before it.
        ends, end, start, read = list[int](), 0, 0, 0
        for place in range(len(tokens)):
            before, now = self.decode(tokens[start:read]), self.decode(tokens[start : place + 1])
            if len(now) > len(before) and not now.endswith("\ufffd"):
                end, start, read = end + len(now) - len(before), read, place + 1
            ends.append(end)
        return ends

    def _between_replies(self, text: str) -> str:
        """The template's text between a reply and the next one, if the user says `text` in between."""
        messages = [{"role": "user", "content": ""}, {"role": "assistant", "content": REPLY_MARK}, {"role": "user", "content": text}]
        _, marker, after = self._render(messages).partition(REPLY_MARK)
        if not marker:
            raise TrainError("the chat template drops earlier assistant messages, so it cannot render episodes of several turns")
        return after

    def _render(self, messages: list[dict[str, str]]) -> str:
        return str(self.tokenizer.apply_chat_template(messages, tokenize=False, add_generation_prompt=True, **self.template_kwargs))

    def _encode(self, text: str) -> list[int]:
        return list(self.tokenizer(text, add_special_tokens=False)["input_ids"])

    def _special(self) -> frozenset[int]:
        return frozenset(getattr(self.tokenizer, "all_special_ids", ()))
