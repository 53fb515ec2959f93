"""Causal attention inside each of several sequences that lie packed one after the other.

Axes: T tokens, H heads of queries, K heads of keys and values, D width of a head, N sequences, Q and C the longest new
part and the longest context of a group of sequences of like length.
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
    """Attends within sequences packed one after the other; the same object serves all layers.

    news      how many tokens of each sequence have queries: its last ones
    contexts  how many tokens of each sequence have keys and values; the same as `news` unless a cache holds the rest
    lies_C    where the keys and values of the contexts lie, one context after the other, if not in this order already
    """

    def __init__(
        self,
        news: Sequence[int],
        contexts: Sequence[int] | None = None,
        device: torch.device | str = "cpu",
        lies_C: Tensor | None = None,
    ) -> None:
        self.news = news
        self.contexts = news if contexts is None else contexts
        self.device = device
        self.lies_C = lies_C

    def __call__(self, layer: int, queries_THD: Tensor, keys_TKD: Tensor, values_TKD: Tensor) -> Tensor:
        """The mixed values of each query, [T, H, D]."""
        if queries_THD.is_cuda:
            queries_THD, keys_TKD, values_TKD = _as_autocast_would(queries_THD, keys_TKD, values_TKD)
            # Flash attention knows only numbers of 16 bits.
            if queries_THD.dtype != torch.float32:
                if self.lies_C is not None:
                    # In float32, so that the gradients of those who share a key are not added up in 16 bits.
                    keys_TKD, values_TKD = (part.float().index_select(0, self.lies_C).to(part.dtype) for part in (keys_TKD, values_TKD))
                return _flash(queries_THD, keys_TKD, values_TKD, self.starts, (max(self.news), max(self.contexts)))
        parts = [group.attend(queries_THD, keys_TKD, values_TKD) for group in self.groups]
        if len(parts) == 1 and self.groups[0].in_order:
            return parts[0]
        mixed_THD = torch.empty(queries_THD.shape, dtype=parts[0].dtype, device=parts[0].device)
        return mixed_THD.index_copy(0, torch.cat([group.places for group in self.groups]), torch.cat(parts))

    @cached_property
    def starts(self) -> tuple[Tensor, ...]:
        """Where each sequence's new part and context begin, and where the last ends."""
        return tuple(
            torch.tensor([0, *accumulate(lengths)], dtype=torch.int32, device=self.device) for lengths in (self.news, self.contexts)
        )

    @cached_property
    def groups(self) -> list[_Group]:
        """Sequences of like length, to be padded to the longest of them."""
        return [_Group(self.news, self.contexts, members, self.lies_C, self.device) for members in like_lengths(self.contexts, self.news)]


class _Group:
    """Sequences of like length, padded to the longest: little is wasted and no loop runs over them."""

    def __init__(
        self, news: Sequence[int], contexts: Sequence[int], members: Sequence[int], lies_C: Tensor | None, device: torch.device | str
    ) -> None:
        new_N = torch.tensor([news[i] for i in members])
        context_N = torch.tensor([contexts[i] for i in members])
        first_new, first_context = [0, *accumulate(news)], [0, *accumulate(contexts)]
        new_NQ, queries_NQ = _places([first_new[i] for i in members], new_N)
        _, keys_NC = _places([first_context[i] for i in members], context_N)
        places = queries_NQ[new_NQ]
        self.in_order = len(places) == sum(news) and bool((places == torch.arange(len(places))).all())
        self.new, self.queries_NQ, self.keys_NC, self.places = (part.to(device) for part in (new_NQ, queries_NQ, keys_NC, places))
        if lies_C is not None:
            self.keys_NC = lies_C[self.keys_NC]
        self.mask: Tensor | None = None
        if bool((new_N != context_N).any()):
            seen_NQ = torch.arange(queries_NQ.shape[1]) + (context_N - new_N)[:, None]
            self.mask = (torch.arange(keys_NC.shape[1]) <= seen_NQ[:, :, None])[:, None].to(device)

    def attend(self, queries_THD: Tensor, keys_TKD: Tensor, values_TKD: Tensor) -> Tensor:
        """The mixed values of the group's own queries, one row per query."""
        queries, keys, values = (
            packed[places].transpose(1, 2)
            for packed, places in ((queries_THD, self.queries_NQ), (keys_TKD, self.keys_NC), (values_TKD, self.keys_NC))
        )
        mixed_NHQD = F.scaled_dot_product_attention(
            queries, keys, values, attn_mask=self.mask, is_causal=self.mask is None, enable_gqa=keys.shape[1] != queries.shape[1]
        )
        return mixed_NHQD.transpose(1, 2)[self.new]


def _places(starts: list[int], length_N: Tensor) -> tuple[Tensor, Tensor]:
    """Which places of a padded [N, longest] block are real, and where in the pack each place reads (padding reads the first)."""
    offset = torch.arange(int(length_N.max()))
    real = offset < length_N[:, None]
    return real, torch.tensor(starts)[:, None] + offset * real


def like_lengths(*lengths: Sequence[int]) -> list[list[int]]:
    """The indices of sequences whose lengths, of each kind, lie between the same two powers of two."""
    groups: dict[tuple[int, ...], list[int]] = {}
    for index, sizes in enumerate(zip(*lengths, strict=True)):
        groups.setdefault(tuple(max(4, (size - 1).bit_length()) for size in sizes), []).append(index)
    return list(groups.values())


def _as_autocast_would(*parts: Tensor) -> tuple[Tensor, ...]:
    """torch's kernel for sequences of different lengths is none of the operations that autocast knows."""
    if not torch.is_autocast_enabled("cuda"):
        return parts
    return tuple(part.to(torch.get_autocast_dtype("cuda")) for part in parts)


def _flash(queries_THD: Tensor, keys_TKD: Tensor, values_TKD: Tensor, starts: tuple[Tensor, ...], longest: tuple[int, int]) -> Tensor:
    """Flash attention on a GPU, through torch's own kernel for sequences of different lengths."""
    from torch.nn.attention.varlen import varlen_attn

    return varlen_attn(queries_THD, keys_TKD, values_TKD, *starts, *longest, window_size=(-1, 0), **_grouped_queries())


@lru_cache
def _grouped_queries() -> dict[str, Any]:
    """torch since 2.13 asks to be told that several heads of queries share one of keys; before, it just allowed it."""
    from torch.nn.attention.varlen import varlen_attn

    return {"enable_gqa": True} if "enable_gqa" in inspect.signature(varlen_attn).parameters else {}
