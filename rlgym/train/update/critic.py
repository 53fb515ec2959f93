"""The value head in training: its estimates and targets, the gradient of its loss, and its learning rate.

Axes: T tokens of all rollouts, P tokens of one micro-batch, E width.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

import torch

from rlgym.train.advantages.per_token import PpoOptions, returns
from rlgym.train.data.segment_sums import used_T
from rlgym.train.losses.value import ValueOptions, value_loss

if TYPE_CHECKING:
    from torch import Tensor

    from rlgym.train.config.schema import Config
    from rlgym.train.data.batch import Batch
    from rlgym.train.model.backend import PolicyModel
    from rlgym.train.model.packing import Pack


def value_estimates(model: PolicyModel, hidden_PE: Tensor, packed: Pack, mask_P: Tensor) -> Tensor:
    """The value head's estimate before each masked-in token, from the hidden state that predicts it; 0 elsewhere."""
    value_P = model.values(hidden_PE)
    previous_P = value_P.roll(1) if packed.prev_index_T is None else value_P[packed.prev_index_T]
    return previous_P.where(mask_P & (packed.positions_T > 0), 0.0)


def predict_values(batch: Batch, value_T: Tensor, config: Config) -> tuple[Batch, dict[str, float]]:
    """The batch with values and returns, and their metrics; the batch as it is if no value head is trained."""
    if not config.algorithm.uses_critic:
        return batch, {}
    return add_returns(batch, value_T, PpoOptions.from_dict(config.algorithm.advantage_options))


def add_returns(batch: Batch, value_T: Tensor, options: PpoOptions) -> tuple[Batch, dict[str, float]]:
    """The batch with the value estimates and their targets, and how well the estimates predicted the rewards."""
    batch = replace(batch, value_T=value_T)
    batch = replace(batch, return_T=returns(batch, options))
    used = used_T(batch)
    mean = float(value_T[used].mean()) if bool(used.any()) else 0.0
    return batch, {"value": mean, "explained_variance": explained_variance(batch, options)}


def explained_variance(batch: Batch, options: PpoOptions) -> float:
    """1 - variance(reward - estimate) / variance(reward) over the used tokens, with discounted rewards.

    1 for perfect predictions, 0 for a constant prediction, below 0 for a worse one; 0 if all rewards are equal.
    """
    used = used_T(batch)
    assert batch.value_T is not None
    reward_T = returns(batch, options.model_copy(update={"gae_lambda": 1.0}))[used]
    variance = float(reward_T.var(correction=0)) if len(reward_T) else 0.0
    return 1 - float((reward_T - batch.value_T[used]).var(correction=0)) / variance if variance > 1e-12 else 0.0


def value_loss_gradient(batch: Batch, value_T: Tensor, config: Config) -> tuple[Tensor | None, dict[str, float]]:
    """The gradient of the weighted value loss with respect to the estimates, and its metrics; None without a value head."""
    if not config.algorithm.uses_critic:
        return None, {}
    assert batch.return_T is not None
    critic = config.algorithm.critic
    value_T = value_T.detach().requires_grad_()
    loss, metrics = value_loss(value_T, batch, batch.return_T, ValueOptions.from_dict(critic.loss_options))
    (grad_value_T,) = torch.autograd.grad(critic.loss_coef * loss, value_T)
    return grad_value_T, {"value_loss": float(loss.detach())} | {name: float(number) for name, number in metrics.items()}


def parameter_groups(model: PolicyModel, lr_multiplier: float) -> list[dict[str, Any]]:
    """Parameter groups of the optimizer, without frozen weights: the value head, if there is one, has `lr_multiplier` times the learning rate of the rest."""
    others = [weight for weight in model.parameters() if weight is not model.value_1E and weight.requires_grad]
    head = [] if model.value_1E is None else [{"params": [model.value_1E], "lr_multiplier": lr_multiplier}]
    return [{"params": others, "lr_multiplier": 1.0}, *head]
