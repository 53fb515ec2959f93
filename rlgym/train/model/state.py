"""What a checkpoint holds of a model: the model or its adapter, and a reference policy of the run."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from rlgym.train.distributed.sharding import full_parameters, full_weights, load_parameters
from rlgym.train.model.backend import PolicyModel, save_value_head
from rlgym.train.model.decoder import Decoder
from rlgym.train.model.pretrained import save_model
from rlgym.train.model.transformers_model import TransformersModel

if TYPE_CHECKING:
    from torch import Tensor


def save_policy_model(model: PolicyModel, folder: Path, base: str, is_last: bool) -> bool:
    """Write a model as a Hugging Face folder; True if one was written.

    Of a model with an adapter only the adapter is written, next to the folder, and after the last step the merged model too. `base`
    is the folder of the model that the adapter belongs to. If the model is sharded, rank 0 calls this while the others gather it.
    """
    if model.lora is not None:
        model.lora.save(folder.with_name("adapter"), base)
        save_value_head(model, folder)
        if not is_last:
            return False
    if isinstance(model, Decoder):
        save_model(model, folder, weights_from=full_weights(model))
    else:
        model.save(folder)
        save_value_head(model, folder)
    return True


def copy_to_reference(model: PolicyModel, reference: PolicyModel) -> None:
    """Make the present policy the reference. With an adapter both are one model, which keeps a copy of the adapter."""
    if model.lora is not None:
        model.lora.set_reference()
    else:
        load_parameters(reference, full_parameters(model))


def reference_state(reference: PolicyModel) -> dict[str, Tensor]:
    """The weights of a reference that was a policy of the run. If it is sharded, all ranks must call it together."""
    if reference.lora is not None:
        return reference.lora.reference or {}
    return dict(full_weights(reference)) if isinstance(reference, Decoder) else full_parameters(reference)


def load_reference_state(reference: PolicyModel, weights: Mapping[str, Tensor]) -> None:
    """Load a `reference_state`."""
    if reference.lora is not None:
        reference.lora.set_reference(weights)
    elif isinstance(reference, Decoder):
        network = Decoder(reference.shape, reference.config, reference.value_1E is not None)
        network.load_weights(weights.items())
        load_parameters(reference, full_parameters(network))
    else:
        load_parameters(reference, weights)


def engine_weights(model: PolicyModel, engine: Any) -> Iterator[tuple[str, Tensor]]:
    """Every full weight by the name that an engine uses. If the model is sharded, all ranks must iterate together."""
    if isinstance(model, TransformersModel) and getattr(engine, "module_names", False):
        return model.module_weights()
    return full_weights(model)
