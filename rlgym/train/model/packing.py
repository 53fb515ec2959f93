"""Packs sequences of different lengths into micro-batches without padding.

Axes: T tokens of a pack, N sequences of a pack.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import torch
from torch import Tensor

from rlgym.train.model.attention import PackedAttention


@dataclass(frozen=True)
class Pack:
    """Concatenated sequences, and what the network needs to keep them apart.

    positions_T  counts from 0 in each sequence
    sequence_T   index of the sequence that a token belongs to, ascending
    prev_index_T  index in the pack of the previous token of the sequence, -1 for the first; None if it is always the index before
    source_T     index of each token in the batch from which the pack was made, if it was made from one
    """

    tokens_T: Tensor
    positions_T: Tensor
    sequence_T: Tensor
    lengths: tuple[int, ...]
    attention: PackedAttention
    prev_index_T: Tensor | None = None
    source_T: Tensor | None = None


def pack(sequences: Sequence[Sequence[int]], device: torch.device | str = "cpu") -> Pack:
    """One pack of these sequences, in this order. Raises ValueError for an empty sequence or an empty list."""
    lengths = tuple(len(sequence) for sequence in sequences)
    if not lengths or min(lengths) == 0:
        raise ValueError(f"a pack needs sequences of at least one token, got lengths {lengths!r}")
    tokens_T = torch.tensor([token for sequence in sequences for token in sequence])
    positions_T = torch.cat([torch.arange(length) for length in lengths])
    sequence_T = torch.repeat_interleave(torch.arange(len(lengths)), torch.tensor(lengths))
    attention = PackedAttention(lengths, device=device)
    return Pack(tokens_T.to(device), positions_T.to(device), sequence_T.to(device), lengths, attention)


def micro_batches(lengths: Sequence[int], max_tokens: int) -> list[list[int]]:
    """Indices of sequences by micro-batch of at most `max_tokens`: first-fit decreasing.

    Equal lengths keep their order, so the result is deterministic.

    >>> micro_batches([3, 9, 4, 6, 1], max_tokens=10)
    [[1, 4], [2, 3], [0]]

    Raises ValueError if a single sequence exceeds `max_tokens`.
    """
    if lengths and max(lengths) > max_tokens:
        raise ValueError(
            f"a sequence of {max(lengths)} tokens does not fit into micro-batches of {max_tokens}: raise the limit or shorten it"
        )
    batches: list[list[int]] = []
    room: list[int] = []
    for index in sorted(range(len(lengths)), key=lambda i: -lengths[i]):
        target = next((b for b, free in enumerate(room) if free >= lengths[index]), None)
        if target is None:
            batches.append([])
            room.append(max_tokens)
            target = len(batches) - 1
        batches[target].append(index)
        room[target] -= lengths[index]
    return [sorted(batch) for batch in batches]


def balance_lengths(lengths: Sequence[int], parts: int) -> list[list[int]]:
    """Indices of sequences in `parts` lists with about equal numbers of tokens: the longest first, each to the smallest part.

    >>> balance_lengths([5, 9, 3, 4], 2)
    [[1, 2], [0, 3]]
    """
    assigned: list[list[int]] = [[] for _ in range(parts)]
    totals = [0] * parts
    for index in sorted(range(len(lengths)), key=lambda i: -lengths[i]):
        smallest = totals.index(min(totals))
        assigned[smallest].append(index)
        totals[smallest] += lengths[index]
    return [sorted(part) for part in assigned]
