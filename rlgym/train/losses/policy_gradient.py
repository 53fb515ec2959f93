"""Policy-gradient losses, in which the ratio new / old of a token or of a rollout bounds the update."""

from __future__ import annotations

from typing import TYPE_CHECKING

import torch
from pydantic import Field

from rlgym.train.data.segment_sums import mean_N, sum_N, used_T
from rlgym.train.losses.common import (
    Aggregation,
    LossOptions,
    aggregate,
    fraction_of,
    log_ratio_T,
    masked_logprobs,
    ratio_metrics,
    tis_metrics,
    tis_weight_T,
)
from rlgym.train.registry import loss

if TYPE_CHECKING:
    from torch import Tensor

    from rlgym.train.data.batch import Batch
    from rlgym.train.losses.common import Loss


class ClipOptions(LossOptions):
    """Options of `pg_clip`."""

    clip_low: float = Field(0.2, ge=0, le=1, description="the ratio is clipped at 1 - clip_low")
    clip_high: float = Field(0.28, ge=0, le=100, description="the ratio is clipped at 1 + clip_high")
    dual_clip: float | None = Field(
        None, gt=1, le=100, description="for negative advantages, the loss is at most dual_clip times -A; None for no bound"
    )


class ReinforceLossOptions(LossOptions):
    """Options of `reinforce`."""


class GspoOptions(LossOptions):
    """Options of `gspo`."""

    aggregation: Aggregation = Field("rollout", description="token, rollout or constant")
    clip_low: float = Field(3e-4, ge=0, le=1, description="the ratio of a rollout is clipped at 1 - clip_low")
    clip_high: float = Field(4e-4, ge=0, le=100, description="the ratio of a rollout is clipped at 1 + clip_high")


class CispoOptions(LossOptions):
    """Options of `cispo`."""

    clip_low: float = Field(1.0, ge=0, le=1, description="weights are clipped at 1 - clip_low; 1 for no lower bound")
    clip_high: float = Field(4.0, ge=0, le=100, description="weights are clipped at 1 + clip_high")


class DispoOptions(LossOptions):
    """Options of `dispo`."""

    positive_clip_low: float = Field(0.2, ge=0, le=1, description="for positive advantages, weights are clipped at 1 - positive_clip_low")
    positive_clip_high: float = Field(0.28, ge=0, le=100, description="and at 1 + positive_clip_high")
    negative_clip_low: float = Field(1.0, ge=0, le=1, description="for negative advantages, weights are clipped at 1 - negative_clip_low")
    negative_clip_high: float = Field(4.0, ge=0, le=100, description="and at 1 + negative_clip_high")


class ToprOptions(LossOptions):
    """Options of `topr`."""

    aggregation: Aggregation = Field("constant", description="token, rollout or constant")
    aggregation_constant: int = Field(1, ge=1, description="divisor of a rollout's sum when aggregation is constant")
    max_weight: float = Field(1.0, gt=0, le=100, description="largest weight of a rollout with a negative advantage")


@loss("pg_clip", paper="DAPO: An Open-Source LLM Reinforcement Learning System at Scale")
def pg_clip(new_logprobs_T: Tensor, batch: Batch, advantage_T: Tensor, options: ClipOptions) -> Loss:
    """-min(ratio A, clip(ratio, 1 - clip_low, 1 + clip_high) A) per token; with `dual_clip`, at most -dual_clip A where A < 0."""
    log_ratio = log_ratio_T(new_logprobs_T, batch.old_logprobs_T, batch)
    return _clipped_loss(log_ratio, batch, advantage_T, options, options.clip_low, options.clip_high, options.dual_clip)


@loss("gspo", paper="Group Sequence Policy Optimization")
def gspo(new_logprobs_T: Tensor, batch: Batch, advantage_T: Tensor, options: GspoOptions) -> Loss:
    """Like `pg_clip`, with one ratio for all tokens of a rollout: the geometric mean of theirs.

    The gradient of each token's own log-probability is kept (the paper's token variant), so that advantages may differ within
    a rollout; where they do not, value and gradient are those of the rollout's ratio.
    """
    log_ratio = log_ratio_T(new_logprobs_T, batch.old_logprobs_T, batch)
    rollout_T = mean_N(log_ratio, batch).detach()[batch.rollout_T]
    token_T = masked_logprobs(new_logprobs_T, batch)
    log_ratio = (rollout_T + token_T - token_T.detach()).where(used_T(batch), 0.0)
    return _clipped_loss(log_ratio, batch, advantage_T, options, options.clip_low, options.clip_high)


