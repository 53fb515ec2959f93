"""Losses that classify rollouts as right or wrong, or put them in order; they do not read the advantage.

A group must not be split between two calls, because its rollouts are compared with each other.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

from pydantic import Field
from torch.nn.functional import softplus

from rlgym.train.advantages.per_rollout import SignOptions, right_N
from rlgym.train.data.segment_sums import group_count, group_sum, length_N, mean_N, sum_N, used_T
from rlgym.train.losses.common import log_ratio_T, num_units, ratio_metrics
from rlgym.train.registry import OptionError, loss

if TYPE_CHECKING:
    from torch import Tensor

    from rlgym.train.data.batch import Batch
    from rlgym.train.losses.common import Loss


class LabelOptions(SignOptions):
    """Options of all of them."""

    aggregation: Literal["group"] = Field("group", description="the loss is a mean over groups")


class RealOptions(LabelOptions):
    """Options of `real`."""

    temperature: float = Field(0.5, gt=0, le=100, description="tau: how soon a well-classified rollout stops contributing")
    variant: Literal["joint", "bce"] = Field(
        "joint", description="joint: one term for all right and one for all wrong rollouts of a group; bce: cross-entropy of each by itself"
    )


class DpoOptions(LabelOptions):
    """Options of `dpo`."""

    beta: float = Field(0.1, gt=0, le=100, description="factor of a rollout's summed log-ratio to the reference")
    length_normalized: bool = Field(False, description="the mean log-ratio of a token in place of the sum")
    label_smoothing: float = Field(0.0, ge=0, lt=0.5, description="chance that the order of a pair is wrong")


class PacsOptions(LabelOptions):
    """Options of `pacs`."""

    beta: float = Field(1.0, gt=0, le=100, description="factor of a rollout's summed log-ratio")
    balanced: bool = Field(False, description="give right and wrong rollouts of a group that has both the same total weight")


@loss("real", paper="Rewards as Labels: Revisiting RLVR from a Classification Perspective", uses_advantage=False)
def real(new_logprobs_T: Tensor, batch: Batch, advantage_T: Tensor, options: RealOptions) -> Loss:
    """log(1 + sum over right of e^(-s / tau)) + log(1 + sum over wrong of e^(s / tau)) per group, s the mean log-ratio.

    The mean is over the groups that have a rollout with tokens. The variant `bce` is the mean over the group of log(1 + e^(-s / tau)) for a
    right rollout and log(1 + e^(s / tau)) for a wrong one.
    """
    log_ratio = log_ratio_T(new_logprobs_T, batch.old_logprobs_T, batch)
    score_N = mean_N(log_ratio, batch) / options.temperature
    right = right_N(batch, options)
    counted = batch.valid_N & (length_N(batch) > 0)
    if options.variant == "bce":
        loss_N = softplus((-score_N).where(right, score_N))
    else:
        loss_N = _log_one_plus(-score_N, right & counted, batch) + _log_one_plus(score_N, ~right & counted, batch)
    loss = (loss_N / _count_in_group(counted, batch)).where(counted, 0.0).sum() / num_units(batch, options.aggregation).clamp(min=1)
    return loss, ratio_metrics(log_ratio, used_T(batch) & False, batch) | _score_gap(score_N * options.temperature, right, counted)


def _log_one_plus(value_N: Tensor, selected_N: Tensor, batch: Batch) -> Tensor:
    """log(1 + sum of e^value over the selected of the group), for each rollout; the largest value is factored out of the sum."""
    value_N = value_N.where(selected_N, 0.0)
    count = int(batch.group_N.max()) + 1 if len(batch.group_N) else 0
    top_N = value_N.detach().new_zeros(count).scatter_reduce(0, batch.group_N, value_N.detach(), "amax")[batch.group_N]
    others_N = group_sum((value_N - top_N).exp().where(selected_N, 0.0), batch)
    return ((-top_N).exp() + others_N).log() + top_N


@loss("pacs", paper="Implicit Actor Critic Coupling via a Supervised Learning Framework for RLVR", uses_advantage=False)
def pacs(new_logprobs_T: Tensor, batch: Batch, advantage_T: Tensor, options: PacsOptions) -> Loss:
    """Binary cross-entropy between right and sigmoid(psi), psi a rollout's score minus the mean of the others of its group.

    The score is beta times the summed log-ratio. A rollout that is alone in its group carries no loss. The mean is
    over the rollouts of a group, then over groups.
    """
    log_ratio = log_ratio_T(new_logprobs_T, batch.old_logprobs_T, batch)
    score_N = options.beta * sum_N(log_ratio, batch)
    count_N = group_count(batch)
    others_N = (group_sum(score_N, batch) - score_N) / (count_N - 1).clamp(min=1)
    psi_N = score_N - others_N
    right = right_N(batch, options)
    counted = batch.valid_N & (length_N(batch) > 0) & (count_N > 1)
    all_N = _count_in_group(counted, batch)
    loss_N = softplus((-psi_N).where(right, psi_N))
    if options.balanced:
        same_label_N = _count_in_group(right & counted, batch).where(right, _count_in_group(~right & counted, batch))
        loss_N = (loss_N * all_N / (2 * same_label_N)).where(same_label_N < all_N, loss_N)
    loss = (loss_N / all_N).where(counted, 0.0).sum() / num_units(batch, options.aggregation).clamp(min=1)
    return loss, ratio_metrics(log_ratio, used_T(batch) & False, batch) | _score_gap(score_N, right, counted)


@loss("dpo", paper="Direct Preference Optimization: Your Language Model is Secretly a Reward Model", needs_reference=True)
def dpo(new_logprobs_T: Tensor, batch: Batch, advantage_T: Tensor, options: DpoOptions) -> Loss:
    """-log sigmoid(s_i - s_j), a mean over the pairs of a right rollout i and a wrong one j of a group; s is beta times the summed log-ratio to the reference.

    The mean is over the pairs of a group, then over groups; a group without a pair carries no loss. Pairs that the policy sampled itself make it the
    online form of the loss.
    """
    if batch.ref_logprobs_T is None:
        raise OptionError("the loss 'dpo' needs a reference policy, and the batch has no ref_logprobs_T")
    log_ratio = log_ratio_T(new_logprobs_T, batch.ref_logprobs_T, batch)
    score_N = options.beta * (mean_N(log_ratio, batch) if options.length_normalized else sum_N(log_ratio, batch))
    right = right_N(batch, options)
    counted = batch.valid_N & (length_N(batch) > 0)
    pair_NN = (right & counted)[:, None] & (~right & counted)[None] & (batch.group_N[:, None] == batch.group_N[None])
    chosen, rejected = pair_NN.nonzero(as_tuple=True)
    margin_P = score_N[chosen] - score_N[rejected]
    loss_P = (1 - options.label_smoothing) * softplus(-margin_P) + options.label_smoothing * softplus(margin_P)
    in_group_N = group_sum(pair_NN.sum(1).float(), batch).clamp(min=1)
    loss = (loss_P / in_group_N[chosen]).sum() / num_units(batch, options.aggregation).clamp(min=1)
    ordered = (margin_P.detach() > 0).float().sum() / max(1, len(margin_P))
    return loss, {"preference_pairs": pair_NN.sum().float(), "preference_accuracy": ordered} | _score_gap(score_N, right, counted)


def _count_in_group(selected_N: Tensor, batch: Batch) -> Tensor:
    return group_sum(selected_N.float(), batch).clamp(min=1)


def _score_gap(score_N: Tensor, right: Tensor, counted: Tensor) -> dict[str, Tensor]:
    """The mean score of right rollouts minus that of wrong ones."""
    score_N = score_N.detach()

    def mean(selected: Tensor) -> Tensor:
        return score_N.where(selected, 0.0).sum() / selected.sum().clamp(min=1)

    return {"score_gap": mean(right & counted) - mean(~right & counted)}
