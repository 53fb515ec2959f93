"""Triton kernels for decoding on a GPU: attention of single tokens to a cache, and sampling from large vocabularies.

Axes: B rows, H heads of queries, K heads of keys, D width of a head, V vocabulary, C chunks of the vocabulary.
"""

from __future__ import annotations

import torch
import triton
import triton.language as tl
from torch import Tensor

VOCAB_CHUNK = 4096
"""Tokens of the vocabulary that one program processes."""


class GpuAttention:
    """Writes the new token of every row into the cache and attends to the whole row, reading no more than the row holds."""

    def __init__(self, cache: Tensor, length_B: Tensor, alive_B: Tensor) -> None:
        self.cache = cache
        self.length_B = length_B
        self.alive_B = alive_B

    def __call__(self, layer: int, queries_BHD: Tensor, keys_BKD: Tensor, values_BKD: Tensor) -> Tensor:
        keys_RKPD, values_RKPD = self.cache[layer]
        rows, heads, width = queries_BHD.shape
        mixed_BHD = torch.empty(queries_BHD.shape, dtype=queries_BHD.dtype, device=queries_BHD.device)
        per_key = heads // keys_BKD.shape[1]
        _attend[(rows, keys_BKD.shape[1])](
            queries_BHD, keys_BKD, values_BKD, keys_RKPD, values_RKPD, mixed_BHD, self.length_B, self.alive_B,
            queries_BHD.stride(0), keys_BKD.stride(0), values_BKD.stride(0), mixed_BHD.stride(0),
            keys_RKPD.stride(0), keys_RKPD.stride(1),
            width**-0.5 * 1.4426950408889634,
            PER_KEY=per_key, PADDED=max(16, triton.next_power_of_2(per_key)),
            WIDTH=width, PADDED_WIDTH=max(16, triton.next_power_of_2(width)), BLOCK=64,
            # Three stages of keys and values in float32 exceed the shared memory of most devices.
            num_warps=4, num_stages=3 if width * keys_BKD.element_size() <= 256 else 2,
        )  # fmt: skip
        return mixed_BHD


@triton.jit
def _attend(
    queries, new_keys, new_values, keys, values, mixed, lengths, alive,
    query_row, key_row, value_row, mixed_row, cache_row, cache_head,
    scale,
    PER_KEY: tl.constexpr, PADDED: tl.constexpr, WIDTH: tl.constexpr, PADDED_WIDTH: tl.constexpr, BLOCK: tl.constexpr,
):  # fmt: skip
    """One program: all query heads of one key head in one row. Scores use base 2."""
    row = tl.program_id(0).to(tl.int64)
    head = tl.program_id(1)
    position = tl.load(lengths + row)
    seen = tl.where(tl.load(alive + row) != 0, position, 0)
    in_group = tl.arange(0, PADDED)
    across = tl.arange(0, PADDED_WIDTH)
    is_width = across < WIDTH
    is_query = (in_group[:, None] < PER_KEY) & is_width[None, :]
    query_offsets = (head * PER_KEY + in_group)[:, None] * WIDTH + across[None, :]
    query = tl.load(queries + row * query_row + query_offsets, mask=is_query, other=0.0)
    new_key = tl.load(new_keys + row * key_row + head * WIDTH + across, mask=is_width, other=0.0)
    new_value = tl.load(new_values + row * value_row + head * WIDTH + across, mask=is_width, other=0.0)
    key_base = keys + row * cache_row + head * cache_head
    value_base = values + row * cache_row + head * cache_head
    tl.store(key_base + position * WIDTH + across, new_key, mask=is_width)
    tl.store(value_base + position * WIDTH + across, new_value, mask=is_width)

    highest = tl.sum(query.to(tl.float32) * new_key.to(tl.float32)[None, :], 1) * scale
    total = tl.full([PADDED], 1.0, tl.float32)
    mix = tl.zeros([PADDED, PADDED_WIDTH], tl.float32) + new_value.to(tl.float32)[None, :]
    for start in range(0, seen, BLOCK):
        indices = start + tl.arange(0, BLOCK)
        in_range = (indices < seen)[:, None] & is_width[None, :]
        offsets = indices[:, None] * WIDTH + across[None, :]
        key = tl.load(key_base + offsets, mask=in_range, other=0.0)
        scores = tl.dot(query, tl.trans(key), input_precision="ieee") * scale
        scores = tl.where((indices < seen)[None, :], scores, float("-inf"))
        higher = tl.maximum(highest, tl.max(scores, 1))
        shrink = tl.exp2(highest - higher)
        shares = tl.exp2(scores - higher[:, None])
        value = tl.load(value_base + offsets, mask=in_range, other=0.0)
        mix = mix * shrink[:, None] + tl.dot(shares.to(value.dtype), value, input_precision="ieee")
        total = total * shrink + tl.sum(shares, 1)
        highest = higher
    tl.store(mixed + row * mixed_row + query_offsets, (mix / total[:, None]).to(mixed.dtype.element_ty), mask=is_query)