def _clipped_loss(
    log_ratio: Tensor,
    batch: Batch,
    advantage_T: Tensor,
    options: LossOptions,
    clip_low: float,
    clip_high: float,
    dual_clip: float | None = None,
) -> Loss:
    ratio_T = log_ratio.exp()
    unclipped_T = ratio_T * advantage_T
    clipped_T = ratio_T.clamp(1 - clip_low, 1 + clip_high) * advantage_T
    gain_T, metrics = unclipped_T.minimum(clipped_T), ratio_metrics(log_ratio, clipped_T < unclipped_T, batch)
    if dual_clip is not None:
        bound_T = (dual_clip * advantage_T).where(advantage_T < 0, -torch.inf)
        metrics["dual_clip_fraction"] = fraction_of(bound_T > gain_T, batch)
        gain_T = gain_T.maximum(bound_T)
    loss = aggregate(-tis_weight_T(batch, options) * gain_T, batch, options)
    return loss, metrics | tis_metrics(batch, options)


@loss("reinforce", paper="GPG: A Simple and Strong Reinforcement Learning Baseline for Model Reasoning")
def reinforce(new_logprobs_T: Tensor, batch: Batch, advantage_T: Tensor, options: ReinforceLossOptions) -> Loss:
    """-A log(new) per token: the plain policy gradient, without a ratio and without a clip."""
    log_ratio = log_ratio_T(new_logprobs_T, batch.old_logprobs_T, batch)
    weight_T = tis_weight_T(batch, options)
    value = aggregate(-weight_T * advantage_T * masked_logprobs(new_logprobs_T, batch), batch, options)
    return value, ratio_metrics(log_ratio, used_T(batch) & False, batch) | tis_metrics(batch, options)


@loss("cispo", paper="MiniMax-M1: Scaling Test-Time Compute Efficiently with Lightning Attention")
def cispo(new_logprobs_T: Tensor, batch: Batch, advantage_T: Tensor, options: CispoOptions) -> Loss:
    """-sg(clip(ratio, 1 - clip_low, 1 + clip_high)) A log(new), sg "stop gradient": no token loses its gradient."""
    log_ratio = log_ratio_T(new_logprobs_T, batch.old_logprobs_T, batch)
    ratio_T = log_ratio.exp().detach()
    clipped_T = ratio_T.clamp(1 - options.clip_low, 1 + options.clip_high)
    return _weighted_loss(new_logprobs_T, clipped_T, log_ratio, batch, advantage_T, options)


@loss(
    "dispo",
    paper="DISPO: Enhancing Training Efficiency and Stability in Reinforcement Learning for Large Language Model Mathematical Reasoning",
)
def dispo(new_logprobs_T: Tensor, batch: Batch, advantage_T: Tensor, options: DispoOptions) -> Loss:
    """Like `cispo`, with separate bounds for tokens with a positive and with a negative advantage."""
    log_ratio = log_ratio_T(new_logprobs_T, batch.old_logprobs_T, batch)
    ratio_T = log_ratio.exp().detach()
    positive_T = ratio_T.clamp(1 - options.positive_clip_low, 1 + options.positive_clip_high)
    negative_T = ratio_T.clamp(1 - options.negative_clip_low, 1 + options.negative_clip_high)
    return _weighted_loss(new_logprobs_T, positive_T.where(advantage_T > 0, negative_T), log_ratio, batch, advantage_T, options)


@loss("topr", paper="Tapered Off-Policy REINFORCE: Stable and efficient reinforcement learning for LLMs")
def topr(new_logprobs_T: Tensor, batch: Batch, advantage_T: Tensor, options: ToprOptions) -> Loss:
    """-sg(w) A log(new), w = 1 if A >= 0, else the whole rollout's ratio new / behaviour policy, clipped to [0, max_weight]."""
    log_ratio = log_ratio_T(new_logprobs_T, batch.rollout_logprobs_T, batch)
    ratio_N = sum_N(log_ratio, batch).exp().clamp(max=options.max_weight).detach()
    weight_T = ratio_N[batch.rollout_T].where(advantage_T < 0, 1.0)
    loss = aggregate(-weight_T * advantage_T * masked_logprobs(new_logprobs_T, batch), batch, options)
    return loss, ratio_metrics(log_ratio, (advantage_T < 0) & (weight_T < options.max_weight), batch)


def _weighted_loss(
    new_logprobs_T: Tensor, ratio_T: Tensor, log_ratio: Tensor, batch: Batch, advantage_T: Tensor, options: LossOptions
) -> Loss:
    weight_T = ratio_T * tis_weight_T(batch, options)
    loss = aggregate(-weight_T * advantage_T * masked_logprobs(new_logprobs_T, batch), batch, options)
    return loss, ratio_metrics(log_ratio, ratio_T != log_ratio.detach().exp(), batch) | tis_metrics(batch, options)
