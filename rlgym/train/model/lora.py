"""Low-rank adapters (LoRA): what both networks share, and the adapter of the native decoder.

From "LoRA: Low-Rank Adaptation of Large Language Models". A linear layer W x becomes W x + (alpha / rank) B A x; A and B are trained
and W is frozen. Adapters are stored in the layout of peft, so that one network loads what the other saved.

Axes: T tokens, X inputs of a layer, Y its outputs, R rank.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import torch
from torch import Tensor, nn
from torch.nn import functional as F

from rlgym.core.errors import suggestion
from rlgym.train.config.sections import LoraConfig, TrainError
from rlgym.train.model.decoder import Decoder
from rlgym.train.model.shape import ModelShape

ALL_LINEAR = "all-linear"
WEIGHTS_FILE, CONFIG_FILE = "adapter_model.safetensors", "adapter_config.json"


class LoraAdapter:
    """The trained weights of an adapter, by their names in peft's files, and the policies that it stands for.

    transposed   the layers store inputs before outputs, as those of GPT-2

    The reference policy is the model without an adapter, or with the adapter that `set_reference` copied.
    """

    def __init__(
        self,
        config: LoraConfig,
        targets: Sequence[str],
        parameters: Mapping[str, nn.Parameter],
        enable: Callable[[bool], None],
        transposed: bool = False,
    ) -> None:
        self.config = config
        self.targets = tuple(targets)
        self.parameters = dict(parameters)
        self.transposed = transposed
        self.reference: dict[str, Tensor] | None = None
        self._enable = enable

    def state(self) -> dict[str, Tensor]:
        """A copy of the weights."""
        return {name: weight.detach().cpu().clone() for name, weight in self.parameters.items()}

    @torch.no_grad()
    def load_state(self, state: Mapping[str, Tensor]) -> None:
        """Copy weights in. Raises ValueError unless the names are those of this adapter."""
        if set(state) != set(self.parameters):
            raise ValueError(f"the adapter has other layers than the model: {sorted(set(state) ^ set(self.parameters))[0]!r}")
        for name, weight in state.items():
            self.parameters[name].copy_(weight)

    def set_reference(self, state: Mapping[str, Tensor] | None = None) -> None:
        """Make the present policy the reference, or the one of these weights."""
        self.reference = self.state() if state is None else dict(state)

    @contextmanager
    def as_reference(self) -> Iterator[None]:
        """Within this context the model is the reference policy."""
        if self.reference is None:
            self._enable(False)
            try:
                yield
            finally:
                self._enable(True)
            return
        trained = self.state()
        self.load_state(self.reference)
        try:
            yield
        finally:
            self.load_state(trained)

    def save(self, folder: Path, base: str) -> None:
        """Write the adapter as a folder that peft loads; `base` is the folder of the model that it belongs to."""
        from safetensors.torch import save_file

        folder.mkdir(parents=True, exist_ok=True)
        save_file(self.state(), folder / WEIGHTS_FILE, metadata={"format": "pt"})
        config = {
            "peft_type": "LORA",
            "task_type": "CAUSAL_LM",
            "base_model_name_or_path": base,
            "r": self.config.rank,
            "lora_alpha": self.config.alpha,
            "lora_dropout": self.config.dropout,
            "target_modules": list(self.targets),
            "bias": "none",
            "fan_in_fan_out": self.transposed,
            "inference_mode": True,
        }
        (folder / CONFIG_FILE).write_text(json.dumps(config, indent=2) + "\n", encoding="utf-8")

    def load(self, folder: Path) -> None:
        """Load what `save` wrote. Raises TrainError if it does not fit the model."""
        from safetensors import SafetensorError
        from safetensors.torch import load_file

        try:
            self.load_state(load_file(folder / WEIGHTS_FILE))
        except (OSError, ValueError, RuntimeError, SafetensorError) as error:
            raise TrainError(
                f"the adapter in {str(folder)!r} cannot be loaded ({error}): remove the checkpoint to resume from the previous one"
            ) from None


def select_targets(requested: Sequence[str] | str, layers: Sequence[str]) -> list[str]:
    """The names of layers that `model.lora.target_modules` selects, by their last parts. Raises TrainError for a name without a layer."""
    candidates = sorted({name.rpartition(".")[2] for name in layers})
    if requested == ALL_LINEAR:
        return candidates
    for name in requested:
        if name not in candidates:
            raise TrainError(
                f"model.lora.target_modules: no linear layer is called {name!r}.{suggestion(name, candidates)} Candidates: {', '.join(candidates)}"
            )
    if not requested:
        raise TrainError(f"model.lora.target_modules is empty: name at least one of {', '.join(candidates)}")
    return sorted(set(requested))


class Factors(nn.Module):
    """The factors A and B of one layer. B starts at 0, so that the model starts as it is."""

    def __init__(self, inputs: int, outputs: int, rank: int) -> None:
        super().__init__()
        self.a_RX = nn.Parameter(torch.empty(rank, inputs))
        self.b_YR = nn.Parameter(torch.zeros(outputs, rank))
        nn.init.kaiming_uniform_(self.a_RX, a=5**0.5)


class LoraDelta(nn.Module):
    """What adapters add to a projection of the native decoder, which may be several layers in one matrix.

    widths   outputs of each layer, in the order of the matrix
    """

    def __init__(self, inputs: int, widths: Mapping[str, int], targets: Sequence[str], config: LoraConfig) -> None:
        super().__init__()
        self.widths = dict(widths)
        self.scale, self.dropout = config.alpha / config.rank, config.dropout
        self.factors = nn.ModuleDict({name: Factors(inputs, width, config.rank) for name, width in widths.items() if name in targets})

    def forward(self, x_TX: Tensor) -> Tensor:
        """The sum that is added to the projection of x, [T, Y]."""
        parts = []
        for name, width in self.widths.items():
            if name not in self.factors:
                parts.append(x_TX.new_zeros(len(x_TX), width))
                continue
            factors = self.factors[name]
            # Only the update drops inputs: every other pass computes the policy itself.
            dropped_TX = F.dropout(x_TX, self.dropout, torch.is_grad_enabled()) if self.dropout else x_TX
            parts.append(F.linear(F.linear(dropped_TX, factors.a_RX), factors.b_YR) * self.scale)
        return parts[0] if len(parts) == 1 else torch.cat([part.to(parts[-1].dtype) for part in parts], dim=1)

    def merged(self, name: str, weight_YX: Tensor) -> Tensor:
        """The weight of a layer with its adapter."""
        if name not in self.factors:
            return weight_YX
        factors = self.factors[name]
        return weight_YX.float() + self.scale * (factors.b_YR.detach() @ factors.a_RX.detach())


def decoder_projections(shape: ModelShape) -> dict[str, tuple[str, int, dict[str, int]]]:
    """The matrices of a layer of the native decoder: the part of the name, the inputs, and the outputs of each layer in it."""
    heads, kv_heads = shape.num_heads * shape.head_dim, shape.num_kv_heads * shape.head_dim
    inner, width = shape.intermediate_size, shape.hidden_size
    return {
        "qkv": ("self_attn", width, {"q_proj": heads, "k_proj": kv_heads, "v_proj": kv_heads}),
        "out": ("self_attn", heads, {"o_proj": width}),
        "gate_up": ("mlp", width, {"gate_proj": inner, "up_proj": inner}),
        "down": ("mlp", inner, {"down_proj": width}),
    }


def decoder_layers(shape: ModelShape) -> list[tuple[str, int, int]]:
    """Name, inputs and outputs of the linear layers of one block of the native decoder."""
    return [
        (f"{place}.{name}", inputs, outputs)
        for place, inputs, widths in decoder_projections(shape).values()
        for name, outputs in widths.items()
    ]


def add_decoder_adapter(model: Decoder, config: LoraConfig) -> None:
    """Freeze a native decoder, except a value head, and add an adapter to it."""
    targets = select_targets(config.target_modules, [name for name, _, _ in decoder_layers(model.shape)])
    for weight in model.parameters():
        weight.requires_grad_(weight is model.value_1E)
    parameters: dict[str, nn.Parameter] = {}
    for index, layer in enumerate(model.layers):
        deltas: dict[str, Any] = {}
        for matrix, (place, inputs, widths) in decoder_projections(model.shape).items():
            delta = LoraDelta(inputs, widths, targets, config)
            if delta.factors:
                deltas[matrix] = delta
            for name, factors in delta.factors.items():
                key = f"base_model.model.model.layers.{index}.{place}.{name}"
                parameters[f"{key}.lora_A.weight"], parameters[f"{key}.lora_B.weight"] = factors.a_RX, factors.b_YR
        layer.deltas = nn.ModuleDict(deltas).to(model.device)

    def enable(enabled: bool) -> None:
        for layer in model.layers:
            layer.deltas_enabled = enabled

    model.lora = LoraAdapter(config, targets, parameters, enable)
