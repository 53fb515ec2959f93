"""Estimates of the divergence of the policy from the reference from sampled tokens, as a penalty in the loss.

With d = log(policy / reference) of a token the policy sampled:

k1  d                unbiased, and may be negative; as a loss on fresh samples its gradient is 0 on average, so it
                     belongs in the reward (`reinforce_pp`)
k2  d^2 / 2          biased; its gradient on fresh samples is that of the divergence
k3  e^-d - 1 + d     unbiased and never negative; its gradient is that of KL(reference || policy)
chi2  e^d - 1        unbiased for chi-square(policy || reference), the mean over the reference of (policy / reference - 1)^2; its gradient on
                     fresh samples is half of that of the divergence. It bounds how far a proxy can be optimised ("Correlated Proxies: A New
                     Definition and Improved Mitigation for Reward Hacking")

From "Approximating KL Divergence" (J. Schulman); the gradients are derived in `docs/train/kl-and-entropy.md`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

from pydantic import Field

from rlgym.train.losses.common import LossOptions, aggregate, log_ratio_T
from rlgym.train.registry import OptionError

if TYPE_CHECKING:
    from torch import Tensor

    from rlgym.train.data.batch import Batch
    from rlgym.train.losses.common import Loss


class KlOptions(LossOptions):
    """Options of `kl_penalty`."""

    estimator: Literal["k1", "k2", "k3", "chi2"] = Field("k3", description="which estimate")
    coef: float = Field(0.001, ge=0, le=10, description="coefficient of the estimate (beta)")


def kl_T(new_logprobs_T: Tensor, batch: Batch, estimator: Literal["k1", "k2", "k3", "chi2"]) -> Tensor:
    """The estimate at each used token, in nats; 0 elsewhere."""
    if batch.ref_logprobs_T is None:
        raise OptionError("the KL divergence needs a reference policy, but this batch has no ref_logprobs_T: add them, or set kl_coef to 0")
    difference_T = log_ratio_T(new_logprobs_T, batch.ref_logprobs_T, batch)
    if estimator == "k1":
        return difference_T
    if estimator == "chi2":
        return difference_T.exp() - 1
    return difference_T.square() / 2 if estimator == "k2" else (-difference_T).exp() - 1 + difference_T


def kl_penalty(new_logprobs_T: Tensor, batch: Batch, options: KlOptions) -> Loss:
    """coef times the mean estimate, to be added to a loss; the metric is the estimate itself."""
    mean = aggregate(kl_T(new_logprobs_T, batch, options.estimator), batch, options)
    return options.coef * mean, {f"kl_{options.estimator}": mean.detach()}
