"""The protocol of a model under evaluation, its sampling parameters, and its results and errors."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Protocol

from rlgym import RlgymError

Message = dict[str, Any]
"""A chat message in OpenAI's format: role, content and, if the model called tools natively, tool_calls."""


@dataclass(frozen=True, slots=True)
class Sampling:
    """Sampling parameters. None leaves a parameter to the model's default.

    samples  episodes per task
    seed     the seed from which the seed of every request is derived
    system   a system prompt for every task
    extra    further fields of the request body, or further options of a local model
    """

    samples: int = 1
    temperature: float | None = None
    top_p: float | None = None
    max_tokens: int | None = None
    seed: int = 0
    system: str | None = None
    extra: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Completion:
    """What a model generated in one turn.

    message        the assistant message, sent back unchanged in the next turn
    finish_reason  "stop"; "tool_calls"; "length" (truncated at the token or character limit); "timed_out" (truncated at the time limit);
                   "context" (the conversation exceeds the context length; the message is then empty)
    requests       requests sent, including retries
    reasoning      reasoning that the model returns apart from its answer; never scored and never sent back
    certainty      the mean self-certainty of the generated tokens in nats, where the request asked for log-probabilities
    token_entropy  the mean entropy of their distributions in nats, likewise
    """

    message: Message
    prompt_tokens: int | None = None
    completion_tokens: int | None = None
    finish_reason: str = "stop"
    requests: int = 1
    reasoning: str = ""
    certainty: float | None = None
    token_entropy: float | None = None


class RequestFailed(Exception):
    """One request failed for good, which is not the model's fault: the episode becomes a masked row, and the run continues.

    systemic  other requests may fail for the same reason, and none has succeeded so far; a run without any success then stops
    """

    def __init__(self, message: str, requests: int = 0, systemic: bool = False) -> None:
        super().__init__(message)
        self.requests, self.systemic = requests, systemic


class ModelUnavailable(RlgymError, RuntimeError):
    """No request can succeed (invalid key, unreachable endpoint, unknown model): the run stops and keeps all finished episodes."""


class Model(Protocol):
    """A model to evaluate. `generate` is called from one event loop, up to `max_concurrency` times at once; heavy work belongs in threads.

    kind             "openai", "transformers", "vllm", "oracle" ...
    name             the name of the model in reports
    max_concurrency  the maximum number of concurrent requests
    """

    @property
    def kind(self) -> str: ...

    @property
    def name(self) -> str: ...

    @property
    def max_concurrency(self) -> int: ...

    def metadata(self) -> dict[str, Any]:
        """Further facts about the model for run.json, JSON-able and without secrets."""
        ...

    async def generate(self, messages: Sequence[Message], tools: Sequence[Mapping[str, Any]], sampling: Sampling, seed: int) -> Completion:
        """The model's next turn. `tools` holds OpenAI function schemas, and is empty unless tools are called natively.

        Raises RequestFailed if this request failed for good, and ModelUnavailable if all others would fail too.
        """
        ...

    async def close(self) -> None:
        """Release the model's resources."""
        ...


def replace_lone_surrogates(text: str) -> str:
    """The text in a form that can be encoded as UTF-8: surrogate pairs are joined, and lone surrogates replaced."""
    if not _SURROGATES.search(text):
        return text
    return text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")


_SURROGATES = re.compile("[\ud800-\udfff]")