def sample_tokens(logits_BV: Tensor, uniform_B: Tensor, temperature_B: Tensor, greedy_B: Tensor) -> tuple[Tensor, Tensor]:
    """Like `decoding.sample_tokens` without filters; reads the logits once, and one chunk of them again."""
    rows, vocabulary = logits_BV.shape
    chunks = triton.cdiv(vocabulary, VOCAB_CHUNK)
    highest_BC, exp_sum_BC = (torch.empty(rows, chunks, device=logits_BV.device) for _ in range(2))
    _chunk_exp_sum[(rows, chunks)](
        logits_BV, temperature_B, highest_BC, exp_sum_BC, vocabulary, logits_BV.stride(0), chunks, CHUNK=VOCAB_CHUNK
    )
    top_B, top_chunk_B = highest_BC.max(1)
    share_BC = exp_sum_BC * (highest_BC - top_B[:, None]).exp()
    cumulative_BC = share_BC.cumsum(1)
    total_B = cumulative_BC[:, -1]
    target_B = uniform_B * total_B
    chunk_B = torch.where(greedy_B, top_chunk_B, (cumulative_BC <= target_B[:, None]).sum(1))
    before_B = (cumulative_BC - share_BC).gather(1, chunk_B[:, None]).squeeze(1)
    chosen_B = torch.empty(rows, dtype=torch.int64, device=logits_BV.device)
    logprob_B = torch.empty(rows, device=logits_BV.device)
    _choose[(rows,)](
        logits_BV, temperature_B, greedy_B, chunk_B, target_B - before_B, top_B, top_B + total_B.log(), chosen_B, logprob_B,
        vocabulary, logits_BV.stride(0), CHUNK=VOCAB_CHUNK, BELOW_ONE=1 - 2.0**-20,
    )  # fmt: skip
    return chosen_B, logprob_B


@triton.jit
def _chunk_exp_sum(logits, temperatures, highest, exp_sum, vocabulary, logits_row, chunks, CHUNK: tl.constexpr):
    """The maximum of a chunk's logits and the sum of exponentials relative to it."""
    row = tl.program_id(0).to(tl.int64)
    chunk = tl.program_id(1)
    indices = chunk * CHUNK + tl.arange(0, CHUNK)
    scaled = tl.load(logits + row * logits_row + indices, mask=indices < vocabulary, other=float("-inf")) / tl.load(temperatures + row)
    top = tl.max(scaled, 0)
    tl.store(highest + row * chunks + chunk, top)
    tl.store(exp_sum + row * chunks + chunk, tl.sum(tl.exp(scaled - top), 0))


@triton.jit
def _choose(
    logits, temperatures, greedy, chunk_of, targets, tops, normalisers, chosen, logprobs, vocabulary, logits_row,
    CHUNK: tl.constexpr, BELOW_ONE: tl.constexpr,
):  # fmt: skip
    """The first token of the row's chunk at which the cumulative sum exceeds the target."""
    row = tl.program_id(0).to(tl.int64)
    indices = tl.load(chunk_of + row) * CHUNK + tl.arange(0, CHUNK)
    inside = indices < vocabulary
    scaled = tl.load(logits + row * logits_row + indices, mask=inside, other=float("-inf")) / tl.load(temperatures + row)
    share = tl.exp(scaled - tl.load(tops + row))
    reached = tl.cumsum(share, 0)
    # The target comes from sums with other rounding: it must stay below this chunk's sum, or no token would exceed it, and if it is
    # slightly negative, a token with zero probability must not be chosen.
    target = tl.minimum(tl.load(targets + row), tl.max(reached, 0) * BELOW_ONE)
    passed = (reached > target) & (share > 0)
    first = tl.min(tl.where(passed, tl.arange(0, CHUNK), CHUNK - 1), 0)
    within = tl.where(tl.load(greedy + row) != 0, tl.argmax(scaled, 0), first)
    token = tl.load(chunk_of + row) * CHUNK + within
    tl.store(chosen + row, token)
    value = tl.load(logits + row * logits_row + token) / tl.load(temperatures + row)
    tl.store(logprobs + row, value - tl.load(normalisers + row))
