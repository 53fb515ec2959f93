"""Rollout engines: tokens in, tokens and their log-probabilities out.

An engine works on many requests at once and hands back each as it ends, so that scoring and further turns overlap with
generation. It never sees text.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from torch import Tensor


@dataclass(frozen=True, slots=True)
class Sampling:
    """How tokens are drawn. Temperature 0 takes the most likely token; `seed` makes a request's draws its own."""

    most_tokens: int
    temperature: float = 1.0
    top_p: float = 1.0
    top_k: int = 0
    stop: tuple[int, ...] = ()
    seed: int = 0


@dataclass(frozen=True, slots=True)
class Completion:
    """The tokens sampled for one request, the closing stop token among them.

    logprobs  natural logarithms, one per token, under the distribution at temperature 1 unless the request had another,
              before top_p and top_k
    stopped   True if a stop token ended it, False if the limit of tokens or the context length did
    version   of the weights that sampled its first token
    """

    tokens: tuple[int, ...]
    logprobs: tuple[float, ...]
    stopped: bool
    version: int


class Engine(Protocol):
    """What the training loop asks of an engine."""

    def submit(self, key: int, prompt: Sequence[int], sampling: Sampling) -> None:
        """Queue a request. `prompt` is the whole context so far; an engine may reuse what it still holds of it."""
        ...

    def step(self) -> list[tuple[int, Completion]]:
        """Do some work; the requests that ended in it. Empty when nothing ended; call while `pending`."""
        ...

    @property
    def pending(self) -> int:
        """Requests submitted and not yet handed back."""
        ...

    def load(self, weights: Iterable[tuple[str, Tensor]], version: int) -> None:
        """Take over weights in place, by their Hugging Face names."""
        ...

    def sleep(self) -> None:
        """Give back memory that can be built again; the next request wakes it."""
        ...

    def close(self) -> None:
        """End it and free everything."""
        ...
