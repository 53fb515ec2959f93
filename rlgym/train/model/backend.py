"""Chooses and loads the network that a configuration names: the native decoder, or a model of transformers."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Literal

import torch
from torch import nn

from rlgym.train.config.sections import ModelConfig, TrainError
from rlgym.train.model.decoder import Decoder
from rlgym.train.model.lora import add_decoder_adapter, decoder_layers, select_targets
from rlgym.train.model.peft_adapter import add_peft_adapter, require_peft
from rlgym.train.model.pretrained import FAMILIES, ModelError, load_model, read_config, shape_of, value_head_file
from rlgym.train.model.shape import ModelShape
from rlgym.train.model.summed import SummedDecoder, summed_shape
from rlgym.train.model.transformers_loading import load_network
from rlgym.train.model.transformers_model import TransformersModel
from rlgym.train.model.transformers_shape import TransformersShape, read_transformers_shape

PolicyModel = Decoder | TransformersModel
"""What training and generation accept as a network."""


@dataclass(frozen=True)
class Backend:
    """The network of a run, and the reason if it is not the native decoder."""

    name: Literal["native", "transformers"]
    model_type: str
    reason: str = ""

    def line(self) -> str:
        """The choice in a line."""
        return f"model backend: {self.name} ({self.model_type}{': ' + self.reason if self.reason else ''})"


def choose_backend(model: ModelConfig, folder: Path | None = None) -> Backend:
    """The backend of a configuration. Raises TrainError if `native` is set and does not support the architecture."""
    config = read_config(folder or Path(model.path))
    family = str(config.get("model_type"))
    if model.backend == "transformers":
        return Backend("transformers", family)
    try:
        shape_of(config)
    except ModelError as refusal:
        if model.backend == "native":
            raise TrainError(f"model.backend='native': {refusal}; or set model.backend to 'transformers' or 'auto'") from None
        reason = str(refusal) if family in FAMILIES else "the native decoder lacks this architecture"
        return Backend("transformers", family, reason)
    return Backend("native", family)


def read_policy_shape(model: ModelConfig, folder: Path | None = None) -> ModelShape:
    """The sizes of the model, without its weights. Raises ModelError for a folder that cannot be loaded."""
    folder = folder or Path(model.path)
    if choose_backend(model, folder).name == "transformers":
        return read_transformers_shape(folder)
    own = shape_of(read_config(folder))
    if not model.summed_with:
        return own
    return summed_shape([own, *(shape_of(read_config(Path(other))) for other in model.summed_with)])


def load_policy_model(model: ModelConfig, folder: Path | None = None, value_head: bool = False) -> PolicyModel:
    """The model in a folder, in float32 on the CPU, without an adapter."""
    folder = folder or Path(model.path)
    if choose_backend(model, folder).name == "native":
        loaded_decoder = load_model(folder, value_head=value_head)
        if not model.summed_with:
            return loaded_decoder
        return SummedDecoder(loaded_decoder, [load_model(Path(other)) for other in model.summed_with])
    loaded = TransformersModel(load_network(folder), value_head)
    load_value_head(loaded, folder)
    return loaded


def load_value_head(model: PolicyModel, folder: Path) -> None:
    """Load the value head that was saved next to a folder, if there is one and the model has one."""
    from safetensors import SafetensorError
    from safetensors.torch import load_file

    if model.value_1E is not None and value_head_file(folder).exists():
        try:
            weights = load_file(value_head_file(folder))
        except SafetensorError as error:
            raise ModelError(f"{value_head_file(folder)} is damaged ({error}): copy it again") from None
        with torch.no_grad():
            model.value_1E.copy_(weights["value_head.weight"])


def save_value_head(model: PolicyModel, folder: Path) -> None:
    """Save the value head next to a folder, if the model has one."""
    from safetensors.torch import save_file

    if model.value_1E is not None:
        value_head_file(folder).parent.mkdir(parents=True, exist_ok=True)
        save_file({"value_head.weight": model.value_1E.detach().cpu().clone()}, value_head_file(folder), metadata={"format": "pt"})


def add_adapter(model: PolicyModel, config: ModelConfig, seed: int) -> None:
    """Add the configured adapter, if there is one; the seed determines its initial weights."""
    if config.lora is None:
        return
    with torch.random.fork_rng(devices=[]):
        torch.manual_seed(seed)
        if isinstance(model, Decoder):
            add_decoder_adapter(model, config.lora)
        else:
            model.lora = add_peft_adapter(model.network, config.lora)


def adapter_layers(model: ModelConfig, shape: ModelShape) -> list[tuple[str, int, int]]:
    """Name, inputs and outputs of every layer that gets an adapter. Raises TrainError for targets that match nothing."""
    if model.lora is None:
        return []
    if isinstance(shape, TransformersShape):
        require_peft()
        layers = list(shape.linear_layers)
    else:
        layers = decoder_layers(shape) * shape.num_layers
    targets = select_targets(model.lora.target_modules, [name for name, _, _ in layers])
    return [layer for layer in layers if layer[0].rpartition(".")[2] in targets]


def adapter_parameters(model: ModelConfig, shape: ModelShape) -> int:
    """The number of weights of the adapter; 0 without one."""
    return sum(model.lora.rank * (inputs + outputs) for _, inputs, outputs in adapter_layers(model, shape)) if model.lora else 0


def engine_copy(model: PolicyModel, dtype: torch.dtype) -> PolicyModel:
    """A copy without gradients for a rollout engine, with a merged adapter."""
    if isinstance(model, TransformersModel):
        return model.engine_copy(dtype)
    if model.lora is None:
        return model.to_dtype_copy(dtype)
    with torch.device(model.device):
        plain = Decoder(model.shape, model.config, model.value_1E is not None).to(dtype).requires_grad_(False)
    plain.cosine_PD, plain.sine_PD = model.cosine_PD.clone(), model.sine_PD.clone()
    plain.load_weights(model.weights())
    return plain


def store_frozen_matrices(model: PolicyModel, dtype: torch.dtype) -> None:
    """Store the matrices that an adapter froze in the precision to which autocast rounds them anyway: the results stay the same."""
    if isinstance(model, Decoder):
        matrices = [matrix for layer in model.layers for matrix in (layer.qkv, layer.out, layer.gate_up, layer.down)]
    else:
        linear = [module for module in model.network.modules() if isinstance(module, nn.Linear) and module is not model.head]
        matrices = [module.weight for module in linear]
    for matrix in matrices:
        if not matrix.requires_grad:
            matrix.data = matrix.data.to(dtype)
