"""What vLLM's workers learn from us: to take over weights in place. Loaded by vLLM itself, in whatever process its workers are."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from torch import Tensor

EXTENSION = "rlgym.train.rollout.vllm_worker.Weights"


class Weights:
    """Mixed into vLLM's worker by `worker_extension_cls`."""

    model_runner: Any

    def take_weights(self, weights: Iterable[tuple[str, Tensor]] | None = None, file: str = "") -> None:
        """Take over weights by their Hugging Face names, or those in a safetensors file."""
        if weights is None:
            from safetensors.torch import load_file

            weights = load_file(file).items()
        self.model_runner.reload_weights(weights_iterator=weights)
        _renew_tied_head(self.model_runner.get_model())


def _renew_tied_head(model: Any) -> None:
    # On a CPU vLLM packs each matrix anew; of a head that shares the embeddings it keeps the old pack, as nothing was loaded for it.
    head, embeddings = getattr(model, "lm_head", None), getattr(getattr(model, "model", None), "embed_tokens", None)
    if head is not None and embeddings is not None and hasattr(head, "cpu_linear") and model.config.tie_word_embeddings:
        head.weight = embeddings.weight
        head.quant_method.process_weights_after_loading(head)
