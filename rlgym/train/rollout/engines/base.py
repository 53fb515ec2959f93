"""The interface of rollout engines: tokens in, tokens and their log-probabilities out.

An engine works on many requests at once and returns each as it ends, so that scoring and further turns overlap with generation. It
never handles text.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from torch import Tensor


@dataclass(frozen=True, slots=True)
class SamplingParams:
    """How tokens are sampled. Temperature 0 takes the most likely token; each request has its own `seed`."""

    max_new_tokens: int
    temperature: float = 1.0
    top_p: float = 1.0
    top_k: int = 0
    stop: tuple[int, ...] = ()
    seed: int = 0


@dataclass(frozen=True, slots=True)
class Completion:
    """The tokens sampled for one request, including the stop token.

    logprobs  natural logarithms, one per token, under the distribution at the request's temperature (1 for greedy decoding), before
              top_p and top_k
    stopped   True if a stop token ended it, False if a token limit did
    version   of the weights that sampled its first token
    """

    tokens: tuple[int, ...]
    logprobs: tuple[float, ...]
    stopped: bool
    version: int


@dataclass(frozen=True, slots=True)
class Continuation:
    """Given tokens after a prefix, to be scored. The prefix has at least one token."""

    prefix: tuple[int, ...]
    tokens: tuple[int, ...]


class Engine(Protocol):
    """What the training loop needs of an engine."""

    def submit(self, key: int, prompt: Sequence[int], sampling: SamplingParams) -> None:
        """Queue a request. `prompt` is the whole context so far, such as a stored prefix of a response; cached parts may be reused."""
        ...

    def score(self, continuations: Sequence[Continuation], temperature: float = 1.0) -> list[tuple[float, ...]]:
        """Log-probabilities of given tokens under the present weights, one for each token of each continuation, in nats.

        Raises ValueError for an empty prefix, and for more tokens than the engine's limit less one.
        """
        ...

    def step(self) -> list[tuple[int, Completion]]:
        """Do some work; the requests that ended in it, possibly none. Call it while `pending`."""
        ...

    @property
    def pending(self) -> int:
        """Number of requests submitted and not yet returned."""
        ...

    def update_weights(self, weights: Iterable[tuple[str, Tensor]], version: int) -> None:
        """Load weights in place, by their Hugging Face names."""
        ...

    def sleep(self) -> None:
        """Free memory that can be rebuilt; the next request wakes the engine."""
        ...

    def close(self) -> None:
        """Stop the engine and free everything."""
        ...
