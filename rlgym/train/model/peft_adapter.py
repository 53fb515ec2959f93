"""The adapter of a model of transformers, added by peft."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import torch
from torch import Tensor, nn
from torch.nn import functional as F

from rlgym.core.errors import PackageMissing
from rlgym.train.config.sections import LoraConfig
from rlgym.train.model.lora import LoraAdapter, select_targets
from rlgym.train.model.transformers_shape import linear_layers

ADAPTER = "default"
"""The name that peft gives an adapter."""


class UpdateDropout(nn.Module):
    """Dropout in the update only: every pass without gradients computes the policy itself."""

    def __init__(self, p: float) -> None:
        super().__init__()
        self.p = p

    def forward(self, x: Tensor) -> Tensor:
        """x with dropped elements where a gradient is computed."""
        return F.dropout(x, self.p, torch.is_grad_enabled())


def require_peft() -> None:
    """Raise PackageMissing without peft."""
    try:
        import peft  # noqa: F401
    except ImportError as error:
        raise PackageMissing(
            f"model.lora with the transformers backend needs peft: install it with `pip install 'rlvrgym[lora]'` ({error})"
        ) from None


def add_peft_adapter(network: Any, config: LoraConfig) -> LoraAdapter:
    """Freeze a network of transformers and add an adapter to it. Raises PackageMissing without peft."""
    require_peft()
    import peft
    from peft.tuners.tuners_utils import BaseTunerLayer
    from transformers.pytorch_utils import Conv1D

    layers = [name for name, _, _ in linear_layers(network)]
    targets = select_targets(config.target_modules, layers)
    chosen = [name for name in layers if name.rpartition(".")[2] in targets]
    network.requires_grad_(False)
    transposed = all(isinstance(network.get_submodule(name), Conv1D) for name in chosen)
    settings = peft.LoraConfig(
        r=config.rank,
        lora_alpha=config.alpha,
        lora_dropout=config.dropout,
        target_modules=[f"network.{name}" for name in chosen],
        fan_in_fan_out=transposed,
    )
    # Peft would also adapt fused experts of a model whose type it recognises; it recognises none inside a plain module.
    peft.inject_adapter_in_model(settings, nn.ModuleDict({"network": network}))
    adapted = [module for module in network.modules() if isinstance(module, BaseTunerLayer)]
    for module in adapted:
        if config.dropout:
            module.lora_dropout[ADAPTER] = UpdateDropout(config.dropout)
    parameters = {
        "base_model.model." + name.replace(f".{ADAPTER}.", "."): weight for name, weight in network.named_parameters() if ".lora_" in name
    }
    for weight in parameters.values():
        weight.requires_grad_(True)

    def enable(enabled: bool) -> None:
        for module in adapted:
            module.enable_adapters(enabled)

    return LoraAdapter(config, targets, parameters, enable, transposed)


@torch.no_grad()
def merged_state(network: Any, state: Mapping[str, Tensor]) -> dict[str, Tensor]:
    """The weights of a network with its adapter merged, by the names that they have without peft."""
    merged: dict[str, Tensor] = {}
    for name, weight in state.items():
        if ".lora_" in name:
            continue
        layer, marker, field = name.rpartition(".base_layer.")
        if marker and field == "weight":
            delta = network.get_submodule(layer).get_delta_weight(ADAPTER)
            weight = weight.float() + delta.float()
        merged[f"{layer}.{field}" if marker else name] = weight
    return merged
