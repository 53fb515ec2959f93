"""The optimizer of a run: AdamW over the trained parameters, with its moments in float32 or in 8 bits."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import torch
from torch.distributed.tensor import DTensor

from rlgym.core.errors import PackageMissing
from rlgym.train.config.sections import TrainError
from rlgym.train.update.critic import parameter_groups

if TYPE_CHECKING:
    from rlgym.train.config.schema import Config
    from rlgym.train.model.backend import PolicyModel

EIGHT_BIT = {"adamw_8bit": "AdamW8bit", "paged_adamw_8bit": "PagedAdamW8bit"}
"""Value of `update.optimizer` -> class of bitsandbytes."""


def moment_bytes(config: Config) -> int:
    """Bytes of the two moments of one parameter on the device."""
    return {"adamw": 8, "adamw_8bit": 2, "paged_adamw_8bit": 0}[config.update.optimizer]


def clip_and_step(model: torch.nn.Module, optimizer: torch.optim.Optimizer, max_grad_norm: float) -> float:
    """Clip the gradients, update the weights and clear the gradients; the gradient norm before clipping.

    Gradients that are NaN or infinite are cleared without an update, which would destroy all weights.
    """
    total = torch.nn.utils.clip_grad_norm_(model.parameters(), max_grad_norm)
    norm = float(total.full_tensor() if isinstance(total, DTensor) else total)
    if norm == norm and norm != float("inf"):
        optimizer.step()
    optimizer.zero_grad(set_to_none=True)
    return norm


def check_optimizer(config: Config, device: torch.device, num_ranks: int = 1) -> None:
    """Raise TrainError where the configured optimizer cannot run, and PackageMissing without its package."""
    name = config.update.optimizer
    if name not in EIGHT_BIT:
        return
    if device.type != "cuda":
        raise TrainError(
            f"update.optimizer={name!r} needs an NVIDIA GPU, but the run computes on {device.type!r}: set update.optimizer='adamw'"
        )
    if num_ranks > 1:
        raise TrainError(
            f"update.optimizer={name!r} does not support {num_ranks} ranks: set update.optimizer='adamw', whose state is sharded"
        )
    _bitsandbytes(name)


def make_optimizer(config: Config, model: PolicyModel, device: torch.device) -> torch.optim.Optimizer:
    """The configured optimizer over the parameters of the model that are trained."""
    update = config.update
    groups = parameter_groups(model, config.algorithm.critic.lr_multiplier)
    options: dict[str, Any] = {"lr": update.lr, "betas": update.adam_betas, "weight_decay": update.weight_decay}
    if update.optimizer in EIGHT_BIT:
        check_optimizer(config, device)
        return getattr(_bitsandbytes(update.optimizer).optim, EIGHT_BIT[update.optimizer])(groups, **options)
    return torch.optim.AdamW(groups, **options, fused=device.type == "cuda")  # one kernel for all weights


def _bitsandbytes(name: str) -> Any:
    try:
        import bitsandbytes
    except ImportError as error:
        raise PackageMissing(
            f"update.optimizer={name!r} needs bitsandbytes: install it with `pip install bitsandbytes` ({error})"
        ) from None
    return bitsandbytes
