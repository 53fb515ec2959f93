"""An extension of vLLM's workers that updates weights in place. vLLM imports it in its worker processes."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any

from rlgym.train.rollout.engines.group_channel import receive
from rlgym.train.rollout.engines.weight_channels import read_shared

if TYPE_CHECKING:
    from torch import Tensor

EXTENSION = "rlgym.train.rollout.engines.vllm_worker.WeightUpdates"


class WeightUpdates:
    """A mixin of vLLM's worker, set by `worker_extension_cls`."""

    model_runner: Any

    def load_policy_weights(
        self,
        weights: Iterable[tuple[str, Tensor]] | None = None,
        file: str = "",
        shared: Mapping[str, Any] | None = None,
        group: Mapping[str, Any] | None = None,
    ) -> None:
        """Load weights by their Hugging Face names, from a process group, from shared memory, or from a safetensors file."""
        if group is not None:
            weights = receive(group)
        elif shared is not None:
            weights = read_shared(shared)
        elif weights is None:
            from safetensors.torch import load_file

            weights = load_file(file).items()
        self.model_runner.reload_weights(weights_iterator=weights)
        _update_tied_head(self.model_runner.get_model())


def _update_tied_head(model: Any) -> None:
    # On a CPU vLLM repacks each loaded matrix. A head tied to the embeddings is not loaded itself, so it must be repacked here.
    head, embeddings = getattr(model, "lm_head", None), getattr(getattr(model, "model", None), "embed_tokens", None)
    if head is not None and embeddings is not None and hasattr(head, "cpu_linear") and model.config.tie_word_embeddings:
        head.weight = embeddings.weight
        head.quant_method.process_weights_after_loading(head)
