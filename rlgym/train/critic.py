"""The value head in training: its estimates, the gradient of its loss, its own rate, and the file it is kept in.

Axes: T tokens of all rollouts, P tokens of one micro-batch, E width.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

import torch

from rlgym.train.advantages.token import PpoOptions, returns
from rlgym.train.agree import has_critic
from rlgym.train.axes import used_T
from rlgym.train.losses.value import ValueOptions, value_loss

if TYPE_CHECKING:
    from torch import Tensor

    from rlgym.train.batch import Batch
    from rlgym.train.config import Config
    from rlgym.train.decoder import Decoder
    from rlgym.train.packing import Pack


def estimates(model: Decoder, hidden_PE: Tensor, packed: Pack, wanted_P: Tensor) -> Tensor:
    """What the value head expects before each wanted token, from the hidden state that predicts it; 0 elsewhere."""
    value_P = model.values(hidden_PE)
    before_P = value_P.roll(1) if packed.before_T is None else value_P[packed.before_T]
    return before_P.where(wanted_P & (packed.positions_T > 0), 0.0)


def with_returns(batch: Batch, value_T: Tensor, options: PpoOptions) -> tuple[Batch, dict[str, float]]:
    """The batch with the head's estimates and with what they should have been, and how well they foretold the rewards."""
    batch = replace(batch, value_T=value_T)
    batch = replace(batch, return_T=returns(batch, options))
    used = used_T(batch)
    mean = float(value_T[used].mean()) if bool(used.any()) else 0.0
    return batch, {"value": mean, "explained_variance": explained_variance(batch, options)}


def foretell(batch: Batch, value_T: Tensor, config: Config) -> tuple[Batch, dict[str, float]]:
    """As `with_returns` by the configuration; the batch as it is where no value head is trained."""
    if not has_critic(config):
        return batch, {}
    return with_returns(batch, value_T, PpoOptions.of(config.algorithm.advantage_options))


def explained_variance(batch: Batch, options: PpoOptions) -> float:
    """1 - variance(gain - estimate) / variance(gain) over the used tokens, the gain being the discounted reward itself.

    1 where every reward was foretold, 0 for a head that always says the same, below 0 for one that is worse; 0 where all gains
    are alike.
    """
    used = used_T(batch)
    assert batch.value_T is not None
    gain_T = returns(batch, options.model_copy(update={"trace": 1.0}))[used]
    spread = float(gain_T.var(correction=0)) if len(gain_T) else 0.0
    return 1 - float((gain_T - batch.value_T[used]).var(correction=0)) / spread if spread > 1e-12 else 0.0


def value_slope(batch: Batch, value_T: Tensor, config: Config) -> tuple[Tensor | None, dict[str, float]]:
    """The gradient of the weighed value loss with respect to the head's estimates, and what to log of it; None without a head."""
    if not has_critic(config):
        return None, {}
    assert batch.return_T is not None
    critic = config.algorithm.critic
    options = ValueOptions.of(critic.options)
    value_T = value_T.detach().requires_grad_()
    loss, said = value_loss(value_T, batch, batch.return_T, options)
    (slope_T,) = torch.autograd.grad(critic.weight * loss, value_T)
    return slope_T, {"value_loss": float(loss.detach())} | {name: float(number) for name, number in said.items()}


def parameter_groups(model: Decoder, rate: float) -> list[dict[str, Any]]:
    """The weights for an optimizer: the value head, where there is one, apart, at `rate` times the others' learning rate."""
    others = [weight for weight in model.parameters() if weight is not model.value_1E]
    head = [] if model.value_1E is None else [{"params": [model.value_1E], "share": rate}]
    return [{"params": others, "share": 1.0}, *head]
