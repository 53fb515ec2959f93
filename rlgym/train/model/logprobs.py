"""Log-probabilities and entropies of given tokens, without materialising the logits of all of them.

Logits are computed for a few tokens at a time, and again in the backward pass. Entropies come from the same pass.

Axes: T tokens of a pack, S scored tokens, E width, V vocabulary.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from functools import lru_cache
from typing import TYPE_CHECKING, Any

import torch
from torch import Tensor
from torch.utils.checkpoint import checkpoint

from rlgym.train.model.decoder import matmul_float32
from rlgym.train.model.packing import Pack

if TYPE_CHECKING:
    from rlgym.train.model.backend import PolicyModel

MAX_LOGITS_AT_ONCE = 1 << 27
"""Number of logits in memory at a time; in float32, half a gibibyte."""


def score_pack(
    model: PolicyModel, pack: Pack, score_mask_T: Tensor | None = None, temperature: float = 1.0, hidden_TE: Tensor | None = None
) -> tuple[Tensor, Tensor]:
    """Log-probability and entropy of each token of a pack given the tokens before it, both [T] in float32.

    The entry t belongs to token t. It is zero for the first token of a sequence and where `score_mask_T` is False; such
    tokens cost nothing. Pass `hidden_TE` to skip the forward pass if the hidden states are known.
    """
    if hidden_TE is None:
        hidden_TE = model(pack.tokens_T, pack.positions_T, pack.attention)
    scored_T = pack.positions_T > 0
    if score_mask_T is not None:
        scored_T = scored_T & score_mask_T
    index_S = scored_T.nonzero().squeeze(1)
    previous_S = index_S - 1 if pack.prev_index_T is None else pack.prev_index_T[index_S]
    hidden_SE, head_VE = hidden_TE.index_select(0, previous_S), model.head_VE
    kind = hidden_TE.device.type
    if torch.is_autocast_enabled(kind):
        hidden_SE, head_VE = (part.to(torch.get_autocast_dtype(kind)) for part in (hidden_SE, head_VE))
    # Autocast would round the logits, and with them the log-probabilities, to 8 bits.
    with torch.autocast(kind, enabled=False):
        target_S = pack.tokens_T.index_select(0, index_S)
        if model.head_transform is None:
            logprob_S, entropy_S = logprobs_and_entropies(hidden_SE, head_VE, target_S, temperature)
        else:
            logprob_S, entropy_S = transformed_logprobs(model, hidden_SE, head_VE, target_S, temperature)
    zero_T = torch.zeros(len(pack.tokens_T), device=logprob_S.device)
    return zero_T.index_copy(0, index_S, logprob_S), zero_T.index_copy(0, index_S, entropy_S)


@torch.no_grad()
def self_certainties(
    model: PolicyModel, pack: Pack, score_mask_T: Tensor | None = None, temperature: float = 1.0, hidden_TE: Tensor | None = None
) -> tuple[Tensor, Tensor]:
    """KL(uniform || pi) of the distribution from which each token of a pack is drawn, [T] in float32, and zeros.

    It is -log V - mean over the vocabulary of log pi, in nats; 0 where `score_pack` has no score.
    """

    def certainty(logits_SV: Tensor, target_S: Tensor) -> Tensor:
        return torch.logsumexp(logits_SV, 1) - logits_SV.mean(1) - math.log(logits_SV.shape[1])

    return _from_logits(certainty, model, pack, score_mask_T, temperature, hidden_TE)


@torch.no_grad()
def token_ranks(
    model: PolicyModel, pack: Pack, score_mask_T: Tensor | None = None, temperature: float = 1.0, hidden_TE: Tensor | None = None
) -> tuple[Tensor, Tensor]:
    """How many tokens of the vocabulary are more likely than each token of a pack, plus 1, [T] in float32, and zeros; 0 where `score_pack` has no score."""

    def rank(logits_SV: Tensor, target_S: Tensor) -> Tensor:
        return 1.0 + (logits_SV > logits_SV.gather(1, target_S[:, None])).sum(1).float()

    return _from_logits(rank, model, pack, score_mask_T, temperature, hidden_TE)


def _from_logits(
    measure: Callable[[Tensor, Tensor], Tensor],
    model: PolicyModel,
    pack: Pack,
    score_mask_T: Tensor | None,
    temperature: float,
    hidden_TE: Tensor | None,
) -> tuple[Tensor, Tensor]:
    """A measure of the logits and the target at each scored token, 0 elsewhere, and zeros."""
    zero_T = torch.zeros(len(pack.tokens_T), device=pack.tokens_T.device)
    found_T = zero_T.clone()
    for index_S, _, logits_SV, target_S in scored_chunks(model, pack, score_mask_T, temperature, hidden_TE):
        found_T[index_S] = measure(logits_SV, target_S)
    return found_T, zero_T


@torch.no_grad()
def scored_chunks(
    model: PolicyModel, pack: Pack, score_mask_T: Tensor | None = None, temperature: float = 1.0, hidden_TE: Tensor | None = None
) -> Iterator[tuple[Tensor, Tensor, Tensor, Tensor]]:
    """A few scored tokens of a pack at a time: where they stand in it, the hidden states and the logits from which they are drawn, and the tokens."""
    if hidden_TE is None:
        hidden_TE = model(pack.tokens_T, pack.positions_T, pack.attention)
    scored_T = pack.positions_T > 0 if score_mask_T is None else (pack.positions_T > 0) & score_mask_T
    index_S = scored_T.nonzero().squeeze(1)
    previous_S = index_S - 1 if pack.prev_index_T is None else pack.prev_index_T[index_S]
    hidden_SE, head_VE, target_S = hidden_TE.index_select(0, previous_S), model.head_VE, pack.tokens_T.index_select(0, index_S)
    with torch.autocast(hidden_TE.device.type, enabled=False):
        for chunk in token_chunks(len(index_S), len(head_VE), MAX_LOGITS_AT_ONCE):
            logits_SV = matmul_float32(hidden_SE[chunk].to(head_VE.dtype), head_VE)
            logits_SV = (logits_SV if model.head_transform is None else model.transformed(logits_SV)) / temperature
            yield index_S[chunk], hidden_SE[chunk], logits_SV, target_S[chunk]


def logprobs_and_entropies(
    hidden_SE: Tensor, head_VE: Tensor, target_S: Tensor, temperature: float = 1.0, max_logits: int = MAX_LOGITS_AT_ONCE
) -> tuple[Tensor, Tensor]:
    """Log-probabilities of the targets and entropies, in nats, of softmax(hidden · headᵀ / temperature); differentiable."""
    if temperature <= 0:
        raise ValueError(f"temperature must be above 0, got {temperature!r}; score greedy samples at temperature 1")
    result: tuple[Tensor, Tensor] = _Chunked.apply(hidden_SE, head_VE, target_S, temperature, max_logits)
    return result


def transformed_logprobs(
    model: PolicyModel, hidden_SE: Tensor, head_VE: Tensor, target_S: Tensor, temperature: float, max_logits: int = MAX_LOGITS_AT_ONCE
) -> tuple[Tensor, Tensor]:
    """The same for a model whose output head is more than a product: torch recomputes each chunk in the backward pass."""

    def chunk_result(hidden_SE: Tensor, target_S: Tensor) -> Tensor:
        logits_SV = model.transformed(matmul_float32(hidden_SE, head_VE))
        return _logprob_entropy_normaliser(logits_SV, target_S, temperature)[:2]

    parts = [
        checkpoint(chunk_result, hidden_SE[chunk], target_S[chunk], use_reentrant=False)
        for chunk in token_chunks(len(target_S), len(head_VE), max_logits)
    ]
    result_2S = torch.cat(parts, dim=1) if parts else torch.zeros(2, 0, device=hidden_SE.device)
    return result_2S[0], result_2S[1]


class _Chunked(torch.autograd.Function):
    """Saves only the normaliser and the entropy per token, so the backward pass needs no reduction over V."""

    @staticmethod
    def forward(
        context: Any, hidden_SE: Tensor, head_VE: Tensor, target_S: Tensor, temperature: float, max_logits: int
    ) -> tuple[Tensor, Tensor]:
        forward_chunk = _compile(_logprob_entropy_normaliser, hidden_SE.is_cuda)
        result_3S = torch.empty(3, len(target_S), device=hidden_SE.device)
        for chunk in token_chunks(len(target_S), len(head_VE), max_logits):
            result_3S[:, chunk] = forward_chunk(matmul_float32(hidden_SE[chunk], head_VE), target_S[chunk], temperature)
        logprob_S, entropy_S, normaliser_S = result_3S
        context.save_for_backward(hidden_SE, head_VE, target_S, entropy_S, normaliser_S)
        context.temperature, context.max_logits = temperature, max_logits
        return logprob_S.clone(), entropy_S.clone()

    @staticmethod
    def backward(context: Any, *gradients: Tensor) -> tuple[Tensor | None, ...]:
        hidden_SE, head_VE, target_S, entropy_S, normaliser_S = context.saved_tensors
        grad_chunk = _compile(_grad_logits, hidden_SE.is_cuda)
        grad_hidden_SE = torch.empty_like(hidden_SE)
        grad_head_VE = torch.zeros_like(head_VE, dtype=torch.float32) if context.needs_input_grad[1] else None
        for chunk in token_chunks(len(target_S), len(head_VE), context.max_logits):
            logits_SV = matmul_float32(hidden_SE[chunk], head_VE)
            of_tokens = (target_S[chunk], entropy_S[chunk], normaliser_S[chunk], gradients[0][chunk], gradients[1][chunk])
            grad_logits_SV = grad_chunk(logits_SV, *of_tokens, context.temperature).to(hidden_SE.dtype)
            torch.mm(grad_logits_SV, head_VE, out=grad_hidden_SE[chunk])
            if grad_head_VE is not None:
                grad_head_VE += matmul_float32(grad_logits_SV.t(), hidden_SE[chunk].t())
        return grad_hidden_SE, None if grad_head_VE is None else grad_head_VE.to(head_VE.dtype), None, None, None


def token_chunks(tokens: int, vocabulary: int, max_logits: int) -> Iterator[slice]:
    """Slices of so many tokens that at most `max_logits` logits are in memory at a time."""
    size = max(1, max_logits // vocabulary)
    return (slice(start, min(start + size, tokens)) for start in range(0, tokens, size))


def _logprob_entropy_normaliser(logits_SV: Tensor, target_S: Tensor, temperature: float) -> Tensor:
    """Log-probability, entropy and normaliser (log of the sum of exponentials), [3, S]."""
    logits_SV = logits_SV / temperature
    normaliser_S = torch.logsumexp(logits_SV, 1)
    entropy_S = normaliser_S - ((logits_SV - normaliser_S[:, None]).exp() * logits_SV).sum(1)
    return torch.stack([logits_SV.gather(1, target_S[:, None]).squeeze(1) - normaliser_S, entropy_S, normaliser_S])


def _grad_logits(
    logits_SV: Tensor,
    target_S: Tensor,
    entropy_S: Tensor,
    normaliser_S: Tensor,
    grad_logprob_S: Tensor,
    grad_entropy_S: Tensor,
    temperature: float,
) -> Tensor:
    """The gradient of the logits from the gradients of both results."""
    log_SV = logits_SV / temperature - normaliser_S[:, None]
    is_target_SV = torch.arange(logits_SV.shape[1], device=logits_SV.device) == target_S[:, None]
    grad_S = grad_logprob_S[:, None]
    grad_logits_SV = torch.where(is_target_SV, grad_S, 0.0) - log_SV.exp() * (
        grad_S + grad_entropy_S[:, None] * (log_SV + entropy_S[:, None])
    )
    return grad_logits_SV / temperature


@lru_cache
def _compile(function: Callable[..., Tensor], on_gpu: bool) -> Callable[..., Tensor]:
    """On a GPU the function is compiled into one or two passes over the logits."""
    return torch.compile(function, dynamic=True) if on_gpu else function
