"""A rollout engine for models of transformers: batches of left-padded requests with a cache of keys and values.

A batch takes the requests that wait; its prompts are prefilled together, equal ones once. Every decoding step then samples one
token in each row, and the batch shrinks as its requests end. The tokens of a request depend on its seed as in the native engine.

Models with recurrent layers (Mamba, LFM2, Qwen3-Next) have a state in place of keys and values, which would see the padding. They are computed without a
cache: every step passes the whole contexts through the network, right-padded.

Axes: B rows of the batch, N different prompts, L positions, V vocabulary.
"""

from __future__ import annotations

import inspect
from collections import deque
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any

import torch
from torch import Tensor

from rlgym.train.model.transformers_model import TransformersModel
from rlgym.train.rollout.engines.base import Completion, Continuation, SamplingParams
from rlgym.train.rollout.engines.decoding import MAX_UNIFORM, check_request, sample_tokens
from rlgym.train.rollout.engines.scores import score_continuations

STEPS_PER_CALL = 16
"""Most tokens of each row between two returns of `step`."""


@dataclass
class _Row:
    """A request in progress. `uniforms` are the numbers in [0, 1) that determine its tokens."""

    key: int
    prompt: tuple[int, ...]
    sampling: SamplingParams
    version: int
    uniforms: list[float] = field(default_factory=list)
    tokens: list[int] = field(default_factory=list)
    logprobs: list[float] = field(default_factory=list)
    ended: bool = False

    def start(self, limit: int) -> None:
        generator = torch.Generator().manual_seed(self.sampling.seed)
        self.uniforms = torch.rand(limit, generator=generator).clamp_(max=MAX_UNIFORM).tolist()

    def append(self, token: int, logprob: float) -> bool:
        """Add a sampled token; True if the request ends with it, which it does at a stop token and at its limit."""
        self.tokens.append(token)
        self.logprobs.append(logprob)
        self.ended = token in self.sampling.stop or len(self.tokens) == len(self.uniforms)
        return self.ended

    def completion(self) -> Completion:
        return Completion(tuple(self.tokens), tuple(self.logprobs), self.tokens[-1] in self.sampling.stop, self.version)


@dataclass
class _Decoding:
    """The state of a batch on the device: `seen_BL` is False for the padding before a prompt. `cache` is None for a model without one."""

    cache: Any
    last_B: Tensor
    seen_BL: Tensor


