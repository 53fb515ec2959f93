"""What plays the tasks of an evaluation: the protocol of models, and what one asking gives or fails with."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Protocol

from rlgym import RlgymError

Message = dict[str, Any]
"""A message as OpenAI's chat has it: role, content and, of a model that called tools natively, tool_calls."""


@dataclass(frozen=True, slots=True)
class Sampling:
    """How a model is asked. What is None is left to the model.

    samples  how often each task is played
    seed     from which the seed of every asking is made
    system   a system prompt before each task
    extra    further fields of the request's body, or further options of a local model
    """

    samples: int = 1
    temperature: float | None = None
    top_p: float | None = None
    max_tokens: int | None = None
    seed: int = 0
    system: str | None = None
    extra: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Said:
    """What a model said in one turn.

    message   the assistant's message, to be sent back as it is in the next turn
    finish    "stop"; "tool_calls"; "length" (cut at its most tokens or characters); "timed_out" (it ran on past its time);
              "context" (the conversation is longer than the model can read; the message is then empty)
    requests  how many requests it took, those tried again included
    reasoning what a model thought where that is kept apart from what it says; never judged and never sent back
    """

    message: Message
    prompt_tokens: int | None = None
    completion_tokens: int | None = None
    finish: str = "stop"
    requests: int = 1
    reasoning: str = ""


class AskingFailed(Exception):
    """One asking failed for good, which is not the model's fault: the episode is kept as a masked row, and the run goes on.

    hopeless  no asking has succeeded so far, and this one failed in a way that others may too; a run that has not got anything yet ends
    """

    def __init__(self, message: str, requests: int = 0, hopeless: bool = False) -> None:
        super().__init__(message)
        self.requests, self.hopeless = requests, hopeless


class ModelStops(RlgymError, RuntimeError):
    """No asking can succeed (a refused key, a dead endpoint, an unknown model): the run ends; what was finished is kept."""


class Model(Protocol):
    """A model to evaluate. `ask` is called from one event loop, up to `at_once` times at once; heavy work belongs in threads.

    kind     "openai", "transformers", "vllm", "oracle" ...
    name     what the model is called in reports
    at_once  how many askings may be under way
    """

    @property
    def kind(self) -> str: ...

    @property
    def name(self) -> str: ...

    @property
    def at_once(self) -> int: ...

    def about(self) -> dict[str, Any]:
        """Further facts about the model for run.json, JSON-able and without secrets."""
        ...

    async def ask(self, messages: Sequence[Message], tools: Sequence[Mapping[str, Any]], sampling: Sampling, seed: int) -> Said:
        """The model's next turn in a conversation. `tools`, OpenAI function schemas, is empty unless they are to be called natively.

        AskingFailed where this asking failed for good, ModelStops where all others would too.
        """
        ...

    async def close(self) -> None:
        """Give back what the model holds."""
        ...


def whole(text: str) -> str:
    """A text that any file and any connection can carry: halves of surrogate pairs are joined, single ones replaced."""
    if not _HALVES.search(text):
        return text
    return text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")


_HALVES = re.compile("[\ud800-\udfff]")
