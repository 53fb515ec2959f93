"""What a network of transformers applies to the product of hidden states and output head, found by one forward pass.

Axes: S scored tokens, V vocabulary.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import torch
from torch import Tensor

from rlgym.train.model.decoder import matmul_float32
from rlgym.train.model.pretrained import ModelError


class HeadTransform:
    """A bias, a scale and a soft cap, in this order."""

    def __init__(self, biased: bool, scale: float, cap: float | None) -> None:
        self.biased, self.scale, self.cap = biased, scale, cap

    def __call__(self, logits_SV: Tensor, head: Any) -> Tensor:
        """The logits of the model from the product with the weight of its head."""
        if self.biased:
            logits_SV = logits_SV + head.bias.float()
        logits_SV = logits_SV * self.scale
        return logits_SV if not self.cap else self.cap * torch.tanh(logits_SV / self.cap)


def find_head_transform(network: Any, hidden_SE: Tensor, expected_SV: Tensor) -> HeadTransform | None:
    """The transform that gives the network's own logits; None if the product is all. Raises ModelError if none does."""
    head = network.get_output_embeddings()
    product_SV = matmul_float32(hidden_SE, head.weight)
    for transform in _declared_transforms(network.config.get_text_config(), head):
        candidate_SV = product_SV if transform is None else transform(product_SV, head)
        if torch.allclose(candidate_SV, expected_SV, rtol=1e-4, atol=1e-4 * float(expected_SV.abs().max()) + 1e-7):
            return transform
    raise ModelError(
        f"the output head of the model type {network.config.model_type!r} is more than a linear layer with a bias, a scale or a soft cap: "
        "its log-probabilities cannot be computed"
    )


def _declared_transforms(config: Any, head: Any) -> Iterator[HeadTransform | None]:
    """What the configuration declares, and nothing at all."""
    scale = getattr(config, "logit_scale", None) or 1 / (getattr(config, "logits_scaling", None) or 1)
    cap, biased = getattr(config, "final_logit_softcapping", None), getattr(head, "bias", None) is not None
    if scale != 1 or cap or biased:
        yield HeadTransform(biased, float(scale), cap)
    yield None
