"""Packs sequences of different lengths into micro-batches without padding.

Axes: T tokens of a pack, N sequences of a pack.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import torch
from torch import Tensor

from rlgym.train.attention import PackedAttention


@dataclass(frozen=True)
class Pack:
    """Sequences one after the other, and what the network needs to keep them apart.

    positions_T  counts from 0 in each sequence
    sequence_T   which of the pack's sequences a token belongs to, rising
    before_T     where the token before it lies in the pack, -1 for the first of a sequence; None if that is the place before
    """

    tokens_T: Tensor
    positions_T: Tensor
    sequence_T: Tensor
    lengths: tuple[int, ...]
    attention: PackedAttention
    before_T: Tensor | None = None


def pack(sequences: Sequence[Sequence[int]], device: torch.device | str = "cpu") -> Pack:
    """One pack of these sequences, in this order. Raises ValueError for an empty sequence or none at all."""
    lengths = tuple(len(sequence) for sequence in sequences)
    if not lengths or min(lengths) == 0:
        raise ValueError(f"a pack needs sequences of at least one token, got lengths {lengths!r}")
    tokens_T = torch.tensor([token for sequence in sequences for token in sequence])
    positions_T = torch.cat([torch.arange(length) for length in lengths])
    sequence_T = torch.repeat_interleave(torch.arange(len(lengths)), torch.tensor(lengths))
    attention = PackedAttention(lengths, device=device)
    return Pack(tokens_T.to(device), positions_T.to(device), sequence_T.to(device), lengths, attention)


def micro_batches(lengths: Sequence[int], most_tokens: int) -> list[list[int]]:
    """Indices of sequences by micro-batch, none above `most_tokens`: the longest first, each into the first that has room.

    Equal lengths keep their order, so the result depends on nothing but the arguments.

    >>> micro_batches([3, 9, 4, 6, 1], most_tokens=10)
    [[1, 4], [2, 3], [0]]

    Raises ValueError if a single sequence is longer than a micro-batch may be.
    """
    if lengths and max(lengths) > most_tokens:
        raise ValueError(f"a sequence of {max(lengths)} tokens does not fit micro-batches of {most_tokens}; allow that many or shorten it")
    batches: list[list[int]] = []
    room: list[int] = []
    for index in sorted(range(len(lengths)), key=lambda i: -lengths[i]):
        place = next((b for b, free in enumerate(room) if free >= lengths[index]), None)
        if place is None:
            batches.append([])
            room.append(most_tokens)
            place = len(batches) - 1
        batches[place].append(index)
        room[place] -= lengths[index]
    return [sorted(batch) for batch in batches]
