"""Sharding of the network over ranks with torch's `fully_shard` (FSDP2), and full weights where they are needed.

From "PyTorch FSDP: Experiences on Scaling Fully Sharded Data Parallel". Gradients are summed over ranks, not averaged: each rank
computes its part of the gradient of one objective over the whole batch.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

import torch
from torch import Tensor
from torch.distributed.device_mesh import init_device_mesh
from torch.distributed.fsdp import FSDPModule, MixedPrecisionPolicy, fully_shard
from torch.distributed.tensor import DTensor, distribute_tensor

from rlgym.train.distributed.process_group import ProcessGroup
from rlgym.train.model.backend import PolicyModel
from rlgym.train.model.decoder import Decoder, Layer


def shard(model: Decoder, process_group: ProcessGroup, dtype: torch.dtype, device: torch.device) -> None:
    """Shard a decoder over all ranks, in place, layer by layer. A decoder on the CPU moves to the device one layer at a time.

    With bfloat16 the layers compute and are gathered in it, while the weights and the gradient sums stay in float32.
    """
    mesh = init_device_mesh(device.type, (process_group.size,))
    # Rotary angles are arguments of a layer and must not be rounded.
    policy = MixedPrecisionPolicy(cast_forward_inputs=False)
    if dtype == torch.bfloat16:
        policy = MixedPrecisionPolicy(param_dtype=dtype, reduce_dtype=torch.float32, cast_forward_inputs=False)
    for part in [*model.layers, model]:
        fully_shard(part, mesh=mesh, mp_policy=policy)
        part.set_gradient_divide_factor(1.0)
        # Otherwise a factor of 1 is applied by an operation that gloo lacks.
        part.set_force_sum_reduction_for_comms(True)


def reshard(model: PolicyModel) -> None:
    """Free the parameters that a forward pass without a backward pass leaves gathered."""
    if isinstance(model, FSDPModule):
        model.reshard()


def full_weights(model: PolicyModel) -> Iterator[tuple[str, Tensor]]:
    """Every full weight by its Hugging Face name, one layer at a time. If the model is sharded, all ranks must iterate together."""
    if not isinstance(model, FSDPModule):
        yield from model.weights()
        return
    reshard(model)
    with torch.device("meta"):
        shell = Decoder(model.shape, model.config, model.value_1E is not None)
    for empty, layer in zip(shell.layers, model.layers):
        empty.weights = lambda empty=empty, layer=layer: _gather_layer(empty, layer)
    _fill(shell, model)
    yield from shell.weights()


def _gather_layer(empty: Layer, layer: Layer) -> Iterator[tuple[str, Tensor]]:
    """A layer's weights, gathered at the first and freed after the last."""
    _fill(empty, layer)
    yield from Layer.weights(empty)
    for name in list(empty._parameters):
        empty._parameters[name] = None


def _fill(empty: torch.nn.Module, module: torch.nn.Module) -> None:
    for name, weight in module._parameters.items():
        if weight is not None:
            empty._parameters[name] = torch.nn.Parameter(weight.full_tensor(), requires_grad=False)


def full_parameters(model: PolicyModel) -> dict[str, Tensor]:
    """A copy of every full parameter by its own name, on the CPU. If the model is sharded, all ranks must call it together."""
    reshard(model)
    full = {name: weight.full_tensor() if isinstance(weight, DTensor) else weight for name, weight in model.named_parameters()}
    return {name: weight.detach().cpu().clone() for name, weight in full.items()}


def load_parameters(model: PolicyModel, full: Mapping[str, Tensor]) -> None:
    """Load the `full_parameters` of this model, or of one with more parameters."""
    reshard(model)
    with torch.no_grad():
        for name, weight in model.named_parameters():
            weight.copy_(_local_shard(full[name], weight))


def full_optimizer_state(optimizer: torch.optim.Optimizer) -> dict[str, Any]:
    """The optimizer's state for the unsharded model. All ranks must call it together."""
    state = optimizer.state_dict()
    full = {
        index: {name: value.full_tensor().cpu() if isinstance(value, DTensor) else value for name, value in entry.items()}
        for index, entry in state["state"].items()
    }
    return state | {"state": full}


def load_optimizer_state(optimizer: torch.optim.Optimizer, full: dict[str, Any]) -> None:
    """Load a `full_optimizer_state`, with the same number of ranks or another."""
    weights = [weight for group in optimizer.param_groups for weight in group["params"]]
    state = {index: {name: _local_shard(value, weights[index]) for name, value in entry.items()} for index, entry in full["state"].items()}
    optimizer.load_state_dict(full | {"state": state})


def _local_shard(value: Any, weight: Tensor) -> Any:
    if not isinstance(weight, DTensor) or not isinstance(value, Tensor) or value.shape != weight.shape:
        return value
    return distribute_tensor(value.to(weight.device), weight.device_mesh, weight.placements, src_data_rank=None)
