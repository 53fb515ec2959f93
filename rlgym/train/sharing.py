"""Rollouts of one prompt go through the network with the prompt once.

The first of them lies in the pack as a whole, the others from their first sampled token on; their attention reads the keys and
values of the first one's prompt. From "Prefix Grouper: Efficient GRPO Training through Shared-Prefix Forward". What the network
says of each token, and its gradient, are the same as if every rollout were there as a whole.

Axes: T tokens of a pack, C keys that are read, sequence after sequence.
"""

from __future__ import annotations

from collections.abc import Sequence

import torch
from torch import Tensor

from rlgym.train.attention import PackedAttention
from rlgym.train.packing import Pack, micro_batches
from rlgym.train.team import evenly

Family = list[int]
"""Sequences with the same opening, by number; the first of them lies in the pack as a whole."""


def openings(masks: Sequence[Sequence[bool]]) -> list[int]:
    """How many tokens come before the first sampled one; all of them, where none is sampled."""
    return [next((place for place, sampled in enumerate(mask) if sampled), len(mask)) for mask in masks]


def families(sequences: Sequence[Sequence[int]], opening: Sequence[int], most_tokens: int) -> list[list[Family]]:
    """Families by micro-batch, none of which holds more than `most_tokens` tokens.

    opening   how many tokens of each sequence may be shared: those before its first sampled one

    Raises ValueError if a single sequence is longer than a micro-batch may be.
    """
    found: list[Family] = []
    sizes: list[int] = []
    latest: dict[tuple[int, ...], int] = {}
    for number, sequence in enumerate(sequences):
        shared = tuple(sequence[: opening[number]])
        own = len(sequence) - len(shared)
        place = latest.get(shared)
        if place is not None and own and shared and sizes[place] + own <= most_tokens:
            found[place].append(number)
            sizes[place] += own
        else:
            latest[shared] = len(found)
            found.append([number])
            sizes.append(len(sequence))
    return [[found[place] for place in members] for members in micro_batches(sizes, most_tokens)]


def plans(sequences: Sequence[Sequence[int]], opening: Sequence[int], most_tokens: int, ranks: int) -> list[list[list[Family]]]:
    """Families by micro-batch for each of some ranks, which get about as many tokens; sequences of one prompt are not parted."""
    bunches: dict[tuple[int, ...], list[int]] = {}
    for number, sequence in enumerate(sequences):
        bunches.setdefault(tuple(sequence[: opening[number]]), []).append(number)
    members = list(bunches.values())
    sizes = [len(start) + sum(len(sequences[n]) - len(start) for n in numbers) for start, numbers in bunches.items()]
    out = []
    for part in evenly(sizes, ranks):
        mine = sorted(number for place in part for number in members[place])
        found = families([sequences[number] for number in mine], [opening[number] for number in mine], most_tokens)
        out.append([[[mine[place] for place in family] for family in batch] for batch in found])
    return out


def shared(plan: Sequence[Sequence[Family]], opening: Sequence[int]) -> list[int]:
    """How many first tokens of each sequence another one of its micro-batch brings along."""
    out = [0] * len(opening)
    for members in plan:
        for family in members:
            for number in family[1:]:
                out[number] = opening[number]
    return out


def pack_families(
    sequences: Sequence[Sequence[int]], opening: Sequence[int], members: Sequence[Family], device: torch.device | str = "cpu"
) -> Pack:
    """One pack of these families. Its tokens are those of `lying(...)`, in that order."""
    news, contexts, tokens, positions, before, read = [], [], [], [], [], []  # type: ignore[var-annotated]
    for family in members:
        first_place = len(tokens)
        for number in family:
            kept = 0 if number == family[0] else opening[number]
            sequence, start = sequences[number], len(tokens)
            own = range(start, start + len(sequence) - kept)
            news.append(len(own))
            contexts.append(len(sequence))
            tokens += sequence[kept:]
            positions += range(kept, len(sequence))
            before += [first_place + kept - 1 if kept else -1, *own[:-1]]
            read += [*range(first_place, first_place + kept), *own]
    lies_C = torch.tensor(read, device=device) if sum(news) < sum(contexts) else None
    sequence_T = torch.repeat_interleave(torch.arange(len(news)), torch.tensor(news))
    return Pack(
        torch.tensor(tokens).to(device),
        torch.tensor(positions).to(device),
        sequence_T.to(device),
        tuple(news),
        PackedAttention(news, contexts, device, lies_C),
        torch.tensor(before).to(device),
    )


def lying(starts: Sequence[int], lengths: Sequence[int], opening: Sequence[int], members: Sequence[Family]) -> Tensor:
    """Where the tokens of such a pack lie in a batch in which sequence n begins at `starts[n]`: [T]."""
    parts = [
        torch.arange(starts[number] + (0 if number == family[0] else opening[number]), starts[number] + lengths[number])
        for family in members
        for number in family
    ]
    return torch.cat(parts) if parts else torch.zeros(0, dtype=torch.int64)
