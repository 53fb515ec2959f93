"""Makes batches from episodes, and batches from parts of batches.

Axes: T tokens of all rollouts, N rollouts.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import fields, replace
from typing import TYPE_CHECKING, Any

import torch

from rlgym.train.data.batch import Batch
from rlgym.train.rewards.token_rewards import KINDS

if TYPE_CHECKING:
    from torch import Tensor

    from rlgym.train.rollout.episodes import Episode


def collate(episodes: Sequence[Episode], device: torch.device | str = "cpu") -> Batch:
    """Episodes as one batch. The old log-probabilities are those of the rollout engine until they are replaced."""
    rollout_logprobs_T = torch.tensor([logprob for episode in episodes for logprob in episode.logprobs])
    lengths = torch.tensor([len(episode.tokens) for episode in episodes])
    groups = {group: index for index, group in enumerate(dict.fromkeys(episode.group for episode in episodes))}
    batch = Batch(
        tokens_T=torch.tensor([token for episode in episodes for token in episode.tokens]),
        rollout_T=torch.repeat_interleave(torch.arange(len(episodes)), lengths),
        loss_mask_T=torch.tensor([sampled for episode in episodes for sampled in episode.loss_mask]),
        rollout_logprobs_T=rollout_logprobs_T,
        old_logprobs_T=rollout_logprobs_T,
        reward_N=torch.tensor([float(episode.reward) for episode in episodes]),
        group_N=torch.tensor([groups[episode.group] for episode in episodes]),
        valid_N=torch.tensor([episode.valid for episode in episodes]),
        truncated_N=torch.tensor([episode.truncated for episode in episodes]),
        oracle_N=_optional_flags([episode.oracle for episode in episodes]),
        hinted_N=_optional_flags([episode.hinted for episode in episodes]),
        **_span_tensors(episodes),
        **_auxiliary_tensors(episodes),
    )
    values: dict[str, Any] = {field.name: getattr(batch, field.name) for field in fields(batch)}
    return Batch(**{name: value if value is None else value.to(device) for name, value in values.items()})


def _span_tensors(episodes: Sequence[Episode]) -> dict[str, Tensor]:
    """The token rewards, segments and kinds over T; none where no episode has spans."""
    if all(episode.spans is None for episode in episodes):
        return {}
    rewards: list[float] = []
    segments: list[int] = []
    kinds: list[int] = []
    for episode in episodes:
        reward, segment, kind = [0.0] * len(episode.tokens), [-1] * len(episode.tokens), [-1] * len(episode.tokens)
        for number, span in enumerate(episode.spans or ()):
            size = span.end - span.start
            segment[span.start : span.end], kind[span.start : span.end] = [number] * size, [KINDS.index(span.kind)] * size
            reward[span.end - 1] = span.reward
        rewards += reward
        segments += segment
        kinds += kind
    return {"token_rewards_T": torch.tensor(rewards), "segment_T": torch.tensor(segments), "kind_T": torch.tensor(kinds)}


def _auxiliary_tensors(episodes: Sequence[Episode]) -> dict[str, Tensor]:
    """The weights of reference answers over T, the verdicts and the flags over N; none where no episode has them."""
    auxiliary = _optional_flags([episode.auxiliary for episode in episodes])
    out: dict[str, Tensor] = {} if auxiliary is None else {"auxiliary_N": auxiliary}
    if any(episode.answer_weights for episode in episodes):
        out["answer_weight_T"] = torch.tensor(
            [weight for episode in episodes for weight in episode.answer_weights or [0.0] * len(episode.tokens)]
        )
    if any(episode.verdict is not None for episode in episodes):
        out["verdict_N"] = torch.tensor([float("nan") if episode.verdict is None else episode.verdict for episode in episodes])
    return out


def _optional_flags(flags: list[bool]) -> Tensor | None:
    return torch.tensor(flags) if any(flags) else None


def mask_off_policy(batch: Batch) -> Batch:
    """The batch in which only tokens count that the policy sampled without help: no hints, no oracle, no auxiliary rollouts."""
    for other_N in (batch.oracle_N, batch.hinted_N, batch.auxiliary_N):
        if other_N is not None:
            batch = replace(batch, loss_mask_T=batch.loss_mask_T & ~other_N[batch.rollout_T])
    return batch


def keep_auxiliary(masked: Batch, whole: Batch) -> Batch:
    """A batch some of whose tokens no longer carry loss, with the auxiliary rollouts as they were."""
    if whole.auxiliary_N is None:
        return masked
    return replace(masked, loss_mask_T=masked.loss_mask_T | (whole.loss_mask_T & whole.auxiliary_N[whole.rollout_T]))


def select_rollouts(batch: Batch, selected_N: Tensor) -> Batch:
    """The batch of some of its rollouts; groups and rollouts are renumbered."""
    selected_T = selected_N[batch.rollout_T]
    parts: dict[str, Any] = {}
    for field in fields(batch):
        value = getattr(batch, field.name)
        parts[field.name] = None if value is None else value[selected_T if field.name.rpartition("_")[2].startswith("T") else selected_N]
    for name in ("rollout_T", "group_N"):
        parts[name] = torch.unique(parts[name], return_inverse=True)[1]
    return Batch(**parts)
