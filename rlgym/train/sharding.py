"""The network divided over ranks by torch's `fully_shard` (FSDP2), and put together again where it is needed whole.

From "PyTorch FSDP: Experiences on Scaling Fully Sharded Data Parallel". Gradients are added up over ranks, not averaged: each
rank carries its part of the gradient of one objective over the whole batch.
"""

from __future__ import annotations

import copy
from collections.abc import Iterator, Mapping
from typing import Any

import torch
from torch import Tensor
from torch.distributed.device_mesh import init_device_mesh
from torch.distributed.fsdp import FSDPModule, MixedPrecisionPolicy, fully_shard
from torch.distributed.tensor import DTensor, distribute_tensor

from rlgym.train.decoder import Decoder, Layer
from rlgym.train.team import Team


def shard(model: Decoder, team: Team, dtype: torch.dtype) -> None:
    """Divide a decoder over all ranks, in place, layer by layer.

    With bfloat16 the layers compute in it and are gathered in it, while the weights and the sums of gradients stay in float32.
    """
    mesh = init_device_mesh(model.device.type, (team.size,))
    # Rotary angles go into a layer as arguments, and must not be rounded on the way.
    policy = MixedPrecisionPolicy(cast_forward_inputs=False)
    if dtype == torch.bfloat16:
        policy = MixedPrecisionPolicy(param_dtype=dtype, reduce_dtype=torch.float32, cast_forward_inputs=False)
    for part in [*model.layers, model]:
        fully_shard(part, mesh=mesh, mp_policy=policy)
        part.set_gradient_divide_factor(1.0)
        # Else a factor of 1 is multiplied into the sum by an operation that gloo has not.
        part.set_force_sum_reduction_for_comms(True)


def settle(model: Decoder) -> None:
    """Let go of what a forward pass without a backward pass leaves gathered."""
    if isinstance(model, FSDPModule):
        model.reshard()


def own_copy(model: Decoder) -> Decoder:
    """A copy for a rollout engine, which changes only when it is loaded."""
    return copy.deepcopy(model).requires_grad_(False)


def whole_weights(model: Decoder) -> Iterator[tuple[str, Tensor]]:
    """Every weight in full by its Hugging Face name, one layer at a time. Of a divided model all ranks must go through them together."""
    if not isinstance(model, FSDPModule):
        yield from model.weights()
        return
    settle(model)
    with torch.device("meta"):
        shell = Decoder(model.shape, model.config, model.value_1E is not None)
    for empty, layer in zip(shell.layers, model.layers):
        empty.weights = lambda empty=empty, layer=layer: _gathered(empty, layer)
    _fill(shell, model)
    yield from shell.weights()


def _gathered(empty: Layer, layer: Layer) -> Iterator[tuple[str, Tensor]]:
    """A layer's weights, which are gathered when the first is asked for and gone after the last."""
    _fill(empty, layer)
    yield from Layer.weights(empty)
    for name in list(empty._parameters):
        empty._parameters[name] = None


def _fill(empty: torch.nn.Module, module: torch.nn.Module) -> None:
    for name, weight in module._parameters.items():
        if weight is not None:
            empty._parameters[name] = torch.nn.Parameter(weight.full_tensor(), requires_grad=False)


def whole_parameters(model: Decoder) -> dict[str, Tensor]:
    """A copy of every parameter in full, by its own name, on the CPU. Of a divided model all ranks must ask for it together."""
    settle(model)
    whole = {name: weight.full_tensor() if isinstance(weight, DTensor) else weight for name, weight in model.named_parameters()}
    return {name: weight.detach().cpu().clone() for name, weight in whole.items()}


def load_parameters(model: Decoder, whole: Mapping[str, Tensor]) -> None:
    """Take over parameters from what `whole_parameters` gave of this model or of one that has more."""
    settle(model)
    with torch.no_grad():
        for name, weight in model.named_parameters():
            weight.copy_(_part(whole[name], weight))


def whole_state(optimizer: torch.optim.Optimizer) -> dict[str, Any]:
    """The optimizer's state as that of a model that is not divided. All ranks must ask for it together."""
    state = optimizer.state_dict()
    whole = {
        place: {name: value.full_tensor().cpu() if isinstance(value, DTensor) else value for name, value in entry.items()}
        for place, entry in state["state"].items()
    }
    return state | {"state": whole}


def load_state(optimizer: torch.optim.Optimizer, whole: dict[str, Any]) -> None:
    """Go on from what `whole_state` gave, with the same number of ranks or another."""
    weights = [weight for group in optimizer.param_groups for weight in group["params"]]
    state = {place: {name: _part(value, weights[place]) for name, value in entry.items()} for place, entry in whole["state"].items()}
    optimizer.load_state_dict(whole | {"state": state})


def _part(value: Any, weight: Tensor) -> Any:
    if not isinstance(weight, DTensor) or not isinstance(value, Tensor) or value.shape != weight.shape:
        return value
    return distribute_tensor(value.to(weight.device), weight.device_mesh, weight.placements, src_data_rank=None)
