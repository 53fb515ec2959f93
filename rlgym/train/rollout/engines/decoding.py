"""One decoding step for many requests at once: the state on the device, independent of the requests.

Every request has a row. A step feeds each row's last token through the network, writes its keys and values into the cache, and
samples the next token. Active rows come first, so that no step needs a gather.

Axes: R rows, B the first rows, which a step processes, P positions, L layers, K heads of keys, G heads of queries per head
of keys, D width of a head, V vocabulary, S stop tokens.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, fields

import torch
from torch import Tensor
from torch.nn import functional as F

from rlgym.train.model.decoder import Decoder
from rlgym.train.model.shape import ModelShape
from rlgym.train.rollout.engines.base import SamplingParams

MAX_STOP_TOKENS = 8
MAX_UNIFORM = 1 - 2.0**-20
"""Upper bound of the uniform numbers, so that rounding never leads past the last token."""


@dataclass(frozen=True)
class DecodingState:
    """The state of every row, and its sampled tokens.

    last_token_R     the last token, not yet fed to the network
    length_R         number of tokens whose keys and values are in the cache
    num_generated_R  number of tokens sampled so far, at most max_new_tokens_R
    active_R         False once a row has ended, or is empty
    temperature_R    1 for greedy decoding (greedy_R)
    uniforms_RP      the uniform numbers in [0, 1) that determine each token, so that rows are independent
    """

    last_token_R: Tensor
    length_R: Tensor
    num_generated_R: Tensor
    max_new_tokens_R: Tensor
    active_R: Tensor
    greedy_R: Tensor
    temperature_R: Tensor
    top_p_R: Tensor
    top_k_R: Tensor
    stop_tokens_RS: Tensor
    uniforms_RP: Tensor
    generated_RP: Tensor
    logprobs_RP: Tensor

    @staticmethod
    def empty(rows: int, context: int, device: torch.device) -> DecodingState:
        """Rows with nothing in them."""
        whole = {"dtype": torch.int64, "device": device}
        return DecodingState(
            last_token_R=torch.zeros(rows, **whole),
            length_R=torch.zeros(rows, **whole),
            num_generated_R=torch.zeros(rows, **whole),
            max_new_tokens_R=torch.zeros(rows, **whole),
            active_R=torch.zeros(rows, dtype=torch.bool, device=device),
            greedy_R=torch.zeros(rows, dtype=torch.bool, device=device),
            temperature_R=torch.ones(rows, device=device),
            top_p_R=torch.ones(rows, device=device),
            top_k_R=torch.zeros(rows, **whole),
            stop_tokens_RS=torch.full((rows, MAX_STOP_TOKENS), -1, **whole),
            # One position more than a row can fill: an ended row writes there until it is removed.
            uniforms_RP=torch.zeros(rows, context + 1, device=device),
            generated_RP=torch.zeros(rows, context + 1, **whole),
            logprobs_RP=torch.zeros(rows, context + 1, device=device),
        )

    def move(self, sources: Tensor, targets: Tensor) -> None:
        """Copy rows; sources and targets may overlap."""
        for field in fields(self):
            state = getattr(self, field.name)
            state[targets] = state[sources]


def empty_cache(shape: ModelShape, rows: int, context: int, device: torch.device, dtype: torch.dtype) -> Tensor:
    """A cache for keys [:, 0] and values [:, 1] of every row: [L, 2, R, K, P, D]."""
    return torch.zeros(shape.num_layers, 2, rows, shape.num_kv_heads, context, shape.head_dim, device=device, dtype=dtype)


def decode(model: Decoder, cache: Tensor, rows: DecodingState, num_rows: int, longest: int, filtered: bool) -> None:
    """Sample one token in each of the first `num_rows` rows.

    longest   upper bound of the tokens in a row, including the one fed now
    filtered  whether any row uses top_p or top_k
    """
    positions_B = rows.length_R[:num_rows]
    attend = _gpu_attention(cache, rows, num_rows) if cache.is_cuda else CpuAttention(cache, positions_B, longest)
    hidden_BE = model(rows.last_token_R[:num_rows], positions_B, attend)
    logits_BV = model.logits(hidden_BE)
    if cache.is_cuda and not filtered:
        from rlgym.train.rollout.engines.kernels import sample_tokens as sample_tokens_on_gpu

        chosen_B, logprob_B = sample_tokens_on_gpu(logits_BV, *_sampling_inputs(rows, num_rows))
    else:
        chosen_B, logprob_B = sample_tokens(logits_BV, *_sampling_inputs(rows, num_rows), *_filter_inputs(rows, num_rows, filtered))
    _record(rows, num_rows, chosen_B, logprob_B)


def _sampling_inputs(rows: DecodingState, num_rows: int) -> tuple[Tensor, Tensor, Tensor]:
    uniform_B = rows.uniforms_RP[:num_rows].gather(1, rows.num_generated_R[:num_rows, None]).squeeze(1)
    return uniform_B, rows.temperature_R[:num_rows], rows.greedy_R[:num_rows]


def _filter_inputs(rows: DecodingState, num_rows: int, filtered: bool) -> tuple[Tensor | None, Tensor | None]:
    return (rows.top_p_R[:num_rows], rows.top_k_R[:num_rows]) if filtered else (None, None)


def sample_tokens(
    logits_BV: Tensor,
    uniform_B: Tensor,
    temperature_B: Tensor,
    greedy_B: Tensor,
    top_p_B: Tensor | None = None,
    top_k_B: Tensor | None = None,
) -> tuple[Tensor, Tensor]:
    """Tokens by inverse transform sampling, and their log-probabilities before top_p and top_k."""
    log_BV = torch.log_softmax(logits_BV / temperature_B[:, None], 1)
    prob_BV = log_BV.exp()
    if top_p_B is not None and top_k_B is not None:
        prob_BV = prob_BV * top_p_top_k_mask(prob_BV, top_p_B, top_k_B)
    cumulative_BV = prob_BV.cumsum(1)
    sampled_B = (cumulative_BV <= uniform_B[:, None] * cumulative_BV[:, -1:]).sum(1)
    chosen_B = torch.where(greedy_B, logits_BV.argmax(1), sampled_B)
    return chosen_B, log_BV.gather(1, chosen_B[:, None]).squeeze(1)


def top_p_top_k_mask(prob_BV: Tensor, top_p_B: Tensor, top_k_B: Tensor) -> Tensor:
    """Which tokens stay: the fewest most likely ones whose probability reaches top_p, and of those the top_k (0: all)."""
    sorted_BV, order_BV = torch.sort(prob_BV, dim=1, descending=True, stable=True)
    before_BV = sorted_BV.cumsum(1) - sorted_BV
    rank_V = torch.arange(prob_BV.shape[1], device=prob_BV.device)
    kept_BV = (before_BV < top_p_B[:, None]) & ((rank_V < top_k_B[:, None]) | (top_k_B[:, None] == 0))
    return torch.zeros_like(kept_BV).scatter(1, order_BV, kept_BV)


def _record(rows: DecodingState, num_rows: int, chosen_B: Tensor, logprob_B: Tensor) -> None:
    """Store the sampled tokens; ended rows stay as they are."""
    generated_B, active_B = rows.num_generated_R[:num_rows], rows.active_R[:num_rows]
    rows.generated_RP[:num_rows].scatter_(1, generated_B[:, None], chosen_B[:, None])
    rows.logprobs_RP[:num_rows].scatter_(1, generated_B[:, None], logprob_B[:, None])
    rows.last_token_R[:num_rows] = torch.where(active_B, chosen_B, rows.last_token_R[:num_rows])
    rows.length_R[:num_rows] += active_B
    generated_B += active_B
    ends_B = (rows.stop_tokens_RS[:num_rows] == chosen_B[:, None]).any(1) | (generated_B >= rows.max_new_tokens_R[:num_rows])
    active_B &= ~ends_B


class CpuAttention:
    """Attention of one new token per row to the cache, which it updates; the first rows and positions are contiguous, so nothing is copied."""

    def __init__(self, cache: Tensor, positions_B: Tensor, longest: int) -> None:
        self.cache = cache
        self.positions_B = positions_B
        self.rows_B = torch.arange(len(positions_B))
        self.longest = longest
        future_BP = torch.arange(longest) > positions_B[:, None]
        self.mask = torch.zeros(future_BP.shape, dtype=cache.dtype).masked_fill_(future_BP, -torch.inf)

    def __call__(self, layer: int, queries_BHD: Tensor, keys_BKD: Tensor, values_BKD: Tensor) -> Tensor:
        keys_RKPD, values_RKPD = self.cache[layer]
        keys_RKPD[self.rows_B, :, self.positions_B] = keys_BKD
        values_RKPD[self.rows_B, :, self.positions_B] = values_BKD
        rows, heads, width = keys_BKD.shape
        keys_XPD = keys_RKPD[:rows, :, : self.longest].flatten(0, 1)
        values_XPD = values_RKPD[:rows, :, : self.longest].flatten(0, 1)
        queries_XGD = queries_BHD.reshape(rows * heads, -1, width) * width**-0.5
        scores_BKGP = torch.bmm(queries_XGD, keys_XPD.transpose(1, 2)).view(rows, heads, -1, self.longest)
        weights_XGP = F.softmax(scores_BKGP + self.mask[:, None, None], dim=-1).flatten(0, 1)
        return torch.bmm(weights_XGP, values_XPD).view(rows, -1, width)


def _gpu_attention(cache: Tensor, rows: DecodingState, num_rows: int):  # type: ignore[no-untyped-def]  # kernels.py needs triton
    from rlgym.train.rollout.engines.kernels import GpuAttention

    return GpuAttention(cache, rows.length_R[:num_rows], rows.active_R[:num_rows])


def check_request(prompt: Sequence[int], sampling: SamplingParams, vocabulary: int) -> None:
    """Raise ValueError for an empty prompt, tokens outside the vocabulary and invalid sampling parameters."""
    if not prompt:
        raise ValueError("the prompt is empty: an engine needs at least one token")
    if min(prompt) < 0 or max(prompt) >= vocabulary:
        raise ValueError(f"the prompt has tokens outside the vocabulary of {vocabulary}: {min(prompt)} to {max(prompt)}")
    if sampling.temperature < 0 or not 0 < sampling.top_p <= 1 or sampling.top_k < 0:
        raise ValueError(f"temperature and top_k must be at least 0 and top_p must be in (0, 1], got {sampling!r}")
    if len(sampling.stop) > MAX_STOP_TOKENS:
        raise ValueError(f"at most {MAX_STOP_TOKENS} stop tokens are supported, got {len(sampling.stop)}")
