"""Rollouts with the same prompt share one copy of it in the forward pass.

The first rollout of a group lies in the pack as a whole, the others from their first sampled token on; their attention reads the
keys and values of the first one's prompt. From "Prefix Grouper: Efficient GRPO Training through Shared-Prefix Forward". Outputs
and gradients equal those of a pack that holds every rollout as a whole.

Axes: T tokens of a pack, C keys that are read, sequence after sequence.
"""

from __future__ import annotations

from collections.abc import Sequence

import torch
from torch import Tensor

from rlgym.train.model.attention import PackedAttention
from rlgym.train.model.packing import Pack, balance_lengths, micro_batches

PrefixGroup = list[int]
"""Indices of sequences with the same prompt; the first of them lies in the pack as a whole."""


def prompt_lengths(masks: Sequence[Sequence[bool]]) -> list[int]:
    """The number of tokens before the first sampled one; all of them if none is sampled."""
    return [next((index for index, sampled in enumerate(mask) if sampled), len(mask)) for mask in masks]


def group_by_prompt(sequences: Sequence[Sequence[int]], prompts: Sequence[int], max_tokens: int) -> list[list[PrefixGroup]]:
    """Prefix groups by micro-batch of at most `max_tokens` tokens.

    prompts   how many tokens of each sequence may be shared: those before its first sampled one

    Raises ValueError if a single sequence exceeds `max_tokens`.
    """
    groups: list[PrefixGroup] = []
    sizes: list[int] = []
    latest: dict[tuple[int, ...], int] = {}
    for index, sequence in enumerate(sequences):
        prompt = tuple(sequence[: prompts[index]])
        own = len(sequence) - len(prompt)
        group = latest.get(prompt)
        if group is not None and own and prompt and sizes[group] + own <= max_tokens:
            groups[group].append(index)
            sizes[group] += own
        else:
            latest[prompt] = len(groups)
            groups.append([index])
            sizes.append(len(sequence))
    return [[groups[group] for group in members] for members in micro_batches(sizes, max_tokens)]


def plan_micro_batches(
    sequences: Sequence[Sequence[int]], prompts: Sequence[int], max_tokens: int, ranks: int
) -> list[list[list[PrefixGroup]]]:
    """Prefix groups by rank and micro-batch. Ranks get about equal numbers of tokens, and one prompt stays on one rank."""
    by_prompt: dict[tuple[int, ...], list[int]] = {}
    for index, sequence in enumerate(sequences):
        by_prompt.setdefault(tuple(sequence[: prompts[index]]), []).append(index)
    members = list(by_prompt.values())
    sizes = [len(prompt) + sum(len(sequences[n]) - len(prompt) for n in indices) for prompt, indices in by_prompt.items()]
    out = []
    for part in balance_lengths(sizes, ranks):
        mine = sorted(index for prompt_index in part for index in members[prompt_index])
        batches = group_by_prompt([sequences[index] for index in mine], [prompts[index] for index in mine], max_tokens)
        out.append([[[mine[local] for local in group] for group in batch] for batch in batches])
    return out


def shared_prefix_lengths(plan: Sequence[Sequence[PrefixGroup]], prompts: Sequence[int]) -> list[int]:
    """How many first tokens of each sequence are provided by another sequence of its micro-batch."""
    out = [0] * len(prompts)
    for members in plan:
        for group in members:
            for index in group[1:]:
                out[index] = prompts[index]
    return out


def pack_prefix_groups(
    sequences: Sequence[Sequence[int]], prompts: Sequence[int], members: Sequence[PrefixGroup], device: torch.device | str = "cpu"
) -> Pack:
    """One pack of these prefix groups. Its tokens are those of `token_indices(...)`, in that order."""
    query_lengths, kv_lengths, tokens, positions, previous, kv_indices = [], [], [], [], [], []  # type: ignore[var-annotated]
    for group in members:
        group_start = len(tokens)
        for index in group:
            shared = 0 if index == group[0] else prompts[index]
            sequence, start = sequences[index], len(tokens)
            own = range(start, start + len(sequence) - shared)
            query_lengths.append(len(own))
            kv_lengths.append(len(sequence))
            tokens += sequence[shared:]
            positions += range(shared, len(sequence))
            previous += [group_start + shared - 1 if shared else -1, *own[:-1]]
            kv_indices += [*range(group_start, group_start + shared), *own]
    kv_index_C = torch.tensor(kv_indices, device=device) if sum(query_lengths) < sum(kv_lengths) else None
    sequence_T = torch.repeat_interleave(torch.arange(len(query_lengths)), torch.tensor(query_lengths))
    return Pack(
        torch.tensor(tokens).to(device),
        torch.tensor(positions).to(device),
        sequence_T.to(device),
        tuple(query_lengths),
        PackedAttention(query_lengths, kv_lengths, device, kv_index_C),
        torch.tensor(previous).to(device),
    )


def token_indices(starts: Sequence[int], lengths: Sequence[int], prompts: Sequence[int], members: Sequence[PrefixGroup]) -> Tensor:
    """The index in the batch of each token of such a pack, [T]; sequence n begins at `starts[n]`."""
    parts = [
        torch.arange(starts[index] + (0 if index == group[0] else prompts[index]), starts[index] + lengths[index])
        for group in members
        for index in group
    ]
    return torch.cat(parts) if parts else torch.zeros(0, dtype=torch.int64)