class TransformersEngine:
    """Implements `Engine` for a `TransformersModel`, whose weights it uses in place.

    max_num_seqs  number of requests in a batch
    max_seq_len   token limit of prompt and response; a prompt that leaves no room ends at once without a token

    The model may be the one being trained: `update_weights` then has nothing to copy.
    """

    module_names = True
    """`update_weights` takes the names in the network, not those in a folder."""

    def __init__(self, model: TransformersModel, max_num_seqs: int = 128, max_seq_len: int | None = None) -> None:
        self.model = model
        self.max_seq_len = min(max_seq_len or model.shape.max_seq_len, model.shape.max_seq_len)
        self.max_num_seqs = max_num_seqs
        self.version = 0
        self._waiting: deque[_Row] = deque()
        self._rows: list[_Row] = []
        self._state: _Decoding | None = None
        self._ended: list[tuple[int, Completion]] = []
        self.uses_cache = _keeps_keys_and_values(model)
        self._takes_positions = "position_ids" in inspect.signature(model.network.forward).parameters

    def submit(self, key: int, prompt: Sequence[int], sampling: SamplingParams) -> None:
        """Queue a request. Raises ValueError for an empty prompt, tokens outside the vocabulary and invalid sampling parameters."""
        check_request(prompt, sampling, self.model.shape.vocab_size)
        if len(prompt) >= self.max_seq_len or sampling.max_new_tokens < 1:
            self._ended.append((key, Completion((), (), False, self.version)))
        else:
            self._waiting.append(_Row(key, tuple(prompt), sampling, self.version))

    def score(self, continuations: Sequence[Continuation], temperature: float = 1.0) -> list[tuple[float, ...]]:
        """Log-probabilities of given tokens under the present weights, by a forward pass beside the requests in progress."""
        return score_continuations(self.model, continuations, temperature, self.max_seq_len)

    @property
    def pending(self) -> int:
        return len(self._waiting) + len(self._ended) + sum(not row.ended for row in self._rows)

    @torch.no_grad()
    def step(self) -> list[tuple[int, Completion]]:
        """Start a batch if none is in progress, sample up to 16 tokens in every row, and return the requests that ended."""
        if not self._rows and self._waiting:
            self._start_batch()
        for _ in range(STEPS_PER_CALL):
            if self._ended or not self._rows:
                break
            self._decode()
        ended, self._ended = self._ended, []
        return ended

    def _start_batch(self) -> None:
        """Prefill the prompts of the next requests, and sample their first tokens."""
        self._rows = [self._waiting.popleft() for _ in range(min(self.max_num_seqs, len(self._waiting)))]
        for row in self._rows:
            row.version = self.version
            row.start(min(row.sampling.max_new_tokens, self.max_seq_len - len(row.prompt)))
        prompts = list(dict.fromkeys(row.prompt for row in self._rows))
        longest, device = max(map(len, prompts)), self.model.device
        if not self.uses_cache:
            last_B = torch.zeros(len(self._rows), dtype=torch.int64, device=device)
            self._state = _Decoding(None, last_B, torch.ones(len(self._rows), 1, dtype=torch.bool, device=device))
            self._sample(self._logits_of_contexts())
            return
        tokens_NL = torch.tensor([[0] * (longest - len(prompt)) + list(prompt) for prompt in prompts], device=device)
        seen_NL = torch.tensor([[False] * (longest - len(prompt)) + [True] * len(prompt) for prompt in prompts], device=device)
        hidden_NE, cache = self.model.next_hidden(**self._inputs(tokens_NL, seen_NL))
        index_B = torch.tensor([prompts.index(row.prompt) for row in self._rows], device=device)
        cache.reorder_cache(index_B)
        self._state = _Decoding(cache, torch.zeros(len(index_B), dtype=torch.int64, device=device), seen_NL[index_B])
        self._sample(self.model.logits(hidden_NE)[index_B])

    def _decode(self) -> None:
        """Feed the last token of every row, and sample the next."""
        state = self._state
        assert state is not None
        if not self.uses_cache:
            self._sample(self._logits_of_contexts())
            return
        state.seen_BL = torch.cat([state.seen_BL, torch.ones_like(state.seen_BL[:, :1])], dim=1)
        inputs = self._inputs(state.last_B[:, None], state.seen_BL)
        hidden_BE, state.cache = self.model.next_hidden(cache=state.cache, **inputs)
        self._sample(self.model.logits(hidden_BE))

    def _logits_of_contexts(self) -> Tensor:
        """The logits of the next token of every row, [B, V], from its whole context."""
        contexts = [[*row.prompt, *row.tokens] for row in self._rows]
        longest = max(map(len, contexts))
        tokens_BL = torch.tensor([context + [0] * (longest - len(context)) for context in contexts], device=self.model.device)
        lengths_B = torch.tensor(list(map(len, contexts)), device=self.model.device)
        return self.model.logits(self.model.hidden_at_ends(tokens_BL, lengths_B))

    def _inputs(self, tokens_BL: Tensor, seen_BL: Tensor) -> dict[str, Tensor]:
        """The arguments of the network: positions count from 0 at the first token behind the padding."""
        inputs = {"input_ids": tokens_BL, "attention_mask": seen_BL.long()}
        if self._takes_positions:
            positions_BL = (seen_BL.long().cumsum(1) - 1).clamp(min=0)
            inputs["position_ids"] = positions_BL[:, -tokens_BL.shape[1] :]
        return inputs

    def _sample(self, logits_BV: Tensor) -> None:
        """Sample one token in every row that has not ended, and collect those that end with it."""
        state, samplings = self._state, [row.sampling for row in self._rows]
        assert state is not None
        device = logits_BV.device
        uniform_B = torch.tensor([0.0 if row.ended else row.uniforms[len(row.tokens)] for row in self._rows], device=device)
        temperature_B = torch.tensor([sampling.temperature or 1.0 for sampling in samplings], device=device)
        greedy_B = torch.tensor([sampling.temperature == 0 for sampling in samplings], device=device)
        filters: tuple[Tensor | None, Tensor | None] = (None, None)
        if any(sampling.top_p < 1 or sampling.top_k > 0 for sampling in samplings):
            filters = (
                torch.tensor([sampling.top_p for sampling in samplings], device=device),
                torch.tensor([sampling.top_k for sampling in samplings], device=device),
            )
        state.last_B, logprob_B = sample_tokens(logits_BV, uniform_B, temperature_B, greedy_B, *filters)
        for row, token, logprob in zip(self._rows, state.last_B.tolist(), logprob_B.tolist()):
            if not row.ended and row.append(token, logprob):
                self._ended.append((row.key, row.completion()))
        self._shrink()

    def _shrink(self) -> None:
        """Remove ended rows once they are half of the batch; a batch without rows is over."""
        alive = [index for index, row in enumerate(self._rows) if not row.ended]
        if 2 * len(alive) > len(self._rows):
            return
        self._rows = [self._rows[index] for index in alive]
        if not alive or self._state is None:
            self._state = None
            return
        index_B = torch.tensor(alive, device=self._state.last_B.device)
        if self.uses_cache:
            self._state.cache.reorder_cache(index_B)
        self._state.last_B, self._state.seen_BL = self._state.last_B[index_B], self._state.seen_BL[index_B]

    def update_weights(self, weights: Iterable[tuple[str, Tensor]], version: int) -> None:
        """Load weights in place. Requests in progress keep their keys and values."""
        self.model.load_module_weights(weights)
        self.version = version

    def sleep(self) -> None:
        """Nothing: keys and values are freed with each batch. Raises RuntimeError while requests are in progress."""
        if self._rows:
            raise RuntimeError("requests are in progress: step until none is pending, then sleep")

    def close(self) -> None:
        """Drop all requests and free the cache."""
        self._waiting.clear()
        self._ended.clear()
        self._rows, self._state = [], None


@torch.no_grad()
def _keeps_keys_and_values(model: TransformersModel) -> bool:
    """Whether all layers of a model have a cache of keys and values whose rows can be reordered, by a pass of one token."""
    try:
        _, cache = model.next_hidden(input_ids=torch.zeros(1, 1, dtype=torch.int64, device=model.device))
    except (ValueError, TypeError, AttributeError):  # a network whose layers are all recurrent may have no cache at all
        return False
    return hasattr(cache, "reorder_cache") and all(hasattr(layer, "keys") for layer in getattr(cache, "layers", ()))
