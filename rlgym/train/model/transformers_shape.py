"""The sizes of a model of transformers, read from its configuration without its weights."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

import torch
from torch import nn

from rlgym.train.model.pretrained import ModelError, read_config
from rlgym.train.model.shape import ModelShape

NO_LIMIT = 1 << 20
"""Positions of a model that has no limit of its own."""


@dataclass(frozen=True)
class TransformersShape(ModelShape):
    """Sizes of any causal language model. Sizes that a configuration does not name are those of the nearest dense decoder.

    parameters         all weights
    active_parameters  weights that multiply each token, the output head included: of experts, those that a token visits
    linear_layers      name, inputs and outputs of every linear layer except the output head
    """

    parameters: int = 0
    active_parameters: int = 0
    linear_layers: tuple[tuple[str, int, int], ...] = ()

    def matrix_parameters(self) -> int:
        """Weights that multiply every token."""
        return self.active_parameters


def read_transformers_shape(folder: Path) -> TransformersShape:
    """The sizes of the model in a folder. Raises ModelError if transformers does not know the architecture."""
    from transformers import AutoConfig, AutoModelForCausalLM

    values = read_config(folder)
    try:
        config = AutoConfig.from_pretrained(str(folder), local_files_only=True)
        with torch.device("meta"):
            network = AutoModelForCausalLM.from_config(config)
    except (OSError, ValueError, KeyError, ImportError) as error:
        import transformers

        raise ModelError(
            f"transformers {transformers.__version__} cannot build the model type {values.get('model_type')!r} in {str(folder)!r} as a causal "
            f"language model: {str(error).splitlines()[0]:.200}"
        ) from None
    return shape_of_network(network)


def shape_of_network(network: Any) -> TransformersShape:
    """The sizes of a network, on any device."""
    config = network.config.get_text_config()

    def size(*names: str, default: int) -> int:
        return next((int(value) for name in names if (value := getattr(config, name, None))), default)

    width, heads = size("hidden_size", "d_model", default=1), size("num_attention_heads", default=1)
    chosen, experts = size("num_experts_per_tok", default=1), size("num_local_experts", "num_experts", "n_routed_experts", default=1)
    dense = size("intermediate_size", "n_inner", "ffn_dim", default=4 * width)
    active = network.get_output_embeddings().weight.numel()
    for name, weight in network.named_parameters():
        if (
            weight.dim() >= 2
            and weight is not network.get_input_embeddings().weight
            and weight is not network.get_output_embeddings().weight
        ):
            active += weight.numel() * chosen // experts if ".experts." in name else weight.numel()
    return TransformersShape(
        vocab_size=network.get_output_embeddings().weight.shape[0],
        num_layers=size("num_hidden_layers", default=1),
        hidden_size=width,
        num_heads=heads,
        num_kv_heads=size("num_key_value_heads", "num_kv_heads", default=heads),
        head_dim=size("head_dim", default=width // heads),
        intermediate_size=chosen * size("moe_intermediate_size", default=dense) if experts > 1 else dense,
        max_seq_len=size("max_position_embeddings", "n_positions", "max_seq_len", "seq_length", default=NO_LIMIT),
        parameters=sum(weight.numel() for weight in network.parameters()),
        active_parameters=active,
        linear_layers=tuple(linear_layers(network)),
    )


def linear_layers(network: Any) -> list[tuple[str, int, int]]:
    """Name, inputs and outputs of the linear layers that an adapter may attach to."""
    from transformers.pytorch_utils import Conv1D

    head, layers = network.get_output_embeddings(), []
    for name, module in network.named_modules():
        if module is not head and isinstance(module, nn.Linear):
            layers.append((name, module.in_features, module.out_features))
        elif isinstance(module, Conv1D):
            layers.append((name, *module.weight.shape))
    return layers
