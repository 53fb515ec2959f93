"""Log-probabilities and entropies of given tokens, without ever holding the logits of all of them.

Logits are made for a few tokens at a time, and made again in the backward pass. Entropies come from the same pass.

Axes: T tokens of a pack, S tokens looked at, E width, V vocabulary.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import lru_cache
from typing import Any

import torch
from torch import Tensor

from rlgym.train.decoder import Decoder, product_in_float32
from rlgym.train.packing import Pack

NUMBERS_AT_ONCE = 1 << 27
"""How many logits are held at a time; in float32, half a gibibyte."""


def score(
    model: Decoder, pack: Pack, wanted_T: Tensor | None = None, temperature: float = 1.0, hidden_TE: Tensor | None = None
) -> tuple[Tensor, Tensor]:
    """Log-probability and entropy of each token of a pack given the tokens before it, both [T] in float32.

    The entry t belongs to token t. It is zero for the first token of a sequence and where `wanted_T` is False; tokens not
    wanted cost nothing. `hidden_TE` spares the forward pass where the caller has the hidden states already.
    """
    if hidden_TE is None:
        hidden_TE = model(pack.tokens_T, pack.positions_T, pack.attention)
    scored_T = pack.positions_T > 0
    if wanted_T is not None:
        scored_T = scored_T & wanted_T
    places_S = scored_T.nonzero().squeeze(1)
    before_S = places_S - 1 if pack.before_T is None else pack.before_T[places_S]
    hidden_SE, head_VE = hidden_TE.index_select(0, before_S), model.head_VE
    kind = hidden_TE.device.type
    if torch.is_autocast_enabled(kind):
        hidden_SE, head_VE = (part.to(torch.get_autocast_dtype(kind)) for part in (hidden_SE, head_VE))
    # Autocast would round the logits, and with them the log-probabilities, to 8 bits.
    with torch.autocast(kind, enabled=False):
        logprob_S, entropy_S = logprobs_and_entropies(hidden_SE, head_VE, pack.tokens_T.index_select(0, places_S), temperature)
    zero_T = torch.zeros(len(pack.tokens_T), device=logprob_S.device)
    return zero_T.index_copy(0, places_S, logprob_S), zero_T.index_copy(0, places_S, entropy_S)


def logprobs_and_entropies(
    hidden_SE: Tensor, head_VE: Tensor, target_S: Tensor, temperature: float = 1.0, numbers_at_once: int = NUMBERS_AT_ONCE
) -> tuple[Tensor, Tensor]:
    """Log-probabilities of the targets and entropies, in nats, of softmax(hidden · headᵀ / temperature); differentiable."""
    if temperature <= 0:
        raise ValueError(f"temperature must be above 0, got {temperature!r}; greedy sampling is scored at temperature 1")
    result: tuple[Tensor, Tensor] = _Chunked.apply(hidden_SE, head_VE, target_S, temperature, numbers_at_once)
    return result


class _Chunked(torch.autograd.Function):
    """Keeps per token only the normaliser and the entropy, from which the backward pass needs no reduction over V."""

    @staticmethod
    def forward(
        context: Any, hidden_SE: Tensor, head_VE: Tensor, target_S: Tensor, temperature: float, numbers_at_once: int
    ) -> tuple[Tensor, Tensor]:
        measure = _fused(_measure, hidden_SE.is_cuda)
        result_3S = torch.empty(3, len(target_S), device=hidden_SE.device)
        for part in _parts(len(target_S), len(head_VE), numbers_at_once):
            result_3S[:, part] = measure(product_in_float32(hidden_SE[part], head_VE), target_S[part], temperature)
        logprob_S, entropy_S, normaliser_S = result_3S
        context.save_for_backward(hidden_SE, head_VE, target_S, entropy_S, normaliser_S)
        context.temperature, context.numbers_at_once = temperature, numbers_at_once
        return logprob_S.clone(), entropy_S.clone()

    @staticmethod
    def backward(context: Any, *gradients: Tensor) -> tuple[Tensor | None, ...]:
        hidden_SE, head_VE, target_S, entropy_S, normaliser_S = context.saved_tensors
        slope = _fused(_slope, hidden_SE.is_cuda)
        to_hidden_SE = torch.empty_like(hidden_SE)
        to_head_VE = torch.zeros_like(head_VE, dtype=torch.float32) if context.needs_input_grad[1] else None
        for part in _parts(len(target_S), len(head_VE), context.numbers_at_once):
            logits_SV = product_in_float32(hidden_SE[part], head_VE)
            of_tokens = (target_S[part], entropy_S[part], normaliser_S[part], gradients[0][part], gradients[1][part])
            slope_SV = slope(logits_SV, *of_tokens, context.temperature).to(hidden_SE.dtype)
            torch.mm(slope_SV, head_VE, out=to_hidden_SE[part])
            if to_head_VE is not None:
                to_head_VE += product_in_float32(slope_SV.t(), hidden_SE[part].t())
        return to_hidden_SE, None if to_head_VE is None else to_head_VE.to(head_VE.dtype), None, None, None


def _parts(tokens: int, vocabulary: int, numbers_at_once: int) -> Iterator[slice]:
    size = max(1, numbers_at_once // vocabulary)
    return (slice(start, min(start + size, tokens)) for start in range(0, tokens, size))


def _measure(logits_SV: Tensor, target_S: Tensor, temperature: float) -> Tensor:
    """Log-probability, entropy and normaliser (log of the sum of exponentials), [3, S]."""
    logits_SV = logits_SV / temperature
    normaliser_S = torch.logsumexp(logits_SV, 1)
    entropy_S = normaliser_S - ((logits_SV - normaliser_S[:, None]).exp() * logits_SV).sum(1)
    return torch.stack([logits_SV.gather(1, target_S[:, None]).squeeze(1) - normaliser_S, entropy_S, normaliser_S])


def _slope(
    logits_SV: Tensor,
    target_S: Tensor,
    entropy_S: Tensor,
    normaliser_S: Tensor,
    to_logprob_S: Tensor,
    to_entropy_S: Tensor,
    temperature: float,
) -> Tensor:
    """The gradient that reaches the logits from both results."""
    log_SV = logits_SV / temperature - normaliser_S[:, None]
    is_target_SV = torch.arange(logits_SV.shape[1], device=logits_SV.device) == target_S[:, None]
    pull_S = to_logprob_S[:, None]
    slope_SV = torch.where(is_target_SV, pull_S, 0.0) - log_SV.exp() * (pull_S + to_entropy_S[:, None] * (log_SV + entropy_S[:, None]))
    return slope_SV / temperature


@lru_cache
def _fused(function: Callable[..., Tensor], on_gpu: bool) -> Callable[..., Tensor]:
    """On a GPU each of the two is compiled into one or two passes over the logits."""
    return torch.compile(function, dynamic=True) if on_gpu else function
