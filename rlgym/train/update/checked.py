"""Calls of registered advantages and losses whose results are checked, so that a mistake in one of them ends a run with its name.

Axes: T tokens of all rollouts.
"""

from __future__ import annotations

from numbers import Real
from typing import TYPE_CHECKING, Any

import torch

from rlgym.train.data.segment_sums import used_T
from rlgym.train.registry import ADVANTAGES, LOSSES, OptionError

if TYPE_CHECKING:
    from torch import Tensor

    from rlgym.train.data.batch import Batch

RESERVED = frozenset({"entropy", "grad_norm", "kl", "loss", "lr", "masked", "reward", "solve_rate", "step", "truncated", "updates"})
"""Names of metrics that a loss may not return, because the run logs something else under them."""


def checked_advantage(name: str, batch: Batch, options: Any) -> Tensor:
    """The advantages of a batch. Raises OptionError unless there is a finite one for each token that an update learns from."""
    advantage_T = ADVANTAGES[name](batch, options)
    size = batch.rollout_logprobs_T.shape
    if not isinstance(advantage_T, torch.Tensor) or advantage_T.shape != size:
        found = tuple(advantage_T.shape) if isinstance(advantage_T, torch.Tensor) else type(advantage_T).__name__
        raise OptionError(
            f"algorithm.advantage={name!r} returned {found}: it must return a tensor over the tokens of the batch, {tuple(size)}"
        )
    wrong_T = ~torch.isfinite(advantage_T) & used_T(batch)
    if bool(wrong_T.any()):
        raise OptionError(
            f"algorithm.advantage={name!r} returned {float(advantage_T[wrong_T][0])!r} for {int(wrong_T.sum())} of {int(used_T(batch).sum())} tokens: "
            "it must return finite numbers"
        )
    return advantage_T


def checked_loss(name: str, logprob_T: Tensor, batch: Batch, advantage_T: Tensor, options: Any) -> tuple[Tensor, dict[str, Any]]:
    """The loss and its metrics. Raises OptionError for anything but a scalar with metrics, and for NaN from log-probabilities that are finite."""
    found = LOSSES[name](logprob_T, batch, advantage_T, options)
    if not isinstance(found, tuple) or len(found) != 2 or not isinstance(found[0], torch.Tensor) or found[0].dim():
        raise OptionError(f"algorithm.loss={name!r} must return a scalar tensor and a dictionary of metrics, and returned {_shown(found)}")
    total, metrics = found
    if bool(total.isnan()):
        if not bool(torch.isfinite(logprob_T[used_T(batch)]).all()):
            raise OptionError(
                "the policy's log-probabilities are not finite: its weights are damaged, so start again from an earlier checkpoint"
            )
        raise OptionError(f"algorithm.loss={name!r} returned nan from finite log-probabilities: it must return a number")
    if not isinstance(metrics, dict):
        raise OptionError(f"algorithm.loss={name!r} must return a scalar tensor and a dictionary of metrics, and returned {_shown(found)}")
    for metric, value in metrics.items():
        if metric in RESERVED:
            raise OptionError(f"algorithm.loss={name!r} returned the metric {metric!r}, which the run logs itself: rename it")
        if not _is_scalar(value):
            raise OptionError(f"algorithm.loss={name!r} returned {_shown(value)} as the metric {metric!r}: it must be one number")
    return total, metrics


def check_gradient(name: str, grad_logprob_T: Tensor, batch: Batch) -> None:
    """Raise OptionError for a gradient of a loss that is NaN at a token with loss: its update would destroy all weights."""
    wrong_T = grad_logprob_T.isnan() & used_T(batch)
    if bool(wrong_T.any()):
        raise OptionError(
            f"the gradient of algorithm.loss={name!r} is nan at {int(wrong_T.sum())} of {int(used_T(batch).sum())} tokens: it must be a number wherever "
            "log-probabilities are finite"
        )


def _is_scalar(value: object) -> bool:
    if isinstance(value, torch.Tensor):
        return value.numel() == 1
    return isinstance(value, Real)


def _shown(found: object) -> str:
    if isinstance(found, torch.Tensor):
        return f"a tensor of {tuple(found.shape)}"
    return f"({', '.join(_shown(part) for part in found)})" if isinstance(found, tuple) else f"{type(found).__name__}"
