"""Causal attention within each of several concatenated sequences.

Axes: T tokens, H heads of queries, K heads of keys and values, D width of a head, N sequences, Q and C the longest
queries and the longest context of a group of sequences of similar length.
"""

from __future__ import annotations

import inspect
from collections.abc import Sequence
from functools import cached_property, lru_cache
from itertools import accumulate
from typing import Any

import torch
from torch import Tensor
from torch.nn import functional as F


class PackedAttention:
    """Attends within concatenated sequences; the same object serves all layers.

    query_lengths  how many tokens of each sequence have queries: its last ones
    kv_lengths     how many tokens of each sequence have keys and values; equal to `query_lengths` unless a cache holds the rest
    kv_index_C     indices of the keys and values of the sequences, one after the other; None if they lie in this order
    """

    def __init__(
        self,
        query_lengths: Sequence[int],
        kv_lengths: Sequence[int] | None = None,
        device: torch.device | str = "cpu",
        kv_index_C: Tensor | None = None,
    ) -> None:
        self.query_lengths = query_lengths
        self.kv_lengths = query_lengths if kv_lengths is None else kv_lengths
        self.device = device
        self.kv_index_C = kv_index_C

    def __call__(self, layer: int, queries_THD: Tensor, keys_TKD: Tensor, values_TKD: Tensor) -> Tensor:
        """The attention output of each query, [T, H, D]."""
        if queries_THD.is_cuda:
            queries_THD, keys_TKD, values_TKD = _autocast(queries_THD, keys_TKD, values_TKD)
            # Flash attention supports 16-bit dtypes only.
            if queries_THD.dtype != torch.float32:
                if self.kv_index_C is not None:
                    # In float32, so that gradients of shared keys are not accumulated in 16 bits.
                    keys_TKD, values_TKD = (part.float().index_select(0, self.kv_index_C).to(part.dtype) for part in (keys_TKD, values_TKD))
                return _flash(queries_THD, keys_TKD, values_TKD, self.starts, (max(self.query_lengths), max(self.kv_lengths)))
        parts = [group.attend(queries_THD, keys_TKD, values_TKD) for group in self.groups]
        if len(parts) == 1 and self.groups[0].in_order:
            return parts[0]
        mixed_THD = torch.empty(queries_THD.shape, dtype=parts[0].dtype, device=parts[0].device)
        return mixed_THD.index_copy(0, torch.cat([group.indices for group in self.groups]), torch.cat(parts))

    @cached_property
    def starts(self) -> tuple[Tensor, ...]:
        """Start offsets of each sequence's queries and keys, and the end of the last."""
        return tuple(
            torch.tensor([0, *accumulate(lengths)], dtype=torch.int32, device=self.device)
            for lengths in (self.query_lengths, self.kv_lengths)
        )

    @cached_property
    def groups(self) -> list[_Group]:
        """Groups of sequences of similar length, each padded to its longest."""
        return [
            _Group(self.query_lengths, self.kv_lengths, members, self.kv_index_C, self.device)
            for members in group_by_length(self.kv_lengths, self.query_lengths)
        ]


class _Group:
    """Sequences of similar length, padded to the longest: little is wasted and no loop runs over them."""

    def __init__(
        self,
        query_lengths: Sequence[int],
        kv_lengths: Sequence[int],
        members: Sequence[int],
        kv_index_C: Tensor | None,
        device: torch.device | str,
    ) -> None:
        new_N = torch.tensor([query_lengths[i] for i in members])
        context_N = torch.tensor([kv_lengths[i] for i in members])
        first_new, first_context = [0, *accumulate(query_lengths)], [0, *accumulate(kv_lengths)]
        new_NQ, queries_NQ = padded_indices([first_new[i] for i in members], new_N)
        _, keys_NC = padded_indices([first_context[i] for i in members], context_N)
        indices = queries_NQ[new_NQ]
        self.in_order = len(indices) == sum(query_lengths) and bool((indices == torch.arange(len(indices))).all())
        self.new, self.queries_NQ, self.keys_NC, self.indices = (part.to(device) for part in (new_NQ, queries_NQ, keys_NC, indices))
        if kv_index_C is not None:
            self.keys_NC = kv_index_C[self.keys_NC]
        self.mask: Tensor | None = None
        if bool((new_N != context_N).any()):
            seen_NQ = torch.arange(queries_NQ.shape[1]) + (context_N - new_N)[:, None]
            self.mask = (torch.arange(keys_NC.shape[1]) <= seen_NQ[:, :, None])[:, None].to(device)

    def attend(self, queries_THD: Tensor, keys_TKD: Tensor, values_TKD: Tensor) -> Tensor:
        """The attention output of the group's queries, one row per query."""
        queries, keys, values = (
            packed[indices].transpose(1, 2)
            for packed, indices in ((queries_THD, self.queries_NQ), (keys_TKD, self.keys_NC), (values_TKD, self.keys_NC))
        )
        mixed_NHQD = F.scaled_dot_product_attention(
            queries, keys, values, attn_mask=self.mask, is_causal=self.mask is None, enable_gqa=keys.shape[1] != queries.shape[1]
        )
        return mixed_NHQD.transpose(1, 2)[self.new]


def padded_indices(starts: list[int], length_N: Tensor) -> tuple[Tensor, Tensor]:
    """Which positions of a padded [N, longest] block are real, and the index in the pack that each position reads (padding reads the first)."""
    offset = torch.arange(int(length_N.max()))
    real = offset < length_N[:, None]
    return real, torch.tensor(starts)[:, None] + offset * real


def group_by_length(*lengths: Sequence[int]) -> list[list[int]]:
    """The indices of sequences, grouped by the power of two of their lengths."""
    groups: dict[tuple[int, ...], list[int]] = {}
    for index, sizes in enumerate(zip(*lengths, strict=True)):
        groups.setdefault(tuple(max(4, (size - 1).bit_length()) for size in sizes), []).append(index)
    return list(groups.values())


def _autocast(*parts: Tensor) -> tuple[Tensor, ...]:
    """Cast as autocast would: it does not cover torch's kernel for sequences of different lengths."""
    if not torch.is_autocast_enabled("cuda"):
        return parts
    return tuple(part.to(torch.get_autocast_dtype("cuda")) for part in parts)


def _flash(queries_THD: Tensor, keys_TKD: Tensor, values_TKD: Tensor, starts: tuple[Tensor, ...], longest: tuple[int, int]) -> Tensor:
    """Flash attention on a GPU, with torch's kernel for sequences of different lengths."""
    from torch.nn.attention.varlen import varlen_attn

    return varlen_attn(queries_THD, keys_TKD, values_TKD, *starts, *longest, window_size=(-1, 0), **_grouped_queries())


@lru_cache
def _grouped_queries() -> dict[str, Any]:
    """Since 2.13 torch needs a flag for grouped-query attention; before, it allowed it without."""
    from torch.nn.attention.varlen import varlen_attn

    return {"enable_gqa": True} if "enable_gqa" in inspect.signature(varlen_attn).parameters else {}
